"""NotebookFigure: a matplotlib figure that a notebook displays exactly once.

A notebook has a formatter for figures only after pyplot was imported, and displays figures managed by
pyplot a second time at the end of the cell. This figure is not managed by pyplot and has its own display
method. The module is imported only when a plot is made, since matplotlib is optional.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any, cast, final

from matplotlib.figure import Figure


@final
class NotebookFigure(Figure):
    """Figure that is displayed as a picture if it is the result of a cell."""

    def _repr_png_(self) -> bytes:
        file = BytesIO()
        cast(Any, self).savefig(file, format="png", dpi=100, bbox_inches="tight")
        return file.getvalue()

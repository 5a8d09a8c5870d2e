"""A matplotlib figure that a notebook shows; loaded when a plot is made, since matplotlib is optional.

A notebook has a formatter for figures only after pyplot was imported, and shows figures that pyplot
manages a second time at the end of the cell. This figure is not managed by pyplot and brings the method
that every notebook asks an object for: it is shown once, whether or not pyplot was imported.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any, cast, final

from matplotlib.figure import Figure


@final
class NotebookFigure(Figure):
    """A Figure that shows itself as a picture where it is the result of a cell."""

    def _repr_png_(self) -> bytes:
        file = BytesIO()
        cast(Any, self).savefig(file, format="png", dpi=100, bbox_inches="tight")
        return file.getvalue()

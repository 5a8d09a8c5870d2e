"""NumPy, or a small replacement if it is not installed.

    from ..arrays import NDArray, np

Layers that need little more than vectors and small matrices import NumPy from here, so that robots can
be derived, proved, drawn and linearised in a browser. Simulations, machine code and batches of states
need NumPy itself. `small` has only the functions that these layers use; results are the same
up to rounding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    NUMPY: bool
else:
    try:
        import numpy as np
        from numpy.typing import NDArray

        NUMPY = True
    except ModuleNotFoundError as missing:
        if missing.name not in (
            None,
            "numpy",
        ):  # NumPy is installed, but one of its dependencies is not
            raise
        from . import small as np
        from .small import NDArray

        NUMPY = False

__all__ = ["NUMPY", "NDArray", "np"]

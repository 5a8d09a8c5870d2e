"""Arrays in plain Python, under the names of NumPy.

In reading order: `array.py` (the class), `operators.py`, `dtype.py`, `indexing.py`, `arithmetic.py`,
`making.py`, `joining.py`, `functions.py`, `reductions.py`, `products.py`, `linalg.py`, `random.py`. A
name that is missing here needs NumPy itself; the error says so.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from math import inf, nan, pi
from types import SimpleNamespace
from typing import Any

from ....errors import MissingLibraryError
from . import linalg, random
from .array import SmallArray, as_array
from .functions import (
    absolute as abs,
    arccos,
    arcsin,
    arctan,
    arctan2,
    around as round,
    clip,
    cos,
    cosh,
    exp,
    isfinite,
    isnan,
    log,
    maximum,
    minimum,
    polyval,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    where,
)
from .joining import (
    atleast_2d,
    block,
    broadcast_to,
    concatenate,
    hstack,
    moveaxis,
    ndenumerate,
    reshape,
    split,
    stack,
    swapaxes,
    vstack,
)
from .making import arange, array, asarray, diag, eye, full, ix_, linspace, ones, zeros, zeros_like
from .products import cross, outer
from .reductions import (
    all_of as all,
    amax as max,
    amin as min,
    any_of as any,
    argmax,
    argmin,
    argwhere,
    flatnonzero,
    mean,
    median,
    ptp,
    sort,
    total as sum,
    unique,
    unravel_index,
)

ndarray = SmallArray
newaxis = None
empty = zeros
polynomial: SimpleNamespace = SimpleNamespace(polynomial=SimpleNamespace(polyval=polyval))


class NDArray:
    """Stands for `numpy.typing.NDArray` in annotations."""

    def __class_getitem__(cls, of: Any) -> type[SmallArray]:
        return SmallArray


class _Masked:
    """No array here is masked."""


ma: SimpleNamespace = SimpleNamespace(MaskedArray=_Masked)


class float64:  # noqa: N801
    """The type of doubles: turns a number into an array without axes, for which 1/0 is inf."""

    def __new__(cls, x: Any) -> Any:
        return as_array(float(x))


def errstate(**how: str) -> AbstractContextManager[None]:
    """Nothing here warns."""
    return nullcontext()


def roots(coefficients: Any) -> SmallArray:
    """Roots of a polynomial, highest coefficient first."""
    c = [x for x in as_array(coefficients).tolist()]
    while c and c[0] == 0:
        c = c[1:]
    n = len(c) - 1
    if n < 1:
        return as_array([])
    companion = [[float(j == i - 1) for j in range(n)] for i in range(n)]
    companion[0] = [-x / c[0] for x in c[1:]]
    return linalg.eigvals(companion)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise MissingLibraryError(f"numpy.{name}", "numpy")


__all__ = [
    "NDArray",
    "abs",
    "all",
    "any",
    "arange",
    "arccos",
    "arcsin",
    "arctan",
    "arctan2",
    "argmax",
    "argmin",
    "argwhere",
    "array",
    "asarray",
    "atleast_2d",
    "block",
    "broadcast_to",
    "clip",
    "concatenate",
    "cos",
    "cosh",
    "cross",
    "diag",
    "empty",
    "errstate",
    "exp",
    "eye",
    "flatnonzero",
    "float64",
    "full",
    "hstack",
    "inf",
    "isfinite",
    "isnan",
    "ix_",
    "linalg",
    "linspace",
    "log",
    "ma",
    "max",
    "maximum",
    "mean",
    "median",
    "min",
    "minimum",
    "moveaxis",
    "nan",
    "ndarray",
    "ndenumerate",
    "newaxis",
    "ones",
    "outer",
    "pi",
    "polynomial",
    "ptp",
    "random",
    "reshape",
    "roots",
    "round",
    "sign",
    "sin",
    "sinh",
    "sort",
    "split",
    "sqrt",
    "stack",
    "sum",
    "swapaxes",
    "tan",
    "tanh",
    "unique",
    "unravel_index",
    "vstack",
    "where",
    "zeros",
    "zeros_like",
]

"""Names that equamo builds itself, which a user's function must not have.

Functions are found by names such as `gravity_by_m1`, `mass_matrix_packed` or `f_pullback`, which are put
together from the names of functions, frames and parameters. A user's function of such a name would be
called in their place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from typing import Final

from ...basics.attached import METHODS
from ...errors import EquamoError
from .differentials import ENDINGS
from .frame_derivatives import FRAME_DERIVATIVES
from .functions import FRAME_FUNCTIONS
from .packing import SUFFIX
from .parameter_derivatives import BETWEEN, BY

# Public names of the objects that `eq.compile`, `to_torch`, `to_jax` and `to_casadi` return.
ATTRIBUTES: Final = frozenset((
    "casadi", "certificate", "configurations", "derivative", "difference", "eom", "external", "fast",
    "function", "gpu", "integrate", "options", "parameter_values", "parameters", "prepare",
))  # fmt: skip
_ATTRIBUTES: Final = ATTRIBUTES | {*METHODS["Compiled"], *FRAME_FUNCTIONS, *FRAME_DERIVATIVES}

# What they are for, and how names of that kind look.
_PATTERNS: Final[dict[str, re.Pattern[str]]] = {
    f"…{BY}…, a derivative by parameters": re.compile(f".*{BY}.*"),
    f"…{BETWEEN}…, a list of parameters": re.compile(f".*{BETWEEN}.*"),
    f"…{SUFFIX}, the entries of matrices that can differ from zero": re.compile(f".*{SUFFIX}"),
    f"…{' or …'.join(reversed(ENDINGS))}, which PyTorch and JAX call": re.compile(
        f".*(?:{'|'.join(ENDINGS)})"
    ),
    "…_derivatives, …_jvp, …_vjp, …_hessian or …_hvp, a derivative": re.compile(
        ".*_(?:derivatives|jvp|vjp|hessian|hvp)"
    ),
    "…_coordinates, a derivative by coordinates": re.compile(".*_coordinates"),
    "…_inputs, a function of the inputs": re.compile(".*_inputs"),
    "jac_…, adj1_… or fwd1_…, a derivative for CasADi": re.compile(r"(?:jac|adj\d*|fwd\d*)_.*"),
}


def reserved_pattern(name: str, of_robot: bool = True) -> str | None:
    """The kind of names that equamo builds itself to which a name belongs; None if it is free.

    `of_robot`: whether the function stands beside those of a robot, as an attribute.

    >>> reserved_pattern("gravity_by_m1")
    '…_by_…, a derivative by parameters'
    >>> reserved_pattern("tip") is None
    True
    """
    plain = unicodedata.normalize("NFKC", name)
    if of_robot and plain in _ATTRIBUTES:
        return f"{plain}, an attribute of compiled functions"
    return next((kind for kind, p in _PATTERNS.items() if p.fullmatch(plain)), None)


def expect_free(place: str, name: str, known: Collection[str] = (), of_robot: bool = True) -> None:
    """Check that a name of a user's function cannot be mistaken for one that equamo builds.

    Args:
        place: Start of messages.
        name: The name.
        known: Names of functions that exist.
        of_robot: Whether the function stands beside those of a robot.

    Raises:
        EquamoError: It could be; the message suggests another name.
    """
    pattern = reserved_pattern(name, of_robot)
    if pattern is not None:
        raise EquamoError(
            f"{place}: a function must not have a name that equamo builds itself ({pattern}), got "
            f"{name!r}; rename it, such as {_free(name, known)!r}."
        )


def _free(name: str, known: Collection[str]) -> str:
    """A free name similar to a reserved one."""
    words = [w for w in name.split("_") if w]
    for count in range(len(words), 0, -1):
        for found in ("my_" + "_".join(words[:count]), "my_" + "_".join(words[-count:])):
            if reserved_pattern(found) is None and found not in known:
                return found
    return "my_function"

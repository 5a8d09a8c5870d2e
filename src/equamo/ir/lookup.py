"""Functions by name: those of the robot, of its frames, derivatives, user functions, and packed ones.

Any function also has a pushforward, a pullback (`differentials`) and derivatives by parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ..equations.equations import EquationsOfMotion
from ..errors import UnknownNameError
from .derivatives import derivative_functions
from .differentials import differential, split_differential
from .frame_derivatives import FRAME_DERIVATIVES, frame_derivative
from .function import Function
from .functions import FRAME_FUNCTIONS, frame_function, frames, functions
from .inertial_derivatives import inertial_derivatives
from .packing import SUFFIX, packed
from .parameter_derivatives import parameter_derivative, split_name

NONE: Final[Mapping[str, Function]] = MappingProxyType({})


def whole_functions(
    eom: EquationsOfMotion, own: Mapping[str, Function] = NONE
) -> dict[str, Function]:
    """All functions except those of frames: user functions, those of the robot, derivatives."""
    return {**functions(eom), **derivative_functions(eom), **inertial_derivatives(eom), **own}


def function_named(
    eom: EquationsOfMotion,
    name: object,
    frame: str | None = None,
    own: Mapping[str, Function] = NONE,
    what: str = "function",
) -> Function:
    """Look up a function by its name.

    Args:
        eom: Equations of motion.
        name: Name of the function, with the suffix `_packed` for the structurally nonzero entries of its
            matrices.
        frame: Name of the frame; then `name` is one of `FRAME_FUNCTIONS`. By default a function of a
            frame is called `pose_hand`.
        own: The user's functions, by name.
        what: What a message calls the name.

    Raises:
        UnknownNameError: Unknown function.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> eom = derive(load("rr_arm"))
    >>> function_named(eom, "pose_fore").name, function_named(eom, "mass_matrix_packed").results[0].shape
    ('pose_fore', (3,))
    """
    found = _found(eom, name, frame, own) if isinstance(name, str) else None
    if found is None and isinstance(name, str) and name.endswith(SUFFIX):
        whole = _found(eom, name.removesuffix(SUFFIX), frame, own)
        if whole is not None and any(len(y.shape) == 2 for y in whole.results):
            found = _packed(eom, whole)
    if found is None and frame is not None:
        kinds = (*FRAME_FUNCTIONS, *FRAME_DERIVATIVES)
        raise UnknownNameError("function of a frame", name, kinds, f"robot {eom.robot.name!r}")
    if found is None:
        choices = [*whole_functions(eom, own)]
        choices += FRAME_FUNCTIONS if what == "compiled function" else of_frames(eom)
        raise UnknownNameError(what, name, choices, f"robot {eom.robot.name!r}")
    return found


def _packed(eom: EquationsOfMotion, whole: Function) -> Function:
    """Packed function, created once: finding its entries takes as long as the function."""
    key = "packed function", whole.name
    known = eom.made.get(key)
    if known is None or known.unpacked is not whole:  # a user's function may have any name
        known = eom.made[key] = packed(whole)
    return known


def _found(
    eom: EquationsOfMotion, name: str, frame: str | None, own: Mapping[str, Function]
) -> Function | None:
    if frame is not None:
        return _of_frame(eom, name, frame)
    for table in (own, functions(eom), derivative_functions(eom), inertial_derivatives(eom)):
        if name in table:
            return table[name]
    of_frame = of_frames(eom).get(name)
    if of_frame is not None:
        return _of_frame(eom, *of_frame)
    return _by_parameters(eom, name, own) or _differential(eom, name, own)


def _by_parameters(
    eom: EquationsOfMotion, name: str, own: Mapping[str, Function]
) -> Function | None:
    """Derivative by parameters, such as gravity_by_m1__L1."""
    parts = split_name(eom, name)
    base = None if parts is None else _found(eom, parts[0], None, own)
    return None if parts is None or base is None else parameter_derivative(eom, base, parts[1])


def _differential(
    eom: EquationsOfMotion, name: str, own: Mapping[str, Function]
) -> Function | None:
    """Pushforward or pullback of a function, such as gravity_pullback."""
    parts = split_differential(name)
    base = None if parts is None else _found(eom, parts[0], None, own)
    return None if parts is None or base is None else differential(eom, base, parts[1])


def of_frames(eom: EquationsOfMotion) -> dict[str, tuple[str, str]]:
    """{pose_hand: (pose, hand), …}"""
    kinds = (*FRAME_DERIVATIVES, *FRAME_FUNCTIONS)  # a frame may be called "derivatives_hand"
    return {f"{k}_{name}": (k, name) for k in kinds for name in frames(eom)}


def _of_frame(eom: EquationsOfMotion, kind: str, frame: str) -> Function | None:
    if kind in FRAME_FUNCTIONS:
        return frame_function(eom, kind, frame)
    return frame_derivative(eom, kind, frame) if kind in FRAME_DERIVATIVES else None

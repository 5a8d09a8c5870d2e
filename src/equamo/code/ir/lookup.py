"""Functions by name: those of the robot, of its frames, derivatives, user functions, and packed ones.

Any function also has a pushforward, a pullback (`differentials`) and derivatives by parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ...errors import EquamoError, UnknownNameError
from ...mechanics.equations.equations import EquationsOfMotion
from .derivatives import derivative_functions
from .differentials import differential, split_differential
from .frame_derivatives import FRAME_DERIVATIVES, frame_derivative
from .function import Function
from .functions import FRAME_FUNCTIONS, frame_function, frames, functions
from .inertial_derivatives import inertial_derivatives
from .packing import SUFFIX, packed
from .parameter_derivatives import parameter_derivative, split_names

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
        EquamoError: The name has several readings, because of the names of frames or parameters.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
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
    several = readings(eom, found.name, own)
    if len(several) > 1:
        raise EquamoError(
            f"the function {found.name!r} of robot {eom.robot.name!r} must have one meaning, got "
            f"{' and '.join(several)}; rename the frame or the parameter."
        )
    return found


def readings(eom: EquationsOfMotion, name: str, own: Mapping[str, Function] = NONE) -> list[str]:
    """All meanings of a name that the functions, frames and parameters of a robot allow, in words.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> readings(derive(load("rr_arm")), "pose_fore_by_L1_packed")
    ['the packed form of (the derivative by L1 of (pose of frame fore))']
    """
    found = _plain_readings(eom, name, own)
    base = name.removesuffix(SUFFIX)
    if base != name:
        whole = _found(eom, base, None, own)
        if whole is not None and any(len(y.shape) == 2 for y in whole.results):
            found += [f"the packed form of ({x})" for x in _plain_readings(eom, base, own)]
    return found


def _plain_readings(eom: EquationsOfMotion, name: str, own: Mapping[str, Function]) -> list[str]:
    found = [name] if name in whole_functions(eom, own) else []
    for kind in (*FRAME_FUNCTIONS, *FRAME_DERIVATIVES):
        frame = name.removeprefix(f"{kind}_")
        if frame != name and frame in frames(eom):
            found.append(f"{kind} of frame {frame}")
    for base, by in split_names(eom, name):
        what = f"the derivative by {', '.join(x.name for x in by)} of"
        found += [f"{what} ({x})" for x in _plain_readings(eom, base, own)]
    parts = split_differential(name)
    if parts is not None:
        base, ending = parts
        found += [f"the {ending[1:]} of ({x})" for x in _plain_readings(eom, base, own)]
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
    for name_of_base, by in split_names(eom, name):
        base = _found(eom, name_of_base, None, own)
        if base is not None:
            return parameter_derivative(eom, base, by)
    return None


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


def is_users_own(eom: EquationsOfMotion, f: Function) -> bool:
    """Whether a function, or the function that it is a derivative of, is a user's own."""
    if f.unpacked is not None:
        return is_users_own(eom, f.unpacked)
    if f.derivative is not None and f.derivative.base is not None:
        return is_users_own(eom, f.derivative.base)
    return f.specified is not None and f.name not in {*whole_functions(eom), *of_frames(eom)}


def _of_frame(eom: EquationsOfMotion, kind: str, frame: str) -> Function | None:
    if kind in FRAME_FUNCTIONS:
        return frame_function(eom, kind, frame)
    return frame_derivative(eom, kind, frame) if kind in FRAME_DERIVATIVES else None

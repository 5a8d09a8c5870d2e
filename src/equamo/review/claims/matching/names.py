"""Names in a program that need no mapping: those of quantities, arrays and the robot's symbols."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from ....mechanics.equations import EquationsOfMotion
from ....mechanics.equations.equations import QUANTITIES
from ..scopes import symbols_of_robot

Shape = tuple[int, ...]

# One quantity per line of `_QUANTITY_NAMES`: quantity, then its names in other people's programs. A name
# of one letter is case-sensitive; "n" and "n×n" are the sizes that distinguish C v from C.
_QUANTITY_NAMES: Final[tuple[tuple[str, str, str], ...]] = (
    ("mass_matrix", "n×n", "M D H mass_matrix inertia_matrix crba"),
    ("coriolis_matrix", "n×n", "C coriolis coriolis_matrix"),
    ("bias", "n", "b c C Cv bias coriolis coriolis_vector velocity_terms centrifugal"),
    ("gravity", "n", "g G gravity gravity_vector gravity_terms gravity_torque gravload grav"),
    ("bias + gravity", "n", "h nle nonlinear_effects bias_forces"),
    ("inverse_dynamics", "n", "tau inverse_dynamics inv_dyn id rnea torque torques"),
    ("kinetic_energy", "", "kinetic_energy ekin"),
    ("potential_energy", "", "potential_energy epot"),
)
_FRAME_NAMES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("J", ("jacobian", "linear_jacobian")),
    ("jacobian", ("jacobian", "linear_jacobian")),
    ("Jv", ("linear_jacobian",)),
    ("linear_jacobian", ("linear_jacobian",)),
    ("Jw", ("angular_jacobian",)),
    ("angular_jacobian", ("angular_jacobian",)),
    ("T", ("transform",)),
    ("pose", ("transform", "position")),
    ("transform", ("transform",)),
    ("fkine", ("transform", "position")),
    ("forward_kinematics", ("transform", "position")),
    ("R", ("rotation",)),
    ("rotation", ("rotation",)),
    ("p", ("position",)),
    ("position", ("position",)),
)
_ROWS: Final = {
    "jacobian": 6, "linear_jacobian": 3, "angular_jacobian": 3, "transform": 4, "rotation": 3,
    "position": 3,
}  # fmt: skip
ARRAYS: Final[dict[str, tuple[str, ...]]] = {
    "q": ("q", "pos", "position", "positions", "qpos"),
    "v": ("v", "dq", "qd", "qdot", "q_dot", "vel", "velocity", "velocities", "qvel", "qp"),
    "vdot": (
        "vdot", "v_dot", "dv", "a", "acc", "ddq", "qdd", "qddot", "q_ddot", "acceleration",
        "accelerations", "qacc", "qpp",
    ),
    "parameters": ("parameters", "params", "param", "par", "p"),
    "inputs": ("inputs", "u", "tau"),
}  # fmt: skip
_PREFIXES: Final = ("compute_", "calc_", "calculate_", "get_", "eval_", "evaluate_", "f_", "fun_")
_SUFFIXES: Final = ("_func", "_fun", "_fcn", "_function", "_mex", "func", "fun", "_out")


def quantity_of(name: str, shape: Shape, eom: EquationsOfMotion) -> str | None:
    """Quantity after which a function or an output is named; None if the name is unknown.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> arm = derive(load("rr_arm"))
    >>> quantity_of("Mfunc", (2, 2), arm), quantity_of("C", (2,), arm), quantity_of("foo", (2,), arm)
    ('mass_matrix', 'bias', None)
    >>> quantity_of("J_fore", (6, 2), arm)
    'jacobian("fore")'
    """
    for word in _forms(name, eom.robot.name):
        found = _whole(word, shape, len(eom.v)) or _of_frame(word, shape, eom)
        if found is not None:
            return found
    return None


def _whole(word: str, shape: Shape, n: int) -> str | None:
    """Quantity of the whole robot; its size distinguishes C from C v for several coordinates."""
    named = [(quantity, size) for quantity, size, names in _QUANTITY_NAMES if word in names.split()]
    sizes = {"n×n": n * n, "n": n, "": 1}
    fitting = [quantity for quantity, size in named if sizes[size] == _flat(shape)]
    if len(fitting) > 1:
        return fitting[0] if len(shape) == 2 else None
    if not fitting and len(word) > 1:  # a full name with another size is an error in the program
        fitting = [quantity for quantity, _ in named]
    return fitting[0] if fitting else word if word in QUANTITIES else None


def _of_frame(word: str, shape: Shape, eom: EquationsOfMotion) -> str | None:
    frames = {identifier(b.name): b.name for b in eom.robot.bodies}
    for name, kinds in _FRAME_NAMES:
        for frame in (
            word.removeprefix(f"{name}_") if word.startswith(f"{name}_") else "",
            word.removesuffix(f"_{name}") if word.endswith(f"_{name}") else "",
        ):
            if identifier(frame) not in frames:
                continue
            chosen = [k for k in kinds if _fits(k, shape, len(eom.v))] or list(kinds)
            return f'{chosen[0]}("{frames[identifier(frame)]}")'
    return None


def _fits(kind: str, shape: Shape, n: int) -> bool:
    rows = _ROWS[kind]
    columns = n if "jacobian" in kind else 1 if kind == "position" else rows
    return _flat(shape) == rows * columns


def _flat(shape: Shape) -> int:
    size = 1
    for k in shape:
        size *= k
    return size


def _forms(name: str, robot: str) -> list[str]:
    """The name, and the same without the robot's name and words such as `compute_`."""
    forms = [name, snake(name)]
    for form in forms:
        own = f"{identifier(robot)}_"
        forms += [form[len(own) :]] if form.lower().startswith(own) and form[len(own) :] else []
        forms += [form.removeprefix(p) for p in _PREFIXES if form.startswith(p) and form != p]
        forms += [form.removesuffix(s) for s in _SUFFIXES if form.endswith(s) and form != s]
        if len(forms) > 40:
            break
    return list(dict.fromkeys(forms))


def snake(name: str) -> str:
    """The name in lower case with underscores; single letters keep their case.

    >>> snake("inverseDynamics"), snake("M")
    ('inverse_dynamics', 'M')
    """
    if len(name) == 1:
        return name
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def identifier(name: str) -> str:
    """The name of a frame or robot as programs write it."""
    return re.sub(r"\W", "_", name).lower()


def array_of(name: str) -> str | None:
    """Vector of the robot after which an array is named: "q", "v", "vdot", "parameters", "inputs".

    >>> array_of("qdot"), array_of("x")
    ('v', None)
    """
    short = snake(name)
    return next((k for k, names in ARRAYS.items() if name in names or short in names), None)


def symbol_of(name: str, eom: EquationsOfMotion) -> str | None:
    """Symbol of the robot after which a number is named; None if it is missing or ambiguous.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> arm = derive(load("rr_arm"))
    >>> symbol_of("q1_dot", arm), symbol_of("lc2", arm), symbol_of("x", arm)
    ('dq1', 'Lc2', None)
    """
    symbols = symbols_of_robot(eom.robot)
    if name in symbols:
        return name
    table = _rates(eom)
    if name in table:
        return table[name]
    same = {x for x in symbols if _plain(x) == _plain(name)}
    same |= (
        {x for alias, x in table.items() if _plain(alias) == _plain(name)} if not same else set()
    )
    return same.pop() if len(same) == 1 else None


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _rates(eom: EquationsOfMotion) -> Mapping[str, str]:
    """{other spellings of a speed or acceleration: its symbol}, such as qd1, q1dot and dq1."""
    if not eom.robot.has_unit_map:
        return {}
    table: dict[str, str] = {}
    for c, v, a in zip(eom.q, eom.v, eom.vdot, strict=True):
        table |= dict.fromkeys(_spellings(c.name, ("d", "dot", "p")), v.name)
        table |= dict.fromkeys(_spellings(c.name, ("dd", "ddot", "pp")), a.name)
    return {alias: x for alias, x in table.items() if alias not in symbols_of_robot(eom.robot)}


def _spellings(name: str, marks: Iterable[str]) -> list[str]:
    stem = name.rstrip("0123456789")
    number = name[len(stem) :]
    forms: list[str] = []
    for mark in marks:
        forms += [f"{name}{mark}", f"{name}_{mark}", f"{stem}{mark}{number}", f"{mark}{name}"]
    return forms

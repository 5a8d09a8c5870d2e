r"""Letters that a paper uses for itself: m_{j}, T_{1}, L, M_{12}, h_{2} … as a reader sees them.

A symbol of the robot must not look like one of them, unless it is the same thing: m_{1} may be the mass
of body 1. The table lists thin letters only: vectors and matrices are bold, symbols of the robot not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Final

from ...algebra.expr.printing.appearance import appearance
from ...algebra.expr.printing.notation import name_to_latex
from ...mechanics.kinematics.quantity_latex import component_letters, joined_labels
from ...robot.model.robot import Robot

_BODIES: Final = ("i", "j", "k", "c")  # indices of bodies in general symbols
_SPEEDS: Final = ("i", "j", "k", "s")  # of speeds
_ALWAYS: Final = (  # <j> is a body
    r"\pi", "m_{<j>}", "Q_{n,s}", "I_{a,i}", r"\delta_{ij}", "u_{i}", "W_{is}",
    *(f"{x}_{{{s}}}" for x in ("q", r"\dot q", r"\ddot q", "v", r"\dot v") for s in _SPEEDS),
)  # fmt: skip
_OF_METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "lagrange": ("T", "U", "L", "T_{<j>}", "U_{<j>}", r"T_{\mathrm{trans},<j>}",
                 r"T_{\mathrm{rot},<j>}"),
    "kane": (),
    "projected_newton_euler": (),
    "gibbs_appell": ("S", "S_{<j>}"),
    "recursive": (r"\tau_{s}", "m_{<j>}^{c}"),
}  # fmt: skip
_DIGITS: Final = "123456789"


def own_letters(
    robot: Robot,
    methods: Iterable[str],
    bodies: Mapping[str, str],
    speeds: Iterable[str],
    mass_matrix: str,
    gravity: str,
) -> frozenset[str]:
    """Appearances of the letters of a paper.

    Args:
        robot: The robot.
        methods: Methods of the paper.
        bodies: Labels of the bodies, by name.
        speeds: Labels of the speeds.
        mass_matrix: Letter of the mass matrix.
        gravity: Letter of the gravity vector.

    >>> from equamo.robot.library import load
    >>> found = own_letters(load("rr_arm"), ["lagrange"], {"upper": "1", "fore": "2"}, "12", "M", "g")
    >>> sorted(found & {"L", "T_{1}", "M_{12}", "m_{2}", "S", "m_{1}"})
    ['L', 'M_{12}', 'T_{1}']
    """
    labels, index = [*bodies.values(), *_BODIES], [*speeds, *_SPEEDS]
    texts: list[str] = []
    for text in (*_ALWAYS, *(x for method in methods for x in _OF_METHODS[method])):
        texts += [text.replace("<j>", j) for j in labels] if "<j>" in text else [text]
    pairs = [joined_labels(x) for x in product(index, index)]
    texts += [f"{x}_{{{pair}}}" for x in (mass_matrix, rf"\dot {mass_matrix}") for pair in pairs]
    texts += [f"{x}_{{{s}}}" for x in ("h", gravity, "Q") for s in index]
    if len(robot.v) <= len(_DIGITS):
        numbers = [*_DIGITS[: len(robot.v)], "i", "j", "k"]
        texts += [f"C_{{{a}{b}}}" for a, b in product(numbers, numbers)]
        texts += [f"c_{{{a}{b}{c}}}" for a, b, c in product(numbers, numbers, numbers)]
    rows = range(1, len(robot.closure_rows) + 1)
    texts += [rf"{x}_{{{k}}}" for x in (r"\lambda", r"\varphi") for k in rows]
    seen = {appearance(x) for x in (*texts, *component_letters(labels))}
    for b in robot.bodies:
        if b.inertia.mass.is_symbol:  # the mass of body 1 may be called m_{1}
            own, name = appearance(f"m_{{{bodies[b.name]}}}"), b.inertia.mass.name
            if own == appearance(robot.notation.get(name, name_to_latex(name))):
                seen.discard(own)
    return frozenset(seen)

"""Proof that a damper or friction never creates energy: its power into the robot is ≤ 0.

The element defines its power P in its own terms, −(Fc u sign(u) + Fv u²). Two steps:

1. v·f = P, an identity, at random points of a field;
2. −P ≥ 0 by its structure: every term is a product of factors that are never negative (nonnegative
   parameters and numbers, squares, roots, absolute values) and of pairs with the same sign: x·x,
   x·sign(x), x·tanh(x).

The second step looks at signs only. sign(x), tanh(x), atan(x) and 1/x have the sign of x, so the sign
of a product is a set of nodes in which equal ones cancel; it is nonnegative if none is left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, final

from ...algebra.expr import Expr
from ...algebra.expr.functions import ABS, BY_NAME, SQRT
from ...algebra.expr.graph import ADD, CONST, DIV, MUL, NEG, PI, POW, SUB, SYMBOL
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...algebra.identity import Proof, prove_equal
from ...algebra.identity.proof import Verdict
from ...basics.wording import brief
from ...errors import ModelError, UnknownNameError
from ..equations import EquationsOfMotion
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.force_projection import BodyGeometry

_SAME_SIGN: Final = {
    BY_NAME[n].opcode for n in ("sign", "tanh", "atan")
}  # same sign as the argument
_NEVER_NEGATIVE: Final = {ABS, SQRT, BY_NAME["exp"].opcode, PI}


@final
@dataclass(frozen=True, slots=True)
class Dissipation:
    """Verdict on whether an element's power is never positive; true only if proved."""

    element: str
    power: Expr  # into the robot, v·f
    identity: Proof  # v·f = power
    verdict: Verdict
    reason: str = ""  # why the verdict is undecided

    def __bool__(self) -> bool:
        return self.verdict == "proved"

    def __str__(self) -> str:
        if self:
            return f"{self.element}: power ≤ 0 by its structure; v·f {self.identity}"
        return f"{self.element}: {self.verdict}: {self.reason}"


def dissipation(eom: EquationsOfMotion, name: str) -> Dissipation:
    """Prove that a damper or friction never adds energy to the robot.

    Args:
        eom: Equations of motion.
        name: Name of the force element.

    Returns:
        The verdict, with the power and the reason if undecided.

    Raises:
        UnknownNameError: The robot has no such force element.
        ModelError: The force element is not a damper or friction.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.model import Body, Parameter, Robot, joint_friction, revolute
    >>> wheel = Robot("wheel", [Body("wheel", revolute("q"), mass="m", inertia="I I I")],
    ...     forces=[joint_friction("q", coulomb="Fc", viscous="Fv")],
    ...     parameters=[Parameter("Fc", 1, nonnegative=True), Parameter("Fv", 2)])
    >>> print(dissipation(derive(wheel), "friction_q"))
    friction_q: undecided: parameter 'Fv' may be negative: not marked nonnegative=True
    """
    robot = eom.robot
    elements = {f.name: f for f in robot.forces}
    if name not in elements:
        raise UnknownNameError("force element", name, elements, f"robot {robot.name!r}")
    P = elements[name].power(BodyGeometry(robot)) if elements[name].dissipates else None
    if P is None:
        those = ", ".join(repr(f.name) for f in robot.forces if f.dissipates) or "none"
        raise ModelError(
            f"dissipation(): {name!r} must be a damper or friction of robot {robot.name!r}; "
            f"valid: {those}."
        )
    (power,) = ChosenSpeeds(robot).insert([P])
    identity = prove_equal(Vector(eom.v) @ eom.forces[name], power, unit=robot.unit_groups)
    if not identity:
        reason = f"v·f is not proved equal to the power that the element defines ({identity})"
        return Dissipation(name, power, identity, "undecided", reason)
    marked = {n for n, p in robot.parameter_info.items() if p.nonnegative}
    left = _Signs(marked).unsettled(-power)
    if not left:
        return Dissipation(name, power, identity, "proved")
    unmarked = [x.name for x in symbols(left) if x in robot.parameters and x.name not in marked]
    if unmarked:
        names = ", ".join(repr(n) for n in unmarked)
        which = f"parameter {names}" if len(unmarked) == 1 else f"parameters {names}"
        reason = f"{which} may be negative: not marked nonnegative=True"
    else:
        reason = f"the sign of {brief(left[0])} is unknown"
    return Dissipation(name, power, identity, "undecided", reason)


def nonnegative(e: Expr, marked: Iterable[str] = ()) -> bool:
    """Whether an expression is ≥ 0 by its structure if the `marked` symbols are ≥ 0.

    >>> from equamo.algebra.expr import parse
    >>> nonnegative(parse("Fc*(x - y)*tanh((x - y)/w) + x**2"), ["Fc", "w"])
    True
    >>> nonnegative(parse("Fc*x*tanh(y)"), ["Fc"])
    False
    """
    return not _Signs(marked).unsettled(e)


class _Signs:
    """Signs of nodes: (negative?, nodes of unknown sign, with equal ones cancelled)."""

    def __init__(self, marked: Iterable[str]) -> None:
        self._marked = set(marked)
        self._seen: dict[Expr, list[Expr]] = {}

    def unsettled(self, e: Expr) -> list[Expr]:
        """Terms or factors that prevent e from being nonnegative by its structure."""
        if e in self._seen:
            return self._seen[e]
        left: list[Expr] = []
        for positive, term in _terms(e):
            negative, unknown = self._sign(term)
            if unknown:
                left += sorted(unknown, key=lambda x: x.h)
            elif negative == positive:
                left.append(term)
        self._seen[e] = left
        return left

    def _sign(self, e: Expr) -> tuple[bool, frozenset[Expr]]:
        """Sign of a term, factor by factor."""
        negative, unknown = False, frozenset[Expr]()
        stack = [e]
        while stack:
            x = stack.pop()
            if x.op in (MUL, DIV):
                stack += [x.a, x.b]
            elif x.op == NEG:
                negative = not negative
                stack.append(x.a)
            elif x.op in _SAME_SIGN:
                stack.append(x.a)
            elif x.op == POW:
                stack += [x.a] * (x.b % 2)
            elif x.op in (ADD, SUB):
                if self.unsettled(x):
                    unknown = unknown ^ {x}
            elif not self._never_negative(x):
                unknown = unknown ^ {x}
        return negative, unknown

    def _never_negative(self, x: Expr) -> bool:
        if x.op == SYMBOL:
            return x.name in self._marked
        return x.op == CONST or x.op in _NEVER_NEGATIVE


def _terms(e: Expr) -> list[tuple[bool, Expr]]:
    """(positive?, term) of a sum."""
    terms: list[tuple[bool, Expr]] = []
    stack = [(True, e)]
    while stack:
        positive, x = stack.pop()
        if x.op in (ADD, SUB):
            stack += [(positive, x.a), (positive == (x.op == ADD), x.b)]
        elif x.op == NEG and x.a.op in (ADD, SUB, NEG):
            stack.append((not positive, x.a))
        else:
            terms.append((positive, x))
    return terms

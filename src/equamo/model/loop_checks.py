"""Checks of loops and contacts: axes of length 1, rotations, and whether the default state closes."""

from __future__ import annotations

from typing import Final

from ..errors import EquamoError
from ..expr import ONE, Expr, symbol
from ..expr.evaluate import evaluate_floats
from ..expr.matrix import determinant3, identity
from ..expr.vector import Vector
from ..identity import prove_all
from .finding import Finding
from .robot import Robot

_OPEN: Final = 1e-6  # φ at the default state above which there is a remark [m or rad]


def loop_findings(robot: Robot) -> list[Finding]:
    """Axes that do not have length 1, and matrices that are not rotations."""
    claims: list[tuple[str, str, str, list[Expr]]] = []
    for x in robot.loops:
        claims += [_unit(x.name, "axis", x.axis), _unit(x.name, "to_axis", x.to_axis)]
        if x.rotation is not None:
            A = x.rotation
            text = "the matrix must be a rotation"
            zero = [*(A @ A.T - identity(3)).entries, determinant3(A) - ONE]
            claims.append((x.name, "rotation", text, zero))
    claims += [_unit(x.name, "normal", x.normal) for x in robot.contacts]
    proofs = prove_all([zero for *_, zero in claims])
    return [
        Finding(owner, entry, f"{problem} ({proof})")
        for (owner, entry, problem, _), proof in zip(claims, proofs, strict=True)
        if not proof
    ]


def _unit(owner: str, entry: str, e: Vector) -> tuple[str, str, str, list[Expr]]:
    return owner, entry, "the vector must have length 1", [e @ e - ONE]


def loop_remarks(robot: Robot) -> list[Finding]:
    """Loops that the default state does not close, or closes in the wrong assembly."""
    found: list[Finding] = []
    numbers = {**robot.home.q, **{n: x for n, x in robot.values.items() if x is not None}}
    values = {symbol(n): float(x) for n, x in numbers.items()}
    for x in robot.loops:
        phi = [r.phi for r in robot.rows if r.owner == x.name and r.phi is not None]
        signs = [i.expression for i in robot.inequalities if i.owner == x.name]
        try:
            gap = max(map(abs, evaluate_floats(phi, values)), default=0.0)
            wrong = any(s <= 0 for s in evaluate_floats(signs, values))
        except (EquamoError, ArithmeticError, ValueError):
            continue  # a parameter without a default value
        if gap > _OPEN:
            text = f"the default state does not close the loop (largest |φ| = {gap:.3g})"
        elif wrong:
            text = "the default state closes the loop with antiparallel axes, or after a half-turn"
        else:
            continue
        found.append(Finding(x.name, "home", f"{text}; pass a closed one as home="))
    return found

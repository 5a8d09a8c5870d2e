"""Checks of loops and contacts: axes of length 1, rotations, and whether the default state closes."""

from __future__ import annotations

from typing import Final

from ...algebra.expr import ONE, Expr, symbol
from ...algebra.expr.evaluate import evaluate_floats
from ...algebra.expr.matrix import determinant3, identity
from ...algebra.expr.vector import Vector
from ...algebra.identity import prove_all
from ...errors import EquamoError
from .finding import Finding
from .robot import Robot

_OPEN: Final = 1e-6  # φ at the default state above which there is a remark, by the loop's lengths
_LIGHT: Final = 1e-8  # mass of a body with its children, as a fraction of the robot's, for a remark


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
    found += _light_bodies(robot, values)
    for x in robot.loops:
        rows = [r for r in robot.rows if r.owner == x.name and r.phi is not None]
        lengths = [*x.at, *x.to_at] if x.length is None else [*x.at, *x.to_at, x.length]
        signs = [i.expression for i in robot.inequalities if i.owner == x.name]
        try:
            size = max(map(abs, evaluate_floats(lengths, values))) or 1.0
            phi = evaluate_floats([r.phi for r in rows if r.phi is not None], values)
            gaps = [abs(e) / size**r.power for r, e in zip(rows, phi, strict=True)]
            wrong = any(s <= 0 for s in evaluate_floats(signs, values))
        except (EquamoError, ArithmeticError, ValueError):
            continue  # a parameter without a default value
        if max(gaps, default=0.0) > _OPEN:
            gap = max(map(abs, phi))
            text = f"the default state does not close the loop (largest |φ| = {gap:.3g})"
        elif wrong:
            text = "the default state closes the loop with antiparallel axes, or after a half-turn"
        else:
            continue
        found.append(Finding(x.name, "home", f"{text}; pass a closed one as home="))
    return found


def _light_bodies(robot: Robot, values: dict[Expr, float]) -> list[Finding]:
    """Bodies so light that constraint forces make their accelerations inexact."""
    if not (robot.loops or robot.contacts) or robot.speed_map is not None:
        return []
    try:
        own = evaluate_floats([b.inertia.mass for b in robot.bodies], values)
    except (EquamoError, ArithmeticError, ValueError):
        return []  # a parameter without a default value
    carried = dict(zip((b.name for b in robot.bodies), own, strict=True))
    for b in reversed(robot.bodies):
        if b.parent in carried:
            carried[b.parent] += carried[b.name]
    total = sum(own)
    return [
        Finding(
            name, "mass",
            f"is {mass / total:.0e} of the mass of the robot, so accelerations with all joint speeds "
            "lose as many digits; use eom.minimal(), or pass a larger mass",
        )
        for name, mass in carried.items()
        if 0 < mass < _LIGHT * total
    ]  # fmt: skip

"""Notebook displays of Robot, EquationsOfMotion, Certificate, Trajectory and Audit, limited in size.

Tables have at most 30 rows, LaTeX at most 4,000 characters; `basics/attached.py` adds them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from ...algebra.expr import Expr
from ...algebra.expr.count import count
from ...basics.wording import brief, counted
from ...mechanics.certificate import Certificate
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.latex import notebook_latex
from ...motion.simulation.trajectory import Trajectory
from ...robot.model.robot import Robot
from .markup import Markup, element, table
from .sections.proof import bound_of

ROWS: Final = 30  # most rows of a table
LONGEST: Final = 4_000  # most characters of LaTeX


def robot_html(robot: Robot) -> Markup:
    """Table of bodies with their joints and masses.

    >>> from equamo.robot.library import load
    >>> robot_html(load("rr_arm")).count("<tr>")
    3
    """
    rows = [
        (b.name, b.parent, type(b.joint).__name__.lower(), ", ".join(b.joint.coordinates),
         _cut(str(b.inertia.mass), 40))
        for b in robot.bodies
    ]  # fmt: skip
    freedom = counted(len(robot.v), "degree of freedom")
    head = f"{robot.name}: {freedom}, {counted(len(robot.parameters), 'parameter')}"
    return element(
        "div", element("p", head), _table(("body", "parent", "joint", "coordinates", "mass"), rows)
    )


def equations_latex(eom: EquationsOfMotion) -> str | None:
    """M v̇ + C v + g = B τ + … in closed form; None if that is too long.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> equations_latex(derive(load("rr_arm"))).startswith("$")
    True
    """
    text = notebook_latex(eom, LONGEST)
    return None if text is None else rf"$\displaystyle {text}$"


def equations_html(eom: EquationsOfMotion) -> Markup | None:
    """Table of operation counts; None if the equations are short enough to be typeset."""
    if equations_latex(eom) is not None:
        return None
    rows: list[tuple[str, ...]] = []
    for name in ("mass_matrix", "bias", "gravity", "inverse_dynamics"):
        entries: Iterable[Expr] = getattr(eom, name).entries
        c = count(entries)
        rows.append((name, f"{c.multiplications:,}", f"{c.additions:,}", str(c.sincos)))
    head = f"{eom.robot.name}: equations of motion by {eom.by.replace('_', ' ')}"
    return element("div", element("p", head),
                   _table(("quantity", "multiplications", "additions", "sin/cos"), rows))  # fmt: skip


def certificate_html(certificate: Certificate) -> Markup:
    """Table of identities with verdicts and bounds."""
    rows = [(line.name, line.proof.verdict, bound_of(line.proof)) for line in certificate.lines]
    head = f"Certificate of {certificate.robot.name}: {certificate.verdict}, {certificate.seconds:.1f} s"
    return element(
        "div",
        element("p", head),
        _table(("identity", "verdict", "probability of a wrong verdict"), rows),
    )


def trajectory_html(trajectory: Trajectory) -> Markup:
    """First, lowest, highest and last value of every coordinate, and the energy drift."""
    rows = [
        (s.name, *(f"{x:.5g}" for x in (y[0], y.min(), y.max(), y[-1])))
        for s, y in zip(trajectory.eom.q, trajectory.q.T, strict=True)
        if len(y)
    ]
    drift = float(np.abs(trajectory.energy.drift).max()) if len(trajectory) else 0.0
    return element("div", element("p", f"{brief(trajectory, limit=200)}, energy drift {drift:.1e} J"),
                   _table(("coordinate", "first", "least", "most", "last"), rows))  # fmt: skip


def _table(head: tuple[str, ...], rows: list[Any]) -> Markup:
    body = table(head, rows[:ROWS])
    more = len(rows) - ROWS
    return element("div", body, element("p", f"and {more} more") if more > 0 else None)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"

"""Remark on loops: whether they can be closed near the default state, with axes in the right direction.

Proofs hold for all q, or for all q with φ = 0. They say nothing about a mechanism whose loops
contradict each other, and φ = 0 also holds for antiparallel axes and half-turns.
"""

from __future__ import annotations

from ...errors import AssemblyError, EvaluationError
from ...robot.model.robot import Robot


def assembly_remarks(robot: Robot) -> tuple[str, ...]:
    """One remark on the loops of a robot; none if it has no loops, or without NumPy."""
    if not robot.loops:
        return ()
    try:
        from ..equations.assembly import assemble
    except ImportError:
        return ()
    try:
        assemble(robot)
    except AssemblyError as error:
        reason = str(error).removeprefix("assemble: ").rstrip(".")
        return (f"loops not closed near the default state: {reason}",)
    except EvaluationError:  # a parameter without a value
        return ("loops not closed numerically: parameters have no default values",)
    names = ", ".join(x.name for x in robot.inequalities if x.expression.value is None)
    return (f"loops closed near the default state{f', with {names}' if names else ''}",)

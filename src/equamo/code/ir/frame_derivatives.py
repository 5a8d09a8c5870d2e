"""Derivatives of the pose and the Jacobian of a frame with respect to q.

    pose_derivatives       16 × n_u: rows are the entries of the 4×4 pose, row by row
    jacobian_derivatives   6n × n_u: rows are the entries of the 6×n Jacobian, row by row

By coordinates, with k columns, they are called `pose_derivatives_coordinates` and so on. The Jacobian is
differentiated as the recursion gives it, and specified by differentiating the pose twice, which is the
product of the joints (`kinematic_definitions`).
"""

from __future__ import annotations

from functools import partial
from typing import Final

from ...algebra.expr.differentiate import directional_columns
from ...algebra.expr.matrix import Matrix
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.model.wrt import WRT, Wrt
from .derivative_specification import slopes
from .directions import Directions
from .function import Function, Result, entries_of
from .functions import frame_quantity
from .kinematic_definitions import KinematicDefinitions
from .program import Argument

KINDS: Final = {"pose_derivatives": "pose", "jacobian_derivatives": "jacobian"}
FRAME_DERIVATIVES: Final = tuple(
    kind if wrt == "tangent" else f"{kind}_{wrt}" for kind in KINDS for wrt in WRT
)


def frame_derivative(eom: EquationsOfMotion, kind: str, frame: str) -> Function:
    """Function of one frame, of a kind in `FRAME_DERIVATIVES`.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> str(frame_derivative(derive(load("rr_arm")), "jacobian_derivatives", "fore").results[0])
    'dJ_dq (12, 2)'
    """
    key = "frame derivative", kind, frame
    if key not in eom.made:
        eom.made[key] = _frame_derivative(eom, kind, frame)
    return eom.made[key]


def _frame_derivative(eom: EquationsOfMotion, kind: str, frame: str) -> Function:
    wrt: Wrt = "coordinates" if kind.endswith("_coordinates") else "tangent"
    of = KINDS[kind.removesuffix(f"_{wrt}")]
    directions = Directions(eom.robot, wrt)
    arguments = [Argument("q", eom.q)]
    arguments += [a for a in (Argument("parameters", eom.parameters),) if len(a)]
    letter, rows = ("T", 16) if of == "pose" else ("J", 6 * len(eom.v))
    result = Result(f"d{letter}_dq", (rows, len(directions)))
    way = partial(_differentiated, eom, of, frame, directions)
    specified = partial(_specified, eom, of, frame, wrt)
    return Function(
        f"{kind}_{frame}", tuple(arguments), (result,), (way,), dict, specified=specified
    )


def _differentiated(eom: EquationsOfMotion, of: str, frame: str, d: Directions) -> Matrix:
    entries = entries_of(frame_quantity(eom, of, frame))
    seeds = [d.seeds(k) for k in range(len(d))]
    names = [str(k) for k in range(len(d))]  # a matrix without rows keeps its width
    return Matrix(directional_columns(entries, seeds), None, None if entries else names)


def _specified(eom: EquationsOfMotion, of: str, frame: str, wrt: Wrt) -> Matrix:
    """The same from the product of the joints: J has the rates of the pose as columns."""
    defined = KinematicDefinitions(eom)
    found = defined.pose(frame) if of == "pose" else defined.jacobian(frame)
    return slopes(eom.robot, wrt, found.entries)

"""Derivatives of the pose and the Jacobian of a frame with respect to q.

    pose_derivatives       16 × n_u: rows are the entries of the 4×4 pose, row by row
    jacobian_derivatives   6n × n_u: rows are the entries of the 6×n Jacobian, row by row

By coordinates, with k columns, they are called `pose_derivatives_coordinates` and so on. The Jacobian is
differentiated as the recursion gives it, and specified by differentiating the pose twice.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from ..equations.equations import EquationsOfMotion
from ..expr import Expr
from ..expr.differentiate import directional, directional_columns
from ..expr.matrix import Matrix
from ..model.wrt import WRT, Wrt
from .directions import Directions
from .function import Function, Result, entries_of
from .functions import frame_quantity, is_run_again
from .program import Argument

KINDS: Final = {"pose_derivatives": "pose", "jacobian_derivatives": "jacobian"}
FRAME_DERIVATIVES: Final = tuple(
    kind if wrt == "tangent" else f"{kind}_{wrt}" for kind in KINDS for wrt in WRT
)


def frame_derivative(eom: EquationsOfMotion, kind: str, frame: str) -> Function:
    """Function of one frame, of a kind in `FRAME_DERIVATIVES`.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
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
    # On a moving base, or with symbols replaced, velocities are not determined by the pose alone.
    checked = of == "jacobian" and eom.robot.base.is_zero and is_run_again(eom)
    specified = partial(_from_pose, eom, frame, directions) if checked else way
    return Function(
        f"{kind}_{frame}", tuple(arguments), (result,), (way,), dict, specified=specified
    )


def _differentiated(eom: EquationsOfMotion, of: str, frame: str, d: Directions) -> Matrix:
    return _columns(entries_of(frame_quantity(eom, of, frame)), d)


def _from_pose(eom: EquationsOfMotion, frame: str, d: Directions) -> Matrix:
    """Derivatives of J, whose columns are the rates of the pose along the speeds: ω from Ȧ Aᵀ, and ṗ"""
    pose = frame_quantity(eom, "pose", frame)
    assert isinstance(pose, Matrix)
    columns: list[list[Expr]] = []
    N = eom.kinematic_map
    for j in range(len(eom.v)):
        rates = dict(zip(eom.q, (row[j] for row in N.rows), strict=True))
        moved = pose.map(lambda entries, rates=rates: directional(entries, rates))
        W = moved[0:3, 0:3] @ pose[0:3, 0:3].T
        columns.append([W[2, 1], W[0, 2], W[1, 0], *(moved[i, 3] for i in range(3))])
    return _columns([column[i] for i in range(6) for column in columns], d)


def _columns(entries: list[Expr], d: Directions) -> Matrix:
    seeds = [d.seeds(k) for k in range(len(d))]
    names = [str(k) for k in range(len(d))]  # a matrix without rows keeps its width
    return Matrix(directional_columns(entries, seeds), None, None if entries else names)

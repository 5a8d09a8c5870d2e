"""Check a robot (`eq.check`): rotations, axes, inertias, gravity and unused parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ...algebra.expr import ONE, ZERO, Expr, symbol
from ...algebra.expr.differentiate import directional
from ...algebra.expr.evaluate import evaluate_floats
from ...algebra.expr.matrix import determinant3, identity, unskew
from ...algebra.expr.vector import ZERO3, Vector
from ...algebra.expr.walk import symbols
from ...algebra.identity import prove_all
from ...basics.wording import counted
from ...errors import UnknownNameError
from .body import WORLD, Body
from .eigenvalues import eigenvalues
from .finding import Finding as Finding
from .loop_checks import loop_findings, loop_remarks
from .robot import Robot, expect_robot


@final
@dataclass(frozen=True, slots=True)
class CheckReport:
    """Findings of a check; true if there are none.

    Attributes:
        robot: Name of the robot.
        findings: Errors of the model.
        remarks: Things worth checking, such as unused parameters.
    """

    robot: str
    findings: tuple[Finding, ...]
    remarks: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether there are no findings."""
        return not self.findings

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        summary = "ok" if self.ok else counted(len(self.findings), "finding")
        lines = [f"{self.robot}: {summary}"]
        lines += [f"  {f}" for f in self.findings]
        lines += [f"  remark: {f}" for f in self.remarks]
        return "\n".join(lines)


def check(robot: Robot) -> CheckReport:
    """Check a robot.

    It is proved that rotation matrices are rotations and that axes match them. Inertias are checked at
    the default values of the parameters.

    Args:
        robot: The robot.

    Returns:
        Findings and remarks, each with its body and entry.

    Raises:
        ModelError: `robot` is not a Robot.

    >>> from equamo.robot.library import load
    >>> print(check(load("rr_arm")))
    rr_arm: ok
    """
    expect_robot(robot, "check")
    findings: list[Finding] = []
    for b in robot.bodies:
        findings += _kinematics(b)
        findings += _inertia(robot, b)
    findings += loop_findings(robot)
    used = {x.name for x in symbols(robot.expressions())}
    remarks = _gravity(robot) + loop_remarks(robot)
    remarks += [
        Finding(robot.name, n, "the parameter is not used")
        for n in robot.parameter_info
        if n not in used
    ]
    return CheckReport(robot.name, tuple(findings), tuple(remarks))


def kinematic_identities(b: Body) -> list[tuple[str, Expr, Expr]]:
    """Identities of the joint of a body: (entry, left side, right side).

    A Aᵀ = 1, det A = 1; the axis matches the matrix: S_ω v = unskew(Aᵀ Ȧ), S_v v = Aᵀ ṙ
    """
    joint = b.joint
    A, r, v = joint.rotation, joint.position, Vector(joint.v)
    seeds = dict(zip(joint.q, joint.q_dot, strict=True))
    A_dot = A.map(lambda e: directional(e, seeds))
    r_dot = r.map(lambda e: directional(e, seeds))
    orthonormal, one = A @ A.T, identity(3)
    angular = zip("xyz", joint.angular() @ v, unskew(A.T @ A_dot), strict=True)
    linear = zip("xyz", joint.linear() @ v, A.T @ r_dot, strict=True)
    identities = [
        (f"A Aᵀ entry {i + 1}{j + 1}", orthonormal[i, j], one[i, j])
        for i in range(3)
        for j in range(i, 3)
    ]
    identities.append(("det A", determinant3(A), ONE))
    identities += [(f"axis, component {c}", x, y) for c, x, y in angular]
    identities += [(f"velocity, component {c}", x, y) for c, x, y in linear]
    return identities


def _kinematics(b: Body) -> list[Finding]:
    """Problems of the rotation and the axes of a joint."""
    problems = {
        "A": "the matrix must be orthonormal",
        "d": "the determinant must be +1, otherwise the matrix is not a rotation",
        "a": "the axis must match the rotation matrix",
        "v": "the motion subspace must match the position",
    }
    identities = kinematic_identities(b)
    unit = [[symbol(n) for n in group] for group in b.joint.unit_groups()]
    proofs = prove_all([[x - y] for _, x, y in identities], unit=unit)
    return [
        Finding(b.name, entry, f"{problems[entry[0]]} ({proof})")
        for (entry, _, _), proof in zip(identities, proofs, strict=True)
        if not proof
    ]


def _gravity(robot: Robot) -> list[Finding]:
    """Remark if gravity is perpendicular to the plane in which all masses move."""
    if robot.gravity.is_zero:
        return []
    poses = {WORLD: (identity(3), ZERO3)}
    turns, moment = False, ZERO3  # first moment of all masses, in the world
    for b in robot.bodies:
        joint, (A, p) = b.joint, poses[b.parent]
        A, p = A @ joint.rotation, p + A @ joint.position
        poses[b.name] = A, p
        down = A.T @ robot.gravity
        # All speeds of the joint have ω × g = 0 and v · g = 0.
        zero = [x for S in b.subspace for x in (*S.angular.cross(down), S.linear @ down)]
        unit = [[symbol(n) for n in group] for group in joint.unit_groups()]
        if zero and not prove_all([tuple(zero)], unit=unit)[0]:
            return []
        turns |= any(x is not ZERO for x in joint.angular().entries)
        moment = moment + p * b.inertia.mass + A @ b.inertia.first_moment
    moves = any(not prove_all([tuple(moment.diff(q))])[0] for q in robot.joint_coordinates)
    if not turns or not moves:
        return []
    text = ("is perpendicular to the plane in which all masses move, so it does no work; if this is not "
            "intended, change the axes of the joints (planar: plane=) or gravity")  # fmt: skip
    return [Finding(robot.name, "gravity", text)]


def inertia_findings(robot: Robot) -> list[Finding]:
    """Problems of the inertias of all bodies, at the default values."""
    return [finding for b in robot.bodies for finding in _inertia(robot, b)]


def _inertia(robot: Robot, b: Body) -> list[Finding]:
    """Check mass ≥ 0, a positive semidefinite tensor and the triangle inequality, at default values."""
    inertia = b.inertia
    if inertia.is_zero:
        return []
    values = {symbol(n): float(x) for n, x in robot.values.items() if x is not None}
    try:
        mass = evaluate_floats([inertia.mass], values)[0]
        if mass < 0:
            return [
                Finding(b.name, "mass", f"must be ≥ 0, got {mass:.6g} kg at the default values")
            ]
        if mass == 0:
            nonzero = any(evaluate_floats([*inertia.first_moment, *inertia.tensor.entries], values))
            return [Finding(b.name, "mass", "is 0, but the inertia is not")] if nonzero else []
        J = evaluate_floats(inertia.tensor.entries, values)
        c = [x / mass for x in evaluate_floats(list(inertia.first_moment), values)]
        # About the centre of mass: J − m (c·c 1 − c cᵀ)
        square = sum(x * x for x in c)
        moments = eigenvalues([
            [J[3 * i + j] - mass * (square * (i == j) - c[i] * c[j]) for j in range(3)]
            for i in range(3)
        ])  # fmt: skip
    except (ArithmeticError, ValueError, UnknownNameError):
        return []  # a parameter without a default value: nothing to check
    tolerance = 1e-9 * max(1e-12, *map(abs, moments))
    if moments[0] < -tolerance:
        return [
            Finding(b.name, "inertia", f"principal moments must be ≥ 0, got {moments[0]:.6g} kg m²")
        ]
    if moments[0] + moments[1] < moments[2] - tolerance:
        text = " + ".join(f"{x:.6g}" for x in moments[:2])
        return [
            Finding(
                b.name, "inertia", f"violates the triangle inequality: {text} < {moments[2]:.6g}"
            )
        ]
    return []

"""Wheeled inverted pendulum: two wheels that roll without slipping and a body on their axle.

Source: document 003 (M. Zafar, Equations of Motion of a Wheeled Inverted Pendulum, 2015). The heading
frame x₀y₀z₀ (`heading`, massless) has its origin O between the wheels and x₀ along the heading ψ. The
frame x₁y₁z₁ of the body is rotated from it by q_imu as in section 5.2.3 of the document.

Coordinates are X0, Y0, theta_L, theta_R and q_imu; ψ = R(θ_R − θ_L)/L is a joint coordinate of the tree
that is eliminated (eq. 5 integrated). Speeds are dx (a quasi-velocity), dpsi and dphi, with q̇_imu = −φ̇.

Corrections of the source, and remarks (those on eq. (27) are proved in the tests):
- The document calls I_B "wrt frame x₁y₁z₁", but its formulas (eq. 26 with H_G, and M₆ + XX_b in eq. 27)
  need it about the centre of mass G, in the axes of that frame, as here.
- Eq. (12) prints φ̇ = ψ̇ instead of φ̇ = φ̇; the order of the speeds is ẋ, ψ̇, φ̇ as in eq. (27).
- Eq. (21) uses ω₀ × H_GR; in a frame fixed to the wheel it is ω_R, as in (17) for the left wheel.
- Eq. (27), A: the second row is broken; it is MX_b, A₂₂ (printed in the first row), M₄.
- Eq. (27), C₃₂ lacks its factor ψ̇. It is −½ M₇ ψ̇, since M₇ = 2 (M₁ M₂/m_B − M₈).
- M₃ lacks the factor 2 of YZ_b cos sin.
- M₄ has + MX_b M₁/m_B instead of − MX_b M₁/m_B (then M₅ = −∂M₄/∂q_imu, which is printed correctly).
- M₇ has 2 MX_b MZ_b cos 2q instead of 2 MY_b MZ_b cos 2q.
- The right-hand side eq2 has E_ry instead of r_ry; section 5.3 has F_g = (0, 0, −g) instead of
  (0, 0, −m_B g).
- The document has no lengths, masses or inertias: the values are plausible, and marked as such.

`groups` returns the corrected M₁ … M₈, `in_groups` the corrected eq. (27) in terms of them.
"""

from __future__ import annotations

from fractions import Fraction

from ...algebra.expr import Expr, parse
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ..model import (
    Body,
    Inertia,
    Parameter,
    Robot,
    constraint,
    planar,
    revolute,
    torque_actuator,
    unit_vectors,
    wrench,
)

_VALUES = (
    ("m_B", "70", "kg", "mass of the body"),
    ("m_w", "5", "kg", "mass of one wheel"),
    ("MX_B", "0", "kg m", "mass times centre of mass of the body, in x₁y₁z₁"),
    ("MY_B", "35", "kg m", "mass times centre of mass of the body, in x₁y₁z₁"),
    ("MZ_B", "-3.5", "kg m", "mass times centre of mass of the body, in x₁y₁z₁"),
    ("XX_B", "6", "kg m²", "inertia of the body about its centre of mass"),
    ("XY_B", "0", "kg m²", "inertia of the body about its centre of mass"),
    ("XZ_B", "0", "kg m²", "inertia of the body about its centre of mass"),
    ("YY_B", "3", "kg m²", "inertia of the body about its centre of mass"),
    ("YZ_B", "0", "kg m²", "inertia of the body about its centre of mass"),
    ("ZZ_B", "5", "kg m²", "inertia of the body about its centre of mass"),
    ("YY_w", "0.16", "kg m²", "inertia of a wheel about its axle"),
    ("ZZ_w", "0.08", "kg m²", "inertia of a wheel about a diameter"),
    ("L", "0.68", "m", "distance between the wheels"),
    ("R", "0.25", "m", "radius of the wheels"),
    ("g", "9.81", "m/s²", "gravity, along −z"),
)


def rolling_base() -> list[Body]:
    """Heading frame and two wheels, shared with Krang on wheels."""
    wheel = Inertia.central("m_w", "0 0 0", "ZZ_w YY_w ZZ_w")
    return [
        Body("heading", planar("X0 Y0 psi", at="0 0 R")),
        Body("wheel_L", revolute("theta_L", "y", at="0 L/2 0"), inertia=wheel, parent="heading"),
        Body("wheel_R", revolute("theta_R", "y", at="0 -L/2 0"), inertia=wheel, parent="heading"),
    ]


def wheel_parameters() -> list[Parameter]:
    """Parameters of the base: mass, inertia, radius and distance of the wheels."""
    return [p for p in _parameters() if p.name in ("m_w", "YY_w", "ZZ_w", "L", "R")]


def _parameters() -> list[Parameter]:
    return [
        Parameter(n, Fraction(x), u, d + ("" if n == "g" else " (plausible)"))
        for n, x, u, d in _VALUES
    ]


# (3), (4): the wheels roll; (7): they do not skid
ROLLING = (
    constraint("dX0*cos(psi) + dY0*sin(psi) - L/2*dpsi = R*dtheta_L", "left wheel rolls"),
    constraint("dX0*cos(psi) + dY0*sin(psi) + L/2*dpsi = R*dtheta_R", "right wheel rolls"),
    constraint("dX0*sin(psi) - dY0*cos(psi)", "no skidding"),
)
HEADING = {"dx": "dX0*cos(psi) + dY0*sin(psi)", "dpsi": "dpsi"}
YAW = {"psi": "R*(theta_R - theta_L)/L"}  # (5) integrated


def wheeled_inverted_pendulum() -> Robot:
    """Build the wheeled inverted pendulum of document 003.

    >>> wheeled_inverted_pendulum().q
    (X0, Y0, theta_L, theta_R, q_imu)
    >>> wheeled_inverted_pendulum().v
    (dx, dpsi, dphi)
    """
    base = unit_vectors(
        "q_imu", "0 -1 0", "sin(q_imu) 0 cos(q_imu)", "-cos(q_imu) 0 sin(q_imu)", "0 0 0", "-1 0 0"
    )
    com = "MX_B/m_B MY_B/m_B MZ_B/m_B"
    body = Inertia.central("m_B", com, "XX_B XY_B XZ_B YY_B YZ_B ZZ_B")
    hands = [
        wrench("body", f"F{s}x F{s}y F{s}z", f"T{s}x T{s}y T{s}z", at=f"r{s}x r{s}y r{s}z",
               expressed_in="heading", point_in="heading", name=f"hand_{s}") for s in "lr"
    ]  # fmt: skip
    points = [
        Parameter(f"r{s}{c}", 0, "m", "point of the hand's wrench, in x₀y₀z₀")
        for s in "lr"
        for c in "xyz"
    ]
    return Robot(
        "wheeled_inverted_pendulum",
        [*rolling_base(), Body("body", base, inertia=body, parent="heading")],
        forces=[
            torque_actuator("wheel_L", "body", "0 tau_L 0"),
            torque_actuator("wheel_R", "body", "0 tau_R 0"),
            *hands,
        ],
        parameters=[*_parameters(), *points],
        constraints=ROLLING,
        speeds={**HEADING, "dphi": "-dq_imu"},
        eliminate=YAW,
        description="wheeled inverted pendulum on two rolling wheels (Zafar 2015)",
    )


# -- eq. (27) --------------------------------------------------------------------------------
_GROUPS = {
    "M1": "MY_B*cos(q_imu) + MZ_B*sin(q_imu)",
    "M2": "MZ_B*cos(q_imu) - MY_B*sin(q_imu)",
    "M3": "ZZ_B*sin(q_imu)**2 + YY_B*cos(q_imu)**2 + YZ_B*sin(2*q_imu)",
    "M4": "XZ_B*sin(q_imu) + XY_B*cos(q_imu) - MX_B*M1/m_B",
    "M5": "XY_B*sin(q_imu) - XZ_B*cos(q_imu) + MX_B*M2/m_B",
    "M6": "(MY_B**2 + MZ_B**2)/m_B",
    "M7": "2*(M1*M2/m_B - M8)",
    "M8": "YZ_B*cos(2*q_imu) + (ZZ_B - YY_B)*cos(q_imu)*sin(q_imu)",
}


def groups() -> dict[str, Expr]:
    """Corrected M1 … M8 of eq. (27); M4, M5 and M7 refer to others by name.

    >>> groups()["M7"]
    2*(M1*M2/m_B - M8)
    """
    return {n: parse(e) for n, e in _GROUPS.items()}


def in_groups() -> tuple[Matrix, Vector, Vector]:
    """Matrix A, vector C v and gravity of the corrected eq. (27), in M1 … M8 and parameters.

    >>> in_groups()[0]["dphi", "dphi"]
    M6 + XX_B
    """
    yaw = "L**2*(m_w + YY_w/R**2)/2 + (MX_B**2 + M2**2)/m_B + M3 + 2*ZZ_w"
    names = ("dx", "dpsi", "dphi")
    A = Matrix(
        [["m_B + 2*m_w + 2*YY_w/R**2", "MX_B", "-M1"], ["MX_B", yaw, "M4"], ["-M1", "M4", "M6 + XX_B"]],
        names, names,
    )  # fmt: skip
    Cv = Vector(
        ["M2*(dphi**2 + dpsi**2)", "M5*dphi**2 + dpsi*(M7*dphi - M2*dx)", "-M7*dpsi**2/2"], names
    )
    return A, Cv, Vector([0, 0, "-g*M2"], names)


def without_groups(e: Expr) -> Expr:
    """Substitute M1 … M8 in an expression.

    >>> without_groups(parse("M6"))
    (MY_B**2 + MZ_B**2)/m_B
    """
    table = groups()
    return e.subs(table).subs(table)  # twice: M4, M5 and M7 refer to others

"""StarlETH: a quadruped with a free base and three joints per leg, 18 degrees of freedom.

Source: document 002 (Hutter and Gehring, proNEu, 2012), section 3.3,
examples/QuadrupedFreeFloat/genEoM.m. A leg has hip abduction about x (HAA), hip flexion about y
(HFE), knee flexion about y (KFE) and a massless foot; front is +x, left is +y, gravity is along −z.
The base has Euler angles x-y-z with v = q̇, so M is singular at qBE = ±π/2.

Corrections of the source:
- The lists of parameters and default values (lines 93 to 154) are missing in print. The names are
  those in the rest of the listing; the values are plausible: 23 kg, thighs and shanks of 0.2 m.
- Hip, knee and foot are at (0, 0, lH), (0, 0, lT), (0, 0, lS) in the preceding frame. With z up, legs
  that hang down have negative lengths, as here.
- The head of the listing has M q̈ + b + g + Jsᵀ Fs = Sᵀ T, in which Fs acts on the ground. In equamo
  forces act on the robot and appear on the other side: as Jsᵀ f, or as Aᵀ λ of the contacts LF, RF, LH
  and RH at the feet, `eom.in_mode(LF="stick")`. So Fs = −λ.
- The comments claim that A_PB rotates the parent frame to the local frame and that B_Omega is in the
  world frame. In fact A_PB maps components in B to components in P, and B_Omega is in B. The torques
  "at FL" and "at FR" are those of LF and RF.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import cos
from typing import Any, Final, Protocol

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...errors import ModelError, UnknownNameError
from ..model import Body, Parameter, Robot, contact, fixed, free, revolute, torque_actuator

LEGS: Final = ("LF", "RF", "LH", "RH")  # left front, right front, left hind, right hind

_HIP = {"LF": "b2hx b2hy 0", "RF": "b2hx -b2hy 0", "LH": "-b2hx b2hy 0", "RH": "-b2hx -b2hy 0"}

# Plausible values: mass [kg], centre of mass [m], central moments of inertia [kg m²]
_LINKS = [
    ("B", "the main body", "12", "0.01", "0.16 0.27 0.38"),
    ("H", "a hip", "1.8", "-0.02", "0.003 0.004 0.004"),
    ("T", "a thigh", "0.7", "-0.05", "0.004 0.004 0.001"),
    ("S", "a shank", "0.25", "-0.08", "0.0015 0.0015 0.0001"),
]
_LENGTHS = [
    ("lH", "-0.07", "from hip abduction to hip flexion, along z (plausible)"),
    ("lT", "-0.2", "thigh, from hip flexion to knee, along z (plausible)"),
    ("lS", "-0.2", "shank, from knee to foot, along z (plausible)"),
    ("b2hx", "0.25", "from base to hip, along x (plausible)"),
    ("b2hy", "0.18", "from base to hip, along y (plausible)"),
]


def starleth() -> Robot:
    """Build the quadruped StarlETH.

    >>> len(starleth().v), len(starleth().inputs)
    (18, 12)
    """
    base = Body(
        "base", free("qX qY qZ qAL qBE qGA", rotation="euler", name="base"),
        mass="mB", com="0 0 sB", inertia="ThB_xx ThB_yy ThB_zz",
    )  # fmt: skip
    return Robot(
        "starleth",
        [base, *(body for leg in LEGS for body in _leg(leg))],
        forces=[motor for leg in LEGS for motor in _motors(leg)],
        parameters=_parameters(),
        home=_standing(),
        contacts=[contact(leg, body=f"{leg}_Foot") for leg in LEGS],
        description="quadruped with a free base and three joints per leg (proNEu)",
    )


def _leg(leg: str) -> list[Body]:
    haa, hfe, kfe = f"{leg}_HAA", f"{leg}_HFE", f"{leg}_KFE"
    return [
        Body(haa, revolute(f"q{haa}", axis="x", at=_HIP[leg]),
             mass="mH", com="0 0 sH", inertia="ThH_xx ThH_yy ThH_zz", parent="base"),
        Body(hfe, revolute(f"q{hfe}", axis="y", at="0 0 lH"),
             mass="mT", com="0 0 sT", inertia="ThT_xx ThT_yy ThT_zz", parent=haa),
        Body(kfe, revolute(f"q{kfe}", axis="y", at="0 0 lT"),
             mass="mS", com="0 0 sS", inertia="ThS_xx ThS_yy ThS_zz", parent=hfe),
        Body(f"{leg}_Foot", fixed(at="0 0 lS"), parent=kfe),
    ]  # fmt: skip


def _motors(leg: str) -> list[Any]:
    haa, hfe, kfe = f"{leg}_HAA", f"{leg}_HFE", f"{leg}_KFE"
    return [
        torque_actuator(haa, reaction_on="base", torque=f"T{haa} 0 0"),
        torque_actuator(hfe, reaction_on=haa, torque=f"0 T{hfe} 0"),
        torque_actuator(kfe, reaction_on=hfe, torque=f"0 T{kfe} 0"),
    ]


def _parameters() -> list[Parameter]:
    table: list[Parameter] = []
    for x, part, mass, com, moments in _LINKS:
        along = f"centre of mass of {part}, along z (plausible)"
        table.append(Parameter(f"m{x}", Fraction(mass), "kg", f"mass of {part} (plausible)"))
        table.append(Parameter(f"s{x}", Fraction(com), "m", along))
        for c, moment in zip("xyz", moments.split(), strict=True):
            about = f"{part} about {c}, at its centre of mass (plausible)"
            table.append(Parameter(f"Th{x}_{c}{c}", Fraction(moment), "kg m²", about))
    table += [Parameter(n, Fraction(x), "m", text) for n, x, text in _LENGTHS]
    table.append(Parameter("g", Fraction("9.81"), "m/s²", "gravity, along −z"))
    return table


def _standing() -> dict[str, float]:
    """Standing pose: feet below the hips on the ground z = 0, front knees back, hind knees forward."""
    bend = 0.6  # [rad]
    home = {"qZ": 0.07 + (0.2 + 0.2) * cos(bend)}
    for leg in LEGS:
        hip = bend if leg.endswith("F") else -bend
        home |= {f"q{leg}_HFE": hip, f"q{leg}_KFE": -2 * hip}
    return home


# -- the ground ------------------------------------------------------------------------------------
class _Frame(Protocol):
    def linear_jacobian(self) -> Matrix: ...
    def jacobian_dot(self) -> Matrix: ...


class _Equations(Protocol):
    """Required part of an EquationsOfMotion, whose class belongs to a higher layer."""

    def frame(self, name: str) -> _Frame: ...
    @property
    def v(self) -> tuple[Expr, ...]: ...


def support_jacobian(eom: _Equations, feet: Iterable[str] = LEGS) -> Matrix:
    """Linear Jacobians Js (3k×18) of the k feet on the ground, in the world frame.

    The velocity of the feet is Js v; a ground force f on them enters the equations as Jsᵀ f.

    Args:
        eom: Equations of motion of the robot.
        feet: Legs whose feet are on the ground.

    Returns:
        The matrix, with one row per foot and direction.

    Raises:
        UnknownNameError: Unknown leg.
        ModelError: `feet` is empty.
    """
    legs = _legs(feet)
    parts = [eom.frame(f"{leg}_Foot").linear_jacobian() for leg in legs]
    names = [f"{leg}_{c}" for leg in legs for c in ("vx", "vy", "vz")]
    return Matrix([row for J in parts for row in J.rows], names, parts[0].column_names)


def support_bias(eom: _Equations, feet: Iterable[str] = LEGS) -> Vector:
    """Bias J̇s v (3k entries) of the acceleration Js v̇ + J̇s v of the feet, which is 0 during stance."""
    legs, v = _legs(feet), Vector(eom.v)
    entries = [e for leg in legs for e in eom.frame(f"{leg}_Foot").jacobian_dot()[3:6, :] @ v]
    return Vector(entries, [f"{leg}_{c}" for leg in legs for c in ("ax", "ay", "az")])


def _legs(feet: Iterable[str]) -> list[str]:
    legs = list(feet)
    for leg in legs:
        if leg not in LEGS:
            raise UnknownNameError("leg", leg, LEGS, "starleth")
    if not legs:
        raise ModelError(f"starleth: feet must have at least one of {', '.join(LEGS)}, got none.")
    return legs

"""RR arm: two links in the vertical x-y plane, revolute joints about z, gravity along −y.

Source: document 004 (Intro to Robotics, part 2, Dynamics), example 2; θ1, θ2 are q1, q2 here.

Corrections of the source:
- Step 3 has the Christoffel symbols with + ∂d_ij/∂q_k; the sign is −, as under "Equation of motion" and
  in the later steps of the same document.
- C_221 and C_112 refer to wrong entries of D (∂d_21/∂q_1 instead of ∂d_22/∂q_1, ∂d_12/∂q_2 instead of
  ∂d_11/∂q_2); their values h and −h are correct. τ_1 has c_311 instead of c_221.
- φ_2 is printed as ∂P/∂q_1 and without g; it is ∂P/∂q_2 = m2 Lc2 g cos(q1 + q2).
- J_v of link 2 is first printed with one column; its square has L_c2²/2 and 2 L_1 L_c2² instead of
  L_c2², and an m_2 that comes later. The resulting entries d_11, d_12, d_22 are correct.
- The source has one moment of inertia per link, about z. Here each link is a slender rod, diag(0, I, I),
  with the same equations; diag(0, 0, I) is not the inertia of a rigid body (triangle inequality).
- The source has no numbers: the default values are plausible, two uniform rods of 1 kg and 1 m.
"""

from __future__ import annotations

from fractions import Fraction

from ..model import Body, Parameter, Robot, revolute

_PARAMETERS = [
    ("m1", "1", "kg", "mass of the upper arm (plausible)"),
    ("m2", "1", "kg", "mass of the forearm (plausible)"),
    ("L1", "1", "m", "length of the upper arm (plausible)"),
    ("Lc1", "1/2", "m", "joint 1 to the centre of mass of the upper arm (plausible)"),
    ("Lc2", "1/2", "m", "joint 2 to the centre of mass of the forearm (plausible)"),
    ("I1", "1/12", "kg m²", "upper arm about z, at its centre of mass (plausible)"),
    ("I2", "1/12", "kg m²", "forearm about z, at its centre of mass (plausible)"),
    ("g", "9.81", "m/s²", "gravity, along −y"),
]


def rr_arm() -> Robot:
    """Build the arm with two revolute joints in a vertical plane.

    >>> rr_arm().q, rr_arm().inputs
    ((q1, q2), (tau1, tau2))
    """
    upper = Body("upper", revolute("q1", axis="z"), mass="m1", com="Lc1 0 0", inertia="0 I1 I1")
    fore = Body(
        "fore", revolute("q2", axis="z", at="L1 0 0"),
        mass="m2", com="Lc2 0 0", inertia="0 I2 I2", parent="upper",
    )  # fmt: skip
    return Robot(
        "rr_arm",
        [upper, fore],
        gravity="0 -g 0",
        parameters=[Parameter(n, Fraction(x), unit, text) for n, x, unit, text in _PARAMETERS],
        description="planar arm with two revolute joints (Intro to Robotics, part 2)",
    )

"""Three-link arm: revolute joints about z and y, a prismatic joint along x, gravity along −z.

Source: document 002 (Hutter and Gehring, proNEu, 2012), section 3.2,
examples/RA3LinkPrismatic/genEoM.m. Default values, coordinates and inputs are its paramDef, qDef
and TDef, as for the three-link arm.

Corrections of the source:
- l3, the length of the last link, is a parameter that no equation uses; it is kept.
- eulerToRotMatA_IB and B_r.COG are misprints of names that are correct everywhere else.
- The force F1 acts from the origin of link 2 on the origin of link 3. Both lie on the axis of the
  prismatic joint, so the pair of forces has no moment and F1 is conjugate to x.
"""

from __future__ import annotations

from fractions import Fraction
from math import pi

from ..model import Body, Robot, force_actuator, prismatic, revolute, torque_actuator
from .three_link_arm import parameters


def three_link_prismatic_arm() -> Robot:
    """Build the arm with two revolute joints about z and y and a prismatic joint along x.

    >>> three_link_prismatic_arm().q, three_link_prismatic_arm().inputs
    ((q1, q2, x), (T1, T2, F1))
    """
    link1 = Body(
        "link1", revolute("q1", axis="z"),
        mass="m1", com="0 0 s1", inertia="Th1_xx Th1_yy Th1_zz",
    )  # fmt: skip
    link2 = Body(
        "link2", revolute("q2", axis="y", at="0 0 l1"),
        mass="m2", com="s2 0 0", inertia="Th2_xx Th2_yy Th2_zz", parent="link1",
    )  # fmt: skip
    link3 = Body(
        "link3", prismatic("x", axis="x", at="l2 0 0"),
        mass="m3", com="s3 0 0", inertia="Th3_xx Th3_yy Th3_zz", parent="link2",
    )  # fmt: skip
    return Robot(
        "three_link_prismatic_arm",
        [link1, link2, link3],
        forces=[
            torque_actuator("link1", reaction_on="world", torque="0 0 T1"),
            torque_actuator("link2", reaction_on="link1", torque="0 T2 0"),
            force_actuator("link3", reaction_on="link2", force="F1 0 0"),
        ],
        parameters=parameters(),
        home={"q1": pi / 4, "q2": pi / 4, "x": Fraction(1, 5), "T1": 1, "T2": 2, "F1": 3},
        description="arm with revolute joints about z, y and a prismatic joint along x (proNEu)",
    )

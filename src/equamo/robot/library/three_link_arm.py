"""Three-link arm: revolute joints about z, x and y, links along z, gravity along −z.

Source: document 002 (Hutter and Gehring, proNEu, 2012), section 3.1, examples/RA3Link/genEoM.m.
Default values, coordinates and torques are its paramDef, qDef and TDef, which were chosen for pictures:
1 kg m² about every axis is not a slender link, but a valid inertia.

Corrections of the source:
- Th1.xx … are Th1_xx …, as in the listing of section 3.2; Dq1 is dq1 here.
- l3, the length of the last link, is a parameter that no equation uses; it is kept.
"""

from __future__ import annotations

from fractions import Fraction
from math import pi

from ..model import Body, Parameter, Robot, revolute, torque_actuator

_LINK = [  # "#" is the number of the link
    ("l#", "1", "m", "length of link #, to the next joint (proNEu)"),
    ("s#", "1/2", "m", "joint # to the centre of mass of link # (proNEu)"),
    ("m#", "1", "kg", "mass of link # (proNEu)"),
    ("Th#_xx", "1", "kg m²", "link # about x, at its centre of mass (proNEu)"),
    ("Th#_yy", "1", "kg m²", "link # about y, at its centre of mass (proNEu)"),
    ("Th#_zz", "1", "kg m²", "link # about z, at its centre of mass (proNEu)"),
]


def three_link_arm() -> Robot:
    """Build the arm with three revolute joints about z, x and y.

    >>> three_link_arm().q, three_link_arm().inputs
    ((q1, q2, q3), (T1, T2, T3))
    """
    link1 = Body(
        "link1", revolute("q1", axis="z"),
        mass="m1", com="0 0 s1", inertia="Th1_xx Th1_yy Th1_zz",
    )  # fmt: skip
    link2 = Body(
        "link2", revolute("q2", axis="x", at="0 0 l1"),
        mass="m2", com="0 0 s2", inertia="Th2_xx Th2_yy Th2_zz", parent="link1",
    )  # fmt: skip
    link3 = Body(
        "link3", revolute("q3", axis="y", at="0 0 l2"),
        mass="m3", com="0 0 s3", inertia="Th3_xx Th3_yy Th3_zz", parent="link2",
    )  # fmt: skip
    return Robot(
        "three_link_arm",
        [link1, link2, link3],
        forces=[
            torque_actuator("link1", reaction_on="world", torque="0 0 T1"),
            torque_actuator("link2", reaction_on="link1", torque="T2 0 0"),
            torque_actuator("link3", reaction_on="link2", torque="0 T3 0"),
        ],
        parameters=parameters(),
        home={"q1": pi / 4, "q2": pi / 4, "q3": pi / 4, "T1": 1, "T2": 2, "T3": 3},
        description="arm with three revolute joints about z, x, y (proNEu)",
    )


def parameters() -> list[Parameter]:
    """Parameters of three links and gravity, shared by both arms of the document."""
    table = [
        Parameter(name.replace("#", i), Fraction(value), unit, text.replace("#", i))
        for i in "123"
        for name, value, unit, text in _LINK
    ]
    return [*table, Parameter("g", Fraction("9.81"), "m/s²", "gravity, along −z (proNEu)")]

"""Stanford arm (V. Scheinman): joints R R P R R R, standard DH table.

Source: R. P. Paul, Robot Manipulators: Mathematics, Programming, and Control, MIT Press 1981, tables
6.5 and 6.6 (dynamics), and R. Paul, Modelling, trajectory calculation and servoing of a computer
controlled arm, Stanford AIM-177, 1972, figure 2.3 (kinematics), as tabulated in Corke's Robotics
Toolbox (mdl_stanford, models.DH.Stanford). Actuator inertias are at the joints: gear ratios are 1.

Remarks on the table:
- Some centres of mass lie outside the arm (−1.054 m, −6.447 m, 0.566 m, 1.554 m). The tabulated numbers
  are kept for comparison, although they do not describe the arm that was built.
- The inertia of link 5 (0.003, 0.0004, 0) is not that of a rigid body, which `eq.check` reports.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ..formats.dh import Row, dh_robot
from ..formats.dh_symbols import dh_symbols
from ..model import Parameter, Robot

_TURN = ("-17*pi/18", "17*pi/18")
_TABLE = [
    Row("q1", "0.412", 0, "-pi/2", mass="9.29", com="0 0.0175 -0.1105", inertia="0.276 0.255 0.071",
        Jm="0.953", limits=_TURN),
    Row("q2", "0.154", 0, "pi/2", mass="5.01", com="0 -1.054 0", inertia="0.108 0.018 0.1",
        Jm="2.193", limits=_TURN),
    Row("-pi/2", "q3", "0.0203", 0, mass="4.25", com="0 0 -6.447", inertia="2.51 2.51 0.006",
        Jm="0.782", limits=("0.3048", "1.27")),
    Row("q4", 0, 0, "-pi/2", mass="1.08", com="0 0.092 -0.054", inertia="0.002 0.001 0.001",
        Jm="0.106", limits=_TURN),
    Row("q5", 0, 0, "pi/2", mass="0.63", com="0 0.566 0.003", inertia="0.003 0.0004 0", Jm="0.097",
        limits=("-pi/2", "pi/2")),
    Row("q6", 0, 0, 0, mass="0.51", com="0 0 1.554", inertia="0.013 0.013 0.0003", Jm="0.02",
        limits=_TURN),
]  # fmt: skip


def stanford(rotors: bool = True, full: bool = False) -> Robot:
    """Build the Stanford arm.

    Args:
        rotors: Add the inertia of the actuators.
        full: Give every link all ten inertial parameters, even those that are 0 in the table.

    Returns:
        The robot.

    >>> stanford().q
    (q1, q2, q3, q4, q5, q6)
    """
    table = _TABLE if rotors else [replace(r, Jm=0) for r in _TABLE]
    rows, parameters = dh_symbols(table, "Paul 1981", full)
    return dh_robot(
        "stanford",
        rows,
        parameters=[*parameters, Parameter("g", Fraction("9.81"), "m/s²", "gravity, along −z")],
        description="Stanford arm, five revolute joints and a prismatic one (Paul 1981)",
    )

"""Puma 560 (Unimation): six revolute joints, standard DH table, drives with friction.

Source: P. I. Corke and B. Armstrong-Hélouvry, A search for consensus among model parameters reported
for the PUMA 560 robot, ICRA 1994, as tabulated in Corke's Robotics Toolbox (mdl_puma560, models.DH.
Puma560), after B. Armstrong, O. Khatib, J. Burdick, The explicit dynamic model and inertial parameters
of the PUMA 560 arm, ICRA 1986. Inertias are about the centres of mass, in the frames of the table;
motor inertia, friction and gear ratios refer to the motors; joints 1 and 3 are geared backwards. Joint
limits: Wang and Chen, IEEE Trans. RA 7(4), 1991.

Remarks on the table:
- For link 1 only the inertia about the vertical axis is known (0.35 kg m²), so its mass is 0, which
  `eq.check` reports. The equations do not depend on its other parameters.
- The moments of link 3 slightly violate the triangle inequality (0.066 + 0.0125 < 0.086).
- Coulomb friction depends on the direction of motion; here it is Tcp or Tcm times |G|, and 0 at rest.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ..formats.dh import Row, dh_robot
from ..formats.dh_symbols import dh_symbols
from ..model import Parameter, Robot

_TABLE = [
    Row("q1", "0.67183", 0, "pi/2", mass=0, inertia="0 0.35 0", Jm="200e-6", G="-62.6111",
        B="1.48e-3", Tc=("0.395", "-0.435"), limits=("-8*pi/9", "8*pi/9")),
    Row("q2", 0, "0.4318", 0, mass="17.4", com="-0.3638 0.006 0.2275", inertia="0.13 0.524 0.539",
        Jm="200e-6", G="107.815", B="0.817e-3", Tc=("0.126", "-0.071"), limits=("-pi/4", "5*pi/4")),
    Row("q3", "0.15005", "0.0203", "-pi/2", mass="4.8", com="-0.0203 -0.0141 0.07",
        inertia="0.066 0.086 0.0125", Jm="200e-6", G="-53.7063", B="1.38e-3",
        Tc=("0.132", "-0.105"), limits=("-5*pi/4", "pi/4")),
    Row("q4", "0.4318", 0, "pi/2", mass="0.82", com="0 0.019 0", inertia="1.8e-3 1.3e-3 1.8e-3",
        Jm="33e-6", G="76.0364", B="71.2e-6", Tc=("11.2e-3", "-16.9e-3"),
        limits=("-11*pi/18", "17*pi/18")),
    Row("q5", 0, 0, "-pi/2", mass="0.34", inertia="0.3e-3 0.4e-3 0.3e-3", Jm="33e-6", G="71.923",
        B="82.6e-6", Tc=("9.26e-3", "-14.5e-3"), limits=("-5*pi/9", "5*pi/9")),
    Row("q6", 0, 0, 0, mass="0.09", com="0 0 0.032", inertia="0.15e-3 0.15e-3 0.04e-3", Jm="33e-6",
        G="76.686", B="36.7e-6", Tc=("3.96e-3", "-10.5e-3"), limits=("-133*pi/90", "133*pi/90")),
]  # fmt: skip


def puma560(friction: bool = True, rotors: bool = True, full: bool = False) -> Robot:
    """Build the Puma 560.

    Args:
        friction: Add viscous and Coulomb friction.
        rotors: Add the inertia of the motors.
        full: Give every link all ten inertial parameters, even those that are 0 in the table.

    Returns:
        The robot.

    >>> print(puma560())
    Robot puma560: 12 bodies, 6 degrees of freedom, 65 parameters, 6 inputs
    >>> puma560().home.q["q2"]
    0
    """
    removed = ({} if friction else {"B": 0, "Tc": 0}) | ({} if rotors else {"Jm": 0})
    if not (friction or rotors):
        removed["G"] = 1
    rows, parameters = dh_symbols(
        [replace(r, **removed) for r in _TABLE], "Corke and Armstrong-Hélouvry 1994", full
    )
    return dh_robot(
        "puma560",
        rows,
        parameters=[*parameters, Parameter("g", Fraction("9.81"), "m/s²", "gravity, along −z")],
        description="Puma 560, six revolute joints with motors and friction (Corke 1994)",
    )

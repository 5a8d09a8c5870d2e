"""Stäubli RX-90: six revolute joints, modified DH table, ten inertial parameters per link.

Source: W. Khalil and E. Dombre, Modeling, Identification and Control of Robots, Hermes Penton 2002,
table 3.1 (geometry: d₃ = D3, r₄ = RL4) and chapter 9 (the parameters XX_j … M_j, IA_j, FS_j, FV_j). D3
and RL4 are 0.45 m on the real robot. The book has no masses, inertias or friction: the default values
are plausible, not measured. Dry friction (FS) and viscous friction (FV) at the joints oppose the motion.
"""

from __future__ import annotations

from fractions import Fraction

from ..formats.dh import Row, dh_robot
from ..model import Inertia, Parameter, Robot
from ..model.inertia import NAMES

# theta, d (Khalil's r), a (Khalil's d), alpha
_TABLE = [
    ("q1", "0", "0", "0"),
    ("q2", "0", "0", "pi/2"),
    ("q3", "0", "D3", "0"),
    ("q4", "RL4", "0", "-pi/2"),
    ("q5", "0", "0", "pi/2"),
    ("q6", "0", "0", "-pi/2"),
]
# Plausible values: mass [kg], centre of mass and radii of gyration [m] of each link.
_LINKS = [
    ("25", "0.02 -0.03 -0.15", "0.16 0.15 0.12"),
    ("18", "0.2 0.01 0.04", "0.07 0.16 0.16"),
    ("10", "0.01 -0.06 0.02", "0.09 0.08 0.09"),
    ("8", "0.01 0.02 -0.16", "0.12 0.12 0.06"),
    ("2", "0.01 0.02 0.01", "0.05 0.04 0.05"),
    ("0.6", "0.002 0.003 0.08", "0.03 0.03 0.02"),
]
# Plausible values: IA [kg m²], FS [N m], FV [N m s/rad] of each joint.
_DRIVES = [
    ("3.3", "9", "24"), ("5.2", "12", "28"), ("1.6", "5", "12"),
    ("0.35", "3", "4"), ("0.2", "2", "3"), ("0.1", "1", "1.5"),
]  # fmt: skip


def rx90(friction: bool = False, rotors: bool = False) -> Robot:
    """Build the Stäubli RX-90.

    Args:
        friction: Add the friction FS and FV at every joint.
        rotors: Add the rotor inertia IA at every joint.

    Returns:
        The robot.

    >>> print(rx90())
    Robot rx90: 6 bodies, 6 degrees of freedom, 63 parameters, 6 inputs
    """
    rows: list[Row] = []
    parameters = [
        Parameter("D3", Fraction("0.45"), "m", "length of the upper arm"),
        Parameter("RL4", Fraction("0.45"), "m", "length of the forearm"),
    ]
    for j, (theta, d, a, alpha) in enumerate(_TABLE, 1):
        parameters += _inertia(j)
        drive: dict[str, str] = {}
        for included, name, column, k in (
            (rotors, "IA", "Jm", 0), (friction, "FS", "Tc", 1), (friction, "FV", "B", 2)
        ):  # fmt: skip
            if included:
                drive[column] = f"{name}{j}"
                unit, text = _DRIVE_TEXT[name]
                value = Fraction(_DRIVES[j - 1][k])
                parameters.append(
                    Parameter(f"{name}{j}", value, unit, f"{text} {j} (plausible)", True)
                )
        rows.append(Row(theta, d, a, alpha, ten=[f"{n}{j}" for n in _NAMES], **drive))
    parameters.append(Parameter("g", Fraction("9.81"), "m/s²", "gravity, along −z"))
    return dh_robot(
        "rx90", rows, "modified", parameters=parameters,
        description="Stäubli RX-90, six revolute joints (Khalil and Dombre 2002)",
    )  # fmt: skip


_NAMES = ("M", *NAMES[1:])
_DRIVE_TEXT = {
    "IA": ("kg m²", "inertia of the rotor, referred to joint"),
    "FS": ("N m", "dry friction at joint"),
    "FV": ("N m s/rad", "viscous friction at joint"),
}


def _inertia(j: int) -> list[Parameter]:
    """Ten parameters of a link, from its mass, centre of mass and radii of gyration."""
    mass, com, gyration = _LINKS[j - 1]
    m = Fraction(mass)
    ten = Inertia.central(m, com, [m * Fraction(k) ** 2 for k in gyration.split()]).ten
    table: list[Parameter] = []
    for n, x in zip(_NAMES, ten, strict=True):
        if n == "M":
            unit, text = "kg", f"mass of link {j}"
        elif n.startswith("M"):
            unit, text = "kg m", f"first moment of link {j} along {n[1].lower()}"
        else:
            unit, text = "kg m²", f"inertia of link {j} about its frame, {n}"
        table.append(Parameter(f"{n}{j}", x.value, unit, f"{text} (plausible)"))
    return table

"""Left leg of the biped Cassie on a fixed pelvis: two closed loops, two leaf springs, five motors.

Source: Agility Robotics' public models of Cassie, as in the MuJoCo model cassie.xml of Oregon State
University (github.com/osudrl/cassie-mujoco-sim, also mujoco_menagerie/agility_cassie): frames, masses,
inertias about the centres of mass, stiffness of the leaf springs in shin and heel, damping, inertia of
rotors and gears at the joints, limits. x is forward, y left, z up.

The leg hangs on a pelvis that does not move. Hip roll, hip yaw, hip pitch, knee and foot have motors.
The achilles rod is a bar with ball joints from the hip to the heel spring; the plantar rod connects the
crank on the tarsus with the foot, as a four-bar in the plane of the tarsus. The far joint of each rod is
cut, both as ball joints as in the source; one of the three equations of the plantar rod is redundant.
The achilles rod is free to spin about its own length.

Remarks:
- The ball joint of the achilles rod is at (0.11877, −0.01, 0) in the frame of the heel spring, as in
  Agility's cassie.sdf. That of the plantar rod closes in the zero pose, as MuJoCo computes it.
- Coordinates are MuJoCo's, except for the achilles rod, whose quaternion is relative to the hip here.
"""

from __future__ import annotations

from fractions import Fraction
from math import pi
from typing import Any, Final

from ...algebra.expr import as_expr
from ..formats.rational_rotation import rotation_of_quaternion
from ..model import (
    WORLD,
    Body,
    ForceElement,
    Parameter,
    Robot,
    contact,
    fixed,
    joint_actuator,
    joint_damper,
    joint_spring,
    loop,
    revolute,
    rotor_inertia,
    spherical,
)
from ..model.forces import JointDamper

_ROLL = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
_YAW = [[0, 0, -1], [0, 1, 0], [1, 0, 0]]
_PITCH = [[0, 1, 0], [0, 0, -1], [-1, 0, 0]]
# A quaternion of any length has an exact rotation; this is that of the file to its five digits.
_HEEL: Final = ("0.2142707", "0.0111156", "-0.0384377", "1")

# body, parent, origin in the parent [m], rotation, mass [kg], centre of mass [m],
# inertia XX XY XZ YY YZ ZZ [kg m²]
_LINKS: list[tuple[str, str, str, Any, str, str, str]] = [
    ("hip_roll", WORLD, "0.021 0.135 0", _ROLL, "1.82", "-0.01793 0.0001 -0.04428",
     "0.003431 -6.65e-07 -0.00084 0.003793 3.99e-06 0.002135"),
    ("hip_yaw", "hip_roll", "0 0 -0.07", _YAW, "1.171", "0 -1e-05 -0.034277",
     "0.002443 -4e-08 2.462e-07 0.002803 -2.71e-08 0.000842"),
    ("hip_pitch", "hip_yaw", "0 0 -0.09", _PITCH, "5.52", "0.05946 5e-05 -0.03581",
     "0.010898 -0.0002669 -5.721e-05 0.029714 9.17e-06 0.030257"),
    ("achilles_rod", "hip_pitch", "0 0 0.045", None, "0.1567", "0.24719 0 0",
     "3.754e-06 -3.74e-08 -1.61e-08 0.004487 0 0.004488"),
    ("knee", "hip_pitch", "0.12 0 0.0045", None, "0.7578", "0.023 0.03207 -0.002181",
     "0.001376 -0.00039744 -4.085e-05 0.0010335 -5.374e-05 0.0021637"),
    ("knee_spring", "knee", "0.06068 0.08241 0", None, "0.186", "0.0836 0.0034 0",
     "5.215e-05 6.87e-06 0 0.00041205 0 0.0003669"),
    ("shin", "knee", "0.06068 0.04741 0", None, "0.577", "0.18338 0.001169 0.0002123",
     "0.00035939 -0.00020981 2.266e-05 0.014728 -1.2e-07 0.014707"),
    ("tarsus", "shin", "0.43476 0.02 0", None, "0.782", "0.11046 -0.03058 -0.00131",
     "0.00039238 0.00023651 -4.987e-05 0.013595 -4.82e-06 0.013674"),
    ("heel_spring", "tarsus", "-0.01269 -0.03059 0.00092", _HEEL, "0.126", "0.081 0.0022 0",
     "2.959e-05 7.15e-06 -6e-07 0.00022231 1e-07 0.0002007"),
    ("foot_crank", "tarsus", "0.058 -0.034 0.02275", None, "0.1261", "0.00493 2e-05 -0.00215",
     "2.6941e-05 -2.1e-09 -3.9623e-06 4.9621e-05 -1.09e-08 6.3362e-05"),
    ("plantar_rod", "foot_crank", "0.055 0 -0.00791", None, "0.1186", "0.17792 0 0",
     "2.779e-06 -2.34e-08 -8.1e-09 0.001774 0 0.001775"),
    ("foot", "tarsus", "0.408 -0.04 0", None, "0.1498", "0.00474 0.02748 -0.00014",
     "0.00017388 0.00011814 1.36e-06 0.00016793 -4e-07 0.00033261"),
]  # fmt: skip
# damping [N m s/rad], inertia of rotor and gear at the joint [kg m²], limits [degrees]
_DRIVES = {
    "hip_roll": ("1", "0.038125", (-15, 22.5)),
    "hip_yaw": ("1", "0.038125", (-22.5, 22.5)),
    "hip_pitch": ("1", "0.09344", (-50, 80)),
    "knee": ("1", "0.09344", (-164, -37)),
    "foot": ("1", "0.01225", (-140, -30)),
}
_PASSIVE = {"shin": "0.1", "tarsus": "0.1", "foot_crank": "1"}
_LIMITS = {"shin": (-20, 20), "tarsus": (50, 170), "foot_crank": (-140, -30)}  # [degrees]
_SPRINGS = {"shin": "1500", "heel_spring": "1250"}  # [N m/rad]
# Standing, springs relaxed; the loops are closed to the last digit.
_HOME = {
    "hip_roll": 0.0045, "hip_pitch": 0.4973, "achilles_rod_qw": 0.8606836209976029,
    "achilles_rod_qx": -0.033639626790307714, "achilles_rod_qy": 0.05971078081034046,
    "achilles_rod_qz": -0.50450639511396, "knee": -1.1997, "tarsus": 1.4266744426690572,
    "foot_crank": -1.488812115387744, "plantar_rod": 1.4704113712878468, "foot": -1.5968,
}  # fmt: skip


def cassie_leg(damping: bool = True) -> Robot:
    """Build the left leg of Cassie.

    Args:
        damping: Add the damping of the joints.

    Returns:
        The robot.

    >>> leg = cassie_leg()
    >>> len(leg.v), [loop.name for loop in leg.loops]
    (13, ['achilles', 'plantar'])
    """
    return Robot(
        "cassie_leg",
        [_body(*row) for row in _LINKS],
        forces=_forces(damping),
        loops=[
            loop("achilles", body="achilles_rod", at="0.5012 0 0", to="heel_spring",
                 to_at="0.11877 -0.01 0", joint="spherical"),
            loop("plantar", body="plantar_rod", at="0.35012 0 0", to="foot",
                 to_at="0.05512 0.006 0.01484", joint="spherical"),
        ],
        contacts=[
            contact("toe", body="foot", at="-0.052821 0.092622 0"),
            contact("heel", body="foot", at="0.069746 -0.010224 0"),
        ],
        parameters=[Parameter("g", Fraction("9.81"), "m/s²", "gravity, along −z")],
        home=_HOME,
        limits={n: (a * pi / 180, b * pi / 180) for n, (a, b) in _ranges().items()},
        description="leg of the biped Cassie with two closed loops (Agility Robotics)",
    )  # fmt: skip


def _body(name: str, parent: str, at: str, rotation: Any, *inertia: str) -> Body:
    if rotation is _HEEL:
        rotation = rotation_of_quaternion(*map(Fraction, _HEEL))
    if name == "knee_spring":
        joint: Any = fixed(at=at)
    elif name == "achilles_rod":
        joint = spherical(name, at=at)
    else:
        joint = revolute(name, axis="z", at=at, rotation=rotation)
    return Body(name, joint, *inertia, parent=parent)


def _forces(damping: bool) -> list[ForceElement]:
    forces: list[ForceElement] = [joint_actuator(n, f"tau_{n}") for n in _DRIVES]
    forces += [rotor_inertia(n, rotor) for n, (_, rotor, _) in _DRIVES.items()]
    forces += [joint_spring(n, stiffness) for n, stiffness in _SPRINGS.items()]
    if damping:
        forces += [joint_damper(n, d) for n, (d, _, _) in _DRIVES.items()]
        forces += [joint_damper(n, d) for n, d in _PASSIVE.items()]
        for w in ("wx", "wy", "wz"):
            speed = f"achilles_rod_{w}"
            forces.append(JointDamper(f"damper_{speed}", speed, as_expr("0.01")))
    return forces


def _ranges() -> dict[str, tuple[float, float]]:
    return {n: limits for n, (_, _, limits) in _DRIVES.items()} | _LIMITS

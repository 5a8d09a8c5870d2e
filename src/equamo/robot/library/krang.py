"""Golem Krang on fixed wheels: base, spine, torso and two arms of seven joints, 17 joints in total.

Source: documents 000 (M. Zafar, Equations of Motion of Krang on Fixed Wheels, Kane, 2015) and 001
(the same by Lagrange, 2014). Frames are given by unit vectors x, y, z, origin P and axis e as in the
listing getKrangFrames, inertias by ten parameters about each frame. Gravity is along −z.

Corrections of the source:
- ³T_4l of document 000, section 2, has z = (0, −s, c), which is not x × y, so it is not a rotation. The
  listing and document 001 have (0, −s, −c), which is used here.
- ²T_3 of document 001 rotates opposite to its axis ³e₃ = (0, −1, 0); the listing of 000 agrees with the
  axis and is used here.
- Document 000, section 6.1, lists the parameters as m MX MY MZ XX YY ZZ XY XZ YZ; the listing has
  XX XY XZ YY YZ ZZ, and inertiaMat reads them in that order.
- The document states τ_imu = −τ_R − τ_L, the reaction of the wheel motors, but τ_l − τ_r in a comment
  of kanesRHS; here τ_imu is a single input.
- kanesLHS passes [v0 v0] to linVel, which expects [w0 v0], and the recursions drop w0 and v0 after the
  first frame. This affects only a moving base.
- The wrenches act at the origins of 10l and 10r in kanesRHS, but at points E in section 5.2; here they
  act at E, with offsets that are 0 by default. They act on the robot in section 5.2, but are exerted by
  the robot in document 001, section 3; here they act on the robot.
- Document 001, eq. (17), adds friction to the generalized forces with a plus sign, so that it would
  drive the motion; here it opposes the motion.
- The documents have no lengths, inertias, friction or rotors: the default values are plausible, not
  measured.
"""

from __future__ import annotations

from fractions import Fraction

from ...algebra.expr.walk import symbols
from ...basics.wording import brief
from ...errors import ModelError
from ..model import (
    Body,
    ForceElement,
    Inertia,
    Parameter,
    Robot,
    joint_actuator,
    joint_friction,
    rotor_inertia,
    unit_vectors,
    wrench,
)
from ..model.inertia import NAMES

Row = tuple[str, str, str, str, str, str, str, str]

# name, parent, coordinate, x, y, z, P in the parent, e ("?" is the side, l or r)
_BASE: list[Row] = [
    ("1", "world", "q_imu", "0 -1 0", "sin(q) 0 cos(q)", "-cos(q) 0 sin(q)", "0 0 0", "-1 0 0"),
    ("2", "1", "q_w", "1 0 0", "0 cos(q) -sin(q)", "0 sin(q) cos(q)", "0 L1 -L2", "-1 0 0"),
    ("3", "2", "q_torso", "-cos(q) 0 -sin(q)", "0 1 0", "sin(q) 0 -cos(q)", "0 L3 L4", "0 -1 0"),
]
_SHOULDER: dict[str, Row] = {
    "l": ("4l", "3", "q_1l", "0 cos(q) -sin(q)", "1 0 0", "0 -sin(q) -cos(q)", "L6 L5 0", "0 -1 0"),
    "r": ("4r", "3", "q_1r", "0 cos(q) sin(q)", "-1 0 0", "0 -sin(q) cos(q)", "-L6 L5 0", "0 -1 0"),
}
_ARM: list[Row] = [
    ("5?", "4?", "q_2?", "-1 0 0", "0 -cos(q) -sin(q)", "0 -sin(q) cos(q)", "0 0 0", "-1 0 0"),
    ("6?", "5?", "q_3?", "-cos(q) 0 sin(q)", "0 -1 0", "sin(q) 0 cos(q)", "0 -L7 0", "0 -1 0"),
    ("7?", "6?", "q_4?", "-1 0 0", "0 -cos(q) -sin(q)", "0 -sin(q) cos(q)", "0 0 0", "-1 0 0"),
    ("8?", "7?", "q_5?", "-cos(q) 0 sin(q)", "0 -1 0", "sin(q) 0 cos(q)", "0 -L8 0", "0 -1 0"),
    ("9?", "8?", "q_6?", "-1 0 0", "0 -cos(q) -sin(q)", "0 -sin(q) cos(q)", "0 0 0", "-1 0 0"),
    ("10?", "9?", "q_7?", "-cos(q) 0 sin(q)", "-sin(q) 0 -cos(q)", "0 -1 0", "0 -L9 0", "0 0 -1"),
]


def _arm(side: str) -> list[Row]:
    rest = [tuple(x.replace("?", side) for x in row) for row in _ARM]
    return [_SHOULDER[side], *rest]  # pyright: ignore[reportReturnType]


_FRAMES = [*_BASE, *_arm("l"), *_arm("r")]

_LENGTHS = [
    ("L1", "0.25", "from frame 1 to 2, along y (plausible)"),
    ("L2", "0.10", "from frame 1 to 2, along −z (plausible)"),
    ("L3", "0.37", "from frame 2 to 3, along y (plausible)"),
    ("L4", "0.08", "from frame 2 to 3, along z (plausible)"),
    ("L5", "0.20", "from frame 3 to the shoulders, along y (plausible)"),
    ("L6", "0.20", "from frame 3 to a shoulder, along x or −x (plausible)"),
    ("L7", "0.33", "upper arm, from frame 5 to 6, along −y (plausible)"),
    ("L8", "0.30", "forearm, from frame 7 to 8, along −y (plausible)"),
    ("L9", "0.15", "wrist, from frame 9 to 10, along −y (plausible)"),
]
# Plausible values: mass [kg], centre of mass and radii of gyration [m] of each link.
_LINKS = {
    "1": ("32", "0 0.12 -0.05", "0.20 0.16 0.18"), "2": ("18", "0 0.18 0.03", "0.15 0.07 0.15"),
    "3": ("22", "0 0.12 0.02", "0.15 0.13 0.12"), "4": ("4", "0 -0.03 0.01", "0.05 0.04 0.05"),
    "5": ("3.6", "0 -0.12 0.01", "0.09 0.04 0.09"), "6": ("3.2", "0 -0.02 0.01", "0.05 0.04 0.05"),
    "7": ("2.4", "0 -0.11 0.01", "0.08 0.03 0.08"), "8": ("2", "0 -0.02 0.01", "0.04 0.03 0.04"),
    "9": ("1.4", "0 -0.05 0.01", "0.04 0.03 0.04"), "10": ("1.8", "0.01 0 0.06", "0.05 0.05 0.04"),
}  # fmt: skip


# Plausible values: Fc [N m], Fv [N m s/rad], gear ratio and rotor inertia [kg m²] of base and arm joints
_BASE_DRIVE = ("4", "2", "100", "0.0002")
_ARM_DRIVE = ("1", "0.5", "160", "0.00003")


def krang(frames: int = 17, friction: bool = False, rotors: bool = False) -> Robot:
    """Build Krang on fixed wheels.

    Args:
        frames: Number of frames, from the base on (document 000, getKrangFrames(nFrames)).
        friction: Add the friction of document 001, eq. (17), `Fc_imu`, `Fv_imu` …, at every joint.
        rotors: Add the rotor inertia of document 001, eq. (18), `N_imu`, `Jm_imu` …, at every joint.

    Returns:
        The robot.

    Raises:
        ModelError: `frames` is not from 1 to 17.

    >>> krang(frames=3).q
    (q_imu, q_w, q_torso)
    >>> krang(frames=1, friction=True).forces[-1].loads()[0].force
    -dq_imu*Fv_imu - Fc_imu*sign(dq_imu)
    """
    if frames not in range(1, len(_FRAMES) + 1):
        raise ModelError(f"krang: frames must be from 1 to {len(_FRAMES)}, got {brief(frames)}.")
    bodies = [_body(*row) for row in _FRAMES[:frames]]
    hands = [s for s in "lr" if f"10{s}" in {b.name for b in bodies}]
    motors = [joint_actuator(b.joint.coordinates[0]) for b in bodies]
    wrenches = [
        wrench(f"10{s}", f"F{s}x F{s}y F{s}z", f"T{s}x T{s}y T{s}z", at=f"E{s}_x E{s}_y E{s}_z",
               name=f"hand_{s}") for s in hands
    ]  # fmt: skip
    lengths = {x.name for b in bodies for x in symbols(b.joint.position)}
    return Robot(
        "krang",
        bodies,
        forces=[*motors, *wrenches, *_drives(bodies, friction, rotors)],
        parameters=[
            *(Parameter(n, Fraction(x), "m", text) for n, x, text in _LENGTHS if n in lengths),
            *(p for b in bodies for p in _inertia(b.name)),
            *(p for s in hands for p in _point(s)),
            *(p for b in bodies for p in _drive(b, friction, rotors)),
            Parameter("g", Fraction("9.81"), "m/s²", "gravity, along −z"),
        ],
        description="Golem Krang on fixed wheels: torso and two arms of seven joints (Zafar)",
    )


def _body(name: str, parent: str, q: str, x: str, y: str, z: str, P: str, e: str) -> Body:
    x, y, z = (v.replace("(q)", f"({q})") for v in (x, y, z))
    inertia = Inertia.about_origin([f"{n}_{name}" for n in NAMES])
    return Body(name, unit_vectors(q, x, y, z, P, e), inertia=inertia, parent=parent)


def _inertia(link: str) -> list[Parameter]:
    """Ten parameters of a link, from its mass, centre of mass and radii of gyration."""
    mass, com, gyration = _LINKS[link.rstrip("lr")]
    m = Fraction(mass)
    ten = Inertia.central(m, com, [m * Fraction(k) ** 2 for k in gyration.split()]).ten
    table: list[Parameter] = []
    for n, x in zip(NAMES, ten, strict=True):
        if n == "m":
            unit, text = "kg", f"mass of link {link} (plausible)"
        elif n.startswith("M"):
            unit, text = "kg m", f"first moment of link {link} along {n[1].lower()} (plausible)"
        else:
            unit, text = "kg m²", f"inertia of link {link} about its frame, {n} (plausible)"
        table.append(Parameter(f"{n}_{link}", x.value, unit, text))
    return table


def _point(s: str) -> list[Parameter]:
    text = f"point of the wrench on hand {s}, along "
    return [Parameter(f"E{s}_{c}", 0, "m", text + c) for c in "xyz"]


def _drives(bodies: list[Body], friction: bool, rotors: bool) -> list[ForceElement]:
    """Friction (17) and rotor inertia (18) of document 001 at every joint."""
    joints = [b.joint.coordinates[0].removeprefix("q_") for b in bodies]
    elements: list[ForceElement] = []
    for j in joints if friction else ():
        elements.append(joint_friction(f"q_{j}", f"Fc_{j}", f"Fv_{j}", name=f"friction_{j}"))
    for j in joints if rotors else ():
        elements.append(rotor_inertia(f"q_{j}", f"Jm_{j}", f"N_{j}", name=f"rotor_{j}"))
    return elements


def _drive(b: Body, friction: bool, rotors: bool) -> list[Parameter]:
    joint = b.joint.coordinates[0].removeprefix("q_")
    Fc, Fv, N, Jm = map(Fraction, _BASE_DRIVE if b.name in "123" else _ARM_DRIVE)
    table: list[Parameter] = []
    if friction:
        text = f"friction at joint {joint} (plausible)"
        table.append(Parameter(f"Fc_{joint}", Fc, "N m", f"Coulomb {text}", nonnegative=True))
        table.append(Parameter(f"Fv_{joint}", Fv, "N m s/rad", f"viscous {text}", nonnegative=True))
    if rotors:
        text = f"at joint {joint} (plausible)"
        table.append(Parameter(f"N_{joint}", N, "", f"gear ratio {text}", nonnegative=True))
        table.append(
            Parameter(f"Jm_{joint}", Jm, "kg m²", f"rotor inertia {text}", nonnegative=True)
        )
    return table

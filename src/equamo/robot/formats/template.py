"""Write a commented model file to start from, for a joint string such as "rrp"."""

from __future__ import annotations

import re
from typing import Final

from ...basics.wording import brief, counted
from ...errors import ModelError

# letter: kind of joint, its coordinates
LETTERS: Final = {
    "r": ("revolute", "angle about the axis [rad]"),
    "p": ("prismatic", "travel along the axis [m]"),
    "h": ("helical", "angle about the axis [rad]; pitch is metres per radian"),
    "c": ("cylindrical", "angle about the axis [rad] and travel along it [m]"),
    "u": ("universal", "angles about x, then y [rad]"),
    "s": ("spherical", 'unit quaternion; or rotation = "euler"'),
    "l": ("planar", "x, z [m] and angle about y [rad]"),
    "f": ("free", 'x, y, z [m] and unit quaternion; or rotation = "euler"'),
    "x": ("fixed", "does not move"),
}
MAX_JOINTS: Final = 200
_TURNS: Final = ("z", "y")  # alternating axes of revolute joints
_SLIDES: Final = ("z", "x")  # alternating axes of prismatic joints
_ROUND: Final = ("revolute", "helical", "cylindrical")

_HEAD: Final = """\
# {name}: a model file for equamo, written by `equamo new {joints}`. Edit it, then run:
#   equamo check {name}.toml    equamo derive {name}.toml    equamo prove {name}.toml
#
# A quantity is a number (0.1 is exactly 1/10) or text such as "m1*L1/2"; a vector is one text with three
# quantities. Lengths are in m, masses in kg, angles in rad.
equamo = 1                          # version of this format
name = "{name}"
description = "a chain with {count}: {joints}"
gravity = "0 0 -g"                  # in the world frame
"""
_PARAMETERS: Final = """\
L{i} = {{ value = 0.4, unit = "m", description = "length of link {i}" }}
Lc{i} = {{ value = 0.2, unit = "m", description = "joint {i} to the centre of mass of link {i}" }}
m{i} = {{ value = 2, unit = "kg", description = "mass of link {i}" }}
Ix{i} = {{ value = 0.03, unit = "kg m²", description = "inertia of link {i} about x" }}
Iy{i} = {{ value = 0.03, unit = "kg m²", description = "inertia of link {i} about y" }}
Iz{i} = {{ value = 0.01, unit = "kg m²", description = "inertia of link {i} about z" }}
"""
_TAIL: Final = """
# Without [[forces]] every joint with one degree of freedom has an actuator: tau1 drives q1. To choose
# other forces, list all of them, for example:
# [[forces]]
# kind = "joint_actuator"           # or torque_actuator, force_actuator, cylinder, wrench …
# coordinate = "q1"
#
# [[forces]]
# kind = "joint_friction"           # or joint_spring, joint_damper, rotor_inertia, spring, damper
# coordinate = "q1"
# coulomb = 0.5
# viscous = "d1"
#
# [home]                            # default state, 0 for names that are not listed
# q1 = "pi/4"
#
# [limits]
# q1 = { lower = "-pi/2", upper = "pi/2", speed = 2, effort = 50 }
"""


def template(joints: str, name: str = "robot") -> str:
    """Write the text of a model file for a chain with the given joints.

    Args:
        joints: One letter per joint, from the base to the tip; see `LETTERS`.
        name: Name of the robot.

    Returns:
        The text of the file.

    Raises:
        ModelError: The joint string is empty, too long or has an unknown letter.

    >>> from equamo.robot.formats.toml import parse_robot
    >>> print(parse_robot(template("rrp")))
    Robot robot: 3 bodies, 3 degrees of freedom, 18 parameters, 3 inputs
    """
    letters = joints.strip().lower()
    _check(letters)
    name = re.sub(r"[^\w .-]", "_", name)
    parts = [
        _HEAD.format(name=name, joints=letters, count=counted(len(letters), "joint")),
        "\n[parameters]\n",
    ]
    bodies: list[str] = []
    slides = 0
    # The first joint of an arm is about z; a pendulum with one joint is about y, so gravity acts on it.
    turns = 1 if letters.strip("x") == "r" else 0
    for i, letter in enumerate(letters, 1):
        kind, text = LETTERS[letter]
        entry = [f'kind = "{kind}"']
        if kind != "fixed":
            entry.append(f'q = "q{i}"')
        if kind in _ROUND:
            entry.append(f'axis = "{_TURNS[turns % 2]}"')
            turns += 1
        if kind == "prismatic":
            entry.append(f'axis = "{_SLIDES[slides % 2]}"')
            slides += 1
        if kind == "planar":
            entry.append('plane = "xz"')  # upright: gravity is along -z
        if kind == "helical":
            entry.append(f'pitch = "pitch{i}"')
        if i > 1:
            entry.append(f'at = "0 0 L{i - 1}"')
        bodies += [_body(i, ", ".join(entry), text)]
        lines = _PARAMETERS.format(i=i)
        # The length of the last link is not used.
        parts.append(lines if i < len(letters) else lines.split("\n", 1)[1])
        if kind == "helical":
            parts.append(f'pitch{i} = {{ value = 0.01, unit = "m/rad", '
                         f'description = "pitch of joint {i}" }}\n')  # fmt: skip
    parts.append('g = { value = 9.81, unit = "m/s²", description = "gravity" }\n')
    return "".join([*parts, *bodies, _TAIL])


def _body(i: int, joint: str, text: str) -> str:
    com, inertia = f'com = "0 0 Lc{i}"', f'inertia = "Ix{i} Iy{i} Iz{i}"'
    if i == 1:
        com = f"{com:<36}# centre of mass, in the frame of the body"
        inertia = f"{inertia:<36}# about the centre of mass; or XX XY XZ YY YZ ZZ"
    parent = [f'parent = "link{i - 1}"'] if i > 1 else []
    lines = ["", "[[bodies]]", f'name = "link{i}"', *parent, f"joint = {{ {joint} }}  # {text}"]
    return "\n".join([*lines, f'mass = "m{i}"', com, inertia, ""])


def _check(letters: str) -> None:
    valid = ", ".join(f"{k} {kind}" for k, (kind, _) in LETTERS.items())
    if not letters:
        raise ModelError(f"A joint string must have one letter per joint, got ''. Valid: {valid}.")
    if len(letters) > MAX_JOINTS:
        raise ModelError(f"A template must have at most {MAX_JOINTS} joints, got {len(letters)}.")
    for k, letter in enumerate(letters, 1):
        if letter not in LETTERS:
            raise ModelError(
                f"Unknown joint letter {letter!r} at position {k} of {brief(letters)}. Valid: {valid}."
            )

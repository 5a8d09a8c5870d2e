"""Golem Krang on fixed wheels: base, spine, torso and two arms of seven joints, 17 in all.

Source: document 000 (M. Zafar, Equations of Motion of Krang on Fixed Wheels, Kane, 2015) and document
001 (the same by Lagrange, 2014). Frames by unit vectors x, y, z, origin P and axis e as in the listing
getKrangFrames; inertias by ten parameters about each frame; gravity along −z.

Where print and mechanics differ, mechanics wins:
- ³T_4l of document 000, section 2, has z = (0, −s, c), which is not x × y: no rotation. The listing and
  document 001 have (0, −s, −c), taken here.
- ²T_3 of document 001 turns the other way than its axis ³e₃ = (0, −1, 0); the listing of 000 agrees
  with the axis and is taken here.
- The document notes τ_imu = −τ_R − τ_L, the reaction of the wheel motors; here τ_imu is one input.
- Lengths and inertias are not in the documents: the default values are plausible, not measured.
"""

from __future__ import annotations

from fractions import Fraction

from ..errors import ModelError
from ..model import Body, Inertia, Parameter, Robot, joint_actuator, unit_vectors, wrench
from ..model.inertia import NAMES

# coordinate, x, y, z, P, e of each frame in its parent ("?" is the side, l or r)
_BASE = [
    ("1", "world", "q_imu", "0 -1 0", "sin(q) 0 cos(q)", "-cos(q) 0 sin(q)", "0 0 0", "-1 0 0"),
    ("2", "1", "q_w", "1 0 0", "0 cos(q) -sin(q)", "0 sin(q) cos(q)", "0 L1 -L2", "-1 0 0"),
    ("3", "2", "q_torso", "-cos(q) 0 -sin(q)", "0 1 0", "sin(q) 0 -cos(q)", "0 L3 L4", "0 -1 0"),
]
_LEFT = ("4l", "3", "q_1l", "0 cos(q) -sin(q)", "1 0 0", "0 -sin(q) -cos(q)", "L6 L5 0", "0 -1 0")
_RIGHT = ("4r", "3", "q_1r", "0 cos(q) sin(q)", "-1 0 0", "0 -sin(q) cos(q)", "-L6 L5 0", "0 -1 0")
_ARM = [
    ("5?", "4?", "q_2?", "-1 0 0", "0 -cos(q) -sin(q)", "0 -sin(q) cos(q)", "0 0 0", "-1 0 0"),
    ("6?", "5?", "q_3?", "-cos(q) 0 sin(q)", "0 -1 0", "sin(q) 0 cos(q)", "0 -L7 0", "0 -1 0"),
    ("7?", "6?", "q_4?", "-1 0 0", "0 -cos(q) -sin(q)", "0 -sin(q) cos(q)", "0 0 0", "-1 0 0"),
    ("8?", "7?", "q_5?", "-cos(q) 0 sin(q)", "0 -1 0", "sin(q) 0 cos(q)", "0 -L8 0", "0 -1 0"),
    ("9?", "8?", "q_6?", "-1 0 0", "0 -cos(q) -sin(q)", "0 -sin(q) cos(q)", "0 0 0", "-1 0 0"),
    ("10?", "9?", "q_7?", "-cos(q) 0 sin(q)", "-sin(q) 0 -cos(q)", "0 -1 0", "0 -L9 0", "0 0 -1"),
]
_FRAMES = [*_BASE]
for _side, _first in (("l", _LEFT), ("r", _RIGHT)):
    _FRAMES.append(_first)
    _FRAMES += [tuple(x.replace("?", _side) for x in row) for row in _ARM]  # type: ignore[misc]

# Plausible values: lengths [m]; mass [kg], centre of mass and radii of gyration [m] of each link.
_LENGTHS = {"L1": "0.25", "L2": "0.10", "L3": "0.37", "L4": "0.08", "L5": "0.20", "L6": "0.20",
            "L7": "0.33", "L8": "0.30", "L9": "0.15"}  # fmt: skip
_LINKS = {
    "1": ("32", "0 0.12 -0.05", "0.20 0.16 0.18"), "2": ("18", "0 0.18 0.03", "0.15 0.07 0.15"),
    "3": ("22", "0 0.12 0.02", "0.15 0.13 0.12"), "4": ("4", "0 -0.03 0.01", "0.05 0.04 0.05"),
    "5": ("3.6", "0 -0.12 0.01", "0.09 0.04 0.09"), "6": ("3.2", "0 -0.02 0.01", "0.05 0.04 0.05"),
    "7": ("2.4", "0 -0.11 0.01", "0.08 0.03 0.08"), "8": ("2", "0 -0.02 0.01", "0.04 0.03 0.04"),
    "9": ("1.4", "0 -0.05 0.01", "0.04 0.03 0.04"), "10": ("1.8", "0.01 0 0.06", "0.05 0.05 0.04"),
}  # fmt: skip


def krang(frames: int = 17) -> Robot:
    """Krang on fixed wheels, or its first `frames` frames (document 000, getKrangFrames(nFrames)).

    >>> krang(frames=3).q
    (q_imu, q_w, q_torso)
    """
    if not 1 <= frames <= len(_FRAMES):
        raise ModelError(f"Krang has 1 to {len(_FRAMES)} frames, not {frames}.")
    bodies = [_body(*row) for row in _FRAMES[:frames]]
    names = {b.name for b in bodies}
    forces = [joint_actuator(b.joint.coordinates[0]) for b in bodies]
    hands = [s for s in "lr" if f"10{s}" in names]
    wrenches = [
        wrench(f"10{s}", f"F{s}x F{s}y F{s}z", f"T{s}x T{s}y T{s}z", at=f"E{s}_x E{s}_y E{s}_z",
               name=f"hand_{s}") for s in hands
    ]  # fmt: skip
    return Robot(
        "krang",
        bodies,
        forces=[*forces, *wrenches],
        parameters=_parameters(bodies, hands),
        description="Golem Krang on fixed wheels (Zafar 2014, 2015)",
    )


def _body(
    name: str, parent: str, q: str, x: str, y: str, z: str, P: str, e: str
) -> Body:  # fmt: skip
    x, y, z = (v.replace("(q)", f"({q})") for v in (x, y, z))
    inertia = Inertia.about_origin([f"{n}_{name}" for n in NAMES])
    return Body(name, unit_vectors(q, x, y, z, P, e), inertia=inertia, parent=parent)


def _parameters(bodies: list[Body], hands: list[str]) -> list[Parameter]:
    table = [Parameter(n, Fraction(x), "m", "plausible") for n, x in _LENGTHS.items()]
    for b in bodies:
        mass, com, gyration = _LINKS[b.name.rstrip("lr")]
        m = Fraction(mass)
        tensor = [m * Fraction(k) ** 2 for k in gyration.split()]
        values = Inertia.central(m, com, tensor).ten
        units = ["kg"] + ["kg m"] * 3 + ["kg m²"] * 6
        for n, x, unit in zip(NAMES, values, units, strict=True):
            table.append(Parameter(f"{n}_{b.name}", x.value, unit, "plausible"))
    for s in hands:
        table += [Parameter(f"E{s}_{c}", 0, "m", "point of the wrench") for c in "xyz"]
    table.append(Parameter("g", Fraction("9.81"), "m/s²"))
    return table

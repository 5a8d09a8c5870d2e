"""Numbers of pictures: every solid, rod and polygon, one per line. To write them again:

python tests/picture_numbers.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import equamo as eq
from equamo.algebra.expr.vector import Vector
from equamo.publish.picture.camera import Camera
from equamo.publish.picture.drawing import skeleton
from equamo.publish.picture.flat import flat
from equamo.publish.picture.posture import Posture
from equamo.robot.model.shape import Shape

FOLDER = Path(__file__).parent / "golden" / "pictures"
BUILT_IN = ("rr_arm", "rp_arm", "wheeled_inverted_pendulum", "rolling_disc", "four_bar", "stewart",
            "cassie_leg", "krang", "starleth")  # fmt: skip
OWN = ("trike", "drone", "crane")
ROBOTS = (*BUILT_IN, *OWN)


def robot(name: str) -> eq.Robot:
    """Robot of a picture: a built-in one, or one with parts that those do not have."""
    if name == "trike":  # a wheel by its name, an arm behind it, shapes, limits
        return eq.Robot(
            name,
            [
                eq.Body("frame", eq.planar("base"), mass=5, com="0 0 0.1", inertia="0.1 0.2 0.3"),
                eq.Body("front_wheel", eq.revolute("q1", axis="y", at="0.5 0 0"), mass=1,
                        inertia="0.01 0.02 0.01", parent="frame"),
                eq.Body("seat", eq.prismatic("q2", axis="z", at="-0.3 0 0.2"), mass=0.5,
                        com="0 0 0.1", parent="frame"),
            ],
            gravity="0 0 -9.81",
            limits={"q2": (-0.1, 0.3)},
            shapes={"seat": [Shape("box", Vector(["0.2", "0.3", "0.05"])),
                             Shape("capsule", Vector(["0.05", "0.2"]), Vector(["0", "0", "0.3"])),
                             Shape("sphere", Vector(["0.1"]), Vector(["0", "0", "0.5"]))]},
        )  # fmt: skip
    if name == "drone":  # one body, with thrusts
        at = ("0.3 0.3 0", "-0.3 0.3 0", "-0.3 -0.3 0", "0.3 -0.3 0")
        forces = [eq.force_actuator("hull", force=f"0 0 F{k}", at=p) for k, p in enumerate(at)]
        hull = eq.Body("hull", eq.free("base"), mass=1, inertia="0.01 0.02 0.03")
        return eq.Robot(name, [hull], gravity="0 0 -9.81", forces=forces)
    if (
        name == "crane"
    ):  # universal and spherical joints, a spring between points, a fixed body, y up
        return eq.Robot(
            name,
            [
                eq.Body("mast", eq.universal(("a", "b")), mass=2, com="0 1 0", inertia="0.5 0.1 0.5"),
                eq.Body("jib", eq.spherical("s", at="0 2 0"), mass=1, com="0.5 0 0",
                        inertia="0.01 0.1 0.1", parent="mast"),
                eq.Body("tip", eq.fixed(at="1 0 0"), mass=0.2, parent="jib"),
                eq.Body("mass", eq.helical("h", axis="x", pitch="0.1", at="0.2 0.1 0"), mass=0.3,
                        parent="jib"),
            ],
            gravity="0 -9.81 0",
            forces=[eq.spring("mast", "jib", 9, at="0 0.5 0", to_at="0.5 0 0", rest=1)],
        )  # fmt: skip
    return eq.load(name)


def picture(of: eq.Robot) -> str:
    """Skeleton of a robot, and its flat picture at home, as text."""
    found = skeleton(of)
    poses = Posture(of)([c.home for c in found.coordinates])
    camera = Camera.fitted(found, 640, 480)
    return "".join(f"{line}\n" for line in _lines(found, camera, flat(found, poses, camera)))


def _lines(found: Any, camera: Camera, shown: Any) -> Iterator[str]:
    yield _line("view", [found.size, found.ground, found.yaw, found.pitch, camera.distance],
                found.up, found.low, found.high, camera.target)  # fmt: skip
    for c in found.coordinates:
        yield _line(f"coordinate {c.name} {c.unit} {c.limited}", [c.lower, c.upper, c.home])
    for k, part in enumerate(found.parts):
        axes = " ".join(a.motion for a in part.axes)
        radii = [] if part.radii is None else part.radii
        directions = (a.direction for a in part.axes)
        words = f"part {k} {part.name} {part.parent} {axes}"
        yield _line(words, [part.mass], part.com, radii, *directions)
    for rod in found.rods:
        (a, start), (b, end) = rod.start, rod.end
        yield _line(f"rod {rod.body} {a} {b}", start, end, [rod.radius])
    for s in found.solids:
        yield _line(f"solid {s.body} {s.kind} {s.role}", s.size, s.at, s.turned.ravel())
    for body, point in found.tips:
        yield _line(f"tip {body}", point)
    ends = np.array([[*x.start, *x.end, x.opacity] for x in shown.grid])
    yield _line(f"grid {len(ends)}", ends.mean(axis=0), ends.min(axis=0), ends.max(axis=0))
    # Sorted: two polygons at the same depth may be drawn in either order.
    yield from sorted(_line("shadow", *_spread(points)) for points in shown.shadows)
    yield from sorted(
        _line(f"polygon {p.body} {p.role} {p.color}", *_spread(p.points),
              [p.light, p.depth]) for p in shown.polygons
    )  # fmt: skip


def _spread(points: Any) -> tuple[Any, Any, Any]:
    """Extent and area: hulls may keep a point in the middle of an edge or not."""
    x, y = points.T[:2]
    area = abs(np.roll(x, -1) @ y - np.roll(y, -1) @ x) / 2
    return points.min(axis=0), points.max(axis=0), [area]


def _line(words: str, *numbers: Iterable[float]) -> str:
    values = [float(x) for part in numbers for x in part]
    return f"{words} : " + " ".join(f"{x + 0.0:.7g}" for x in np.round(values, 6))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in ROBOTS:
        (FOLDER / f"{each}.txt").write_text(picture(robot(each)), encoding="utf-8")

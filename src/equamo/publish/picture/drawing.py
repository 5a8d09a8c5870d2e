"""Construction of a robot's Skeleton: the rods, drums, wheels and boxes that represent its bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

from ...algebra.arrays import np
from ...robot.model import Robot
from .camera import first_view
from .closures import contact_marks, loop_marks
from .measures import ZERO, Measures
from .meshes import MeshSolid, meshes
from .posture import Array, Values
from .shapes import solids_of_shape
from .skeleton import WORLD_INDEX, Rod, Skeleton, Solid, bounds, place, turn_to
from .sliders import sliders
from .thrusts import HUB, arms

THIN, THICK = 0.012, 0.024  # radii of rods, relative to the robot's size
LARGEST: Final = 0.12  # radius of a body among others, relative to the robot's size
NEAR: Final = 1e-3  # relative to the robot's size; shorter rods are not drawn


def skeleton(robot: Robot, values: Values | None = None, triangles: int = 0) -> Skeleton:
    """Represent a robot by solids, with numbers for its parameters.

    Its meshes are read if `triangles` is positive, and simplified to at most that many triangles.

    >>> from equamo.robot.library import load
    >>> arm = skeleton(load("rr_arm"))
    >>> [len(arm.rods), arm.up.tolist(), arm.tips[0][1].tolist()]
    [2, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    """
    return _Drawing(robot, values, triangles).skeleton()


@final
class _Drawing(Measures):
    def __init__(self, robot: Robot, values: Values | None, triangles: int) -> None:
        super().__init__(robot, values)
        self.meshes = meshes(robot, triangles, self.index, self)
        meshed = {self.parts[m.body].name for m in self.meshes.solids if m.body != WORLD_INDEX}
        hidden = {n for n in meshed - self.meshes.incomplete if robot.meshes[n][0].replaces_shapes}
        self.given: dict[str, tuple[Any, ...]] = {
            n: () if n in hidden else robot.shapes.get(n, ()) for n in (*robot.shapes, *meshed)
        }
        # Shapes replace rods only if every body with mass has one, meshes if most have one: a few of
        # them would look broken. The other bodies are then ellipsoids.
        massive = [p.name for p in self.parts if p.mass > 0]
        bare = [n for n in massive if n not in self.given]
        self.shaped = bool(self.given) and (
            not bare or (bool(meshed) and 2 * len(bare) < len(massive))
        )
        self.rods: list[Rod] = []
        self.solids: list[Solid] = []
        self.tips: list[tuple[int, Array]] = []
        self.armed: set[int] = set()  # bodies with arms and rotors, which need a hub

    def skeleton(self) -> Skeleton:
        for name, shapes in self.given.items():
            self.solids += [s for x in shapes for s in solids_of_shape(x, self.index[name], self)]
        reached = [WORLD_INDEX, *(k for k in range(len(self.parts)) if self._floats(k))]
        for k in reached:  # parents first, without frames that carry nothing
            self._link(k)
            reached += self._limbs(k)
        for k in range(len(self.parts)):
            self._joint(k)
        self._masses()
        rods, marks = loop_marks(self.robot, self.index, self.numbers, self.size)
        self.rods += rods
        self.solids += marks
        ground = self._ground()
        self.solids += contact_marks(self.robot, self.index, self.numbers, self.size)
        low, high = bounds(
            self.rods, self.solids, self.tips, self.poses, self.size, self.meshes.solids
        )
        return Skeleton(
            self.robot.name, self.parts, tuple(self.rods), tuple(self.solids), tuple(self.tips),
            sliders(self.robot, self.q, self.size, self.values), self.robot.state_space.q.quaternions,
            self.up, ground, self.size, low, high, *first_view(self.up, self._axes()),
            self.meshes,
        )  # fmt: skip

    def _drawn(self, k: int) -> bool:
        """Whether a body has shapes or a mesh of its own."""
        return k != WORLD_INDEX and self.parts[k].name in self.given

    def _masses(self) -> None:
        """The ellipsoid of inertia of each body with mass that nothing else represents."""
        drawn = {k for r in self.rods for k in (r.body, r.start[0], r.end[0])}
        drawn |= {s.body for s in self.solids} | {m.body for m in self.meshes.solids}
        drawn -= self.armed
        for k, part in enumerate(self.parts):
            if k in drawn or part.mass <= 0:
                continue
            least = 0.5 * THIN * self.size
            radii = np.full(3, least) if part.radii is None else np.maximum(part.radii, least)
            if len(self.parts) > 1:  # some files have inertias that no link of this size can have
                radii = radii * min(1.0, LARGEST * self.size / float(radii.max()))
            a, b, c = (radii * (HUB if k in self.armed else 1.0)).tolist()
            self.solids.append(Solid(k, "sphere", "mass", (a, b, c), part.com, part.principal))

    def _axes(self) -> list[Array]:
        """Axes of the revolute joints in the world frame."""
        return [self.poses[k, :3, :3] @ a.direction for k, p in enumerate(self.parts)
                for a in p.axes if a.motion == "revolute"]  # fmt: skip

    def _limbs(self, k: int) -> list[int]:
        """Children to which a rod is drawn: relevant bodies, else the frames at the end."""
        children = [c for c in self.children[k] if not self._floats(c)]
        alive = [c for c in children if self.alive[c]]
        return alive or (children if k != WORLD_INDEX else [])

    def _link(self, k: int) -> None:
        limbs = self._limbs(k)
        ends = [(c, self._anchor(c)) for c in limbs]
        joined = self.attached.get(k, [])
        box = self._trunk(k, [*(p for _, p in ends), *joined])
        if box is not None and not self.shaped:
            self.solids.append(box)
        own = 0.0 if k == WORLD_INDEX else self.parts[k].mass / max(1, len(ends))
        for c, p in ends:
            radius = self._radius(own + self.borne[c], p)
            if self._far(p) and box is None and not self.shaped:
                self.rods.append(Rod(k, (k, ZERO), (k, p), radius))
            if self._slides(c) and not (self.shaped and self._drawn(c)):
                self.rods.append(Rod(c, (k, p), (c, ZERO), 0.6 * radius))
        if k == WORLD_INDEX:
            return
        for p in joined:
            if self._far(p) and box is None and not self.shaped:
                self.rods.append(Rod(k, (k, ZERO), (k, p), self._radius(self.parts[k].mass, p)))
        if self.shaped and self._drawn(k) and self.meshes.solids:
            return  # its end is where its mesh ends
        if not limbs and joined:
            self.tips += [(k, p) for p in joined]
        elif not limbs:
            self._end(k)

    def _end(self, k: int) -> None:
        """Draw the end of a limb: a wheel, a rod through the centre of mass, or to its frame."""
        part = self.parts[k]
        wheel = self._wheel(k)
        if wheel:
            self.tips.append((k, ZERO))
            if part.name not in self.given:
                self.solids += wheel
            return
        tip = 2 * part.com if self._far(part.com) else ZERO
        if self._floats(k):
            tip = part.com  # a lone body, such as a drone, is an ellipsoid and not a rod
            rods, rotors = arms(k, part.com, self.thrusts.get(k, ()), self.size)
            self.rods += rods
            self.solids += rotors
            self.armed |= {r.body for r in rods}
        elif self._far(tip) and not self.shaped:
            self.rods.append(Rod(k, (k, ZERO), (k, tip), self._radius(part.mass, tip)))
        self.tips.append((k, tip))

    def _radius(self, mass: float, end: Array) -> float:
        """Radius of a rod, which grows with the mass it carries, within limits."""
        share = min(1.0, mass / self.total) ** 0.5 if self.total > 0 else 0.5
        radius = self.size * (THIN + (THICK - THIN) * share)
        return min(radius, max(0.25 * float(np.linalg.norm(end)), 0.5 * THIN * self.size))

    def _far(self, p: Array) -> bool:
        return bool(np.linalg.norm(p) > NEAR * self.size)

    def _trunk(self, k: int, ends: Sequence[Array]) -> Solid | None:
        """Box of a body with at least three limbs that spread in two directions."""
        if k == WORLD_INDEX or len(ends) < 3:
            return None
        low, high = np.min(ends, axis=0), np.max(ends, axis=0)
        span = high - low
        if np.sum(span > 0.1 * self.size) < 2:
            return None
        least = 4 * THICK * self.size
        size = np.maximum(span, least)
        return Solid(k, "box", "link", tuple(size), (low + high) / 2, np.eye(3))

    def _joint(self, k: int) -> None:
        part = self.parts[k]
        if len(part.axes) != 1 or self._wheel(k) or self.shaped:
            return
        around = [r.radius for r in self.rods if k in (r.body, r.start[0], r.end[0])]
        parents = [r.radius for r in self.rods if r.body == part.parent]
        r = 1.4 * max([*around, *(parents if part.parent >= 0 else ())], default=THIN * self.size)
        r = max(min(r, 0.36 * self._room(k)), 1.1 * max(around, default=0.0))
        rotation = turn_to(part.axes[0].direction)
        if part.axes[0].motion == "revolute":
            drum = Solid(k, "cylinder", "joint", (r, r, 2.1 * r), ZERO, rotation)
        else:
            drum = Solid(k, "box", "joint", (2 * r, 2 * r, 3 * r), ZERO, rotation)
        self.solids.append(drum)

    def _room(self, k: int) -> float:
        """Distance to the nearest other joint of a body or of its parent."""
        near = [self._anchor(c) for c in self.children[k] if self.alive[c]] + [self._anchor(k)]
        near += self.attached.get(k, [])
        if not self.children[k]:
            near.append(2 * self.parts[k].com)
        far = [float(np.linalg.norm(p)) for p in near if self._far(p)]
        return min(far, default=self.size)

    def _wheel(self, k: int) -> list[Solid]:
        """Tyre, hub and spoke of a body on a floating base that rotates about its axis of symmetry."""
        part = self.parts[k]
        root = self.index[self.robot.path(part.name)[0].name]
        if len(part.axes) != 1 or part.axes[0].motion != "revolute" or part.radii is None:
            return []
        e = part.axes[0].direction
        rolling = self._floats(root) and self.robot.speed_map is not None
        named = "wheel" in part.name.lower()
        if self.children[k] or self._far(part.com - e * (e @ part.com)) or not (rolling or named):
            return []
        across = np.linalg.norm(part.principal.T @ e * part.radii)
        radius = float(np.median(np.sort(part.radii)[1:])) * 2 / 5**0.5
        if across > 0.9 * part.radii.max():
            return []
        height = float(self.up @ self.poses[k, :3, 3])
        if rolling and height > 0:
            radius = height  # the wheel touches the ground
        rotation = turn_to(e)
        width = 0.22 * radius
        spoke = (1.5 * radius, 0.13 * radius, 1.12 * width)
        return [
            Solid(k, "cylinder", "wheel", (radius, radius, width), part.com, rotation),
            Solid(k, "cylinder", "hub", (0.78 * radius,) * 2 + (1.06 * width,), part.com, rotation),  # type: ignore[arg-type]
            Solid(k, "box", "wheel", spoke, part.com, rotation),
        ]

    def _ground(self) -> float:
        """Height of the ground: 0 if the robot stands on it, else below the robot."""
        balls = [(place(self.poses, *e), r.radius) for r in self.rods for e in (r.start, r.end)]
        balls += [(place(self.poses, s.body, s.at), self._reach(s)) for s in self.solids]
        balls += [(place(self.poses, m.body, p), 0.0) for m in self.meshes.solids for p in m.ends]
        tips = [float(self.up @ place(self.poses, k, p)) for k, p in self.tips]
        tips += [h for h, m in self._lowest() if not self._limbs(m.body)]
        if not balls:
            balls = [(ZERO, 0.0)]
        low, high = (f(float(self.up @ p) for p, _ in balls) for f in (min, max))
        under = min(float(self.up @ p) - r for p, r in balls)
        if any(self._floats(k) for k in range(len(self.parts))):
            ground = 0.0 if min([low, *tips]) > -0.02 * self.size else under
            self._feet(ground)
            return ground
        base = [h for h, m in self._lowest() if self._grounded(m.body)]
        if base and low > min(base) - 0.25 * self.size:
            return min(base)  # the robot stands on its base, and may reach a little below it
        legs = len(tips) > 1 and sum(h < min(tips) + 0.05 * self.size for h in tips) > 1
        if high > 0.2 * self.size and high > -low:
            self._plate(under)
            return under  # the robot stands
        if legs and low < -0.2 * self.size:
            return under  # the robot stands, with a fixed base
        reach = sum(float(np.linalg.norm(self._anchor(k))) for k in range(len(self.parts)))
        reach += max((float(np.linalg.norm(p)) for _, p in self.tips), default=0.0)
        return min(under, -min(reach, 1.2 * self.size)) - 0.04 * self.size

    def _lowest(self) -> list[tuple[float, MeshSolid]]:
        """Each mesh with the height of its lowest point."""
        return [(min(float(self.up @ place(self.poses, m.body, p)) for p in m.ends), m)
                for m in self.meshes.solids if len(m.ends)]  # fmt: skip

    def _grounded(self, k: int) -> bool:
        """Whether a body is fixed to the world."""
        while k != WORLD_INDEX and not self.robot.bodies[k].joint.coordinates:
            k = self.parts[k].parent
        return k == WORLD_INDEX

    def _reach(self, s: Solid) -> float:
        """Vertical half-extent of a solid."""
        rotation = s.turned if s.body == WORLD_INDEX else self.poses[s.body, :3, :3] @ s.turned
        whole = {"box": (0, 0, 0), "sphere": (1, 1, 1)}.get(
            s.kind, (1, 1, 0)
        )  # not half, of its size
        half = [x if w else x / 2 for x, w in zip(s.size, whole, strict=True)]
        return float(np.abs(rotation.T @ self.up) @ np.array(half))

    def _plate(self, ground: float) -> None:
        """Plate under a robot whose base is on the ground."""
        if abs(ground) < 0.08 * self.size and not self.meshes.solids:
            height = 0.012 * self.size
            size = (0.07 * self.size, 0.07 * self.size, height)
            at = self.up * (ground + height / 2)
            self.solids.append(Solid(WORLD_INDEX, "cylinder", "joint", size, at, turn_to(self.up)))

    def _feet(self, ground: float) -> None:
        """A ball at each end of a limb that is on the ground."""
        wheels = {s.body for s in self.solids if s.role in ("wheel", "mass")}
        for k, p in self.tips:
            height = float(self.up @ place(self.poses, k, p)) - ground
            if (
                k not in wheels  # which show where they touch the ground
                and height < 0.06 * self.size
                and self.parts[k].name not in self.given
            ):
                r = 1.5 * THIN * self.size
                self.solids.append(Solid(k, "sphere", "foot", (r, r, r), p, np.eye(3)))

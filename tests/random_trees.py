"""Random trees of bodies, reproducible from a seed.

A `Tree` is plain numbers, made here without equamo: `tree.robot()` hands them to equamo, the oracles
hand the same numbers to Pinocchio and MuJoCo. An error in how equamo reads them therefore shows.
Axes and placements are rational and aligned with nothing, inertias are physical, and all ten
inertial numbers of a body are nonzero.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from equamo.algebra.expr import Expr, symbol
from equamo.algebra.expr.evaluate import FLOATS, evaluate
from equamo.algebra.expr.matrix import Matrix, identity
from equamo.algebra.expr.vector import Vector
from equamo.robot.model import (
    Body,
    ForceElement,
    Inertia,
    Joint,
    Robot,
    custom,
    cylindrical,
    fixed,
    force_actuator,
    free,
    helical,
    joint_actuator,
    planar,
    prismatic,
    revolute,
    spherical,
    torque_actuator,
    unit_vectors,
    universal,
    wrench,
)

# As in conftest: everything under `make test-all`, a sample with fixed seeds otherwise.
WHOLE_SWEEPS = os.environ.get("EQUAMO_TEST_ALL", "") not in ("", "0")

Three = tuple[Fraction, Fraction, Fraction]
Nine = tuple[Three, Three, Three]

KINDS = (
    "fixed", "revolute", "prismatic", "helical", "cylindrical", "universal", "planar",
    "spherical quaternion", "spherical euler", "free quaternion", "free euler", "custom",
)  # fmt: skip
# What a custom joint is here.
CUSTOM = ("two turns", "unit vectors", "crank", "coupled")
SPEEDS = {
    "fixed": 0, "revolute": 1, "prismatic": 1, "helical": 1, "cylindrical": 2, "universal": 2,
    "planar": 3, "spherical quaternion": 3, "spherical euler": 3, "free quaternion": 6,
    "free euler": 6, "custom": 2,
}  # fmt: skip
X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


@dataclass(frozen=True)
class Link:
    """A body and the joint to its parent, in numbers."""

    name: str
    parent: str
    kind: str
    q: str  # name of the joint's coordinate, or the stem of their names
    at: Three
    rotation: Nine
    angles: Three | None  # if given, the placement is turned by Rx Ry Rz of them, not by `rotation`
    axis: Three
    pitch: Fraction
    variant: str  # of a custom joint
    after: Nine  # of a custom joint by unit vectors: a rotation after the turn
    length: Fraction
    mass: Fraction
    com: Three
    tensor: Nine  # about the centre of mass
    about_origin: bool  # which form of the inertia equamo is given
    symbolic: bool  # whether equamo is given symbols, with the numbers as their default values

    def placement(self) -> np.ndarray:
        """Fixed rotation of the joint frame in the parent."""
        if self.angles is None:
            return np.array(self.rotation, float)
        a, b, c = (float(x) for x in self.angles)
        return turn(X, a) @ turn(Y, b) @ turn(Z, c)

    def ten(self) -> list[Fraction]:
        """m, MX … ZZ about the frame."""
        m, c, J = self.mass, self.com, self.tensor
        square = sum(x * x for x in c)
        J_O = [
            [J[i][j] + m * ((square if i == j else 0) - c[i] * c[j]) for j in range(3)]
            for i in range(3)
        ]
        six = [J_O[i][j] for i in range(3) for j in range(i, 3)]
        return [m, *(m * x for x in c), *six]


def turn(axis: Sequence[Any], angle: float) -> np.ndarray:
    """Rotation about a unit axis, in numbers."""
    e = np.array(axis, float)
    K = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


@dataclass(frozen=True)
class Act:
    """A body that something acts on, and the frame of its reaction or of its components."""

    body: str
    other: str


@dataclass(frozen=True)
class Tree:
    """Links, gravity, and where a torque, a strut, a push and a wrench in its own frame act."""

    seed: int
    links: tuple[Link, ...]
    gravity: Three
    acts: tuple[Act, ...]

    @property
    def kinds(self) -> Counter[str]:
        return Counter(link.kind for link in self.links)

    def robot(self, **other: Any) -> Robot:
        """The tree as equamo is told about it."""
        values: dict[str, Fraction] = {}
        bodies = [_body(link, values) for link in self.links]
        gravity: Any = self.gravity
        if self.seed % 2:
            gravity = "gx gy gz"
            values.update(zip(("gx", "gy", "gz"), self.gravity, strict=True))
        forces = _forces(self, bodies) if self.acts else []
        parameters = dict(values)
        return Robot(
            f"tree {self.seed}", bodies, gravity, forces=forces, parameters=parameters, **other
        )


# -- numbers ---------------------------------------------------------------------------------------
def _fraction(r: random.Random, low: int = 1, high: int = 20, by: int = 20) -> Fraction:
    """A nonzero rational with either sign."""
    return Fraction(r.choice((-1, 1)) * r.randint(low, high), by)


def _three(r: random.Random) -> Three:
    return (_fraction(r), _fraction(r), _fraction(r))


def _rotation(r: random.Random) -> Nine:
    """A rational rotation without a zero entry, from a quaternion of small integers."""
    while True:
        w, x, y, z = (r.choice((-3, -2, -1, 1, 2, 3)) for _ in range(4))
        n = Fraction(w * w + x * x + y * y + z * z)
        rows = (
            (w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z),
        )
        if all(e for row in rows for e in row):
            return tuple(tuple(e / n for e in row) for row in rows)  # type: ignore[return-value]


def _tensor(r: random.Random, mass: Fraction, R: Nine) -> Nine:
    """R diag R^T with moments that fulfil the triangle inequality."""
    a, b, c = (Fraction(r.randint(1, 9), 100) * mass for _ in range(3))
    d = (b + c, a + c, a + b)
    return tuple(  # type: ignore[return-value]
        tuple(sum(R[i][k] * d[k] * R[j][k] for k in range(3)) for j in range(3)) for i in range(3)
    )


def _link(r: random.Random, k: int, kind: str, parent: str, symbolic: bool, variants: Any) -> Link:
    while True:
        mass = Fraction(r.randint(5, 60), 10)
        link = Link(
            name=f"b{k}", parent=parent, kind=kind, q=f"q{k}", at=_three(r), rotation=_rotation(r),
            angles=_three(r) if r.random() < 0.2 else None, axis=_rotation(r)[2],
            pitch=_fraction(r), variant=r.choice(variants), after=_rotation(r),
            length=_fraction(r), mass=mass, com=_three(r), tensor=_tensor(r, mass, _rotation(r)),
            about_origin=r.random() < 0.5, symbolic=symbolic and r.random() < 0.7,
        )  # fmt: skip
        if all(link.ten()):
            return link


def random_tree(
    seed: int, kinds: Sequence[str] = KINDS, bodies: int | Sequence[str] | None = None, most: int = 12,
    speeds: int = 99, forces: bool = True, symbolic: bool = True, free_at_root: bool = False,
    variants: Sequence[str] = CUSTOM,
) -> Tree:  # fmt: skip
    """A tree of `bodies` bodies (else 2 to `most`) with at most `speeds` degrees of freedom.

    `bodies` may also be the kinds of their joints, one after the other.

    >>> random_tree(1) == random_tree(1)
    True
    """
    r = random.Random(seed)
    given = () if bodies is None or isinstance(bodies, int) else tuple(bodies)
    count = len(given) or (bodies if isinstance(bodies, int) else r.randint(2, most))
    links: list[Link] = []
    left = speeds
    # The first kind goes round with the seed, so that every kind occurs in any run of seeds.
    first = kinds[seed % len(kinds)]
    for k in range(1, count + 1):
        kind = given[k - 1] if given else first if k == 1 else r.choice(kinds)
        if SPEEDS[kind] > left:
            kind = "revolute" if left and "revolute" in kinds else "fixed"
        left -= SPEEDS[kind]
        earlier = [x.name for x in links[-3:]]
        parent = r.choice(earlier) if earlier and r.random() < 0.9 else "world"
        if free_at_root and kind == "free quaternion":
            parent = "world"
        links.append(_link(r, k, kind, parent, symbolic, variants))
    names = [x.name for x in links]
    acts = tuple(Act(r.choice(names), r.choice(["world", *names])) for _ in range(4))
    return Tree(seed, tuple(links), _three(r), acts if forces else ())


# -- for equamo ------------------------------------------------------------------------------------
def _named(link: Link, values: dict[str, Fraction], names: str, numbers: Iterable[Any]) -> Any:
    """Symbols `<name>_<link>` with these default values; or the numbers themselves."""
    if not link.symbolic:
        return list(numbers)
    full = [f"{n}_{link.name}" for n in names.split()]
    values.update(zip(full, numbers, strict=True))
    return [symbol(n) for n in full]


def _body(link: Link, values: dict[str, Fraction]) -> Body:
    joint = _joint(link, values)
    if link.about_origin:
        ten = _named(link, values, "m MX MY MZ XX XY XZ YY YZ ZZ", link.ten())
        return Body(link.name, joint, inertia=Inertia.about_origin(ten), parent=link.parent)
    (m,) = _named(link, values, "m", [link.mass])
    com = _named(link, values, "cx cy cz", link.com)
    J = link.tensor
    six = [J[0][0], J[0][1], J[0][2], J[1][1], J[1][2], J[2][2]]
    tensor = _named(link, values, "Gxx Gxy Gxz Gyy Gyz Gzz", six)
    return Body(link.name, joint, m, com, tensor, parent=link.parent)


def _joint(link: Link, values: dict[str, Fraction]) -> Joint:
    kind, q = link.kind, link.q
    at = _named(link, values, "px py pz", link.at)
    rotation: Any = Matrix(link.rotation)
    if link.angles is not None:
        rotation = _named(link, values, "rx ry rz", link.angles)
    place = {"at": at, "rotation": rotation}
    if kind == "fixed":
        return fixed(**place)
    if kind == "revolute":
        return revolute(q, axis=link.axis, **place)
    if kind == "prismatic":
        return prismatic(q, axis=link.axis, **place)
    if kind == "helical":
        (pitch,) = _named(link, values, "pitch", [link.pitch])
        return helical(q, pitch, axis=link.axis, **place)
    if kind == "cylindrical":
        return cylindrical(q, axis=link.axis, **place)
    if kind == "universal":
        return universal(q, **place)
    if kind == "planar":
        return planar(q, **place)
    if kind == "custom":
        return _custom(link, at, values)
    name, rotation = kind.split()
    turned = {"at": place["at"], "orientation": place["rotation"]}
    return (spherical if name == "spherical" else free)(q, rotation=rotation, **turned)  # type: ignore


def _turn(axis: str, angle: str) -> Matrix:
    c, s = f"cos({angle})", f"sin({angle})"
    return Matrix({
        "x": [[1, 0, 0], [0, c, f"-{s}"], [0, s, c]],
        "y": [[c, 0, s], [0, 1, 0], [f"-{s}", 0, c]],
        "z": [[c, f"-{s}", 0], [s, c, 0], [0, 0, 1]],
    }[axis])  # fmt: skip


def _custom(link: Link, at: Any, values: dict[str, Fraction]) -> Joint:
    P, R, q = Vector(at), Matrix(link.rotation), link.q
    (length,) = _named(link, values, "length", [link.length])
    if link.variant == "two turns":
        a, b = f"{q}_a", f"{q}_b"
        first = R @ _turn("z", a)
        return custom(f"{a} {b}", first @ _turn("x", b), P + first @ Vector([length, 0, 0]))
    if link.variant == "unit vectors":
        # About the axis e of the body, after the placement R and the rotation `after`.
        A = R @ Matrix(link.after) @ _rodrigues(link.axis, q)
        return unit_vectors(q, A.column(0), A.column(1), A.column(2), P, link.axis)
    if link.variant == "crank":
        path = Vector([length * symbol(q) ** 2, f"cos({q})", f"{q}/3"])
        return custom(q, R @ _turn("z", q) @ _turn("x", f"2*{q}"), P + R @ path)
    a, b = f"{q}_a", f"{q}_b"
    path = Vector([f"{a}*{b}", f"sin({a} - {b})", length * symbol(b)])
    return custom([a, b], R @ _turn("y", f"{a} + {b}") @ _turn("z", f"{a} - {b}"), P + R @ path)


def _rodrigues(axis: Three, q: str) -> Matrix:
    e, c, s = axis, f"cos({q})", f"sin({q})"
    K = [[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]]
    return Matrix([
        [f"({int(i == j)} - ({e[i] * e[j]}))*{c} + ({K[i][j]})*{s} + ({e[i] * e[j]})" for j in range(3)]
        for i in range(3)
    ])  # fmt: skip


def _forces(tree: Tree, bodies: Sequence[Body]) -> list[ForceElement]:
    """Joint actuators, a torque and a force between two bodies, wrenches with any components."""
    driven = [
        c for b in bodies if b.joint.map() == identity(len(b.joint.q)) for c in b.joint.coordinates
    ]  # fmt: skip
    torque, strut, push, own = tree.acts
    return [
        *(joint_actuator(c) for c in driven[::2]),
        torque_actuator(torque.body, torque.other, "T1 T2 T3", name="torque"),
        force_actuator(strut.body, strut.other, "F1 F2 F3", at="1/2 -1/3 d3", to_at="d4 2 1/5",
                       name="strut"),
        wrench(push.body, "Wx Wy Wz", "Wa Wb Wc", at="e1 e2 e3", expressed_in=push.other, name="push"),
        wrench(own.body, "1 Vy 2", "Va -3 Vc", at="1/7 e4 -2", name="own"),
    ]  # fmt: skip


POINTS = ("d3", "d4", "e1", "e2", "e3", "e4")


# -- for numbers -----------------------------------------------------------------------------------
def random_state(robot: Robot, seed: int) -> dict[Expr, float]:
    """A value for every symbol: parameters at their defaults, unit quaternions, the rest random."""
    r = random.Random(seed)
    values = {x: r.uniform(-1, 1) for x in (*robot.q, *robot.v, *robot.vdot)}
    values |= {x: r.uniform(-1, 1) for x in (*robot.inputs, *robot.external)}
    for x in robot.parameters:
        given = robot.values[x.name]
        values[x] = r.uniform(-1, 1) if given is None else float(given)
    for n in POINTS:  # a strut between two points of one body has no use for them
        values.setdefault(symbol(n), r.uniform(-1, 1))
    for group in robot.unit_groups:
        length = sum(values[x] ** 2 for x in group) ** 0.5
        for x in group:
            values[x] /= length
    return values


def numbers(quantity: Any, values: dict[Expr, float]) -> np.ndarray:
    """An Expr, vector or matrix in numbers."""
    entries = [quantity] if isinstance(quantity, Expr) else quantity.entries
    shape = () if isinstance(quantity, Expr) else quantity.shape
    return np.array(evaluate(entries, FLOATS, values), float).reshape(shape)

"""Other body frames for few operations: M, bias and gravity do not depend on where frames are in bodies.

The origin of a body may lie anywhere on the axis of its revolute joint, and its frame may be turned
about that axis by any angle; a body that slides may have its origin anywhere. A length between
neighbouring origins costs 5 multiplications and 5 additions for each of its components, a fixed rotation
that is no quarter turn 20 and 10: so origins go to where axes meet, and fixed rotations about the axis
of a joint go into the joint. Both are exact: frames are turned by rotations that the model has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, final

from ..expr import ONE, ZERO
from ..expr.matrix import Matrix, identity
from ..expr.number_size import bits
from ..expr.rules import neg
from ..expr.vector import ZERO3, Vector
from ..model.body import WORLD, Body
from ..model.edits import copy_with
from ..model.joint import Joint
from ..model.joints import Prismatic, Revolute, fixed
from ..model.robot import Robot
from .symmetric import moved

LENGTH: Final = 10  # operations of one component of a position in the parent
TURN: Final = 6  # of a rotation in a plane
APPLIED: Final = 5  # vectors that a rotation is applied to: ω, α, a, f, n
LONGEST: Final = 1024  # bits of a number that is carried on to the next body
STEEP: Final = Fraction(1, 2)  # least cosine between an axis and a component that is moved away


@final
@dataclass(frozen=True, slots=True)
class _Frame:
    """A new frame in a body: rotation and origin, in the given one."""

    R: Matrix
    s: Vector

    @property
    def is_given(self) -> bool:
        return self.s.is_zero and identity(3) == self.R

    def then(self, frame: _Frame) -> _Frame:
        """A frame that is given in this one."""
        return _Frame(self.R @ frame.R, self.s + self.R @ frame.s)


def reframed(robot: Robot) -> Robot:
    """A robot with the same M, bias, gravity and forces as functions, with body frames that cost less.

    Bodies that are fixed to others hand what they carry to the first one that moves. Where a force
    element names a body, the name stays with the given frame, which is then a body without mass, and the
    body in its new frame is called `<name> moved`.

    >>> from equamo.robots import load
    >>> [b.joint.at for b in reframed(load("iiwa")).bodies][1:4]
    [Vector([0, 0, 0]), Vector([0, 0, 0]), Vector([0, 0, l3 + l4])]
    """
    bodies = carried(robot)
    joints = {b.name: b.joint for b in bodies}
    # What depends on the frame of a body: its own joint and those of what it carries.
    beside = {b.name: [b.name, *(c.name for c in bodies if c.parent == b.name)] for b in bodies}
    in_world = {b.name for b in bodies if b.parent == WORLD}  # their placement costs nothing
    frames = {n: _Frame(identity(3), ZERO3) for n in joints}

    def cost(some: dict[str, Joint]) -> int:
        return sum(_joint_cost(x) for n, x in some.items() if x.speeds and n not in in_world)

    changed = True
    while changed:  # each change saves operations, so this ends
        changed = False
        for n in joints:
            given = {c: joints[c] for c in beside[n]}
            best, least, chosen = given, cost(given), None
            for frame in _frames(given, n):
                tried = _in_frame(given, n, frame)
                if cost(tried) < least:
                    best, least, chosen = tried, cost(tried), frame
            if chosen is not None:
                joints |= best
                frames[n] = frames[n].then(chosen)
                changed = True
    named = {n for f in robot.forces for n in f.bodies()}
    # Shapes are given in frames that may be gone; nothing that is computed has any use for them.
    return copy_with(robot, bodies=_rebuilt(bodies, joints, frames, named), shapes={})


def _rebuilt(
    bodies: list[Body], joints: dict[str, Joint], frames: dict[str, _Frame], named: set[str]
) -> list[Body]:
    """The bodies in their new frames; fixed to those in `named` the given frames, with their names."""
    changed = {n for n, frame in frames.items() if not frame.is_given}
    other = _free_names(frames, "moved")
    new: list[Body] = []
    for b in bodies:
        R, s = frames[b.name].R.T, frames[b.name].s
        name, parent = (other[n] if n in changed else n for n in (b.name, b.parent))
        inertia = b.inertia if frames[b.name].is_given else moved(b.inertia, R, -(R @ s))
        new.append(Body(name, joints[b.name], inertia=inertia, parent=parent))
        if b.name in changed & named:
            new.append(Body(b.name, fixed(-(R @ s), R), parent=name))
    return new


def _free_names(names: Iterable[str], suffix: str) -> dict[str, str]:
    """{name: name with the suffix}, lengthened until no body has it."""
    taken = set(names)
    while any(f"{n} {suffix}" in taken for n in taken):
        suffix += "'"
    return {n: f"{n} {suffix}" for n in taken}


def factored(robot: Robot) -> Robot:
    """The robot with each fixed rotation about another axis than the joint's as a step of its own.

    A frame without mass, called `<name> carrier`, is put between: two rotations in a plane, one after
    the other, take fewer operations than their product, and far fewer on a tensor.
    """
    new: list[Body] = []
    carrier = _free_names((b.name for b in robot.bodies), "carrier")
    for b in robot.bodies:
        joint, parent = b.joint, b.parent
        if joint.speeds and parent != WORLD and _turn_cost(joint) == APPLIED * TURN:
            new.append(Body(carrier[b.name], fixed(joint.at, joint.turned), parent=parent))
            joint, parent = replace(joint, at=ZERO3, turned=identity(3)), new[-1].name
        new.append(Body(b.name, joint, inertia=b.inertia, parent=parent))
    return copy_with(robot, bodies=new)


def carried(robot: Robot) -> list[Body]:
    """The bodies, each with the first one that moves (or the world) as its parent."""
    place: dict[str, tuple[str, Matrix, Vector]] = {}
    bodies: list[Body] = []
    for b in robot.bodies:
        joint, parent = b.joint, b.parent
        if parent in place:
            parent, A, P = place[parent]
            joint = replace(joint, at=P + A @ joint.at, turned=A @ joint.turned)
        if not joint.speeds:
            place[b.name] = parent, joint.rotation, joint.position
        bodies.append(Body(b.name, joint, inertia=b.inertia, parent=parent))
    return bodies


def _in_frame(joints: dict[str, Joint], n: str, frame: _Frame) -> dict[str, Joint]:
    """The joint of a body in a new frame, and of what it carries."""
    R, s = frame.R, frame.s
    return {
        name: replace(x, at=x.at + x.turned @ s, turned=x.turned @ R)
        if name == n
        else replace(x, at=R.T @ (x.at - s), turned=R.T @ x.turned)
        for name, x in joints.items()
    }


def _frames(joints: dict[str, Joint], n: str) -> Iterator[_Frame]:
    """Frames on the axis of a body's joint that could make a position or a rotation simpler."""
    joint = joints[n]
    others = [x for name, x in joints.items() if name != n and x.speeds]
    if isinstance(joint, Prismatic):
        for s in (-(joint.turned.T @ joint.at), *(other.at for other in others)):
            yield _Frame(identity(3), s)
    if not isinstance(joint, Revolute):
        return
    e = joint.axis
    shifts = [ZERO3]  # by which a component of a position becomes 0
    for at, along in ((-joint.at, joint.turned @ e), *((other.at, e) for other in others)):
        for x, y in zip(at, along, strict=True):
            # Not along an axis that is nearly at right angles: the origin would go far away.
            if x is not ZERO and y.value is not None and abs(y.value) >= STEEP:
                shifts.append(e * (x / y))
    turns = [identity(3)]
    k = _coordinate(e)
    for T in (joint.turned.T, *(other.turned for other in others)):
        R = None if k is None else _turn_about(T, k)
        if R is not None:
            turns.append(R)
    for R in turns:
        for s in shifts:
            if bits((*R.entries, *s)) <= LONGEST:
                yield _Frame(R, s)


def _turn_about(T: Matrix, k: int) -> Matrix | None:
    """The turn R about axis k that T starts with, such that Rᵀ T is made of quarter turns."""
    if all(x is ZERO or _is_one(x) for x in T.entries):
        return None
    c = _coordinate(T.row(k))
    if c is None:
        return None
    # Column j of R, j ≠ k, is a column of T in the plane of rotation; the other one is e_k × it.
    first = T.column(next(j for j in range(3) if j != c))
    e = identity(3).row(k)
    columns = {k: e, (k + 1) % 3: first, (k + 2) % 3: e.cross(first)}
    return Matrix([columns[j] for j in range(3)]).T


def _coordinate(e: Vector) -> int | None:
    """The axis along which a vector is ±1, if it is along one."""
    along = [k for k in range(3) if e[k] is not ZERO]
    return along[0] if len(along) == 1 and _is_one(e[along[0]]) else None


def _is_one(x: object) -> bool:
    return x is ONE or x is neg(ONE)


def _joint_cost(joint: Joint) -> int:
    """Operations of a joint's placement in the parent, more or less."""
    lengths = sum(x is not ZERO for x in joint.at)
    return LENGTH * lengths + _turn_cost(joint)


def _turn_cost(joint: Joint) -> int:
    T = joint.turned
    if all(x is ZERO or _is_one(x) for x in T.entries):
        return 0
    if isinstance(joint, Revolute):
        k = _coordinate(joint.axis)
        if k is not None and _coordinate(T.column(k)) is not None:
            return TURN  # in the plane of the joint's own rotation: put together with it
    planes = 1 if any(_is_one(x) for x in T.entries) else 2
    return APPLIED * TURN * planes

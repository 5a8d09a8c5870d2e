"""Body frames that cost few operations: M, bias and gravity do not depend on the choice of body frames.

The origin of a body may be anywhere on the axis of its revolute joint, and its frame may be rotated
about that axis by any angle; the origin of a body that slides may be anywhere. A length between
neighbouring origins costs 5 multiplications and 5 additions per component, a fixed rotation that is not
a quarter turn 20 and 10. So origins move to where axes meet, and fixed rotations about the axis of a
joint become part of the joint. Both are exact: frames are rotated by rotations that the model contains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from ...algebra.expr import ONE, ZERO
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.number_size import bits
from ...algebra.expr.rules import neg
from ...algebra.expr.vector import ZERO3, Vector
from ...robot.model.body import WORLD, Body
from ...robot.model.edits import copy_with
from ...robot.model.inertia import Inertia
from ...robot.model.joint import Joint
from ...robot.model.joints import Prismatic, Revolute, fixed
from ...robot.model.robot import Robot
from ...robot.spatial.frame import WORLD_FRAME, Frame
from ...robot.spatial.pose import Pose

LENGTH: Final = 10  # operations of one component of a position in the parent
TURN: Final = 6  # operations of a rotation in a plane
APPLIED: Final = 5  # vectors that a rotation is applied to: ω, α, a, f, n
LONGEST: Final = 1024  # bits of a number that may be moved on to the next body
STEEP: Final = Fraction(1, 2)  # least cosine between an axis and a component that is removed


def reframed(robot: Robot) -> Robot:
    """Robot with the same M, bias, gravity and forces as functions, with body frames that cost less.

    Children of fixed bodies become children of the first body that moves. If a force element, loop or
    contact names a body, the original frame keeps the name as a massless body, and
    the body in its new frame is called `<name> moved`.

    >>> from equamo.robot.library import load
    >>> [b.joint.at for b in reframed(load("iiwa")).bodies][1:4]
    [Vector([0, 0, 0]), Vector([0, 0, 0]), Vector([0, 0, l3 + l4])]
    """
    bodies = without_fixed_parents(robot)
    joints = {b.name: b.joint for b in bodies}
    # A body's frame affects its own joint and those of its children.
    affected = {b.name: [b.name, *(c.name for c in bodies if c.parent == b.name)] for b in bodies}
    in_world = {b.name for b in bodies if b.parent == WORLD}  # their placement costs nothing
    poses = {b.name: Pose.identity(b.frame) for b in bodies}  # of the new frames, in the old ones

    def cost(some: dict[str, Joint]) -> int:
        return sum(_joint_cost(x) for n, x in some.items() if x.speeds and n not in in_world)

    changed = True
    while changed:  # each change saves operations, so this ends
        changed = False
        for n in joints:
            present = {c: joints[c] for c in affected[n]}
            best, least, chosen = present, cost(present), None
            for pose in _candidates(present, n, poses[n].frame):
                candidate = _in_frame(present, n, pose)
                if cost(candidate) < least:
                    best, least, chosen = candidate, cost(candidate), pose
            if chosen is not None:
                joints |= best
                poses[n] = poses[n] @ chosen
                changed = True
    named = {n for f in robot.forces for n in f.bodies()}
    named |= {x.body for x in (*robot.loops, *robot.contacts)} | {x.to for x in robot.loops}
    # Shapes and meshes are expressed in the old frames, and no computation uses them.
    return copy_with(robot, bodies=_rebuilt(bodies, joints, poses, named), shapes={}, meshes={})


def _rebuilt(
    bodies: list[Body], joints: dict[str, Joint], poses: dict[str, Pose], named: set[str]
) -> list[Body]:
    """Bodies in their new frames; for those in `named` also the old frames, fixed to the new ones."""
    changed = {n for n, pose in poses.items() if not pose.is_identity}
    new_name = _free_names(poses, "moved")
    new: list[Body] = []
    for b in bodies:
        X = poses[b.name].inverse
        name, parent = (new_name[n] if n in changed else n for n in (b.name, b.parent))
        inertia = Inertia.of(X @ b.spatial_inertia) if b.name in changed else b.inertia
        new.append(Body(name, joints[b.name], inertia=inertia, parent=parent))
        if b.name in changed & named:
            old = X.multiplied_out()
            new.append(Body(b.name, fixed(old.position, old.rotation), parent=name))
    return new


def _free_names(names: Iterable[str], suffix: str) -> dict[str, str]:
    """{name: name with the suffix}, lengthened until no body has it."""
    taken = set(names)
    while any(f"{n} {suffix}" in taken for n in taken):
        suffix += "'"
    return {n: f"{n} {suffix}" for n in taken}


def factored(robot: Robot) -> Robot:
    """Robot with each fixed rotation about another axis than the joint's as a separate step.

    A frame without mass, called `<name> carrier`, is inserted: two successive rotations about coordinate
    axes take fewer operations than their product, and far fewer on a tensor.
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


def without_fixed_parents(robot: Robot) -> list[Body]:
    """Bodies, each with the first body that moves (or the world) as its parent."""
    place: dict[str, Pose] = {}  # of bodies that are fixed, in the first one that moves
    parents: dict[str, str] = {}
    bodies: list[Body] = []
    for b in robot.bodies:
        joint, parent = b.joint, b.parent
        if parent in place:
            X = place[parent] @ Pose(b.frame, place[parent].frame, joint.turned, joint.at)
            joint, parent = replace(joint, at=X.position, turned=X.rotation), parents[parent]
        if not joint.speeds:
            moves = WORLD_FRAME if parent == WORLD else robot.body(parent).frame
            place[b.name] = Pose(b.frame, moves, joint.rotation, joint.position)
            parents[b.name] = parent
        bodies.append(Body(b.name, joint, inertia=b.inertia, parent=parent))
    return bodies


def _in_frame(joints: dict[str, Joint], n: str, new: Pose) -> dict[str, Joint]:
    """Joint of body n if its frame is changed, and the joints of its children.

    `new` is the pose of the new frame in the present one.
    """
    changed: dict[str, Joint] = {}
    for name, x in joints.items():
        if name == n:  # the frame is the joint's moving side
            X = Pose(new.reference, WORLD_FRAME, x.turned, x.at) @ new
        else:
            X = new.inverse @ Pose(Frame(name), new.reference, x.turned, x.at)
        changed[name] = replace(x, at=X.position, turned=X.rotation)
    return changed


def _candidates(joints: dict[str, Joint], n: str, frame: Frame) -> Iterator[Pose]:
    """New frames on the axis of a joint that could simplify a position or a rotation: their poses."""
    joint = joints[n]
    others = [x for name, x in joints.items() if name != n and x.speeds]
    new = Frame(f"new frame of {n}")
    if isinstance(joint, Prismatic):
        for s in (-(joint.turned.T @ joint.at), *(other.at for other in others)):
            yield Pose(new, frame, identity(3), s)
    if not isinstance(joint, Revolute):
        return
    e = joint.axis
    shifts = [ZERO3]  # by which a component of a position becomes 0
    for at, along in ((-joint.at, joint.turned @ e), *((other.at, e) for other in others)):
        for x, y in zip(at, along, strict=True):
            # Not along an axis that is nearly perpendicular: the origin would move far away.
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
                yield Pose(new, frame, R, s)


def _turn_about(T: Matrix, k: int) -> Matrix | None:
    """Rotation R about axis k with which T starts, such that Rᵀ T consists of quarter turns."""
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
    """Axis along which a vector is ±1, if it is parallel to one."""
    along = [k for k in range(3) if e[k] is not ZERO]
    return along[0] if len(along) == 1 and _is_one(e[along[0]]) else None


def _is_one(x: object) -> bool:
    return x is ONE or x is neg(ONE)


def _joint_cost(joint: Joint) -> int:
    """Approximate number of operations of a joint's placement in the parent."""
    lengths = sum(x is not ZERO for x in joint.at)
    return LENGTH * lengths + _turn_cost(joint)


def _turn_cost(joint: Joint) -> int:
    T = joint.turned
    if all(x is ZERO or _is_one(x) for x in T.entries):
        return 0
    if isinstance(joint, Revolute):
        k = _coordinate(joint.axis)
        if k is not None and _coordinate(T.column(k)) is not None:
            return TURN  # in the plane of the joint's own rotation: combined with it
    planes = 1 if any(_is_one(x) for x in T.entries) else 2
    return APPLIED * TURN * planes

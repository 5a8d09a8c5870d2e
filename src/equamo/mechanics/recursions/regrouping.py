"""Regrouping rules: relations between regressor columns that follow from the joints alone.

A relation is Σ coefficient · column = 0 at every state. The rules, after Gautier and Khalil 1990,
without a convention for frames (e is the axis of a joint, in the frame of its body):

    (1) inertias that act on the parent of a joint only: δ on the body − X δ on the parent.
        All of a fixed body; the tensor of a sliding body; m, MS = e and J = 1 − e eᵀ if it rotates
        about e; m if its origin does not move (`movable`). For the world as parent, δ has no effect.
    (2) a body that never rotates: MS and J have no effect
    (3) a body that rotates about one direction e only: MS = e, and J with eᵀ J e = 0
    (4) a first body whose origin does not move, gravity along its axis (or none): MS
    (5) a rotor if only its joint rotates the body about e: I_a − (J = e eᵀ)

The rules are complete for most robots; the rank of the regressor decides (`equations.base_parameters`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, final

from ...algebra.expr import ONE, ZERO, Expr
from ...algebra.expr.fingerprint import fingerprints, same
from ...algebra.expr.matrix import Matrix, identity, outer
from ...algebra.expr.vector import ZERO3, Vector
from ...robot.model.body import WORLD, Body
from ...robot.model.inertia import NAMES, Inertia
from ...robot.model.joint import Joint
from ...robot.model.robot import Robot
from ...robot.spatial.pose import Pose
from .base_parameters import rotation_axis
from .regressor import AXES, TENSORS

Key = tuple[str, str]  # (quantity, body or force element): a column
Relation = dict[Key, Expr]  # Σ coefficient · column = 0
Directions = Vector | tuple[()] | None  # of ω: one direction e, none, or several

# The first of these that occurs in a relation is expressed by the others.
PREFERENCE: Final = ("m", "MZ", "MY", "MX", "YY", "XX", "XY", "XZ", "YZ", "ZZ")
_NOTHING: Final = Matrix([[ZERO] * 3] * 3)


@final
@dataclass(frozen=True)
class BodyRelations:
    """Relations that express columns of one body, and of the rotors at its joint."""

    body: str
    relations: tuple[Relation, ...]
    rotors: tuple[Relation, ...]


def movable(joint: Joint) -> list[Inertia]:
    """(1): basis of the inertias that act on the joint's parent alone.

    >>> from equamo.robot.model.joints import revolute
    >>> [x.ten for x in movable(revolute("q"))][1]
    (0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
    """
    mass = Inertia(ONE, ZERO3, _NOTHING)
    first = [Inertia(ZERO, e, _NOTHING) for e in AXES]
    tensors = [Inertia(ZERO, ZERO3, E) for E in TENSORS]
    still = joint.linear().is_zero
    if joint.angular().is_zero:
        return [mass, *first, *tensors] if still else tensors
    found = [mass] if still else []
    e = rotation_axis(joint)
    if e is not None:
        if still:
            found.append(Inertia(ZERO, e, _NOTHING))
        found.append(Inertia(ZERO, ZERO3, identity(3) - outer(e, e)))
    return found


def regrouping(robot: Robot, owners: Iterable[str]) -> list[BodyRelations]:
    """Relations (1) to (5) of a tree, base to tips; `owners` are the bodies that have columns.

    >>> from equamo.robot.library import load
    >>> upper, _ = regrouping(load("rr_arm"), ["upper", "fore"])
    >>> sorted(next(iter(r))[0] for r in upper.relations)[:3]
    ['MZ', 'MZ', 'XX']
    """
    having = set(owners)
    turning: dict[str, Directions] = {WORLD: () if robot.base.is_zero else None}
    rotors: dict[str, list[str]] = {}
    for element in robot.forces:
        for speed in element.inertia():
            rotors.setdefault(speed, []).append(element.name)
    found: list[BodyRelations] = []
    for b in robot.bodies:
        turning[b.name] = _directions(b.joint, turning[b.parent])
        if b.name not in having:
            continue
        relations = [_column(b.name, I) for I in _without_effect(turning[b.name])]
        if _hangs_along_gravity(robot, b):
            relations += [_column(b.name, Inertia(ZERO, e, _NOTHING)) for e in AXES]
        relations += [_moved(robot, b, I, having) for I in movable(b.joint)]
        own = [n for s in b.joint.speeds for n in rotors.get(s, ())]
        e = rotation_axis(b.joint) if own else None
        parts: list[Relation] = []
        if e is not None and _alone(b.joint, e, turning[b.parent]):
            J = _column(b.name, Inertia(ZERO, ZERO3, outer(e, e)))
            parts = [{("Ia", n): ONE} | {k: -x for k, x in J.items()} for n in own]
        found.append(BodyRelations(b.name, tuple(relations), tuple(parts)))
    return found


def _column(body: str, I: Inertia) -> Relation:
    """Combination of the body's columns with these coefficients."""
    return {(n, body): x for n, x in zip(NAMES, I.ten, strict=True) if x is not ZERO}


def _moved(robot: Robot, b: Body, I: Inertia, having: set[str]) -> Relation:
    """(1) for one inertia"""
    relation = _column(b.name, I)
    start = {q: ZERO for q in b.joint.q}
    target = b.parent
    X = Pose(
        b.frame, robot.spatial_frame(target),
        b.joint.rotation.subs(start), b.joint.position.subs(start),
    )  # fmt: skip
    while target != WORLD and target not in having:  # a frame without mass, fixed to its parent
        fixed = robot.body(target)
        X, target = robot.joint_pose(fixed) @ X, fixed.parent
    if target == WORLD:
        return relation
    there = _column(target, Inertia.of(X @ I.in_frame(b.frame)))
    return relation | {k: -x for k, x in there.items()}


def _directions(joint: Joint, parent: Directions) -> Directions:
    """Directions that ω of a body can have, in its frame."""
    if parent is None:
        return None
    if joint.angular().is_zero:
        if isinstance(parent, tuple):
            return ()
        turned = joint.turned.T @ parent
        return turned if joint.rotation == joint.turned else None
    e = rotation_axis(joint)
    if e is None:
        return None
    if isinstance(parent, tuple):
        return e
    return e if (joint.turned @ e).cross(parent).is_zero else None


def _without_effect(directions: Directions) -> list[Inertia]:
    """(2) and (3)"""
    if directions is None:
        return []
    tensors = [Inertia(ZERO, ZERO3, E) for E in TENSORS]
    if isinstance(directions, tuple):
        return [*(Inertia(ZERO, e, _NOTHING) for e in AXES), *tensors]
    e = directions
    # E − (eᵀ E e)/e_k² · (E of the component k that is not zero)
    weight = [e @ (E @ e) for E in TENSORS]
    k = next(k for k in (5, 3, 0) if weight[k] is not ZERO)
    found = [Inertia(ZERO, e, _NOTHING)]
    for i, E in enumerate(TENSORS):
        if i != k:
            found.append(Inertia(ZERO, ZERO3, E - TENSORS[k] * (weight[i] / weight[k])))
    return found


def _hangs_along_gravity(robot: Robot, b: Body) -> bool:
    """(4): whether the weight has no moment about the joint of a body attached to the world."""
    if b.parent != WORLD or not robot.base.is_zero or not b.joint.linear().is_zero:
        return False
    if robot.gravity.is_zero:
        return True
    e = rotation_axis(b.joint)
    return e is not None and (b.joint.turned @ e).cross(robot.gravity).is_zero


def _alone(joint: Joint, e: Vector, parent: Directions) -> bool:
    """(5): whether e·ω of the body is the speed of the joint."""
    if parent is None or len(joint.speeds) != 1 or joint.angular().column(0) != e:
        return False
    return isinstance(parent, tuple) or ((joint.turned @ e) @ parent) is ZERO


@final
class Elimination:
    """Columns expressed by the kept columns, one relation at a time."""

    def __init__(self, order: Sequence[Key]) -> None:
        self.order: dict[Key, int] = {key: k for k, key in enumerate(order)}
        self.expressed: dict[Key, Relation] = {}  # column -> Σ coefficient · kept column

    @property
    def kept(self) -> list[Key]:
        """Columns that no relation expressed."""
        return [key for key in self.order if key not in self.expressed]

    def add(self, relation: Mapping[Key, Expr], own: str) -> None:
        """Use a relation to express one of its columns, preferably of the body or element `own`."""
        reduced = self.reduced(relation)
        if not reduced:
            return
        pivot = min(reduced, key=lambda key: self._rank(key, reduced[key], own))
        c = reduced.pop(pivot)
        new = {key: -(x / c) for key, x in reduced.items()}
        self.expressed[pivot] = new
        for column, terms in self.expressed.items():
            if pivot in terms:
                x = terms.pop(pivot)
                self.expressed[column] = _sum(terms, {k: x * y for k, y in new.items()})

    def reduced(self, relation: Mapping[Key, Expr]) -> Relation:
        """The same relation between columns that are kept."""
        total: Relation = {}
        for key, x in relation.items():
            terms = self.expressed.get(key, {key: ONE})
            total = _sum(total, {k: x * y for k, y in terms.items()})
        return _without_zeros(total)

    def _rank(self, key: Key, x: Expr, own: str) -> tuple[bool, bool, int, int]:
        quantity, owner = key
        place = PREFERENCE.index(quantity) if quantity in PREFERENCE else -1
        return owner != own, x.value is None, place, -self.order[key]


def _without_zeros(terms: Relation) -> Relation:
    """Terms whose coefficient is not identically 0, tested at random parameter values."""
    unsure = [key for key, x in terms.items() if x.value is None]
    if not unsure:
        return terms
    try:
        zero = [not value for value in fingerprints([terms[key] for key in unsure])]
    except ValueError:  # undefined at that point
        zero = [same(terms[key], ZERO) for key in unsure]
    dropped = {key for key, is_zero in zip(unsure, zero, strict=True) if is_zero}
    return {key: x for key, x in terms.items() if key not in dropped}


def _sum(a: Relation, b: Relation) -> Relation:
    total = dict(a)
    for key, x in b.items():
        y = total[key] + x if key in total else x
        if y is ZERO:
            total.pop(key, None)
        else:
            total[key] = y
    return total

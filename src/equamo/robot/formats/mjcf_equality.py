"""Equality constraints of an MJCF file: loops (connect, weld) and joints that follow others (joint).

MuJoCo satisfies them softly; here they hold exactly:

    connect   the points p₁ of body 1 and p₂ of body 2 coincide: a ball joint that closes a loop
    weld      body 2 has a fixed pose in body 1, R₂ = R₁ R₁₂: a fixed joint that closes a loop
    joint     q₁ − r₁ = c₀ + c₁ x + c₂ x² + c₃ x³ + c₄ x⁴ with x = q₂ − r₂, and r the coordinates in the
              pose of the file; without a second joint x = 0. q₁ is eliminated
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, final

from ...algebra.expr import ONE, ZERO, Expr, as_expr, symbol
from ...algebra.expr.differentiate import derivative
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...errors import FileFormatError
from ..model.body import WORLD
from ..model.constraint import Constraint
from ..model.joint import Joint, speed_name
from ..model.loop import Loop, loop
from ..model.speeds import SpeedMap
from .import_report import Notes

CONNECT, WELD, JOINT = range(3)  # mjtEq
_BODY: Final = 1  # value of mjtObj; otherwise sites


@final
@dataclass(frozen=True, slots=True)
class Numbers:
    """Conversion of MuJoCo's floats to exact numbers, vectors and rotations."""

    exact: Callable[[Any], Fraction]
    vector: Callable[[Any], Vector]
    rotation: Callable[[Any], Matrix]


@final
@dataclass(slots=True)
class Equalities:
    """Loops, and coordinates as expressions in others."""

    loops: list[Loop] = field(default_factory=list[Loop])
    followers: dict[str, Expr] = field(default_factory=dict[str, Expr])

    def arguments(self, joints: Sequence[Joint], notes: Notes) -> dict[str, Any]:
        """Arguments of Robot: loops, speeds, constraints, eliminated coordinates."""
        if not self.followers:
            return {"loops": self.loops}
        slopes = {
            speed_name(n): {speed_name(q.name): derivative([value], q)[0] for q in symbols([value])}
            for n, value in self.followers.items()
        }
        if not self.loops:
            return {"speeds": self._speed_map(joints, slopes)}
        constraints = [
            Constraint(sum((-c * symbol(v) for v, c in row.items()), symbol(u)), f"follow {u}")
            for u, row in slopes.items()
        ]
        some: dict[str, Any] = {"loops": self.loops, "speeds": "auto", "constraints": constraints}
        if all(tuple(map(speed_name, j.coordinates)) == j.speeds for j in joints):
            return some | {"eliminate": self.followers}
        for n in self.followers:
            notes.add("suspicious", 1, f"joint {n} follows by its speed only, because the robot has "
                      "loops and quaternions; start where it follows")  # fmt: skip
        return some

    def _speed_map(
        self, joints: Sequence[Joint], slopes: Mapping[str, dict[str, Expr]]
    ) -> SpeedMap:
        """u = W v with the rows of followers in terms of the joints they follow, as for mimic joints."""
        speeds = [u for joint in joints for u in joint.speeds]
        kept = [u for u in speeds if u not in slopes]
        rows = [[slopes.get(u, {u: ONE}).get(v, ZERO) for v in kept] for u in speeds]
        return SpeedMap(tuple(kept), Matrix(rows, speeds, kept), tuple(self.followers.items()))


def read_equalities(
    m: Any, bodies: Mapping[int, str], joints: Mapping[int, str], numbers: Numbers, notes: Notes
) -> Equalities:
    """Read the equality constraints of a compiled model; those that are not used are noted.

    Args:
        m: MuJoCo's model.
        bodies: Names of the bodies by MuJoCo's number.
        joints: Coordinates of the hinges and slides by MuJoCo's number.
        numbers: Conversion of floats.
        notes: For the import report.

    Returns:
        Loops and followers.

    Raises:
        FileFormatError: Joints follow each other in a circle.
    """
    found = Equalities()
    taken: set[str] = set()
    for i in range(m.neq):
        kind = int(m.eq_type[i])
        name = m.equality(i).name or f"equality{i}"
        while name in taken:
            name += "_"
        taken.add(name)
        if not m.eq_active0[i]:
            notes.add("ignored", 1, f"equality {name}: not active")
        elif kind in (CONNECT, WELD):
            _loop(m, i, name, kind, bodies, numbers, notes, found)
        elif kind == JOINT:
            _follower(m, i, name, joints, numbers, notes, found)
        else:
            notes.add("ignored", 1, f"equality {name}: only connect, weld and joint are imported")
    _resolve(found, notes)
    return found


def _loop(
    m: Any, i: int, name: str, kind: int, bodies: Mapping[int, str], numbers: Numbers, notes: Notes,
    found: Equalities,
) -> None:  # fmt: skip
    first, second = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
    data, vector, rotation = m.eq_data[i], numbers.vector, numbers.rotation
    if int(m.eq_objtype[i]) == _BODY:
        one, two = bodies[first], bodies[second]
        # MuJoCo has the point of body 1 first for connect, but last for weld.
        p1, p2 = vector(data[0:3]), vector(data[3:6])
        turned = None
        if kind == WELD:
            p1, p2, turned = p2, p1, rotation(data[6:10])
    else:
        one, two = (bodies[int(m.site_bodyid[s])] for s in (first, second))
        p1, p2 = (vector(m.site_pos[s]) for s in (first, second))
        R1, R2 = (rotation(m.site_quat[s]) for s in (first, second))
        turned = R1 @ R2.T if kind == WELD else None
    if two == WORLD:
        one, two, p1, p2 = two, one, p2, p1
        turned = None if turned is None else turned.T
    joint = "fixed" if kind == WELD else "spherical"
    found.loops.append(loop(name, body=two, at=p2, to=one, to_at=p1, joint=joint, rotation=turned))
    notes.add(
        "used", 1, f"equality {name}: {joint} joint between {two} and {one}, satisfied exactly"
    )


def _follower(
    m: Any, i: int, name: str, joints: Mapping[int, str], numbers: Numbers, notes: Notes,
    found: Equalities,
) -> None:  # fmt: skip
    first, second = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
    own, c = joints[first], [numbers.exact(x) for x in m.eq_data[i][:5]]
    if own in found.followers:
        notes.add("suspicious", 1, f"equality {name}: joint {own} follows another already, ignored")
        return
    rest = {j: numbers.exact(m.qpos0[int(m.jnt_qposadr[j])]) for j in (first, second) if j >= 0}
    x = ZERO if second < 0 else symbol(joints[second]) - as_expr(rest[second])
    value = as_expr(rest[first] + c[0])
    for power, factor in enumerate(c[1:], 1):
        value = value + as_expr(factor) * x**power
    found.followers[own] = value
    notes.add("used", 1, f"equality {name}: {own} = {value}, satisfied exactly")


def _resolve(found: Equalities, notes: Notes) -> None:
    """Express followers in coordinates that follow nothing."""
    for own in found.followers:
        seen = [own]
        value = found.followers[own]
        while leader := next((x.name for x in symbols([value]) if x.name in found.followers), None):
            if leader in seen:
                circle = " → ".join([*seen, leader])
                raise FileFormatError(
                    f"{notes.file}: joints must not follow each other in a circle, got {circle}."
                )
            seen.append(leader)
            (value,) = substitute([value], {symbol(leader): found.followers[leader]})
        found.followers[own] = value

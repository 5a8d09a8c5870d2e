"""Robots with other names, and every name that the source uses itself.

`renamed` writes a robot again with its symbols and bodies renamed; `source_names` collects all texts
of the source that could serve as a name, so that a name invented tomorrow is tried tomorrow.
"""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import equamo
from equamo.algebra.expr import Expr, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.robot.model import Robot

SYMBOL_FIELDS = {"coordinates", "speeds", "coordinate", "speed", "input", "symbols", "names"}
BODY_FIELDS = {"body", "other", "reaction_on", "expressed_in", "point_in", "parent", "to"}
PLACEHOLDERS = ("0", "x", "q1")  # what may stand in the gap of an f-string


class Renaming:
    """{old: new} of symbols and of bodies; what is not named keeps its name."""

    def __init__(self, symbols: Mapping[str, str], bodies: Mapping[str, str]) -> None:
        self.symbols, self.bodies = dict(symbols), dict(bodies)
        self.table = {symbol(a): symbol(b) for a, b in self.symbols.items()}
        self.back = {symbol(b): symbol(a) for a, b in self.symbols.items()}

    def symbol(self, name: str) -> str:
        return self.symbols.get(name, name)

    def body(self, name: str) -> str:
        return self.bodies.get(name, name)

    def again(self, x: Any, field: str = "") -> Any:
        """A part of a robot with the new names in it."""
        if isinstance(x, Matrix):
            names = [n and [self.symbol(a) for a in n] for n in (x.row_names, x.column_names)]
            return Matrix(x.subs(self.table).rows, *names)
        if isinstance(x, (Expr, Vector)):
            return x.subs(self.table)
        if isinstance(x, str):
            if field in SYMBOL_FIELDS:
                return self.symbol(x)
            return self.body(x) if field in BODY_FIELDS else x
        if isinstance(x, tuple):
            return tuple(self.again(y, field) for y in x)
        if is_dataclass(x):
            new = object.__new__(type(x))
            for f in fields(x):
                object.__setattr__(new, f.name, self.again(getattr(x, f.name), f.name))
            return new
        return x


def renamed(robot: Robot, names: Renaming) -> Robot:
    """The robot with the names of `names`."""
    again = names.again
    bodies = []
    for b in robot.bodies:
        body = again(b)
        object.__setattr__(body, "name", names.body(b.name))
        bodies.append(body)
    speed_map = again(robot.speed_map)
    if speed_map is not None:
        dependent = tuple((names.symbol(n), again(e)) for n, e in robot.speed_map.dependent)
        kept = tuple((names.symbol(n), again(e)) for n, e in robot.speed_map.kept)
        object.__setattr__(speed_map, "dependent", dependent)
        object.__setattr__(speed_map, "kept", kept)
    home = {**robot.home.q, **robot.home.v, **robot.home.inputs}
    parameters = []
    for p in robot.parameter_info.values():
        new = again(p)
        object.__setattr__(new, "name", names.symbol(p.name))
        parameters.append(new)
    return Robot(
        robot.name, bodies, again(robot.gravity), [again(f) for f in robot.forces], parameters,
        again(robot.base), {names.symbol(n): x for n, x in home.items()}, speeds=speed_map,
        limits={names.symbol(n): again(x) for n, x in robot.limits.items()},
        loops=[again(x) for x in robot.loops], contacts=[again(x) for x in robot.contacts],
        mode=robot.mode,
    )  # fmt: skip


def renamings(robot: Robot, pool: Iterable[str]) -> Iterator[Renaming]:
    """Renamings of coordinates, parameters and bodies that together use every name of the pool.

    Names that would clash with the speed or the acceleration of a coordinate wait for the next renaming:
    they are taken, and a robot says so.
    """
    waiting = list(dict.fromkeys(pool))
    while waiting:
        draw = _Draw(robot, waiting)
        coordinates = {x.name: draw.coordinate() for x in robot.joint_coordinates}
        speeds = {
            u.name: f"d{coordinates[u.name[1:]]}"
            for u in robot.joint_speeds
            if u.name[:1] == "d" and u.name[1:] in coordinates
        }
        parameters = {n: draw.parameter() for n in robot.parameter_info}
        symbols = coordinates | speeds | parameters
        bodies = [b.name for b in robot.bodies]
        yield Renaming(symbols, dict(zip(bodies, reversed(symbols.values()), strict=False)))
        waiting = draw.waiting


class _Draw:
    """Names drawn for one robot, in their order, none of them taken."""

    def __init__(self, robot: Robot, waiting: list[str]) -> None:
        renamed = {f"d{x.name}" for x in robot.joint_coordinates}
        own = {x.name for x in (*robot.v, *robot.joint_speeds, *robot.inputs, *robot.external)}
        own -= renamed
        self.taken = own | {f"d{n}" for n in own}
        self.waiting = [n for n in waiting if n not in self.taken]
        self._count = 0

    def coordinate(self) -> str:
        return self._next(lambda n: (n, f"d{n}", f"dd{n}"))

    def parameter(self) -> str:
        return self._next(lambda n: (n,))

    def _next(self, brings: Callable[[str], tuple[str, ...]]) -> str:
        free = (n for n in self.waiting if self.taken.isdisjoint(brings(n)))
        name = next(free, None)
        if name is None:
            self._count += 1
            return f"own {self._count}"
        self.waiting = [n for n in self.waiting if n != name]
        self.taken.update(brings(name))
        return name


@cache
def source_names() -> tuple[str, ...]:
    """Texts of the source, and the words in them, that could be the name of a symbol."""
    found: set[str] = set()
    for path in sorted(Path(equamo.__file__).parent.rglob("*.py")):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            for text in _texts(node):
                found.update([text] if len(text) <= 40 else [])
                found.update(re.findall(r"[^\W\d]\w*", text) if len(text) <= 400 else [])
    return tuple(sorted(n for n in found if _is_name(n)))


def _texts(node: ast.AST) -> Iterable[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        parts = [v.value if isinstance(v, ast.Constant) else None for v in node.values]
        return ["".join(p if p is not None else x for p in parts) for x in PLACEHOLDERS]
    return []


def _is_name(text: str) -> bool:
    plain = text.isprintable() and "`" not in text and text.strip() == text and text
    return bool(plain) and text not in ("pi", "world")


def sample(robot: Robot, seed: int, count: int) -> list[Renaming]:
    """Renamings with names drawn from the source, and from what this robot's own names bring."""
    rng = random.Random(seed)
    pool = list(source_names())
    rng.shuffle(pool)
    chosen = list(islice(renamings(robot, pool), count))
    return [*chosen, *renamings(robot, _derived_names(robot))]


def _derived_names(robot: Robot) -> list[str]:
    """Names that a derivation might make from those of the robot."""
    base = [x.name for x in robot.joint_coordinates][:2]
    patterns = (
        "{}", "d{}", "next_{}", "sum_{}", "next_sum_{}", "tau_{}", "tau_d{}", "rate of {}", "rate_{}",
        "base_{}", "base.{}", "sin_{}", "cos_{}", "minus_{}", "{}_a", "{}_2", "{}_x",
    )  # fmt: skip
    fixed = [
        "a", "b", "t", "x", "sum_x", "next_a", "next_b", "direction 0", "direction 1",
        "time of the motion", "base.alpha.x", "base.w.z", "base.a.y", "a.x", "alpha.y", "omega.z",
        "anchor of the circle", "a:m upper", "tau_dq1", "None", "t1", "t2", "u0", "i0",
    ]  # fmt: skip
    return list(dict.fromkeys([*fixed, *(p.format(n) for p in patterns for n in base)]))

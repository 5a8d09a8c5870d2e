"""What a URDF file lacks: noted while it is written, and found by reading it back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import final

from ...algebra.expr import Expr
from ...errors import ModelError
from ..model.forces import JointActuator
from ..model.robot import Robot

Numbers = Callable[[Sequence[Expr]], list[float]]


@final
@dataclass
class Losses:
    """Parts of a robot that are not in its URDF file, by what they change.

    Attributes:
        model: Bodies, joints, forces and constraints: the equations of motion.
        inputs: Which inputs there are, and what they drive.
        states: Names and order of coordinates and speeds, and the default state.
        data: Limits and pictures.
        names: Names that readers choose, and texts; not an error.
    """

    model: list[str] = field(default_factory=list[str])
    inputs: list[str] = field(default_factory=list[str])
    states: list[str] = field(default_factory=list[str])
    data: list[str] = field(default_factory=list[str])
    names: list[str] = field(default_factory=list[str])

    @property
    def serious(self) -> list[str]:
        """All losses that change numbers."""
        return [*self.model, *self.inputs, *self.states, *self.data]

    def __iter__(self) -> Iterator[str]:
        yield from self.serious
        yield from self.names

    @staticmethod
    def error(robot: Robot, lost: Sequence[str]) -> ModelError:
        return ModelError(
            f"URDF cannot represent these parts of robot {robot.name!r}: {'; '.join(lost)}; pass "
            "lossy=True to write them as comments."
        )


def changes_of_reading(robot: Robot, again: Robot, lost: Losses, numbers: Numbers) -> None:
    """Add to the losses what differs in a robot that was read from the file."""
    for what, one, two in (
        ("coordinates", robot.q, again.q),
        ("speeds", robot.joint_speeds, again.joint_speeds),
    ):
        old, new = [x.name for x in one], [x.name for x in two]
        if sorted(old) != sorted(new):
            gone, added = [n for n in old if n not in new], [n for n in new if n not in old]
            lost.states.append(f"the {what} {', '.join(gone)} (read as {', '.join(added)})")
        elif old != new:
            lost.states.append(f"the order of the {what} (readers go depth first)")
    _inputs(robot, again, lost)
    _home(robot, lost)
    _limits(robot, again, lost, numbers)
    _shapes(robot, again, lost, numbers)


def _inputs(robot: Robot, again: Robot, lost: Losses) -> None:
    """Order and names of inputs, and names of force elements."""
    if lost.inputs or lost.states:
        return  # they are different ones
    one, two = (
        {x.input: x.speed for x in r.forces if isinstance(x, JointActuator)} for r in (robot, again)
    )
    inputs = [x.name for x in robot.inputs if x.name in one]  # others are lost already
    if [one[n] for n in inputs] != list(two.values()):
        lost.inputs.append("the order of the inputs (that of the joints)")
        return
    renamed = [f"{a} as {b}" for a, b in zip(inputs, two, strict=True) if a != b]
    if renamed:
        lost.names.append(f"the names of inputs (read {', '.join(renamed)})")
    named = [f.name for f in robot.forces]
    others = [f.name for f in again.forces if f.name not in named and f.name not in two]
    if others:
        lost.names.append(f"the names of force elements (read as {', '.join(others)})")


def _home(robot: Robot, lost: Losses) -> None:
    first = {g[0].name for g in robot.unit_groups}
    state = {**robot.home.q, **robot.home.v, **robot.home.inputs}
    moved = [n for n, x in state.items() if x != (n in first)]
    if moved:
        lost.states.append(f"the default state of {', '.join(moved)}")


def _limits(robot: Robot, again: Robot, lost: Losses, numbers: Numbers) -> None:
    for n, limits in robot.limits.items():
        found = again.limits.get(n)
        pairs = [(getattr(limits, k), getattr(found, k, None)) for k in type(limits).__slots__]
        same = all(
            a is b is None or (a is not None and b is not None and numbers([a]) == numbers([b]))
            for a, b in pairs
        )
        if not same:
            lost.data.append(f"the limits of {n}")


def _shapes(robot: Robot, again: Robot, lost: Losses, numbers: Numbers) -> None:
    for body, shapes in robot.shapes.items():
        found = again.shapes.get(body, ())
        same = len(shapes) == len(found) and all(
            a.kind == b.kind and numbers(list(a.size)) == numbers(list(b.size))
            for a, b in zip(shapes, found, strict=True)
        )
        if not same:
            lost.data.append(f"the shapes of {body}")

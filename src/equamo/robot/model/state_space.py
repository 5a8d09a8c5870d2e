"""Description of the numbers of a state, by name and in order; plain data, without arrays.

Everything that reads or writes a state uses it: for names, sizes, home values, units, limits and unit
quaternions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from ...algebra.expr import ONE, Expr
from .arguments import Number
from .forces.joint_actuator import JointActuator
from .joint import speed_name

if TYPE_CHECKING:
    from .robot import Robot

Range = tuple[Expr | None, Expr | None]  # (lower, upper); None: no limit


@final
@dataclass(frozen=True)
class StatePart:
    """Numbers of one argument: `q`, `v`, `vdot`, `inputs`, `external` or `values`."""

    argument: str  # name of the argument
    kind: str  # noun for one number in messages: "coordinate", "speed", …
    symbols: tuple[Expr, ...]
    home: tuple[Number | None, ...]  # None: a parameter without a default value
    units: tuple[str, ...]  # empty text: none or unknown
    limits: tuple[Range, ...]
    quaternions: tuple[tuple[int, ...], ...] = ()  # positions of (w, x, y, z)

    @staticmethod
    def of_zeros(argument: str, kind: str, symbols: Iterable[Expr] = ()) -> StatePart:
        """Part with home values 0, without units and limits.

        >>> from equamo.algebra.expr import symbol
        >>> StatePart.of_zeros("tau", "entry", [symbol("tau1")]).home
        (0,)
        """
        return _part(argument, kind, tuple(symbols), {})

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(s.name for s in self.symbols)

    @cached_property
    def numbers(self) -> tuple[float | None, ...]:
        """Home values as floats."""
        return tuple(None if x is None else float(x) for x in self.home)

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Position by name."""
        return {n: i for i, n in enumerate(self.names)}

    @property
    def size(self) -> int:
        return len(self.symbols)

    def only(self, symbols: Iterable[Expr]) -> StatePart:
        """Part with some of the entries, such as the parameters that a function depends on."""
        kept = tuple(symbols)
        if kept == self.symbols:
            return self
        at = [self.position[s.name] for s in kept]
        groups = [tuple(at.index(i) for i in g) for g in self.quaternions if set(g) <= set(at)]
        return StatePart(
            self.argument,
            self.kind,
            kept,
            tuple(self.home[i] for i in at),
            tuple(self.units[i] for i in at),
            tuple(self.limits[i] for i in at),
            tuple(groups),
        )


@final
@dataclass(frozen=True)
class StateSpace:
    """Names, sizes, home values, units, limits and unit quaternions of all parts of a state.

    >>> from equamo.robot.library import load
    >>> space = load("rp_arm").state_space
    >>> space.q.names, space.q.units, space.v.units
    (('q1', 'q2'), ('rad', 'm'), ('rad/s', 'm/s'))
    """

    robot: str  # its name, for errors
    q: StatePart
    v: StatePart
    vdot: StatePart
    inputs: StatePart
    external: StatePart
    values: StatePart  # parameters

    @property
    def quaternions(self) -> list[list[int]]:
        """Positions of each unit quaternion (w, x, y, z) among the coordinates, as array indices."""
        return [list(group) for group in self.q.quaternions]

    def missing(self, given: Iterable[str] = ()) -> list[str]:
        """Parameters that have neither a default value nor a value in `given`."""
        named = set(given)
        pairs = zip(self.values.names, self.values.home, strict=True)
        return [n for n, x in pairs if x is None and n not in named]


def state_space(robot: Robot) -> StateSpace:
    """State space of a robot."""
    home, kinds = robot.home, _kinds(robot)
    rates = {s: kinds.get(s.name) for s in robot.v}
    accelerations = {a.name: rates[s] for a, s in zip(robot.vdot, robot.v, strict=True)}
    at = {s: k for k, s in enumerate(robot.q)}
    groups = [tuple(at[s] for s in g) for g in robot.unit_groups if set(g) <= set(at)]
    bounds = {n: (x.lower, x.upper) for n, x in robot.limits.items()}
    parameters = robot.parameter_info
    return StateSpace(
        robot.name,
        _part("q", "coordinate", robot.q, home.q, kinds, bounds, tuple(groups)),
        _part(
            "v", "speed", robot.v, home.v,
            {s.name: _per(kind, 1) for s, kind in rates.items()}, _speed_limits(robot),
        ),
        _part(
            "vdot", "acceleration", robot.vdot, {},
            {n: _per(kind, 2) for n, kind in accelerations.items()},
        ),
        _part("inputs", "input", robot.inputs, home.inputs, {}, _effort_limits(robot)),
        _part("external", "external load", robot.external, {}),
        _part(
            "values", "parameter", robot.parameters,
            {n: p.value for n, p in parameters.items()}, {n: p.unit for n, p in parameters.items()},
        ),
    )  # fmt: skip


def _part(
    argument: str,
    kind: str,
    symbols: tuple[Expr, ...],
    home: Mapping[str, Any],
    units: Mapping[str, str] | None = None,
    limits: Mapping[str, Range] | None = None,
    quaternions: tuple[tuple[int, ...], ...] = (),
) -> StatePart:
    names = [s.name for s in symbols]
    numbers = tuple(home.get(n, 0) for n in names)
    named_units = tuple((units or {}).get(n, "") for n in names)
    ranges = tuple((limits or {}).get(n, (None, None)) for n in names)
    return StatePart(argument, kind, symbols, numbers, named_units, ranges, quaternions)


# -- limits --------------------------------------------------------------------------------------------
def _speed_limits(robot: Robot) -> dict[str, Range]:
    """Limits ±speed of the joint speeds; chosen speeds have no limits."""
    if robot.speed_map is not None:
        return {}
    pairs = {speed_name(n): x.speed for n, x in robot.limits.items()}
    return {n: (-x, x) for n, x in pairs.items() if x is not None}


def _effort_limits(robot: Robot) -> dict[str, Range]:
    """Limits ±effort of the inputs that drive a joint alone and without a gear.

    An effort limit belongs to a joint: if several inputs add up, or there is a gear, it does not limit a
    single input.
    """
    actuators = [f for f in robot.forces if isinstance(f, JointActuator)]
    speeds, inputs = [f.speed for f in actuators], [f.input for f in actuators]
    efforts = {speed_name(n): x.effort for n, x in robot.limits.items()}
    ranges: dict[str, Range] = {}
    for f in actuators:
        effort = efforts.get(f.speed)
        alone = speeds.count(f.speed) == 1 and inputs.count(f.input) == 1 and f.gear is ONE
        if effort is not None and alone:
            ranges[f.input] = (-effort, effort)
    return ranges


# -- units ---------------------------------------------------------------------------------------------
def _kinds(robot: Robot) -> dict[str, str]:
    """Unit rad or m of each coordinate and joint speed; quaternions have none.

    Chosen speeds may have any unit and are not included.
    """
    coordinates: dict[str, str] = {}
    speeds: dict[str, str] = {}
    unitless = {s.name for group in robot.unit_groups for s in group}
    for b in robot.bodies:
        joint = b.joint
        # A screw counts by its angle.
        kinds = ["rad" if any(x.value != 0 for x in S.angular) else "m" for S in b.subspace]
        speeds |= zip(joint.speeds, kinds, strict=True)
        if len(joint.coordinates) == len(kinds):
            coordinates |= zip(joint.coordinates, kinds, strict=True)
        else:  # the coordinates that are not the quaternion are a position
            coordinates |= {n: "m" for n in joint.coordinates if n not in unitless}
    return coordinates if robot.speed_map is not None else coordinates | speeds


def _per(kind: str | None, order: int) -> str:
    return "" if kind is None else f"{kind}/s{'^2' * (order == 2)}"

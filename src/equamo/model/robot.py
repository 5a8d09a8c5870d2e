"""Robot: bodies, joints, force elements, parameters and gravity; immutable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, cast, final

from ..errors import ModelError, UnknownNameError
from ..expr import Expr, symbol
from ..expr.matrix import Matrix, block_diagonal, identity
from ..expr.vector import Vector, vector3
from ..expr.walk import symbols as symbols_of
from ..spatial.frame import WORLD_FRAME, Frame
from ..spatial.pose import Pose
from ..wording import brief, counted
from .arguments import Number, check_names, items
from .base_motion import BaseMotion
from .body import WORLD, Body
from .constraint import Constraint
from .force import ForceElement
from .forces.joint_actuator import joint_actuator
from .joint import acceleration_name
from .limits import Limits, limits_of
from .parameter import Parameter, parameter
from .read_only import ReadOnly
from .shape import Shape, shapes_of
from .slots import check_slots
from .speeds import SpeedMap, speed_map
from .state import State, home_state
from .state_space import StateSpace, state_space


@final
@dataclass(frozen=True, init=False, eq=False)
class Robot:
    """A tree of bodies. Everything a user types as a quantity may be text, a number or an Expr.

    >>> from equamo.model.joints import revolute
    >>> arm = Robot("rr", gravity="0 -g 0", bodies=[
    ...     Body("upper", revolute("q1"), mass="m1", com="Lc1 0 0", inertia="0 0 I1"),
    ...     Body("fore", revolute("q2", at="L1 0 0"), mass="m2", com="Lc2 0 0", parent="upper")])
    >>> arm.q, arm.v, arm.inputs
    ((q1, q2), (dq1, dq2), (tau1, tau2))
    """

    name: str
    bodies: tuple[Body, ...]
    gravity: Vector  # in the world frame [m/s²]
    forces: tuple[ForceElement, ...]
    parameter_info: Mapping[str, Parameter]  # by name, in order
    base: BaseMotion
    home: State
    notation: Mapping[str, str]  # symbol -> LaTeX, over the built-in reading of names
    description: str = field(repr=False)
    speed_map: SpeedMap | None = field(repr=False)  # u = W v of the joint speeds u; None: v = u
    limits: Mapping[str, Limits] = field(repr=False)  # by coordinate; data, no force
    shapes: Mapping[str, tuple[Shape, ...]] = field(repr=False)  # by body, for pictures
    import_report: Any = field(repr=False)  # formats.ImportReport of a robot from a file, else None

    def __init__(
        self,
        name: str,
        bodies: Iterable[Body],
        gravity: Any = "0 0 -g",
        forces: Iterable[ForceElement] | None = None,
        parameters: Mapping[str, Any] | Iterable[Parameter] = (),
        base: BaseMotion | None = None,
        home: Mapping[str, Number] | None = None,
        notation: Mapping[str, str] | None = None,
        description: str = "",
        speeds: str | Sequence[str] | Mapping[str, Any] | SpeedMap | None = None,
        rates: Mapping[str, Any] | None = None,
        constraints: Iterable[Constraint | str] = (),
        eliminate: Mapping[str, Any] | None = None,
        limits: Mapping[str, Any] | None = None,
        shapes: Mapping[str, Iterable[Shape]] | None = None,
        import_report: Any = None,
    ) -> None:
        def put(attribute: str, value: Any) -> None:
            object.__setattr__(self, attribute, value)

        if not isinstance(name, str) or not name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"A robot is named by non-empty text, not by {brief(name)}.")
        if base is not None and not isinstance(base, BaseMotion):  # pyright: ignore
            raise ModelError(f"The base of a robot is a BaseMotion, not {brief(base)}.")
        put("name", name)
        put("bodies", items("bodies", bodies, Body, f"robot {name!r}"))
        put("gravity", vector3(gravity))
        put("base", base or BaseMotion())
        put("notation", ReadOnly(notation or {}))
        put("description", description)
        put("import_report", import_report)
        _check_tree(self)
        put("speed_map", speed_map(self, speeds, rates, tuple(constraints), eliminate or {}))
        names = [x.name for x in self.joint_coordinates]
        put("limits", ReadOnly(limits_of(limits or {}, names, name)))
        frames = [WORLD, *(b.name for b in self.bodies)]
        put("shapes", ReadOnly(shapes_of(shapes or {}, frames, name)))
        chosen = _default_actuators(self) if forces is None else forces
        put("forces", items("forces", chosen, ForceElement, f"robot {name!r}"))
        _check_forces(self)
        put("parameter_info", ReadOnly(_parameters(self, parameters)))
        check_slots(self)
        check_names(self)
        put("home", home_state(self, home or {}))

    # -- names and symbols ---------------------------------------------------------------------------
    @cached_property
    def joint_coordinates(self) -> tuple[Expr, ...]:
        """Coordinates of all joints, in tree order."""
        return tuple(x for b in self.bodies for x in b.joint.q)

    @cached_property
    def joint_speeds(self) -> tuple[Expr, ...]:
        """Speeds u of all joints, in tree order."""
        return tuple(x for b in self.bodies for x in b.joint.v)

    @cached_property
    def joint_accelerations(self) -> tuple[Expr, ...]:
        return tuple(x for b in self.bodies for x in b.joint.vdot)

    @cached_property
    def q(self) -> tuple[Expr, ...]:
        """Coordinates in tree order, without those that follow from others."""
        gone = dict(self.speed_map.dependent) if self.speed_map else {}
        return tuple(x for x in self.joint_coordinates if x.name not in gone)

    @cached_property
    def v(self) -> tuple[Expr, ...]:
        """Speeds, q̇ = N v: of the joints in tree order, or as chosen."""
        return self.speed_map.v if self.speed_map else self.joint_speeds

    @cached_property
    def vdot(self) -> tuple[Expr, ...]:
        if self.speed_map is None:
            return self.joint_accelerations
        return tuple(symbol(acceleration_name(n)) for n in self.speed_map.names)

    @cached_property
    def tree(self) -> Robot:
        """The robot with all its joint speeds free: this one itself if no others were chosen."""
        from .edits import remade

        return self if self.speed_map is None else remade(self, speeds=None)

    @cached_property
    def inputs(self) -> tuple[Expr, ...]:
        """Symbols of the actuators, in the order of the force elements."""
        return tuple(dict.fromkeys(symbol(s) for f in self.forces for s in f.inputs()))

    @cached_property
    def external(self) -> tuple[Expr, ...]:
        """Symbols of external wrenches; their default is 0."""
        return tuple(dict.fromkeys(symbol(s) for f in self.forces for s in f.external()))

    @cached_property
    def parameters(self) -> tuple[Expr, ...]:
        """All parameters, as symbols."""
        return tuple(symbol(n) for n in self.parameter_info)

    @property
    def values(self) -> dict[str, int | Fraction | None]:
        """{name: default value} of the parameters."""
        return {n: p.value for n, p in self.parameter_info.items()}

    @cached_property
    def unit_groups(self) -> tuple[tuple[Expr, ...], ...]:
        """Coordinates whose squares sum to one: unit quaternions."""
        return tuple(
            tuple(symbol(n) for n in g) for b in self.bodies for g in b.joint.unit_groups()
        )

    @cached_property
    def state_space(self) -> StateSpace:
        """Names, home values, units, limits and unit quaternions of all that states are made of."""
        return state_space(self)

    # -- the tree ------------------------------------------------------------------------------------
    @cached_property
    def _by_name(self) -> dict[str, Body]:
        return {b.name: b for b in self.bodies}

    def body(self, name: str) -> Body:
        """A body by its name."""
        try:
            return self._by_name[name]
        except KeyError:
            raise UnknownNameError("body", name, self._by_name, f"robot {self.name!r}") from None

    def spatial_frame(self, name: str) -> Frame:
        """The frame of a body, or of the world, for spatial quantities."""
        return WORLD_FRAME if name == WORLD else self.body(name).frame

    def joint_pose(self, body: Body) -> Pose:
        """Pose of a body in its parent, as a function of the coordinates of its joint."""
        return self._joint_poses[body.name]

    @cached_property
    def _joint_poses(self) -> dict[str, Pose]:
        return {b.name: b.pose_in(self.spatial_frame(b.parent)) for b in self.bodies}

    def path(self, name: str) -> tuple[Body, ...]:
        """Bodies from the root to `name`, itself included; empty for the world."""
        chain: list[Body] = []
        while name != WORLD:
            chain.append(self.body(name))
            name = chain[-1].parent
        return tuple(reversed(chain))

    def columns(self, body: Body) -> range:
        """Positions of a body's own speeds among the joint speeds."""
        return self._columns[body.name]

    @cached_property
    def _columns(self) -> dict[str, range]:
        ranges: dict[str, range] = {}
        n = 0
        for b in self.bodies:
            ranges[b.name] = range(n, n + len(b.joint.speeds))
            n += len(b.joint.speeds)
        return ranges

    @cached_property
    def kinematic_map(self) -> Matrix:
        """N with q̇ = N v: block by block from the joints, times W where speeds were chosen."""
        rows, columns = self.joint_coordinates, self.joint_speeds
        maps = [b.joint.map() for b in self.bodies]
        N = block_diagonal(maps, [x.name for x in rows], [x.name for x in columns])
        if self.speed_map is None:
            return N
        kept = [x.name for x in self.q]
        N = N.subs(dict(self.speed_map.dependent)) @ self.speed_map.W
        return Matrix([N.row(n) for n in kept], kept, [x.name for x in self.v])

    @cached_property
    def kinematic_map_inverse(self) -> Matrix:
        """N⁺ with u = N⁺ q̇, of the joints."""
        inverses = [b.joint.inverse_map() for b in self.bodies]
        rows, columns = self.joint_speeds, self.joint_coordinates
        return block_diagonal(inverses, [x.name for x in rows], [x.name for x in columns])

    @cached_property
    def has_unit_map(self) -> bool:
        """Whether q̇ = v."""
        return self.speed_map is None and self.kinematic_map == identity(len(self.v))

    # -- edits (each gives a new robot; see edits.py) --------------------------------------------------
    def lock(self, values: Mapping[str, Any] | None = None, /, **named: Any) -> Robot:
        """Copy with coordinates held: `robot.lock(q_torso=0)` or `robot.lock({"q_torso": 0})`."""
        from .edits import both, lock

        return lock(self, both("lock", values, named))

    def attach(self, tool: Robot | Body, to: str, prefix: str = "") -> Robot:
        """The robot with a body, or all bodies of another robot, attached to a body."""
        from .edits import attach

        return attach(self, tool, to, prefix)

    def add_mass(self, body: str, mass: Any, com: Any = "0 0 0", inertia: Any = "0 0 0") -> Robot:
        """The robot with mass added to a body, in that body's frame."""
        from .edits import add_mass

        return add_mass(self, body, mass, com, inertia)

    def add_frame(self, name: str, body: str, at: Any = "0 0 0", rotation: Any = None) -> Robot:
        """Copy with a frame fixed to a body: see `edits.add_frame`."""
        from .edits import add_frame

        return add_frame(self, name, body, at, rotation)

    def with_forces(
        self, *forces: ForceElement | Iterable[ForceElement], only: bool = False
    ) -> Robot:
        """Copy with force elements added, or replaced by name: see `edits.with_forces`."""
        from .edits import with_forces

        return with_forces(self, forces, only)

    def with_values(self, **values: Any) -> Robot:
        """The robot with other default values of parameters."""
        from .edits import with_values

        return with_values(self, values)

    def with_home(self, **values: Number) -> Robot:
        """The robot with another default state."""
        from .edits import with_home

        return with_home(self, values)

    def expressions(self) -> tuple[Expr, ...]:
        """Every expression in it."""
        found = [*self.gravity, *self.base.expressions()]
        if self.speed_map is not None:
            found += self.speed_map.W.entries
            found += [e for _, e in self.speed_map.dependent]
        for part in (*self.bodies, *self.forces, *self.limits.values()):
            found += part.expressions()
        return tuple(found)

    def __str__(self) -> str:
        counts = {"body": self.bodies, "degree of freedom": self.v, "parameter": self.parameters}
        counts["input"] = self.inputs
        return f"Robot {self.name}: {', '.join(counted(len(x), n) for n, x in counts.items())}"

    def __repr__(self) -> str:
        return f"<{self}>"


# -- construction --------------------------------------------------------------------------------------
def _check_tree(robot: Robot) -> None:
    seen = {WORLD}
    names: dict[str, str] = {}
    for b in robot.bodies:
        if b.name in seen:
            raise ModelError(f"Robot {robot.name!r} has two bodies named {b.name!r}.")
        if b.parent not in seen:
            later = [c.name for c in robot.bodies if c.name == b.parent]
            if b.parent == b.name:
                raise ModelError(f"Body {b.name!r} is its own parent.")
            if later:
                raise ModelError(f"Body {b.name!r} is declared before its parent {b.parent!r}; parents "
                                 "come before children (a loop of bodies is not a tree).")  # fmt: skip
            raise UnknownNameError("parent", b.parent, sorted(seen), f"body {b.name!r}")
        seen.add(b.name)
        for n in (*b.joint.coordinates, *b.joint.speeds):
            if n in names:
                raise ModelError(f"{n!r} is a coordinate or speed of two joints: of {names[n]!r} and "
                                 f"of {b.name!r}.")  # fmt: skip
            names[n] = b.name


def _default_actuators(robot: Robot) -> list[ForceElement]:
    """One actuator for each joint of one degree of freedom."""
    return [joint_actuator(b.joint.q[0]) for b in robot.bodies if len(b.joint.speeds) == 1]


def _check_forces(robot: Robot) -> None:
    frames = {WORLD, *(b.name for b in robot.bodies)}
    speeds = [x.name for x in robot.joint_speeds]
    seen: set[str] = set()
    for f in robot.forces:
        if f.name in seen:
            raise ModelError(f"Robot {robot.name!r} has two force elements named {f.name!r}.")
        seen.add(f.name)
        for n in f.bodies():
            if n not in frames:
                raise UnknownNameError("body", n, sorted(frames), f"force element {f.name!r}")
        for q, u in f.rates().items():
            _check_rate(robot, f, q, u)
        for u in f.speeds():
            if u not in speeds:
                raise UnknownNameError("speed", u, speeds, f"force element {f.name!r}")


def _check_rate(robot: Robot, f: ForceElement, coordinate: str, speed: str) -> None:
    """q̇ = u, where a force element relies on it."""
    rates = {
        n: r for b in robot.bodies for n, r in zip(b.joint.coordinates, b.joint.q_dot, strict=True)
    }
    if coordinate not in rates:
        raise UnknownNameError("coordinate", coordinate, rates, f"force element {f.name!r}")
    if rates[coordinate] is not symbol(speed):
        raise ModelError(f"Force element {f.name!r} needs a coordinate whose rate is a speed of its "
                         f"own; that of {coordinate!r} is {brief(rates[coordinate])}.")  # fmt: skip


def _parameters(
    robot: Robot, given: Mapping[str, Any] | Iterable[Parameter]
) -> dict[str, Parameter]:
    if isinstance(given, Mapping):
        pairs = cast(Mapping[str, Any], given)
        table = {n: parameter(n, x) for n, x in pairs.items()}
    else:
        table = {p.name: p for p in items("parameters", given, Parameter, f"robot {robot.name!r}")}
    joints = (*robot.joint_coordinates, *robot.joint_speeds, *robot.joint_accelerations)
    taken = {x.name for x in (*joints, *robot.v, *robot.vdot, *robot.inputs, *robot.external)}
    for n in table:
        if n in taken:
            raise ModelError(f"{n!r} is a parameter and also a coordinate, speed or input.")
    for x in symbols_of(robot.expressions()):
        if x.name not in taken and x.name not in table:
            value = Fraction("9.81") if x.name == "g" else None
            table[x.name] = Parameter(x.name, value)
    return table


def expect_robot(given: object, function: str) -> Robot:
    """The robot itself; an error that says what to do where something else was given."""
    if isinstance(given, Robot):
        return given
    raise ModelError(f"{function}() takes a Robot, not {brief(given)}; read one with eq.load(…).")

"""Robot: an immutable model of bodies, joints, force elements, parameters and gravity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, final

from ...algebra.expr import Expr, symbol
from ...algebra.expr.matrix import Matrix, block_diagonal, identity
from ...algebra.expr.vector import Vector, vector3
from ...basics.arguments import is_one_of
from ...basics.attached import give_reprs
from ...basics.wording import brief, counted
from ...errors import ModelError, UnknownNameError
from ..spatial.frame import WORLD_FRAME, Frame
from ..spatial.pose import Pose
from .arguments import Number, check_names, equations, items, items_by_body, mapping, texts
from .base_motion import BaseMotion
from .body import WORLD, Body
from .closure import Inequality, Row, check_closure, closure_rows, inequalities, rows
from .constraint import Constraint
from .construction import check_forces, check_tree, default_actuators, parameter_table
from .contact import Contact, contact_mode
from .force import ForceElement
from .independent_speeds import numbers_at_home
from .joint import acceleration_name
from .limits import Limits, limits_of
from .loop import Loop
from .mesh_file import MeshFile
from .parameter import Parameter
from .read_only import ReadOnly
from .robot_edits import RobotEdits
from .shape import Shape
from .slots import check_slots
from .speeds import SpeedMap, speed_map
from .state import State, home_state
from .state_space import StateSpace, state_space


@final
@dataclass(frozen=True, init=False, eq=False)
class Robot(RobotEdits):
    """Tree of bodies. Every quantity may be text such as "m1*L1/2", a number or an Expr.

    Args:
        name: Name of the robot.
        bodies: Bodies, parents before children.
        gravity: Gravitational acceleration in the world frame [m/s²].
        forces: Force elements; by default one actuator per joint with one degree of freedom.
        parameters: Parameters, or numbers by name. Other symbols become parameters without values,
            except g, which is 9.81.
        base: Prescribed motion of the world frame.
        home: Default state, numbers by coordinate, speed or input; 0 for names that are missing.
        notation: LaTeX by symbol, instead of the built-in notation.
        description: One line of text.
        speeds: Speeds v to use instead of the joint speeds u. Names with `rates`; or, with
            `constraints` or `loops`, joint speeds to keep, formulas by name, or "auto".
        rates: Joint speeds u as expressions linear in v, by joint speed.
        constraints: Velocity constraints, linear in the joint speeds.
        eliminate: Coordinates as expressions in the others, which must follow from the speeds.
        limits: Limits by coordinate, such as (lower, upper).
        shapes: Primitive shapes by body, for pictures.
        meshes: Mesh files by body, for pictures.
        import_report: Report on the file the robot was read from.
        loops: Cut joints that close kinematic loops, made by `loop`. Without `speeds`, the speeds remain
            the joint speeds and the equations of motion have constraint forces.
        contacts: Points that may be held to the ground, made by `contact`.
        mode: "open" or "stick" by contact; contacts that are not named are open.

    Raises:
        ModelError: The model is not valid.
        UnknownNameError: A part refers to an unknown body, coordinate, speed or input.
        ConstraintError: Speeds and constraints do not fit together.

    >>> from equamo.robot.model.joints import revolute
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
    notation: Mapping[str, str]  # symbol -> LaTeX, overrides the built-in notation
    description: str
    speed_map: SpeedMap | None  # u = W v of the joint speeds u; None: v = u
    limits: Mapping[str, Limits]  # by coordinate; they exert no force
    shapes: Mapping[str, tuple[Shape, ...]]  # by body, for pictures
    meshes: Mapping[str, tuple[MeshFile, ...]]  # by body, for pictures
    import_report: Any  # formats.ImportReport if read from a file, else None
    loops: tuple[Loop, ...]
    contacts: tuple[Contact, ...]
    mode: Mapping[str, str]  # "open" or "stick" by contact

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
        loops: Iterable[Loop] = (),
        contacts: Iterable[Contact] = (),
        mode: Mapping[str, str] | None = None,
        meshes: Mapping[str, Iterable[MeshFile]] | None = None,
    ) -> None:
        def put(attribute: str, value: Any) -> None:
            object.__setattr__(self, attribute, value)

        if not isinstance(name, str) or not name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"The name of a robot must be non-empty text, got {brief(name)}.")
        if base is not None and not isinstance(base, BaseMotion):  # pyright: ignore
            raise ModelError(f"The base of a robot must be a BaseMotion, got {brief(base)}.")
        place = f"robot {name!r}"
        home = mapping("home", home, place, '{"q1": 0.5}')
        put("name", name)
        put("bodies", items("bodies", bodies, Body, place))
        put("gravity", vector3(gravity))
        put("base", base or BaseMotion())
        put("notation", ReadOnly(texts("notation", notation, place)))
        put("description", description)
        put("import_report", import_report)
        check_tree(self)
        put("loops", items("loops", loops, Loop, place))
        put("contacts", items("contacts", contacts, Contact, place))
        check_closure(self)
        put("mode", contact_mode(self.contacts, mapping("mode", mode, place), name))
        chosen = default_actuators(self) if forces is None else forces
        put("forces", items("forces", chosen, ForceElement, place))
        declared = parameters
        if not isinstance(parameters, Mapping):
            declared = items("parameters", parameters, Parameter, place)
        values = partial(numbers_at_home, self, home, declared)
        written = equations(constraints, place)
        parts = speeds, rates, written, mapping("eliminated coordinates", eliminate, place)
        put("speed_map", speed_map(self, *parts, values))
        names = [x.name for x in self.joint_coordinates]
        bounds = mapping("limits", limits, place, '{"q1": (-1, 1)}')
        put("limits", ReadOnly(limits_of(bounds, names, name)))
        frames = [WORLD, *(b.name for b in self.bodies)]
        drawn, meshed = mapping("shapes", shapes, place), mapping("meshes", meshes, place)
        put("shapes", ReadOnly(items_by_body("shapes", drawn, Shape, frames, name)))
        put("meshes", ReadOnly(items_by_body("meshes", meshed, MeshFile, frames, name)))
        check_forces(self)
        put("parameter_info", ReadOnly(parameter_table(self, declared)))
        check_slots(self)
        check_names(self)
        put("home", home_state(self, home))

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
        """Derivatives of the joint speeds, in tree order."""
        return tuple(x for b in self.bodies for x in b.joint.vdot)

    @cached_property
    def q(self) -> tuple[Expr, ...]:
        """Coordinates in tree order, without eliminated ones."""
        return tuple(x for x in self.joint_coordinates if x.name not in self.eliminated)

    @property
    def eliminated(self) -> dict[str, Expr]:
        """Eliminated coordinates by name, as expressions in the others."""
        return {} if self.speed_map is None else dict(self.speed_map.dependent)

    @cached_property
    def v(self) -> tuple[Expr, ...]:
        """Speeds with q̇ = N v: the chosen ones, or the joint speeds in tree order."""
        return self.speed_map.v if self.speed_map else self.joint_speeds

    @cached_property
    def vdot(self) -> tuple[Expr, ...]:
        """Derivatives of the speeds."""
        if self.speed_map is None:
            return self.joint_accelerations
        return tuple(symbol(acceleration_name(n)) for n in self.speed_map.names)

    @cached_property
    def closure_rows(self) -> tuple[Row, ...]:
        """Equations of the loops and sticking contacts, in all joint coordinates."""
        return closure_rows(self) if self.loops or self.contacts else ()

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Equations A u = 0 of loops, sticking contacts and velocity constraints, by name."""
        return rows(self)

    @cached_property
    def inequalities(self) -> tuple[Inequality, ...]:
        """Conditions > 0 of the loops, which exclude antiparallel axes and half-turns."""
        return inequalities(self)

    @cached_property
    def tree(self) -> Robot:
        """Robot without constraints, loops, contacts and chosen speeds; this robot if it has none."""
        from .edits import copy_with

        if self.speed_map is None and not self.loops and not self.contacts:
            return self
        return copy_with(self, speeds=None, loops=(), contacts=(), mode=None)

    @cached_property
    def inputs(self) -> tuple[Expr, ...]:
        """Symbols of the actuators, in the order of the force elements."""
        return tuple(dict.fromkeys(symbol(s) for f in self.forces for s in f.inputs()))

    @cached_property
    def external(self) -> tuple[Expr, ...]:
        """Symbols of external wrenches; their default value is 0."""
        return tuple(dict.fromkeys(symbol(s) for f in self.forces for s in f.external()))

    @cached_property
    def parameters(self) -> tuple[Expr, ...]:
        """All parameters, as symbols."""
        return tuple(symbol(n) for n in self.parameter_info)

    @property
    def values(self) -> dict[str, int | Fraction | None]:
        """Default values of the parameters by name."""
        return {n: p.value for n, p in self.parameter_info.items()}

    @cached_property
    def unit_groups(self) -> tuple[tuple[Expr, ...], ...]:
        """Groups of coordinates whose squares sum to one: unit quaternions."""
        return tuple(
            tuple(symbol(n) for n in g) for b in self.bodies for g in b.joint.unit_groups()
        )

    @cached_property
    def state_space(self) -> StateSpace:
        """Names, home values, units, limits and unit quaternions of all parts of a state."""
        return state_space(self)

    # -- the tree ------------------------------------------------------------------------------------
    @cached_property
    def _by_name(self) -> dict[str, Body]:
        return {b.name: b for b in self.bodies}

    def body(self, name: str) -> Body:
        """Body with a name.

        Args:
            name: Name of the body.

        Returns:
            The body.

        Raises:
            UnknownNameError: Unknown body.
        """
        try:
            return self._by_name[name]
        except (KeyError, TypeError):  # a list, say, cannot be looked up
            raise UnknownNameError("body", name, self._by_name, f"robot {self.name!r}") from None

    def spatial_frame(self, name: str) -> Frame:
        """The frame of a body, or of the world, for spatial quantities."""
        return WORLD_FRAME if is_one_of(name, (WORLD,)) else self.body(name).frame

    def joint_pose(self, body: Body) -> Pose:
        """Pose of a body in its parent, as a function of the coordinates of its joint."""
        return self._joint_poses[self._own(body)]

    @cached_property
    def _joint_poses(self) -> dict[str, Pose]:
        return {b.name: b.pose_in(self.spatial_frame(b.parent)) for b in self.bodies}

    def path(self, name: str) -> tuple[Body, ...]:
        """Bodies from the root to `name`, inclusive; empty for the world."""
        chain: list[Body] = []
        while not is_one_of(name, (WORLD,)):
            chain.append(self.body(name))
            name = chain[-1].parent
        return tuple(reversed(chain))

    def columns(self, body: Body) -> range:
        """Positions of the speeds of a body's joint among all joint speeds."""
        return self._columns[self._own(body)]

    def _own(self, body: Any) -> str:
        """Name of a body of this robot, which may also be given by name."""
        return self.body(getattr(body, "name", body)).name

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
        """N with q̇ = N v: block diagonal from the joints, times W if speeds were chosen."""
        rows, columns = self.joint_coordinates, self.joint_speeds
        maps = [b.joint.map() for b in self.bodies]
        N = block_diagonal(maps, [x.name for x in rows], [x.name for x in columns])
        if self.speed_map is None:
            return N
        kept = [x.name for x in self.q]
        N = N.subs(self.eliminated) @ self.speed_map.W
        return Matrix([N.row(n) for n in kept], kept, [x.name for x in self.v])

    @cached_property
    def kinematic_map_inverse(self) -> Matrix:
        """N⁺ with u = N⁺ q̇ for the joint speeds u."""
        inverses = [b.joint.inverse_map() for b in self.bodies]
        rows, columns = self.joint_speeds, self.joint_coordinates
        return block_diagonal(inverses, [x.name for x in rows], [x.name for x in columns])

    @cached_property
    def has_unit_map(self) -> bool:
        """Whether q̇ = v."""
        return self.speed_map is None and self.kinematic_map == identity(len(self.v))

    def expressions(self) -> tuple[Expr, ...]:
        """All expressions of the robot."""
        expressions = [*self.gravity, *self.base.expressions()]
        if self.speed_map is not None:
            expressions += self.speed_map.W.entries
            expressions += [e for _, e in self.speed_map.dependent]
        parts = (*self.bodies, *self.forces, *self.limits.values(), *self.loops, *self.contacts)
        for part in parts:
            expressions += part.expressions()
        return tuple(expressions)

    def __str__(self) -> str:
        closed = self.speed_map is None and bool(self.closure_rows)
        moving = "joint speed" if closed else "degree of freedom"  # constraint rows remove some
        counts = {"body": self.bodies, moving: self.v, "parameter": self.parameters}
        counts["input"] = self.inputs
        counts |= {n: x for n, x in (("loop", self.loops), ("contact", self.contacts)) if x}
        return f"Robot {self.name}: {', '.join(counted(len(x), n) for n, x in counts.items())}"

    def __repr__(self) -> str:
        return f"<{self}>"


give_reprs(Robot)


def expect_robot(robot: object, function: str) -> Robot:
    """Check that an argument is a Robot, and return it."""
    if isinstance(robot, Robot):
        return robot
    raise ModelError(f"{function}: expected a Robot, got {brief(robot)}; load one with eq.load(…).")

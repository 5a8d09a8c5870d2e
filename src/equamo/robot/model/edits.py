"""Algorithms behind the methods of `robot_edits`; each returns a new robot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import partial
from math import isfinite
from typing import Any, cast

from ...algebra.expr import ONE, ZERO, Expr, as_expr, symbol
from ...algebra.expr.evaluate import evaluate_floats
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...basics.arguments import flag, is_one_of, items_of
from ...basics.wording import brief
from ...errors import EquamoError, ModelError, UnknownNameError
from .arguments import items
from .body import WORLD, Body
from .constraint import Constraint
from .contact import OPEN, contact_mode
from .force import ForceElement
from .independent_speeds import numbers_at_home
from .inertia import Inertia
from .joints.fixed import Fixed, fixed
from .parameter import parameter
from .robot import Number, Robot
from .speeds import SpeedMap, speed_map
from .state import State
from .unit_quaternions import unit_quaternion


def copy_with(robot: Robot, **changes: Any) -> Robot:
    """Copy of the robot with the given fields replaced."""
    home = changes.pop("home", None)
    parts: dict[str, Any] = {
        "name": robot.name, "bodies": robot.bodies, "gravity": robot.gravity,
        "forces": robot.forces, "parameters": robot.parameter_info, "base": robot.base,
        "notation": robot.notation, "description": robot.description, "speeds": robot.speed_map,
        "limits": robot.limits, "import_report": robot.import_report, "loops": robot.loops,
        "contacts": robot.contacts, "mode": robot.mode,
    } | changes  # fmt: skip
    kept = {WORLD, *(b.name for b in parts["bodies"])}  # drop shapes and meshes of removed bodies
    for drawn, table in (("shapes", robot.shapes), ("meshes", robot.meshes)):
        parts.setdefault(drawn, {n: x for n, x in table.items() if n in kept})
    if home is None:
        bare = Robot(**parts)
        valid = {x.name for x in (*bare.q, *bare.v, *bare.inputs)}
        state = {**_joint_home(robot), **_flat(robot.home)}
        home = {n: x for n, x in state.items() if n in valid}
    return Robot(**parts, home=home)


def _flat(home: State) -> dict[str, Number]:
    return {**home.q, **home.v, **home.inputs}


def _joint_home(robot: Robot) -> dict[str, Number]:
    """Eliminated coordinates and joint speeds u = W v at the default state, those that are not 0."""
    chosen = robot.speed_map
    if chosen is None:
        return {}
    u = chosen.W @ Vector([robot.home.v[n] for n in chosen.names])
    formulas = dict(chosen.dependent) | dict(zip(chosen.W.row_names or (), u, strict=True))
    formulas = {n: e for n, e in formulas.items() if e is not ZERO}
    numbers = {**robot.home.q, **{n: x for n, x in robot.values.items() if x is not None}}
    found: dict[str, Number] = {}
    for n, e in formulas.items():
        try:
            found[n] = evaluate_floats([e], {symbol(m): float(x) for m, x in numbers.items()})[0]
        except (EquamoError, ArithmeticError, ValueError):
            continue  # a parameter without a value, or a state where W is singular
    return {n: x for n, x in found.items() if x and isfinite(x)}


def merged(verb: str, values: Any, named: Mapping[str, Any], example: str = "q1") -> dict[str, Any]:
    """Values of a mapping and of keyword arguments together; each name must occur once."""
    if values is None:
        return dict(named)
    if not isinstance(values, Mapping):
        raise ModelError(f'{verb}: values must map names to numbers, such as {verb}({example}=0) or '
                         f'{verb}({{"{example}": 0}}), got {brief(values)}.')  # fmt: skip
    mapping = cast(Mapping[str, Any], values)
    twice = [n for n in mapping if n in named]
    if twice:
        raise ModelError(f"{verb}: {twice[0]!r} must be passed once, got it twice.")
    return {**mapping, **named}


def lock(robot: Robot, values: Mapping[str, Any]) -> Robot:
    """Fix the joints of coordinates; force elements along their speeds are removed."""
    valid = [x.name for x in robot.joint_coordinates]
    held: dict[Expr, Expr] = {}
    for n, x in values.items():
        if n not in valid:
            raise UnknownNameError("coordinate", n, valid, f"robot {robot.name!r}")
        held[symbol(n)] = as_expr(x)
        moving = {s.name for s in symbols([held[symbol(n)]])}.intersection(valid)
        if moving:
            raise ModelError(f"lock: {n!r} must be locked at a number or parameter, got {brief(x)}, "
                             f"which depends on {', '.join(sorted(moving))}.")  # fmt: skip
    removed: set[str] = set()
    bodies: list[Body] = []
    for b in robot.bodies:
        joint = b.joint
        locked = [n for n in joint.coordinates if n in values]
        if locked and len(locked) != len(joint.coordinates):
            missing = [n for n in joint.coordinates if n not in values]
            raise ModelError(f"lock: all coordinates of the joint of body {b.name!r} must be locked "
                             f"together; add {', '.join(missing)}.")  # fmt: skip
        if locked:
            removed.update(joint.speeds)
            square = ONE
            for group in joint.unit_groups():
                unit, square = unit_quaternion("lock", {n: held[symbol(n)] for n in group})
                held |= {symbol(n): x for n, x in unit.items()}
            A = joint.rotation.subs(held)  # of degree 2 in the quaternion, so A/|q|² is orthogonal
            A = A if square is ONE else A * (ONE / square)
            joint = Fixed((), (), joint.position.subs(held), A, joint.name)
        bodies.append(Body(b.name, joint, inertia=b.inertia, parent=b.parent))
    constants = held | {symbol(u): ZERO for u in removed}
    forces = [_with(f, constants) for f in robot.forces if not _drives(f, removed)]
    limits = {n: x for n, x in robot.limits.items() if n not in values}
    speeds = _locked_speeds(robot, removed, held)
    return copy_with(robot, bodies=bodies, forces=forces, speeds=speeds, limits=limits)


def _with(f: ForceElement, values: Mapping[Expr, Expr]) -> ForceElement:
    """Copy of a force element with symbols replaced in all its quantities."""
    changed = {
        x.name: getattr(f, x.name).subs(values)
        for x in fields(f)
        if isinstance(getattr(f, x.name), (Expr, Vector, Matrix))
    }
    return replace(f, **changed) if changed else f


def _locked_speeds(robot: Robot, removed: set[str], held: dict[Expr, Expr]) -> SpeedMap | None:
    """Speed map without the locked joints, and without the speeds that move only them."""
    old = robot.speed_map
    if old is None:
        return None
    W = old.W
    rows = W.row_names or ()
    lost = {v for v in old.names if all(W[r, v] is ZERO for r in rows if r not in removed)}
    for n in sorted(removed):
        moving = [v for v in old.names if W[n, v] is not ZERO and v not in lost]
        if moving:
            raise ModelError(f"lock: the joint of speed {n!r} must not move together with others "
                             f"(chosen speeds {', '.join(moving)}); lock them too, or choose other "
                             "speeds.")  # fmt: skip
    names = tuple(v for v in old.names if v not in lost)
    kept = [r for r in rows if r not in removed]
    constants = held | {symbol(u): ZERO for u in removed}
    equations = [Constraint(c.equation.subs(constants), c.name) for c in old.constraints]
    trivial = tuple(c.name for c in equations if c.equation is ZERO)
    return SpeedMap(
        names,
        Matrix([[W[r, v] for v in names] for r in kept], kept, names).subs(held),
        tuple((n, e.subs(held)) for n, e in old.dependent if symbol(n) not in held),
        tuple(c for c in equations if c.equation is not ZERO),
        (*old.redundant, *trivial),
        tuple((n, e.subs(constants)) for n, e in old.kept if n in names),
    )


def _drives(f: ForceElement, removed: set[str]) -> bool:
    return any(u in removed for u in f.speeds())


def attach(robot: Robot, tool: Robot | Body, to: str, prefix: str = "") -> Robot:
    """Attach a body, or all bodies of another robot, to a body."""
    if not is_one_of(to, (WORLD,)):
        robot.body(to)
    if not isinstance(prefix, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"attach: prefix must be text, got {brief(prefix)}.")
    if not isinstance(tool, (Robot, Body)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"attach: tool must be a Body or a Robot, got {brief(tool)}.")
    parts = tool.bodies if isinstance(tool, Robot) else (tool,)
    if robot.speed_map is not None and any(b.joint.speeds for b in parts):
        raise ModelError(
            f"attach: the tool must not have moving joints, because robot {robot.name!r} has chosen "
            "speeds; attach it to robot.tree and choose speeds afterwards."
        )
    if isinstance(tool, Body) and tool.parent not in (WORLD, to):
        raise ModelError(
            f"attach: the parent of body {tool.name!r} must be {to!r} or 'world', got {tool.parent!r}."
        )
    added: list[Body] = []
    for b in parts:
        parent = prefix + b.parent if isinstance(tool, Robot) and b.parent != WORLD else to
        added.append(Body(prefix + b.name, b.joint, inertia=b.inertia, parent=parent))
    if not isinstance(tool, Robot):
        return copy_with(robot, bodies=[*robot.bodies, *added])
    return _attach_robot(robot, tool, added, to, prefix)


def _attach_robot(robot: Robot, tool: Robot, added: list[Body], to: str, prefix: str) -> Robot:
    """Attach the bodies, force elements, loops, parameters, limits and default state of a robot."""
    if prefix and any(f.bodies() for f in tool.forces):
        raise ModelError(f"attach: prefix must be empty, because force elements of robot {tool.name!r} "
                         f"refer to its bodies by name, got {prefix!r}.")  # fmt: skip
    if tool.speed_map is not None or not tool.base.is_zero:
        raise ModelError(f"attach: robot {tool.name!r} must not have chosen speeds or a moving base; "
                         "attach its tree.")  # fmt: skip
    for n, p in tool.parameter_info.items():
        own = robot.parameter_info.get(n)
        if own is not None and None not in (own.value, p.value) and own.value != p.value:
            raise ModelError(f"attach: parameter {n!r} must have the same value in both robots, got "
                             f"{own.value} in {robot.name!r} and {p.value} in {tool.name!r}; rename "
                             "one.")  # fmt: skip

    _check_gravity(robot, tool)

    def moved(body: str) -> str:
        return to if body == WORLD else prefix + body

    def drawn(own: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
        """Shapes or meshes by body; those of the tool's world move to the body that carries it."""
        table = dict(own)
        for n, x in added.items():
            table[moved(n)] = (*table.get(moved(n), ()), *x)
        return table

    valued = {n: p for n, p in robot.parameter_info.items() if p.value is not None}
    loops = [
        replace(x, name=prefix + x.name, body=moved(x.body), to=moved(x.to)) for x in tool.loops
    ]
    contacts = [replace(x, name=prefix + x.name, body=prefix + x.body) for x in tool.contacts]
    return copy_with(
        robot, bodies=[*robot.bodies, *added], forces=[*robot.forces, *tool.forces],
        loops=[*robot.loops, *loops], contacts=[*robot.contacts, *contacts],
        mode={**robot.mode, **{prefix + n: x for n, x in tool.mode.items()}},
        parameters={**robot.parameter_info, **tool.parameter_info, **valued},
        home={**_flat(tool.home), **_flat(robot.home)},
        limits={**tool.limits, **robot.limits}, notation={**tool.notation, **robot.notation},
        shapes=drawn(robot.shapes, tool.shapes), meshes=drawn(robot.meshes, tool.meshes),
    )  # fmt: skip


def _check_gravity(robot: Robot, tool: Robot) -> None:
    """Check that a tool has the gravity of the robot, as expressions or in the values of parameters."""
    if tool.gravity == robot.gravity:
        return
    both = [_in_values(x, x.gravity) for x in (robot, tool)]
    if both[0] != both[1]:
        raise ModelError(
            f"attach: robot {tool.name!r} must have the gravity of robot {robot.name!r}, which acts on "
            f"both, {robot.gravity}, got {tool.gravity}; make it with this gravity."
        )


def _in_values(robot: Robot, v: Vector) -> Vector:
    return v.subs({symbol(n): as_expr(x) for n, x in robot.values.items() if x is not None})


def add_frame(robot: Robot, name: str, body: str, at: Any, rotation: Any) -> Robot:
    """Add a massless body on a fixed joint, as URDF does for frames."""
    taken = (WORLD, *(b.name for b in robot.bodies))
    if not is_one_of(body, taken):
        raise UnknownNameError("body", body, taken, f"robot {robot.name!r}")
    if is_one_of(name, taken):
        raise ModelError(f"add_frame: the name of a frame must be new, got {name!r}, which already "
                         f"exists in robot {robot.name!r}; choose another.")  # fmt: skip
    return copy_with(robot, bodies=[*robot.bodies, Body(name, fixed(at, rotation), parent=body)])


def add_mass(robot: Robot, body: str, mass: Any, com: Any, inertia: Any) -> Robot:
    """Add mass to a body."""
    robot.body(body)
    extra = Inertia.central(mass, com, inertia)
    bodies = [
        Body(b.name, b.joint, inertia=b.inertia + extra, parent=b.parent) if b.name == body else b
        for b in robot.bodies
    ]
    return copy_with(robot, bodies=bodies)


def with_forces(
    robot: Robot, forces: Iterable[ForceElement | Iterable[ForceElement]], only: bool = False
) -> Robot:
    """Add force elements; an element replaces one of the same name."""
    added: list[ForceElement] = []
    for x in forces:
        added += (
            [x] if isinstance(x, ForceElement) else items("forces", x, ForceElement, "with_forces")
        )
    if flag("with_forces: only", only):
        return copy_with(robot, forces=added)
    new = {f.name: f for f in added}
    if len(new) < len(added):
        twice = next(f.name for k, f in enumerate(added) if f.name in {g.name for g in added[:k]})
        raise ModelError(
            f"with_forces: force elements must have different names, got two named {twice!r}."
        )
    kept = [new.pop(f.name, f) for f in robot.forces]
    return copy_with(robot, forces=[*kept, *new.values()])


def with_values(robot: Robot, values: Mapping[str, Any]) -> Robot:
    """Change default values of parameters."""
    table = dict(robot.parameter_info)
    for n, x in values.items():
        if n not in table:
            raise UnknownNameError("parameter", n, table, f"robot {robot.name!r}")
        table[n] = replace(table[n], value=parameter(n, x).value)
    return copy_with(robot, parameters=table)


def with_home(robot: Robot, values: Mapping[str, Number]) -> Robot:
    """Change the default state."""
    return copy_with(robot, home={**_flat(robot.home), **values})


def in_mode(robot: Robot, mode: Mapping[str, str]) -> Robot:
    """Hold contacts to the ground."""
    if robot.speed_map is not None and dict(robot.mode) != {
        **dict.fromkeys(robot.mode, OPEN),
        **mode,
    }:
        contact_mode(robot.contacts, mode, robot.name)
        raise ModelError(f"in_mode: robot {robot.name!r} must not have chosen speeds, because they do "
                         "not fit another mode; use robot.with_speeds(None).in_mode(…), and choose "
                         "speeds afterwards.")  # fmt: skip
    return copy_with(robot, mode=mode)


def with_speeds(robot: Robot, speeds: Any, rows: Iterable[str] | None = None) -> Robot:
    """Choose other speeds for the same constraints, loops and contacts."""
    valid = [r.name for r in robot.closure_rows]
    only = None if rows is None else items_of(rows)
    if rows is not None and (only is None or isinstance(rows, str)):
        raise ModelError(f"with_speeds: rows must be a list of names, got {brief(rows)}.")
    for n in only or ():
        if not is_one_of(n, valid):
            raise UnknownNameError("equation", n, valid, f"robot {robot.name!r}")
    bare = copy_with(robot, speeds=None)
    own = velocity_constraints(robot)
    values = partial(numbers_at_home, bare, _flat(robot.home), robot.parameter_info)
    chosen = speed_map(bare, speeds, None, own, {}, values, only)
    return copy_with(bare, speeds=chosen, home=_home_for(robot, bare, chosen))


def velocity_constraints(robot: Robot) -> tuple[Constraint, ...]:
    """Constraints of the user, without the equations of loops and contacts."""
    if robot.speed_map is None:
        return ()
    closing = {r.name for r in robot.closure_rows}
    return tuple(c for c in robot.speed_map.constraints if c.name not in closing)


def _home_for(robot: Robot, bare: Robot, chosen: SpeedMap | None) -> dict[str, Number] | None:
    """Default state of a robot with other speeds: speeds of the same name keep their values."""
    names = {x.name for x in (*bare.q, *(chosen or bare).v, *bare.inputs)}
    state = {**_flat(bare.home), **_joint_home(robot), **_flat(robot.home)}
    return {n: x for n, x in state.items() if n in names}

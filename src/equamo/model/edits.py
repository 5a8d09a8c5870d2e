"""Edits that give new robots: lock, attach, add_frame, add_mass, with_forces, with_values, with_home."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any, cast

from ..errors import ModelError, UnknownNameError
from ..expr import ZERO, Expr, as_expr, symbol
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..expr.walk import symbols
from ..wording import brief
from .arguments import items
from .body import WORLD, Body
from .constraint import Constraint
from .force import ForceElement
from .inertia import Inertia
from .joints.fixed import Fixed, fixed
from .parameter import parameter
from .robot import Number, Robot
from .speeds import SpeedMap
from .state import State


def remade(robot: Robot, **changes: Any) -> Robot:
    """A robot like this one but for what is named."""
    home = changes.pop("home", None)
    parts: dict[str, Any] = {
        "name": robot.name, "bodies": robot.bodies, "gravity": robot.gravity,
        "forces": robot.forces, "parameters": robot.parameter_info, "base": robot.base,
        "notation": robot.notation, "description": robot.description, "speeds": robot.speed_map,
        "limits": robot.limits, "shapes": robot.shapes, "import_report": robot.import_report,
    } | changes  # fmt: skip
    if "shapes" not in changes:  # those of bodies that are gone go too
        kept = {WORLD, *(b.name for b in parts["bodies"])}
        parts["shapes"] = {n: x for n, x in robot.shapes.items() if n in kept}
    if home is None:
        bare = Robot(**parts)
        valid = {x.name for x in (*bare.q, *bare.v, *bare.inputs)}
        home = {n: x for n, x in _flat(robot.home).items() if n in valid}
    return Robot(**parts, home=home)


def _flat(home: State) -> dict[str, Number]:
    return {**home.q, **home.v, **home.inputs}


def both(verb: str, values: Any, named: Mapping[str, Any]) -> dict[str, Any]:
    """Values given as a mapping, as keyword arguments, or partly so; each name once."""
    if values is None:
        return dict(named)
    if not isinstance(values, Mapping):
        raise ModelError(f'{verb}() takes names with values, such as {verb}(q1=0) or '
                         f'{verb}({{"q1": 0}}), got {brief(values)}.')  # fmt: skip
    given = cast(Mapping[str, Any], values)
    twice = [n for n in given if n in named]
    if twice:
        raise ModelError(f"{verb}(): {twice[0]!r} is given twice; give it once.")
    return {**given, **named}


def lock(robot: Robot, values: Mapping[str, Any]) -> Robot:
    """Hold coordinates at values; their joints become fixed, and what acts along them goes.

    >>> from equamo.robots import load
    >>> [x.name for x in load("rr_arm").lock(q1="pi/2").q]
    ['q2']
    """
    known = [x.name for x in robot.joint_coordinates]
    held: dict[Expr, Expr] = {}
    for n, x in values.items():
        if n not in known:
            raise UnknownNameError("coordinate", n, known, f"robot {robot.name!r}")
        held[symbol(n)] = as_expr(x)
        moving = {s.name for s in symbols([held[symbol(n)]])}.intersection(known)
        if moving:
            raise ModelError(f"{n!r} is locked at a number or parameter, not at {brief(x)}, which "
                             f"moves with {', '.join(sorted(moving))}.")  # fmt: skip
    gone: set[str] = set()
    bodies: list[Body] = []
    for b in robot.bodies:
        joint = b.joint
        locked = [n for n in joint.coordinates if n in values]
        if locked and len(locked) != len(joint.coordinates):
            missing = [n for n in joint.coordinates if n not in values]
            raise ModelError(f"The joint of body {b.name!r} is locked whole or not at all; also give "
                             f"{', '.join(missing)}.")  # fmt: skip
        if locked:
            gone.update(joint.speeds)
            joint = Fixed((), (), joint.position.subs(held), joint.rotation.subs(held), joint.name)
        bodies.append(Body(b.name, joint, inertia=b.inertia, parent=b.parent))
    still = held | {symbol(u): ZERO for u in gone}
    forces = [_with(f, still) for f in robot.forces if not _drives(f, gone)]
    limits = {n: x for n, x in robot.limits.items() if n not in values}
    speeds = _locked_speeds(robot, gone, held)
    return remade(robot, bodies=bodies, forces=forces, speeds=speeds, limits=limits)


def _with(f: ForceElement, values: Mapping[Expr, Expr]) -> ForceElement:
    """The element with symbols replaced in all that it is made of."""
    changed = {
        x.name: getattr(f, x.name).subs(values)
        for x in fields(f)
        if isinstance(getattr(f, x.name), (Expr, Vector, Matrix))
    }
    return replace(f, **changed) if changed else f


def _locked_speeds(robot: Robot, gone: set[str], held: dict[Expr, Expr]) -> SpeedMap | None:
    """The speed map without the locked joints and the speeds that drive nothing but them."""
    old = robot.speed_map
    if old is None:
        return None
    W = old.W
    rows = W.row_names or ()
    lost = {v for v in old.names if all(W[r, v] is ZERO for r in rows if r not in gone)}
    for n in sorted(gone):
        moved_by = [v for v in old.names if W[n, v] is not ZERO and v not in lost]
        if moved_by:
            raise ModelError(f"The joint of speed {n!r} moves together with others; to lock it, lock "
                             f"them too or choose other speeds ({', '.join(moved_by)}).")  # fmt: skip
    names = tuple(v for v in old.names if v not in lost)
    kept = [r for r in rows if r not in gone]
    still = held | {symbol(u): ZERO for u in gone}
    equations = [Constraint(c.equation.subs(still), c.name) for c in old.constraints]
    return SpeedMap(
        names,
        Matrix([[W[r, v] for v in names] for r in kept], kept, names).subs(held),
        tuple((n, e.subs(held)) for n, e in old.dependent if symbol(n) not in held),
        tuple(c for c in equations if c.equation is not ZERO),
        old.redundant,
        tuple((n, e.subs(still)) for n, e in old.kept if n in names),
    )


def _drives(f: ForceElement, gone: set[str]) -> bool:
    return any(u in gone for u in f.speeds())


def attach(robot: Robot, tool: Robot | Body, to: str, prefix: str = "") -> Robot:
    """Attach a body, or every body of another robot, to a body (or to the world)."""
    if to != WORLD:
        robot.body(to)
    if not isinstance(tool, (Robot, Body)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"A Body or a Robot is attached, not {brief(tool)}.")
    parts = tool.bodies if isinstance(tool, Robot) else (tool,)
    if robot.speed_map is not None and any(b.joint.speeds for b in parts):
        raise ModelError(
            f"Robot {robot.name!r} has chosen speeds; attach what moves to its tree first."
        )
    if isinstance(tool, Body) and tool.parent not in (WORLD, to):
        raise ModelError(
            f"Body {tool.name!r} has the parent {tool.parent!r} and is attached to {to!r}."
        )
    added: list[Body] = []
    for b in parts:
        parent = prefix + b.parent if isinstance(tool, Robot) and b.parent != WORLD else to
        added.append(Body(prefix + b.name, b.joint, inertia=b.inertia, parent=parent))
    if not isinstance(tool, Robot):
        return remade(robot, bodies=[*robot.bodies, *added])
    return _attach_robot(robot, tool, added, prefix)


def _attach_robot(robot: Robot, tool: Robot, added: list[Body], prefix: str) -> Robot:
    """Bodies, force elements, parameters, limits and default state of the tool; nothing is lost."""
    if prefix and any(f.bodies() for f in tool.forces):
        raise ModelError("A robot whose force elements name bodies is attached without a prefix.")
    if tool.speed_map is not None or not tool.base.is_zero:
        raise ModelError(f"Robot {tool.name!r} has chosen speeds or a moving base of its own; only its "
                         "tree can be attached.")  # fmt: skip
    for n, p in tool.parameter_info.items():
        mine = robot.parameter_info.get(n)
        if mine is not None and None not in (mine.value, p.value) and mine.value != p.value:
            raise ModelError(f"The parameter {n!r} is {mine.value} in robot {robot.name!r} and "
                             f"{p.value} in robot {tool.name!r}; rename one.")  # fmt: skip
    return remade(
        robot, bodies=[*robot.bodies, *added], forces=[*robot.forces, *tool.forces],
        parameters={**tool.parameter_info, **robot.parameter_info},
        home={**_flat(tool.home), **_flat(robot.home)},
        limits={**tool.limits, **robot.limits}, notation={**tool.notation, **robot.notation},
        shapes={**robot.shapes,
                **{prefix + n: x for n, x in tool.shapes.items() if n != WORLD}},
    )  # fmt: skip


def add_frame(robot: Robot, name: str, body: str, at: Any, rotation: Any) -> Robot:
    """Copy of the robot with a frame fixed to a body, such as the tip of a tool.

    It is a body without inertia on a fixed joint, as URDF has it, and so has everything that the frame
    of a body has: pose, Jacobians, compiled functions, generated code, a place in files. The equations
    of motion stay the same.

    Args:
        robot: The robot.
        name: Name of the frame; no body may have it.
        body: Body (or frame, or "world") that it is fixed to.
        at: Its origin in the frame of `body` [m].
        rotation: Its rotation in the frame of `body`: a 3×3 matrix, or the angles "α β γ" of
            Rx(α) Ry(β) Rz(γ); None: the same directions.

    Returns:
        The new robot.

    Raises:
        ModelError: If a body has the name, or a quantity is not valid.
        UnknownNameError: If there is no such body.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> arm = load("rr_arm").add_frame("tip", body="fore", at="L2 0 0")
    >>> derive(arm).frame("tip").position()[0].closed_form()
    L1*cos(q1) + L2*cos(q1 + q2)
    """
    taken = (WORLD, *(b.name for b in robot.bodies))
    if body not in taken:
        raise UnknownNameError("body", body, taken, f"robot {robot.name!r}")
    if name in taken:
        raise ModelError(f"add_frame: the name of a frame must be new, got {name!r}, which robot "
                         f"{robot.name!r} has already; choose another.")  # fmt: skip
    return remade(robot, bodies=[*robot.bodies, Body(name, fixed(at, rotation), parent=body)])


def add_mass(robot: Robot, body: str, mass: Any, com: Any, inertia: Any) -> Robot:
    """Mass added to a body, its centre of mass and tensor in that body's frame."""
    robot.body(body)
    extra = Inertia.central(mass, com, inertia)
    bodies = [
        Body(b.name, b.joint, inertia=b.inertia + extra, parent=b.parent) if b.name == body else b
        for b in robot.bodies
    ]
    return remade(robot, bodies=bodies)


def with_forces(
    robot: Robot, forces: Iterable[ForceElement | Iterable[ForceElement]], only: bool = False
) -> Robot:
    """Copy of the robot with force elements added; one with the name of another replaces it.

    Args:
        robot: The robot.
        forces: Force elements, or lists of them.
        only: Leave out all others, actuators included.

    Returns:
        The new robot. Inputs of elements that are gone are gone from its default state too.

    Raises:
        ModelError: If something is not a force element, or two of them have one name.
        UnknownNameError: If an element names a body, coordinate or speed that the robot does not have.

    >>> from equamo.model.forces import joint_damper
    >>> from equamo.robots import load
    >>> [f.name for f in load("rr_arm").with_forces(joint_damper("q1", "d1")).forces]
    ['tau1', 'tau2', 'damper_q1']
    """
    added: list[ForceElement] = []
    for x in forces:
        added += (
            [x] if isinstance(x, ForceElement) else items("forces", x, ForceElement, "with_forces")
        )
    if only:
        return remade(robot, forces=added)
    new = {f.name: f for f in added}
    if len(new) < len(added):
        twice = next(f.name for k, f in enumerate(added) if f.name in {g.name for g in added[:k]})
        raise ModelError(
            f"with_forces: each element must have its own name, got two named {twice!r}."
        )
    kept = [new.pop(f.name, f) for f in robot.forces]
    return remade(robot, forces=[*kept, *new.values()])


def with_values(robot: Robot, values: Mapping[str, Any]) -> Robot:
    """Other default values."""
    table = dict(robot.parameter_info)
    for n, x in values.items():
        if n not in table:
            raise UnknownNameError("parameter", n, table, f"robot {robot.name!r}")
        table[n] = replace(table[n], value=parameter(n, x).value)
    return remade(robot, parameters=table)


def with_home(robot: Robot, values: Mapping[str, Number]) -> Robot:
    """Another default state."""
    return remade(robot, home={**_flat(robot.home), **values})

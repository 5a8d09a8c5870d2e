"""Reactions in joints and loops: the wrench that each joint transmits, and which components are unique.

From the tips to the base, with the force F_b required for the motion of body b, the loads of force
elements and the wrenches of loops and contacts,

    (1) R_b = F_b − (loads) − (wrenches of λ) + Σ X R_child

is the wrench of the parent on the body through its joint, its drive included, about the origin of the
body and in its frame. A row φ̇ = f·ṗ + m·ω, with the motion ω, ṗ of `body` and its point in `to`, loads
`body` with λ f at its point and the torque λ m, and `to` with the opposite.

(1) is linear in λ. If rows are redundant, λ plus any vector of the null space of Aᵀ gives the same
motion; components changed by such a vector are not unique.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, final

from ...algebra.arrays import np
from ...algebra.expr import Expr, internal
from ...algebra.expr.evaluate import Arrays, Tape
from ...algebra.expr.matrix import identity
from ...algebra.expr.vector import ZERO3, Vector
from ...basics.wording import counted
from ...errors import ConstraintError
from ...robot.model.body import WORLD
from ...robot.model.contact import STICK
from ...robot.model.loop import TURNED, Loop
from ...robot.model.read_only import ReadOnly
from ...robot.model.robot import Robot
from ...robot.spatial.force import Force
from ..kinematics.closure import Path
from ..kinematics.element_forces import BodyForces, element_forces
from ..kinematics.poses import transform
from ..recursions.newton_euler import required_forces
from .equations import EquationsOfMotion, expect_equations
from .loop_state import loop_state
from .state_reader import Floats, Reader

COMPONENTS: Final = ("mx", "my", "mz", "fx", "fy", "fz")
_PLACE: Final = "reactions"
_UNCHANGED: Final = 1e-9


@final
@dataclass(frozen=True, eq=False)
class Reactions:
    """Reactions of a robot in one state.

    Attributes:
        joints: By body, the wrench of its parent on it through its joint: moment about the origin of the
            body, then force, in its frame [N m, N]. Drives are included.
        loops: λ by row of the loops and sticking contacts; 0 for redundant rows.
        unique: Names of the components that are the same in every solution, such as "rocker fx" and
            "closure x".
        ambiguous: Names of the others: they depend on how redundant rows share the load.
    """

    joints: Mapping[str, Floats]
    loops: Mapping[str, float]
    unique: tuple[str, ...]
    ambiguous: tuple[str, ...]

    def __str__(self) -> str:
        lines = ["reaction of the parent on each body (moment, force), in its frame"]
        for name, wrench in self.joints.items():
            numbers = ", ".join(
                f"{c} {x + 0.0:.4g}{'*' * (f'{name} {c}' in self.ambiguous)}"
                for c, x in zip(COMPONENTS, wrench, strict=True)
            )
            lines.append(f"  {name}: {numbers}")
        for row, x in self.loops.items():
            lines.append(f"  {row}: {x:.4g}{'*' * (row in self.ambiguous)}")
        if self.ambiguous:
            lines.append(f"* not unique ({counted(len(self.ambiguous), 'component')})")
        return "\n".join(lines)


def reactions(
    eom: EquationsOfMotion,
    q: Any = None,
    v: Any = None,
    inputs: Any = None,
    external: Any = None,
    values: Mapping[str, Any] | None = None,
) -> Reactions:
    """Reactions in tree joints and loops, for the motion caused by the inputs.

    Args:
        eom: Equations of motion in the joint speeds (`eom.augmented()`).
        q: Coordinates on the loops; see `assemble`.
        v: Speeds with A v = 0.
        inputs: Inputs.
        external: External wrenches.
        values: Values of parameters, in place of their defaults.

    Returns:
        The wrenches, and which of their components are unique.

    Raises:
        ConstraintError: The equations have chosen speeds, or the configuration is singular.
        AssemblyError: The configuration violates the loops.
        EvaluationError: The speeds do not satisfy the loops.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> found = reactions(derive(load("rr_arm")), q=[0, 0], inputs=[0.0, 0.0])
    >>> found.unique[:2], found.ambiguous
    (('upper mx', 'upper my'), ())
    """
    expect_equations(eom, _PLACE)
    robot = eom.robot
    if robot.speed_map is not None:
        raise ConstraintError(
            f"{_PLACE}: the equations of robot {robot.name!r} must be in the joint speeds, got chosen "
            "speeds; pass eom.augmented()."
        )
    state = loop_state(eom, q, v, values, _PLACE)
    at: dict[str, Any] = {
        "q": state.q,
        "v": state.v,
        "inputs": inputs,
        "external": external,
        "values": values,
    }
    vdot = eom.evaluate("state_derivative", **at)[len(robot.q) :]
    multipliers = np.zeros(len(robot.rows))
    names = [r.name for r in robot.rows]
    if names:
        rows = [r.name for r in eom.constrained_system.rows]
        multipliers[[names.index(n) for n in rows]] = eom.evaluate(eom.multipliers, **at)
    wrenches, changes = _numbers(eom, state.q, state.v, vdot, multipliers, inputs, external, values)
    free = state.internal_forces() if names else np.zeros((0, 0))
    components = [f"{b.name} {c}" for b in robot.bodies for c in COMPONENTS] + names
    # λ and wrenches by their work on displacements of the robot's size, so that units do not matter
    rows = state.sizes.of_rows(robot.rows)
    moves = np.tile(np.repeat([1.0, state.sizes.length], 3), len(robot.bodies))
    changes, free = changes * moves[:, None] / rows, np.linalg.qr(rows[:, None] * free)[0]
    moved = np.vstack([changes @ free, free]) if free.size else np.zeros((len(components), 1))
    size = np.abs(changes).max(initial=0.0)
    sizes = np.concatenate([np.full(len(moves), size), np.ones(len(names))])
    fixed = np.abs(moved).max(axis=1) <= _UNCHANGED * sizes
    return Reactions(
        ReadOnly({b.name: w for b, w in zip(robot.bodies, wrenches.reshape(-1, 6), strict=True)}),
        ReadOnly({n: float(x) for n, x in zip(names, multipliers, strict=True)}),
        tuple(n for n, x in zip(components, fixed, strict=True) if x),
        tuple(n for n, x in zip(components, fixed, strict=True) if not x),
    )


def _numbers(
    eom: EquationsOfMotion,
    q: Floats,
    v: Floats,
    vdot: Floats,
    multipliers: Floats,
    inputs: Any,
    external: Any,
    values: Any,
) -> tuple[Floats, Floats]:
    """Wrenches (6 per body), and their derivatives with respect to λ."""
    space, robot = eom.robot.state_space, eom.robot
    entries = wrench_expressions(robot)
    known: dict[Expr, Any] = {}
    for part, x in ((space.q, q), (space.v, v), (space.vdot, vdot)):
        known |= zip(part.symbols, map(np.float64, x), strict=True)
    for part, given in ((space.inputs, inputs), (space.external, external)):
        reader = Reader(_PLACE, part, exact=True)
        known |= zip(part.symbols, map(np.float64, reader.read_or_home(given)), strict=True)
    reader = Reader(_PLACE, space.values, exact=True)
    known |= zip(
        space.values.symbols, map(np.float64, reader.read_names(reader.table(values))), strict=True
    )
    n = len(robot.rows)
    batch = np.vstack([multipliers, multipliers + np.eye(n)]) if n else np.zeros((1, 0))
    known |= zip(multiplier_symbols(robot), batch.T, strict=True)
    steps = () if eom.replaced is None else eom.replaced.steps
    for step in steps:
        entries = [e.subs(step) for e in entries]
    results = Tape(entries).run(Arrays(), known)
    table = np.array([np.broadcast_to(x, (n + 1,)) for x in results])
    return table[:, 0], table[:, 1:] - table[:, :1]


def multiplier_symbols(robot: Robot) -> list[Expr]:
    """λ of each row as a symbol."""
    return [internal("λ", r.name) for r in robot.rows]


def wrench_expressions(robot: Robot) -> list[Expr]:
    """(1) of every body, moment and force, in q, v, v̇, inputs and the multipliers."""
    tree = robot.tree
    F: BodyForces = required_forces(tree, tree.v, tree.vdot, tree.gravity)
    for element in tree.forces:
        for name, load in element_forces(tree, element)[1].items():
            F[name] = F[name] - load
    for name, load in _row_loads(robot):
        F[name] = F[name] - load
    for b in reversed(tree.bodies):
        if b.parent != WORLD:
            F[b.parent] = F[b.parent].plus(tree.joint_pose(b), F[b.name])  # (1)
    return [e for b in tree.bodies for e in (*F[b.name].moment, *F[b.name].force)]


def _row_loads(robot: Robot) -> list[tuple[str, Force]]:
    """Wrenches of the rows on bodies, with λ as symbols, each in the frame of its body."""
    closed = [*robot.loops, *(c for c in robot.contacts if robot.mode[c.name] == STICK)]
    multipliers = iter(multiplier_symbols(robot))
    loads: list[tuple[str, Force]] = []
    for x in closed:
        path, to = Path(robot, x), x.to if isinstance(x, Loop) else WORLD
        total = Force.zero(robot.spatial_frame(to))
        for m, f in _directions(path):
            total = total + Force.at(total.frame, path.p, f) * (l := next(multipliers))
            total = total + Force(total.frame, m, ZERO3) * l
        if to != WORLD:
            loads.append((to, -total))
        loads.append((x.body, transform(robot.tree, to, x.body) @ total))
    return loads


def _directions(path: Path) -> list[tuple[Vector, Vector]]:
    """(m, f) of each row, in the frame of `to`: φ̇ = m·ω + f·ṗ"""
    closed = path.closed
    if isinstance(closed, Loop) and closed.joint == "distance":
        return [(ZERO3, path.p - closed.to_at)]
    rows: list[tuple[Vector, Vector]] = []
    for c, axis in path.directions:
        if c is not None:
            rows.append((ZERO3, c))
        elif axis is not None:
            rows.append((path.z1.cross(axis), ZERO3))
    if isinstance(closed, Loop) and closed.joint in TURNED:
        E = path.A if closed.rotation is None else path.A @ closed.rotation.T
        trace = E[0, 0] + E[1, 1] + E[2, 2]
        half = (identity(3) * trace - E) * Fraction(1, 2)
        rows += [(Vector(r), ZERO3) for r in half.rows]
    return rows

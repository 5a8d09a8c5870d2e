"""Inverse dynamics with loops: which inputs produce a motion, and which of them are unique.

With a basis W of the motions, A W = 0, and r = M u̇ + C u + g − (passive forces),

    (1) Wᵀ B τ = Wᵀ r
    (2) τ = D (Wᵀ B D)⁺ Wᵀ r       Σ w τ² → min, D = diag(1/√w)
    (3) Aᵀ λ = r − B τ

(1) has a solution for every motion if Wᵀ B is surjective; inputs not changed by any vector of its
null space are unique. Since Wᵀ annuls the columns of Aᵀ, the rank of Wᵀ B is that of [Aᵀ B] minus that
of A, which can be found exactly without W.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast, final

from ...algebra.arrays import np
from ...algebra.expr.matrix import Matrix
from ...algebra.identity.rank import rank
from ...basics.wording import brief, counted
from ...errors import ConstraintError, EvaluationError
from ...robot.model.read_only import ReadOnly
from .characteristic_sizes import ROUNDING, CharacteristicSizes
from .equations import EquationsOfMotion, expect_equations
from .loop_state import SMALL, loop_accelerations, loop_state, null_space
from .mobility import independent_rows
from .state_reader import Floats, Reader

_PLACE = "distribute_torques"


@final
@dataclass(frozen=True)
class Actuation:
    """How inputs act on the degrees of freedom, for general q.

    Attributes:
        degrees_of_freedom: Number of independent speeds.
        rank: Number of degrees of freedom that the inputs can accelerate independently.
        unique: Inputs that the motion determines.
        shared: Inputs that can be traded against others without changing the motion.
    """

    degrees_of_freedom: int
    rank: int
    unique: tuple[str, ...]
    shared: tuple[str, ...]

    def __str__(self) -> str:
        inputs = counted(len(self.unique) + len(self.shared), "input")
        of = counted(self.degrees_of_freedom, "degree of freedom")
        lines = [f"driven: {self.rank} of {of}, by {inputs}"]
        if self.unique:
            lines.append(f"  unique: {', '.join(self.unique)}")
        if self.shared:
            lines.append(f"  not unique: {', '.join(self.shared)}")
        return "\n".join(lines)


def actuation(eom: EquationsOfMotion) -> Actuation:
    """Which inputs a motion determines, exactly, for general q.

    Args:
        eom: Equations of motion.

    Returns:
        The report.

    Raises:
        EquamoError: The argument is not EquationsOfMotion.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> actuation(derive(load("rr_arm"))).unique
    ('tau1', 'tau2')
    """
    expect_equations(eom, "actuation")
    robot, B = eom.robot, eom.input_matrix
    augmented = robot.speed_map is None
    kept = [eom.constraint_matrix.rows[i] for i in independent_rows(robot)] if augmented else []
    names = [x.name for x in eom.inputs]

    def total(columns: list[int]) -> int:
        rows = [*kept, *(B.T.rows[j] for j in columns)]
        return rank(Matrix(rows), robot.unit_groups) if rows else 0

    every = list(range(len(names)))
    full = total(every)
    unique = [j for j in every if total([k for k in every if k != j]) < full]
    return Actuation(
        len(eom.v) - len(kept),
        full - len(kept),
        tuple(names[j] for j in unique),
        tuple(n for j, n in enumerate(names) if j not in unique),
    )


@final
@dataclass(frozen=True, eq=False)
class TorqueDistribution:
    """Inputs that produce a motion.

    Attributes:
        inputs: Numbers by input.
        unique: Inputs that are the same in every solution.
        internal: Combinations of inputs that do not change the motion, one per row; they only change
            constraint forces.
        constraint_forces: λ by row; the one of least norm if rows are redundant.
        unique_forces: Rows whose λ is unique for these inputs.
    """

    inputs: Mapping[str, float]
    unique: tuple[str, ...]
    internal: Floats
    constraint_forces: Mapping[str, float]
    unique_forces: tuple[str, ...]


def distribute_torques(
    eom: EquationsOfMotion,
    q: Any = None,
    v: Any = None,
    vdot: Any = None,
    weights: Any = None,
    external: Any = None,
    values: Mapping[str, Any] | None = None,
) -> TorqueDistribution:
    """Inputs that produce a motion of a robot with loops; the smallest ones if they are not unique.

    Args:
        eom: Equations of motion.
        q: Coordinates on the loops; see `assemble`.
        v: Speeds with A v = 0.
        vdot: Accelerations: a sequence, or {name: number}; with loops the others follow from these.
        weights: Positive number per input, in order or by name: Σ weight · input² is minimised. By
            default 1.
        external: External wrenches, like q.
        values: Values of parameters, in place of their defaults.

    Returns:
        The inputs, which of them are unique, and the constraint forces.

    Raises:
        ConstraintError: The inputs cannot produce every motion, or the configuration is singular.
        AssemblyError: The configuration violates the loops.
        EvaluationError: The speeds, accelerations or weights are not valid.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> found = distribute_torques(eom, q=[0, 0])
    >>> abs(found.inputs["tau2"] - float(eom.evaluate("gravity", q=[0, 0])[1])) < 1e-12
    True
    """
    expect_equations(eom, _PLACE)
    scale = 1 / np.sqrt(_weights(eom, weights))
    if eom.robot.speed_map is not None:
        return _in_chosen_speeds(eom, q, v, vdot, scale, external, values)
    state = loop_state(eom, q, v, values, _PLACE)
    acceleration = loop_accelerations(eom, state, vdot, _PLACE)
    at: dict[str, Any] = {"q": state.q, "values": values}
    r: Floats = eom.evaluate(
        "inverse_dynamics", v=state.v, vdot=acceleration, external=external, **at
    )
    B: Floats = eom.evaluate("input_matrix", **at).reshape(len(eom.v), len(eom.inputs))
    u, rows = state.sizes.u, state.sizes.of_rows(eom.robot.rows)
    W = u[:, None] * np.linalg.qr(state.W / u[:, None])[0]  # motions of the size of the robot
    G, work = W.T @ B, _works(B, u)
    _check_surjective(eom, G / work, W / u[:, None])
    tau = _smallest(G, W.T @ r, scale)
    left, right = (u[:, None] * state.A.T) / rows, u * (r - B @ tau)
    forces = np.asarray(np.linalg.lstsq(left, right, rcond=SMALL)[0]) / rows  # (3)
    internal = state.internal_forces()
    forces -= internal @ (internal.T @ forces)
    names = [x.name for x in eom.robot.rows]
    by_row = {n: float(x) for n, x in zip(names, forces, strict=True)}
    return _result(eom, tau, G, work, by_row, _unchanged(names, internal, rows))


def _in_chosen_speeds(
    eom: EquationsOfMotion, q: Any, v: Any, vdot: Any, scale: Floats, external: Any, values: Any
) -> TorqueDistribution:
    """Speeds that satisfy the constraints: Wᵀ B is the input matrix."""
    at: dict[str, Any] = {"q": q, "v": v, "external": external, "values": values}
    r = eom.evaluate("inverse_dynamics", vdot=vdot, **at)
    G = eom.evaluate("input_matrix", q=q, values=values).reshape(len(eom.v), len(eom.inputs))
    sizes = CharacteristicSizes(eom.robot, values).v
    work, G = _works(G, sizes), sizes[:, None] * G
    _check_surjective(eom, G / work, np.eye(len(sizes)))
    tau = _smallest(G, sizes * r, scale)
    forces: dict[str, float] = {}
    if eom.robot.rows:
        for name, e in eom.constraint_forces.items():
            forces[name] = eom.evaluate(e, vdot=vdot, inputs=tau, **at)
    return _result(eom, tau, G, work, forces, tuple(forces))


def _works(B: Floats, sizes: Floats) -> Floats:
    """Largest work of each input on displacements of the robot's size; of any input if it has none."""
    own = np.abs(sizes[:, None] * B).max(axis=0, initial=0.0)
    largest = float(own.max(initial=0.0)) or 1.0
    return np.where(own > ROUNDING * largest, own, largest)


def _smallest(G: Floats, r: Floats, scale: Floats) -> Floats:
    return scale * np.linalg.lstsq(G * scale, r, rcond=None)[0]  # (2), of full rank


def _result(
    eom: EquationsOfMotion, tau: Floats, G: Floats, work: Floats, forces: dict[str, float],
    fixed: tuple[str, ...],
) -> TorqueDistribution:  # fmt: skip
    internal = null_space(G, columns=1 / work)
    names = [x.name for x in eom.inputs]
    numbers = {n: float(x) for n, x in zip(names, tau, strict=True)}
    unique = _unchanged(names, internal, work)
    return TorqueDistribution(ReadOnly(numbers), unique, internal.T, ReadOnly(forces), fixed)


def _unchanged(names: list[str], directions: Floats, sizes: Floats) -> tuple[str, ...]:
    """Names of the components that no direction (column) changes, each weighted by its size."""
    largest = np.abs(np.linalg.qr(sizes[:, None] * directions)[0]).max(axis=1, initial=0.0)
    return tuple(n for n, x in zip(names, largest, strict=True) if x < SMALL)


def _check_surjective(eom: EquationsOfMotion, G: Floats, W: Floats) -> None:
    """Raise an error unless G has full rank; both are in units of the sizes of the robot."""
    lost = null_space(G.T)
    if not lost.shape[1]:
        return
    motion = W @ lost[:, 0]
    names = [x.name for x, c in zip(eom.v, motion, strict=True) if abs(c) > 1e-6]
    dof, driven = G.shape[0], G.shape[0] - lost.shape[1]
    raise ConstraintError(
        f"{_PLACE}: the inputs of robot {eom.robot.name!r} must drive all "
        f"{counted(dof, 'degree of freedom')}, got {driven}: none drives a motion along "
        f"{', '.join(names[:6])}; add actuators, or prescribe fewer accelerations."
    )


def _weights(eom: EquationsOfMotion, weights: Any) -> Floats:
    if weights is None:
        return np.ones(len(eom.inputs))
    reader = Reader(_PLACE, eom.robot.state_space.inputs, "weights", exact=True)
    if isinstance(weights, Mapping):
        table = cast(Mapping[Any, Any], weights)
        weights = {
            **{x.name: 1.0 for x in eom.inputs},
            **{reader.entry(k): x for k, x in table.items()},
        }
    numbers = reader.read_state(weights)
    if not (numbers > 0).all():
        raise EvaluationError(f"{_PLACE}: weights must be greater than 0, got {brief(weights)}.")
    return numbers

"""Regressor: inverse dynamics as a matrix times the inertial and drive parameters, with its proof.

    (1) Y(q, v, v̇) π + remainder = M v̇ + C v + g − (forces that are not inputs)
    (2) Y_r(q, v, v_r, v̇_r) π = M v̇_r + C v_r + g        Slotine and Li 1987, Christoffel's C
    (3) Y_E π = (kinetic energy, potential energy of gravity)
    (4) Y_p π = M v                                       generalized momentum

π holds ten parameters of each body about its frame (m, first moments, tensor), then the drives: rotor
inertia, viscous and Coulomb friction. With chosen speeds u = W v a column is Wᵀ Y. Forces that are not
linear in such parameters (springs, wrenches) form the remainder, listed by element.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, final

from ...algebra.expr import ZERO, Expr, symbol
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...algebra.identity import Proof, prove_equal
from ...basics.wording import brief
from ...errors import ModelError
from ...robot.model.body import Body
from ...robot.model.inertia import NAMES, Inertia
from ...robot.model.joint import acceleration_name
from ...robot.model.joints import fixed
from ...robot.model.read_only import ReadOnly
from ...robot.model.robot import Robot
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..recursions import regressor as columns_of
from ..recursions.composite_bodies import mass_matrix
from ..recursions.drive_columns import DriveColumn, friction_columns, rotor_columns
from .coriolis import christoffel
from .replaced import replace_in

if TYPE_CHECKING:
    from .equations import EquationsOfMotion

Reference = tuple[tuple[Expr, ...], tuple[Expr, ...]]  # v_r and v̇_r
What = Literal["inverse_dynamics", "slotine_li", "energy", "momentum"]
_ENERGIES: Final = ("kinetic_energy", "potential_energy")


@final
@dataclass(frozen=True, eq=False)
class Regressor:
    """A matrix with matrix · parameters + remainder = a quantity of the equations.

    Attributes:
        equations: Equations of motion from which it was made.
        quantity: "inverse_dynamics", "slotine_li", "energy" or "momentum".
        matrix: Y, one column per parameter, with names: `Y.matrix["q1", "ZZ_fore"]`.
        parameters: π, values or expressions of the robot, with the same names.
        remainder: Part that is not linear in the parameters.
        left_out: The remainder by force element.
        v_r: Reference speeds of Slotine and Li's regressor, as symbols.
        vdot_r: Their derivatives.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> Y = derive(load("rr_arm"), by="kane").regressor
    >>> Y.matrix["q2", "ZZ_fore"], Y.parameters["ZZ_fore"].closed_form()
    (ddq1 + ddq2, I2 + Lc2**2*m2)
    >>> bool(Y.proof)
    True
    """

    equations: EquationsOfMotion
    quantity: What
    matrix: Matrix
    parameters: Vector
    remainder: Vector
    left_out: Mapping[str, Vector] = field(default_factory=dict[str, Vector])
    v_r: tuple[Expr, ...] = ()
    vdot_r: tuple[Expr, ...] = ()
    drives: tuple[tuple[str, str], ...] = ()  # (quantity, element)
    steps: tuple[Mapping[Any, Any], ...] = ()  # of `subs`

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters, such as `m_fore`, `MX_fore`, `ZZ_fore`, `Ia_rotor_q1`."""
        return self.matrix.column_names or ()

    @cached_property
    def expected(self) -> Vector:
        """The quantity that is equal to matrix · parameters + remainder."""
        eom, v = self.equations, Vector(self.equations.v)
        if self.quantity == "inverse_dynamics":
            found = eom.inverse_dynamics
        elif self.quantity == "energy":
            found = Vector([eom.kinetic_energy, eom.potential_energy])
        elif self.quantity == "momentum":
            found = eom.mass_matrix @ v
        else:
            C = eom.coriolis_matrix
            if eom.coriolis != "christoffel":
                C = christoffel(eom.robot, mass_matrix(eom.robot.tree))
            found = eom.mass_matrix @ Vector(self.vdot_r) + C @ Vector(self.v_r) + eom.gravity
        return Vector(replace_in(Vector(found), self.steps), self.matrix.row_names)

    @cached_property
    def proof(self) -> Proof:
        """Proof that matrix · parameters + remainder = the quantity, at every state."""
        ours = self.matrix @ self.parameters + self.remainder
        return prove_equal(ours, self.expected, unit=self.equations.robot.unit_groups)

    # -- further regressors ----------------------------------------------------------------------------
    @cached_property
    def slotine_li(self) -> Regressor:
        """(2), in the reference speeds `v_r` and their derivatives `vdot_r`; the base is at rest."""
        robot = self.equations.robot
        taken = {x.name for x in (*robot.v, *robot.vdot, *robot.q, *robot.parameters)}
        suffix = "_r"
        while any(f"{n}{suffix}" in taken for n in taken):
            suffix += "_r"
        v_r = tuple(symbol(f"{x.name}{suffix}") for x in robot.v)
        vdot_r = tuple(symbol(f"{acceleration_name(x.name)}{suffix}") for x in robot.v)
        speeds = ChosenSpeeds(robot)
        u_r = speeds.W @ Vector(v_r)
        u_dot_r = speeds.W @ Vector(vdot_r)
        if not speeds.trivial:
            u_dot_r = u_dot_r + speeds.W_dot @ Vector(v_r)
        found = columns_of.reference_columns(robot.tree, list(u_r), list(u_dot_r))
        drives = list(rotor_columns(robot, tuple(u_dot_r)))
        return self._of("slotine_li", found, drives, (v_r, vdot_r))

    @cached_property
    def momentum(self) -> Regressor:
        """(4): generalized momentum M v, with the base at rest."""
        robot = self.equations.robot
        found = columns_of.momentum_columns(robot.tree)
        return self._of("momentum", found, list(rotor_columns(robot, robot.joint_speeds)))

    @cached_property
    def energy(self) -> Regressor:
        """(3): two rows, kinetic energy with rotors and potential energy of gravity."""
        robot = self.equations.robot
        T = columns_of.kinetic_energy_columns(robot.tree)
        V = columns_of.potential_energy_columns(robot.tree)
        squares = tuple(x**2 / 2 for x in robot.joint_speeds)
        rotors = [x._replace(speed=0) for x in rotor_columns(robot, squares)]
        found = {n: [{0: t, 1: u} for t, u in zip(T[n], V[n], strict=True)] for n in T}
        return self._of("energy", found, rotors)

    def _of(
        self,
        quantity: What,
        found: dict[str, list[columns_of.Column]],
        drives: Sequence[DriveColumn],
        reference: Reference = ((), ()),
    ) -> Regressor:
        whole = _assembled(self.equations, quantity, found, drives, {}, reference)
        return whole.replaced(self.steps) if self.steps else whole

    def with_payload(
        self, body: str, at: Any = "0 0 0", rotation: Any = None, name: str = "payload"
    ) -> Regressor:
        """Regressor of the robot with an additional rigid body whose parameters are unknown.

        Args:
            body: Body that carries the payload.
            at: Origin of the payload's frame, in the frame of the body [m].
            rotation: Rotation of the payload's frame, as for a joint.
            name: Name of the payload; its ten columns are `m_<name>` … `ZZ_<name>`.

        Returns:
            Regressor of the new equations, derived by the same method; the parameters of the payload are
            symbols with the names of the columns.

        Raises:
            UnknownNameError: Unknown body.
            ModelError: The name is taken, or `at` or `rotation` is not valid.

        >>> from equamo.mechanics.equations import derive
        >>> from equamo.robot.library import load
        >>> Y = derive(load("rr_arm")).regressor.with_payload("fore", at="L2 0 0")
        >>> Y.matrix["q2", "ZZ_payload"]
        ddq1 + ddq2
        """
        from .derive import derive

        eom = self.equations
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"with_payload: name must be text, got {brief(name)}.")
        inertia = Inertia.about_origin([symbol(f"{n}_{name}") for n in NAMES])
        payload = Body(name, fixed(at, rotation), inertia=inertia)
        robot = eom.robot.attach(payload, to=body)
        found = derive(robot, by=eom.by, coriolis=eom.coriolis).regressor
        return found.replaced(self.steps) if self.steps else found

    def replaced(self, steps: tuple[Mapping[Any, Any], ...]) -> Regressor:
        """Copy with symbols replaced, one mapping after the other."""
        matrix = replace_in(self.matrix, steps)
        parameters, remainder = (replace_in(x, steps) for x in (self.parameters, self.remainder))
        left_out = ReadOnly({n: replace_in(x, steps) for n, x in self.left_out.items()})
        return Regressor(
            self.equations, self.quantity, matrix, parameters, remainder, left_out, self.v_r,
            self.vdot_r, self.drives, (*self.steps, *steps),
        )  # fmt: skip

    def __repr__(self) -> str:
        n, m = self.matrix.shape
        return f"<Regressor of {self.quantity}, {n}×{m}, robot {self.equations.robot.name!r}>"


def owners(robot: Robot) -> list[Body]:
    """Bodies with columns: those with inertia, and those that move relative to their parent."""
    return [b for b in robot.bodies if b.joint.speeds or not b.inertia.is_zero]


def regressor(eom: EquationsOfMotion) -> Regressor:
    """(1), of equations without replaced symbols."""
    robot = eom.robot
    found = columns_of.inverse_dynamics_columns(robot.tree)
    drives = list(rotor_columns(robot, robot.joint_accelerations))
    left_out: dict[str, Vector] = {}
    for element in robot.forces:
        if element.inputs():
            continue
        columns = friction_columns(robot, element)
        if columns is not None:
            drives += columns
        elif not eom.forces[element.name].is_zero:
            left_out[element.name] = -Vector(eom.forces[element.name])
    return _assembled(eom, "inverse_dynamics", found, drives, left_out)


def _assembled(
    eom: EquationsOfMotion,
    quantity: What,
    found: dict[str, list[columns_of.Column]],
    drives: Sequence[DriveColumn],
    left_out: Mapping[str, Vector],
    reference: Reference = ((), ()),
) -> Regressor:
    """Columns of bodies and drives as one matrix in the robot's speeds."""
    robot = eom.robot
    bodies = owners(robot)
    names = [f"{n}_{b.name}" for b in bodies for n in NAMES]
    values = [x for b in bodies for x in b.inertia.ten]
    columns = [c for b in bodies for c in found[b.name]]
    names += [f"{x.quantity}_{x.element}" for x in drives]
    values += [x.value for x in drives]
    columns += [{x.speed: x.entry} for x in drives]
    names = _free(names, values, robot)
    if quantity == "energy":
        rows, insert = _ENERGIES, ChosenSpeeds(robot).insert
        entries = insert([c.get(i, ZERO) for i in range(2) for c in columns])
        n = len(columns)
        matrix = Matrix([entries[:n], entries[n:]], rows, names)
    else:
        rows = eom.mass_matrix.row_names or ()
        matrix = Matrix(_in_speeds(robot, columns), rows, names)
    remainder = Vector([ZERO] * len(rows), rows)
    for x in left_out.values():
        remainder = remainder + x
    pairs = tuple((x.quantity, x.element) for x in drives)
    return Regressor(
        eom,
        quantity,
        matrix,
        Vector(values, names),
        remainder,
        ReadOnly(left_out),
        *reference,
        pairs,
    )


def _free(names: Iterable[str], values: Iterable[Expr], robot: Robot) -> list[str]:
    """Names that no other symbol of the robot has, since they are symbols in base parameters."""
    taken = {x.name for x in (*robot.parameters, *robot.q, *robot.v, *robot.inputs)}
    found: list[str] = []
    for n, value in zip(names, values, strict=True):
        name = n
        while name in taken and value is not symbol(name):
            name += "'"
        found.append(name)
    return found


def _in_speeds(robot: Robot, columns: Sequence[columns_of.Column]) -> list[list[Expr]]:
    """Rows of Wᵀ Y"""
    speeds, n = ChosenSpeeds(robot), len(robot.joint_speeds)
    if speeds.trivial:
        return [[c.get(j, ZERO) for c in columns] for j in range(n)]
    flat = iter(speeds.insert([x for c in columns for x in c.values()]))
    inserted = [{j: next(flat) for j in c} for c in columns]
    projected = [speeds.combine([c.get(j, ZERO) for j in range(n)]) for c in inserted]
    return [[c[i] for c in projected] for i in range(len(robot.v))]

"""Identities of mechanics, each as expressions that must vanish. One function is one identity.

They are written again here, from the definitions and by other routes than src takes where there is
one: shared by test_identities (random trees) and test_mutations (which errors do they catch?).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

from equamo.algebra.expr import HALF, ZERO, Expr, symbol
from equamo.algebra.expr.differentiate import directional, gradient
from equamo.algebra.expr.matrix import Matrix, identity, unskew
from equamo.algebra.expr.vector import ZERO3, Vector
from equamo.algebra.identity.prove import differences, prove_all
from equamo.mechanics.equations import FORMULATIONS, EquationsOfMotion, derive
from equamo.mechanics.equations.coriolis import christoffel_symbols
from equamo.mechanics.formulations.kane import simplified_right_hand_side
from equamo.mechanics.kinematics.poses import poses
from equamo.mechanics.recursions.newton_euler import inverse_dynamics
from equamo.robot.model import WORLD, Body, Inertia, Robot
from equamo.robot.model.edits import copy_with
from equamo.robot.model.force import PointForce, SpeedForce

Zeros = list[Expr]


@dataclass
class Derived:
    """A robot and what was derived from it, each thing once."""

    robot: Robot
    seed: int = 0

    @cached_property
    def by(self) -> dict[str, EquationsOfMotion]:
        return {name: derive(self.robot, by=name) for name in FORMULATIONS}

    @cached_property
    def eom(self) -> EquationsOfMotion:
        return self.by["recursive"]

    @property
    def v(self) -> Vector:
        return Vector(self.robot.v)

    @cached_property
    def rates(self) -> dict[Expr, Expr]:
        """{q: N v, v: v̇}"""
        robot = self.robot
        q_dot = robot.kinematic_map @ self.v
        pairs = dict(zip(robot.q, q_dot, strict=True)) | dict(zip(robot.v, robot.vdot, strict=True))
        return pairs | robot.base.rates()

    def dot(self, x: Vector | Matrix) -> Vector | Matrix:
        """d/dt of the entries."""
        return x.map(lambda e: directional(e, self.rates))

    @cached_property
    def frames(self) -> list[str]:
        """Some frames of bodies: the last ones and a random one."""
        names = [b.name for b in self.robot.bodies]
        return list(dict.fromkeys([*names[-2:], Random(self.seed).choice(names)]))

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """Pairs of frames, up, down and across the tree."""
        names = [WORLD, *(b.name for b in self.robot.bodies)]
        r = Random(self.seed)
        return [(f, r.choice(names)) for f in self.frames] + [(self.frames[0], self.frames[-1])]


def failures(robot: Robot, groups: Mapping[str, Zeros], seed: int = 1) -> list[str]:
    """The names of the groups that are not proved zero, with the verdict."""
    proofs = prove_all(list(groups.values()), unit=robot.unit_groups, seed=seed)
    return [f"{n}: {p}" for n, p in zip(groups, proofs, strict=True) if not p]


# -- the formulations ------------------------------------------------------------------------------
def agreement(d: Derived) -> dict[str, Zeros]:
    """Every formulation against the recursion: M, bias, gravity and each force."""
    groups: dict[str, Zeros] = {}
    for name, eom in d.by.items():
        if name == "recursive":
            continue
        for what in ("mass_matrix", "bias", "gravity"):
            groups[f"{name}: {what}"] = differences(getattr(eom, what), getattr(d.eom, what))
        for f in eom.forces:
            groups[f"{name}: force {f!r}"] = differences(eom.forces[f], d.eom.forces[f])
    return groups


def symmetric(d: Derived) -> Zeros:
    """M = Mᵀ, by every formulation"""
    return [x for e in d.by.values() for x in differences(e.mass_matrix, e.mass_matrix.T)]


def newton_euler(d: Derived) -> Zeros:
    """M v̇ + C v + g is what one pass of Newton-Euler gives, for v̇ and gravity at once"""
    robot, e = d.robot, d.eom
    tau = inverse_dynamics(robot, robot.v, robot.vdot, robot.gravity)
    whole = e.mass_matrix @ Vector(robot.vdot) + e.bias + e.gravity
    forces = Vector([ZERO] * len(robot.v))
    for f in robot.forces:
        if not f.inputs():
            forces = forces + e.forces[f.name]
    return [*differences(tau, whole), *differences(e.inverse_dynamics, whole - forces)]


def contributions(d: Derived) -> Zeros:
    """The bodies' inertial contributions sum up to M v̇ + bias"""
    K, n = d.eom.contributions, len(d.robot.bodies)
    total = K @ Vector([1] * n)
    return differences(total, d.eom.mass_matrix @ Vector(d.robot.vdot) + d.eom.bias)


def inputs(d: Derived) -> Zeros:
    """B · inputs is the sum of the actuators' forces"""
    total = Vector([ZERO] * len(d.robot.v))
    for f in d.robot.forces:
        if f.inputs():
            total = total + d.eom.forces[f.name]
    return differences(d.eom.input_matrix @ Vector(d.robot.inputs), total)


# -- structure -------------------------------------------------------------------------------------
def skew(d: Derived) -> Zeros:
    """Ṁ − 2C is skew"""
    S = d.dot(d.eom.mass_matrix) - d.eom.coriolis_matrix * 2
    return list((S + S.T).entries)


def coriolis(d: Derived) -> Zeros:
    """C v = bias, for Christoffel's C"""
    return differences(d.eom.coriolis_matrix @ d.v, d.eom.bias)


def coriolis_split(d: Derived) -> Zeros:
    """C v = bias for the documents' split too, and each product of two speeds is shared equally"""
    e = derive(d.robot, coriolis="split")
    C = e.coriolis_matrix
    zeros = differences(C @ d.v, d.eom.bias)
    for row in C:  # ∂C_ki/∂v_j = ∂C_kj/∂v_i
        H = [row.diff(x) for x in d.robot.v]
        zeros += [H[j][i] - H[i][j] for i in range(len(H)) for j in range(i)]
    return zeros


def christoffel_tensor(d: Derived) -> Zeros:
    """C_ij = Σ_k c_ijk q̇_k with the symbols themselves (document 001, eq. 4), where q̇ = v"""
    if not d.robot.has_unit_map:
        return []
    c = christoffel_symbols(d.eom.mass_matrix, d.robot.q)
    rows = [c_i @ d.v for c_i in c]
    return differences(Matrix(rows), d.eom.coriolis_matrix)


def power(d: Derived) -> Zeros:
    """d/dt (T + U) = v·(M v̇ + C v + g)"""
    e = d.eom
    T = HALF * (d.v @ (e.mass_matrix @ d.v))
    E_dot = directional([T + e.potential_energy], d.rates)[0]
    f = e.mass_matrix @ Vector(d.robot.vdot) + e.bias + e.gravity
    return [E_dot - d.v @ f, e.kinetic_energy - T]


def energy(d: Derived) -> Zeros:
    """½ v·M v is ½ m ṙ·ṙ + ½ ω·J_G ω of the centres of mass, by differentiating poses"""
    return [d.eom.kinetic_energy - sum((t for t, _, _ in _bodies(d)), ZERO)]


def _bodies(d: Derived) -> list[tuple[Expr, Vector, Vector]]:
    """(kinetic energy, momentum, angular momentum about its centre of mass) of each body; world."""
    pose = poses(d.robot)
    out: list[tuple[Expr, Vector, Vector]] = []
    for b in d.robot.bodies:
        A, m = pose[b.name].rotation, b.inertia.mass
        r = pose[b.name].position + A @ b.inertia.center
        r_dot, w = d.dot(r), unskew(d.dot(A) @ A.T)
        L = A @ (b.inertia.tensor_at_center @ (A.T @ w))
        out.append((HALF * (m * (r_dot @ r_dot) + w @ L), r_dot * m, L))
    return out


def conservative(d: Derived) -> Zeros:
    """g = Nᵀ ∂U/∂q with U = −Σ m g·r_G"""
    pose, U = poses(d.robot), ZERO
    for b in d.robot.bodies:
        r = pose[b.name].position + pose[b.name].rotation @ b.inertia.center
        U = U - b.inertia.mass * (d.robot.gravity @ r)
    slope = Vector(gradient(U, d.robot.q))
    return [
        d.eom.potential_energy - U,
        *differences(d.eom.gravity, d.robot.kinematic_map.T @ slope),
    ]


def linear_in_inertia(d: Derived) -> Zeros:
    """Two inertias on every body: the equations add up"""
    parts: list[Derived] = []
    for which in ("a", "b", "ab"):
        bodies = [
            Body(b.name, b.joint, inertia=_fresh(b.name, which), parent=b.parent)
            for b in d.robot.bodies
        ]
        parts.append(Derived(copy_with(d.robot, bodies=bodies, parameters={}, forces=[])))
    a, b, both = parts
    zeros: Zeros = []
    for name in FORMULATIONS:
        for what in ("mass_matrix", "bias", "gravity"):
            total = getattr(a.by[name], what) + getattr(b.by[name], what)
            zeros += differences(getattr(both.by[name], what), total)
    return zeros


def _fresh(body: str, which: str) -> Inertia:
    names = ["m", "MX", "MY", "MZ", "XX", "XY", "XZ", "YY", "YZ", "ZZ"]
    sums = [sum((symbol(f"{n}_{body}_{w}") for w in which), ZERO) for n in names]
    return Inertia.about_origin(sums)


def jacobian_route(d: Derived) -> Zeros:
    """D = Σ m J_vᵀ J_v + J_ωᵀ A J_G Aᵀ J_ω (document 004) is Lagrange's mass matrix"""
    n = len(d.robot.v)
    D = Matrix([[ZERO] * n for _ in range(n)])
    for b in d.robot.bodies:
        frame = d.eom.frame(b.name)
        J_v, J_w = frame.linear_jacobian(at="com"), frame.angular_jacobian()
        A = frame.rotation()
        theta = A @ b.inertia.tensor_at_center @ A.T
        D = D + (J_v.T @ J_v) * b.inertia.mass + J_w.T @ theta @ J_w
    return differences(D, d.by["lagrange"].mass_matrix)


def simplified_right_hand_sides(d: Derived) -> Zeros:
    """(15), (19), (23) of document 000 are the original sums (13), (16), (21)"""
    forces, gravity = simplified_right_hand_side(d.robot)
    kane = d.by["kane"]
    zeros = differences(gravity, kane.gravity)
    for name, f in forces.items():
        zeros += differences(f, kane.forces[name])
    return zeros


# -- kinematics ------------------------------------------------------------------------------------
def velocities(d: Derived) -> Zeros:
    """ω from unskew(Ȧ Aᵀ) and v from ṙ are what the recursion gives; so are their derivatives"""
    pose, zeros = poses(d.robot), []
    for name in d.frames:
        frame, A = d.eom.frame(name), pose[name].rotation
        point = Vector(["1/2", "s2", "-s3"])
        r = pose[name].position + A @ point
        velocity = frame.velocity(at=point)
        zeros += differences(velocity[:3], unskew(d.dot(A) @ A.T))
        zeros += differences(velocity[3:], d.dot(r))
        zeros += differences(frame.acceleration(at=point), d.dot(velocity))
        zeros += differences(frame.position(at=point), r)
        zeros += differences(frame.rotation(), A)
        zeros += differences(frame.position(at="com"), pose[name].position + A
                             @ d.robot.body(name).inertia.center)  # fmt: skip
        zeros += differences(frame.angular_velocity(), velocity[:3])
        zeros += differences(frame.linear_velocity(at=point), velocity[3:])
        acceleration = frame.acceleration(at=point)
        zeros += differences(frame.angular_acceleration(), acceleration[:3])
        zeros += differences(frame.linear_acceleration(at=point), acceleration[3:])
    return zeros


def jacobians(d: Derived) -> Zeros:
    """velocity = J v and acceleration = J v̇ + J̇ v, in the world and in body axes"""
    zeros: Zeros = []
    vdot = Vector(d.robot.vdot)
    for name, other in d.pairs:
        frame, point = d.eom.frame(name), ["1/3", "s2", 0]
        J, J_dot = frame.jacobian(point), frame.jacobian_dot(point)
        zeros += differences(J @ d.v, frame.velocity(point))
        zeros += differences(J @ vdot + J_dot @ d.v, frame.acceleration(point))
        zeros += differences(frame.angular_jacobian(), J[0:3, :])
        zeros += differences(frame.linear_jacobian(point), J[3:6, :])
        # In a turning frame the derivative of components lacks ω × x.
        J, J_dot = frame.jacobian(point, other), frame.jacobian_dot(point, other)
        velocity, acceleration = frame.velocity(point, other), frame.acceleration(point, other)
        w = d.eom.frame(other).angular_velocity(expressed_in=other)
        carried = Vector([*w.cross(velocity[:3]), *w.cross(velocity[3:])])
        zeros += differences(J @ d.v, velocity)
        zeros += differences(J @ vdot + J_dot @ d.v + carried, acceleration)
        A = d.eom.frame(other).rotation()
        zeros += differences(A @ velocity[3:], frame.linear_velocity(point))
        zeros += differences(A @ acceleration[:3], frame.angular_acceleration())
    return zeros


def relative_motion(d: Derived) -> Zeros:
    """Velocity and acceleration relative to a frame are derivatives of the pose seen from it"""
    zeros: Zeros = []
    for name, other in d.pairs:
        frame, point = d.eom.frame(name), Vector([0, "s2", "2/3"])
        A, r = frame.rotation(other), frame.position(point, relative_to=other)
        T = frame.transform(relative_to=other)
        zeros += differences(T[0:3, 0:3], A)
        zeros += differences(T @ Vector([*point, 1]), Vector([*r, 1]))
        velocity = frame.velocity(point, expressed_in=other, relative_to=other)
        zeros += differences(velocity[:3], unskew(d.dot(A) @ A.T))
        zeros += differences(velocity[3:], d.dot(r))
        acceleration = frame.acceleration(point, expressed_in=other, relative_to=other)
        zeros += differences(acceleration, d.dot(velocity))
        J = frame.jacobian(point, expressed_in=other, relative_to=other)
        J_dot = frame.jacobian_dot(point, expressed_in=other, relative_to=other)
        zeros += differences(J @ d.v, velocity)
        zeros += differences(J @ Vector(d.robot.vdot) + J_dot @ d.v, acceleration)
        # A_ab is A_baᵀ, and both are products of what the world sees
        A_0, A_1 = d.eom.frame(other).rotation(), frame.rotation()
        zeros += differences(A, d.eom.frame(other).rotation(name).T)
        zeros += differences(A, A_0.T @ A_1)
        zeros += differences(r, A_0.T @ (frame.position(point) - d.eom.frame(other).position()))
    return zeros


def kinematic_map(d: Derived) -> Zeros:
    """N⁺ N = 1, N N⁺ N = N, and q̇ = N v keeps unit quaternions unit"""
    robot = d.robot
    N, N_inverse = robot.kinematic_map, robot.kinematic_map_inverse
    zeros = differences(N_inverse @ N, identity(len(robot.v)))
    zeros += differences(N @ N_inverse @ N, N)
    for group in robot.unit_groups:
        zeros += directional([sum((x * x for x in group), ZERO)], d.rates)
    return zeros


# -- the whole -------------------------------------------------------------------------------------
def momentum(d: Derived) -> Zeros:
    """Centre of mass and momentum from the bodies' own, and from their Jacobians"""
    e, pose = d.eom, poses(d.robot)
    mass = sum((b.inertia.mass for b in d.robot.bodies), ZERO)
    parts = _bodies(d)
    p = sum((x for _, x, _ in parts), start=ZERO3)
    c = L = ZERO3
    for b, (_, p_b, L_b) in zip(d.robot.bodies, parts, strict=True):
        r = pose[b.name].position + pose[b.name].rotation @ b.inertia.center
        c = c + r * b.inertia.mass
        L = L + L_b + (r - e.center_of_mass).cross(p_b)
    zeros = differences(e.center_of_mass * mass, c)
    zeros += differences(e.momentum, Vector([*L, *p]))
    zeros += differences(e.momentum_jacobian @ d.v, e.momentum)
    zeros += differences(d.dot(e.center_of_mass) * mass, p)
    zeros += differences(e.center_of_mass_jacobian @ d.v * mass, p)
    return zeros


def power_of_forces(d: Derived) -> Zeros:
    """v·f of a force element is F·v + T·ω of the points and bodies it acts on"""
    zeros: Zeros = []
    for element in d.robot.forces:
        P = ZERO
        for load in element.loads():
            if isinstance(load, SpeedForce):
                P = P + load.force * symbol(load.speed)
                continue
            if load.body == WORLD:
                continue
            A = d.eom.frame(load.expressed_in).rotation()
            frame = d.eom.frame(load.body)
            if isinstance(load, PointForce):
                P = P + (A @ load.force) @ frame.linear_velocity(at=load.point)
            else:
                P = P + (A @ load.torque) @ frame.angular_velocity()
        zeros.append(d.v @ d.eom.forces[element.name] - P)
    return zeros


def inertia_conversions(d: Derived) -> Zeros:
    """Ten numbers to mass, centre and central tensor and back; moved there and back"""
    zeros: Zeros = []
    A = Matrix([["2/3", "-1/3", "2/3"], ["2/3", "2/3", "-1/3"], ["-1/3", "2/3", "2/3"]])
    p = Vector(["u", "v", "w"])
    for b in d.robot.bodies:
        I = b.inertia
        again = Inertia.central(I.mass, I.center, _six(I.tensor_at_center))
        zeros += differences(list(again.ten), list(I.ten))
        plain = Inertia.about_origin(I.ten)
        zeros += differences(list(plain.ten), list(I.ten))
        zeros += differences(plain.center * I.mass, I.first_moment)
        zeros += differences(plain.tensor_at_center, I.tensor_at_center)
        back = I.moved(A, p).moved(A.T, -(A.T @ p))
        zeros += differences(list(back.ten), list(I.ten))
        # Steiner, of the moved body's own centre
        there = I.moved(A, p)
        zeros += differences(there.center, A @ I.center + p)
        zeros += differences(there.tensor_at_center, A @ I.tensor_at_center @ A.T)
    return zeros


def _six(J: Matrix) -> list[Expr]:
    return [J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2]]


Identity = Callable[[Derived], Zeros]
IDENTITIES: dict[str, Identity] = {
    f.__name__: f
    for f in (
        symmetric, newton_euler, contributions, inputs, skew, coriolis, coriolis_split,
        christoffel_tensor, power, energy, conservative, linear_in_inertia, jacobian_route, velocities,
        jacobians, relative_motion, kinematic_map, momentum, power_of_forces, inertia_conversions,
    )
}  # fmt: skip

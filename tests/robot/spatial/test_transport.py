"""Identities of spatial quantities on random poses, exact: group axioms, invariant power and energy."""

from __future__ import annotations

import pytest

from equamo.algebra.expr import ZERO, as_expr, symbol
from equamo.algebra.expr.differentiate import directional
from equamo.algebra.expr.matrix import Matrix, identity, outer, skew, unskew
from equamo.algebra.expr.vector import ZERO3, Vector
from equamo.algebra.identity import prove_all
from equamo.robot.model import Inertia as BodyInertia
from equamo.robot.model.rotation import rotation_x, rotation_y, rotation_z
from equamo.robot.spatial.acceleration import Acceleration
from equamo.robot.spatial.articulated_inertia import ArticulatedInertia
from equamo.robot.spatial.force import Force
from equamo.robot.spatial.frame import Frame
from equamo.robot.spatial.inertia import Inertia
from equamo.robot.spatial.motion import Motion
from equamo.robot.spatial.pose import Pose
from equamo.robot.spatial.tensor_rotation import rotated, rotated_any
from spatial_quantities import Quantities

SEEDS = range(6)
both = pytest.mark.parametrize("about_axis", [False, True])
seeds = pytest.mark.parametrize("seed", SEEDS)


def parts(x: Motion | Force | Acceleration | Inertia | ArticulatedInertia | Pose) -> list[object]:
    """All components, to compare; the frames are checked by the caller."""
    if isinstance(x, Force):
        return [*x.moment, *x.force]
    if isinstance(x, Pose):
        return [*x.rotation.entries, *x.position]
    if isinstance(x, Inertia):
        return [x.mass, *x.first_moment, *x.tensor.entries]
    if isinstance(x, ArticulatedInertia):
        return [*x.J.entries, *x.H.entries, *x.M.entries]
    return [*x.angular, *x.linear]


# -- poses -------------------------------------------------------------------------------------------
@seeds
def test_poses_are_a_group(seed: int) -> None:
    r = Quantities(seed)
    d = Frame("d")
    X, Y, Z = r.pose(r.a, r.b), r.pose(r.c, r.a), r.pose(d, r.c)
    assert parts((X @ Y) @ Z) == parts(X @ (Y @ Z))
    assert parts(X @ Pose.identity(r.a)) == parts(Pose.identity(r.b) @ X) == parts(X)
    assert (X.inverse @ X).is_identity
    assert (X @ X.inverse.multiplied_out()).is_identity
    assert not X.is_identity
    assert X.inverse.inverse is X
    assert parts(X.inverse @ (X @ Y)) == parts(Y)
    assert ((X @ Y).frame, (X @ Y).reference) == (r.c, r.b)
    assert (X.inverse @ (X @ Y)).reference is r.a
    point = r.vector()
    assert (X @ Y).point(point) == X.point(Y.point(point))
    T = X.homogeneous() @ Y.homogeneous()
    assert (X @ Y).homogeneous() == T


# -- motions, forces ---------------------------------------------------------------------------------
@both
@seeds
def test_transport_is_a_representation(seed: int, about_axis: bool) -> None:
    """(X Y) x = X (Y x), X⁻¹ X x = x, and X⁻¹ is the transport by the inverse pose."""
    r = Quantities(seed)
    X, Y = r.pose(r.a, r.b, about_axis), r.pose(r.c, r.a, about_axis)
    inverse = X.inverse.multiplied_out()
    I = r.inertia()
    for x in (r.motion(), r.force(), I):
        assert (X @ x).frame is r.b
        assert (X.inverse @ (X @ x)).frame is r.a
        assert parts(X.inverse @ (X @ x)) == parts(x)
        assert parts(inverse @ (X @ x)) == parts(x)
    for x in (r.motion(r.c), r.force(r.c), r.inertia(r.c)):
        assert parts((X @ Y) @ x) == parts(X @ (Y @ x))
    J, K = ArticulatedInertia.of(I), ArticulatedInertia.of(r.inertia(r.c))
    assert parts(inverse @ (X @ J)) == parts(J)
    assert parts((X @ Y) @ K) == parts(X @ (Y @ K))


AXES = {
    "x": ("1 0 0", "0 0 0"),
    "against y": ("0 -1 0", "0 0 0"),
    "along z": ("0 0 0", "0 0 1"),
    "against x": ("0 0 0", "-1 0 0"),
    "oblique": ("3/5 4/5 0", "0 0 0"),
    "screw": ("0 0 1", "0 0 1"),
    "turn and slide": ("1 0 0", "0 1/2 0"),
    "two turns": ("1 1 0", "0 0 0"),
}


@pytest.mark.parametrize("axis", AXES)
def test_the_other_side_of_a_joint(axis: str) -> None:
    """I − U D⁻¹ Uᵀ has no inertia along the joint, and zeros are written only where they are zero."""
    r = Quantities(3)
    I = ArticulatedInertia.of(r.inertia())
    w, v = (Vector(x.split()) for x in AXES[axis])
    S = Motion(r.a, w, v)
    U = I @ S
    other = I.through_joint([S], [U], [U * (1 / (S @ U))], clear=False)
    assert parts(other @ S) == parts(Force.zero(r.a))
    assert parts(I.through_joint([S], [U], [U * (1 / (S @ U))], clear=True)) == parts(other)
    column = [*I.J.column(0), *I.H.rows[0]]
    expected = [
        x - U.moment[0] * y / (S @ U) for x, y in zip(column, [*U.moment, *U.force], strict=True)
    ]
    assert [*other.J.column(0), *other.H.rows[0]] == expected


@pytest.mark.parametrize(
    ("axis", "place"), [("x", 0), ("against y", 1), ("along z", 5), ("against x", 3)]
)
def test_zeros_are_written_along_the_axis_of_a_joint(axis: str, place: int) -> None:
    """As nodes, in the row and column of the axis only; and none if a rotor keeps them from being 0."""
    r = Quantities(3)
    m = [[symbol(f"x{min(i, j)}{max(i, j)}") for j in range(6)] for i in range(6)]
    J, H, M = (Matrix([row[b] for row in m[a]]) for a, b in (
        (slice(3), slice(3)), (slice(3), slice(3, 6)), (slice(3, 6), slice(3, 6))))  # fmt: skip
    I = ArticulatedInertia(r.a, J, H, M)
    w, v = (Vector(x.split()) for x in AXES[axis])
    S = Motion(r.a, w, v)
    U = I @ S
    rows = [U * (1 / (S @ U + symbol("rotor")))]
    for clear in (True, False):
        found = I.through_joint([S], [U], rows, clear)
        whole = [
            [*a, *b]
            for a, b in zip(
                (*found.J.rows, *found.H.T.rows), (*found.H.rows, *found.M.rows), strict=True
            )
        ]
        zeros = {(i, j) for i in range(6) for j in range(6) if whole[i][j] is ZERO}
        assert zeros == {(i, j) for i in range(6) for j in range(6) if clear and place in (i, j)}


@seeds
def test_transport_is_linear(seed: int) -> None:
    r = Quantities(seed)
    X, c = r.pose(r.a, r.b), r.number()
    for make in (r.motion, r.force):
        x, y = make(), make()
        assert parts(X @ (x * c + y)) == parts((X @ x) * c + X @ y)
        assert parts(X @ (x - y)) == parts(X @ x - X @ y)
        assert parts(x - y + y) == parts(x)
    F = r.force()
    assert parts(-F + F) == parts(Force.zero(r.a))


@seeds
def test_power_is_the_same_in_every_frame(seed: int) -> None:
    r = Quantities(seed)
    X, V, F = r.pose(r.a, r.b), r.motion(), r.force()
    assert (X @ V) @ (X @ F) == V @ F
    U, G = r.motion(r.b), r.force(r.b)
    assert (X.inverse @ U) @ (X.inverse @ G) == U @ G
    b = as_expr(r.number())
    assert F.minus_power(b, V) == b - V @ F


@both
@seeds
def test_fused_sums_are_sums(seed: int, about_axis: bool) -> None:
    r = Quantities(seed)
    X, total, F = r.pose(r.a, r.b, about_axis), r.force(r.b), r.force()
    assert parts(total.plus(X, F)) == parts(total + X @ F)
    turn = Pose(X.frame, X.reference, X.rotation, ZERO3)
    assert parts(total.plus(turn, F)) == parts(total + turn @ F)


@seeds
def test_points_move_with_their_body(seed: int) -> None:
    """The velocity of a point, and the power of a force at it, do not depend on the frame."""
    r = Quantities(seed)
    X, V, point, f = r.pose(r.a, r.b), r.motion(), r.vector(), r.vector()
    assert X.rotation @ V.at(point) == (X @ V).at(X.point(point))
    F = Force.at(r.a, point, f)
    assert V.at(point) @ f == V @ F
    assert parts(X @ F) == parts(Force.at(r.b, X.point(point), X.rotation @ f))


@seeds
def test_the_cross_product_is_a_lie_bracket(seed: int) -> None:
    r = Quantities(seed)
    X, U, V, W = r.pose(r.a, r.b), r.motion(), r.motion(), r.motion()
    assert parts(U.cross(V) + V.cross(U)) == parts(Motion.zero(r.a))
    jacobi = U.cross(V.cross(W)) + V.cross(W.cross(U)) + W.cross(U.cross(V))
    assert parts(jacobi) == parts(Motion.zero(r.a))
    assert parts(X @ U.cross(V)) == parts((X @ U).cross(X @ V))


@seeds
def test_the_cross_product_with_forces_is_the_dual_one(seed: int) -> None:
    r = Quantities(seed)
    X, U, V, F = r.pose(r.a, r.b), r.motion(), r.motion(), r.force()
    assert U.cross(V) @ F + V @ U.cross_force(F) == 0  # the power does not change
    assert parts(X @ U.cross_force(F)) == parts((X @ U).cross_force(X @ F))


# -- inertias ----------------------------------------------------------------------------------------
@both
@seeds
def test_momentum_and_energy_do_not_depend_on_the_frame(seed: int, about_axis: bool) -> None:
    r = Quantities(seed)
    X, I, V = r.pose(r.a, r.b, about_axis), r.inertia(), r.motion()
    assert parts((X @ I) @ (X @ V)) == parts(X @ (I @ V))
    assert (X @ I).kinetic_energy(X @ V) == I.kinetic_energy(V)
    assert 2 * I.kinetic_energy(V) == V @ (I @ V)
    total = as_expr(r.number())
    assert I.twice_kinetic_energy(V, total) == total + V @ (I @ V)
    J = ArticulatedInertia.of(I)
    assert parts((X @ J) @ (X @ V)) == parts(X @ (J @ V))
    assert parts(J @ V) == parts(I @ V)
    assert parts(ArticulatedInertia.of(X @ I)) == parts(X @ J)


@seeds
def test_parallel_axis_theorem(seed: int) -> None:
    """J_O = J_G + m (c·c 1 − c cᵀ)"""
    r = Quantities(seed)
    m, c = as_expr(r.number()), r.vector()
    central = Inertia(r.a, m, ZERO3, r.inertia().tensor)
    about = Pose(r.a, r.b, identity(3), c) @ central
    assert about.first_moment == c * m
    assert about.tensor == central.tensor + (identity(3) * (c @ c) - outer(c, c)) * m
    body = BodyInertia.central(m, c, central.tensor)
    assert parts(body.in_frame(r.b)) == parts(about)
    again = BodyInertia.of(about).moved(identity(3), -c)
    assert parts(again.in_frame(r.a)) == parts(central)


@seeds
def test_a_point_mass_is_where_it_is(seed: int) -> None:
    r = Quantities(seed)
    X, m, c = r.pose(r.a, r.b), as_expr(r.number()), r.vector()
    point = BodyInertia.central(m, c).in_frame(r.a)
    moved = BodyInertia.central(m, X.point(c)).in_frame(r.b)
    assert parts(X @ point) == parts(moved)
    V = r.motion()
    assert (point @ V).force == V.at(c) * m
    assert (point @ V).moment == c.cross(V.at(c) * m)


@seeds
def test_inertias_add(seed: int) -> None:
    r = Quantities(seed)
    X, I, K, V = r.pose(r.a, r.b), r.inertia(), r.inertia(), r.motion()
    assert parts(X @ (I + K)) == parts(X @ I + X @ K)
    assert parts((I + K) @ V) == parts(I @ V + K @ V)
    sums = ArticulatedInertia.of(I) + ArticulatedInertia.of(K)
    assert parts(sums) == parts(ArticulatedInertia.of(I + K))
    assert parts(I + Inertia.zero(r.a)) == parts(I)


@seeds
def test_tensors_rotate_about_an_axis_as_about_any(seed: int) -> None:
    r = Quantities(seed)
    J = r.inertia().tensor
    H = Matrix([[r.number() for _ in range(3)] for _ in range(3)])
    for A in (r.axis_rotation(), r.rotation(), identity(3)):
        assert identity(3) == A @ A.T
        assert rotated(A, J) == A @ J @ A.T
        assert rotated_any(A, H) == A @ H @ A.T


@seeds
def test_a_joint_transmits_no_force_along_its_axis(seed: int) -> None:
    """Sᵀ (I − U D⁻¹ Uᵀ) = 0, also with zeros written out."""
    r = Quantities(seed)
    I = ArticulatedInertia.of(r.inertia())
    S = Motion(r.a, Vector([0, 0, 1]), ZERO3)
    U = I @ S
    rows = [U * (1 / (S @ U))]
    for clear in (False, True):
        Ia = I.through_joint([S], [U], rows, clear)
        V = r.motion()
        assert (S @ (Ia @ V)) == 0
        assert parts(Ia @ S) == parts(Force.zero(r.a))
        assert parts(Ia) == parts(I.through_joint([S], [U], rows, False))
    slide = Motion(r.a, ZERO3, Vector([0, -1, 0]))
    W = I @ slide
    rows = [W * (1 / (slide @ W))]
    cleared = I.through_joint([slide], [W], rows, True)
    assert parts(cleared) == parts(I.through_joint([slide], [W], rows, False))


# -- accelerations, against differentiated positions -------------------------------------------------
Q, V_, A_ = ([symbol(f"{d}{n}") for n in ("q1", "q2", "q3")] for d in ("", "d", "dd"))
RATES = dict(zip([*Q, *V_], [*V_, *A_], strict=True))


def rate(x: Vector) -> Vector:
    return x.map(lambda e: directional(e, RATES))


def moving_pose(frame: Frame, reference: Frame) -> Pose:
    """A frame that moves in every direction."""
    q1, q2, q3 = Q
    A = rotation_z(q1) @ rotation_y(q2) @ rotation_x(q3)
    return Pose(frame, reference, A, Vector([q1 * q2, q3, q2 * q2]))


def motion_of(X: Pose) -> tuple[Motion, Acceleration]:
    """Velocity and acceleration of X.frame, by differentiating its rotation and position alone."""
    A, p = X.rotation, X.position
    A_dot = A.map(lambda e: directional(e, RATES))
    w = unskew(A.T @ A_dot)
    V = Motion(X.frame, w, A.T @ rate(p))
    return V, Acceleration(X.frame, rate(w), A.T @ rate(rate(p)))


def test_velocity_and_acceleration_move_as_positions_do() -> None:
    """Transport to a frame on the same body, and back."""
    r = Quantities(3)
    world = Frame("world")
    X, Y = moving_pose(r.a, world), r.pose(r.b, r.a)
    V, a = motion_of(X)
    V_b, a_b = motion_of(X @ Y)
    zero: list[Vector] = []
    for x, y in ((Y.inverse @ V, V_b), (Y @ V_b, V)):
        zero += [x.angular - y.angular, x.linear - y.linear]
    for x, y in ((a.moved(Y.inverse, V), a_b), (a_b.moved(Y, V_b), a)):
        assert x.frame is y.frame
        zero += [x.angular - y.angular, x.linear - y.linear]
    zero.append(Y.rotation.T @ a.at(Y.position, V) - a_b.linear)
    difference = a.moved(Y.inverse, V) - a_b
    zero += [difference.angular, difference.linear]
    assert all(prove_all([list(z) for z in zero]))


def test_relative_motion_adds_the_coriolis_terms() -> None:
    """a_j = X⁻¹ a_i + a_rel + coriolis, for a frame that moves in every direction in a moving one."""
    r = Quantities(4)
    world, carrier = Frame("world"), Frame("carrier")
    q1, q2, q3 = Q
    first = Pose(carrier, world, rotation_y(q3) @ rotation_z(q1), Vector([q2, q1 * q3, q3]))
    Y = moving_pose(r.a, carrier)
    V_i, a_i = motion_of(first)
    relative, a_rel = motion_of(Y)
    V, a = motion_of(first @ Y)
    # Components of V_rel are differentiated in frame j, so ω_rel × v_rel is not in them.
    own = Acceleration(r.a, rate(relative.angular), rate(relative.linear))
    assert all(
        prove_all([list(own.linear + relative.angular.cross(relative.linear) - a_rel.linear)])
    )
    total = a_i.moved(Y.inverse, V_i) + own + Acceleration.coriolis(V, relative)
    sum_of_velocities = Y.inverse @ V_i + relative
    zero = [
        sum_of_velocities.angular - V.angular, sum_of_velocities.linear - V.linear,
        total.angular - a.angular, total.linear - a.linear,
    ]  # fmt: skip
    assert all(prove_all([list(z) for z in zero]))


def test_a_changing_motion_is_the_cross_product() -> None:
    """d/dt (X S) = X (V × S) for S that is fixed to the moving frame: Φ̇ of the Coriolis matrix."""
    r = Quantities(5)
    world = Frame("world")
    X, S = moving_pose(r.a, world), r.motion()
    V, _ = motion_of(X)
    moved, expected = X @ S, X @ V.cross(S)
    zero = [rate(moved.angular) - expected.angular, rate(moved.linear) - expected.linear]
    assert all(prove_all([list(z) for z in zero]))


def test_skew_is_the_cross_product() -> None:
    r = Quantities(0)
    x, y = r.vector(), r.vector()
    assert skew(x) @ y == x.cross(y)

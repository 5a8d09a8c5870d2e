"""Krang on wheels: reduces to the pendulum and to Krang on fixed wheels, proved at every pose."""

import pytest

from equamo.algebra.expr import ZERO, Expr, symbol
from equamo.algebra.expr.matrix import Matrix, diagonal
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal
from equamo.mechanics.equations import derive
from equamo.mechanics.equations.constraint_forces import constraint_forces
from equamo.mechanics.kinematics.poses import transform
from equamo.robot.library import load
from equamo.robot.library.krang import krang
from equamo.robot.library.krang_on_wheels import krang_on_wheels
from equamo.robot.model import Inertia, check
from equamo.robot.model.integrability import constraint_report

ARM = [f"{i}{s}" for s in "lr" for i in range(1, 8)]
UPPER = ["q_w", "q_torso", *(f"q_{x}" for x in ARM)]
FLIP = diagonal([1, 1, -1])  # q̇_imu = −φ̇


def test_names() -> None:
    robot = krang_on_wheels()
    assert [x.name for x in robot.v] == ["dx", "dpsi", "dq_imu", *(f"d{n}" for n in UPPER)]
    assert [x.name for x in robot.q] == ["X0", "Y0", "theta_L", "theta_R", "q_imu", *UPPER]
    inputs = ["tau_L", "tau_R", "tau_w", "tau_torso", *(f"tau_{x}" for x in ARM)]
    assert [x.name for x in robot.inputs] == inputs
    assert robot.external == krang().external
    assert set(krang().values) < set(robot.values)
    assert check(robot).ok


def test_upper_body_locked_is_the_pendulum() -> None:
    """At any pose: the composite body's parameters are functions of it."""
    robot = krang_on_wheels()
    pose: dict[str, Expr] = {n: symbol(f"{n} locked") for n in UPPER}
    locked = derive(robot.lock(**pose))
    assert [x.name for x in locked.v] == ["dx", "dpsi", "dq_imu"]

    whole = Inertia.zero()
    for b in robot.bodies[3:]:
        X = transform(robot.tree, b.name, "1")
        whole = whole + X @ b.spatial_inertia
    J = whole.tensor_at_center
    names = ["MX_B", "MY_B", "MZ_B", "XX_B", "XY_B", "XZ_B", "YY_B", "YZ_B", "ZZ_B"]
    six = [J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2]]
    body = dict(zip(names, [*whole.first_moment, *six], strict=True)) | {"m_B": whole.mass}
    body = {n: e.subs(pose) for n, e in body.items()}
    # The wrench of a hand: its point and components from the hand's frame to the heading's.
    for s in "lr":
        hand = locked.frame(f"10{s}")
        A = hand.rotation(relative_to="heading")
        r = hand.position(f"E{s}_x E{s}_y E{s}_z", relative_to="heading")
        for c, x, F, T in zip("xyz", r, A @ _vector("F", s), A @ _vector("T", s), strict=True):
            body |= {f"r{s}{c}": x, f"F{s}{c}": F, f"T{s}{c}": T}
    body |= {"dphi": -symbol("dq_imu")}
    pendulum = derive(load("wheeled_inverted_pendulum")).subs(body)

    assert prove_equal(FLIP @ locked.mass_matrix @ FLIP, pendulum.mass_matrix)
    assert prove_equal(FLIP @ locked.bias, pendulum.bias)
    assert prove_equal(FLIP @ locked.gravity, pendulum.gravity)
    assert [x.name for x in locked.inputs] == ["tau_L", "tau_R"]
    for name in ("tau_L", "tau_R", "hand_l", "hand_r"):
        assert prove_equal(FLIP @ locked.forces[name], pendulum.forces[name])


def _vector(letter: str, side: str) -> Vector:
    return Vector([symbol(f"{letter}{side}{c}") for c in "xyz"])


@pytest.mark.parametrize("frames", [3, 17])
def test_wheels_locked_is_krang_on_fixed_wheels(frames: int) -> None:
    """Rows and columns of ẋ and ψ̇ left out; τ_imu = −τ_R − τ_L (document 000, section 5.1)."""
    on_wheels, fixed = derive(krang_on_wheels(frames)), derive(krang(frames))
    still = {"dx": ZERO, "dpsi": ZERO}
    assert prove_equal(on_wheels.mass_matrix[2:, 2:], fixed.mass_matrix)
    assert prove_equal(on_wheels.bias[2:].subs(still), fixed.bias)
    assert prove_equal(on_wheels.gravity[2:], fixed.gravity)
    B = Matrix([[on_wheels.input_matrix[i, 0]] for i in range(2, frames + 2)])
    assert prove_equal(B, -fixed.input_matrix[:, 0:1])
    assert on_wheels.input_matrix[2:, 0:1] == on_wheels.input_matrix[2:, 1:2]
    assert prove_equal(on_wheels.input_matrix[2:, 2:], fixed.input_matrix[:, 1:])
    for hand in (f"hand_{s}" for s in "lr" if frames == 17):
        assert prove_equal(on_wheels.forces[hand][2:], fixed.forces[hand])


def test_constraints() -> None:
    report = constraint_report(krang_on_wheels())
    assert report.growth == (19, 20, 21)
    assert report.dimension == 21
    assert [c.text for c in report.combinations] == ["right wheel rolls − left wheel rolls"]


def test_ground_forces() -> None:
    ground = constraint_forces(derive(krang_on_wheels(frames=3)))
    assert list(ground) == ["left wheel rolls", "right wheel rolls", "no skidding"]

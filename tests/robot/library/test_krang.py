"""Krang: its frames, wrenches and torques, and what the documents print wrong."""

import pytest

from equamo.algebra.expr import ONE, ZERO, symbol
from equamo.algebra.expr.matrix import Matrix, from_columns, identity
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal
from equamo.errors import ModelError
from equamo.mechanics.equations import derive
from equamo.robot.library.krang import krang
from equamo.robot.model import Body, Robot, check, unit_vectors

FRAMES = ["1", "2", "3", *(f"{i}{s}" for s in "lr" for i in range(4, 11))]
ARM = [f"q_{i}{s}" for s in "lr" for i in range(1, 8)]
NAMES = ["m", "MX", "MY", "MZ", "XX", "XY", "XZ", "YY", "YZ", "ZZ"]


@pytest.mark.parametrize("n", range(1, 18))
def test_first_frames(n: int) -> None:
    robot = krang(frames=n)
    assert [b.name for b in robot.bodies] == FRAMES[:n]
    assert [x.name for x in robot.q] == ["q_imu", "q_w", "q_torso", *ARM][:n]
    report = check(robot)
    assert report.ok, str(report)
    assert not report.remarks  # no parameter that is not used
    eom, whole = derive(robot), derive(krang())
    # The first frames alone are the whole robot with massless other links.
    others = {symbol(f"{p}_{b}"): ZERO for b in FRAMES[n:] for p in NAMES}
    assert prove_equal(whole.mass_matrix[0:n, 0:n].subs(others), eom.mass_matrix)
    assert prove_equal(whole.gravity[:n].subs(others), eom.gravity)
    assert prove_equal(whole.bias[:n].subs(others | dict.fromkeys(whole.v[n:], ZERO)), eom.bias)


@pytest.mark.parametrize("n", [0, 18, "3"])
def test_there_are_17_frames(n: int) -> None:
    with pytest.raises(ModelError, match="frames must be from 1 to 17, got"):
        krang(frames=n)


def test_parameters() -> None:
    names = [f"L{i}" for i in range(1, 10)]
    names += [f"{p}_{b}" for b in FRAMES for p in NAMES]
    names += [f"E{s}_{c}" for s in "lr" for c in "xyz"]
    assert [x.name for x in krang().parameters] == [*names, "g"]
    external = [f"{F}{s}{c}" for s in "lr" for F in "FT" for c in "xyz"]
    assert [x.name for x in krang().external] == external


def test_torques_enter_as_they_are() -> None:
    eom = derive(krang())
    assert eom.input_matrix == identity(17)
    assert [x.name for x in eom.inputs] == [f"tau{x.name[1:]}" for x in eom.q]


@pytest.mark.parametrize("s", "lr")
def test_wrench_enters_as_the_document_s_jacobian_transposed(s: str) -> None:
    """(19): J = [e_j × r_E/Oj; e_j], here from positions and axes alone."""
    robot = krang()
    eom = derive(robot)
    E = f"E{s}_x E{s}_y E{s}_z"
    hand = eom.frame(f"10{s}")
    F = hand.rotation() @ Vector([f"F{s}{c}" for c in "xyz"])
    T = hand.rotation() @ Vector([f"T{s}{c}" for c in "xyz"])
    force = []
    for b in robot.bodies:
        if b not in robot.path(hand.name):
            force.append(ZERO)
            continue
        frame = eom.frame(b.name)
        e = frame.rotation() @ b.joint.angular().column(0)
        r = hand.position(at=E) - frame.position()
        force.append(F @ e.cross(r) + T @ e)
    assert prove_equal(eom.forces[f"hand_{s}"], Vector(force))
    J = hand.jacobian(at=E, expressed_in=hand.name)
    f = Vector([f"{X}{s}{c}" for X in "TF" for c in "xyz"])
    assert prove_equal(eom.forces[f"hand_{s}"], J.T @ f)


def test_arms_hang_left_and_right() -> None:
    eom = derive(krang())
    left, right = (eom.evaluate(eom.frame(f"10{s}").position()) for s in "lr")
    assert left[1] > 0.1
    assert left == pytest.approx(right * [1, -1, 1])


def test_transform_4l_of_document_000_is_no_rotation() -> None:
    """Its z = (0, −s, c) is not x × y; the listing's (0, −s, −c) is."""
    q = "q_1l"
    x, y, z = (0, f"cos({q})", f"-sin({q})"), (1, 0, 0), (0, f"-sin({q})", f"cos({q})")
    report = check(Robot("printed", [Body("4l", unit_vectors(q, x, y, z, e="0 -1 0"))]))
    assert "the matrix must be orthonormal" in str(report)
    good = krang(frames=4).body("4l").joint.rotation
    assert prove_equal(good.column(2), good.column(0).cross(good.column(1)))


def test_transform_3_of_document_001_contradicts_its_axis() -> None:
    q = "q_torso"
    x, y, z = (f"-cos({q})", 0, f"sin({q})"), (0, 1, 0), (f"-sin({q})", 0, f"-cos({q})")
    report = check(Robot("printed", [Body("3", unit_vectors(q, x, y, z, e="0 -1 0"))]))
    assert {f.entry for f in report.findings} == {"axis, component y"}
    turned = check(Robot("turned", [Body("3", unit_vectors(q, x, y, z, e="0 1 0"))]))
    assert turned.ok


def test_frames_are_those_of_the_document() -> None:
    """⁰T_1 and ⁹T_10 of document 000, section 2."""
    robot = krang()
    s, c = "sin(q_imu)", "cos(q_imu)"
    first = Matrix([[0, s, f"-{c}"], [-1, 0, 0], [0, c, s]])
    assert robot.body("1").joint.rotation == first
    s, c = "sin(q_7l)", "cos(q_7l)"
    last = from_columns([
        Vector([f"-{c}", 0, s]), Vector([f"-{s}", 0, f"-{c}"]), Vector([0, -ONE, 0])
    ])  # fmt: skip
    assert robot.body("10l").joint.rotation == last
    assert robot.body("10l").joint.position == Vector([0, "-L9", 0])

"""Names of quantities, arrays and symbols in other people's programs."""

import pytest

from equamo.mechanics.equations import derive
from equamo.review.claims.matching.names import array_of, quantity_of, snake, symbol_of
from equamo.robot.catalog import load
from equamo.robot.model import Body, Robot
from equamo.robot.model.joints import revolute

ARM = derive(load("rr_arm"))
PENDULUM = derive(load("wheeled_inverted_pendulum"))


@pytest.mark.parametrize(
    ("name", "shape", "quantity"),
    [
        ("M", (2, 2), "mass_matrix"),
        ("MassMatrix", (4,), "mass_matrix"),
        ("compute_mass_matrix", (2, 2), "mass_matrix"),
        ("rr_arm_mass_matrix", (2, 2), "mass_matrix"),
        ("Mfunc", (2, 2), "mass_matrix"),
        ("C", (2, 2), "coriolis_matrix"),
        ("C", (2,), "bias"),
        ("bfunc", (2, 1), "bias"),
        ("G", (2,), "gravity"),
        ("h", (2,), "bias + gravity"),
        ("inverseDynamics", (2,), "inverse_dynamics"),
        ("kinetic_energy", (), "kinetic_energy"),
        ("center_of_mass", (3,), "center_of_mass"),
        ("J_fore", (6, 2), 'jacobian("fore")'),
        ("fore_jacobian", (3, 2), 'linear_jacobian("fore")'),
        ("pose_fore", (4, 4), 'transform("fore")'),
        ("pose_fore", (3,), 'position("fore")'),
        ("R_fore", (3, 3), 'rotation("fore")'),
        ("M", (3, 3), None),  # another size
        ("gravity", (3,), "gravity"),  # which is an error
        ("coriolis", (3,), "coriolis_matrix"),  # the first of two quantities with this name
        ("m", (2, 2), None),  # a single letter counts with its case
        ("J_elbow", (6, 2), None),
        ("step", (2,), None),
    ],
)
def test_quantities(name: str, shape: tuple[int, ...], quantity: str | None) -> None:
    assert quantity_of(name, shape, ARM) == quantity


def test_one_coordinate_does_not_tell_matrices_from_vectors() -> None:
    rod = Robot("rod", [Body("rod", revolute("q1"), mass="m", com=["l", 0, 0])])
    one = derive(rod)
    assert quantity_of("C", (1, 1), one) == "coriolis_matrix"
    assert quantity_of("C", (1,), one) is None
    assert quantity_of("gravity", (), one) == "gravity"


@pytest.mark.parametrize(
    ("name", "array"),
    [("q", "q"), ("dq", "v"), ("qDot", "v"), ("ddq", "vdot"), ("params", "parameters"),
     ("tau", "inputs"), ("Q", None), ("state", None)],
)  # fmt: skip
def test_arrays(name: str, array: str | None) -> None:
    assert array_of(name) == array


@pytest.mark.parametrize(
    ("name", "symbol"),
    [("q1", "q1"), ("dq1", "dq1"), ("qd1", "dq1"), ("q1dot", "dq1"), ("q2_ddot", "ddq2"),
     ("l1", "L1"), ("L_c1", "Lc1"), ("q_2", "q2"), ("q3", None), ("theta1", None)],
)  # fmt: skip
def test_symbols(name: str, symbol: str | None) -> None:
    assert symbol_of(name, ARM) == symbol


def test_a_spelling_of_two_symbols_is_not_matched() -> None:
    names = {x.name for x in PENDULUM.parameters}
    for name in names:
        assert symbol_of(name, PENDULUM) == name
    assert symbol_of("", PENDULUM) is None


def test_snake_keeps_single_letters() -> None:
    assert [snake(x) for x in ("M", "qDot", "RNEA")] == ["M", "q_dot", "rnea"]

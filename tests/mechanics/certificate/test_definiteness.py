"""The remark on M: positive definite, singular along a speed, indefinite, or not looked at."""

from random import Random

import numpy as np
import pytest

from equamo.mechanics.certificate.definiteness import _matrices, definiteness, min_max
from equamo.mechanics.equations import derive
from equamo.robot.library import load
from equamo.robot.model import Body, Robot, prismatic, revolute


@pytest.mark.parametrize("name", ["rr_arm", "starleth", "rolling_disc"])
def test_eigenvalues_are_those_of_the_evaluated_matrix(name: str) -> None:
    eom = derive(load(name))
    text = definiteness(eom, 7)
    seen = [min_max(M) for M in _matrices(eom, eom.mass_matrix, Random(7))]
    expected = [np.linalg.eigvalsh(M)[[0, -1]] for M in _matrices(eom, eom.mass_matrix, Random(7))]
    assert np.allclose(seen, expected, rtol=1e-9)
    low, high = min(x for x, _ in seen), max(x for _, x in seen)
    assert text.endswith(f"(eigenvalues {low:.3g} to {high:.3g})")
    assert text == definiteness(eom, 7)


def test_the_speed_along_which_it_is_singular_is_named() -> None:
    bodies = [
        Body("a", prismatic("x"), mass=1),
        Body("b", revolute("p", at="1 0 0"), parent="a"),
        Body("c", prismatic("y", axis="y"), mass=3, parent="b"),
    ]
    assert "positive definite" in definiteness(derive(Robot("r", bodies[:1])), 1)
    massless = Robot("r", [bodies[0], bodies[1]])
    assert definiteness(derive(massless), 1).startswith("M is singular along dp:")


def test_a_negative_mass_is_indefinite() -> None:
    bodies = [Body("a", prismatic("x"), mass=1), Body("b", prismatic("y", axis="y"), mass=-2)]
    assert definiteness(derive(Robot("r", bodies)), 1).startswith("M is indefinite (-2) along dy:")


def test_a_parameter_without_a_value_is_named() -> None:
    eom = derive(Robot("r", [Body("a", prismatic("x"), mass="m")]))
    assert definiteness(eom, 1) == (
        "M not evaluated numerically: parameter 'm' has no default value"
    )


def test_a_division_by_zero_is_no_error() -> None:
    robot = Robot("r", [Body("a", prismatic("x"), mass="1/(m - 1)")], parameters={"m": 1})
    assert definiteness(derive(robot), 1).startswith("M not evaluated numerically: ")


def test_fewer_states_of_a_large_matrix() -> None:
    bodies = [Body(f"b{k}", prismatic(f"x{k}"), mass=1) for k in range(41)]
    for n, states in ((40, 20), (41, 5)):
        text = definiteness(derive(Robot("r", bodies[:n])), 1)
        assert text == f"M positive definite at {states} random states (eigenvalues 1 to 1)"

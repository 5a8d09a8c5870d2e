"""Controllability: systems whose reachable space is known, python-control's matrix, units."""

from __future__ import annotations

import control
import numpy as np
import pytest

from equamo.errors import EvaluationError
from equamo.mechanics.equations import derive
from equamo.motion.control.controllability import (
    StabilizabilityError,
    _combination,
    controllability,
    require_stabilizable,
)
from equamo.motion.control.linear_system import LinearSystem
from equamo.motion.control.linearize import linearize
from equamo.robot.library import load

pytestmark = pytest.mark.needs("control", "scipy")


def system(A: np.ndarray, B: np.ndarray, dt: float | None = None) -> LinearSystem:
    n, m = B.shape
    return LinearSystem(
        A, B, tuple(f"x{k}" for k in range(n)), tuple(f"u{k}" for k in range(m)), dt=dt
    )


@pytest.mark.parametrize("seed", range(8))
def test_a_hidden_part_is_found(seed: int) -> None:
    """A block-triangular system in turned coordinates: rank, poles, directions of the hidden block."""
    rng = np.random.default_rng(seed)
    reached, hidden = 4, 1 + seed % 3
    n = reached + hidden
    A = rng.normal(size=(n, n))
    A[reached:, :reached] = 0  # what is hidden does not feel the rest
    B = rng.normal(size=(n, 2))
    B[reached:] = 0
    T = rng.normal(size=(n, n))
    found = controllability(system(np.linalg.solve(T, A @ T), np.linalg.solve(T, B)))
    assert found.rank == reached == np.linalg.matrix_rank(control.ctrb(A, B))
    assert not found
    hidden_poles = np.sort_complex(np.linalg.eigvals(A[reached:, reached:]))
    np.testing.assert_allclose(np.sort_complex(found.modes), hidden_poles, rtol=1e-8)
    assert found.stabilizable == bool((hidden_poles.real < 0).all())
    # the rows of T below the line are what is hidden
    stacked = np.vstack([T[reached:], found.directions])
    assert np.linalg.matrix_rank(stacked, tol=1e-8) == hidden


@pytest.mark.parametrize("power", [-6, 0, 6])
def test_units_do_not_decide(power: int) -> None:
    """The same robot with lengths in micrometres or megametres."""
    eom = derive(load("wheeled_inverted_pendulum"))
    lin = linearize(eom, q={"q_imu": -np.arctan(0.1)})
    scale = np.array([10.0**power if n in ("X0", "Y0", "dx") else 1 for n in lin.states])
    A, B = lin.A * scale[None, :] / scale[:, None], lin.B / scale[:, None]
    found = controllability(LinearSystem(A, B * 1e3, lin.states, lin.inputs))
    assert found.rank == 6
    assert found.uncontrollable[1] == "Y0"
    assert found.uncontrollable[0].startswith("X0 - ")


@pytest.mark.parametrize("seed", range(6))
def test_units_of_all_states_and_inputs_do_not_decide(seed: int) -> None:
    rng = np.random.default_rng(seed)
    eom = derive(load("wheeled_inverted_pendulum"))
    lin = linearize(eom, q={"q_imu": -np.arctan(0.1)})
    x, u = 10 ** rng.uniform(-4, 4, 8), 10 ** rng.uniform(-4, 4, 2)
    scaled = LinearSystem(lin.A * x[None] / x[:, None], lin.B * u[None] / x[:, None], lin.states,
                          lin.inputs)  # fmt: skip
    assert controllability(scaled).rank == 6
    assert not controllability(scaled).stabilizable


def test_a_slow_mode_beside_fast_ones_is_stable() -> None:
    found = controllability(system(np.diag([-1e-3, -1e4]), np.array([[0.0], [1.0]])))
    assert found.uncontrollable == ("x0",)
    assert found.stabilizable


def test_chains_of_integrators_are_controllable() -> None:
    for n in (2, 8, 20):
        A, B = np.diag(np.ones(n - 1), 1), np.zeros((n, 1))
        B[-1] = 1
        assert controllability(system(A, B)).controllable


@pytest.mark.ci
def test_krang_on_wheels() -> None:
    """All but the two coordinates that rolling hides."""
    eom = derive(load("krang_on_wheels"))
    lin = linearize(eom, inputs=np.zeros(18))
    found = controllability(lin)
    assert (found.rank, found.size) == (38, 40)
    assert "Y0" in found.uncontrollable


def test_text_and_names() -> None:
    found = controllability(system(np.diag([1.0, -2.0, 3.0]), np.array([[1.0], [0], [1]])))
    assert found.uncontrollable == ("x1",)
    assert found.stabilizable
    assert "2 of 3" in str(found)
    assert controllability(system(np.eye(2), np.eye(2))).controllable
    assert controllability(system(np.eye(2), np.zeros((2, 1)))).rank == 0


def test_discrete_poles_are_judged_by_the_circle() -> None:
    A, B = np.diag([0.5, 1.5]), np.array([[0.0], [1.0]])
    assert controllability(system(A, B, dt=0.1)).stabilizable
    assert not controllability(system(A, B)).stabilizable
    assert not controllability(system(A[::-1, ::-1], B, dt=0.1)).stabilizable


def test_a_mode_within_rounding_errors_of_the_axis_is_not_called_stable() -> None:
    """The largest entry, 1e9, has a rounding error of 1e-4."""
    B = np.array([[1.0], [0.0]])
    for pole, stable in ((-2e-4, True), (-5e-5, False), (5e-5, False), (0.0, False)):
        assert controllability(system(np.diag([-1e9, pole]), B)).stabilizable is stable
    for size in (1e-6, 1.0, 1e6):  # in any unit of time
        for pole, stable in ((-2e-13, True), (-5e-14, False)):
            A = np.diag([-size, size * pole])
            assert controllability(system(A, B)).stabilizable is stable
    for pole, stable in ((1 - 2e-7, True), (1 - 5e-8, False), (-1 + 2e-7, True), (-1.0, False)):
        assert controllability(system(np.diag([0.5, pole]), B, dt=0.1)).stabilizable is stable


def test_every_field_and_the_text() -> None:
    A = np.array([[0.0, 2, 0, 0], [-2, 0, 0, 0], [0, 0, -3, 0], [0, 0, 0, 5]])
    found = controllability(system(A, np.array([[0.0], [0], [0], [1]])))
    assert (found.rank, found.size, found.stabilizable) == (1, 4, False)
    assert found.controllable is bool(found) is False
    assert found.uncontrollable == ("x0", "x1", "x2")
    np.testing.assert_allclose(found.directions, np.eye(4)[:3], atol=1e-12)
    np.testing.assert_allclose(np.sort_complex(found.modes), [-3, -2j, 2j], atol=1e-12)
    first, second = str(found).splitlines()
    assert first == "1 of 4 directions are controllable"
    assert second.startswith("uncontrollable: x0; x1; x2 (poles ")
    assert sorted(second[:-1].split("poles ")[1].split(", ")) == ["-3", "0+2j", "0-2j"]
    # One combination is hidden: both carts feel the same force.
    pair = controllability(system(np.diag([-1.0, -1.0]), np.array([[1.0], [4.0]])))
    assert str(pair) == "1 of 2 directions are controllable\nuncontrollable: x0 - 0.25*x1 (pole -1)"
    every = controllability(system(np.diag([-1.0, -2.0]), np.array([[1.0], [4.0]])))
    assert str(every) == "2 of 2 directions are controllable"
    assert every.directions.shape == (0, 2)
    assert every.stabilizable


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ([1, 0, 0], "a"),
        ([0, -1, 2], "-b + 2*c"),
        ([-0.5, 1, -1], "-0.5*a + b - c"),
        ([1, 1 + 1e-12, 1 / 3], "a + b + 0.3333*c"),
        ([0, 0, 0], ""),
    ],
)
def test_combinations_of_states(row: list[float], text: str) -> None:
    assert _combination(np.array(row), ("a", "b", "c")) == text


def test_the_tolerance_decides_what_counts_as_zero() -> None:
    nearly = system(np.diag([1.0, 1 + 1e-6]), np.array([[1.0], [1.0]]))
    assert controllability(nearly).rank == 2
    assert controllability(nearly, tolerance=1e-3).rank == 1
    for tolerance in (-0.1, 1.1, "1"):
        with pytest.raises(EvaluationError, match="tolerance must be a number from 0 to 1, got"):
            controllability(nearly, tolerance)  # type: ignore[arg-type]
    for tolerance in (0, 1):
        assert controllability(nearly, tolerance).size == 2


def test_the_error_names_states() -> None:
    with pytest.raises(EvaluationError, match=r"lin must be a linear system, got 3; make one with"):
        controllability(3)  # type: ignore[arg-type]
    with pytest.raises(StabilizabilityError, match=r"do not reach x0.*poles 0\.5.*drop"):
        require_stabilizable(system(np.diag([0.5, 1.5]), np.array([[0.0], [1.0]])), "lqr")
    require_stabilizable(system(np.diag([-0.5, 1.5]), np.array([[0.0], [1.0]])), "lqr")

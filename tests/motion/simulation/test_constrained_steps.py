"""Fixed steps of robots with loops: forces of the loops act, and methods in momenta are refused."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import EvaluationError
from loops_examples import four_bar, four_bar_home


@cache
def compiled() -> Any:
    return eq.compile(eq.derive(four_bar()), cache=False)


def start() -> tuple[np.ndarray, np.ndarray]:
    home = four_bar_home()
    return np.array([home[f"q{k}"] for k in (1, 2, 3)]), np.zeros(3)


@pytest.mark.parametrize("method", ["rk4", "semi_implicit_euler"])
def test_a_step_keeps_the_loop(method: str) -> None:
    """The tree alone would open the loop by g dt²/2 times the length of its bars."""
    fast, (q, v) = compiled(), start()
    dt = 1e-3
    after, speed = fast.step(q, v, dt=dt, method=method)
    assert np.abs(speed).max() > 1e-3
    assert np.abs(fast.closure(after)).max() < 1e-7
    assert np.abs(fast.constraint_matrix(after) @ speed).max() < 1e-5
    tree = eq.compile(eq.derive(fast.eom.robot.tree), cache=False)
    assert np.abs(fast.closure(tree.step(q, v, dt=dt, method=method)[0])).max() > 1e-6


def test_momenta_leave_out_the_forces_of_loops() -> None:
    fast, (q, v) = compiled(), start()
    match = r"implicit_midpoint: the speeds must satisfy the loops .* use method='rk4'"
    with pytest.raises(EvaluationError, match=match):
        fast.step(q, v, dt=0.01, method="implicit_midpoint")

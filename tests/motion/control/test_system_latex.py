"""Linear systems in LaTeX: all matrices, states by name, and nothing that is too long for a notebook."""

from __future__ import annotations

import numpy as np
import pytest

from equamo.motion.control.linear_system import LinearSystem
from equamo.motion.control.system_latex import NOTEBOOK_LENGTH, system_latex


def test_continuous_system() -> None:
    system = LinearSystem([[0, 1], [-2.5e-7, 0]], [[0], [1 / 3]], ["q1", "dq1"], ["tau_1"])
    x = r"\begin{bmatrix} q_{1} \\ \dot q_{1} \end{bmatrix}"
    assert system.latex() == (
        rf"\frac{{d}}{{dt}} {x} = "
        rf"\begin{{bmatrix}} 0 & 1 \\ -2.5 \times 10^{{-7}} & 0 \end{{bmatrix}} {x} + "
        r"\begin{bmatrix} 0 \\ 0.3333 \end{bmatrix} \begin{bmatrix} \tau_{1} \end{bmatrix}"
    )
    assert "0.33 " in system.latex(digits=2)
    assert system._repr_latex_() == f"$${system.latex()}$$"


def test_drift_and_systems_without_inputs() -> None:
    still = LinearSystem([[2]], np.zeros((1, 0)), ["x"], [], [1e-12])
    assert still.latex().endswith(
        r"= \begin{bmatrix} 2 \end{bmatrix} \begin{bmatrix} x \end{bmatrix}"
    )
    moving = LinearSystem([[2]], np.zeros((1, 0)), ["x"], [], [3])
    assert moving.latex() == still.latex() + r" + \begin{bmatrix} 3 \end{bmatrix}"


@pytest.mark.needs("scipy")
def test_discrete_systems_have_steps() -> None:
    text = system_latex(["x"], ["F"], "A", "B", discrete=True)
    x, u = r"\begin{bmatrix} x \end{bmatrix}", r"\begin{bmatrix} F \end{bmatrix}"
    assert text == f"{x}_{{k+1}} = A {x}_{{k}} + B {u}_{{k}}"
    assert LinearSystem([[1]], [[1]], ["x"], ["F"]).discrete(0.5).latex().startswith(f"{x}_{{k+1}}")


def test_long_systems_are_shown_as_text() -> None:
    n = 40
    system = LinearSystem(np.eye(n), np.zeros((n, 1)), [f"x{k}" for k in range(n)], ["F"])
    assert len(system.latex()) > NOTEBOOK_LENGTH
    assert system._repr_latex_() is None

"""LaTeX of quantities: letters, indices, exponents, and no two names alike."""

from __future__ import annotations

import pytest

import equamo as eq
from equamo.expr.printing.maths_reader import read_maths
from equamo.kinematics.quantity_latex import quantity_latex
from equamo.kinematics.quantity_name import QuantityName

LABELS = {"fore": "2", "dq1": "1", "dq2": "2"}


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        (QuantityName("w", "fore"), r"\boldsymbol{\omega}_{2}"),
        (QuantityName("w", "fore", by=("dq1",)), r"\boldsymbol{\omega}_{2}^{(1)}"),
        (QuantityName("T_sum", "fore", component="z", case="bias"), r"T_{2,z}^{\Sigma\circ}"),
        (QuantityName("r_S_dot", "fore"), r"\dot{\boldsymbol{r}}_{S,2}"),
        (QuantityName("M", by=("dq1", "dq2")), "M_{12}"),
        (QuantityName("L"), "L"),
        (QuantityName("L", "fore"), r"\boldsymbol{L}_{2}"),
        (QuantityName("dL_dq", by=("dq1",)), r"\frac{\partial L}{\partial q_{1}}"),
        (QuantityName("new_letter"), r"\mathrm{new\_letter}"),
    ],
)
def test_latex_of_a_name(name: QuantityName, latex: str) -> None:
    assert quantity_latex(name, LABELS) == latex


@pytest.mark.parametrize(
    "by", ["kane", "lagrange", "projected_newton_euler", "gibbs_appell", "recursive"]
)
def test_recorded_names_are_distinct_and_can_be_read(by: str) -> None:
    """Two quantities of one derivation never look the same."""
    names = {s.quantity for s in eq.derivation(eq.load("rr_arm"), by=by).steps}
    shown = {quantity_latex(n): n for n in names if n.letter != "Q"}
    assert len(shown) == len([n for n in names if n.letter != "Q"])
    for latex in shown:
        read_maths(latex)

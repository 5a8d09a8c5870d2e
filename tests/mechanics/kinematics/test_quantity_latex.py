"""LaTeX of quantities: letters, indices, exponents, and no two names alike."""

from __future__ import annotations

import pytest

import equamo as eq
from equamo.algebra.expr.printing.maths_reader import read_maths
from equamo.mechanics.kinematics.quantity_latex import _LETTERS, quantity_latex
from equamo.mechanics.kinematics.quantity_name import QuantityName

LABELS = {"fore": "2", "dq1": "1", "dq2": "2"}


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        (QuantityName("w", "fore"), r"\boldsymbol{\omega}_{2}"),
        (QuantityName("w", "fore", by=("dq1",)), r"\boldsymbol{\omega}_{2}^{(1)}"),
        (QuantityName("T_sum", "fore", component="z", case="bias"), r"T_{2,z}^{\Sigma\circ}"),
        (QuantityName("r_S_dot", "fore"), r"\dot{\boldsymbol{r}}_{S,2}"),
        (QuantityName("M", by=("dq1", "dq2")), "M_{12}"),
        (QuantityName("M", by=("dq1", "knee")), r"M_{1,\mathrm{knee}}"),
        (QuantityName("bias", by=("dq1",)), "h_{1}"),
        (QuantityName("gravity", by=("dq2",)), "g_{2}"),
        (QuantityName("Q", by=("dq2",)), "Q_{2}"),
        (QuantityName("mc", "fore"), "m_{2}^{c}"),
        (QuantityName("hc", "fore"), r"\boldsymbol{h}_{2}^{c}"),
        (QuantityName("Jc", "fore"), r"\boldsymbol{J}_{2}^{c}"),
        (QuantityName("Jc", "fore", component="xy"), "J_{2,xy}^{c}"),
        (QuantityName("f", "fore"), r"\boldsymbol{f}_{2}"),
        (QuantityName("n", "fore", component="z"), "n_{2,z}"),
        (QuantityName("E", "fore"), "T_{2}"),
        (QuantityName("U", "fore"), "U_{2}"),
        (QuantityName("S"), "S"),
        (QuantityName("E_trans", "fore"), r"T_{\mathrm{trans},2}"),
        (QuantityName("E_rot", "fore"), r"T_{\mathrm{rot},2}"),
        (QuantityName("F", "fore", case="gravity"), r"\boldsymbol{F}_{2}^{\mathrm{g}}"),
        (QuantityName("F", "fore", case="load"), r"\boldsymbol{F}_{2}^{\mathrm{e}}"),
        (QuantityName("r_S_ddot", "fore"), r"\ddot{\boldsymbol{r}}_{S,2}"),
        (QuantityName("dL_dv", by=("dq1",)), r"\frac{\partial L}{\partial \dot q_{1}}"),
        (QuantityName("L"), "L"),
        (QuantityName("L", "fore"), r"\boldsymbol{L}_{2}"),
        (QuantityName("dL_dq", by=("dq1",)), r"\frac{\partial L}{\partial q_{1}}"),
        (QuantityName("new_letter"), r"\mathrm{new\_letter}"),
    ],
)
def test_latex_of_a_name(name: QuantityName, latex: str) -> None:
    assert quantity_latex(name, LABELS) == latex


def test_scalars_are_not_bold() -> None:
    """Energies, masses and the entries of the equations are scalars; all else is bold."""
    scalars = {"E", "U", "E_trans", "E_rot", "M", "bias", "gravity", "Q", "S", "mc"}
    assert {n for n in _LETTERS if "bold" not in quantity_latex(QuantityName(n, "b"))} == scalars
    assert "bold" not in quantity_latex(QuantityName("w", "b", component="x"))


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

"""Verdicts in LaTeX: the bound, or the state that refutes; names and reasons are escaped."""

from __future__ import annotations

import equamo as eq
from equamo.algebra.identity.proof import Proof


def test_proved() -> None:
    proof = eq.prove_equal("sin(x)**2 + cos(x)**2", "1")
    bits = (
        str(proof)
        .split("≤ 2")[1]
        .split(" ")[0]
        .translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    )
    details = str(proof).split(" (")[1]
    assert proof.latex() == rf"\text{{proved: error}} \le 2^{{{bits}}} \text{{ ({details}}}"
    assert proof._repr_latex_() == f"${proof.latex()}$"
    assert eq.prove_equal("x", "x").latex() == r"\text{proved: the same expression}"


def test_refuted() -> None:
    state = {"q_1": 0.5, "phi": 1e-7}
    proof = Proof("refuted", counterexample=state, difference=-2.5e-8, entry=3, place="M[q_1, phi]")
    assert proof.latex() == (
        r"\text{refuted: M[q\_1, phi], difference } -2.5 \times 10^{-8} \text{ at } "
        r"q_{1} = 0.5, \phi = 10^{-7}"
    )
    assert "entry 3" in Proof("refuted", difference=1.0, entry=3).latex()
    assert Proof("refuted", difference=1.0).latex() == (
        r"\text{refuted: difference } 1 \text{ at every state}"
    )
    many = Proof("refuted", counterexample={f"q{k}": 1.0 for k in range(50)}, difference=1.0)
    assert many.latex().endswith(r"q_{11} = 1, \ldots")


def test_undecided_and_without_a_state() -> None:
    assert Proof("undecided", reason="100 % & x_1").latex() == (r"\text{undecided: 100 \% \& x\_1}")
    assert Proof("refuted", reason="of another form").latex() == r"\text{refuted: of another form}"
    assert len(Proof("undecided", reason="x" * 5_000).latex()) < 450

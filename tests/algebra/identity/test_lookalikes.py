"""Symbols that differ in spelling only are mentioned by a proof."""

import equamo as eq
from equamo.algebra.expr import parse
from equamo.algebra.identity.lookalikes import spelling_remarks


def test_a_misspelt_symbol_of_a_robot_is_mentioned() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    proof = eq.prove_equal(eom.mass_matrix[0, 1], "m2*(Lc2**2 + L1*Lc2*cos(q_2)) + I2", seed=1)
    assert proof.verdict == "refuted"
    assert proof.remarks == ("q2 and q_2 are two different symbols",)
    assert str(proof).endswith("; q2 and q_2 are two different symbols")


def test_a_proof_mentions_it_too() -> None:
    """The derivative by q_2 is 0, whatever the entry is."""
    eom = eq.derive(eq.load("rr_arm"))
    entry = eom.mass_matrix[0, 1]
    zero = (entry + parse("q_2")).diff("q_2") - 1
    proof = eq.prove_equal(entry + zero * parse("q_2"), entry, seed=1)
    assert proof
    assert proof.remarks == ()  # nothing of q_2 is left
    kept = eq.prove_equal(entry + parse("sin(q_2)**2 + cos(q_2)**2"), entry + 1, seed=1)
    assert kept
    assert "q2 and q_2 are two different symbols" in str(kept)


def test_names_of_rows_count_as_symbols() -> None:
    left = eq.Vector(["x", "2*x"], ["q1", "q2"])
    assert eq.prove_equal(left, eq.Vector(["x", "x + q_2"])).remarks == (
        "q2 and q_2 are two different symbols",
    )


def test_other_symbols_are_not_mentioned() -> None:
    assert spelling_remarks([parse("m1 + m2")], [parse("m1")]) == ()
    assert spelling_remarks([parse("m*M")], [parse("m")]) == ()
    assert spelling_remarks([parse("q2 + q_2")], [parse("q2*q_2")]) == ()

"""A sign that the rest of the document does not follow is an error, not a convention."""

from typing import Any

from equamo.review.claims import Audit, Claim, audit, claim

G1, G2 = "(m1*Lc1 + m2*L1)*g*cos(q1) + m2*Lc2*g*cos(q1 + q2)", "m2*Lc2*g*cos(q1 + q2)"
D11 = "I1 + I2 + m1*Lc1**2 + m2*(L1**2 + Lc2**2 + 2*L1*Lc2*cos(q2))"
D12 = "m2*(Lc2**2 + L1*Lc2*cos(q2)) + I2"
P = "g*(m1*Lc1*sin(q1) + m2*(L1*sin(q1) + Lc2*sin(q1 + q2)))"
BIAS = "-m2*L1*Lc2*sin(q2)*(2*dq1*dq2 + dq2**2)"


def other(printed: Any, quantity: str, id: str = "other", **more: Any) -> Claim:
    return claim(id, "eq. 2", printed, quantity, **more)


def report(*claims: Claim) -> Audit:
    return audit(list(claims), "rr_arm", seed=1)


def test_a_negated_quantity_beside_one_of_its_family() -> None:
    negated = claim("x", "eq. 1", [f"-({G1})", f"-({G2})"], "gravity")
    assert report(negated)["x"].verdict == "convention"
    assert report(negated, other(D12, "mass_matrix[1, 2]"))["x"].verdict == "convention"
    judged = report(negated, other(P, "potential_energy"))["x"]
    assert judged.verdict == "wrong (sign)"
    assert judged.remarks[-1] == "1 other claim holds without this convention"
    assert [e.verdict for e in judged.entries] == ["wrong (sign)"] * 2
    for e in judged.entries:  # like any wrong entry
        assert e.proof is not None
        assert e.proof.verdict == "refuted"
        assert e.proof.counterexample
    text = str(report(negated, other(P, "potential_energy")))
    assert "WRONG (sign)" in text
    assert "entry 2: printed − derived = -2*g*Lc2*m2*cos(q1 + q2)" in text


def test_a_wrong_sign_is_expected_as_wrong() -> None:
    for expected, fits in (("wrong", True), ("wrong (sign)", True), ("convention", False)):
        negated = claim("x", "eq. 1", [f"-({G1})", f"-({G2})"], "gravity", expect=expected)
        assert report(negated, other(P, "potential_energy")).as_expected == fits
        each = {"1": expected, "2": expected}
        negated = claim("x", "eq. 1", [f"-({G1})", f"-({G2})"], "gravity", expect=each)
        assert report(negated, other(P, "potential_energy")).as_expected == fits


def test_a_flipped_coordinate_beside_a_claim_that_it_changes() -> None:
    printed = [[D11, f"-({D12})"], [f"-({D12})", "m2*Lc2**2 + I2"]]
    alone = claim("x", "eq. 1", printed, "mass_matrix")
    assert report(alone)["x"].diagnosis == "flipped"
    assert report(alone)["x"].verdict == "convention"
    # cos(q2) does not change with the sign of q2, the velocity terms do.
    assert report(alone, other("m2*Lc2**2 + I2", "mass_matrix[2, 2]"))["x"].verdict == "convention"
    assert report(alone, other(BIAS, "bias[1]"))["x"].verdict == "wrong (sign)"


def test_gravity_the_other_way_round() -> None:
    motion = f"inverse_dynamics[2] - ({D12})*ddq1 - (m2*Lc2**2 + I2)*ddq2"
    printed = f"m2*L1*Lc2*sin(q2)*dq1**2 - {G2}"
    up = claim("x", "eq. 1", printed, motion)
    assert report(up)["x"].diagnosis == "gravity"
    assert report(up)["x"].verdict == "convention"
    assert report(up, other(G2, "gravity[2]"))["x"].verdict == "wrong (sign)"
    assert report(up, other(D12, "mass_matrix[1, 2]"))["x"].verdict == "convention"


def test_other_directions_are_not_signs() -> None:
    sideways = [G1.replace("cos", "sin"), G2.replace("cos", "sin")]
    finding = report(claim("x", "eq. 1", sideways, "gravity"), other(G2, "gravity[2]"))["x"]
    assert finding.diagnosis == "gravity"
    assert finding.verdict == "convention"
    assert finding.remarks[-1] == "1 other claim holds without this convention"


def test_an_accepted_convention_stays_accepted() -> None:
    negated = claim("x", "eq. 1", [f"-({G1})", f"-({G2})"], "gravity", accept=("negated",))
    assert report(negated, other(P, "potential_energy"))["x"].verdict == "proved"


def test_what_is_quoted_from_another_paper_is_no_evidence() -> None:
    negated = claim("x", "eq. 1", [f"-({G1})", f"-({G2})"], "gravity")
    quoted = other(P, "potential_energy", quoted_from="[1]")
    assert report(negated, quoted)["x"].verdict == "convention"

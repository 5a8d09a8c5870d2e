"""Statements and their instances are counted separately; what other papers print has its own heading."""

from equamo.review.claims import audit, claim, parse_claims

TEXT = """
robot = "rr_arm"

[[claims]]
id = "m-{j}"
place = "eq. 1, link {j}"
for = { j = ["1", "2"], b = ["upper", "fore"] }
printed = "m{j}"
quantity = "mass({b})"

[[claims]]
id = "I-{j}"
place = "eq. 2, link {j}"
for = { j = ["1", "2"], b = ["upper", "fore"] }
printed = "I1"
quantity = "central_inertia({b})[3, 3]"
expect = "proved"

[[claims]]
id = "quoted"
place = "section 2"
printed = "m2*Lc2**2 + I1"
quantity = "mass_matrix[2, 2]"
quoted_from = "[1]"
expect = "wrong"
"""


def test_a_statement_has_the_worst_verdict_of_its_instances() -> None:
    report = audit(parse_claims(TEXT), seed=1)
    assert {v: n for v, n in report.counts().items() if n} == {"proved": 3, "wrong": 1}
    assert {v: n for v, n in report.statement_counts().items() if n} == {"proved": 1, "wrong": 1}
    text = str(report)
    assert text.startswith("Audit of claims: 2 statements in 4 instances, 0 not claims")
    assert "NOT all proved: 1 proved, 1 wrong (instances: 3 proved, 1 wrong)" in text
    data = report.to_data()
    assert (data["statements"]["wrong"], data["counts"]["wrong"]) == (1, 1)
    assert [f["statement"] for f in data["findings"]] == ["m-{j}"] * 2 + ["I-{j}"] * 2 + ["quoted"]


def test_claims_in_python_are_statements_of_their_own() -> None:
    claims = [
        claim(f"m{j}", f"link {j}", f"m{j}", f"mass({b})") for j, b in ((1, "upper"), (2, "fore"))
    ]
    assert audit(claims, "rr_arm").statement_counts()["proved"] == 2
    named = [claim(f"m{j}", f"link {j}", f"m{j}", f"mass({b})", statement="m")
             for j, b in ((1, "upper"), (2, "fore"))]  # fmt: skip
    assert audit(named, "rr_arm").statement_counts()["proved"] == 1


def test_reported_errors_have_their_own_heading() -> None:
    report = audit(parse_claims(TEXT.replace('printed = "I1"', 'printed = "I{j}"')), seed=1)
    assert [f.id for f in report.quoted] == ["quoted"]
    assert report.ok  # the error is that of another paper
    assert report.counts()["wrong"] == 0
    assert report.to_data()["quoted"]["wrong"] == 1
    own, heading, quoted = str(report).partition(
        "Errors that the document reports about other papers:"
    )
    assert heading
    assert "WRONG" not in own
    assert "WRONG in [1]" in quoted
    assert "printed: m2*Lc2**2 + I1" in quoted


def test_only_what_failed() -> None:
    report = audit(parse_claims(TEXT), seed=1)
    text = report.text(failed=True)
    assert "I-2" in text
    assert "m-1" not in text
    assert "quoted" in text
    good = audit([claim("x", "eq. 1", "m1", "mass(upper)")], "rr_arm").text(failed=True)
    assert "no claim failed" in good


def test_the_printed_formula_is_shown() -> None:
    whole = claim("x", "eq. 1", "m2*Lc2**2 + I1", "mass_matrix[2, 2]")
    assert "printed: m2*Lc2**2 + I1" in str(audit([whole], "rr_arm"))
    row = claim("x", "eq. 1", ["m2*L1*Lc2*cos(q2)", "I2"], "mass_matrix", entries=("row 2",))
    text = str(audit([row], "rr_arm"))
    assert "entry 2,1: printed m2*L1*Lc2*cos(q2)" in text
    assert "entry 2,2: printed I2" in text
    column = claim("x", "eq. 1", ["I1", "m2*Lc2**2 + I2"], "mass_matrix", entries=("column 2",))
    assert "entry 1,2: printed I1" in str(audit([column], "rr_arm"))
    latex = claim("x", "eq. 1", r"m_2 L_{c2}^2", "mass_matrix[2, 2]", latex=True)
    assert r"printed: m_2 L_{c2}^2" in str(audit([latex], "rr_arm"))

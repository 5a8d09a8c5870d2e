"""One edit of the printed formula for all of its wrong entries."""

from typing import Any

import pytest

from equamo.algebra.identity import prove_equal
from equamo.review.claims import Finding, audit, claim

AXES = {
    "e_1": "@rotation(link1)*@axis(link1)",
    "e_2": "@rotation(link2)*@axis(link2)",
    "e_3": "@rotation(link3)*@axis(link3)",
}


def found(printed: Any, quantity: str | None, robot: str = "rr_arm", **more: Any) -> Finding:
    return audit([claim("x", "eq. 1", printed, quantity, **more)], robot, seed=1)["x"]


def edit(*args: Any, **more: Any) -> str:
    finding = found(*args, **more)
    assert finding.verdict == "wrong"
    assert finding.edit is not None
    for e in finding.entries:
        if e.verdict == "wrong":
            assert e.suggestion is not None
            assert e.suggestion.text == finding.edit.text
            assert e.corrected is not None
            assert prove_equal(e.suggestion.result, e.corrected)
    return finding.edit.text


def test_another_vector() -> None:
    printed = "dq1*e_1 + dq2*e_1 + dq3*e_3"
    text = edit(printed, "angular_velocity(link3)", "three_link_arm", definitions=AXES)
    assert text == "e_2 for the second e_1"


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("printed", "text"),
    [
        ("skew(w)*J_G*w = cross(w, J*w)", "J for J_G or J_G for J"),
        ("cross(A*v, A*v) = A*cross(v, w)", "w for the second v"),
        ("J_G*A'*w = J_G*A*w + [0, 0, 0]", "A' for the second A"),
        ("v + skew(w)*v = v - cross(w, v)", "the sign of skew(w)*v"),
        ("cross(v, w) = cross(w, v)", "the sign of the whole"),
    ],
)
def test_names_signs_and_transposes_without_a_robot(printed: str, text: str) -> None:
    general = {
        "vectors": {"v": 3, "w": 3},
        "matrices": {"J": "symmetric 3", "J_G": "symmetric 3", "A": "rotation"},
    }
    finding = audit([claim("x", "eq. 1", printed, **general)], seed=1)["x"]  # type: ignore[arg-type]
    assert finding.edit is not None
    assert finding.edit.text == text
    assert finding.edit.changed == 1


def test_a_named_claim() -> None:
    claims = [
        claim("a", "eq. 1", "m2*Lc2**2 + I2", "mass_matrix[2, 2]", name="d22"),
        claim("b", "eq. 2", "m2*(Lc2**2 + L1*Lc2*cos(q2)) + I2", "mass_matrix[1, 2]", name="d12"),
        claim("c", "eq. 3", "[d12*ddq1 + d12*ddq2, d12]", "[coefficient(inverse_dynamics[2], ddq1, 1)"
              "*ddq1 + mass_matrix[2, 2]*ddq2, mass_matrix[1, 2]]"),
    ]  # fmt: skip
    finding = audit(claims, "rr_arm", seed=1)["c"]
    assert finding.edit is not None
    assert finding.edit.text == "d22 for the second d12"


def test_variables_of_a_derivative() -> None:
    assert (
        edit("[diff(T, q1), diff(T, dq2)]", "mass_matrix*v", definitions={"T": "@kinetic_energy"})
        == "dq1 for q1"
    )
    printed = "jacobian(w, [q1, q2])"
    definitions = {"w": "@angular_velocity(fore)"}
    text = edit(printed, "angular_jacobian(fore)", definitions=definitions)
    assert text == "dq1, dq2 for q1, q2"


def test_a_lost_square_of_a_parenthesis() -> None:
    """The missing term would be the residual."""
    text = edit("m2*(L1 + Lc2)*[dq1, dq2]", "mass(fore)*(L1 + Lc2)**2*v")
    assert text == "the square of (L1 + Lc2)"
    (entry,) = found("m2*(L1 + Lc2)*dq1", "mass(fore)*(L1 + Lc2)**2*dq1").entries
    assert entry.suggestion is not None
    assert entry.suggestion.text == "(L1 + Lc2)**2 for (L1 + Lc2)"
    assert entry.suggestion.kinds == ("power",)


def test_the_result_of_an_edit_says_something() -> None:
    """To write one side twice, or 0 = 0, would make any equation true."""
    general: Any = {"vectors": {"v": 3, "w": 3}}
    for printed in ("v = w", "cross(v, w) = cross(w, 2*v)"):
        assert audit([claim("x", "eq. 1", printed, **general)], seed=1)["x"].edit is None


def test_an_entry_alone_is_edited_alone() -> None:
    finding = found("m2*Lc2**2 + I1", "mass_matrix[2, 2]")
    assert finding.edit is None
    assert finding.entries[0].suggestion is not None
    assert finding.entries[0].suggestion.text == "I2 for I1"


def test_the_edit_is_in_every_report() -> None:
    printed = "dq1*e_1 + dq2*e_1 + dq3*e_3"
    claims = [claim("x", "eq. 1", printed, "angular_velocity(link3)", definitions=AXES)]
    report = audit(claims, "three_link_arm", seed=1)
    assert "suggestion: e_2 for the second e_1" in str(report)
    data = report.to_data()["findings"][0]
    assert data["suggestion"] == {"edit": "e_2 for the second e_1", "changed": 1}

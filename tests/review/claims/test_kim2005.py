"""Kim, Kim and Kwak 2005: the errors that document 003 reports are found, and where they come from."""

from pathlib import Path

import pytest

from equamo.algebra.identity import prove_equal
from equamo.review.claims import Audit, audit


@pytest.fixture(scope="module")
def report() -> Audit:
    return audit(Path(__file__).parent / "kim2005.toml", seed=1)


def test_every_verdict_is_the_expected_one(report: Audit) -> None:
    assert report.as_expected, str(report)


def test_the_second_equation_lacks_two_terms(report: Audit) -> None:
    """The residual is the difference of the two terms that document 003 names."""
    both = "m_S*d*sin(phi)*dx*dpsi - m_S*d**2*sin(phi)*cos(phi)*dphi*dpsi"
    entry = report["F"].entries[1]
    assert entry.residual is not None
    assert prove_equal(-entry.residual, both)
    assert entry.suggestion is not None
    assert sorted(entry.suggestion.kinds) == ["factor", "term"]
    assert prove_equal(entry.suggestion.result, entry.corrected)
    remark = report["28-C"].remarks[-1]
    assert remark.startswith("row 2 of C v")
    assert prove_equal(f"-({remark.split(' = ')[1]})", both)


def test_the_last_equation_has_the_wrong_speed(report: Audit) -> None:
    entry = report["F"].entries[2]
    assert entry.suggestion is not None
    assert (entry.suggestion.size, entry.suggestion.text) == (1, "dpsi for dphi")


def test_the_acceleration_of_the_body_causes_the_error(report: Audit) -> None:
    """Correcting alpha_S alone does not mend the second equation; correcting a_S does."""
    assert report["A2-F2"].entries[0].causes == ("a_S, entry 3 (listing A.2, a_S)",)
    a_S = report["A2-a_S"].entries[2]
    assert a_S.residual is not None
    assert prove_equal(a_S.residual, "dx*dpsi - d*cos(phi)*dphi*dpsi")
    alpha_S = report["A2-alpha_S"].entries[0]
    assert alpha_S.corrected is not None
    assert prove_equal(alpha_S.corrected, "dphi*dpsi")


def test_with_the_inertia_constant_in_the_body_the_difference_of_inertias_remains(
    report: Audit,
) -> None:
    expected = {
        ("in-body-A", 0): "-(I_1 - I_2)*sin(phi)**2",
        ("in-body-C", 1): "-(I_1 - I_2)*sin(2*phi)*dphi*dpsi",
        ("in-body-C", 2): "(I_1 - I_2)*sin(2*phi)*dpsi**2/2",
    }
    for (id, i), residual in expected.items():
        entry = report[id].entries[i]
        assert prove_equal(entry.residual, residual)
        assert entry.holds_if == ("I_1 = I_2",)

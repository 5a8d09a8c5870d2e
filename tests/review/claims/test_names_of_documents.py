"""A name that a document defines is no symbol of the robot, no number, and has no second rate."""

from typing import Any

import pytest

from equamo.errors import EquamoError, FileFormatError
from equamo.review.claims import audit, claim, parse_claims

DEFINED = """
document = "d"
robot = "rr_arm"
{}
[[claims]]
id = "c"
place = "p"
printed = "{}"
"""


@pytest.mark.parametrize(
    ("table", "printed", "words"),
    [
        ("[definitions]\npi = '3'", "sin(pi) = 0", "'pi' is the number π"),
        ("known = ['\\pi']", "sin(pi) = 0", "'pi' is the number π"),
        ("[definitions]\nm1 = 'm2'", "m1 = m2", "'m1' is a symbol of the robot"),
        ("[definitions]\ng = '9.81'", "g = 9.81", "'g' is a symbol of the robot"),
        ("[definitions]\ndq1 = 'dq2'", "dq1 = dq2", "'dq1' is a symbol of the robot"),
        ("[vectors]\nm1 = 3", "m1 = 2*m1 - m1", "'m1' is a symbol of the robot"),
        ("[rates]\nq1 = '0'", "dt(q1) = 0", "rate of q1 follows from the robot"),
    ],
)
def test_a_name_has_one_meaning(table: str, printed: str, words: str) -> None:
    with pytest.raises(EquamoError, match=words):
        audit(parse_claims(DEFINED.format(table, printed)))


def test_a_named_claim_is_no_symbol_of_the_robot() -> None:
    named = claim("a", "p", "m2*Lc2**2 + I2", "mass_matrix[2, 2]", robot="rr_arm", name="m1")
    with pytest.raises(FileFormatError, match="'m1' is a symbol of the robot"):
        audit([named, claim("b", "p", "m1 = m2*Lc2**2 + I2", robot="rr_arm")])


@pytest.mark.parametrize(
    ("printed", "conventions"),
    [
        ("M*Lc2**2 + I2", {"symbols": {"m2": "M"}, "definitions": {"m2": "2*M"}}),
        ("m2*Lc2**2 + I2 + 0*dt(q1)", {"rates": {"q1": "dq1"}}),
    ],
)
def test_a_renamed_symbol_is_free(printed: str, conventions: dict[str, Any]) -> None:
    if "rates" in conventions:
        from equamo.review.claims.claim import formula

        conventions = {"rates": {k: formula(x) for k, x in conventions["rates"].items()}}
    claims = [claim("c", "p", printed, "mass_matrix[2, 2]", robot="rr_arm", **conventions)]
    assert audit(claims)["c"].verdict == "proved"


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ("dt(x) = 0", "dt needs the rate"),
        ("dt(a) = 0*a", "dt needs the rate"),
        ("a**2 = dot(a, a)", "no power 2 that can be evaluated"),
        ("R**(-1) = R'", "no power -1 that can be evaluated"),
        ("det([R, 0*a; 0*a', 1]) = 1", "det takes matrices up to 3×3"),
    ],
)
def test_what_cannot_be_evaluated_is_not_wrong(printed: str, words: str) -> None:
    general: dict[str, Any] = {"vectors": {"a": 3}, "matrices": {"R": "rotation"}}
    with pytest.raises(EquamoError, match=words):
        audit([claim("c", "p", printed, **general)])


def test_the_rate_of_a_merely_known_symbol_is_not_0() -> None:
    with pytest.raises(EquamoError, match="dt needs the rate"):
        audit([claim("c", "p", "dt(phi) = 0", robot="rr_arm", known=("phi",))])
    assert audit([claim("c", "p", "dt(m1) = 0", robot="rr_arm")]).ok


def test_shapes_that_do_not_fit_are_wrong() -> None:
    for printed in ("A**2 = 0*A", "det(A) = 0"):
        assert audit([claim("c", "p", printed, matrices={"A": [2, 3]})])["c"].verdict == "wrong"

"""A name that a document defines is no symbol of the robot, no number, and has no second rate."""

from typing import Any

import pytest

from equamo.claims import audit, claim, parse_claims
from equamo.errors import EquamoError, FileFormatError

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
        from equamo.claims.claim import formula

        conventions = {"rates": {k: formula(x) for k, x in conventions["rates"].items()}}
    claims = [claim("c", "p", printed, "mass_matrix[2, 2]", robot="rr_arm", **conventions)]
    assert audit(claims)["c"].verdict == "proved"

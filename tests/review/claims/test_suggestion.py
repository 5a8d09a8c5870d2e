"""Suggestions: the fewest changed symbols first, then the shortest; never the residual itself."""

import pytest

from equamo.algebra.expr import parse
from equamo.algebra.identity import prove_equal
from equamo.review.claims import audit, claim
from equamo.review.claims.suggestion import suggest


@pytest.mark.parametrize(
    ("printed", "target", "text", "changed"),
    [
        ("a*(b + c)*d", "a*(b + c)**2*d", "(b + c)**2 for (b + c)", 1),
        ("b + c", "(b + c)**2", "the square of the whole", 1),
        ("a*(b*c)", "a*(b*c)**2", "(b*c)**2 for b*c", 1),
        ("a*(b + c)**2", "a*(b + c)", "b + c for (b + c)**2", 1),
        ("I - M*x*x - M*y*y", "I + M*x*x + M*y*y", "the sign of -M*x*x and the sign of -M*y*y", 2),
        ("a*b*c + x*y*z", "a*b*c", "without the term x*y*z", 3),
        ("a + b", "a + c*b", "a factor c in b", 1),
    ],
)
def test_smallest_edits(printed: str, target: str, text: str, changed: int) -> None:
    found = suggest(parse(printed), parse(target))
    assert found is not None
    assert prove_equal(found.result, parse(target))
    assert found.changed == changed
    assert found.text == text
    assert "missing" not in found.text


@pytest.mark.parametrize(
    ("printed", "target"),
    [
        (
            "m*(a + b)*x + c",
            "m*(a + b)**3*x + c",
        ),  # not one edit: nothing, rather than the residual
        ("a*b", "a*b + c*d*e + f*g*h"),  # two terms
        ("a*b", "a*b + c*d*e*f*g*h*(k + l + m + n + o + p + r + s + t + u + v + w + x + y)"),
        ("sin(a) + b*c", "cos(d)*e*f*g + b*c"),
    ],
)
def test_the_residual_is_never_suggested(printed: str, target: str) -> None:
    assert suggest(parse(printed), parse(target)) is None


def test_a_missing_term_is_one_of_the_target() -> None:
    found = suggest(parse("a*b"), parse("a*b + m*(c**2 + d)"))
    assert found is not None
    assert found.text == "the missing term m*(c**2 + d)"
    assert found.changed == 3


def test_causes_replace_the_suggestion() -> None:
    """What is to be corrected is the intermediate, in every kind of report."""
    claims = [
        claim("v", "eq. 1", "m2*Lc2 + I2", "mass_matrix[2, 2]", name="d22"),
        claim("T", "eq. 2", "d22*dq2", "mass_matrix[2, 2]*dq2"),
    ]
    report = audit(claims, "rr_arm", seed=1)
    entry = report["T"].entries[0]
    assert entry.causes == ("d22 (eq. 1)",)
    assert entry.suggestion is None
    assert report["T"].edit is None


def test_the_formula_is_edited_not_its_name() -> None:
    """In F = formula, F is what it should be, on either side."""
    force = {"F": "@gravity[2]"}
    wrong = "m2*Lc1*g*cos(q1 + q2)"
    for printed, words in (
        (f"F = {wrong}", ("right", "left")),
        (f"{wrong} = F", ("left", "right")),
    ):
        report = audit([claim("x", "eq. 1", printed, definitions=force)], "rr_arm", seed=1)
        (entry,) = report["x"].entries
        assert entry.sides == words
        assert entry.suggestion is not None
        assert entry.suggestion.text == "Lc2 for Lc1"
        assert f"{words[0]} − {words[1]} = " in str(report)

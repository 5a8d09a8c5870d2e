"""Statements that say nothing: the same text on both sides, before anything of the robot is used."""

from typing import Any

import pytest

from equamo.review.claims import audit, claim


def verdict(printed: str, quantity: str | None = None, **more: Any) -> str:
    return audit([claim("x", "eq. 1", printed, quantity, **more)], "rr_arm", seed=1)["x"].verdict


@pytest.mark.parametrize(
    "printed",
    [
        "m1 = m1",
        "@bias = @bias",
        "m1*g*cos(q1) = g*m1*cos(q1)",
        "m1 + m2 = m2 + m1",
        "cross(w, [0, 0, m1]) = cross(w, [0, 0, m1])",
        "h = m1*sin(q1)*dq1",
        "(m1 + m2)*g/(2*L1**2) = g*(m2 + m1)/2/L1/L1",
        "k = 2*m1*sin(q1)*dq1",
        "E = m1*w'*w",
    ],
)  # fmt: skip
def test_the_same_text_says_nothing(printed: str) -> None:
    definitions = {"h": "m1*sin(q1)*dq1", "k": "2*h", "E": "m1*w'*w"}
    assert verdict(printed, definitions=definitions, vectors={"w": 3}) == "says nothing"


@pytest.mark.parametrize(
    "printed",
    [
        "cos(-q1) = cos(q1)",
        "(m1 + m2)*(m1 - m2) = m1**2 - m2**2",
        "sin(q1)**2 + cos(q1)**2 = 1",
        "(m1 + m2)*g = m1*g + m2*g",
        "0*m1 = 0/m2 + m1**0 - 1",
        "@bias = @coriolis_matrix*@v",
        "dot(w, w) = w'*w",
        "diff(m1*q1, q1) = m1",
    ],
)  # fmt: skip
def test_an_identity_is_a_claim(printed: str) -> None:
    assert verdict(printed, vectors={"w": 3}) == "proved"


def test_what_repeats_its_quantity_says_nothing() -> None:
    assert verdict("@mass_matrix[1, 2]", "mass_matrix[1, 2]") == "says nothing"
    assert verdict("m2*L1*Lc2", "L1*Lc2*m2") == "says nothing"
    renamed = {"symbols": {"m2": "m_b"}}
    assert verdict("m_b*L1", "m2*L1", **renamed) == "says nothing"
    # The document's q2 is the robot's q1: the texts agree, the meaning does not.
    swapped = {"symbols": {"q1": "q2", "q2": "q1"}}
    assert verdict("m2*q2", "m2*q2", **swapped) == "wrong"
    # A model could have another value here, so this says something of the robot.
    assert verdict("m2", "mass(fore)") == "proved"
    assert verdict("m2*Lc2**2 + I2", "mass_matrix[2, 2]") == "proved"
    assert verdict("m2", "m2", sign=-1) == "convention"


def test_one_equation_of_a_chain_may_say_nothing() -> None:
    report = audit([claim("x", "eq. 1", "m1 = m1 = m1*(sin(q1)**2 + cos(q1)**2)")], "rr_arm")
    assert [e.verdict for e in report["x"].entries] == ["says nothing", "proved"]
    assert report.ok
    wrong = audit([claim("x", "eq. 1", "m1 = m1 = m2")], "rr_arm")
    assert wrong["x"].verdict == "wrong"


def test_an_audit_of_tautologies_is_not_ok() -> None:
    nothing = claim("x", "eq. 1", "m1 = m1", expect="says nothing")
    report = audit([nothing], "rr_arm")
    assert not report.ok
    assert report.as_expected
    assert "says nothing" in str(report)
    assert "both sides are the same text" in str(report)
    real = claim("y", "eq. 2", "m2*Lc2**2 + I2", "mass_matrix[2, 2]")
    both = audit([nothing, real], "rr_arm")
    assert both.ok
    assert str(both).startswith("Audit of claims: 1 statement, 0 not claims")


def test_long_abbreviations_are_left_alone() -> None:
    table = {"a0": "m1*m2"} | {f"a{i}": f"a{i - 1} + a{i - 1}" for i in range(1, 16)}
    assert verdict("a15 = 32768*m1*m2", definitions=table) == "proved"


@pytest.mark.parametrize(
    "text", ["dX0 = dY0", "dX0 + dtheta_L = dX0 + dtheta_R", "L*dY0 + dX0 = L*dY0 + 2*dX0"]
)
def test_speeds_that_depend_on_others_suggest_nothing_empty(text: str) -> None:
    """Without on_motion the sides are compared as printed, also of a robot whose wheels roll."""
    report = audit([claim("x", "eq. 1", text)], "wheeled_inverted_pendulum", seed=1)
    (entry,) = report["x"].entries
    assert (entry.verdict, entry.suggestion) == ("wrong", None)

"""Equal expressions are the same at the point; others are not."""

import pytest

from equamo.algebra.expr import parse, sqrt
from equamo.algebra.expr.fingerprint import PRIME, fingerprints, same

EQUAL = [
    ("(a + b)**2", "a**2 + 2*a*b + b**2"),
    ("cos(a + b)", "cos(a)*cos(b) - sin(a)*sin(b)"),
    ("sin(q/2)*cos(q/2)", "sin(q)/2"),
    ("cos(R*(a - b)/L)", "cos(R*a/L)*cos(R*b/L) + sin(R*a/L)*sin(R*b/L)"),
    ("cos(a/(x + y))", "2*cos(a/(2*x + 2*y))**2 - 1"),
    ("tan(q)*cos(q)", "sin(q)"),
    ("sqrt(x**2 + 1)**2", "x**2 + 1"),
    ("tanh(a*(b + c))", "-tanh(-a*b - a*c)"),
    ("abs(x - y)", "abs(y - x)"),
    ("exp(a*b + a)", "exp(a*(1 + b))"),
    ("atan2(y, x*1)", "atan2(y, x)"),
    ("1/(1 + 1/x)", "x/(1 + x)"),
    ("sqrt(17)*(x + y)", "sqrt(17)*x + sqrt(17)*y"),
    ("2*cos(q + pi/4)**2", "1 - sin(2*q)"),
    ("8*cos(pi/9)**3 - 6*cos(pi/9)", "1"),
]


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_equal(a: str, b: str) -> None:
    assert same(parse(a), parse(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("sin(q)", "cos(q)"), ("x", "x + 1/10**12"), ("tanh(x)", "tanh(2*x)"),
        ("sqrt(17)", "sqrt(13)"), ("cos(q + pi/3)", "cos(q - pi/3)"), ("abs(x)", "x"),
    ],
)  # fmt: skip
def test_not_equal(a: str, b: str) -> None:
    assert not same(parse(a), parse(b))


def test_the_point_is_the_same_in_every_process() -> None:
    assert fingerprints([parse("x")]) == fingerprints([parse("x")])
    assert fingerprints([parse("x")])[0] == 1294931629922525257


def test_the_first_point_decides() -> None:
    """√(x² + 1)² is x² + 1 at points where that is a square in the field, else its negative. Points
    are not tried until one of them makes a wrong pair equal."""
    decided = 0
    for name in "abcdefghijklmnop":
        x = parse(f"{name}**2 + 1")
        if pow(fingerprints([x], "0")[0], (PRIME - 1) // 2, PRIME) == 1:
            decided += 1
            assert not same(sqrt(x**2), -x)
            assert same(sqrt(x**2), x)
    assert decided > 3


def test_nowhere_defined_is_not_equal() -> None:
    assert not same(parse("log(-1 - x**2)"), parse("log(-2 - x**2)"))

"""Normal forms: equal expressions have equal polynomials."""

import pytest

from equamo.algebra.expr import Expr, parse
from equamo.algebra.expr.closed_form.polynomial import OverBudget, TrigRing, Work


def ring(text: str, budget: int = 100_000) -> TrigRing:
    return TrigRing(parse(text), Work(budget))


def is_zero(text: str) -> bool:
    r = ring(text)
    return r.over_factors(r.result)[0].is_zero()


@pytest.mark.parametrize(
    "identity",
    [
        "(a + b)**3 - a**3 - 3*a**2*b - 3*a*b**2 - b**3",
        "sin(q)**2 + cos(q)**2 - 1",
        "cos(q1 + q2) - cos(q1)*cos(q2) + sin(q1)*sin(q2)",
        "sin(3*q) - 3*sin(q) + 4*sin(q)**3",
        "cos(q) - 2*cos(q/2)**2 + 1",
        "cos(R*(a - b)/L) - cos(R*a/L)*cos(R*b/L) - sin(R*a/L)*sin(R*b/L)",
        "sin(q + pi/2) - cos(q)",
        "sin(2*(q + pi/2)) + sin(2*q)",  # two and three quarter turns, not folded before
        "cos(2*(q + pi/2)) + cos(2*q)",
        "sin(3*(q + pi/2)) + cos(3*q)",
        "cos(3*(q + pi/2)) - sin(3*q)",
        "cos(q + pi/7)**2 + sin(q + pi/7)**2 - 1",
        "1/(x + y) - x/(x*(x + y))",
        "(x**2 - 1)/(x - 1) - x - 1",
        "1/(1 + 1/x) - x/(x + 1)",
        "a/b + c/d - (a*d + b*c)/(b*d)",
        "1/(2*x + 2*y) - 1/(x + y)/2",
        "sqrt(x + 1)**2 - x - 1",
        "sqrt(1 + sin(x)**2)**4 - (2 - cos(x)**2)**2",
        "sqrt(sqrt(x) + 1)**4 - x - 2*sqrt(x) - 1",
        "tanh(x)*(a + b) - a*tanh(x) - b*tanh(x)",
    ],
)
def test_identities(identity: str) -> None:
    assert is_zero(identity)


@pytest.mark.parametrize("text", ["sin(q) - cos(q)", "sqrt(x) - x", "1/x - x", "tanh(x) - tanh(y)"])
def test_what_is_not_zero(text: str) -> None:
    assert not is_zero(text)


def test_generators_are_named_in_order() -> None:
    r = ring("z*sin(b) + a*cos(b/2) + tanh(c)/(a + b)")
    named = [str(g) for g in r.generators if g is not None]
    assert named == ["sin(b/2)", "cos(b/2)", "a", "b", "z", "tanh(c)"]
    assert [len(d) for d in r.divisors.values()] == [2]


def test_the_budget_counts_products_of_terms() -> None:
    text = "(a + b + c + d)*(e + f + g + h)"
    with pytest.raises(OverBudget):
        ring(text, 16)
    assert len(ring(text, 60).result) == 16


def test_a_hidden_zero_is_not_divided_by() -> None:
    with pytest.raises(OverBudget):
        ring("1/(sin(q)**2 + cos(q)**2 - 1)")


def test_nested_quotients() -> None:
    e: Expr = parse("x")
    for _ in range(6):
        e = 1 / (1 + e)
    top, bottom = (r := TrigRing(e, Work(100_000))).over_factors(r.result)
    assert sorted(map(int, top.to_dict().values())) == [5, 8]  # Fibonacci
    assert [sorted(map(int, d.to_dict().values())) for d, _ in bottom] == [[8, 13]]

"""Sums and products in the order in which they are read."""

from itertools import permutations

from equamo.algebra.expr import Expr, parse, symbols
from equamo.algebra.expr.printing.reading_order import in_order, ordered_product, ordered_sum

a, b, c = symbols("a b c")


def test_the_order_of_terms_does_not_matter() -> None:
    terms = [parse(x) for x in ("l10", "-l2*m", "Lc", "2", "3*k**2")]
    found = {ordered_sum(p) for p in permutations(terms)}
    assert len(found) == 1
    assert {ordered_sum(-x for x in p) for p in permutations(terms)} == {-found.pop()}


def test_text() -> None:
    assert str(ordered_sum([c, a, b])) == "a + b + c"
    assert str(ordered_sum([parse("2"), b, a])) == "a + b + 2"
    assert (
        str(ordered_product({b: 1, a: 2, parse("sin(a)"): 1, a + b: 3}))
        == "a**2*b*sin(a)*(a + b)**3"
    )
    assert ordered_sum([]) == 0
    assert ordered_product({}) == 1


def test_in_order() -> None:
    e: Expr = parse("d - (a + b + c)")
    assert str(in_order(e)) == "d - a - b - c"
    assert in_order(in_order(e)) is in_order(e)
    assert in_order(a) is a
    assert in_order(-a) is -a

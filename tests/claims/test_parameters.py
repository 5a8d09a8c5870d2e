"""Equations between parameters under which a wrong claim holds."""

from equamo.claims.parameters import MAX_FOUND, holds_if
from equamo.expr import parse


def test_so_many_are_named_and_no_more() -> None:
    """Six pairs of four lengths make this vanish: the first few are enough."""
    product = parse("(a - b)*(a - c)*(a - d)*(b - c)*(b - d)*(c - d)*sin(x)")
    found = holds_if(product, parse("a + b + c + d + 1"), [parse("x")], ())
    assert MAX_FOUND == 3
    assert found == ("a = b", "a = c", "a = d")

"""Which equations between parameters make a wrong entry true."""

from equamo.algebra.expr import parse
from equamo.review.claims.parameters import MAX_FOUND, holds_if


def test_at_most_three_are_named() -> None:
    """(a − b)(c − d)(e − f)(g − h) vanishes if one of four equations holds; the report has three."""
    residual = parse("(a - b)*(c - d)*(e - f)*(g - h)*sin(q)")
    every = {"a = b", "c = d", "e = f", "g = h"}
    found = holds_if(residual, parse("a*c*e*g + 1"), [parse("q")], ())
    assert len(found) == MAX_FOUND == 3
    assert set(found) < every
    assert len(set(found)) == 3


def test_fewer_are_named_if_there_are_fewer() -> None:
    found = holds_if(parse("(a - 2*b)*(c - d)"), parse("a*c"), [], ())
    assert set(found) == {"a = 2*b", "c = d"}


def test_an_entry_that_vanishes_itself_says_nothing() -> None:
    """With a = 0 the residual a·(b + c) is 0, and so is the derived entry a·b."""
    assert holds_if(parse("a*b + a*c"), parse("a*b"), [], ()) == ()
    assert holds_if(parse("a*b + a*c"), parse("b"), [], ()) == ("a = 0",)


def test_parameters_of_different_units_are_not_equated() -> None:
    residual, derived = parse("(m - L)*sin(q)"), parse("m")
    m, length = parse("m"), parse("L")
    (found,) = holds_if(residual, derived, [parse("q")], ())
    assert found in ("m = L", "L = m")
    assert holds_if(residual, derived, [parse("q")], (), {m: "kg", length: "m"}) == ()

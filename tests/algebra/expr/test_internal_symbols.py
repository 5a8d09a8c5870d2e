"""Symbols that derivations invent are never a user's, whatever a user's names are."""

from __future__ import annotations

import pickle

import pytest

from equamo.algebra.expr import internal, parse, symbol
from equamo.algebra.expr.fingerprint import fingerprints
from equamo.algebra.expr.store import dump, load
from equamo.errors import EquamoError, ExpressionError


def test_an_internal_symbol_is_another_node_than_any_symbol_of_its_name() -> None:
    x = internal("rate", "x")
    assert x is internal("rate", "x")
    names = ("x", "rate x", "ratex", "rate.x", "rate_x")
    assert all(x is not symbol(n) and x.h != symbol(n).h and x.name != n for n in names)
    assert x is not internal("base", "x")


def test_its_name_cannot_be_given_by_a_user() -> None:
    name = internal("rate", "x").name
    with pytest.raises(ExpressionError, match="backquote"):
        symbol(name)
    for text in (f"`{name}`", str(internal("rate", "x"))):
        with pytest.raises(EquamoError):
            parse(text)


def test_expressions_with_both_differ_in_value_and_survive_storage() -> None:
    x, y = symbol("x"), internal("rate", "x")
    e = x * y + y
    assert e.diff(y) is x + 1
    assert e.subs({x: 2}) is 3 * y
    assert fingerprints([x])[0] != fingerprints([y])[0]
    assert pickle.loads(pickle.dumps(e)) is e
    assert load(dump([e, x, y])) == [e, x, y]


def test_pi_and_a_symbol_named_none_have_different_fingerprints() -> None:
    assert fingerprints([parse("pi")]) != fingerprints([symbol("None")])

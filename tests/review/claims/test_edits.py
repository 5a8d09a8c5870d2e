"""Edits that undo misprints: all of them, with their texts and sizes."""

import pytest

from equamo.algebra.expr import Expr, parse, symbol
from equamo.review.claims import edits as module
from equamo.review.claims.edits import (
    Edit,
    Pool,
    TermEdit,
    applied,
    edits_of_terms,
    edits_of_whole,
    symbol_count,
    tree_size,
)
from equamo.review.claims.terms import terms

X, F = symbol("x"), parse("sin(y)")
POOL = Pool([X], [F])
FACTORS = ("2", "1/2", "3", "1/3", "4", "1/4")


def as_term(t: str, size: int = 1) -> set[tuple[str, str, str, int]]:
    """The edits of a term as a whole: (kind, text, result, size)."""
    t = str(parse(t))
    return {
        ("sign", f"the sign of {t}", f"-({t})", 1),
        ("dropped", f"without the term {t}", "0", size),
        *(("factor", f"a factor {f} in {t}", f"{f}*({t})", 1) for f in FACTORS),
        *(("inserted", f"a factor {x} in {t}", f"({t})*{x}", 1) for x in (X, F)),
        *(("inserted", f"a division by {x} in {t}", f"({t})/{x}", 1) for x in (X, F)),
    }


def found(edits: list[Edit]) -> set[tuple[str, str, Expr, int]]:
    return {(e.kind, e.text, e.result, e.size) for e in edits}


# {term: its edits inside: kind, text, result}
INSIDE = {
    "a": [("power", "a**2 for a", "a**2"), ("symbol", "x for a", "x")],
    "x": [("power", "x**2 for x", "x**2")],
    "2*a": [
        ("power", "(2*a)**2 for 2*a", "4*a**2"), ("symbol", "x for one a", "a + x"),
        ("dropped", "without the factor a", "2"), ("dropped", "without the factor 2", "a"),
        ("factor", "3 for 2", "3*a"), ("factor", "1 for 2", "a"), ("factor", "1/2 for 2", "a/2"),
        ("power", "a**2 for a", "2*a**2"), ("symbol", "x for a", "2*x"),
    ],
    "a*b": [
        ("power", "(a*b)**2 for a*b", "(a*b)**2"), ("dropped", "without the factor a", "b"),
        ("dropped", "without the factor b", "a"), ("power", "a**2 for a", "a**2*b"),
        ("symbol", "x for a", "x*b"), ("power", "b**2 for b", "a*b**2"), ("symbol", "x for b", "a*x"),
    ],
    "3/4": [("factor", "4/3 for 3/4", "4/3")],
    "5": [("factor", "6 for 5", "6"), ("factor", "4 for 5", "4"), ("factor", "1/5 for 5", "1/5")],
    "a**3": [
        ("power", "a**2 for a**3", "a**2"), ("power", "a**4 for a**3", "a**4"),
        ("symbol", "x for one a", "a**2*x"), ("power", "a**2 for a", "(a**2)**3"),
        ("symbol", "x for a", "x**3"),
    ],
    "a/b": [
        ("dropped", "without the division by b", "a"), ("power", "a**2 for a", "a**2/b"),
        ("symbol", "x for a", "x/b"), ("power", "b**2 for b", "a/b**2"), ("symbol", "x for b", "a/x"),
    ],
    "cos(a)": [
        ("function", "sin(a) for cos(a)", "sin(a)"), ("power", "cos(a)**2 for cos(a)", "cos(a)**2"),
        *(("argument", f"{e} for cos(a)", e) for e in
          ("cos(a + x)", "cos(a - x)", "cos(a*x)", "cos(2*a)", "cos(a/2)")),
        ("power", "a**2 for a", "cos(a**2)"), ("symbol", "x for a", "cos(x)"),
    ],
    "sqrt(a)": [
        ("function", "a without the root", "a"),
        *(("argument", f"{e} for sqrt(a)", e) for e in ("sqrt(2*a)", "sqrt(a/2)")),
        ("power", "a**2 for a", "sqrt(a**2)"), ("symbol", "x for a", "sqrt(x)"),
    ],
    "tanh(a)": [
        *(("argument", f"{e} for tanh(a)", e) for e in ("tanh(2*a)", "tanh(a/2)")),
        ("power", "a**2 for a", "tanh(a**2)"), ("symbol", "x for a", "tanh(x)"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("text", INSIDE)
def test_every_edit_of_a_term(text: str) -> None:
    edits = [x.edit for x in edits_of_terms(parse(text), POOL)]
    expected = as_term(text) | {(*x, 1) for x in INSIDE[text]}
    assert found(edits) == {(k, t, parse(e), n) for k, t, e, n in expected}


def test_edits_of_a_sum_inside_a_product() -> None:
    """Every edit of each of its terms beside the others, its square, and a missing symbol."""
    e = parse("a*(b + c)")
    whole = {
        *as_term("a*(b + c)", 2),
        ("power", "(a*(b + c))**2 for a*(b + c)", "(a*(b + c))**2", 1),
    }
    whole |= {
        ("dropped", "without the factor b + c", "a", 1),
        ("dropped", "without the factor a", "b + c", 1),
        *((k, t, f"({r})*(b + c)", 1) for k, t, r in INSIDE["a"]),
        ("power", "(b + c)**2 for (b + c)", "a*(b + c)**2", 1),
        ("term", "the missing term x in b + c", "a*(b + c + x)", 1),
        ("term", "the missing term -x in b + c", "a*(b + c - x)", 1),
    }
    for own, other in ("bc", "cb"):
        inside = as_term(own) | {
            ("power", f"{own}**2 for {own}", f"{own}**2", 1), ("symbol", f"x for {own}", "x", 1)
        }  # fmt: skip
        whole |= {(k, t, f"a*({other} + ({r}))", n) for k, t, r, n in inside}
    edits = [x.edit for x in edits_of_terms(e, POOL)]
    assert found(edits) == {(k, t, parse(r), n) for k, t, r, n in whole}
    counts = {x.text: x.changed for x in edits}
    assert counts["without the term a*(b + c)"] == 3
    assert counts["without the factor b + c"] == 2
    assert counts["the missing term x in b + c"] == counts["the sign of a*(b + c)"] == 1


def test_edits_name_the_term_that_they_replace() -> None:
    e = parse("a*b - 2*c")
    for change in edits_of_terms(e, POOL):
        rest = [t for i, t in enumerate(terms(e)) if i != change.term]
        assert applied(e, [change]) is rest[0] + change.edit.result
    signs = [x for x in edits_of_terms(e, POOL) if x.edit.kind == "sign"]
    assert [x.term for x in signs] == [0, 1]
    assert applied(e, signs) is -e
    assert applied(e, []) is e


def test_edits_of_a_whole_sum() -> None:
    assert edits_of_whole(parse("a*(b + c)"), POOL) == []
    e = parse("a + b")
    assert found(edits_of_whole(e, POOL)) == {
        ("sign", "the sign of the whole", -e, 1),
        ("power", "the square of the whole", e**2, 1),
        *(("factor", f"a factor {f} of the whole", parse(f) * e, 1) for f in FACTORS),
        *(("inserted", f"a factor {x} of the whole", e * x, 1) for x in (X, F)),
        *(("inserted", f"a division of the whole by {x}", e / x, 1) for x in (X, F)),
    }


def test_a_division_by_zero_is_no_edit() -> None:
    edits = [x.edit for x in edits_of_terms(parse("a/(x - b)"), Pool([symbol("b"), X]))]
    texts = {e.text for e in edits}
    assert "b for x" not in texts  # the divisor would be 0
    assert "x for b" not in texts
    assert "b for a" in texts


@pytest.mark.parametrize(
    ("text", "nodes", "count"),
    [("a", 1, 1), ("2", 1, 1), ("a*b", 3, 2), ("(a + b)*(a + b + c)", 9, 5), ("sin(2*a)/b", 6, 2)],
)
def test_sizes_as_a_tree(text: str, nodes: int, count: int) -> None:
    assert (tree_size(parse(text)), symbol_count(parse(text))) == (nodes, count)


def test_the_number_of_edits_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    e = parse("a*b + c")
    every: list[TermEdit] = [*edits_of_terms(e, POOL)]
    monkeypatch.setattr(module, "MAX_EDITS", 15)
    assert [*edits_of_terms(e, POOL)] == every[:16]

"""Relations between columns, from their values modulo a prime."""

from __future__ import annotations

from fractions import Fraction

import pytest

from equamo.algebra.expr import as_expr, parse, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.identity.stacked import Stack
from equamo.mechanics.equations import interpolated_relations
from equamo.mechanics.equations.interpolated_relations import interpolated
from equamo.mechanics.recursions.regrouping import Relation

KEYS = [("m", n) for n in "abcd"]


def relations(row: list[object], *constants: str) -> list[Relation]:
    stack = Stack(Matrix([row]), frozenset(map(symbol, constants)))
    stack.saturate()
    return interpolated(stack, KEYS[: len(row)])


def coefficients(row: list[object], *constants: str) -> list[str]:
    """Of the one relation, in closed form."""
    (relation,) = relations(row, *constants)
    return [str(relation[k].closed_form()) if k in relation else "0" for k in KEYS[: len(row)]]


def test_numbers() -> None:
    assert coefficients(["q", "v", "3*q - 2*v/5"]) == ["-3", "2/5", "1"]


def test_long_numbers_need_longer_primes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fraction is read from a prime of twice its length."""
    monkeypatch.setattr(interpolated_relations, "_SIZES", (127, 521))
    x, y = (Fraction(10**n + 7, 10 ** (n - 1) + 9) for n in (60, 200))
    (relation,) = relations(["q", as_expr(x) * symbol("q")])
    assert relation[KEYS[0]].value == -x
    assert relations(["q", as_expr(y) * symbol("q")]) == []


def test_symbols() -> None:
    row = ["q", "v", "L**2*q/(4*R**2) + cos(alpha)*v"]
    assert coefficients(row, "L", "R", "alpha") == ["-L**2/(4*R**2)", "-cos(alpha)", "1"]


def test_many_symbols_give_polynomials() -> None:
    row = ["q", "(a + b + c + d)**2*q"]
    (relation,) = relations(row, *"abcd")
    assert (relation[KEYS[0]] + parse("(a + b + c + d)**2")).closed_form().value == 0


def test_what_is_no_polynomial_is_not_found() -> None:
    assert relations(["q", "q/(a + b)"], "a", "b") == []


def test_too_many_symbols() -> None:
    names = [f"x{k}" for k in range(24)]
    assert relations(["q", f"({' + '.join(names)})*q"], *names) == []


def test_columns_outside_of_the_relation() -> None:
    assert coefficients(["q", "sin(v)", "L*q", "v"], "L") == ["-L", "0", "1", "0"]

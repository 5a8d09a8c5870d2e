"""Displayed expressions are simplified: closed forms if there are any, everything else unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import sympy

from equamo.algebra.expr import Expr, parse
from equamo.algebra.expr.closed_form import display
from equamo.algebra.expr.closed_form.display import simplified
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector

pytestmark = pytest.mark.needs("sympy")

ROTATION = "cos(q1)*cos(q2) - sin(q1)*sin(q2)"
LONG = "(a + b + c + d + e + f)**20"


def test_latex_and_sympy_are_those_of_the_closed_form() -> None:
    e = parse(ROTATION)
    assert e.latex() == r"\cos\left(q_{1} + q_{2}\right)"
    assert e.latex(short=True) == "c_{12}"
    assert e.latex(simplify=False) == r"\cos q_{1} \cos q_{2} - \sin q_{1} \sin q_{2}"
    q1, q2 = sympy.symbols("q1 q2")
    assert e.sympy() == sympy.cos(q1 + q2)
    assert e.sympy(simplify=False) == sympy.cos(q1) * sympy.cos(q2) - sympy.sin(q1) * sympy.sin(q2)


def test_vectors_and_matrices() -> None:
    v, m = Vector([ROTATION, "x*y + x*z"]), Matrix([[ROTATION, 0], [1, "x*y + x*z"]])
    assert v.latex() == v.closed_form().latex(simplify=False) != v.latex(simplify=False)
    assert m.latex(short=True) == m.closed_form().latex(short=True, simplify=False)
    assert (
        m.latex(short=True)
        == r"\begin{bmatrix} c_{12} & 0 \\ 1 & x \left(y + z\right) \end{bmatrix}"
    )
    assert v.sympy() == v.closed_form().sympy(simplify=False) != v.sympy(simplify=False)
    assert m.sympy() == m.closed_form().sympy(simplify=False)


def test_what_is_over_the_budget_is_unchanged() -> None:
    long, short = parse(LONG), parse("x*y + x*z")
    assert simplified([long, short, long]) == [long, parse("x*(y + z)"), long]
    assert long.latex() == long.latex(simplify=False)


def test_the_work_is_limited_in_all() -> None:
    entries = [parse(f"x{k}*y + x{k}*z") for k in range(5)]
    forms = simplified(entries, work=30_000)
    done = [a is not b for a, b in zip(entries, forms, strict=True)]
    assert True in done
    assert done == sorted(done, reverse=True)  # the first ones
    assert False in done
    assert simplified(entries, work=0) == entries


def test_of_many_nodes_only_short_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = parse("x*y + x*z"), parse("a*b + a*c + a*d + a*e + a*f")
    assert simplified([short, long]) == [parse("x*(y + z)"), parse("a*(b + c + d + e + f)")]
    monkeypatch.setattr(display, "MANY", 10)
    monkeypatch.setattr(display, "NODES_OF_MANY", 6)
    assert simplified([short, long]) == [parse("x*(y + z)"), long]


def test_after_a_failure_longer_entries_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Expr] = []
    right = display.closed_form_and_work

    def counted(e: Expr, budget: int) -> tuple[Expr | None, int]:
        tried.append(e)
        return right(e, budget)

    monkeypatch.setattr(display, "closed_form_and_work", counted)
    first, longer, shorter = parse(LONG), parse(f"{LONG} + x"), parse("x*y + x*z")
    simplified([first, longer, shorter, shorter, parse("x")])
    assert tried == [first, shorter]


# -- notebooks -------------------------------------------------------------------------------------
def test_notebooks_show_closed_forms() -> None:
    e = parse(ROTATION)
    assert e._repr_latex_() == rf"$\displaystyle {e.latex()}$"
    v, m = Vector([ROTATION, "x"]), Matrix([[ROTATION, 0], [1, "x"]])
    assert v._repr_latex_() == rf"$\displaystyle {v.latex()}$"
    assert m._repr_latex_() == rf"$\displaystyle {m.latex()}$"


def test_notebooks_show_the_text_of_what_is_too_long() -> None:
    many = Vector([f"a{k}*b{k} + c{k}" for k in range(400)])
    assert many._repr_latex_() is None
    assert Matrix([many.entries])._repr_latex_() is None
    assert Vector(many.entries[:20])._repr_latex_() is not None


def test_progress_counts_from_one(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    @contextmanager
    def heard(_: str) -> Iterator[Callable[[str], None]]:
        yield said.append

    monkeypatch.setattr(display, "waiting", heard)
    simplified([parse("x*y + x*z"), parse("x"), parse("a*b + a*c")])
    assert said == ["closed forms: 1 of 3", "closed forms: 3 of 3"]

"""Rank at the points where equations hold, exactly."""

import pytest

from equamo.algebra.expr import parse, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.identity.rank import rank
from equamo.algebra.identity.rank_where import independent_rows_where, linear_symbols


def test_the_rank_drops_where_the_equation_holds() -> None:
    A = Matrix([["x", "y"], ["a", "b"]])
    assert rank(A) == 2
    # x b = a y: the rows are parallel.
    assert independent_rows_where(A, [parse("x*b - a*y")], [symbol("x")]) == [0]
    assert independent_rows_where(A, [parse("x*b - a*y + c")], [symbol("c")]) == [0, 1]


def test_several_equations_are_solved_together() -> None:
    A = Matrix([["l*cos(p)", "m*cos(q)"], ["l*sin(p)", "m*sin(q)"], ["d", "e"]])
    loop = [parse("l*cos(p) + m*cos(q) - d"), parse("l*sin(p) + m*sin(q) - e")]
    unknown = [symbol(n) for n in ("l", "m", "d", "e")]
    assert linear_symbols(loop, unknown) == unknown
    assert independent_rows_where(A, loop, unknown) == [0, 1]


@pytest.mark.parametrize(
    "equations",
    [
        ["cos(p) - cos(q)"],  # no symbol to solve for
        ["l*cos(p) - l*cos(q)"],  # only l = 0
        ["d - 1", "d - 2"],  # contradictory
        ["d**2 - l"],  # solved for l, but not for d alone
    ],
)
def test_equations_that_cannot_be_solved_have_no_rank(equations: list[str]) -> None:
    written = [parse(e) for e in equations]
    A = Matrix([["cos(p)", "d"], ["cos(q)", "l"]])
    names = "d" if "**" in equations[0] else "d l"
    assert independent_rows_where(A, written, [symbol(n) for n in names.split()]) is None


def test_symbols_are_chosen_so_that_all_equations_are_linear() -> None:
    equations = [parse("a*b + c"), parse("b + sqrt(c)")]
    assert linear_symbols(equations, [symbol(n) for n in "abcx"]) == [symbol("a")]


def test_unit_quaternions_are_points_of_the_sphere() -> None:
    A = Matrix([["w**2 + x**2 + y**2 + z**2 - 1 + d"], ["1"]])
    group = [tuple(symbol(n) for n in "wxyz")]
    assert independent_rows_where(A, [parse("d")], [], group) is None
    assert independent_rows_where(A, [parse("d - e")], [symbol("e")], group) == [0]
    assert independent_rows_where(
        Matrix([["w**2 + x**2 + y**2 + z**2 - 1"], ["1"]]), [], [], group
    ) == [1]

"""Vectors: the algebra of the space, against SymPy and in identities."""

import copy
import pickle

import pytest
import sympy

from equamo.algebra.expr import constant, parse, symbol
from equamo.algebra.expr.vector import ZERO3, Vector, dot, vector3
from equamo.errors import ExpressionError, ShapeError, UnknownNameError

pytestmark = pytest.mark.needs("sympy")

a = vector3("a1 a2 a3")
b = vector3("b1, b2, b3")
c = vector3(["c1", 2, "sin(t)"])


def zero(e: object) -> bool:
    return sympy.expand(e.sympy(simplify=False)) in (0, sympy.zeros(3, 1))  # type: ignore[attr-defined]


def test_products_against_sympy() -> None:
    assert a.cross(b).sympy(simplify=False) - a.sympy(simplify=False).cross(
        b.sympy(simplify=False)
    ) == sympy.zeros(3, 1)
    assert (
        sympy.expand(
            (a @ b).sympy(simplify=False) - a.sympy(simplify=False).dot(b.sympy(simplify=False))
        )
        == 0
    )
    assert (a + b - c * 2).sympy(simplify=False) == a.sympy(simplify=False) + b.sympy(
        simplify=False
    ) - 2 * c.sympy(simplify=False)
    assert zero(a / 3 - a * constant(1) / 3)


def test_identities_of_the_vector_product() -> None:
    assert a.cross(a).is_zero
    assert a.cross(b) == -b.cross(a)
    assert zero(a.cross(b.cross(c)) - (b * (a @ c) - c * (a @ b)))
    assert zero(a.cross(b) @ c - a @ b.cross(c))


def test_zeros_cost_nothing() -> None:
    ez = vector3("0 0 1")
    assert (ez @ a) is a[2]
    assert ez.cross(a) == Vector([-a[1], a[0], 0])
    assert ez.cross(a).operations().total == 0
    assert (ZERO3 + a) == a
    assert ZERO3.is_zero
    assert not a.is_zero
    assert dot([], []) == 0


def test_entries_by_index_and_by_name() -> None:
    v = Vector(["x", "y**2", 3], names=["q1", "q2", "q3"])
    assert v["q2"] is v[1] is parse("y**2")
    assert v[-1] == 3
    assert v[1:].names == ("q2", "q3")
    assert list(v) == list(v.entries)
    assert (v * 2).names == v.names
    assert len(v) == 3
    assert v.shape == (3,)
    with pytest.raises(UnknownNameError, match=r"'q4'.*Valid: q1, q2, q3"):
        v["q4"]
    with pytest.raises(UnknownNameError):
        a["x"]
    with pytest.raises(IndexError):
        v[3]


def test_verbs_work_on_every_entry() -> None:
    v = Vector(["x*y", "sin(x)", 1])
    assert v.diff("x") == Vector(["y", "cos(x)", 0])
    assert v.subs({"x": "pi"}) == Vector(["pi*y", 0, 1])
    assert v.closed_form() == v
    assert v.operations().multiplications == 1
    assert "bmatrix" in v.latex()


def test_count_is_that_of_every_sequence() -> None:
    v = Vector(["x", 0, "x", 1])
    assert v.count(v[0]) == 2
    assert v.count(0) == list(v).count(0) == 1
    with pytest.warns(DeprecationWarning, match=r"'count\(\)' is now 'operations\(\)'"):
        assert Vector(["x*y"]).count() == Vector(["x*y"]).operations()


def test_entries_come_from_anything_with_an_order() -> None:
    x, y = symbol("x"), symbol("y")
    table = {"a": x, "b": y}
    for entries in (
        [x, y],
        (e for e in (x, y)),
        table.values(),
        sympy.Matrix(sympy.symbols("x y")),
    ):
        assert Vector(entries).entries == (x, y)


def test_copies_and_equality() -> None:
    v = Vector(["x*y", "sin(x)"], names=["one", "two"])
    for w in (pickle.loads(pickle.dumps(v)), copy.deepcopy(v), copy.copy(v)):
        assert w == v
        assert hash(w) == hash(v)
        assert w.names == v.names
        assert w[1] is v[1]
    assert v != Vector(["x*y", "sin(y)"])
    assert v != v.entries


@pytest.mark.parametrize("bad", ["1 2", "1 2 3 4", [1, 2], "a, b", 3])
def test_the_space_has_three_dimensions(bad: object) -> None:
    with pytest.raises(ShapeError, match="three"):
        vector3(bad)


def test_what_does_not_fit() -> None:
    two = Vector([1, 2])
    for wrong in (lambda: a + two, lambda: a - two, lambda: a @ two, lambda: a.cross(two)):
        with pytest.raises(ShapeError, match="got 3 and 2"):
            wrong()
    with pytest.raises(ShapeError, match="A vector of 2 entries must have as many names, got 1"):
        Vector([1, 2], names=["x"])
    with pytest.raises(ExpressionError, match="A quantity must be a number"):
        Vector([None])
    for wrong in (lambda: a * "x", lambda: a * None, lambda: a / None, lambda: a @ 3):
        with pytest.raises(TypeError):
            wrong()
    assert symbol("k") * a == a * symbol("k")
    with pytest.raises(ShapeError, match=r"An index must be a whole number, got 1\.5"):
        _ = two[1.5]  # type: ignore[call-overload]  # pyright: ignore


def test_names_in_backquotes_may_have_blanks_and_commas() -> None:
    assert vector3("`a b` `c, d` -`e (f`") == Vector(["`a b`", "`c, d`", "-`e (f`"])
    assert vector3("`a b`, 0, 2*`c`").entries[2] == parse("2*c")
    with pytest.raises(ShapeError, match="has 1 component"):
        vector3("`a b c`")

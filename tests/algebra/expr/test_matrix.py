"""Matrices against SymPy, and the identities that mechanics uses."""

import copy
import pickle

import pytest
import sympy

from equamo.algebra.expr import Expr, parse, symbol
from equamo.algebra.expr.matrix import (
    Matrix,
    blocks,
    determinant3,
    diagonal,
    from_columns,
    identity,
    outer,
    skew,
    unskew,
    unskew_product,
    zeros,
)
from equamo.algebra.expr.vector import Vector, vector3
from equamo.errors import ShapeError, UnknownNameError

pytestmark = pytest.mark.needs("sympy")

A = Matrix([["a", "b*c", 0], [1, "cos(q)", "d"], ["x", 0, "y"]])
B = Matrix([["e", 0, 2], ["f", "g", 0], [0, "h", "-k"]])
u, v = vector3("u1 u2 u3"), vector3("v1 v2 v3")
Rz = Matrix([["cos(q)", "-sin(q)", 0], ["sin(q)", "cos(q)", 0], [0, 0, 1]])


def same(left: object, right: object) -> bool:
    difference = sympy.Matrix(left) - sympy.Matrix(right)
    return difference.expand().is_zero_matrix is True


def test_algebra_against_sympy() -> None:
    a, b = A.sympy(simplify=False), B.sympy(simplify=False)
    assert same((A @ B).sympy(simplify=False), a * b)
    assert same((A + B - A * 3).sympy(simplify=False), a + b - 3 * a)
    assert same((-A).T.sympy(simplify=False), -a.T)
    assert same((A @ u).sympy(simplify=False), a * u.sympy(simplify=False))
    assert sympy.expand(determinant3(A).sympy(simplify=False) - a.det()) == 0
    assert same(
        outer(u, v).sympy(simplify=False), u.sympy(simplify=False) * v.sympy(simplify=False).T
    )


def test_transpose_of_a_product() -> None:
    assert same((A @ B).T.sympy(simplify=False), (B.T @ A.T).sympy(simplify=False))


def test_skew() -> None:
    assert same((skew(u) @ v).sympy(simplify=False), u.cross(v).sympy(simplify=False))
    assert -skew(u) == skew(u).T
    assert unskew(skew(u)) == u
    A, B = Matrix([[*"abc"], [*"def"], [*"ghi"]]), skew(u)
    assert unskew_product(A, B) == unskew(A @ B)
    assert same(
        skew(u.cross(v)).sympy(simplify=False),
        (skew(u) @ skew(v) - skew(v) @ skew(u)).sympy(simplify=False),
    )
    # R (u×) Rᵀ = (R u)×
    left, right = Rz @ skew(u) @ Rz.T, skew(Rz @ u)
    assert same(
        sympy.simplify(left.sympy(simplify=False)), sympy.simplify(right.sympy(simplify=False))
    )


def test_unit_zero_diagonal_and_blocks() -> None:
    assert identity(3) @ A == A == A @ identity(3)
    assert A + zeros(3, 3) == A
    assert diagonal(["a", 2])[1, 1] == 2
    assert from_columns([u, v]) == Matrix([list(u), list(v)]).T
    X = blocks([[A, zeros(3, 1)], [zeros(1, 3), identity(1)]])
    assert X.shape == (4, 4)
    assert X[0:3, 0:3] == A
    assert X[3, 3] == 1


def test_zeros_cost_nothing() -> None:
    assert (Rz @ vector3("0 0 1")) == vector3("0 0 1")
    assert (identity(3) @ Rz @ zeros(3, 3)) == zeros(3, 3)
    assert (Rz @ u).operations().multiplications == 4


def test_entries_by_index_and_by_name() -> None:
    M = Matrix([["a", "b"], ["c", "d"]], ["q1", "q2"], ["t1", "t2"])
    assert M["q2", "t1"] is M[1, 0] is symbol("c")
    assert M["q2"] == M[1] == Vector(["c", "d"])
    assert M["q2"]["t2"] is symbol("d")
    assert M.column("t2") == Vector(["b", "d"])
    assert M.T["t1", "q2"] is symbol("c")
    assert (M @ M.T).row_names == ("q1", "q2")
    assert [list(r) for r in M] == [list(r) for r in M.rows]
    assert len(M) == 2
    assert M[0:1, 1].shape == (1, 1)
    with pytest.raises(UnknownNameError, match="Valid: q1, q2"):
        M["q3", "t1"]
    with pytest.raises(IndexError):
        M[2, 0]


def test_verbs_work_on_every_entry() -> None:
    M = Matrix([["x*y", "sin(x)"], [1, "x"]])
    assert M.diff("x") == Matrix([["y", "cos(x)"], [0, 1]])
    assert M.subs({"x": 0}) == Matrix([[0, 0], [1, 0]])
    assert (Rz.T @ Rz).closed_form() == identity(3)
    assert M.operations().multiplications == 1
    assert "bmatrix" in M.latex()


def test_copies_and_equality() -> None:
    M = Matrix([["x*y", "sin(x)"]], ["r"], ["one", "two"])
    for w in (pickle.loads(pickle.dumps(M)), copy.deepcopy(M)):
        assert w == M
        assert hash(w) == hash(M)
        assert (w.row_names, w.column_names) == (M.row_names, M.column_names)
        assert w[0, 1] is parse("sin(x)")
    assert Matrix([["x*y", "sin(y)"]]) != M
    empty = Matrix([], column_names=["a", "b"])
    assert empty.shape == (0, 2)


def test_what_does_not_fit() -> None:
    with pytest.raises(ShapeError, match="must have equal lengths, got 2, 1"):
        Matrix([[1, 2], [3]])
    for wrong in (
        lambda: A + identity(2),
        lambda: A - identity(2),
        lambda: A @ identity(2),
        lambda: A @ Vector([1, 2]),
    ):
        with pytest.raises(ShapeError, match=r"must (have equal shapes|be equal)"):
            wrong()
    with pytest.raises(ShapeError, match=r"takes two indices, got \(0, 0, 0\)"):
        _ = A[0, 0, 0]  # type: ignore[call-overload]  # pyright: ignore
    with pytest.raises(TypeError):
        _ = A * "x"


def test_closed_forms_of_equal_entries_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A symmetric matrix takes half the time."""
    from equamo.algebra.expr.closed_form import closed_form as module

    asked: list[Expr] = []
    search = module.closed_form_or_none

    def counted(e: Expr, budget: int) -> Expr | None:
        asked.append(e)
        return search(e, budget)

    monkeypatch.setattr(module, "closed_form_or_none", counted)
    e = parse("(a + b)**2 - a**2")
    found = Matrix([[e, 1], [1, e]]).closed_form()
    assert found == Matrix([["b*(2*a + b)", 1], [1, "b*(2*a + b)"]])
    assert len(asked) == len(set(asked)) == 2


@pytest.mark.parametrize(("n", "m"), [(0, 0), (0, 3), (2, 0), (2, 3)])
def test_shapes_without_rows_or_columns(n: int, m: int) -> None:
    whole = zeros(n, m)
    assert whole.shape == (n, m)
    assert whole.T.shape == (m, n)
    assert whole.T.T.shape == (n, m)
    assert Matrix([[]] * 2).T.shape == (0, 2)
    for same in (whole + whole, whole - whole, -whole, 2 * whole, whole.subs({"x": 1}),
                 whole.closed_form(), pickle.loads(pickle.dumps(whole)), whole[:, :]):  # fmt: skip
        assert same.shape == (n, m)
    assert (whole @ zeros(m, 4)).shape == (n, 4)
    assert (zeros(4, n) @ whole).shape == (4, m)
    assert (whole @ Vector([0] * m)).shape == (n,)
    assert whole[:0, :].shape == (0, m)
    assert whole[:, :0].shape == (n, 0)

"""Packed functions: which entries they keep, that the others are zero, and that this is proved."""

from __future__ import annotations

import pytest

import equamo as eq
from equamo.algebra.expr import ZERO, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.code.ir.function import Function, Result, entries_of, folded, without_empty
from equamo.code.ir.lookup import function_named
from equamo.code.ir.packing import packed, unpack
from equamo.code.ir.program import Argument
from equamo.code.ir.proof import prove_programs
from equamo.errors import UnknownNameError

X = Argument("x", (symbol("a"), symbol("b")))


def function(*values: Matrix | Vector | eq.Expr, symmetric: bool = False) -> Function:
    shapes = [() if isinstance(x, eq.Expr) else x.shape for x in values]
    results = tuple(Result(f"y{k}", s, symmetric=symmetric) for k, s in enumerate(shapes))
    return Function("f", (X,), results, (lambda: values,), dict, specified=lambda: values)


def test_only_matrices_are_packed() -> None:
    f = function(Matrix([["a", 0, 1], [0, 0, "b"]]), Vector([0, "a"]), eq.parse("a*b"))
    found = packed(f)
    assert [y.shape for y in found.results] == [(3,), (2,), ()]
    assert found.results[0].places == ((0, 0), (0, 2), (1, 2))
    assert found.results[0].whole == (2, 3)
    assert found.results[1].places is None
    (way,) = found.ways
    entries = [e for x in found.outputs(way).values() for e in entries_of(x)]
    assert unpack(found, entries) == [
        e for x in f.outputs(f.ways[0]).values() for e in entries_of(x)
    ]


def test_a_symmetric_matrix_keeps_its_lower_triangle() -> None:
    M = Matrix([["a", "b", 0], ["b", 2, "a"], [0, "a", 3]])
    found = packed(function(M, symmetric=True))
    assert found.results[0].places == ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2))
    (values,) = found.outputs(found.ways[0]).values()
    assert unpack(found, entries_of(values)) == list(M.entries)


def test_an_entry_that_is_zero_in_one_way_is_left_out() -> None:
    a = symbol("a")
    late = eq.parse("sin(a)**2 + cos(a)**2 - 1")
    assert late is not ZERO
    ways = (lambda: Matrix([[a, late]]), lambda: Matrix([[a, 0]]))
    f = Function("f", (X,), (Result("y", (1, 2)),), ways, dict)
    assert packed(f).results[0].places == ((0, 0),)


def test_a_matrix_of_zeros_has_no_entries() -> None:
    found = packed(function(Matrix([[0, 0]])))
    assert found.results[0].places == ()
    assert found.size == 0


@pytest.mark.parametrize("values", [{}, {"m1": 2, "L1": 1}])
def test_they_are_proved_against_the_equations(values: dict[str, float]) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    f = folded(function_named(eom, "mass_matrix_packed"), values)
    (proof,) = prove_programs(eom, [(f, f.program())])
    assert proof.verdict == "proved"


def test_a_wrong_place_is_refuted() -> None:
    from dataclasses import replace

    eom = eq.derive(eq.load("rr_arm"))
    f = function_named(eom, "mass_matrix_packed")
    (y,) = f.results
    assert y.places == ((0, 0), (1, 0), (1, 1))
    swapped = replace(f, results=(replace(y, places=((0, 0), (1, 1), (1, 0))),))
    (proof,) = prove_programs(eom, [(swapped, f.program())])
    assert proof.verdict == "refuted"
    assert "M[" in str(proof)


def test_a_packed_function_of_a_vector_does_not_exist() -> None:
    with pytest.raises(UnknownNameError, match="gravity_packed"):
        function_named(eq.derive(eq.load("rr_arm")), "gravity_packed")


def test_empty_results_are_left_out() -> None:
    f = function(Vector(["a"]), Matrix([], None, ["x"]), Vector(["b"]))
    kept = without_empty(f)
    assert [y.name for y in kept.results] == ["y0", "y2"]
    assert kept.specified is not None
    assert list(kept.outputs(kept.specified)) == ["y0", "y2"]
    assert [y.name for y in kept.program().outputs] == ["y0", "y2"]
    assert without_empty(function(Vector([]))).results[0].shape == (0,)  # nothing else to keep


def test_one_value_per_result() -> None:
    a = symbol("a")
    f = Function("f", (X,), (Result("y", ()), Result("z", ())), (lambda: (a,),), dict)
    with pytest.raises(ValueError, match="zip"):
        f.program()

"""`prove_equal` and `prove_zero`: identity proofs by evaluation at random points of a finite field.

Proved: both sides agree, and the bound of `trials` holds. Refuted: they differ there *and* at a real
state, confirmed in ball arithmetic with 60 or 120 digits. Anything else is undecided.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from random import Random, SystemRandom
from typing import Any, Final, cast

from ..errors import ExpressionError, ShapeError
from ..expr.convert import as_expr, as_expr_with_domain
from ..expr.graph import ZERO, Expr
from ..expr.matrix import Matrix
from ..expr.rules import sub
from ..expr.vector import Vector
from ..wording import brief
from .counterexample import find_counterexample
from .lookalikes import spelling_remarks
from .proof import Proof, with_place
from .rewrite import rewrite_with_walk
from .trials import Trials

ERROR_BITS: Final = 100  # the default bound is 2⁻¹⁰⁰
Written = tuple[Expr, Sequence[Expr]]  # a node, and further nodes that restrict its domain
Quantity = Any  # a scalar as `as_expr` takes it, a Vector, a Matrix or a sequence of them


def prove_zero(
    e: Quantity, *, unit: Iterable[Sequence[Any]] = (), error_bits: int = ERROR_BITS,
    seed: int | None = None,
) -> Proof:  # fmt: skip
    """Prove that a scalar, or every entry of a vector or matrix, is 0 wherever it is defined.

    Args:
        e: A number, text, SymPy expression, Expr, Vector, Matrix, or a list of them. A text is defined
            where every operation in it is; an Expr where its printed form is.
        unit: Groups of symbols whose squares sum to 1, such as the four of a quaternion.
        error_bits: n for an error bound of 2⁻ⁿ.
        seed: Seed of the random primes and points; if None, one from the operating system.

    Returns:
        A Proof: proved with its bound, refuted with a real state, or undecided with a reason.

    Raises:
        ExpressionError: `e` or `unit` cannot be read, or `error_bits` is less than 1.

    >>> bool(prove_zero("sin(x)**2 + cos(x)**2 - 1"))
    True
    >>> prove_zero("(2**61 - 1)*x").verdict
    'refuted'
    """
    written = _entries(e)
    proof = prove_all(
        [[x for x, _ in written]], unit=unit, error_bits=error_bits, seed=seed,
        domains=[[domain for _, domain in written]],
    )[0]  # fmt: skip
    return with_place(proof, _entry_names(e))


def prove_equal(
    a: Quantity, b: Quantity, *, unit: Iterable[Sequence[Any]] = (), error_bits: int = ERROR_BITS,
    seed: int | None = None,
) -> Proof:  # fmt: skip
    """Prove that two scalars, vectors or matrices are equal wherever both are defined.

    Args:
        a: One side: a number, text, SymPy expression, Expr, Vector, Matrix, or a list of them. A text
            is defined where every operation in it is; an Expr where its printed form is.
        b: The other side, of the same shape.
        unit: Groups of symbols whose squares sum to 1, such as the four of a quaternion.
        error_bits: n for an error bound of 2⁻ⁿ.
        seed: Seed of the random primes and points; if None, one from the operating system.

    Returns:
        A Proof: proved with its bound, refuted with a real state where both sides are defined and
        differ, or undecided with a reason. It remarks on symbols that the other side spells
        otherwise, such as q_2 where the quantities of a robot have q2.

    Raises:
        ShapeError: The two sides have different shapes.
        ExpressionError: A side or `unit` cannot be read, or `error_bits` is less than 1.

    >>> print(prove_equal("cos(a)*cos(b) - sin(a)*sin(b)", "cos(a + b)"))
    proved: error ≤ 2⁻¹²⁰ (degree 4, 1 trial, 127-bit prime)
    """
    left, right = _same_shape(a, b)
    proof = prove_all(
        [[sub(x, y) for (x, _), (y, _) in zip(left, right, strict=True)]],
        unit=unit, error_bits=error_bits, seed=seed,
        domains=[[(x, *dx, y, *dy) for (x, dx), (y, dy) in zip(left, right, strict=True)]],
    )[0]  # fmt: skip
    names = [n for side in (a, b) for n in _row_names(side)]
    remarks = spelling_remarks([x for x, _ in left], [y for y, _ in right], names)
    return with_place(replace(proof, remarks=remarks) if remarks else proof, _entry_names(a))


def differences(a: Quantity, b: Quantity) -> list[Expr]:
    """Entries of a − b, row by row."""
    return [sub(x, y) for x, y in pairs(a, b)]


def pairs(a: Quantity, b: Quantity) -> list[tuple[Expr, Expr]]:
    """Entries of a, each with the same entry of b, row by row."""
    return [(x, y) for (x, _), (y, _) in zip(*_same_shape(a, b), strict=True)]


def _same_shape(a: Quantity, b: Quantity) -> tuple[list[Written], list[Written]]:
    shape_a, shape_b = getattr(a, "shape", ()), getattr(b, "shape", ())
    if shape_a != shape_b:
        raise ShapeError(f"Both sides must have the same shape, got {shape_a} and {shape_b}.")
    left, right = _entries(a), _entries(b)
    if len(left) != len(right):
        raise ShapeError(
            f"Both sides must have the same number of entries, got {len(left)} and {len(right)}."
        )
    return left, right


def _entries(e: Quantity) -> list[Written]:
    if isinstance(e, (Vector, Matrix)):
        return [(x, ()) for x in e.entries]
    if isinstance(e, (list, tuple)):
        return [x for part in cast(Sequence[Any], e) for x in _entries(part)]
    return [as_expr_with_domain(e)]


def _entry_names(e: Quantity) -> list[str]:
    """Names of the entries of a vector or matrix; empty for lists and scalars."""
    return [f"entry {name}" for name in e.entry_names] if isinstance(e, (Vector, Matrix)) else []


def _row_names(e: Quantity) -> Sequence[str]:
    """Names of the rows of a vector or matrix: of a robot's quantity, its coordinates or speeds."""
    if isinstance(e, Matrix):
        return (*(e.row_names or ()), *(e.column_names or ()))
    return (e.names or ()) if isinstance(e, Vector) else ()


def check_options(error_bits: int, seed: int | None) -> None:
    """Check that both options are integers and that `error_bits` is at least 1."""
    for name, x in (("error_bits", error_bits), ("seed", 0 if seed is None else seed)):
        if not isinstance(x, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ExpressionError(f"{name} must be a whole number, got {brief(x)}.")
    if error_bits < 1:
        raise ExpressionError(
            f"error_bits must be at least 1 for a bound of 2⁻ⁿ, got {error_bits}."
        )


def _groups(unit: Any) -> list[Iterable[Any]]:
    """Groups of components of unit length; ExpressionError for anything but a list of lists."""
    groups = list(cast(Iterable[Any], unit)) if isinstance(unit, Iterable) else [unit]
    if any(isinstance(g, str) or not isinstance(g, Iterable) for g in (groups, *groups)):
        raise ExpressionError(
            'unit must be a list of groups of components, such as [("qw", "qx", "qy", "qz")], got '
            f"{brief(cast(object, unit))}."
        )
    return groups


def prove_all(
    groups: Sequence[Sequence[Expr]], *, unit: Iterable[Sequence[Any]] = (),
    error_bits: int = ERROR_BITS, seed: int | None = None,
    domains: Sequence[Sequence[Sequence[Expr]]] | None = None, positive: Collection[Expr] = (),
) -> list[Proof]:  # fmt: skip
    """Prove that all expressions of each group are zero: one proof per group, at shared points.

    `domains` holds, for each expression of each group, further nodes that must be defined at a state
    that refutes it. Symbols in `positive` are never negative at such a state.
    """
    start = time.perf_counter()
    check_options(error_bits, seed)
    random = SystemRandom() if seed is None else Random(seed)
    unit_groups = [tuple(as_expr(x) for x in group) for group in _groups(unit)]
    flat = list(dict.fromkeys(e for group in groups for e in group if e is not ZERO))
    if not flat:
        return [Proof("proved") for _ in groups]
    trials = Trials(*rewrite_with_walk(flat), unit_groups, error_bits, random)
    number = {e: i for i, e in enumerate(flat)}
    proofs: list[Proof] = []
    for g, group in enumerate(groups):
        entries = [number[e] for e in group if e is not ZERO]
        bad = [k for k, e in enumerate(group) if e is not ZERO and not trials.zero[number[e]]]
        degree = max((trials.degree(i) for i in entries), default=0)
        counterexample = None
        if bad:
            needed = [domains[g][k] for k in bad] if domains else ()
            counterexample = find_counterexample(
                [group[k] for k in bad], unit_groups, random, domains=needed, positive=positive
            )
        seconds = time.perf_counter() - start
        if not entries:
            proof = Proof("proved")
        elif not bad:
            bound = max(trials.bound(i) for i in entries)
            proof = Proof("proved", bound, degree, trials.count, trials.bits, seconds=seconds)
        elif counterexample is not None:
            entry = bad[counterexample.entry]
            proof = Proof(
                "refuted", None, degree, trials.count, trials.bits, counterexample.state,
                counterexample.difference,
                entry if len(group) > 1 else None, seconds=seconds,
            )  # fmt: skip
        else:
            reason = (
                trials.reason or "the sides differ in a finite field, but at no real state found"
            )
            proof = Proof("undecided", degree=degree, reason=reason, seconds=seconds)
        proofs.append(proof)
    return proofs

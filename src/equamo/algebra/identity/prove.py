"""`prove_equal` and `prove_zero`: identity proofs by evaluation at random points of a finite field.

Proved: both sides agree, and the bound of `trials` holds. Refuted: they differ there *and* at a real
state, confirmed in ball arithmetic with 60 or 120 digits. Anything else is undecided.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from math import inf
from random import Random, SystemRandom
from typing import Any, Final, cast

from ...basics.arguments import items_of
from ...basics.wording import brief
from ...errors import ExpressionError, ShapeError
from ..expr.convert import as_expr, as_expr_with_domain
from ..expr.graph import ZERO, Expr
from ..expr.matrix import Matrix
from ..expr.rules import sub
from ..expr.vector import Vector
from .counterexample import find_counterexample
from .lookalikes import spelling_remarks
from .point import OutOfReach
from .proof import Proof, with_place
from .rewrite import rewrite_with_walk
from .trials import Trials

ERROR_BITS: Final = 100  # the default bound is 2⁻¹⁰⁰
_SPARE_BITS: Final = 28  # of a seed, beyond those of the bound
_STATE_BITS: Final = 19_937  # of Python's generator: a longer seed says no more
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
        seed: Seed of the random primes and points, for a result that can be repeated; a bound is never
            below what a seed of this length allows. If None, the operating system draws them.

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
        seed: Seed of the random primes and points, for a result that can be repeated; a bound is never
            below what a seed of this length allows. If None, the operating system draws them.

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
    shape_a, shape_b = _shape(a), _shape(b)
    if shape_a != shape_b:
        raise ShapeError(f"Both sides must have the same shape, got {shape_a} and {shape_b}.")
    return _entries(a), _entries(b)


def _shape(e: Quantity) -> tuple[Any, ...]:
    """(rows, columns) of a matrix or a list of lists, and so on; of a ragged list, that of each part."""
    if isinstance(e, (Vector, Matrix)):
        return e.shape
    if not isinstance(e, (list, tuple)):
        return ()
    parts = [_shape(part) for part in cast(Sequence[Any], e)]
    return (len(parts), *(parts[0] if len(set(parts)) == 1 else parts))


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


def new_seed(error_bits: int) -> int:
    """Random seed that is long enough for an error bound of 2⁻ⁿ.

    >>> seed_bits(new_seed(300)) >= 300
    True
    """
    bits = max(ERROR_BITS, error_bits) + _SPARE_BITS
    return 1 << bits | secrets.randbits(bits)


def seed_bits(seed: int) -> int:
    """Most random bits that a seed of this length can have: no error bound is below 2 to minus that.

    >>> seed_bits(1), seed_bits(2**128 + 5)
    (0, 128)
    """
    return min(max(0, seed.bit_length() - 1), _STATE_BITS)


def _groups(unit: Any) -> list[list[Any]]:
    """Groups of components of unit length; ExpressionError for anything but a list of lists."""
    listed = items_of(unit)
    read = [None if isinstance(g, str) else items_of(g) for g in listed or ()]
    groups = [g for g in read if g is not None]
    if listed is None or isinstance(unit, str) or len(groups) < len(read):
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
    least = -inf if seed is None else float(-seed_bits(seed))
    unit_groups = [tuple(as_expr(x) for x in group) for group in _groups(unit)]
    flat = list(dict.fromkeys(e for group in groups for e in group if e is not ZERO))
    if not flat:
        return [Proof("proved") for _ in groups]
    try:
        trials = Trials(*rewrite_with_walk(flat), unit_groups, error_bits, random)
    except OutOfReach as error:
        trials = str(error)
    if isinstance(trials, str) and len(groups) > 1:  # the other groups can be proved
        return [
            prove_all(
                [group], unit=unit_groups, error_bits=error_bits, seed=seed,
                domains=domains and [domains[g]], positive=positive,
            )[0]
            for g, group in enumerate(groups)
        ]  # fmt: skip
    number = {e: i for i, e in enumerate(flat)}
    proofs: list[Proof] = []
    for g, group in enumerate(groups):
        entries = [k for k, e in enumerate(group) if e is not ZERO]
        if isinstance(trials, str):
            bad, found = entries, Proof("undecided", reason=trials)
        else:
            bad = [k for k in entries if not trials.zero[number[group[k]]]]
            found = _of_trials(trials, [number[group[k]] for k in entries], not bad, least)
        if bad:
            needed = [domains[g][k] for k in bad] if domains else ()
            state = find_counterexample(
                [group[k] for k in bad], unit_groups, random, domains=needed, positive=positive
            )
            if state is not None:
                found = replace(
                    found, verdict="refuted", reason="", counterexample=state.state,
                    difference=state.difference,
                    entry=bad[state.entry] if len(group) > 1 else None,
                )  # fmt: skip
        proofs.append(replace(found, seconds=time.perf_counter() - start))
    return proofs


def _of_trials(trials: Trials, entries: Sequence[int], zero: bool, least: float) -> Proof:
    """Verdict on a group from the trials of its entries; undecided until a real state refutes it."""
    if not entries:
        return Proof("proved")
    degree = max(trials.degree(i) for i in entries)
    if zero:
        bound = max(least, *(trials.bound(i) for i in entries))
        return Proof("proved", bound, degree, trials.count, trials.bits)
    reason = trials.reason or "the sides differ in a finite field, but at no real state found"
    return Proof("undecided", degree=degree, reason=reason)

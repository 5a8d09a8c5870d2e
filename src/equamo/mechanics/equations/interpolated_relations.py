"""Relations between columns that no rule finds, interpolated from values modulo a prime.

For fixed values of the constants, columns that depend on others have coefficients modulo p. These are
fractions if the geometry consists of numbers. If it has symbols, each coefficient is sought as a
combination of monomials in the symbols on which it depends, from its values at more geometries than
there are monomials. A relation found in this way is a candidate; the proof of the base parameters
covers it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Final

from ...algebra.expr import ONE, Expr, as_expr
from ...algebra.expr.walk import symbols
from ...algebra.identity.stacked import Stack
from ..recursions.regrouping import Key, Relation

_SIZES: Final = (127, 521, 1279, 2203)  # bits of the primes from which fractions are read
_FEW: Final = 3  # up to this many atoms, exponents from −2 to 2 are tried; otherwise degree 2
_MONOMIALS: Final = 300  # most unknowns of one coefficient
Place = tuple[int, int]  # (relation, column)


def interpolated(stack: Stack, kept: Sequence[Key]) -> list[Relation]:
    """Relations between the kept columns; none if a coefficient was not found."""
    support = [j for j, c in enumerate(zip(*stack.relations(), strict=True)) if any(c)]
    keys = [kept[j] for j in support]
    for bits in _SIZES:
        # Modulo another prime, at other values of the constants, the same fractions must result.
        numbers, again = (_fractions(stack.part(support, bits)) for _ in range(2))
        if numbers is not None and numbers == again:
            return [{k: as_expr(x) for k, x in zip(keys, row, strict=True) if x} for row in numbers]
        if stack.atoms:  # the coefficients depend on symbols
            return _fitted(stack.part(support, _SIZES[0]), keys)
    return []


def _fractions(stack: Stack) -> list[list[Fraction]] | None:
    """Coefficients of the relations as fractions; None if one of them is too long."""
    found: list[list[Fraction]] = []
    for row in stack.relations():
        numbers = [stack.fraction(x) for x in row]
        if None in numbers:
            return None
        found.append([x for x in numbers if x is not None])
    return found


def _fitted(stack: Stack, kept: Sequence[Key]) -> list[Relation]:
    """Relations with coefficients that are combinations of monomials in the constants."""
    first, rank = stack.relations(), len(stack.independent)
    places = [(i, k) for i, row in enumerate(first) for k, x in enumerate(row) if x]
    depends: dict[Place, set[Expr]] = {place: set() for place in places}
    for s in symbols(stack.atoms):
        before = stack.relations()
        stack.redraw(only=s)
        stack.saturate(rank)
        after = stack.relations()
        for i, k in places:
            if before[i][k] != after[i][k]:
                depends[i, k].add(s)
    ansatz = {place: _monomials(stack.atoms, names) for place, names in depends.items()}
    count = max(map(len, ansatz.values()), default=0)
    if count > _MONOMIALS:
        return []
    samples: list[list[list[int]]] = []
    tables: dict[Place, list[list[int]]] = {place: [] for place in places}
    while len(samples) < count + 3:
        stack.redraw()
        stack.saturate(rank)
        samples.append(stack.relations())
        for place in places:
            tables[place].append(stack.values(ansatz[place]))
    relations: list[Relation] = [{} for _ in first]
    for i, k in places:
        values = [relation[i][k] for relation in samples]
        weights = stack.solve(tables[i, k], values)
        if weights is None:
            return []
        terms = [as_expr(w) * m for w, m in zip(weights, ansatz[i, k], strict=True) if w]
        relations[i][kept[k]] = sum(terms[1:], terms[0])
    return relations


def _monomials(atoms: Sequence[Expr], names: set[Expr]) -> list[Expr]:
    """Monomials in the atoms that contain one of these symbols; exponents may be negative if few."""
    own = [x for x in atoms if names.intersection(symbols([x]))]
    powers = product(range(-2, 3), repeat=len(own)) if len(own) <= _FEW else _quadratic(len(own))
    found: list[Expr] = []
    for exponents in powers:
        term = ONE
        for x, n in zip(own, exponents, strict=True):
            term = term * x**n
        found.append(term)
    return found


def _quadratic(n: int) -> Iterator[tuple[int, ...]]:
    """Exponents of n atoms with a sum of at most two."""
    yield (0,) * n
    for count in (1, 2):
        for places in combinations_with_replacement(range(n), count):
            yield tuple(places.count(k) for k in range(n))

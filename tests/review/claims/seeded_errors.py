"""Random single edits of true entries: sign, factor, index, missing term, swapped symbol.

Written without a look at the edits that the audit tries: occurrences are drawn by a random walk from
the root, and the edit is applied on the way back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from equamo.algebra.expr import Expr, as_expr, symbol
from equamo.algebra.expr.graph import ADD, LAST_LEAF, NEG, SUB, SYMBOL
from equamo.algebra.expr.substitute import rebuild
from equamo.algebra.identity import prove_equal
from equamo.mechanics.equations import derive
from equamo.robot.catalog import load

ROBOTS = (
    "rr_arm", "rp_arm", "three_link_arm", "three_link_prismatic_arm", "wheeled_inverted_pendulum",
)  # fmt: skip
QUANTITIES = ("mass_matrix", "bias", "gravity", "kinetic_energy", "potential_energy")
KINDS = ("sign", "factor", "index", "missing term", "swapped symbol")


class Seeded(NamedTuple):
    """A true entry with one error in it."""

    robot: str
    quantity: str  # as a claim writes it: mass_matrix[1, 2]
    kind: str
    true: Expr
    edited: Expr
    size: int  # products that it changes


def true_entries(robots: Sequence[str]) -> list[tuple[str, str, Expr]]:
    """(robot, quantity, entry) of everything that is asked for."""
    found: list[tuple[str, str, Expr]] = []
    for name in robots:
        eom = derive(load(name), by="kane")
        for quantity in QUANTITIES:
            value = getattr(eom, quantity)
            if isinstance(value, Expr):
                found.append((name, quantity, value))
                continue
            shape = value.shape
            for i in range(shape[0]):
                for j in range(shape[1]) if len(shape) == 2 else [None]:
                    where = f"[{i + 1}]" if j is None else f"[{i + 1}, {j + 1}]"
                    e = value[i] if j is None else value[i, j]
                    found.append((name, quantity + where, e))
    return [(r, q, e) for r, q, e in found if e.value is None]


def seeded_errors(count: int, seed: int, robots: Sequence[str] = ROBOTS) -> Iterator[Seeded]:
    """So many edits that change the value; those that do not are discarded by proof."""
    random = Random(seed)
    entries = true_entries(robots)
    names = {
        r: sorted({x.name for n, _, e in entries if n == r for x in e.symbols()}) for r in robots
    }
    short: dict[Expr, Expr] = {}
    made = 0
    while made < count:
        robot, quantity, entry = random.choice(entries)
        kind = random.choice(KINDS)
        true = short.setdefault(entry, entry.closed_form()) if entry not in short else short[entry]
        edited, size = _edited(true, kind, names[robot], random)
        if edited is None or prove_equal(edited, true):
            continue
        made += 1
        yield Seeded(robot, quantity, kind, true, edited, size)


def _edited(e: Expr, kind: str, names: list[str], random: Random) -> tuple[Expr | None, int]:
    if kind in ("index", "swapped symbol"):
        new = _at_random(
            e, random, lambda n: n.op == SYMBOL, lambda n: _other(n, kind, names, random)
        )
        return new, 1
    if kind == "sign":
        return _in_sum(e, random, lambda t: -t), 1
    if kind == "factor":
        f = random.choice((Fraction(2), Fraction(1, 2), Fraction(3), Fraction(1, 3)))
        return _in_sum(e, random, lambda t: f * t), 1
    dropped: list[Expr] = []
    new = _in_sum(e, random, lambda t: dropped.append(t) or as_expr(0), needs_two=True)
    return new, _products(dropped[0]) if dropped else 1


def _products(t: Expr) -> int:
    """How many products the term is, multiplied out (by SymPy)."""
    import sympy

    return len(sympy.Add.make_args(sympy.expand(t.sympy(simplify=False))))


def _in_sum(
    e: Expr, random: Random, change: Callable[[Expr], Expr], needs_two: bool = False
) -> Expr | None:
    """One term changed: of a random sum anywhere in the entry, or the entry itself if it is none."""
    if not needs_two and not _count(e, _is_sum):
        return change(e)

    def one_term(n: Expr) -> Expr:
        parts = _terms(n)
        i = random.randrange(len(parts))
        total = as_expr(0)
        for k, t in enumerate(parts):
            total = total + (change(t) if k == i else t)
        return total

    return _at_random(e, random, _is_sum, one_term)


def _is_sum(n: Expr) -> bool:
    return n.op in (ADD, SUB)


def _terms(n: Expr) -> list[Expr]:
    if n.op == ADD:
        return [*_terms(n.a), *_terms(n.b)]
    if n.op == SUB:
        return [*_terms(n.a), *(-t for t in _terms(n.b))]
    return [-t for t in _terms(n.a)] if n.op == NEG and _is_sum(n.a) else [n]


def _other(n: Expr, kind: str, names: list[str], random: Random) -> Expr:
    pool = [x for x in names if x != n.name]
    if kind == "index":
        stem = re.sub(r"\d+", "#", n.name)
        pool = [x for x in pool if re.sub(r"\d+", "#", x) == stem]
    return symbol(random.choice(pool)) if pool else n


def _at_random(
    e: Expr, random: Random, wanted: Callable[[Expr], bool], change: Callable[[Expr], Expr]
) -> Expr | None:
    """A random occurrence that is wanted, changed; None if there is none."""
    count = _count(e, wanted)
    if not count:
        return None
    result, _ = _change_nth(e, random.randrange(count), wanted, change)
    return result


def _children(n: Expr) -> tuple[Expr, ...]:
    return () if n.op <= LAST_LEAF else n.args


def _count(n: Expr, wanted: Callable[[Expr], bool]) -> int:
    return int(wanted(n)) + sum(_count(c, wanted) for c in _children(n))


def _change_nth(
    n: Expr, k: int, wanted: Callable[[Expr], bool], change: Callable[[Expr], Expr]
) -> tuple[Expr, int]:
    """(the node with its k-th wanted occurrence changed, how many are left to count)."""
    if wanted(n):
        if k == 0:
            return change(n), -1
        k -= 1
    children = _children(n)
    for i, c in enumerate(children):
        new, k = _change_nth(c, k, wanted, change)
        if k < 0:
            parts = [*children[:i], new, *children[i + 1 :]]
            if n.op == NEG:
                return -parts[0], -1
            return rebuild(n, parts[0], parts[1] if len(parts) > 1 else None), -1
    return n, k

"""Splits of a polynomial by monomials, sums and squares that its terms share.

A polynomial is {exponents: coefficient}, as in `trigonometry`. Each function lists possible splits of
p, the most promising first; `worth` is the price of a polynomial written out.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from math import gcd, isqrt
from operator import add as plus, ge, sub

from .trigonometry import Poly

Key = frozenset[tuple[bytes, int]]
Worth = Callable[[Poly], int]


def content(p: Poly) -> tuple[int, bytes, Poly]:
    """(number, monomial, body) with p = number·monomial·body, the body's last term positive."""
    number = gcd(*p.values())
    if p[max(p)] < 0:
        number = -number
    monomial = bytes(map(min, *p)) if len(p) > 1 else next(iter(p))
    if any(monomial):
        return number, monomial, {_quotient(m, monomial): v // number for m, v in p.items()}
    if number != 1:
        return number, monomial, {m: v // number for m, v in p.items()}
    return number, monomial, p


def by_monomial(p: Poly, worth: Worth) -> list[tuple[bytes, Poly, Poly]]:
    """(d, Q, R) with p = d·Q + R, d a monomial that two terms or more share."""
    saved: dict[bytes, int] = {}
    for i, top in enumerate(map(max, *p)):
        for e in range(1, top + 1):
            terms = [m for m in p if m[i] >= e]
            if len(terms) > 1:
                d = bytes(map(min, *terms))
                if d not in saved:
                    saved[d] = (len(terms) - 1) * worth({d: 1})
    splits: list[tuple[bytes, Poly, Poly]] = []
    for d in sorted(saved, key=lambda d: (-saved[d], d)):
        inside = {_quotient(m, d): v for m, v in p.items() if _divides(d, m)}
        splits.append((d, inside, {m: v for m, v in p.items() if not _divides(d, m)}))
    return splits


def by_sum(p: Poly, worth: Worth) -> list[tuple[Poly, Poly, Poly]]:
    """(D, Q, R) with p = D·Q + R, D and Q of two or more terms, R not zero."""
    # Pairs of terms u·a + v·b in a fixed ratio, with the monomials that multiply them.
    pairs: dict[tuple[bytes, bytes, int, int], Poly] = {}
    for (m, v), (n, w) in combinations(sorted(p.items()), 2):
        g = bytes(map(min, m, n))
        k = gcd(v, w) if v > 0 else -gcd(v, w)
        pairs.setdefault((_quotient(m, g), _quotient(n, g), v // k, w // k), {})[g] = k
    candidates: dict[Key, tuple[int, tuple[Poly, Poly, Poly]]] = {}
    for (m, n, v, w), q in pairs.items():
        if len(q) > 1:
            d, q, rest = _widened(p, {m: v, n: w}, q)
            if len(q) > 1 and rest:
                saved = (len(q) - 1) * worth(d) + (len(d) - 1) * worth(q)
                candidates[frozenset(d.items())] = saved, (d, q, rest)
    ranked = sorted(candidates.items(), key=lambda item: (-item[1][0], sorted(item[0])))
    return [split for _, (_, split) in ranked]


def _widened(p: Poly, d: Poly, q: Poly) -> tuple[Poly, Poly, Poly]:
    """(D, Q, R) with D extended by all terms that occur with every term of Q; terms are used once."""
    used: set[bytes] = set()
    kept: Poly = {}
    for g, k in q.items():
        here = {_times(g, u) for u in d}
        if not here & used:
            used |= here
            kept[g] = k
    first, k = next(iter(kept.items()))
    d = dict(d)
    for m, v in p.items():
        if m in used or not _divides(first, m) or v % k:
            continue
        u, a = _quotient(m, first), v // k
        here = {_times(g, u): a * c for g, c in kept.items()}
        if all(t not in used and p.get(t) == c for t, c in here.items()):
            d[u] = a
            used.update(here)
    return d, kept, {m: v for m, v in p.items() if m not in used}


def by_square(p: Poly) -> list[tuple[int, bytes, Poly, Poly]]:
    """(k, g, a, R) with p = k·g·a² + R, a of two or more terms, R shorter by at least three."""
    splits: list[tuple[int, bytes, Poly, Poly]] = []
    terms = sorted(p.items())
    for (m, v), (n, w) in combinations(terms, 2):
        cross = _square_root(_times(m, n), v * w)
        if cross is None or abs(p.get(cross[0], 0)) != 2 * cross[1]:
            continue
        g = bytes(map(min, m, n))  # m/g and n/g are squares
        k = gcd(v, w) if v > 0 else -gcd(v, w)
        root: Poly = {}
        for t, c in terms:
            if _divides(g, t) and c % k == 0:
                x = _square_root(_quotient(t, g), c // k)
                sign = 0 if x is None else _sign_in_root(p, k, g, root, *x)
                if x is not None and sign:
                    root[x[0]] = sign * x[1]
        rest = dict(p)
        for (x, a), (y, b) in product(root.items(), repeat=2):
            t = _times(_times(x, y), g)
            rest[t] = rest.get(t, 0) - k * a * b
        rest = {t: c for t, c in rest.items() if c}
        if len(rest) <= len(p) - 3:
            splits.append((k, g, root, rest))
    splits.sort(key=lambda split: (len(split[3]), sorted(split[3].items())))
    return splits


def _sign_in_root(p: Poly, k: int, g: bytes, root: Poly, x: bytes, a: int) -> int:
    """±1 if p has 2·k·g·(±a·x)·(b·y) for every term b·y of the root, else 0."""
    signs: set[int] = set()
    for y, b in root.items():
        c = p.get(_times(_times(x, y), g), 0)
        signs.add(1 if c == 2 * k * a * b else -1 if c == -2 * k * a * b else 0)
    return 1 if not signs else signs.pop() if len(signs) == 1 else 0


def _square_root(m: bytes, v: int) -> tuple[bytes, int] | None:
    """Root of a term that is the square of a term with an integer coefficient, else None."""
    if v <= 0 or any(e % 2 for e in m):
        return None
    root = isqrt(v)
    return (bytes(e // 2 for e in m), root) if root * root == v else None


def _times(m: bytes, n: bytes) -> bytes:
    return bytes(map(plus, m, n))


def _quotient(m: bytes, n: bytes) -> bytes:
    return bytes(map(sub, m, n))


def _divides(d: bytes, m: bytes) -> bool:
    return all(map(ge, m, d))

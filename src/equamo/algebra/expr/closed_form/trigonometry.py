"""Equivalent forms of a polynomial in sines and cosines.

A polynomial is {exponents: coefficient}, the exponents as bytes, one per generator. Besides the base
angles there is room for some derived ones, integer combinations such as q1 + q2 and 2·q1, added when
they are needed. The *plain* form has base angles only and no squared sine. From it:

    eliminated        c² → 1 − s²                             1 − 2·c² → 2·s² − 1
    sparse            t − t·c² → t·s², term by term            a + b − a·c² → a·s² + b
    doubled           2·s·c → sin 2β, 2·c² → 1 + cos 2β
    merged            t·c_a·c_b − t·s_a·s_b → t·cos(a + b), term by term
    rebased           one of two angles replaced by their sum or difference
    harmonics         products → sums: the Fourier basis
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import comb
from operator import add as plus
from typing import Final, final

Poly = dict[bytes, int]
OnNew = Callable[[tuple[int, ...], int, int], None]  # (combination, index of sin, index of cos)
MAX_DERIVED: Final = 20


@final
class Angles:
    """Numbered angles of a polynomial: base angles first, then derived ones."""

    def __init__(
        self, plain: int, pairs: Sequence[tuple[int, int]], on_new: OnNew | None = None
    ) -> None:
        self.pairs: list[tuple[int, int]] = list(
            pairs
        )  # (index of sin, index of cos) of every angle
        self.base: int = len(self.pairs)
        self.vectors: list[tuple[int, ...]] = [
            tuple(int(i == j) for j in range(self.base)) for i in range(self.base)
        ]
        room = MAX_DERIVED if self.base else 0
        self._on_new = on_new
        self._free = [(plain + 2 * i, plain + 2 * i + 1) for i in range(room)]
        self._trial = self._free.pop() if room else (0, 0)
        self.size: int = plain + 2 * room  # total number of generators
        self.unit: bytes = bytes(self.size)
        self._number = {v: i for i, v in enumerate(self.vectors)}
        self._expanded: dict[int, tuple[Poly, Poly]] = {}

    def known(self, vector: tuple[int, ...]) -> tuple[int, int] | None:
        """(angle, sign) with Σ n·β = sign·angle; None if there is no such angle yet."""
        sign = 1 if next((n for n in vector if n), 1) > 0 else -1
        angle = self._number.get(tuple(sign * n for n in vector))
        return None if angle is None else (angle, sign)

    def derived(self, vector: tuple[int, ...]) -> tuple[int, int] | None:
        """(angle, sign) with Σ n·β = sign·angle, added if needed; None if there is no more room."""
        sign = 1 if next((n for n in vector if n), 1) > 0 else -1
        vector = tuple(sign * n for n in vector)
        angle = self._number.get(vector)
        if angle is None:
            if not self._free:
                return None
            angle = self._number[vector] = len(self.vectors)
            self.vectors.append(vector)
            self.pairs.append(self._free.pop(0))
            if self._on_new is not None:
                self._on_new(vector, *self.pairs[-1])
        return angle, sign

    def _sum(self, i: int, j: int, sign: int) -> tuple[int, ...]:
        return tuple(x + sign * y for x, y in zip(self.vectors[i], self.vectors[j], strict=True))

    def power(self, index: int, e: int = 1) -> Poly:
        m = bytearray(self.unit)
        m[index] = e
        return {bytes(m): 1}

    def active(self, p: Poly) -> list[int]:
        """Angles that occur in p."""
        used = _used(p)
        return [i for i, (s, c) in enumerate(self.pairs) if used[s] or used[c]]

    def together(self, p: Poly, angles: Iterable[int]) -> list[tuple[int, int]]:
        """Pairs of angles that occur in the same term."""
        chosen = list(angles)
        pairs: dict[tuple[int, int], None] = {}
        for m in p:
            here = [i for i in chosen if m[self.pairs[i][0]] or m[self.pairs[i][1]]]
            for k, i in enumerate(here):
                for j in here[k + 1 :]:
                    pairs[i, j] = None
        return sorted(pairs)

    # -- back to the plain form --------------------------------------------------------------------
    def plain(self, p: Poly) -> Poly:
        """Plain form of p: in base angles only, without squared sines."""
        used = _used(p)
        for i in range(self.base, len(self.pairs)):
            s, c = self.pairs[i]
            if used[s] or used[c]:
                sine, cosine = self._in_base(i)
                p = _replaced(_replaced(p, s, sine), c, cosine)
        for s, c in self.pairs[: self.base]:
            p = eliminated(p, s, c)
        return p

    def _in_base(self, i: int) -> tuple[Poly, Poly]:
        """(sin, cos) of a derived angle by (c + i·s)ⁿ."""
        known = self._expanded.get(i)
        if known is not None:
            return known
        re: Poly = {self.unit: 1}
        im: Poly = {}
        for (s, c), n in zip(self.pairs[: self.base], self.vectors[i], strict=True):
            x, y = self.power(c), scaled(self.power(s), 1 if n > 0 else -1)
            for _ in range(abs(n)):
                a = total(product(re, x), scaled(product(im, y), -1))
                b = total(product(re, y), product(im, x))
                re, im = eliminated(a, s, c), eliminated(b, s, c)
        self._expanded[i] = im, re
        return im, re

    # -- other forms -------------------------------------------------------------------------------
    def doubled(self, p: Poly, i: int) -> Poly | None:
        """2ᵏ·p with 2·s·c = sin 2β and 2·c² = 1 + cos 2β, for a plain p."""
        s, c = self.pairs[i]
        double = self.derived(tuple(2 * n for n in self.vectors[i]))
        if double is None:
            return None
        s2, c2 = self.pairs[double[0]]
        k = max((m[s] + m[c]) // 2 for m in p)
        out: Poly = {}
        for m, v in p.items():
            pair = int(m[s] and m[c] % 2)  # s·c
            h = (m[c] - pair) // 2  # (c²)ʰ
            new = bytearray(m)
            new[s] -= pair
            new[c] = (m[c] - pair) % 2
            new[s2] += pair
            v <<= k - h - pair
            for j in range(h + 1):  # (1 + cos 2β)ʰ
                new[c2] = m[c2] + j
                _put(out, bytes(new), v * comb(h, j))
        return _nonzero(out)

    def merged(self, p: Poly, i: int, j: int) -> Poly:
        """t·c_a·c_b ∓ t·s_a·s_b → t·cos(a ± b) and t·s_a·c_b ± t·c_a·s_b → t·sin(a ± b)."""
        (sa, ca), (sb, cb) = self.pairs[i], self.pairs[j]
        out = dict(p)
        for m in sorted(p, reverse=True):
            if m not in out or not m[cb] or not (m[ca] or m[sa]):
                continue
            kind = ca if m[ca] else sa  # cos·cos meets sin·sin, sin·cos meets cos·sin
            twin = bytearray(m)
            twin[kind] -= 1
            twin[cb] -= 1
            rest = bytes(twin)
            twin[sa if kind == ca else ca] += 1
            twin[sb] += 1
            other = out.get(bytes(twin))
            if other is None or abs(other) != abs(out[m]):
                continue
            same = 1 if other == out[m] else -1
            sign_b = -same if kind == ca else same  # of b in the angle a ± b
            total_angle = self.derived(self._sum(i, j, sign_b))
            if total_angle is None:
                continue
            angle, sign = total_angle
            v = out.pop(m)
            del out[bytes(twin)]
            new = bytearray(rest)
            new[self.pairs[angle][kind == ca]] += 1
            _put(out, bytes(new), v if kind == ca else v * sign)
        return _nonzero(out)

    def rebased(self, p: Poly, i: int, j: int, sign_b: int, below: int) -> Poly | None:
        """Substitute b = ±(θ − a), with θ = a ± b, for the angles a, b of numbers i, j.

        None unless the result has fewer than `below` terms.
        """
        vector = self._sum(i, j, sign_b)
        known = self.known(vector)
        if known is not None and known[0] in (i, j):
            return None
        angle, sign = known or (-1, 1)
        (sa, ca), (sb, cb) = self.pairs[i], self.pairs[j]
        st, ct = self.pairs[angle] if known else self._trial
        out: Poly = {}
        for m, v in p.items():
            if not (m[sb] or m[cb]):
                _put(out, m, v)
                continue
            new = bytearray(m)
            new[sb] = new[cb] = 0
            for e, w in _rebased(m[sb], m[cb], m[sa], m[ca], m[st], m[ct], sign_b, sign):
                new[sa], new[ca], new[st], new[ct] = e
                _put(out, bytes(new), v * w)
        out = _nonzero(out)
        if len(out) >= below:
            return None
        if known is None:  # worth new generators
            total_angle = self.derived(vector)
            if total_angle is None:
                return None
            s, c = self.pairs[total_angle[0]]
            out = _replaced(
                _replaced(out, st, scaled(self.power(s), total_angle[1])), ct, self.power(c)
            )
        return out

    def harmonics(self, p: Poly, angles: Sequence[int]) -> Poly | None:
        """2ᵏ·p, linear in sines and cosines of combinations of these angles; None if that is longer.

        p must be plain; k is its degree in sines and cosines.
        """
        pairs = [self.pairs[i] for i in angles]
        k = max(sum(m[s] + m[c] for s, c in pairs) for m in p)
        # {(other factors, combination): [Re, Im]} of the coefficient of exp(i·Σ n·β)
        waves: dict[tuple[bytes, tuple[int, ...]], list[int]] = {}
        for m, v in p.items():
            rest = bytearray(m)
            spectrum: list[tuple[tuple[int, ...], int, int]] = [((), v, 0)]
            degree = 0
            for s, c in pairs:
                degree += m[s] + m[c]
                line = _spectrum(m[c], m[s])
                spectrum = [
                    ((*n, z), a * x - b * y, a * y + b * x)
                    for n, a, b in spectrum
                    for z, (x, y) in line.items()
                ]
                rest[s] = rest[c] = 0
            for n, a, b in spectrum:
                cell = waves.setdefault((bytes(rest), n), [0, 0])
                cell[0] += a << (k - degree)
                cell[1] += b << (k - degree)
        # Waves come in conjugate pairs: a·exp + conj. = 2 Re(a)·cos − 2 Im(a)·sin
        half = {
            w: ab for w, ab in waves.items() if any(ab) and next((z for z in w[1] if z), 0) >= 0
        }
        if sum(bool(a) + bool(b) for a, b in half.values()) > len(p):
            return None
        out: Poly = {}
        for (rest, n), (a, b) in half.items():
            if not any(n):
                _put(out, rest, a)
                continue
            vector = [0] * self.base
            for i, z in zip(angles, n, strict=True):
                for j, x in enumerate(self.vectors[i]):
                    vector[j] += z * x
            found = self.derived(tuple(vector))
            if found is None:
                return None
            angle, sign = found
            for index, value in zip(self.pairs[angle], (-2 * b * sign, 2 * a), strict=True):
                if value:
                    new = bytearray(rest)
                    new[index] += 1
                    _put(out, bytes(new), value)
        return _nonzero(out)


def sparse(p: Poly, s: int, c: int) -> Poly:
    """Replace t − t·c² by t·s² wherever both terms occur, in a p without s²."""
    out = dict(p)
    for m in sorted(p, key=lambda m: (-m[c], m)):
        if m[c] < 2 or m not in out:
            continue
        new = bytearray(m)
        new[c] -= 2
        low = bytes(new)
        if out.get(low) == -out[m]:
            v = out.pop(low)
            del out[m]
            new[s] += 2
            _put(out, bytes(new), v)
    return _nonzero(out)


def eliminated(p: Poly, x: int, y: int) -> Poly:
    """Replace x² by 1 − y²."""
    if all(m[x] < 2 for m in p):
        return p
    out: Poly = {}
    for m, v in p.items():
        h = m[x] // 2
        if not h:
            _put(out, m, v)
            continue
        new = bytearray(m)
        new[x] %= 2
        for j in range(h + 1):  # (1 − y²)ʰ
            new[y] = m[y] + 2 * j
            _put(out, bytes(new), -v * comb(h, j) if j % 2 else v * comb(h, j))
    return _nonzero(out)


# -- arithmetic ------------------------------------------------------------------------------------
def _used(p: Poly) -> bytes:
    return bytes(map(max, *p)) if len(p) > 1 else next(iter(p))


def _put(p: Poly, m: bytes, v: int) -> None:
    p[m] = p.get(m, 0) + v


def _nonzero(p: Poly) -> Poly:
    return {m: v for m, v in p.items() if v}


def product(a: Poly, b: Poly) -> Poly:
    """a·b"""
    out: Poly = {}
    for m, v in a.items():
        for n, w in b.items():
            _put(out, bytes(map(plus, m, n)), v * w)
    return _nonzero(out)


def total(a: Poly, b: Poly) -> Poly:
    """a + b"""
    out = dict(a)
    for m, v in b.items():
        _put(out, m, v)
    return _nonzero(out)


def scaled(p: Poly, k: int) -> Poly:
    """k·p"""
    return {m: k * v for m, v in p.items()}


def _replaced(p: Poly, x: int, by: Poly) -> Poly:
    """Replace x by a polynomial."""
    powers: list[Poly] = []
    out: Poly = {}
    for m, v in p.items():
        e = m[x]
        if not e:
            _put(out, m, v)
            continue
        while len(powers) < e:
            powers.append(product(powers[-1], by) if powers else by)
        rest = bytearray(m)
        rest[x] = 0
        for n, w in powers[e - 1].items():
            _put(out, bytes(map(plus, bytes(rest), n)), v * w)
    return _nonzero(out)


@lru_cache(maxsize=1024)
def _spectrum(j: int, k: int) -> dict[int, tuple[int, int]]:
    """(2 cos)ʲ·(2 sin)ᵏ = Σ (x + i·y)·exp(i·n·β), as {n: (x, y)}."""
    line: dict[int, tuple[int, int]] = {0: (1, 0)}
    for step in range(j + k):
        new: dict[int, tuple[int, int]] = {}
        for n, (x, y) in line.items():
            # 2 cos = e + 1/e;  2 sin = −i·e + i/e
            up, down = ((x, y), (x, y)) if step < j else ((y, -x), (-y, x))
            for z, (a, b) in ((n + 1, up), (n - 1, down)):
                old = new.get(z, (0, 0))
                new[z] = old[0] + a, old[1] + b
        line = new
    return {n: xy for n, xy in line.items() if xy != (0, 0)}


@lru_cache(maxsize=4096)
def _rebased(
    sb: int, cb: int, sa: int, ca: int, st: int, ct: int, sign_b: int, sign_t: int
) -> list[tuple[bytes, int]]:
    """Expand s_b^sb·c_b^cb·s_a^sa·c_a^ca·s_θ^st·c_θ^ct in s_a, c_a, s_θ, c_θ, without squared sines.

    Here b = sign_b·(sign_t·θ − a).
    """
    p: Poly = {bytes((sa, ca, st, ct)): 1}
    cos_b: Poly = {bytes((0, 1, 0, 1)): 1, bytes((1, 0, 1, 0)): sign_t}
    sin_b: Poly = {bytes((0, 1, 1, 0)): sign_t * sign_b, bytes((1, 0, 0, 1)): -sign_b}
    for factor in [sin_b] * sb + [cos_b] * cb:
        p = product(p, factor)
    return sorted(eliminated(eliminated(p, 0, 1), 2, 3).items())

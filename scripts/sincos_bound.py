#!/usr/bin/env python3
"""Prove bounds on the error of the sine and cosine of src/equamo/code/jit/sincos.py.

python scripts/sincos_bound.py            the table of docs/theory/proofs.md, on stdout

Let x be a floating-point number, |x| ≤ X, and ρ = x − k π/2 for the integer k that the code finds. A
hat marks what is computed. For each operation the error of rounding is at most half a unit in the last
place of the largest result that is possible; everything else is ball arithmetic (Arb), so that each
number below is an upper bound.

(1) Reduction. |x c − k| ≤ 1/2 as the sum with 1.5·2^p rounds to an integer, hence
        |ρ| ≤ π/2 (1/2 + X |c − 2/π|)        (not fused: X c is rounded first)
    and k itself is exact: both operands of the difference lie in one binade. k p₁, and x − k p₁ with
    it, are exact where they have no more digits than the type, which `_product` and `_exact` decide;
    the last step rounds. π/2 − p₁ − p₂ (− p₃) is left out |k| times.
(2) Polynomials, on each of many intervals of r̂. ẑ = r̂² + δ; Horner's scheme at ẑ with its error
    carried along; |zS(z) − ẑS(ẑ)| ≤ |δ| max |(zS)'|; the polynomial against the Taylor series and the
    remainder of that.
(3) Signs and the exchange of the two are exact.
    All steps are symmetric in the sign of x, as rounding to nearest is.

|sin x̂ − sin x| ≤ (rounding of s) + |s(r̂) − sin r̂| + |r̂ − ρ| max |cos|, and the same for the cosine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, factorial, floor, inf, log2, nextafter

from flint import arb, arb_poly, ctx, fmpq

from equamo.code.jit.sincos import Numbers, numbers

PRECISION = 200  # bits of the balls
TERMS = 18  # of the Taylor series: the remainder is below 10⁻³⁰
SMALLEST = {"float64": -1074, "float32": -149}  # exponent of the smallest positive number


@dataclass(frozen=True)
class Bound:
    """Upper bounds of absolute errors, for |x| ≤ X."""

    sine: float
    cosine: float
    reduction: float  # |r̂ − ρ|, where |ρ| is largest
    reach: float  # |ρ|


def bound(dtype: str, fused: bool, largest: float, pieces: int = 16) -> Bound:
    """For |x| ≤ `largest`; `pieces` intervals for each power of two.

    `fused`: the two parts of π/2 and multiply-adds with one rounding. Otherwise three parts, and each
    multiply-add may round once or twice.
    """
    with ctx.workprec(PRECISION):
        return _Analysis(numbers(dtype), SMALLEST[dtype], fused).bound(largest, pieces)


class _Analysis:
    def __init__(self, of: Numbers, smallest: int, fused: bool) -> None:
        self.of, self.fused = of, fused
        self.tiny = _power(smallest)

    def half(self, largest: arb) -> arb:
        """How far a number of at most this size can be from the next one of the type."""
        m = largest.abs_upper()
        if m == 0:
            return arb(0)
        e = floor(log2(float(m)) + 1e-9)  # 2^e ≤ m < 2^(e + 1), or m a little below 2^e
        above, digits = m - _power(e), self.of.digits
        found = _power(e - digits - 1)  # up to 2^e
        if not above <= 0:
            found = found.max(above.abs_upper().min(_power(e - digits)))
        return found.max(self.tiny).abs_upper()

    def half_product(self, largest: arb) -> arb:
        """The rounding of a product before it is added to."""
        return arb(0) if self.fused else self.half(largest)

    # -- (1) -------------------------------------------------------------------------------------------
    def reduction(self, largest: float) -> tuple[arb, arb]:
        """The largest |ρ|, and |r̂ − ρ| but for the last rounding."""
        of, X = self.of, arb(largest)
        c = arb(of.two_over_pi)
        quarter = arb.pi() / 2
        off = X * abs(c - 1 / quarter) + self.half_product(X * c)
        K = (X * c + 1).abs_upper()
        # The sum with 1.5·2^p stays in its binade, so that its last place is that of k.
        if not _power(of.digits - 2) > K:
            raise ValueError(f"|x| ≤ {largest}: k does not fit")
        reach = (quarter * (arb(1) / 2 + off)).abs_upper()
        parts = of.fused_parts if self.fused else of.parts
        error, left, place = arb(0), quarter, 0
        for part in parts[:-1]:
            left = left - arb(part)
            place = min(place, _last_place(part))
            product = self._product(K, part)
            exact = error == 0 and product == 0 and self._exact(X, reach, left, place)
            error += product
            if not exact:
                error += self.half(reach + K * abs(left) + error)
        error += self.half_product(K * arb(parts[-1]))
        left = left - arb(parts[-1])
        return reach, (error + K * abs(left)).abs_upper()

    def _product(self, K: arb, part: float) -> arb:
        """k times a part: exact if the digits of both together are no more than those of the type."""
        odd = Fraction(part) / Fraction(2) ** _last_place(part)
        bits = abs(odd.numerator).bit_length() + ceil(log2(float(K)))
        return arb(0) if bits <= self.of.digits else self.half_product(K * arb(part))

    def _exact(self, X: arb, reach: arb, left: arb, place: int) -> bool:
        """Whether x − k (p₁ + …) is a number of the type, for all x: a small multiple of a power of 2.

        `left` is π/2 − p₁ − …, and all parts are multiples of 2^place. In each binade of |x| ≥ 1, x is
        a multiple of its last place. A smaller x has k = 0, and nothing is subtracted, or k = ±1 and
        |x| > 1/2: then all are multiples of 2^(−digits), and the result is below 1.
        """
        digits = self.of.digits
        if place < -digits or not reach + abs(left) < 1:
            return False
        for e in range(ceil(log2(float(X))) + 1):  # 2^e ≤ |x| ≤ 2^(e + 1)
            k = arb(self.of.two_over_pi) * _power(e + 1) + 1
            if not reach + k * abs(left) <= _power(digits + min(place, e + 1 - digits)):
                return False
        return True

    # -- (2) -------------------------------------------------------------------------------------------
    def bound(self, largest: float, pieces: int) -> Bound:
        reach, before = self.reduction(largest)
        end = (reach + self.half(reach) + before).abs_upper()
        if not end < arb.pi() / 2:  # sine and cosine are monotone up to there
            raise ValueError(f"|x| ≤ {largest}: |r| ≤ {end} is too much")
        sine = cosine = moved = arb(0)
        for a, b in _intervals(end, pieces, self.of.digits):
            moved = (self.half(b) + before).abs_upper()  # |r̂ − ρ|
            s, c = self.polynomials(a, b)
            sine = sine.max(s + moved * (a.cos() + moved))
            cosine = cosine.max(c + moved * (b.sin() + moved))
        return Bound(*map(_above, (sine, cosine, moved, reach)))

    def polynomials(self, a: arb, b: arb) -> tuple[arb, arb]:
        """|ŝ − sin r̂| and |ĉ − cos r̂| for a ≤ |r̂| ≤ b."""
        S, C = ([arb(v) for v in row] for row in (self.of.sine, self.of.cosine))
        r, square = a.union(b), (a * a).union(b * b)
        delta = self.half(b * b)  # |ẑ − r̂²|
        z = square + arb(0, delta)
        # ŝ = r̂ + t̂ Ŝ with t̂ = r̂ẑ
        value, error = self.horner(S, z)
        t = r * z
        error = t.abs_upper() * error + self.half(t) * (value.abs_upper() + error)
        error += b * delta * _evaluated(_derivative(S), z).abs_upper()
        error += self.half_product(t * value + arb(0, error.abs_upper()))
        far = self.distance(S, r, square, 3)
        sine = error + far + self.half(b.sin() + far + error)
        # ĉ = 1 + Ĉẑ
        value, error = self.horner(C, z)
        error = z.abs_upper() * error + delta * _evaluated(_derivative(C), z).abs_upper()
        error += self.half_product(z * value + arb(0, error.abs_upper()))
        far = self.distance(C, arb(1), square, 2)
        return sine, error + far + self.half(a.cos() + far + error)

    def horner(self, coefficients: Sequence[arb], z: arb) -> tuple[arb, arb]:
        """The exact value at ẑ, and how far the computed one is from it."""
        *rest, value = coefficients
        error = arb(0)
        for c in reversed(rest):
            product = value * z
            error = error * z.abs_upper()
            error += self.half_product(product + arb(0, error.abs_upper()))
            value = product + c
            error += self.half(value + arb(0, error.abs_upper()))
        return value, error

    def distance(self, coefficients: Sequence[arb], r: arb, z: arb, first: int) -> arb:
        """The exact polynomial against the function: |r z Σ (c_j − t_j) z^j| and the series' remainder.

        sin r = r + r z Σ t_j z^j with t_j = ∓1/(2j + 3)!, cos r = 1 + z Σ t_j z^j with ∓1/(2j + 2)!
        """
        series = [arb(fmpq((-1) ** (j + 1), factorial(2 * j + first))) for j in range(TERMS)]
        given = [*coefficients, *[arb(0)] * (TERMS - len(coefficients))]
        off = [c - t for c, t in zip(given, series, strict=True)]
        rest = z.abs_upper() ** (TERMS + 1) / factorial(2 * TERMS + first)  # the terms alternate
        # About the middle of the interval: the terms are large there and cancel.
        moved = arb_poly(off)(arb_poly([z.mid(), 1])).coeffs()
        return (r * z * _evaluated(moved, z - z.mid())).abs_upper() + r.abs_upper() * rest


def _evaluated(coefficients: Sequence[arb], z: arb) -> arb:
    value = arb(0)
    for c in reversed(coefficients):
        value = value * z + c
    return value


def _derivative(coefficients: Sequence[arb]) -> list[arb]:
    """Of z times the polynomial."""
    return [(j + 1) * c for j, c in enumerate(coefficients)]


def _intervals(end: arb, pieces: int, digits: int) -> Iterator[tuple[arb, arb]]:
    """0 to a small power of two, then each power of two in equal pieces, up to `end`."""
    e = -(digits // 2)
    yield arb(0), _power(e)
    while _power(e) < end:
        for i in range(pieces):
            a, b = (_power(e) * (pieces + j) / pieces for j in (i, i + 1))
            if a < end:
                yield a, b.min(end).abs_upper()
        e += 1


def _last_place(x: float) -> int:
    """The largest e such that x is a multiple of 2^e."""
    numerator, denominator = x.as_integer_ratio()
    return (numerator & -numerator).bit_length() - denominator.bit_length()


def _power(e: int) -> arb:
    return arb(2) ** e


def _above(x: arb) -> float:
    """A double that is not below the number."""
    return nextafter(float(x.abs_upper()), inf)


RANGES = {
    ("float64", True): (1e5, 1e12, 1e15, 3.5e15),
    ("float64", False): (1e5, 2**20 * 1.57, 1e9),
    ("float32", True): (1e5, 1e6, 6.5e6),
    ("float32", False): (1e5, 2**16 * 1.57, 2e5),
}


def main() -> None:
    """Print the table."""
    print("| type | multiply-add | for abs(x) up to | error of the sine | of the cosine |")
    print("|---|---|---|---|---|")
    for (dtype, fused), ranges in RANGES.items():
        for largest in ranges:
            found = bound(dtype, fused, largest, 256)
            way = "fused" if fused else "fused or not"
            print(f"| {dtype} | {way} | {largest:.3g} | {found.sine:.3g} | {found.cosine:.3g} |")


if __name__ == "__main__":
    main()

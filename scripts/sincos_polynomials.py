#!/usr/bin/env python3
"""Compute the numbers of src/equamo/code/jit/sincos.py: polynomials by Remez, parts of π/2.

python scripts/sincos_polynomials.py      the tables, on stdout
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mpmath import cos, lu_solve, matrix, mpf, nint, pi, sin, workprec

BITS = 300  # of the computation
Basis = Callable[[mpf, int], mpf]


def rounded(x: mpf, bits: int) -> mpf:
    """x with that many significant bits, to nearest."""
    with workprec(bits):
        return +x


def remez(f: Callable[[mpf], mpf], basis: Basis, powers: Sequence[int], end: mpf) -> list[mpf]:
    """Coefficients c that minimise max |f − Σ c_i basis_i| on (0, end], by exchange of extrema."""
    size = len(powers) + 1
    # The error is O(r²) at 0, where no extremum lies: leave out the quotient 0/0.
    grid = [end * (1 - cos(pi * i / (40 * size))) / 2 for i in range(2, 40 * size + 1)]
    points = [end * (1 - cos(pi * (2 * i + 1) / (2 * size))) / 2 for i in range(size)]
    for _ in range(12):
        # f(r_i) = Σ c_j basis_j(r_i) + (−1)^i e
        rows = [[basis(r, p) for p in powers] + [mpf((-1) ** i)] for i, r in enumerate(points)]
        *c, level = lu_solve(matrix(rows), matrix([f(r) for r in points]))
        extrema: list[tuple[mpf, mpf]] = []
        for r in grid:
            e = f(r) - sum(ci * basis(r, p) for ci, p in zip(c, powers, strict=True))
            if not extrema or (e > 0) != (extrema[-1][1] > 0):
                extrema.append((r, e))
            elif abs(e) > abs(extrema[-1][1]):
                extrema[-1] = (r, e)
        while len(extrema) > size:
            extrema.pop(0 if abs(extrema[0][1]) < abs(extrema[-1][1]) else -1)
        points = [r for r, _ in extrema]
        if max(abs(e) for _, e in extrema) < abs(level) * mpf("1.001"):
            break
    return c


def polynomial(kind: str, terms: int, bits: int, end: mpf) -> list[float]:
    """w of sin r = r + r z w(z), relative error, or cos r = 1 + z w(z), absolute; z = r².

    The coefficients are rounded one after the other, the rest fitted again after each.
    """
    fixed: list[mpf] = []
    if kind == "sin":

        def residue(r: mpf) -> mpf:
            return (sin(r) - r - sum(c * r ** (2 * i + 3) for i, c in enumerate(fixed))) / sin(r)

        def basis(r: mpf, i: int) -> mpf:
            return r ** (2 * i + 3) / sin(r)
    else:

        def residue(r: mpf) -> mpf:
            return cos(r) - 1 - sum(c * r ** (2 * i + 2) for i, c in enumerate(fixed))

        def basis(r: mpf, i: int) -> mpf:
            return r ** (2 * i + 2)

    for first in range(terms):
        fixed.append(rounded(remez(residue, basis, range(first, terms), end)[0], bits))
    return [float(c) for c in fixed]


def parts(heads: Sequence[int], quantum: int, lowest: int, bits: int) -> list[float]:
    """π/2 as a sum: parts of `heads` bits, a multiple of 2^quantum, and a rest of `bits` bits.

    The rest is negative and at least 2^lowest large: `sincos` multiplies it by a tiny power of two,
    and it must not become subnormal.
    """
    result = [rounded(pi / 2, n) for n in heads]
    left = pi / 2 - sum(result)
    step = mpf(2) ** quantum
    middle = nint(left / step) * step
    while left - middle > -(mpf(2) ** lowest):
        middle += step
    return [float(p) for p in (*result, middle, rounded(left - middle, bits))]


def float64() -> dict[str, list[float]]:
    """The numbers of float64, before the scaling by a power of two."""
    with workprec(BITS):
        end = pi / 4 * (1 + mpf(2) ** -20)
        return {
            "parts": parts([33], -50, -51, 53),
            "fused_parts": parts([], -52, -51, 53),
            "sine": polynomial("sin", 6, 53, end),
            "cosine": polynomial("cos", 7, 53, end),
        }


def float32() -> dict[str, list[float]]:
    """The numbers of float32; x·(2/π) is so coarse that r passes π/4 when x is large."""
    with workprec(BITS):
        end = pi / 4 * (1 + mpf(2) ** -7)
        return {
            "parts": parts([8], -19, -22, 24),
            "fused_parts": parts([], -23, -22, 24),
            "sine": polynomial("sin", 3, 24, end),
            "cosine": polynomial("cos", 4, 24, end),
        }


if __name__ == "__main__":
    for table in (float64, float32):
        for name, numbers in table().items():
            print(f"{table.__name__} {name}", *(x.hex() for x in numbers), sep="\n    ")

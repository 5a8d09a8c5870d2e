"""Random primes p ≡ 7 mod 8: 1 + t² is never 0 modulo p, and 2 has a square root."""

from __future__ import annotations

from random import Random
from typing import Final

# Sizes in bits that a proof chooses from, after the degree.
SIZES: Final = (61, 127, 521, 1279, 2203)
# Chance that a composite passes the test below: ≤ 4⁻⁶⁴ with 64 rounds of Miller and Rabin; with 16
# rounds on random numbers of 521 bits and more, less still (Damgård, Landrock and Pomerance 1993).
COMPOSITE_BITS: Final = -128
_SMALL: Final = [n for n in range(3, 1000, 2) if all(n % d for d in range(3, 32, 2) if d < n)]


def random_prime(bits: int, random: Random) -> int:
    """A prime of exactly so many bits, ≡ 7 mod 8, all equally likely.

    >>> random_prime(61, Random(1)) % 8
    7
    """
    while True:
        p = random.getrandbits(bits) | 1 << (bits - 1) | 7
        if all(p % q for q in _SMALL) and _is_prime(p, random):
            return p


def _is_prime(p: int, random: Random) -> bool:
    # p − 1 = 2·d with d odd (p ≡ 3 mod 4): p passes for base a if aᵈ = ±1
    d = (p - 1) // 2
    if pow(2, d, p) not in (1, p - 1):
        return False
    rounds = 64 if p.bit_length() < 500 else 16
    return all(pow(random.randrange(2, p - 1), d, p) in (1, p - 1) for _ in range(rounds))


def count_bits(bits: int) -> float:
    """log₂ of a lower bound on how many such primes there are.

    By the prime number theorem for progressions, with explicit constants (Bennett, Martin, O'Bryant
    and Rechnitzer 2018, theorem 1.3), a quarter of the primes between 2ᵇ⁻¹ and 2ᵇ, which are at
    least 2ᵇ⁻¹/b.
    """
    from math import log2

    return bits - 1 - log2(bits) - 2


def square_root(a: int, p: int) -> int | None:
    """r with r² = a modulo p ≡ 3 mod 4, None where a is not a square."""
    r = pow(a, (p + 1) // 4, p)
    return r if r * r % p == a % p else None

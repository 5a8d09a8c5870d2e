"""Check an exported proof:   python check.py proof.json   (exit code 0: accepted, 1: rejected)

It is plain Python 3.11, standard library only, and neither imports nor trusts what wrote the file.

WHAT THE FILE CLAIMS. It holds one straight-line program over the real numbers. Its inputs are numbers
(exact fractions), symbols (free variables), and circles and spheres: groups of two or more variables
whose squares add up to 1, such as cosine and sine of an angle or the components of a unit quaternion.
Each instruction is a + b, a - b, a * b, a / b or root a (the square root) of registers before it;
registers are numbered from 0, inputs first, in this order. An identity is two lists of registers, with
a claimed degree and bound. It says: left[i] = right[i] at all real inputs where every divisor below
them is nonzero and every radicand nonnegative.

WHAT IS DONE. Draw a random prime p of b bits (b is in the file) and a random point modulo p for all
inputs, run the program modulo p, and accept an identity if left[i] = right[i] modulo p for all i.

THEOREM. Whatever the file holds, a false identity is accepted with probability at most 2^-n over the
random choices made here. n = b - 3 - (number of bits of d + H), where the degree d and the height H of
left[i] - right[i] are computed below. Claims are accepted only if degree >= d and bound <= n.

Proof. (1) Algebra. Let B be the polynomials with integer coefficients in all variables, modulo x1^2 +
... + xk^2 = 1 for each group. Every register is N/F, F a product of numerators of divisors and of
powers of D, the common denominator of all numbers. For each instruction root(N/F) adjoin R with R^2 = N
F; the root is R/F. This gives a free module A over B with the products of distinct R as basis, and N in
A. Real inputs as above map these fractions to the reals, roots to real roots. So if the sides differ at
one of them, the numerator N of their difference is not 0 in A, and one of its coordinates, n in B, is
not 0. (Roots may depend on each other: what is accepted holds for both signs of each root.)

(2) Degree and height. Let h(N) be log2 of the sum of the absolute values of N's coefficients. Degree
and h are carried along: products add them; sums, over the common denominator, take the maximum, and for
h one more; (N1/F1)/(N2/F2) = N1 F2/(F1 N2) with common factors of F1 and F2 cancelled. R counts half as
much as N F, so writing N F for R^2 increases neither. Now write, in n, 1 minus the other squares for
the square of the last variable of each group: at most d/2 times in a monomial, and each multiplies the
sum of coefficients by at most m, the size of the largest group. The form that is reached is unique. So
it has a coefficient c other than 0, and |c| <= 2^H with H = h + (d/2) log2 m.

(3) The prime. c has at most H/(b-1) prime factors of b bits, and there are at least 0.86 2^(b-1)/(b-1)
primes of b bits (Rosser and Schoenfeld 1962, corollary 3: pi(2x) - pi(x) > 3x/(5 ln x) for x > 20.5).
So p divides c with probability at most 1.2 H/2^(b-1); otherwise n is not 0 modulo p.

(4) The point (Schwartz, Zippel). Points of a group are (1 - |t|^2, 2 t)/(1 + |t|^2), t uniform modulo
p. A function of degree e on it that is not 0, times (1 + |t|^2)^e, is a polynomial in t of degree at
most 2e, so it is 0 with probability at most 2e/p. Go group by group, symbol by symbol. Let e be the
highest degree in this group of a monomial of n whose coefficient, a function of the others, is not 0.
By induction that one, of degree d-e, is 0 at the point with probability at most 2(d-e)/p; if it is not,
n is 0 with probability at most 2e/p: together 2d/p. If 1 + |t|^2 or a divisor is not invertible the
file is rejected. Nothing is drawn twice, so no probability is conditional.

(5) Composite p. Candidates pass b/2 + 8 rounds of Miller and Rabin; a composite one passes with
probability at most 4^-(b/2+8) (Rabin 1980), at least 1.7/b are prime, so p is composite with
probability at most 2^-b. In all (2d + 1.2 H)/2^(b-1) + 2^-b, which is less than 2^(3-b) (d + H). QED

WHAT THIS DOES NOT SHOW: that the registers called "kane = lagrange" are what Kane and Lagrange derive
for your robot. Names are the word of whoever wrote the file, and so is what was done before: cos(a+b)
was written by the addition formulas, tan as sin/cos, |x| as x sign(x), and functions such as sign(u) or
tanh(u) as symbols of that name. And what is rejected is not thereby refuted.
"""

import json
import secrets
import sys
from fractions import Fraction
from math import ceil, gcd, lcm, log2, prod
from types import SimpleNamespace


def require(condition, message):
    """Reject the file unless the condition holds."""
    if not condition:
        raise ValueError(message)


def typed(kind, x, low=0, high=1 << 14000):
    """x, which must be a list, a printable text, or a whole number from low to high."""
    good = type(x) is kind and (kind is not int or low <= x <= high)
    require(good and (kind is not str or (x and x.isprintable())), f"{x!r:.50} is out of place")
    return x


def read(data):
    """The content of a file, every part of it checked for its form."""
    require(data["kind"] == "equamo proof" and typed(int, data["version"]) == 1, "of another kind")
    proof = SimpleNamespace(robot=typed(str, data["robot"]), program=[], identities={})
    proof.bits = typed(int, data["prime_bits"], 32, 16384)
    proof.bound = typed(int, data["bound"], 1)
    numbers = [typed(str, x) for x in typed(list, data["numbers"])]
    require(set("".join(numbers)) <= set("-/0123456789"), "a number is not a fraction")
    proof.numbers = [Fraction(x) for x in numbers]
    proof.symbols = [typed(str, x) for x in typed(list, data["symbols"])]
    groups = [*typed(list, data["circles"]), *typed(list, data["spheres"])]
    proof.groups = [[typed(str, x) for x in typed(list, group)] for group in groups]
    require(all(len(group) > 1 for group in proof.groups), "a circle has two variables or more")
    names = [*proof.symbols, *(x for group in proof.groups for x in group)]
    require(len(set(names)) == len(names), "two variables have the same name")
    proof.inputs = proof.size = len(proof.numbers) + len(names)
    for line in typed(list, data["program"]):
        *left, op, right = typed(str, line).split()
        known = op in ("+", "-", "*", "/") if len(left) == 1 else op == "root" and not left
        require(known, f"{line!r:.50} is not an instruction")
        a, b = (typed(int, int(x), 0, proof.size - 1) for x in (*left, right, right)[:2])
        proof.program.append((op, a, b))
        proof.size += 1
    for x in typed(list, data["identities"]):
        entries = list(zip(typed(list, x["left"]), typed(list, x["right"]), strict=True))
        _ = [typed(int, i, 0, proof.size - 1) for pair in entries for i in pair]
        require(entries and x["name"] not in proof.identities, "an identity is empty or a double")
        claims = typed(int, int(typed(str, x["degree"]))), typed(int, x["bound"], 1)
        proof.identities[typed(str, x["name"])] = (*claims, entries)
    require(proof.identities, "it holds no identity")
    proof.unchecked = [typed(str, x) for x in typed(list, data["not_checked"])]
    return proof


def sizes(proof, program):
    """Degree and height of the numerator of every register N/F: step (2) of the proof."""
    D, variables = lcm(*(x.denominator for x in proof.numbers)), proof.inputs - len(proof.numbers)
    F = [{-1: 1} if x.denominator > 1 else {} for x in proof.numbers] + [{}] * variables
    h = [int(x * D if f else x).bit_length() for x, f in zip(proof.numbers, F, strict=False)]
    d, h = [0] * len(h) + [1] * variables, h + [0] * variables

    def times(G, H):  # the product of {divisor: exponent} and another; divisor -1 is D
        return {f: G.get(f, 0) + H.get(f, 0) for f in G | H} if G and H else G or H

    def over(G, H):  # what is in G and not in H
        return {f: e - H.get(f, 0) for f, e in G.items() if e > H.get(f, 0)} if G is not H else {}

    def weigh(G):  # degree and height of a product of divisors
        heights = (e * (D.bit_length() if f < 0 else h[f]) for f, e in G.items())
        return sum(e * d[f] for f, e in G.items() if f >= 0), sum(heights)

    for op, a, b in program:
        if op == "*":
            new = d[a] + d[b], h[a] + h[b], times(F[a], F[b])
        elif op == "/":
            dF, hF = weigh(over(F[b], F[a]))
            new = d[a] + dF, h[a] + hF, times(over(F[a], F[b]), {b: 1})
        elif op == "root":
            dF, hF = weigh(F[a])
            new = (d[a] + dF + 1) // 2, (h[a] + hF + 1) // 2, F[a]
        else:
            common = F[a] if F[a] is F[b] else times(F[a], over(F[b], F[a]))
            (da, ha), (db, hb) = weigh(over(common, F[a])), weigh(over(common, F[b]))
            new = max(d[a] + da, d[b] + db), 1 + max(h[a] + ha, h[b] + hb), common
        for column, x in zip((d, h, F), new, strict=True):
            column.append(x)
    return d, h


class Surd:
    """u + v r of A modulo p, r = root a; u, v and a are numbers or hold earlier roots."""

    def __init__(self, i, a, u, v):
        self.i, self.a, self.u, self.v = i, a, u, v  # i: the number of the root r

    def __add__(self, y):
        i = y.i if type(y) is Surd else -1
        u, v = (y.u, y.v) if i == self.i else (y, 0)
        return y + self if i > self.i else Surd(self.i, self.a, self.u + u, self.v + v)

    def __mul__(self, y):
        if type(y) is Surd and y.i > self.i:
            return y * self
        u, v = (y.u, y.v) if type(y) is Surd and y.i == self.i else (y, 0)
        return Surd(self.i, self.a, self.u * u + self.v * v * self.a, self.u * v + self.v * u)

    def __mod__(self, p):
        return Surd(self.i, self.a, self.u % p, self.v % p)

    def __pow__(self, _, p):  # the inverse: 1/(u + v r) = (u - v r)/((u + v r) (u - v r))
        conjugate = Surd(self.i, self.a, self.u, self.v * -1)
        return conjugate * pow((self * conjugate).u % p, -1, p)

    __radd__, __rmul__, __bool__ = __add__, __mul__, lambda self: bool(self.u or self.v)


def random_prime(bits):
    """A prime of so many bits, all equally likely: step (5)."""
    small = prod(n for n in range(3, 1000, 2) if all(n % m for m in range(3, 32, 2) if m < n))

    def passes(p, base):  # the test of Miller and Rabin
        s = (p - 1 & 1 - p).bit_length() - 1  # p - 1 = 2^s q, q odd
        x = pow(base, p >> s, p)
        return x == 1 or any(pow(x, 1 << i, p) == p - 1 for i in range(s))

    while True:
        p, rounds = secrets.randbits(bits) | 1 << bits - 1 | 1, range(bits // 2 + 8)
        if gcd(p, small) == 1 and all(passes(p, 2 + secrets.randbelow(p - 3)) for _ in rounds):
            return p


def run(proof, program, p):
    """Values of all registers at a random point modulo p: step (4)."""
    v = [x.numerator * pow(x.denominator, -1, p) % p for x in proof.numbers]
    v += [secrets.randbelow(p) for _ in proof.symbols]
    for group in proof.groups:
        t = [secrets.randbelow(p) for _ in group[1:]]
        square = sum(x * x for x in t)
        w = pow(1 + square, -1, p)  # ValueError, here and below, if there is no inverse
        v += [(1 - square) * w % p, *(2 * x * w % p for x in t)]
    for op, a, b in program:
        if op == "*":
            v.append(v[a] * v[b] % p)
        elif op == "+":
            v.append((v[a] + v[b]) % p)
        elif op == "-":
            v.append((v[a] + v[b] * -1) % p)
        else:
            v.append(v[a] * pow(v[b], -1, p) % p if op == "/" else Surd(len(v), v[a], 0, 1))
    return v


def check(proof):
    """Whether all is accepted; prints a line for each identity."""
    pairs = dict.fromkeys(e for *_, entries in proof.identities.values() for e in entries)
    at = {pair: i for i, pair in enumerate(pairs, proof.size)}  # the registers of left - right
    program = proof.program + [("-", *pair) for pair in pairs]
    d, h = sizes(proof, program)
    m = (max(map(len, proof.groups), default=1) - 1).bit_length()  # log2, rounded up
    v = run(proof, program, random_prime(proof.bits))
    bounds, faults = [], 0
    for name, (degree, bound, entries) in proof.identities.items():
        used = [at[a, b] for a, b in entries if a != b]  # not trivial: not one register
        own = max((d[i] for i in used), default=0)
        size = max((d[i] + h[i] + (d[i] * m + 1) // 2 for i in used), default=0)
        n = proof.bits - 3 - size.bit_length()
        fault = f"what follows is 2^-{n}, not 2^-{bound}" if bound > n else ""
        fault = f"the degree is {own}, not {degree}" if own > degree else fault
        fault = "the sides differ" if any(v[i] for i in used) else fault
        outcome = f"REJECTED {name}: {fault}" if fault else f"accepted {name}: error <= 2^-{n}"
        print(f"{outcome} (degree {own}; {len(used)} of {len(entries)} entries are not trivial)")
        faults, bounds = faults + bool(fault), [*bounds, -n]
    total = ceil(max(bounds) + log2(sum(2.0 ** (x - max(bounds)) for x in bounds)))
    if proof.bound > -total:
        print(f"REJECTED what follows for all together is 2^{total}, not 2^-{proof.bound}")
        faults += 1
    for x in proof.unchecked:
        print(f"not checked here: {x}")
    verdict = "REJECTED" if faults else f"ACCEPTED, error <= 2^{total} in all"
    size = f"{len(proof.identities)} identities, {len(proof.program)} instructions"
    print(f"{verdict}: {proof.robot}, {size}, modulo a random prime of {proof.bits} bits")
    return not faults


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        require(len(sys.argv) == 2, "usage: python check.py proof.json")
        with open(sys.argv[1], encoding="utf-8") as file:
            sys.exit(0 if check(read(json.load(file))) else 1)
    except (OSError, ValueError, LookupError, TypeError, ArithmeticError, RecursionError) as error:
        sys.exit(f"REJECTED: {type(error).__name__}: {error!s:.200}")

"""exp, log, tanh, asin, acos, atan and atan2 as functions in LLVM IR, for devices without a C library.

Straight-line code, in which every multiply-add is fused; signs, zeros, infinities and NaN as in C.

    exp x    = 2^k e^r,  k = x/ln 2 to nearest, r = x − k ln 2, |r| ≤ 0.35                          (1)
    log x    = e ln 2 + log(1 + f),  x = 2^e (1 + f), √½ ≤ 1 + f < √2; with s = f/(2 + f)
               log(1 + f) = f − (f²/2 − s (f²/2 + R)),  R = 2 s²/3 + 2 s⁴/5 + …                     (2)
    tanh x   = t/(t + 2),  t = e^{2x} − 1 = 2^k (e^r − 1) + (2^k − 1)                               (3)
    atan2    atan(n/d) = atan c + atan u,  u = (n − c d)/(d + c n),  0 ≤ n ≤ d                      (4)
             c is the quarter next to n/d, so |u| ≤ 1/8; then the octant by π/2 and π
    asin x   = atan2(x, √(1 − x²)),  acos x = atan2(√(1 − x²), x)                                   (5)

Polynomials are truncated Taylor series; the truncation error is below 2⁻⁵⁷ (float32: 2⁻²⁶) of
the result. Constants such as ln 2 and atan c are sums of two numbers. Errors measured by
tests/code/jit/test_elementary.py, in units in the last place, are at most 1 for exp and log, else 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import factorial
from typing import Final, final

from ...ir.program import Dtype
from ...ir.rounding import PI, nearest
from ..sincos import hexadecimal

PREFIX: Final = "equamo_"  # prefix of the names of these functions
_LN2: Final = Fraction("0.69314718055994530941723212145817656807550013436025525412068")
_ATAN: Final = (  # of 0, 1/4, 1/2, 3/4, 1
    Fraction(0),
    Fraction("0.24497866312686415417208248121127581091414409838118406712737"),
    Fraction("0.46364760900080611621425623146121440202853705428612026381093"),
    Fraction("0.64350110879328438680280922871732263804151059111531238286561"),
    PI / 4,
)
_NEEDS: Final = {"asin": ("atan2",), "acos": ("atan2",), "atan": ("atan2",)}


def definitions(function: str, dtype: Dtype) -> list[str]:
    """Definitions of a function and of those it calls."""
    names = (*_NEEDS.get(function, ()), function)
    return [definition(name, dtype) for name in names]


def name_of(function: str, dtype: str) -> str:
    """Name in the module: `equamo_exp`, for float32 `equamo_expf`, as in the C library."""
    return f"{PREFIX}{function}{'' if dtype == 'float64' else 'f'}"


@cache
def definition(function: str, dtype: Dtype) -> str:
    """IR of one function.

    >>> print(definition("atan", "float64"))
    define internal double @equamo_atan(double %x) nounwind {
      %t1 = call double @equamo_atan2(double %x, double 0x3FF0000000000000)
      ret double %t1
    }
    """
    body = _Body(dtype)
    result = _BODIES[function](body)
    T = body.T
    given = f"{T} %y, {T} %x" if function == "atan2" else f"{T} %x"
    head = f"define internal {T} @{name_of(function, dtype)}({given}) nounwind {{"
    return "\n".join([head, *body.lines, f"  ret {T} {result}", "}"])


def declarations(dtype: Dtype) -> list[str]:
    """Intrinsics that the functions call."""
    T, S = ("double", "f64") if dtype == "float64" else ("float", "f32")
    arity = {"fma": 3, "fabs": 1, "sqrt": 1, "copysign": 2}
    return [f"declare {T} @llvm.{n}.{S}({', '.join([T] * k)})" for n, k in arity.items()]


@final
class _Body:
    """Lines of a function; each method appends one and returns the name of its value."""

    def __init__(self, dtype: Dtype) -> None:
        self.dtype: Dtype = dtype
        self.wide = dtype == "float64"
        self.T, self.I, self.S = ("double", "i64", "f64") if self.wide else ("float", "i32", "f32")
        self.digits, self.bias = (53, 1023) if self.wide else (24, 127)
        self.lines: list[str] = []

    def line(self, text: str) -> str:
        name = f"%t{len(self.lines) + 1}"
        self.lines.append(f"  {name} = {text}")
        return name

    def number(self, x: Fraction | float) -> str:
        return hexadecimal(x if isinstance(x, float) else nearest(x, self.dtype))

    def do(self, operation: str, a: str, b: str) -> str:
        """fadd, fsub, fmul, fdiv"""
        return self.line(f"{operation} {self.T} {a}, {b}")

    def whole(self, operation: str, a: str, b: str | int) -> str:
        """Operation on integers."""
        return self.line(f"{operation} {self.I} {a}, {b}")

    def call(self, name: str, *x: str) -> str:
        return self.line(f"call {self.T} @{name}({', '.join(f'{self.T} {y}' for y in x)})")

    def intrinsic(self, name: str, *x: str) -> str:
        return self.call(f"llvm.{name}.{self.S}", *x)

    def fma(self, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", a, b, c)

    def minus(self, a: str) -> str:
        return self.line(f"fneg {self.T} {a}")

    def bits(self, a: str) -> str:
        return self.line(f"bitcast {self.T} {a} to {self.I}")

    def real(self, a: str) -> str:
        return self.line(f"bitcast {self.I} {a} to {self.T}")

    def test(self, predicate: str, a: str, b: str) -> str:
        return self.line(f"fcmp {predicate} {self.T} {a}, {b}")

    def select(self, flag: str, a: str, b: str) -> str:
        return self.line(f"select i1 {flag}, {self.T} {a}, {self.T} {b}")

    def horner(self, coefficients: Sequence[Fraction], z: str) -> str:
        """Polynomial, lowest power first."""
        *rest, last = map(self.number, coefficients)
        for c in reversed(rest):
            last = self.fma(last, z, c)
        return last

    def pair(self, x: Fraction, spare: int = 0) -> tuple[Fraction, Fraction]:
        """x as a number with `spare` zero bits at its end, and the rest."""
        first = Fraction(nearest(x, self.dtype))
        if spare and first:
            unit = Fraction(2) ** (first.numerator.bit_length() - first.denominator.bit_length())
            unit /= 2 ** (self.digits - spare)
            first = round(x / unit) * unit
        return first, x - first

    def power(self, k: str) -> str:
        """2^k for an integer k in the range of normal exponents."""
        return self.real(self.whole("shl", self.whole("add", k, self.bias), self.digits - 1))

    def reduced(self, x: str) -> tuple[str, str]:
        """(1): the integer k and e^r − 1"""
        magic = 1.5 * 2.0 ** (self.digits - 1)  # a sum with it is rounded to an integer
        sum_ = self.fma(x, self.number(1 / _LN2), self.number(magic))
        k = self.do("fsub", sum_, self.number(magic))
        first, rest = self.pair(_LN2, 12 if self.wide else 9)
        r = self.fma(k, self.number(-first), x)  # exact
        r = self.fma(k, self.number(-rest), r)
        series = [Fraction(1, factorial(n)) for n in range(2, 14 if self.wide else 8)]
        p = self.fma(self.do("fmul", r, r), self.horner(series, r), r)
        return self.whole("sub", self.bits(sum_), self.bits(self.number(magic))), p

    def limited(self, x: str, limit: float) -> str:
        """x, at most `limit`; NaN stays."""
        return self.select(self.test("ogt", x, self.number(limit)), self.number(limit), x)


def _exp(b: _Body) -> str:
    # Beyond these limits the result is infinite or 0 in any case.
    limit = 750.0 if b.wide else 110.0
    x = b.limited("%x", limit)
    x = b.select(b.test("olt", x, b.number(-limit)), b.number(-limit), x)
    k, p = b.reduced(x)
    y = b.do("fadd", b.number(1.0), p)
    half = b.whole("ashr", k, 1)  # 2^k may be out of range although the result is not
    y = b.do("fmul", y, b.power(half))
    return b.do("fmul", y, b.power(b.whole("sub", k, half)))


def _log(b: _Body) -> str:
    least = 2.0 ** (1 - b.bias)
    small = b.test("olt", "%x", b.number(least))
    x = b.select(small, b.do("fmul", "%x", b.number(2.0**b.digits)), "%x")
    extra = b.line(f"select i1 {small}, {b.I} {-b.digits}, {b.I} 0")
    # x = 2^e m: the bits of √½ are subtracted, so that e changes at √½ instead of at 1.
    root = b.bits(b.number(0.70703125))  # √½ to some bits, a number of both types
    shifted = b.whole("sub", b.bits(x), root)
    e = b.whole("ashr", shifted, b.digits - 1)
    rest = b.whole("and", shifted, 2 ** (b.digits - 1) - 1)
    m = b.real(b.whole("add", rest, root))
    e = b.line(f"sitofp {b.I} {b.whole('add', e, extra)} to {b.T}")
    # (2)
    f = b.do("fsub", m, b.number(1.0))
    s = b.do("fdiv", f, b.do("fadd", b.number(2.0), f))
    z = b.do("fmul", s, s)
    series = [Fraction(2, 2 * n + 1) for n in range(1, 12 if b.wide else 6)]
    R = b.do("fmul", z, b.horner(series, z))
    square = b.do("fmul", b.do("fmul", b.number(0.5), f), f)
    first, low = b.pair(_LN2, 12 if b.wide else 9)
    inner = b.fma(s, b.do("fadd", square, R), b.do("fmul", e, b.number(low)))
    tail = b.do("fsub", b.do("fsub", square, inner), f)
    y = b.do("fsub", b.do("fmul", e, b.number(first)), tail)
    y = b.select(b.test("olt", "%x", b.number(float("inf"))), y, "%x")  # ∞ and NaN
    y = b.select(b.test("olt", "%x", b.number(0.0)), b.number(float("nan")), y)
    return b.select(b.test("oeq", "%x", b.number(0.0)), b.number(float("-inf")), y)


def _tanh(b: _Body) -> str:
    x = b.limited(b.intrinsic("fabs", "%x"), 22.0 if b.wide else 10.0)  # 1 beyond them
    k, p = b.reduced(b.do("fadd", x, x))
    power = b.power(k)
    t = b.fma(power, p, b.do("fsub", power, b.number(1.0)))
    d = b.do("fadd", t, b.number(2.0))
    y = b.do("fdiv", t, d)
    # Up to t = 2, one Newton step corrects the rounding of d; 1/d = (1 − y)/2.
    lost = b.do("fsub", t, b.do("fsub", d, b.number(2.0)))
    rest = b.fma(b.minus(y), lost, b.fma(b.minus(y), d, t))
    half = b.number(0.5)
    better = b.fma(rest, b.fma(b.minus(half), y, half), y)
    y = b.select(b.test("olt", t, b.number(2.0)), better, y)
    return b.intrinsic("copysign", y, "%x")


def _atan2(b: _Body) -> str:
    ay, ax = b.intrinsic("fabs", "%y"), b.intrinsic("fabs", "%x")
    swap = b.test("ogt", ay, ax)
    n, d = b.select(swap, ax, ay), b.select(swap, ay, ax)
    n, d = _in_range(b, n, d)
    # (4) c = j/4, atan c = a
    c, zero = b.number(0.0), b.number(0.0)
    a, low = zero, zero
    for j in range(1, 5):
        beyond = b.test("ogt", n, b.do("fmul", d, b.number(Fraction(2 * j - 1, 8))))
        first, rest = b.pair(_ATAN[j])
        c = b.select(beyond, b.number(Fraction(j, 4)), c)
        a, low = b.select(beyond, b.number(first), a), b.select(beyond, b.number(rest), low)
    u, more_u = _quotient(b, b.fma(b.minus(c), d, n), c, n, d)  # the numerator is exact
    z = b.do("fmul", u, u)
    series = [Fraction((-1) ** k, 2 * k + 1) for k in range(1, 11 if b.wide else 5)]
    angle = b.do("fadd", b.fma(b.do("fmul", u, z), b.horner(series, z), more_u), u)
    # The octant: base ± (atan c + atan u), the base being 0, π/2 or π.
    behind = b.line(f"icmp slt {b.I} {b.bits('%x')}, 0")
    first, rest = b.pair(PI / 2)
    base, more = zero, zero
    base = b.select(behind, b.number(2 * first), base)
    more = b.select(behind, b.number(2 * rest), more)
    base, more = b.select(swap, b.number(first), base), b.select(swap, b.number(rest), more)
    flip = b.line(f"xor i1 {swap}, {behind}")
    turned = [b.select(flip, b.minus(v), v) for v in (a, low, angle)]
    sum_ = b.do("fadd", base, turned[0])
    lost = b.do("fsub", turned[0], b.do("fsub", sum_, base))  # exact, as |base| > a or base = 0
    tail = b.do("fadd", lost, b.do("fadd", more, turned[1]))
    y = b.do("fadd", sum_, b.do("fadd", tail, turned[2]))
    return b.intrinsic("copysign", y, "%y")


def _quotient(b: _Body, numerator: str, c: str, n: str, d: str) -> tuple[str, str]:
    """numerator/(d + c n) as a number and the next digits"""
    sum_ = b.fma(c, n, d)
    lost = b.fma(c, n, b.minus(b.do("fsub", sum_, d)))
    inverse = b.do("fdiv", b.number(1.0), sum_)
    u = b.do("fmul", numerator, inverse)
    rest = b.fma(b.minus(u), lost, b.fma(b.minus(u), sum_, numerator))
    return u, b.do("fmul", rest, inverse)


def _in_range(b: _Body, n: str, d: str) -> tuple[str, str]:
    """n/d with numbers that neither overflow nor lose bits; of 0/0 0/1, of ∞/∞ 1/1."""
    zero, one, infinite = b.number(0.0), b.number(1.0), b.number(float("inf"))
    far = b.test("oeq", d, infinite)
    both = b.test("oeq", n, infinite)
    n = b.select(far, b.select(both, one, b.do("fmul", n, zero)), n)  # NaN stays
    d = b.select(b.line(f"or i1 {far}, {b.test('oeq', d, zero)}"), one, d)
    high, low = (1000, -900) if b.wide else (120, -90)
    scale = b.select(b.test("ogt", d, b.number(2.0**high)), b.number(2.0**-4), b.number(1.0))
    scale = b.select(b.test("olt", d, b.number(2.0**low)), b.number(2.0 ** (2 * b.digits)), scale)
    return b.do("fmul", n, scale), b.do("fmul", d, scale)


def _cosine_of_asin(b: _Body) -> str:
    """(5) √(1 − x²), rounded once before the root"""
    return b.intrinsic("sqrt", b.fma(b.minus("%x"), "%x", b.number(1.0)))


def _asin(b: _Body) -> str:
    return b.call(name_of("atan2", b.dtype), "%x", _cosine_of_asin(b))


def _acos(b: _Body) -> str:
    return b.call(name_of("atan2", b.dtype), _cosine_of_asin(b), "%x")


def _atan(b: _Body) -> str:
    return b.call(name_of("atan2", b.dtype), "%x", b.number(1.0))


_BODIES: Final[dict[str, Callable[[_Body], str]]] = {
    "exp": _exp, "log": _log, "tanh": _tanh, "asin": _asin, "acos": _acos, "atan": _atan,
    "atan2": _atan2,
}  # fmt: skip

"""Sine and cosine of an angle as LLVM IR: no branch, no call, the same instructions in every lane.

    k = x·(2/π) to nearest,  r = x − k π/2,  z = r²                                (1) reduction
    sin r = r + r z S(z),    cos r = 1 + z C(z)                        (2) minimax polynomials
    odd k swaps the two; bit 1 of k is the sign of sin x, bit 1 of k + 1 that of cos x   (3) quadrant

(1) Adding 1.5·2^p to x·(2/π) rounds it and leaves k in the low bits of the sum, in two's complement.
π/2 is a sum of three parts (Cody and Waite). k times each of the first two is exact for |k| ≤ 2²⁰
(float32: 2¹⁶), whether multiply-adds are fused or not; if they are certainly fused, two parts suffice.
p is the largest exponent, so k counts in a huge power of two and the parts are divided by it: when a sum
with k would lose its last bit, it overflows, and as the parts differ in sign r becomes ∞ − ∞. An angle
that is too large gives NaN, at no cost.

The absolute error of sine and cosine is proved to be at most (scripts/sincos_bound.py,
docs/theory/proofs.md):

                 fused                                   fused or not, three parts of π/2
    float64      1.39e-16 for |x| ≤ 10¹²,                1.68e-16 for |x| ≤ 2²⁰ 1.57 ≈ 1.6·10⁶,
                 4.5e-16 to 10¹⁵, 4.2e-14 to 3.5·10¹⁵    growing from there, 6e-8 at 10⁹
    float32      7.5e-8 for |x| ≤ 10⁵,                   9.2e-8 for |x| ≤ 2¹⁶ 1.57 ≈ 102 891,
                 1.1e-6 to 6.5·10⁶                       growing from there, 0.008 at 2·10⁵

Errors of float32 were also measured at every number there is: 7.19e-8 and 9.73e-7 fused, 8.73e-8 not
fused for |x| ≤ 10⁵. Measured, not proved, are relative errors at the numbers next to k π/2: of float64
3.6e-12 (not fused 1.4e-11) for |x| ≤ 10⁵ and 2.3e-16 (7.6e-16) for |k| ≤ 4, of float32 1.7e-6 (4.2e-6)
for |k| ≤ 100.

|sin| and |cos| stay below 1 + 10⁻⁷ up to 3.5·10¹⁵ (float32 6.5·10⁶); NaN from there, or from four times
that for negative x.
sin x = x for tiny and subnormal x, sin(−0) = +0; NaN and ±∞ give NaN, in their lane alone.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, final

from ...errors import UnknownNameError

SIGN: Final = -0.0  # the sign bit alone
SCALAR: Final = 0  # "lanes" of a GPU thread: plain numbers instead of vectors


@final
@dataclass(frozen=True)
class Numbers:
    """Constants for one number type; computed by scripts/sincos_polynomials.py."""

    element: str  # in LLVM
    bits: int  # of an element
    digits: int  # of its significand
    exponent: int  # p of (1), the largest there is
    two_over_pi: float
    parts: tuple[float, ...]  # of π/2
    fused_parts: tuple[float, ...]
    sine: tuple[float, ...]  # S of (2), lowest power first
    cosine: tuple[float, ...]

    @property
    def scale(self) -> float:
        """Unit in the last place of 1.5·2^p, in which k is counted."""
        return 2.0 ** (self.exponent - self.digits + 1)

    @property
    def magic(self) -> float:
        """1.5·2^p; adding it rounds to an integer."""
        return 1.5 * 2.0**self.exponent

    def steps(self, fused: bool) -> list[float]:
        """Parts of −π/2, for k counted in `scale`."""
        return [-part / self.scale for part in (self.fused_parts if fused else self.parts)]

    def table(self, fused: bool) -> list[float]:
        """All constants of the code."""
        first = [self.two_over_pi * self.scale, self.magic, 1.0, SIGN]
        return [*first, *self.steps(fused), *self.sine, *self.cosine]


def _exact(*hexadecimal: str) -> tuple[float, ...]:
    return tuple(float.fromhex(h) for h in hexadecimal)


NUMBERS: Final = {
    "float64": Numbers(
        element="double",
        bits=64,
        digits=53,
        exponent=1023,
        two_over_pi=float.fromhex("0x1.45f306dc9c883p-1"),
        parts=_exact("0x1.921fb544p+0", "0x1.0b47p-34", "-0x1.dcb3b399d747fp-51"),
        fused_parts=_exact("0x1.921fb54442d1bp+0", "-0x1.5cb3b399d747fp-51"),
        sine=_exact(
            "-0x1.5555555555548p-3",
            "0x1.111111110f730p-7",
            "-0x1.a01a019be9241p-13",
            "0x1.71de35551fb4fp-19",
            "-0x1.ae5e4b684af41p-26",
            "0x1.5d8b4727050e7p-33",
        ),
        cosine=_exact(
            "-0x1.0000000000000p-1",
            "0x1.555555555554cp-5",
            "-0x1.6c16c16c1521fp-10",
            "0x1.a01a019cbf624p-16",
            "-0x1.27e4f812b591ep-22",
            "0x1.1ee9f1516f5f8p-29",
            "-0x1.8fb13016e4af9p-37",
        ),
    ),
    "float32": Numbers(
        element="float",
        bits=32,
        digits=24,
        exponent=127,
        two_over_pi=float.fromhex("0x1.45f306p-1"),
        parts=_exact("0x1.92p+0", "0x1.fcp-12", "-0x1.5777a6p-21"),
        fused_parts=_exact("0x1.921fbap+0", "-0x1.2eef4cp-22"),
        sine=_exact("-0x1.555544p-3", "0x1.1106c6p-7", "-0x1.991c74p-13"),
        cosine=_exact("-0x1p-1", "0x1.55554ap-5", "-0x1.6c0c1ap-10", "0x1.99e0ecp-16"),
    ),
}


def numbers(dtype: str) -> Numbers:
    """Constants of a number type, by its NumPy name."""
    if dtype not in NUMBERS:
        raise UnknownNameError("floating-point type", dtype, NUMBERS, "sincos")
    return NUMBERS[dtype]


def hexadecimal(value: float) -> str:
    """Write a number exactly as LLVM reads it: the bits of the double, also for a float.

    >>> hexadecimal(1.0), hexadecimal(-0.5)
    ('0x3FF0000000000000', '0xBFE0000000000000')
    """
    return "0x" + struct.pack(">d", value).hex().upper()


@final
class Code:
    """Lines of IR on one vector type; each method appends a line and returns the name of its value."""

    of: Numbers
    lanes: int
    fused: bool
    fresh: Callable[[], str]

    def __init__(self, fresh: Callable[[], str], dtype: str, lanes: int, fused: bool) -> None:
        self.of, self.lanes, self.fused, self.fresh = numbers(dtype), lanes, fused, fresh
        # A single angle is computed in the lowest lane of a 128-bit register: a scalar selection
        # would be compiled to a branch, and its integers would move to other registers and back.
        # A GPU thread has scalar registers, and constants are free (SCALAR).
        self.width: int = 128 // self.of.bits if lanes == 1 else max(lanes, 1)
        self.scalar: bool = lanes == SCALAR
        self.real: str = self.of.element if self.scalar else f"<{self.width} x {self.of.element}>"
        self.whole: str = f"i{self.of.bits}" if self.scalar else f"<{self.width} x i{self.of.bits}>"
        self.name: str = f"@sincos_table_{dtype}x{self.width}" + "_fused" * fused
        self.constants: list[float] = self.of.table(fused)
        self.lines: list[str] = []

    def add(self, text: str, name: str = "") -> str:
        name = name or self.fresh()
        self.lines.append(f"{name} = {text}")
        return name

    def constant(self, value: float) -> str:
        """Load a constant as a whole vector: a memory operand, without an extra instruction."""
        if self.scalar:
            return hexadecimal(value)
        place = f"getelementptr ({self.real}, ptr {self.name}, i32 {self.constants.index(value)})"
        align = self.width * self.of.bits // 8
        return self.add(f"load {self.real}, ptr {place}, align {align}, !invariant.load !{{}}")

    def integer(self, value: int) -> str:
        if self.scalar:
            return str(value)
        return f"<{', '.join([f'i{self.of.bits} {value}'] * self.width)}>"

    def intrinsic(self, fused: bool) -> str:
        lanes = "" if self.scalar else f"v{self.width}"
        return f"@llvm.{'fma' if fused else 'fmuladd'}.{lanes}f{self.of.bits}"

    def multiply(self, a: str, b: str) -> str:
        return self.add(f"fmul {self.real} {a}, {b}")

    def multiply_add(self, a: str, b: str, c: str, fused: bool = False) -> str:
        operands = ", ".join(f"{self.real} {v}" for v in (a, b, c))
        return self.add(f"call {self.real} {self.intrinsic(fused)}({operands})")

    def horner(self, coefficients: Sequence[float], z: str) -> str:
        *rest, value = coefficients
        result = self.constant(value)
        for c in reversed(rest):
            result = self.multiply_add(result, z, self.constant(c))
        return result

    def bits(self, operation: str, a: str, b: str) -> str:
        return self.add(f"{operation} {self.whole} {a}, {b}")

    def as_whole(self, a: str) -> str:
        return self.add(f"bitcast {self.real} {a} to {self.whole}")

    def select(self, condition: str, a: str, b: str) -> str:
        flag = "i1" if self.scalar else f"<{self.width} x i1>"
        return self.add(f"select {flag} {condition}, {self.real} {a}, {self.real} {b}")

    def widened(self, x: str) -> str:
        if self.lanes != 1:
            return x
        return self.add(f"insertelement {self.real} poison, {self.of.element} {x}, i32 0")

    def signed(self, a: str, sign: str, name: str) -> None:
        flipped = self.bits("xor", self.as_whole(a), sign)
        if self.lanes != 1:
            self.add(f"bitcast {self.whole} {flipped} to {self.real}", name)
        else:
            result = self.add(f"bitcast {self.whole} {flipped} to {self.real}")
            self.add(f"extractelement {self.real} {result}, i32 0", name)


def emit(
    x: str,
    out_sin: str,
    out_cos: str,
    fresh: Callable[[], str],
    dtype: str,
    lanes: int,
    fused: bool = False,
) -> list[str]:
    """Write lines that define the values `out_sin` and `out_cos` from `x`.

    All names begin with %, also those of `fresh`. Lanes can be states or different angles of one state.
    The module must contain the `declarations`. `fused` needs a processor with FMA.
    """
    code = Code(fresh, dtype, lanes, fused)
    of = code.of
    x = code.widened(x)

    # (1) k to nearest, r = x − k π/2
    magic = code.constant(of.magic)
    sum_ = code.multiply_add(x, code.constant(of.two_over_pi * of.scale), magic)
    k = code.add(f"fsub {code.real} {sum_}, {magic}")
    r = x
    for step in of.steps(fused):
        r = code.multiply_add(k, code.constant(step), r, fused)

    # (2) sin r = r + r z S(z), cos r = 1 + z C(z)
    z = code.multiply(r, r)
    s = code.multiply_add(code.multiply(r, z), code.horner(of.sine, z), r)
    c = code.multiply_add(code.horner(of.cosine, z), z, code.constant(1.0))

    # (3) The lowest bit of k swaps; the next one, moved to the sign bit, is the sign of sin x.
    whole = code.as_whole(sum_)
    odd = code.bits("shl", whole, code.integer(of.bits - 1))
    swap = code.add(f"icmp slt {code.whole} {odd}, {'0' if code.scalar else 'zeroinitializer'}")
    next_ = code.bits("shl", whole, code.integer(of.bits - 2))
    sign = code.bits("and", next_, code.as_whole(code.constant(SIGN)))
    code.signed(code.select(swap, c, s), sign, out_sin)
    code.signed(code.select(swap, s, c), code.bits("xor", sign, odd), out_cos)
    return code.lines


def declarations(dtype: str, lanes: int, fused: bool = False) -> list[str]:
    """Declarations that code of `emit` needs, once per module: constants and intrinsics."""
    code = Code(str, dtype, lanes, fused)
    used = [code.intrinsic(False)] + [code.intrinsic(True)] * fused
    declared = [f"declare {code.real} {f}({', '.join([code.real] * 3)})" for f in used]
    if code.scalar:
        return declared
    rows = [
        f"{code.real} <{', '.join([f'{code.of.element} {hexadecimal(v)}'] * code.width)}>"
        for v in code.constants
    ]
    kind = f"[{len(rows)} x {code.real}]"
    align = code.width * code.of.bits // 8
    table = f"{code.name} = internal constant {kind} [{', '.join(rows)}], align {align}"
    return [table, *declared]

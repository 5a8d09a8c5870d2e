"""The kernel of a module, executed on symbols: LLVM's printout in, terms or expressions out.

A number is a value of an `Algebra` in the symbols of the arguments. A vector with one state per lane is
one value too: in lane l it is that function of the symbols of state l, which holds for what is loaded,
and is kept by every instruction that works lane by lane. A vector whose lanes differ is a tuple; a
number taken out of lane l is a Lane. So one walk is a proof for all lanes.

Real numbers: `fadd` is +, and a fused multiply-add is a·b + c, fused or not. Every instruction must be
one of those below, without any flag (`fast`, `contract`, `nsw` …), or the module is not understood.
All arguments are loaded before the first result is stored, each result is stored once, and nothing
else is written, so arrays may overlap.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final, cast, final

from ...basics.wording import brief
from ...errors import EquamoError
from ..ir.program import Program
from .ir_algebra import Algebra
from .ir_reader import Printout
from .ir_sincos import pattern
from .llvm import LIBM, PACK, Types

_HEAD: Final = "define void @kernel(ptr %args) nounwind {"
_JUMP: Final = re.compile(r"  br label %([\w.]+)")


@final
@dataclass(frozen=True, slots=True)
class Lane:
    """A number taken out of one lane: a function of the symbols of that lane's state."""

    index: int
    value: Any


@final
@dataclass(frozen=True, slots=True)
class ArraySlot:
    """Position of an array's address in the argument of the kernel."""

    array: int


@final
class Slot:
    """Memory of the kernel's own, for the numbers of one vector."""

    def __init__(self) -> None:
        self.numbers: tuple[Any, ...] = ()


@final
class Pointer:
    """An element of an array (by its place in the arguments and outputs) or of a Slot."""

    __slots__ = ("base", "offset")

    base: int | Slot
    offset: int

    def __init__(self, base: int | Slot, offset: int) -> None:
        self.base, self.offset = base, offset


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """x < 0 or x > 0"""

    predicate: str
    x: Any


@final
@dataclass(frozen=True, slots=True)
class NegativePart:
    """−1 where x < 0, elsewhere x: half of a sign."""

    x: Any


class _Values(dict[str, Any]):
    """Values of names; a literal is read at its first use."""

    def __init__(self, types: Types, algebra: Algebra) -> None:
        super().__init__()
        self._algebra = algebra
        self._splat = re.compile(rf"splat \({types.element} (\S+)\)")

    def __missing__(self, text: str) -> Any:
        m = self._splat.fullmatch(text)
        x = 0.0 if text == "zeroinitializer" else number(m[1] if m else text)
        value = self[text] = self._algebra.number(x)
        return value


def number(text: str) -> float:
    """A literal of the printout: the bits of a double, or a decimal next to it.

    >>> number("0x3FF8000000000000"), number("-5.000000e-01")
    (1.5, -0.5)
    """
    if re.fullmatch(r"0x[0-9A-F]{1,16}", text):
        (value,) = struct.unpack(">d", int(text, 16).to_bytes(8, "big"))
    elif re.fullmatch(r"-?\d\.\d+e[+-]\d+", text):
        value = float(text)  # the double next to it: LLVM writes a decimal where that is the number
    else:
        raise EquamoError(f"IR: an operand must be a number or a known value, got {brief(text)}.")
    if value - value != 0:
        raise EquamoError(f"IR: a literal must be finite, got {text}.")
    return value


@cache
def _grammar(types: Types) -> re.Pattern[str]:
    """One instruction. Its kind is the name of the group that closes last, its operands those inside."""
    E, T, S, L, B = types.element, re.escape(types.value), types.suffix, types.lanes, types.bytes
    width = L if L > 1 else PACK[types.dtype]  # of vectors whose lanes are looked at
    W = f"<{width} x {E}>"
    flag = "i1" if L == 1 else f"<{L} x i1>"
    libm = "|".join(f if types.dtype == "float64" else f"{f}f" for f in LIBM)
    name = r"(%[\w.]+)"
    x = rf"(%[\w.]+|splat \({E} [-+.\w]+\)|[-+.\w]+)"  # a value or a literal
    kinds = {
        "fma": rf"call {T} @llvm\.fmuladd\.{S}\({T} {x}, {T} {x}, {T} {x}\)",
        "binary": rf"f(mul|add|sub|div) {T} {x}, {x}",
        "element": rf"getelementptr {E}, ptr {name}, i64 (\d+)",
        "load": rf"load {T}, ptr {name}, align {B * L}",
        "neg": rf"fneg {T} {x}",
        "store": rf"store {T} {x}, ptr {name}, align {B * L}",
        "argument": r"getelementptr ptr, ptr %args, i64 (\d+)",
        "array": rf"load ptr, ptr {name}, align 8",
        "function": rf"call {T} @llvm\.(sqrt|fabs)\.{S}\({T} {x}\)",
        "libm": rf"call {E} @({libm})\({E} {x}(?:, {E} {x})?\)",
        "compare": rf"fcmp (olt|ogt) {T} {x}, (?:zeroinitializer|0\.0+e\+00)",
        "select": rf"select {flag} {name}, {T} {x}, {T} {x}",
        "insert": rf"insertelement {W} {x}, {E} {x}, i32 (\d+)",
        "extract": rf"extractelement {W} {name}, i32 (\d+)",
        "alloca": rf"alloca {W}, align {B * width}",
        "keep": rf"store {W} {name}, ptr {name}, align {B * width}",
    }
    body = "|".join(f"(?P<{kind}>{text})" for kind, text in kinds.items())
    return re.compile(rf"  (?:{name} = )?(?:{body})", re.ASCII)


def execute(
    module: Printout, program: Program, types: Types, fused: bool, algebra: Algebra
) -> dict[str, list[Any]]:
    """The outputs that the kernel of a module computes.

    Args:
        module: The printout.
        program: Arguments and sizes of outputs are taken from it, nothing else.
        types: Type of number and number of lanes of the module.
        fused: Whether the sines are those of a processor with a multiply-add.
        algebra: What values are.

    Returns:
        {output: its values row by row}

    Raises:
        EquamoError: An instruction is not one that is known here, or does not fit.
    """
    return outputs_of(program, stored(module, program, types, fused, algebra))


def stored(
    module: Printout, program: Program, types: Types, fused: bool, algebra: Algebra
) -> dict[tuple[int, int], Any]:
    """Values that the kernel stores, by array and element; possibly not all entries of the outputs."""
    head, *lines = module.functions["kernel"]
    if head != _HEAD:
        raise EquamoError(f"IR: the kernel must be defined as {_HEAD!r}, got {brief(head)}.")
    return _Execution(module, lines, program, types, fused, algebra).run()


def outputs_of(program: Program, found: dict[tuple[int, int], Any]) -> dict[str, list[Any]]:
    """{output: its values}; an error unless exactly the expected entries were stored."""
    outputs, first = program.outputs, len(program.arguments)
    places = [(k, i) for k, y in enumerate(outputs, first) for i in range(len(y.values))]
    if found.keys() != set(places):
        raise EquamoError("IR: the kernel must store each output once.")
    return {
        y.name: [found[k, i] for i in range(len(y.values))] for k, y in enumerate(outputs, first)
    }


@final
class _Execution:
    """One walk over the lines of a kernel."""

    def __init__(
        self,
        module: Printout,
        lines: list[str],
        program: Program,
        types: Types,
        fused: bool,
        algebra: Algebra,
    ) -> None:
        self.module, self.lines, self.program, self.types = module, lines, program, types
        self.algebra, self.apply = algebra, algebra.apply
        self.values = _Values(types, algebra)
        self.stored: dict[tuple[int, int], Any] = {}  # by output and element
        self.width = types.lanes if types.lanes > 1 else PACK[types.dtype]
        self.patterns = [pattern(types.dtype, n, fused) for n in (self.width, types.lanes)]

    def run(self) -> dict[tuple[int, int], Any]:
        lines, values, apply, i = self.lines, self.values, self.apply, 0
        grammar = _grammar(self.types)
        match = grammar.fullmatch
        groups = _operands(grammar)
        number = grammar.groupindex
        fma, binary = number["fma"], number["binary"]
        of_fma, of_binary = (1, *groups.pop("fma")), (1, *groups.pop("binary"))
        rules: dict[int | None, Any] = {
            number[k]: (getattr(self, f"_{k}"), (0, 1, *x)) for k, x in groups.items()
        }
        try:
            while lines[i] != "  ret void":
                m = match(lines[i])
                if m is None:
                    i = self._several(i)
                    continue
                kind = m.lastindex
                if kind == fma:  # most lines are of these two kinds
                    target, a, b, c = m.group(*of_fma)
                    result = apply("fma", values[a], values[b], values[c])
                elif kind == binary:
                    target, op, a, b = m.group(*of_binary)
                    result = apply(op, values[a], values[b])
                else:
                    rule, operands = rules[kind]
                    _, target, *given = m.group(*operands)
                    result = rule(*given)
                if target is not None:
                    values[target] = result
                i += 1
        except (AttributeError, IndexError, KeyError, TypeError) as error:
            line = lines[i] if i < len(lines) else "no return"
            raise EquamoError(
                f"IR: a line could not be executed: {brief(line.strip())}."
            ) from error
        if i + 1 != len(lines):
            raise EquamoError(f"IR: the return must be the last line, got {brief(lines[i + 1])}.")
        return self.stored

    # -- several lines ---------------------------------------------------------------------------------
    def _several(self, i: int) -> int:
        """A jump to the next line, or a sine and a cosine: where to go on."""
        lines = self.lines
        if m := _JUMP.fullmatch(lines[i]):
            if lines[i + 1].partition(":")[0] != m[1]:
                raise EquamoError(f"IR: a jump must lead to the next line, got {brief(lines[i])}.")
            return i + 2
        for p in self.patterns:
            if names := p.match(lines, i):
                if self.module.variables.get(p.table) != p.definition:
                    raise EquamoError(
                        f"IR: {p.table} must hold the emitted constants of the sines."
                    )
                angle, sine, cosine = names
                x = self.values[angle]
                self.values[sine] = self._lanewise("sin", x)
                self.values[cosine] = self._lanewise("cos", x)
                return i + p.length
        raise EquamoError(f"IR: unknown instruction {brief(lines[i].strip())}.")

    # -- numbers ---------------------------------------------------------------------------------------
    def _neg(self, a: str) -> Any:
        return self.apply("neg", self.values[a])

    def _function(self, name: str, a: str) -> Any:
        return self.apply("abs" if name == "fabs" else name, self.values[a])

    def _libm(self, name: str, *operands: str | None) -> Any:
        """A function of the C library, of a number or of numbers of one lane."""
        if self.types.dtype == "float32":
            name = name.removesuffix("f")
        x = [self.values[a] for a in operands if a is not None]
        if self.types.lanes == 1:
            return self.apply(name, *x)
        (lane,) = {y.index for y in x}
        return Lane(lane, self.apply(name, *(y.value for y in x)))

    def _compare(self, predicate: str, a: str) -> Comparison:
        return Comparison(predicate, self.values[a])

    def _select(self, flag: str, a: str, b: str) -> Any:
        """x < 0 ? −1 : x, then x > 0 ? 1 : that, which is the sign of x"""
        test, yes, no = self.values[flag], self.values[a], self.values[b]
        number = self.algebra.number
        if test.predicate == "olt" and yes == number(-1.0) and no == test.x:
            return NegativePart(test.x)
        if test.predicate == "ogt" and yes == number(1.0) and no == NegativePart(test.x):
            return self.apply("sign", test.x)
        raise TypeError

    # -- lanes -----------------------------------------------------------------------------------------
    def _insert(self, vector: str, x: str, lane: str) -> Any:
        """A vector with one lane replaced; one value again if each lane has that of its own state."""
        content = list(self._lanes(self.values[vector]))
        content[int(lane)] = self.values[x]
        if self.types.lanes > 1:
            first = content[0].value
            if all(y.index == l and y.value == first for l, y in enumerate(content)):
                return first
        return tuple(content)

    def _extract(self, vector: str, lane: str) -> Any:
        return self._lanes(self.values[vector])[int(lane)]

    def _lanewise(self, function: str, x: Any) -> Any:
        if isinstance(x, tuple):
            return tuple(self.apply(function, y) for y in cast(tuple[Any, ...], x))
        return self.apply(function, x)

    def _lanes(self, vector: Any) -> tuple[Any, ...]:
        if isinstance(vector, tuple):
            return cast(tuple[Any, ...], vector)
        if self.types.lanes > 1:
            return tuple(Lane(l, vector) for l in range(self.width))
        return (vector,) * self.width

    # -- memory ----------------------------------------------------------------------------------------
    def _argument(self, k: str) -> ArraySlot:
        return ArraySlot(int(k))

    def _array(self, place: str) -> Pointer:
        return Pointer(self.values[place].array, 0)

    def _element(self, pointer: str, count: str) -> Pointer:
        p = self.values[pointer]
        return Pointer(p.base, p.offset + int(count))

    def _load(self, pointer: str) -> Any:
        p = self.values[pointer]
        if isinstance(p.base, Slot):
            return p.base.numbers[p.offset]
        element, lane = divmod(p.offset, self.types.lanes)
        if lane or self.stored:
            raise TypeError
        return self.algebra.symbol(p.base, element)

    def _store(self, x: str, pointer: str) -> None:
        p, value = self.values[pointer], self.values[x]
        element, lane = divmod(p.offset, self.types.lanes)
        place = (p.base, element)
        if lane or place in self.stored or isinstance(value, (tuple, NegativePart)):
            raise TypeError
        self.stored[place] = value

    def _alloca(self) -> Pointer:
        return Pointer(Slot(), 0)

    def _keep(self, vector: str, pointer: str) -> None:
        p = self.values[pointer]
        if p.offset or p.base.numbers or self.types.lanes > 1:
            raise TypeError
        p.base.numbers = self._lanes(self.values[vector])


def _operands(grammar: re.Pattern[str]) -> dict[str, tuple[int, ...]]:
    """The groups inside that of each kind."""
    starts = [*grammar.groupindex.values(), grammar.groups + 1]
    kinds = zip(grammar.groupindex, pairwise(starts), strict=True)
    return {kind: tuple(range(start + 1, end)) for kind, (start, end) in kinds}

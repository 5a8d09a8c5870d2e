"""LLVM IR of a Program: one module with `kernel` for a block of states and `batch` for many.

    void kernel(ptr args)      pointers to the arguments, then to the outputs; with L lanes element k
                               of lane l of an array lies at base[k·L + l]
    void batch(ptr args, ptr strides, i64 begin, i64 end)      see `block`

The text is final: no optimising pass of LLVM runs over it, so the order is that of the Program. A
multiply-add is `llvm.fmuladd`, fused if the processor supports it; no fast-math flag is ever set. Long
code is split into basic blocks, so that compile time is linear in its length. LLVM joins blocks that
follow each other unless their addresses are in a table: a long kernel has one, which nothing reads. All
arguments are loaded before the first result is stored, because arrays may overlap. Results are stored
last. Several results, and those of a long kernel, have many entries and are stored once known, with
all arguments loaded first: an entry that waits for the end would take a place on the stack.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, final

from ..ir.program import LEAVES, Dtype, Program
from ..ir.rounding import nearest
from .block import batch
from .sincos import declarations as sincos_declarations, emit as sincos, hexadecimal

LIBM: Final = ("exp", "log", "tanh", "asin", "acos", "atan", "atan2")
BLOCK: Final = 400  # lines in a basic block
LONG: Final = 10_000  # fewest instructions for which blocks must stay apart
BLOCKS: Final = "kernel_blocks"  # table that keeps them apart
_SINES: Final = ("sincos", "sin", "cos", "tan")
_ARITHMETIC: Final = frozenset(("add", "sub", "mul", "div"))
_LATE: Final = frozenset((*_SINES, *LIBM))
PACK: Final = {"float64": 4, "float32": 8}  # angles of one state whose sines are computed together


@final
@dataclass(frozen=True)
class Types:
    """Type of a value: a number, or one number per lane."""

    dtype: Dtype
    lanes: int

    @cached_property
    def element(self) -> str:
        return "double" if self.dtype == "float64" else "float"

    @cached_property
    def bytes(self) -> int:
        return 8 if self.dtype == "float64" else 4

    @cached_property
    def value(self) -> str:
        return self.element if self.lanes == 1 else f"<{self.lanes} x {self.element}>"

    @cached_property
    def suffix(self) -> str:
        """Suffix in the names of intrinsics: f64, v4f32."""
        lanes = "" if self.lanes == 1 else f"v{self.lanes}"
        return f"{lanes}f{8 * self.bytes}"

    def literal(self, x: Fraction | float) -> str:
        """Literal of a number, rounded once, in each lane."""
        text = hexadecimal(nearest(x, self.dtype))
        if self.lanes == 1:
            return text
        return "<" + ", ".join([f"{self.element} {text}"] * self.lanes) + ">"


def ir(program: Program, dtype: Dtype = "float64", lanes: int = 1, fused: bool = False) -> str:
    """IR of a program for a number type and a number of lanes (1, 2, 4, 8, 16).

    `fused` means that the processor has a multiply-add, which saves an instruction per sine.
    """
    types = Types(dtype, lanes)
    kernel = KernelWriter(program, types, fused)
    body = kernel.text()
    return "\n".join([*dict.fromkeys(kernel.declared), body, batch(program, types), ""])


class KernelWriter:
    """Writer of `kernel`, instruction by instruction; `cuda.thread` has the one for a GPU."""

    program: Program
    types: Types
    fused: bool

    def __init__(self, program: Program, types: Types, fused: bool) -> None:
        self.program, self.types, self.fused = program, types, fused
        self.long: bool = len(program.instructions) > LONG
        self.lines: list[str] = []
        self.declared: list[str] = []
        self.angles: list[int] = []  # sines of angles that do not depend on other sines
        self.value: dict[int, str] = {}  # operand text
        self.halves: dict[int, tuple[str, str]] = {}  # of a sincos
        self._calls: dict[str, str] = {}  # beginnings of calls of intrinsics that are declared
        self._count = 0
        self._in_block = 0
        self._blocks = 0

    def fresh(self) -> str:
        """New name of a value."""
        self._count += 1
        return f"%t{self._count}"

    def text(self) -> str:
        program = self.program
        self._pointers()
        early = self._early()
        at_once = len(program.outputs) > 1 or self.long
        inputs = [i for i, (op, _, _) in enumerate(program.instructions) if op == "input"]
        if at_once and not self.long:
            early = inputs + [i for i in early if program.instructions[i].op != "input"]
        for i in early:
            self.instruction(i)
        if self.types.lanes == 1:
            self._packed_sines()
        # Memory for sines must be allocated in the first block, which should be short.
        for i in inputs if self.long else ():
            if i not in self.value:
                self.instruction(i)
                self._cut_if_full()
        places = self._places()
        for i in range(len(program.instructions)):
            if i not in self.value and i not in self.halves:
                self.instruction(i)
            if at_once:
                self._store(i, places.pop(i, []))
            self._cut_if_full()
        for i, own in places.items():
            self._store(i, own)
        return "\n".join(
            [
                *self._table(),
                "define void @kernel(ptr %args) nounwind {",
                *self.lines,
                "  ret void",
                "}",
            ]
        )

    def _table(self) -> list[str]:
        """Addresses of the blocks of a long kernel."""
        if not self.long:
            return []
        places = [f"ptr blockaddress(@kernel, %block{k + 1})" for k in range(self._blocks)]
        return [f"@{BLOCKS} = internal constant [{len(places)} x ptr] [{', '.join(places)}]"]

    def _pointers(self) -> None:
        arrays = len(self.program.arguments) + len(self.program.outputs)
        for k in range(arrays):
            self.lines.append(f"  %at{k} = getelementptr ptr, ptr %args, i64 {k}")
            self.lines.append(f"  %array{k} = load ptr, ptr %at{k}")

    def _cut_if_full(self) -> None:
        """Start a new basic block if this one is long."""
        if len(self.lines) - self._in_block <= BLOCK:
            return
        self._blocks += 1
        self.lines += [f"  br label %block{self._blocks}", f"block{self._blocks}:"]
        self._in_block = len(self.lines)

    def _early(self) -> list[int]:
        """Instructions of the angles that do not depend on sines, in order."""
        code = self.program.instructions
        late = [False] * len(code)
        for i, (op, args, _) in enumerate(code):
            late[i] = op in _LATE or True in [late[a] for a in args]
        self.angles = [
            i for i, (op, args, _) in enumerate(code) if op in _SINES and not late[args[0]]
        ]
        needed = {code[i].args[0] for i in self.angles}
        for i in reversed(range(len(code))):
            if i in needed:
                needed.update(code[i].args)
        return [i for i in sorted(needed) if code[i].op not in ("constant", "pi")]

    def _packed_sines(self) -> None:
        """Compute sines of several angles of one state in the lanes of one vector."""
        code, width = self.program.instructions, PACK[self.types.dtype]
        angles = list(dict.fromkeys(code[i].args[0] for i in self.angles))
        wide = Types(self.types.dtype, width)
        found: dict[int, tuple[str, str]] = {}
        for start in range(0, len(angles), width):
            group = angles[start : start + width]
            if len(group) == 1:
                found[group[0]] = self._sincos(self.operand(group[0]), self.types)
                continue
            vector = "zeroinitializer"
            for lane, angle in enumerate(group):
                new = self.fresh()
                x = self.operand(angle)
                self.lines.append(
                    f"  {new} = insertelement {wide.value} {vector}, {wide.element} {x}, i32 {lane}"
                )
                vector = new
            both = self._sincos(vector, wide)
            names: list[list[str]] = [[], []]
            for half, whole in zip(names, both, strict=True):
                place = self.fresh()
                self.lines.append(f"  {place} = alloca {wide.value}, align {width * wide.bytes}")
                self.lines.append(f"  store {wide.value} {whole}, ptr {place}")
                for lane in range(len(group)):
                    at, new = self.fresh(), self.fresh()
                    self.lines.append(
                        f"  {at} = getelementptr {wide.element}, ptr {place}, i64 {lane}"
                    )
                    self.lines.append(f"  {new} = load {wide.element}, ptr {at}")
                    half.append(new)
            found |= dict(zip(group, zip(*names, strict=True), strict=True))
        for i in self.angles:
            self._take(i, found[code[i].args[0]])

    def _take(self, i: int, pair: tuple[str, str]) -> None:
        """Take the value of a sine instruction from a pair."""
        match self.program.instructions[i].op:
            case "sincos":
                self.halves[i] = pair
            case "sin":
                self.value[i] = pair[0]
            case "cos":
                self.value[i] = pair[1]
            case _:
                self.value[i] = self._line(f"fdiv {self.types.value} {pair[0]}, {pair[1]}")

    def _sincos(self, x: str, types: Types) -> tuple[str, str]:
        sine, cosine = self.fresh(), self.fresh()
        lines = sincos(x, sine, cosine, self.fresh, types.dtype, types.lanes, self.fused)
        self.lines += [f"  {line}" for line in lines]
        self.declared += sincos_declarations(types.dtype, types.lanes, self.fused)
        return sine, cosine

    def operand(self, i: int) -> str:
        """Text of a value: a literal, or its name."""
        found = self.value.get(i)
        if found is None:
            op, _, leaf = self.program.instructions[i]
            assert op in ("constant", "pi")
            number = leaf if isinstance(leaf, Fraction) else 3.141592653589793
            found = self.value[i] = self.types.literal(number)
        return found

    def _line(self, text: str) -> str:
        self._count += 1
        new = f"%t{self._count}"
        self.lines.append(f"  {new} = {text}")
        return new

    def instruction(self, i: int) -> None:
        """Write one instruction of the program."""
        op, args, leaf = self.program.instructions[i]
        T = self.types.value
        if op in _ARITHMETIC:  # most instructions
            a, b = args
            self.value[i] = self._line(f"f{op} {T} {self.operand(a)}, {self.operand(b)}")
            return
        if isinstance(leaf, tuple):
            self.value[i] = self.load(*leaf)
            return
        if op in LEAVES:
            return
        if op in ("sine", "cosine"):
            self.value[i] = self.halves[args[0]][op == "cosine"]
            return
        x = [self.operand(a) for a in args]
        if op in _SINES:
            self._take(i, self._sincos(x[0], self.types))
            return
        match op:
            case "neg":
                self.value[i] = self._line(f"fneg {T} {x[0]}")
            case "fma":
                self.value[i] = self._intrinsic("fmuladd", *x)
            case "fms":
                self.value[i] = self._intrinsic("fmuladd", x[0], x[1], self._negative(x[2]))
            case "fnma":
                self.value[i] = self._intrinsic("fmuladd", self._negative(x[0]), x[1], x[2])
            case "fnms":
                a, c = self._negative(x[0]), self._negative(x[2])
                self.value[i] = self._intrinsic("fmuladd", a, x[1], c)
            case "sqrt" | "abs":
                self.value[i] = self._intrinsic("fabs" if op == "abs" else "sqrt", *x)
            case "sign":
                self.value[i] = self._sign(x[0])
            case _:
                self.value[i] = self._libm(op, x)

    def _negative(self, x: str) -> str:
        return self._line(f"fneg {self.types.value} {x}")

    def _intrinsic(self, name: str, *x: str) -> str:
        T = self.types.value
        call = self._calls.get(name)
        if call is None:
            full = f"@llvm.{name}.{self.types.suffix}"
            self.declared.append(f"declare {T} {full}({', '.join([T] * len(x))})")
            call = self._calls[name] = f"call {T} {full}({T} "
        return self._line(f"{call}{f', {T} '.join(x)})")

    def _sign(self, x: str) -> str:
        """Sign of x: 1, −1, or x itself if it is 0 or NaN."""
        T, one, minus = self.types.value, self.types.literal(1.0), self.types.literal(-1.0)
        flag = "i1" if self.types.lanes == 1 else f"<{self.types.lanes} x i1>"
        low = self._line(f"fcmp olt {T} {x}, zeroinitializer")
        low = self._line(f"select {flag} {low}, {T} {minus}, {T} {x}")
        high = self._line(f"fcmp ogt {T} {x}, zeroinitializer")
        return self._line(f"select {flag} {high}, {T} {one}, {T} {low}")

    def _libm(self, op: str, x: Iterable[str]) -> str:
        """Call a function of the C library, lane by lane."""
        E, T, lanes = self.types.element, self.types.value, self.types.lanes
        x = list(x)
        name = f"@{op}" if E == "double" else f"@{op}f"
        self.declared.append(f"declare {E} {name}({', '.join([E] * len(x))})")
        if lanes == 1:
            return self._line(f"call {E} {name}({', '.join(f'{E} {y}' for y in x)})")
        vector = "zeroinitializer"
        for lane in range(lanes):
            one = [self._line(f"extractelement {T} {y}, i32 {lane}") for y in x]
            y = self._line(f"call {E} {name}({', '.join(f'{E} {z}' for z in one)})")
            vector = self._line(f"insertelement {T} {vector}, {E} {y}, i32 {lane}")
        return vector

    def _places(self) -> dict[int, list[tuple[int, int]]]:
        """(array, element) of the results to which each value belongs, in the order of the results."""
        places: dict[int, list[tuple[int, int]]] = {}
        for k, output in enumerate(self.program.outputs, len(self.program.arguments)):
            for element, i in enumerate(output.values):
                places.setdefault(i, []).append((k, element))
        return places

    def _store(self, i: int, places: Iterable[tuple[int, int]]) -> None:
        for k, element in places:
            self.store(self.operand(i), k, element)

    def load(self, array: int, element: int) -> str:
        """Load an element of an argument; the name of its value."""
        at = self._element(array, element)
        align = self.types.bytes * self.types.lanes
        return self._line(f"load {self.types.value}, ptr {at}, align {align}")

    def store(self, x: str, array: int, element: int) -> None:
        """Store a value to an element of an output."""
        at, align = self._element(array, element), self.types.bytes * self.types.lanes
        self.lines.append(f"  store {self.types.value} {x}, ptr {at}, align {align}")

    def _element(self, array: int, element: int) -> str:
        offset = element * self.types.lanes
        return self._line(f"getelementptr {self.types.element}, ptr %array{array}, i64 {offset}")

"""Writer of IR: values of all lanes, blocks of memory for states, and calls of the kernel.

A block holds element k of lane l at base[k·L + l], as the kernel does. A value is one vector of all
lanes (a number, if there is one lane).
"""

from __future__ import annotations

from typing import final

from ..ir.program import Program
from ..jit.llvm import Types


@final
class Writer:
    """Writes IR: `entry` has the lines at the top of the function, `lines` those that follow."""

    program: Program
    types: Types
    coordinates: int
    size: int

    def __init__(self, program: Program, types: Types, coordinates: int, size: int) -> None:
        self.program, self.types = program, types
        self.coordinates, self.size = coordinates, size  # of a state (q, v)
        self.entry: list[str] = []
        self.lines: list[str] = []
        self.declared: set[str] = set()
        self._blocks: set[str] = set()
        self._count = 0

    # -- values ----------------------------------------------------------------------------------------
    def line(self, text: str) -> str:
        """Write an instruction; return the name of its value."""
        self._count += 1
        self.lines.append(f"  %t{self._count} = {text}")
        return f"%t{self._count}"

    def intrinsic(self, name: str, *x: str) -> str:
        """Call an intrinsic (fabs, maxnum, sqrt, fmuladd …) on values."""
        T, full = self.types.value, f"@llvm.{name}.{self.types.suffix}"
        self.declared.add(f"declare {T} {full}({', '.join([T] * len(x))})")
        return self.line(f"call {T} {full}({', '.join(f'{T} {y}' for y in x)})")

    def everywhere(self, number: str) -> str:
        """Value with the same number in each lane."""
        L, E, T = self.types.lanes, self.types.element, self.types.value
        if L == 1:
            return number
        first = self.line(f"insertelement {T} poison, {E} {number}, i32 0")
        return self.line(f"shufflevector {T} {first}, {T} poison, <{L} x i32> zeroinitializer")

    # -- conditions ------------------------------------------------------------------------------------
    @property
    def flag(self) -> str:
        """Type of a condition: one bit per lane."""
        return "i1" if self.types.lanes == 1 else f"<{self.types.lanes} x i1>"

    def is_one(self, value: str) -> str:
        return self.line(f"fcmp oeq {self.types.value} {value}, {self.types.literal(1.0)}")

    def select(self, condition: str, yes: str, no: str) -> str:
        """Select between two values, lane by lane."""
        T = self.types.value
        return self.line(f"select {self.flag} {condition}, {T} {yes}, {T} {no}")

    def any(self, condition: str) -> str:
        """Whether a condition holds in any lane."""
        L = self.types.lanes
        if L == 1:
            return condition
        bits = self.line(f"bitcast <{L} x i1> {condition} to i{L}")
        return self.line(f"icmp ne i{L} {bits}, 0")

    # -- blocks ----------------------------------------------------------------------------------------
    def block(self, name: str, size: int | None = None) -> str:
        """Block with this name, allocated at first use; its default size is that of a state."""
        if name not in self._blocks:
            self._blocks.add(name)
            L, E = self.types.lanes, self.types.element
            length = max(self.size if size is None else size, 1) * L
            align = max(16, L * self.types.bytes)
            self.entry.append(f"  %block_{name} = alloca [{length} x {E}], align {align}")
        return f"%block_{name}"

    def _at(self, name: str, element: int) -> str:
        offset = element * self.types.lanes
        return self.line(
            f"getelementptr {self.types.element}, ptr {self.block(name)}, i64 {offset}"
        )

    def load(self, name: str, element: int) -> str:
        align = self.types.lanes * self.types.bytes
        return self.line(f"load {self.types.value}, ptr {self._at(name, element)}, align {align}")

    def store(self, value: str, name: str, element: int) -> None:
        at, align = self._at(name, element), self.types.lanes * self.types.bytes
        self.lines.append(f"  store {self.types.value} {value}, ptr {at}, align {align}")

    def get(self, name: str) -> str:
        """Load the value of a block with one element."""
        self.block(name, 1)
        return self.load(name, 0)

    def set(self, name: str, value: str) -> None:
        self.block(name, 1)
        self.store(value, name, 0)

    def copy(self, source: str, target: str) -> None:
        """Copy one state to another."""
        for e in range(self.size):
            self.store(self.load(source, e), target, e)

    # -- flow ------------------------------------------------------------------------------------------
    def jump(self, label: str) -> None:
        """Start a new basic block."""
        self.lines += [f"  br label %{label}", f"{label}:"]

    def clock(self, c: float, a: float, b: float) -> None:
        """Set (t, a, b) of the kernel: the time c steps after %time, a steps, and b steps."""
        number = Types(self.types.dtype, 1).literal
        E = self.types.element
        self.block("clock", 3)
        for k, x in enumerate((c, a, b)):
            scaled = self.line(f"fmul {E} %step, {number(x)}")
            scaled = self.line(f"fadd {E} %time, {scaled}") if k == 0 else scaled
            self.store(self.everywhere(scaled), "clock", k)

    def call(self, **states: str) -> None:
        """Call the kernel with its point and other states in the named blocks."""
        table, arrays = (
            f"%call{self._count}",
            len(self.program.arguments) + len(self.program.outputs),
        )
        self._count += 1
        self.entry.append(f"  {table} = alloca [{arrays} x ptr], align 16")
        names = [*(a.name for a in self.program.arguments), *(y.name for y in self.program.outputs)]
        for k, name in enumerate(names):
            block = self.block(states.get("point" if name in ("q", "v") else name, name))
            offset = self.coordinates * self.types.lanes if name == "v" else 0
            self.entry += [
                f"  {table}_to{k} = getelementptr {self.types.element}, ptr {block}, i64 {offset}",
                f"  {table}_at{k} = getelementptr ptr, ptr {table}, i64 {k}",
                f"  store ptr {table}_to{k}, ptr {table}_at{k}",
            ]
        self.lines.append(f"  call void @kernel(ptr {table})")

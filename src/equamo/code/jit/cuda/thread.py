"""LLVM IR of a Program for a GPU: one state per thread, by the instructions of the CPU's kernel.

    kernel(i64 count, for each array: a pointer, its stride from state to state and from element to
    element [bytes]; for an array passed by value, its numbers)

Thread t works on state min(t, count − 1): the threads beyond the last state do the same work as the last
one and write the same numbers, so that no thread leaves early and no access needs a condition. The
outputs can be divided into parts; blocks with blockIdx.y = p then compute part p.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ...ir.program import Program
from ..llvm import KernelWriter, Types
from ..sincos import SCALAR, declarations as sincos_declarations, emit as sincos
from . import elementary
from .layout import WARP, Layout
from .order import Order, best_order, needed_by
from .parking import Parking, parked
from .staging import GLOBAL, SHARED, declarations, first_states, moved_in, moved_out, own_rows

Entry = tuple[int, int]  # array and element
_REGISTERS: Final = ("tid.x", "ctaid.x", "ntid.x", "ctaid.y")
_LAST: Final = (
    "  %last = sub i64 %count, 1",
    "  %inside = icmp slt i64 %thread, %last",
    "  %i = select i1 %inside, i64 %thread, i64 %last",
)
REGISTERS: Final = tuple(f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}()" for name in _REGISTERS)


def thread_ir(
    program: Program,
    layout: Layout,
    parts: Sequence[frozenset[Entry]] = (),
    quick: bool = True,
    parking: Parking | None = None,
) -> str:
    """IR of the kernel; `parts` are the entries that each part computes, by default one part."""
    writers: list[ThreadWriter] = []
    for wanted in parts or (None,):
        writer = ThreadWriter(program, layout, writers[-1].count if writers else 0, quick)
        writer.parking = parking
        writer.body(wanted)
        writers.append(writer)
    declared = [x for writer in writers for x in writer.declared]
    arguments, arrays = len(program.arguments), len(layout.access)
    out = [
        *REGISTERS,
        *declarations(layout),
        *dict.fromkeys(declared),
        head(layout),
        *prologue(layout),
        *moved_in(layout, range(arguments)),
    ]
    if len(writers) == 1:
        out += writers[0].lines
    else:
        cases = " ".join(f"i32 {p}, label %part{p}" for p in range(len(writers)))
        out.append(f"  switch i32 %ctaidy, label %part0 [ {cases} ]")
        for p, writer in enumerate(writers):
            out += [f"part{p}:", *writer.lines, "  br label %done"]
        out.append("done:")
    out += [*moved_out(layout, range(arguments, arrays)), "  ret void", "}", "!0 = !{}", ""]
    return "\n".join(out)


def waiting_values(
    program: Program,
    layout: Layout,
    kept: int,
    room: int,
    order: Order | None = None,
    moved: bool = False,
) -> Parking:
    """Values parked in shared memory, in which a thread has room for `room` numbers; see `parking`."""
    code = program.instructions

    def free(i: int) -> bool:
        place = code[i].leaf
        return isinstance(place, tuple) and layout.access[place[0]] == "value"

    return parked(code, order or best_order(program), kept, room, free, moved)


def frame(layout: Layout, arguments: int) -> str:
    """IR of a kernel without the instructions of a program: only the surrounding lines."""
    return "\n".join(
        [
            *REGISTERS,
            *declarations(layout),
            head(layout),
            *prologue(layout),
            *moved_in(layout, range(arguments)),
            *moved_out(layout, range(arguments, len(layout.access))),
            "  ret void",
            "}",
            "!0 = !{}",
            "",
        ]
    )


def head(layout: Layout) -> str:
    """The line of the definition."""
    given = ["i64 %count"]
    for k, (kind, n) in enumerate(zip(layout.access, layout.sizes, strict=True)):
        if kind == "value":
            given.append(f"ptr byval([{max(n, 1)} x {layout.element}]) align 8 %array{k}")
        else:
            step = f"%step{k}" if layout.short else f"%element{k}"
            given.append(f"{GLOBAL} %array{k}, i64 %state{k}, i64 {step}")
    return f"define ptx_kernel void @kernel({', '.join(given)}) nounwind {{"


def thread_number(rows: bool = False) -> list[str]:
    """State %i of this thread and its index registers; with `rows`, for a whole warp."""
    names = {name: name.replace(".", "") for name in _REGISTERS}
    return [f"  %{x} = call i32 @llvm.nvvm.read.ptx.sreg.{name}()" for name, x in names.items()] + [
        "  %tid = zext i32 %tidx to i64",
        "  %block = zext i32 %ctaidx to i64",
        "  %threads = zext i32 %ntidx to i64",
        "  %before = mul i64 %block, %threads",
        "  %thread = add i64 %before, %tid",
        *(first_states() if rows else _LAST),
    ]


def prologue(layout: Layout) -> list[str]:
    """State %i of this thread, and the place of its numbers in each array, %own…"""
    out = thread_number(bool(layout.staged))
    for k, kind in enumerate(layout.access):
        if kind != "value" and k not in layout.staged:
            if layout.short:  # then one instruction per address instead of three
                out += [
                    f"  %low{k} = trunc i64 %step{k} to i32",
                    f"  %element{k} = zext i32 %low{k} to i64",
                ]
            out += [
                f"  %offset{k} = mul i64 %i, %state{k}",
                f"  %own{k} = getelementptr i8, {GLOBAL} %array{k}, i64 %offset{k}",
            ]
    return out + own_rows(layout) + parking_places(layout)


def parking_places(layout: Layout) -> list[str]:
    """Places of this thread's parked numbers: %near in shared memory, %far in local memory."""
    out: list[str] = []
    if layout.parked:
        rows = layout.shared * layout.threads // WARP
        out += [
            f"  %seat = mul i64 %tid, {layout.bytes}",
            f"  %seats = add i64 %seat, {rows}",
            f"  %near = getelementptr i8, {SHARED} @stage, i64 %seats",
        ]
    if layout.far:
        # Always 0, but unknown to the assembler, which would keep numbers at known places in registers.
        out += [
            f"  %depot = alloca [{layout.far} x {layout.element}], align 8",
            "  %none = lshr i64 %count, 62",
            f"  %far = getelementptr {layout.element}, ptr %depot, i64 %none",
        ]
    return out


class ThreadWriter(KernelWriter):
    """Writer of the instructions of one thread, in the order of the program."""

    layout: Layout
    quick: bool
    lines: list[str]
    declared: list[str]

    def __init__(
        self, program: Program, layout: Layout, count: int = 0, quick: bool = True
    ) -> None:
        super().__init__(program, Types(layout.dtype, 1), fused=True)
        self.layout, self._count, self.quick = layout, count, quick
        self.parking: Parking | None = None

    @property
    def count(self) -> int:
        """Number of named values."""
        return self._count

    def body(self, wanted: frozenset[Entry] | None = None) -> None:
        """Write the instructions for some entries, by default all; each is stored once it is known."""
        places = self._places()
        if wanted is not None:
            places = {i: [x for x in own if x in wanted] for i, own in places.items()}
        for i in self._order({i for i, own in places.items() if own}):
            self._move(i)
            self.instruction(i)
            self._store(i, places.get(i, []))

    def _order(self, wanted: set[int]) -> Order:
        """Instructions that some values need, in the order in which they are written."""
        if self.parking is not None:
            return self.parking.order
        return tuple(needed_by(self.program.instructions, wanted))

    def _move(self, i: int) -> None:
        """Store and load parked values before an instruction."""
        if self.parking is None:
            return
        E, B = self.types.element, self.types.bytes
        V = "" if self.parking.moved else "volatile "
        for value, place in self.parking.stores.get(i, ()):
            x, (at, space) = self.operand(value), self._seat(place)
            self.lines.append(f"  store {V}{E} {x}, {space} {at}, align {B}")
        for value, place in self.parking.loads.get(i, ()):
            at, space = self._seat(place)
            self.value[value] = self._line(f"load {V}{E}, {space} {at}, align {B}")

    def _seat(self, place: int) -> tuple[str, str]:
        """Address of a parked number, and its kind."""
        layout, B = self.layout, self.types.bytes
        if place < layout.parked:
            step = layout.threads * B * place
            return self._line(f"getelementptr i8, {SHARED} %near, i64 {step}"), SHARED
        step = B * (place - layout.parked)
        return self._line(f"getelementptr i8, ptr %far, i64 {step}"), "ptr"

    def instruction(self, i: int) -> None:
        op, args, _ = self.program.instructions[i]
        if op == "div" and self.quick:
            self.value[i] = self._quotient(*(self.operand(a) for a in args))
        else:
            super().instruction(i)

    def _quotient(self, a: str, b: str) -> str:
        """a/b by Newton's method from the device's approximate reciprocal, without a branch."""
        T, kind = self.types.value, "d" if self.types.dtype == "float64" else "f"
        name = f"@llvm.nvvm.rcp.approx.ftz.{kind}"
        self.declared.append(f"declare {T} {name}({T})")
        minus = self._negative(b)
        r = self._line(f"call {T} {name}({T} {b})")
        one = self.types.literal(1.0)
        for _ in range(2 if kind == "d" else 1):
            r = self._intrinsic("fma", r, self._intrinsic("fma", minus, r, one), r)
        y = self._line(f"fmul {T} {a}, {r}")
        return self._intrinsic("fma", self._intrinsic("fma", minus, y, a), r, y)

    def load(self, array: int, element: int) -> str:
        E, B = self.types.element, self.types.bytes
        if self.layout.access[array] == "value":
            at = self._line(f"getelementptr {E}, ptr %array{array}, i64 {element}")
            return self._line(f"load {E}, ptr {at}, align {B}")
        at, space = self._own(array, element)
        more = ", !invariant.load !0" if space == GLOBAL else ""
        return self._line(f"load {E}, {space} {at}, align {B}{more}")

    def store(self, x: str, array: int, element: int) -> None:
        at, space = self._own(array, element)
        E, B = self.types.element, self.types.bytes
        self.lines.append(f"  store {E} {x}, {space} {at}, align {B}")

    def _own(self, array: int, element: int) -> tuple[str, str]:
        """Address of an element of this thread's state, and its kind."""
        if array in self.layout.staged:
            E = self.types.element
            return self._line(f"getelementptr {E}, {SHARED} %own{array}, i64 {element}"), SHARED
        step = self._line(f"mul i64 %element{array}, {element}")
        return self._line(f"getelementptr i8, {GLOBAL} %own{array}, i64 {step}"), GLOBAL

    def _sincos(self, x: str, types: Types) -> tuple[str, str]:
        sine, cosine = self.fresh(), self.fresh()
        lines = sincos(x, sine, cosine, self.fresh, types.dtype, SCALAR, self.fused)
        self.lines += [f"  {line}" for line in lines]
        self.declared += sincos_declarations(types.dtype, SCALAR, self.fused)
        return sine, cosine

    def _libm(self, op: str, x: Iterable[str]) -> str:
        """Call our own function, since a GPU has no C library."""
        T, dtype = self.types.value, self.types.dtype
        self.declared += [*elementary.declarations(dtype), *elementary.definitions(op, dtype)]
        given = ", ".join(f"{T} {y}" for y in x)
        return self._line(f"call {T} @{elementary.name_of(op, dtype)}({given})")

"""Entry of a single-state call as LLVM IR: a C function that Python calls without any wrapper.

The usual call has one NumPy array per state argument, contiguous, aligned, of the kernel's dtype and
length, and perhaps `out`. The entry reads their addresses from the array objects, creates the result and
calls the kernel; several results become a tuple. Any other call, such as one with `out` for several
results, goes to `self`, a Python object that accepts more and explains errors.
What the entry needs of the running process (functions of Python, default parameters) is in a table
whose address `bind` stores, so the code itself can be kept in a file.

The layout of array objects is that of NumPy's public headers; `builtin.layout_is_known` checks sample
arrays first, and the entry is not used if they differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final, final

import numpy as np

# Bytes from the start of an object, 64 bit.
TYPE, DATA, NDIM, SHAPE, DESCRIPTION, FLAGS = 8, 16, 24, 32, 56, 64
KIND: Final = 24  # in a dtype: kind, letter, byte order and number of the type in eight bytes

CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
READ: Final = CONTIGUOUS | ALIGNED
WRITE: Final = READ | WRITEABLE

# Table filled in by the running process; `shape` and `dtype` are the arguments of `empty`. After it are
# the addresses of the defaults, then, for several results, the shape and the dtype of each.
TABLE: Final = (
    "vectorcall", "empty", "shape", "dtype", "array", "kind", "out", "tuple_size", "tuple_item",
    "take", "drop", "new_float", "new_tuple", "set_item",
)  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class Signature:
    """Signature of a call: lengths of the state arguments, number of defaults, and the results."""

    states: tuple[int, ...]
    defaults: int  # arguments after the states, in the order of the kernel: external, parameters
    shapes: tuple[tuple[int, ...], ...]  # of the results
    dtype: str

    @property
    def pointers(self) -> int:
        """Number of arrays that the kernel takes."""
        return len(self.states) + self.defaults + len(self.shapes)


@final
class _Lines:
    """IR of a function, line by line, with fresh names."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0

    def put(self, line: str) -> None:
        self.lines.append(line if line.endswith(":") else f"  {line}")

    def let(self, value: str) -> str:
        self.count += 1
        self.put(f"%x{self.count} = {value}")
        return f"%x{self.count}"

    def load(self, kind: str, base: str, offset: int) -> str:
        return self.let(f"load {kind}, ptr {self.at(base, offset)}")

    def at(self, base: str, offset: int) -> str:
        return self.let(f"getelementptr i8, ptr {base}, i64 {offset}")

    def table(self, name: str, kind: str = "ptr") -> str:
        return self.load(kind, "%table", 8 * TABLE.index(name))

    def require(self, condition: str, otherwise: str) -> None:
        """Continue if a condition holds, else jump."""
        self.count += 1
        self.put(f"br i1 {condition}, label %go{self.count}, label %{otherwise}")
        self.put(f"go{self.count}:")

    def require_array(self, x: str, shape: Sequence[int], flags: int, otherwise: str) -> None:
        """Require an array of this shape and of the kernel's dtype."""
        same = self.let(f"icmp eq ptr {self.load('ptr', x, TYPE)}, {self.table('array')}")
        self.require(same, otherwise)
        same = self.let(f"icmp eq i32 {self.load('i32', x, NDIM)}, {len(shape)}")
        self.require(same, otherwise)
        sizes = self.load("ptr", x, SHAPE)
        checks = [
            self.let(f"icmp eq i64 {self.load('i64', sizes, 8 * i)}, {n}")
            for i, n in enumerate(shape)
        ]
        kind = self.load("i64", self.load("ptr", x, DESCRIPTION), KIND)
        checks.append(self.let(f"icmp eq i64 {kind}, {self.table('kind', 'i64')}"))
        # Views that warn on write (bit 31) take the general call.
        mask = flags - (1 << 31) if flags & WRITEABLE else flags
        found = self.let(f"and i32 {self.load('i32', x, FLAGS)}, {mask}")
        checks.append(self.let(f"icmp eq i32 {found}, {flags}"))
        every = checks[0]
        for check in checks[1:]:
            every = self.let(f"and i1 {every}, {check}")
        self.require(every, otherwise)


def entry_ir(signature: Signature) -> str:
    """IR of `entry` and `bind`, for the same module as `kernel`."""
    return f"""
@table = internal global ptr null

define void @bind(ptr %table) nounwind {{
  store ptr %table, ptr @table
  ret void
}}

define ptr @entry(ptr %self, ptr %arguments, i64 %count, ptr %keywords) nounwind {{
{chr(10).join(_body(signature))}
general:
  %general.call = load ptr, ptr %table
  %general.result = call ptr %general.call(ptr %self, ptr %arguments, i64 %count, ptr %keywords)
  ret ptr %general.result
}}
"""


def _body(s: Signature) -> Iterator[str]:
    shape, *more = s.shapes
    if more:
        return _tuple_body(s)
    return _array_body(s, shape) if shape else _scalar_body(s)


def _array_body(s: Signature, result: tuple[int, ...]) -> Iterator[str]:
    """Body for an array result: a new one, or `out`."""
    b = _Lines()
    b.put("%table = load ptr, ptr @table")
    b.put(f"%pointers = alloca [{s.pointers} x ptr]")
    b.require(b.let(f"icmp eq i64 %count, {len(s.states)}"), "general")
    plain = b.let("icmp eq ptr %keywords, null")
    b.put(f"br i1 {plain}, label %new, label %named")

    b.put("named:")  # one keyword, `out`: names are interned, so comparing addresses is enough
    number = b.let(f"call i64 {b.table('tuple_size')}(ptr %keywords)")
    b.require(b.let(f"icmp eq i64 {number}, 1"), "general")
    name = b.let(f"call ptr {b.table('tuple_item')}(ptr %keywords, i64 0)")
    b.require(b.let(f"icmp eq ptr {name}, {b.table('out')}"), "general")
    b.put(f"%given.slot = getelementptr ptr, ptr %arguments, i64 {len(s.states)}")
    b.put("%given = load ptr, ptr %given.slot")
    b.require_array("%given", result, WRITE, "general")
    b.put("br label %ready")
    given_from = f"go{b.count}"

    # The result is created before any address is read: only our code runs after that.
    b.put("new:")
    shape = b.at("%table", 8 * TABLE.index("shape"))
    b.put(
        f"%made = call ptr {b.table('vectorcall')}(ptr {b.table('empty')}, ptr {shape}, i64 2, ptr null)"
    )
    none = b.let("icmp eq ptr %made, null")
    b.put(f"br i1 {none}, label %failed, label %ready")
    b.put("failed:")
    b.put("ret ptr null")

    b.put("ready:")
    b.put(f"%result = phi ptr [ %given, %{given_from} ], [ %made, %new ]")
    b.put(f"%is.new = phi i1 [ false, %{given_from} ], [ true, %new ]")
    target = b.load("ptr", "%result", DATA)
    end = b.at(target, _size(s.dtype) * prod(result))
    pointers = _states(b, s, "reject")
    for data, length in zip(pointers, s.states, strict=True):
        # `out` overlaps an input: the general call uses a temporary result
        over = b.at(data, _size(s.dtype) * length)
        before = b.let(f"icmp ule ptr {end}, {data}")
        after = b.let(f"icmp ule ptr {over}, {target}")
        b.require(b.let(f"or i1 {before}, {after}"), "reject")
    _call(b, s, pointers, [target])
    b.put("br i1 %is.new, label %return, label %take")
    b.put("take:")
    b.put(f"call void {b.table('take')}(ptr %result)")
    b.put("br label %return")
    b.put("return:")
    b.put("ret ptr %result")

    b.put("reject:")
    b.put("br i1 %is.new, label %drop, label %general")
    b.put("drop:")
    b.put(f"call void {b.table('drop')}(ptr %result)")
    b.put("br label %general")
    yield from b.lines


def _scalar_body(s: Signature) -> Iterator[str]:
    """Body for a scalar result, a Python float; with any keyword the call is general."""
    b = _Lines()
    number = "double" if s.dtype == "float64" else "float"
    b.put("%table = load ptr, ptr @table")
    b.put(f"%pointers = alloca [{s.pointers} x ptr]")
    b.put(f"%place = alloca {number}")
    b.require(b.let(f"icmp eq i64 %count, {len(s.states)}"), "general")
    b.require(b.let("icmp eq ptr %keywords, null"), "general")
    _call(b, s, _states(b, s, "general"), ["%place"])
    x = b.let(f"load {number}, ptr %place")
    if number == "float":
        x = b.let(f"fpext float {x} to double")
    b.put(f"%result = call ptr {b.table('new_float')}(double {x})")
    b.put("ret ptr %result")
    yield from b.lines


def _tuple_body(s: Signature) -> Iterator[str]:
    """Body for several results, a tuple; a call with any keyword is general."""
    b = _Lines()
    number = "double" if s.dtype == "float64" else "float"
    b.put("%table = load ptr, ptr @table")
    b.put(f"%pointers = alloca [{s.pointers} x ptr]")
    for k, shape in enumerate(s.shapes):
        if not shape:
            b.put(f"%place{k} = alloca {number}")
    b.require(b.let(f"icmp eq i64 %count, {len(s.states)}"), "general")
    b.require(b.let("icmp eq ptr %keywords, null"), "general")

    # The arrays are created before any address is read, the tuple after the kernel has run.
    arrays = [k for k, shape in enumerate(s.shapes) if shape]
    first = len(TABLE) + s.defaults
    for position, k in enumerate(arrays):
        shape = b.at("%table", 8 * (first + 2 * k))
        b.put(
            f"%made{k} = call ptr {b.table('vectorcall')}(ptr {b.table('empty')}, ptr {shape}, i64 2, "
            "ptr null)"
        )
        b.require(b.let(f"icmp ne ptr %made{k}, null"), f"failed{position}")
    states = _states(b, s, "reject")
    targets = [
        b.load("ptr", f"%made{k}", DATA) if shape else f"%place{k}"
        for k, shape in enumerate(s.shapes)
    ]
    _call(b, s, states, targets)
    failed = f"failed{len(arrays)}"
    b.put(f"%result = call ptr {b.table('new_tuple')}(i64 {len(s.shapes)})")
    b.require(b.let("icmp ne ptr %result, null"), failed)
    for k, shape in enumerate(s.shapes):
        if shape:  # the tuple takes the reference
            b.let(f"call i32 {b.table('set_item')}(ptr %result, i64 {k}, ptr %made{k})")
    for k, shape in enumerate(s.shapes):
        if not shape:
            x = b.let(f"load {number}, ptr %place{k}")
            if number == "float":
                x = b.let(f"fpext float {x} to double")
            b.put(f"%made{k} = call ptr {b.table('new_float')}(double {x})")
            b.require(b.let(f"icmp ne ptr %made{k}, null"), "incomplete")
            b.let(f"call i32 {b.table('set_item')}(ptr %result, i64 {k}, ptr %made{k})")
    b.put("ret ptr %result")

    if len(arrays) < len(s.shapes):
        b.put("incomplete:")
        b.put(f"call void {b.table('drop')}(ptr %result)")
        b.put("ret ptr null")
    for position in reversed(range(len(arrays) + 1)):  # the arrays before this position exist
        b.put(f"failed{position}:")
        if position:
            b.put(f"call void {b.table('drop')}(ptr %made{arrays[position - 1]})")
            b.put(f"br label %failed{position - 1}")
        else:
            b.put("ret ptr null")
    b.put("reject:")
    for k in arrays:
        b.put(f"call void {b.table('drop')}(ptr %made{k})")
    b.put("br label %general")
    yield from b.lines


def _states(b: _Lines, s: Signature, otherwise: str) -> list[str]:
    """Addresses of the numbers of the state arguments."""
    pointers: list[str] = []
    for i, length in enumerate(s.states):
        x = b.let(f"load ptr, ptr {b.at('%arguments', 8 * i)}")
        b.require_array(x, (length,), READ, otherwise)
        pointers.append(b.load("ptr", x, DATA))
    return pointers


def _call(b: _Lines, s: Signature, states: Sequence[str], targets: Sequence[str]) -> None:
    """kernel({states, defaults of the other arguments, results})"""
    defaults = [b.load("ptr", "%table", 8 * (len(TABLE) + i)) for i in range(s.defaults)]
    pointers = [*states, *defaults, *targets]
    for i, p in enumerate(pointers):
        b.put(f"store ptr {p}, ptr {b.at('%pointers', 8 * i)}")
    b.put("call void @kernel(ptr %pointers)")


def _size(dtype: str) -> int:
    return np.dtype(dtype).itemsize

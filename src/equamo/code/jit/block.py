"""IR of `batch`: states are gathered into lanes block by block, run by the kernel, and scattered.

    void batch(ptr args, ptr strides, i64 begin, i64 end)

runs states begin ≤ i < end. `strides` has two numbers per array, in bytes: from state to state (0 if all
states share it; it is then read once) and from element to element. Rows of consecutive elements (C
order) are transposed in registers, consecutive states (Fortran order) are loaded directly, anything else
element by element. Unused lanes of the last block repeat the last state and are not written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..ir.program import Program

if TYPE_CHECKING:
    from .llvm import Types


def batch(program: Program, types: Types) -> str:
    """IR of `batch` and of the functions it calls."""
    return "\n".join([moves(types), loop(program, types)])


def moves(types: Types) -> str:
    """IR of `gather` and `scatter`, which depends only on the type and the lanes."""
    return "\n".join([_gather(types), _scatter(types)])


def loop(program: Program, types: Types) -> str:
    """IR of `batch` alone, which depends on the sizes of the arrays."""
    inputs = [len(a) for a in program.arguments]
    outputs = [len(y.values) for y in program.outputs]
    sizes = inputs + outputs
    arrays, L, align = len(sizes), types.lanes, types.lanes * types.bytes
    out = [
        "define void @batch(ptr %args, ptr %strides, i64 %begin, i64 %end) nounwind {",
        "entry:",
        f"  %blocks = alloca [{arrays} x ptr], align 16",
        "  %last = sub i64 %end, 1",
        "  %some = icmp slt i64 %begin, %end",
    ]
    for k, size in enumerate(sizes):
        out += [
            f"  %block{k} = alloca [{max(size, L) * L} x {types.element}], align {align}",
            f"  %slot{k} = getelementptr ptr, ptr %blocks, i64 {k}",
            f"  store ptr %block{k}, ptr %slot{k}",
            f"  %at{k} = getelementptr ptr, ptr %args, i64 {k}",
            f"  %array{k} = load ptr, ptr %at{k}",
            f"  %sat{k} = getelementptr i64, ptr %strides, i64 {2 * k}",
            f"  %state{k} = load i64, ptr %sat{k}",
            f"  %eat{k} = getelementptr i64, ptr %strides, i64 {2 * k + 1}",
            f"  %element{k} = load i64, ptr %eat{k}",
        ]
    gather = [
        f"  call void @gather(ptr %array{k}, i64 %state{k}, i64 %element{k}, i64 {size}, "
        f"i64 {_squares(size, L)}, i64 %{{i}}, i64 %last, ptr %block{k})"
        for k, size in enumerate(inputs)
    ]
    out += ["  br i1 %some, label %shared, label %done", "shared:"]
    out += [line.replace("{i}", "begin") for line in gather]
    out += [
        "  br label %loop",
        "loop:",
        "  %i = phi i64 [ %begin, %shared ], [ %next, %next_block ]",
    ]
    for k, line in enumerate(gather):  # shared arrays are already gathered
        out += [
            f"  %own{k} = icmp ne i64 %state{k}, 0",
            f"  br i1 %own{k}, label %read{k}, label %have{k}",
            f"read{k}:",
            line.replace("{i}", "i"),
            f"  br label %have{k}",
            f"have{k}:",
        ]
    out.append("  call void @kernel(ptr %blocks)")
    out += [
        f"  call void @scatter(ptr %array{k}, i64 %state{k}, i64 %element{k}, i64 {size}, "
        f"i64 {_squares(size, L)}, i64 %i, i64 %last, ptr %block{k})"
        for k, size in enumerate(outputs, len(inputs))
    ]
    out += [
        "  br label %next_block",
        "next_block:",
        f"  %next = add i64 %i, {L}",
        "  %more = icmp slt i64 %next, %end",
        "  br i1 %more, label %loop, label %done",
        "done:",
        "  ret void",
        "}",
    ]
    return "\n".join(out)


ARGUMENTS = (  # of `gather` and `scatter`
    "ptr %array, i64 %state, i64 %element, i64 %size, i64 %squares, i64 %i, i64 %last, ptr %block"
)


def _squares(size: int, L: int) -> int:
    """Number of elements handled by transposed squares; a few left over are handled singly."""
    left = size % L
    return size if left > L // 4 or size < L else size - left


def _gather(types: Types) -> str:
    """Gather elements of L states from `array` into lanes of `block`."""
    E, T, L, B = types.element, types.value, types.lanes, types.bytes
    out = [f"define internal void @gather({ARGUMENTS}) nounwind {{", "entry:", *_rows(types)]
    if L > 1:
        out += [
            *_whole(types),
            f"  %columns = icmp eq i64 %state, {B}",
            "  %fast_columns = and i1 %columns, %whole",
            "  br i1 %fast_columns, label %by_state, label %try_rows",
            "by_state:",
            "  %none = icmp eq i64 %size, 0",
            "  br i1 %none, label %done, label %state_loop",
            "state_loop:",
            "  %ks = phi i64 [ 0, %by_state ], [ %ks1, %state_loop ]",
            "  %so = mul i64 %ks, %element",
            "  %sp = getelementptr i8, ptr %row0, i64 %so",
            f"  %sv = load {T}, ptr %sp, align {B}",
            f"  %sb = mul i64 %ks, {L * B}",
            "  %sq = getelementptr i8, ptr %block, i64 %sb",
            f"  store {T} %sv, ptr %sq, align {L * B}",
            "  %ks1 = add i64 %ks, 1",
            "  %smore = icmp slt i64 %ks1, %size",
            "  br i1 %smore, label %state_loop, label %done",
            "try_rows:",
            # A row shorter than L is read into the next row, if that belongs to the array.
            f"  %bytes = mul i64 %size, {B}",
            "  %upto_next = add i64 %state, %bytes",
            f"  %fits = icmp sge i64 %upto_next, {L * B}",
            "  %ahead = icmp sgt i64 %state, 0",
            "  %on = and i1 %fits, %ahead",
            "  %follows = icmp slt i64 %upto, %last",
            *_squares_loop(types, "%try_rows", "true", _row_places, _block_places),
        ]
    out += _slow_start(types, "%try_rows", "%slow_loop")
    for lane in range(L):
        out += [
            f"  %p{lane} = getelementptr i8, ptr %row{lane}, i64 %eo",
            f"  %x{lane} = load {E}, ptr %p{lane}, align {B}",
            f"  %bo{lane} = add i64 %bo, {lane * B}",
            f"  %q{lane} = getelementptr i8, ptr %block, i64 %bo{lane}",
            f"  store {E} %x{lane}, ptr %q{lane}, align {B}",
        ]
    return "\n".join(out + _SLOW_END)


def _scatter(types: Types) -> str:
    """Scatter lanes of `block` to the elements of L states in `array`, only existing ones."""
    E, L, B = types.element, types.lanes, types.bytes
    out = [f"define internal void @scatter({ARGUMENTS}) nounwind {{", "entry:", *_rows(types)]
    if L > 1:
        out += [
            *_whole(types),
            # A row shorter than L is written into the next row, which is written afterwards.
            f"  %bytes = mul i64 %size, {B}",
            "  %on = icmp eq i64 %state, %bytes",
            f"  %beyond = add i64 %i, {2 * L - 2}",
            "  %follows = icmp slt i64 %beyond, %last",
            *_squares_loop(types, "%entry", "%whole", _block_places, _row_places),
        ]
    out += [*_slow_start(types, "%entry", "%next"), "  br label %lane0"]
    for lane in range(L):
        after = f"%lane{lane + 1}" if lane + 1 < L else "%next"
        out += [
            f"lane{lane}:",
            f"  %own{lane} = add i64 %i, {lane}",
            f"  %in{lane} = icmp sle i64 %own{lane}, %last",
            f"  br i1 %in{lane}, label %put{lane}, label %next",
            f"put{lane}:",
            f"  %bo{lane} = add i64 %bo, {lane * B}",
            f"  %q{lane} = getelementptr i8, ptr %block, i64 %bo{lane}",
            f"  %x{lane} = load {E}, ptr %q{lane}, align {B}",
            f"  %p{lane} = getelementptr i8, ptr %row{lane}, i64 %eo",
            f"  store {E} %x{lane}, ptr %p{lane}, align {B}",
            f"  br label {after}",
        ]
    return "\n".join([*out, "next:", *_SLOW_END])


_SLOW_END = [
    "  %k1 = add i64 %k, 1",
    "  %more = icmp slt i64 %k1, %size",
    "  br i1 %more, label %slow_loop, label %done",
    "done:",
    "  ret void",
    "}",
]


def _slow_start(types: Types, before: str, back: str) -> list[str]:
    """Loop over single elements: all of them, or those left over by the squares."""
    if types.lanes > 1:
        out, first = list[str](), f"[ 0, {before} ], [ %squares, %row_loop ]"
    else:
        out, first = ["  br label %slow"], "[ 0, %entry ]"
    return [
        *out,
        "slow:",
        f"  %first = phi i64 {first}",
        "  %left = icmp slt i64 %first, %size",
        "  br i1 %left, label %slow_loop, label %done",
        "slow_loop:",
        f"  %k = phi i64 [ %first, %slow ], [ %k1, {back} ]",
        "  %eo = mul i64 %k, %element",
        f"  %bo = mul i64 %k, {types.lanes * types.bytes}",
    ]


Places = Callable[["Types", str], tuple[list[str], list[str], int]]


def _row_places(types: Types, name: str) -> tuple[list[str], list[str], int]:
    """Addresses of element %kr of each lane's state, and their alignment."""
    out = [f"  %ro = mul i64 %kr, {types.bytes}"]
    places = [f"%{name}{lane}" for lane in range(types.lanes)]
    out += [f"  {p} = getelementptr i8, ptr %row{lane}, i64 %ro" for lane, p in enumerate(places)]
    return out, places, types.bytes


def _block_places(types: Types, name: str) -> tuple[list[str], list[str], int]:
    """Addresses of the lanes of elements %kr, %kr + 1 … in the block."""
    size = types.lanes * types.bytes
    out, places = [f"  %rb = mul i64 %kr, {size}"], list[str]()
    for k in range(types.lanes):
        out += [
            f"  %rbo{k} = add i64 %rb, {k * size}",
            f"  %{name}{k} = getelementptr i8, ptr %block, i64 %rbo{k}",
        ]
        places.append(f"%{name}{k}")
    return out, places, size


def _squares_loop(
    types: Types, before: str, allowed: str, source: Places, target: Places
) -> list[str]:
    """Move L×L numbers at a time from rows to lanes or back; falls through to `slow` otherwise.

    %on and %follows say whether accesses may go beyond a row that is shorter than L.
    """
    L, T = types.lanes, types.value
    out = [
        f"  %rows = icmp eq i64 %element, {types.bytes}",
        f"  %long = icmp sge i64 %size, {L}",
        "  %positive = icmp sgt i64 %size, 0",
        "  %beyond0 = and i1 %on, %follows",
        "  %beyond1 = and i1 %beyond0, %positive",
        "  %either = or i1 %long, %beyond1",
        "  %square = and i1 %rows, %either",
        f"  %fast = and i1 %square, {allowed}",
        "  br i1 %fast, label %row_loop, label %slow",
        "row_loop:",
        f"  %kr = phi i64 [ 0, {before} ], [ %krn, %row_loop ]",
    ]
    lines, places, align = source(types, "from")
    out += lines
    out += [f"  %r{k} = load {T}, ptr {p}, align {align}" for k, p in enumerate(places)]
    lines, names = _transposed([f"%r{k}" for k in range(L)], types)
    out += lines
    lines, places, align = target(types, "to")
    out += lines
    out += [f"  store {T} {x}, ptr {p}, align {align}" for x, p in zip(names, places, strict=True)]
    return out + _next(L)


def _next(L: int) -> list[str]:
    """Advance to the next L elements of the rows; the last ones overlap those before."""
    return [
        f"  %kr1 = add i64 %kr, {L}",
        f"  %krl = sub i64 %size, {L}",
        "  %krc = icmp slt i64 %kr1, %krl",
        "  %krn = select i1 %krc, i64 %kr1, i64 %krl",
        "  %rmore = icmp slt i64 %kr1, %squares",
        "  br i1 %rmore, label %row_loop, label %slow",
    ]


def _whole(types: Types) -> list[str]:
    """Define %whole: no lane is unused."""
    return [
        f"  %upto = add i64 %i, {types.lanes - 1}",
        "  %whole = icmp sle i64 %upto, %last",
    ]


def _rows(types: Types) -> list[str]:
    """Define %row0 …, the first element of each lane's state; the last state is repeated."""
    out: list[str] = []
    for lane in range(types.lanes):
        out += [
            f"  %li{lane} = add i64 %i, {lane}",
            f"  %lc{lane} = icmp slt i64 %li{lane}, %last",
            f"  %ls{lane} = select i1 %lc{lane}, i64 %li{lane}, i64 %last",
            f"  %lo{lane} = mul i64 %ls{lane}, %state",
            f"  %row{lane} = getelementptr i8, ptr %array, i64 %lo{lane}",
        ]
    return out


def _transposed(rows: list[str], types: Types) -> tuple[list[str], list[str]]:
    """Transpose an L×L matrix in registers by exchanging blocks of L/2, L/4 … 1."""
    L, T = types.lanes, types.value
    lines: list[str] = []
    now, step = list(rows), L // 2
    while step:
        after = list(now)
        for i in range(L):
            if i & step:
                continue
            a, b = now[i], now[i + step]
            keep = [j if not j & step else L + j - step for j in range(L)]
            swap = [j + step if not j & step else L + j for j in range(L)]
            for target, mask in ((i, keep), (i + step, swap)):
                new = f"%x{step}_{target}"
                picks = ", ".join(f"i32 {m}" for m in mask)
                lines.append(f"  {new} = shufflevector {T} {a}, {T} {b}, <{L} x i32> <{picks}>")
                after[target] = new
        now, step = after, step // 2
    return lines, now

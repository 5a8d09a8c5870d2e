"""IR of rows that a warp moves through shared memory, 32 consecutive numbers at a time.

The 32 states of a warp have 32 n consecutive numbers. In step j lane l moves number 32 j + l, so that
one access covers whole sectors; a thread then finds its own row in shared memory. The last warp works
on the last 32 states, some of which belong to another warp too: both write the same numbers, and no
access needs a condition. A batch must have at least 32 states.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .layout import WARP, Layout

GLOBAL: Final = "ptr addrspace(1)"
SHARED: Final = "ptr addrspace(3)"
_SYNC: Final = "  call void @llvm.nvvm.bar.warp.sync(i32 -1)"


def declarations(layout: Layout) -> list[str]:
    """Shared memory of a block, and the barrier of a warp."""
    out: list[str] = []
    if layout.staged:
        out.append("declare void @llvm.nvvm.bar.warp.sync(i32)")
    if layout.dynamic:
        out.append("@stage = external addrspace(3) global [0 x i8], align 16")
    elif layout.staged:
        size = layout.shared * layout.threads // WARP
        out.append(f"@stage = internal addrspace(3) global [{size} x i8] undef, align 16")
    return out


def first_states() -> list[str]:
    """State %i of this thread by the first state of its warp, %origin, for rows of whole warps."""
    return [
        f"  %lane = and i64 %tid, {WARP - 1}",
        "  %lead = sub i64 %thread, %lane",
        f"  %latest = sub i64 %count, {WARP}",
        "  %leads = icmp slt i64 %lead, %latest",
        "  %origin = select i1 %leads, i64 %lead, i64 %latest",
        "  %i = add i64 %origin, %lane",
    ]


def own_rows(layout: Layout) -> list[str]:
    """Place of this thread's row of each array in shared memory, %own…"""
    if not layout.staged:
        return []
    B = layout.bytes
    out = [
        f"  %warp = lshr i64 %tid, {WARP.bit_length() - 1}",
        f"  %room = mul i64 %warp, {layout.shared}",
        f"  %mine = getelementptr i8, {SHARED} @stage, i64 %room",
        f"  %ahead = mul i64 %lane, {B}",
        "  %number = trunc i64 %lane to i32",
    ]
    for k in layout.staged:
        n, pitch = layout.sizes[k], layout.pitch(k)
        out += [
            f"  %from{k} = mul i64 %origin, {n * B}",
            f"  %source{k} = getelementptr i8, {GLOBAL} %array{k}, i64 %from{k}",
            f"  %outer{k} = getelementptr i8, {GLOBAL} %source{k}, i64 %ahead",
            f"  %area{k} = getelementptr i8, {SHARED} %mine, i64 {layout.offset(k) * B}",
            f"  %inner{k} = getelementptr i8, {SHARED} %area{k}, i64 %ahead",
            f"  %along{k} = mul i64 %lane, {pitch * B}",
            f"  %own{k} = getelementptr i8, {SHARED} %area{k}, i64 %along{k}",
        ]
    return out


def moved_in(layout: Layout, arguments: Iterable[int]) -> list[str]:
    """Copy the rows of arguments to shared memory; all loads of an array before its stores."""
    E, B = layout.element, layout.bytes
    out: list[str] = []
    for k in (k for k in arguments if k in layout.staged):
        later: list[str] = []
        for j in range(layout.sizes[k]):
            name = f"{k}_{j}"
            out += [
                *_place(layout, k, j),
                f"  %x{name} = load {E}, {GLOBAL} %outer{name}, align {B}, !invariant.load !0",
            ]
            later.append(f"  store {E} %x{name}, {SHARED} %inner{name}, align {B}")
        out += later
    return [*out, _SYNC] if out else []


def moved_out(layout: Layout, outputs: Iterable[int]) -> list[str]:
    """Copy the rows of outputs from shared memory to their arrays."""
    E, B = layout.element, layout.bytes
    out: list[str] = []
    for k in (k for k in outputs if k in layout.staged):
        for j in range(layout.sizes[k]):
            name = f"{k}_{j}"
            out += [
                *_place(layout, k, j),
                f"  %x{name} = load {E}, {SHARED} %inner{name}, align {B}",
                f"  store {E} %x{name}, {GLOBAL} %outer{name}, align {B}",
            ]
    return [_SYNC, *out] if out else []


def _place(layout: Layout, k: int, j: int) -> list[str]:
    """Number 32 j + lane of the rows of a warp: %outer… in the array, %inner… in shared memory."""
    B, n, name = layout.bytes, layout.sizes[k], f"{k}_{j}"
    out = [f"  %outer{name} = getelementptr i8, {GLOBAL} %outer{k}, i64 {WARP * j * B}"]
    inner = f"  %inner{name} = getelementptr i8, {SHARED} %inner{k}, i64"
    if layout.pitch(k) == n:
        return [*out, f"{inner} {WARP * j * B}"]
    return [  # one unused number after each row
        *out,
        f"  %at{name} = add i32 %number, {WARP * j}",
        f"  %line{name} = udiv i32 %at{name}, {n}",
        f"  %gap{name} = add i32 %line{name}, {WARP * j}",
        f"  %short{name} = mul i32 %gap{name}, {B}",
        f"  %into{name} = zext i32 %short{name} to i64",
        f"{inner} %into{name}",
    ]

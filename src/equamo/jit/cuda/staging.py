"""IR of rows that a warp moves through shared memory, 32 consecutive numbers at a time.

The 32 states of a warp have 32 n consecutive numbers. In step j lane l moves number 32 j + l, so that
one access is one of whole sectors; a thread then finds its own row in shared memory. The last warp has
fewer rows: lanes beyond its last number move that number again.
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
    size = layout.shared * layout.threads // WARP
    if not size:
        return []
    return [
        "declare void @llvm.nvvm.bar.warp.sync(i32)",
        f"@stage = internal addrspace(3) global [{size} x i8] undef, align 16",
    ]


def own_rows(layout: Layout) -> list[str]:
    """Place of this thread's row of each array in shared memory, %own…"""
    if not layout.shared:
        return []
    B = layout.bytes
    out = [
        f"  %warp = lshr i64 %tid, {WARP.bit_length() - 1}",
        f"  %lane = and i64 %tid, {WARP - 1}",
        "  %lead = sub i64 %thread, %lane",
        "  %leads = icmp slt i64 %lead, %last",
        "  %origin = select i1 %leads, i64 %lead, i64 %last",  # the first state of the warp
        "  %row = sub i64 %i, %origin",
        "  %rest = sub i64 %count, %origin",
        f"  %partial = icmp slt i64 %rest, {WARP}",
        f"  %rows = select i1 %partial, i64 %rest, i64 {WARP}",
        f"  %room = mul i64 %warp, {layout.shared}",
        f"  %mine = getelementptr i8, {SHARED} @stage, i64 %room",
    ]
    for k in layout.staged:
        n, pitch = layout.sizes[k], layout.pitch(k)
        out += [
            f"  %from{k} = mul i64 %origin, {n * B}",
            f"  %source{k} = getelementptr i8, {GLOBAL} %array{k}, i64 %from{k}",
            f"  %area{k} = getelementptr i8, {SHARED} %mine, i64 {layout.offset(k) * B}",
            f"  %along{k} = mul i64 %row, {pitch * B}",
            f"  %own{k} = getelementptr i8, {SHARED} %area{k}, i64 %along{k}",
            f"  %count{k} = mul i64 %rows, {n}",
            f"  %final{k} = sub i64 %count{k}, 1",
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
    out = [
        f"  %at{name} = add i64 %lane, {WARP * j}",
        f"  %less{name} = icmp slt i64 %at{name}, %final{k}",
        f"  %e{name} = select i1 %less{name}, i64 %at{name}, i64 %final{k}",
        f"  %to{name} = mul i64 %e{name}, {B}",
        f"  %outer{name} = getelementptr i8, {GLOBAL} %source{k}, i64 %to{name}",
    ]
    place = f"%e{name}"
    if layout.pitch(k) != n:  # one number is left free after each row
        out += [
            f"  %short{name} = trunc i64 %e{name} to i32",
            f"  %line{name} = udiv i32 %short{name}, {n}",
            f"  %gap{name} = zext i32 %line{name} to i64",
            f"  %p{name} = add i64 %e{name}, %gap{name}",
        ]
        place = f"%p{name}"
    return [
        *out,
        f"  %into{name} = mul i64 {place}, {B}",
        f"  %inner{name} = getelementptr i8, {SHARED} %area{k}, i64 %into{name}",
    ]

"""Handlers of XLA's foreign function interface, written as LLVM IR: XLA calls a kernel without Python.

    XLA_FFI_Error *handler(XLA_FFI_CallFrame *frame)

The handler of one state calls `kernel` of `jit.llvm`, that of a batch calls `batch`. Buffers are row by
row. A batch has leading dimensions before those of the first result; an argument of rank 1 is shared by
all states. XLA first asks a handler for its version, by an extension of the frame. No compiler is
needed: the offsets below are those of the header `xla/ffi/api/c_api.h`, and a test compares them with
it. Handlers are never unloaded, because XLA keeps their addresses.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, Final, final

from ...code.ir.program import Dtype
from ...code.jit import engine
from ...code.jit.compiled_function import CompiledFunction
from ...errors import EquamoError
from .framework import framework
from .jax_arrays import PLACE

OFFSETS: Final = {  # bytes from the start of a struct, 64 bit
    "XLA_FFI_CallFrame.extension_start": 8,
    "XLA_FFI_CallFrame.api": 16,
    "XLA_FFI_CallFrame.ctx": 24,
    "XLA_FFI_CallFrame.args": 40,
    "XLA_FFI_CallFrame.rets": 80,
    "XLA_FFI_Args.args": 32,
    "XLA_FFI_Rets.rets": 32,
    "XLA_FFI_Buffer.data": 24,
    "XLA_FFI_Buffer.rank": 32,
    "XLA_FFI_Buffer.dims": 40,
    "XLA_FFI_Api.XLA_FFI_Error_Create": 48,
    "XLA_FFI_Api.XLA_FFI_Stream_Get": 80,
    "XLA_FFI_Error_Create_Args.message": 16,
    "XLA_FFI_Error_Create_Args.errc": 24,
    "XLA_FFI_Stream_Get_Args.ctx": 16,
    "XLA_FFI_Stream_Get_Args.stream": 24,
    "XLA_FFI_Extension_Base.type": 8,
    "XLA_FFI_Metadata_Extension.metadata": 24,
    "XLA_FFI_Metadata.api_version": 8,
    "XLA_FFI_Api_Version.major_version": 16,
    "XLA_FFI_Api_Version.minor_version": 20,
}
METADATA: Final = 1  # XLA_FFI_Extension_Metadata
MAJOR: Final = 0  # XLA_FFI_API_MAJOR: with another one the structs differ
HEADER: Final = "xla/ffi/api/c_api.h"

_kept: Final[dict[str, tuple[Any, ...]]] = {}  # data of registered handlers, by target


def target(function: CompiledFunction, dtype: Dtype, batched: bool) -> str:
    """Target name of a function in XLA; registered at the first call.

    It is a digest of everything that determines the code, because XLA may keep compiled programs on
    disk.
    """
    code = function.machine_code
    lanes = code.lanes[dtype] if batched else 1
    template = handler_ir(function, dtype, batched, 0)
    content = code.key(dtype, lanes) + template.encode()
    name = f"equamo_{hashlib.sha256(content).hexdigest()[:40]}"
    with engine.LOCK:
        if name not in _kept:
            module = code.module(dtype, lanes)
            address = module.loaded.address("batch" if batched else "kernel")
            text = handler_ir(function, dtype, batched, address)
            loaded = engine.load(engine.object_code(text, code.machine))
            jax = framework("jax", PLACE)
            pointer = ctypes.c_void_p(loaded.address("handler"))
            jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(pointer), platform="cpu")
            _kept[name] = function, module, loaded
    return name


@cache
def version() -> tuple[int, int]:
    """Version of the interface in the installed XLA, from its header."""
    text = (Path(framework("jax", PLACE).ffi.include_dir()) / HEADER).read_text(encoding="utf-8")
    return read_version(text)


def read_version(header: str) -> tuple[int, int]:
    """Version of the interface by its header.

    >>> read_version("#define XLA_FFI_API_MAJOR 0\\n#define XLA_FFI_API_MINOR 3\\n")
    (0, 3)
    """
    found = re.findall(r"#define XLA_FFI_API_(?:MAJOR|MINOR) (\d+)", header)
    if len(found) != 2 or int(found[0]) != MAJOR:
        raise EquamoError(
            f"to_jax() needs version {MAJOR}.x of XLA's foreign function interface, got "
            f"{'.'.join(found) or 'none'}; install another version of JAX."
        )
    return int(found[0]), int(found[1])


# -- the text ------------------------------------------------------------------------------------------
def handler_ir(function: CompiledFunction, dtype: Dtype, batched: bool, address: int) -> str:
    """IR of the handler of a function whose kernel, or code for batches, is at an address."""
    inputs = [len(a) for a in function.source.arguments]
    shapes = [y.shape for y in function.results]
    lines = Lines()
    lines.query(*version())
    sizes = [*inputs, *(prod(s) for s in shapes)]
    lines.let("%pointers", f"alloca [{len(sizes)} x ptr]")
    lines.field("%arguments", "ptr", "%frame", field_offset("CallFrame.args", "Args.args"))
    lines.field("%results", "ptr", "%frame", field_offset("CallFrame.rets", "Rets.rets"))
    for k in range(len(sizes)):
        first, table = (k, "%arguments") if k < len(inputs) else (k - len(inputs), "%results")
        lines.field(f"%buffer{k}", "ptr", table, 8 * first)
        lines.field(f"%data{k}", "ptr", f"%buffer{k}", field_offset("Buffer.data"))
        lines.store(f"ptr %data{k}", "%pointers", 8 * k)
    if batched:
        _strides(lines, inputs, sizes, 8 if dtype == "float64" else 4)
        lines.count(f"%buffer{len(inputs)}", len(shapes[0]))
        more = ", ptr %strides, i64 0, i64 %count"
    else:
        more = ""
    lines.put(f"call void inttoptr (i64 {address} to ptr)(ptr %pointers{more})")
    lines.put("ret ptr null")
    return "\n".join(["define ptr @handler(ptr %frame) nounwind {", *lines.text, "}", ""])


def field_offset(*fields: str) -> int:
    """Bytes from the start of a struct to a field of a field."""
    return sum(OFFSETS[f"XLA_FFI_{name}"] for name in fields)


def _strides(lines: Lines, inputs: list[int], sizes: list[int], item: int) -> None:
    """Two strides per array: between states (0 if its rank is 1) and between elements."""
    lines.let("%strides", f"alloca [{2 * len(sizes)} x i64]")
    for k, size in enumerate(sizes):
        step = f"{item * size}"
        if k < len(inputs):
            lines.field(f"%rank{k}", "i64", f"%buffer{k}", field_offset("Buffer.rank"))
            lines.let(f"%shared{k}", f"icmp eq i64 %rank{k}, 1")
            lines.let(f"%step{k}", f"select i1 %shared{k}, i64 0, i64 {step}")
            step = f"%step{k}"
        lines.store(f"i64 {step}", "%strides", 16 * k)
        lines.store(f"i64 {item}", "%strides", 16 * k + 8)


@final
class Lines:
    """Lines of IR."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self._places = 0

    def put(self, line: str) -> None:
        self.text.append(line if line.endswith(":") else f"  {line}")

    def let(self, name: str, value: str) -> None:
        self.put(f"{name} = {value}")

    def at(self, base: str, offset: int) -> str:
        self._places += 1
        self.let(f"%at{self._places}", f"getelementptr i8, ptr {base}, i64 {offset}")
        return f"%at{self._places}"

    def field(self, name: str, kind: str, base: str, offset: int) -> None:
        self.let(name, f"load {kind}, ptr {self.at(base, offset)}")

    def store(self, value: str, base: str, offset: int) -> None:
        self.put(f"store {value}, ptr {self.at(base, offset)}")

    def query(self, major: int, minor: int) -> None:
        """Answer the query for the version of the interface."""
        self.field("%extension", "ptr", "%frame", field_offset("CallFrame.extension_start"))
        self.let("%plain", "icmp eq ptr %extension, null")
        self.put("br i1 %plain, label %run, label %extended")
        self.put("extended:")
        self.field("%kind", "i32", "%extension", field_offset("Extension_Base.type"))
        self.let("%asked", f"icmp eq i32 %kind, {METADATA}")
        self.put("br i1 %asked, label %answer, label %run")
        self.put("answer:")
        self.field("%metadata", "ptr", "%extension", field_offset("Metadata_Extension.metadata"))
        for name, number in (("major", major), ("minor", minor)):
            place = field_offset("Metadata.api_version", f"Api_Version.{name}_version")
            self.store(f"i32 {number}", "%metadata", place)
        self.put("ret ptr null")
        self.put("run:")

    def count(self, buffer: str, own: int) -> None:
        """%count: product of the leading dimensions of a result."""
        self.field("%rank", "i64", buffer, field_offset("Buffer.rank"))
        self.field("%dims", "ptr", buffer, field_offset("Buffer.dims"))
        self.let("%leading", f"sub i64 %rank, {own}")
        self.put("br label %next")
        self.put("next:")
        self.let("%i", "phi i64 [ 0, %run ], [ %i1, %multiply ]")
        self.let("%count", "phi i64 [ 1, %run ], [ %product, %multiply ]")
        self.let("%more", "icmp slt i64 %i, %leading")
        self.put("br i1 %more, label %multiply, label %counted")
        self.put("multiply:")
        self.let("%place", "getelementptr i64, ptr %dims, i64 %i")
        self.let("%size", "load i64, ptr %place")
        self.let("%product", "mul i64 %count, %size")
        self.let("%i1", "add i64 %i, 1")
        self.put("br label %next")
        self.put("counted:")

"""Handlers of XLA's foreign function interface for NVIDIA GPUs: launches on XLA's stream without Python.

Like `jax_handler`, but the handler asks XLA for its stream and passes the kernel of `jit.cuda` to the
driver: `cuLaunchKernel`, in the context of the stream, which also identifies the device. Arguments are
rows, or one state for all. A result with long rows is written as columns, as declared to XLA
(`Call.layouts`). A failed driver call becomes an XLA error with the name of the function and the
driver's code.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any, Final, final

from ...code.ir.program import Dtype
from ...code.jit import engine
from ...code.jit.compiled_function import CompiledFunction
from ...code.jit.cuda.device import device
from ...code.jit.cuda.device_function import DeviceFunction
from ...code.jit.cuda.driver import driver
from ...code.jit.cuda.image import Image
from ...code.jit.cuda.layout import MOST_STAGED, WARP, Access, Layout, chosen
from ...code.jit.cuda.variants import Variant
from .framework import framework
from .jax_arrays import PLACE
from .jax_handler import OFFSETS, Lines, field_offset, version

CALLS: Final = ("cuStreamGetCtx", "cuCtxPushCurrent_v2", "cuLaunchKernel", "cuCtxPopCurrent_v2")
_ARGUMENTS: Final = {  # sizes of the structs that the handler fills
    "Stream_Get_Args": OFFSETS["XLA_FFI_Stream_Get_Args.stream"] + 8,
    "Error_Create_Args": OFFSETS["XLA_FFI_Error_Create_Args.errc"] + 4,
}
_INTERNAL: Final = 13  # XLA_FFI_Error_Code_INTERNAL
_kept: Final[dict[str, tuple[Any, ...]]] = {}  # data of registered handlers, by target
_functions: Final[
    dict[tuple[str, int], DeviceFunction]
] = {}  # by identity and number of the device


@final
@dataclass(frozen=True)
class Call:
    """One way of calling a function: which arguments all states share, and how many states there are."""

    function: CompiledFunction
    dtype: Dtype
    shared: tuple[bool, ...]  # of each argument
    batch: tuple[int, ...]  # leading dimensions of the results

    @property
    def count(self) -> int:
        return prod(self.batch)

    @property
    def item(self) -> int:
        return 8 if self.dtype == "float64" else 4

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        inputs = (len(a) for a in self.function.source.arguments)
        return (*inputs, *self.function.sizes)

    @cached_property
    def columns(self) -> tuple[bool, ...]:
        """Whether each result is written as columns."""
        return tuple(self.item * n > MOST_STAGED for n in self.function.sizes)

    @property
    def layouts(self) -> list[tuple[int, ...]]:
        """Order of the dimensions of each result in memory, the fastest first."""
        leading, found = len(self.batch), list[tuple[int, ...]]()
        for y, columns in zip(self.function.results, self.columns, strict=True):
            batch = range(leading)[::-1]
            own = range(leading, leading + len(y.shape))[::-1]
            found.append((*batch, *own) if columns else (*own, *batch))
        return found

    def layout(self, variant: Variant) -> Layout:
        """Access of the kernel to each array."""
        access: list[Access] = []
        for one in self.shared:
            access.append("strided" if one or self.count < WARP else "rows")
        # A part writes its own entries only, so rows cannot be moved as a whole.
        rows = variant.parts == 1 and self.count >= WARP
        for by_column in self.columns:
            access.append("rows" if rows and not by_column else "strided")
        found = chosen(tuple(access), self.sizes, self.dtype, variant.threads)
        return replace(found, short=self.item * self.count < 2**32)

    def image(self, number: int) -> tuple[Image, Layout, Variant]:
        """The kernel on a device, in the variant that was fastest in measurements so far."""
        key = self.function.machine_code.identity, number
        if key not in _functions:
            _functions[key] = DeviceFunction(self.function, device(number))
        code = _functions[key].code
        usual = code.candidates(self.count, self.dtype)[0]
        variant = code.best(self.layout(usual), self.count) or usual
        layout = self.layout(variant)
        return code.image(layout, variant), layout, variant


@final
@dataclass(frozen=True)
class Kernel:
    """The kernel of one device and its launch settings; the fastest variant may depend on the device."""

    context: int
    handle: int
    threads: int  # of a block
    parts: int  # threads per state
    shared: int  # bytes of shared memory per launch


@final
@dataclass(frozen=True)
class Addresses:
    """Targets of a handler: driver functions in the order of CALLS, and a kernel for each device."""

    calls: Sequence[int]
    kernels: Sequence[Kernel]


def target(call: Call) -> str:
    """Name under which XLA knows a kernel; it is registered at the first call."""
    with engine.LOCK:
        images = [call.image(n) for n in _devices()]
        kernels = [
            Kernel(x.device.context, x.handle, layout.threads, x.parts, x.shared)
            for x, layout, _ in images
        ]
        # Without addresses, so that XLA's cache on disk finds the same names in later processes; with
        # the variants, because another one may be the fastest after a measurement.
        plain = Addresses((0,) * len(CALLS), [replace(x, context=0, handle=0) for x in kernels])
        made = repr([(layout, variant) for _, layout, variant in images]) + handler_ir(call, plain)
        content = call.function.machine_code.key(call.dtype, 1) + made.encode()
        name = f"equamo_cuda_{hashlib.sha256(content).hexdigest()[:40]}"
        if name not in _kept:
            to = Addresses(tuple(driver().address(x) for x in CALLS), kernels)
            text = handler_ir(call, to)
            loaded = engine.load(engine.object_code(text))
            jax = framework("jax", PLACE)
            pointer = ctypes.c_void_p(loaded.address("handler"))
            jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(pointer), platform="CUDA")
            _kept[name] = call.function, images, loaded
    return name


def _devices() -> list[int]:
    """Numbers of the GPUs that JAX uses in this process."""
    found: list[Any] = framework("jax", PLACE).local_devices(backend="cuda")
    return [int(x.local_hardware_id) for x in found]


def handler_ir(call: Call, to: Addresses) -> str:
    """IR of the handler, which launches the kernel of the device that XLA's stream belongs to."""
    inputs, name = len(call.shared), call.function.name
    message = f"{name}: its kernel could not be launched: code 000 from the CUDA driver.\0"
    b = Lines()
    b.query(*version())
    b.field("%arguments", "ptr", "%frame", field_offset("CallFrame.args", "Args.args"))
    b.field("%results", "ptr", "%frame", field_offset("CallFrame.rets", "Rets.rets"))
    for k in range(len(call.sizes)):
        place, table = (k, "%arguments") if k < inputs else (k - inputs, "%results")
        b.field(f"%buffer{k}", "ptr", table, 8 * place)
        b.field(f"%data{k}", "ptr", f"%buffer{k}", field_offset("Buffer.data"))
    b.count(f"%buffer{inputs}", len(call.function.results[0].shape))
    b.let("%empty", "icmp eq i64 %count, 0")
    b.put("br i1 %empty, label %done, label %ask")
    b.put("ask:")
    _stream(b)
    _launch(b, call, to)
    b.put("done:")
    b.put("ret ptr null")
    b.put("failed:")
    b.let("%code", "phi i32 [ %code0, %go ], [ %code1, %enter ], [ %code2, %launch ]")
    _failure(b, message)
    data = message.encode()
    text = "".join(f"\\{x:02X}" for x in data)
    return "\n".join(
        [
            f'@message = internal constant [{len(data)} x i8] c"{text}"',
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
            "define ptr @handler(ptr %frame) nounwind {",
            *b.text,
            "}",
            "",
        ]
    )


def _stream(b: Lines) -> None:
    """%stream, from XLA; an error of XLA is passed on"""
    size = _ARGUMENTS["Stream_Get_Args"]
    b.field("%api", "ptr", "%frame", field_offset("CallFrame.api"))
    b.field("%xla", "ptr", "%frame", field_offset("CallFrame.ctx"))
    b.let("%asked_for", f"alloca [{size} x i8], align 8")
    b.store(f"i64 {size}", "%asked_for", 0)
    b.store("ptr null", "%asked_for", 8)
    b.store("ptr %xla", "%asked_for", field_offset("Stream_Get_Args.ctx"))
    b.field("%get", "ptr", "%api", field_offset("Api.XLA_FFI_Stream_Get"))
    b.let("%refusal", "call ptr %get(ptr %asked_for)")
    b.let("%granted", "icmp eq ptr %refusal, null")
    b.put("br i1 %granted, label %go, label %refused")
    b.put("refused:")
    b.put("ret ptr %refusal")
    b.put("go:")
    b.field("%stream", "ptr", "%asked_for", field_offset("Stream_Get_Args.stream"))


def _launch(b: Lines, call: Call, to: Addresses) -> None:
    """Launch in the context of %stream; only a context that was pushed is popped."""
    slots = _parameters(b, call)
    get, push, launch, pop = (f"inttoptr (i64 {x} to ptr)" for x in to.calls)
    b.let("%context", "alloca ptr")
    b.let("%code0", f"call i32 {get}(ptr %stream, ptr %context)")
    b.let("%known", "icmp eq i32 %code0, 0")
    b.put("br i1 %known, label %enter, label %failed")
    b.put("enter:")
    b.let("%own", "load ptr, ptr %context")
    handle, threads, parts, shared = _chosen(b, to.kernels)
    b.let("%kernel", f"inttoptr i64 {handle} to ptr")
    b.let("%extra", f"sub i64 {threads}, 1")
    b.let("%padded", "add i64 %count, %extra")
    b.let("%blocks", f"udiv i64 %padded, {threads}")
    for n, x in (("%grid", "%blocks"), ("%y", parts), ("%x", threads), ("%bytes", shared)):
        b.let(n, f"trunc i64 {x} to i32")
    b.let("%code1", f"call i32 {push}(ptr %own)")
    b.let("%entered", "icmp eq i32 %code1, 0")
    b.put("br i1 %entered, label %launch, label %failed")
    b.put("launch:")
    sizes = "i32 %grid, i32 %y, i32 1, i32 %x, i32 1, i32 1, i32 %bytes"
    b.let("%code2", f"call i32 {launch}(ptr %kernel, {sizes}, ptr %stream, ptr {slots}, ptr null)")
    b.let("%code3", f"call i32 {pop}(ptr %context)")
    b.let("%fine", "icmp eq i32 %code2, 0")
    b.put("br i1 %fine, label %done, label %failed")


def _chosen(b: Lines, kernels: Sequence[Kernel]) -> list[str]:
    """Handle, threads, parts and shared memory of the kernel with context %own, as i64."""
    rows = [(x.handle, x.threads, x.parts, x.shared) for x in kernels]
    found = [str(x) for x in rows[0]]
    for k, (kernel, row) in enumerate(zip(kernels[1:], rows[1:], strict=True), 1):
        b.let(f"%is{k}", f"icmp eq ptr %own, inttoptr (i64 {kernel.context} to ptr)")
        for i, x in enumerate(row):
            b.let(f"%chosen{k}_{i}", f"select i1 %is{k}, i64 {x}, i64 {found[i]}")
            found[i] = f"%chosen{k}_{i}"
    return found


def _parameters(b: Lines, call: Call) -> str:
    """Arguments of the kernel in memory, and the table of their addresses: its name."""
    values: list[str] = ["i64 %count"]
    columns = [*(False for _ in call.shared), *call.columns]
    for k, (n, by_column) in enumerate(zip(call.sizes, columns, strict=True)):
        state, element = f"i64 {call.item * n}", f"i64 {call.item}"
        if k < len(call.shared) and call.shared[k]:
            state = "i64 0"
        if by_column:
            b.let(f"%column{k}", f"mul i64 %count, {call.item}")
            state, element = f"i64 {call.item}", f"i64 %column{k}"
        values += [f"ptr %data{k}", state, element]
    b.let("%values", f"alloca [{len(values)} x i64], align 8")
    b.let("%slots", f"alloca [{len(values)} x ptr], align 8")
    for k, x in enumerate(values):
        b.store(x, "%values", 8 * k)
        b.store(f"ptr {b.at('%values', 8 * k)}", "%slots", 8 * k)
    return "%slots"


def _failure(b: Lines, message: str) -> None:
    """An XLA error: the message with the code in three digits."""
    length = len(message.encode())
    b.let("%text", f"alloca [{length} x i8]")
    b.put(f"call void @llvm.memcpy.p0.p0.i64(ptr %text, ptr @message, i64 {length}, i1 false)")
    first = len(message.partition(" 000 ")[0].encode()) + 1
    for k, unit in enumerate((100, 10, 1)):
        b.let(f"%part{k}", f"udiv i32 %code, {unit}")
        b.let(f"%digit{k}", f"urem i32 %part{k}, 10")
        b.let(f"%letter{k}", f"add i32 %digit{k}, {ord('0')}")
        b.let(f"%byte{k}", f"trunc i32 %letter{k} to i8")
        b.store(f"i8 %byte{k}", "%text", first + k)
    size = _ARGUMENTS["Error_Create_Args"]
    b.let("%report", f"alloca [{size} x i8], align 8")
    b.store(f"i64 {size}", "%report", 0)
    b.store("ptr null", "%report", 8)
    b.store("ptr %text", "%report", field_offset("Error_Create_Args.message"))
    b.store(f"i32 {_INTERNAL}", "%report", field_offset("Error_Create_Args.errc"))
    b.field("%create", "ptr", "%api", field_offset("Api.XLA_FFI_Error_Create"))
    b.let("%error", "call ptr %create(ptr %report)")
    b.put("ret ptr %error")


def operands_shared(shapes: Sequence[Sequence[int]]) -> tuple[bool, ...]:
    """Which operands are shared by all states: those without leading dimensions."""
    return tuple(len(s) == 1 for s in shapes)

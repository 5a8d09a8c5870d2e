"""Engine: compiles LLVM IR to machine code and loads machine code into this process.

The only file that imports llvmlite. No passes run over the IR: programs are already optimised, and the
code generator only selects, schedules and allocates. MCJIT loads each object into its own engine and
into one block of memory, so that code reaches its constants however full the memory is.
"""

from __future__ import annotations

import ctypes
import os
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from threading import RLock
from typing import Any, Final, final

from ...errors import EquamoError, UnknownNameError
from . import object_file

LOWEST: Final = (0, 45)  # first llvmlite whose IR has plain `ptr`
HIGHEST_TESTED: Final = (0, 50)

_LIBM: Final = (
    *("exp", "log", "tan", "tanh", "asin", "acos", "atan", "atan2"),
    *("floor", "ceil", "trunc", "rint", "nearbyint", "roundeven"),  # if the CPU has no instruction
)
_MEMORY: Final = ("memcpy", "memmove", "memset", "bzero")
_STACK: Final = ("__chkstk", "_fltused")  # Windows: probe of frames over a page; marks float code
UNDEFINED_ALLOWED: Final = frozenset((*_LIBM, *(f"{name}f" for name in _LIBM), *_MEMORY, *_STACK))
"""Undefined names that an object may contain."""

# RuntimeDyld makes table entries for calls, but its size estimate counts only entries for data: one such
# entry in each object makes it reserve a page.
_ANCHOR: Final = "equamo_anchor"
_ANCHOR_IR: Final = f"""
@{_ANCHOR} = global i8 0
define ptr @{_ANCHOR}_address() nounwind {{ ret ptr @{_ANCHOR} }}
"""

LOCK: Final = RLock()  # one derivation, translation or load at a time in this process
if hasattr(os, "register_at_fork"):
    # A child forked while another thread holds the lock would wait forever.
    os.register_at_fork(
        before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release
    )


@final
@dataclass(frozen=True)
class Machine:
    """Target machine, in LLVM's terms."""

    triple: str  # "x86_64-unknown-linux-gnu"
    cpu: str = ""  # "znver4"; "" is the baseline
    features: str = ""  # "+avx2,+fma"


WINDOWS: Final = Machine("x86_64-pc-windows-msvc", "x86-64-v3")
MACOS: Final = Machine("arm64-apple-macosx11.0.0", "apple-m1")
LINUX_ARM: Final = Machine("aarch64-unknown-linux-gnu", "cortex-a72")


@cache
def _binding() -> Any:
    """`llvmlite.binding` with initialised targets; only the lowest version is checked."""
    supported = ">=" + ".".join(map(str, LOWEST))
    tested = f"tested up to {'.'.join(map(str, HIGHEST_TESTED))}"
    try:
        found: str = import_module("llvmlite").__version__
    except ImportError as missing:
        raise EquamoError(
            f"Machine code needs llvmlite{supported} ({tested}), which is not installed;"
            f' run pip install "llvmlite{supported}"'
        ) from missing
    if tuple(int(n) if n.isdecimal() else 0 for n in found.split(".")[:2]) < LOWEST:
        raise EquamoError(
            f"Machine code needs llvmlite{supported} ({tested}), but {found} is installed."
        )
    with LOCK:
        binding: Any = import_module("llvmlite.binding")
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()
    return binding


def version() -> str:
    """Versions of the code generator: "llvmlite 0.50.0, LLVM 22.1.0"."""
    binding = _binding()
    llvm = ".".join(map(str, binding.llvm_version_info))
    return f"llvmlite {import_module('llvmlite').__version__}, LLVM {llvm}"


@cache
def host() -> Machine:
    """Machine of this process, with all its instruction sets."""
    binding = _binding()
    # MCJIT on Windows loads ELF objects only.
    suffix = "-elf" if sys.platform == "win32" else ""
    try:
        features = binding.get_host_cpu_features().flatten()
    except RuntimeError:  # LLVM cannot tell them on every ARM system; the name implies most of them
        features = ""
    return Machine(binding.get_process_triple() + suffix, binding.get_host_cpu_name(), features)


def widest(dtype: str, machine: Machine | None = None) -> int:
    """Lanes of the widest vectors of a CPU: 8, 4 or 2 for "float64", twice as many for "float32".

    >>> widest("float64", Machine("x86_64-unknown-linux-gnu", features="+sse2,+avx,+avx2"))
    4
    """
    bits = {"float64": 64, "float32": 32}
    if dtype not in bits:
        raise UnknownNameError("dtype", dtype, bits)
    features = (machine or host()).features.split(",")
    vector = 512 if "+avx512f" in features else 256 if "+avx" in features else 128
    return vector // bits[dtype]


def fuses(machine: Machine | None = None) -> bool:
    """Whether a CPU multiplies and adds in one instruction, with one rounding.

    >>> fuses(Machine("x86_64-unknown-linux-gnu", features="+sse2,-fma")), fuses(MACOS)
    (False, True)
    """
    machine = machine or host()
    arm = machine.triple.startswith(("arm64", "aarch64"))
    return arm or "+fma" in machine.features.split(",")


def object_code(ir: str, machine: Machine | None = None, level: int = 2) -> bytes:
    """Compile a module of LLVM IR to position-independent machine code, for this machine or another.

    `level` is the effort of the code generator, 0 to 3. The result is an object file in the format of
    the machine: ELF, COFF or Mach-O. The module may declare the names of `UNDEFINED_ALLOWED`.
    """
    machine = machine or host()
    with LOCK:
        try:
            return _translated(ir, machine, level)
        except RuntimeError as refused:
            raise EquamoError(
                f"LLVM could not compile the program for {machine.triple} ({str(refused).strip()})"
            ) from refused


def _translated(ir: str, machine: Machine, level: int) -> bytes:
    # A separate function, so that LLVM's objects are freed while the lock is still held.
    binding = _binding()
    context = binding.create_context()
    module = binding.parse_assembly(ir + _ANCHOR_IR, context=context)
    target = _target_machine(machine, level)
    module.triple = target.triple
    module.data_layout = str(target.target_data)
    module.verify()
    _check_declarations(module)
    return target.emit_object(module)


def assembly(ir: str, machine: Machine, level: int = 2) -> str:
    """Compile a module of LLVM IR to assembly text; for a GPU (`nvptx64`), that is PTX.

    The module may declare only intrinsics: no library is linked to it.
    """
    with LOCK:
        try:
            return _assembled(ir, machine, level)
        except RuntimeError as refused:
            raise EquamoError(
                f"LLVM could not compile the program for {machine.cpu} ({str(refused).strip()})"
            ) from refused


def _assembled(ir: str, machine: Machine, level: int) -> str:
    binding = _binding()
    module = binding.parse_assembly(ir, context=binding.create_context())
    target = _target_machine(machine, level)
    module.triple = target.triple
    module.data_layout = str(target.target_data)
    module.verify()
    for thing in module.functions:
        if thing.is_declaration and not thing.name.startswith("llvm."):
            raise UnknownNameError("external name", thing.name, (), "the IR")
    return target.emit_assembly(module)


def printout(ir: str) -> str:
    """The module that `object_code` hands to LLVM as LLVM prints it: what was understood."""
    with LOCK:
        try:
            return _printed(ir)
        except RuntimeError as refused:
            text = str(refused).strip()
            raise EquamoError(
                f"LLVM must accept the program, but rejected it: {text}."
            ) from refused


def _printed(ir: str) -> str:
    binding = _binding()
    module = binding.parse_assembly(ir + _ANCHOR_IR, context=binding.create_context())
    module.verify()
    return str(module)


def _target_machine(machine: Machine, level: int) -> Any:
    return (
        _binding()
        .Target.from_triple(machine.triple)
        .create_target_machine(machine.cpu, machine.features, level, "pic", "small")
    )


def _check_declarations(module: Any) -> None:
    for thing in (*module.functions, *module.global_variables):
        name: str = thing.name
        known = name in UNDEFINED_ALLOWED or name.startswith("llvm.")
        if thing.is_declaration and not known:
            raise UnknownNameError("external name", name, sorted(UNDEFINED_ALLOWED), "the IR")


@final
class Loaded:
    """Machine code in this process; its addresses are valid while this object is alive.

    The memory is freed with the last reference: a call through an address that outlived it ends the
    process. Code that keeps an address must keep its `Loaded`.
    """

    __slots__ = ("_engine", "symbols")

    def __init__(self, engine: Any, symbols: frozenset[str]) -> None:
        self._engine = engine
        self.symbols: frozenset[str] = symbols

    def address(self, symbol: str) -> int:
        """Start address of a function."""
        if symbol not in self.symbols:
            raise UnknownNameError("function", symbol, sorted(self.symbols), "the object")
        with LOCK:
            return self._engine.get_function_address(symbol)

    def __del__(self, lock: Any = LOCK, finalizing: Any = sys.is_finalizing) -> None:
        if not finalizing():  # at exit llvmlite may be gone, and the memory is freed anyway
            with lock:
                self._engine.close()


def load(code: bytes) -> Loaded:
    """Load object code of `object_code` for this machine into memory."""
    found = object_file.read(code)
    if found.kind != _host_kind() or _ANCHOR not in found.defined:
        raise EquamoError(
            f"An object must be made by object_code for this machine ({_host_kind()}), got {found.kind}."
        )
    with LOCK:
        for name in sorted(found.undefined):
            _make_known(name)
        return Loaded(_in_memory(code), found.defined - {_ANCHOR, f"{_ANCHOR}_address"})


def _in_memory(code: bytes) -> Any:
    binding = _binding()
    # The engine needs a module to start from; an empty one is enough.
    engine = binding.create_mcjit_compiler(
        binding.parse_assembly(""), _target_machine(host(), 2), use_lmm=True
    )
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


@cache
def _host_kind() -> str:
    return object_file.read(object_code("")).kind


def _make_known(name: str) -> None:
    """Tell LLVM the address of a name of this process, unless it finds it itself."""
    binding = _binding()
    if name not in UNDEFINED_ALLOWED:
        raise UnknownNameError("external name", name, sorted(UNDEFINED_ALLOWED), "the object")
    if binding.address_of_symbol(name):
        return
    for library in _libraries():
        if hasattr(library, name):
            address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
            assert address
            binding.add_symbol(name, address)
            return
    raise EquamoError(f"The machine code needs {name!r}, which this system does not provide.")


def _libraries() -> list[ctypes.CDLL]:
    if sys.platform == "win32":
        return [ctypes.CDLL("ucrtbase"), ctypes.CDLL("ntdll")]
    return [ctypes.CDLL(None), *([ctypes.CDLL("libm.so.6")] if sys.platform == "linux" else [])]

"""Machine code of one function: from the disk cache, or derived, lowered and compiled; then loaded."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Final, Literal, cast, final

from ...basics.arguments import flag, is_one_of
from ...basics.waiting import waiting
from ...basics.wording import brief
from ...errors import EquamoError, UnknownNameError
from ...robot.formats.json_file import canonical, digest
from ..ir.function import Function, folded
from ..ir.program import DTYPES, Dtype, Program
from . import engine, processor
from .batch import Code
from .cache import Cache
from .entry import Signature, entry_ir
from .llvm import ir
from .origin import Origin

LANES: Final = (1, 2, 4, 8, 16)
PARAMETERS: Final = ("symbolic", "numeric")
DEFAULTS: Final = ("external", "parameters")  # optional arguments
MANY_OUTPUTS: Final = 250
_CUDA: Final = re.compile(r"cuda(?::(\d{1,3}))?", re.ASCII)


@final
@dataclass(frozen=True)
class Options:
    """Options of `compile`."""

    dtype: Dtype | None = None
    lanes: int | None = None
    threads: int | None = None
    cache: bool = True
    parameters: Literal["symbolic", "numeric"] = "symbolic"
    device: str = "cpu"
    cpu: str | None = None  # name of the processor; None only for a GPU

    def __post_init__(self) -> None:
        object.__setattr__(self, "cache", flag("compile: cache", self.cache))
        if not is_one_of(self.device, ("cpu",)) and self.gpu is None:
            raise UnknownNameError("device", self.device, ("cpu", "cuda", "cuda:1"), "compile")
        if self.gpu is not None and (self.lanes, self.threads, self.cpu) != (None, None, None):
            raise EquamoError(
                f"compile: lanes, threads and cpu must be left out for device {self.device!r}; they are "
                "options of the CPU."
            )
        if self.dtype is not None and self.dtype not in DTYPES:
            raise UnknownNameError("dtype", str(self.dtype), DTYPES, "compile")
        # 4.0 == 4 and True == 1, but neither is a valid number of lanes.
        if self.lanes is not None and (type(self.lanes) is not int or self.lanes not in LANES):
            raise UnknownNameError("number of lanes", self.lanes, map(str, LANES), "compile")
        if self.threads is not None and (type(self.threads) is not int or self.threads < 1):
            raise EquamoError(
                f"compile: threads must be an integer ≥ 1, got {brief(self.threads)}."
            )
        if not is_one_of(self.parameters, PARAMETERS):
            raise UnknownNameError("kind of parameters", self.parameters, PARAMETERS, "compile")
        if self.gpu is None:
            # Selected once, so that all functions are for the same processor, also in other processes.
            object.__setattr__(self, "cpu", processor.selected(self.cpu))

    @property
    def gpu(self) -> int | None:
        """Number of the GPU; None for the CPU.

        >>> Options(device="cuda").gpu, Options(device="cuda:1").gpu, Options().gpu
        (0, 1, None)
        """
        found = _CUDA.fullmatch(self.device) if isinstance(self.device, str) else None  # pyright: ignore[reportUnnecessaryIsInstance]
        return None if found is None else int(found[1] or 0)

    @property
    def machine(self) -> engine.Machine:
        """Machine of the code; an EquamoError if the code does not run here, as after unpickling."""
        return processor.machine(processor.selected(self.cpu or processor.HOST))


@final
class MachineCode:
    """Modules of one function, each compiled at first use."""

    origin: Origin
    options: Options
    kind: str
    frame: str | None

    def __init__(
        self,
        origin: Origin,
        options: Options,
        kind: str,
        frame: str | None,
        cpu: str | None = None,
    ) -> None:
        """`cpu` replaces that of the options: a proof needs no processor that the code runs on."""
        self.origin, self.options, self.kind, self.frame = origin, options, kind, frame
        self.source: Function = _source(origin, options, kind, frame)
        self.used: frozenset[int] = frozenset()  # parameters that the loaded kernels read
        self._cpu = cpu
        self._modules: dict[tuple[Dtype, int], Code] = {}
        self._made_from: dict[tuple[Dtype, int], str] = {}  # digest of the IR of each module
        self.on_devices: dict[Any, str] = {}  # the same for GPU modules (`cuda.module`)

    @cached_property
    def program(self) -> Program:
        """Straight-line code of the function."""
        with engine.LOCK:
            return self.source.program()

    @cached_property
    def machine(self) -> engine.Machine:
        """Machine that the code is made for."""
        return self.options.machine if self._cpu is None else processor.machine(self._cpu)

    @property
    def cpu(self) -> str | None:
        """Name of the processor; None for a GPU."""
        return self.options.cpu if self._cpu is None else self._cpu

    @cached_property
    def lanes(self) -> dict[Dtype, int]:
        """States per vector in a batch, by type of numbers."""
        return {d: self.options.lanes or engine.widest(d, self.machine) for d in DTYPES}

    def signature(self, dtype: Dtype) -> Signature:
        """Signature of the entry: states first, then optional arguments."""
        lengths = [len(a) for a in self.source.arguments if a.name not in DEFAULTS]
        more = len(self.source.arguments) - len(lengths)
        return Signature(tuple(lengths), more, tuple(y.shape for y in self.source.results), dtype)

    def module(self, dtype: Dtype, lanes: int) -> Code:
        """Loaded module for a number type and a number of lanes; with the entry if that is 1."""
        found = self._modules.get((dtype, lanes))
        if found is None:
            with engine.LOCK:
                with waiting(f"compiling {self.source.name}"):
                    found = self._modules.get((dtype, lanes)) or self._load(dtype, lanes)
                self._modules[dtype, lanes] = found
        return found

    def _load(self, dtype: Dtype, lanes: int) -> Code:
        disk = Cache() if self.options.cache else None
        if disk is None or not disk.enabled:
            return self._loaded(*self._make(dtype, lanes), dtype, lanes)
        key = self.key(dtype, lanes)
        kept = disk.get(key)
        if kept is not None:
            return self._loaded(kept.payload, kept.meta["used"], kept.meta["ir"], dtype, lanes)
        payload, used, made_from = self._make(dtype, lanes)
        disk.put(key, payload, {"function": self.source.name, "used": used, "ir": made_from})
        return self._loaded(payload, used, made_from, dtype, lanes)

    def _loaded(
        self, payload: bytes, used: list[int], made_from: str, dtype: Dtype, lanes: int
    ) -> Code:
        self.used = frozenset(used)
        self._made_from[dtype, lanes] = made_from
        return Code(payload, lanes)

    def key(self, dtype: Dtype, lanes: int) -> bytes:
        """Everything that determines a module, as bytes."""
        code, machine = self.variant(dtype, lanes), asdict(self.machine)
        return canonical({**self.origin.data, "machine": machine, "code": code})

    def variant(self, dtype: Dtype, lanes: int) -> list[Any]:
        """Plain data that determine the code, with those of the origin."""
        own = self.origin.own(self.kind)
        more = [] if own is None else [digest(own.to_data())]
        return [self.kind, self.frame, self.options.parameters, dtype, lanes, *more]

    @property
    def identity(self) -> str:
        """Digest of everything that determines the results, except the machine."""
        return digest({**self.origin.data, "code": self.variant("float64", 1)})

    @property
    def loaded(self) -> tuple[tuple[Dtype, int], ...]:
        """Type of number and lanes of each module that is in memory."""
        return tuple(self._modules)

    def text(self, dtype: Dtype, lanes: int) -> str:
        """The module of LLVM IR that is translated."""
        text = ir(self.program, dtype, lanes, engine.fuses(self.machine))
        return text + entry_ir(self.signature(dtype)) if lanes == 1 else text

    def is_made_from(self, dtype: Dtype, lanes: int, text: str) -> bool:
        """Whether LLVM was given this text for the module; true for a module that was never made."""
        known = self._made_from.get((dtype, lanes))
        return known is None or known == text_digest(text)

    def _make(self, dtype: Dtype, lanes: int) -> tuple[bytes, list[int], str]:
        with engine.LOCK:
            text = self.text(dtype, lanes)
            # If most of the code is stores, LLVM's last scheduler is slow and does not help.
            level = 1 if self.source.size > MANY_OUTPUTS else 2
            code = engine.object_code(text, self.machine, level)
            return code, used_parameters(self.program), text_digest(text)


def text_digest(text: str) -> str:
    """Digest of a module of IR."""
    return hashlib.sha256(text.encode()).hexdigest()


def _source(origin: Origin, options: Options, kind: str, frame: str | None) -> Function:
    """Function by its name, with folded parameters if they are numeric."""
    found = origin.function(kind, frame)
    if options.parameters == "symbolic":
        return found
    pairs = zip(origin.values.names, origin.values.home, strict=True)
    return folded(found, {n: x for n, x in pairs if x is not None})


def used_parameters(program: Program) -> list[int]:
    """Positions of the parameters that the program reads."""
    names = [a.name for a in program.arguments]
    leaves = [cast(Any, i.leaf) for i in program.instructions if i.op == "input"]
    return sorted({element for argument, element in leaves if names[argument] == "parameters"})

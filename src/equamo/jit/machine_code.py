"""Machine code of one function: from the disk cache, or derived, lowered and translated; then loaded."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from math import prod
from pathlib import Path
from typing import Any, Final, Literal, cast, final

from .._version import __version__
from ..equations.equations import EquationsOfMotion
from ..errors import EquamoError, UnknownNameError
from ..expr import as_expr, symbol
from ..formats.json_file import canonical, digest
from ..ir.functions import FRAME_FUNCTIONS, Function, folded, frame_function, frames, functions
from ..ir.program import DTYPES, Dtype, Program
from ..model.storage import robot_to_data
from ..waiting import waiting
from ..wording import brief
from . import engine
from .batch import Code
from .cache import Cache
from .entry import Signature, entry_ir
from .llvm import ir

LANES: Final = (1, 2, 4, 8, 16)
PARAMETERS: Final = ("symbolic", "numeric")
DEFAULTS: Final = ("external", "parameters")  # arguments that need not be given
MANY_OUTPUTS: Final = 250
LAYERS: Final = (  # what the code is made by
    "expr", "model", "kinematics", "recursions", "formulations", "equations", "ir", "jit", "motion",
)  # fmt: skip


@final
@dataclass(frozen=True)
class Options:
    """How functions are compiled: see `compile`."""

    dtype: Dtype | None = None
    lanes: int | None = None
    threads: int | None = None
    cache: bool = True
    parameters: Literal["symbolic", "numeric"] = "symbolic"

    def __post_init__(self) -> None:
        if self.dtype is not None and self.dtype not in DTYPES:
            raise UnknownNameError("dtype", str(self.dtype), DTYPES, "compile")
        # 4.0 == 4 and True == 1, and neither is a number of lanes.
        if self.lanes is not None and (type(self.lanes) is not int or self.lanes not in LANES):
            raise UnknownNameError("number of lanes", self.lanes, map(str, LANES), "compile")
        if self.threads is not None and (type(self.threads) is not int or self.threads < 1):
            raise EquamoError(f"compile: threads is a number from 1, not {brief(self.threads)}.")
        if self.parameters not in PARAMETERS:
            raise UnknownNameError("kind of parameters", self.parameters, PARAMETERS, "compile")


@final
class Identity:
    """What the machine code of equations depends on, as plain data, found once."""

    def __init__(self, eom: EquationsOfMotion) -> None:
        self.eom = eom

    @cached_property
    def data(self) -> dict[str, Any]:
        eom, d = self.eom, self.eom.derivation
        derived = [*d.mass_matrix.entries, *d.bias, *d.gravity]
        derived += [x for f in d.forces.values() for x in f]
        steps = eom.replaced.steps if eom.replaced else ()
        return {
            "version": [__version__, sources(), engine.version()],
            "machine": asdict(engine.host()),
            "robot": digest(robot_to_data(eom.robot)),
            "equations": [eom.by, eom.coriolis, digest([e.h for e in derived])],
            "replaced": [[(_text(k), _text(x)) for k, x in step.items()] for step in steps],
        }


@cache
def sources() -> str:
    """Digest of the files that make machine code: another text, another code."""
    found = hashlib.sha256()
    package = Path(__file__).parents[1]
    for layer in LAYERS:
        for path in sorted((package / layer).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def _text(x: Any) -> str:
    return str(symbol(x) if isinstance(x, str) else as_expr(x))


@final
class MachineCode:
    """The modules of one function, each made at its first use."""

    def __init__(self, identity: Identity, options: Options, kind: str, frame: str | None) -> None:
        self.identity, self.options, self.kind, self.frame = identity, options, kind, frame
        self.source = _source(identity.eom, options, kind, frame)
        self.used: frozenset[int] = frozenset()  # parameters that the loaded kernels read
        self._modules: dict[tuple[Dtype, int], Code] = {}

    @cached_property
    def program(self) -> Program:
        """The straight-line code."""
        with engine.LOCK:
            return self.source.program()

    def signature(self, dtype: Dtype) -> Signature:
        """Of the entry: states first, then what has defaults."""
        lengths = [len(a) for a in self.source.arguments if a.name not in DEFAULTS]
        more = len(self.source.arguments) - len(lengths)
        return Signature(tuple(lengths), more, self.source.shape, dtype)

    def module(self, dtype: Dtype, lanes: int) -> Code:
        """In memory, for a type of number and a number of lanes; with the entry if that is 1."""
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
            return self._loaded(*self._make(dtype, lanes), lanes)
        key = canonical({**self.identity.data, "code": self._variant(dtype, lanes)})
        kept = disk.get(key)
        if kept is not None:
            return self._loaded(kept.payload, kept.meta["used"], lanes)
        payload, used = self._make(dtype, lanes)
        disk.put(key, payload, {"function": self.source.name, "used": used})
        return self._loaded(payload, used, lanes)

    def _loaded(self, payload: bytes, used: list[int], lanes: int) -> Code:
        self.used = frozenset(used)
        return Code(payload, lanes)

    def _variant(self, dtype: Dtype, lanes: int) -> list[Any]:
        return [self.kind, self.frame, self.options.parameters, dtype, lanes]

    @property
    def loaded(self) -> tuple[tuple[Dtype, int], ...]:
        """Type of number and lanes of each module that is in memory."""
        return tuple(self._modules)

    def text(self, dtype: Dtype, lanes: int) -> str:
        """The module of LLVM IR that is translated."""
        text = ir(self.program, dtype, lanes, engine.fuses())
        return text + entry_ir(self.signature(dtype)) if lanes == 1 else text

    def _make(self, dtype: Dtype, lanes: int) -> tuple[bytes, list[int]]:
        with engine.LOCK:
            text = self.text(dtype, lanes)
            # Where most of the code stores, LLVM's last scheduler takes long and finds nothing.
            level = 1 if prod(self.source.shape) > MANY_OUTPUTS else 2
            return engine.object_code(text, level=level), _used_parameters(self.program)


def frame_name(eom: EquationsOfMotion, frame: object) -> str:
    """The name of a frame, if it is one."""
    choices = frames(eom)
    if not isinstance(frame, str) or frame not in choices:
        raise UnknownNameError("frame", frame, choices, f"robot {eom.robot.name!r}")
    return frame


def _source(eom: EquationsOfMotion, options: Options, kind: str, frame: str | None) -> Function:
    """The function by its name, with the parameters folded in if they are to be."""
    table = functions(eom)
    if kind in FRAME_FUNCTIONS:
        found = frame_function(eom, kind, frame_name(eom, frame))
    elif kind in table and frame is None:
        found = table[kind]
    else:
        choices = (*table, *FRAME_FUNCTIONS)
        raise UnknownNameError("compiled function", kind, choices, f"robot {eom.robot.name!r}")
    if options.parameters == "symbolic":
        return found
    return folded(found, {n: x for n, x in eom.robot.values.items() if x is not None})


def _used_parameters(program: Program) -> list[int]:
    """Which parameters are read, by their place."""
    names = [a.name for a in program.arguments]
    leaves = [cast(Any, i.leaf) for i in program.instructions if i.op == "input"]
    return sorted({element for argument, element in leaves if names[argument] == "parameters"})

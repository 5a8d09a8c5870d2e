"""CompiledFunction: a function in machine code, with its general call.

Users call a builtin function (`entry`) in front of a CompiledFunction: a call with plain arrays of one
state goes straight to the kernel, any other call comes here.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from functools import cache
from math import prod
from typing import Any, Final, cast, final

import numpy as np

from ..equations.equations import EquationsOfMotion
from ..equations.state_reader import Array, Reader, batch_size, native, no_value
from ..errors import EvaluationError, UnknownNameError
from ..expr import Expr
from ..ir.cost import Cost, cost
from ..ir.program import Argument, Dtype, Program
from ..model.state_space import StatePart, StateSpace
from ..wording import counted
from . import engine
from .arrays import check_out, common_dtype, is_direct, strides
from .batch import available_threads
from .builtin import Binding, layout_is_known
from .machine_code import DEFAULTS, Identity, MachineCode, Options

NO_ENTRIES: Final = {
    "external": StatePart.of_zeros("external", "external load"),
    "parameters": StatePart.of_zeros("values", "parameter"),
}


@final
class CompiledFunction:
    """Function in machine code, with its description and its general call."""

    def __init__(
        self,
        eom: EquationsOfMotion,
        options: Options,
        kind: str,
        frame: str | None = None,
        identity: Identity | None = None,
    ) -> None:
        self._identity = identity or Identity(eom)
        self._code = MachineCode(self._identity, options, kind, frame)
        self.eom, self.options, self.kind, self.frame = eom, options, kind, frame
        self.name, self.shape = self._code.source.name, self._code.source.shape
        arguments = self._code.source.arguments
        self.states = tuple(a.name for a in arguments if a.name not in DEFAULTS)
        parts = {a.name: _part(eom.robot.state_space, a) for a in arguments}
        self._readers = {n: Reader(self.name, part) for n, part in parts.items()}
        self._incomplete = any(None in part.home for part in parts.values())
        self._defaults: dict[tuple[str, str], Array] = {}
        self._sibling: CompiledFunction | None = None
        self._binding: Binding | None = None
        self._entry: weakref.ref[Any] | None = None

    # -- description -----------------------------------------------------------------------------------
    @property
    def program(self) -> Program:
        """Straight-line code; derived now if the machine code came from disk."""
        return self._code.program

    @property
    def codes(self) -> list[MachineCode]:
        """The machine code that calls of this function use, in modules that are in memory."""
        both = [self._code, *([] if self._sibling is None else self._sibling.codes)]
        return [code for code in both if code.loaded]

    @property
    def cost(self) -> Cost:
        """Cost of one evaluation: instructions, sines, registers and bytes."""
        return cost(self.program)

    @property
    def address(self) -> int:
        """Address of the kernel for one state, valid while this object is alive."""
        return self._code.module(self._main_dtype, 1).kernel

    @property
    def batch_address(self) -> int:
        """Address of the code for batches (`batch` of `llvm`), valid while this object is alive."""
        lanes = self.options.lanes or engine.widest(self._main_dtype)
        return self._code.module(self._main_dtype, lanes).loaded.address("batch")

    @property
    def _main_dtype(self) -> Dtype:
        return self.options.dtype or "float64"

    @property
    def _call(self) -> str:
        return f"{self.name}({', '.join(self.states)})"

    def __repr__(self) -> str:
        result = f"{self._code.source.output} {self.shape}"
        return f"<machine code of {self._call} -> {result}, robot {self.eom.robot.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledFunction, (self.eom, self.options, self.kind, self.frame)

    def __getattr__(self, name: str) -> Any:
        # Python pickles a builtin function as an attribute of its `self`.
        if name == self.__dict__.get("name"):
            return self.entry
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def entry(self) -> Any:
        """Builtin function that users call; this object itself if there cannot be one."""
        with engine.LOCK:
            found = self._entry() if self._entry is not None else None
            if found is None:
                loaded = self._code.module(self._main_dtype, 1).loaded
                if not layout_is_known() or self._missing({}):
                    return self
                if self._binding is None:
                    addresses = loaded.address("entry"), loaded.address("bind")
                    self._binding = self._bound(addresses)
                found = self._binding.function(self)
                self._entry = weakref.ref(found)
            return found

    def _bound(self, addresses: tuple[int, int]) -> Binding:
        dtype = self._main_dtype
        defaults = [self._default(n, dtype) for n in self._readers if n not in self.states]
        more = "out=None, values=None, external=None"
        if self.kind == "forward_dynamics":
            more = f"inputs=None, {more}"
        doc = (
            f"{self.name}($self, {', '.join(self.states)}, *, {more})\n--\n\n"
            f"{self._code.source.output} {self.shape} of robot {self.eom.robot.name}, in machine code."
        )
        return Binding(self._code.signature(dtype), addresses, defaults, self.name, doc)

    # -- calls -----------------------------------------------------------------------------------------
    def __call__(
        self, *given: Any, out: Any = None, values: Any = None, external: Any = None, **named: Any
    ) -> Any:
        """Evaluate at one state or a batch; arguments as in `Compiled`."""
        if self.kind == "forward_dynamics" and "inputs" in named:
            return self._by_inputs(*given, out=out, values=values, external=external, **named)
        arrays = self._read_states(given, named)
        if external is not None:
            arrays["external"] = self._reader("external").read(external)
        dtype = self.options.dtype or cast(Dtype, common_dtype(arrays.values()))
        table = self._check_values(values)
        if table:
            arrays["parameters"] = self._readers["parameters"].read_names(table)
        return self._run(arrays, dtype, out, table)

    def _reader(self, argument: str) -> Reader:
        """Reader of an argument; without entries if the function does not depend on it."""
        found = self._readers.get(argument)
        return Reader(self.name, NO_ENTRIES[argument]) if found is None else found

    def _by_inputs(self, *given: Any, **named: Any) -> Any:
        with engine.LOCK:
            if self._sibling is None:
                kind = "forward_dynamics_inputs"
                self._sibling = CompiledFunction(self.eom, self.options, kind, None, self._identity)
        return self._sibling(*given, **named)

    def _read_states(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Array]:
        """Read the state arguments, given by position or by name."""
        if len(given) > len(self.states):
            raise EvaluationError(
                f"{self._call} takes {counted(len(self.states), 'argument')}, got {len(given)}."
            )
        chosen = dict(zip(self.states, given, strict=False))
        for name, x in named.items():
            if name not in self.states:
                choices = (*self.states, "out", "values", "external")
                raise UnknownNameError("argument", name, choices, self._call)
            if name in chosen:
                raise EvaluationError(
                    f"{self._call}: {name} must be passed once, got it by position and by name."
                )
            chosen[name] = x
        missing = [n for n in self.states if n not in chosen]
        if missing:
            raise EvaluationError(f"{self._call}: no value for {', '.join(missing)}.")
        return {n: self._readers[n].read(chosen[n]) for n in self.states}

    def _check_values(self, values: Any) -> Mapping[Any, Any]:
        """Check `values`: {name: number} of parameters that are arguments of this function."""
        reader = self._reader("parameters")
        table = reader.table(values)
        whole = self.eom.robot.state_space.values.position
        for key in table:
            name = key.name if isinstance(key, Expr) else key
            if isinstance(name, str) and name in whole and name not in reader.part.position:
                raise EvaluationError(
                    f'{self.name} was compiled with parameters="numeric": the value of {name!r} is '
                    f"part of the code and cannot be passed; compile without that option."
                )
            reader.entry(key)
        return table

    def _missing(self, values: Mapping[Any, Any]) -> list[str]:
        """Parameters that the kernel reads and that have neither a value nor a default."""
        if not self._incomplete:
            return []
        part = self._readers["parameters"].part
        given = set(self._readers["parameters"].names_of(values))
        pairs = enumerate(zip(part.names, part.home, strict=True))
        return [n for i, (n, x) in pairs if x is None and i in self._code.used and n not in given]

    def _default(self, name: str, dtype: Dtype) -> Array:
        key = (name, dtype)
        if key not in self._defaults:
            self._defaults[key] = native(self._readers[name].default(), dtype)
        return self._defaults[key]

    def _run(
        self, arrays: dict[str, Array], dtype: Dtype, out: Any, values: Mapping[Any, Any]
    ) -> Any:
        size = batch_size(self.name, arrays)
        lanes = 1 if size is None else self.options.lanes or _widest(dtype)
        module = self._code.module(dtype, lanes)
        missing = self._missing(values)
        if missing:
            raise no_value(self.name, self.eom.robot.name, missing)
        inputs = [
            native(arrays[n], dtype) if n in arrays else self._default(n, dtype)
            for n in self._readers
        ]
        shape = self.shape if size is None else (size, *self.shape)
        target = None if out is None else check_out(self.name, out, shape, dtype)
        direct = target is not None and is_direct(target, inputs)
        result: Array = target if direct and target is not None else np.empty(shape, dtype)
        item = result.itemsize
        steps = [*(s for x in inputs for s in strides(x)), item * prod(self.shape), item]
        threads = self.options.threads or available_threads()
        module.run([*inputs, result], steps, 1 if size is None else size, threads)
        if target is None:
            return result if shape else float(result)
        if not direct:
            target[...] = result
        return target


_widest = cache(engine.widest)


def _part(space: StateSpace, argument: Argument) -> StatePart:
    """Part of the state space of an argument; `parameters` can be a subset of the robot's."""
    if argument.name == "parameters":
        return space.values.only(argument.symbols)
    for part in (space.q, space.v, space.vdot, space.inputs, space.external):
        if part.argument == argument.name and part.symbols == argument.symbols:
            return part
    return StatePart.of_zeros(argument.name, "entry", argument.symbols)

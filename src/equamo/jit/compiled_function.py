"""A compiled function: every way to call it.

What users call is a builtin function (`entry`) in front of a CompiledFunction: a call with plain arrays
of one state goes straight to the kernel, any other call comes here.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import prod
from typing import Any, cast, final

import numpy as np

from ..equations.equations import EquationsOfMotion
from ..errors import EvaluationError, UnknownNameError
from ..ir.cost import Cost, cost
from ..ir.program import Argument, Dtype, Program
from ..wording import brief, counted
from . import engine
from .arrays import (
    Array,
    Slot,
    batch_size,
    check_out,
    common_dtype,
    is_direct,
    native,
    strides,
)
from .batch import available_threads
from .builtin import Binding, layout_is_known
from .machine_code import DEFAULTS, Identity, MachineCode, Options


@final
class CompiledFunction:
    """A function in machine code: what it is, and the general way to call it."""

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
        self._slots = {a.name: _slot(eom, self.name, a) for a in arguments}
        self._incomplete = any(None in slot.defaults for slot in self._slots.values())
        self._defaults: dict[tuple[str, str], Array] = {}
        self._sibling: CompiledFunction | None = None
        self._binding: Binding | None = None
        self._entry: weakref.ref[Any] | None = None

    # -- what it is ------------------------------------------------------------------------------------
    @property
    def program(self) -> Program:
        """The straight-line code; derived now if the machine code came from disk."""
        return self._code.program

    @property
    def cost(self) -> Cost:
        """Instructions, sines, registers and bytes of one evaluation."""
        return cost(self.program)

    @property
    def address(self) -> int:
        """Where the kernel for one state is in memory, as long as this object is kept."""
        return self._code.module(self._main_dtype, 1).kernel

    @property
    def batch_address(self) -> int:
        """Where the code for batches is: `batch` of `llvm`, as long as this object is kept."""
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
        # Python pickles a builtin function as the attribute of this name of its `self`.
        if name == self.__dict__.get("name"):
            return self.entry
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def entry(self) -> Any:
        """The builtin function that users call; this object itself where there can be none."""
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
        defaults = [self._default(n, dtype) for n in self._slots if n not in self.states]
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
        """Numbers of one state, or of a batch: see `Compiled`."""
        if self.kind == "forward_dynamics" and "inputs" in named:
            return self._by_inputs(*given, out=out, values=values, external=external, **named)
        arrays = self._read_states(given, named)
        if external is not None:
            slot = self._slots.get("external") or Slot(self.name, "external", (), ())
            arrays["external"] = slot.read(external)
        dtype = self.options.dtype or cast(Dtype, common_dtype(arrays.values()))
        values = self._check_values(values)
        if values:
            slot = replace(self._slots["parameters"], argument="values")
            arrays["parameters"] = slot.read_names(values)
        return self._run(arrays, dtype, out, values)

    def _by_inputs(self, *given: Any, **named: Any) -> Any:
        with engine.LOCK:
            if self._sibling is None:
                kind = "forward_dynamics_inputs"
                self._sibling = CompiledFunction(self.eom, self.options, kind, None, self._identity)
        return self._sibling(*given, **named)

    def _read_states(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Array]:
        """Arrays of the state arguments, by position and by name."""
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
                raise EvaluationError(f"{self._call}: {name} was given twice.")
            chosen[name] = x
        missing = [n for n in self.states if n not in chosen]
        if missing:
            raise EvaluationError(f"{self._call}: not given: {', '.join(missing)}.")
        return {n: self._slots[n].read(chosen[n]) for n in self.states}

    def _check_values(self, values: Any) -> Mapping[Any, Any]:
        """{name: number} of parameters that are arguments of this function."""
        if values is None:
            return {}
        if not isinstance(values, Mapping):
            raise EvaluationError(
                f"{self.name}: values is {{name of a parameter: number}}, not {brief(values)}."
            )
        table = cast(Mapping[Any, Any], values)
        valid = self._slots["parameters"].names if "parameters" in self._slots else ()
        for key in table:
            name = getattr(key, "name", key)
            if name not in valid and name in self.eom.robot.parameter_info:
                raise EvaluationError(
                    f'{self.name} was compiled with parameters="numeric": the value of {name!r} is '
                    f"part of the code. Without that option values can be given."
                )
            if name not in valid:
                raise UnknownNameError("parameter", name, valid, f"values of {self.name}")
        return table

    def _missing(self, values: Mapping[Any, Any]) -> list[str]:
        """Parameters that the kernel reads, without a default and not given."""
        if not self._incomplete:
            return []
        slot = self._slots["parameters"]
        given = {getattr(key, "name", key) for key in values}
        pairs = enumerate(zip(slot.names, slot.defaults, strict=True))
        return [n for i, (n, x) in pairs if x is None and i in self._code.used and n not in given]

    def _default(self, name: str, dtype: Dtype) -> Array:
        key = (name, dtype)
        if key not in self._defaults:
            self._defaults[key] = native(self._slots[name].default(), dtype)
        return self._defaults[key]

    def _run(
        self, arrays: dict[str, Array], dtype: Dtype, out: Any, values: Mapping[Any, Any]
    ) -> Any:
        size = batch_size(self.name, arrays)
        lanes = 1 if size is None else self.options.lanes or _widest(dtype)
        module = self._code.module(dtype, lanes)
        missing = self._missing(values)
        if missing:
            raise EvaluationError(
                f"{self.name}: the parameter {missing[0]!r} of robot {self.eom.robot.name!r} has no "
                f"default value; give one with values={{{missing[0]!r}: …}}."
            )
        inputs = [
            native(arrays[n], dtype) if n in arrays else self._default(n, dtype)
            for n in self._slots
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


def _slot(eom: EquationsOfMotion, function: str, argument: Argument) -> Slot:
    """Names and defaults of an argument."""
    home = eom.robot.home
    tables: dict[str, Mapping[str, Any]] = {
        "q": home.q,
        "v": home.v,
        "inputs": home.inputs,
        "parameters": eom.robot.values,
    }
    names = tuple(s.name for s in argument.symbols)
    found = [tables.get(argument.name, {}).get(n, 0) for n in names]
    numbers = tuple(None if x is None else float(x) for x in found)
    return Slot(function, argument.name, names, numbers)

"""CompiledFunction: a function in machine code, with its general call.

Users call a builtin function (`entry`) in front of a CompiledFunction: a call with plain arrays of one
state goes straight to the kernel, any other call comes here.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, cast, final

import numpy as np

from ...algebra.expr import Expr
from ...basics.arguments import is_one_of
from ...basics.wording import brief, counted
from ...errors import EvaluationError, UnknownNameError
from ...mechanics.equations.state_reader import Array, Reader, batch_size, native, no_value
from ...robot.model.state_space import StatePart
from ...robot.model.wrt import WRT
from ..ir.cost import Cost, cost
from ..ir.function import Function, Result
from ..ir.packing import SUFFIX
from ..ir.program import Dtype, Program
from . import engine
from .arrays import check_outs, common_dtype, is_direct, strides
from .batch import Code, available_threads
from .builtin import Binding, layout_is_known
from .machine_code import DEFAULTS, MachineCode, Options
from .origin import Origin
from .packed import Indices, Packed, places_of

NO_ENTRIES: Final = {
    "external": StatePart.of_zeros("external", "external load"),
    "parameters": StatePart.of_zeros("values", "parameter"),
}


@final
class CompiledFunction:
    """Function in machine code, with its description and its general call."""

    origin: Origin  # equations or expressions that the code was made from
    options: Options  # type of numbers, lanes, threads, cache, processor
    kind: str  # name of the function without its frame
    frame: str | None  # frame of poses and Jacobians
    name: str  # name in generated code
    shapes: list[tuple[int, ...]]  # shape of each result
    sizes: list[int]  # number of entries of each result
    results: tuple[Result, ...]  # description of each result

    def __init__(
        self, origin: Origin, options: Options, kind: str, frame: str | None = None
    ) -> None:
        self.machine_code: MachineCode = MachineCode(origin, options, kind, frame)
        self.origin, self.options, self.kind, self.frame = origin, options, kind, frame
        self.name, self.results = self.machine_code.source.name, self.machine_code.source.results
        self.shapes, self.sizes = [y.shape for y in self.results], [y.size for y in self.results]
        arguments = self.machine_code.source.arguments
        self.states: tuple[str, ...] = tuple(a.name for a in arguments if a.name not in DEFAULTS)
        self.numbers: frozenset[str] = frozenset(a.name for a in arguments if a.is_number)
        parts = {a.name: origin.part(a) for a in arguments}
        self.readers: dict[str, Reader] = {n: Reader(self.name, part) for n, part in parts.items()}
        self._incomplete = any(None in part.home for part in parts.values())
        self._defaults: dict[tuple[str, str], Array] = {}
        self._siblings: dict[str, CompiledFunction] = {}
        self._binding: Binding | None = None
        self._entry: weakref.ref[Any] | None = None

    # -- description -----------------------------------------------------------------------------------
    @property
    def source(self) -> Function:
        """The function that was compiled."""
        return self.machine_code.source

    @property
    def program(self) -> Program:
        """Straight-line code; derived now if the machine code came from disk."""
        return self.machine_code.program

    @property
    def codes(self) -> list[MachineCode]:
        """The machine code that calls of this function use, in modules that are in memory."""
        every = [self.machine_code, *(c for x in self._siblings.values() for c in x.codes)]
        return [code for code in every if code.loaded or code.on_devices]

    @property
    def cost(self) -> Cost:
        """Cost of one evaluation: instructions, sines, registers and bytes."""
        return cost(self.program)

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on a derivative: each `sign` or `abs` whose derivative ignores the jump or kink.

        >>> from equamo.mechanics.equations import derive
        >>> from equamo.code.jit.compiled import compile
        >>> from equamo.robot.library import load
        >>> compile(derive(load("rr_arm"))).function("inverse_dynamics_derivatives").notes
        ()
        """
        return self.origin.remarks(self.source)

    @property
    def address(self) -> int:
        """Address of the kernel for one state, valid while this object is alive."""
        return self.machine_code.module(self._main_dtype, 1).kernel

    @property
    def batch_address(self) -> int:
        """Address of the code for batches (`batch` of `llvm`), valid while this object is alive."""
        lanes = self.machine_code.lanes[self._main_dtype]
        return self.machine_code.module(self._main_dtype, lanes).loaded.address("batch")

    @property
    def _main_dtype(self) -> Dtype:
        return self.options.dtype or "float64"

    @property
    def shape(self) -> Any:
        """Shape of the result, or a tuple of shapes for several results."""
        return self.shapes[0] if len(self.shapes) == 1 else tuple(self.shapes)

    @property
    def call_text(self) -> str:
        """The call, as in messages: `inverse_dynamics(q, v, a)`."""
        return f"{self.name}({', '.join(self.states)})"

    def __repr__(self) -> str:
        results = ", ".join(map(str, self.results))
        return f"<machine code of {self.call_text} -> {results}, {self.origin.title}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledFunction, (self.origin, self.options, self.kind, self.frame)

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
                loaded = self.machine_code.module(self._main_dtype, 1).loaded
                if not layout_is_known() or self.missing({}):
                    return self
                if self._binding is None:
                    addresses = loaded.address("entry"), loaded.address("bind")
                    self._binding = self._bound(addresses)
                found = self._binding.function(self)
                self._entry = weakref.ref(found)
            return found

    def _bound(self, addresses: tuple[int, int]) -> Binding:
        dtype = self._main_dtype
        defaults = [self.default(n, dtype) for n in self.readers if n not in self.states]
        more = "out=None, values=None, external=None"
        if self.kind == "forward_dynamics":
            more = f"inputs=None, {more}"
        if any(len(shape) == 2 for shape in self.shapes):
            more += ", packed=False"
        doc = (
            f"{self.name}($self, {', '.join(self.states)}, *, {more})\n--\n\n"
            f"{', '.join(map(str, self.results))} of {self.origin.title}, in machine code."
        )
        return Binding(self.machine_code.signature(dtype), addresses, defaults, self.name, doc)

    # -- calls -----------------------------------------------------------------------------------------
    def __call__(
        self, *given: Any, out: Any = None, values: Any = None, external: Any = None, **named: Any
    ) -> Any:
        """Evaluate at one state or a batch; arguments as in `Compiled`."""
        if named and (kind := self.variant_name(named)) != self.kind:
            other = self.sibling(kind)
            found = other(*given, out=out, values=values, external=external, **named)
            return other.wrapped(found) if kind.endswith(SUFFIX) else found
        arrays = self._read_states(given, named)
        if external is not None:
            arrays["external"] = self.read("external", external)
        dtype = self.options.dtype or cast(Dtype, common_dtype(arrays.values()))
        table = self.check_values(values)
        if table:
            arrays["parameters"] = self.readers["parameters"].read_names(table)
        return self._run(arrays, dtype, out, table)

    def reader(self, argument: str) -> Reader:
        """Reader of an argument; without entries if the function does not depend on it."""
        found = self.readers.get(argument)
        return Reader(self.name, NO_ENTRIES[argument]) if found is None else found

    def variant_name(self, named: dict[str, Any]) -> str:
        """Name of the function selected by the keywords, which are then removed."""
        kind = self.kind
        for solved in ("forward_dynamics", "constraint_forces"):
            if kind.startswith(solved) and "inputs" in named and "inputs" not in self.states:
                kind = f"{solved}_inputs{kind.removeprefix(solved)}"
        wrt = named.pop("wrt", "tangent")
        if not is_one_of(wrt, WRT):
            raise UnknownNameError("wrt", wrt, WRT, self.call_text)
        if wrt != "tangent":
            kind = f"{kind}_{wrt}"
            if not self.origin.has(kind):
                raise EvaluationError(
                    f"{self.call_text} must be a derivative with respect to q to take wrt, got {wrt!r}; "
                    "remove wrt."
                )
        chosen = named.pop("packed", False)
        if not isinstance(chosen, bool):
            raise EvaluationError(
                f"{self.call_text}: packed must be True or False, got {brief(chosen)}."
            )
        if chosen:
            if not any(len(shape) == 2 for shape in self.shapes):
                raise EvaluationError(
                    f"{self.call_text}: packed must be False, since no result is a matrix, got True; "
                    "remove it."
                )
            kind += SUFFIX
        return kind

    def sibling(self, kind: str) -> CompiledFunction:
        """Another function of the same robot, selected by keywords of this one."""
        with engine.LOCK:
            if kind not in self._siblings:
                found = CompiledFunction(self.origin, self.options, kind, self.frame)
                self._siblings[kind] = found
        return self._siblings[kind]

    def wrapped(self, found: Any) -> Any:
        """Results of a packed function with the positions of their entries."""
        arrays: Sequence[Any] = [found] if len(self.results) == 1 else found
        wrapped = tuple(
            x if y.places is None else Packed(x, *places, (y.whole[0], y.whole[1]), y.symmetric)
            for x, y, places in zip(arrays, self.results, self._places, strict=True)
        )
        return wrapped[0] if len(wrapped) == 1 else wrapped

    @cached_property
    def _places(self) -> list[tuple[Indices, Indices]]:
        return [places_of(y) for y in self.results]

    def _read_states(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Array]:
        return {n: self.read(n, x) for n, x in self.bind(given, named).items()}

    def read(self, argument: str, x: Any) -> Array:
        """Read an argument as an array (n,) or (N, n)."""
        return self.reader(argument).read(self._number(x) if argument in self.numbers else x)

    def bind(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
        """State arguments by name, whether passed by position or by name."""
        if len(given) > len(self.states):
            raise EvaluationError(
                f"{self.call_text} takes {counted(len(self.states), 'argument')}, got {len(given)}."
            )
        chosen = dict(zip(self.states, given, strict=False))
        for name, x in named.items():
            if name not in self.states:
                choices = (*self.states, "out", "values", "external")
                raise UnknownNameError("argument", name, choices, self.call_text)
            if name in chosen:
                raise EvaluationError(
                    f"{self.call_text}: {name} must be passed once, got it both by position and by name."
                )
            chosen[name] = x
        missing = [n for n in self.states if n not in chosen]
        if missing:
            raise EvaluationError(f"{self.call_text}: no value for {', '.join(missing)}.")
        return {n: chosen[n] for n in self.states}

    def _number(self, x: Any) -> Any:
        """A number as an array of one, and N numbers as a batch; anything else unchanged."""
        plain = isinstance(x, (int, float, np.ndarray, np.generic))
        array: Any = np.asarray(cast(Any, x)) if plain else None
        return array[..., None] if plain and array.ndim < 2 else cast(Any, x)

    def check_values(self, values: Any) -> Mapping[Any, Any]:
        """Check `values`: {name: number} of parameters that are arguments of this function."""
        reader = self.reader("parameters")
        table = reader.table(values)
        whole = self.origin.values.position
        for key in table:
            name = key.name if isinstance(key, Expr) else key
            if isinstance(name, str) and name in whole and name not in reader.part.position:
                raise EvaluationError(
                    f'{self.name} was compiled with parameters="numeric": the value of {name!r} is '
                    f"part of the code and cannot be passed; compile without that option."
                )
            reader.entry(key)
        return table

    def missing(self, values: Mapping[Any, Any], used: frozenset[int] | None = None) -> list[str]:
        """Parameters that the kernel reads and that have neither a value nor a default.

        Args:
            values: Values by name, as in a call.
            used: Positions of the parameters that a kernel reads; by default, the CPU's.

        Returns:
            Names of the parameters.
        """
        if not self._incomplete:
            return []
        if used is None:
            if not self.machine_code.loaded:
                self._module(self._main_dtype, None)
            used = self.machine_code.used
        part = self.readers["parameters"].part
        given = set(self.readers["parameters"].names_of(values))
        pairs = enumerate(zip(part.names, part.home, strict=True))
        return [n for i, (n, x) in pairs if x is None and i in used and n not in given]

    def default(self, name: str, dtype: Dtype) -> Array:
        """Default of an optional argument, as an array of the given type."""
        key = (name, dtype)
        if key not in self._defaults:
            self._defaults[key] = native(self.readers[name].default(), dtype)
        return self._defaults[key]

    def _run(
        self, arrays: dict[str, Array], dtype: Dtype, out: Any, values: Mapping[Any, Any]
    ) -> Any:
        size = batch_size(self.name, arrays)
        module = self._module(dtype, size)
        missing = self.missing(values)
        if missing:
            raise no_value(self.name, self.origin.name, missing)
        inputs = [
            native(arrays[n], dtype) if n in arrays else self.default(n, dtype)
            for n in self.readers
        ]
        shapes = self.shapes if size is None else [(size, *shape) for shape in self.shapes]
        targets = None
        if out is not None:
            names = [y.name for y in self.results]
            targets = check_outs(self.name, names, out, shapes, dtype)
        results: list[Array] = []
        for k, shape in enumerate(shapes):
            if targets is not None and is_direct(targets[k], (*inputs, *targets[:k])):
                results.append(targets[k])
            else:
                results.append(np.empty(shape, dtype))
        self._execute(module, inputs, results, size)
        if targets is None:
            found = [y if y.ndim else float(y) for y in results]
            return found[0] if len(found) == 1 else tuple(found)
        for target, y in zip(targets, results, strict=True):
            if target is not y:
                target[...] = y
        return out

    def run_arrays(self, arrays: Sequence[Array]) -> list[Array]:
        """Results for arrays (n,) or (N, n) of all arguments, also optional ones, in one dtype.

        For bridges to other libraries, which check the arguments themselves.
        """
        dtype = cast(Dtype, arrays[0].dtype.name)
        size = batch_size(self.name, dict(zip(self.readers, arrays, strict=True)))
        shapes = self.shapes if size is None else [(size, *shape) for shape in self.shapes]
        results = [np.empty(shape, dtype) for shape in shapes]
        self._execute(self._module(dtype, size), arrays, results, size)
        return results

    def _module(self, dtype: Dtype, size: int | None) -> Code:
        code = self.machine_code
        return code.module(dtype, 1 if size is None else code.lanes[dtype])

    def _execute(
        self, module: Code, inputs: Sequence[Array], results: Sequence[Array], size: int | None
    ) -> None:
        """Run the machine code on arrays of its own dtype."""
        steps = [s for x in inputs for s in strides(x)]
        item = results[0].itemsize
        for n in self.sizes:
            steps += (item * n, item)
        threads = self.options.threads or available_threads()
        module.run([*inputs, *results], steps, 1 if size is None else size, threads)

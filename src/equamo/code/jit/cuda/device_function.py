"""DeviceFunction: a function on a GPU, with the call of a `CompiledFunction`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any, cast, final

from ....errors import EvaluationError
from ....mechanics.equations.state_reader import Array, batch_size, native
from ...ir.packing import SUFFIX
from ...ir.program import Dtype
from .. import engine
from ..arrays import check_outs, common_dtype
from ..compiled_function import CompiledFunction
from .arguments import Arguments, on_host
from .arrays import DeviceArray, View
from .code import DeviceCode
from .device import Device
from .launch import Arrays
from .layout import MOST_STAGED
from .libraries import Library, library_of
from .runner import Runner
from .variants import Variant


@final
class DeviceFunction:
    """Function on a GPU: takes arrays of PyTorch, CuPy and JAX without copies; copies NumPy arrays."""

    host: CompiledFunction
    device: Device

    def __init__(self, function: CompiledFunction, device: Device) -> None:
        self.host, self.device = function, device
        self.runner: Runner = Runner(function, device)
        self.arguments: Arguments = Arguments(function, device)
        self._siblings: dict[str, DeviceFunction] = {}

    @property
    def name(self) -> str:
        return self.host.name

    @property
    def code(self) -> DeviceCode:
        return self.runner.code

    def __repr__(self) -> str:
        results = ", ".join(map(str, self.host.results))
        title = self.host.origin.title
        return f"<{self.host.call_text} -> {results} on {self.device}, {title}>"

    # -- calls -----------------------------------------------------------------------------------------
    def __call__(
        self,
        *given: Any,
        out: Any = None,
        values: Any = None,
        external: Any = None,
        stream: int | None = None,
        tune: bool | None = None,
        **named: Any,
    ) -> Any:
        """Evaluate at one state or a batch.

        Args:
            *given: State arguments, (n,) or (N, n): arrays on this device, or in host memory.
            out: Array for the result, or a tuple of arrays, on this device.
            values: {parameter: number, or N numbers} that replace defaults.
            external: Wrenches of external loads.
            stream: Address of the CUDA stream; by default the current one of the library.
            tune: True measures several variants of the kernel with these arrays and returns
                {variant: time [s]} instead; the fastest is used from then on, and the cache on disk
                keeps the choice. By default the first batch of at least 2¹⁸ states does this first,
                except while a CUDA graph is captured; False, or EQUAMO_TUNE=0 in the environment,
                prevents it.
            **named: State arguments by name; `wrt` and `packed` as for the CPU.

        Returns:
            An array of the library of the arguments, in their order (rows or columns). Work on the
            device may still be running, as usual in these libraries; NumPy arrays are complete.

        Raises:
            EvaluationError: A shape, dtype or device is not valid.
            DeviceError: The operation failed on the device: out of memory, a failed launch …
        """
        if named and (kind := self.host.variant_name(named)) != self.host.kind:
            other = self.sibling(kind)
            options = {"out": out, "values": values, "external": external, "stream": stream}
            found = other(*given, **options, tune=tune, **named)
            if tune:
                return found
            return other.host.wrapped(found) if kind.endswith(SUFFIX) else found
        raw = self.host.bind(given, named)
        if external is not None:
            raw["external"] = external
        libraries = {n: library_of(x) for n, x in raw.items()}
        known = [x for x in libraries.values() if x is not None]
        table = self.host.check_values(values)
        if known:
            return self._on_device(raw, libraries, known[0], table, out, stream, tune)
        if tune:
            raise EvaluationError(
                f"{self.name}: with tune=True, at least one argument must be on {self.device}, got "
                "none; move one there."
            )
        return self._from_host(raw, table, out, stream or 0, tune)

    @property
    def variants(self) -> dict[str, dict[Variant, float]]:
        """Time of each variant that was measured [s], by the type and the order of the arrays."""
        return self.runner.variants

    def sibling(self, kind: str) -> DeviceFunction:
        """Another function of the same robot, selected by keywords of this one."""
        with engine.LOCK:
            if kind not in self._siblings:
                host = self.host.sibling(kind)
                self._siblings[kind] = DeviceFunction(host, self.device)
        return self._siblings[kind]

    # -- arrays in host memory -------------------------------------------------------------------------
    def _from_host(
        self,
        raw: dict[str, Any],
        table: Mapping[Any, Any],
        out: Any,
        stream: int,
        tune: bool | None,
    ) -> Any:
        """Copy the arguments to the device, run, and copy the results back."""
        arrays = {n: self.host.read(n, x) for n, x in raw.items()}
        if table:
            arrays["parameters"] = self.host.readers["parameters"].read_names(table)
        dtype = self.host.options.dtype or cast(Dtype, common_dtype(arrays.values()))
        size = batch_size(self.name, arrays)
        shapes = self._shapes(1 if size is None else size)
        single = list(self.host.shapes) if size is None else shapes
        names = [y.name for y in self.host.results]
        given = None if out is None else check_outs(self.name, names, out, single, dtype)
        inputs = {n: self._uploaded(x, dtype, stream) for n, x in arrays.items()}
        targets = [self.arguments.new(shape, dtype) for shape in shapes]
        views = [x.view for x in targets]
        every = self._arrays(inputs, views, dtype, 1 if size is None else size)
        self.runner.run(every, stream, table, tune)
        results = [x.to_numpy(stream) for x in targets]
        if size is None:
            results = [y[0] for y in results]
        if given is not None:
            for target, y in zip(given, results, strict=True):
                target[...] = y
            return out
        found = [y if y.ndim else float(y) for y in results]
        return found[0] if len(found) == 1 else tuple(found)

    def _uploaded(self, x: Array, dtype: str, stream: int) -> Array | View:
        """A batch as an array on the device; a single state is left for passing by value."""
        x = native(x, dtype)
        if x.ndim == 1:
            return x
        copy = self.arguments.new(x.shape, dtype)
        copy.fill(x, stream)
        return copy.view

    # -- arrays on the device --------------------------------------------------------------------------
    def _on_device(
        self,
        raw: dict[str, Any],
        libraries: Mapping[str, Library | None],
        main: Library,
        table: Mapping[Any, Any],
        out: Any,
        stream: int | None,
        tune: bool | None,
    ) -> Any:
        work = main.stream(self.device) if stream is None else stream
        inputs: dict[str, Array | View] = {}
        for n, x in raw.items():
            library = libraries[n]
            inputs[n] = (
                self.arguments.host_state(n, x)
                if library is None
                else self.arguments.view(n, x, library, work)
            )
        views = {n: x for n, x in inputs.items() if isinstance(x, View)}
        dtype = self.arguments.dtype(views)
        batches = {n: x for n, x in views.items() if len(x.shape) == 2}
        table = {k: on_host(x) for k, x in table.items()}
        size = self.arguments.size(batches, table)
        if table:
            inputs["parameters"] = self.arguments.parameters(table, dtype, work)
        first = next(iter(batches.values()), None)
        columns = first is not None and first.is_columns and not first.is_rows
        # Long rows would be written in partial sectors, so they are always stored as columns.
        item = 8 if dtype == "float64" else 4
        order = [columns or item * n > MOST_STAGED for n in self.host.sizes]
        count = 1 if size is None else size
        shapes = self._shapes(count)
        if out is None:
            pairs = zip(shapes, order, strict=True)
            with nullcontext() if stream is None else main.using(self.device, stream):
                made = [main.empty(self.device, shape, dtype, by) for shape, by in pairs]
            targets = [self._library(x).view(x, work) for x in made]
        else:
            several = isinstance(out, (tuple, list))
            made: list[Any] = [out] if len(shapes) == 1 else list(cast(Any, out)) if several else []
            targets = self.arguments.targets(made, shapes, dtype, size, work, views)
        arrays = self._arrays(inputs, targets, dtype, count)
        if tune:
            return self.runner.tune(arrays, work)
        self.runner.run(arrays, work, table, tune)
        if out is not None:
            for x in made:
                if isinstance(x, DeviceArray):
                    x.pending = work
            return out
        found = [main.finished(x, self.device, work) for x in made]
        if size is None:
            found = [x.to_numpy(work)[0] if isinstance(x, DeviceArray) else x[0] for x in found]
        return found[0] if len(found) == 1 else tuple(found)

    def run_arrays(self, arrays: Sequence[Any]) -> list[Any]:
        """Results for batches (N, n) of all arguments, also optional ones, on this device in one dtype.

        For bridges to other libraries, which check the arguments themselves.
        """
        library = self._library(arrays[0])
        work = library.stream(self.device)
        names = list(self.host.readers)
        inputs: dict[str, Array | View] = {
            n: self.arguments.view(n, x, library, work) for n, x in zip(names, arrays, strict=True)
        }
        views = {n: x for n, x in inputs.items() if isinstance(x, View)}
        dtype, count = self.arguments.dtype(views), views[names[0]].shape[0]
        item = 8 if dtype == "float64" else 4
        made = [
            library.empty(self.device, shape, dtype, item * n > MOST_STAGED)
            for shape, n in zip(self._shapes(count), self.host.sizes, strict=True)
        ]
        targets = [self._library(x).view(x, work) for x in made]
        self.runner.run(self._arrays(inputs, targets, dtype, count), work, None)
        return [library.finished(x, self.device, work) for x in made]

    def _library(self, x: Any) -> Library:
        found = library_of(x)
        assert found is not None
        return found

    # -- launches --------------------------------------------------------------------------------------
    def _shapes(self, count: int) -> list[tuple[int, ...]]:
        return [(count, *shape) for shape in self.host.shapes]

    def _arrays(
        self, inputs: Mapping[str, Array | View], targets: Sequence[View], dtype: Dtype, count: int
    ) -> Arrays:
        """Arrays in the order of the kernel's arguments, with defaults for missing ones."""
        every = (inputs.get(n, self.host.default(n, dtype)) for n in self.host.readers)
        sizes = (*(r.part.size for r in self.host.readers.values()), *self.host.sizes)
        return Arrays(tuple(every), tuple(targets), sizes, dtype, count)

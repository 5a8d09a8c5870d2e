"""`fast.rollout`: batches of runs with a fixed step, entirely on a GPU."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from ...algebra.expr import Expr
from ...code.jit import engine
from ...code.jit.cache import Cache
from ...code.jit.cuda.arrays import DeviceArray, View
from ...code.jit.cuda.device import Device
from ...code.jit.cuda.image import Image
from ...code.jit.cuda.launch import start as launch
from ...code.jit.cuda.libraries import Library, Other, library_of
from ...code.jit.cuda.ptx import directed, machine
from ...code.jit.origin import Equations
from ...code.steps import method_named
from ...code.steps.device_loop import ARRAYS, METHODS, DeviceLoop
from ...errors import EquamoError, EvaluationError, UnknownNameError
from ...mechanics.equations.state_reader import Reader
from ...robot.formats.json_file import canonical
from .closed_state import projected_rows
from .conditions import number_of_steps, read_conditions, read_positive_integer, read_time
from .fixed_step import Plan, kernel
from .rollout import Rollout

if TYPE_CHECKING:
    from ...code.jit.compiled import Compiled

PLACE: Final = "rollout"
THREADS: Final = 64  # of a block


def rollout(
    fast: Compiled,
    q: Any = None,
    v: Any = None,
    *,
    step: float,
    steps: int | None = None,
    duration: float | None = None,
    control: Any = None,
    method: str = "semi_implicit_euler",
    every: int | None = None,
    start: float = 0.0,
    values: Mapping[Any, Any] | None = None,
    external: Any = None,
    stream: int | None = None,
) -> Rollout:
    """Simulate N initial states with a fixed step on the GPU for which `fast` was compiled.

    Args:
        fast: Functions from `eq.compile(eom, device="cuda")`.
        q: Initial coordinates, (N, n): an array on the device, or anything that `eq.rollout` takes.
        v: Initial speeds, (N, n).
        step: Step [s].
        steps: Number of steps; give either `steps` or `duration`.
        duration: Duration [s], a multiple of `step`.
        control: Expressions in q, v, t and parameters, as for `eq.rollout`; or numbers (m,), (N, m) or
            (N, T, m), which may be an array on the device.
        method: "semi_implicit_euler" or "rk4".
        every: Keep every n-th state; by default only the first and the last.
        start: Time at the start [s].
        values: {parameter: number or N numbers} for parameters that differ from the defaults.
        external: Wrenches of external loads, (k,) or (N, k), by default 0.
        stream: Address of the CUDA stream; by default the current one of the library.

    Returns:
        A `Rollout`; its states are an array of the library of q (NumPy: copied). A diverged run has
        infinite numbers or NaN from then on; `broken` is empty.

    Raises:
        EquamoError: `fast` was compiled for the CPU, or the robot has loops or contacts.
        EvaluationError: An argument has the wrong shape or value.
        DeviceError: The operation failed on the device.
    """
    if fast.options.gpu is None:
        raise EquamoError(
            'rollout: the functions must be compiled for a GPU (device="cuda"), got those '
            "for the CPU; use eq.rollout(eom, ...)."
        )
    eom = fast.eom
    if projected_rows(eom):
        raise EquamoError(
            f"rollout on a GPU: the robot must have no loops or sticking contacts, got "
            f"{eom.robot.name!r}; use eq.rollout on the CPU."
        )
    if method_named(method).name not in METHODS:
        raise UnknownNameError("method on a GPU", method, METHODS, PLACE)
    count, h = number_of_steps(step, steps, duration), float(step)
    start, kept = read_time("start", start), count if every is None else every
    kept = read_positive_integer("every", kept)
    if count % kept:
        raise EvaluationError(
            f"{PLACE}: every must divide the number of steps, {count}, got {kept}."
        )
    place: Device = fast.gpu(fast.options.gpu)
    run = _Run(fast, place, count, kept, method)
    return run(q, v, control, values, external, (start, h), stream)


@final
@dataclass(frozen=True)
class _Run:
    """One call of `rollout`."""

    fast: Compiled
    place: Device
    steps: int
    every: int
    method: str

    def __call__(
        self,
        q: Any,
        v: Any,
        control: Any,
        values: Any,
        external: Any,
        clock: tuple[float, float],
        stream: int | None,
    ) -> Rollout:
        eom = self.fast.eom
        given = {"q": q, "v": v, "control": control}
        libraries = {n: library_of(x) for n, x in given.items()}
        main = next((x for x in libraries.values() if x is not None), None)
        work = stream
        if work is None:
            work = 0 if main is None else main.stream(self.place)
        views = {n: lib.view(given[n], work) for n, lib in libraries.items() if lib is not None}
        host = {n: None if n in views else x for n, x in given.items()}
        conditions = read_conditions(
            eom, self.steps, host["q"], host["v"], host["control"], values, external
        )
        dtype = self._dtype(views)
        sizes = {n: x.shape[0] for n, x in views.items() if len(x.shape) > 1}
        if not conditions.single or len(conditions.inputs) > 1:
            sizes["others"] = max(len(conditions.initial), len(conditions.inputs))
        if len(set(sizes.values())) > 1:
            raise EvaluationError(
                f"{PLACE}: batches must have the same size, got "
                f"{', '.join(f'{n} has {x}' for n, x in sizes.items())}."
            )
        runs = next(iter(sizes.values()), 1)
        n = len(eom.q)
        arrays: dict[str, View] = {
            "q": self._state(
                views.get("q"), conditions.initial[:, :n], dtype, eom.robot.state_space.q
            ),
            "v": self._state(
                views.get("v"), conditions.initial[:, n:], dtype, eom.robot.state_space.v
            ),
            "inputs": self._inputs(views.get("control"), conditions.inputs, dtype),
            "external": self._copied(np.atleast_2d(conditions.external), dtype),
        }
        image, parameters = self._image(conditions.expressions, dtype)
        numeric = self.fast.options.parameters == "numeric"
        numbers = conditions.parameters(parameters, numeric)
        arrays["parameters"] = self._copied(np.atleast_2d(numbers), dtype)
        size, rows = n + len(eom.v), self.steps // self.every + 1
        library: Library = Other() if main is None else main
        with nullcontext() if stream is None else library.using(self.place, work):
            states = library.empty(self.place, (runs, rows * size), dtype, runs > 1)
        found = library_of(states)
        assert found is not None
        target = found.view(states, work)
        self._launch(image, arrays, target, size, runs, clock, work)
        copied = main is None
        result = states.to_numpy(work) if copied else library.finished(states, self.place, work)
        result = result.reshape(runs, rows, size)
        single = conditions.single and not views
        t = clock[0] + clock[1] * self.every * np.arange(rows, dtype=np.float64)
        return Rollout(eom, self.method, clock[1], t, result[0] if single else result)

    def _dtype(self, views: Mapping[str, View]) -> str:
        dtypes = {x.dtype for x in views.values()} | {self.fast.options.dtype} - {None}
        if len(dtypes) > 1:
            raise EvaluationError(
                f"{PLACE}: arrays on a device must have the same dtype, got "
                f"{', '.join(map(str, dtypes))}; convert them first."
            )
        return str(next(iter(dtypes), "float64"))

    def _state(self, view: View | None, initial: Any, dtype: str, part: Any) -> View:
        if view is None:
            return self._copied(initial, dtype)
        if len(view.shape) != 2 or view.shape[1] != part.size:
            raise Reader(PLACE, part).shape_error(view.shape)
        return view

    def _inputs(self, view: View | None, inputs: Any, dtype: str) -> View:
        """Inputs (N or 1, T or 1, m)."""
        if view is None:
            return self._copied(inputs, dtype)
        m = len(self.fast.eom.inputs)
        if len(view.shape) == 2:
            strides = (view.strides[0], 0, view.strides[1])
            view = replace(view, shape=(view.shape[0], 1, view.shape[1]), strides=strides)
        if len(view.shape) != 3 or view.shape[2] != m or view.shape[1] not in (1, self.steps):
            raise EvaluationError(
                f"{PLACE}: control on a device must have shape (N, {m}) or (N, {self.steps}, {m}), got "
                f"{view.shape}."
            )
        return view

    def _copied(self, array: Any, dtype: str) -> View:
        doing = f"{PLACE}: copying {array.shape} numbers to {self.place}"
        copy = DeviceArray(self.place, array.shape, dtype, doing)
        copy.fill(array.astype(dtype))
        return copy.view

    def _image(self, control: tuple[Expr, ...] | None, dtype: str) -> tuple[Image, list[str]]:
        """Kernel of these runs, from memory, from disk or compiled now, and the parameters it reads."""
        eom, device, options = self.fast.eom, self.place, self.fast.options
        inserted = None if control is None else [e.h for e in control]
        variant = ["device rollout", self.method, inserted, options.parameters, dtype]
        where = [device.name, *device.capability]
        key = canonical({**Equations(eom).data, "code": variant, "cuda": where})
        made: dict[Any, tuple[Image, list[str]]] = eom.made.setdefault("device rollouts", {})
        with engine.LOCK:
            if (device.ordinal, key) not in made:
                disk = Cache() if options.cache else None
                kept = disk.get(key) if disk is not None else None
                if kept is None:
                    text, parameters = self._make(control, dtype)
                    if disk is not None:
                        disk.put(key, text.encode(), {"function": PLACE, "parameters": parameters})
                else:
                    text, parameters = kept.payload.decode(), list(kept.meta["parameters"])
                made[device.ordinal, key] = Image(device, text, PLACE), parameters
            return made[device.ordinal, key]

    def _make(self, control: tuple[Expr, ...] | None, dtype: str) -> tuple[str, list[str]]:
        eom, device = self.fast.eom, self.place
        plan = Plan(eom, self.method, control, 1, self.fast.options.parameters == "numeric", False)
        program = kernel(plan, method_named(self.method))
        n = len(eom.q)
        unit = eom.robot.state_space.quaternions
        text = DeviceLoop(program, self.method, dtype, n, n + len(eom.v), unit).text()
        ptx = directed(engine.assembly(text, machine(device.capability)), THREADS, spill=True)
        names = [s.name for a in program.arguments if a.name == "parameters" for s in a.symbols]
        return ptx, names

    def _launch(
        self,
        image: Image,
        arrays: Mapping[str, View],
        target: View,
        size: int,
        runs: int,
        clock: tuple[float, float],
        stream: int,
    ) -> None:
        real = ctypes.c_double if target.dtype == "float64" else ctypes.c_float
        given: list[Any] = [ctypes.c_int64(x) for x in (runs, self.steps, self.every)]
        given += [real(x) for x in clock]
        for name in ARRAYS[:-1]:
            view = arrays[name]
            state = 0 if view.shape[0] == 1 else view.strides[0]
            given += [
                ctypes.c_void_p(view.pointer),
                *map(ctypes.c_int64, (state, view.strides[-1])),
            ]
        state, element = target.strides
        given += [ctypes.c_void_p(target.pointer), *map(ctypes.c_int64, (state, element))]
        inputs = arrays["inputs"]
        moving = inputs.strides[1] if inputs.shape[1] > 1 else 0
        given += [ctypes.c_int64(moving), ctypes.c_int64(size * element)]
        launch(image, given, runs, THREADS, stream)

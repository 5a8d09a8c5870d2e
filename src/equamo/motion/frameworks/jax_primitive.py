"""The JAX primitive that calls machine code, and its rules: shapes, derivatives, transposes, batches.

    y = call(x₁, x₂, …)      one operand per argument of the program, one result per result

A `Routine` is a function, or the pushforward or pullback of a routine (`ir.differentials`):

    jvp          ẏ = pushforward(x, δ), linear in δ; the routine itself if it is linear
    transpose    the pullback of a pushforward, and the pushforward of a pullback
    batching     leading dimensions; an operand without them is shared by all states

The pushforward is a routine as well, so all of this holds for second and higher derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property, lru_cache, partial
from importlib import import_module
from math import prod
from typing import Any, cast, final

from ...code.ir.differentials import (
    ALL,
    CONSTANTS,
    PULLBACK,
    PUSHFORWARD,
    active_arguments,
    more_arguments,
)
from ...code.ir.function import Function
from ...code.ir.program import Dtype
from ...code.jit.compiled import Compiled
from ...code.jit.compiled_function import CompiledFunction
from ...errors import EquamoError
from .framework import framework
from .jax_arrays import PLACE
from .jax_cuda import Call, operands_shared, target as cuda_target
from .jax_handler import target


@final
class Routine:
    """Function in machine code with its derivatives; equal only to itself, as JAX requires."""

    fast: Compiled
    base: Routine | None
    ending: str

    def __init__(
        self, fast: Compiled, name: str, frame: str | None = None, base: Routine | None = None,
        ending: str = "",
    ) -> None:  # fmt: skip
        self.fast, self.base, self.ending = fast, base, ending
        self.function: CompiledFunction = fast.function(name, frame)
        # Parameters that were replaced by numbers are no longer arguments of the code.
        self.source: Function = self.function.origin.function(self.function.kind, frame)
        self.name: str = self.function.name
        self.arguments: tuple[str, ...] = tuple(a.name for a in self.function.source.arguments)
        self.sizes: tuple[int, ...] = tuple(len(a) for a in self.function.source.arguments)
        self.shapes: tuple[tuple[int, ...], ...] = tuple(y.shape for y in self.function.results)
        self._derived: dict[str, Routine] = {}

    def derived(self, ending: str) -> Routine:
        """Pushforward or pullback, by an ending of `ir.differentials`."""
        if ending not in self._derived:
            self._derived[ending] = Routine(self.fast, self.name + ending, None, self, ending)
        return self._derived[ending]

    @cached_property
    def linear(self) -> tuple[str, ...]:
        """Names of the arguments in which it is linear: δ of a pushforward, λ of a pullback."""
        if self.base is None:
            return ()
        return tuple(a.name for a in more_arguments(self.base.source, self.ending))

    @cached_property
    def active(self) -> tuple[str, ...]:
        """Names of the arguments of the base with respect to which it was differentiated."""
        assert self.base is not None
        return tuple(a.name for a in active_arguments(self.base.source, self.ending))

    @cached_property
    def folded(self) -> dict[str, int]:
        """Sizes of δ of arguments that the base does not have, because they are numbers in its code."""
        assert self.base is not None
        sizes = dict(zip(self.arguments, self.sizes, strict=True))
        pairs = zip(self.linear, self.active, strict=True)
        return {d: sizes[d] for d, n in pairs if n not in self.base.arguments}

    @cached_property
    def transposed(self) -> Routine:
        """The transpose with respect to the arguments in which it is linear."""
        assert self.base is not None
        is_push = self.ending.startswith(PUSHFORWARD)
        return self.base.derived(
            self.ending.replace(*((PUSHFORWARD, PULLBACK) if is_push else (PULLBACK, PUSHFORWARD)))
        )

    def flat(self, k: int, x: Any, batch: tuple[int, ...]) -> Any:
        """Result k as a cotangent, flattened to one dimension."""
        return x.reshape((*batch, prod(self.shapes[k])))

    def __repr__(self) -> str:
        return self.name


def call(routine: Routine, operands: Sequence[Any], batch: tuple[int, ...] = ()) -> list[Any]:
    """Results of a routine; each operand has the leading dimensions `batch`, or none."""
    return _primitive().bind(*operands, routine=routine, batch=batch)


@cache
def _primitive() -> Any:
    """The primitive, registered with JAX when it is first used."""
    ad = _interpreters("ad")
    found: Any = import_module("jax.extend.core").Primitive("equamo")
    found.multiple_results = True
    found.def_impl(_evaluated)
    found.def_abstract_eval(_shapes)
    ad.primitive_jvps[found] = _jvp
    ad.primitive_transposes[found] = _transpose
    _interpreters("batching").primitive_batchers[found] = _batched
    mlir = _interpreters("mlir")
    mlir.register_lowering(found, _lowered, platform="cpu")
    mlir.register_lowering(found, _lowered_on_cuda, platform="cuda")
    mlir.register_lowering(found, _refused)  # any other platform
    return found


def _jax() -> Any:
    return framework("jax", PLACE)


def _interpreters(name: str) -> Any:
    return import_module(f"jax.interpreters.{name}")


# -- one call ------------------------------------------------------------------------------------------
def _evaluated(*operands: Any, routine: Routine, batch: tuple[int, ...]) -> Any:
    return _jitted(routine, batch)(*operands)


@lru_cache(maxsize=1024)
def _jitted(routine: Routine, batch: tuple[int, ...]) -> Any:
    return _jax().jit(partial(_primitive().bind, routine=routine, batch=batch))


def _shapes(*operands: Any, routine: Routine, batch: tuple[int, ...]) -> list[Any]:
    array = _jax().core.ShapedArray
    return [array((*batch, *shape), operands[0].dtype) for shape in routine.shapes]


def _lowered(context: Any, *operands: Any, routine: Routine, batch: tuple[int, ...]) -> Any:
    dtype = cast(Dtype, context.avals_in[0].dtype.name)
    name = target(routine.function, dtype, bool(batch))
    return _jax().ffi.ffi_lowering(name)(context, *operands)


def _lowered_on_cuda(context: Any, *operands: Any, routine: Routine, batch: tuple[int, ...]) -> Any:
    dtype = cast(Dtype, context.avals_in[0].dtype.name)
    shared = operands_shared([x.shape for x in context.avals_in])
    made = Call(routine.function, dtype, shared, batch)
    lowering = _jax().ffi.ffi_lowering(cuda_target(made), result_layouts=made.layouts)
    return lowering(context, *operands)


def _refused(context: Any, *operands: Any, routine: Routine, batch: tuple[int, ...]) -> Any:
    raise EquamoError(
        f"{routine.name}: machine code must run on the CPU or on an NVIDIA GPU, but JAX compiles for "
        "another device; call it under jax.default_device(jax.devices('cpu')[0])."
    )


# -- derivatives ---------------------------------------------------------------------------------------
def _jvp(primals: Any, tangents: Any, *, routine: Routine, batch: tuple[int, ...]) -> Any:
    ad: Any = _interpreters("ad")
    results = call(routine, primals, batch)
    named = dict(zip(routine.arguments, primals, strict=True))
    moved = dict(zip(routine.arguments, tangents, strict=True))
    moving = [n for n, x in moved.items() if type(x) is not ad.Zero]
    if routine.base is not None and set(moving) <= set(routine.linear):
        steps = {n: ad.instantiate_zeros(moved[n]) for n in routine.linear}
        return results, _by_name(routine, named | steps, batch)
    ending = PUSHFORWARD + (ALL if set(moving) & set(CONSTANTS) else "")
    push = routine.derived(ending)
    still = {d: _jax().numpy.zeros(n, primals[0].dtype) for d, n in push.folded.items()}
    steps = {
        d: ad.instantiate_zeros(moved[n])
        for d, n in zip(push.linear, push.active, strict=True)
        if d not in still
    }
    return results, _by_name(push, named | steps | still, batch)


def _by_name(routine: Routine, operands: dict[str, Any], batch: tuple[int, ...]) -> list[Any]:
    return call(routine, [operands[n] for n in routine.arguments], batch)


def _transpose(cotangents: Any, *operands: Any, routine: Routine, batch: tuple[int, ...]) -> Any:
    ad: Any = _interpreters("ad")
    named = dict(zip(routine.arguments, operands, strict=True))
    unknown = [n for n, x in named.items() if ad.is_undefined_primal(x)]
    assert set(unknown) <= set(routine.linear)  # what JAX transposes is linear
    other = routine.transposed
    given = [ad.instantiate_zeros(x) for x in cotangents]
    steps = {
        n: routine.flat(k, x, batch)
        for k, (n, x) in enumerate(zip(other.linear, given, strict=True))
    }
    known = {n: x for n, x in named.items() if n not in routine.linear}
    found = _by_name(other, known | steps, batch)
    back = dict(zip(routine.linear, found, strict=True))
    return [
        _like(named[n].aval, back[n], batch) if n in unknown else None for n in routine.arguments
    ]


def _like(aval: Any, x: Any, batch: tuple[int, ...]) -> Any:
    """Cotangent of an operand: summed over the batch if all states share the operand."""
    flat = x.reshape((*batch, aval.shape[-1]))
    shared = batch and len(aval.shape) == 1
    return flat.sum(axis=tuple(range(len(batch)))) if shared else flat


# -- batches -------------------------------------------------------------------------------------------
def _batched(operands: Any, axes: Any, *, routine: Routine, batch: tuple[int, ...]) -> Any:
    jnp = _jax().numpy
    pairs = list(zip(operands, axes, strict=True))
    size = next(x.shape[axis] for x, axis in pairs if axis is not None)
    whole = (size, *batch)
    moved: list[Any] = []
    for x, axis in pairs:
        if axis is None and (not batch or x.ndim == 1):
            moved.append(x)  # shared by all states
            continue
        first = x[None] if axis is None else jnp.moveaxis(x, axis, 0)
        if first.ndim == 2:  # only its last dimension is its own
            first = first.reshape((first.shape[0], *(1 for _ in batch), first.shape[-1]))
        moved.append(jnp.broadcast_to(first, (*whole, first.shape[-1])))
    return call(routine, moved, whole), [0] * len(routine.shapes)

"""Arguments of JAX functions as arrays, possibly traced: numbers, shapes and quaternions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast

from ...basics.wording import brief
from ...errors import EvaluationError
from ...mechanics.equations.state_reader import Reader, listed
from .framework import framework

PLACE: Final = "to_jax()"
NUMBERS: Final = ("float32", "float64")


def read_array(reader: Reader, value: Any, is_number: bool = False) -> Any:
    """Array (…, n) of an argument; entries missing from {name: number} have their default values.

    Args:
        reader: Names and defaults of the entries.
        value: Value that the user passed.
        is_number: Whether the last dimension, of size 1, is omitted.
    """
    if isinstance(value, Mapping):
        return read_names(reader, cast(Mapping[Any, Any], value))
    x = read_numbers(reader, reader.name, value)
    if is_number:
        x = x[..., None]
    n = reader.part.size
    if x.ndim < 1 or x.shape[-1] != n:
        raise EvaluationError(
            f"{reader.place}: {reader.name} must have shape (…, {n}) (entries: "
            f"{listed(reader.part.names) or 'none'}), got {x.shape}."
        )
    return x


def read_names(reader: Reader, entries: Mapping[Any, Any]) -> Any:
    """{name: number} as an array, where a number may be a batch of numbers."""
    jnp = framework("jax", PLACE).numpy
    columns: dict[int, Any] = {}
    for key, x in entries.items():
        name = reader.entry(key)
        columns[reader.part.position[name]] = read_numbers(reader, f"{reader.name}[{name!r}]", x)
    try:
        batch = jnp.broadcast_shapes(*(x.shape for x in columns.values()))
    except ValueError:
        shapes = ", ".join(str(x.shape) for x in columns.values())
        raise EvaluationError(
            f"{reader.place}: the entries of {reader.name} must have the same shape, got {shapes}."
        ) from None
    rest = reader.default()  # as Python numbers, which take the type of the others
    each = [columns.get(i, float(rest[i])) for i in range(reader.part.size)]
    return jnp.stack([jnp.broadcast_to(x, batch) for x in each], axis=-1)


def read_numbers(reader: Reader, what: str, value: Any) -> Any:
    """Array of real numbers, as JAX reads it."""
    jnp = framework("jax", PLACE).numpy
    try:
        x = jnp.asarray(value)
    except (TypeError, ValueError) as error:
        raise EvaluationError(
            f"{reader.place}: {what} must be real numbers, got {brief(value)} ({error!s:.80})."
        ) from None
    whole = jnp.issubdtype(x.dtype, jnp.integer) or x.dtype == bool
    if not whole and x.dtype.name not in NUMBERS:
        raise EvaluationError(
            f"{reader.place}: {what} must be float32 or float64, got {x.dtype.name}; convert it."
        )
    return x


def number_type(arrays: Sequence[Any]) -> str:
    """Common type of all arrays: float64 if one of them has it."""
    jnp = framework("jax", PLACE).numpy
    found: str = jnp.result_type(*arrays).name if arrays else ""
    return found if found in NUMBERS else jnp.zeros(()).dtype.name  # the default for integers


def unit_quaternions(x: Any, groups: Iterable[Sequence[int]]) -> Any:
    """Array whose quaternions, consecutive entries each, are scaled to length 1."""
    jnp = framework("jax", PLACE).numpy
    for group in groups:
        start, stop = min(group), max(group) + 1
        part = x[..., start:stop]
        unit = part / jnp.sqrt((part * part).sum(-1, keepdims=True))
        x = jnp.concatenate([x[..., :start], unit, x[..., stop:]], axis=-1)
    return x


def broadcast(place: str, arrays: Mapping[str, Any]) -> tuple[int, ...]:
    """Common leading dimensions of arrays (…, n)."""
    try:
        shapes = (x.shape[:-1] for x in arrays.values())
        return tuple(framework("jax", PLACE).numpy.broadcast_shapes(*shapes))
    except ValueError:
        each = ", ".join(f"{n} has {x.shape[:-1]}" for n, x in arrays.items())
        raise EvaluationError(
            f"{place}: leading dimensions must be compatible, got {each}."
        ) from None

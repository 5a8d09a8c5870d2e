"""One function for JAX: it reads its arguments, which may be traced, and calls the machine code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast, final

from ...basics.wording import brief
from ...code.jit.compiled_function import CompiledFunction
from ...errors import EvaluationError
from ...mechanics.equations.state_reader import Reader, no_value
from ...robot.model.wrt import Wrt
from .arguments import arguments_by_name
from .framework import framework
from .jax_arrays import PLACE, broadcast, number_type, read_array, read_names, unit_quaternions
from .jax_primitive import Routine, call


@final
class JaxFunction:
    """One function for JAX."""

    routine: Routine
    compiled: CompiledFunction

    def __init__(self, routine: Routine) -> None:
        self.routine, self.compiled = routine, routine.function
        origin, name = self.compiled.origin, self.compiled.name
        arguments = self.compiled.source.arguments
        self._readers = {a.name: Reader(name, origin.part(a)) for a in arguments}
        self._numbers = {a.name for a in arguments if a.is_number}
        self.__name__: str = name
        self._variants: dict[str, JaxFunction] = {}

    def __repr__(self) -> str:
        return f"<{self.compiled.name}({', '.join(self.compiled.states)}) for JAX>"

    def __reduce__(self) -> tuple[Any, ...]:
        compiled = self.compiled
        return _function, (self.routine.fast, compiled.kind, compiled.frame)

    def __call__(
        self,
        *given: Any,
        values: Any = None,
        external: Any = None,
        wrt: Wrt = "tangent",
        **named: Any,
    ) -> Any:
        """Evaluate; arguments as in `JaxFunctions`.

        `wrt` of a derivative such as `inverse_dynamics_derivatives` is "tangent" or "coordinates".
        """
        other = self._variant(wrt, named)
        if other is not None:
            return other(*given, values=values, external=external, **named)
        arrays = self._states(given, named)
        if external is not None:
            self._expect("external", external)
            arrays["external"] = self._array("external", external)
        dtype = self._dtype(list(arrays.values()))
        by_name = values is None or isinstance(values, Mapping)
        if not by_name or values:
            arrays["parameters"] = self._values(values).astype(dtype)
        if by_name:
            self._check_complete(cast(Mapping[Any, Any], values or {}))
        return self._results(arrays, dtype)

    # -- variants ------------------------------------------------------------------------------------
    def _variant(self, wrt: Any, named: Mapping[str, Any]) -> JaxFunction | None:
        """The function selected by the keywords, if it is a different one."""
        compiled = self.compiled
        keywords = {n: x for n, x in named.items() if n != "packed"}  # always all entries
        kind = compiled.variant_name({"wrt": wrt, **keywords})
        if kind == compiled.kind:
            return None
        if kind not in self._variants:
            self._variants[kind] = _function(self.routine.fast, kind, compiled.frame)
        return self._variants[kind]

    # -- arguments -----------------------------------------------------------------------------------
    def _states(self, given: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        name, states = self.compiled.name, self.compiled.states
        chosen = arguments_by_name(name, states, given, named)
        return {n: self._array(n, x) for n, x in chosen.items()}

    def _array(self, argument: str, value: Any) -> Any:
        return read_array(self._readers[argument], value, argument in self._numbers)

    def _dtype(self, arrays: Sequence[Any]) -> str:
        """Type of all numbers: that of `eq.compile`, or float64 if an argument has it."""
        chosen = self.compiled.options.dtype
        if chosen == "float64" and not _jax().config.jax_enable_x64:
            raise EvaluationError(
                f"{self.compiled.name} was compiled for float64, which needs jax_enable_x64; run "
                "jax.config.update('jax_enable_x64', True), or compile without dtype."
            )
        return chosen or number_type(arrays)

    def _values(self, values: Any) -> Any:
        """Parameters: an array in their order, or {name: number} with the others at their defaults."""
        if isinstance(values, Mapping):
            table = cast(Mapping[Any, Any], values)
            self.compiled.check_values(table)
            return read_names(self._readers["parameters"], table)
        self._expect("parameters", values)
        return self._array("parameters", values)

    def _expect(self, argument: str, value: Any) -> None:
        if argument not in self._readers:
            word = {"external": "external", "parameters": "values"}[argument]
            raise EvaluationError(
                f"{self.compiled.name} has no {argument}: {word} must be None, got {brief(value)}."
            )

    # -- the call ------------------------------------------------------------------------------------
    def _results(self, arrays: dict[str, Any], dtype: str) -> Any:
        jnp = _jax().numpy
        operands = {
            n: arrays[n].astype(dtype) if n in arrays else jnp.asarray(reader.default(), dtype)
            for n, reader in self._readers.items()
        }
        batch = broadcast(self.compiled.name, operands)
        for n, reader in self._readers.items():
            x = unit_quaternions(operands[n], reader.part.quaternions)
            operands[n] = x if x.ndim == 1 else jnp.broadcast_to(x, (*batch, x.shape[-1]))
        found = call(self.routine, list(operands.values()), batch)
        return found[0] if len(found) == 1 else tuple(found)

    def _check_complete(self, values: Mapping[Any, Any]) -> None:
        """All parameters that the code reads must have a value."""
        missing = self.compiled.missing(values)
        if missing:
            raise no_value(self.compiled.name, self.compiled.origin.name, missing)


def _function(fast: Any, kind: str, frame: str | None) -> JaxFunction:
    return JaxFunction(Routine(fast, kind, frame))


def _jax() -> Any:
    return framework("jax", PLACE)

"""`fast.to_jax()`: the functions of a robot for JAX, under jit, vmap, jvp and grad, to any order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast, final

from ..equations.state_reader import Reader, listed, no_value
from ..errors import EquamoError, EvaluationError, UnknownFunctionError, UnknownNameError
from ..ir.lookup import whole_functions
from ..ir.parameter_derivatives import derivative_name
from ..jit.compiled import Compiled
from ..jit.origin import frame_name
from ..model.wrt import WRT, Wrt
from ..wording import brief, counted
from .framework import framework
from .jax_primitive import PLACE, Routine, call

NUMBERS: Final = ("float32", "float64")


def to_jax(fast: Compiled) -> JaxFunctions:
    """Functions of a robot for JAX, on the CPU.

    Args:
        fast: The compiled functions, from `eq.compile`.

    Returns:
        An object with the functions of `fast` as methods.

    Raises:
        EquamoError: JAX is not installed, or has another foreign function interface.

    >>> import equamo as eq, jax
    >>> arm = eq.compile(eq.derive(eq.load("rr_arm"))).to_jax()
    >>> energy = jax.grad(lambda q: arm.potential_energy(q))
    >>> bool(abs(energy(jax.numpy.array([0.3, 0.5])) - arm.gravity([0.3, 0.5])).max() < 1e-5)
    True
    """
    jax = framework("jax", PLACE)
    if not hasattr(jax, "ffi"):
        raise EquamoError(
            f"to_jax() needs JAX 0.5 or later, got {jax.__version__}; run pip install -U 'equamo[jax]'."
        )
    return JaxFunctions(fast)


@final
class JaxFunctions:
    """Functions of a robot for JAX: `arm.inverse_dynamics(q, v, vdot)` …

    Names, arguments and their order are those of `eq.compile`. A state is (n,), or (…, n) with any leading
    dimensions; `jax.vmap` gives the same. Keywords of every function: `values=` replaces defaults of
    parameters, by an array in the order of `parameters` or by {name: number}, and `external=` gives
    wrenches. Derivatives are by coordinates: functions of a quaternion x are extended by f(x/|x|).
    """

    def __init__(self, fast: Compiled) -> None:
        self.fast = fast
        self._functions: dict[tuple[str, str | None], JaxFunction] = {}

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters, in the order of an array that is passed as `values`."""
        return tuple(s.name for s in self.fast.eom.parameters)

    def function(self, name: str, frame: str | None = None) -> JaxFunction:
        """Look up a function by its name, and that of the frame for a function of a frame."""
        key = name, frame
        if key not in self._functions:
            self._functions[key] = JaxFunction(Routine(self.fast, name, frame))
        return self._functions[key]

    def __getattr__(self, name: str) -> JaxFunction:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        try:
            found = self.function(name)
        except UnknownNameError as error:
            place = f"robot {self.fast.eom.robot.name!r}"
            raise UnknownFunctionError("compiled function", name, error.valid, place) from None
        self.__dict__[name] = found
        return found

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *whole_functions(self.fast.eom)]

    def pose(self, frame: str, q: Any, **options: Any) -> Any:
        """Pose of a frame in the world, 4×4."""
        return self.function("pose", frame)(q, **options)

    def jacobian(self, frame: str, q: Any, **options: Any) -> Any:
        """Jacobian of a frame's origin, 6×n, angular first, in the world frame."""
        return self.function("jacobian", frame)(q, **options)

    def jacobian_dot_v(self, frame: str, q: Any, v: Any, **options: Any) -> Any:
        """J̇ v of a frame's origin: its acceleration at v̇ = 0, angular first."""
        return self.function("jacobian_dot_v", frame)(q, v, **options)

    def derivative(self, function: str, by: Any, frame: str | None = None) -> JaxFunction:
        """Derivative of a function by parameters, as `Compiled.derivative`."""
        eom = self.fast.eom
        whole = function if frame is None else f"{function}_{frame_name(eom, frame)}"
        self.function(function, frame)
        return self.function(derivative_name(eom, whole, by))

    def __repr__(self) -> str:
        return f"<functions of robot {self.fast.eom.robot.name!r} for JAX>"

    def __reduce__(self) -> tuple[Any, ...]:
        return JaxFunctions, (self.fast,)


@final
class JaxFunction:
    """One function for JAX."""

    def __init__(self, routine: Routine) -> None:
        self.routine, self.compiled = routine, routine.function
        origin, name = self.compiled.origin, self.compiled.name
        arguments = self.compiled.source.arguments
        self._readers = {a.name: Reader(name, origin.part(a)) for a in arguments}
        self._numbers = {a.name for a in arguments if a.is_number}
        self.__name__ = name

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
        if values is not None:
            arrays["parameters"] = self._values(values, dtype)
        return self._results(arrays, dtype)

    # -- variants ------------------------------------------------------------------------------------
    def _variant(self, wrt: Any, named: Mapping[str, Any]) -> JaxFunction | None:
        """The function that the keywords ask for, if it is another one."""
        kind, compiled = self.compiled.kind, self.compiled
        for solved in ("forward_dynamics", "constraint_forces"):
            if kind.startswith(solved) and "inputs" in named and "inputs" not in compiled.states:
                kind = f"{solved}_inputs{kind.removeprefix(solved)}"
        if wrt not in WRT:
            raise UnknownNameError("wrt", wrt, WRT, compiled.name)
        if wrt != "tangent":
            kind = f"{kind}_{wrt}"
            if not compiled.origin.has(kind):
                raise EvaluationError(
                    f"{compiled.name} must be a derivative with respect to q to take wrt, got {wrt!r}; "
                    "remove wrt."
                )
        if kind == compiled.kind:
            return None
        return _function(self.routine.fast, kind, compiled.frame)

    # -- arguments -----------------------------------------------------------------------------------
    def _states(self, given: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        name, states = self.compiled.name, self.compiled.states
        if len(given) > len(states):
            raise EvaluationError(
                f"{name} takes {counted(len(states), 'argument')}, got {len(given)}."
            )
        chosen = dict(zip(states, given, strict=False))
        for n, x in named.items():
            if n not in states:
                raise UnknownNameError("argument", n, (*states, "values", "external"), name)
            if n in chosen:
                raise EvaluationError(
                    f"{name}: {n} must be passed once, got it both by position and by name."
                )
            chosen[n] = x
        missing = [n for n in states if n not in chosen]
        if missing:
            raise EvaluationError(f"{name}: no value for {', '.join(missing)}.")
        return {n: self._array(n, chosen[n]) for n in states}

    def _array(self, argument: str, value: Any) -> Any:
        """Array (…, n) of an argument; {name: number} has the others at home."""
        reader = self._readers[argument]
        if isinstance(value, Mapping):
            return self._filled(reader, cast(Mapping[Any, Any], value))
        x = self._numbers_of(reader, reader.name, value)
        if argument in self._numbers:
            x = x[..., None]
        n = reader.part.size
        if x.ndim < 1 or x.shape[-1] != n:
            raise EvaluationError(
                f"{reader.place}: {reader.name} must have shape (…, {n}) (entries: "
                f"{listed(reader.part.names) or 'none'}), got {x.shape}."
            )
        return x

    def _filled(self, reader: Reader, entries: Mapping[Any, Any]) -> Any:
        jnp = _jax().numpy
        columns = {
            reader.part.position[reader.entry(key)]: self._numbers_of(
                reader, f"{reader.name}[{reader.entry(key)!r}]", x
            )
            for key, x in entries.items()
        }
        try:
            batch = jnp.broadcast_shapes(*(x.shape for x in columns.values()))
        except ValueError:
            shapes = ", ".join(str(x.shape) for x in columns.values())
            raise EvaluationError(
                f"{reader.place}: the entries of {reader.name} must have the same shape, got {shapes}."
            ) from None
        rest = reader.default()
        each = [columns.get(i, rest[i]) for i in range(reader.part.size)]
        return jnp.stack([jnp.broadcast_to(x, batch) for x in each], axis=-1)

    def _numbers_of(self, reader: Reader, what: str, value: Any) -> Any:
        """An array of real numbers, as JAX reads it."""
        jnp = _jax().numpy
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

    def _dtype(self, arrays: Sequence[Any]) -> str:
        """Type of all numbers: float64 if an argument has it, or what `eq.compile` was given."""
        jnp = _jax().numpy
        found: str = jnp.result_type(*arrays, jnp.float32).name if arrays else NUMBERS[0]
        if not any(x.dtype.kind == "f" for x in arrays):
            found = jnp.zeros(()).dtype.name
        chosen = self.compiled.options.dtype
        if chosen == "float64" and not _jax().config.jax_enable_x64:
            raise EvaluationError(
                f"{self.compiled.name} was compiled for float64, which needs jax_enable_x64; run "
                "jax.config.update('jax_enable_x64', True), or compile without dtype."
            )
        return chosen or found

    def _values(self, values: Any, dtype: str) -> Any:
        """Parameters: an array in their order, or {name: number} with the others at their defaults."""
        reader = self._readers.get("parameters")
        if isinstance(values, Mapping):
            table = cast(Mapping[Any, Any], values)
            self.compiled.check_values(table)
            assert reader is not None
            found = self._filled(reader, table)
        else:
            self._expect("parameters", values)
            found = self._array("parameters", values)
        return found.astype(dtype)

    def _expect(self, argument: str, value: Any) -> None:
        if argument not in self._readers:
            word = {"external": "external", "parameters": "values"}[argument]
            raise EvaluationError(
                f"{self.compiled.name} has no {argument}: {word} must be None, got {brief(value)}."
            )

    # -- the call ------------------------------------------------------------------------------------
    def _results(self, arrays: dict[str, Any], dtype: str) -> Any:
        jnp = _jax().numpy
        if "parameters" in self._readers and "parameters" not in arrays:
            self._check_defaults(dtype)
        operands = [
            arrays[n].astype(dtype) if n in arrays else jnp.asarray(reader.default(), dtype)
            for n, reader in self._readers.items()
        ]
        try:
            batch = jnp.broadcast_shapes(*(x.shape[:-1] for x in operands))
        except ValueError:
            each = ", ".join(f"{n} has {x.shape[:-1]}" for n, x in arrays.items())
            raise EvaluationError(
                f"{self.compiled.name}: leading dimensions must fit each other, got: {each}."
            ) from None
        whole = [x if x.ndim == 1 else jnp.broadcast_to(x, (*batch, x.shape[-1])) for x in operands]
        found = call(self.routine, whole, tuple(batch))
        return found[0] if len(found) == 1 else tuple(found)

    def _check_defaults(self, dtype: str) -> None:
        """All parameters that the code reads have a value."""
        self.compiled.machine_code.module(cast(Any, dtype), 1)
        missing = self.compiled.missing({})
        if missing:
            raise no_value(self.compiled.name, self.compiled.origin.name, missing)


def _function(fast: Compiled, kind: str, frame: str | None) -> JaxFunction:
    return fast.to_jax().function(kind, frame)


def _jax() -> Any:
    return framework("jax", PLACE)

"""One function of a robot for PyTorch: it reads tensors and calls the operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast, final

from ...basics.wording import counted
from ...code.jit.compiled import Compiled
from ...errors import EvaluationError, UnknownNameError
from ...mechanics.equations.state_reader import no_value
from ...robot.model.state_space import StatePart
from .pytorch_operator import NAMESPACE, operator_call, operator_name
from .pytorch_tensors import TensorReader, broadcast_shape, spans

KEYWORDS: Final = {"parameters": "values", "external": "external"}  # arguments with a default


@final
class TorchFunction:
    """Function on tensors, with the arguments of the compiled function of the same name."""

    def __init__(
        self, fast: Compiled, name: str, torch: Any, other: Callable[[str], TorchFunction]
    ) -> None:
        self._compiled, self._torch, self._other = fast.function(name), torch, other
        self.name = name
        arguments = self._compiled.source.arguments
        self.states: tuple[str, ...] = tuple(a.name for a in arguments if a.name not in KEYWORDS)
        parts = {a.name: self._compiled.origin.part(a) for a in arguments}
        self._readers = {
            a.name: TensorReader(
                torch,
                name,
                KEYWORDS.get(a.name, a.name),
                parts[a.name].names,
                a.is_number,
                spans(parts[a.name]),
            )
            for a in arguments
        }
        self._defaults = {n: _default(torch, x) for n, x in parts.items() if n in KEYWORDS}
        self._incomplete = any(None in x.home for x in parts.values())
        self._dtypes = _dtypes(torch, fast.options.dtype)
        self._operator = ""

    def operator(self) -> str:
        """Name of the operator in `torch.ops.equamo`, registered at its first use."""
        if not self._operator:
            self._operator = operator_name(self._torch, self._compiled)
        return self._operator

    def variant(self, names: tuple[str, ...], wrt: str) -> str:
        """Name of the function selected by these keywords."""
        chosen = {n: None for n in names if n != "packed"}  # tensors have no packed form
        return self._compiled.variant_name({**chosen, "wrt": wrt})

    def positions(self, argument: str, names: tuple[Any, ...]) -> tuple[int, ...]:
        """Positions of named entries of an optional argument; unknown and missing ones are errors."""
        if argument == "parameters":
            table = self._compiled.check_values(dict.fromkeys(names, 0.0))
            missing = self._compiled.missing(table)
            if missing:
                raise no_value(self.name, self._compiled.origin.name, missing)
        reader = self._compiled.reader(argument)
        return tuple(reader.part.position[n] for n in reader.names_of(dict.fromkeys(names)))

    def __call__(self, *given: Any, values: Any = None, external: Any = None, **named: Any) -> Any:
        """Evaluate at one state, or at states with leading dimensions."""
        if named:
            kind = self.variant(tuple(named), named.pop("wrt", "tangent"))
            if kind != self.name:
                return self._other(kind)(*given, values=values, external=external, **named)
        chosen = self._chosen(given, named)
        dtype, device = self._dtype(chosen), self._device(chosen)
        tensors = {n: self._readers[n].read(x, dtype, device) for n, x in chosen.items()}
        for argument, x in (("external", external), ("parameters", values)):
            tensors[argument] = self._optional(argument, x, dtype, device)
        every = [tensors[n] for n in self._readers]
        if not every:  # a user's function without arguments
            return self._torch.as_tensor(self._compiled())
        if any(x.shape[:-1] != every[0].shape[:-1] for x in every):
            shapes = {
                r.argument: x.shape[:-1] for r, x in zip(self._readers.values(), every, strict=True)
            }
            shape = broadcast_shape(self._torch, self.name, shapes)
            every = [x.expand(*shape, x.shape[-1]) for x in every]
        name = self.operator()
        if self._torch.compiler.is_compiling():
            return getattr(getattr(self._torch.ops, NAMESPACE), name)(*every)
        return operator_call(name)(*every)

    def _chosen(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments by name, in order."""
        if len(given) > len(self.states):
            raise EvaluationError(
                f"{self.name} takes {counted(len(self.states), 'argument')} "
                f"({', '.join(self.states)}), got {len(given)}."
            )
        chosen = dict(zip(self.states, given, strict=False))
        for name, x in named.items():
            if name not in self.states:
                choices = (*self.states, "values", "external")
                raise UnknownNameError("argument", name, choices, self.name)
            if name in chosen:
                raise EvaluationError(
                    f"{self.name}: {name} must be passed once, got it both by position and by name."
                )
            chosen[name] = x
        missing = [n for n in self.states if n not in chosen]
        if missing:
            raise EvaluationError(f"{self.name}: no value for {', '.join(missing)}.")
        return {n: chosen[n] for n in self.states}

    def _dtype(self, chosen: Mapping[str, Any]) -> Any:
        """Dtype of the first tensor, which must be float64 or float32."""
        for name, x in chosen.items():
            if isinstance(x, self._torch.Tensor):
                return self._readers[name].dtype(x, self._dtypes)
        return self._dtypes[0]

    def _device(self, chosen: Mapping[str, Any]) -> Any:
        """Device of the first tensor; the CPU if all arguments are numbers."""
        tensors = (x for x in chosen.values() if isinstance(x, self._torch.Tensor))
        first = next(tensors, None)
        return self._torch.device("cpu") if first is None else first.device

    def _optional(self, argument: str, x: Any, dtype: Any, device: Any) -> Any:
        """Tensor of an argument that has defaults; None if the function does not have it."""
        default = self._defaults.get(argument)
        if default is not None and (default.dtype != dtype or default.device != device):
            default = default.to(device, dtype)
        if isinstance(x, Mapping) or x is None:
            table = cast(Mapping[Any, Any], {} if x is None else x)
            if table or (self._incomplete and argument == "parameters"):
                places = self.positions(argument, tuple(table))
                if table:
                    reader = self._readers[argument]
                    return reader.read_names(table, places, default, dtype)
            return default
        if argument not in self._readers:
            raise EvaluationError(
                f"{self.name}: {KEYWORDS[argument]} must be left out, since the function has no "
                f"{argument}, got a value."
            )
        return self._readers[argument].read(x, dtype, device)

    def __repr__(self) -> str:
        return f"<PyTorch operator {self.name}({', '.join(self.states)})>"


def call_while_tracing(*methods: Any) -> None:
    """Let torch.compile call methods that return constants, and trace the rest.

    Like `torch.compiler.assume_constant_result`, which spends seconds on importing torch._dynamo.
    """
    for method in methods:
        method._dynamo_marked_constant = True


call_while_tracing(TorchFunction.operator, TorchFunction.positions, TorchFunction.variant)


def _default(torch: Any, part: StatePart) -> Any:
    numbers = [float("nan") if x is None else float(x) for x in part.numbers]
    return torch.tensor(numbers, dtype=torch.float64)


def _dtypes(torch: Any, only: str | None) -> tuple[Any, ...]:
    return (torch.float64, torch.float32) if only is None else (getattr(torch, only),)

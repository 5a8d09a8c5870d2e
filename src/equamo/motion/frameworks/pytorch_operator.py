"""PyTorch operators for compiled functions: kernel, shapes, batching rule and derivatives.

An operator takes one tensor per argument, (…, n), all with the same leading dimensions, and returns one
tensor (…, *shape) per result. Its derivatives are the operators of the pullback and the pushforward of
the function (`ir.differentials`), which have derivatives of their own, to any order.

The name of an operator ends in a digest of the function, so that equal functions share one, and a graph
that was saved finds its operators in another process. Operators stay registered until the end of
the process, because graphs may refer to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any, Final, final

from ...code.ir.differentials import ALL, CONSTANTS, PULLBACK, PUSHFORWARD
from ...code.ir.program import Argument
from ...code.jit.compiled_function import CompiledFunction
from ...code.jit.cuda.device import device
from ...code.jit.cuda.device_function import DeviceFunction

NAMESPACE: Final = "equamo"

_operators: dict[str, _Operator] = {}  # by name
_lock = RLock()


def operator_name(torch: Any, function: CompiledFunction) -> str:
    """Name of a function's operator in `torch.ops.equamo`; a new one is registered."""
    return _operator(torch, function).name


def operator_call(name: str) -> Callable[..., Any]:
    """Function that applies a registered operator."""
    return _operators[name].call


def _operator(torch: Any, function: CompiledFunction) -> _Operator:
    text = re.sub(r"\W", "_", f"{function.origin.name}_{function.name}", flags=re.ASCII)
    name = f"{text}_{function.machine_code.identity[:16]}"
    with _lock:
        if name not in _operators:
            _operators[name] = _Operator(torch, function, name)
        return _operators[name]


@final
class _Operator:
    """Operator of one function, registered with PyTorch."""

    def __init__(self, torch: Any, function: CompiledFunction, name: str) -> None:
        self.torch, self.function, self.name = torch, function, name
        self.arguments = function.source.arguments
        self.constants = [a.name in CONSTANTS for a in self.arguments]
        self.shapes = [y.shape for y in function.results]
        self.several = len(self.shapes) > 1
        self._derivatives: dict[str, _Operator] = {}
        self._on_devices: dict[int, DeviceFunction] = {}
        inputs = ", ".join(f"Tensor x{k}" for k in range(len(self.arguments)))
        outputs = ", ".join(["Tensor"] * len(self.shapes))
        self.plain = torch.library.custom_op(
            f"{NAMESPACE}::{name}",
            self.kernel,
            mutates_args=(),
            schema=f"({inputs}) -> {f'({outputs})' if self.several else outputs}",
        )
        self.plain.register_fake(self.fake)
        self.plain.register_vmap(self.batched)
        self.plain.register_autograd(self.backward, setup_context=self.save)
        self.transformable = self._transformable()
        self.is_transformed: Any = torch._C._are_functorch_transforms_active

    def _transformable(self) -> Any:
        """The same for torch.func, which does not differentiate custom operators."""
        methods: dict[str, Any] = {
            "forward": self.plain,
            "setup_context": self.save_both,
            "backward": self.backward,
            "jvp": self.forward_tangent,
            "vmap": self.batched,
        }
        statics = {n: staticmethod(f) for n, f in methods.items()}
        function: Any = type(self.name, (self.torch.autograd.Function,), statics)
        return function.apply

    def call(self, *tensors: Any) -> Any:
        """Apply the operator."""
        return (self.transformable if self.is_transformed() else self.plain)(*tensors)

    def kernel(self, *tensors: Any) -> Any:
        """Run the machine code on the memory of the tensors, or the kernel of their device."""
        leading, on_device = tensors[0].shape[:-1], tensors[0].is_cuda
        if len(leading) > 1 or (on_device and not leading):
            tensors = tuple(x.reshape(leading.numel(), x.shape[-1]) for x in tensors)
        if on_device:
            # Long results are stored as columns there; the rule for fake tensors promises rows.
            found = self._of_device(tensors[0].device.index).run_arrays(
                [x.detach() for x in tensors]
            )
            results = [y.contiguous() for y in found]
        else:
            found = self.function.run_arrays([x.detach().numpy() for x in tensors])
            results = [self.torch.from_numpy(y) for y in found]
        if len(leading) != 1:
            results = [y.reshape((*leading, *s)) for y, s in zip(results, self.shapes, strict=True)]
        return tuple(results) if self.several else results[0]

    def _of_device(self, number: int) -> DeviceFunction:
        with _lock:
            if number not in self._on_devices:
                self._on_devices[number] = DeviceFunction(self.function, device(number))
            return self._on_devices[number]

    def fake(self, *tensors: Any) -> Any:
        """Results without values."""
        x = tensors[0]
        results = [x.new_empty((*x.shape[:-1], *s)) for s in self.shapes]
        return tuple(results) if self.several else results[0]

    def batched(self, info: Any, dims: Sequence[int | None], *tensors: Any) -> Any:
        """One more leading dimension, for torch.vmap."""
        moved = [
            x.expand(info.batch_size, *x.shape) if d is None else x.movedim(d, 0)
            for x, d in zip(tensors, dims, strict=True)
        ]
        return self.call(*moved), (0,) * len(self.shapes) if self.several else 0

    # -- derivatives -----------------------------------------------------------------------------------
    def save(self, ctx: Any, inputs: Sequence[Any], output: Any) -> None:
        """Keep the arguments for the backward pass."""
        ctx.save_for_backward(*inputs)

    def save_both(self, ctx: Any, inputs: Sequence[Any], output: Any) -> None:
        """Keep the arguments for tangents too."""
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    def backward(self, ctx: Any, *gradients: Any) -> Any:
        """Gradients of the arguments: the pullback; of loads and parameters only if needed."""
        needed = any(x for x, c in zip(ctx.needs_input_grad, self.constants, strict=True) if c)
        pullback = self._derivative(PULLBACK + ALL if needed else PULLBACK)
        found = pullback.at(self.arguments, ctx.saved_tensors, self._flat(ctx, gradients))
        by_name = dict(zip((y.name for y in pullback.function.results), found, strict=True))
        every = [self._entries(a, by_name.get(f"grad_{a.name}")) for a in self.arguments]
        return tuple(every) if len(every) > 1 else every[0]

    def _flat(self, ctx: Any, gradients: Sequence[Any]) -> list[Any]:
        """Gradients of the results, (…, entries)"""
        leading = ctx.saved_tensors[0].ndim - 1
        return [g.unsqueeze(-1) if g.ndim == leading else g.flatten(leading) for g in gradients]

    def _entries(self, a: Argument, gradient: Any) -> Any:
        """Entries of a gradient that belong to an argument of the function."""
        if gradient is None or gradient.shape[-1] == len(a):
            return gradient
        return gradient[..., self._places(a)]

    def _places(self, a: Argument) -> list[int]:
        names = self.function.origin.values.names
        return [names.index(s.name) for s in a.symbols]

    def forward_tangent(self, ctx: Any, *tangents: Any) -> Any:
        """Tangents of the results: the pushforward."""
        inputs = ctx.saved_tensors
        moved = any(t is not None for t, c in zip(tangents, self.constants, strict=True) if c)
        pairs = zip(self.arguments, inputs, tangents, strict=True)
        steps = [
            self._whole(a, self.torch.zeros_like(x) if t is None else t)
            for a, x, t in pairs
            if moved or a.name not in CONSTANTS
        ]
        push = self._derivative(PUSHFORWARD + ALL if moved else PUSHFORWARD)
        found = push.at(self.arguments, inputs, steps)
        return found if self.several else found[0]

    def _whole(self, a: Argument, tangent: Any) -> Any:
        """Tangent of all parameters; it is 0 for those that are constants of the function."""
        size = len(self.function.origin.values.names)
        if a.name != "parameters" or len(a) == size:
            return tangent
        index = self.torch.tensor(self._places(a), device=tangent.device)
        return tangent.new_zeros((*tangent.shape[:-1], size)).index_copy(-1, index, tangent)

    def at(
        self, arguments: Sequence[Argument], inputs: Sequence[Any], more: Sequence[Any]
    ) -> tuple[Any, ...]:
        """Results of a derivative, for the arguments of the function and further tensors."""
        given = {a.name: x for a, x in zip(arguments, inputs, strict=True)}
        rest = iter(more)
        found = self.call(
            *(given[a.name] if a.name in given else next(rest) for a in self.arguments)
        )
        return found if self.several else (found,)

    def _derivative(self, ending: str) -> _Operator:
        if ending not in self._derivatives:
            f = self.function
            made = CompiledFunction(f.origin, f.options, f.name + ending)
            self._derivatives[ending] = _operator(self.torch, made)
        return self._derivatives[ending]

"""Operators of PyTorch for compiled functions: kernel, shapes, batching rule and backward pass.

An operator takes one tensor per argument, (…, n), all with the same leading dimensions, and returns one
tensor (…, *shape) per result. Its backward pass is the operator of the function λᵀ ∂f by coordinates
(`ir.pullbacks`), which has a backward pass of its own up to derivatives of order `ORDER`.

The name of an operator ends in a digest of the function, so that equal functions share one, and a graph
that was saved finds its operators again in another process. Operators stay registered for the life of
the process, because graphs may hold them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import Any, Final, final

from ..errors import EquamoError
from ..ir.program import Argument
from ..jit.compiled_function import CompiledFunction

NAMESPACE: Final = "equamo"
ORDER: Final = 2  # highest order of derivatives
PULLBACK: Final = "_vjp_coordinates"

_operators: dict[str, _Operator] = {}  # by name
_lock = RLock()


def operator_call(name: str) -> Callable[..., Any]:
    """What applies an operator that was registered."""
    return _operators[name].call


def operator_name(torch: Any, function: CompiledFunction, order: int = 0) -> str:
    """Name in `torch.ops.equamo` of the operator of a function; it is registered if it is new.

    Args:
        torch: The module.
        function: Compiled function.
        order: Order of derivatives that it has already.
    """
    robot = function.origin.name
    text = re.sub(r"\W", "_", f"{robot}_{function.name}", flags=re.ASCII)
    name = f"{text}_{function.identity[:16]}"
    with _lock:
        if name not in _operators:
            _operators[name] = _Operator(torch, function, name, order)
        return name


@final
class _Operator:
    """Operator of one function, registered with PyTorch."""

    def __init__(self, torch: Any, function: CompiledFunction, name: str, order: int) -> None:
        self.torch, self.function, self.name, self.order = torch, function, name, order
        self.arguments = function.source.arguments
        self.shapes = [y.shape for y in function.results]
        self.pullback: _Pullback | None = None
        inputs = ", ".join(f"Tensor x{k}" for k in range(len(self.arguments)))
        outputs = ", ".join(["Tensor"] * len(self.shapes))
        self.several = len(self.shapes) > 1
        made = torch.library.custom_op(
            f"{NAMESPACE}::{name}",
            self.kernel,
            mutates_args=(),
            schema=f"({inputs}) -> {f'({outputs})' if self.several else outputs}",
        )
        made.register_fake(self.fake)
        made.register_vmap(self.batched)
        made.register_autograd(self.backward, setup_context=self.save)
        # PyTorch's own backward pass of an operator does not work below torch.func.grad.
        methods: dict[str, Any] = {
            "forward": made,
            "setup_context": self.save,
            "backward": self.backward,
            "vmap": self.batched,
        }
        statics = {n: staticmethod(f) for n, f in methods.items()}
        transformable: Any = type(name, (torch.autograd.Function,), statics)
        self.plain, self.transformable = made, transformable.apply
        self.is_transformed: Any = torch._C._are_functorch_transforms_active

    def call(self, *tensors: Any) -> Any:
        """Apply the operator."""
        return (self.transformable if self.is_transformed() else self.plain)(*tensors)

    def kernel(self, *tensors: Any) -> Any:
        """Run the machine code on the memory of the tensors."""
        leading = tensors[0].shape[:-1]
        if len(leading) > 1:
            tensors = tuple(x.reshape(leading.numel(), x.shape[-1]) for x in tensors)
        found = self.function.run_arrays([x.detach().numpy() for x in tensors])
        results = [self.torch.from_numpy(y) for y in found]
        if len(leading) != 1:
            results = [y.reshape((*leading, *s)) for y, s in zip(results, self.shapes, strict=True)]
        return tuple(results) if self.several else results[0]

    def fake(self, *tensors: Any) -> Any:
        """Results without values."""
        x = tensors[0]
        results = tuple(x.new_empty((*x.shape[:-1], *s)) for s in self.shapes)
        return results if self.several else results[0]

    def batched(self, info: Any, dims: Sequence[int | None], *tensors: Any) -> Any:
        """One more leading dimension, for torch.vmap."""
        moved = [
            x.expand(info.batch_size, *x.shape) if d is None else x.movedim(d, 0)
            for x, d in zip(tensors, dims, strict=True)
        ]
        return self.call(*moved), (0,) * len(self.shapes) if self.several else 0

    # -- derivatives -----------------------------------------------------------------------------------
    def save(self, ctx: Any, inputs: Sequence[Any], output: Any) -> None:
        """Keep what the backward pass needs."""
        ctx.save_for_backward(*inputs)

    def backward(self, ctx: Any, *gradients: Any) -> Any:
        """λᵀ ∂f, by the operator of that function."""
        if self.pullback is None:
            self.pullback = self._pullback()
        found = self.pullback(ctx.saved_tensors, gradients)
        return found if len(self.arguments) > 1 else found[0]

    def _pullback(self) -> _Pullback:
        f = self.function
        if self.order == ORDER:
            raise EquamoError(
                f"{f.name}: derivatives of functions must be of order {ORDER} at most, got order "
                f"{ORDER + 1}."
            )
        whole = CompiledFunction(f.origin, f.options, f.name + PULLBACK)
        name = operator_name(self.torch, whole, self.order + 1)
        return _Pullback(f, whole, operator_call(name))


@final
@dataclass(frozen=True)
class _Pullback:
    """λᵀ ∂f: the arguments of f and the gradients of its results to the gradients of its arguments."""

    function: CompiledFunction
    whole: CompiledFunction
    call: Any

    def __call__(self, arguments: Sequence[Any], gradients: Sequence[Any]) -> tuple[Any, ...]:
        source = self.function.source
        given = {a.name: x for a, x in zip(source.arguments, arguments, strict=True)}
        leading = arguments[0].ndim - 1
        lam = iter(
            [g.unsqueeze(-1) if g.ndim == leading else g.flatten(leading) for g in gradients]
        )
        inputs = [
            given[a.name] if a.name in given else next(lam) for a in self.whole.source.arguments
        ]
        found = self.call(*inputs)
        results = found if len(self.whole.results) > 1 else (found,)
        by_name = {y.name: x for y, x in zip(self.whole.results, results, strict=True)}
        return tuple(self._of(a, by_name[f"grad_{a.name}"]) for a in source.arguments)

    def _of(self, a: Argument, gradient: Any) -> Any:
        """Gradient by the entries of an argument; the function may have some parameters folded in."""
        if gradient.shape[-1] == len(a):
            return gradient
        names = self.function.origin.values.names
        return gradient[..., [names.index(s.name) for s in a.symbols]]

"""Checks of `fast.to_torch()` on a GPU: numbers of the CPU, gradients, transforms, errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

import equamo as eq

from .gpu_checks import Check, raised


class Gradients:
    """Operators of PyTorch on CUDA tensors, of one robot."""

    def __init__(self, eom: eq.EquationsOfMotion) -> None:
        self.eom, self.arm = eom, eq.compile(eom).to_torch()

    def every(self) -> Iterator[Check]:
        """Name and function of each check."""
        yield "numbers of the operators", self.numbers
        yield "gradcheck", self.gradcheck
        yield "gradients by parameters", self.parameters
        yield "torch.func", self.transforms
        yield "torch.compile", self.compiled
        yield "devices that differ", self.devices

    def states(self, *leading: int, dtype: Any = torch.float64) -> list[Any]:
        """q, v and v̇ on the CPU."""
        made = torch.Generator().manual_seed(1)
        shape = (*leading, len(self.eom.v))
        return [torch.randn(shape, generator=made, dtype=torch.float64).to(dtype) for _ in range(3)]

    def numbers(self) -> str:
        """Values and gradients as on the CPU, for any leading dimensions."""
        worst = 0.0
        for leading in ((), (1,), (7,), (3, 5), (3000,), (0,)):
            for name in ("inverse_dynamics", "inverse_dynamics_derivatives", "mass_matrix"):
                x = self.states(*leading)[: 1 if name == "mass_matrix" else 3]
                both = [self._with_gradients(name, [y.to(place) for y in x]) for place in PLACES]
                for a, b in zip(*both, strict=True):
                    assert a.shape == b.shape
                    assert b.is_cuda
                    if a.numel():
                        rest = (a - b.cpu()).abs().max() / a.abs().max().clamp(min=1)
                        worst = max(worst, float(rest))
        assert worst <= 1e-11, worst
        single = [y.cuda() for y in self.states(5, dtype=torch.float32)]
        assert self.arm.inverse_dynamics(*single).dtype == torch.float32
        return f"{worst:.1e}"

    def _with_gradients(self, name: str, x: list[Any]) -> list[Any]:
        x = [y.clone().requires_grad_() for y in x]
        found = getattr(self.arm, name)(*x)
        every = found if isinstance(found, tuple) else (found,)
        sum((y * y).sum() for y in every).backward()
        return [*(y.detach() for y in every), *(y.grad for y in x)]

    def gradcheck(self) -> str:
        """First and second derivatives against differences."""
        x = [y.cuda().requires_grad_() for y in self.states(2)]
        for name in ("inverse_dynamics", "forward_dynamics"):
            f: Callable[..., Any] = getattr(self.arm, name)
            assert torch.autograd.gradcheck(f, x)
        q = x[0][:1].detach().requires_grad_()
        assert torch.autograd.gradgradcheck(self.arm.potential_energy, (q,))
        return "inverse and forward dynamics, second derivatives of the potential energy"

    def parameters(self) -> str:
        """Gradients by parameters, as a tensor and by name."""
        q = self.states(4)[0]
        found = []
        for place in PLACES:
            values = self.arm.parameter_values().to(place).requires_grad_()
            self.arm.gravity(q.to(place), values=values).square().sum().backward()
            found.append(values.grad.cpu())
            name = self.arm.parameters[0]
            own = torch.ones(4, dtype=q.dtype, device=place)
            found.append(self.arm.gravity(q.to(place), values={name: own}).cpu())
        half = len(found) // 2
        for a, b in zip(found[:half], found[half:], strict=True):
            assert torch.allclose(a, b, rtol=1e-12, atol=1e-12)
        return "a tensor, a name"

    def transforms(self) -> str:
        """vmap, jacrev and jacfwd agree with each other and with the CPU."""
        x = [y.cuda() for y in self.states(6)]
        whole = self.arm.inverse_dynamics(*x)
        assert torch.allclose(torch.vmap(self.arm.inverse_dynamics)(*x), whole)
        one = [y[0] for y in x]
        back = torch.func.jacrev(self.arm.inverse_dynamics)(*one)
        ahead = torch.func.jacfwd(self.arm.inverse_dynamics)(*one)
        cpu = torch.func.jacrev(self.arm.inverse_dynamics)(*(y.cpu() for y in one))
        assert torch.allclose(back, ahead)
        assert torch.allclose(back.cpu(), cpu)
        return "vmap, jacrev, jacfwd"

    def compiled(self) -> str:
        """A compiled graph gives the same numbers."""
        x = [y.cuda() for y in self.states(9)]

        def f(q: Any, v: Any, vdot: Any) -> Any:
            return (self.arm.inverse_dynamics(q, v, vdot) ** 2).sum(-1)

        found = torch.compile(f, fullgraph=True, backend="aot_eager")(*x)
        assert torch.allclose(found, f(*x))
        return "aot_eager"

    def devices(self) -> str:
        """Tensors of one call are on one device."""
        q, v, vdot = self.states(2)
        return raised(
            eq.EvaluationError, lambda: self.arm.inverse_dynamics(q.cuda(), v, vdot.cuda())
        )


PLACES = ("cpu", "cuda")

"""`integrate` and `difference` in PyTorch: the numbers of NumPy's, with derivatives everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import equamo as eq
from bridge_robots import MATRIX, compiled, states
from equamo.errors import EvaluationError

gradcheck, gradgradcheck = torch.autograd.gradcheck, torch.autograd.gradgradcheck


def ball() -> Any:
    body = eq.Body("ball", eq.spherical("b"), mass="1", inertia="1 2 3", com="1 0 0")
    arm = eq.Body("arm", eq.revolute("q"), parent="ball", mass="1", com="1 0 0")
    return eq.compile(eq.derive(eq.Robot("ball", [body, arm])))


def given(fast: Any, scale: float, *shape: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(4)
    q = states(fast.eom, *shape)["q"]
    delta = scale * rng.normal(size=(*shape, len(fast.eom.robot.joint_speeds)))
    return torch.from_numpy(q), torch.from_numpy(delta)


@pytest.mark.parametrize("name", [*MATRIX, "ball"])
@pytest.mark.parametrize("scale", [0.0, 1e-7, 0.05, 1.0])
def test_the_numbers_of_numpy(name: str, scale: float) -> None:
    fast = ball() if name == "ball" else compiled(name)
    arm = fast.to_torch()
    q, delta = given(fast, scale, 5)
    end = arm.integrate(q, delta)
    assert np.allclose(
        end.numpy(), fast.integrate(q.numpy(), delta.numpy()), rtol=1e-13, atol=1e-14
    )
    back = arm.difference(q, end)
    assert np.allclose(
        back.numpy(), fast.difference(q.numpy(), end.numpy()), rtol=1e-12, atol=1e-14
    )
    assert arm.integrate(q[0], delta).shape == end.shape


@pytest.mark.parametrize("name", ["anymal", "ball"])
@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_derivatives(name: str, scale: float) -> None:
    fast = ball() if name == "ball" else compiled(name)
    arm = fast.to_torch()
    q, delta = (x.requires_grad_() for x in given(fast, scale))
    end = arm.integrate(*(x.detach() for x in given(fast, 0.7))).requires_grad_()
    assert gradcheck(arm.integrate, (q, delta))
    assert gradcheck(arm.difference, (q, end))
    if name == "ball":
        assert gradgradcheck(arm.integrate, (q, delta))
        assert gradgradcheck(arm.difference, (q, end))
    by_q, by_delta = torch.func.jacrev(arm.integrate, argnums=(0, 1))(q.detach(), delta.detach())
    ours = fast.integrate_derivatives(q.detach().numpy(), delta.detach().numpy(), "coordinates")
    for a, b in zip((by_q, by_delta), ours, strict=True):
        assert np.allclose(a.numpy(), b, atol=1e-12)


def test_the_short_way() -> None:
    arm = ball().to_torch()
    q = torch.tensor([1.0, 0, 0, 0, 0], dtype=torch.float64)
    assert torch.equal(
        arm.difference(q, q * torch.tensor([-1.0, 1, 1, 1, 1])), torch.zeros(4).double()
    )
    batch = torch.vmap(arm.integrate, in_dims=(None, 0))(q, torch.eye(4, dtype=torch.float64))
    assert torch.allclose(arm.difference(q, batch), torch.eye(4, dtype=torch.float64))
    single = arm.integrate(q.float(), torch.ones(4))
    assert single.dtype == torch.float32


def test_errors() -> None:
    arm = compiled("rr_arm").to_torch()
    x = torch.zeros(2, dtype=torch.float64)
    with pytest.raises(EvaluationError, match=r"delta must have shape \(…, 2\)"):
        arm.integrate(x, x[:1])
    with pytest.raises(EvaluationError, match="start must be a tensor"):
        arm.difference([0, 0], x)
    with pytest.raises(EvaluationError, match=r"start must have dtype torch.float64 or"):
        arm.difference(x.int(), x)
    with pytest.raises(EvaluationError, match=r"start has \(3,\), end has \(2,\)"):
        arm.difference(x.expand(3, 2), x.expand(2, 2))

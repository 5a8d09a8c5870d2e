"""Gradients of PyTorch functions, against our Jacobians and against differences, to second order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import equamo as eq
from bridge_robots import MATRIX, compiled, equations, states
from equamo.algebra.expr import symbol

gradcheck, gradgradcheck = torch.autograd.gradcheck, torch.autograd.gradgradcheck


def leaves(name: str, *arguments: str, shape: tuple[int, ...] = ()) -> list[Any]:
    x = states(equations(name), *shape)
    return [torch.from_numpy(x[a]).requires_grad_() for a in arguments]


@pytest.mark.parametrize("name", MATRIX)
@pytest.mark.parametrize("function", ["inverse_dynamics", "forward_dynamics"])
def test_gradients_are_our_jacobians(name: str, function: str) -> None:
    fast = compiled(name)
    last = "vdot" if function == "inverse_dynamics" else "tau"
    given = leaves(name, "q", "v", last, shape=(2,))
    ours = getattr(fast, f"{function}_derivatives")(
        *(x.detach().numpy() for x in given), wrt="coordinates"
    )
    y = getattr(fast.to_torch(), function)(*given)
    weights = torch.from_numpy(np.random.default_rng(2).normal(size=y.shape))
    found = torch.autograd.grad((y * weights).sum(), given)
    for gradient, jacobian in zip(found, ours, strict=True):
        expected = np.einsum("bi,bij->bj", weights.numpy(), jacobian)
        scale = np.einsum("bi,bij->bj", np.abs(weights.numpy()), np.abs(jacobian)).max()
        assert np.abs(gradient.numpy() - expected).max() < 1e-13 * scale


@pytest.mark.parametrize("name", ["rr_arm", "wheeled_inverted_pendulum", "krang"])
def test_gradients_by_parameters(name: str) -> None:
    """Along a random direction of all parameters, against differences of the function itself."""
    fast = compiled(name)
    arm = fast.to_torch()
    q, v, vdot, tau = (x.detach() for x in leaves(name, "q", "v", "vdot", "tau"))
    values = arm.parameter_values()
    step = torch.from_numpy(np.random.default_rng(3).normal(size=len(values))) * values.abs()
    for function, last in ((arm.inverse_dynamics, vdot), (arm.forward_dynamics, tau)):
        weights = torch.linspace(-1, 1, len(v), dtype=torch.float64)

        def along(
            t: Any, function: Any = function, last: Any = last, weights: Any = weights
        ) -> Any:
            return (function(q, v, last, values=values + t * step) * weights).sum()

        t = torch.zeros((), dtype=torch.float64, requires_grad=True)
        (slope,) = torch.autograd.grad(along(t), t)
        h = 1e-5
        difference = (along(-2 * h) - 8 * along(-h) + 8 * along(h) - along(2 * h)) / (12 * h)
        assert abs(slope - difference) < 1e-7 * max(1.0, abs(slope))


@pytest.mark.parametrize("shape", [(), (2,)])
def test_differences_of_an_arm(shape: tuple[int, ...]) -> None:
    arm = compiled("rr_arm").to_torch()
    q, v, vdot = leaves("rr_arm", "q", "v", "vdot", shape=shape)
    values = arm.parameter_values().requires_grad_()

    def torque(q: Any, v: Any, vdot: Any, values: Any) -> Any:
        return arm.inverse_dynamics(q, v, vdot, values=values)

    def acceleration(q: Any, v: Any, tau: Any, values: Any) -> Any:
        return arm.forward_dynamics(q, v, tau, values=values)

    for function in (torque, acceleration):
        assert gradcheck(function, (q, v, vdot, values))
    assert gradgradcheck(torque, (q, v, vdot, values))
    assert gradcheck(arm.mass_matrix, (q,))
    assert gradcheck(arm.inverse_dynamics_derivatives, (q, v, vdot))
    assert gradcheck(arm.kinetic_energy, (q, v))
    assert gradcheck(lambda q: arm.pose("fore", q), (q,))


def test_differences_with_a_quaternion() -> None:
    """A quaternion of any length stands for x/|x|, to second order too."""
    arm = compiled("anymal").to_torch()
    (q,) = leaves("anymal", "q")
    longer = (1.3 * q).detach().requires_grad_()
    assert gradcheck(arm.gravity, (longer,))
    assert gradcheck(lambda q: arm.pose("LF_FOOT", q), (longer,))
    assert gradgradcheck(arm.potential_energy, (longer,))
    assert torch.allclose(arm.potential_energy(1.0 * q), arm.potential_energy(q))


def test_forward_dynamics_of_the_wheeled_pendulum_to_second_order() -> None:
    arm = compiled("wheeled_inverted_pendulum").to_torch()
    q, v, inputs = leaves("wheeled_inverted_pendulum", "q", "v", "inputs")

    def acceleration(q: Any, v: Any, inputs: Any) -> Any:
        return arm.forward_dynamics(q, v, inputs=inputs)

    assert gradcheck(acceleration, (q, v, inputs))
    assert gradgradcheck(acceleration, (q, v, inputs), atol=1e-4)


def test_named_values_and_external_loads_have_gradients() -> None:
    arm = compiled("wheeled_inverted_pendulum").to_torch()
    q, v, vdot = leaves("wheeled_inverted_pendulum", "q", "v", "vdot", shape=(3,))
    mass = torch.tensor(70.0, dtype=torch.float64, requires_grad=True)
    radii = torch.tensor([0.2, 0.25, 0.3], dtype=torch.float64, requires_grad=True)
    load = torch.zeros(len(arm.fast.eom.external), dtype=torch.float64, requires_grad=True)

    def torque(mass: Any, radii: Any, load: Any) -> Any:
        return arm.inverse_dynamics(q, v, vdot, values={"m_B": mass, "R": radii}, external=load)

    assert gradcheck(torque, (mass, radii, load))
    force = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
    named = arm.inverse_dynamics(q, v, vdot, external={"Flx": force})
    whole = torch.zeros(3, len(load), dtype=torch.float64)
    whole[:, 0] = force
    assert torch.equal(named, arm.inverse_dynamics(q, v, vdot, external=whole))


def test_gradients_in_single_precision() -> None:
    fast = compiled("panda")
    arm = fast.to_torch()
    found: list[Any] = []
    for dtype in (torch.float64, torch.float32):
        q, v, tau = (
            x.detach().to(dtype).requires_grad_() for x in leaves("panda", "q", "v", "tau")
        )
        found.append(torch.autograd.grad(arm.forward_dynamics(q, v, tau).sum(), (q, v, tau)))
    for double, single in zip(*found, strict=True):
        assert single.dtype == torch.float32
        assert (double - single).abs().max() < 1e-3 * double.abs().max()


def test_a_function_of_the_user_has_gradients() -> None:
    eom = equations("rr_arm")
    x, y = symbol("x"), symbol("y")
    law = eq.function({"u": [x * y, x + eom.q[0]]}, inputs={"a": [x], "b": [y]})
    arm = eq.compile(eom, functions={"law": law}).to_torch()
    given = [torch.rand(3, n, dtype=torch.float64, requires_grad=True) for n in (2, 1, 1)]
    assert gradcheck(arm.law, given)


def test_third_derivatives() -> None:
    arm = compiled("rr_arm").to_torch()
    (q,) = leaves("rr_arm", "q")

    y = arm.potential_energy(q)
    for _ in range(3):
        (y,) = torch.autograd.grad(y.sum(), q, create_graph=True)
    g = arm.gravity(q)
    for _ in range(2):
        (g,) = torch.autograd.grad(g.sum(), q, create_graph=True)
    assert torch.allclose(y, g, rtol=1e-10)

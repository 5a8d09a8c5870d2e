"""The operators under PyTorch's own checks: opcheck, vmap, torch.func and torch.compile."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from bridge_robots import MATRIX, compiled, equations, states

CHECKS = {
    "test_schema",
    "test_autograd_registration",
    "test_faketensor",
    "test_aot_dispatch_dynamic",
}


def tensors(
    name: str, *shape: int, dtype: Any = torch.float64, grad: bool = True
) -> dict[str, Any]:
    x = states(equations(name), *shape)
    return {n: torch.from_numpy(a).to(dtype).requires_grad_(grad) for n, a in x.items()}


@pytest.mark.parametrize("name", MATRIX)
@pytest.mark.parametrize("function", ["inverse_dynamics", "forward_dynamics"])
def test_opcheck(name: str, function: str) -> None:
    arm = compiled(name).to_torch()
    last = "vdot" if function == "inverse_dynamics" else "tau"
    x, f = tensors(name, 2), getattr(arm, function)
    loads = torch.ones(2, len(arm.fast.eom.external), dtype=torch.float64, requires_grad=True)
    values = arm.parameter_values().expand(2, -1)
    given = [x["q"], x["v"], x[last], *(y for y in (loads, values) if y.shape[-1])]
    operator = getattr(torch.ops.equamo, f.operator())
    found = torch.library.opcheck(operator, tuple(given))
    assert found == dict.fromkeys(CHECKS, "SUCCESS")


@pytest.mark.parametrize(
    ("function", "arguments"),
    [("inverse_dynamics_derivatives", ("q", "v", "vdot")), ("kinetic_energy", ("q", "v"))],
)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_opcheck_of_several_results_and_of_a_number(
    function: str, arguments: tuple[str, ...], dtype: Any
) -> None:
    arm = compiled("rr_arm").to_torch()
    values = arm.parameter_values(dtype)
    operator = getattr(torch.ops.equamo, getattr(arm, function).operator())
    one = tensors("rr_arm", dtype=dtype)
    checked = torch.library.opcheck(operator, (*(one[a] for a in arguments), values))
    assert set(checked.values()) == {"SUCCESS"}
    batch = tensors("rr_arm", 2, 3, dtype=dtype, grad=False)
    given = (*(batch[a] for a in arguments), values.expand(2, 3, -1))
    assert set(torch.library.opcheck(operator, given).values()) == {"SUCCESS"}


def test_vmap() -> None:
    arm, x = compiled("rr_arm").to_torch(), tensors("rr_arm", 4, 3)
    q, v = x["q"], x["v"]
    assert torch.equal(torch.vmap(arm.mass_matrix)(q), arm.mass_matrix(q))
    assert torch.equal(torch.vmap(torch.vmap(arm.bias))(q, v), arm.bias(q, v))
    assert torch.equal(
        torch.vmap(arm.bias, in_dims=(0, None))(q[:, 0], v[0, 0]), arm.bias(q[:, 0], v[0, 0])
    )
    assert torch.equal(torch.vmap(arm.bias, in_dims=1, out_dims=1)(q, v), arm.bias(q, v))
    masses = torch.linspace(1, 2, 4, dtype=torch.float64)
    each = torch.vmap(lambda q, m: arm.gravity(q, values={"m2": m}))(q[:, 0], masses)
    assert torch.equal(each, arm.gravity(q[:, 0], values={"m2": masses}))
    torch.vmap(arm.kinetic_energy)(q, v).sum().backward()
    assert q.grad.shape == q.shape


@pytest.mark.filterwarnings(
    "ignore:.torch.jit.script. is deprecated:DeprecationWarning"
)  # torch's own
def test_torch_func() -> None:
    fast = compiled("wheeled_inverted_pendulum")
    arm, x = fast.to_torch(), tensors("wheeled_inverted_pendulum", 3, grad=False)
    q, v, vdot = x["q"], x["v"], x["vdot"]
    jacobian = torch.func.vmap(torch.func.jacrev(arm.inverse_dynamics))(q, v, vdot)
    ours = fast.inverse_dynamics_derivatives(q.numpy(), v.numpy(), vdot.numpy(), wrt="coordinates")[
        0
    ]
    assert torch.allclose(jacobian, torch.from_numpy(ours), rtol=1e-12, atol=1e-12)
    hessian = torch.func.jacrev(torch.func.grad(arm.potential_energy))(q[0])
    slopes = torch.func.jacrev(arm.gravity)(q[0])
    W = torch.from_numpy(fast.kinematic_map(q[0].numpy()))
    assert torch.allclose(W.T @ hessian @ W, slopes @ W, atol=1e-10)
    energy, pull = torch.func.vjp(arm.kinetic_energy, q[0], v[0])
    momentum = pull(torch.ones_like(energy))[1]
    assert torch.allclose(momentum, arm.mass_matrix(q[0]) @ v[0])
    steps = (q[1], v[1], vdot[1])
    along = torch.func.jvp(arm.inverse_dynamics, (q[0], v[0], vdot[0]), steps)[1]
    given = (*(y[0].numpy() for y in (q, v, vdot)), *(y.numpy() for y in steps))
    pushed = fast.inverse_dynamics_jvp(*given, wrt="coordinates")
    assert torch.allclose(along, torch.from_numpy(pushed), rtol=1e-12)
    assert torch.allclose(torch.func.hessian(arm.potential_energy)(q[0]), hessian, atol=1e-10)
    mass = torch.tensor(70.0, dtype=torch.float64)

    def gravity(mass: Any) -> Any:
        return arm.gravity(q, values={"m_B": mass})

    assert torch.allclose(torch.func.jacfwd(gravity)(mass), torch.func.jacrev(gravity)(mass))
    per_state = torch.func.vmap(torch.func.grad(lambda q: arm.potential_energy(q)))(q)
    assert per_state.shape == q.shape


@pytest.mark.parametrize("name", ["rr_arm", "anymal"])
def test_torch_compile(name: str) -> None:
    arm = compiled(name).to_torch()
    frame = arm.fast.eom.robot.bodies[-1].name

    def cost(q: Any, v: Any, tau: Any) -> Any:
        vdot = arm.forward_dynamics(q, v, tau)
        height = arm.pose(frame, q)[..., 2, 3]
        by_v = arm.inverse_dynamics_derivatives(q, v, vdot, wrt="coordinates")[1]
        return (vdot**2).sum(-1) + height.sin() + by_v.sum((-1, -2))

    made = torch.compile(cost, backend="aot_eager", fullgraph=True)
    given = [tensors(name, 3)[n] for n in ("q", "v", "tau")]
    found, expected = made(*given), cost(*given)
    assert torch.allclose(found, expected, rtol=1e-13)
    weights = torch.linspace(1, 2, 3, dtype=torch.float64)
    slopes = [torch.autograd.grad((y * weights).sum(), given) for y in (found, expected)]
    for a, b in zip(*slopes, strict=True):
        assert torch.allclose(a, b, rtol=1e-10)


def test_torch_compile_with_values_and_inputs() -> None:
    arm = compiled("rr_arm").to_torch()
    x = tensors("rr_arm", 3)
    mass = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)

    def acceleration(q: Any, v: Any, u: Any, mass: Any) -> Any:
        return arm.forward_dynamics(q, v, inputs=u, values={"m2": mass, "g": 1.62})

    made = torch.compile(acceleration, backend="aot_eager", fullgraph=True)
    given = (x["q"], x["v"], x["inputs"], mass)
    assert torch.equal(made(*given), acceleration(*given))
    (slope,) = torch.autograd.grad(made(*given).sum(), mass)
    assert torch.allclose(slope, torch.autograd.grad(acceleration(*given).sum(), mass)[0])


def test_the_result_does_not_share_memory_with_the_arguments() -> None:
    arm, x = compiled("rr_arm").to_torch(), tensors("rr_arm", 2, grad=False)
    kept = {n: a.clone() for n, a in x.items()}
    arm.inverse_dynamics(x["q"], x["v"], x["vdot"]).zero_()
    assert all(torch.equal(x[n], kept[n]) for n in x)

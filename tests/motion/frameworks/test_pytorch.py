"""`fast.to_torch()`: the values of every kind of function, in batches of any shape."""

from __future__ import annotations

import copy
import pickle
import sys
from typing import Any

import numpy as np
import pytest
import torch

import equamo as eq
from bridge_robots import MATRIX, compiled, equations, residual, states
from equamo.errors import EquamoError

EPSILON = np.finfo(float).eps


def tensors(name: str, *shape: int, dtype: Any = torch.float64) -> dict[str, Any]:
    return {n: torch.from_numpy(x).to(dtype) for n, x in states(equations(name), *shape).items()}


@pytest.mark.parametrize("name", MATRIX)
def test_inverse_dynamics_and_mass_matrix(name: str) -> None:
    fast, x = compiled(name), tensors(name, 5)
    arm = fast.to_torch()
    for function, arguments in (("inverse_dynamics", ("q", "v", "vdot")), ("mass_matrix", ("q",))):
        given = [x[a] for a in arguments]
        ours = getattr(fast, function)(*(a.numpy() for a in given))
        found = getattr(arm, function)(*given).numpy()
        assert np.abs(found - ours).max() <= 8 * EPSILON * np.abs(ours).max(), function


@pytest.mark.parametrize("name", MATRIX)
def test_forward_dynamics_by_its_residual(name: str) -> None:
    fast, x = compiled(name), tensors(name, 5)
    vdot = fast.to_torch().forward_dynamics(x["q"], x["v"], x["tau"])
    assert residual(fast, states(fast.eom, 5), vdot.numpy()) < 1e-12


@pytest.mark.parametrize("name", ["rr_arm", "anymal"])
def test_every_function_of_the_robot(name: str) -> None:
    fast, x = compiled(name), tensors(name, 2)
    arm = fast.to_torch()
    x |= {"vddot": x["vdot"]}
    names = [n for n in dir(arm) if not n.startswith("_") and n not in dir(type(arm))]
    names = [n for n in names if n not in ("fast",) and "_jvp" not in n and "_hvp" not in n]
    assert {"bias", "coriolis_matrix", "inverse_dynamics_derivatives", "center_of_mass"} <= set(
        names
    )
    for function in names if name == "rr_arm" else ("bias", "kinematic_map", "state_derivative"):
        states_ = fast.function(function).states
        size = (
            len(fast.function(function).source.arguments[states_.index("lam")])
            if "lam" in states_
            else 0
        )
        x["lam"] = torch.ones(2, size, dtype=torch.float64)
        given = [x[a] for a in states_]
        ours, found = (
            getattr(fast, function)(*(a.numpy() for a in given)),
            getattr(arm, function)(*given),
        )
        several = isinstance(ours, tuple)
        for a, b in zip(ours if several else [ours], found if several else [found], strict=True):
            assert np.abs(a - b.numpy()).max(initial=0) <= 1e-13 * np.abs(a).max(initial=1), (
                function
            )


def test_functions_of_frames() -> None:
    fast, x = compiled("panda"), tensors("panda", 3)
    arm, q, v = fast.to_torch(), x["q"], x["v"]
    hand = "panda_hand"
    pairs = [
        (arm.pose(hand, q), fast.pose(hand, q.numpy())),
        (arm.jacobian(hand, q), fast.jacobian(hand, q.numpy())),
        (arm.jacobian_dot_v(hand, q, v), fast.jacobian_dot_v(hand, q.numpy(), v.numpy())),
        (arm.pose_derivatives(hand, q), fast.pose_derivatives(hand, q.numpy())),
        (
            arm.jacobian_derivatives(hand, q, wrt="coordinates"),
            fast.jacobian_derivatives(hand, q.numpy(), wrt="coordinates"),
        ),
    ]
    for found, ours in pairs:
        assert found.shape == ours.shape
        assert np.array_equal(found.numpy(), ours)


def test_leading_dimensions_are_broadcast() -> None:
    arm, x = compiled("rr_arm").to_torch(), tensors("rr_arm", 3, 1)
    v = tensors("rr_arm", 4)["v"]
    found = arm.bias(x["q"], v)
    assert found.shape == (3, 4, 2)
    assert torch.equal(found[2, 3], arm.bias(x["q"][2, 0], v[3]))
    assert arm.kinetic_energy(x["q"][0, 0], v[0]).shape == ()
    assert arm.gravity(torch.zeros(0, 2, dtype=torch.float64)).shape == (0, 2)
    assert arm.gravity(x["q"].transpose(0, 1)).shape == (1, 3, 2)


def test_values_as_names_and_as_a_tensor() -> None:
    fast, x = compiled("rr_arm"), tensors("rr_arm", 4)
    arm = fast.to_torch()
    q = x["q"]
    masses = torch.linspace(1, 2, 4, dtype=torch.float64)
    ours = fast.gravity(q.numpy(), values={"m1": masses.numpy(), "g": 1.62})
    assert np.array_equal(arm.gravity(q, values={"m1": masses, "g": 1.62}).numpy(), ours)
    every = arm.parameter_values()
    every[arm.parameters.index("m1")] = 3.0
    assert np.array_equal(
        arm.gravity(q, values=every).numpy(), fast.gravity(q.numpy(), values={"m1": 3})
    )
    assert torch.equal(arm.gravity(q, values={}), arm.gravity(q))


def test_inputs_and_directions_choose_a_variant() -> None:
    fast, x = compiled("anymal"), tensors("anymal", 2)
    arm = fast.to_torch()
    n = {k: a.numpy() for k, a in x.items()}
    found = arm.forward_dynamics(x["q"], x["v"], inputs=x["inputs"])
    assert np.allclose(
        found.numpy(), fast.forward_dynamics(n["q"], n["v"], inputs=n["inputs"]), rtol=1e-11
    )
    by_q, *_ = arm.inverse_dynamics_derivatives(x["q"], x["v"], x["vdot"], wrt="coordinates")
    assert by_q.shape == (2, 18, 19)


def test_a_function_of_the_user_and_derivatives_by_parameters() -> None:
    eom = equations("rr_arm")
    fast = eq.compile(eom, functions={"power": "tau1*dq1 + tau2*dq2", "late": "t*q1"})
    arm, x = fast.to_torch(), tensors("rr_arm", 2)
    assert torch.allclose(arm.power(x["v"], x["inputs"]), (x["v"] * x["inputs"]).sum(-1))
    assert torch.equal(arm.late(x["q"], 2.0), 2 * x["q"][:, 0])
    late = arm.late(x["q"], torch.tensor([1.0, 3.0], dtype=torch.float64))
    assert torch.equal(late, torch.tensor([1.0, 3.0], dtype=torch.float64) * x["q"][:, 0])
    slope = arm.derivative("kinetic_energy", by="I2")(x["q"], x["v"])
    assert np.allclose(
        slope.numpy(), fast.derivative("kinetic_energy", by="I2")(x["q"].numpy(), x["v"].numpy())
    )
    of_frame = arm.derivative("pose", by="L1", frame="fore")(x["q"])
    assert of_frame.shape == (2, 4, 4)


def test_single_precision() -> None:
    fast = compiled("panda")
    arm = fast.to_torch()
    x, single = tensors("panda", 3), tensors("panda", 3, dtype=torch.float32)
    found = arm.inverse_dynamics(single["q"], single["v"], single["vdot"])
    assert found.dtype == torch.float32
    ours = arm.inverse_dynamics(x["q"], x["v"], x["vdot"])
    assert (found - ours).abs().max() < 1e-5 * ours.abs().max()
    only = eq.compile(equations("rr_arm"), dtype="float32").to_torch()
    assert only.gravity(torch.zeros(2)).dtype == torch.float32


def test_nan_in_nan_out() -> None:
    arm = compiled("anymal").to_torch()
    q = tensors("anymal", 2)["q"]
    q[1, 4] = torch.nan
    q.requires_grad_()
    found = arm.gravity(q)
    assert not found[0].isnan().any()
    assert found[1].isnan().any()
    found.sum().backward()
    assert q.grad is not None
    assert not q.grad[0].isnan().any()
    assert q.grad[1].isnan().any()


def test_folded_parameters() -> None:
    fast = eq.compile(equations("rr_arm"), parameters="numeric")
    q = torch.ones(2, dtype=torch.float64, requires_grad=True)
    found = fast.to_torch().gravity(q)
    assert np.array_equal(found.detach().numpy(), fast.gravity([1, 1]))
    (slope,) = torch.autograd.grad(found[0], q)
    ours = fast.inverse_dynamics_derivatives([1, 1], [0, 0], [0, 0])[0]
    assert np.allclose(slope.numpy(), ours[0], rtol=1e-13)
    with pytest.raises(EquamoError, match="part of the code"):
        fast.to_torch().gravity(q, values={"m1": 1.0})


@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")
def test_some_folded_parameters() -> None:
    """A parameter without a default stays an argument, and has its gradient."""
    rod = eq.Body("rod", eq.revolute("q", axis="y"), mass="m", com="l 0 0")
    eom = eq.derive(eq.Robot("pendulum", [rod], parameters={"m": 2}))
    arm = eq.compile(eom, parameters="numeric").to_torch()
    length = torch.tensor([0.5], dtype=torch.float64, requires_grad=True)
    q = torch.tensor([0.3], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda q, l: arm.gravity(q, values=l), (q, length))
    assert torch.autograd.gradgradcheck(
        lambda q, l: arm.gravity(q, values={"l": l[0]}), (q, length)
    )
    slope = torch.func.jacrev(lambda l: arm.gravity(q, values=l))(length)
    assert torch.allclose(torch.func.jacfwd(lambda l: arm.gravity(q, values=l))(length), slope)


def test_a_function_of_nothing() -> None:
    arm = eq.compile(equations("panda"), functions={"two": ["2", "1/2"]}).to_torch()
    assert arm.two().tolist() == [2.0, 0.5]


def test_equal_robots_share_operators_and_other_robots_do_not() -> None:
    one, two = (eq.compile(eq.derive(eq.load("rr_arm"))).to_torch() for _ in range(2))
    assert one.gravity.operator() == two.gravity.operator()
    heavier = eq.compile(eq.derive(eq.load("rr_arm").add_mass("fore", "dm"))).to_torch()
    assert heavier.gravity.operator() != one.gravity.operator()
    user = [
        eq.compile(equations("rr_arm"), functions={"f": text}).to_torch() for text in ("q1", "q2")
    ]
    assert user[0].f.operator() != user[1].f.operator()


def test_copies_and_texts() -> None:
    arm = compiled("rr_arm").to_torch()
    assert repr(arm) == "<PyTorch operators of robot 'rr_arm'>"
    assert repr(arm.bias) == "<PyTorch operator bias(q, v)>"
    q = torch.ones(2, dtype=torch.float64)
    for other in (copy.deepcopy(arm), pickle.loads(pickle.dumps(arm))):
        assert torch.equal(other.gravity(q), arm.gravity(q))
    assert "mass_matrix" in dir(arm)


def test_pytorch_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(EquamoError, match=r"to_torch\(\) needs PyTorch.*equamo\[torch\]"):
        compiled("rr_arm").to_torch()

"""What PyTorch functions refuse: each message says what must hold, what was given and what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import equamo as eq
from bridge_robots import compiled
from equamo.errors import EquamoError, EvaluationError, UnknownFunctionError, UnknownNameError

X = torch.zeros(2, dtype=torch.float64)


@pytest.fixture(scope="module")
def arm() -> Any:
    return compiled("rr_arm").to_torch()


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 0], X), {}, r"q must be a tensor, got \[0, 0\]; use torch.as_tensor"),
        ((np.zeros(2), X), {}, "q must be a tensor"),
        ((X, X[:1]), {}, r"v must have shape \(…, 2\) \(entries: dq1, dq2\), got \(1,\)"),
        ((X.sum(), X), {}, r"q must have shape \(…, 2\).*got \(\)"),
        ((X, X.float()), {}, r"v must have dtype torch.float64, got torch.float32"),
        ((X.int(), X), {}, r"q must have dtype torch.float64 or torch.float32, got torch.int32"),
        ((X.half(), X), {}, r"got torch.float16; convert it with .to\(torch.float64\)"),
        ((X.to_sparse(), X), {}, r"q must be a dense tensor, got torch.sparse_coo; .*to_dense"),
        ((X.expand(3, 2), X.expand(4, 2)), {}, r"q has \(3,\), v has \(4,\)"),
        ((X, X, X), {}, r"bias takes 2 arguments \(q, v\), got 3"),
        ((X,), {}, "bias: no value for v"),
        ((X, X), {"v": X}, "v must be passed once"),
        ((X, X), {"wrt": "coordinates"}, "must be a derivative with respect to q"),
        ((X, X), {"values": X}, r"values must have shape \(…, 8\)"),
        ((X, X), {"values": {"m1": "2"}}, r"values\['m1'\] must be a number or a tensor, got '2'"),
        ((X, X), {"values": {"m1": X.float()}}, r"values\['m1'\] must have dtype torch.float64"),
        ((X, X), {"values": {"m1": X, "m2": X.expand(3, 2)[:, :1]}}, None),
        ((X, X), {"values": {"m1": X, "m2": torch.zeros(3, dtype=X.dtype)}}, "m1 has .2,., m2 has .3,."),
        ((X, X), {"external": X}, "external must be left out, since the function has no external"),
    ],
)  # fmt: skip
def test_wrong_arguments(arm: Any, arguments: Any, options: Any, message: str | None) -> None:
    if message is None:
        assert arm.bias(*arguments, **options).shape == (3, 2, 2)
        return
    with pytest.raises(EvaluationError, match=message):
        arm.bias(*arguments, **options)


def test_unknown_names(arm: Any) -> None:
    with pytest.raises(UnknownFunctionError, match="mass_matrix"):
        _ = arm.mass_matrx
    with pytest.raises(AttributeError, match="_private"):
        _ = arm._private
    with pytest.raises(UnknownNameError, match="m1"):
        arm.bias(X, X, values={"mass": 1.0})
    with pytest.raises(UnknownNameError, match="vdot"):
        arm.bias(X, X, vdot=X)
    with pytest.raises(UnknownNameError, match="fore"):
        arm.pose("for", X)
    with pytest.raises(UnknownNameError, match=r"must be given by name, got \['gravity'\]"):
        arm.function(["gravity"])
    assert arm.function("pose", "fore") is arm.function("pose_fore")
    with pytest.raises(UnknownNameError, match="wrt"):
        arm.inverse_dynamics_derivatives(X, X, X, wrt="space")
    with pytest.raises(UnknownNameError, match="packed"):
        arm.mass_matrix(X, packed=True)
    with pytest.raises(UnknownNameError, match="L1"):
        arm.derivative("gravity", by="L")


def test_another_device(arm: Any) -> None:
    with FakeTensorMode():
        q = torch.zeros(2, dtype=torch.float64, device="xpu")
        with pytest.raises(
            EvaluationError,
            match=r"q must be on the CPU or a CUDA device, got device xpu.*\.cpu\(\)",
        ):
            arm.gravity(q)
    away = X.to("meta")
    with pytest.raises(EvaluationError, match="v must be on device cpu, got device meta; all"):
        arm.bias(X, away)


def test_a_parameter_without_a_value() -> None:
    rod = eq.Body("rod", eq.revolute("q", axis="y"), mass="m", com="l 0 0")
    arm = eq.compile(eq.derive(eq.Robot("pendulum", [rod]))).to_torch()
    q = torch.ones(1, dtype=torch.float64)
    with pytest.raises(
        EvaluationError, match="no value for 2 parameters of robot 'pendulum': 'l', 'm'"
    ):
        arm.gravity(q)
    given = arm.gravity(q, values={"m": 2.0, "l": 0.5, "g": 10.0})
    values = torch.tensor(
        [{"m": 2.0, "l": 0.5, "g": 10.0}[n] for n in arm.parameters], dtype=q.dtype
    )
    assert torch.equal(given, arm.gravity(q, values=values))
    assert arm.parameter_values().isnan().sum() == 2


def test_a_fixed_dtype(arm: Any) -> None:
    with pytest.raises(EvaluationError, match=r"dtype must be torch.float64 or .*got 'float64'"):
        arm.parameter_values("float64")
    only = eq.compile(eq.derive(eq.load("rr_arm")), dtype="float32").to_torch()
    with pytest.raises(EquamoError, match=r"q must have dtype torch.float32, got torch.float64"):
        only.gravity(X)

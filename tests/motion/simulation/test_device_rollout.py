"""Runs on a GPU, with a driver in the host's memory whose kernel is `eq.rollout`."""

import ctypes
from typing import Any

import numpy as np
import pytest

import equamo as eq
from cuda_setting import Setting, gpu
from equamo.errors import EquamoError, EvaluationError, UnknownNameError
from fake_cuda import array

__all__ = ["gpu"]


class Runs(Setting):
    """A setting whose kernel computes runs of a method, with inputs, by the CPU."""

    def use(self, method: str, dtype: str = "float64", control: Any = None) -> None:
        real = ctypes.c_double if dtype == "float64" else ctypes.c_float
        n, m = len(self.eom.q), len(self.eom.inputs)

        def run(table: Any) -> None:
            def whole(k: int) -> int:
                return ctypes.c_int64.from_address(table[k]).value

            runs, steps, every = whole(0), whole(1), whole(2)
            start, step = (real.from_address(table[k]).value for k in (3, 4))
            q, v, inputs, _, _, states = (
                (whole(k), whole(k + 1), whole(k + 2)) for k in range(5, 23, 3)
            )
            moving, row = whole(23), whole(24)
            given = {"control": control}
            if control is None and m:
                one = [
                    array(inputs[0] + k * moving, (runs, m), inputs[1:], np.dtype(dtype))
                    for k in range(steps if moving else 1)
                ]
                given = {"control": np.stack(one, 1)}
            found = eq.rollout(
                self.eom, array(q[0], (runs, n), q[1:], np.dtype(dtype)),
                array(v[0], (runs, n), v[1:], np.dtype(dtype)), step=step, steps=steps, every=every,
                start=start, method=method, **given,
            )  # fmt: skip
            for k in range(found.states.shape[1]):
                place = array(states[0] + k * row, (runs, 2 * n), states[1:], np.dtype(dtype))
                place[...] = found.states[:, k]

        self.fake.run = run


@pytest.fixture
def runs(gpu: Any) -> Runs:
    s = gpu()
    s.__class__ = Runs
    return s


@pytest.mark.parametrize("method", ["semi_implicit_euler", "rk4"])
def test_runs_with_a_control_law(runs: Runs, method: str) -> None:
    q, v = runs.states(40, 2)
    options = {"step": 0.01, "steps": 20, "control": {"tau1": "-2*dq1"}, "method": method}
    runs.use(method, control=options["control"])
    theirs = eq.rollout(runs.eom, q, v, every=5, **options)
    for given in ((q, v), runs.on_device(q, v)):
        found = runs.compiled().rollout(*given, every=5, **options)
        states = found.states if given[0] is q else found.states.to_numpy()
        assert np.array_equal(states.reshape(theirs.states.shape), theirs.states)
        assert np.array_equal(found.t, theirs.t)
        assert b"fma.rn.f64" in runs.fake.texts[-1]


def test_inputs_of_each_step(runs: Runs) -> None:
    q, v = runs.states(40, 2)
    inputs = np.random.default_rng(2).normal(size=(40, 10, 2))
    runs.use("rk4")
    theirs = eq.rollout(runs.eom, q, v, step=0.01, steps=10, control=inputs)
    fast = runs.compiled()
    for control in (inputs, *runs.on_device(inputs)):
        found = fast.rollout(q, v, step=0.01, steps=10, every=1, method="rk4", control=control)
        states = found.states if control is inputs else found.states.to_numpy()
        assert np.array_equal(states.reshape(theirs.states.shape), theirs.states)
    constant = eq.rollout(runs.eom, q, v, step=0.01, steps=10, control=inputs[:, 0], every=10)
    (held,) = runs.on_device(inputs[:, 0].copy())
    found = fast.rollout(q, v, step=0.01, steps=10, method="rk4", control=held)
    assert np.array_equal(found.states.to_numpy().reshape(40, 2, 4), constant.states)


def test_one_run_and_single_precision(runs: Runs) -> None:
    runs.use("semi_implicit_euler")
    found = runs.compiled().rollout({"q1": 0.3}, step=0.01, duration=0.1)
    assert found.q.shape == (2, 2)
    runs.use("semi_implicit_euler", "float32")
    found = runs.compiled(dtype="float32").rollout({"q1": [0.3, 0.2]}, step=0.01, duration=0.1)
    assert found.states.dtype == np.float32


def test_wrong_arguments_are_refused(runs: Runs) -> None:
    q, v = runs.states(40, 2)
    f = runs.compiled().rollout
    on_device, other = runs.on_device(q, v[:5].copy())
    (single,) = runs.on_device(q.astype("float32"))
    (wide,) = runs.on_device(np.zeros((40, 3)))
    wrong: list[tuple[Any, str]] = [
        (lambda: f(q, v, step=0.1, steps=10, every=3), "every must divide"),
        (lambda: f(on_device, other, step=0.1, steps=10), "must have the same size"),
        (lambda: f(single, on_device, step=0.1, steps=10), "must have the same dtype"),
        (lambda: f(wide, on_device, step=0.1, steps=10), "must have shape"),
        (lambda: f(q, v, step=0.1, steps=10, control=wide), "control on a device"),
    ]
    for action, message in wrong:
        with pytest.raises(EvaluationError, match=message):
            action()
    with pytest.raises(UnknownNameError, match="method on a GPU"):
        f(q, v, step=0.1, steps=10, method="implicit_midpoint")
    with pytest.raises(EquamoError, match="must be compiled for a GPU"):
        runs.cpu.rollout(q, v, step=0.1, steps=10)
    loop = eq.compile(eq.derive(eq.load("four_bar")), device="cuda")
    with pytest.raises(EquamoError, match="no loops or sticking contacts"):
        loop.rollout(step=0.1, steps=10)


def test_kernels_are_cached(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    runs.use("semi_implicit_euler")
    q, v = runs.states(40, 2)
    first = runs.compiled().rollout(q, v, step=0.01, steps=10)
    runs.eom.made.pop("device rollouts")
    monkeypatch.setattr(
        "equamo.motion.simulation.device_rollout.DeviceLoop", None
    )  # must not be called
    again = runs.compiled().rollout(q, v, step=0.01, steps=10)
    assert np.array_equal(first.states, again.states)

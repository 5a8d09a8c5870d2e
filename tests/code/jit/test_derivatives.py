"""Derivative functions in machine code: one state and batches, keywords, parameters, proofs."""

from __future__ import annotations

import pickle
import re
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.code.ir.derivatives import derivative_functions
from equamo.code.ir.function import entries_of
from equamo.code.jit.arrays import flat_out
from equamo.errors import EquamoError, EvaluationError, UnknownNameError
from force_robots import arm, one_of_each
from generated_code import equations

ROBOTS = ("rr_arm", "ball_arm", "rolling_disc")


@cache
def fast_of(name: str) -> Any:
    return eq.compile(equations(name), cache=False)


def states(eom: eq.EquationsOfMotion, f: Any, count: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(2)
    given = {
        a.name: rng.uniform(-1, 1, (count, len(a)))
        for a in f.arguments
        if a.name not in ("parameters", "external")
    }
    for group in eom.robot.state_space.quaternions:
        given["q"][:, group] /= np.linalg.norm(given["q"][:, group], axis=1, keepdims=True)
    return given


@pytest.mark.ci
@pytest.mark.parametrize("robot", ROBOTS)
def test_all_functions_have_the_values_of_their_expressions(robot: str) -> None:
    """At one state and in a batch."""
    eom, fast = equations(robot), fast_of(robot)
    for name, f in derivative_functions(eom).items():
        if robot != "rr_arm" and name.endswith("_coordinates") != (robot == "ball_arm"):
            continue  # to compile them all takes long
        given = states(eom, f, 3)
        batch = getattr(fast, name)(*given.values())
        single = getattr(fast, name)(*(x[0] for x in given.values()))
        several = len(f.results) > 1
        symbols = {
            s: x for a in f.arguments if a.name in given
            for s, x in zip(a.symbols, given[a.name][0], strict=True)
        }  # fmt: skip
        known = {s: float(eom.robot.values[s.name] or 0) for s in eom.parameters} | symbols
        for k, (y, value) in enumerate(zip(f.results, f.outputs(f.ways[0]).values(), strict=True)):
            ours, many = (single[k], batch[k]) if several else (single, batch)
            assert many.shape == (3, *y.shape)
            expected = evaluate_floats(entries_of(value), known)
            scale = 1e-11 * max([1.0, *map(abs, expected)])
            assert np.allclose(np.ravel(ours), expected, rtol=0, atol=scale), (name, y.name)
            assert np.allclose(many[0], ours, rtol=0, atol=scale), (name, y.name)


def test_keywords_choose_variants() -> None:
    eom, fast = equations("ball_arm"), fast_of("ball_arm")
    f = derivative_functions(eom)["inverse_dynamics_derivatives"]
    q, v, a = (x[0] for x in states(eom, f, 1).values())
    dense = fast.inverse_dynamics_derivatives(q, v, a)
    assert [x.shape for x in dense] == [(4, 4)] * 3
    by_coordinates = fast.inverse_dynamics_derivatives(q, v, a, wrt="coordinates")[0]
    assert by_coordinates.shape == (4, 5)
    # ∂f/∂quat = ∂f/∂δ · 2Qᵀ, so that ∂f/∂quat · N = ∂f/∂δ
    N = fast.kinematic_map(q)
    assert np.allclose(by_coordinates @ N, dense[0])
    assert np.allclose(by_coordinates[:, :4] @ q[:4], 0)
    packed = fast.inverse_dynamics_derivatives(q, v, a, packed=True)
    assert all(np.allclose(x.dense(), y) for x, y in zip(packed, dense, strict=True))
    assert packed[2].symmetric
    with pytest.raises(UnknownNameError, match="wrt"):
        fast.inverse_dynamics_derivatives(q, v, a, wrt="angles")
    with pytest.raises(EvaluationError, match="must be a derivative with respect to q"):
        fast.inverse_dynamics(q, v, a, wrt="coordinates")


def test_inputs_as_in_forward_dynamics() -> None:
    fast = fast_of("rr_arm")
    q, v, tau = np.array([0.3, 0.5]), np.array([1.0, -0.4]), np.array([0.2, 0.1])
    by_tau = fast.forward_dynamics_derivatives(q, v, tau)
    by_inputs = fast.forward_dynamics_derivatives(q, v, inputs=tau)
    assert all(np.allclose(x, y) for x, y in zip(by_tau, by_inputs, strict=True))
    lam = np.array([1.0, 2.0])
    assert np.allclose(
        fast.forward_dynamics_vjp(q, v, inputs=tau, lam=lam)[0],
        fast.forward_dynamics_vjp(q, v, tau, lam)[0],
    )


# -- parameters --------------------------------------------------------------------------------------
def test_by_parameters_is_the_slope_of_the_function() -> None:
    """Inertia, length, gravity: central differences with `values`."""
    fast = fast_of("rr_arm")
    q, v, a = np.array([0.3, 0.5]), np.array([1.0, -0.4]), np.array([0.2, 0.1])
    names, h = ["I2", "L1", "g"], 1e-5
    slopes = fast.derivative("inverse_dynamics", by=names)(q, v, a)
    home = fast.eom.robot.values
    for k, n in enumerate(names):
        up, down = (
            fast.inverse_dynamics(q, v, a, values={n: float(home[n]) + s * h}) for s in (1, -1)
        )
        assert np.allclose(slopes[:, k], (up - down) / (2 * h), rtol=1e-8)
    # of a matrix one matrix per parameter, of a frame by its name
    assert [x.shape for x in fast.derivative("mass_matrix", by=names)(q)] == [(2, 2)] * 3
    pose = fast.derivative("pose", by="L1", frame="fore")(q)
    assert pose[:, 3] == pytest.approx([np.cos(0.3), np.sin(0.3), 0, 0])
    assert fast.derivative("kinetic_energy", by=eq.parse("I2"))(q, v).shape == (1,)


def test_by_external_loads() -> None:
    fast = eq.compile(eq.derive(arm(*one_of_each())), cache=False)
    q, v = np.array([0.3, 0.5, 0.2]), np.array([1.0, -0.4, 0.3])
    slope = fast.derivative("passive_force", by=["Fx", "Tz"])(q, v)
    plus = fast.passive_force(q, v, external={"Fx": 1}) - fast.passive_force(q, v)
    assert np.allclose(slope[:, 0], plus)


@pytest.mark.parametrize(
    ("function", "by", "message"),
    [
        ("gravity", [], "at least one parameter"),
        ("gravity", ["m1", "m1"], "each once"),
        ("gravity", 3, "must be a list of parameters, got 3"),
        ("gravity", "q1", "Unknown parameter 'q1'"),
        ("gravitation", "m1", "Unknown compiled function 'gravitation'"),
        ("pose", "m1", "a frame must be given"),
    ],
)
def test_wrong_arguments(function: str, by: Any, message: str) -> None:
    with pytest.raises(EquamoError, match=message):
        fast_of("rr_arm").derivative(function, by=by)


def test_names_that_cannot_be_told_apart() -> None:
    """a__b is a parameter, and so are a and b."""
    body = eq.Body("link", eq.revolute("q"), mass="a__b", com="a b 0")
    robot = eq.Robot("strange", [body], gravity="0 -1 0", parameters={"a": 1, "b": 2, "a__b": 3})
    fast = eq.compile(eq.derive(robot), cache=False)
    assert fast.derivative("mass_matrix", by="a__b")([0.0]).ravel() == pytest.approx([5])
    with pytest.raises(EquamoError, match="differentiate with respect to one at a time"):
        fast.derivative("mass_matrix", by=["a", "b"])


# -- what else compiled functions can do ----------------------------------------------------------------
def test_remarks_on_jumps() -> None:
    fast = eq.compile(eq.derive(arm(*one_of_each())), cache=False)
    (remark,) = fast.function("inverse_dynamics_derivatives").notes
    assert remark.startswith("sign(dq1): its derivative is taken to be 0")
    assert fast.function("inverse_dynamics_by_Fc1").notes == (remark,)
    assert fast.function("inverse_dynamics").notes == fast.function("gravity_by_m1").notes == ()


def test_certificate_and_pickle() -> None:
    fast = eq.compile(equations("rr_arm"), cache=False)
    q = np.array([0.3, 0.5])
    _ = fast.forward_dynamics_derivatives(q, q, q, packed=True)
    by = fast.derivative("inverse_dynamics", by=["m2", "L1"])
    lines = fast.certificate(seed=1)
    assert lines.ok
    assert "inverse_dynamics_by_m2__L1: program = equations" in [x.name for x in lines.lines[:3]]
    again = pickle.loads(pickle.dumps(fast)).function("inverse_dynamics_by_m2__L1")
    assert np.allclose(again(q, q, q), by(q, q, q))


def test_out_and_single_precision() -> None:
    fast = fast_of("rr_arm")
    q = np.array([0.3, 0.5])
    out = tuple(np.empty((2, 2)) for _ in range(3))
    assert fast.inverse_dynamics_derivatives(q, q, q, out=out)[0] is out[0]
    assert np.array_equal(out[0], fast.inverse_dynamics_derivatives(q, q, q)[0])
    single = fast.inverse_dynamics_derivatives(*[q.astype("float32")] * 3)
    assert single[0].dtype == np.float32
    assert np.allclose(single[0], out[0], rtol=1e-5)


def test_a_users_own_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Differentiated by a parameter; the cache tells two functions of one name apart."""
    monkeypatch.setenv("EQUAMO_CACHE", str(tmp_path))
    eom, q = equations("rr_arm"), np.array([0.3, 0.5])
    slopes = []
    for text in ("L1*q1", "L1**2*q2"):
        fast = eq.compile(eom, functions={"reach": eq.parse(text)})
        slopes.append(float(fast.derivative("reach", by="L1")(q)[0]))
        again = eq.Certificate.load(saved(fast, tmp_path))
        assert eq.check_file(tmp_path / "proof.json").ok, again
    assert slopes == pytest.approx([0.3, 2 * 0.5])


def saved(fast: Any, folder: Path) -> Path:
    path = folder / "proof.json"
    fast.certificate(seed=1).save(path)
    return path


@pytest.mark.parametrize("function", ["pose_derivatives", "jacobian_derivatives"])
@pytest.mark.parametrize("wrt", ["tangent", "coordinates"])
def test_derivatives_of_frames_packed_and_into_an_array(function: str, wrt: str) -> None:
    fast = eq.compile(eq.derive(eq.load("rr_arm")))
    compute = partial(getattr(fast, function), "fore", wrt=wrt)
    q = np.array([[0.3, 0.5], [1.0, -2.0], [0.1, 0.2]])
    whole, single = compute(q), compute(q[0])
    np.testing.assert_array_equal(whole[0], single)
    for given, expected in ((q, whole), (q[0], single)):
        packed = compute(given, packed=True)
        assert packed.shape == (expected.shape[-3] * expected.shape[-2], expected.shape[-1])
        np.testing.assert_array_equal(packed.dense().reshape(expected.shape), expected)
        out = np.empty(expected.shape)
        assert compute(given, out=out) is out
        np.testing.assert_array_equal(out, expected)
        turned = np.empty(expected.shape[::-1]).T  # no view of it is flat
        assert compute(given, out=turned) is turned
        np.testing.assert_array_equal(turned, expected)
    shape = single.shape
    call = rf"{function}\(frame, q\): out must be an array of shape {re.escape(str(shape))}"
    for wrong in (np.empty((shape[0] * shape[1], shape[2])), 3, [0.0]):
        with pytest.raises(EvaluationError, match=call):
            compute(q[0], out=wrong)
    with pytest.raises(EvaluationError, match="out must be a writeable array"):
        compute(q, out=np.empty((2, *shape)))
    out.flags.writeable = False
    with pytest.raises(EvaluationError, match="read-only"):
        compute(q[0], out=out)


def test_arrays_on_a_device_must_be_contiguous() -> None:
    class OnDevice:
        """An array of another library, which only a contiguous one can show as a flat one."""

        def __init__(self, contiguous: bool) -> None:
            self.shape, self.contiguous = (5, 4, 4, 2), contiguous

        def is_contiguous(self) -> bool:
            return self.contiguous

        def reshape(self, *shape: int) -> tuple[int, ...]:
            return shape

    assert flat_out("f", OnDevice(True), (4, 4, 2)) == (5, 16, 2)
    with pytest.raises(EvaluationError, match="f: out must be contiguous on a device"):
        flat_out("f", OnDevice(False), (4, 4, 2))

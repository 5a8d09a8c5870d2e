"""Functions of a robot for JAX: jit, vmap, derivatives of first and second order, arguments and errors.

These tests need the built-in robots only, so that they also run with the oldest supported JAX.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads

import equamo as eq
from bridge_robots import states, unit
from equamo.code.jit.compiled import Compiled
from equamo.motion.frameworks.jax import JaxFunctions

jax.config.update("jax_enable_x64", True)


@cache
def fast(name: str) -> Compiled:
    if name != "flying":
        return eq.compile(eq.derive(eq.load(name)))
    base = eq.Body("base", eq.free("base"), mass="m", com="c 0 0", inertia="I1 I2 I3")
    values = {"m": 2, "c": 1, "I1": 3, "I2": 4, "I3": 5, "g": 9}
    return eq.compile(eq.derive(eq.Robot("flying", [base], parameters=values)))


@cache
def arm(name: str = "rr_arm") -> JaxFunctions:
    return fast(name).to_jax()


def defaults(name: str) -> np.ndarray:
    return np.array([float(x or 0) for x in fast(name).eom.robot.state_space.values.numbers])


@pytest.fixture
def single() -> Iterator[None]:
    jax.config.update("jax_enable_x64", False)
    yield
    jax.config.update("jax_enable_x64", True)


# -- values --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("robot", ["rr_arm", "flying", "four_bar"])
def test_all_functions_give_the_numbers_of_the_machine_code(robot: str) -> None:
    eom, x = fast(robot).eom, states(fast(robot).eom)
    names = ["inverse_dynamics", "forward_dynamics", "mass_matrix", "bias", "kinetic_energy",
             "inverse_dynamics_derivatives", "state_derivative"]  # fmt: skip
    for name in names:
        given = [x[n] for n in fast(robot).function(name).states]
        found, expected = getattr(arm(robot), name)(*given), getattr(fast(robot), name)(*given)
        for y, z in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
            assert same(y, z, robot), name
    body = eom.robot.bodies[-1].name
    for name in ("pose", "jacobian", "pose_derivatives", "jacobian_derivatives"):
        found, expected = (getattr(z, name)(body, x["q"]) for z in (arm(robot), fast(robot)))
        assert same(found, expected, robot), name
    found = arm(robot).jacobian_dot_v(body, x["q"], x["v"])
    assert same(found, fast(robot).jacobian_dot_v(body, x["q"], x["v"]), robot)


def same(found: Any, expected: Any, robot: str) -> bool:
    """Equal to the last bit; a quaternion is scaled to length 1, which changes last bits."""
    if robot != "flying":
        return np.array_equal(found, expected)
    near = np.abs(found - expected).max() <= 4e-15 * max(1, np.abs(expected).max())
    return bool(near) and np.shape(found) == np.shape(expected)


def test_batches_by_leading_dimensions_and_by_vmap() -> None:
    x = states(fast("rr_arm").eom, 3, 5)
    q, v, vdot = x["q"], x["v"], x["vdot"][0, 0]
    f, plain = arm().inverse_dynamics, fast("rr_arm").inverse_dynamics
    expected = np.stack([plain(q[i], v[i], vdot) for i in range(3)])
    assert np.array_equal(f(q, v, vdot), expected)
    twice = jax.jit(jax.vmap(jax.vmap(f, (0, 0, None)), (0, 0, None)))
    assert np.array_equal(twice(q, v, vdot), expected)
    mixed = jax.vmap(jax.vmap(f, (None, 0, None)), (0, None, None))(q[:, 0], v[0], vdot)
    pairs = np.array([[plain(a, b, vdot) for b in v[0]] for a in q[:, 0]])
    np.testing.assert_allclose(mixed, pairs, rtol=1e-14)
    other = jax.vmap(f, in_axes=(1, 1, None), out_axes=1)(q, v, vdot)
    assert np.array_equal(other, expected)
    broadcast = f(q[:, :1], v, vdot)
    np.testing.assert_allclose(broadcast[1, 2], plain(q[1, 0], v[1, 2], vdot), rtol=1e-14)
    assert f(np.zeros((0, 2)), v[0, 0], vdot).shape == (0, 2)


def test_single_precision(single: None) -> None:
    x = states(fast("rr_arm").eom, 4)
    given = [jnp.asarray(x[n]) for n in ("q", "v", "vdot")]
    found = jax.jit(arm().inverse_dynamics)(*given)
    assert found.dtype == jnp.float32
    expected = fast("rr_arm").inverse_dynamics(*(np.asarray(y) for y in given))
    assert expected.dtype == np.float32
    assert np.array_equal(found, expected)
    slope = jax.grad(lambda q: arm().kinetic_energy(q, given[1][0]))(given[0][0])
    assert slope.dtype == jnp.float32


def test_float32_stays_float32_with_x64() -> None:
    q = jnp.zeros(2, jnp.float32)
    assert arm().gravity(q).dtype == jnp.float32
    assert arm().gravity(q, values={"g": 2.0}).dtype == jnp.float32
    assert arm().gravity(jnp.zeros(2, int)).dtype == jnp.float64
    assert arm().inverse_dynamics(q, q, jnp.zeros(2)).dtype == jnp.float64
    chosen = eq.compile(fast("rr_arm").eom, dtype="float32").to_jax()
    assert chosen.gravity(jnp.zeros(2)).dtype == jnp.float32


def test_values_and_external_loads() -> None:
    q, p = np.array([0.3, 0.5]), defaults("rr_arm")
    f = arm().gravity
    assert np.array_equal(f(q, values=p), f(q))
    assert np.array_equal(f(q, values={"g": 0}), [0, 0])
    assert np.array_equal(f(q, values={}), f(q))
    assert f(q, values={"g": np.array([1.0, 2.0, 3.0])}).shape == (3, 2)
    assert np.array_equal(f({"q2": 0.5}), f([0, 0.5]))
    scaled = jax.vmap(lambda g: f(q, values={"g": g}))(jnp.array([1.0, 2.0]))
    np.testing.assert_allclose(scaled[1], 2 * scaled[0], rtol=1e-15)
    numeric = eq.compile(fast("rr_arm").eom, parameters="numeric").to_jax()
    np.testing.assert_allclose(numeric.gravity(q), f(q), rtol=1e-15)
    slopes = [jax.jacrev(x.gravity)(q) for x in (numeric, arm())]
    np.testing.assert_allclose(*slopes, rtol=1e-14)


def test_forward_dynamics_by_inputs_and_derivatives_by_coordinates() -> None:
    x = states(fast("flying").eom)
    found = arm("flying").inverse_dynamics_derivatives(x["q"], x["v"], x["vdot"], wrt="coordinates")
    expected = fast("flying").inverse_dynamics_derivatives(
        x["q"], x["v"], x["vdot"], wrt="coordinates"
    )
    assert all(same(y, z, "flying") for y, z in zip(found, expected, strict=True))
    body = fast("flying").eom.robot.bodies[0].name
    found = arm("flying").pose_derivatives(body, x["q"], wrt="coordinates")
    assert same(found, fast("flying").pose_derivatives(body, x["q"], wrt="coordinates"), "flying")
    x = states(fast("rr_arm").eom)
    found = arm().forward_dynamics(x["q"], x["v"], inputs=x["inputs"])
    expected = fast("rr_arm").forward_dynamics(x["q"], x["v"], inputs=x["inputs"])
    assert np.array_equal(found, expected)
    by = arm().derivative("gravity", by="g")(x["q"])
    assert np.array_equal(by, fast("rr_arm").derivative("gravity", by="g")(x["q"]))


def test_nan_in_gives_nan_out() -> None:
    bad = jnp.array([jnp.nan, 0.5])
    assert jnp.isnan(arm().gravity(bad)).all()
    assert jnp.isnan(jax.grad(arm().potential_energy)(bad)).any()
    batch = arm().gravity(jnp.stack([bad, jnp.zeros(2)]))
    assert jnp.isnan(batch[0]).all()
    assert not jnp.isnan(batch[1]).any()


# -- derivatives ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("robot", ["rr_arm", "flying"])
@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics"])
def test_jacobians_forward_and_reverse(robot: str, name: str) -> None:
    x = states(fast(robot).eom)
    given = [x[n] for n in fast(robot).function(name).states]
    expected = getattr(fast(robot), f"{name}_derivatives")(*given, wrt="coordinates")
    for way in (jax.jacfwd, jax.jacrev):
        found = jax.jit(way(getattr(arm(robot), name), (0, 1, 2)))(*given)
        for y, z in zip(found, expected, strict=True):
            np.testing.assert_allclose(y, z, atol=1e-14 * np.abs(z).max())


@pytest.mark.parametrize("robot", ["rr_arm", "flying"])
def test_second_derivatives_are_the_hessian(robot: str) -> None:
    eom, x = fast(robot).eom, states(fast(robot).eom)
    k, n = len(eom.q), len(eom.v)
    q, v, vdot, lam = x["q"], x["v"], x["vdot"], x["tau"]
    H = fast(robot).inverse_dynamics_hessian(q, v, vdot, lam, wrt="coordinates")

    def power(z: Any) -> Any:
        return arm(robot).inverse_dynamics(z[:k], z[k : k + n], z[k + n :]) @ lam

    z, forward, reverse = jnp.concatenate([q, v, vdot]), jax.jacfwd, jax.jacrev
    for outer, inner in (
        (forward, reverse),
        (reverse, reverse),
        (forward, forward),
        (reverse, forward),
    ):
        found = jax.jit(outer(inner(power)))(z)
        np.testing.assert_allclose(found, H, atol=1e-13 * np.abs(H).max())


def test_derivatives_by_parameters() -> None:
    x, p = states(fast("rr_arm").eom, 6), defaults("rr_arm")
    q, v, vdot = x["q"], x["v"], x["vdot"]
    found = jax.jit(jax.grad(lambda p: arm().inverse_dynamics(q, v, vdot, values=p).sum()))(p)
    by = fast("rr_arm").derivative("inverse_dynamics", by=list(arm().parameters))(q, v, vdot)
    np.testing.assert_allclose(found, by.sum(axis=(0, 1)), rtol=1e-13)
    one = jax.grad(lambda m: arm().inverse_dynamics(q, v, vdot, values={"m1": m}).sum())(p[0])
    np.testing.assert_allclose(one, found[arm().parameters.index("m1")], rtol=1e-13)
    each = jax.vmap(jax.grad(lambda p, q: arm().gravity(q, values=p).sum()), (None, 0))(p, q)
    shared = jax.grad(lambda p: jax.vmap(lambda q: arm().gravity(q, values=p))(q).sum())(p)
    np.testing.assert_allclose(each.sum(axis=0), shared, rtol=1e-13)


def test_derivatives_of_a_constrained_robot() -> None:
    """A closed loop: forward dynamics and constraint forces, by finite differences."""
    eom, robot = fast("four_bar").eom, arm("four_bar")
    q = np.array([float(x) for x in eom.robot.state_space.q.numbers])
    x = states(eom)
    step, h = np.random.default_rng(5).normal(size=len(q)), 1e-6
    for f in (robot.forward_dynamics, robot.constraint_forces):
        _, moved = jax.jvp(lambda q, f=f: f(q, x["v"], x["tau"]), (q,), (step,))
        above, below = (f(q + t * step, x["v"], x["tau"]) for t in (h, -h))
        expected = (above - below) / (2 * h)
        np.testing.assert_allclose(moved, expected, atol=1e-7 * np.abs(expected).max())


def test_control_flow_and_checkpoints() -> None:
    def last(x: Any) -> Any:
        def step(x: Any, _: Any) -> Any:
            return x + 0.01 * arm().state_derivative(x[:2], x[2:], jnp.zeros(2)), None

        return jax.lax.scan(jax.checkpoint(step), x, length=5)[0][0]

    x = jnp.array([0.3, 0.5, 0.1, 0.2])
    found, h = jax.jit(jax.grad(last))(x), 1e-6
    expected = [(last(x + h * e) - last(x - h * e)) / (2 * h) for e in jnp.eye(4)]
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_derivatives_of_functions_that_users_add() -> None:
    eom = fast("rr_arm").eom
    compiled = eq.compile(eom, functions={"tip": ["cos(q1)", "q1*q2", "t"]})
    found = jax.jacrev(compiled.to_jax().tip)(jnp.array([0.0, 2.0]), 3.0)
    np.testing.assert_allclose(found, [[0, 0], [2, 0], [0, 0]], atol=1e-15)
    assert np.array_equal(compiled.to_jax().tip([0, 2], 3), [1, 0, 3])


# -- objects and errors --------------------------------------------------------------------------------
def test_names_and_copies() -> None:
    assert "inverse_dynamics" in dir(arm())
    assert repr(arm()) == "<functions of robot 'rr_arm' for JAX>"
    assert repr(arm().gravity) == "<gravity(q) for JAX>"
    assert arm().gravity is arm().gravity
    again = pickle.loads(pickle.dumps(arm()))
    assert np.array_equal(again.gravity([1, 2]), arm().gravity([1, 2]))
    f = pickle.loads(pickle.dumps(arm().bias))
    assert np.array_equal(f([1, 2], [3, 4]), arm().bias([1, 2], [3, 4]))
    assert not hasattr(arm(), "_private")
    assert "gravity" in str(jax.make_jaxpr(arm().gravity)(jnp.zeros(2)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: a.gravty([0, 0]), "gravty.*gravity"),
        (lambda a: a.function("mass", None), "mass"),
        (lambda a: a.pose("hand", [0, 0]), "hand"),
        (lambda a: a.gravity([0, 0, 0]), r"q must have shape \(…, 2\) .*q1, q2.*got \(3,\)"),
        (lambda a: a.gravity(1.0), r"got \(\)"),
        (lambda a: a.gravity("text"), "q must be real numbers, got 'text'"),
        (lambda a: a.gravity([1j, 0]), "q must be float32 or float64, got complex128; convert it"),
        (lambda a: a.gravity(jnp.zeros(2, jnp.float16)), "got float16; convert"),
        (lambda a: a.gravity({"q3": 1}), "q3"),
        (lambda a: a.gravity({"q1": [0, 0], "q2": [0, 0, 0]}), r"same shape, got \(2,\), \(3,\)"),
        (lambda a: a.gravity([0, 0], [1, 2]), "takes 1 argument, got 2"),
        (lambda a: a.gravity([0, 0], q=[1, 2]), "passed once"),
        (lambda a: a.gravity(p=[1, 2]), "argument 'p'"),
        (lambda a: a.bias([0, 0]), "no value for v"),
        (lambda a: a.bias(jnp.zeros((3, 2)), jnp.zeros((4, 2))), r"q has \(3,\), v has \(4,\)"),
        (lambda a: a.gravity([0, 0], values=[1, 2]), r"values must have shape \(…, 8\)"),
        (lambda a: a.gravity([0, 0], values={"x": 1}), "'x'"),
        (lambda a: a.gravity([0, 0], external=[1]), "no external: external must be None"),
        (lambda a: a.gravity([0, 0], wrt="tangents"), "tangents"),
        (lambda a: a.gravity([0, 0], wrt="coordinates"), "derivative with respect to q"),
    ],
)  # fmt: skip
def test_errors(call: Any, message: str) -> None:
    with pytest.raises(eq.EquamoError, match=message):
        call(arm())


def test_parameters_without_a_value() -> None:
    eom = eq.derive(eq.Robot("rod", [eq.Body("rod", eq.revolute("a", axis="y"), mass="m", com="l 0 0")],
                             parameters={"m": None, "l": 1, "g": 9}))  # fmt: skip
    rod = eq.compile(eom).to_jax()
    with pytest.raises(eq.EquamoError, match="no value for 1 parameter of robot 'rod': 'm'"):
        rod.gravity([0])
    assert rod.gravity([0], values={"m": 2})[0] == -18
    with pytest.raises(eq.EquamoError, match=r'parameters="numeric".*no value for \'m\''):
        eq.compile(eom, parameters="numeric").to_jax()


def test_double_precision_needs_x64(single: None) -> None:
    chosen = eq.compile(fast("rr_arm").eom, dtype="float64").to_jax()
    with pytest.raises(eq.EquamoError, match=r"needs jax_enable_x64; run jax\.config\.update"):
        chosen.gravity([0.0, 0.0])


def test_only_cpus_and_nvidia_gpus() -> None:
    traced = jax.jit(arm().gravity).trace(jnp.zeros(2))
    assert traced.lower(lowering_platforms=("cpu",))
    with pytest.raises(
        eq.EquamoError, match=r"gravity: .* must run on the CPU or on an NVIDIA GPU"
    ):
        traced.lower(lowering_platforms=("tpu",))


def test_an_old_jax_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(jax, "ffi")
    with pytest.raises(eq.EquamoError, match=r"needs JAX 0\.5 or later, got"):
        fast("rr_arm").to_jax()


def test_a_quaternion_stands_for_its_direction() -> None:
    """f(x/|x|): values and derivatives, of any length of x, by finite differences to second order."""
    robot, x = arm("flying"), states(fast("flying").eom)
    long = unit(fast("flying").eom, x["q"]) * np.array([1, 1, 1, 2, 2, 2, 2])

    def f(q: Any) -> Any:
        return robot.forward_dynamics(q, x["v"], x["tau"])

    np.testing.assert_allclose(f(long), f(x["q"]), rtol=1e-13)
    _, moved = jax.jvp(f, (long,), (np.array([0, 0, 0, *long[3:]]),))
    assert np.abs(moved).max() < 1e-13
    check_grads(jax.jit(f), (long,), order=2, atol=1e-5, rtol=1e-5)


# -- configurations ----------------------------------------------------------------------------------
@pytest.mark.parametrize("robot", ["rr_arm", "flying"])
def test_configurations(robot: str) -> None:
    eom, x = fast(robot).eom, states(fast(robot).eom, 4)
    q, delta = x["q"], np.concatenate([x["v"][:3], 1e-9 * x["v"][3:]])
    end = arm(robot).integrate(q, delta)
    np.testing.assert_allclose(end, fast(robot).integrate(q, delta), atol=1e-14)
    back = jax.jit(arm(robot).difference)(q, end)
    np.testing.assert_allclose(back, fast(robot).difference(q, np.asarray(end)), atol=1e-13)
    np.testing.assert_allclose(back, delta, atol=1e-12)
    still = np.zeros(len(eom.robot.joint_speeds))
    for d in (delta[0], still):
        expected = fast(robot).integrate_derivatives(q[0], d, wrt="coordinates")
        found = jax.jit(jax.jacrev(arm(robot).integrate, (0, 1)))(q[0], d)
        for y, z in zip(found, expected, strict=True):
            np.testing.assert_allclose(y, z, atol=1e-13)
    expected = fast(robot).difference_derivatives(q[0], q[1], wrt="coordinates")
    found = jax.jit(jax.jacfwd(arm(robot).difference, (0, 1)))(q[0], q[1])
    for y, z in zip(found, expected, strict=True):
        np.testing.assert_allclose(y, z, atol=1e-12)
    # at no rotation, where formulas are 0/0: the quaternion turns with d²x/dt² = −|φ|²/4 x
    along = jax.jit(jax.jacfwd(jax.jacfwd(lambda t: arm(robot).integrate(q[0], t * delta[0]))))(0.0)
    turned = list(range(3, 7)) if robot == "flying" else []
    expected = -(delta[0, 3:] @ delta[0, 3:]) / 4 * q[0, turned]
    np.testing.assert_allclose(along[np.array(turned, int)], expected, atol=1e-13)
    with pytest.raises(eq.EquamoError, match=r"integrate: delta must have shape"):
        arm(robot).integrate(q, [1.0])


def test_parameter_values() -> None:
    p = arm().parameter_values()
    assert p.dtype == jnp.float64
    assert np.array_equal(p, defaults("rr_arm"))
    assert arm().parameter_values("float32").dtype == jnp.float32
    for wrong in ("x", jnp.float16):
        with pytest.raises(eq.EquamoError, match="dtype must be float32 or float64, got"):
            arm().parameter_values(wrong)

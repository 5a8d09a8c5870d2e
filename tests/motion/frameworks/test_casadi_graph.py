"""CasADi graphs against machine code: values, derivatives, parameters, quaternions, errors."""

import casadi
import numpy as np
import pytest

from bridge_robots import MATRIX, compiled, equations, residual, states
from equamo.errors import EvaluationError, UnknownFunctionError, UnknownNameError
from equamo.motion.frameworks.casadi import CasadiFunctions

EPS = np.finfo(float).eps


def close(a: object, b: np.ndarray, factor: float = 8) -> bool:
    return bool(np.abs(np.array(a).reshape(b.shape) - b).max() <= factor * EPS * np.abs(b).max())


@pytest.fixture(params=MATRIX)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def graphs(name: str) -> CasadiFunctions:
    return compiled(name).to_casadi()


def jacobian_of(f: casadi.Function, k: int) -> casadi.Function:
    """∂ of the first result by argument k."""
    x = [casadi.SX.sym(n, f.size1_in(n)) for n in f.name_in()]
    return casadi.Function("J", x, [casadi.jacobian(f(*x), x[k])])


def defaults(name: str, f: casadi.Function) -> list[np.ndarray]:
    """Default wrenches and parameters, the last arguments of a function."""
    eom = equations(name)
    table = {
        "external": np.zeros(len(eom.external)),
        "parameters": np.array([float(eom.robot.values[s.name]) for s in eom.parameters]),
    }
    return [table[n] for n in f.name_in() if n in table]


def test_values(name: str) -> None:
    fast, bridge, x = compiled(name), graphs(name), states(equations(name))
    q, v, vdot, tau = x["q"], x["v"], x["vdot"], x["tau"]
    assert close(bridge.inverse_dynamics(q, v, vdot), fast.inverse_dynamics(q, v, vdot))
    assert close(bridge.mass_matrix(q), fast.mass_matrix(q))
    assert residual(fast, x, np.array(bridge.forward_dynamics(q, v, tau)).ravel()) < 1e-13


def test_jacobians_are_the_derivatives_of_the_machine_code(name: str) -> None:
    fast, bridge, x = compiled(name), graphs(name), states(equations(name))
    for function, last in (("inverse_dynamics", "vdot"), ("forward_dynamics", "tau")):
        f, at = bridge.function(function), (x["q"], x["v"], x[last])
        expected = getattr(fast, f"{function}_derivatives")(*at, wrt="coordinates")
        for k, block in enumerate(expected):
            found = np.array(jacobian_of(f, k)(*at, *defaults(name, f)))
            assert np.abs(found - block).max() <= 1e-10 * max(1, np.abs(block).max())


def test_hessians_are_those_of_the_machine_code() -> None:
    for name in ("rr_arm", "wheeled_inverted_pendulum", "anymal"):
        fast, f, x = (
            compiled(name),
            graphs(name).function("inverse_dynamics"),
            states(equations(name)),
        )
        at = x["q"], x["v"], x["vdot"]
        lam = np.linspace(-1, 1, len(x["v"]))
        expected = fast.inverse_dynamics_hessian(*at, lam, wrt="coordinates")
        states_ = [casadi.SX.sym(n, len(y)) for n, y in zip("qva", at, strict=True)]
        power = casadi.dot(lam, f(*states_, *defaults(name, f)))
        H = casadi.Function("H", states_, [casadi.hessian(power, casadi.vertcat(*states_))[0]])
        assert np.abs(np.array(H(*at)) - expected).max() <= 1e-10 * np.abs(expected).max()


def test_off_the_unit_sphere_a_quaternion_means_its_direction() -> None:
    bridge, x = graphs("anymal"), states(equations("anymal"))
    scaled = x["q"].copy()
    scaled[3:7] *= 3.0
    expected = np.array(bridge.gravity(x["q"])).ravel()
    assert close(bridge.gravity(scaled), expected, 64)
    q = casadi.SX.sym("q", len(scaled))
    J = casadi.Function("J", [q], [casadi.jacobian(bridge.gravity(q), q)])
    assert np.abs(np.array(J(scaled))[:, 3:7] @ scaled[3:7]).max() < 1e-12 * np.abs(expected).max()
    assert close(3 * np.array(J(scaled))[:, 3:7], np.array(J(x["q"]))[:, 3:7], 256)


def test_frames_and_several_results() -> None:
    fast, bridge, x = compiled("panda"), graphs("panda"), states(equations("panda"))
    q, v = x["q"], x["v"]
    assert close(bridge.pose("panda_hand", q), fast.pose("panda_hand", q))
    assert close(bridge.jacobian("panda_hand", q), fast.jacobian("panda_hand", q))
    assert close(bridge.jacobian_dot_v("panda_hand", q, v), fast.jacobian_dot_v("panda_hand", q, v))
    found = bridge.inverse_dynamics_derivatives(q, v, x["vdot"])
    expected = fast.inverse_dynamics_derivatives(q, v, x["vdot"])
    assert all(close(a, b) for a, b in zip(found, expected, strict=True))


def test_keywords_choose_the_function() -> None:
    name = "wheeled_inverted_pendulum"
    fast, bridge, x = compiled(name), graphs(name), states(equations(name))
    q, v, u = x["q"], x["v"], x["inputs"]
    expected = fast.forward_dynamics(q, v, inputs=u)
    assert np.allclose(
        np.array(bridge.forward_dynamics(q, v, inputs=u)).ravel(), expected, rtol=1e-12
    )
    at = q, v, x["vdot"]
    found = bridge.inverse_dynamics_derivatives(*at, wrt="coordinates")[0]
    assert close(found, fast.inverse_dynamics_derivatives(*at, wrt="coordinates")[0], 64)
    assert np.array(bridge.forward_dynamics(v=v, q=q, tau=x["tau"])).shape == (3, 1)


def test_parameters_and_wrenches() -> None:
    fast, bridge, x = compiled("rr_arm"), graphs("rr_arm"), states(equations("rr_arm"))
    q = x["q"]
    assert close(bridge.gravity(q, values={"m2": 3.0}), fast.gravity(q, values={"m2": 3.0}))
    f = bridge.function("gravity")
    usual = defaults("rr_arm", f)[0]
    assert close(bridge.gravity(q, values=usual), fast.gravity(q))
    m = casadi.SX.sym("m")
    slope = casadi.Function("J", [m], [casadi.jacobian(bridge.gravity(q, values={"m2": m}), m)])
    assert close(slope(1.0), fast.derivative("gravity", by="m2")(q), 64)
    name = "wheeled_inverted_pendulum"
    fast, bridge, x = compiled(name), graphs(name), states(equations(name))
    push = {equations(name).external[3].name: 2.0}
    at = x["q"], x["v"], x["vdot"]
    expected = fast.inverse_dynamics(*at, external=push)
    assert close(bridge.inverse_dynamics(*at, external=push), expected)


def test_batches_are_columns_and_nan_stays_nan() -> None:
    fast, bridge = compiled("rr_arm"), graphs("rr_arm")
    q = states(equations("rr_arm"), 5)["q"]
    assert close(np.array(bridge.gravity(q.T)).T, fast.gravity(q))
    assert np.isnan(np.array(bridge.gravity([np.nan, 0.1]))).any()
    masses = np.linspace(1, 2, 5)  # one per state, too
    found = bridge.gravity(q.T, values={"m1": masses[None], "g": 1})
    assert close(np.array(found).T, fast.gravity(q, values={"m1": masses, "g": 1}))


def test_expressions_in_lists_and_arrays() -> None:
    bridge, q = graphs("rr_arm"), casadi.SX.sym("q", 2)
    whole = bridge.gravity(q)
    for x in ([q[0], q[1]], np.array([q[0], q[1]], object)):
        f = casadi.Function("f", [q], [bridge.gravity(x) - whole])
        assert not np.array(f([0.3, 0.4])).any()


def test_a_function_without_parameters_and_one_of_numbers() -> None:
    bridge = compiled("rr_arm", parameters="numeric").to_casadi()
    assert bridge.function("gravity").n_in() == 1
    with pytest.raises(EvaluationError, match=r"values must be left out.*got \{'m2': 1\}"):
        bridge.gravity([0, 0], values={"m2": 1})


def test_parameters_without_a_value() -> None:
    import equamo as eq

    robot = eq.Robot("bob", [eq.Body("b", eq.revolute("q1", axis="y"), mass="m", com="0 0 -l")])
    bridge = eq.compile(eq.derive(robot)).to_casadi()
    with pytest.raises(EvaluationError, match=r"no value for parameters? 'l', 'm'|no value for"):
        bridge.gravity([1.0])
    assert close(bridge.gravity([1.0], values={"m": 2, "l": 3, "g": 1}), 6 * np.sin([1.0]), 64)


def test_parameters_as_one_vector() -> None:
    bridge = graphs("rr_arm")
    values = bridge.parameter_values()
    default = np.array(bridge.gravity([0.1, 0.2]))
    assert close(bridge.gravity([0.1, 0.2], values=values), default)
    assert close(bridge.function("gravity")([0.1, 0.2], values), default)
    values[bridge.parameters.index("g")] = 0
    assert np.all(np.array(bridge.gravity([0.1, 0.2], values=values)) == 0)


def test_own_functions_are_listed() -> None:
    import equamo as eq

    eom = equations("rr_arm")
    fast = eq.compile(eom, functions={"double": {"y": [2 * x for x in eom.q]}})
    assert "double" in dir(fast.to_casadi())
    assert close(fast.to_casadi().double([0.1, 0.2]), np.array([0.2, 0.4]))


def test_errors() -> None:
    bridge = graphs("rr_arm")
    with pytest.raises(
        EvaluationError, match=r"q must be a column of 2 entries.*got shape \(3, 1\)"
    ):
        bridge.gravity([0, 0, 0])
    with pytest.raises(
        EvaluationError, match="q must be numbers, or DM, SX or MX of CasADi, got 'x'"
    ):
        bridge.gravity("x")
    with pytest.raises(EvaluationError, match=r"q must be numbers.*got \[\[1, 2\], \[3\]\]"):
        bridge.gravity([[1, 2], [3]])
    with pytest.raises(EvaluationError, match=r"same number of columns.*q has 3, v has 4, values"):
        bridge.bias(np.zeros((2, 3)), np.zeros((2, 4)))
    with pytest.raises(EvaluationError, match=r"must be all SX or all MX.*q is SX, v is MX"):
        bridge.bias(casadi.SX.sym("q", 2), casadi.MX.sym("v", 2))
    with pytest.raises(
        EvaluationError, match=r"values\['m1'\] must be a column of 1 entry, or 1×N"
    ):
        bridge.gravity([0, 0], values={"m1": [1, 2]})
    with pytest.raises(EvaluationError, match="must be a derivative with respect to q to take wrt"):
        bridge.gravity([0, 0], wrt="coordinates")
    with pytest.raises(UnknownNameError, match=r"must be given by name, got \['gravity'\]"):
        bridge.function(["gravity"])
    with pytest.raises(
        UnknownNameError, match=r"Unknown function of a frame 'gravity'.*Valid: pose"
    ):
        bridge.function("gravity", "fore")
    with pytest.raises(EvaluationError, match=r"gravity\(q\) takes 1 argument, got 2"):
        bridge.gravity([0, 0], [0, 0])
    with pytest.raises(EvaluationError, match="q must be passed once"):
        bridge.gravity([0, 0], q=[0, 0])
    with pytest.raises(EvaluationError, match="no value for v"):
        bridge.bias([0, 0])
    with pytest.raises(UnknownNameError, match="speed"):
        bridge.bias([0, 0], speed=[0, 0])
    with pytest.raises(UnknownNameError, match="wrt"):
        bridge.inverse_dynamics_derivatives([0, 0], [0, 0], [0, 0], wrt="q")
    with pytest.raises(UnknownFunctionError, match="gravty"):
        _ = bridge.gravty
    with pytest.raises(AttributeError, match="_x"):
        _ = bridge._x
    assert "gravity" in dir(bridge)
    assert repr(bridge) == "<CasADi functions of robot 'rr_arm'>"

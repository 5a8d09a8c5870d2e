"""Laws, expressions and generated controllers equal the controllers, whatever the parameters."""

from __future__ import annotations

import ctypes
import importlib.util
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from generated_code import run
from random_trees import random_tree

ARMS = ("rr_arm", "rp_arm", "three_link_arm", "three_link_prismatic_arm", "krang", "puma560", "stanford",
        "rx90", "iiwa")  # fmt: skip
DRIVES = ("geared", "triangular", "differential", "cables", "redundant")


def driven(drive: str, seed: int) -> eq.Robot:
    """A random tree of four joints with a wrench, whose drives have ratios that are parameters."""
    tree = random_tree(seed, ("revolute", "prismatic"), bodies=4, forces=False).robot()
    q = [s.name for s in tree.q]
    acts = {  # joints on which each input acts
        "geared": [[k] for k in range(4)],
        "triangular": [list(range(k + 1)) for k in range(4)],
        "differential": [[0], [1, 2], [1, 2], [3]],
        "cables": [list(range(4))] * 4,
        "redundant": [[0], [0], [1, 2], [2, 1, 3], [3], [1]],
    }[drive]
    r = random.Random(seed)
    values = {f"r{k}{i}": round(r.uniform(0.5, 2), 3) for k, row in enumerate(acts) for i in row}
    forces = [
        eq.joint_actuator(q[i], f"f{k}", gear=f"r{k}{i}", name=f"drive {k} {i}")
        for k, row in enumerate(acts)
        for i in row
    ]
    hand = tree.bodies[-1].name
    loads = [eq.wrench(hand, "Wx Wy Wz", name="hand"), eq.joint_spring(q[0], "stiffness")]
    robot = tree.with_forces(*forces, *loads)
    return robot.with_values({**values, "stiffness": 3})


def others(eom: eq.EquationsOfMotion, seed: int) -> dict[str, float]:
    """Random values of all parameters, far from the defaults."""
    r = random.Random(seed)
    scale = {n: float(x or 1) for n, x in eom.robot.values.items()}
    return {n: x * r.uniform(0.5, 2) if x else r.uniform(0.5, 1) for n, x in scale.items()}


def states(eom: eq.EquationsOfMotion, count: int = 3) -> Any:
    rng = np.random.default_rng(len(eom.v))
    return rng.uniform(-1, 1, (count, len(eom.q))), rng.uniform(-1, 1, (count, len(eom.v)))


def controllers(eom: eq.EquationsOfMotion, values: Any = None) -> dict[str, Any]:
    reference = {s.name: f"sin(t + {k})/3" for k, s in enumerate(eom.q)}
    n = len(eom.q)
    kp = np.diag(np.arange(1.0, n + 1)) + 0.1
    return {
        "track": eq.computed_torque(eom, reference, kp, 3, values=values),
        "hold": eq.gravity_compensation(eom, values=values),
    }


def check(eom: eq.EquationsOfMotion) -> None:
    """Laws and expressions at parameters that they do not know, against a controller that does."""
    values = others(eom, 5)
    free, known = controllers(eom), controllers(eom, values)
    fast = eq.compile(eom, functions=free)
    for t, q, v in zip((0.0, 0.4, 1.7), *states(eom), strict=True):
        wanted = {n: c.inputs(t, q, v) for n, c in known.items()}
        reference = known["track"].reference(t)
        found = {
            "track": [
                fast.track(q, v, *reference, values=values),
                eom.evaluate(free["track"].expressions.subs({"t": t}), q=q, v=v, values=values),
                eom.evaluate(known["track"].expressions.subs({"t": t}), q=q, v=v),
            ],
            "hold": [
                fast.hold(q, values=values),
                eom.evaluate(free["hold"].expressions, q=q, values=values),
                eom.evaluate(known["hold"].expressions, q=q),
            ],
        }
        for n, several in found.items():
            size = np.abs(wanted[n]).max()
            assert size > 0
            for inputs in several:
                np.testing.assert_allclose(inputs, wanted[n], rtol=1e-9, atol=1e-11 * size)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ARMS)
def test_laws_of_built_in_robots(name: str) -> None:
    check(eq.derive(eq.load(name)))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("drive", DRIVES)
def test_laws_of_random_trees(drive: str, seed: int) -> None:
    check(eq.derive(driven(drive, seed)))


@pytest.mark.ci
@pytest.mark.parametrize("drive", DRIVES)
def test_generated_controllers_of_random_trees(drive: str, tmp_path: Path) -> None:
    """The NumPy module is called with parameters that differ from its defaults."""
    eom = eq.derive(driven(drive, 3))
    values = others(eom, 6)
    known = controllers(eom, values)
    (path,) = eq.generate(eom, "numpy", tmp_path, functions=[controllers(eom)], prove=False)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    parameters = np.array([values[s.name] for s in eom.parameters])
    for t, q, v in zip((0.0, 0.4, 1.7), *states(eom), strict=True):
        track = module.track(q, v, *known["track"].reference(t), parameters=parameters)
        np.testing.assert_allclose(track, known["track"].inputs(t, q, v), rtol=1e-9)
        np.testing.assert_allclose(
            module.hold(q, parameters=parameters), known["hold"].inputs(t, q, v), rtol=1e-9
        )


@pytest.mark.ci
@pytest.mark.needs("gcc")
@pytest.mark.parametrize("drive", ["differential", "cables"])
def test_controllers_in_c_of_random_trees(drive: str, tmp_path: Path) -> None:
    eom = eq.derive(driven(drive, 3))
    values = others(eom, 6)
    known = controllers(eom, values)
    eq.generate(eom, "c", tmp_path, functions=[controllers(eom)], prove=False)
    command = "gcc -std=c99 -Wall -Werror -O1 -shared -fPIC tree_3.c -lm -o tree.so"
    done = run([*command.split()], tmp_path)
    assert done.returncode == 0, done.stderr
    library = ctypes.CDLL(str(tmp_path / "tree.so"))
    parameters = [values[s.name] for s in eom.parameters]

    def called(name: str, *given: Any) -> np.ndarray:
        arrays = [np.ascontiguousarray(x, float) for x in (*given, [0, 0, 0], parameters)]
        out = np.empty(len(eom.inputs))
        getattr(library, name)(*(x.ctypes.data_as(ctypes.c_void_p) for x in (*arrays, out)))
        return out

    for t, q, v in zip((0.0, 0.4, 1.7), *states(eom), strict=True):
        track = called("tree_3_track", q, v, *known["track"].reference(t))
        np.testing.assert_allclose(track, known["track"].inputs(t, q, v), rtol=1e-9)
        hold = called("tree_3_hold", q)
        np.testing.assert_allclose(hold, known["hold"].inputs(t, q, v), rtol=1e-9)


def lever(at: str = "1 0 0") -> eq.EquationsOfMotion:
    """A lever lifted by a cylinder, which is at dead centre at q = 0 if it is attached at x."""
    body = eq.Body("lever", eq.revolute("q"), mass=10, com="1 0 0", inertia="0 1 1")
    push = eq.cylinder("lever", "world", "F", at=at, to_at="-1 0 0")
    brake = eq.Body("wheel", eq.revolute("w", at="5 0 0"), mass=1, inertia="1 1 1")
    motor = eq.joint_actuator("w", "M", gear="n")
    return eq.derive(eq.Robot("lever", [body, brake], gravity="0 -g 0", forces=[push, motor],
                              parameters={"g": 9.81, "n": 3}))  # fmt: skip


def test_a_cylinder_at_dead_centre_at_home() -> None:
    eom = lever()
    control = eq.gravity_compensation(eom, inputs=["F"])
    assert control.rows == [0]
    u = control.inputs(0, [0.8, 0], [0, 0])
    rest = (
        eom.evaluate("inverse_dynamics", q=[0.8, 0]) - eom.evaluate("input_matrix", q=[0.8, 0]) @ u
    )
    assert abs(rest[0]) < 1e-10
    assert abs(u[0]) > 100
    np.testing.assert_allclose(eom.evaluate(control.expressions, q=[0.8, 0]), u, rtol=1e-12)
    with pytest.raises(eq.EquamoError, match=r"must not be singular .* equations of dq at q = 0"):
        control.inputs(0, [0, 0], [0, 0])


def test_a_gear_is_a_parameter_of_the_law() -> None:
    body = eq.Body("b", eq.revolute("q"), mass=2, com="1 0 0", inertia="0 1 1")
    robot = eq.Robot("r", [body], gravity="0 -g 0", parameters={"n": 1234567, "g": 9.81},
                     forces=[eq.joint_actuator("q", "f", gear="n")])  # fmt: skip
    eom = eq.derive(robot)
    law = eq.compile(eom, functions={"hold": eq.gravity_compensation(eom)}).hold
    np.testing.assert_allclose(law([0.3], values={"n": 2}), [9.81 * np.cos(0.3)], rtol=1e-14)
    np.testing.assert_allclose(law([0.3]), [2 * 9.81 * np.cos(0.3) / 1234567], rtol=1e-14)


def test_tiny_and_large_gears_in_one_robot() -> None:
    """Units of the inputs do not decide whether a robot is actuated."""
    robot = driven("geared", 4).with_values({"r00": 1e-9, "r11": 1e9})
    eom = eq.derive(robot)
    control = eq.gravity_compensation(eom)
    q = [0.3, -0.2, 0.5, 0.1]
    left = eom.evaluate("inverse_dynamics", q=q) - eom.evaluate(
        "input_matrix", q=q
    ) @ control.inputs(0, q, [0] * 4)
    assert np.abs(left).max() < 1e-10


def test_expressions_of_a_robot_with_a_wrench_run_in_rollout() -> None:
    eom = eq.derive(driven("geared", 5))
    control = eq.gravity_compensation(eom)
    q = [0.2, -0.1, 0.3, 0.1]
    batch = eq.rollout(eom, q, step=0.01, steps=20, control=control.expressions)
    np.testing.assert_allclose(batch.q[-1], q, atol=1e-9)


def test_values_are_constants_in_expressions() -> None:
    """A controller that believes in another mass gives the same motion called and compiled."""
    eom = eq.derive(eq.load("rr_arm"))
    control = eq.computed_torque(eom, {"q1": "sin(t)", "q2": 0}, values={"m2": 1})
    called = eq.simulate(eom, q=[0.1, 0.2], duration=0.5, control=control)
    compiled = eq.simulate(eom, q=[0.1, 0.2], duration=0.5, control=control.expressions)
    np.testing.assert_allclose(compiled.q[-1], called.q[-1], atol=1e-9)


@pytest.mark.needs("scipy")
def test_values_are_constants_in_expressions_of_a_feedback() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    lin = eq.linearize(eom, q=[0.1, 0.2], values={"L1": 2})
    feedback = eq.lqr(lin, 1, reference={"q1": "L1*t", "dq1": "L1"})
    q, v = [0.3, 0.1], [0.2, -0.1]
    found = eom.evaluate(feedback.expressions.subs({"t": 0.4}), q=q, v=v)
    np.testing.assert_allclose(found, feedback.inputs(0.4, q, v), rtol=1e-12)


# -- gains that are symbols --------------------------------------------------------------------------
def test_gains_are_arguments_of_the_law() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    reference = {"q1": "sin(t)", "q2": "t"}
    free = eq.computed_torque(eom, reference, kp={"q1": "k1", "q2": "2*k1"}, kd="2*sqrt(kq)*m1")
    assert [a.name for a in free.law.arguments][5:] == ["k1", "kq"]
    fast = eq.compile(eom, functions={"control": free})
    gains = {"k1": 7.0, "kq": 2.5}
    known = eq.computed_torque(eom, reference, kp={"q1": "k1", "q2": eq.parse("2*k1")},
                               kd="2*sqrt(kq)*m1", values=gains)  # fmt: skip
    assert np.asarray(known.kp).tolist() == [[7, 0], [0, 14]]
    assert len(known.law.arguments) == 5
    m1 = float(eom.robot.values["m1"] or 0)
    plain = eq.computed_torque(eom, reference, kp=[7, 14], kd=2 * np.sqrt(2.5) * m1)
    for t, q, v in zip((0.0, 0.4, 1.7), *states(eom), strict=True):
        wanted = plain.inputs(t, q, v)
        np.testing.assert_allclose(known.inputs(t, q, v), wanted, rtol=1e-12)
        np.testing.assert_allclose(
            fast.control(q, v, *plain.reference(t), 7.0, 2.5), wanted, rtol=1e-12
        )
        e = free.expressions.subs({"t": t, **gains})
        np.testing.assert_allclose(eom.evaluate(e, q=q, v=v), wanted, rtol=1e-12)
    with pytest.raises(eq.EquamoError, match=r"no value for 1 parameter .*'k1'; pass values="):
        free.inputs(0, [0, 0], [0, 0])


def test_gains_are_arguments_of_generated_c(tmp_path: Path) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    control = eq.computed_torque(eom, {"q1": 0, "q2": 0}, kp="kp", kd="kd")
    eq.generate(eom, "c", tmp_path, functions=[{"control": control}], prove=False)
    header = (tmp_path / "rr_arm.h").read_text()
    assert "const rr_arm_real kp[1], const rr_arm_real parameters" in " ".join(header.split())


def test_wrong_gains() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    still = {"q1": 0, "q2": 0}
    with pytest.raises(eq.EquamoError, match=r"kp: a gain must be constant|depends on 'dq1'"):
        eq.computed_torque(eom, still, kp="dq1")
    with pytest.raises(eq.EquamoError, match="kd must have rows of the same length"):
        eq.computed_torque(eom, still, kd=[[1, 2], [3]])
    with pytest.raises(eq.EquamoError, match="kd must be finite for the values of its symbols"):
        eq.computed_torque(eom, still, kd="sqrt(k)", values={"k": -1})
    with pytest.raises(eq.EquamoError, match="the name of a gain must be an identifier"):
        _ = eq.computed_torque(eom, still, kd=eq.parse("`k 1`")).law
    for gain in (np.nan, 10**400, "k +", object(), None, [1, None]):
        with pytest.raises(
            eq.EquamoError, match="kp must consist of finite numbers or expressions"
        ):
            eq.computed_torque(eom, still, kp=gain)


# -- a robot with a t of its own -----------------------------------------------------------------------
@pytest.mark.parametrize("name", ["t", "q"])
def test_a_coordinate_named_t(name: str) -> None:
    """The time of a reference and the coordinate t are two symbols."""
    body = eq.Body("b", eq.prismatic(name), mass=2)
    eom = eq.derive(eq.Robot("slide", [body], forces=[eq.joint_actuator(name, "f"),
                                                      eq.joint_spring(name, 3)]))  # fmt: skip
    control = eq.computed_torque(eom, {name: "sin(t)"}, kp=4, kd=4)
    wanted = 2 * (-np.sin(0.5) + 4 * (np.cos(0.5) - 0.3) + 4 * (np.sin(0.5) - 0.2)) + 3 * 0.2
    np.testing.assert_allclose(control.inputs(0.5, [0.2], [0.3]), [wanted], rtol=1e-12)
    called = eq.simulate(eom, q=[0.2], duration=1, control=control)
    compiled = eq.simulate(eom, q=[0.2], duration=1, control=control.expressions)
    batch = eq.rollout(eom, [0.2], step=0.001, duration=1, control=control.expressions)
    np.testing.assert_allclose(compiled.q[-1], called.q[-1], atol=1e-9)
    np.testing.assert_allclose(batch.q[-1], called.q[-1], atol=1e-8)
    fast = eq.compile(eom, functions={"push": control.expressions, "law": control})
    np.testing.assert_allclose(fast.push([0.2], [0.3], 0.5), [wanted], rtol=1e-12)
    np.testing.assert_allclose(
        fast.law([0.2], [0.3], *control.reference(0.5)), [wanted], rtol=1e-12
    )


# -- loops -------------------------------------------------------------------------------------------
@pytest.mark.ci
def test_computed_torque_of_a_stewart_platform() -> None:
    """The lengths of the legs have rates, although the platform has a quaternion."""
    eom = eq.derive(eq.load("stewart"))
    home = {f"d{i}": float(eom.robot.home.q[f"d{i}"]) for i in range(1, 7)}
    control = eq.computed_torque(eom, {n: f"{x} + sin(t)/50" for n, x in home.items()}, 0, 0)
    state = eq.assemble(eom)
    v = eq.assemble(eom, v={f"dd{i}": 0.02 for i in range(1, 7)}).v
    u = control.inputs(0, state.q, v)
    rates = eom.evaluate("state_derivative", q=state.q, v=v, inputs=u)[len(eom.q) :]
    legs = [s.name for s in eom.v].index("dd1")
    assert abs(rates[legs]) < 1e-8
    with pytest.raises(eq.EquamoError, match="the rate of 'platform_x' must be a speed"):
        eq.computed_torque(eom, {"platform_x": 0})


def test_a_slider_crank_at_dead_centre() -> None:
    """The slider holds the crank everywhere but where crank and rod are in line."""
    crank = eq.Body("crank", eq.revolute("q1"), mass=1, com="1 0 0", inertia="0 1 1")
    rod = eq.Body("rod", eq.revolute("q2", at="1 0 0"), mass=1, com="1 0 0", inertia="0 1 1",
                  parent="crank")  # fmt: skip
    slider = eq.Body("slider", eq.prismatic("x"), mass=1)
    robot = eq.Robot("press", [crank, rod, slider], gravity="0 -g 0", parameters={"g": 9.81},
                     forces=[eq.joint_actuator("x", "F")], home={"q1": 1, "q2": -1.4, "x": 2.3},
                     loops=[eq.loop("pin", body="rod", at="2 0 0", to="slider")])  # fmt: skip
    eom = eq.derive(robot)
    control = eq.gravity_compensation(eom)
    state = eq.assemble(eom)
    assert abs(control.inputs(0, state.q, state.v)[0]) > 1
    with pytest.raises(eq.EquamoError, match=r"must not be singular .* at q1 = 0, q2 = 0, x = 3"):
        control.inputs(0, [0, 0, 3], [0, 0, 0])


def test_a_controller_takes_one_state() -> None:
    control = eq.gravity_compensation(eq.derive(eq.load("rr_arm")))
    with pytest.raises(eq.EquamoError, match=r"q must have shape \(2,\)"):
        control.inputs(0, np.zeros((3, 2)), np.zeros((3, 2)))

"""eq.rollout: every way to drive runs, against each other, MuJoCo and Pinocchio; runs that break."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.code.steps import METHODS
from equamo.errors import DivergenceError
from equamo.motion.simulation.fixed_step import fixed_step
from equamo.motion.simulation.rollout import rollout
from peer_mujoco import MuJoCo
from peer_pinocchio import Pinocchio
from random_trees import Tree, random_state, random_tree

pytestmark = pytest.mark.needs("mujoco", "pinocchio")

# Joints whose coordinates are those of the peers' joints.
KINDS = (
    "revolute", "prismatic", "cylindrical", "universal", "planar", "spherical euler", "free euler",
    "fixed",
)  # fmt: skip
SEEDS = range(1, 40 if WHOLE_SWEEPS else 6)


@cache
def equations(name: str = "rr_arm") -> eq.EquationsOfMotion:
    if name == "mass":
        body = eq.Body("mass", eq.prismatic("x", axis="x"), mass="m")
        forces, numbers = [eq.joint_actuator("x", "F")], [eq.Parameter("m", 1)]
        return eq.derive(
            eq.Robot("mass", [body], gravity="0 0 0", forces=forces, parameters=numbers)
        )
    return eq.derive(eq.load(name))


def states(eom: eq.EquationsOfMotion, count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (count, len(eom.q))), rng.uniform(-1, 1, (count, len(eom.v)))


# -- other programs ------------------------------------------------------------------------------------
def tree(seed: int) -> Tree:
    return random_tree(seed, kinds=KINDS, most=6, forces=False)


def our_run(
    robot: eq.Robot, seed: int, step: float, steps: int
) -> tuple[dict[Any, float], np.ndarray]:
    """(initial state, states) by Runge-Kutta."""
    state = random_state(robot, seed)
    q, v = [state[x] for x in robot.q], [state[x] for x in robot.v]
    return state, rollout(eq.derive(robot), q, v, step=step, steps=steps).states


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_runge_kutta_is_that_of_mujoco(seed: int) -> None:
    robot = tree(seed).robot()
    peer = MuJoCo(tree(seed), robot)
    state, ours = our_run(robot, seed, 0.005, 200)
    found = mujoco_run(peer, state, 0.005, 200)
    for k in (1, 100, 200):
        assert close(at(peer, state, ours[k]), found[k], 1e-10), k


def mujoco_run(
    peer: MuJoCo, state: dict[Any, float], step: float, steps: int
) -> dict[int, np.ndarray]:
    model, data = peer.model, peer.data
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, step
    data.qpos[:], data.qvel[:], *_ = peer.place(state)
    found: dict[int, np.ndarray] = {}
    for k in range(1, steps + 1):
        mujoco.mj_step(model, data)
        found[k] = np.concatenate([data.qpos, data.qvel])
    return found


def at(peer: MuJoCo | Pinocchio, state: dict[Any, float], x: np.ndarray) -> np.ndarray:
    """Our state (q, v) in a peer's coordinates and speeds."""
    own = dict(zip((*peer.robot.q, *peer.robot.v), x, strict=True))
    y, u, *_ = peer.place({**state, **own})
    return np.concatenate([y, u])


def close(a: np.ndarray, b: np.ndarray, tolerance: float) -> bool:
    return bool(np.abs(a - b).max() <= tolerance * max(1, np.abs(b).max()))


@pytest.mark.parametrize("seed", SEEDS)
def test_runge_kutta_is_that_of_numpy_on_pinocchio(seed: int) -> None:
    robot = tree(seed).robot()
    peer = Pinocchio(tree(seed), robot)
    model, n, h = peer.model, peer.model.nq, 0.005
    no_torque = np.zeros(model.nv)
    assert n == model.nv

    def f(x: np.ndarray) -> np.ndarray:
        return np.concatenate([x[n:], pin.aba(model, peer.data, x[:n], x[n:], no_torque)])

    state, ours = our_run(robot, seed, h, 200)
    x = at(peer, state, ours[0])
    for k in range(1, 201):
        k1 = f(x)
        k2 = f(x + h / 2 * k1)
        k3 = f(x + h / 2 * k2)
        k4 = f(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if k in (1, 100, 200):
            assert close(at(peer, state, ours[k]), x, 1e-10), k


def test_with_quaternions_it_meets_mujoco_at_order_four() -> None:
    """MuJoCo goes along the group, we renormalise: two methods of order 4 with one limit."""
    kinds = ("free quaternion", "revolute", "spherical quaternion", "prismatic")
    body = random_tree(6, bodies=kinds, forces=False, free_at_root=True)
    robot = body.robot()
    peer, apart = MuJoCo(body, robot), []
    for steps in (50, 100, 200):
        state, ours = our_run(robot, 3, 0.5 / steps, steps)
        theirs = mujoco_run(peer, state, 0.5 / steps, steps)[steps]
        mine = at(peer, state, ours[-1])
        for joint in range(peer.model.njnt):  # q and −q are one rotation
            k = peer.model.jnt_qposadr[joint] + (3 if peer.model.jnt_type[joint] == 0 else 0)
            if peer.model.jnt_type[joint] < 2:  # free, ball
                mine[k : k + 4] *= np.sign(mine[k : k + 4] @ theirs[k : k + 4])
        apart.append(np.abs(mine - theirs).max())
    assert all(3.5 < np.log2(a / b) < 5 for a, b in pairwise(apart)), apart


# -- batches -------------------------------------------------------------------------------------------
@pytest.mark.sweep(1)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("robot", ["rr_arm", "rolling_disc"])
def test_a_run_is_the_same_alone_and_in_any_lane(robot: str, method: str) -> None:
    eom = equations(robot)
    q, v = states(eom, 13)
    v = v + [float(x) for x in eom.robot.home.v.values()]
    options: dict[str, Any] = {"step": 0.01, "steps": 40, "method": method}
    alone = [rollout(eom, a, b, **options) for a, b in zip(q, v, strict=True)]
    for lanes in (1, 2, 4, 8):
        for threads in (1, 3):
            many = rollout(eom, q, v, lanes=lanes, threads=threads, **options)
            assert many.q.shape == (13, 41, len(eom.q))
            for k, one in enumerate(alone):
                assert np.array_equal(one.q, many.q[k])
                assert np.array_equal(one.v, many.v[k])


def test_threads_take_big_batches() -> None:
    eom = equations()
    q, v = states(eom, 501)
    one = rollout(eom, q, v, step=0.01, steps=300, every=100, threads=1)
    four = rollout(eom, q, v, step=0.01, steps=300, every=100, threads=4)
    assert np.array_equal(one.states, four.states)


def test_every_keeps_some_of_the_states() -> None:
    eom = equations()
    q, v = states(eom, 3)
    all_of_them = rollout(eom, q, v, step=0.01, duration=0.6, start=2.0)
    some = rollout(eom, q, v, step=0.01, duration=0.6, start=2.0, every=15)
    assert all_of_them.t == pytest.approx(2 + 0.01 * np.arange(61))
    assert np.array_equal(some.t, all_of_them.t[::15])
    assert np.array_equal(some.states, all_of_them.states[:, ::15])
    assert np.array_equal(some.q[:, 0], q)


def test_arrays_of_any_order_are_read() -> None:
    eom = equations()
    q, v = states(eom, 6)
    plain = rollout(eom, q, v, step=0.01, steps=5)
    strange = rollout(
        eom, np.asfortranarray(q), v[::-1][::-1].astype("float64"), step=0.01, steps=5
    )
    assert np.array_equal(plain.states, strange.states)
    table = {"q1": q[:, 0], "q2": list(q[:, 1])}
    assert np.array_equal(plain.states, rollout(eom, table, v, step=0.01, steps=5).states)


# -- control -------------------------------------------------------------------------------------------
def test_numbers_for_each_run_and_each_step() -> None:
    eom = equations()
    q, v = states(eom, 5)
    u = np.random.default_rng(2).uniform(-3, 3, (5, 30, 2))
    options: dict[str, Any] = {"step": 0.01}
    whole = rollout(eom, q, v, steps=30, control=u, **options)
    for k in range(5):  # one run, a row for each step
        assert np.array_equal(
            whole.q[k], rollout(eom, q[k], v[k], steps=30, control=u[k], **options).q
        )
    x, y = q, v  # step by step, each with constants
    for s in range(30):
        end = rollout(eom, x, y, steps=1, control=u[:, s], **options)
        x, y = end.q[:, -1], end.v[:, -1]
    assert np.array_equal(whole.q[:, -1], x)
    named = {"tau1": u[:, 0, 0], "tau2": u[:, 0, 1]}
    constant = rollout(eom, q, v, steps=30, control=u[:, 0], **options)
    assert np.array_equal(constant.q, rollout(eom, q, v, steps=30, control=named, **options).q)
    turned = u.transpose(2, 1, 0).copy().transpose(2, 1, 0)  # the same numbers in another order
    assert np.array_equal(whole.q, rollout(eom, q, v, steps=30, control=turned, **options).q)


def test_expressions_are_compiled_in() -> None:
    """ẍ = sin 3t − 4 x − ẋ has a solution in closed form."""
    eom = equations("mass")
    q, v = np.array([[0.3], [-0.8]]), np.array([[1.0], [0.0]])
    law = rollout(eom, q, v, step=0.01, steps=200, control={"F": "m*sin(3*t) - 4*x - dx"})
    t = law.t
    # ẍ + ẋ + 4 x = sin 3t: steady part a sin 3t + b cos 3t, and a decaying one
    a, b = -5 / 34, -3 / 34
    steady = a * np.sin(3 * t) + b * np.cos(3 * t)
    w = np.sqrt(4 - 0.25)
    x0, v0 = q - b, v - 3 * a
    swing = x0 * np.cos(w * t) + (v0 + x0 / 2) / w * np.sin(w * t)
    assert np.abs(law.q[..., 0] - (steady + np.exp(-t / 2) * swing)).max() < 1e-8


def test_without_control_inputs_are_those_of_home() -> None:
    eom = equations("three_link_prismatic_arm")
    home = [float(x) for x in eom.robot.home.inputs.values()]
    assert any(home)
    resting = rollout(eom, step=0.01, steps=20)
    assert np.array_equal(resting.q, rollout(eom, step=0.01, steps=20, control=home).q)


def test_values_for_each_run() -> None:
    eom = equations()
    q, v = states(eom, 4)
    masses = [0.5, 1.0, 2.0, 3.0]
    many = rollout(eom, q, v, step=0.01, steps=50, values={"m2": masses, "g": 3})
    for k, m in enumerate(masses):
        one = rollout(eom, q[k], v[k], step=0.01, steps=50, values={"m2": m, "g": 3})
        assert np.array_equal(one.q, many.q[k])
    folded = rollout(eom, q, v, step=0.01, steps=50, parameters="numeric")
    plain = rollout(eom, q, v, step=0.01, steps=50)
    assert np.abs(folded.states - plain.states).max() < 1e-11
    assert np.abs(plain.q[1] - many.q[1]).max() > 1e-3


def test_a_parameter_that_nothing_reads_needs_no_value() -> None:
    body = eq.Body("mass", eq.prismatic("x", axis="x"), mass="m", inertia="J J J")
    robot = eq.Robot("mass", [body], gravity="0 0 0", parameters=[eq.Parameter("m", 2)])
    assert robot.values["J"] is None  # it does not turn
    run = rollout(eq.derive(robot), v=[0.5], step=0.25, steps=4)
    assert run.q[:, 0] == pytest.approx([0, 0.125, 0.25, 0.375, 0.5], rel=1e-15)
    again = rollout(eq.derive(robot), v=[0.5], step=0.25, steps=4, values={"J": 9.81})
    assert np.array_equal(run.q, again.q)


def test_external_wrenches_push() -> None:
    """A force on the hand along x₀ is a force on the axle: wheels and body gain F t of momentum."""
    eom = equations("wheeled_inverted_pendulum")
    still = rollout(eom, step=0.001, steps=100)
    pushed = rollout(eom, step=0.001, steps=100, external={"Flx": 5.0})
    names = {"q": pushed.q, "v": pushed.v}
    momentum = {
        k: eom.evaluate(eom.mass_matrix[0, 0], q=x["q"]) * x["v"][:, 0]
        + eom.evaluate(eom.mass_matrix[0, 2], q=x["q"]) * x["v"][:, 2]
        for k, x in {"pushed": names, "still": {"q": still.q, "v": still.v}}.items()
    }
    assert momentum["pushed"] - momentum["still"] == pytest.approx(5.0 * pushed.t, abs=1e-9)


# -- runs that break -----------------------------------------------------------------------------------
def test_a_diverging_run_stops_with_the_state_where_it_broke() -> None:
    """ẍ = ẋ² + 1 has v = tan t: infinite at π/2. The others of the batch go on undisturbed."""
    v = np.array([[0.0], [-30.0], [0.0], [1.0], [0.0]])
    gain = np.array([0.0, 0.0, 1.0, 1.0, 0.5])
    body = eq.Robot(
        "mass", [eq.Body("mass", eq.prismatic("x", axis="x"), mass=1)], gravity="0 0 0",
        forces=[eq.joint_actuator("x", "F")], parameters=[eq.Parameter("k", 0)],
    )  # fmt: skip
    blowing = eq.derive(body)
    found = rollout(
        blowing, v=v, step=0.01, steps=400, control=["k*(dx**2 + 1)"], values={"k": gain}
    )
    assert [b.index for b in found.broken] == [2, 3, 4]
    for b in found.broken:
        end = (np.pi / 2 - np.arctan(v[b.index, 0])) / gain[b.index]
        assert b.t == pytest.approx(end, abs=0.1)
        assert b.t == pytest.approx(0.01 * b.step)
        rows = found.v[b.index, :, 0]
        assert np.isfinite(rows[: b.step + 1]).all()
        assert np.isnan(rows[b.step + 1 :]).all()
        assert b.v[0] == rows[b.step] > 1e3
    assert np.isfinite(found.q[:2]).all()
    assert np.array_equal(found.v[1, :, 0], np.full(401, -30.0))
    with pytest.raises(DivergenceError, match=r"run 2 diverged after step 1\d\d, t = 1\.\d+ s"):
        found.check()
    with pytest.raises(DivergenceError, match="not finite") as caught:
        rollout(blowing, step=0.01, steps=400, control=["k*(dx**2 + 1)"], values={"k": 1})
    assert caught.value.broken.step == found.broken[0].step


def test_an_iteration_that_does_not_converge_breaks_the_run() -> None:
    """A damper of 1000 N s/m on 1 kg with a step of 0.1 s: h/2 times the stiffness is 50."""
    options: dict[str, Any] = {"step": 0.1, "steps": 10, "method": "implicit_midpoint"}
    with pytest.raises(DivergenceError, match="does not converge"):
        rollout(equations("mass"), v=[1.0], control=["-1000*dx"], **options)
    fine = rollout(
        equations("mass"), v=[1.0], control=["-10*dx"], **options
    )  # 0.5: (1 − ½)/(1 + ½)
    assert fine.v[:, 0] == pytest.approx(3.0 ** -np.arange(11), rel=1e-12)


INTERRUPTED = """
import signal
import numpy as np
import equamo as eq

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell runs behind

eom = eq.derive(eq.load("rr_arm"))
eq.rollout(eom, np.zeros((64, 2)), np.zeros(2), step=0.01, steps=1)
print("running", flush=True)
try:
    eq.rollout(eom, np.zeros((64, 2)), np.zeros(2), step=1e-6, steps=10**12, every=10**12)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.posix
@pytest.mark.ci
def test_an_interrupt_ends_the_runs() -> None:
    # In a process of its own: a worker that runs tests may not hear SIGINT.
    python = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(python, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "running\n"
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        try:
            assert running.communicate(timeout=60)[0] == "interrupted\n"
        finally:
            running.kill()


# -- the cache -----------------------------------------------------------------------------------------
def test_code_is_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setenv("EQUAMO_CACHE", str(folder))
    options: dict[str, Any] = {"step": 0.01, "steps": 20, "control": {"tau1": "-q1*777"}}
    before = set(folder.glob("*"))
    first = rollout(equations(), **options)
    (new,) = set(folder.glob("*")) - before
    fixed_step.cache_clear()
    again = eq.derive(eq.load("rr_arm"))
    assert np.array_equal(rollout(again, **options).q, first.q)
    assert set(folder.glob("*")) - before == {new}
    rollout(again, **{**options, "control": {"tau1": "-q1*778"}})
    assert len(set(folder.glob("*")) - before) == 2

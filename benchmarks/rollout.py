"""Whole rollouts against MuJoCo and SciPy on Pinocchio, in one run: `python benchmarks/rollout.py`

4096 runs of 1000 Runge-Kutta steps of 1 ms, every state kept: a double pendulum, the Panda arm with its
fingers locked (7 joints), and the Panda of the file (9 joints, dampers included). All programs
get the same initial states and no torque, and run on one core:

    equamo              eq.rollout, the runs in the lanes of vectors
    MuJoCo              its `rollout` module with the RK4 integrator, contacts and constraints off
    Pinocchio           the same Runge-Kutta steps in NumPy on pinocchio.aba
    SciPy on Pinocchio  solve_ivp(DOP853, rtol 1e-8, atol 1e-8) on pinocchio.aba, at the same times

The last three take long: they compute fewer of the runs, as the table says, and their rate is that of
these (runs do not depend on each other; with `--whole`, MuJoCo computes all). The programs take turns; a
figure is processor time, the best of the rounds. Before that, the states of all programs at the end of
some runs are compared, relative to the largest. Three programs take the same steps and end in the same
states, to rounding; SciPy chooses its own steps, so the difference shows the error of 1 ms steps. The
rates go to results/rollout.json unless `--whole` is given.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import mujoco
import mujoco.rollout
import numpy as np
import pinocchio as pin
from harness.models import SOURCES, pinocchio_model, tree
from harness.mujoco_calls import mjcf
from harness.results import new_results
from scipy.integrate import solve_ivp

import equamo as eq
from equamo.motion.simulation.rollout import rollout

RUNS, STEPS, STEP = 4096, 1000, 0.001  # [s]
CHUNK = 512  # runs at a time, for memory
ROUNDS = 3
FINGERS = ("panda_finger_joint1", "panda_finger_joint2")


@dataclass
class Case:
    """A robot, for us and as Pinocchio has it."""

    name: str
    robot: Any
    model: Any  # Pinocchio's; joints in our order

    @property
    def n(self) -> int:
        return self.model.nv

    @cached_property
    def states(self) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(1)
        return rng.uniform(-1, 1, (RUNS, self.n)), rng.uniform(-1, 1, (RUNS, self.n))

    @cached_property
    def eom(self) -> eq.EquationsOfMotion:
        return eq.derive(self.robot)

    @cached_property
    def mujoco_model(self) -> Any:
        made = mujoco.MjModel.from_xml_string(mjcf(tree(self.model)))
        made.opt.integrator, made.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, STEP
        made.opt.gravity[:] = self.model.gravity.linear
        made.dof_damping[:] = self.model.damping
        return made


def double_pendulum() -> Case:
    """Our rr_arm, and its numbers in Pinocchio."""
    robot = eq.load("rr_arm")
    x = {n: float(value or 0) for n, value in robot.values.items()}
    model = pin.Model()
    model.gravity.linear = np.array([0, -x["g"], 0])
    place, parent = pin.SE3.Identity(), 0
    for k in "12":
        parent = model.addJoint(parent, pin.JointModelRZ(), place, f"q{k}")
        center = np.array([x[f"Lc{k}"], 0, 0])
        inertia = pin.Inertia(x[f"m{k}"], center, x[f"I{k}"] * np.eye(3))
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
        place = pin.SE3(np.eye(3), np.array([x["L1"], 0, 0]))
    return Case("double pendulum", robot, model)


def panda(fingers: bool) -> Case:
    source = SOURCES["Panda"]
    model, robot = pinocchio_model(source), eq.load(str(source.path))
    if not fingers:
        locked = [model.getJointId(n) for n in FINGERS]
        model = pin.buildReducedModel(model, locked, pin.neutral(model))
        robot = robot.lock(**dict.fromkeys(FINGERS, 0))
    assert [x.name for x in robot.q] == list(model.names)[1:]
    return Case("Panda, 9 joints" if fingers else "Panda, 7 joints", robot, model)


# -- the programs: final states (q, v) of the first `runs` runs ----------------------------------------
def equamo(case: Case, runs: int) -> np.ndarray:
    q, v = case.states
    ends = [
        rollout(case.eom, q[i : i + CHUNK], v[i : i + CHUNK], step=STEP, steps=STEPS, threads=1,
                control=np.zeros(case.n), cache=False).states[:, -1]
        for i in range(0, runs, CHUNK)
    ]  # fmt: skip
    return np.concatenate(ends)[:runs]


def by_mujoco(case: Case, runs: int) -> np.ndarray:
    q, v = case.states
    model, ends = case.mujoco_model, []
    data = mujoco.MjData(model)
    for i in range(0, runs, CHUNK):
        piece = slice(i, min(i + CHUNK, runs))
        start = np.column_stack([np.zeros(len(q[piece])), q[piece], v[piece]])
        states, _ = mujoco.rollout.rollout(model, data, start, nstep=STEPS)
        ends.append(states[:, -1, 1:])
    return np.concatenate(ends)


def derivative(case: Case) -> Callable[[np.ndarray], np.ndarray]:
    model, data, n = case.model, case.model.createData(), case.n

    def f(x: np.ndarray) -> np.ndarray:
        v = x[n:]
        return np.concatenate([v, pin.aba(model, data, x[:n], v, -model.damping * v)])

    return f


def pinocchio(case: Case, runs: int) -> np.ndarray:
    f, ends = derivative(case), []
    for x in np.hstack(case.states)[:runs]:
        kept = np.empty((STEPS + 1, len(x)))
        kept[0] = x
        for k in range(STEPS):
            k1 = f(x)
            k2 = f(x + STEP / 2 * k1)
            k3 = f(x + STEP / 2 * k2)
            k4 = f(x + STEP * k3)
            x = kept[k + 1] = x + STEP / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        ends.append(kept[-1])
    return np.array(ends)


def scipy(case: Case, runs: int) -> np.ndarray:
    f, t = derivative(case), STEP * np.arange(STEPS + 1)
    ends = [
        solve_ivp(lambda _, x: f(x), (0, t[-1]), x, "DOP853", t, rtol=1e-8, atol=1e-8).y[:, -1]
        for x in np.hstack(case.states)[:runs]
    ]
    return np.array(ends)


PROGRAMS: dict[str, tuple[Callable[[Case, int], np.ndarray], int]] = {
    "equamo": (equamo, RUNS),
    "MuJoCo": (by_mujoco, 256),
    "Pinocchio": (pinocchio, 8),
    "SciPy on Pinocchio": (scipy, 8),
}


# -- the table -----------------------------------------------------------------------------------------
def differences(case: Case) -> dict[str, float]:
    """Largest difference of final states from ours, relative to the largest number, by program."""
    mine = equamo(case, 4)
    return {
        name: float(np.abs(program(case, 4) - mine).max() / np.abs(mine).max())
        for name, (program, _) in PROGRAMS.items()
        if name != "equamo"
    }


def rates(case: Case, whole: bool) -> dict[str, tuple[float, int]]:
    """(states per second, runs) of each program."""
    best: dict[str, float] = dict.fromkeys(PROGRAMS, float("inf"))
    runs = {name: RUNS if whole and name == "MuJoCo" else n for name, (_, n) in PROGRAMS.items()}
    for _ in range(ROUNDS):
        for name, (program, _) in PROGRAMS.items():
            start = time.process_time()
            program(case, runs[name])
            best[name] = min(best[name], time.process_time() - start)
    return {name: (runs[name] * STEPS / seconds, runs[name]) for name, seconds in best.items()}


def main() -> None:
    """Print the table and store the results."""
    read = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    read.add_argument("--whole", action="store_true", help="MuJoCo does all 4096 runs, too")
    whole = read.parse_args().whole
    results = new_results("rollout", peers=["mujoco", "pin", "scipy"])
    for case in (double_pendulum(), panda(fingers=False), panda(fingers=True)):
        start = time.perf_counter()
        rollout(case.eom, step=STEP, steps=1, q=case.states[0][:2], cache=False)
        made = time.perf_counter() - start
        print(f"{case.name}: derived and compiled in {made:.2f} s")
        for name, off in differences(case).items():
            print(f"    {name:20} ends within {off:.1e} of ours")
            assert off < (1e-3 if name.startswith("SciPy") else 1e-8), "not the same motion"
        found = rates(case, whole)
        ours = found["equamo"][0]
        for name, (rate, runs) in found.items():
            unit = "per second" if name == "equamo" else "per second, peer"
            results.add(f"{case.name}, {name}: states", rate, unit)
            if name != "equamo":
                results.add(f"{case.name}, equamo against {name}", ours / rate, "times faster")
            ratio = "" if name == "equamo" else f"{ours / rate:10,.0f} × slower"
            print(f"    {name:20}{rate:14,.0f} states/s   {runs:5} runs{ratio}", flush=True)
    if not whole:
        results.write()


if __name__ == "__main__":
    main()

"""What equations, trajectories, certificates, machine code and sweeps save loads back equal."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.errors import AssemblyError, EquamoError, EvaluationError
from equamo.mechanics.certificate import check_file
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.mechanics.equations.digests import equations_digest
from equamo.motion.simulation.trajectory import Trajectory
from equamo.robot.model.edits import copy_with
from saved_robots import ROBOTS, adorned
from sweep_functions import Acceleration

CHUNKS = [range(first, first + 10) for first in range(0, 80, 10)] if WHOLE_SWEEPS else [range(4)]
SPEEDS = 6 if WHOLE_SWEEPS else 3
# Robots that are derived in less than a second.
NAMES = ("forces", "pendulum", "flying", "rolling", "four_bar", "held", "welded", "planes",
         "hostile names", "four_bar with speeds", "parallelogram", "locked")  # fmt: skip
QUANTITIES = ("mass_matrix", "bias", "gravity", "input_matrix", "kinematic_map", "coriolis_matrix")
METHODS = ("recursive", "kane", "lagrange", "gibbs_appell", "projected_newton_euler")


def valued(robot: eq.Robot) -> eq.Robot:
    """Copy in which every parameter has a value, so that it can move."""
    k = iter(range(1, 1000))
    return robot.with_values(
        {n: f"{next(k) % 7 + 1}/5" for n, x in robot.values.items() if x is None}
    )


# -- equations -----------------------------------------------------------------------------------------
def check_equations(eom: EquationsOfMotion, path: Path) -> None:
    """Every quantity is the same node of the graph after loading; so is every force, and B."""
    eom.save(path)
    again = EquationsOfMotion.load(path)
    assert equations_digest(again) == equations_digest(eom)
    assert (again.by, again.coriolis, again.is_recursive) == (
        eom.by,
        eom.coriolis,
        eom.is_recursive,
    )
    for what in QUANTITIES:
        if what == "coriolis_matrix" and not eom.robot.base.is_zero:
            continue  # C v is not all of the bias
        assert getattr(again, what) == getattr(eom, what), what
    assert list(again.forces) == list(eom.forces)
    for name, force in eom.forces.items():
        assert (again.forces[name].energy, list(again.forces[name])) == (force.energy, list(force))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", NAMES)
def test_equations_of_named_robots(name: str, tmp_path: Path) -> None:
    made: Any = ROBOTS[name]()
    check_equations(derive(made), tmp_path / "x.eom")


@pytest.mark.ci
@pytest.mark.parametrize("seeds", CHUNKS, ids=str)
def test_equations_of_random_robots(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        by = METHODS[seed % len(METHODS)]
        try:
            eom = derive(
                adorned(seed, most=2, speeds=SPEEDS),
                by=by,
                coriolis=("christoffel", "split")[seed % 2],
            )
        except EquamoError:  # a method that has no loops
            eom = derive(adorned(seed, most=2, speeds=SPEEDS))
        check_equations(eom, tmp_path / "x.eom")
        check_equations(eom.subs({"g": "2*g_2"}).subs({"g_2": "1/3"}), tmp_path / "x.eom")


# -- trajectories --------------------------------------------------------------------------------------
def check_trajectory(motion: Trajectory, path: Path) -> None:
    """Every field is the same, except for the interpolants of the solver, and so is what follows."""
    motion.save(path)
    again = Trajectory.load(path)
    for f in fields(Trajectory):
        one, two = getattr(motion, f.name), getattr(again, f.name)
        if f.name == "eom":
            assert equations_digest(one) == equations_digest(two)
        elif f.name == "steps":
            assert two is None  # states between the samples are interpolated
        elif hasattr(one, "keys"):
            assert list(one) == list(two), f.name
            for n in one:
                np.testing.assert_array_equal(one[n], two[n], err_msg=f"{f.name}[{n}]")
        elif isinstance(one, np.ndarray):
            assert one.dtype == two.dtype
            np.testing.assert_array_equal(one, two, err_msg=f.name)
        else:
            assert one == two, f.name
    np.testing.assert_array_equal(motion.energy.drift, again.energy.drift)
    assert list(motion.energy.work) == list(again.energy.work)
    for n, x in motion.energy.work.items():
        np.testing.assert_array_equal(x, again.energy.work[n])


def moved(robot: eq.Robot, seed: int = 0) -> Trajectory:
    """A short motion, of two samples at least."""
    eom = derive(valued(robot))
    options: dict[str, Any] = {"method": "rk4", "step": 1e-3} if seed % 2 else {}
    return eq.simulate(eom, duration=4e-3, progress=False, **options)


@pytest.mark.filterwarnings("ignore::equamo.errors.EnergyDriftWarning")
def test_a_trajectory_with_a_moving_base(tmp_path: Path) -> None:
    """The work of the base is in the ledger beside that of the force elements."""
    base = eq.BaseMotion(w="0 0 1/2", v="0.1 0 0", a="1/3 1 0")
    robot = copy_with(eq.load("rr_arm"), base=base)
    motion = eq.simulate(derive(robot), duration=0.05, progress=False)
    assert "moving base" in motion.work
    assert np.any(motion.work["moving base"] != 0)
    check_trajectory(motion, tmp_path / "x.npz")


def test_the_work_of_what_the_robot_does_not_have_is_refused(tmp_path: Path) -> None:
    """A base at rest does no work."""
    motion = eq.simulate(derive(eq.load("rr_arm")), duration=0.01, progress=False)
    path = tmp_path / "x.npz"
    motion.save(path)
    with np.load(path) as file:
        content = {n: file[n] for n in file.files}
    head = json.loads(str(content["head"]))
    content |= {"head": np.array(json.dumps(head | {"work": [*head["work"][:-1], "moving base"]}))}
    np.savez(path, **content)
    with pytest.raises(EquamoError, match="unknown force element or moving base 'moving base'"):
        Trajectory.load(path)


@pytest.mark.ci
@pytest.mark.filterwarnings("ignore::equamo.errors.EnergyDriftWarning")
@pytest.mark.parametrize("seeds", CHUNKS, ids=str)
def test_trajectories_of_random_robots(seeds: range, tmp_path: Path) -> None:
    saved = 0
    for seed in seeds:
        try:
            motion = moved(adorned(seed, most=2, speeds=SPEEDS), seed)
        except (AssemblyError, EvaluationError):
            continue  # loops that cannot be closed, or no joint that moves
        check_trajectory(motion, tmp_path / "x.npz")
        saved += 1
    assert saved >= len(seeds) // 2


@pytest.mark.ci
@pytest.mark.filterwarnings("ignore::equamo.errors.EnergyDriftWarning")
@pytest.mark.parametrize("name", ["forces", "flying", "rolling", "four_bar"])
def test_trajectories_of_named_robots(name: str, tmp_path: Path) -> None:
    """With dry friction, a quaternion, chosen speeds, a loop; contacts are in the random ones."""
    made: Any = ROBOTS[name]()
    check_trajectory(moved(made), tmp_path / "x.npz")


# -- certificates --------------------------------------------------------------------------------------
@pytest.mark.ci
@pytest.mark.parametrize("name", ["forces", "pendulum", "hostile names"])
def test_certificates(name: str, tmp_path: Path) -> None:
    robot: Any = ROBOTS[name]()
    made = eq.prove(robot, seed=5)
    made.save(tmp_path / "x.json")
    again = check_file(tmp_path / "x.json", robot, seed=5)
    one, two = (x.to_data()["certificate"] for x in (made, again))
    assert json.loads((tmp_path / "x.json").read_text("utf-8"))["certificate"] == one
    assert one.keys() == two.keys()
    assert {n for n in one if one[n] != two[n]} <= {"seconds", "lines"}
    assert [x["name"] for x in one["lines"]] == [x["name"] for x in two["lines"]]


# -- machine code --------------------------------------------------------------------------------------
FUNCTIONS = (
    "inverse_dynamics",
    "mass_matrix",
    "bias",
    "gravity",
    "forward_dynamics",
    "input_matrix",
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EQUAMO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.ci
@pytest.mark.parametrize("name", ["forces", "pendulum", "flying", "rolling", "four_bar"])
def test_machine_code_from_the_cache_is_the_same(name: str, cache: Path) -> None:
    """The second time every function is found, and computes the same bits."""
    robot = valued(ROBOTS[name]())
    rng = np.random.default_rng(1)
    eom = derive(robot)
    q = np.array([float(x) for x in robot.home.q.values()])
    v, tau = rng.uniform(-1, 1, len(eom.v)), rng.uniform(-1, 1, len(eom.v))
    results: list[list[Any]] = []
    for _ in range(2):
        fast = eq.compile(derive(robot))
        found: list[Any] = []
        for f in FUNCTIONS:
            arguments = {
                "inverse_dynamics": (q, v, v), "bias": (q, v), "forward_dynamics": (q, v, tau),
            }.get(f, (q,))  # fmt: skip
            found.append(np.asarray(getattr(fast, f)(*arguments)))
        results.append(found)
        entries = sorted(p.name for p in cache.rglob("*.entry"))
        assert entries
        if len(results) == 1:
            first = entries
    assert entries == first  # nothing was compiled again
    for one, two in zip(*results, strict=True):
        np.testing.assert_array_equal(one, two)


# -- sweeps --------------------------------------------------------------------------------------------
def test_a_sweep_that_is_resumed_has_equal_results(tmp_path: Path) -> None:
    function = Acceleration(eq.compile(derive(eq.load("rr_arm").with_values({"m1": 1}))))
    samples = [0.5, 1.0, 1.5]
    with ThreadPoolExecutor(1) as pool:
        runs = [eq.sweep(function, samples, executor=pool, resume=tmp_path / "s") for _ in range(2)]
    for one, two in zip(*runs, strict=True):
        np.testing.assert_array_equal(one[0], two[0])
        assert one[1:] == two[1:]  # of the process and object that computed it: not computed again

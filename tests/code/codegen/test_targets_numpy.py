"""Generated NumPy modules: the same numbers as the graph, for one state and for a batch."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from equamo.code.codegen.golden import SOLVING
from equamo.code.codegen.targets import target
from equamo.mechanics.equations.equations import QUANTITIES
from generated_code import (
    ROBOTS,
    STRANGE,
    equations,
    expected,
    package,
    run,
    spoiled,
    states,
    write,
)  # fmt: skip


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"generated_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.sweep(2)
@pytest.mark.parametrize("robot", ROBOTS)
def test_agrees_with_the_graph(robot: str, tmp_path: Path) -> None:
    found = write(robot, "numpy", tmp_path)
    module = load(tmp_path / f"{found.name}.py")
    assert module.selftest() == 0
    for r in found.routines:
        if r.name in QUANTITIES and r.name not in SOLVING:
            state = states(robot, r, 20)
            right = np.asarray(expected(equations(robot), r.name, state))
            result = getattr(module, r.name)(*(state[a.name] for a in r.arguments))
            assert result.shape == (20, *r.output.shape)
            difference = np.abs(result - right).reshape(20, -1).max(axis=1)
            assert (difference <= 1e-11 * np.abs(right).reshape(20, -1).max(axis=1)).all(), r.name


@pytest.mark.parametrize("robot", STRANGE)
def test_selftest_of_strange_packages(robot: str, tmp_path: Path) -> None:
    found = write(robot, "numpy", tmp_path)
    assert load(tmp_path / f"{found.name}.py").selftest() == 0
    assert not (tmp_path / "escaped").exists()


@pytest.mark.ci
def test_selftest_in_single_precision(tmp_path: Path) -> None:
    for robot in ("rr_arm", "wheeled_inverted_pendulum", "free_arm", "every_operation"):
        found = write(robot, "numpy", tmp_path, "float32")
        module = load(tmp_path / f"{found.name}.py")
        assert module.selftest() == 0
        r = found.routines[0]
        vector = [np.array(r.golden[0].arguments[a.name]) for a in r.arguments]
        assert getattr(module, r.name)(*vector).dtype == np.float32


def test_one_command_runs_the_selftest(tmp_path: Path) -> None:
    write("rr_arm", "numpy", tmp_path)
    # As a person does, in its folder: no module of the library may be hidden by its name.
    assert run([sys.executable, "-W", "error", "rr_arm.py"], tmp_path).returncode == 0
    (text,) = target("numpy").files(spoiled(package("rr_arm"))).values()
    (tmp_path / "rr_arm.py").write_text(text)
    done = run([sys.executable, "rr_arm.py"], tmp_path)
    assert done.returncode == 1
    assert " 2 missed" in done.stdout  # alone, and in the batch


def test_shapes(tmp_path: Path) -> None:
    write("rr_arm", "numpy", tmp_path)
    module = load(tmp_path / "rr_arm.py")
    q, v = np.array([0.3, 0.5]), np.array([[1.0, 0.0]] * 4)
    assert module.mass_matrix(q).shape == (2, 2)
    assert module.kinetic_energy(q, v).shape == (4,)  # one q for all
    assert isinstance(module.kinetic_energy(q, v[0]), np.float64)
    assert module.inverse_dynamics(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 2))).shape == (
        0,
        2,
    )
    heavy = module.DEFAULT_PARAMETERS * [[1.0], [2.0]]
    assert module.gravity(q, heavy).shape == (2, 2)
    for wrong in (0.3, [0.3], [[0.3, 0.1, 0.2]]):
        with pytest.raises(ValueError, match=r"q must have shape \(2,\) or \(N, 2\)"):
            module.mass_matrix(wrong)
    with pytest.raises(ValueError, match=r"broadcast|shape"):
        module.bias(np.zeros((3, 2)), np.zeros((4, 2)))


def test_nan_stays_in_its_state(tmp_path: Path) -> None:
    write("rr_arm", "numpy", tmp_path)
    module = load(tmp_path / "rr_arm.py")
    q = np.array([[0.1, 0.2], [np.nan, np.nan], [0.5, 0.6]])
    bad = np.isnan(module.gravity(q))
    assert bad[1].all()
    assert not bad[[0, 2]].any()

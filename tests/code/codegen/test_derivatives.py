"""Derivative functions in every language: proved when they are written, and right when they run."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.code.codegen.generate import package_of
from equamo.code.codegen.targets.package import meaning
from force_robots import arm, one_of_each
from generated_code import equations, run

FUNCTIONS = (
    "inverse_dynamics_derivatives", "forward_dynamics_derivatives", "forward_dynamics_inputs_vjp",
    "inverse_dynamics_hessian", "inverse_dynamics_hvp_coordinates", "state_derivative_jvp",
    "state_derivative_derivatives_coordinates", "inverse_dynamics_derivatives_packed",
    "inverse_dynamics_by_m__c", "mass_matrix_by_m__c", "forward_dynamics_by_c",
)  # fmt: skip


def module(folder: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.mark.parametrize("to", ["c", "numpy", "matlab", "javascript"])
def test_they_are_written_and_proved(to: str, tmp_path: Path) -> None:
    """Programs against the equations, text against the programs: generate refuses anything else."""
    paths = eq.generate(equations("ball_arm"), to, tmp_path, functions=FUNCTIONS)
    assert "proved" in next(p for p in paths if p.suffix in (".c", ".py", ".m", ".mjs")).read_text()


@pytest.mark.needs("gcc")
def test_c_passes_its_selftest(tmp_path: Path) -> None:
    """Against numbers of the derived equations, differentiated without regrouped inertias."""
    eq.generate(equations("ball_arm"), "c", tmp_path, functions=FUNCTIONS, prove=False)
    command = "gcc -std=c99 -Wall -Werror -O0 ball_arm_selftest.c ball_arm.c -lm -o selftest"
    assert run(command.split(), tmp_path).returncode == 0
    done = run(["./selftest"], tmp_path)
    assert done.returncode == 0, done.stdout
    assert " 0 entries wrong" in done.stdout


def test_numbers_in_place_of_parameters(tmp_path: Path) -> None:
    """Derivatives by parameters are taken before numbers are put in."""
    eom = equations("ball_arm")
    package = package_of(eom, ["inverse_dynamics_vjp", "gravity_by_m"], parameters="numeric")
    vjp, gravity = package.routines
    assert [y.name for y in vjp.outputs][-1] == "grad_parameters"
    assert any(any(g.result[-2:]) for g in vjp.golden)
    assert all(any(g.result) for g in gravity.golden)
    eq.generate(eom, "numpy", tmp_path, functions=["gravity_by_m"], parameters="numeric")
    q = np.array([0.5, 0.5, 0.5, 0.5, 0.3])
    fast = eq.compile(eom)
    assert module(tmp_path, "ball_arm").gravity_by_m(q) == pytest.approx(
        fast.derivative("gravity", "m")(q)
    )


def test_jumps_are_named_in_the_head(tmp_path: Path) -> None:
    eom = eq.derive(arm(*one_of_each()))
    remark = (
        "Derivatives: sign(dq1): its derivative is taken to be 0, which holds away from the jump"
    )
    paths = eq.generate(eom, "c", tmp_path, functions=["inverse_dynamics_jvp"], prove=False)
    assert remark in paths[0].read_text().replace("\n * ", " ")
    paths = eq.generate(eom, "c", tmp_path, functions=["inverse_dynamics"], prove=False)
    assert remark not in paths[0].read_text().replace("\n * ", " ")


def test_meanings() -> None:
    assert meaning("inverse_dynamics") == "tau = M vdot + C v + g - passive forces"
    assert meaning("forward_dynamics_derivatives_packed") == "Jacobians of forward_dynamics"
    assert meaning("gravity_by_m1") == "derivative of gravity by m1"
    assert meaning("unknown") == ""

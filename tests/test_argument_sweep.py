"""Every public function with hostile values for each argument: it works, or raises an EquamoError."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import argument_sweep as sweep
import equamo as eq
from equamo.basics.attached import METHODS

NAMES = sweep.NAMES
SECONDS = 60  # after which a call hangs; most take milliseconds
# Functions of motion and control, whose numbers may be of any type.
MOVING = (
    "simulate", "Trajectory.at", "Event", "rollout", "Compiled.step", "linearize", "LinearSystem",
    "LinearSystem.discrete", "LinearSystem.latex", "equilibria", "controllability", "lqr",
    "LinearFeedback.inputs", "GravityCompensation.inputs", "computed_torque", "ComputedTorque.inputs",
    "ComputedTorque.reference",
)  # fmt: skip
# Public, but without an argument that a user chooses, or called by equamo alone.
NOT_SWEPT = {
    "AuditedFunction", "Audit.function_lines", "Audit.save", "Audit.text", "BaseParameters.replaced",
    "Body.motion", "Body.pose_in", "BodyLoads.replaced", "CompiledFunction.bind",
    "CompiledFunction.check_values", "CompiledFunction.default", "CompiledFunction.missing",
    "CompiledFunction.read", "CompiledFunction.reader", "CompiledFunction.run_arrays",
    "CompiledFunction.sibling", "CompiledFunction.variant_name", "CompiledFunction.wrapped",
    "ForceElement.energy", "ForceElement.loads", "ForceElement.power", "ImportReport.text",
    "Inertia.in_frame", "Inertia.moved", "Inertia.of", "Paper.equation", "Paper.save",
    "RefereeReport.save", "Regressor.replaced", "Vector.count", "Vector.index", "Vector.of",
}  # fmt: skip


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Files are written to a temporary folder, and a call that hangs is a failure."""
    monkeypatch.chdir(tmp_path)

    def late(*_: object) -> None:
        raise AssertionError(f"a call with a hostile value takes longer than {SECONDS} s")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, late)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def failures(name: str, values: Any) -> list[str]:
    call = sweep.calls()[name]
    found: list[str] = []
    for argument in call[1]:
        for value in values:
            if hasattr(signal, "SIGALRM"):
                signal.alarm(SECONDS)
            problem = sweep.failure(call, argument, value)
            if problem is not None and not sweep.is_pythons_own(name, value, problem):
                found.append(f"{name}({argument}={value}): {problem}")
    return found


def test_a_sample_of_hostile_values() -> None:
    """Functions that build robots; the others are in the tests with the marker `ci`."""
    random, problems = Random(1), list[str]()
    for name, call in sweep.model_calls().items():
        for argument in call[1]:
            for value in random.sample(sorted(sweep.HOSTILE), 4):
                problem = sweep.failure(call, argument, value)
                if problem is not None:
                    problems.append(f"{name}({argument}={value}): {problem}")
    assert not problems, "\n".join(problems)


@pytest.mark.ci
@pytest.mark.needs("scipy", "sympy", "matplotlib", "control")
@pytest.mark.parametrize("name", NAMES)
def test_hostile_values(name: str, whole_sweeps: bool) -> None:
    values = list(sweep.HOSTILE)
    if name.split(" ")[0] in sweep.SLOW and not whole_sweeps:
        values = Random(name).sample(values, 3)
    problems = failures(name, values)
    assert not problems, "\n".join(problems)


@pytest.mark.ci
@pytest.mark.needs("scipy", "control")
def test_the_names_are_those_of_the_calls() -> None:
    assert tuple(sweep.calls()) == NAMES


@pytest.mark.ci
def test_every_public_function_is_swept() -> None:
    """Each has a valid call here; METHODS lists methods that stand in a layer above their class."""
    swept = {n.split(" ")[0] for n in NAMES}
    swept |= {n.replace("CompiledFunction.", "") for n in swept}
    missing = [n for n in sweep.public_callables() if n not in swept | NOT_SWEPT]
    assert not missing, f"without a call in argument_sweep.py: {', '.join(missing)}"
    assert {"step", "step_derivatives"} <= set(METHODS["Compiled"])


@pytest.mark.ci
@pytest.mark.needs("scipy", "sympy", "matplotlib", "control")
@pytest.mark.parametrize("name", NAMES)
def test_valid_calls_work(name: str) -> None:
    """The calls themselves are valid, so that a refusal is about the hostile value."""
    function, given = sweep.calls()[name]
    if name in sweep.REFUSED:
        with pytest.raises(eq.EquamoError):
            function(**given)
    else:
        function(**given)


@pytest.mark.ci
@pytest.mark.needs("scipy", "control")
@pytest.mark.parametrize("name", [n for n in NAMES if n.split(" ")[0] in MOVING])
def test_numbers_of_other_types_are_numbers(name: str) -> None:
    """A number may be one of NumPy; quantities and times may also be fractions."""
    function, given = sweep.calls()[name]
    for argument, value in given.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            continue
        others: list[Any] = [np.float64(value), np.float32(value), Fraction(value)]
        if isinstance(value, int):
            others = [np.int64(value), np.int32(value)]
        for other in others:
            function(**{**given, argument: other})

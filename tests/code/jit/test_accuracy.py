"""Generated code of every target against exact values: 1e-12 relative, in single precision 1e-5.

Half of the states are uniform, a quarter near singular, a quarter with angles up to 10⁵.
`error_measures` says what each error is relative to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from conftest import WHOLE_SWEEPS
from equamo.code.ir.functions import Function
from equamo.code.ir.program import Program
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.catalog import load, robots
from error_measures import LIMIT, errors
from exact_values import Exact
from peer_urdf import file
from target_calls import Call, Octave, c_library, machine_code, made_once, numpy_module, package

pytestmark = pytest.mark.needs("pinocchio")

COUNT = 1000 if WHOLE_SWEEPS else 16
FILES = {  # the big ones first, so that two processes end at the same time
    "talos_reduced.urdf": "free",
    "g1_29dof_rev_1_0.urdf": "free",
    "anymal_b_simple_description/robots/anymal.urdf": "free",
    "panda.urdf": "fixed",
    "ur5_robot.urdf": "fixed",
    "/kinova.urdf": "fixed",
}
SAMPLE = ("rr_arm", "rolling_disc", "four_bar", "ur5_robot.urdf")
ROBOTS = (*FILES, *(r.name for r in robots())) if WHOLE_SWEEPS else SAMPLE
LANES = (1, 2, 4, 8)
# A robot with so many speeds has machine code with 1 and 4 lanes in double, 2 and 8 in single
# precision, and Octave, which takes minutes for 1,000 states of a humanoid, gets each tenth state.
BIG = 16
FEW = 10


@cache
def equations(name: str) -> EquationsOfMotion:
    return derive(load(file(name), base=FILES[name]) if name in FILES else load(name))


@cache
def programs(name: str) -> Callable[..., Program]:
    """The programs of a robot, made once for all that is tested."""
    assert name in ROBOTS
    return made_once()


@pytest.fixture(scope="module")
def octave(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octave]:
    process = Octave(tmp_path_factory.mktemp("octave"))
    yield process
    process.close()


@pytest.mark.ci
@pytest.mark.needs("gcc", "node", "octave-cli")
@pytest.mark.parametrize("dtype", LIMIT)
@pytest.mark.parametrize("name", ROBOTS)
def test_accuracy_of_every_function_of_every_target(
    name: str, dtype: str, octave: Octave, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Function, "program", programs(name))
    eom = equations(name)
    wanted = Exact(eom, dtype, COUNT)
    missed = {
        (target, function, *worst)
        for target, (exact, call) in calls(wanted, octave, tmp_path).items()
        for function, worst in worst_errors(exact, call).items()
        if not worst[1] <= LIMIT[dtype]
    }
    assert not missed, (name, dtype)


def calls(wanted: Exact, octave: Octave, folder: Path) -> Mapping[str, tuple[Exact, Call]]:
    """All targets of a robot, and what each is compared with. Octave is asked first, read last."""
    eom, functions, given = wanted.eom, wanted.functions, wanted.given
    found = package(eom, functions, wanted.dtype)
    big = len(eom.v) >= BIG
    some = wanted.every(FEW) if big else wanted
    answers = octave.begin(found, functions, some.given, folder / "matlab")
    lanes = LANES[wanted.dtype == "float32" :: 2] if big or not WHOLE_SWEEPS else LANES
    return {
        "c": (wanted, c_library(found, functions, given, folder / "c")),
        "numpy": (wanted, numpy_module(found, functions, given, folder / "numpy")),
        **{f"{n} lanes": (wanted, machine_code(eom, given, n)) for n in lanes},
        "matlab": (some, answers),
    }


def worst_errors(wanted: Exact, call: Call) -> dict[str, tuple[str, float]]:
    """Of each function the kind of state that it does worst, and its error there."""
    out: dict[str, tuple[str, float]] = {}
    for name, f in wanted.functions.items():
        found = call(name)
        assert found.shape in ((wanted.count, *f.results[0].shape), (wanted.count, f.size))
        figures = errors(wanted, name, found)
        # Not a number is the worst of all.
        kind = max(figures, key=lambda k: (figures[k] != figures[k], figures[k]))
        out[name] = kind, figures[kind]
    return out


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    "function",
    ["forward_dynamics", "state_derivative", "constraint_forces", "constraint_inertia"],
)
def test_a_small_error_in_a_loop_is_seen(function: str) -> None:
    wanted = Exact(equations("four_bar"), "float64", COUNT)
    found = machine_code(wanted.eom, wanted.given, 1)(function)
    right = errors(wanted, function, found)["uniform"]
    wrong = errors(wanted, function, found * (1 + 1e-9))["uniform"]
    assert right < 1e-14
    assert wrong > LIMIT["float64"]

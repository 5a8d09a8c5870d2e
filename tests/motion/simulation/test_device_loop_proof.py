"""One turn of the loop of runs on a GPU is proved to compute the program of its method."""

from typing import Any

import pytest

import equamo as eq
from equamo.code.steps import method_named
from equamo.code.steps.device_loop import METHODS, DeviceLoop
from equamo.code.steps.device_loop_proof import prove_device_loop
from equamo.motion.simulation.fixed_step import Plan, kernel


def loop(robot: Any, method: str, dtype: str, control: str | None = None) -> tuple[Any, ...]:
    eom = eq.derive(eq.load(robot) if isinstance(robot, str) else robot)
    law = None
    if control is not None:
        law = tuple(eq.parse(control) for _ in eom.inputs)
    program = kernel(Plan(eom, method, law, 1, False, False), method_named(method))
    n = len(eom.q)
    return program, method, dtype, n, n + len(eom.v), eom.robot.state_space.quaternions


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("robot", "dtype", "control"),
    [
        ("rr_arm", "float64", None),
        ("rr_arm", "float32", "tanh(q1) - 2*dq1*exp(-q2)"),
        ("iiwa", "float64", None),
    ],
)
def test_a_turn_computes_the_program(
    robot: str, dtype: str, control: str | None, method: str
) -> None:
    given = loop(robot, method, dtype, control)
    assert prove_device_loop(DeviceLoop(*given)).verdict == "proved"


def test_an_error_in_the_program_is_refuted() -> None:
    given = loop("rr_arm", "rk4", "float64")
    before, mark, rest = DeviceLoop(*given).text().partition("%own_inputs = getelementptr")
    head, clock, body = rest.partition("= fadd double %time")
    wrong = before + mark + head + clock + body.replace("= fadd", "= fsub", 1)
    assert prove_device_loop(DeviceLoop(*given), wrong).verdict == "refuted"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%s1 = add i64 %s, 1", "%s1 = add i64 %s, 2"),
        ("%since = fmul double %s_number, %step", "%since = fmul double %step, %step"),
        ("[ %x_next0, %again ]", "[ %x_next1, %again ]"),
    ],
)
def test_other_lines_must_be_those_that_are_emitted(old: str, new: str) -> None:
    given = loop("rr_arm", "rk4", "float64")
    text = DeviceLoop(*given).text()
    assert old in text
    proof = prove_device_loop(DeviceLoop(*given), text.replace(old, new, 1))
    assert proof.verdict == "undecided"
    assert "the lines around the program" in proof.reason


def test_quaternions_are_normalised_around_the_program() -> None:
    stone = eq.Robot("stone", [eq.Body("b", eq.free("f"), mass=1, inertia="1 2 2.5")], forces=[])
    given = loop(stone, "rk4", "float64")
    assert given[-1]
    assert prove_device_loop(DeviceLoop(*given)).verdict == "proved"
    text = DeviceLoop(*given).text()
    assert "@llvm.sqrt.f64(double" in text
    assert (
        prove_device_loop(DeviceLoop(*given), text.replace(" fdiv ", " fmul ", 1)).verdict
        != "proved"
    )

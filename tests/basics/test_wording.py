"""How messages name values and counts."""

from pathlib import Path

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr.printing.text import ECHO
from equamo.basics.wording import at_most, brief, counted
from equamo.errors import LONGEST, EquamoError, UnknownNameError


class Broken:
    """An object of a user's that cannot show itself."""

    def __repr__(self) -> str:
        raise RuntimeError

    @property
    def shape(self) -> tuple[int, ...]:
        raise RuntimeError


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        ("q" * 61, f"'{'q' * 60}…' (61 characters)"),
        (np.zeros((30, 20)), "an array of shape (30, 20)"),
        ({"x": np.zeros(99)}, "a dict of 1 item"),
        (["x"] * 99, "a list of 99 items"),
        (Broken(), "a Broken"),
        (10**5000, "an int"),
        (eq.LinearSystem, "the class LinearSystem"),
        (ValueError("x" * 99), f"ValueError('{'x' * 60}…' (99 characters))"),
    ],
    ids=lambda x: type(x).__name__,
)
def test_a_value_is_shown_whole_or_described(value: object, text: str) -> None:
    assert brief(value) == text


def test_an_expression_is_shown_whole_or_by_its_size() -> None:
    assert brief(eq.parse("a + b")) == "a + b"
    long = eq.parse(" + ".join(f"sin(x{k})" for k in range(40)))
    assert brief(long) == "<Expr: 119 nodes, 40 symbols>"


def test_counts() -> None:
    assert counted(1, "index", "indices") == "1 index"
    assert counted(2, "index", "indices") == "2 indices"
    assert counted(1000, "key") == "1,000 keys"
    assert at_most("x" * 10, 4) == "xxxx… (10 characters in all)"


def test_no_message_is_longer_than_the_limit() -> None:
    assert len(str(EquamoError("x" * 10**6))) < LONGEST + 50
    many = [f"{'name' * 1000}{k}" for k in range(20)]
    assert len(str(UnknownNameError("body", "x" * 10**6, many))) < LONGEST + 50


@pytest.fixture(scope="module")
def krang() -> eq.EquationsOfMotion:
    return eq.derive(eq.load("krang"))


def test_results_of_a_big_robot_echo_in_a_few_lines(krang: eq.EquationsOfMotion) -> None:
    linear = eq.linearize(krang)
    motion = eq.simulate(krang, duration=0.01, step=0.005, method="rk4")
    results = [
        krang, krang.robot, krang.mass_matrix, krang.coriolis_matrix, krang.gravity,
        krang.kinetic_energy, krang.derivation, linear, motion, motion.torques, motion.energy,
        eq.compare(krang, eq.derive(krang.robot.add_mass("10l", "dm"))),
    ]  # fmt: skip
    assert {type(x).__name__: len(repr(x)) for x in results if len(repr(x)) > ECHO + 500} == {}
    assert repr(krang.mass_matrix).startswith("<Matrix 17×17: ")
    assert repr(krang.robot) == f"<{krang.robot}>"
    assert len(str(krang.mass_matrix)) > 100_000  # print() was asked for all of it


def test_a_matrix_in_the_place_of_a_name(krang: eq.EquationsOfMotion) -> None:
    with pytest.raises(EquamoError) as failure:
        eq.compile(krang).function(krang.mass_matrix)  # type: ignore[arg-type]
    assert "must be given by name, got a Matrix of shape (17, 17)" in str(failure.value)
    assert len(str(failure.value)) < 1000


def test_a_controller_in_the_place_of_equations(tmp_path: Path) -> None:
    controller = eq.gravity_compensation(eq.derive(eq.load("rr_arm")))
    with pytest.raises(EquamoError, match="got <gravity compensation of robot 'rr_arm'>; see"):
        eq.generate(controller, out=tmp_path)  # type: ignore[arg-type]


def test_one_is_not_several() -> None:
    pendulum = eq.Robot("pendulum", [eq.Body("rod", eq.revolute("q"), mass="m", com="l 0 0")])
    assert str(pendulum) == ("Robot pendulum: 1 body, 1 degree of freedom, 3 parameters, 1 input")
    assert str(eq.prove(pendulum)).startswith("Certificate of pendulum: 1 degree of freedom, 3 ")

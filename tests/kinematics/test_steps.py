"""The recorder: a step is what was computed, from steps before it."""

import pytest

from equamo.expr import parse
from equamo.expr.vector import Vector
from equamo.kinematics.quantity_name import QuantityName
from equamo.kinematics.steps import Recorder, matrix_inputs, of, vector_inputs
from equamo.kinematics.velocities import accelerations, velocities
from equamo.robots import load

A, B = QuantityName("A"), QuantityName("B")


def test_inputs_are_the_latest_steps_of_their_names() -> None:
    record = Recorder("kane")
    record("first", A, parse("a"))
    record("second", A, parse("a + 1"), [A])
    record("third", B, parse("2*a + 2"), [A, A])
    first, second, third = record.steps
    assert second.inputs == (first,)
    assert third.inputs == (second,)
    assert [s.rule for s in record.steps] == ["first", "second", "third"]
    assert {s.formulation for s in record.steps} == {"kane"}


def test_an_unchanged_quantity_is_recorded_once() -> None:
    record = Recorder("kane")
    record("first", A, Vector(["a", 0, 0]))
    record("again", A, Vector(["a", 0, 0]))
    record("changed", A, Vector(["a", 0, 1]))
    assert [s.rule for s in record.steps] == ["first", "changed"]


def test_steps_recorded_together_refer_to_what_was_before_all_of_them() -> None:
    record = Recorder("kane")
    record("first", A, parse("a"))
    record("first", B, parse("b"))
    record.together([("swap", A, parse("b"), [B]), ("swap", B, parse("a"), [A])])
    a, b, new_a, new_b = record.steps
    assert (new_a.inputs, new_b.inputs) == ((b,), (a,))


def test_an_input_that_was_not_recorded_is_an_error() -> None:
    with pytest.raises(KeyError):
        Recorder("kane")("rule", A, parse("a"), [B])


def test_the_world_is_not_an_input() -> None:
    assert of("wV", "world") == []
    assert of("w", "fore", ("dq1",)) == [QuantityName("w", "fore", by=("dq1",))]


def test_inputs_of_sums_over_bodies() -> None:
    columns, names = {"upper": (0,), "fore": (0, 1)}, ["u", "v"]
    texts = {
        k.text: [x.text for x in y] for k, y in matrix_inputs(columns, names, "F", "V").items()
    }
    assert texts == {
        "M_u_u": ["F_upper_u", "V_upper_u", "F_fore_u", "V_fore_u"],
        "M_u_v": ["F_fore_v", "V_fore_u"],
        "M_v_v": ["F_fore_v", "V_fore_v"],
    }
    found = vector_inputs("b", columns, names, "F", "V", case="bias")
    assert [x.text for x in found[QuantityName("b", by=("v",))]] == ["F_bias_fore", "V_fore_v"]


def test_velocities_and_accelerations_are_recorded_as_they_are_computed() -> None:
    robot, record = load("krang"), Recorder("kane")
    m = accelerations(robot, robot.vdot, record)
    values = {
        "w": lambda k: m.velocity[k].angular,
        "V": lambda k: m.velocity[k].linear,
        "alpha": lambda k: m.acceleration[k].angular,
        "a": lambda k: m.acceleration[k].linear,
    }
    assert len(record.steps) == 4 * len(robot.bodies)
    assert all(s.result is values[s.quantity.letter](s.body) for s in record.steps)
    for k, V in velocities(robot).items():
        assert all(x is y for x, y in zip(m.velocity[k].angular, V.angular, strict=True))

"""The recorder: a step is what was computed, from steps before it."""

import pytest

from equamo.algebra.expr import parse
from equamo.algebra.expr.vector import Vector
from equamo.mechanics.kinematics.quantity_name import QuantityName
from equamo.mechanics.kinematics.steps import NO_RECORD, Recorder, Value, names_of, of
from equamo.mechanics.kinematics.velocities import accelerations, velocities
from equamo.robot.library import load

A, B = QuantityName("A"), QuantityName("B")


def test_inputs_are_the_latest_steps_of_their_names() -> None:
    record = Recorder("kane")
    record("first", A, parse("a"))
    record("second", A, parse("a + 1"), A)
    record("third", B, parse("2*a + 2"), A, A)
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
        Recorder("kane")("rule", A, parse("a"), B)


def test_the_world_is_not_an_input() -> None:
    assert names_of(of("w V", "world")) == []
    assert names_of(of("w", ("fore", "world"), "dq1")) == [QuantityName("w", "fore", by=("dq1",))]


def test_names_of_several_quantities() -> None:
    texts = [x.text for x in names_of(of("F -U", ("upper", "fore"), ("f", "dq1"), "bias"))]
    assert texts == [
        "F_bias_upper_f_dq1", "minus_U_bias_upper_f_dq1",
        "F_bias_fore_f_dq1", "minus_U_bias_fore_f_dq1",
    ]  # fmt: skip
    assert names_of(of("E")) == [QuantityName("E")]
    assert names_of(A) == [A]


def test_a_record_returns_the_value_that_it_takes() -> None:
    pair = parse("a"), Vector(["a", 0, 1])
    for record in (NO_RECORD, Recorder("kane")):
        assert record("rule", A, pair[0]) is pair[0]
        assert record(("x", "y"), of("F T", "fore"), pair, A) is pair
        assert record.sum("z", of("F_sum T_sum", "fore"), pair, load("rr_arm")) is pair


def test_quantities_recorded_together_share_their_inputs() -> None:
    record = Recorder("kane")
    record("first", A, parse("a"))
    x: tuple[Value, Value] = (parse("x"), parse("y"))
    record(("F rule", "T rule"), of("F T", "fore"), x, A)
    record("one rule", of("f n", "fore"), x, of("F", (k for k in ("fore",))))
    found = [
        (s.rule, s.quantity.letter, [y.quantity.letter for y in s.inputs]) for s in record.steps
    ]
    assert found == [
        ("first", "A", []),
        ("F rule", "F", ["A"]),
        ("T rule", "T", ["A"]),
        ("one rule", "f", ["F"]),
        ("one rule", "n", ["F"]),
    ]
    with pytest.raises(ValueError, match="zip"):
        record("two names, one value", of("F T", "fore"), parse("x"))


def test_a_sum_takes_what_was_recorded_of_its_parts() -> None:
    """The sums of the bodies that a body carries directly, and its own part if it has one."""
    robot, record = load("three_link_arm"), Recorder("kane")
    base, middle, tip = (b.name for b in robot.bodies)
    record("own", of("F", base), parse("a"))
    record("own", of("F", tip), parse("b"))
    for k in (tip, middle, base):
        record.sum("sum", of("S", k), parse(f"s_{k}"), robot, of("F", k))
    found = {s.quantity: [x.quantity for x in s.inputs] for s in record.steps}
    assert found[QuantityName("S", tip)] == [QuantityName("F", tip)]
    assert found[QuantityName("S", middle)] == [QuantityName("S", tip)]
    assert found[QuantityName("S", base)] == [QuantityName("F", base), QuantityName("S", middle)]


def test_steps_aside_are_made_only_for_a_recorder() -> None:
    calls: list[tuple[Recorder, str, int]] = []

    def steps(record: Recorder, name: str, number: int) -> None:
        calls.append((record, name, number))

    NO_RECORD.aside(steps, "a", number=1)
    assert calls == []
    record = Recorder("kane")
    record.aside(steps, "a", number=1)
    assert calls == [(record, "a", 1)]


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

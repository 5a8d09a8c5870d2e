"""The one reader of states: what it accepts, and its messages about everything else."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import EvaluationError, UnknownEntryError, UnknownNameError
from equamo.mechanics.equations.state_reader import Reader, batch_size, no_value
from equamo.robot.model import StatePart

ARM = eq.load("rr_arm").with_home(q2=0.5)
BALL = eq.Robot("ball", [eq.Body("b", eq.spherical("s"), mass=1, inertia="1 2 2.5")], forces=[])
Q = Reader("f", ARM.state_space.q)
EXACT = Reader("f", ARM.state_space.q, exact=True)
UNIT = Reader("f", BALL.state_space.q)


# -- what is read ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ([1, 2], [1, 2]),
        ((True, 2.5), [1, 2.5]),
        (np.array([1, 2], ">f8"), [1, 2]),
        ([[1, 2], [3, 4], [5, 6]], [[1, 2], [3, 4], [5, 6]]),
        (np.zeros((0, 2)), np.zeros((0, 2))),
        ({}, [0, 0.5]),
        ({"q1": 3}, [3, 0.5]),
        ({ARM.q[1]: 4}, [0, 4]),
        ({"q1": [1, 2]}, [[1, 0.5], [2, 0.5]]),
        ({"q1": [1, 2], "q2": 7}, [[1, 7], [2, 7]]),
    ],
)
def test_every_form_of_a_state(given: Any, wanted: Any) -> None:
    found = Q.read(given)
    np.testing.assert_array_equal(found, wanted)
    assert found.shape == np.shape(wanted)
    assert found.dtype == np.float64


def test_float32_stays_and_an_array_is_not_copied() -> None:
    x = np.zeros((3, 2), "float32")
    assert Q.read(x) is x
    assert Q.read_states(x).dtype == np.float64


def test_nothing_given_is_home() -> None:
    np.testing.assert_array_equal(Q.read_or_home(None), [0, 0.5])
    np.testing.assert_array_equal(Q.read_state(None), [0, 0.5])
    values = Reader("f", ARM.with_values(m1=None).state_space.values).default()
    assert np.isnan(values).sum() == 1


def test_exact_numbers_are_read_where_speed_does_not_count() -> None:
    given = [Fraction(1, 4), "pi/2"]
    np.testing.assert_array_equal(EXACT.read(given), [0.25, np.pi / 2])
    np.testing.assert_array_equal(EXACT.read({"q1": eq.parse("1/4")}), [0.25, 0.5])
    np.testing.assert_array_equal(EXACT.read(ARM.home.q), [0, 0.5])
    with pytest.raises(EvaluationError, match=r"must be real numbers .* \(objects\)"):
        Q.read([Fraction(1, 4), 0])


def test_quaternions_are_brought_to_length_1() -> None:
    near = np.array([0.6, 0.8 + 1e-8, 0, 0])
    for read in (UNIT.read_state, UNIT.read_states):
        assert np.linalg.norm(read(near)) == pytest.approx(1, abs=1e-15)
    assert near[1] == 0.8 + 1e-8  # what was given stays as it was
    np.testing.assert_array_equal(UNIT.read(near), near)  # a compiled function takes it as it is
    assert UNIT.read_states(np.zeros((0, 4))).shape == (0, 4)


# -- what is said ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([1], r"^f: q must have shape \(2,\) or \(N, 2\) \(entries: q1, q2\), got \(1,\)\.$"),
        (1.5, r"got \(\)"),
        (np.zeros((2, 2, 2)), r"got \(2, 2, 2\)"),
        (["a", "b"], r"f: q must be real numbers with shape .*, got \['a', 'b'\] \(text\)"),
        (None, r"must be real numbers .* got None"),
        ([[1, 2], [3]], r"f: q cannot be read as numbers: list"),
        ([1j, 0], "complex numbers"),
        (np.ma.masked_less([0.0, 1.0], 1), "masked array"),
        ({"q1": "x"}, r"f: q\['q1'\] must be a real number, or N real numbers, got 'x' \(text\)"),
        ({"q1": None}, r"q\['q1'\] must be a real number.* got None"),
        ({"q1": np.zeros((2, 2))}, r"q\['q1'\] must be .* shape \(\) or \(N,\), got \(2, 2\)"),
        ({"q1": [1, 2], "q2": [1, 2, 3]}, "different sizes: q1 has 2, q2 has 3"),
    ],
)
@pytest.mark.parametrize("reader", [Q, EXACT], ids=["plain", "exact"])
def test_what_does_not_fit_is_said(reader: Reader, given: Any, said: str) -> None:
    with pytest.raises(EvaluationError, match=said):
        reader.read(given)


class Hostile:
    """An object that raises whenever it is read."""

    def __float__(self) -> float:
        raise RuntimeError

    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("given", [[Hostile(), 1], {"q1": Hostile()}, [Fraction(1), 1j], "0.5 1"])
def test_objects_that_are_no_numbers(given: Any) -> None:
    for reader in (Q, EXACT):
        with pytest.raises(EvaluationError, match=r"f: q.* must be (a )?real number"):
            reader.read(given)


@pytest.mark.parametrize("name", ["Q2", 3, ("q1",)])
def test_a_wrong_name_lists_the_valid_ones(name: Any) -> None:
    with pytest.raises(UnknownEntryError, match=r"q of f(\.|: ).* Valid: q1, q2") as caught:
        Q.read({name: 1})
    assert isinstance(caught.value, UnknownNameError)
    assert isinstance(caught.value, EvaluationError)


def test_a_misspelt_name_has_the_nearest_ones() -> None:
    reader = Reader("f", eq.load("krang").state_space.q)
    with pytest.raises(UnknownEntryError, match=r"Did you mean 'q_imu'"):
        reader.read({"q_inu": 1})


@pytest.mark.parametrize("read", [Q.read_state, Q.read_states])
def test_numbers_must_be_finite(read: Any) -> None:
    with pytest.raises(EvaluationError, match=r"f: q\['q2'\] must be a finite number, got nan"):
        read([0, np.nan])
    assert np.isnan(Q.read([0, np.nan])[1])


def test_a_row_of_a_batch_is_named() -> None:
    with pytest.raises(EvaluationError, match=r"q\['q2'\] in row 1 must be a finite .*, got -inf"):
        Q.read_states([[0, 0], [0, -np.inf]])
    with pytest.raises(EvaluationError, match=r"\(s_qw, s_qx, s_qy, s_qz\) in row 1 .* 1, got 2\."):
        UNIT.read_states([[1, 0, 0, 0], [0, 2, 0, 0]])


def test_one_state_is_not_a_batch() -> None:
    with pytest.raises(EvaluationError, match=r"one state of shape \(2,\), got \(3, 2\); use f2\."):
        Q.read_state(np.zeros((3, 2)), "use f2")


def test_a_number_beyond_doubles() -> None:
    for given in ([10**400, 0], {"q1": 10**400}):
        with pytest.raises(
            EvaluationError, match=r"^f: q.* must be below 1\.8e308 in magnitude\.$"
        ):
            EXACT.read(given)


def test_values_are_given_by_name() -> None:
    values = Reader("f", ARM.state_space.values)
    assert values.read_given({"m2": 3, ARM.parameters[0]: 2}) == {"m2": 3, "m1": 2}
    assert values.read_given(None) == {}
    for given, said in (
        ([1], r"values must be \{name of a parameter: number\}, got \[1\]"),
        ({"m1": np.nan}, r"f: values\['m1'\] must be a finite number, got nan"),
        ({"m1": [1, 2]}, "one number per parameter, got a batch of 2"),
        ({"m9": 1}, "Unknown parameter 'm9' in values of f"),
    ):
        with pytest.raises(EvaluationError, match=said):
            values.read_given(given)


def test_the_name_of_an_argument_can_be_another() -> None:
    reader = Reader("rollout", ARM.state_space.inputs, "control")
    with pytest.raises(UnknownEntryError, match=r"Unknown input 'tau3' in control of rollout"):
        reader.read({"tau3": 1})
    with pytest.raises(EvaluationError, match=r"\(entries: none\), got \(1,\)"):
        Reader("f", StatePart.of_zeros("external", "external load")).read([1])


def test_all_missing_values_are_listed_at_once() -> None:
    error = no_value("f", "arm", ["a", "b", "c", "d"])
    assert str(error) == (
        "f: no value for 4 parameters of robot 'arm': 'a', 'b', 'c', 'd'; pass "
        "values={'a': …, 'b': …, 'c': …, …}."
    )


def test_batches_of_different_sizes() -> None:
    two, three = np.zeros((2, 1)), np.zeros((3, 1))
    with pytest.raises(EvaluationError, match=r"f: .*different sizes: q has 2, v has 3"):
        batch_size("f", {"q": two, "v": three})
    assert batch_size("f", {"q": two, "v": np.zeros(1)}) == 2
    assert batch_size("f", {"q": np.zeros(2)}) is None

"""Errors: all in one module, all public, and caught by the built-in errors that say the same."""

import importlib
import pkgutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo import errors

HERE = [x for x in vars(errors).values() if isinstance(x, type) and x.__module__ == errors.__name__]


# A user sees an undecided proof, or a line that was not read.
CAUGHT_INSIDE = {"OutOfReach", "_UnreadError"}


@pytest.mark.needs("matplotlib")
def test_every_error_of_ours_is_defined_in_errors_and_public() -> None:
    for module in pkgutil.walk_packages(eq.__path__, "equamo."):
        importlib.import_module(module.name)

    def below(cls: type[Any]) -> set[type[Any]]:
        return {cls}.union(*(below(c) for c in cls.__subclasses__()))

    found = {
        c
        for c in below(eq.EquamoError)
        if c.__module__.startswith("equamo") and c.__name__ not in CAUGHT_INSIDE
    }
    assert {c.__module__ for c in found} == {"equamo.errors"}
    assert {c.__name__ for c in HERE} <= set(eq.__all__)


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (eq.UnknownNameError, KeyError),
        (eq.UnknownInputError, KeyError),
        (eq.UnknownFunctionError, AttributeError),
        (eq.ParseError, ValueError),
        (eq.ExpressionError, ValueError),
        (eq.ShapeError, ValueError),
        (eq.ModelError, ValueError),
        (eq.FrameError, ValueError),
        (eq.ConstraintError, ValueError),
        (eq.EvaluationError, ValueError),
        (eq.NumberRangeError, OverflowError),
        (eq.FileFormatError, ValueError),
    ],
)
def test_errors_derive_from_built_in_ones(error: type, builtin: type) -> None:
    assert issubclass(error, builtin)
    assert issubclass(error, eq.EquamoError)


def test_an_unknown_name_is_a_key_error_that_reads_as_text() -> None:
    arm = eq.load("rr_arm")
    with pytest.raises(KeyError) as caught:
        arm.body("uper")
    assert str(caught.value).startswith("Unknown body 'uper'")  # and not its repr


def test_a_function_of_no_name_is_no_attribute() -> None:
    fast = eq.compile(eq.derive(eq.load("rr_arm")))
    assert not hasattr(fast, "inverse_dynamic")


def test_a_folder_says_that_it_is_one(tmp_path: Path) -> None:
    """The reader of files turns Python's ValueErrors into ours, and leaves ours unchanged."""
    with pytest.raises(eq.FileFormatError, match="it must be a regular file, got a folder"):
        eq.Certificate.load(tmp_path)


def test_an_error_of_a_control_is_not_taken_for_one_of_the_solver() -> None:
    def control(t: float, q: Any, v: Any) -> list[float]:
        return [0.0, np.nan if t > 0.1 else 0.0]

    with pytest.raises(
        eq.EvaluationError, match="must return finite numbers, got nan for 'tau2'"
    ) as caught:
        eq.simulate(eq.derive(eq.load("rr_arm")), duration=1, control=control)
    assert not isinstance(caught.value, eq.SimulationError)


@pytest.mark.parametrize("count", [12, 13])
def test_twelve_valid_names_are_listed(count: int) -> None:
    names = [f"joint{k}" for k in range(count)]
    text = str(errors.UnknownNameError("coordinate", "x", names))
    assert all(name in text for name in names[:12])
    assert ("joint12" in text, f"({count} in all)" in text) == (False, count == 13)

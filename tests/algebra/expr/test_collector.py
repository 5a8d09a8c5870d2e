"""The collector of cycles is paused, and left as it was found."""

import gc

import pytest

from equamo.algebra.expr.collector import collector_paused


def test_the_collector_is_paused_and_runs_again_after_an_error() -> None:
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError), collector_paused():  # noqa: PT012
        assert not gc.isenabled()
        raise ZeroDivisionError
    assert gc.isenabled()


def test_a_collector_that_does_not_run_stays_so() -> None:
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()

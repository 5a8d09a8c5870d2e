"""Derivations that equations still hold are reused; those that nobody holds are freed."""

import gc
import pickle
from dataclasses import replace

import pytest

import equamo as eq
from counted_derivations import counted_derivations
from equamo.mechanics.equations.derive import is_derived


def test_a_derivation_is_shared_as_long_as_it_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = counted_derivations(monkeypatch)
    robot = eq.load("rr_arm")
    eom = eq.derive(robot, by="kane")
    split = eq.derive(robot, by="kane", coriolis="split")
    assert split.derivation is eom.derivation
    assert split.coriolis_matrix != eom.coriolis_matrix
    assert ran == {"kane": 1}
    eq.derive(eq.load("rr_arm"), by="kane")  # another object: it may be another robot
    assert ran == {"kane": 2}
    del eom, split
    gc.collect()
    eq.derive(robot, by="kane")
    assert ran == {"kane": 3}


def test_equations_that_were_put_together_are_told_apart() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    d = eom.derivation
    assert is_derived(eom)
    assert is_derived(replace(eom, coriolis="split"))
    assert not is_derived(replace(eom, derivation=replace(d, gravity=-d.gravity)))


def test_made_programs_are_not_pickled() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    eom.made["functions"] = lambda: None  # nothing that can be pickled
    again = pickle.loads(pickle.dumps(eom))
    assert again.made == {}
    assert again.is_recursive
    assert list(again.mass_matrix.entries) == list(eom.mass_matrix.entries)


def test_unknown_options() -> None:
    arm = eq.load("rr_arm")
    with pytest.raises(eq.UnknownNameError, match=r"Unknown Coriolis matrix 'spilt'.*'split'"):
        eq.derive(arm, coriolis="spilt")  # type: ignore[arg-type]  # pyright: ignore
    with pytest.raises(eq.UnknownNameError, match=r"Unknown formulation 'kan'.*'kane'"):
        eq.derive(arm, by="kan")

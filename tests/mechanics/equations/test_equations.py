"""Forces by name, copies of them, and numbers of states that are given by name."""

import pickle

import numpy as np
import pytest

from equamo.algebra.expr import symbol
from equamo.errors import UnknownNameError
from equamo.mechanics.equations import derive
from equamo.robot.library import load
from equamo.robot.model import Body, Robot, joint_spring, revolute


def test_a_force_that_is_not_there_is_named_with_the_choices() -> None:
    forces = derive(load("rr_arm")).forces
    with pytest.raises(UnknownNameError, match=r"force element .tau3.*Valid: tau1, tau2"):
        forces["tau3"]


def test_a_pickled_force_keeps_entries_names_and_energy() -> None:
    body = Body("a", revolute("q1"), mass=1, inertia="1 1 1")
    robot = Robot("arm", [body], forces=[joint_spring("q1", 3, name="spring")])
    force = derive(robot).forces["spring"]
    copy = pickle.loads(pickle.dumps(force))
    assert copy == force
    assert copy.names == force.names
    assert copy.energy is force.energy is not None


def test_a_state_by_name_is_the_state_in_order() -> None:
    eom = derive(load("rr_arm"))
    whole = eom.evaluate("bias", q=[0, 0.4], v=[1, 2])
    assert np.any(whole)
    assert np.array_equal(eom.evaluate("bias", q={"q2": 0.4}, v={"dq2": 2, "dq1": 1}), whole)
    assert np.array_equal(eom.evaluate("bias", q={symbol("q2"): 0.4}, v=[1, 2]), whole)
    with pytest.raises(UnknownNameError, match="'q3'"):
        eom.evaluate("bias", q={"q3": 0.4})

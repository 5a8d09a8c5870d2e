"""Arguments of a rollout: each one that is not valid has a message."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import EquamoError, EvaluationError, UnknownNameError
from equamo.motion.simulation.rollout import rollout


@cache
def equations() -> eq.EquationsOfMotion:
    return eq.derive(eq.load("rr_arm"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"q": [0.0]}, r"rollout: q must have shape \(2,\) or \(N, 2\)"),
        ({"q": np.zeros((3, 2)), "v": np.zeros((4, 2))}, "different sizes: q has 3, v has 4"),
        ({"q": np.zeros((0, 2))}, "at least one state, got 0"),
        ({"q": [0.0, float("nan")]}, r"q\['q2'\] must be a finite number, got nan"),
        ({"v": [[0, 0], [0, float("inf")]]}, r"v\['dq2'\] in row 1 must be a finite number, got inf"),
        ({"q": ["a", "b"]}, "real numbers"),
        ({"step": 0.0}, "step must be greater than 0 s, got"),
        ({"step": -0.01}, "step must be greater than 0 s, got"),
        ({"step": float("nan")}, "step must be a finite time in seconds, got nan"),
        ({"step": "fast"}, "step must be a time in seconds, got 'fast'"),
        ({"steps": 0}, "steps must be an integer ≥ 1, got 0"),
        ({"steps": 2.5}, r"steps must be an integer ≥ 1, got 2\.5"),
        ({"steps": None}, "either steps or duration, got neither"),
        ({"duration": 1.0}, "either steps or duration, got both"),
        ({"steps": None, "duration": 0.103}, r"must be a multiple of step=0\.01 s, got 0\.103 s; use"),
        ({"steps": None, "duration": -1.0}, r"must be a multiple of step=0\.01 s, got -1 s\."),
        ({"steps": None, "duration": 10, "step": 1e-300}, "at most 9007199254740992 steps"),
        ({"steps": None, "duration": 10, "step": 5e-324}, "at most 9007199254740992 steps"),
        ({"steps": 10**400}, "steps must be at most 9007199254740992"),
        ({"steps": 10**13}, r"not enough memory.*2\.98e\+05 GiB\); keep fewer states with every="),
        ({"step": 10**400}, r"step must be below 1\.8e308"),
        ({"every": 3}, "every must divide the number of steps, 10, got 3"),
        ({"every": 0}, "every must be an integer ≥ 1, got 0"),
        ({"control": [1.0]}, r"control must have shape \(2,\)"),
        ({"control": np.zeros((7, 2))}, "each of the 10 steps"),
        ({"q": np.zeros((3, 2)), "control": np.zeros((4, 2))}, "control has 4"),
        ({"q": np.zeros((3, 2)), "control": np.zeros((3, 9, 2))}, "each of the 10 steps"),
        ({"control": [float("nan"), 0]}, r"control\['tau1'\] must be a finite number, got nan"),
        ({"control": lambda t, q, v: [0, 0]}, "eq.simulate"),
        ({"q": np.zeros((3, 2)), "control": np.zeros((3, 10, 3))}, r"shape .*tau1, tau2.*\(3, 10, 3\)"),
        ({"q": np.zeros((2, 2)), "control": np.full((2, 10, 2), np.inf)}, r"'tau1'\] in row 0, 0 .*inf"),
        ({"values": {"m1": [1, np.inf]}}, r"values\['m1'\] in row 1 must be a finite number, got inf"),
        ({"values": [1, 2]}, "name of a parameter"),
        ({"values": {"m1": float("nan")}}, r"values\['m1'\] must be a finite number, got nan"),
        ({"values": {"m1": 1}, "parameters": "numeric"}, "got a value for 'm1'; use param"),
        ({"threads": 0}, "threads"),
    ],
)  # fmt: skip
def test_bad_input_is_said(options: dict[str, Any], message: str) -> None:
    with pytest.raises(EvaluationError if "threads" not in options else EquamoError, match=message):
        rollout(equations(), **{"step": 0.01, "steps": 10, **options})


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"q": {"q3": 1}}, "q3"),
        ({"method": "euler"}, "euler"),
        ({"control": {"tau3": "1"}}, "tau3"),
        ({"control": {"tau3": 1.0}}, "tau3"),
        ({"control": {"tau1": "q7"}}, "q7"),
        ({"values": {"m9": 1}}, "m9"),
        ({"external": {"Fx": 1}}, "Fx"),
        ({"lanes": 3}, "3"),
    ],
)
def test_unknown_names_are_said(options: dict[str, Any], name: str) -> None:
    with pytest.raises(UnknownNameError, match=rf"'{name}'|lanes {name}\b"):
        rollout(equations(), **{"step": 0.01, "steps": 10, **options})


def test_a_quaternion_of_another_length_is_said() -> None:
    body = eq.Body("top", eq.spherical("p"), mass=1, com="0 0 0", inertia="1 2 2.7")
    eom = eq.derive(eq.Robot("top", [body], gravity="0 0 0"))
    with pytest.raises(EvaluationError, match=r"quaternion .* must have length 1, got 2"):
        rollout(eom, [2, 0, 0, 0], step=0.01, steps=1)


def test_what_is_no_equations_is_said() -> None:
    with pytest.raises(EquamoError, match="derive them"):
        rollout(eq.load("rr_arm"), step=0.01, steps=1)  # type: ignore[arg-type]


def test_all_parameters_without_a_value_are_listed() -> None:
    eom = eq.derive(eq.load("rr_arm").with_values(m1=None, m2=None))
    with pytest.raises(
        EvaluationError, match=r"rollout: no value for 2 parameters .*'m1', 'm2'; pass"
    ):
        rollout(eom, step=0.01, steps=1)


def test_quaternions_of_a_batch_are_brought_to_length_1() -> None:
    body = eq.Body("top", eq.spherical("p"), mass=1, com="0 0 0", inertia="1 2 2.7")
    eom = eq.derive(eq.Robot("top", [body], gravity="0 0 0", forces=[]))
    near = [[1, 0, 0, 0], [0.6, 0.8 + 1e-8, 0, 0]]
    started = rollout(eom, near, step=0.01, steps=1).q[:, 0]
    np.testing.assert_allclose(np.linalg.norm(started, axis=1), 1, atol=1e-15)

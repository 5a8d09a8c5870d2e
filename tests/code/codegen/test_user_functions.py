"""`eq.generate(eom, functions={…})`: a user's expressions and controllers as source code."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import EquamoError
from generated_code import run


def arm() -> eq.EquationsOfMotion:
    return eq.derive(eq.load("rr_arm"))


class Controller:
    """A generated computed-torque controller, called as on a microcontroller."""

    def __init__(self, folder: Path, reference: Any) -> None:
        done = run(["gcc", "-std=c99", "-Wall", "-Werror", "-O1", "-shared", "-fPIC", "rr_arm.c", "-lm",
                    "-o", "rr_arm.so"], folder)  # fmt: skip
        assert done.returncode == 0, done.stderr
        self._library = ctypes.CDLL(str(folder / "rr_arm.so"))
        self._parameters = (ctypes.c_double * 8).in_dll(self._library, "rr_arm_default_parameters")
        self._reference = reference

    def inputs(self, t: float, q: Any, v: Any) -> np.ndarray:
        given = [np.ascontiguousarray(x, float) for x in (q, v, *self._reference(t))]
        out = np.empty(2)
        pointer = ctypes.POINTER(ctypes.c_double)
        pointers = [x.ctypes.data_as(pointer) for x in given]
        self._library.rr_arm_control(*pointers, self._parameters, out.ctypes.data_as(pointer))
        return out


@pytest.mark.needs("gcc")
def test_a_computed_torque_controller_in_c_gives_the_torques_of_simulate(tmp_path: Path) -> None:
    eom = arm()
    control = eq.computed_torque(eom, {"q1": "sin(t)", "q2": "t/2"}, kp=25, kd=10)
    eq.generate(eom, "c", tmp_path, functions=[{"control": control}])
    assert "a_ref[2]" in (tmp_path / "rr_arm.h").read_text()
    ours = Controller(tmp_path, control.reference)
    start = {"q": [0.2, 0.1], "v": [0.0, 0.3]}
    wanted = eq.simulate(eom, **start, duration=2, control=control)
    torques = [
        control.inputs(t, q, v) for t, q, v in zip(wanted.t, wanted.q, wanted.v, strict=True)
    ]
    found = [ours.inputs(t, q, v) for t, q, v in zip(wanted.t, wanted.q, wanted.v, strict=True)]
    assert np.abs(torques).max() > 10
    np.testing.assert_allclose(found, torques, rtol=1e-12, atol=1e-12)
    closed = eq.simulate(eom, **start, duration=2, control=lambda t, q, v: ours.inputs(t, q, v))
    np.testing.assert_allclose(closed.q[-1], wanted.q[-1], atol=1e-9)
    command = "gcc -std=c99 -Wall -Werror -O0 rr_arm_selftest.c rr_arm.c -lm -o t"
    assert run(command.split(), tmp_path).returncode == 0
    assert run(["./t"], tmp_path).returncode == 0


def test_a_mapping_adds_to_the_default_functions(tmp_path: Path) -> None:
    eom = arm()
    tip = eom.frame("fore").jacobian()
    (path,) = eq.generate(eom, "numpy", tmp_path, functions={"tip": tip}, prove=False)
    text = path.read_text()
    assert "def tip(q, parameters=DEFAULT_PARAMETERS):" in text
    assert "def forward_dynamics(" in text
    (path,) = eq.generate(eom, "numpy", tmp_path, functions=["gravity", {"tip": tip}], prove=False)
    text = path.read_text()
    assert "def tip(" in text
    assert "def gravity(" in text
    assert "def bias(" not in text


def test_remarks_do_not_claim_what_a_users_function_is_not(tmp_path: Path) -> None:
    eq.generate(arm(), "c", tmp_path, functions=[{"gravity_of_my_own": "q1"}], prove=False)
    assert "/* y; no operations */" in (tmp_path / "rr_arm.h").read_text()


@pytest.mark.parametrize(
    ("functions", "message"),
    [
        ([{"gravity": "q1"}], "must have a new name"),
        (3, "must be a list of names or {name: expression}, got 3"),
        ([{}], "must name at least one function"),
    ],
)
def test_functions_that_do_not_fit(functions: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(EquamoError, match=message):
        eq.generate(arm(), "c", tmp_path, functions=functions, prove=False)

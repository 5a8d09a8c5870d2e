"""C for CasADi, compiled and loaded by `external`."""

from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest

import equamo as eq
from bridge_robots import MATRIX, compiled, equations, residual, states
from conftest import WHOLE_SWEEPS
from equamo.errors import EquamoError, UnknownNameError

EPS = np.finfo(float).eps
QUICK = ("-O0",)


LONG = ("anymal", "krang")  # minutes of gcc for forward dynamics
CASES = [
    (name, function)
    for name in MATRIX
    for function in ("mass_matrix", "inverse_dynamics", "forward_dynamics")
    if WHOLE_SWEEPS or not (name in LONG and function == "forward_dynamics")
]


@pytest.mark.parametrize(("name", "function"), CASES)
def test_the_matrix_of_robots(name: str, function: str, tmp_path: Path) -> None:
    """Values within 8 ε of those of the machine code, and Jacobians; numbers in place of parameters."""
    fast = compiled(name, parameters="numeric")
    x, bridge = states(equations(name)), fast.to_casadi()
    f = bridge.external(function, folder=tmp_path, flags=QUICK, prove=False)
    at = [x[n] for n in ("q", "v", "vdot", "tau") if n in f.name_in()]
    more = [np.zeros(f.size_in(n)) for n in f.name_in()[len(at) :]]
    expected = np.asarray(getattr(fast, function)(*at))
    found = np.array(f(*at, *more)).reshape(expected.shape)
    if function == "forward_dynamics":
        assert residual(fast, x, found) < 1e-13
    else:
        assert np.abs(found - expected).max() <= 8 * EPS * np.abs(expected).max()
    J, K = f.jacobian(), bridge.function(function).jacobian()
    assert J.class_name() == "External"
    empty = [casadi.DM(*f.size_out(k)) for k in range(f.n_out())]
    limit = 1e-10 if function == "forward_dynamics" else 1e-12
    for a, b in zip(J.call([*at, *more, *empty]), K.call([*at, *more, *empty]), strict=True):
        scale = max(1.0, float(casadi.norm_inf(casadi.vec(casadi.densify(b)))))
        assert float(casadi.norm_inf(casadi.vec(casadi.densify(a - b)))) <= limit * scale


def test_frames_and_functions_of_a_user(tmp_path: Path) -> None:
    eom = equations("rr_arm")
    fast = eq.compile(eom, parameters="numeric", functions={"power": "tau1*dq1 + tau2*dq2"})
    bridge = fast.to_casadi()
    pose = bridge.external("pose", "fore", folder=tmp_path, flags=QUICK)
    assert np.allclose(np.array(pose([0.1, 0.2])), fast.pose("fore", [0.1, 0.2]), rtol=1e-15)
    assert "Text: every function was read back" in (tmp_path / "rr_arm_casadi.c").read_text()
    again = bridge.external("pose", "fore", folder=tmp_path, flags=QUICK)  # compiled before
    assert len(list(tmp_path.glob("rr_arm_pose_fore_*"))) == 1
    assert np.array_equal(np.array(again([0.1, 0.2])), np.array(pose([0.1, 0.2])))
    power = bridge.external("power", folder=tmp_path, flags=QUICK, prove=False)
    assert float(power([1, 2], [3, 4])) == 11


def test_errors(tmp_path: Path) -> None:
    bridge = compiled("rr_arm").to_casadi()
    with pytest.raises(
        EquamoError, match="needs a C compiler, but none of no-such-compiler was found"
    ):
        bridge.external("gravity", compiler="no-such-compiler")
    with pytest.raises(EquamoError, match=r"could not compile rr_arm_casadi.c: .*flags="):
        bridge.external("gravity", flags=["--no-such-flag"], prove=False)
    with pytest.raises(EquamoError, match=r"could not compile rr_arm_casadi.c: no library"):
        bridge.external("gravity", compiler="true", prove=False)
    wrong: dict[str, Any] = {"flags": "-O0", "compiler": 5, "folder": 5}
    for option, x in wrong.items():
        with pytest.raises(EquamoError, match=rf"external\(\): {option} must be .*got {x!r}"):
            bridge.external("gravity", **{option: x}, prove=False)
    with pytest.raises(UnknownNameError, match="gravty"):
        bridge.external("gravty")

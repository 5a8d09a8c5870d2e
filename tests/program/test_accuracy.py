"""Machine code against exact values: 1e-12 of the largest entry, in single precision 1e-5.

Half of the states are uniform, a quarter near singular, a quarter with angles up to 10⁵. Forward
dynamics is judged by what it is for: the force that its acceleration needs is the force it was given,
to 1e-12 of the largest term in that sum.
"""

from __future__ import annotations

import numpy as np
import pytest

from conftest import WHOLE_SWEEPS
from equamo.catalog import load, robots
from equamo.expr import Expr
from equamo.expr.vector import Vector
from equamo.formulations import EquationsOfMotion, derive
from equamo.program.compiled import compile
from equamo.program.functions import frame_function, frames, functions
from exact_values import doubles, exact, states
from peer_urdf import file

LIMIT = {"float64": 1e-12, "float32": 1e-5}
COUNT = 1000 if WHOLE_SWEEPS else 24
ROBOTS = (
    robots() if WHOLE_SWEEPS else ("rr_arm", "rp_arm", "puma560", "starleth", "krang_on_wheels")
)
FILES = ("panda.urdf", "ur5_robot.urdf", "/kinova.urdf")
PLAIN = (
    "inverse_dynamics", "mass_matrix", "bias", "gravity", "coriolis_matrix", "passive_force",
    "input_matrix", "kinematic_map", "kinetic_energy", "potential_energy", "center_of_mass",
)  # fmt: skip


def relative(found: np.ndarray, wanted: np.ndarray) -> float:
    """max |a − b| / max |b| of the array."""
    largest = np.abs(wanted).max(initial=0.0)
    error = np.abs(found - wanted).max(initial=0.0)
    return float(error / largest) if largest else float(error)


def check_plain(eom: EquationsOfMotion, dtype: str) -> None:
    fast, table = compile(eom, dtype=dtype), functions(eom)
    for name in PLAIN:
        f = table[name]
        if 0 in f.shape:
            continue
        given = states(eom, f.arguments, COUNT, dtype)
        wanted = doubles(exact(getattr(eom, name), f.arguments, given))
        called = {a: x for a, x in given.items() if a not in ("parameters", "external")}
        external = given.get("external")
        found = getattr(fast, name)(**called, external=external)
        assert found.dtype == dtype
        for i in range(4):  # each kind of state on its own
            part = slice(i * COUNT // 4, (i + 1) * COUNT // 4)
            error = relative(found[part].reshape(len(wanted[part]), -1), wanted[part])
            assert error < LIMIT[dtype], (eom.robot.name, name, dtype, i, error)


def check_forward(eom: EquationsOfMotion, dtype: str) -> None:
    fast, table = compile(eom, dtype=dtype), functions(eom)
    f = table["forward_dynamics"]
    given = states(eom, f.arguments, COUNT, dtype)
    external = given.get("external")
    vdot = fast.forward_dynamics(given["q"], given["v"], given["tau"], external=external)
    known = {s: vdot[:, i] for i, s in enumerate(eom.vdot)}
    terms = [eom.inverse_dynamics, eom.bias, eom.gravity, eom.passive_force, *_products(eom)]
    flat: list[Expr] = [e for term in terms for e in term]
    values = doubles(exact(flat, f.arguments, given, known))
    n = len(eom.v)
    residual = np.abs(values[:, :n] - given["tau"]).max(axis=1)
    largest = np.maximum(np.abs(values).max(axis=1), np.abs(given["tau"]).max(axis=1))
    assert (residual / largest).max() < LIMIT[dtype], (eom.robot.name, dtype)


def _products(eom: EquationsOfMotion) -> list[Vector]:
    """The terms M_ij v̇_j, row by row."""
    return [
        Vector(m * x for m, x in zip(row, eom.vdot, strict=True)) for row in eom.mass_matrix.rows
    ]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", ROBOTS)
def test_accuracy_of_every_function(name: str, dtype: str) -> None:
    check_plain(derive(load(name)), dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", ROBOTS)
def test_accuracy_of_forward_dynamics(name: str, dtype: str) -> None:
    check_forward(derive(load(name)), dtype)


@pytest.mark.parametrize("path", FILES)
def test_accuracy_of_robots_from_files(path: str) -> None:
    eom = derive(load(file(path)))
    check_plain(eom, "float64")
    check_forward(eom, "float64")


def test_accuracy_of_frames() -> None:
    eom = derive(load("puma560"))
    fast = compile(eom)
    frame = frames(eom)[-2]
    for kind in ("pose", "jacobian", "jacobian_dot_v"):
        f = frame_function(eom, kind, frame)
        given = states(eom, f.arguments, COUNT, "float64")
        wanted = doubles(exact(f.ways[0](), f.arguments, given))
        called = {a: x for a, x in given.items() if a != "parameters"}
        found = getattr(fast, kind)(frame, **called).reshape(wanted.shape)
        assert relative(found, wanted) < 1e-12, kind

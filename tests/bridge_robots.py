"""Robots and states that the bridges to every framework are tested with."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import equamo as eq
from equamo.code.jit.compiled import Compiled

MATRIX = ("rr_arm", "panda", "anymal", "wheeled_inverted_pendulum", "krang")
FILES = {  # of example-robot-data
    "panda": ("panda_description/urdf/panda.urdf", "fixed"),
    "anymal": ("anymal_b_simple_description/robots/anymal.urdf", "free"),
}


def robot_file(name: str) -> Path:
    """File of example-robot-data, found without its Python package (which needs Pinocchio)."""
    spec = find_spec("cmeel")
    assert spec is not None
    assert spec.origin is not None
    prefix = Path(spec.origin).parent.parent / "cmeel.prefix"
    return prefix / "share" / "example-robot-data" / "robots" / name


@cache
def equations(name: str) -> eq.EquationsOfMotion:
    if name not in FILES:
        return eq.derive(eq.load(name))
    path, base = FILES[name]
    return eq.derive(eq.load(robot_file(path), base=base))


@cache
def compiled(name: str, **options: Any) -> Compiled:
    return eq.compile(equations(name), **options)


def unit(eom: eq.EquationsOfMotion, q: np.ndarray) -> np.ndarray:
    """Coordinates with quaternions scaled to length 1."""
    q = np.array(q, float)
    for places in eom.robot.state_space.quaternions:
        part = q[..., list(places)]
        q[..., list(places)] = part / np.linalg.norm(part, axis=-1, keepdims=True)
    return q


def states(eom: eq.EquationsOfMotion, *shape: int, seed: int = 1) -> dict[str, np.ndarray]:
    """Random q (quaternions of length 1), v, vdot, tau and inputs, with leading dimensions `shape`."""
    rng = np.random.default_rng(seed)
    sizes = {"q": eom.q, "v": eom.v, "vdot": eom.vdot, "tau": eom.v, "inputs": eom.inputs}
    found = {n: rng.uniform(-1.5, 1.5, (*shape, len(x))) for n, x in sizes.items()}
    return {**found, "q": unit(eom, found["q"])}


def residual(fast: Compiled, x: dict[str, np.ndarray], vdot: np.ndarray) -> float:
    """max|ID(q, v, v̇) − τ| / max|τ| of forward dynamics, over one state or a batch."""
    tau = fast.inverse_dynamics(x["q"], x["v"], vdot)
    scale = max(np.abs(x["tau"]).max(), np.abs(fast.mass_matrix(x["q"])).max() * np.abs(vdot).max())
    return float(np.abs(tau - x["tau"]).max() / scale)

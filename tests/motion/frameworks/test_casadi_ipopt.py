"""IPOPT through CasADi: the same optimum from graphs, from compiled C, and from a model on SX alone."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest

import equamo as eq
from bridge_robots import FILES, robot_file
from equamo.code.ir.lower import lower
from equamo.code.ir.program import Argument
from equamo.motion.frameworks.casadi_graph import graph


def example(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "examples" / "bridges"))
    sys.modules.pop(name, None)
    return import_module(name)


def pendulum_on_sx() -> casadi.Function:
    """f(q, v, u) from the equations by Kane, with casadi.solve in place of forward dynamics."""
    eom = eq.derive(eq.load("wheeled_inverted_pendulum"), by="kane")
    eom = eom.subs({**eom.robot.values, **dict.fromkeys((s.name for s in eom.external), 0)})
    force = eom.bias + eom.gravity - eom.passive_force
    values = {"M": eom.mass_matrix, "h": force, "B": eom.input_matrix, "N": eom.kinematic_map}
    arguments = [Argument("q", eom.q), Argument("v", eom.v)]
    parts = graph(casadi, lower("parts", arguments, values), ())
    q, v, u = (casadi.SX.sym(n, k) for n, k in (("q", 5), ("v", 3), ("u", 2)))
    M, h, B, N = parts(q, v)
    return casadi.Function("f", [q, v, u], [casadi.vertcat(N @ v, casadi.solve(M, B @ u - h))])


def test_swing_up_of_the_wheeled_pendulum(monkeypatch: pytest.MonkeyPatch) -> None:
    module = example("casadi_swing_up", monkeypatch)
    models = pendulum_on_sx(), module.dynamics(), module.dynamics(external=True)
    below, above = module.ends()
    found = [module.swing_up(f, below, above) for f in models]
    assert all(x["success"] for x in found)
    assert np.ptp([x["cost"] for x in found]) < 1e-7 * found[0]["cost"]
    # The cost is flat at its least: a tolerance of 1e-9 leaves the torques open by √1e-9 of their limit.
    far = [np.abs(x["x"] - found[0]["x"]).max() for x in found]
    assert max(far) < 1e-9**0.5 * module.LIMIT
    x = np.array([0.1, 0.2, 0.3, -0.4, 0.5]), np.array([0.6, -0.7, 0.8]), np.array([30.0, -20.0])
    values = [np.array(f(*x)) for f in models]
    assert all(np.abs(y - values[0]).max() < 1e-12 * np.abs(y).max() for y in values)


def test_point_to_point_of_panda(monkeypatch: pytest.MonkeyPatch) -> None:
    module = example("casadi_point_to_point", monkeypatch)
    path = robot_file(FILES["panda"][0])
    found = [module.point_to_point(*module.functions(path, external)) for external in (False, True)]
    assert all(x["success"] for x in found)
    assert np.ptp([x["cost"] for x in found]) < 1e-9 * found[0]["cost"]
    assert found[0]["iter_count"] < 100

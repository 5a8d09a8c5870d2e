"""All programs on the same state: nothing is timed that does not compute the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .casadi_calls import CasadiCalls
from .equamo_calls import EquamoCalls
from .models import States, Tree
from .mujoco_calls import MujocoCalls, order, rotation
from .pinocchio_calls import ALGORITHMS, PinocchioCalls

TOLERANCE = 1e-9  # angles within 1e-11 of a quarter turn are taken for it by ours and by CasADi's


def relative(a: np.ndarray, b: np.ndarray) -> float:
    """max|a − b| / max|b|."""
    return float(np.abs(a - b).max() / np.abs(b).max())


def placed(x: np.ndarray, at: list[int]) -> np.ndarray:
    """Entries of another order, put where the tree has them."""
    turned = np.zeros_like(x)
    turned[np.ix_(*[at] * x.ndim)] = x
    return turned


def disagreements(
    tree: Tree,
    ours: EquamoCalls,
    theirs: PinocchioCalls,
    simulator: MujocoCalls,
    generated: CasadiCalls,
) -> float:
    """The largest relative difference from Pinocchio at the last state; an error if it is large."""
    worst: dict[str, float] = {}
    for function, ways in ALGORITHMS.items():
        results: dict[str, Any] = {}
        for way in ways:
            theirs.time(function, 1, way)
            results[way] = theirs.result
        reference = results[next(iter(ways))]
        simulator.time(function, 1)
        results["MuJoCo"] = from_mujoco(function, simulator.result, tree, generated.states)
        if generated.time(function, 1) > 0:
            results["CasADi"] = generated.result
        for name, x in from_equamo(function, ours).items():
            results[name] = x
        for name, x in results.items():
            worst[f"{function}, {name}"] = relative(x, reference)
    wrong = {name: x for name, x in worst.items() if not x <= TOLERANCE}
    assert not wrong, wrong
    return max(worst.values())


def from_mujoco(
    function: str, x: np.ndarray, tree: Tree, states: States, k: int = -1
) -> np.ndarray:
    """MuJoCo's result in the speeds of the tree: of a free base linear velocity in the body's axes."""
    at = [i for j in order(tree) for i in range(tree.first_v[j], tree.first_v[j + 1])]
    x, T = placed(x, at), np.eye(tree.nv)
    spin = np.zeros(tree.nv)
    if tree.kinds[0] == "FreeFlyer":
        T[:3, :3] = rotation(states.q[k, 3:7])
        spin[:3] = np.cross(states.v[k, 3:6], states.v[k, :3])
    if function == "mass_matrix":
        return T.T @ x @ T
    return T.T @ x - (spin if function == "forward_dynamics" else 0)


def from_equamo(function: str, ours: EquamoCalls) -> dict[str, np.ndarray]:
    """Our results, as one call and as batches, without damping and friction, which others leave out."""
    ours.time(function, 1)
    found = {"equamo": ours.result}
    for layout in ("rows", "columns"):
        ours.time_batch(function, 1, layout)
        found[f"batch, {layout}"] = ours.results[-1].reshape(ours.result.shape)
    q, v = ours.given["q"][-1], ours.given["v"][-1]
    passive = ours.fast.passive_force(q, v)
    if function == "inverse_dynamics":
        found = {name: x + passive for name, x in found.items()}
    elif function == "forward_dynamics":
        lost = np.linalg.solve(ours.fast.mass_matrix(q), passive)
        found = {name: x - lost for name, x in found.items()}
    return {name: placed(x, ours.speeds) for name, x in found.items()}

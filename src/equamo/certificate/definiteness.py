"""Is M positive definite? Looked at with numbers, at random states; reported, not part of `ok`."""

from __future__ import annotations

import numpy as np

from ..equations import EquationsOfMotion
from ..errors import EvaluationError

_STATES = 20


def definiteness(eom: EquationsOfMotion, seed: int) -> str:
    """One sentence: the smallest eigenvalue seen, or the speed along which M is singular."""
    n = len(eom.v)
    if n == 0:
        return "M is empty: the robot has no degree of freedom"
    q = np.random.default_rng(seed).uniform(-1, 1, (_STATES, len(eom.q)))
    for group in eom.robot.unit_groups:
        columns = [eom.q.index(x) for x in group]
        q[:, columns] /= np.linalg.norm(q[:, columns], axis=1, keepdims=True)
    try:
        M = eom.evaluate("mass_matrix", q=q)
    except EvaluationError as error:
        return f"M not looked at with numbers: {error}"
    values, vectors = np.linalg.eigh(M)
    worst = int(np.argmin(values[:, 0]))
    smallest, largest = float(values[worst, 0]), float(abs(values[worst]).max())
    if smallest > 1e-12 * largest:
        low, high = float(values[:, 0].min()), float(values[:, -1].max())
        return (
            f"M positive definite at {_STATES} random states (eigenvalues {low:.3g} to {high:.3g})"
        )
    speed = eom.v[int(np.argmax(abs(vectors[worst][:, 0])))].name
    word = "singular" if smallest > -1e-9 * largest else f"indefinite ({smallest:.3g})"
    return f"M is {word} along {speed}: forward dynamics has no answer there"

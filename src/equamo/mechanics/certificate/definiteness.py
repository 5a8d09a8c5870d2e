"""Numerical check at random states that M is positive definite; a remark, not part of `ok`."""

from __future__ import annotations

from math import hypot
from random import Random
from typing import Final

from ...algebra.expr import Expr, symbol
from ...algebra.expr.evaluate import FLOATS, Tape
from ...algebra.expr.matrix import Matrix
from ...errors import UnknownNameError
from ...robot.model.eigenvalues import Rows, eigenvalues
from ..equations import EquationsOfMotion
from ..equations.constrained import is_augmented

_STATES: Final = 20
_LARGE: Final = 40  # speeds; eigenvalues take n³ operations, 10 % of the proof time for 107 speeds
_STATES_IF_LARGE: Final = 5


def definiteness(eom: EquationsOfMotion, seed: int) -> str:
    """Remark on M: its extreme eigenvalues, or the speed along which it is singular."""
    if not eom.v:
        return "M is empty: the robot has no degree of freedom"
    regular, remark = _remark(eom, "M", eom.mass_matrix, seed)
    if regular or not is_augmented(eom.robot):
        return remark
    # The augmented form has a solution wherever M + AᵀA is regular.
    A = eom.constraint_matrix
    return f"{remark}; {_remark(eom, 'M + AᵀA', eom.mass_matrix + A.T @ A, seed)[1]}"


def _remark(eom: EquationsOfMotion, name: str, matrix: Matrix, seed: int) -> tuple[bool, str]:
    """Whether a matrix is positive definite or unknown, and a remark on it."""
    try:
        seen = [(min_max(M), M) for M in _matrices(eom, matrix, Random(seed))]
    except UnknownNameError as error:
        reason = f"parameter {error.name!r} has no default value"
        return True, f"{name} not evaluated numerically: {reason}"
    except (ArithmeticError, ValueError) as error:  # such as a division by 0 at the default values
        return True, f"{name} not evaluated numerically: {error}"
    (smallest, most), worst = min(seen, key=lambda x: x[0][0])
    largest = max(abs(smallest), abs(most))
    if smallest > 1e-12 * largest:
        high = max(high for (_, high), _ in seen)
        return True, (
            f"{name} positive definite at {len(seen)} random states "
            f"(eigenvalues {smallest:.3g} to {high:.3g})"
        )
    speed = eom.v[_largest_component(worst, smallest, largest)].name
    word = "singular" if smallest > -1e-9 * largest else f"indefinite ({smallest:.3g})"
    solved_by_rows = name == "M" and is_augmented(eom.robot)
    consequence = "" if solved_by_rows else ": forward dynamics has no solution there"
    return False, f"{name} is {word} along {speed}{consequence}"


def min_max(M: Rows) -> tuple[float, float]:
    """Smallest and largest eigenvalue."""
    low, high = eigenvalues(M, [0, -1])
    return low, high


def _matrices(eom: EquationsOfMotion, M: Matrix, random: Random) -> list[Rows]:
    """A matrix at random states with unit quaternions, and parameters at their default values."""
    tape, n = Tape(M.entries), len(eom.v)
    robot = eom.robot
    fixed = {symbol(n): float(x) for n, x in robot.values.items() if x is not None}
    matrices: list[Rows] = []
    for _ in range(_STATES if n <= _LARGE else _STATES_IF_LARGE):
        state: dict[Expr, float] = {x: random.uniform(-1, 1) for x in eom.q}
        for group in robot.unit_groups:
            length = hypot(*(state[x] for x in group))
            state |= {x: state[x] / length for x in group}
        entries = [float(x) for x in tape.run(FLOATS, fixed | state)]
        matrices.append([entries[i * n : (i + 1) * n] for i in range(n)])
    return matrices


def _largest_component(M: Rows, eigenvalue: float, largest: float) -> int:
    """Index of the eigenvector's largest component, by inverse iteration with a regularising shift."""
    from flint import arb_mat  # only a singular M needs it

    n, shift = len(M), eigenvalue - 1e-10 * (largest or 1.0)
    shifted = arb_mat([[x - shift * (i == j) for j, x in enumerate(r)] for i, r in enumerate(M)])
    # An irregular start, so that it is not perpendicular to the eigenvector.
    x = [1.0 + 0.1 * ((k * k + 1) % 7) for k in range(n)]
    for _ in range(3):
        solved = shifted.solve(arb_mat([[y] for y in x]), algorithm="approx")
        x = [float(y.mid()) for y in solved.entries()]
        length = hypot(*x)
        x = [y / length for y in x]
    return max(range(n), key=lambda k: abs(x[k]))

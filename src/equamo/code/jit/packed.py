"""Packed: the entries of a matrix that can differ from zero, with their rows and columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from ...mechanics.equations.state_reader import Array
from ..ir.function import Result

Indices = NDArray[np.intp]


@final
@dataclass(frozen=True, eq=False)
class Packed:
    """Structurally nonzero entries of a matrix, or of one matrix per state of a batch.

    Entry k is `values[..., k]`, in row `rows[k]` and column `columns[k]`, row by row. All other entries
    are 0, except that a symmetric matrix has only its lower triangle here.

    >>> lower = Packed(np.array([1.0, 2.0]), np.array([0, 1]), np.array([0, 0]), (2, 2), symmetric=True)
    >>> lower.dense()
    array([[1., 2.],
           [2., 0.]])
    """

    values: Array  # entries, the batch axis first
    rows: Indices  # row of each entry
    columns: Indices  # column of each entry
    shape: tuple[int, int]  # of the matrix
    symmetric: bool = False  # whether only the lower triangle is stored

    def dense(self) -> Array:
        """The whole matrix, (rows, columns) or (N, rows, columns)."""
        found = np.zeros((*self.values.shape[:-1], *self.shape), self.values.dtype)
        found[..., self.rows, self.columns] = self.values
        if self.symmetric:
            found[..., self.columns, self.rows] = self.values
        return found


def places_of(result: Result) -> tuple[Indices, Indices]:
    """Rows and columns of a packed result, read-only: all calls share them."""
    both = np.array(result.places or (), np.intp).reshape(-1, 2).T.copy()
    both.flags.writeable = False
    return both[0], both[1]

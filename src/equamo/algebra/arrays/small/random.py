"""Random numbers with a seed; they differ from NumPy's."""

from __future__ import annotations

from random import Random
from typing import Any, final

from .making import full


@final
class Generator:
    """Generator with the methods of NumPy's that equamo uses."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def standard_normal(self, size: Any = None) -> Any:
        """Normal numbers with mean 0 and variance 1."""
        return self._filled(size, lambda: self._random.gauss(0.0, 1.0))

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Any = None) -> Any:
        """Uniformly distributed numbers."""
        return self._filled(size, lambda: self._random.uniform(low, high))

    def _filled(self, size: Any, draw: Any) -> Any:
        if size is None:
            return draw()
        result = full(size, 0.0)
        result.data[:] = [draw() for _ in result.data]
        return result


def default_rng(seed: int) -> Generator:
    """Generator whose numbers depend on the seed only."""
    return Generator(seed)

"""Pictures of robots have the solids and polygons that were looked at, to six digits."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from picture_numbers import FOLDER, ROBOTS, picture, robot


def rows(text: str) -> dict[str, list[list[float]]]:
    """{words: numbers of each line with these words}"""
    found: dict[str, list[list[float]]] = defaultdict(list)
    for line in text.splitlines():
        words, _, numbers = line.partition(" : ")
        found[words].append([float(x) for x in numbers.split()])
    return found


@pytest.mark.parametrize("name", ROBOTS)
def test_every_solid_and_polygon(name: str) -> None:
    """In any order: two at the same depth may be drawn one way or the other."""
    ours = rows(picture(robot(name)))
    expected = rows((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    assert {w: len(x) for w, x in ours.items()} == {w: len(x) for w, x in expected.items()}
    for words, lines in expected.items():
        found = np.array(ours[words])
        for numbers in lines:
            gaps = np.abs(found - numbers).max(axis=1, initial=0.0)
            k = int(gaps.argmin())
            assert gaps[k] < 2e-6 * (1 + np.abs(numbers).max(initial=0.0)), (words, numbers)
            found = np.delete(found, k, axis=0)

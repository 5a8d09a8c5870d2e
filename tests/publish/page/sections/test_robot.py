"""The legend of what could not be drawn."""

from __future__ import annotations

import pytest

from equamo.publish.page.sections import robot as section


@pytest.mark.parametrize("more", [0, 1])
def test_the_legend_counts_the_problems_that_it_leaves_out(more: int) -> None:
    problems = [f"mesh {k}.stl is missing" for k in range(section.MOST_PROBLEMS + more)]
    (details,) = section._not_drawn(problems)  # pyright: ignore[reportPrivateUsage]
    text = str(details)
    assert problems[section.MOST_PROBLEMS - 1] in text
    assert ("and 1 more" in text) == (more == 1)
    assert "and 0 more" not in text
    assert section._not_drawn([]) == []  # pyright: ignore[reportPrivateUsage]

"""Problems of a model text, as the studio marks them."""

from __future__ import annotations

from equamo.publish.studio.problems import problem


def test_a_problem_has_at_least_one_character() -> None:
    assert problem("wrong", 3, 7, 9)["end_column"] == 9
    assert problem("wrong", 3, 7, 7)["end_column"] == 8  # an empty place would not be seen
    assert problem("wrong", 3, 7, 2)["end_column"] == 8

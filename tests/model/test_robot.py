"""Robots: bodies are a tree, parents before children."""

import pytest

from equamo.errors import ModelError, UnknownNameError
from equamo.model import Body, Robot, revolute


def body(name: str, parent: str) -> Body:
    return Body(name, revolute(f"q_{name}"), mass=1, parent=parent)


@pytest.mark.parametrize(
    ("bodies", "kind", "said"),
    [
        ([("a", "b"), ("b", "world")], ModelError, "'a' is declared before its parent 'b'"),
        ([("a", "b"), ("b", "a")], ModelError, "'a' is declared before its parent 'b'"),
        ([("a", "a")], ModelError, "'a' is its own parent"),
        ([("a", "world"), ("a", "world")], ModelError, "two bodies named 'a'"),
        ([("arm", "world"), ("b", "arn")], UnknownNameError, "Unknown parent 'arn'.*mean 'arm'"),
    ],
)
def test_what_is_no_tree_is_refused(
    bodies: list[tuple[str, str]], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said) as caught:
        Robot("r", [body(*b) for b in bodies])
    assert type(caught.value) is kind

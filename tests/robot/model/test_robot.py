"""Robots: bodies are a tree, parents before children."""

import pytest

from equamo.errors import ModelError, UnknownNameError
from equamo.robot.model import Body, Robot, check, revolute


def body(name: str, parent: str) -> Body:
    return Body(name, revolute(f"q_{name}"), mass=1, parent=parent)


@pytest.mark.parametrize(
    ("bodies", "kind", "said"),
    [
        ([("a", "b"), ("b", "world")], ModelError, "'a' must come after its parent 'b'"),
        ([("a", "b"), ("b", "a")], ModelError, "'a' must come after its parent 'b'"),
        ([("a", "a")], ModelError, "'a' must not be its own parent"),
        (
            [("a", "world"), ("a", "world")],
            ModelError,
            "bodies must have different names, got two named 'a'",
        ),
        ([("arm", "world"), ("b", "arn")], UnknownNameError, "Unknown parent 'arn'.*mean 'arm'"),
    ],
)
def test_what_is_no_tree_is_refused(
    bodies: list[tuple[str, str]], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said) as caught:
        Robot("r", [body(*b) for b in bodies])
    assert type(caught.value) is kind


def test_two_joints_must_not_share_a_coordinate() -> None:
    bodies = [Body("a", revolute("q"), mass=1), Body("b", revolute("q"), mass=1)]
    with pytest.raises(
        ModelError, match=r"'q' must be .* only one joint, got those of bodies 'a' and"
    ):
        Robot("r", bodies)


def test_functions_of_robots_expect_one() -> None:
    with pytest.raises(ModelError, match=r"check: expected a Robot, got 'rr_arm'; load one with"):
        check("rr_arm")  # type: ignore[arg-type]


def test_an_unknown_body_is_met_with_the_nearest() -> None:
    with pytest.raises(
        UnknownNameError, match=r"Unknown body 'arn' in robot 'r'\. Did you mean 'arm'"
    ):
        Robot("r", [body("arm", "world")]).body("arn")

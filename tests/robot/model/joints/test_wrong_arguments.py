"""Arguments of joints that are not valid: the error names the joint and what would be valid."""

from collections.abc import Callable

import pytest

import equamo as eq
from equamo.errors import ModelError

WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: eq.planar("x y"), "planar: q must be 3 names, or one prefix .* x, y, angle, got 2 names"),
    (lambda: eq.custom(""), r"custom: q must have at least one coordinate, got none; use fixed\(\)"),
    (lambda: eq.custom("a b", axis="0 0 1"), "custom: an axis needs exactly one coordinate, got 2"),
    (lambda: eq.free("b", rotation="rpy"), "free: rotation must be 'quaternion' or 'euler', got 'rpy'"),  # type: ignore[arg-type]
    (lambda: eq.spherical("b", rotation="rpy"), "spherical: rotation must be .*, got 'rpy'"),  # type: ignore[arg-type]
]  # fmt: skip


@pytest.mark.parametrize(("make", "message"), WRONG)
def test_wrong_arguments(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        make()

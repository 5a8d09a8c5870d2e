"""Frame of the components of a spatial quantity, compared by identity.

A body keeps its name if its frame is moved, so a name cannot tell two frames apart; an object can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, final

from ...errors import FrameError


@final
class Frame:
    """A coordinate frame. Two frames are the same only if they are one object.

    >>> fore = Frame("fore")
    >>> fore == fore, fore == Frame("fore")
    (True, False)
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name: str = name  # for messages only

    def __repr__(self) -> str:
        return f"Frame({self.name!r})"

    def __copy__(self) -> Frame:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Frame:
        return self

    def __reduce__(self) -> str | tuple[Callable[..., Any], tuple[Any, ...]]:
        # There is one world in every process; other frames stay themselves within one pickle.
        return "WORLD_FRAME" if self is WORLD_FRAME else (Frame, (self.name,))


WORLD_FRAME: Final = Frame("world")


def mismatch(operation: str, expected: Frame, got: Frame) -> FrameError:
    """Error for an operation on quantities that are expressed in different frames."""
    return FrameError(operation, expected.name, got.name)

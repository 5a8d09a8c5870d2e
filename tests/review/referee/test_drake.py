"""Drake: what its plant is told before it is finalized. The library itself is replaced by a record."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equamo.review.referee.libraries.drake import Drake


class Plant:
    """A plant without joints that keeps what it is asked, in order."""

    def __init__(self, step: float) -> None:
        self.asked: list[Any] = [step]

    def __getattr__(self, name: str) -> Any:
        def method(*arguments: Any) -> Any:
            self.asked.append((name, *arguments))
            return () if name == "GetJointIndices" else self

        return method


@pytest.mark.parametrize("free", [False, True])
def test_the_plant_has_the_gravity_of_the_robot(
    monkeypatch: pytest.MonkeyPatch, free: bool
) -> None:
    """Drake has its own until it is told, and Finalize closes the plant. It is continuous: step 0."""
    plant, parsing, tree = (
        ModuleType(f"pydrake.multibody.{x}") for x in ("plant", "parsing", "tree")
    )
    plant.MultibodyPlant = Plant  # type: ignore[attr-defined]
    parsing.Parser = lambda plant: plant  # type: ignore[attr-defined]
    for module in (plant, parsing, tree):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    library: Any = object.__new__(Drake)
    library.description = SimpleNamespace(text="<robot/>", root="base", free=free)
    library.gravity, library.slots = np.array([0.0, 0.3, -1.62]), {}
    library.joints = [SimpleNamespace(name="free", speeds=range(6))]
    library.read()
    asked = library.plant.asked
    names = [x if isinstance(x, float) else x[0] for x in asked]
    assert names[:3] == [0.0, "AddModelsFromString", "GetBodyByName"]
    assert ("set_gravity_vector", library.gravity) in asked
    assert names.index("set_gravity_vector") < names.index("Finalize")
    assert ("WeldFrames" in names) is not free
    assert ("free" in library.slots) is free

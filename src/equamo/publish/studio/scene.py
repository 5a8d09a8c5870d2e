"""`scene`: solids that represent the robot, for new numbers in the same equations."""

from __future__ import annotations

from typing import Any

from .messages import Request, Say
from .model_text import ModelText


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `scene`: the scene and the numbers of the model."""
    return {"scene": scene(model), "numbers": model.numbers, "structure": model.structure}


def scene(model: ModelText) -> dict[str, Any]:
    """Scene of a robot, as the page's viewer draws it."""
    from ..page.scene_data import scene_data

    return scene_data(model.filled(model.robot))

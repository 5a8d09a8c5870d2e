"""simulate(): numbers that are not finite are refused, each by its name."""

from math import inf, nan
from typing import Any

import pytest

from equamo.errors import EvaluationError
from equamo.mechanics.equations import derive
from equamo.motion.simulation.simulate import simulate
from equamo.robot.library import load


@pytest.mark.parametrize("number", [inf, nan])
@pytest.mark.parametrize("name", ["duration", "rtol", "atol", "step"])
def test_refused_by_name(name: str, number: float) -> None:
    options: dict[str, Any] = {"duration": 1.0, name: number}
    if name == "step":
        options["method"] = "rk4"
    with pytest.raises(EvaluationError, match=rf"{name}\b.*finite"):
        simulate(derive(load("rr_arm")), **options)

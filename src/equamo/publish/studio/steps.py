"""`steps`: the derivation by one method, step by step, a page at a time."""

from __future__ import annotations

from typing import Any, Final

from ...algebra.expr.printing.mathml import to_mathml
from ...basics.wording import brief
from ...errors import EquamoError
from ...mechanics.equations import FORMULATIONS
from ...mechanics.equations.derive import derivation
from .messages import Request, Say
from .model_text import ModelText

MOST: Final = 60  # steps in one reply
LONGEST: Final = 4_000  # characters of LaTeX of one step that is typeset
CHARACTERS: Final = 40_000  # of all steps in one reply, after the first


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `steps`: those from number `first` onwards, and their total count."""
    by = request.choice("method", FORMULATIONS, "kane")
    first = request.fields.get("first", 1)
    if type(first) is not int or first < 1:
        raise EquamoError(f"steps: 'first' must be an integer ≥ 1, got {brief(first)}.")
    say(f"deriving by {by.replace('_', ' ')}")
    found = derivation(model.filled(model.robot), by).steps
    numbers = {step: k for k, step in enumerate(found, 1)}
    rows: list[dict[str, Any]] = []
    length = 0
    for number, step in list(enumerate(found, 1))[first - 1 : first - 1 + MOST]:
        latex = step.latex()
        length += len(latex)
        if rows and length > CHARACTERS:
            break
        is_short = len(latex) <= LONGEST
        rows.append({
            "number": number,
            "rule": step.rule,
            "body": step.body,
            "latex": latex if is_short else "",
            "mathml": to_mathml(latex) if is_short else "",
            "from": sorted(numbers[x] for x in step.inputs),
        })  # fmt: skip
    return {"method": by, "count": len(found), "first": first, "steps": rows}

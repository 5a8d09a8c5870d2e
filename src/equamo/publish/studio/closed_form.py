"""`closed_form`: one entry of the equations as a formula, or in terms of named intermediates."""

from __future__ import annotations

from typing import Any, Final

from ...algebra.expr.closed_form.closed_form import closed_form_or_none
from ...algebra.expr.printing.latex import to_latex
from ...algebra.expr.printing.mathml import to_mathml
from ...algebra.expr.printing.text import shared_text
from ...basics.wording import brief
from ...errors import EquamoError, UnknownNameError
from ...mechanics.equations import FORMULATIONS
from ...mechanics.equations.notation import notation_of
from ..page.sections.equations import parts
from .messages import Request, Say
from .model_text import ModelText

BUDGET: Final = 4_000_000
LONGEST: Final = 30_000  # characters of LaTeX that are typeset


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `closed_form` for `part` (such as "M") and `entry`, an index from 0."""
    by = request.choice("method", FORMULATIONS, "recursive")
    eom = model.equations(by)
    found = {p.id: p for p in parts(eom)}
    name = request.text("part")
    if name not in found:
        raise UnknownNameError("part", name, found, "the equations")
    part, index = found[name], request.fields.get("entry")
    if type(index) is not int or not 0 <= index < len(part.entries):
        raise EquamoError(
            f"closed_form: 'entry' must be an integer below {len(part.entries)}, got {brief(index)}."
        )
    entry = part.entries[index]
    say("searching for a short form")
    form = closed_form_or_none(entry, BUDGET)
    if form is None:
        lines = shared_text([entry], prefix="t")
        return {"is_closed": False, "lines": [list(x) for x in lines], "text": "", "latex": "",
                "mathml": ""}  # fmt: skip
    latex = to_latex(form, notation=notation_of(eom.robot))
    return {
        "is_closed": True,
        "lines": [],
        "text": str(form),
        "latex": latex,
        "mathml": to_mathml(latex) if len(latex) <= LONGEST else "",
    }

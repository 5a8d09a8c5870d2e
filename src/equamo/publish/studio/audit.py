"""`audit`: compare equations that a user wrote, as text or LaTeX, with the derived ones.

Each line is one claim, `quantity = formula`, such as `M[1, 1] = m1*L**2 + I1` or
`M_{11} = m_1 L^2 + I_1`. A line `name := formula` defines an abbreviation for the lines below it. Lines
that start with # are comments. With the field `quantity`, the whole text is one formula for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, cast, final

from ...algebra.expr import Expr
from ...algebra.expr.printing.latex import to_latex
from ...algebra.expr.printing.mathml import to_mathml
from ...basics.wording import brief
from ...errors import EquamoError
from ...mechanics.equations import FORMULATIONS, EquationsOfMotion, derive
from ...mechanics.equations.notation import notation_of
from ...review.claims.audit import audit
from ...review.claims.claim import claim
from ...review.claims.finding import Entry, Finding
from .messages import Request, Say
from .model_text import ModelText

MOST: Final = 200  # claims in one request
LONGEST: Final = 4_000  # characters of LaTeX that are typeset
# Letters for quantities in books and papers; those that may also be parameters need an index.
LETTERS: Final = {
    "M": "mass_matrix", "D": "mass_matrix", "H": "mass_matrix", "C": "coriolis_matrix", "b": "bias",
    "c": "bias", "h": "bias", "g": "gravity", "G": "gravity", "B": "input_matrix",
    "tau": "inverse_dynamics", "T": "kinetic_energy", "K": "kinetic_energy", "U": "potential_energy",
    "V": "potential_energy", "P": "potential_energy",
}  # fmt: skip
_SCALARS: Final = ("kinetic_energy", "potential_energy")
_LEFT: Final = re.compile(
    r"""^\s*(?P<letter>\\?[A-Za-z]+)\s*
        (?:\(\s*[^)=]*\))?\s*                                  # of (q, v)
        (?:_\s*\{?(?P<below>[\d\s,]+)\}?|\[(?P<index>[^\]]*)\])?\s*
        (?:\(\s*[^)=]*\))?\s*$""",
    re.VERBOSE,
)
_VERDICTS: Final = {
    "proved": "proved", "proved as read": "undecided", "agrees to rounding": "undecided",
    "convention": "wrong", "wrong (sign)": "wrong", "wrong": "wrong", "undecided": "undecided",
    "unreadable": "undecided", "says nothing": "undecided",
}  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class Written:
    """A claim as it was written."""

    line: int
    text: str
    quantity: str
    formula: str
    definitions: dict[str, str]


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `audit`: one finding per claim; a claim that cannot be read is a finding too."""
    text = request.text("claims")
    quantity = request.text("quantity", "") or None
    method = request.choice("method", FORMULATIONS, "recursive")
    coriolis = request.choice("coriolis", ("christoffel", "split"), "christoffel")
    latex = request.fields.get("latex")
    found = list(written(text, quantity))
    if not found:
        raise EquamoError("audit: 'claims' must have at least one line 'quantity = formula'.")
    if len(found) > MOST:
        raise EquamoError(f"audit: there must be at most {MOST} claims, got {len(found)}.")
    eom = model.equations(method)
    if coriolis != "christoffel":
        eom = derive(eom.robot, by=method, coriolis="split")
    rows: list[dict[str, Any]] = []
    for k, x in enumerate(found):
        say(x.text, k / len(found))
        rows.append(_judged_either(x, eom) if latex is None else _judged(x, eom, bool(latex)))
    return {"findings": rows}


def written(text: str, quantity: str | None = None) -> Iterator[Written]:
    """Claims of a text, with the definitions above each.

    >>> [(x.quantity, x.formula) for x in written("a := 2*L\\nM_{12} = a*m")]
    [('mass_matrix[1,2]', 'a*m')]
    """
    if quantity is not None:
        yield Written(1, text.strip(), _quantity(quantity), text.strip(), {})
        return
    definitions: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        plain = line.strip().strip("$").strip()
        if not plain or plain.startswith(("#", "%")):
            continue
        name, mark, formula = plain.partition(":=")
        if mark:
            definitions[name.strip()] = formula.strip()
            continue
        left, _, right = plain.partition("=")
        yield Written(number, plain, _quantity(left), right.strip(), dict(definitions))


def is_latex(formula: str) -> bool:
    r"""Whether a formula must be LaTeX.

    >>> is_latex(r"m_1 \cos q_1"), is_latex("m1*L^2"), is_latex("m_{1} L^2")
    (True, False, True)
    """
    return bool(re.search(r"\\|\{", formula))


def _quantity(text: str) -> str:
    """Quantity named by the left side, in the vocabulary of claims."""
    match = _LEFT.match(text)
    if match is None:
        return text.strip()
    letter = match["letter"].removeprefix("\\")
    index = match["index"] if match["index"] is not None else _indices(match["below"])
    name = LETTERS.get(letter, letter)
    if index and name not in _SCALARS:
        return f"{name}[{index}]"
    return name


def _indices(below: str | None) -> str:
    """Indices below a letter: 12, 1 2 or 1,2."""
    if not below:
        return ""
    parts = re.findall(r"\d+", below)
    if len(parts) == 1 and len(parts[0]) == 2:
        parts = list(parts[0])
    return ",".join(parts)


# -- findings ----------------------------------------------------------------------------------------
def _judged_either(x: Written, eom: EquationsOfMotion) -> dict[str, Any]:
    """Finding on a claim, read as LaTeX if it must be; otherwise as text, and as LaTeX if that fails."""
    if is_latex(x.formula):
        return _judged(x, eom, latex=True)
    plain = replace(x, formula=x.formula.replace("^", "**"))
    found = _judged(plain, eom, latex=False)
    if found["verdict"] != "error":
        return found
    other = _judged(x, eom, latex=True)  # such as m_1 L^2
    return found if other["verdict"] == "error" else other


def _judged(x: Written, eom: EquationsOfMotion, latex: bool) -> dict[str, Any]:
    head = {"line": x.line, "claim": x.text, "quantity": x.quantity}
    try:
        if not x.formula:
            raise EquamoError(
                f"A claim must be written as 'quantity = formula', got {brief(x.text)}."
            )
        made = claim("claim", f"line {x.line}", x.formula, x.quantity, latex=latex,
                     definitions=x.definitions)  # fmt: skip
        (finding,) = audit([made], eom).findings
    except EquamoError as error:
        return head | {"verdict": "error", "detail": "error", "entries": [],
                       "message": _message(str(error)), "column": _column(str(error))}  # fmt: skip
    return head | _data(finding, eom)


def _data(finding: Finding, eom: EquationsOfMotion) -> dict[str, Any]:
    return {
        "verdict": _VERDICTS[finding.verdict],
        "detail": finding.verdict,
        "entries": [_entry(x, eom) for x in finding.entries],
        "message": "; ".join(
            [*finding.remarks, *([finding.diagnosis] if finding.diagnosis else [])]
        ),
        "edit": "" if finding.edit is None else str(finding.edit),
        "column": None,
    }


def _entry(entry: Entry, eom: EquationsOfMotion) -> dict[str, Any]:
    data = entry.to_data()
    for key in ("residual", "corrected"):
        value = cast(Expr | None, getattr(entry, key))
        data[f"{key}_mathml"] = "" if value is None else _mathml(value, eom)
    witness: dict[str, Any] = data.pop("counterexample", None) or {}
    state: dict[str, str] = witness.get("state", {})
    return data | {
        "verdict": _VERDICTS[entry.verdict],
        "detail": entry.verdict,
        "suggestion": data.get("suggestion", {}).get("edit", ""),
        "witness": {n: _number(x) for n, x in state.items()},
        "difference": entry.difference,
    }


def _mathml(e: Expr, eom: EquationsOfMotion) -> str:
    try:
        latex = to_latex(e, notation=notation_of(eom.robot))
        return to_mathml(latex) if len(latex) <= LONGEST else ""
    except EquamoError:
        return ""


def _number(text: str) -> float | str:
    """Number of a state; a fraction becomes a decimal number."""
    numerator, _, denominator = text.partition("/")
    try:
        value = float(numerator) / float(denominator or 1)
    except (ValueError, ArithmeticError):
        return text
    return value if abs(value) < 1e300 else text


def _message(text: str) -> str:
    """Message without the placeholder name of the claim."""
    return re.sub(r"^(?:printed of |quantity of )?claim 'claim'(?:, column \d+)?: ", "", text)


def _column(text: str) -> int | None:
    match = re.search(r"printed of claim 'claim', column (\d+)", text)
    return int(match[1]) if match else None

"""`linearize`: linear system near a state, its poles, and its controllability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import EquilibriumError, MissingLibraryError
from ...motion.control.linear_system import LinearSystem
from ...motion.control.linearize import linearize
from .messages import Request, Say
from .model_text import ModelText

if TYPE_CHECKING:
    from ...motion.control.controllability import Controllability


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `linearize` at `q`, `v`, `inputs` and parameter `values`, each {name: number}."""
    eom = model.program_equations()
    state = [request.table(n) or None for n in ("q", "v", "inputs")]
    values = request.table("values") or None
    say("at the given state")
    note = ""
    try:
        lin = linearize(eom, *state, values=values)
    except EquilibriumError as error:
        note = f"{error} The inputs are 0 here, so the robot drifts."
        lin = linearize(eom, *state[:2], inputs=[0.0] * len(eom.inputs), values=values)
    return data(lin) | {"note": note}


def data(lin: LinearSystem) -> dict[str, Any]:
    """Linear system as plain data; complex numbers as [real, imaginary]."""
    point = lin.point
    eom = point.eom
    found = _controllability(lin)
    return {
        "states": list(lin.states),
        "inputs": list(lin.inputs),
        "A": lin.A.tolist(),
        "B": lin.B.tolist(),
        "drift": lin.drift.tolist(),
        "poles": poles(lin),
        "controllability": "" if found is None else str(found),
        "is_controllable": None if found is None else bool(found),
        "q": _named(eom.q, point.q),
        "v": _named(eom.v, point.v),
        "inputs_at_point": _named(eom.inputs, point.inputs),
    }


def _controllability(lin: LinearSystem) -> Controllability | None:
    """Controllability; None without inputs, or if SciPy is needed but not installed."""
    if not lin.inputs:
        return None
    try:
        return lin.controllability()
    except (ModuleNotFoundError, MissingLibraryError):
        return None


def poles(lin: LinearSystem) -> list[list[float]]:
    """Poles in the order of their real parts, conjugate pairs together."""
    found = [complex(x) for x in lin.poles]
    found.sort(key=lambda x: (round(x.real, 9), abs(x.imag), x.imag))
    return [[x.real, x.imag] for x in found]


def _named(symbols: Any, numbers: Any) -> dict[str, float]:
    return {s.name: float(x) for s, x in zip(symbols, numbers, strict=True)}

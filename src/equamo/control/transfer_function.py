"""TransferFunction: a ratio of two polynomials in s, exact or in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, cast, final

from ..arguments import items_of
from ..arrays import np
from ..errors import EvaluationError
from ..expr import ZERO, Expr, as_expr
from ..expr.evaluate import Arrays, Tape
from ..expr.graph import ADD, SUB
from ..expr.printing.latex import to_latex
from ..expr.walk import symbols
from ..extras import library
from ..model.arguments import number
from ..wording import brief

Coefficients = tuple[Expr, ...]

LONG: Final = 1000  # larger denominators are shown as decimals


@final
@dataclass(frozen=True)
class TransferFunction:
    """Output over input, numerator / denominator, without common factors.

    Attributes:
        numerator: Coefficients of the powers of s, highest first; () if the input has no effect.
        denominator: The same; the first is not 0.
        input: Name of the input.
        output: Name of the output.

    >>> TransferFunction((as_expr(1),), (as_expr("m"), as_expr("d"), as_expr("k")), "f", "x")
    x/f = 1/(m*s**2 + d*s + k)
    """

    numerator: Coefficients
    denominator: Coefficients
    input: str
    output: str

    def __post_init__(self) -> None:
        for part in ("numerator", "denominator"):
            given: Any = getattr(self, part)
            listed = None if isinstance(given, (str, Mapping)) else items_of(given)
            if listed is None:
                raise EvaluationError(
                    f"TransferFunction: {part} must be a list of coefficients, got "
                    f"{brief(cast(Any, given))}."
                )
            object.__setattr__(self, part, tuple(as_expr(x) for x in listed))

    @property
    def order(self) -> int:
        """Degree of the denominator."""
        return len(self.denominator) - 1

    @cached_property
    def is_zero(self) -> bool:
        """Whether the input has no effect on the output."""
        return not self.numerator

    def numbers(self, values: Mapping[Any, Any] | None = None) -> tuple[Any, Any]:
        """(numerator, denominator) as arrays of floats.

        Args:
            values: {parameter: number} for the parameters that occur.

        Returns:
            Coefficients of the powers of s, highest first.

        Raises:
            EvaluationError: A parameter has no value.
        """
        if values is not None and not isinstance(values, Mapping):  # pyright: ignore
            raise EvaluationError(
                f"values must be a mapping {{name: number}}, got {brief(values)}."
            )
        known = {
            as_expr(k): float(number(f"The value of {k!s:.80}", x))
            for k, x in (values or {}).items()
        }
        rows = [*(self.numerator or (ZERO,)), *self.denominator]
        missing = [x.name for x in symbols(rows) if x not in known]
        if missing:
            raise EvaluationError(
                f"The transfer function needs values for all its parameters, got none for "
                f"{', '.join(missing)}; pass values={{{missing[0]!r}: …}}."
            )
        given = {x: np.float64(a) for x, a in known.items()}
        found = np.array(Tape(rows).run(Arrays(), given), dtype=np.float64)
        split = len(rows) - len(self.denominator)
        return found[:split], found[split:]

    def poles(self, values: Mapping[Any, Any] | None = None) -> Any:
        """Roots of the denominator, in numbers."""
        return np.roots(self.numbers(values)[1])

    def zeros(self, values: Mapping[Any, Any] | None = None) -> Any:
        """Roots of the numerator, in numbers."""
        return np.roots(self.numbers(values)[0])

    def to_control(self, values: Mapping[Any, Any] | None = None) -> Any:
        """Transfer function of python-control, in numbers."""
        control = python_control()
        return control.tf(*self.numbers(values), inputs=[self.input], outputs=[self.output])

    def latex(self) -> str:
        r"""LaTeX of the ratio: \frac{…}{…}."""
        if self.is_zero:
            return "0"
        top, bottom = latex_polynomial(self.numerator), latex_polynomial(self.denominator)
        return top if bottom == "1" else rf"\frac{{{top}}}{{{bottom}}}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def __str__(self) -> str:
        if self.is_zero:
            return "0"
        top, bottom = text_polynomial(self.numerator), text_polynomial(self.denominator)
        if bottom == "1":
            return top
        return f"{_bracketed(top)}/{_bracketed(bottom)}"

    def __repr__(self) -> str:
        return f"{self.output}/{self.input} = {self}"


def text_polynomial(coefficients: Sequence[Expr]) -> str:
    """Polynomial in s as text, highest power first."""
    parts: list[str] = []
    for k, c in _terms(coefficients):
        power = {0: "", 1: "s"}.get(k, f"s**{k}")
        text = _number(c) or str(c)
        negative = text.startswith("-") and _is_product(c)
        text = text[1:] if negative else text
        if power:
            text = power if text == "1" else f"{text if _is_product(c) else f'({text})'}*{power}"
        sign = "-" if negative else "+"
        parts.append(f"{sign} {text}" if parts else ("-" if negative else "") + text)
    return " ".join(parts) or "0"


def latex_polynomial(coefficients: Sequence[Expr]) -> str:
    """Polynomial in s as LaTeX, highest power first."""
    parts: list[str] = []
    for k, c in _terms(coefficients):
        power = {0: "", 1: "s"}.get(k, f"s^{{{k}}}")
        text = _number(c) or to_latex(c)
        negative = text.startswith("-") and _is_product(c)
        text = text[1:].strip() if negative else text
        if power:
            wrapped = text if _is_product(c) else rf"\left({text}\right)"
            text = power if text == "1" else rf"{wrapped} \, {power}"
        sign = "-" if negative else "+"
        parts.append(f"{sign} {text}" if parts else ("-" if negative else "") + text)
    return " ".join(parts) or "0"


def _terms(coefficients: Sequence[Expr]) -> list[tuple[int, Expr]]:
    n = len(coefficients) - 1
    return [(n - i, c) for i, c in enumerate(coefficients) if c is not ZERO]


def _is_product(x: Expr) -> bool:
    return x.op not in (ADD, SUB)


def _bracketed(text: str) -> str:
    marks = text.replace("**", "^")
    plain = all(mark not in marks for mark in (" + ", " - ", "*", "/"))
    return text if plain else f"({text})"


def _number(c: Expr) -> str | None:
    """Decimals of a number that is not a short fraction."""
    if c.value is None or Fraction(c.value).denominator < LONG:
        return None
    return f"{float(c.value):.6g}"


def python_control() -> Any:
    """Module of python-control; an error with advice if it is not installed."""
    return library("control", "to_control()")

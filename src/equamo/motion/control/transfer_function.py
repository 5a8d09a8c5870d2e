"""TransferFunction: a ratio of two polynomials in s, or in z in discrete time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Any, Final, cast, final

from ...algebra.arrays import np
from ...algebra.expr import ZERO, Expr, as_expr
from ...algebra.expr.evaluate import Arrays, Tape, nearest_double
from ...algebra.expr.graph import ADD, SUB
from ...algebra.expr.printing.latex import to_latex
from ...algebra.expr.walk import symbols
from ...basics.arguments import items_of
from ...basics.extras import library
from ...basics.wording import brief
from ...errors import EvaluationError, NumberRangeError
from ...robot.model.arguments import number
from .rational_polynomials import Polynomial, at_points, frequencies, ratio_at, roots

Coefficients = tuple[Expr, ...]

ERROR: Final = 1e-6  # largest relative error of polynomials with float coefficients
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
        dt: Step [s] in discrete time, where the polynomials are in z; None in continuous time.

    >>> TransferFunction((as_expr(1),), (as_expr("m"), as_expr("d"), as_expr("k")), "f", "x")
    x/f = 1/(m*s**2 + d*s + k)
    """

    numerator: Coefficients
    denominator: Coefficients
    input: str
    output: str
    dt: float | None = None

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

    @property
    def variable(self) -> str:
        """ "s", or "z" in discrete time."""
        return "s" if self.dt is None else "z"

    @cached_property
    def is_zero(self) -> bool:
        """Whether the input has no effect on the output."""
        return not self.numerator

    def __call__(self, s: Any, values: Mapping[Any, Any] | None = None) -> Any:
        """Value at a complex number s, or at an array of them; at z in discrete time.

        Args:
            s: Where to evaluate; 2j is the frequency 2 rad/s.
            values: {parameter: number} for the parameters that occur.

        Returns:
            A complex number, or an array of them, without rounding errors of the polynomials.

        Raises:
            EvaluationError: s is a pole or not a finite number, or a parameter has no value.
        """
        top, bottom = self._exact(values)
        return at_points(lambda z: ratio_at(top, bottom, z), s)

    def numbers(self, values: Mapping[Any, Any] | None = None) -> tuple[Any, Any]:
        """(numerator, denominator) as arrays of floats.

        Args:
            values: {parameter: number} for the parameters that occur.

        Returns:
            Coefficients of the powers of s, highest first.

        Raises:
            EvaluationError: A parameter has no value, or polynomials with float coefficients are too
                far from the transfer function, as they may be if it has many poles close together.
        """
        top, bottom = self._exact(values)
        try:
            parts = [
                np.array([nearest_double(c) for c in p]) for p in (top or [Fraction(0)], bottom)
            ]
        except NumberRangeError:
            parts = None
        if parts is None or not self._represented(parts[0], parts[1], top, bottom):
            raise EvaluationError(
                f"The polynomials of {self.output}/{self.input} must be accurate to {ERROR:g} with "
                "float coefficients, but are not; evaluate the transfer function itself, tf(1j*omega), "
                "or use the state-space form, lin.to_control()."
            )
        return parts[0], parts[1]

    def _represented(self, above: Any, below: Any, top: Polynomial, bottom: Polynomial) -> bool:
        """Whether polynomials of floats have the right values, evaluated in floats."""
        for s in frequencies(top, bottom, self.dt):
            try:
                exact = ratio_at(top, bottom, s)
            except EvaluationError:  # a pole
                continue
            found = _horner(above, s) / (_horner(below, s) or float("nan"))
            if not abs(found - exact) <= ERROR * abs(exact):
                return False
        return True

    def _exact(self, values: Mapping[Any, Any] | None) -> tuple[list[Fraction], list[Fraction]]:
        """(numerator, denominator) as exact numbers."""
        if values is not None and not isinstance(values, Mapping):  # pyright: ignore
            raise EvaluationError(
                f"values must be a mapping {{name: number}}, got {brief(values)}."
            )
        known = {
            as_expr(k): float(number(f"The value of {k!s:.80}", x))
            for k, x in (values or {}).items()
        }
        rows = [*self.numerator, *self.denominator]
        missing = [x.name for x in symbols(rows) if x not in known]
        if missing:
            raise EvaluationError(
                f"The transfer function needs values for all its parameters, got none for "
                f"{', '.join(missing)}; pass values={{{missing[0]!r}: …}}."
            )
        if all(c.value is not None for c in rows):
            found = [Fraction(c.value or 0) for c in rows]
        else:
            given = {x: np.float64(a) for x, a in known.items()}
            with np.errstate(all="ignore"):  # an overflow is an error below
                numbers = [float(c) for c in Tape(rows).run(Arrays(), given)]
            if not all(isfinite(c) for c in numbers):
                raise EvaluationError(
                    f"The coefficients of {self.output}/{self.input} must be finite, got "
                    f"{brief(numbers)} with these values; choose others."
                )
            found = [Fraction(c) for c in numbers]
        split = len(self.numerator)
        return found[:split], found[split:]

    def poles(self, values: Mapping[Any, Any] | None = None) -> Any:
        """Roots of the denominator, in numbers."""
        return np.array(roots(self._exact(values)[1]), dtype=complex)

    def zeros(self, values: Mapping[Any, Any] | None = None) -> Any:
        """Roots of the numerator, in numbers."""
        return np.array(roots(self._exact(values)[0]), dtype=complex)

    def to_control(self, values: Mapping[Any, Any] | None = None) -> Any:
        """Transfer function of python-control, in numbers; see `numbers`."""
        control = python_control()
        top, bottom = self.numbers(values)
        names = {"inputs": [self.input], "outputs": [self.output]}
        return control.tf(top, bottom, self.dt or 0, **names)

    def latex(self) -> str:
        r"""LaTeX of the ratio: \frac{…}{…}."""
        if self.is_zero:
            return "0"
        top, bottom = (
            latex_polynomial(p, self.variable) for p in (self.numerator, self.denominator)
        )
        return top if bottom == "1" else rf"\frac{{{top}}}{{{bottom}}}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def __str__(self) -> str:
        if self.is_zero:
            return "0"
        top, bottom = (
            text_polynomial(p, self.variable) for p in (self.numerator, self.denominator)
        )
        if bottom == "1":
            return top
        return f"{_bracketed(top)}/{_bracketed(bottom)}"

    def __repr__(self) -> str:
        return f"{self.output}/{self.input} = {self}"


def text_polynomial(coefficients: Sequence[Expr], variable: str = "s") -> str:
    """Polynomial as text, highest power first."""
    parts: list[str] = []
    for k, c in _terms(coefficients):
        power = {0: "", 1: variable}.get(k, f"{variable}**{k}")
        text = _number(c) or str(c)
        negative = text.startswith("-") and _is_product(c)
        text = text[1:] if negative else text
        if power:
            text = power if text == "1" else f"{text if _is_product(c) else f'({text})'}*{power}"
        sign = "-" if negative else "+"
        parts.append(f"{sign} {text}" if parts else ("-" if negative else "") + text)
    return " ".join(parts) or "0"


def latex_polynomial(coefficients: Sequence[Expr], variable: str = "s") -> str:
    """Polynomial as LaTeX, highest power first."""
    parts: list[str] = []
    for k, c in _terms(coefficients):
        power = {0: "", 1: variable}.get(k, f"{variable}^{{{k}}}")
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
    # not a float: 1e-400 must not become 0
    number = Decimal(c.value.numerator) / Decimal(c.value.denominator)
    return f"{float(number):.6g}" if isfinite(float(number)) and float(number) else f"{number:.6g}"


def _horner(coefficients: Any, s: complex) -> complex:
    total = 0j
    for c in coefficients:
        total = total * s + float(c)
    return total


def python_control() -> Any:
    """Module of python-control; an error with advice if it is not installed."""
    return library("control", "to_control()")

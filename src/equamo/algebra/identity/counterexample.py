"""Search for a real state at which an expression is certainly not zero.

The expression is evaluated in ball arithmetic (Arb), first with 60, then with 120 digits: every number
carries a rigorous error bound, so a ball that excludes zero proves that the expression is not zero.
This holds where every node below is defined: all intermediate balls must be finite.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final, NamedTuple, final

from ..expr.evaluate import Ring, Tape
from ..expr.functions import TABLE
from ..expr.graph import ATAN2, FIRST_BINARY, FIRST_FUNCTION, SYMBOL, Expr

ATTEMPTS: Final = 60
_DIGITS: Final = (60, 120)
_SMALLEST: Final = 5e-324  # smallest float; replaces numbers closer to 0
_ARB: Final = {"abs": "__abs__", "sign": "sgn"}  # functions with another name in Arb


class Counterexample(NamedTuple):
    """State, value at this state, and index of the output that has it."""

    state: dict[str, float | Fraction]
    difference: float
    entry: int


@final
class Balls(Ring):
    """Real numbers as balls (midpoint and radius); undefined or unknown values are not finite.

    A function of a value that is not finite is not finite either. (Arb itself maps nan to a finite
    ball: sgn(nan) is 0 ± 1.)
    """

    def __init__(self) -> None:
        import flint

        self.flint: Any = flint

    def constant(self, value: int | Fraction) -> Any:
        return self.flint.arb(self.flint.fmpq(value.numerator, value.denominator))

    def pi(self) -> Any:
        return self.flint.arb.pi()

    def apply(self, node: Expr, *x: Any) -> Any:
        nan = self.flint.arb.nan()
        if not all(ball.is_finite() for ball in x):
            return nan
        if node.op == ATAN2:
            undefined = x[0].contains(0) and x[1].contains(0)
            return nan if undefined else self.flint.arb.atan2(*x)
        name = TABLE[node.op].name
        function = getattr(x[0], _ARB.get(name, name), None)
        return nan if function is None else function()

    def power(self, x: Any, k: Any) -> Any:
        # Arb's real power of a ball that contains 0 is nan, by way of the logarithm.
        return (self.flint.acb(x) ** k).real


def find_counterexample(
    outputs: Sequence[Expr],
    unit: Sequence[Sequence[Expr]],
    random: Random,
    attempts: int = ATTEMPTS,
    domains: Sequence[Sequence[Expr]] = (),  # for each output, further nodes that must be defined
    positive: Collection[Expr] = (),  # symbols that are never negative
) -> Counterexample | None:
    """Search for a state at which one of the outputs is certainly not zero; None if not found."""
    more = domains or [()] * len(outputs)
    needed = [[y, *others] for y, others in zip(outputs, more, strict=True)]
    tape = Tape([y for group in needed for y in group])
    ring = Balls()
    symbols = sorted((n for n in tape.leaves if n.op == SYMBOL), key=lambda n: n.name)
    for attempt in range(attempts):
        state = _draw(symbols, unit, random, attempt, positive)
        for digits in _DIGITS:
            with ring.flint.ctx.workdps(digits):
                values = {s: ring.constant(_exact(x)) for s, x in state.items()}
                balls = tape.run_all(ring, values)
            defined = _defined(tape, balls)
            last = iter(tape.outputs)
            for i, group in enumerate(needed):
                numbers = [next(last) for _ in group]
                ball = balls[numbers[0]]
                if all(defined[k] for k in numbers) and not ball.contains(0):
                    difference = float(ball) or (_SMALLEST if ball > 0 else -_SMALLEST)
                    return Counterexample({s.name: v for s, v in state.items()}, difference, i)
    return None


def _defined(tape: Tape, balls: Sequence[Any]) -> list[bool]:
    """Whether a value and all nodes below are finite (1/∞ is 0 in Arb, so the value is not enough)."""
    defined = [ball.is_finite() for ball in balls]
    for k, (op, a, b) in enumerate(tape.steps, start=len(tape.leaves)):
        both = FIRST_BINARY <= op < FIRST_FUNCTION
        defined[k] = defined[k] and defined[a] and (not both or defined[b])
    return defined


def _exact(x: float | Fraction) -> Fraction:
    return x if isinstance(x, Fraction) else Fraction(repr(x))


def _draw(
    symbols: Sequence[Expr], unit: Sequence[Sequence[Expr]], random: Random, attempt: int,
    positive: Collection[Expr] = (),
) -> dict[Expr, float | Fraction]:  # fmt: skip
    """Draw short decimals of growing spread, alternately of both signs and positive."""
    size = (1.0, 0.3, 3.0, 10.0, 0.05, 100.0)[attempt // 2 % 6]
    low = -1.0 if attempt % 2 else 0.0
    state: dict[Expr, float | Fraction] = {}
    for s in symbols:
        x = float(f"{size * random.uniform(low, 1.0):.4g}")
        state[s] = abs(x) if s in positive else x
    for group in unit:
        if any(s in state for s in group):
            t = [Fraction(random.randrange(-99, 100), 50) for _ in group[1:]]
            norm = sum(x * x for x in t)
            point = [(1 - norm) / (1 + norm), *(2 * x / (1 + norm) for x in t)]
            state.update({s: x for s, x in zip(group, point, strict=True) if s in state})
    return state

"""A real state at which an expression is certainly not zero.

Evaluated in ball arithmetic (Arb), first with 60, then with 120 digits: every number carries a
rigorous bound of its error, so a ball without zero in it is a proof that the expression is not zero.
That is so where everything below it is defined: every ball on the way must be finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final, NamedTuple, final

from ..expr.evaluate import Ring, Tape
from ..expr.functions import TABLE
from ..expr.graph import ATAN2, FIRST_BINARY, FIRST_FUNCTION, SYMBOL, Expr

ATTEMPTS: Final = 60
_DIGITS: Final = (60, 120)
_SMALLEST: Final = 5e-324  # float: stands for a number closer to 0
_ARB: Final = {"abs": "__abs__", "sign": "sgn"}  # where the name in Arb is another


class Counterexample(NamedTuple):
    """The state, the value there, and which output has it."""

    state: dict[str, float | Fraction]
    difference: float
    entry: int


@final
class Balls(Ring):
    """Real numbers as balls: midpoint and radius. What is undefined or unknown is not finite, and so
    is every function of it (Arb itself takes nan to a finite ball: sgn(nan) is 0 ± 1)."""

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


def find_counterexample(
    outputs: Sequence[Expr],
    unit: Sequence[Sequence[Expr]],
    random: Random,
    attempts: int = ATTEMPTS,
    domains: Sequence[Sequence[Expr]] = (),  # for each output, what else must be defined
) -> Counterexample | None:
    """A state where one of the outputs is certainly not zero, None if none was found."""
    more = domains or [()] * len(outputs)
    needed = [[y, *others] for y, others in zip(outputs, more, strict=True)]
    tape = Tape([y for group in needed for y in group])
    ring = Balls()
    symbols = sorted((n for n in tape.leaves if n.op == SYMBOL), key=lambda n: n.name)
    for attempt in range(attempts):
        state = _draw(symbols, unit, random, attempt)
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
    """Whether a value and all below it are finite. (Division may come back: 1/∞ is 0 in Arb.)"""
    defined = [ball.is_finite() for ball in balls]
    for k, (op, a, b) in enumerate(tape.steps, start=len(tape.leaves)):
        both = FIRST_BINARY <= op < FIRST_FUNCTION
        defined[k] = defined[k] and defined[a] and (not both or defined[b])
    return defined


def _exact(x: float | Fraction) -> Fraction:
    return x if isinstance(x, Fraction) else Fraction(repr(x))


def _draw(
    symbols: Sequence[Expr], unit: Sequence[Sequence[Expr]], random: Random, attempt: int
) -> dict[Expr, float | Fraction]:
    """Short decimals of growing spread, of both signs and positive in turn."""
    size = (1.0, 0.3, 3.0, 10.0, 0.05, 100.0)[attempt // 2 % 6]
    low = -1.0 if attempt % 2 else 0.0
    state: dict[Expr, float | Fraction] = {}
    for s in symbols:
        state[s] = float(f"{size * random.uniform(low, 1.0):.4g}")
    for group in unit:
        if any(s in state for s in group):
            t = [Fraction(random.randrange(-99, 100), 50) for _ in group[1:]]
            norm = sum(x * x for x in t)
            point = [(1 - norm) / (1 + norm), *(2 * x / (1 + norm) for x in t)]
            state.update({s: x for s, x in zip(group, point, strict=True) if s in state})
    return state

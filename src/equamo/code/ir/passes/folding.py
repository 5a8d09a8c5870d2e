"""Folding of signs and constants, which are known before the program runs."""

from __future__ import annotations

from fractions import Fraction
from typing import final

from ..builder import Builder
from ..program import Program
from .dead_code import dead_code


def folding(program: Program) -> Program:
    """Compute constants, and move signs into sums, where they are free."""
    build = Folder(Builder())
    new: list[int] = []
    for op, args, leaf in program.instructions:
        at = tuple([new[a] for a in args])  # a list is faster than a generator
        match op, at:
            case "neg", (a,):
                new.append(build.neg(a))
            case "add", (a, b):
                new.append(build.add(a, b))
            case "sub", (a, b):
                new.append(build.sub(a, b))
            case "mul", (a, b):
                new.append(build.mul(a, b))
            case "div", (a, b):
                new.append(build.div(a, b))
            case _:
                new.append(build.code.emit(op, at, leaf))
    return dead_code(build.code.finish(program, new))


@final
class Folder:
    """Arithmetic on a Builder that simplifies 0, 1, −1, numbers and signs."""

    def __init__(self, code: Builder) -> None:
        self.code = code

    def neg(self, a: int) -> int:
        """−a"""
        number = self.code.value(a)
        if number is not None:
            return self.code.constant(-number)
        op, args, _ = self.code.instructions[a]
        if op == "neg":
            return args[0]
        if op == "sub":
            return self.code.emit("sub", (args[1], args[0]))
        scaled = self._scaled(a)
        if scaled is not None:
            return self.mul(self.code.constant(-scaled[0]), scaled[1])
        return self.code.emit("neg", (a,))

    def add(self, a: int, b: int) -> int:
        """a + b"""
        (a, minus_a), (b, minus_b) = self._sign(a), self._sign(b)
        if minus_a and minus_b:
            return self.neg(self.add(a, b))
        if minus_a:
            return self.sub(b, a)
        if minus_b:
            return self.sub(a, b)
        x, y = self.code.value(a), self.code.value(b)
        if x is not None and y is not None:
            return self.code.constant(x + y)
        if x == 0:
            return b
        return a if y == 0 else self.code.emit("add", (a, b))

    def sub(self, a: int, b: int) -> int:
        """a − b"""
        (a, minus_a), (b, minus_b) = self._sign(a), self._sign(b)
        if minus_b:
            return self.sub(b, a) if minus_a else self.add(a, b)
        if minus_a:
            return self.neg(self.add(a, b))
        x, y = self.code.value(a), self.code.value(b)
        if x is not None and y is not None:
            return self.code.constant(x - y)
        if x == 0:
            return self.neg(b)
        if a == b:
            return self.code.constant(0)
        return a if y == 0 else self.code.emit("sub", (a, b))

    def mul(self, a: int, b: int) -> int:
        """a·b, with a number first"""
        (a, minus_a), (b, minus_b) = self._sign(a), self._sign(b)
        if minus_a != minus_b:
            return self.neg(self.mul(a, b))
        x, y = self.code.value(a), self.code.value(b)
        if y is not None:
            (a, x), (b, y) = (b, y), (a, x)
        if x is None:
            return self.code.emit("mul", (a, b))
        if y is not None:
            return self.code.constant(x * y)
        if x == 0 or x == 1:
            return a if x == 0 else b
        if x == -1:
            return self.neg(b)
        scaled = self._scaled(b)
        if scaled is not None:  # c₁ (c₂ x) = (c₁ c₂) x
            return self.mul(self.code.constant(x * scaled[0]), scaled[1])
        return self.code.emit("mul", (a, b))

    def div(self, a: int, b: int) -> int:
        """a/b; a product if b is a number"""
        y = self.code.value(b)
        if y:
            return self.mul(self.code.constant(Fraction(1) / y), a)
        (a, minus_a), (b, minus_b) = self._sign(a), self._sign(b)
        quotient = self.code.emit("div", (a, b))
        return self.neg(quotient) if minus_a != minus_b else quotient

    def _scaled(self, a: int) -> tuple[Fraction, int] | None:
        """(c, x) if a is the product c·x with a number c, else None"""
        op, args, _ = self.code.instructions[a]
        if op == "mul":
            for c, x in (args, args[::-1]):
                if (number := self.code.value(c)) is not None:
                    return number, x
        return None

    def _sign(self, a: int) -> tuple[int, bool]:
        """(|a|, whether a is written with a minus sign)"""
        op, args, _ = self.code.instructions[a]
        return (args[0], True) if op == "neg" else (a, False)

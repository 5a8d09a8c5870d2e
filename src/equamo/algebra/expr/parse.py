"""Parser from text to expressions: tokens, then operator precedence on explicit stacks.

    sum      +  −          left      names     q1, θ_R, q̇, `any other-name` in backquotes
    product  *  /  ·  ×    left      numbers   2, 0.1 (is 1/10), 1.5e3: exact
    sign     -x  +x                  pi, π     the number
    power    **  ^         right     functions functions.TABLE and atan2(y, x)

No recursion and no eval; time and memory are linear in the text, and numbers are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, final

from ...basics.wording import brief, with_article
from ...errors import ExpressionError, ParseError
from .functions import BY_NAME, apply, apply_atan2, sqrt
from .graph import LAST_LEAF, ONE, PI_NODE, Expr, constant, symbol
from .rules import add, div, mul, neg, power, sub

MAX_LENGTH: Final = 10_000_000  # characters of text
MAX_DIGITS: Final = 4_300  # of one number, its exponent written out; Python's own limit
MAX_NESTING: Final = 25_000  # parentheses open at once

_TOKEN: Final = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<operator>\*\*|[-+*/^(),−·×⋅∙\u0387])"
    r"|`(?P<quoted>[^`]*)`"
)
_SPACE: Final = re.compile(r"\s*")
_SAME: Final = {"^": "**", "−": "-", "·": "*", "×": "*", "⋅": "*", "∙": "*", "\u0387": "*"}
_SUBSCRIPTS: Final = "₀₁₂₃₄₅₆₇₈₉"
_SUPERSCRIPTS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"

_PRECEDENCE: Final = {"(": 0, "+": 1, "-": 1, "*": 2, "/": 2, "negative": 3, "positive": 3, "**": 4}
_BINARY: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    "+": add, "-": sub, "*": mul, "/": div, "**": power,
}  # fmt: skip
_OPERAND: Final = "a number, a name, a function or '('"
_OPERATOR: Final = "an operator (+ - * / **)"


def is_plain_name(name: str) -> bool:
    """Whether a name can be written in text without backquotes.

    >>> [is_plain_name(n) for n in ("q_1", "θ", "q̇", "joint-1", "sin", "pi")]
    [True, True, True, False, False, False]
    """
    reserved = name in BY_NAME or name in ("atan2", "pi", "π")
    return not reserved and bool(name) and _name_end(name, 0) == len(name)


def _name_end(text: str, start: int) -> int:
    """End of the name that starts at `start`; `start` itself if there is none."""
    end = start
    while end < len(text) and _continues_name(text[end], first=end == start):
        end += 1
    return end


def _continues_name(c: str, first: bool) -> bool:
    if c in _SAME:  # Python allows the middle dot in identifiers
        return False
    return c.isidentifier() if first else f"a{c}".isidentifier() or c in _SUBSCRIPTS


def parse(text: str) -> Expr:
    """Parse text to an exact expression.

    Args:
        text: Sums, products, powers and functions of names and numbers; decimals are exact.

    Returns:
        The expression.

    Raises:
        ParseError: The text is not an expression; the message marks the position.

    >>> parse("0.5*m1*l1**2*cos(q1)")
    l1**2*m1*cos(q1)/2
    >>> parse("2x")
    Traceback (most recent call last):
      ...
    equamo.errors.ParseError: Column 2: expected an operator (+ - * / **), found 'x'; write 2*x.
      2x
       ^
    """
    return _Parser(text).run()


def parse_with_domain(text: str) -> tuple[Expr, tuple[Expr, ...]]:
    """Parse text, and list the nodes that must have a value wherever the text as written has one.

    The rules remove roots and quotients on construction, and with them the states at which they are
    undefined. The list holds every function, root and reciprocal of the text:

    >>> parse_with_domain("sqrt(x)**2 + y/y")
    (x + 1, (sqrt(x), 1/y))
    """
    written: list[Expr] = []
    e = _Parser(text, written).run()
    return e, tuple(dict.fromkeys(n for n in written if n.op > LAST_LEAF))


def _check_text(text: object) -> None:
    if not isinstance(text, str):
        raise ParseError(
            f"parse() takes text, got {brief(text)} ({with_article(type(text).__name__)})."
        )
    if len(text) > MAX_LENGTH:
        raise ParseError(f"The text must have at most {MAX_LENGTH} characters, got {len(text)}.")
    if not text.strip():
        raise ParseError("The text is empty; expected an expression such as m1*l1**2*cos(q1).", 0)


@final
class _Parser:
    """Parser with two stacks: operands, and pending operators and open parentheses."""

    def __init__(self, text: str, written: list[Expr] | None = None) -> None:
        _check_text(text)
        self.text = text
        self.written = written  # collects the nodes that restrict the domain
        self.operands: list[Expr] = []
        self.operators: list[tuple[str, int]] = []  # (operator, position)
        self.calls: list[
            tuple[str, int]
        ] = []  # per open parenthesis: function ("" if none), operands below

    def run(self) -> Expr:
        text, pos = self.text, _skip(self.text, 0)
        want_operand = True
        while pos < len(text):
            kind, word, end = self._token(pos, want_operand)
            if want_operand:
                want_operand, end = self._operand(kind, word, pos, end)
            else:
                want_operand = self._operator(kind, word, pos)
            pos = _skip(text, end)
        if want_operand:
            raise self._error(pos, f"expected {_OPERAND}, found the end of the text")
        if self.calls:
            self._reduce_to_parenthesis()
            where = self.operators[-1][1]
            raise self._error(where, "this parenthesis is not closed; expected ')'")
        self._reduce(0)
        return self.operands[0]

    # -- tokens ----------------------------------------------------------------------------------
    def _token(self, pos: int, want_operand: bool) -> tuple[str, str, int]:
        """(kind, text, end) of the token at pos."""
        text = self.text
        found = _TOKEN.match(text, pos)
        if found is None or found.lastgroup == "name":
            end = found.end() if found else pos
            if found is None or not text[end : end + 1].isascii():
                end = _name_end(text, pos)
            if end > pos:
                return "name", text[pos:end], end
            raise self._unexpected(pos, _OPERAND if want_operand else _OPERATOR)
        kind = found.lastgroup or ""
        word = found[kind]
        return kind, _SAME.get(word, word) if kind == "operator" else word, found.end()

    def _unexpected(self, pos: int, expected: str) -> ParseError:
        c = self.text[pos]
        if c == "`":
            return self._error(pos, "this backquote is not closed; expected '`'")
        hint = "; write a power as x**2" if c in _SUPERSCRIPTS else ""
        hint = "; an equation is not an expression" if c == "=" else hint
        return self._error(pos, f"expected {expected}, found the character {c!r}{hint}")

    # -- operand expected ------------------------------------------------------------------------
    def _operand(self, kind: str, word: str, pos: int, end: int) -> tuple[bool, int]:
        """Consume a token; return (whether an operand is still expected, next position)."""
        if kind == "number":
            self.operands.append(self._number(word, pos))
        elif kind == "quoted":
            self.operands.append(self._guard(pos, symbol, word))
        elif kind == "name":
            after = _skip(self.text, end)
            if self.text[after : after + 1] == "(":
                self._open(after, self._function(word, pos))
                return True, after + 1
            if word in BY_NAME or word == "atan2":
                raise self._error(pos, f"{word} is a function; expected {word}(…)")
            pi = word in ("pi", "π")
            self.operands.append(PI_NODE if pi else self._guard(pos, symbol, word))
        elif word == "(":
            self._open(pos, "")
            return True, end
        elif word in ("+", "-"):
            self.operators.append(("negative" if word == "-" else "positive", pos))
            return True, end
        else:
            raise self._error(pos, f"expected {_OPERAND}, found {word!r}")
        return False, end

    def _number(self, word: str, pos: int) -> Expr:
        if len(word) < 20 and word.isdecimal():
            return constant(int(word))
        digits, _, exponent = word.lower().partition("e")
        whole, _, decimals = digits.partition(".")
        if len(digits) > MAX_DIGITS or len(exponent) > 6:
            raise self._error(pos, f"a number must have at most {MAX_DIGITS} digits")
        shift = int(exponent or "0") - len(decimals)
        if len(digits) + abs(shift) > MAX_DIGITS:
            raise self._error(pos, f"a number must have at most {MAX_DIGITS} digits")
        return constant(Fraction(int(whole + decimals)) * Fraction(10) ** shift)

    def _function(self, name: str, pos: int) -> str:
        if name in BY_NAME or name == "atan2":
            return name
        import difflib

        valid = [*BY_NAME, "atan2"]
        near = difflib.get_close_matches(name[:40], valid, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise self._error(
            pos,
            f"unknown function {name[:40]!r}.{hint} Expected one of {', '.join(valid)}, "
            "or '*' before the parenthesis for a product",
        )

    def _open(self, pos: int, function: str) -> None:
        if len(self.calls) == MAX_NESTING:
            raise self._error(pos, f"parentheses must be nested at most {MAX_NESTING} deep")
        self.operators.append(("(", pos))
        self.calls.append((function, len(self.operands)))

    # -- operator expected -----------------------------------------------------------------------
    def _operator(self, kind: str, word: str, pos: int) -> bool:
        """Consume a token; return whether an operand is expected next."""
        if kind != "operator" or word == "(":
            raise self._juxtaposed(kind, word, pos)
        if word == ")":
            self._close(pos)
            return False
        if word == ",":
            self._reduce_to_parenthesis()
            if not self.calls or not self.calls[-1][0]:
                raise self._error(pos, f"expected {_OPERATOR}, found ','")
            self._check_count(pos, more=True)
            return True
        precedence = _PRECEDENCE[word]
        self._reduce(precedence + 1 if word == "**" else precedence)
        self.operators.append((word, pos))
        return True

    def _juxtaposed(self, kind: str, word: str, pos: int) -> ParseError:
        shown = word if len(word) <= 20 else word[:20] + "…"
        left = re.search(r"[\w.]{1,20}$", self.text[max(0, pos - 21) : pos].rstrip())
        hint = (
            f"; write {left[0]}*{shown}"
            if left and len(left[0]) < 20
            else "; write * for a product"
        )
        if kind == "number" and word.startswith("."):
            hint = ""
        return self._error(pos, f"expected {_OPERATOR}, found {shown!r}{hint}")

    def _close(self, pos: int) -> None:
        self._reduce_to_parenthesis()
        if not self.calls:
            raise self._error(pos, f"this parenthesis was not opened; expected {_OPERATOR}")
        self._check_count(pos, more=False)
        function, below = self.calls.pop()
        _, where = self.operators.pop()
        if not function:
            return
        arguments = self.operands[below:]
        del self.operands[below:]
        if function == "atan2":
            self.operands.append(self._guard(where, apply_atan2, *arguments))
        else:
            self.operands.append(self._guard(where, apply, BY_NAME[function].opcode, *arguments))
        if self.written is not None:
            self.written.append(self.operands[-1])

    def _check_count(self, pos: int, more: bool) -> None:
        function, below = self.calls[-1]
        wanted = 2 if function == "atan2" else 1
        have = len(self.operands) - below
        if have + more > wanted or (not more and have < wanted):
            expected = "'," if have < wanted else "')"
            plural = "two arguments" if wanted == 2 else "one argument"
            raise self._error(pos, f"{function} takes {plural}; expected {expected}'")

    # -- applying operators ----------------------------------------------------------------------
    def _reduce_to_parenthesis(self) -> None:
        self._reduce(1)

    def _reduce(self, precedence: int) -> None:
        """Apply the pending operators of at least this precedence."""
        operators, operands = self.operators, self.operands
        while operators and operators[-1][0] != "(" and _PRECEDENCE[operators[-1][0]] >= precedence:
            word, pos = operators.pop()
            if word == "negative":
                operands.append(neg(operands.pop()))
            elif word != "positive":
                b, a = operands.pop(), operands.pop()
                operands.append(self._guard(pos, _BINARY[word], a, b))
                if self.written is not None:
                    self.written += _with_domain(word, a, b)

    def _guard(self, pos: int, make: Callable[..., Expr], *args: Any) -> Expr:
        try:
            return make(*args)
        except ExpressionError as error:
            raise self._error(pos, str(error).rstrip(".")) from error
        except ValueError as error:  # Python's limit on the digits of an integer
            raise self._error(pos, f"a number must have at most {MAX_DIGITS} digits") from error

    def _error(self, pos: int, message: str) -> ParseError:
        return ParseError(f"{_place(self.text, pos)}: {message}.\n{_excerpt(self.text, pos)}", pos)


def _with_domain(word: str, a: Expr, b: Expr) -> list[Expr]:
    """Nodes that must be defined for a quotient or a power to be defined, besides its operands."""
    if word == "/":
        return [div(ONE, b)]
    if word != "**":
        return []
    exponent = b.value or 0
    base = sqrt(a) if exponent.denominator == 2 else a
    return [base, div(ONE, base)] if exponent < 0 else [base]


def _skip(text: str, pos: int) -> int:
    found = _SPACE.match(text, pos)
    return found.end() if found else pos


def _place(text: str, pos: int) -> str:
    column = pos - text.rfind("\n", 0, pos)
    if "\n" in text.strip():
        return f"Line {text.count(chr(10), 0, pos) + 1}, column {column}"
    return f"Column {column}"


def _excerpt(text: str, pos: int) -> str:
    """Part of the line around pos, with a caret below it."""
    from unicodedata import combining

    start = text.rfind("\n", 0, pos) + 1
    stop = text.find("\n", pos)
    stop = len(text) if stop < 0 else stop
    left, right = max(start, pos - 40), min(stop, pos + 30)
    before = ("…" if left > start else "") + text[left:pos]
    after = text[pos:right] + ("…" if right < stop else "")
    shown = "".join(c if c.isprintable() else " " for c in before + after)
    width = sum(not combining(c) for c in before)
    return f"  {shown.rstrip()}\n  {' ' * width}^"

r"""Line breaks in long formulas, at the signs of the outermost sum or of its longest bracket."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, final

from .widths import width

_TOKEN: Final = re.compile(r"\\[A-Za-z]+|\\.|[0-9.]+|\s+|.", re.DOTALL)
_OPEN: Final = frozenset(("{", r"\left", r"\begin", "(", "[", r"\{"))
_CLOSE: Final = frozenset(("}", r"\right", r"\end", ")", "]", r"\}"))
_CALL: Final = re.compile(r"(?:\\[a-z]+|\\operatorname\{\w+\})(?:\^\{\d+\})?$")
_BIG: Final = 6  # most nested brackets that are broken


@final
class _Bracket(NamedTuple):
    """Place of \\left( … \\right) in a text: its ends, and those of what it encloses."""

    start: int
    inner_start: int
    inner_end: int
    end: int


def broken(latex: str, limit: float, depth: int = 0) -> list[str]:
    r"""Split a formula into lines at most `limit` ems wide, if possible.

    A broken bracket gets \bigl( and \bigr), which may be on different lines.

    >>> broken(r"a + b - \left(c + d\right)", 5)
    ['a + b', '- \\left(c + d\\right)']
    >>> broken(r"m \left(a + b - c\right)", 4)
    ['m \\bigl(a', '\\quad + b', '\\quad - c\\bigr)']
    """
    if width(latex) <= limit:
        return [latex]
    lines: list[str] = []
    used = 0.0  # width of the last line
    for term in _terms(latex):
        own = width(term)
        if lines and used + own <= limit:
            lines[-1] = f"{lines[-1]} {term}"
            used += own
        elif own <= limit or depth == _BIG:
            lines.append(term)
            used = own
        else:
            lines += _opened(term, limit, depth)
            used = width(lines[-1])
    return lines


def _terms(latex: str) -> list[str]:
    """Terms of the outermost sum, each with its sign."""
    cuts = [0]
    depth, before = 0, ""
    for match in _TOKEN.finditer(latex):
        token = match[0]
        if token in _OPEN:
            depth += before not in (r"\left", r"\right")
        elif token in _CLOSE:
            depth -= before not in (r"\left", r"\right")
        elif token in "+-" and depth == 0 and before and before not in "=^_+-":
            cuts.append(match.start())
        if not token.isspace() and token not in (r"\quad", "&"):
            before = token
    return [latex[a:b].strip() for a, b in zip(cuts, [*cuts[1:], len(latex)], strict=True)]


def _opened(term: str, limit: float, depth: int) -> list[str]:
    """Lines of a term whose widest bracket is broken."""
    brackets = [x for x in _brackets(term) if len(_terms(term[x.inner_start : x.inner_end])) > 1]
    if not brackets:
        factored = _without_fraction(term, limit)
        return [term] if factored is None else broken(factored, limit, depth + 1)
    place = max(brackets, key=lambda x: x.inner_end - x.inner_start)
    head, inner = term[: place.start], term[place.inner_start : place.inner_end]
    tail = term[place.end :]
    first, *middle = broken(inner, limit - 2, depth + 1)
    opening = term[place.start : place.inner_start].replace(r"\left", r"\bigl")
    closing = term[place.inner_end : place.end].replace(r"\right", r"\bigr")
    rest = [rf"\quad {x}" for x in middle]
    result = [head + opening + first, *rest]
    result[-1] += closing
    if tail.strip() and width(result[-1] + tail) > limit and _starts_factor(tail):
        return [*result, rf"\quad \cdot {tail.strip()}"]
    result[-1] += tail
    return result


def _without_fraction(term: str, limit: float) -> str | None:
    r"""The term with \frac{1}{2} \left(a + b\right) for a long \frac{a + b}{2}; None if it has none."""
    for start in _fractions(term):
        middle = _closing(term, start)
        end = _closing(term, middle + 1)
        top, bottom = term[start + 1 : middle], term[middle + 2 : end]
        if top != "1" and width(top) > limit / 2:
            if len(_terms(top)) > 1:
                top = rf"\left({top}\right)"
            head = term[:start]
            return rf"{head}{{1}}{{{bottom}}} {top}{term[end + 1 :]}"
    return None


def _fractions(term: str) -> list[int]:
    r"""Places of the first brace of each \frac outside of all groups."""
    places: list[int] = []
    depth, before = 0, ""
    for match in _TOKEN.finditer(term):
        token = match[0]
        if token == "{" and before == r"\frac" and depth == 0:
            places.append(match.start())
        depth += (token in ("{", r"\left", r"\begin")) - (token in ("}", r"\right", r"\end"))
        before = token
    return places


def _closing(term: str, start: int) -> int:
    """Place of the brace that closes the one at a place."""
    depth = 0
    for k in range(start, len(term)):
        depth += {"{": 1, "}": -1}.get(term[k], 0)
        if depth == 0:
            return k
    return len(term)


def _starts_factor(tail: str) -> bool:
    """Whether a text continues with a factor, not with an exponent or an index of the bracket."""
    return tail.lstrip()[0] not in "^_'"


def _brackets(term: str) -> list[_Bracket]:
    r"""Brackets \left( … \right) outside of all braces, except those of function calls."""
    found: list[_Bracket] = []
    depth, braces, start, inner = 0, 0, 0, 0
    is_call = False
    tokens = list(_TOKEN.finditer(term))
    for k, match in enumerate(tokens):
        token = match[0]
        braces += (token in ("{", r"\begin")) - (token in ("}", r"\end"))
        if braces:
            continue
        if token == r"\left" and term[match.end() :].startswith("("):
            if depth == 0:
                start, inner = match.start(), tokens[k + 1].end()
                is_call = _CALL.search(term[:start]) is not None
            depth += 1
        elif token == r"\right" and depth:
            depth -= 1
            if depth == 0 and not is_call:
                found.append(_Bracket(start, inner, match.start(), tokens[k + 1].end()))
    return found

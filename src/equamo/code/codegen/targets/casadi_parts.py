"""Long functions in parts, so that the time of a C compiler is proportional to their length.

A compiler needs far more than twice the time and memory for a function twice as long. Here each
part is a separate function. A value that a later part reads is an element of the work array of
CasADi, `casadi_w`, in a place that is reused after its last use.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from .statements import Statements

LONGEST: Final = 200  # assignments of one part
WORK: Final = "casadi_w"
_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@final
@dataclass
class Part:
    """One part: values that it computes, and entries of results that it writes."""

    values: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    # (number of the result, entry, text)
    results: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])


def parts(
    body: Statements, results: Sequence[tuple[int, int, str]], longest: int = LONGEST
) -> tuple[list[Part], int]:
    """Split a function into parts.

    Args:
        body: Its values, in order.
        results: (number of the result, entry, text) of what it writes.
        longest: Most assignments of one part.

    Returns:
        The parts, and the size of the work array. A function shorter than two parts is one part; in
        several, the values that other parts read are called `casadi_w[0]`, `casadi_w[1]` …

    >>> body = Statements([("a", "x"), ("b", "2.0*a"), ("c", "a*b")])
    >>> found, size = parts(body, [(0, 0, "c")], longest=1)
    >>> [part.values for part in found[:2]], found[2].values, found[3].results, size
    ([[('casadi_w[0]', 'x')], [('casadi_w[1]', '2.0*casadi_w[0]')]],
     [('casadi_w[1]', 'casadi_w[0]*casadi_w[1]')], [(0, 0, 'casadi_w[1]')], 2)
    """
    if len(body.assignments) + len(results) <= 2 * longest:
        return [Part(values=body.assignments, results=list(results))], 0
    texts = [*(text for _, text in body.assignments), *(text for *_, text in results)]
    last = _last_uses(texts, {name for name, _ in body.assignments})
    places = _Places()
    found = [Part() for _ in range(0, len(body.assignments), longest)]
    for t, (name, text) in enumerate(body.assignments):
        written = places.replaced(text, t, last)
        end = last.get(name, t)
        is_read_later = end >= len(body.assignments) or end // longest > t // longest
        called = places.new(name) if is_read_later else name
        found[t // longest].values.append((called, written))
    for k in range(0, len(results), longest):
        found.append(Part())
        for t, (result, at, text) in enumerate(results[k : k + longest], len(body.assignments) + k):
            found[-1].results.append((result, at, places.replaced(text, t, last)))
    return found, places.size


def _last_uses(texts: Sequence[str], names: set[str]) -> dict[str, int]:
    """Number of the last text in which each name occurs."""
    return {n: t for t, text in enumerate(texts) for n in _NAME.findall(text) if n in names}


@final
class _Places:
    """Places of the work array."""

    def __init__(self) -> None:
        self.size = 0
        self._free: list[int] = []
        self._at: dict[str, int] = {}

    def new(self, name: str) -> str:
        """Text of a free place, now assigned to the name."""
        if not self._free:
            self._free.append(self.size)
            self.size += 1
        self._at[name] = self._free.pop()
        return f"{WORK}[{self._at[name]}]"

    def replaced(self, text: str, t: int, last: Mapping[str, int]) -> str:
        """Text with places instead of names; names that are not used again free their places."""
        names = [n for n in dict.fromkeys(_NAME.findall(text)) if n in self._at]
        if not names:
            return text
        called = {n: f"{WORK}[{self._at[n]}]" for n in names}
        self._free += [self._at.pop(n) for n in names if last[n] == t]
        return _NAME.sub(lambda found: called.get(found[0], found[0]), text)

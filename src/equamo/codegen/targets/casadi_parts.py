"""Long functions in parts, so that a C compiler takes time in proportion to their length.

A compiler needs far more than twice the time and memory for a function of twice the length: 100 s for
60 000 assignments at -O1. Here each part is a function of its own. A value that a later part reads is
kept in the work array of CasADi, `casadi_w`, in a place that is free again after its last use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from .statements import Statements

LONGEST: Final = 500  # assignments of one part
_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@final
@dataclass
class Part:
    """One part: values that it loads, computes and stores, and entries of results that it writes."""

    loads: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])  # (name, place)
    values: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    stores: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    # (number of the result, entry, text)
    results: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])

    @property
    def texts(self) -> Iterator[str]:
        yield from (text for _, text in self.values)
        yield from (text for *_, text in self.results)


def parts(
    body: Statements, results: Sequence[tuple[int, int, str]], longest: int = LONGEST
) -> tuple[list[Part], int]:
    """Cut a function in parts.

    Args:
        body: Its values, in order.
        results: (number of the result, entry, text) of what it writes.
        longest: Most assignments of one part.

    Returns:
        The parts, and the size of the work array. A short function is one part.

    >>> body = Statements([("a", "x"), ("b", "2.0*a"), ("c", "a*b")])
    >>> found, size = parts(body, [(0, 0, "c")], longest=2)
    >>> found[0].stores, found[1].loads, size
    ([('a', 0), ('b', 1)], [('a', 0), ('b', 1)], 2)
    """
    values = body.assignments
    if len(values) + len(results) <= longest:
        return [Part(values=values, results=list(results))], 0
    found = [Part(values=values[i : i + longest]) for i in range(0, len(values), longest)]
    found += [
        Part(results=list(results[i : i + longest])) for i in range(0, len(results), longest)
    ]
    home = {name: k for k, part in enumerate(found) for name, _ in part.values}
    used = [_names(part, home) for part in found]
    last = {name: k for k, names in enumerate(used) for name in names}
    place: dict[str, int] = {}
    free: list[int] = []
    size = 0
    for k, part in enumerate(found):
        part.loads = [(name, place[name]) for name in used[k] if home[name] < k]
        free += [at for name, at in reversed(part.loads) if last[name] == k]
        for name, _ in part.values:
            if last.get(name, k) > k:
                at = free.pop() if free else size
                size = max(size, at + 1)
                place[name] = at
                part.stores.append((name, at))
    return found, size


def _names(part: Part, home: dict[str, int]) -> list[str]:
    """Names of values that occur in a part, each once."""
    found = dict.fromkeys(n for text in part.texts for n in _NAME.findall(text))
    return [n for n in found if n in home]

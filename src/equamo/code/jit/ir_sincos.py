"""Sine and cosine in a kernel: some fifty instructions, known by being those that `sincos` emits.

They work on bits and on sums that round on purpose, so they cannot be read as arithmetic. The sequence
is emitted once for a variable and printed by LLVM, and its values are numbered in the order of their
definitions. Lines of a kernel that are the same after numbering are the same function of their one
operand. How near that function is to sine and cosine is proved elsewhere: see docs/theory/proofs.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Final, final

from . import engine, sincos
from .ir_reader import read

_NAME: Final = re.compile(r"%[\w.]+")
_ANGLE: Final = "%x"  # in the pattern


@final
@dataclass(frozen=True)
class Pattern:
    """The lines of a sine and a cosine, values numbered, and the table of constants that they load."""

    text: str
    length: int  # lines
    sine: int  # the number of the value
    cosine: int
    table: str  # name
    definition: str  # empty if the constants are literals

    def match(self, lines: Sequence[str], start: int) -> tuple[str, str, str] | None:
        """The angle, a name or a literal, and the names of sine and cosine, if they stand there."""
        text, names = _numbered(lines[start : start + self.length])
        before, after = self.text.split(_ANGLE, 2)[:2]
        begin = len(before)
        angle = text[begin : text.find(after, begin)]
        if text != self.text.replace(_ANGLE, angle):
            return None
        return angle, names[self.sine], names[self.cosine]


@cache
def pattern(dtype: str, lanes: int, fused: bool) -> Pattern:
    """The sequence for a type of number and a number of lanes; 1 is an angle of its own."""
    element = sincos.numbers(dtype).element
    value = element if lanes in (1, sincos.SCALAR) else f"<{lanes} x {element}>"
    names = (f"%v{i}" for i in count())
    body = sincos.emit(_ANGLE, "%sine", "%cosine", lambda: next(names), dtype, lanes, fused)
    text = "\n".join(
        [
            *sincos.declarations(dtype, lanes, fused),
            f"define void @f({value} {_ANGLE}, ptr %p) {{",
            *body,
            f"store {value} %sine, ptr %p",
            f"store {value} %cosine, ptr %p",
            "ret void",
            "}",
        ]
    )
    found = read(engine.printout(text))
    numbered, order = _numbered(found.functions["f"][1 : 1 + len(body)])
    table = sincos.Code(str, dtype, lanes, fused).name.removeprefix("@")
    sine, cosine = order.index("%sine"), order.index("%cosine")
    return Pattern(numbered, len(body), sine, cosine, table, found.variables.get(table, ""))


def _numbered(lines: Sequence[str]) -> tuple[str, list[str]]:
    """Lines with their values numbered: the text, and the names by number. Other names stay."""
    place: dict[str, str] = {}
    names: list[str] = []
    out: list[str] = []
    for line in lines:
        target, equals, value = line.strip().partition(" = ")
        value = _NAME.sub(lambda m: place.get(m[0], m[0]), value)
        place[target] = f"#{len(names)}"  # no name in IR begins so
        out.append(f"{place[target]}{equals}{value}")
        names.append(target)
    return "\n".join(out), names

r"""What the comments of a generated file say of arguments and functions, compared with what they are.

A caller takes the order of the parameters and the sign of a result from these comments. Every list of
arguments, every meaning of a function and every name beside a default must be as equamo writes it; the
claims of proofs are in `header`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ...basics.wording import brief
from ..ir.program import Program
from .targets.c import listed_arguments
from .targets.package import Package, Quantity, meaning
from .targets.target import comment

_MARKS: Final = " \t/*%#"
_BLOCK: Final = re.compile(r"(\w+)\[\d{1,9}\]:")  # q[2]: and a line per number
_LINE: Final = re.compile(r"(\w+) \(\d{1,9}\)(?:: .*)?")  # q (2): q1 [rad], q2 [m]
_DEFAULT: Final = re.compile(r"^ *-?[0-9.e+-]+ +% (.*)$", re.MULTILINE)
# The comment of a function, {name} its name, by the ending of the file.
_OF_FUNCTION: Final = {
    ".h": r"^/\* ([^\n]*) \*/\nvoid {name}\(",
    ".c": r"^/\* ([^\n]*) \*/\n(?:[^/]|/(?!\*))*?\bint {name}\(",
    ".hpp": r"^/\* ([^\n]*) \*/\ninline void {name}\(",
    ".mjs": r"^// ([^\n]*)\nexport function {name}\(",
    ".py": r"^def {name}\([^\n]*\):\n    # ([^\n]*)\n",
    ".m": r"^% {name}: ([^\n]*)\n",
}


def wrong_comments(
    text: str,
    suffix: str,
    quantities: Mapping[str, tuple[Quantity, ...]],
    functions: Mapping[str, Program],
) -> Iterator[str]:
    """What is wrong with the comments of a file.

    Args:
        text: The file.
        suffix: Its ending: .h for a header of C, .c for a file without a header.
        quantities: {argument: its numbers}.
        functions: {name in the file: program}, of the robot's own functions.
    """
    yield from _lists(text, quantities)
    pattern = _OF_FUNCTION[suffix]
    for name, program in functions.items():
        expected = comment(meaning(program.name))
        if not expected:
            continue
        found = re.search(pattern.format(name=re.escape(name)), text, re.MULTILINE)
        if found is None or not f"{found[1]};".startswith(f"{expected};"):
            said = "nothing" if found is None else brief(found[1])
            yield f"the comment of {name} must begin with {brief(expected)}, got {said}"


def _lists(text: str, quantities: Mapping[str, tuple[Quantity, ...]]) -> Iterator[str]:
    package = Package("", (), dict(quantities), ())
    lines = list(map(_plain, text.splitlines()))
    blocks = _blocks(map(_plain, listed_arguments(package)))
    for i, line in enumerate(lines):
        block, row = _BLOCK.fullmatch(line), _LINE.fullmatch(line)
        if block and block[1] in blocks:
            expected = blocks[block[1]]
            given = lines[i : i + len(expected)]
        elif row and row[1] in quantities:
            names = ", ".join(x.name for x in quantities[row[1]])
            short = f"{row[1]} ({len(quantities[row[1]])}): {names}"  # as in MATLAB
            valid = [_plain(comment(x)) for x in (*package.listed, short)]
            given, expected = [line], [line if line in valid else valid[-1]]
        else:
            continue
        if given != expected:
            wrong = next(k for k, x in enumerate(expected) if given[k : k + 1] != [x])
            said = brief(given[wrong]) if wrong < len(given) else "the end of the file"
            yield f"a comment on arguments must say {brief(expected[wrong])}, got {said}"
    remarks = _DEFAULT.findall(text)
    if remarks:
        wanted = [
            comment(
                f"{x.name}{f' [{x.unit}]' if x.unit else ''}{x.description and ': '}{x.description}"
            )
            for x in quantities.get("parameters", ())
        ]
        if [x.strip() for x in remarks] != [x.strip() for x in wanted]:
            yield f"the remarks beside the defaults must be {brief(wanted)}, got {brief(remarks)}"


def _plain(line: str) -> str:
    """A line without the marks of comments."""
    return line.lstrip(_MARKS).rstrip(" \t\r*/")


def _blocks(lines: Iterable[str]) -> dict[str, list[str]]:
    """{argument: the line with its size, and a line per number}."""
    blocks: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        if head := _BLOCK.fullmatch(line):
            name = head[1]
        blocks.setdefault(name, []).append(line)
    return blocks

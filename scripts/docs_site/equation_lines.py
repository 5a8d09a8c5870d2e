"""The lines of code that compute the numbered equations of a page.

A page of docs/theory/formulations names its files (`src/equamo/mechanics/formulations/kane.py`,
`mechanics/kinematics/velocities.py`) and writes its equations as indented lines with numbers. The code
has the numbers in comments. Both are read when the site is built, so that a link leads to the line as
it is now.
"""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from .repository_links import ROOT

SOURCE: Final = ROOT / "src" / "equamo"
FILE: Final = re.compile(r"`(?:src/equamo/)?([a-z_]+(?:/[a-z_]+)*\.py)`")
NUMBER: Final = re.compile(r"\((\d+(?:\.\d+)?[a-z]?)\)")
# A number stands at the start of an equation, or behind a gap on the same line.
SHOWN: Final = re.compile(r"(?:(?<=^    )|(?<=   ))\((\d+(?:\.\d+)?[a-z]?)\)(?= )")
BLOCK: Final = re.compile(r"(?<=\n\n)((?:    \S.*\n(?:\n(?=    ))?)+)", re.MULTILINE)


@dataclass(frozen=True)
class Line:
    """Line of a file of the repository."""

    file: Path
    number: int


def files(page: str) -> list[Path]:
    """Files that a page names, in their order."""
    named = (SOURCE / x for x in dict.fromkeys(FILE.findall(page)))
    return [x for x in named if x.is_file()]


@cache
def numbered(file: Path) -> dict[str, int]:
    """First line of a file with each equation number: in a comment, else in a string.

    Strings are the rules of recorded steps, and docstrings.
    """
    comments: dict[str, int] = {}
    strings: dict[str, int] = {}
    text = file.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (tokenize.COMMENT, tokenize.STRING):
            continue
        found = comments if token.type == tokenize.COMMENT else strings
        for k, line in enumerate(token.string.split("\n")):
            for number in NUMBER.findall(line):
                found.setdefault(number, token.start[0] + k)
    return {**strings, **comments}


@cache
def _in_comments(file: Path) -> frozenset[str]:
    text = file.read_text(encoding="utf-8")
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    said = (x.string for x in tokens if x.type == tokenize.COMMENT)
    return frozenset(number for x in said for number in NUMBER.findall(x))


def find(number: str, named: list[Path]) -> Line | None:
    """Line that computes an equation: in the first file with its number in a comment, else in text."""
    for file in named:
        if number in _in_comments(file):
            return Line(file, numbered(file)[number])
    return next((Line(x, numbered(x)[number]) for x in named if number in numbered(x)), None)


def sections(page: str) -> list[tuple[str, list[Path]]]:
    """Sections of a page, each with the files that it names, then those that the whole page names."""
    everywhere = files(page)
    parts = re.split(r"(?m)^(?=## )", page)
    return [(x, [*dict.fromkeys([*files(x), *everywhere])]) for x in parts]


def equations(page: str) -> dict[str, Line | None]:
    """Equations that a page displays, as "section: number", with the lines that compute them."""
    found: dict[str, Line | None] = {}
    for text, named in sections(page):
        title = text.split("\n", 1)[0].lstrip("# ")
        for block in BLOCK.findall(text):
            for number in (n for line in block.split("\n") for n in SHOWN.findall(line)):
                found[f"{title}: ({number})"] = find(number, named)
    return found


def with_links(page: str, up: str) -> str:
    """The page with its displayed equations as HTML, every number a link to its line.

    Args:
        page: Markdown.
        up: Way from the page to the top of the site, such as "../".
    """
    return "".join(_section(text, named, up) for text, named in sections(page))


def _section(text: str, named: list[Path], up: str) -> str:
    def anchor(found: re.Match[str]) -> str:
        line = find(found[1], named)
        if line is None:
            raise ValueError(
                f"equation ({found[1]}) has no line in {', '.join(x.name for x in named)}"
            )
        path = line.file.relative_to(ROOT).as_posix()
        title = f"{path}, line {line.number}"
        href = f"{up}source/{path}.html#line-{line.number}"
        return f'<a href="{href}" title="{escape(title)}">({found[1]})</a>'

    def block(found: re.Match[str]) -> str:
        if not any(SHOWN.search(x) for x in found[0].split("\n")):
            return found[0]
        lines = [
            SHOWN.sub(anchor, escape(x, quote=False))[4:] for x in found[0].rstrip("\n").split("\n")
        ]
        return '```{raw} html\n<pre class="equations">' + "\n".join(lines) + "</pre>\n```\n"

    return BLOCK.sub(block, text)

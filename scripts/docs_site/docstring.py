"""Docstrings in Google style to Markdown."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

_SECTION: Final = re.compile(r"^(Args|Attributes|Returns|Yields|Raises):$")
_ENTRY: Final = re.compile(r"^(\*{0,2}\w[\w.]*(?:, \*{0,2}\w+)*): (.*)$")
_SPECIAL: Final = re.compile(r"([\\*_\[\]<>#|~^{}$])")

Linker = Callable[[str], str]


@dataclass
class Docstring:
    """A docstring, taken apart: blocks of prose, code and examples, and its sections."""

    blocks: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # (kind, text)
    sections: dict[str, list[tuple[str, str]]] = field(
        default_factory=dict[str, list[tuple[str, str]]]
    )

    @property
    def summary(self) -> str:
        """First paragraph, on one line."""
        return next((_joined(text) for kind, text in self.blocks if kind == "prose"), "")


def read(text: str | None) -> Docstring:
    """Take a docstring apart.

    >>> read("Add.\\n\\nArgs:\\n    a: One\\n        number.\\n\\n>>> 1 + 1\\n2").sections
    {'Args': [('a', 'One number.')]}
    """
    found = Docstring()
    for paragraph in _paragraphs(inspect.cleandoc(text or "")):
        lines = paragraph.split("\n")
        head = _SECTION.match(lines[0])
        if head:
            found.sections[head[1]] = list(_entries(inspect.cleandoc("\n" + "\n".join(lines[1:]))))
        elif lines[0].startswith(">>>"):
            found.blocks.append(("example", paragraph))
        elif lines[0].startswith("    "):
            found.blocks.append(("code", inspect.cleandoc("\n" + paragraph)))
        elif lines[0].startswith(("- ", "* ")):
            found.blocks.append(("list", paragraph))
        else:
            prose = [x for x in lines if not x.startswith("    ")]
            code = lines[len(prose) :]
            if prose == lines[: len(prose)] and code:
                found.blocks.append(("prose", "\n".join(prose)))
                found.blocks.append(("code", inspect.cleandoc("\n" + "\n".join(code))))
            else:
                found.blocks.append(("prose", paragraph))
    return found


def _paragraphs(text: str) -> Iterator[str]:
    """Parts between blank lines; a section keeps the blank lines between its entries."""
    open_section: list[str] = []
    for part in re.split(r"\n(?:[ ]*\n)+", text):
        if open_section and part.startswith("    "):
            open_section.append(part)
            continue
        if open_section:
            yield "\n".join(open_section)
            open_section = []
        if _SECTION.match(part.split("\n")[0]):
            open_section = [part]
        else:
            yield part
    if open_section:
        yield "\n".join(open_section)


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """(name, text) of a section; the name of what a function returns is empty."""
    name, lines = "", list[str]()
    for line in text.split("\n"):
        start = None if line.startswith(" ") else _ENTRY.match(line)
        if start:
            if lines:
                yield name, _joined("\n".join(lines))
            name, lines = start[1], [start[2]]
        else:
            lines.append(line.strip())
    if lines:
        yield name, _joined("\n".join(lines))


def _joined(text: str) -> str:
    return " ".join(text.split())


def prose(text: str, link: Linker) -> str:
    """Text as Markdown: its code with links, the rest without a special meaning.

    >>> prose("a*b, `c*d`", lambda code: f"`{code}`")
    'a\\\\*b, `c*d`'
    """
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        link(x[1:-1]) if x.startswith("`") and len(x) > 2 else _SPECIAL.sub(r"\\\1", x)
        for x in parts
    )


_FIELDS: Final = {"Args": "param", "Attributes": "ivar", "Raises": "raises"}


def markdown(doc: Docstring, link: Linker, without: tuple[str, ...] = ()) -> str:
    """The docstring as Markdown, with field lists that Sphinx shows as tables of arguments."""
    parts: list[str] = []
    examples: list[str] = []
    for kind, text in doc.blocks:
        if kind == "example":
            examples.append(f"```pycon\n{text}\n```")
        elif kind == "code":
            parts.append(f"```text\n{text}\n```")
        elif kind == "list":
            items = re.split(r"\n(?=[-*] )", text)
            parts.append("\n".join("- " + prose(_joined(x[2:]), link) for x in items))
        else:
            parts.append(prose(_joined(text), link))
    rows: list[str] = []
    for section, entries in doc.sections.items():
        if section in without:
            continue
        for name, text in entries:
            if section in _FIELDS:
                rows += [
                    f":{_FIELDS[section]} {x.strip('*')}: {prose(text, link)}"
                    for x in name.split(", ")
                ]
            else:
                rows.append(f":returns: {prose(f'{name}: {text}' if name else text, link)}")
    if rows:
        parts.append("\n".join(rows))
    return "\n\n".join([*parts, *examples])

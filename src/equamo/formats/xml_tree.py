"""XML text as a tree of elements that know their line. On the standard library's expat.

A document type (and with it every entity and every billion laughs) is refused; size and depth are
bounded, so that any file is read or refused in bounded time and memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, final
from xml.parsers import expat

from ..errors import FileFormatError
from .text_file import MOST_BYTES

MOST_DEPTH: Final = 64
MOST_ELEMENTS: Final = 500_000


@final
@dataclass(slots=True)
class Element:
    """A tag with its attributes, children and text, and the line where it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list["Element"])
    text: str = ""

    def all(self, tag: str) -> list[Element]:
        """The children of this tag."""
        return [c for c in self.children if c.tag == tag]


def parse_xml(data: bytes, file: str = "<text>") -> Element:
    """The root element of a document.

    >>> root = parse_xml(b'<robot name="arm">\\n  <link name="base"/>\\n</robot>')
    >>> root.tag, root.children[0].line
    ('robot', 2)
    """
    if len(data) > MOST_BYTES:
        raise FileFormatError(
            f"{file}:1: the file has more than the {MOST_BYTES} bytes that are read."
        )
    return _Reader(file).read(data)


@final
class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.root: Element | None = None
        self.open: list[Element] = []
        self.count = 0
        self.parser = p = expat.ParserCreate()
        p.buffer_text = True
        p.StartElementHandler = self._start
        p.EndElementHandler = self._end
        p.CharacterDataHandler = self._characters
        p.StartDoctypeDeclHandler = self._doctype
        p.EntityDeclHandler = self._doctype
        p.ExternalEntityRefHandler = self._doctype

    def read(self, data: bytes) -> Element:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            raise FileFormatError(
                f"{self.file}:{error.lineno}: this is not well-formed XML: {what} "
                f"(column {error.offset + 1})."
            ) from None
        except (ValueError, LookupError) as error:  # an encoding that Python does not know
            raise FileFormatError(f"{self.file}:1: the text cannot be decoded: {error}.") from None
        assert self.root is not None  # a document without an element is not well-formed
        return self.root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        element = Element(tag, attributes, line)
        self.count += 1
        if self.count > MOST_ELEMENTS:
            raise self._refused(f"more than {MOST_ELEMENTS} elements")
        if len(self.open) >= MOST_DEPTH:
            raise self._refused(f"more than {MOST_DEPTH} elements inside each other")
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, tag: str) -> None:
        self.open.pop()

    def _characters(self, text: str) -> None:
        self.open[-1].text += text

    def _doctype(self, *_: object) -> int:
        raise self._refused("a document type with entities")

    def _refused(self, what: str) -> FileFormatError:
        return FileFormatError(
            f"{self.file}:{self.parser.CurrentLineNumber}: {what} is refused in a robot file."
        )

"""Parse XML, with the standard library's expat, into a tree of elements that know their line.

Document types are refused, and with them all entities (such as "billion laughs"). Size and depth are
bounded, so every file is read or refused in bounded time and memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, final
from xml.parsers import expat

from ...errors import FileFormatError
from .text_file import MOST_BYTES

MOST_DEPTH: Final = 64
MOST_ELEMENTS: Final = 500_000


@final
@dataclass(slots=True)
class Element:
    """Tag with its attributes, children and text, and its first line."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list["Element"])
    text: str = ""

    def all(self, tag: str) -> list[Element]:
        """Children with this tag."""
        return [c for c in self.children if c.tag == tag]


def parse_xml(
    data: bytes, file: str = "<text>", what: str = "a robot file", most: int = MOST_BYTES
) -> Element:
    """Parse a document.

    Args:
        data: Bytes of the document.
        file: How messages name it.
        what: Kind of file, for messages.
        most: Largest number of bytes.

    Returns:
        The root element.

    Raises:
        FileFormatError: The document is not well-formed, too large, too deep or has a document type.

    >>> root = parse_xml(b'<robot name="arm">\\n  <link name="base"/>\\n</robot>')
    >>> root.tag, root.children[0].line
    ('robot', 2)
    """
    if len(data) > most:
        raise FileFormatError(
            f"{file}:1: {what} must have at most {most:,} bytes, got {len(data):,}."
        )
    return _Reader(file, what).read(data)


@final
class _Reader:
    def __init__(self, file: str, what: str) -> None:
        self.file, self.what = file, what
        self.root: Element | None = None
        self.open: list[Element] = []
        self.count = 0
        self.parser = p = expat.ParserCreate()
        p.buffer_text, p.buffer_size = (
            True,
            1 << 22,
        )  # only a few pieces of a long text, which are joined
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
                f"{self.file}:{error.lineno}: the file must be well-formed XML: {what} in column "
                f"{error.offset + 1}."
            ) from None
        except FileFormatError:  # a ValueError too
            raise
        except (ValueError, LookupError) as error:  # an encoding unknown to Python
            reason = str(error).rstrip(".")
            raise FileFormatError(
                f"{self.file}:1: the text cannot be decoded: {reason}; save the file as UTF-8."
            ) from None
        assert self.root is not None  # a document without an element is not well-formed
        return self.root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        element = Element(tag, attributes, line)
        self.count += 1
        if self.count > MOST_ELEMENTS:
            raise self._refused(f"have at most {MOST_ELEMENTS:,} elements, this one has more")
        if len(self.open) >= MOST_DEPTH:
            raise self._refused(f"nest at most {MOST_DEPTH} elements, this one nests more")
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
        raise self._refused("not have a document type (entities are not supported)")

    def _refused(self, rule: str) -> FileFormatError:
        return FileFormatError(
            f"{self.file}:{self.parser.CurrentLineNumber}: {self.what} must {rule}."
        )

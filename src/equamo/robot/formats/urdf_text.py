"""Strict access to URDF elements: attributes, numbers and single children; errors name the place."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction
from math import inf
from typing import Final, final

from ...basics.wording import brief
from ...errors import FileFormatError
from .import_report import Notes
from .meshes.mesh_place import MeshPlaces
from .xml_tree import Element

_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE]([+-]?\d{1,4}))?", re.ASCII)
_LONGEST: Final = 60  # characters of a number
_LARGEST: Final = 300  # exponent of ten
_INFINITE: Final = re.compile(r"([+-]?)inf(?:inity)?", re.ASCII | re.IGNORECASE)
_LONGEST_LIMIT: Final = 400  # characters: the largest double written without an exponent has 316
NO_LIMIT: Final = 10**16  # limits from here on mean no limit; SDF and Gazebo write 1e16 for that
# Definitions that xacro may leave in an expanded file; they add nothing to the robot.
_DECLARATIONS: Final = ("xacro:arg", "xacro:property", "xacro:macro")
Three = tuple[Fraction, Fraction, Fraction]
Color = tuple[float, float, float]


def exact_number(text: str) -> Fraction | None:
    """Exact value of a decimal number; None if the text is not a finite number.

    >>> exact_number("-1.5e-3"), exact_number("nan"), exact_number("0x1")
    (Fraction(-3, 2000), None, None)
    """
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > _LONGEST or abs(int(match[3] or 0)) > _LARGEST:
        return None
    return Fraction(text)


def limit_number(text: str) -> Fraction | float | None:
    """Exact value of a limit; ±inf if it is infinite or very large; None if it is not a number.

    >>> limit_number("2.5"), limit_number("-1.79769e+308"), limit_number("Inf"), limit_number("nan")
    (Fraction(5, 2), -inf, inf, None)
    """
    if match := _INFINITE.fullmatch(text):
        return -inf if match[1] == "-" else inf
    if _NUMBER.fullmatch(text) and len(text) <= _LONGEST_LIMIT:
        value = Fraction(text)
        if abs(value) >= NO_LIMIT:
            return inf if value > 0 else -inf
    return exact_number(text)


@final
class UrdfText:
    """Name of the file for errors, notes for its import report, and the folders of its meshes."""

    def __init__(self, file: str, sha256: str = "", places: MeshPlaces | None = None) -> None:
        self.file = file
        self.notes: Notes = Notes(file, sha256)
        self.places: MeshPlaces = places or MeshPlaces(file, False)
        self.colors: dict[str, Color] = {}  # of the materials of the file, by name

    def error(self, where: Element | int, message: str) -> FileFormatError:
        line = where if isinstance(where, int) else where.line
        return FileFormatError(f"{self.file}:{line}: {message}")

    # -- attributes ------------------------------------------------------------------------------------
    def attribute(self, e: Element, name: str) -> str:
        """Text of an attribute that must exist and must not be empty."""
        text = e.attributes.get(name)
        if text is None:
            present = ", ".join(e.attributes) or "none"
            raise self.error(e, f"<{e.tag}> must have an attribute {name!r}. Present: {present}.")
        if not text.strip():
            raise self.error(e, f"attribute {name!r} of <{e.tag}> must not be empty.")
        return text

    def name(self, e: Element, attribute: str = "name") -> str:
        """Name, verbatim; backquotes and control characters cannot be part of an expression."""
        name = self.attribute(e, attribute)
        if "`" in name or not name.isprintable() or len(name) > 500:
            raise self.error(e, "a name must have at most 500 characters, without backquotes or control "
                             f"characters, got {brief(name)}.")  # fmt: skip
        return name

    def number(self, e: Element, name: str) -> Fraction:
        return self._number(e, f"attribute {name!r} of <{e.tag}>", self.attribute(e, name).strip())

    def optional_number(self, e: Element, name: str) -> Fraction | None:
        return self.number(e, name) if name in e.attributes else None

    def limit(self, e: Element, name: str) -> Fraction | float:
        """Number of a <limit>; ±inf if it means no limit."""
        value = limit_number(self.attribute(e, name).strip())
        return self.number(e, name) if value is None else value

    def three(self, e: Element, name: str, default: Three | None = None) -> Three:
        """Three numbers separated by blanks."""
        if default is not None and name not in e.attributes:
            return default
        parts = self.attribute(e, name).split()
        what = f"attribute {name!r} of <{e.tag}>"
        if len(parts) != 3:
            raise self.error(e, f"{what} must be three numbers separated by blanks, got {len(parts)}: "
                             f"{brief(' '.join(parts))}.")  # fmt: skip
        x, y, z = (self._number(e, what, p) for p in parts)
        return x, y, z

    def _number(self, e: Element, what: str, text: str) -> Fraction:
        value = exact_number(text)
        if value is None:
            raise self.error(
                e, f"{what} must be a decimal number such as 0.25 or -1.5e-3, got {brief(text)}."
            )
        return value

    # -- children --------------------------------------------------------------------------------------
    def only(self, e: Element, tag: str) -> Element | None:
        """Child with this tag, or None; FileFormatError if there are two."""
        children = e.all(tag)
        if len(children) > 1:
            raise self.error(children[1], f"the <{e.tag}> of line {e.line} must have only one <{tag}>; "
                             "remove this one.")  # fmt: skip
        return children[0] if children else None

    def required(self, e: Element, tag: str) -> Element:
        """Child with this tag; FileFormatError if it is missing."""
        child = self.only(e, tag)
        if child is None:
            present = ", ".join(dict.fromkeys(c.tag for c in e.children)) or "none"
            raise self.error(e, f"<{e.tag}> must have a <{tag}>. Present: {present}.")
        return child

    # -- ignored parts ---------------------------------------------------------------------------------
    def note_ignored(
        self,
        e: Element,
        path: str,
        tags: Collection[str] = (),
        attributes: Collection[str] = (),
        read: Collection[Element] = (),
    ) -> None:
        """Note everything as ignored except these tags and attributes, and elements already read."""
        for c in e.children:
            if c.tag in _DECLARATIONS:
                self.notes.ignore(c.line, f"{path}/{c.tag}: a declaration left over by xacro")
            elif c.tag.startswith("xacro:"):
                raise self.error(c, f"<{c.tag:.40}> must be expanded first: run xacro, or give the file "
                                 "the suffix .xacro.")  # fmt: skip
            elif c.tag not in tags and not any(c is x for x in read):
                self.notes.ignore(c.line, f"{path}/{c.tag}")
        for a in e.attributes:
            if a not in attributes and not a.startswith("xmlns"):
                self.notes.ignore(e.line, f"attribute {a} of {path}")

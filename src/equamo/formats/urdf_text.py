"""URDF elements read strictly: attributes, numbers and single children, each error with its place."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction
from math import inf
from typing import Final, final

from ..errors import FileFormatError
from ..wording import brief
from .import_report import Notes
from .xml_tree import Element

_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE]([+-]?\d{1,4}))?", re.ASCII)
_LONGEST: Final = 60  # characters of a number
_LARGEST: Final = 300  # of the exponent of ten
_INFINITE: Final = re.compile(r"([+-]?)inf(?:inity)?", re.ASCII | re.IGNORECASE)
_LONGEST_LIMIT: Final = 400  # characters: the largest double written without an exponent has 316
NO_LIMIT: Final = 10**16  # from here on a limit means none; SDF and Gazebo write 1e16 for that
# What xacro may leave in a file that it expanded: they define, and put nothing into the robot.
_DECLARATIONS: Final = ("xacro:arg", "xacro:property", "xacro:macro")
Three = tuple[Fraction, Fraction, Fraction]


def exact_number(text: str) -> Fraction | None:
    """A decimal number, exactly; None where the text is not a finite one.

    >>> exact_number("-1.5e-3"), exact_number("nan"), exact_number("0x1")
    (Fraction(-3, 2000), None, None)
    """
    found = _NUMBER.fullmatch(text)
    if found is None or len(text) > _LONGEST or abs(int(found[3] or 0)) > _LARGEST:
        return None
    return Fraction(text)


def limit_number(text: str) -> Fraction | float | None:
    """A limit, exactly; ±inf if it is infinite or so large that it means none; None: not a number.

    >>> limit_number("2.5"), limit_number("-1.79769e+308"), limit_number("Inf"), limit_number("nan")
    (Fraction(5, 2), -inf, inf, None)
    """
    if found := _INFINITE.fullmatch(text):
        return -inf if found[1] == "-" else inf
    if _NUMBER.fullmatch(text) and len(text) <= _LONGEST_LIMIT:
        value = Fraction(text)
        if abs(value) >= NO_LIMIT:
            return inf if value > 0 else -inf
    return exact_number(text)


@final
class UrdfText:
    """The file that is read: its name for errors, and the notes that are taken."""

    def __init__(self, file: str, sha256: str = "") -> None:
        self.file = file
        self.notes = Notes(file, sha256)

    def error(self, where: Element | int, message: str) -> FileFormatError:
        line = where if isinstance(where, int) else where.line
        return FileFormatError(f"{self.file}:{line}: {message}")

    # -- attributes ------------------------------------------------------------------------------------
    def attribute(self, e: Element, name: str) -> str:
        """The text of an attribute that must be there and not empty."""
        text = e.attributes.get(name)
        if text is None:
            there = ", ".join(e.attributes) or "none"
            raise self.error(e, f"<{e.tag}> has no attribute {name!r}. It has: {there}.")
        if not text.strip():
            raise self.error(e, f"the attribute {name!r} of <{e.tag}> is empty.")
        return text

    def name(self, e: Element, attribute: str = "name") -> str:
        """A name, verbatim: no backquotes or control characters, which expressions cannot hold."""
        name = self.attribute(e, attribute)
        if "`" in name or not name.isprintable() or len(name) > 500:
            raise self.error(e, f"the name {brief(name)} has a backquote or a control character in it, "
                             "or more than 500 characters.")  # fmt: skip
        return name

    def number(self, e: Element, name: str) -> Fraction:
        return self._number(e, f"attribute {name!r} of <{e.tag}>", self.attribute(e, name).strip())

    def optional_number(self, e: Element, name: str) -> Fraction | None:
        return self.number(e, name) if name in e.attributes else None

    def limit(self, e: Element, name: str) -> Fraction | float:
        """A number of a <limit>; ±inf if it means that there is none."""
        value = limit_number(self.attribute(e, name).strip())
        return self.number(e, name) if value is None else value

    def three(self, e: Element, name: str, default: Three | None = None) -> Three:
        """Three numbers with blanks between them."""
        if default is not None and name not in e.attributes:
            return default
        parts = self.attribute(e, name).split()
        what = f"attribute {name!r} of <{e.tag}>"
        if len(parts) != 3:
            raise self.error(e, f"{what} is three numbers with blanks between them, not {len(parts)}: "
                             f"{brief(' '.join(parts))}.")  # fmt: skip
        x, y, z = (self._number(e, what, p) for p in parts)
        return x, y, z

    def _number(self, e: Element, what: str, text: str) -> Fraction:
        value = exact_number(text)
        if value is None:
            raise self.error(e, f"{what} is {brief(text)}, which is not a decimal number such as "
                             "0.25 or -1.5e-3.")  # fmt: skip
        return value

    # -- children --------------------------------------------------------------------------------------
    def only(self, e: Element, tag: str) -> Element | None:
        """The child of this tag, if there is one; two are an error."""
        found = e.all(tag)
        if len(found) > 1:
            raise self.error(found[1], f"a second <{tag}> in the <{e.tag}> of line {e.line}.")
        return found[0] if found else None

    def required(self, e: Element, tag: str) -> Element:
        found = self.only(e, tag)
        if found is None:
            there = ", ".join(dict.fromkeys(c.tag for c in e.children)) or "none"
            raise self.error(e, f"<{e.tag}> has no <{tag}>. Its elements: {there}.")
        return found

    # -- what is left over -----------------------------------------------------------------------------
    def known(
        self,
        e: Element,
        path: str,
        tags: Collection[str] = (),
        attributes: Collection[str] = (),
        read: Collection[Element] = (),
    ) -> None:
        """Note all tags and attributes but these, and elements that were read, as ignored."""
        for c in e.children:
            if c.tag in _DECLARATIONS:
                self.notes.ignore(c.line, f"{path}/{c.tag}: a declaration that xacro left over")
            elif c.tag.startswith("xacro:"):
                raise self.error(c, f"<{c.tag:.40}> is xacro, which makes URDF; expand it first.")
            elif c.tag not in tags and not any(c is x for x in read):
                self.notes.ignore(c.line, f"{path}/{c.tag}")
        for a in e.attributes:
            if a not in attributes and not a.startswith("xmlns"):
                self.notes.ignore(e.line, f"attribute {a} of {path}")

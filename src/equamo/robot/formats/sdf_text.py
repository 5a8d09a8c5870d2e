"""Strict access to SDF elements, whose values are text between tags; errors name the place."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

from ...basics.wording import brief
from .rational_rotation import PI
from .urdf_text import Three, UrdfText, exact_number, limit_number
from .xml_tree import Element

_ZERO3: Final[Three] = (Fraction(0), Fraction(0), Fraction(0))
_TRUTH: Final = {"1": True, "true": True, "0": False, "false": False}


@final
@dataclass(frozen=True, slots=True)
class SdfPose:
    """A <pose>: position [m] and orientation in the frame `relative_to`, "" for the default frame."""

    line: int
    relative_to: str = ""
    xyz: Three = _ZERO3
    rpy: Three = _ZERO3  # roll, pitch, yaw [rad] about fixed axes
    quaternion: tuple[Fraction, Fraction, Fraction, Fraction] | None = (
        None  # w x y z, instead of rpy
    )


@final
class SdfText:
    """Reader of values; `xml` gives access to attributes and children, as for URDF."""

    def __init__(self, xml: UrdfText) -> None:
        self.xml = xml

    def content(self, e: Element) -> str:
        """Text of an element, which must not be empty."""
        text = e.text.strip()
        if not text:
            raise self.xml.error(e, f"<{e.tag}> must not be empty.")
        return text

    def word(self, parent: Element, tag: str) -> str:
        """Text of a child that must exist, such as the name of a link."""
        e = self.xml.required(parent, tag)
        self.xml.note_ignored(e, f"{parent.tag}/{tag}")
        return self.content(e)

    def child(self, parent: Element, tag: str) -> Element | None:
        """Child with a text only, or None; its attributes and children are noted as ignored."""
        e = self.xml.only(parent, tag)
        if e is not None:
            self.xml.note_ignored(e, f"{parent.tag}/{tag}")
        return e

    def child_number(self, parent: Element | None, tag: str) -> Fraction | None:
        """Number in a child; None if the child is missing."""
        e = None if parent is None else self.child(parent, tag)
        return None if e is None else self.numbers(e, 1)[0]

    def child_limit(self, parent: Element, tag: str) -> Fraction | float | None:
        """Limit in a child; ±inf if it means no limit."""
        e = self.child(parent, tag)
        if e is None:
            return None
        value = limit_number(self.content(e))
        return self.numbers(e, 1)[0] if value is None else value

    def child_truth(self, parent: Element, tag: str) -> bool:
        """Whether a child says true or 1; false if the child is missing."""
        e = self.child(parent, tag)
        if e is None:
            return False
        value = _TRUTH.get(self.content(e).lower())
        if value is None:
            raise self.xml.error(
                e, f"<{tag}> must be true, false, 1 or 0, got {brief(self.content(e))}."
            )
        return value

    def numbers(self, e: Element, count: int) -> tuple[Fraction, ...]:
        """Numbers of an element, separated by blanks."""
        parts = self.content(e).split()
        values = [exact_number(x) for x in parts]
        if len(values) != count or None in values:
            what = "a decimal number" if count == 1 else f"{count} decimal numbers"
            raise self.xml.error(e, f"<{e.tag}> must be {what}, got {brief(' '.join(parts))}.")
        return tuple(x for x in values if x is not None)

    def vector(self, e: Element) -> Three:
        x, y, z = self.numbers(e, 3)
        return x, y, z

    def pose(self, parent: Element, path: str) -> SdfPose | None:
        """The <pose> of an element; None if it has none."""
        e = self.xml.only(parent, "pose")
        if e is None:
            return None
        known = ("relative_to", "frame", "degrees", "rotation_format")
        self.xml.note_ignored(e, f"{path}/pose", (), known)
        if e.attributes.get("frame", "").strip():
            given = brief(e.attributes["frame"])
            raise self.xml.error(
                e, f"attribute 'frame' of <pose> must be empty, got {given}; use 'relative_to'."
            )
        frame = e.attributes.get("relative_to", "").strip()
        style = e.attributes.get("rotation_format", "euler_rpy")
        if style not in ("euler_rpy", "quat_xyzw"):
            raise self.xml.error(
                e,
                f"'rotation_format' of <pose> must be euler_rpy or quat_xyzw, got {brief(style)}.",
            )
        if not e.text.strip():  # the default of the format: no displacement
            return SdfPose(e.line, frame)
        if style == "quat_xyzw":
            px, py, pz, x, y, z, w = self.numbers(e, 7)
            if not any((x, y, z, w)):
                raise self.xml.error(e, "the quaternion of a <pose> must not be 0 0 0 0.")
            return SdfPose(e.line, frame, (px, py, pz), quaternion=(w, x, y, z))
        px, py, pz, *angles = self.numbers(e, 6)
        in_degrees = _TRUTH.get(e.attributes.get("degrees", "false").strip().lower())
        if in_degrees is None:
            raise self.xml.error(e, "attribute 'degrees' of <pose> must be true or false, got "
                             f"{brief(e.attributes['degrees'])}.")  # fmt: skip
        roll, pitch, yaw = (a * PI / 180 if in_degrees else a for a in angles)
        return SdfPose(e.line, frame, (px, py, pz), (roll, pitch, yaw))

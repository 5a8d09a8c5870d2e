"""Public names of the package: the groups of `equamo.__all__`, and the members of each class."""

from __future__ import annotations

import inspect
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import equamo


@dataclass(frozen=True)
class Group:
    """Names below one comment of `__all__`."""

    title: str
    names: tuple[str, ...]

    @property
    def slug(self) -> str:
        """Name of its page."""
        return re.sub(r"\W+", "-", re.split(r"[:,]", self.title)[0].lower()).strip("-")


def groups() -> list[Group]:
    """The groups of `__all__`, in the order a user meets them."""
    text = Path(equamo.__file__).read_text(encoding="utf-8")
    found: list[tuple[str, list[str]]] = []
    inside = False
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and token.string == "__all__" and token.start[1] == 0:
            inside = True
        elif inside and token.type == tokenize.COMMENT:
            title = token.string.lstrip("# ")
            found.append((title[0].upper() + title[1:], []))
        elif inside and token.type == tokenize.STRING:
            found[-1][1].append(token.string.strip("\"'"))
    return [Group(title, tuple(names)) for title, names in found]


@dataclass(frozen=True)
class Member:
    """Public attribute of a class: a field, a property or a method."""

    cls: type
    name: str
    value: Any
    annotation: str

    @property
    def kind(self) -> str:
        """Directive of Sphinx: attribute, property or method."""
        if isinstance(self.value, (property, cached_property)):
            return "property"
        return "method" if inspect.isfunction(self.function) else "attribute"

    @property
    def function(self) -> Any:
        """The function of a method, a class method or a property."""
        if isinstance(self.value, (staticmethod, classmethod)):
            return self.value.__func__
        if isinstance(self.value, property):
            return self.value.fget
        if isinstance(self.value, cached_property):
            return self.value.func
        return self.value


def members(cls: type) -> Iterator[Member]:
    """Public members that a class, or one of ours above it, defines: fields first, as in the file."""
    ours = [c for c in cls.__mro__ if c.__module__.startswith("equamo")]
    found: dict[str, Member] = {}
    for one in ours:
        annotations = inspect.get_annotations(one)
        for name in (*annotations, *vars(one)):
            if not name.startswith("_") and name not in found:
                value = inspect.getattr_static(cls, name, None)
                found[name] = Member(cls, name, value, str(annotations.get(name, "")))
    yield from sorted(found.values(), key=lambda x: x.kind != "attribute")


class _Raw:
    """Annotation that prints as it was written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature(function: Any, bound: bool = False) -> str:
    """Arguments with annotations and defaults, and the result; `bound` leaves the first argument out."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return "()"

    def raw(annotation: Any) -> Any:
        return _Raw(annotation) if isinstance(annotation, str) else annotation

    arguments = [p.replace(annotation=raw(p.annotation)) for p in found.parameters.values()]
    result = found.replace(
        parameters=arguments[1:] if bound else arguments,
        return_annotation=raw(found.return_annotation),
    )
    return re.sub(r"<[^<>]* at 0x[0-9a-f]+>|<factory>|<object object>", "...", str(result))


def documented() -> list[str]:
    """Every name of the reference: `load`, `Robot`, `Robot.body`, …"""
    names: list[str] = []
    for group in groups():
        for name in group.names:
            value = getattr(equamo, name)
            names.append(name)
            if isinstance(value, type):
                names += sorted(f"{name}.{x.name}" for x in members(value))
    return names

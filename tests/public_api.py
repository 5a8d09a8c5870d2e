"""Every public signature, as text: `python tests/public_api.py` writes tests/api.txt."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import equamo

FILE = Path(__file__).with_name("api.txt")


class Raw:
    """An annotation that prints as it was written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature(function: Any) -> str:
    """The arguments with their defaults, and the result; nothing where Python does not know them."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return "(…)"

    def raw(annotation: Any) -> Any:
        return Raw(annotation) if isinstance(annotation, str) else annotation

    arguments = [p.replace(annotation=raw(p.annotation)) for p in found.parameters.values()]
    result = found.replace(parameters=arguments, return_annotation=raw(found.return_annotation))
    return re.sub(r"<[^<>]* at 0x[0-9a-f]+>", "…", str(result))


def members(cls: type) -> Iterator[str]:
    """Public attributes that a class, or a class of ours above it, defines."""
    ours = [c for c in cls.__mro__ if c.__module__.startswith("equamo")]
    names = {n for c in ours for n in (*vars(c), *inspect.get_annotations(c))}
    # While tests run, `raise_sites` puts a function of its own in the place of one of them.
    makers = [getattr(vars(c).get("__init__"), "__module__", "") for c in ours]
    if any(module.startswith("equamo") for module in makers):
        yield f"{cls.__name__}{signature(cls)}"
    for name in sorted(n for n in names if not n.startswith("_")):
        value = inspect.getattr_static(cls, name, None)
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if inspect.isfunction(value):
            yield f"{cls.__name__}.{name}{signature(value)}"
        else:
            yield f"{cls.__name__}.{name}"


def api() -> str:
    """One line for each public name, in the order of `__all__`; below a class its members."""
    lines: list[str] = []
    for name in equamo.__all__:
        value = getattr(equamo, name)
        if isinstance(value, type):
            bases = ", ".join(b.__name__ for b in value.__bases__ if b is not object)
            lines.append(f"class {name}({bases})" if bases else f"class {name}")
            lines += [f"    {x}" for x in members(value)]
        else:
            lines.append(f"{name}{signature(value)}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(api(), encoding="utf-8")

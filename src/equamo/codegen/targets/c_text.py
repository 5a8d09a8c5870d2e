"""Pieces of C text that the header, the source, the self-test and the gateway share."""

from __future__ import annotations

from collections.abc import Iterable

from .package import Package
from .target import comment


def real_type(package: Package) -> str:
    """The name of the number type."""
    return f"{package.name}_real"


def block_comment(lines: Iterable[str]) -> str:
    """/* lines */, whatever they say."""
    return "\n".join(["/*", *(f" * {comment(line)}".rstrip() for line in lines), " */"])


def wrapped(texts: Iterable[str], column: int, indent: str, width: int = 96) -> str:
    """a, b, …: on more lines where one is too short."""
    text = ""
    for x in texts:
        if text and column + len(x) > width:
            text, column = f"{text},\n{indent}{x}", len(indent) + len(x)
        else:
            text, column = f"{text}{', ' if text else ''}{x}", column + 2 + len(x)
    return text


def initialiser(texts: Iterable[str], indent: str = "    ") -> str:
    """{a, b, …}, wrapped."""
    text = wrapped(texts, len(indent), indent)
    return f"{{\n{indent}{text}\n}}" if "\n" in text else f"{{{text}}}"

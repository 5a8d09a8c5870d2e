"""C text that header, source, self-test and gateway share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...ir.program import Output
from .package import Package, Routine
from .statements import Statements
from .target import comment


def real_type(package: Package) -> str:
    """Name of the number type."""
    return f"{package.name}_real"


def subscript(y: Output) -> str:
    """Sizes of an output in its declaration; a number is an array of one."""
    return "".join(f"[{n}]" for n in y.shape or (1,))


def first_entry(y: Output, name: str) -> str:
    """Address of the first entry of an array of this shape: &M[0][0]."""
    return f"&{name}{'[0]' * len(y.shape or (1,))}"


def block_comment(lines: Iterable[str]) -> str:
    """Comment of several lines, safe for any content."""
    return "\n".join(["/*", *(f" * {comment(line)}".rstrip() for line in lines), " */"])


def body_lines(
    r: Routine, body: Statements, real: str, places: Callable[[tuple[int, ...]], Iterable[str]]
) -> Iterator[str]:
    """Lines of a function between its braces, in C and C++; `places` has the subscripts of a shape."""
    for a in r.arguments:
        if a.name not in body.names:
            yield f"    (void){a.name};"
    for name, text in body.assignments:
        yield f"    const {real} {name} = {text};"
    # Written last: an output may be the array of an input.
    for y, texts in zip(r.outputs, r.split(body.results), strict=True):
        for place, text in zip(places(y.shape), texts, strict=True):
            yield f"    {y.name}{place} = {text};"


def wrapped(texts: Iterable[str], column: int, indent: str, width: int = 96) -> str:
    """List a, b, … with line breaks where needed."""
    text = ""
    for x in texts:
        if text and column + len(x) > width:
            text, column = f"{text},\n{indent}{x}", len(indent) + len(x)
        else:
            text, column = f"{text}{', ' if text else ''}{x}", column + 2 + len(x)
    return text


def initialiser(texts: Iterable[str], indent: str = "    ") -> str:
    """Initialiser {a, b, …}, wrapped."""
    text = wrapped(texts, len(indent), indent)
    return f"{{\n{indent}{text}\n}}" if "\n" in text else f"{{{text}}}"

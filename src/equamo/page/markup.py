"""HTML as text that cannot be broken by what stands in it: plain text is escaped, always."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final, final

_VOID: Final = frozenset(("meta", "input", "br", "hr", "link"))


@final
class Markup(str):
    """Text that is HTML already; any other text is escaped where it meets an element."""

    __slots__ = ()


Child = str | Iterable["Child"] | None


def element(tag: str, *children: Child, **attributes: str | bool | int | None) -> Markup:
    """An element; an attribute that is None or False is left out, `class_` is class.

    >>> print(element("a", "x < ", element("b", "</script>"), class_="q", data_name='"'))
    <a class="q" data-name="&quot;">x &lt; <b>&lt;/script&gt;</b></a>
    """
    parts = [f"<{tag}"]
    for name, value in attributes.items():
        key = name.rstrip("_").replace("_", "-")
        if value is True:
            parts.append(f" {key}")
        elif value is not None and value is not False:
            parts.append(f' {key}="{html.escape(str(value))}"')
    parts.append(">")
    if tag not in _VOID:
        parts += [text(c) for c in children]
        parts.append(f"</{tag}>")
    return Markup("".join(parts))


def text(child: Child) -> Markup:
    """A child as HTML: markup as it is, text escaped, several one after the other.

    >>> print(text(["a", None, element("br"), "<"]))
    a<br>&lt;
    """
    if child is None:
        return Markup()
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return Markup(html.escape(child))
    return Markup("".join(text(c) for c in child))


def breakable(name: str) -> Markup:
    """A name that may go on in the next line after an underscore.

    >>> print(breakable("rr_<arm"))
    rr_<wbr>&lt;arm
    """
    first, *rest = name.split("_")
    return text([first, *((Markup("_<wbr>"), part) for part in rest)])


def table(
    head: Iterable[Child], rows: Iterable[Iterable[Child]], **attributes: str | None
) -> Markup:
    """A table with a head; a column of numbers is right-aligned by the style sheet's class."""
    return element(
        "div",
        element(
            "table",
            element("thead", element("tr", [element("th", h, scope="col") for h in head])),
            element("tbody", [element("tr", [element("td", c) for c in row]) for row in rows]),
            **attributes,
        ),
        class_="scroll",
    )

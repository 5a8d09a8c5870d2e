"""HTML builder that always escapes plain text."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from typing import Final, final

_DOTTED: Final = re.compile("([^\\W\\d_]\u0307)")
_VOID: Final = frozenset(("meta", "input", "br", "hr", "link"))


@final
class Markup(str):
    """Text that is already HTML; any other text is escaped when it enters an element."""

    __slots__ = ()


Child = str | Iterable["Child"] | None


def element(tag: str, *children: Child, **attributes: str | bool | int | None) -> Markup:
    """Build an element; attributes that are None or False are omitted, `class_` is class.

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
    """Convert a child to HTML: markup is kept, text is escaped, sequences are joined.

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
    """Allow line breaks in a name after underscores.

    >>> print(breakable("rr_<arm"))
    rr_<wbr>&lt;arm
    """
    first, *rest = name.split("_")
    return text([first, *((Markup("_<wbr>"), part) for part in rest)])


def dotted(plain: str) -> Markup:
    """Text in which letters with a dot, such as Ṁ, are formulas: common fonts lack them.

    >>> print(dotted("Ṁ < C"))
    <math><mover accent="true"><mi>M</mi><mo stretchy="false">˙</mo></mover></math> &lt; C
    """
    pieces = _DOTTED.split(unicodedata.normalize("NFD", plain))
    return text(
        [_dot(x[0]) if k % 2 else unicodedata.normalize("NFC", x) for k, x in enumerate(pieces)]
    )


def _dot(letter: str) -> Markup:
    sign = element("mo", "˙", stretchy="false")
    return element("math", element("mover", element("mi", letter), sign, accent="true"))


def table(
    head: Iterable[Child], rows: Iterable[Iterable[Child]], **attributes: str | None
) -> Markup:
    """Build a table with a head; the style sheet's class right-aligns columns of numbers."""
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

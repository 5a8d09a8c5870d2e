"""Assembly of a self-contained HTML file from sections, data, style and script.

The Content-Security-Policy forbids every request. Data are JSON in script elements that are not run;
`<`, and the two line separators that JSON allows and scripts did not, are escaped, so no name can end
the element. The script files become one: each a function that returns its exports.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final, final

from ...errors import EquamoError
from .markup import Markup, element, text

POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
# In order of use: later files import from earlier ones.
SCRIPTS: Final = (
    "elements.js", "tape.js", "forms.js", "mathml.js", "pieces.js", "languages.js", "chart.js",
    "viewer/camera.js", "viewer/shapes.js", "viewer/meshes.js", "viewer/picking.js",
    "viewer/scene.js", "sketch.js", "state.js", "view.js", "coordinates.js", "grid.js",
    "short_names.js", "entry.js", "equations.js", "print.js", "motion.js", "code.js", "model.js",
    "field.js", "check.js", "check_button.js", "page.js",
)  # fmt: skip
_EXPORT: Final = re.compile(
    r"^export ((?:async )?(?:function|class|const|let) (\w+))", re.MULTILINE
)
_IMPORT: Final = re.compile(r"^import\b[^;]*;\n?", re.MULTILINE)


@final
@dataclass(frozen=True, slots=True)
class Section:
    """Part of the page: anchor, title, HTML, and data of its script."""

    id: str
    title: str
    html: Markup
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])


def document(
    title: str,
    head: Markup,
    side: Markup,
    sections: Sequence[Section],
    robot: Section,
    functions: str,
) -> str:
    """Text of the HTML file; `robot` has data only, `functions` is the robot's own module."""
    links = [element("a", s.title, href=f"#{s.id}") for s in sections]
    body = [
        element("section", element("h2", s.title), s.html, id=s.id, aria_label=s.title)
        for s in sections
    ]
    data = [island(s.id, s.data) for s in (robot, *sections) if s.data]
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=POLICY),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("title", title),
            element("style", Markup(_asset("style.css"))),
        ),
        "<body>",
        element("header", head, element("nav", links, aria_label="Sections")),
        element("div", element("aside", side, id="side"), element("main", body), class_="columns"),
        *data,
        element("script", Markup(script(functions)), type="module"),
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def island(name: str, data: Any) -> Markup:
    r"""Embed data as JSON, safely for any content.

    >>> print(island("x", {"name": "</script>\u2028"}))
    <script type="application/json" id="data-x">{"name":"\u003c/script>\u2028"}</script>
    """
    try:
        plain = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        raise EquamoError(
            f"The data of section {name!r} must be finite numbers, got one that is not finite."
        ) from None
    for c in ("<", "\u2028", "\u2029"):
        plain = plain.replace(c, f"\\u{ord(c):04x}")
    return element("script", Markup(plain), type="application/json", id=f"data-{name}")


def script(own: str) -> str:
    """Script of the page: its files as one module, each in its own scope.

    `own` is the module of this robot's functions.
    """
    texts = [*(_asset(name) for name in SCRIPTS[:-1]), own, _asset(SCRIPTS[-1])]
    joined = "\n".join(scoped(t) for t in texts)
    if "</script" in joined.lower() or "<!--" in joined:
        raise EquamoError("The page's script must not contain text that ends its element.")
    return joined


def scoped(module: str) -> str:
    """Wrap a module in a statement that defines its exports and nothing else.

    >>> print(scoped("import { a } from './a.js';\\nexport function f() { return a; }"))
    const { f } = (() => {
    function f() { return a; }
    return { f };
    })();
    """
    plain = _IMPORT.sub("", module)
    names = [match[2] for match in _EXPORT.finditer(plain)]
    body = _EXPORT.sub(r"\1", plain).strip()
    if not names:
        return f"(() => {{\n{body}\n}})();"
    listed = ", ".join(names)
    return f"const {{ {listed} }} = (() => {{\n{body}\nreturn {{ {listed} }};\n}})();"


def _asset(name: str) -> str:
    try:
        folder = files(__name__.rpartition(".")[0]) / "assets"
        return folder.joinpath(*name.split("/")).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise EquamoError(
            f"The file {name} of the page is missing; install equamo again."
        ) from None


def paragraph(*parts: str | Markup, class_: str | None = None) -> Markup:
    """Paragraph element."""
    return element("p", [text(p) for p in parts], class_=class_)

"""Files of the repository as pages with line numbers, for links from the documentation."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Final

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from .repository_links import ROOT

FOLDER: Final = "source"
KEPT: Final = ROOT / "build" / "source-pages"  # coloured text by digest, for the next run
TEXT: Final = (
    "", ".py", ".js", ".css", ".html", ".toml", ".md", ".txt", ".json", ".c", ".m", ".xml", ".urdf",
    ".ipynb",
)  # fmt: skip
# Names, operators and spaces have no colour in source.css: without their tags, pages are half as large.
_PLAIN: Final = re.compile(
    r'<span class="(?:n|p|o|w|nn|nb|bp|kt|vm|fm|nx|nt|na|ni|py|kr|err)">([^<]*)</span>'
)
_PAGE: Final = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title} · equamo</title><link rel="stylesheet" href="{up}_static/source.css"></head>
<body><header><a href="{up}index.html">equamo</a> {crumbs}</header><main>{body}</main></body></html>
"""


def address(path: str) -> str:
    """Page of a file or folder, from the top of the site.

    >>> address("src/equamo/errors.py"), address("src/equamo/algebra/expr")
    ('source/src/equamo/errors.py.html', 'source/src/equamo/algebra/expr/index.html')
    """
    return f"{FOLDER}/{path}/index.html" if (ROOT / path).is_dir() else f"{FOLDER}/{path}.html"


def _crumbs(path: str, up: str) -> str:
    parts = path.split("/")
    made: list[str] = []
    for k, part in enumerate(parts):
        so_far = "/".join(parts[: k + 1])
        last = k == len(parts) - 1
        made.append(escape(part) if last else f'<a href="{up}{address(so_far)}">{escape(part)}</a>')
    return " / ".join(made)


def _write(site: Path, path: str, body: str) -> None:
    target = site / address(path)
    up = "../" * (len(target.relative_to(site).parts) - 1)
    target.parent.mkdir(parents=True, exist_ok=True)
    text = _PAGE.format(title=escape(path), up=up, crumbs=_crumbs(path, up), body=body)
    target.write_text(text, encoding="utf-8")


def _file(site: Path, file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    kept = KEPT / f"{hashlib.sha256((file.name + text).encode()).hexdigest()[:24]}.html"
    if not kept.is_file():
        KEPT.mkdir(parents=True, exist_ok=True)
        kept.write_text(_highlighted(file, text), encoding="utf-8")
    _write(site, file.relative_to(ROOT).as_posix(), kept.read_text(encoding="utf-8"))


def _highlighted(file: Path, text: str) -> str:
    try:
        lexer = get_lexer_for_filename(file.name)
    except ClassNotFound:
        lexer = TextLexer()
    shown = highlight(text, lexer, HtmlFormatter(linespans="line", wrapcode=True))
    return _PLAIN.sub(r"\1", shown)


def _summary(file: Path) -> str:
    """First line of the docstring of a module or package."""
    module = file / "__init__.py" if file.is_dir() else file
    if module.suffix != ".py" or not module.is_file():
        return ""
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return text.split("\n")[0]


def _folder(site: Path, folder: Path, shown: set[Path]) -> None:
    rows: list[str] = []
    init = folder / "__init__.py"
    if init.is_file():
        text = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or ""
        rows.append(f"<pre class='docstring'>{escape(text)}</pre>")
    rows.append("<table>")
    for x in sorted(folder.iterdir(), key=lambda x: (not x.is_dir(), x.name)):
        if x in shown:
            name = f"{x.name}/index.html" if x.is_dir() else f"{x.name}.html"
            link = f'<a href="{escape(name)}">{escape(x.name)}</a>'
            rows.append(f"<tr><td>{link}</td><td>{escape(_summary(x))}</td></tr>")
    _write(site, folder.relative_to(ROOT).as_posix(), "\n".join([*rows, "</table>"]))


def _is_text(file: Path) -> bool:
    return file.is_file() and file.suffix in TEXT and file.stat().st_size < 400_000


def write_source_pages(site: Path, linked: Iterable[str]) -> int:
    """Pages of the whole package, and of what the documentation links to; returns their number."""
    files = {x for x in (ROOT / "src" / "equamo").rglob("*") if _is_text(x)}
    for path in linked:
        target = ROOT / path
        if target.is_dir():
            files |= {x for x in target.iterdir() if _is_text(x)}
        else:
            files.add(target)
    files = {x for x in files if "__pycache__" not in x.parts}
    folders = {y for x in files for y in x.parents if y != ROOT and y.is_relative_to(ROOT)}
    for file in files:
        _file(site, file)
    for folder in folders:
        _folder(site, folder, files | folders)
    return len(files) + len(folders)

"""Pages of docs/ as sources for Sphinx: links, references to public names, and numbered equations."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from .command_line import command_line
from .contents import OUTSIDE, Part, contents, shown_on_site, toctrees
from .equation_lines import FILE, SOURCE, with_links
from .reference import Reference
from .repository_links import ROOT, SCHEME, rewrite

DOCS: Final = ROOT / "docs"
# Headings have code too, in which a link would be in the way of theirs.
_NAME: Final = re.compile(r"^(#.*)$|(`+)(?!`)(.+?)(?<!`)\2(?!`)", re.MULTILINE)
_FENCE: Final = re.compile(r"(^(?:```|~~~).*?^(?:```|~~~)[ ]*$)", re.MULTILINE | re.DOTALL)
_LINK_TEXT: Final = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(")


def site_contents() -> list[Part]:
    """Parts of the site."""
    return contents((DOCS / "index.md").read_text(encoding="utf-8"))


def page_files() -> dict[Path, str]:
    """Files of the pages that are written by hand, with their names on the site."""
    found = {x: x.relative_to(DOCS).with_suffix("").as_posix() for x in sorted(DOCS.rglob("*.md"))}
    for path, name in OUTSIDE.items():
        found[(DOCS / path).resolve()] = name
    found[ROOT / "README.md"] = "index"
    return found


def with_references(text: str, reference: Reference) -> str:
    """The page with inline code as links, `eq.derive` to the reference, `code/ir/cost.py` to a file."""

    def name(found: re.Match[str]) -> str:
        if found[1] is not None or len(found[2]) > 1:
            return found[0]
        file = FILE.fullmatch(found[0])
        if file and (SOURCE / file[1]).is_file():
            return f"[{found[0]}]({SCHEME}src/equamo/{file[1]})"
        return reference.link(found[3])

    def part(text: str) -> str:
        hidden = [x.span() for x in _LINK_TEXT.finditer(text)]

        def outside(found: re.Match[str]) -> str:
            return found[0] if any(a <= found.start() < b for a, b in hidden) else name(found)

        return _NAME.sub(outside, text)

    pieces = _FENCE.split(text)
    return "".join(x if k % 2 else part(x) for k, x in enumerate(pieces))


def link_names(*files: Path) -> None:
    """Link public names in sources that are already written."""
    reference = Reference()
    for file in files:
        text = with_references(file.read_text(encoding="utf-8"), reference)
        file.write_text(text, encoding="utf-8")


def write_pages(folder: Path) -> None:
    """Write the sources of all pages but those of the gallery and the notebooks."""
    reference = Reference()
    names = page_files()
    for file, name in names.items():
        if file.name == "README.md":
            continue
        text = file.read_text(encoding="utf-8")
        if file.is_relative_to(DOCS / "theory" / "formulations"):
            text = with_links(text, "../../")
        text = rewrite(text, file, names, name)
        text = with_references(text, reference)
        if name == "index":
            text = shown_on_site(text) + "\n" + toctrees(site_contents())
        _write(folder, name, text)
    for name, text in reference.pages().items():
        _write(folder, name, text)
    _write(folder, "reference/command_line", command_line())
    for kind in ("pictures", "papers"):
        shutil.copytree(DOCS / kind, folder / kind)


def _write(folder: Path, name: str, text: str) -> None:
    path = folder / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")

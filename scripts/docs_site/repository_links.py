"""Links of Markdown pages to files of the repository that are not pages of the site."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
LINK: Final = re.compile(r"(\[(?:[^\[\]]|\[[^\[\]]*\])*\]\()([^()\s]+)((?:\s+\"[^\"]*\")?\))")
CODE: Final = re.compile(
    r"^(```|~~~).*?^\1[ ]*$|(`+)(?!`).*?(?<!`)\2(?!`)", re.MULTILINE | re.DOTALL
)
ELSEWHERE: Final = ("http://", "https://", "mailto:", "#")
SCHEME: Final = "repository:"


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Text with its prose changed, and its code blocks and inline code as they were.

    >>> outside_code("a `a` a", str.upper)
    'A `a` A'
    """
    parts: list[str] = []
    end = 0
    for found in CODE.finditer(text):
        parts += [change(text[end : found.start()]), found[0]]
        end = found.end()
    return "".join([*parts, change(text[end:])])


def rewrite(text: str, origin: Path, pages: dict[Path, str], name: str) -> str:
    """The page with its links changed: to pages of the site, or to `repository:<path>`.

    Args:
        text: Markdown.
        origin: File the text comes from, which its links are relative to.
        pages: Names of the pages of the site, by file.
        name: Name of this page on the site.
    """

    def target(link: str) -> str:
        if link.startswith(ELSEWHERE):
            return link
        path, mark, anchor = link.partition("#")
        file = (origin.parent / path).resolve()
        if file in pages:
            return f"/{pages[file]}.md{mark}{anchor}"
        if file.suffix in (".png", ".svg", ".pdf") and file.is_relative_to(ROOT / "docs"):
            return f"/{file.relative_to(ROOT / 'docs').as_posix()}"
        return SCHEME + file.relative_to(ROOT).as_posix()

    # Code within the text of a link hides its brackets: links are found in the whole text, and those
    # within code are left alone.
    hidden = [x.span() for x in CODE.finditer(text)]

    def replaced(found: re.Match[str]) -> str:
        if any(a <= found.start() < b for a, b in hidden):
            return found[0]
        return found[1] + target(found[2]) + found[3]

    return LINK.sub(replaced, text)

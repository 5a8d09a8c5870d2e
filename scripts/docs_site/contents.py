"""Table of contents: the headings of docs/index.md and the pages listed below each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LINK: Final = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]+)\)")
_MADE: Final = re.compile(r"<!-- site: ([^>]*) -->")
HEADING: Final = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """Part of the site: its title, and its pages without suffix, in order."""

    title: str
    pages: tuple[str, ...]


def contents(index: str) -> list[Part]:
    r"""Parts of the site, from the text of docs/index.md; a page belongs to the first that lists it.

    Generated pages (the reference, the gallery) do not exist in docs/: a comment
    `<!-- site: reference/index -->` lists them.

    >>> contents("## Start\n[one](a.md), [again](a.md#x)\n## More\n<!-- site: b c -->\n[out](../x.py)")
    [Part(title='Start', pages=('a',)), Part(title='More', pages=('b', 'c'))]
    """
    parts: list[Part] = []
    seen: set[str] = set()
    pieces = HEADING.split(index)[1:]
    for title, text in zip(pieces[::2], pieces[1::2], strict=True):
        pages: list[str] = []
        for found in re.finditer(rf"{LINK.pattern}|{_MADE.pattern}", text):
            target, made = found.groups()
            names = made.split() if made else [_page(target)]
            for name in names:
                if name and name not in seen:
                    seen.add(name)
                    pages.append(name)
        if pages:
            parts.append(Part(title.strip(), tuple(pages)))
    return parts


# Pages that stand outside docs/: their names on the site.
OUTSIDE: Final = {
    "../CONTRIBUTING.md": "contributing",
    "../CHANGELOG.md": "changelog",
    "../SECURITY.md": "security_policy",
    "../CODE_OF_CONDUCT.md": "code_of_conduct",
}


def _page(target: str) -> str:
    path = target.partition("#")[0]
    if path in OUTSIDE:
        return OUTSIDE[path]
    inside = path.endswith(".md") and not path.startswith(("../", "http"))
    return path.removesuffix(".md") if inside else ""


def shown_on_site(text: str) -> str:
    r"""The page as the site has it: generated pages as links, and without remarks for other readers.

    >>> shown_on_site("A.\n<!-- elsewhere -->\nB\n<!-- end -->\n<!-- site: c d -->\n")
    'A.\n\n[](/c.md), [](/d.md)\n'
    """
    text = re.sub(r"<!-- elsewhere -->.*?<!-- end -->", "", text, flags=re.DOTALL)
    return _MADE.sub(lambda x: ", ".join(f"[](/{name}.md)" for name in x[1].split()), text)


def toctrees(parts: list[Part]) -> str:
    """Sphinx directives for the parts, which make the sidebar."""
    blocks = [
        f"```{{toctree}}\n:hidden:\n:caption: {x.title}\n\n" + "\n".join(x.pages) + "\n```"
        for x in parts
    ]
    return "\n\n".join(blocks) + "\n"

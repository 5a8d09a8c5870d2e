"""Every link of the README and of the pages in docs/ leads somewhere, and every page is in the index."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
ELSEWHERE = ("http://", "https://", "mailto:")

FENCED = re.compile(r"^(```|~~~).*?^\1[ ]*$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*<?([^()\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)", re.MULTILINE)
HTML = re.compile(r"<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=[\"']([^\"']+)")
HEADING = re.compile(r"^#{1,6} +(.+?) *#* *$", re.MULTILINE)
ANCHOR = re.compile(r"<[^>]*?\b(?:id|name)=[\"']([^\"']+)")


def prose(markdown: str) -> str:
    """The text without code, because a link in code is not a link."""
    return INLINE.sub("", FENCED.sub("", markdown))


def links(markdown: str) -> Iterator[str]:
    """The targets of all links and pictures."""
    text = prose(markdown)
    for pattern in (LINK, REFERENCE, HTML):
        yield from (match[1] for match in pattern.finditer(text))


def anchors(markdown: str) -> set[str]:
    """What `#…` may name: headings as GitHub and others write them, and ids."""
    text = FENCED.sub("", markdown)
    seen: Counter[str] = Counter()
    found = set(ANCHOR.findall(text))
    for heading in HEADING.findall(text):
        shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)  # of a link only its text
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


def broken(markdown: str, page: Path) -> list[str]:
    """The links of a page that lead nowhere, each with the reason."""
    wrong: list[str] = []
    for link in links(markdown):
        if link.startswith(ELSEWHERE):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        if path and not target.exists():
            wrong.append(f"{link}: there is no such file")
        elif path and not target.is_relative_to(ROOT):
            wrong.append(f"{link}: leads out of the repository")
        elif anchor and target.suffix != ".md":
            wrong.append(f"{link}: only pages have anchors")
        elif anchor:
            text = markdown if target == page else target.read_text(encoding="utf-8")
            if anchor not in anchors(text):
                wrong.append(f"{link}: there is no such heading")
    return wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links(page: Path) -> None:
    assert not broken(page.read_text(encoding="utf-8"), page)


def test_every_page_is_in_the_index() -> None:
    index = DOCS / "index.md"
    listed = {(DOCS / link.partition("#")[0]).resolve() for link in links(index.read_text("utf-8"))}
    missing = {p.relative_to(ROOT).as_posix() for p in DOCS.rglob("*.md")} - {
        p.relative_to(ROOT).as_posix() for p in listed if p.is_relative_to(ROOT)
    }
    assert missing <= {"docs/index.md"}


GOOD = """# Ω and the `rest`

[here](#ω-and-the-rest), [again](#twice-1), [there](docs/theory/proofs.md#the-theorem), [src](src/equamo)
[out](https://example.org/nowhere), ![picture](docs/theory/proofs.md "title") and `[code](nowhere.md)`

## Twice
## Twice

```sh
[code](nowhere.md)
```

[name]: README.md
"""


def test_a_good_page_has_no_broken_link() -> None:
    assert len(list(links(GOOD))) == 7
    assert not broken(GOOD, ROOT / "page.md")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#ω-and-the-rest", "#ω-and-rest"),
        ("#twice-1", "#twice-2"),
        ("proofs.md#the-theorem", "proofs.md#the-theorems"),
        ("proofs.md#", "prove.md#"),
        ("(src/equamo)", "(src/equamos)"),
        ("(src/equamo)", "(../)"),
        ("(src/equamo)", "(src/equamo/errors.py#L1)"),
        ("![picture](docs/theory/proofs.md", "![picture](docs/proofs.png"),
        ("]: README.md", "]: READ.md"),
        ("`[code](nowhere.md)`", "[code](nowhere.md)"),
        ("[code](nowhere.md)\n```", "```\n[code](nowhere.md)"),
        ("## Twice\n\n```", "## Twice\n\n<a href='nowhere.html'>\n\n```"),
    ],
)
def test_a_bad_link_is_found(before: str, after: str) -> None:
    bad = GOOD.replace(before, after, 1)
    assert bad != GOOD
    assert len(broken(bad, ROOT / "page.md")) == 1

"""`make docs`: contents, reference, lines of equations, and links of the site, without building it."""

from __future__ import annotations

import doctest
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

import equamo

pytestmark = pytest.mark.ci

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts"))

from docs_site import check, equation_lines  # noqa: E402
from docs_site.contents import contents, toctrees  # noqa: E402
from docs_site.docstring import markdown, read  # noqa: E402
from docs_site.public_names import documented, groups  # noqa: E402
from docs_site.reference import Reference, undescribed  # noqa: E402
from docs_site.repository_links import rewrite  # noqa: E402

DOCS = ROOT / "docs"
FORMULATIONS = sorted((DOCS / "theory" / "formulations").glob("*.md"))


# -- contents ----------------------------------------------------------------------------------------
def test_every_page_is_in_the_contents_once() -> None:
    parts = contents((DOCS / "index.md").read_text(encoding="utf-8"))
    listed = [x for part in parts for x in part.pages]
    assert len(listed) == len(set(listed))
    pages = {x.relative_to(DOCS).with_suffix("").as_posix() for x in DOCS.rglob("*.md")} - {"index"}
    notebooks = {f"notebooks/{x.stem}" for x in (ROOT / "examples").glob("*.ipynb")}
    made = {"reference/index", "reference/command_line", "gallery", "contributing", "changelog"}
    made |= {"security_policy", "code_of_conduct"}
    assert set(listed) == pages | notebooks | made
    assert toctrees(parts).count("{toctree}") == len(parts)


def test_the_parts_of_the_site() -> None:
    parts = contents((DOCS / "index.md").read_text(encoding="utf-8"))
    assert [x.title for x in parts] == [
        "Tutorial", "How-to guides", "Coming from …", "Reference", "Theory", "Gallery",
        "Performance and security", "Extending equamo",
    ]  # fmt: skip


# -- reference ---------------------------------------------------------------------------------------
def stored_names() -> set[str]:
    """Names of tests/api.txt: functions, classes and members, without constructors."""
    found: set[str] = set()
    cls = ""
    api = (ROOT / "tests" / "api.txt").read_text(encoding="utf-8")
    for line in api.partition("\n\n")[0].splitlines():  # below it: what has no name of its own
        name = re.match(r"(?:class )?\s*([\w.]+)", line)
        assert name
        if line.startswith("class "):
            cls = name[1]
        if not (line.startswith(" ") and name[1] == cls):
            found.add(name[1])
    return found


def test_the_reference_has_every_public_name() -> None:
    names = documented()
    assert len(names) == len(set(names)) > 700
    assert set(names) <= stored_names()
    for missing in stored_names() - set(names):  # attributes that only `__init__` sets
        owner, _, attribute = missing.partition(".")
        assert attribute, f"{missing} is not in the reference"
        ours = [c for c in getattr(equamo, owner).__mro__ if c.__module__.startswith("equamo")]
        declared = {n for c in ours for n in (*vars(c), *inspect.get_annotations(c))}
        assert attribute not in declared, f"{missing} is not in the reference"


def test_every_entry_is_on_a_page() -> None:
    pages = "\n".join(Reference().pages().values())
    heads = set(
        re.findall(r"\{py:(?:function|class|exception|attribute|property|method)\} ([\w.]+)", pages)
    )
    assert heads == set(documented())
    assert len(groups()) > 10


def test_every_member_has_a_description() -> None:
    assert undescribed() == []


def test_names_in_text_become_links() -> None:
    link = Reference().link
    assert link("eq.derive") == "{py:obj}`eq.derive <equamo.derive>`"
    assert link("derive") == "`derive`"  # a common word
    assert link("limit_violations", "Trajectory").endswith("<equamo.Trajectory.limit_violations>`")
    assert link("fast.nothing") == "`fast.nothing`"


def test_a_docstring_as_markdown() -> None:
    text = """Do it.

    Args:
        a, b: Two
            numbers [m].
        **c: More, see `x`.

    Returns:
        Their sum: a*b.

    Raises:
        ValueError: Not `a`.

    >>> 1 + 1
    2
    """
    shown = markdown(read(text), lambda code: f"<{code}>")
    assert shown.split("\n\n")[0] == "Do it."
    assert ":param a: Two numbers \\[m\\].\n:param b: Two numbers \\[m\\]." in shown
    assert ":param c: More, see <x>." in shown
    assert ":returns: Their sum: a\\*b." in shown
    assert ":raises ValueError: Not <a>." in shown
    assert shown.endswith("```pycon\n>>> 1 + 1\n2\n```")


# -- equations and their lines -----------------------------------------------------------------------
@pytest.mark.parametrize("page", FORMULATIONS, ids=lambda p: p.stem)
def test_every_equation_leads_to_a_comment_in_the_code(page: Path) -> None:
    found = equation_lines.equations(page.read_text(encoding="utf-8"))
    assert len(found) >= 2
    for name, line in found.items():
        assert line is not None, name
        text = line.file.read_text(encoding="utf-8").split("\n")[line.number - 1]
        number = name.split(": ")[1]
        assert number in text.partition("#")[2], f"{name}: {line.file.name}:{line.number}: {text}"


def test_an_equation_without_a_line_is_an_error() -> None:
    page = "# Kane\n\nIn `mechanics/formulations/kane.py`.\n\n    (12) M = 1\n\n&\n\n    (99) x = y\n\n"
    lines = equation_lines.equations(page)
    assert lines["Kane: (12)"] is not None
    assert lines["Kane: (99)"] is None
    with pytest.raises(ValueError, match="99"):
        equation_lines.with_links(page, "../")
    shown = equation_lines.with_links(page.replace("99", "8"), "../")
    assert (
        shown.count('<a href="../source/src/equamo/mechanics/formulations/kane.py.html#line-') == 2
    )


# -- links -------------------------------------------------------------------------------------------
def test_links_to_pages_and_to_files() -> None:
    text = (
        "[a](guide/motion.md#energy) [b](../src/equamo) [c](https://x.org) `[d](e.md)` "
        "[f](../CHANGELOG.md)"
    )
    pages = {DOCS / "guide" / "motion.md": "guide/motion", ROOT / "CHANGELOG.md": "changelog"}
    assert rewrite(text, DOCS / "index.md", pages, "index") == (
        "[a](/guide/motion.md#energy) [b](repository:src/equamo) [c](https://x.org) `[d](e.md)` "
        "[f](/changelog.md)"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('<a href="b.html#here">', None),
        ('<a href="https://example.org">', None),
        ('<img src="data:image/png;base64,">', None),
        ('<a href="c.html">', "does not exist"),
        ('<a href="b.html#there">', "no such place"),
        ('<script src="https://example.org/x.js">', "loads https"),
        ('<link href="//example.org/x.css">', "loads //example"),
        ('<img src="x.png">', "does not exist"),
    ],
)
def test_what_is_wrong_with_a_site(tmp_path: Path, text: str, complaint: str | None) -> None:
    (tmp_path / "a.html").write_text(text, encoding="utf-8")
    (tmp_path / "b.html").write_text('<p id="here">', encoding="utf-8")
    found = list(check.wrong(tmp_path))
    assert len(found) == (complaint is not None)
    assert all(complaint in x for x in found if complaint)


def test_styles_load_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("/* https://example.org */ a { color: red }", encoding="utf-8")
    assert not list(check.wrong(tmp_path))
    (tmp_path / "a.css").write_text(
        "a { background: url('https://example.org/x') }", encoding="utf-8"
    )
    assert len(list(check.wrong(tmp_path))) == 1


@pytest.mark.parametrize(
    "name", ["check", "contents", "docstring", "fields", "reference", "repository_links"]
)
def test_examples_in_docstrings(name: str) -> None:
    done = doctest.testmod(import_module(f"docs_site.{name}"))
    assert done.attempted
    assert not done.failed

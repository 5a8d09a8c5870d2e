"""Files of the studio's page: all are bundled, their names differ, and none runs text as code."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

from equamo.publish.page.document import SCRIPTS
from equamo.publish.studio.bundle import OF_PAGE, OF_STUDIO, page, script, source, style

# The worker of the static site loads its own files.
OF_WORKER = {"worker.js", "pyodide_kernel.js", "packages.js"}


def test_every_script_is_bundled() -> None:
    folder = files("equamo.publish.studio") / "assets"
    scripts = {x.name for x in folder.iterdir() if x.name.endswith(".js")}
    assert scripts - OF_WORKER == set(OF_STUDIO)


EXPORTED = re.compile(r"^export (?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)


def test_exported_names_differ() -> None:
    texts = [source("page", n) for n in OF_PAGE] + [source("studio", n) for n in OF_STUDIO]
    names = Counter(name for text in texts for name in EXPORTED.findall(text))
    assert [n for n, count in names.items() if count > 1] == []


def test_scripts_of_the_page_that_are_left_out_are_not_needed() -> None:
    left_out = set(SCRIPTS) - set(OF_PAGE)
    assert left_out
    for name in (n for x in left_out for n in EXPORTED.findall(source("page", x))):
        assert not re.search(rf"\b{name}\b", script()), name


def test_no_script_runs_text_or_writes_html() -> None:
    for name in OF_STUDIO:
        text = source("studio", name)
        assert not re.search(
            r"\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write", text
        ), name


def test_the_page_loads_its_two_files_only() -> None:
    assert re.findall(r'(?:src|href)="([^"]*)"', page()) == [
        "data:,",
        "studio.css",
        "studio.js",
        "#editor",
    ]
    assert "http" not in page()
    assert "</script" not in script().lower()
    assert "@import" not in style()
    assert "url(" not in style()

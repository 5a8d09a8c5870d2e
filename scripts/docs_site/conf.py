"""Configuration of Sphinx; `python scripts/docs_site` runs it on the sources it wrote."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from docutils import nodes
from sphinx.util import logging

from docs_site.repository_links import ROOT, SCHEME
from docs_site.source_pages import address, write_source_pages
from equamo import __version__

project = "equamo"
author = "the equamo authors"
version = release = __version__
html_title = f"equamo {__version__}"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
# A page that was opened as a file may not read others: the list of results has titles only.
html_show_search_summary = False

extensions = ["myst_parser"]
myst_enable_extensions = ["fieldlist"]
myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "mailto": None, SCHEME.rstrip(":"): None}
source_suffix = {".md": "markdown"}
add_module_names = False
smartquotes = False  # quotation marks of code must stay as they are
maximum_signature_line_length = 90
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True

html_theme = "furo"
html_static_path = [str(Path(__file__).with_name("theme"))]
html_css_files = ["site.css"]
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "monokai"

_linked: set[str] = set()


def _lead_to_source(app: Any, doctree: nodes.document, docname: str) -> None:
    """Links to files of the repository lead to their pages."""
    up = "../" * docname.count("/")
    for link in doctree.findall(nodes.reference):
        target = link.get("refuri", "")
        if not target.startswith(SCHEME):
            continue
        path, mark, anchor = target.removeprefix(SCHEME).partition("#")
        if not (ROOT / path).exists():
            logging.getLogger(__name__).warning("link to a missing file: %s", path, location=link)
        _linked.add(path)
        link["refuri"] = up + address(path) + mark + anchor
        link["internal"] = True


def _finish(app: Any, failure: Exception | None) -> None:
    if failure is None:
        write_source_pages(Path(app.outdir), sorted(_linked))


def setup(app: Any) -> None:
    """Connect what Sphinx calls."""
    app.connect("doctree-resolved", _lead_to_source)
    app.connect("build-finished", _finish)

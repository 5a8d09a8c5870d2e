"""Build the documentation as a site: python scripts/docs_site [folder], by default build/docs.

Sphinx warnings, broken links and searches without a result are errors.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

if __package__ in (None, ""):  # started as a folder
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from docs_site.check import wrong
from docs_site.gallery import write_gallery
from docs_site.notebooks import write_notebooks
from docs_site.offline_search import wrong_results
from docs_site.pages import link_names, write_pages
from docs_site.repository_links import ROOT


def main(site: Path) -> int:
    """Write the sources, run Sphinx on them, and check the result."""
    sources = ROOT / "build" / "docs-sources"
    for folder in (sources, site):
        shutil.rmtree(folder, ignore_errors=True)
    sources.mkdir(parents=True)
    write_pages(sources)
    write_notebooks(sources)
    write_gallery(sources, site)
    link_names(sources / "gallery.md", *(sources / "notebooks").glob("*.md"))
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "--quiet", "-c"]
    done = subprocess.run(
        [
            *command,
            str(Path(__file__).parent),
            "-d",
            str(ROOT / "build" / "docs-cache"),
            str(sources),
            str(site),
        ],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        check=False,
    )
    if done.returncode:
        return done.returncode
    lines = list(wrong(site))
    found = wrong_results(site)
    if found is None:
        print("Chromium is not installed: the search was not tested.")
    lines += found or ()
    print("\n".join(lines) if lines else f"{site}/index.html: all links work")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "docs"))

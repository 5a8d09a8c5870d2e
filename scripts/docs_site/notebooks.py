"""Notebooks of examples/, run from top to bottom, as pages."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any, Final

from .repository_links import ROOT, SCHEME

FOLDER: Final = ROOT / "examples"
Cell = dict[str, Any]


def notebooks() -> list[Path]:
    """Notebooks of the examples."""
    return sorted(FOLDER.glob("*.ipynb"))


def source(cell: Cell) -> str:
    """Text of a cell, which a file may store as lines."""
    text = cell["source"]
    return text if isinstance(text, str) else "".join(text)


def run(file: Path) -> list[Cell]:
    """Cells of a notebook with their outputs, run in a kernel of their own, in an empty folder."""
    from tempfile import TemporaryDirectory

    import nbformat
    from nbclient import NotebookClient

    notebook: Any = nbformat.read(file, as_version=4)  # pyright: ignore[reportUnknownMemberType]
    with TemporaryDirectory() as folder:
        NotebookClient(
            notebook,
            timeout=300,
            resources={"metadata": {"path": folder}},
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
        ).execute()
    return json.loads(json.dumps(notebook))["cells"]


def figures(cells: list[Cell]) -> int:
    """Number of pictures among the outputs."""
    return sum("image/png" in x.get("data", {}) for c in cells for x in c.get("outputs", ()))


def page(name: str, cells: list[Cell], sources: Path) -> str:
    """Markdown of a notebook that has been run; its pictures go to `sources`/notebooks."""
    parts: list[str] = []
    for cell in cells:
        if cell["cell_type"] == "markdown":
            parts.append(source(cell))
            continue
        parts.append(f"```python\n{source(cell)}\n```")
        for output in cell.get("outputs", ()):
            shown = _output(name, len(parts), output, sources)
            if shown:
                parts.append(shown)
    file = f"examples/{name}.ipynb"
    note = f"*This page is the notebook [{file}]({SCHEME}{file}), run when the site was built.*"
    head, _, rest = parts[0].partition("\n")
    return "\n\n".join([head, note, rest.strip(), *parts[1:]]) + "\n"


def _output(name: str, number: int, output: Any, sources: Path) -> str:
    data = output.get("data", {})
    if "image/png" in data:
        file = sources / "notebooks" / f"{name}-{number}.png"
        file.write_bytes(base64.b64decode(data["image/png"]))
        return f"![output of the cell above]({file.name})"
    text = output.get("text") or data.get("text/plain", "")
    text = re.sub(r"\x1b\[[0-9;]*m", "", text if isinstance(text, str) else "".join(text)).rstrip()
    return f"```text\n{text}\n```" if text else ""


def write_notebooks(sources: Path) -> None:
    """Run all notebooks and write their pages; each must draw a figure."""
    (sources / "notebooks").mkdir(parents=True, exist_ok=True)
    for file in notebooks():
        print(f"notebook: {file.name}", flush=True)
        cells = run(file)
        if not figures(cells):
            raise ValueError(f"{file.name} must draw a figure")
        text = page(file.stem, cells, sources)
        (sources / "notebooks" / f"{file.stem}.md").write_text(text, encoding="utf-8")

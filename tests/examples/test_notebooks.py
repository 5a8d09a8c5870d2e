"""The notebooks of examples/ run from top to bottom and draw; `make docs` runs them in a kernel too."""

import json
import random
from pathlib import Path
from typing import Any

import matplotlib
import pytest

pytestmark = [pytest.mark.ci, pytest.mark.needs("matplotlib")]

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))


def code_cells(path: Path) -> list[dict[str, Any]]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [x for x in cells if x["cell_type"] == "code"]


def run(path: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in code_cells(path):
        exec(compile("".join(cell["source"]), path.name, "exec"), names)


def test_there_are_notebooks_without_outputs() -> None:
    assert len(NOTEBOOKS) == 4
    for path in NOTEBOOKS:
        for cell in code_cells(path):
            assert cell["outputs"] == []
            assert cell["execution_count"] is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_draws(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole_sweeps: bool
) -> None:
    sampled = random.Random(3).choice(NOTEBOOKS)
    if not whole_sweeps and path != sampled:
        compile("\n".join("".join(x["source"]) for x in code_cells(path)), path.name, "exec")
        return
    from matplotlib import pyplot

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    try:
        run(path)
        figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
        assert figures
        assert all(any(ax.has_data() for ax in x.axes) for x in figures)
    finally:
        pyplot.close("all")

"""Results of benchmarks: the format of the files, what counts as a change, and the report of changes."""

import ast
import importlib.util
import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.ci, pytest.mark.needs("pinocchio")]

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "benchmarks"))

from harness.changes import changes, conditions  # noqa: E402
from harness.clock import Seconds  # noqa: E402
from harness.derivative_report import Robot, store_derivatives  # noqa: E402
from harness.models import SOURCES  # noqa: E402
from harness.report import Measured, store  # noqa: E402
from harness.results import (  # noqa: E402
    FOLDER,
    UNITS,
    Results,
    ResultsError,
    new_results,
    read_results,
)

SCRIPTS = sorted((ROOT / "benchmarks").glob("*.py"))
STORED = sorted(FOLDER.glob("*.json"))


def results(machine: str = "cpu", version: str = "1", **figures: tuple[float, str]) -> Results:
    made = Results("speed", machine, {"python": "3.12", "equamo": version})
    for name, (value, unit) in figures.items():
        made.add(name, value, unit)
    return made


@pytest.fixture(scope="module")
def script() -> Any:
    path = ROOT / "scripts" / "compare_benchmarks.py"
    spec = importlib.util.spec_from_file_location("compare_benchmarks", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# -- files ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", STORED, ids=lambda p: p.stem)
def test_stored_results_have_the_format(path: Path) -> None:
    """Written again, a file is the same; it belongs to a script and knows its conditions."""
    text = path.read_text(encoding="utf-8")
    found = read_results(text, path.name)
    assert found.text() == text
    assert found.benchmark == path.stem
    assert ROOT / "benchmarks" / f"{path.stem}.py" in SCRIPTS
    assert found.figures
    assert found.machine
    assert {"python", "equamo", "llvmlite"} <= set(found.versions)


def test_some_results_are_stored() -> None:
    assert {"operations", "derive"} <= {path.stem for path in STORED}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.stem)
def test_every_benchmark_stores_its_results(path: Path) -> None:
    """Each script makes results under its own name and writes them."""
    calls = [x for x in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(x, ast.Call)]
    names = [
        c.args[0].value
        for c in calls
        if isinstance(c.func, ast.Name)
        and c.func.id == "new_results"
        and isinstance(c.args[0], ast.Constant)
    ]
    assert names == [path.stem]
    assert any(isinstance(c.func, ast.Attribute) and c.func.attr == "write" for c in calls)


def test_a_file_reads_back(tmp_path: Path) -> None:
    made = new_results("speed", peers=["sympy"])
    assert "sympy" in made.versions
    made.add("time", 0.123456, "s")
    made.add("count", 123456, "operations")
    made.add("not built", math.nan, "s")
    path = made.write(tmp_path)
    found = read_results(path.read_text(encoding="utf-8"), path.name)
    assert found == made
    assert found.figures == {"time": (0.1235, "s"), "count": (123456, "operations")}
    lines = path.read_text(encoding="utf-8").splitlines()
    assert '  "time": {"value": 0.1235, "unit": "s"},' in lines  # one line per figure


@pytest.mark.parametrize(
    ("value", "unit", "message"),
    [
        (1.0, "furlongs", "unit must be one of s, ns"),
        (math.inf, "s", "must be finite"),
        (-1.0, "s", "must be finite and ≥ 0, got -1.0"),
    ],
)
def test_figures_that_cannot_be_stored(value: float, unit: str, message: str) -> None:
    with pytest.raises(ResultsError, match=message):
        results().add("x", value, unit)


def test_a_name_is_used_once() -> None:
    with pytest.raises(ResultsError, match="must be new, got 'x'"):
        results(x=(1, "s")).add("x", 2, "s")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        '{"benchmark": "b", "machine": "m", "versions": {}, "figures": {"x": 1}}',
        '{"benchmark": "b", "machine": "m", "versions": {}, "figures": {"x": {"value": 1}}}',
        '{"benchmark": "b", "machine": "m", "versions": {}, "figures": {"x": {"value": "1"}}}',
        '{"benchmark": "b", "machine": "m", "versions": {}, "figures": []}',
    ],
)
def test_other_formats_are_refused(text: str) -> None:
    with pytest.raises(ResultsError, match=r"^old\.json: results must"):
        read_results(text, "old.json")


# -- changes -------------------------------------------------------------------------------------------
def test_only_changes_above_the_limit() -> None:
    before = results(a=(100, "ns"), b=(100, "ns"), c=(100, "ns"), d=(100, "ns"))
    after = results(a=(109, "ns"), b=(111, "ns"), c=(89, "ns"), d=(91, "ns"))
    found = {c.name: (c.worse, c.text) for c in changes(before, after)}
    assert found == {"b": (True, "+11 %"), "c": (False, "-11 %")}
    assert {c.name for c in changes(before, after, limit=0.05)} == {"a", "b", "c", "d"}
    assert not list(changes(before, before))


@pytest.mark.parametrize("unit", [unit for unit, kind in UNITS.items() if not kind.peer])
def test_better_and_worse_by_unit(unit: str) -> None:
    small, large = results(x=(10, unit)), results(x=(20, unit))
    (up,), (down,) = changes(small, large), changes(large, small)
    assert up.worse != down.worse
    assert down.worse == (unit in ("times faster", "times fewer", "per second", "identities"))


def test_differences_that_a_clock_cannot_see() -> None:
    before = results(a=(0.001, "s"), b=(0.001, "s"), c=(2, "ns"), d=(2, "ns"))
    after = results(a=(0.005, "s"), b=(0.007, "s"), c=(3, "ns"), d=(4, "ns"))
    assert [c.name for c in changes(before, after)] == ["b", "d"]


def test_a_count_has_no_noise() -> None:
    (found,) = changes(results(x=(1000, "operations")), results(x=(1001, "operations")))
    assert found.worse


def test_times_of_another_machine_are_not_compared() -> None:
    figures = {"a": "s", "b": "times faster", "c": "operations", "d": "per second"}
    before = results("one", **{n: (1, u) for n, u in figures.items()})
    after = results("two", **{n: (2, u) for n, u in figures.items()})
    assert [c.name for c in changes(before, after)] == ["b", "c"]
    assert any("one → two" in line for line in conditions(before, after))


def test_new_and_missing_figures() -> None:
    found = list(changes(results(a=(1, "s"), u=(1, "s")), results(b=(1, "s"), u=(1, "ns"))))
    assert [(c.name, c.unit, c.text, c.worse) for c in found] == [
        ("a", "s", "gone", True),
        ("u", "s", "gone", True),
        ("u", "ns", "new", False),
        ("b", "s", "new", False),
    ]


def test_another_program_does_not_make_ours_worse() -> None:
    """Its change is reported all the same, since ratios depend on it."""
    found = list(changes(results(a=(1, "s, peer"), b=(1, "s, peer")), results(a=(2, "s, peer"))))
    assert [(c.name, c.text, c.worse) for c in found] == [
        ("a", "+100 %", False),
        ("b", "gone", False),
    ]


def test_a_figure_that_was_zero() -> None:
    (found,) = changes(results(x=(0, "s")), results(x=(1, "s")))
    assert (found.text, found.worse) == ("from 0", True)


def test_versions_that_differ_are_named() -> None:
    assert conditions(results(version="1"), results(version="2")) == ["equamo 1 → 2"]


# -- the script ----------------------------------------------------------------------------------------
def test_the_script_reports_what_got_worse(
    script: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    results(fast=(10, "ns"), slow=(10, "ns"), same=(10, "ns")).write(old)
    results(fast=(5, "ns"), slow=(20, "ns"), same=(10.5, "ns")).write(new)
    assert script.main(["--against", str(old), "--results", str(new)]) == 1
    shown = capsys.readouterr().out
    assert "speed: 3 figures, 2 changed" in shown
    rows = {line.split("│")[2].strip(): line for line in shown.splitlines() if "│ speed" in line}
    assert set(rows) == {"fast", "slow"}
    assert "-50 %" in rows["fast"]
    assert "better" in rows["fast"]
    assert "+100 %" in rows["slow"]
    assert "worse" in rows["slow"]


def test_the_script_is_content_with_what_got_better(script: Any, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    results(x=(10, "ns")).write(old)
    results(x=(5, "ns")).write(new)
    assert script.main(["--against", str(old), "--results", str(new)]) == 0
    assert script.main(["speed", "--against", str(new), "--results", str(old)]) == 1
    assert script.main(["--against", str(new), "--results", str(old), "--limit", "150"]) == 0


def test_the_script_says_what_is_missing(
    script: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, empty = tmp_path / "new", tmp_path / "empty"
    results(x=(1, "s")).write(new)
    empty.mkdir()
    assert script.main(["--against", str(empty), "--results", str(new)]) == 0
    assert "speed: no earlier results" in capsys.readouterr().out
    assert script.main(["other", "--against", str(empty), "--results", str(new)]) == 2
    assert "no results of other; there are speed" in capsys.readouterr().err
    assert script.main(["--against", str(empty), "--results", str(empty)]) == 2
    assert "no results of any benchmark" in capsys.readouterr().err
    assert script.main(["--against", "no such commit", "--results", str(new)]) == 2
    assert "must be a folder or a commit" in capsys.readouterr().err
    (new / "speed.json").write_text(json.dumps({"benchmark": "speed"}))
    assert script.main(["--against", str(empty), "--results", str(new)]) == 2
    assert "results must have benchmark, machine" in capsys.readouterr().err


def test_against_a_commit(script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier results come from git, whatever is in the folder now."""
    import subprocess

    def git(*line: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *line], cwd=tmp_path, check=True, capture_output=True)

    folder = tmp_path / "benchmarks" / "results"
    monkeypatch.setattr(script, "ROOT", tmp_path)
    monkeypatch.setattr(script, "FOLDER", folder)
    git("init")
    results(x=(10, "ns")).write(folder)
    git("add", "-A")
    git("commit", "-m", "first")
    assert script.main(["--results", str(folder)]) == 0
    results(x=(20, "ns")).write(folder)
    results(y=(1, "ns")).write(folder / "other")
    assert script.main(["--results", str(folder)]) == 1
    assert script.stored("HEAD", "speed.json") == results(x=(10, "ns"))
    assert script.stored("HEAD", "unknown.json") is None


# -- what the long benchmarks store --------------------------------------------------------------------
def test_figures_of_dynamics() -> None:
    """Medians in ns, ratios to every program; a program that was not built has neither."""
    one = {"Pinocchio": 8e-9, "MuJoCo": 4e-9, "CasADi": math.nan, "equamo": 2e-9}
    batches = {"batch, rows": 1e-9, "batch, columns": 0.5e-9}
    measured = Measured(SOURCES["UR5"], 6)
    measured.in_c["mass_matrix"] = {n: Seconds(x, x / 2) for n, x in (one | batches).items()}
    measured.in_python["mass_matrix"] = {n: Seconds(x, x / 2) for n, x in one.items()}
    found = results()
    store(found, [measured], {"UR5": (2.0, 1.0)})
    figures = found.figures
    assert figures["UR5, mass matrix, C: Pinocchio"] == (8, "ns, peer")
    assert figures["UR5, mass matrix, C: batch, rows"] == (1, "ns")
    assert figures["UR5, mass matrix, C: against Pinocchio"] == (4, "times faster")
    assert figures["UR5, mass matrix, C: batch against Pinocchio"] == (16, "times faster")
    assert figures["UR5, mass matrix, Python: against MuJoCo"] == (2, "times faster")
    assert figures["UR5, first number: with the disk cache"] == (1, "s")
    assert not [name for name in figures if "CasADi" in name]


def test_figures_of_derivatives() -> None:
    clocks = {"Pinocchio": 8e-9, "equamo": 2e-9, "batch, rows": 1e-9, "batch, columns": 2e-9}
    robot = Robot(SOURCES["UR5"], 6)
    robot.clocks["f"] = {n: Seconds(x, x / 2) for n, x in clocks.items()}
    robot.instructions["f"], robot.seconds["f"] = 321, 1.5
    robot.products["inverse_dynamics"] = Seconds(3e-9, 2e-9)
    found = results()
    store_derivatives(found, [robot])
    assert found.figures["UR5, f: against Pinocchio"] == (4, "times faster")
    assert found.figures["UR5, f: batch against Pinocchio"] == (8, "times faster")
    assert found.figures["UR5, f: program"] == (321, "instructions")
    assert found.figures["UR5, f: compiled"] == (1.5, "s")
    assert found.figures["UR5, inverse dynamics: one call"] == (3, "ns")
    assert not [name for name in found.figures if "CasADi" in name]

"""`make mutate`: the errors it makes, and its verdicts on a toy package."""

from __future__ import annotations

import ast
import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts"))

pytestmark = pytest.mark.ci

from mutate.__main__ import Run, arguments  # noqa: E402
from mutate.blocks import block_at, blocks, instrument_all  # noqa: E402
from mutate.coverage_map import CoverageMap, KnownTest  # noqa: E402
from mutate.judge import Verdict, _batches, judge, relevant  # noqa: E402
from mutate.mutants import Mutant, mutants  # noqa: E402
from mutate.report import Results, Summary, equivalent, wilson  # noqa: E402
from mutate.sample import choose, is_valid, shares  # noqa: E402
from mutate.workers import Workers  # noqa: E402
from mutate.workspace import Workspace  # noqa: E402

MODULE = '''\
"""A module: 1 + 2."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast
from warnings import warn

if TYPE_CHECKING:
    from fractions import Fraction

    LIMIT = 3 + 4

__all__ = ["f"][0 + 1 - 1 :]
Given = int | str


def f(ω: int | float, b: list[int], *, best: bool = False) -> int | float:
    """Docstring: 3 - 2."""
    if best and ω < 7:  # comment: 5 + 6
        raise ValueError("at most" + str(8 + 1), 2 - 1)
    warn("careful" * (2 + 1), stacklevel=2 + 1)
    assert ω != 5
    x: int = b[0] * -ω
    x += cast("int | None", b[1])
    return f"{x + 1}" if not best else g(ω, x)
'''


def changes(source: str) -> set[tuple[str, str]]:
    """(what stands there, what it becomes) of every error."""
    text = source.encode()
    return {(text[m.start : m.end].decode(), m.after) for m in mutants(text, "src/toy/a.py")}


def test_errors_of_a_module() -> None:
    warning = 'warn("careful" * (2 + 1), stacklevel=2 + 1)'
    assert changes(MODULE) == {
        ("False", "True"),
        ("best and ω < 7", "not (best and ω < 7)"),
        ("and", "or"),
        ("<", "<="),
        ("7", "8"),
        ("7", "6"),
        ('raise ValueError("at most" + str(8 + 1), 2 - 1)', "pass"),
        (warning, "pass"),
        ("0", "1"),
        ("0", "(-1)"),
        ("*", "/"),
        ("-", " "),
        ('x += cast("int | None", b[1])', "pass"),
        ("+=", "-="),
        ("1", "2"),
        ("1", "0"),
        ("not best", "not (not best)"),
        ("not", " "),
        ("ω, x", "x, ω"),
    }


def test_errors_keep_the_rest_of_the_text() -> None:
    text = MODULE.encode()
    found = {m.now: m for m in mutants(text, "src/toy/a.py")}
    flipped = found["x: int = b[0] * ω"]
    assert flipped.was == "x: int = b[0] * -ω"
    assert flipped.line == 23
    assert flipped.apply(text).decode() == MODULE.replace("b[0] * -ω", "b[0] *  ω")


@pytest.mark.parametrize(
    ("source", "change"),
    [
        ("def f(a, b):\n    return a\n", ("return a", "return b")),
        ("def f(A, v): return A @ (v + v)\n", ("A @ (v + v)", "(v + v) @ (A)")),
        ("def f(a): return (a) is not (None)\n", ("is not", "is")),
        ("def f(a): return a not  in a\n", ("not  in", "in")),
        ("def f(a): return (a  # - or +\n    + a)\n", ("+", "-")),
        ("def f(a): return [x for x in a if x]\n", ("x", "not (x)")),
        ("for x in y:\n    continue\n", ("continue", "pass")),
        ("class C:\n    def f(self): self.x = 3\n", ("self.x = 3", "pass")),
    ],
)
def test_kinds(source: str, change: tuple[str, str]) -> None:
    assert change in changes(source)


@pytest.mark.parametrize(
    "source",
    [
        '"""1 + 1"""\n',
        "import a\nfrom b import c\n",
        "def f(x: int | None = None) -> list[int | None]: ...\n",
        "@cache(maxsize=3)\ndef f(): ...\n",
        "if __name__ == '__main__':\n    f(1 + 1)\n",
        "x = y[f'{1 + 1}']\n",
        "def f(x): return isinstance(x, int | float)\n",
        "N = 4000\n",
    ],
)
def test_left_alone(source: str) -> None:
    assert changes(source) == set()


IMPORTS = "import numpy as np\nfrom math import gcd\nfrom .expr.rules import mul as times, sub\n"


@pytest.mark.parametrize(
    ("call", "swaps"),
    [
        ("max(a, b, c)", set()),
        ("max(a, b, key=c)", {"b, a"}),  # the first of equals
        ("max(a, b, default=c)", set()),
        ("gcd(a, b)", set()),
        ("lcm(a, b)", {"b, a"}),  # not that of math, as far as this module tells
        ("np.maximum(a, b)", set()),
        ("np.subtract(a, b)", {"b, a"}),
        ("times(a, b)", set()),
        ("sub(a, b)", {"b, a"}),
        ("a.max(b, c)", {"c, b"}),
    ],
)
def test_calls_that_do_not_depend_on_order(call: str, swaps: set[str]) -> None:
    source = f"{IMPORTS}def f(a, b, c): return {call}\n"
    assert {after for _, after in changes(source)} == swaps


def test_functions_of_a_module_and_methods_that_do_not_depend_on_order() -> None:
    source = (
        "def total(a, b): ...\ndef f(self, a, b):\n    def add(a, b): ...\n"
        "    total(a, b)\n    add(a, b)\n    self._product(a, b)\n    self._power(a, b)\n"
    )

    def swaps(file: str) -> list[str]:
        return [m.now for m in mutants(source.encode(), file) if m.kind == "swapped arguments"]

    total, add, product, power = (
        "total(b, a)",
        "add(b, a)",
        "self._product(b, a)",
        "self._power(b, a)",
    )
    assert swaps("src/toy/closed_form/trigonometry.py") == [add, product, power]
    assert swaps("src/toy/closed_form/polynomial.py") == [total, add, power]
    assert swaps("src/toy/rules.py") == [total, product, power]
    dots = (
        b"from .rules import difference_of_products as d\ndef f(a, b, c, e): return d(a, b, c, e)\n"
    )
    assert [m.after for m in mutants(dots, "src/toy/a.py")] == ["c, b"]


def test_every_error_of_a_file_is_python() -> None:
    """All of one module, not a sample: no edit may break the syntax."""
    for name in ("robot/model/inertia.py", "motion/simulation/worker_pool.py"):
        file = f"src/equamo/{name}"
        source = (ROOT / file).read_bytes()
        found = mutants(source, file)
        assert len(found) > 60
        assert all(ast.parse(m.apply(source)) for m in found)
        assert all(m.apply(source) != source for m in found)
        assert len({m.key for m in found}) == len(found)


def test_shares() -> None:
    assert shares({"a": 800, "b": 150, "c": 50}, 20, 2) == {"a": 16, "b": 2, "c": 2}
    assert shares({"a": 10, "b": 3}, 100, 5) == {"a": 10, "b": 3}


# -- a toy project ---------------------------------------------------------------------------------
TOY = {
    "src/toy/__init__.py": '"""Toy."""\n',
    "src/toy/arms/__init__.py": '"""Arms."""\n',
    "src/toy/arms/reach.py": '''\
"""Reach of an arm."""

SCALE = 2


def reach(first, second):
    """
    >>> reach(1, 2)
    6
    """
    return SCALE * (first + second)


def unseen(a):
    return a + 5


def printed(n):
    while n > 0:
        n -= 1
    print(n + 7)
''',
    "tests/arms/test_reach.py": """\
import subprocess
import sys

import pytest
from toy.arms.reach import printed, unseen


def test_unseen_runs_but_nothing_is_asserted():
    unseen(3)


def test_in_another_process():
    code = "from toy.arms.reach import printed; printed(3)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "7\\n"


def test_broken_before_any_error():
    unseen(4)
    assert False


@pytest.mark.ci
def test_slow():
    assert unseen(3) == 8
""",
    "pyproject.toml": """\
[tool.pytest.ini_options]
addopts = ["--import-mode=importlib", "--doctest-modules"]
markers = ["ci"]
""",
}


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> CoverageMap:
    """A project of one module, and the map of its tests."""
    project = tmp_path_factory.mktemp("toy")
    for name, text in TOY.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    tests = CoverageMap(project, project / "build" / "map")
    assert tests.stale() == ["tests/arms/test_reach.py", "src/toy/arms"]
    with Workspace(project) as workspace:
        instrument_all(workspace.source)
        for group in tests.stale():
            tests.measure(workspace, group, seconds=100)
        tests.collect(workspace)
    assert tests.stale() == []
    tests.load()
    return tests


def toy_error(toy: CoverageMap, now: str) -> Mutant:
    file = "src/toy/arms/reach.py"
    return next(m for m in mutants((toy.project / file).read_bytes(), file) if m.now == now)


def test_map_of_tests(toy: CoverageMap) -> None:
    hits = {t.name.split("::")[1]: (t.outcome, set(t.hits)) for t in toy.tests}
    reach = "toy/arms/reach.py"
    assert hits == {
        "test_unseen_runs_but_nothing_is_asserted": ("passed", {f"{reach}:unseen#1"}),
        "test_in_another_process": ("passed", {f"{reach}:printed#1", f"{reach}:printed#2"}),
        "test_broken_before_any_error": ("failed", {f"{reach}:unseen#1"}),
        "test_slow": ("passed", {f"{reach}:unseen#1"}),
        "toy.arms.reach.reach": ("passed", {f"{reach}:reach#1"}),
    }


def test_targets(toy: CoverageMap, tmp_path: Path) -> None:
    """The map keeps the make target of each test; what is not collected belongs to none."""
    assert [t.name for t in toy.tests if t.target != "test"] == [
        "tests/arms/test_reach.py::test_slow"
    ]
    other = CoverageMap(toy.project, tmp_path)
    for path in toy.folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "targets.json").write_text('{"tests/arms/test_reach.py::test_slow": "test"}')
    other.load()
    assert [(t.name.split("::")[1], t.target) for t in other.tests] == [("test_slow", "test")]
    (tmp_path / "targets.json").unlink()
    other.load()
    assert {t.target for t in other.tests} == {"test"}
    assert len(other.tests) == len(toy.tests)


def test_a_changed_module_makes_its_tests_stale(toy: CoverageMap) -> None:
    path = toy.project / "src/toy/arms/reach.py"
    path.write_text(TOY["src/toy/arms/reach.py"] + "\n")
    assert toy.stale() == ["tests/arms/test_reach.py", "src/toy/arms"]
    path.write_text(TOY["src/toy/arms/reach.py"])
    assert toy.stale() == []


def test_a_group_that_was_stopped_is_measured_again_with_more_time(toy: CoverageMap) -> None:
    other = CoverageMap(toy.project, toy.project / "build" / "stopped")
    with Workspace(toy.project) as workspace:
        other.measure(workspace, "tests/arms/test_reach.py", seconds=0.01)
    assert "tests/arms/test_reach.py" not in other.stale()
    assert "tests/arms/test_reach.py" in other.stale(seconds=1)


def test_tests_are_in_order(toy: CoverageMap) -> None:
    error = toy_error(toy, "return SCALE * (first - second)")
    chosen = relevant(error, TOY[error.file].encode(), toy.tests)
    assert [t.name.split("::")[1] for t in chosen] == ["toy.arms.reach.reach"]
    error = toy_error(toy, "print(n - 7)")
    first, *others = relevant(error, TOY[error.file].encode(), toy.tests)
    assert first.name.endswith("::test_in_another_process")  # executes it, though it is slower
    assert len(others) == 3


def test_near_tests_go_before_tests_that_are_not_much_faster() -> None:
    source = b"def f(a):\n    return a + 1\n"
    error = mutants(source, "src/toy/arms/reach.py")[0]
    here, package, elsewhere = (
        f"tests/{name}.py::t" for name in ("arms/test_reach", "arms/test_a", "legs/test_b")
    )

    def order(**seconds: float) -> list[str]:
        names = {"here": here, "package": package, "elsewhere": elsewhere}
        hits = frozenset({"toy/arms/reach.py:f#1"})
        tests = [KnownTest(names[k], s, "passed", hits) for k, s in seconds.items()]
        return [t.name for t in relevant(error, source, tests)]

    assert order(elsewhere=1, package=1, here=1) == [here, package, elsewhere]
    assert order(elsewhere=0.2, package=0.3, here=1) == [here, package, elsewhere]
    assert order(elsewhere=0.1, package=0.3, here=9) == [package, elsewhere, here]


def test_batches_stay_within_the_budget() -> None:
    """The first has the nearest few tests; one that is too slow does not keep others from running."""
    seconds = [0.5, 1, 2, 90, 3, 200, 4]
    tests = [KnownTest(f"tests/test_a.py::t{s}", s, "passed", frozenset()) for s in seconds]
    batches = [[t.seconds for t in batch] for batch in _batches(tests, budget=30)]
    assert batches == [[0.5, 1], [2, 3, 4]]
    assert list(_batches(tests[5:6], budget=120)) == []


def test_run(toy: CoverageMap, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All errors go to the tests of `make test`; the rest of the tests get only what survives."""
    changes = (
        "return SCALE * (first - second)", "SCALE = 3", "print(n - 7)", "return a - 5"
    )  # fmt: skip
    errors = [toy_error(toy, now) for now in changes]
    results = Results(tmp_path / "mutate-x.jsonl")

    def summary(judge: str) -> Summary:
        return Summary.of(errors, results, {}, judge=judge, seed="x")

    def run(judge: str, *more: str) -> list[tuple[bool, str, str]]:
        options = arguments(["--judge", judge, "--workers", "2", "--keep-map", *more])
        Run(options, results, toy).all(lambda: summary(judge))
        found = [results.verdicts[m.key] for m in errors]
        return [(v.caught, v.by.rpartition("::")[2], v.target) for v in found]

    caught = [
        (True, "toy.arms.reach.reach", "test"),
        (True, "toy.arms.reach.reach", "test"),
        (True, "test_in_another_process", "test"),
    ]
    assert run("test") == [*caught, (False, "", "test")]
    survivor = results.verdicts[errors[-1].key]
    assert survivor.run == survivor.tests == 3  # neither the one that fails anyway nor test_slow
    capsys.readouterr()
    assert run("test-ci") == [*caught, (True, "test_slow", "test-ci")]
    assert "errors for the tests of make test-ci: 1\n" in capsys.readouterr().out
    assert results.verdicts[errors[-1].key].run == 4  # with those of `make test`
    # a survivor of `make test` that test-ci caught: tried again, and still caught by test-ci
    assert run("test", "--only-survivors")[-1] == (True, "test_slow", "test-ci")
    assert len(results.path.read_text().splitlines()) == 5
    assert summary("test").figure("test").startswith("make test finds 3 of 4 (75.0 %, ")
    assert summary("test-ci").ok is False  # 75 % of `make test` is too little
    assert summary("test-ci").counts("test-ci")["all"] == (4, 4)


def test_what_fails_in_one_copy_stops_the_others(tmp_path: Path) -> None:
    """So does Ctrl-C, which is raised at the same place. No process and no folder stays."""
    (tmp_path / "src").mkdir()
    seen: list[Workspace] = []
    prepared: list[bool] = []
    pids = tmp_path / "pid"

    def work(workspace: Workspace, task: str) -> None:
        seen.append(workspace)
        if task == "wait":
            code = (
                f"import os, time; open({str(pids)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
            )
            workspace.python(["-c", code], seconds=60)
        while not (pids.exists() and pids.read_text()):
            time.sleep(0.01)
        prepared.append((workspace.root / "prepared").exists())
        raise KeyboardInterrupt

    start = time.monotonic()
    with (
        pytest.raises(KeyboardInterrupt),
        Workers(tmp_path, 2, lambda w: (w.root / "prepared").touch()) as workers,
    ):
        workers.each(["wait", "fail", "never begun"], work)
    assert time.monotonic() - start < 30
    assert len({workspace.root for workspace in seen}) == 2
    assert prepared
    assert all(prepared)
    assert not any(workspace.root.parent.exists() for workspace in seen)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pids.read_text()), 0)


def test_an_endless_test_is_caught_by_time(toy: CoverageMap) -> None:
    text = TOY["tests/arms/test_reach.py"]
    in_process = text.replace("    code = ", "    printed(3)\n    code = ")
    with Workspace(toy.project) as workspace:
        (workspace.root / "tests/arms/test_reach.py").write_text(in_process)
        error, tests = toy_error(toy, "n += 1"), [replace(t, seconds=0.0) for t in toy.tests]
        verdict = judge(error, workspace, tests, target="test", budget=100, least=0.2)
        assert (workspace.root / error.file).read_text() == TOY[error.file]
    assert verdict.caught
    assert verdict.by.startswith("timeout: ")


def test_the_choice_is_the_same_for_a_seed(toy: CoverageMap) -> None:
    before = {p: p.read_bytes() for p in toy.project.rglob("*.py")}
    first = choose(toy.project, seed="1", count=4, least=1)
    assert first == choose(toy.project, seed="1", count=4, least=1)
    assert len(first) == len({m.line for m in first}) == 4
    assert all(is_valid(toy.project, m) for m in first)
    some = {seed: choose(toy.project, seed=seed, count=4, least=1) for seed in "23456"}
    assert any(x != first for x in some.values())
    assert set(choose(toy.project, seed="1", count=2, least=1)) <= set(first)
    # another function changes; what is chosen elsewhere stays
    path = toy.project / "src/toy/arms/reach.py"
    path.write_text('"""Longer."""\n\n' + TOY["src/toy/arms/reach.py"])
    assert [m.key for m in choose(toy.project, seed="1", count=4, least=1)] == [
        m.key for m in first
    ]
    path.write_text(TOY["src/toy/arms/reach.py"])
    assert before == {p: p.read_bytes() for p in toy.project.rglob("*.py")}


def test_report(toy: CoverageMap, tmp_path: Path) -> None:
    bad, good, same, new = (
        toy_error(toy, now) for now in ("return a - 5", "SCALE = 3", "return a + 6", "SCALE = 1")
    )
    results = Results(tmp_path / "mutate-1.jsonl")
    results.add(good, Verdict(False, "", 3, 3, 1.0))
    results.add(good, Verdict(True, "timeout: a test", 1, 3, 1.0))  # run again
    results.add(bad, Verdict(False, "", 2, 2, 1.0))
    again = Results(results.path)
    again.load()
    assert again.verdicts == results.verdicts
    listed = {same.key: "why"}

    def summary(*errors: Mutant, judge: str = "test") -> Summary:
        return Summary.of(list(errors), again, listed, judge=judge, seed="1")

    every = summary(bad, good, same, new)
    assert every.counts("test") == {"arms": (1, 2), "all": (1, 2)}
    assert every.waiting("test") == [new]
    assert not every.ok
    assert "survived: src/toy/arms/reach.py:15 (operator; 2 of 2 tests run)" in every.text()
    assert "1 caught by a limit of time or memory, 1 listed as equivalent" in every.text()
    assert "make test finds 1 of 2 (50.0 %, 95 % interval 9.5 to 90.5 %), seed 1\n" in every.text()
    assert summary(good, same).ok
    # the survivor of `make test` waits for the other tests; none is lost from its figure
    both = summary(bad, good, judge="test-ci")
    assert both.waiting("test-ci") == [bad]
    assert both.counts("test")["all"] == (1, 2)
    assert "make test and make test-ci find 1 of 1 " in both.text()
    again.add(bad, Verdict(True, "b", 9, 9, 1.0, "test-ci"))
    both = summary(bad, good, judge="test-ci")
    assert [both.counts(judge)["all"] for judge in both.judges] == [(1, 2), (2, 2)]
    assert json.loads(both.json())["judges"]["test-ci"]["packages"]["arms"]["caught"] == 2
    assert not both.ok


def test_interval() -> None:
    assert wilson(262, 300) == pytest.approx((0.831, 0.906), abs=5e-4)
    assert wilson(5, 5)[1] == pytest.approx(1)
    assert wilson(0, 0) == (0, 1)


def test_a_test_that_changed_its_target(toy: CoverageMap, tmp_path: Path) -> None:
    left, came, survivor = (
        toy_error(toy, now) for now in ("return a - 5", "SCALE = 3", "return a + 6")
    )
    results = Results(tmp_path / "mutate-1.jsonl")
    results.add(left, Verdict(True, "timeout: a", 1, 1, 1.0, "test"))
    results.add(came, Verdict(True, "b", 1, 1, 1.0, "test-ci"))
    results.add(survivor, Verdict(False, "", 1, 1, 1.0, "test-ci"))
    results.follow({"a": "test-ci", "b": "test", "": "test"})
    assert {k: v.target for k, v in results.verdicts.items()} == {
        came.key: "test",
        survivor.key: "test-ci",
    }


def test_blocks() -> None:
    source = (
        "class C:\n    def f(x):\n        if x:\n            return 1\n        return 2\nx = 3\n"
    )
    tree = ast.parse(source)
    assert [b.name for b in blocks(tree, "a.py")] == ["a.py:C.f#1", "a.py:C.f#2"]
    assert [block_at(tree, "a.py", k) for k in (3, 4, 5, 6)] == [
        "a.py:C.f#1",
        "a.py:C.f#2",
        "a.py:C.f#1",
        None,
    ]


def test_the_list_of_equivalent_errors(tmp_path: Path) -> None:
    """Each entry has a reason, and names an error that this tool could make in that file."""
    listed = equivalent(ROOT / "scripts" / "mutate" / "equivalent.toml")
    assert all(len(reason.split()) > 3 for reason in listed.values())
    assert all((ROOT / name.split(" | ")[0]).exists() for name in listed)
    wrong = tmp_path / "equivalent.toml"
    wrong.write_text('[[equivalent]]\nfile = "a.py"\nwas = "1"\nnow = "2"\n')
    with pytest.raises(ValueError, match="file, was, now and reason"):
        equivalent(wrong)

"""Which tests execute which blocks: measured once, kept in build/, measured again when out of date.

Tests are traced in groups, each in a process of its own: a test file, or the doctests of a package. A
group is out of date when its test files changed, or a module that one of its tests executes.

The make target of each test comes from a collection of the whole suite, which takes seconds: a test may
get its marker from elsewhere than its own file, and doctests alone do not load tests/conftest.py.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .blocks import RECORDER
from .workspace import PYTEST, Ended, Workspace

TARGETS = ("test", "test-ci")  # make targets; each test belongs to one
# They compare the text of the source with a list: any change in these lines makes them fail.
LOOK_AT_TEXT = ("tests/mechanics/formulations/test_mutations.py", "tests/scripts/test_mutate.py")


@dataclass(frozen=True)
class KnownTest:
    """What is known of one test: processor seconds, outcome, the blocks it executes, make target."""

    name: str
    seconds: float
    outcome: str
    hits: frozenset[str]
    target: str = TARGETS[0]

    @property
    def file(self) -> str:
        return self.name.split("::")[0]


@dataclass
class CoverageMap:
    """The tests of a project, by what they execute.

    Args:
        project: the folder that has `src` and `tests`.
        folder: where the measurements are kept, a file per group.
    """

    project: Path
    folder: Path
    tests: list[KnownTest] = field(default_factory=list[KnownTest])

    def groups(self) -> dict[str, list[str]]:
        """Name and files of each group, test files first."""
        files = sorted(
            p.relative_to(self.project).as_posix() for p in self.project.glob("tests/**/test_*.py")
        )
        found = {f: [f] for f in files if f not in LOOK_AT_TEXT}
        for path in sorted(
            p for p in self.project.glob("src/**/*.py") if ">>> " in p.read_text("utf-8")
        ):
            name = path.relative_to(self.project).as_posix()
            found.setdefault("/".join(name.split("/")[:3]), []).append(name)
        return found

    def stale(self, seconds: float = 0) -> list[str]:
        """Names of the groups that were not measured, or not in this state of the project.

        A group that was stopped is among them if it now gets more seconds than it had.
        """
        return [n for n, files in self.groups().items() if not self._is_current(n, files, seconds)]

    def measure(self, workspace: Workspace, name: str, *, seconds: float) -> str:
        """Trace one group in an instrumented workspace and keep the result; a line about it."""
        files = self.groups()[name]
        done, folder = _record(workspace, files, seconds)
        tests = _read_hits(folder)
        modules = {f"src/{b.split(':')[0]}" for test in tests for b in test.hits}
        inputs = sorted({*self._sources(files), *modules})
        table = {block: i for i, block in enumerate(sorted({b for t in tests for b in t.hits}))}
        record = {
            "stopped": seconds if done.stopped else None,
            "inputs": {path: _digest(self.project / path) for path in inputs},
            "blocks": list(table),
            "tests": [
                [t.name, round(t.seconds, 3), t.outcome, sorted(table[b] for b in t.hits)]
                for t in tests
            ],
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        self._file(name).write_text(json.dumps(record), encoding="utf-8")
        bad = [t.name for t in tests if t.outcome == "failed"]
        return (
            f"{name}: {len(tests)} tests, {done.seconds:.0f} s"
            + (f", stopped ({done.stopped})" if done.stopped else "")
            + (f", fail without any error put in: {', '.join(bad)}" if bad else "")
        )

    def collect(self, workspace: Workspace, *, seconds: float = 600) -> None:
        """Ask pytest which tests there are, and keep the target of each."""
        done, folder = _record(workspace, ["--collect-only"], seconds)
        if not (folder / "targets.json").exists():
            raise RuntimeError(f"pytest must collect the tests, got:\n{done.output[-2000:]}")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._targets.write_bytes((folder / "targets.json").read_bytes())

    @property
    def collected(self) -> bool:
        return self._targets.exists()

    @property
    def _targets(self) -> Path:
        return self.folder / "targets.json"

    def load(self) -> None:
        """Read what is kept, also if it is out of date.

        A test that was not collected belongs to no target and is left out. Without a collection all
        belong to `make test`.
        """
        text = self._targets.read_text(encoding="utf-8") if self.collected else "null"
        targets: dict[str, str] | None = json.loads(text)
        self.tests = []
        for name in self.groups():
            if self._file(name).exists():
                record = json.loads(self._file(name).read_text(encoding="utf-8"))
                blocks = record["blocks"]
                for test, seconds, outcome, hits in record["tests"]:
                    target = TARGETS[0] if targets is None else targets.get(test)
                    if target is not None:
                        executed = frozenset(blocks[i] for i in hits)
                        self.tests.append(KnownTest(test, seconds, outcome, executed, target))

    def _file(self, name: str) -> Path:
        return self.folder / (name.replace("/", "-") + ".json")

    def _is_current(self, name: str, files: list[str], seconds: float) -> bool:
        if not self._file(name).exists():
            return False
        record = json.loads(self._file(name).read_text(encoding="utf-8"))
        if (record["stopped"] or seconds) < seconds:
            return False
        inputs: dict[str, str] = record["inputs"]
        return set(self._sources(files)) <= set(inputs) and all(
            _digest(self.project / path) == digest for path, digest in inputs.items()
        )

    def _sources(self, files: list[str]) -> Iterator[str]:
        """The files, and the modules in tests/ that they import."""
        seen: set[str] = set()
        waiting = list(files)
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            yield path
            if path.startswith("tests/"):
                waiting += self._shared(self.project / path)

    def _shared(self, path: Path) -> list[str]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
        names |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        return [f"tests/{n}.py" for n in sorted(names) if (self.project / f"tests/{n}.py").exists()]


def _record(workspace: Workspace, arguments: list[str], seconds: float) -> tuple[Ended, Path]:
    """Run pytest with the recorder; how it ended, and the folder with what was recorded."""
    folder = workspace.root.parent / "hits"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    done = workspace.python(
        [*PYTEST, "-p", RECORDER, *arguments],
        seconds=seconds,
        environment={"MUTATE_HITS": str(folder)},
    )
    return done, folder


def _read_hits(folder: Path) -> list[KnownTest]:
    """Tests with their own blocks and those of the processes they started."""
    elsewhere: dict[str, set[str]] = {}
    for path in folder.glob("*.hits"):
        for line in path.read_text(encoding="utf-8").splitlines():
            test, _, block = line.partition("\t")
            elsewhere.setdefault(test, set()).add(block)
    found: dict[str, KnownTest] = {}
    lines = folder / "tests.jsonl"
    for line in lines.read_text(encoding="utf-8").splitlines() if lines.exists() else []:
        r = json.loads(line)
        hits = frozenset(r["hits"]) | elsewhere.get(r["test"], set())
        found[r["test"]] = KnownTest(r["test"], r["seconds"], r["outcome"], hits)
    return list(found.values())


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else ""

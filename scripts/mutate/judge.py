"""Does a test detect an error? Runs the tests that execute its line, the nearest and fastest first."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from .blocks import block_at
from .coverage_map import TARGETS, KnownTest
from .mutants import Mutant, package_of
from .workspace import PYTEST, Workspace

# Estimated seconds of the first processes; all later ones as the last. A process ends with the first
# test that fails, but first collects all its files: so the first one has only the nearest.
BATCHES = (3.0, 15.0, 60.0)
START_SECONDS = 1.0  # of a process of pytest
FILE_SECONDS = 0.1  # to collect one more file
NOTHING_TO_RUN = 5  # exit code of pytest


@dataclass(frozen=True)
class Verdict:
    """Verdict on one error: whether it was caught, by which test, after how many of how many tests.

    `target` is the make target of the tests that ran last. So a caught error has the target of the test
    that caught it. A survivor of "test" was not tried with the tests of "test-ci" yet.
    """

    caught: bool
    by: str
    run: int
    tests: int
    seconds: float
    target: str = TARGETS[0]

    def of(self, judge: str) -> bool | None:
        """Whether the tests of a judge catch the error; None if not all of them have been tried."""
        if judge == TARGETS[0]:
            return self.caught and self.target == judge
        return self.caught or (None if self.target == TARGETS[0] else False)

    def after(self, before: Verdict) -> Verdict:
        """The verdict with the effort of an earlier one added."""
        run, tests = self.run + before.run, self.tests + before.tests
        return replace(self, run=run, tests=tests, seconds=round(self.seconds + before.seconds, 1))


def relevant(mutant: Mutant, source: bytes, tests: list[KnownTest]) -> list[KnownTest]:
    """Tests that may notice an error, in the order to run them.

    First those that execute its block, near and fast ones before others. Nearest are the doctests of the
    file and the test file of the same name, then come those of the package, then all others: a test runs
    before a farther one that takes more than a quarter of its time. Next the other tests of those files,
    which may share a fixture or a cache with one that does. An error in code that runs on import is
    looked for by every test that executes something in the module, then by the rest of the package.
    """
    path = mutant.file.removeprefix("src/")
    block = block_at(ast.parse(source), path, mutant.line)
    good = [t for t in tests if t.outcome == "passed"]
    if block is None:
        hits = {t.name for t in good if any(b.split(":")[0] == path for b in t.hits)}
    else:
        hits = {t.name for t in good if block in t.hits}
    files = {mutant.file} | {t.file for t in good if t.name in hits}
    if block is None:
        files |= {t.file for t in good if of_package(t.file, mutant.package)}

    def rank(test: KnownTest) -> tuple[bool, float]:
        near = 1 if of_package(test.file, mutant.package) else 2
        if test.file == mutant.file or test.file.endswith(f"/test_{Path(path).stem}.py"):
            near = 0
        found = test.name in hits or (block is None and near == 0)
        return not found, (test.seconds + FILE_SECONDS) * 4**near

    return sorted((t for t in good if t.file in files), key=rank)


def judge(
    mutant: Mutant,
    workspace: Workspace,
    tests: list[KnownTest],
    *,
    target: str,
    budget: float,
    least: float = 20,
) -> Verdict:
    """Put one error into the workspace, run tests until one fails, and take the error out again.

    Args:
        mutant: the error.
        workspace: a compiled copy of the project.
        tests: all tests that are known.
        target: the make target whose tests may be run.
        budget: estimated seconds of tests to run at most.
        least: processor seconds that any test gets before it counts as endless.
    """
    path = workspace.root / mutant.file
    source = path.read_bytes()
    chosen = relevant(mutant, source, [t for t in tests if t.target == target])
    run, seconds = 0, 0.0
    path.write_bytes(mutant.apply(source))
    try:
        for batch in _batches(chosen, budget):
            by, took = _run(workspace, batch, least)
            seconds += took
            run += len(batch)
            if by:
                return Verdict(True, by, run, len(chosen), round(seconds, 1), target)
    finally:
        path.write_bytes(source)
    return Verdict(False, "", run, len(chosen), round(seconds, 1), target)


def _run(workspace: Workspace, batch: list[KnownTest], least: float) -> tuple[str, float]:
    """What made a batch fail ('' if nothing did), and the seconds it took."""
    files = list(dict.fromkeys(t.file for t in batch))
    plan, report = (workspace.root.parent / n for n in ("plan.json", "report.txt"))
    report.unlink(missing_ok=True)
    limits = {
        t.name: least + 10 * t.seconds for t in sorted(batch, key=lambda t: files.index(t.file))
    }
    plan.write_text(json.dumps({"tests": limits, "report": str(report)}), encoding="utf-8")
    done = workspace.python(
        [*PYTEST, "-x", "--tb=no", "-p", "mutate_select", *files],
        seconds=120 + 10 * _estimate(batch),  # for what waits; what computes has its own limit
        environment={"MUTATE_PLAN": str(plan)},
    )
    if done.stopped:  # an endless wait, or a list that grows for ever
        return f"{done.stopped} in {files[0]} or after", done.seconds
    if done.code in (0, NOTHING_TO_RUN):
        return "", done.seconds
    by = report.read_text(encoding="utf-8") if report.exists() else f"exit code {done.code}"
    return by, done.seconds


def _batches(tests: list[KnownTest], budget: float) -> Iterator[list[KnownTest]]:
    """The tests in processes that become longer: most errors are found by the first few tests."""
    limits = iter(BATCHES)
    limit = next(limits)
    batch: list[KnownTest] = []
    files: set[str] = set()
    spent, cost = 0.0, START_SECONDS
    for test in tests:
        more = test.seconds + (0 if test.file in files else FILE_SECONDS)
        if spent + cost + more > budget:
            continue  # a faster one may follow
        if batch and cost + more > limit:
            yield batch
            limit = next(limits, BATCHES[-1])
            spent, cost, more = spent + cost, START_SECONDS, test.seconds + FILE_SECONDS
            batch, files = [], set()
        batch.append(test)
        files.add(test.file)
        cost += more
    if batch:
        yield batch


def _estimate(tests: list[KnownTest]) -> float:
    files = {t.file for t in tests}
    return START_SECONDS + FILE_SECONDS * len(files) + sum(t.seconds for t in tests)


def of_package(file: str, package: str) -> bool:
    """Whether a test file or a folder of src belongs to a package; 'equamo' has those of no other."""
    return package_of(file) == package

"""Put random errors into a copy of src/equamo, one at a time, and see whether a test fails.

python scripts/mutate                          150 errors with seed 1
python scripts/mutate --count 20 --seed 7      a few others
python scripts/mutate --judge test             only the tests of `make test` judge
python scripts/mutate --only-survivors         again those that no test detected
python scripts/mutate --report                 only the table, without a run

First the tests of `make test` judge all errors, then the tests that `make test-ci` adds judge the
survivors: one run gives the figures of both. Verdicts are kept in build/mutate-<seed>.jsonl, for both
judges, and judged errors are not run again. The report is printed and written to
build/mutate-<seed>.txt and .json. The exit code is 1 if `make test` catches less than 85 % of the
errors, or both together less than 92 %, or if some are not judged.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

if __package__ in (None, ""):  # started as a folder
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mutate.blocks import instrument_all
from mutate.coverage_map import TARGETS, CoverageMap
from mutate.judge import Verdict, judge
from mutate.mutants import Mutant
from mutate.report import Results, Summary, equivalent
from mutate.sample import choose
from mutate.workers import Workers
from mutate.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        prog="mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=150, help="number of errors")
    parser.add_argument("--least", type=int, default=5, help="least number of errors per package")
    parser.add_argument("--seed", default="1", help="any text; each seed selects other errors")
    parser.add_argument("--package", action="append", help="only this package; may be repeated")
    parser.add_argument(
        "--judge",
        choices=TARGETS,
        default="test-ci",
        help="the make target whose tests judge; test-ci has those of test too (test-ci)",
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=os.cpu_count() or 1,
        help="copies of the project in which tests run in parallel (number of processors)",
    )
    parser.add_argument(
        "--budget",
        type=float,
        default=120,
        help="estimated seconds of tests per error and make target (120)",
    )
    parser.add_argument(
        "--minutes", type=float, help="start no further error after this many minutes"
    )
    parser.add_argument(
        "--only-survivors", action="store_true", help="run only the survivors of the judge again"
    )
    parser.add_argument(
        "--map-seconds",
        type=float,
        default=900,
        help="seconds for one group of tests in the map (900)",
    )
    parser.add_argument(
        "--keep-map", action="store_true", help="use the map of tests even if it is out of date"
    )
    parser.add_argument("--report", action="store_true", help="only the table, without a run")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> int:
    """Run what is asked for; the exit status."""
    signal.signal(signal.SIGTERM, _stop)
    options = arguments(given)
    mutants = choose(ROOT, seed=options.seed, count=options.count, least=options.least)
    if options.package:
        mutants = [m for m in mutants if m.package in options.package]
    harmless = equivalent(Path(__file__).with_name("equivalent.toml"))
    results = Results(BUILD / f"mutate-{options.seed}.jsonl")
    results.load()
    tests = CoverageMap(ROOT, BUILD / "mutate-map")

    def summary() -> Summary:
        return Summary.of(mutants, results, harmless, judge=options.judge, seed=options.seed)

    if options.report:
        tests.load()
        results.follow({t.name: t.target for t in tests.tests})
    else:
        Run(options, results, tests).all(summary)
    report = summary()
    BUILD.mkdir(exist_ok=True)
    for suffix, text in ((".txt", report.text()), (".json", report.json())):
        results.path.with_suffix(suffix).write_text(text, encoding="utf-8")
    print(f"\n{report.text()}")
    return 0 if report.ok else 1


class Run:
    """Measures what tests execute, then judges errors, in parallel."""

    def __init__(self, options: argparse.Namespace, results: Results, tests: CoverageMap) -> None:
        self.options = options
        self.results = results
        self.tests = tests
        self.end = time.monotonic() + 60 * (options.minutes or float("inf"))
        self.lock = threading.Lock()  # of the results, and of what is printed

    def all(self, summary: Callable[[], Summary]) -> None:
        """Judge what is not judged yet, by the tests of one make target after the other."""
        self.measure([] if self.options.keep_map else self.tests.stale(self.options.map_seconds))
        with Workers(self.tests.project, self.options.workers, Workspace.compile) as workers:
            if not (self.options.keep_map and self.tests.collected):
                workers.each([self.tests], lambda workspace, tests: tests.collect(workspace))
            self.tests.load()
            self.results.follow({t.name: t.target for t in self.tests.tests})
            again = [m for m, _ in summary().survived(self.options.judge)]
            for target in summary().judges:
                todo = summary().waiting(target)
                if self.options.only_survivors:
                    todo = again if target == TARGETS[0] else [m for m in todo if m in again]
                self.judge(workers, todo, target)

    def measure(self, groups: list[str]) -> None:
        """Bring these groups of the map up to date."""
        if not groups:
            return
        done: list[str] = []

        def measure(workspace: Workspace, group: str) -> None:
            if time.monotonic() > self.end:
                return
            line = self.tests.measure(workspace, group, seconds=self.options.map_seconds)
            with self.lock:
                done.append(group)
                print(f"map {len(done)}/{len(groups)} {line}", flush=True)

        count = min(self.options.workers, len(groups))
        with Workers(self.tests.project, count, lambda w: instrument_all(w.source)) as workers:
            workers.each(groups, measure)

    def judge(self, workers: Workers, mutants: list[Mutant], target: str) -> None:
        """Judge errors with the tests of one make target, and keep the verdicts."""
        done: list[Mutant] = []
        if mutants:
            print(f"errors for the tests of make {target}: {len(mutants)}", flush=True)

        def decide(workspace: Workspace, mutant: Mutant) -> None:
            if time.monotonic() > self.end:
                return
            verdict = judge(
                mutant, workspace, self.tests.tests, target=target, budget=self.options.budget
            )
            with self.lock:
                self.keep(mutant, verdict)
                done.append(mutant)
                print(f"{len(done)}/{len(mutants)} {_line(mutant, verdict)}", flush=True)

        workers.each(mutants, decide)

    def keep(self, mutant: Mutant, verdict: Verdict) -> None:
        """Add a verdict to the results."""
        before = self.results.verdicts.get(mutant.key)
        if verdict.target != TARGETS[0]:
            self.results.add(mutant, verdict.after(before) if before else verdict)
        elif verdict.caught or before is None or not before.caught:
            self.results.add(mutant, verdict)  # else tests of `make test-ci` catch it: still true


def _stop(number: int, frame: FrameType | None) -> None:
    sys.exit(1)  # an exception, so that temporary folders go away


def _line(mutant: Mutant, verdict: Verdict) -> str:
    ended = f"caught by {verdict.by}" if verdict.caught else "SURVIVED"
    effort = f"{verdict.run} of {verdict.tests} tests, {verdict.seconds} s"
    return f"{mutant.file}:{mutant.line} {mutant.kind}: {ended} ({effort})"


if __name__ == "__main__":
    sys.exit(main())

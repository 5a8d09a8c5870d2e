"""Put random errors into a copy of src/equamo, one at a time, and see whether a test fails.

python scripts/mutate                          150 errors with seed 1
python scripts/mutate --count 20 --seed 7      a few others
python scripts/mutate --only-survivors         again those that no test detected
python scripts/mutate --report                 only the table, without a run

Verdicts are kept in build/mutate-<seed>.jsonl, so judged errors are not run again. The table is printed
and written to build/mutate-<seed>.txt and .json. The exit code is 1 if less than 90 % of the errors were
caught, or less than 80 % in a package, or if some are not judged.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import FrameType

if __package__ in (None, ""):  # started as a folder
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mutate.blocks import instrument_all
from mutate.coverage_map import CoverageMap, KnownTest
from mutate.judge import Verdict, judge, of_package
from mutate.mutants import Mutant
from mutate.report import Results, Summary, equivalent
from mutate.sample import choose
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
        "--budget", type=float, default=120, help="estimated seconds of tests per error (120)"
    )
    parser.add_argument(
        "--minutes", type=float, help="start no further error after this many minutes"
    )
    parser.add_argument(
        "--only-survivors", action="store_true", help="run only the survivors again"
    )
    parser.add_argument(
        "--only-packages", action="store_true", help="run only the tests of the package of an error"
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
    if not options.report:
        run = Run(options, results)
        run.in_their_packages(Summary.of(mutants, results, harmless))
        run.everywhere(Summary.of(mutants, results, harmless))
    summary = Summary.of(mutants, results, harmless)
    BUILD.mkdir(exist_ok=True)
    for suffix, text in ((".txt", summary.text()), (".json", summary.json())):
        results.path.with_suffix(suffix).write_text(text, encoding="utf-8")
    print(f"\n{summary.text()}")
    return 0 if summary.ok else 1


class Run:
    """Judges errors, first by the tests of their package, then by all others."""

    def __init__(self, options: argparse.Namespace, results: Results) -> None:
        self.options = options
        self.results = results
        self.tests = CoverageMap(ROOT, BUILD / "mutate-map")
        self.end = time.monotonic() + 60 * (options.minutes or float("inf"))

    def in_their_packages(self, before: Summary) -> None:
        """Errors that were not judged, package by package."""
        again = [m for m, _ in before.survived] if self.options.only_survivors else []
        todo = again or before.waiting
        for package in sorted({m.package for m in todo}):
            self.measure([g for g in self.stale() if of_package(g, package)])
            near = [t for t in self.tests.tests if of_package(t.file, package)]
            self.judge([m for m in todo if m.package == package], near, whole=False)

    def everywhere(self, before: Summary) -> None:
        """Errors that the tests of their package did not notice."""
        todo = [m for m, v in before.survived if not v.whole]
        if todo and not self.options.only_packages:
            self.measure(self.stale())
            self.judge(todo, self.tests.tests, whole=True)

    def stale(self) -> list[str]:
        return self.tests.stale(self.options.map_seconds)

    def measure(self, groups: list[str]) -> None:
        """Bring these groups of the map up to date, and read it."""
        if groups and not self.options.keep_map and time.monotonic() < self.end:
            with Workspace(ROOT) as workspace:
                instrument_all(workspace.source)
                for k, group in enumerate(groups, 1):
                    line = self.tests.measure(workspace, group, seconds=self.options.map_seconds)
                    print(f"map {k}/{len(groups)} {line}", flush=True)
        self.tests.load()

    def judge(self, mutants: list[Mutant], tests: list[KnownTest], *, whole: bool) -> None:
        """Judge errors with these tests, and keep the verdicts."""
        with Workspace(ROOT) as workspace:
            workspace.compile()
            for k, mutant in enumerate(mutants, 1):
                if time.monotonic() > self.end:
                    return
                verdict = judge(mutant, workspace, tests, budget=self.options.budget)
                self.results.add(mutant, replace(verdict, whole=whole))
                print(f"{k}/{len(mutants)} {_line(mutant, verdict)}", flush=True)


def _stop(number: int, frame: FrameType | None) -> None:
    sys.exit(1)  # an exception, so that temporary folders go away


def _line(mutant: Mutant, verdict: Verdict) -> str:
    ended = f"caught by {verdict.by}" if verdict.caught else "SURVIVED"
    effort = f"{verdict.run} of {verdict.tests} tests, {verdict.seconds} s"
    return f"{mutant.file}:{mutant.line} {mutant.kind}: {ended} ({effort})"


if __name__ == "__main__":
    sys.exit(main())

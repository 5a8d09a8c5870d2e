#!/usr/bin/env python3
"""Compare results of benchmarks with the last stored ones: changes above 10 %.

python scripts/compare_benchmarks.py                      benchmarks/results against the last commit
python scripts/compare_benchmarks.py derive operations    some benchmarks only
python scripts/compare_benchmarks.py --against v0.1.0     against another commit
python scripts/compare_benchmarks.py --against FOLDER     against results in a folder

Times, rates and memory are compared only between runs on the same machine, ratios and counts always;
a count is reported if it changed at all. The exit code is 1 if a figure got worse.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "benchmarks")]

from harness.changes import LIMIT, Change, change_table, changes, conditions  # noqa: E402
from harness.results import FOLDER, Results, ResultsError, read_results  # noqa: E402
from rich.console import Console  # noqa: E402


def stored(against: str, file: str) -> Results | None:
    """Earlier results of a file, from a folder or a commit; None if there are none."""
    if Path(against).is_dir():
        path = Path(against) / file
        return read_results(path.read_text("utf-8"), str(path)) if path.exists() else None
    known = subprocess.run(
        ["git", "rev-parse", "--verify", "--quiet", f"{against}^{{commit}}"],
        cwd=ROOT, capture_output=True,
    )  # fmt: skip
    if known.returncode:
        raise ResultsError(f"--against must be a folder or a commit, got {against!r}.")
    name = f"{against}:{FOLDER.relative_to(ROOT).as_posix()}/{file}"
    line = ["git", "show", name]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    return None if done.returncode else read_results(done.stdout, name)


def compare(folder: Path, against: str, benchmarks: Sequence[str], limit: float) -> list[Change]:
    """Print what changed, benchmark by benchmark, and return it."""
    paths = sorted(folder.glob("*.json"))
    known = [path.stem for path in paths]
    unknown = [name for name in benchmarks if name not in known]
    if unknown or not paths:
        raise ResultsError(
            f"{folder.name}: no results of {', '.join(unknown) or 'any benchmark'}; there are "
            f"{', '.join(known) or 'none'}. Run python benchmarks/NAME.py first."
        )
    found: list[Change] = []
    for path in paths:
        if benchmarks and path.stem not in benchmarks:
            continue
        after = read_results(path.read_text("utf-8"), path.name)
        before = stored(against, path.name)
        if before is None:
            print(f"{path.stem}: no earlier results")
            continue
        these = list(changes(before, after, limit))
        for line in conditions(before, after):
            print(f"{path.stem}: {line}")
        print(f"{path.stem}: {len(after.figures)} figures, {len(these)} changed")
        found += these
    return found


def main(given: Sequence[str] | None = None) -> int:
    """Report changes; 1 if a figure got worse, 2 if there is nothing to compare."""
    options = argparse.ArgumentParser(description="Compare results of benchmarks with stored ones.")
    options.add_argument("benchmarks", nargs="*", help="names without .json; all if none is given")
    options.add_argument("--against", default="HEAD", help="a commit or a folder")
    options.add_argument("--results", type=Path, default=FOLDER, help="the folder of new results")
    options.add_argument("--limit", type=float, default=100 * LIMIT, help="percent that is noise")
    chosen = options.parse_args(given)
    try:
        found = compare(chosen.results, chosen.against, chosen.benchmarks, chosen.limit / 100)
    except ResultsError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if found:
        change_table(found).show(Console(width=None if sys.stdout.isatty() else 160))
    return int(any(c.worse for c in found))


if __name__ == "__main__":
    sys.exit(main())

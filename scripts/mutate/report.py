"""Results of a run: one line per error in a file, a figure per judge, and a table per package."""

from __future__ import annotations

import json
import math
import tomllib
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from .coverage_map import TARGETS
from .judge import Verdict
from .mutants import Mutant, key

# The judge "test-ci" has the tests of both targets.
GOALS = {"test": 0.85, "test-ci": 0.92}
SUBJECTS = {"test": "make test finds", "test-ci": "make test and make test-ci find"}


def wilson(caught: int, judged: int) -> tuple[float, float]:
    """The 95 % interval of Wilson for a share.

    >>> [round(x, 3) for x in wilson(262, 300)]
    [0.831, 0.906]
    """
    if judged == 0:
        return 0.0, 1.0
    z = 1.959964  # 95 % of a normal distribution lie within ± z
    centre = caught + z * z / 2
    half = z * math.sqrt(caught * (judged - caught) / judged + z * z / 4)
    return (centre - half) / (judged + z * z), (centre + half) / (judged + z * z)


def equivalent(path: Path) -> dict[str, str]:
    """Errors listed by hand as harmless: {key: reason}."""
    entries: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["equivalent"]
    found: dict[str, str] = {}
    for e in entries:
        if set(e) - {"number"} != {"file", "was", "now", "reason"} or not all(e.values()):
            raise ValueError(f"{path.name}: an entry has file, was, now and reason, got {e}.")
        found[key(e["file"], e["was"], e["now"], e.get("number", 1))] = e["reason"]
    return found


@dataclass
class Results:
    """Verdicts by error, kept in a file with a line of JSON each; the last line of an error counts."""

    path: Path
    verdicts: dict[str, Verdict] = field(default_factory=dict[str, Verdict])

    def load(self) -> None:
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        for line in lines:
            r: dict[str, Any] = json.loads(line)
            if "target" in r["verdict"]:  # older lines do not tell which tests ran
                self.verdicts[r["key"]] = Verdict(**r["verdict"])

    def follow(self, targets: dict[str, str]) -> None:
        """Take account of tests that now belong to another target.

        If a test has left `make test`, what it caught is judged again: another may catch it.
        """
        for name, verdict in list(self.verdicts.items()):
            by = verdict.by.removeprefix("timeout: ")
            now = targets.get(by, verdict.target) if verdict.caught else verdict.target
            if now == verdict.target:
                continue
            if now == TARGETS[0]:
                self.verdicts[name] = replace(verdict, target=now)
            else:
                del self.verdicts[name]

    def add(self, mutant: Mutant, verdict: Verdict) -> None:
        self.verdicts[mutant.key] = verdict
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = {"key": mutant.key, "line": mutant.line, "verdict": asdict(verdict)}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


@dataclass
class Summary:
    """Errors of one run with their verdicts, as a judge sees them.

    Args:
        judge: "test" for the tests of `make test`; "test-ci" for these and those of `make test-ci`.
        seed: names the choice of errors.
        verdicts: errors with their verdict; None if there is none yet.
        harmless: errors that are listed as equivalent, with the reason.
    """

    judge: str
    seed: str
    verdicts: list[tuple[Mutant, Verdict | None]]
    harmless: list[tuple[Mutant, str]]

    @staticmethod
    def of(
        mutants: list[Mutant], results: Results, harmless: dict[str, str], *, judge: str, seed: str
    ) -> Summary:
        """The summary of these errors."""
        listed = [(m, harmless[m.key]) for m in mutants if m.key in harmless]
        counted = [(m, results.verdicts.get(m.key)) for m in mutants if m.key not in harmless]
        return Summary(judge, seed, counted, listed)

    @property
    def judges(self) -> tuple[str, ...]:
        """The judge, after those whose tests it has too."""
        return TARGETS[: TARGETS.index(self.judge) + 1]

    def caught(self, judge: str) -> list[tuple[Mutant, Verdict]]:
        return [(m, v) for m, v in self.verdicts if v is not None and v.of(judge)]

    def survived(self, judge: str) -> list[tuple[Mutant, Verdict]]:
        return [(m, v) for m, v in self.verdicts if v is not None and v.of(judge) is False]

    def waiting(self, judge: str) -> list[Mutant]:
        """Errors that some tests of the judge have not tried yet."""
        return [m for m, v in self.verdicts if v is None or v.of(judge) is None]

    def counts(self, judge: str) -> dict[str, tuple[int, int]]:
        """(caught, judged) per package, then in all."""
        caught = [m.package for m, _ in self.caught(judge)]
        judged = caught + [m.package for m, _ in self.survived(judge)]
        rows = {p: (caught.count(p), judged.count(p)) for p in sorted(set(judged))}
        return {**rows, "all": (len(caught), len(judged))}

    @property
    def ok(self) -> bool:
        """Whether every error is judged, and enough were caught."""
        figures = {judge: self.counts(judge)["all"] for judge in self.judges}
        return not self.waiting(self.judge) and all(
            caught >= GOALS[judge] * judged for judge, (caught, judged) in figures.items()
        )

    def figure(self, judge: str) -> str:
        """One line: how many errors a judge finds, with the uncertainty of a sample."""
        caught, judged = self.counts(judge)["all"]
        low, high = wilson(caught, judged)
        share = 100 * caught / judged if judged else 0
        return (
            f"{SUBJECTS[judge]} {caught} of {judged} ({share:.1f} %, "
            f"95 % interval {100 * low:.1f} to {100 * high:.1f} %), seed {self.seed}"
        )

    def text(self) -> str:
        """The table, the figures, then what was not caught."""
        columns = [self.counts(judge) for judge in self.judges]
        heads = "".join(f"{head:>15}" for head in ("make test", "and test-ci")[: len(columns)])
        rows = [f"{'package':24}{heads}"]
        for package in columns[0]:
            cells = [counts.get(package, (0, 0)) for counts in columns]
            rows.append(f"{package:24}" + "".join(f"{c:7} of {n:4}" for c, n in cells))
        timed = sum(
            "timeout" in v.by or v.by.startswith("memory") for _, v in self.caught(self.judge)
        )
        rows += [
            "",
            *(self.figure(judge) for judge in self.judges),
            f"{timed} caught by a limit of time or memory, {len(self.harmless)} listed as equivalent, "
            f"{len(self.waiting(self.judge))} not judged yet",
        ]
        for m, v in self.survived(self.judge):
            rows += [
                "",
                f"survived: {m.file}:{m.line} ({m.kind}; {v.run} of {v.tests} tests run)",
                f"    was {m.was}",
                f"    now {m.now}",
            ]
        return "\n".join(rows) + "\n"

    def json(self) -> str:
        """The same, for programs."""
        figures: dict[str, Any] = {}
        for judge in self.judges:
            packages = {p: {"caught": c, "judged": n} for p, (c, n) in self.counts(judge).items()}
            figures[judge] = {"interval": wilson(*self.counts(judge)["all"]), "packages": packages}
        found: dict[str, Any] = {
            "ok": self.ok,
            "seed": self.seed,
            "judges": figures,
            "caught": [asdict(m) | asdict(v) for m, v in self.caught(self.judge)],
            "survived": [asdict(m) | asdict(v) for m, v in self.survived(self.judge)],
            "equivalent": [asdict(m) | {"reason": reason} for m, reason in self.harmless],
            "waiting": [asdict(m) for m in self.waiting(self.judge)],
        }
        return json.dumps(found, indent=1, ensure_ascii=False)

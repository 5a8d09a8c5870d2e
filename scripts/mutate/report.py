"""Results of a run: one line per error in a file, and a table per package."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .judge import Verdict
from .mutants import Mutant, key

GOAL, GOAL_PER_PACKAGE = 0.9, 0.8


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
            self.verdicts[r["key"]] = Verdict(**r["verdict"])

    def add(self, mutant: Mutant, verdict: Verdict) -> None:
        self.verdicts[mutant.key] = verdict
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = {"key": mutant.key, "line": mutant.line, "verdict": asdict(verdict)}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


@dataclass
class Summary:
    """Errors of one run with their verdicts."""

    caught: list[tuple[Mutant, Verdict]]
    survived: list[tuple[Mutant, Verdict]]
    harmless: list[tuple[Mutant, str]]
    waiting: list[Mutant]

    @staticmethod
    def of(mutants: list[Mutant], results: Results, harmless: dict[str, str]) -> Summary:
        summary = Summary([], [], [], [])
        for m in mutants:
            verdict = results.verdicts.get(m.key)
            if reason := harmless.get(m.key):
                summary.harmless.append((m, reason))
            elif verdict is None:
                summary.waiting.append(m)
            else:
                (summary.caught if verdict.caught else summary.survived).append((m, verdict))
        return summary

    def counts(self) -> dict[str, tuple[int, int]]:
        """(caught, judged) per package, then in all."""
        caught = Counter(m.package for m, _ in self.caught)
        judged = caught + Counter(m.package for m, _ in self.survived)
        rows = {p: (caught[p], judged[p]) for p in sorted(judged)}
        return {**rows, "all": (caught.total(), judged.total())}

    @property
    def ok(self) -> bool:
        """Whether every error is judged, and enough were caught."""
        goals = {p: GOAL if p == "all" else GOAL_PER_PACKAGE for p in self.counts()}
        return not self.waiting and all(
            caught >= goals[p] * judged for p, (caught, judged) in self.counts().items()
        )

    def text(self) -> str:
        """The table, then what was not caught."""
        rows = [
            f"{package:14} {caught:4} of {judged:4}   {100 * caught / judged if judged else 0:4.0f} %"
            for package, (caught, judged) in self.counts().items()
        ]
        timed = sum("timeout" in v.by or v.by.startswith("memory") for _, v in self.caught)
        rows += [
            "",
            f"{timed} caught by a limit of time or memory, {len(self.harmless)} listed as equivalent, "
            f"{len(self.waiting)} not judged yet",
        ]
        for m, v in self.survived:
            rows += [
                "",
                f"survived: {m.file}:{m.line} ({m.kind}; {v.run} of {v.tests} tests run"
                f"{'' if v.whole else ', of its package'})",
                f"    was {m.was}",
                f"    now {m.now}",
            ]
        return "\n".join(rows) + "\n"

    def json(self) -> str:
        """The same, for programs."""
        found: dict[str, Any] = {
            "ok": self.ok,
            "packages": {p: {"caught": c, "judged": n} for p, (c, n) in self.counts().items()},
            "caught": [asdict(m) | asdict(v) for m, v in self.caught],
            "survived": [asdict(m) | asdict(v) for m, v in self.survived],
            "equivalent": [asdict(m) | {"reason": reason} for m, reason in self.harmless],
            "waiting": [asdict(m) for m in self.waiting],
        }
        return json.dumps(found, indent=1, ensure_ascii=False)

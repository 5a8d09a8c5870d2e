#!/usr/bin/env python3
"""Write the table of docs/referee.md: the URDF files of example-robot-data in other libraries.

python scripts/referee_table.py             the table, on stdout and in docs/referee.md
python scripts/referee_table.py panda ur5   some files only, on stdout

The environment must have Pinocchio, MuJoCo, Drake and PyBullet (`pip install pin mujoco drake pybullet
example-robot-data==5.0.0`); Drake is too large for that of the tests. Set-up and run take some minutes.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from equamo.catalog import load  # noqa: E402
from equamo.errors import EquamoError  # noqa: E402
from equamo.referee import compare_with  # noqa: E402
from equamo.referee.libraries import LIBRARIES  # noqa: E402
from equamo.referee.result import LibraryResult  # noqa: E402
from peer_urdf import FOLDER, files  # noqa: E402

STATES = 10
PAGE = ROOT / "docs" / "referee.md"
BEGIN, END = "<!-- table: scripts/referee_table.py -->", "<!-- end of the table -->"
REASONS = {  # parts of the messages of libraries -> what the table says
    "positive eigenvalues": "a moment of inertia is 0 or negative",
    "A + B >= C": "impossible inertia",
    "mjMINVAL": "massless moving body",
    "Transmission specifies joint": "transmission of an unknown joint",
    "free base": "free base",
}


def reason(result: LibraryResult) -> str:
    """Why a library does not read a robot, in a few words."""
    found = [short for part, short in REASONS.items() if part in result.refused]
    return found[0] if found else result.refused


def cell(results: dict[str, LibraryResult]) -> str:
    """Largest remaining difference and the rules of one library, with a fixed and a free base."""
    compared = [x for x in results.values() if not x.refused]
    parts: list[str] = []
    if compared:
        numbers = [
            q.remainder.relative
            for x in compared
            for q in x.quantities
            if not {"single precision", "singular mass matrix"} & set(q.rules)
        ]
        parts.append(f"{max(numbers):.0e}")
        rules = list(dict.fromkeys(r for x in compared for r in x.rules))
        parts += [", ".join(rules)] if rules else []
        open_ = [u.entry for x in compared for u in x.unexplained]
        parts += [f"**unexplained: {', '.join(open_)}**"] if open_ else []
    refused = {base: reason(x) for base, x in results.items() if x.refused}
    if len(refused) == 2 and len(set(refused.values())) == 1:
        parts.append(f"not compared: {refused['fixed']}")
    elif refused and set(refused.values()) != {"free base"}:
        parts += [f"{base} base not compared: {why}" for base, why in refused.items()]
    return "; ".join(parts)


def row(path: Path, counts: Counter[str]) -> str:
    """A line of the table; what was compared is added to the counts."""
    name = re.sub(r"_description|robots/|urdf/|\.urdf", "", path.relative_to(FOLDER).as_posix())
    results: dict[str, dict[str, LibraryResult]] = {n: {} for n in LIBRARIES}
    joints = 0
    for base in ("fixed", "free"):
        try:
            robot = load(path, base=base)
        except EquamoError as error:
            return f"| {name} | | refused by equamo: {str(error).rpartition(': ')[2][:60]} | | | |"
        joints = joints if base == "free" else len(robot.v)
        if not robot.v:
            continue
        for result in compare_with(robot, list(LIBRARIES), states=STATES):
            results[result.library][base] = result
            counts[f"{result.library} {'refused' if result.refused else 'compared'}"] += 1
            counts["quantities"] += len(result.quantities)
            counts["explained"] += sum(x.verdict == "explained" for x in result.quantities)
            counts["unexplained"] += len(result.unexplained)
    cells = " | ".join(cell(x) for x in results.values())
    return f"| {name} | {joints} | {cells} |"


def main() -> None:
    """Write the table."""
    chosen = [p for p in files() if not sys.argv[1:] or any(n in str(p) for n in sys.argv[1:])]
    counts: Counter[str] = Counter()
    names = {"pinocchio": "pin", "mujoco": "mujoco", "drake": "drake", "pybullet": "pybullet"}
    heads = [f"{n} {version(package)}" for n, package in names.items()]
    lines = [f"| file | joints | {' | '.join(heads)} |", "|---|---|---|---|---|---|"]
    for path in chosen:
        lines.append(row(path, counts))
        print(lines[-1], flush=True)
    compared = ", ".join(f"{n} {counts[f'{n} compared']}" for n in names)
    summary = (
        f"{len(chosen)} files, each with a fixed and a free base, {STATES} random states: "
        f"{counts['quantities']:,} comparisons of a quantity, {counts['explained']:,} of them with a "
        f"difference that rules explain, {counts['unexplained']} with one that they do not. "
        f"Robots compared: {compared}."
    )
    print(summary)
    if not sys.argv[1:]:
        text = PAGE.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        after = rest.partition(END)[2]
        table = "\n".join(lines)
        PAGE.write_text(f"{before}{BEGIN}\n{summary}\n\n{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Write the table of docs/guide/referee.md: the URDF files of example-robot-data in other libraries.

python scripts/referee_table.py             the whole table, on stdout and in docs/guide/referee.md
python scripts/referee_table.py panda ur5   only the rows of these files, measured again

The environment must have Pinocchio, MuJoCo, Drake and PyBullet (`pip install pin mujoco drake pybullet
example-robot-data==5.0.0`); Drake is too large for that of the tests. Set-up and run take some minutes.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from equamo.errors import EquamoError  # noqa: E402
from equamo.review.referee import compare_with  # noqa: E402
from equamo.review.referee.libraries import LIBRARIES  # noqa: E402
from equamo.review.referee.result import LibraryResult  # noqa: E402
from equamo.robot.catalog import load  # noqa: E402
from peer_urdf import FOLDER, files  # noqa: E402

STATES = 10
NAMES = {"pinocchio": "Pinocchio", "mujoco": "MuJoCo", "drake": "Drake", "pybullet": "PyBullet"}
PACKAGES = {"pinocchio": "pin"}
PAGE = ROOT / "docs" / "guide" / "referee.md"
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


def name_of(path: Path) -> str:
    """Name of a file in the table."""
    return re.sub(r"_description|robots/|urdf/|\.urdf", "", path.relative_to(FOLDER).as_posix())


def row(path: Path) -> str:
    """A line of the table."""
    results: dict[str, dict[str, LibraryResult]] = {n: {} for n in LIBRARIES}
    joints = 0
    for base in ("fixed", "free"):
        try:
            robot = load(path, base=base)
        except EquamoError as error:
            why = str(error).partition(": ")[2].partition(". ")[0].replace("<", "&lt;")
            return f"| {name_of(path)} | | refused by equamo: {why} | | | |"
        joints = joints if base == "free" else len(robot.v)
        if robot.v:
            for result in compare_with(robot, list(LIBRARIES), states=STATES):
                results[result.library][base] = result
    cells = " | ".join(cell(x) for x in results.values())
    return f"| {name_of(path)} | {joints} | {cells} |"


def summary(rows: list[str]) -> str:
    """How many files were compared with each library, from the rows."""
    cells = [line.split(" | ")[2:] for line in rows if "refused by equamo" not in line]
    compared = [sum(bool(re.match(r"\d", x[k])) for x in cells) for k in range(len(LIBRARIES))]
    parts = [f"{n} with {NAMES[library]}" for n, library in zip(compared, LIBRARIES, strict=True)]
    unexplained = sum("**unexplained" in line for line in rows)
    return (
        f"{len(rows)} files, each with a fixed and a free base, {STATES} random states each: "
        f"{', '.join(parts[:-1])} and {parts[-1]} (fixed base only) were compared. Files with an "
        f"unexplained difference: {unexplained}."
    )


def main() -> None:
    """Write the table; rows that are not asked for stay as they are."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    old, _, after = rest.partition(END)
    known = {line.split(" | ")[0].removeprefix("| "): line for line in old.splitlines()}
    heads = [f"{NAMES[n]} {version(PACKAGES.get(n, n))}" for n in LIBRARIES]
    lines = [f"| file | joints | {' | '.join(heads)} |", "|---|---|---|---|---|---|"]
    for path in files():
        name = name_of(path)
        chosen = not sys.argv[1:] or name not in known or any(n in name for n in sys.argv[1:])
        lines.append(row(path) if chosen else known[name])
        print(lines[-1], flush=True)
    table = "\n".join(lines)
    head = summary(lines[2:])
    print(head)
    PAGE.write_text(f"{before}{BEGIN}\n{head}\n\n{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

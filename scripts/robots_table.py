#!/usr/bin/env python3
"""Write docs/robots.md: every URDF file of example-robot-data, read, derived, compared and proved.

python scripts/robots_table.py            the table, on stdout and in docs/robots.md
python scripts/robots_table.py panda ur5  some files only, on stdout
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from equamo.catalog import load  # noqa: E402
from equamo.certificate import prove  # noqa: E402
from equamo.errors import EquamoError  # noqa: E402
from equamo.formulations import derive  # noqa: E402
from peer_urdf import FOLDER, Peer, compare, files  # noqa: E402

STATES = 100
HEADING = """# Real robots

Every URDF file of `example-robot-data` 5.0, read by `eq.load`, made by `scripts/robots_table.py`.

- **joints**: degrees of freedom with a fixed base.
- **derive**: processor seconds for `eq.derive` (recursive: M, bias, gravity) and inverse dynamics.
- **prove**: processor seconds for `eq.prove`: five formulations derived, all pairs and identities
  proved, error below 2⁻¹⁰⁰; with a fixed and with a free base.
- **ID, M**: multiplications + additions of inverse dynamics with gravity and of the mass matrix, as
  derived (fixed base, numeric parameters; sines and cosines not counted).
- **agreement**: the largest relative difference from Pinocchio in M, bias + gravity, gravity and the
  frames of all links, in any of {states} random states with a fixed and {states} with a free base. First
  with angles exactly as in the file (`snap=0`), each state by itself; then with angles within 10⁻¹¹ of a
  quarter turn taken as that (the default), all states as one array: files write π/2 with 11 digits.

| file | joints | derive | prove, fixed | prove, free | ID | M | agreement, snap=0 | agreement |
|---|---|---|---|---|---|---|---|---|
"""


def row(path: Path) -> tuple[str, list[float]]:
    """A line of the table, and the seconds of its proofs."""
    name = path.relative_to(FOLDER).as_posix()
    try:
        robot = load(path)
    except EquamoError as error:
        reason = str(error).replace(str(path.parent) + "/", "").split(". ")[0]
        return f"| {name} | refused: {reason} | | | | | | | |", []
    start = time.process_time()
    eom = derive(robot)
    tau = eom.inverse_dynamics
    derived = time.process_time() - start
    counts: list[str] = []
    for what in (tau, eom.mass_matrix):
        c = what.count()
        counts.append(f"{c.multiplications} + {c.additions}")
    proofs: list[str] = []
    seconds: list[float] = []
    exact, snapped = 0.0, 0.0
    for base in ("fixed", "free"):
        robot = load(path, base=base)
        start = time.process_time()
        certificate = prove(robot, seed=1)
        seconds.append(time.process_time() - start)
        proofs.append(f"{seconds[-1]:.2f}" if certificate.ok else "**not proved**")
        peer = Peer(path, free=base == "free")
        found = compare(derive(load(path, base=base, snap=0)), peer, STATES).worst_state()
        exact = max([exact, *found.values()])
        found = compare(derive(robot), peer, STATES).worst()
        snapped = max([snapped, *found.values()])
    cells = [
        name,
        str(len(eom.v)),
        f"{derived:.3f}",
        *proofs,
        *counts,
        f"{exact:.0e}",
        f"{snapped:.0e}",
    ]
    return f"| {' | '.join(cells)} |", seconds


def main() -> None:
    """The whole table, or some lines of it."""
    wanted = sys.argv[1:]
    lines: list[str] = []
    seconds: list[float] = []
    for path in files():
        if not wanted or any(w in str(path.relative_to(FOLDER)) for w in wanted):
            line, took = row(path)
            print(line, flush=True)
            lines.append(line)
            seconds += took
    seconds.sort()
    median = seconds[len(seconds) // 2]
    summary = f"{len(seconds)} proofs: median {median:.2f} s, longest {seconds[-1]:.2f} s."
    print(summary)
    if not wanted:
        text = HEADING.format(states=STATES) + "\n".join(lines) + f"\n\n{summary}\n"
        (ROOT / "docs" / "robots.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Write docs/project/robots.md: every URDF of example-robot-data, read, derived, compared and proved.

python scripts/robots_table.py            the table, on stdout and in docs/project/robots.md
python scripts/robots_table.py panda ur5  some files only, on stdout
python scripts/robots_table.py --timing   the last column anew, all else as docs/project/robots.md has it
python scripts/robots_table.py --counts   the operations anew, which a busy machine does not change
"""

from __future__ import annotations

import ctypes
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests"), str(ROOT / "benchmarks")]

from harness.loops import loops, pointers  # noqa: E402

from equamo.algebra.expr.matrix import Matrix  # noqa: E402
from equamo.algebra.expr.vector import Vector  # noqa: E402
from equamo.code.jit.compiled import compile  # noqa: E402
from equamo.errors import EquamoError  # noqa: E402
from equamo.mechanics.certificate import prove  # noqa: E402
from equamo.mechanics.equations import derive  # noqa: E402
from equamo.robot.catalog import load  # noqa: E402
from peer_urdf import FOLDER, Peer, compare, files, states  # noqa: E402

STATES = 100
TIMED_STATES, PASSES, ROUNDS = 256, 20, 15
TABLE = ROOT / "docs" / "project" / "robots.md"
HEADING = """# Real robots

Every URDF file of `example-robot-data` 5.0, as read by `eq.load`. The table is made by
`scripts/robots_table.py`.

- **joints**: degrees of freedom with a fixed base.
- **derive**: processor seconds for `eq.derive` (recursive: M, bias, gravity) and inverse dynamics.
- **prove**: processor seconds for `eq.prove`: five formulations derived, all pairs and identities
  proved, error below 2⁻¹⁰⁰; with a fixed and with a free base.
- **ID, M**: multiplications + additions of inverse dynamics with gravity and of the mass matrix, as
  derived (fixed base, numeric parameters; sines and cosines not counted).
- **agreement**: the largest relative difference from Pinocchio in M, bias + gravity, gravity and the
  frames of all links, in any of {states} random states with a fixed and {states} with a free base. First
  with angles exactly as in the file (`snap=0`), one state per call; then with angles within 10⁻¹¹ of a
  quarter turn replaced by it (the default, as files write π/2 with 11 digits), all states in one call.
- **ns**: nanoseconds per call of the compiled inverse dynamics (float64, fixed base), called from a
  loop in C over {timed} random states on one core; processor time, the median of {rounds} rounds.

| file | joints | derive | prove, fixed | prove, free | ID | M | agreement, snap=0 | agreement | ns |
|---|---|---|---|---|---|---|---|---|---|
"""
REFUSED = " |" * 9


def row(path: Path) -> tuple[str, list[float]]:
    """A line of the table, and the seconds of its proofs."""
    name = path.relative_to(FOLDER).as_posix()
    try:
        robot = load(path)
    except EquamoError as error:
        reason = str(error).replace(str(path.parent) + "/", "").split(". ")[0]
        return f"| {name} | refused: {reason}{REFUSED}", []
    start = time.process_time()
    eom = derive(robot)
    tau = eom.inverse_dynamics
    derived = time.process_time() - start
    counts = [_count(tau), _count(eom.mass_matrix)]
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
        nanoseconds(path),
    ]
    return f"| {' | '.join(cells)} |", seconds


def _count(what: Vector | Matrix) -> str:
    c = what.operations()
    return f"{c.multiplications} + {c.additions}"


def operations(path: Path) -> list[str]:
    """Operations of inverse dynamics and of the mass matrix, as the table says them."""
    eom = derive(load(path))
    return [_count(eom.inverse_dynamics), _count(eom.mass_matrix)]


def nanoseconds(path: Path) -> str:
    """One call of the kernel of inverse dynamics, as the table says it."""
    eom = derive(load(path))
    if not len(eom.v):
        return "–"
    # Without the disk cache: what is timed was made from the sources as they are now.
    made = compile(eom, dtype="float64", cache=False).function("inverse_dynamics")
    q, v = states(eom.robot, TIMED_STATES)
    arrays = [q, v, v[::-1].copy()]
    rest = [np.zeros(len(eom.external))] if eom.external else []
    rest += [np.array([float(x or 1) for x in eom.robot.values.values()])] if eom.parameters else []
    arrays += [*rest, np.zeros(len(eom.v))]
    widths = np.array([*(a.shape[1] for a in arrays[:3]), *([0] * (len(arrays) - 3))], np.int64)

    def clock() -> float:
        seconds = loops().time_kernel(
            ctypes.c_void_p(made.address), ctypes.c_long(len(arrays)), pointers(arrays),
            widths.ctypes.data_as(ctypes.c_void_p), ctypes.c_long(TIMED_STATES), ctypes.c_long(PASSES),
        )  # fmt: skip
        return seconds / (TIMED_STATES * PASSES)

    clock()  # loads and warms
    return f"{1e9 * statistics.median(clock() for _ in range(ROUNDS)):.0f}"


def one_core() -> None:
    """Stay on one processor, where the system lets us choose."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def heading() -> str:
    """All that stands above the rows."""
    return HEADING.format(states=STATES, timed=TIMED_STATES, rounds=ROUNDS)


def refresh(first: int, made: Callable[[Path], list[str]]) -> None:
    """The table with some of its columns made anew, all else as it is."""
    _, _, table = TABLE.read_text(encoding="utf-8").partition("---|\n")
    rows, _, summary = table.partition("\n\n")
    known = {str(p.relative_to(FOLDER).as_posix()): p for p in files()}
    lines: list[str] = []
    for line in rows.splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if cells[1].startswith("refused"):
            lines.append(f"| {cells[0]} | {cells[1]}{REFUSED}")
        else:
            new = made(known[cells[0]])
            lines.append(f"| {' | '.join([*cells[:first], *new, *cells[first + len(new) :]])} |")
        print(lines[-1], flush=True)
    TABLE.write_text(heading() + "\n".join(lines) + f"\n\n{summary}", encoding="utf-8")


def main() -> None:
    """The whole table, or some lines of it."""
    wanted = sys.argv[1:]
    one_core()
    if wanted == ["--timing"]:
        refresh(9, lambda path: [nanoseconds(path)])
        return
    if wanted == ["--counts"]:
        refresh(5, operations)
        return
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
        text = heading() + "\n".join(lines) + f"\n\n{summary}\n"
        TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

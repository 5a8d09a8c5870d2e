"""Packed mass matrices against Pinocchio's crba, in one run: `python benchmarks/packed_mass_matrix.py`

`fast.mass_matrix(q, packed=True)` writes the structurally nonzero entries of the lower triangle, whereas
`fast.mass_matrix(q)` writes all of M: 11 kB per state of a humanoid, which takes longer than computing
it. The six robots of dynamics.py are timed in batches: first from C over the same 1000 random states,
compared with crba in C++, in the faster of its two conventions, which fills one triangle; then from
Python, 4096 states in one call with `out=`. One core, processor time, the median of the rounds, programs
in turns. Before anything is timed, results are compared at one state.

The first run compiles Pinocchio's templates, which takes minutes; they are kept in build/benchmarks. A
whole run writes its table into docs/project/performance.md and all figures to
results/packed_mass_matrix.json.

    python benchmarks/packed_mass_matrix.py --robots Talos,G1 --quick
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from dynamics import BATCH, PAGE, STATES, described, one_core
from harness.agreement import TOLERANCE, placed, relative
from harness.clock import Seconds, Work, in_turns, per_state
from harness.equamo_calls import LAYOUTS, EquamoCalls
from harness.models import SOURCES, Source, States, pinocchio_model, tree
from harness.pinocchio_calls import ALGORITHMS, PinocchioCalls
from harness.python_calls import equamo_batch
from harness.results import Results, new_results
from harness.tables import Table, nanoseconds, times, write
from rich.console import Console

PACKED_PARTS = ("packed", "packed machine")  # places on the page
WHOLE, PACKED = "mass_matrix", "mass_matrix_packed"
REACH = {"Talos": 12.0, "G1": 12.0}  # times faster than crba in batches


@dataclass(frozen=True)
class Measured:
    """Seconds per state of one robot, by program."""

    source: Source
    speeds: int
    entries: int
    clocks: dict[str, Seconds]

    def median(self, program: str) -> float:
        return self.clocks[program].median

    @property
    def pinocchio(self) -> float:
        """The convention that suits it best."""
        return min(self.median(f"Pinocchio, {way}") for way in ALGORITHMS[WHOLE])

    def batch(self, function: str) -> float:
        """Our faster layout."""
        return min(self.median(f"{function}, {layout}") for layout in LAYOUTS)


def compare(ours: EquamoCalls, theirs: PinocchioCalls) -> None:
    """Check that the packed entries are Pinocchio's at the last state."""
    packed = ours.fast.mass_matrix(ours.given["q"], packed=True)
    M = placed(packed.dense()[-1], ours.speeds)
    for way in ALGORITHMS[WHOLE]:
        theirs.time(WHOLE, 1, way)
        assert relative(M, theirs.result) <= TOLERANCE, way
    for layout in LAYOUTS:
        ours.time_batch(PACKED, 1, layout)
        assert relative(ours.results[-1], packed.values[-1]) <= TOLERANCE, layout


def measure(source: Source, rounds: int) -> Measured:
    """All programs on one robot."""
    plain = tree(pinocchio_model(source))
    states = States(plain, STATES)
    ours, theirs = EquamoCalls(source, plain, states), PinocchioCalls(plain, states)
    compare(ours, theirs)
    work: dict[str, Work] = {
        f"Pinocchio, {way}": lambda n, way=way: theirs.time(WHOLE, n, way)
        for way in ALGORITHMS[WHOLE]
    }
    for f in (WHOLE, PACKED):
        for layout in LAYOUTS:
            work[f"{f}, {layout}"] = lambda n, f=f, at=layout: ours.time_batch(f, n, at)
    clocks = in_turns(work, rounds, STATES)
    many = EquamoCalls(source, plain, States(plain, BATCH), ours.fast)
    from_python = {f"{f}, Python": per_state(equamo_batch(many, f), BATCH) for f in (WHOLE, PACKED)}
    clocks |= in_turns(from_python, max(3, rounds // 2), BATCH)
    (result,) = ours.fast.function(PACKED).results
    return Measured(source, plain.nv, result.size, clocks)


def packed_table(results: Sequence[Measured]) -> Table:
    columns = [f"{f}, {way}" for f in (WHOLE, PACKED) for way in (*LAYOUTS, "Python")]
    rows = [
        [
            f"{x.source.name} ({x.speeds})", f"{x.entries} of {x.speeds**2}",
            nanoseconds(x.pinocchio), *(nanoseconds(x.median(c)) for c in columns),
            times(x.pinocchio / x.batch(WHOLE)),
            times(x.pinocchio / x.batch(PACKED), REACH.get(x.source.name)),
        ]
        for x in results
    ]  # fmt: skip
    headings = (
        "robot (speeds)", "entries", "Pinocchio C++", "all, rows", "all, columns", "all, Python",
        "packed, rows", "packed, columns", "packed, Python", "Pinocchio / all",
        "Pinocchio / packed (target)",
    )  # fmt: skip
    return Table("Mass matrix in batches, one core: ns per state", headings, rows)


def stored(measured: Sequence[Measured]) -> Results:
    results = new_results("packed_mass_matrix", peers=["pin", "example-robot-data"])
    for x in measured:
        name = x.source.name
        for program, seconds in x.clocks.items():
            unit = "ns, peer" if program.startswith("Pinocchio") else "ns"
            results.add(f"{name}, {program}", 1e9 * seconds.median, unit)
        for f in (WHOLE, PACKED):
            ratio = x.pinocchio / x.batch(f)
            results.add(f"{name}, {f} in batches against Pinocchio", ratio, "times faster")
    return results


def main(given: Sequence[str] | None = None) -> None:
    """Measure, print, write the page and store the results."""
    options = argparse.ArgumentParser(description="Packed mass matrices against Pinocchio.")
    options.add_argument("--robots", default=",".join(SOURCES), help="comma-separated names")
    options.add_argument("--quick", action="store_true", help="few rounds; nothing is written")
    chosen = options.parse_args(given)
    unknown = set(chosen.robots.split(",")) - set(SOURCES)
    if unknown:
        options.error(f"no robot {', '.join(sorted(unknown))}; there are {', '.join(SOURCES)}")
    sources = [s for s in SOURCES.values() if s.name in chosen.robots.split(",")]
    results: list[Measured] = []
    for source in sources:
        print(source.name, flush=True)
        with one_core():
            results.append(measure(source, 5 if chosen.quick else 21))
    table = packed_table(results)
    console = Console(width=None if sys.stdout.isatty() else 200)
    console.print(described())
    table.show(console)
    if sources == list(SOURCES.values()) and not chosen.quick:
        write(PAGE, {"packed": table.markdown(), "packed machine": described()})
        stored(results).write()


if __name__ == "__main__":
    main()

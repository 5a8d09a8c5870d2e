"""Proofs that modules of LLVM IR compute their programs: `python benchmarks/ir_proofs.py`

All functions that `eq.generate` writes by default, for the processor at hand: with one state per call
and with as many lanes as it has. Times are those of the processor, in
one process, the best of three. `emitted`: to write the text, which a certificate does again because
the text is not kept. `LLVM`: the part of the proof that is spent in LLVM, reading and printing.

The exit code is 1 if a proof fails. All figures go to results/ir_proofs.json.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from harness.results import Results, new_results
from program_proofs import ROBOTS, chosen, robot_of

from equamo.code.ir.program import DTYPES, Dtype, Program
from equamo.code.jit import engine
from equamo.code.jit.ir_proof import prove_ir
from equamo.code.jit.llvm import ir
from equamo.mechanics.equations import derive


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    """The best time of three, and the result."""
    best, result = float("inf"), None
    for _ in range(3):
        gc.collect()
        start = time.process_time()
        result = call()
        best = min(best, time.process_time() - start)
    return best, result


def row(
    label: str, programs: Sequence[Program], dtype: Dtype, lanes: int, results: Results
) -> tuple[str, int]:
    """The cells of a row, and how many proofs failed."""
    fused = engine.fuses()
    emitted, texts = seconds(lambda: [ir(p, dtype, lanes, fused) for p in programs])
    printed, prints = seconds(lambda: [engine.printout(text) for text in texts])
    pairs = list(zip(programs, texts, strict=True))
    proved, proofs = seconds(lambda: [prove_ir(p, x, dtype, lanes, fused) for p, x in pairs])
    for what, took in (("emitted", emitted), ("LLVM", printed), ("proved", proved)):
        results.add(f"{label}, {dtype}, {lanes} lanes: {what}", took, "s")
    lines = sum(text.count("\n") for text in prints)
    cells = f"{dtype}, {lanes} | {lines:,} | {emitted:.3f} | {printed:.3f} | {proved:.3f}"
    return cells, sum(not proof for proof in proofs)


def main() -> int:
    print("| robot | functions | type, lanes | lines of IR | emitted [s] | LLVM [s] | proved [s] |")
    print("|---|---|---|---|---|---|---|")
    failed = 0
    results = new_results("ir_proofs", peers=["example-robot-data"])
    variants: list[tuple[Dtype, int]] = [("float64", 1)]
    variants += [(dtype, engine.widest(dtype)) for dtype in DTYPES]
    for label, source in ROBOTS.items():
        programs = [f.program() for f in chosen(derive(robot_of(*source)))]
        for dtype, lanes in variants:
            cells, wrong = row(label, programs, dtype, lanes, results)
            failed += wrong
            print(f"| {label} | {len(programs)} | {cells} |", flush=True)
    if not failed:
        results.write()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

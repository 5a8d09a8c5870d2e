"""The expression graph against SymPy and SymEngine, in one run: `python benchmarks/graph.py`

The product of 40 rotation matrices about alternating axes, and its derivative by each angle: 9 and 360
expressions. None of the programs simplifies. Operations are counted over the distinct nodes of all of
them, for every program in the same way. Each program runs in a process of its own. A program that does
not finish in the time allowed gets fewer factors, and is compared with equamo at the same number. All
figures go to results/graph.json.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from harness.results import new_results

FACTORS = 40
LIMIT = 60  # seconds for one program
FEWER = (40, 12, 8)  # factors to try
NODES = 1_000_000
LABELS = {
    "equamo": "equamo, reverse", "equamo_forward": "equamo, forward",
    "symengine": "SymEngine", "sympy": "SymPy",
}  # fmt: skip


# -- one program, in its own process ---------------------------------------------------------------
def rotations(n: int, matrix: Callable[..., Any], symbol: Any, cos: Any, sin: Any) -> Any:
    """The symbols and the n matrices."""
    q = [symbol(f"q{i}") for i in range(n)]
    made: list[Any] = []
    for i, x in enumerate(q):
        c, s = cos(x), sin(x)
        made.append(matrix([
            [[1, 0, 0], [0, c, -s], [0, s, c]],
            [[c, 0, s], [0, 1, 0], [-s, 0, c]],
            [[c, -s, 0], [s, c, 0], [0, 0, 1]],
        ][i % 3]))  # fmt: skip
    return q, made


def peer(library: str, n: int) -> tuple[float, float, list[Any]]:
    """Seconds for the product and for the derivatives, and all expressions."""
    if library == "sympy":
        import sympy as lib
    else:
        import symengine as lib
    start = time.process_time()
    q, factors = rotations(n, lib.Matrix, lib.Symbol, lib.cos, lib.sin)
    A = factors[0]
    for R in factors[1:]:
        A = A * R
    entries = [A[i, j] for i in range(3) for j in range(3)]
    middle = time.process_time()
    slopes = [e.diff(x) for e in entries for x in q]
    return middle - start, time.process_time() - middle, entries + slopes


def ours(library: str, n: int) -> tuple[float, float, list[Any]]:
    from equamo.algebra.expr import cos, sin, symbol
    from equamo.algebra.expr.differentiate import gradient, jacobian
    from equamo.algebra.expr.matrix import Matrix

    start = time.process_time()
    q, factors = rotations(n, Matrix, symbol, cos, sin)
    A = factors[0]
    for R in factors[1:]:
        A = A @ R
    middle = time.process_time()
    forward = library == "equamo_forward"
    rows = jacobian(A.entries, q) if forward else [gradient(e, q) for e in A.entries]
    slopes = [e for row in rows for e in row]
    return middle - start, time.process_time() - middle, [*A.entries, *slopes]


def operations(outputs: Iterable[Any]) -> tuple[int, int]:
    """Multiplications and additions of the distinct nodes; a sign costs nothing."""
    seen: set[int] = set()
    mults = adds = 0
    stack = list(outputs)
    while stack:
        e = stack.pop()
        if hash(e) in seen:  # both peers keep the hash of a node, comparing nodes would take ages
            continue
        seen.add(hash(e))
        args = e.args
        kind = type(e).__name__
        if kind == "Add":
            adds += len(args) - 1
        elif kind == "Mul":
            mults += len(args) - 1 - any(a == -1 for a in args)
        elif kind == "Pow":
            mults += 1
        stack += args
    return mults, adds


def measure(library: str, n: int) -> None:
    run = ours if library.startswith("equamo") else peer
    best: tuple[float, float] = (1e9, 1e9)
    for _ in range(1 if library == "sympy" else 5):  # SymPy would find its results in its cache
        product, slopes, outputs = run(library, n)
        best = min(best, (product, slopes), key=sum)
        if library.startswith("equamo"):
            from equamo.algebra.expr.count import count

            c = count(outputs)
            mults, adds = c.multiplications, c.additions
        else:
            mults, adds = operations(outputs)
        del outputs  # build anew, not from the table
    print(json.dumps([*best, mults, adds]))


def measure_nodes(n: int) -> None:
    """Nodes made per second, and memory per node: products, sums and occasional sines."""
    import resource

    from equamo.algebra.expr import sin, symbol
    from equamo.algebra.expr.graph import table_size

    unit = 1 if sys.platform == "darwin" else 1024
    q = [symbol(f"q{i}") for i in range(50)]
    before, size = table_size(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    e, kept = q[0], []
    i = 0
    while table_size() - before < n:
        for _ in range(1000):
            i += 1
            e = e * q[i % 50] + q[i % 49]
            if i % 10 == 0:
                kept.append(sin(e))
    seconds = time.process_time() - start
    made = table_size() - before
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size) * unit
    print(json.dumps([made / seconds, memory / made]))


# -- all of them -----------------------------------------------------------------------------------
def in_a_process(*what: str) -> list[float] | None:
    try:
        done = subprocess.run(
            [sys.executable, __file__, *what], stdout=subprocess.PIPE, timeout=LIMIT, check=True
        )
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout)


def main() -> None:
    header = f"{'':18}{'factors':>8}{'product':>12}{'derivatives':>13}{'mult':>8}{'add':>8}"
    print(f"{header}{'time':>9}{'operations':>12}")
    print(f"{'':18}{'':8}{'[ms]':>12}{'[ms]':>13}{'':8}{'':8}{'/equamo':>9}{'/equamo':>12}")
    results = new_results("graph", peers=["sympy", "symengine"])
    reference: dict[int, list[float]] = {}
    for library, label in LABELS.items():
        for n in FEWER:
            result = in_a_process(library, str(n))
            if result is not None:
                break
            print(f"{label:18}{n:8}    not finished in {LIMIT} s; trying fewer factors")
        else:
            continue
        if n not in reference:
            reference[n] = result if library == "equamo" else in_a_process("equamo", str(n)) or []
        us = reference[n]
        product, slopes, mults, adds = result
        speed = (product + slopes) / (us[0] + us[1])
        work = (mults + adds) / (us[2] + us[3])
        peer = library in ("sympy", "symengine")
        results.add(f"{label}, {n} factors: product", product, "s, peer" if peer else "s")
        results.add(f"{label}, {n} factors: derivatives", slopes, "s, peer" if peer else "s")
        if peer:
            results.add(f"equamo against {label}, {n} factors: time", speed, "times faster")
            results.add(f"equamo against {label}, {n} factors: operations", work, "times fewer")
        else:
            results.add(f"{label}, {n} factors: operations", mults + adds, "operations")
        print(
            f"{label:18}{n:8}{1e3 * product:12.2f}{1e3 * slopes:13.2f}{mults:8.0f}{adds:8.0f}"
            f"{speed:9.1f}{work:12.1f}"
        )
    nodes = in_a_process("nodes", str(NODES))
    if nodes is not None:
        print(f"\n{NODES:,} nodes: {nodes[0]:,.0f} per second, {nodes[1]:.0f} bytes each")
        results.add("nodes made", nodes[0], "per second")
        results.add(f"{NODES:,} nodes: memory", NODES * nodes[1] / 1e6, "MB")
    results.write()


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    elif sys.argv[1] == "nodes":
        measure_nodes(int(sys.argv[2]))
    else:
        measure(sys.argv[1], int(sys.argv[2]))

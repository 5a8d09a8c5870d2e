"""Functions on a GPU: checks against the CPU, then states per second and bandwidth, relative to a copy.

    python benchmarks/gpu.py --robots FOLDER --out FOLDER [--quick] [--peers FOLDER]    with a GPU
    python benchmarks/gpu.py --store FOLDER/gpu.json                    where this repository is

FOLDER has the URDF files panda.urdf, anymal.urdf and g1.urdf (example-robot-data). The first needs an
NVIDIA GPU and PyTorch; JAX and CuPy are checked too. Launches are captured in a CUDA graph, ten at a
time, and the median of seven replays counts: neither Python nor the driver's queue is in the figures.
`--peers` compares with grid-rbd and frax; harness/gpu_peers.py says what its folder must have. The
second command stores a report in benchmarks/results and in docs/project/performance.md.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from harness.results import new_results
from harness.tables import write

PAGE = Path(__file__).parents[1] / "docs" / "project" / "performance.md"


def table(report: dict[str, Any]) -> str:
    """The figures as a table for docs/project/performance.md."""
    copy = report["copy"]
    lines = [
        f"{report['device']}, driver {report['clocks']}; CUDA {report['cuda']}; a copy of 512 MiB "
        f"on the device moves {copy / 1e12:.2f} TB/s (read and written).",
        "",
        "| robot | function | type | order | 10⁹ states/s | target | limits: memory, arithmetic | TB/s "
        "| of a copy |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for r in report["throughput"]:
        name = r["function"].replace("_", " ") + (", packed" if r["packed"] else "")
        target = "–" if r["target"] is None else f"{r['target']:g}"
        lines.append(
            f"| {r['robot']} | {name} | {r['dtype']} | {'columns' if r['columns'] else 'rows'} | "
            f"{r['states per second'] / 1e9:.3g} | {target} | {r['limit by memory'] / 1e9:.3g}, "
            f"{r['limit by arithmetic'] / 1e9:.3g} | {r['bytes per second'] / 1e12:.2f} | "
            f"{100 * r['bytes per second'] / copy:.0f} % |"
        )
    return "\n".join(lines) + "\n"


def more(report: dict[str, Any]) -> str:
    """Small batches, runs and the first result, as tables."""
    small = {(r["dtype"], r["count"]): r["microseconds"] for r in report["small"]}
    counts = sorted({count for _, count in small})
    lines = ["| iiwa, ∂FD, whole batch [µs] | " + " | ".join(f"N = {n:,}" for n in counts) + " |"]
    lines.append("|---|" + "---|" * len(counts))
    for dtype in ("float64", "float32"):
        row = " | ".join(f"{small[dtype, n]:.1f}" for n in counts)
        lines.append(f"| {dtype} | {row} |")
    lines += ["", "| runs of Panda, 2¹⁹ × 200 steps | type | 10⁹ steps/s |", "|---|---|---|"]
    for r in report["rollouts"]:
        rate = r["steps per second"] / 1e9
        lines.append(f"| {r['method'].replace('_', ' ')} | {r['dtype']} | {rate:.3g} |")
    lines += [
        "",
        f"From Panda's URDF file to the first result: {report['first result']:.2f} s,",
        "without imports and the start of CUDA.",
    ]
    return "\n".join(lines)


def beside(report: dict[str, Any]) -> str:
    """Other libraries, as a table."""
    lines = [
        "| N = 10⁵, float32 [µs] | equamo | grid-rbd | frax | grid-rbd / equamo | frax / equamo |",
        "|---|---|---|---|---|---|",
    ]
    for r in report["peers"]:
        ours, grid, frax = r["equamo, rows"], r["grid-rbd"], r["frax"]
        name = f"{r['robot']}, {r['function'].replace('_', ' ')}"
        lines.append(
            f"| {name} | {ours:.1f} | {grid:.0f} | {frax:.0f} | {grid / ours:.0f} | {frax / ours:.0f} |"
        )
    return "\n".join(lines)


def store(report: dict[str, Any]) -> None:
    """Store the figures of a report with those of the other benchmarks."""
    results = new_results("gpu")
    results.machine = f"{report['device']}, CUDA {report['cuda']}, driver {report['clocks']}"
    results.add("copy: bytes", report["copy"], "per second")
    for r in report["throughput"]:
        order = "columns" if r["columns"] else "rows"
        packed = ", packed" if r["packed"] else ""
        name = f"{r['robot']}: {r['function']}{packed}, {r['dtype']}, {order}"
        results.add(name, r["states per second"], "per second")
    for r in report["rollouts"]:
        results.add(f"Panda: {r['method']}, {r['dtype']}", r["steps per second"], "per second")
    results.add("Panda: URDF to first result", report["first result"], "s")
    for r in report.get("peers", []):
        for who in ("equamo, rows", "grid-rbd", "frax"):
            name = f"{r['robot']}: {r['function']}, float32, 10⁵ states, {who}"
            results.add(name, r[who] * 1e-6, "s")
    results.write()
    tables = {"gpu": table(report) + "\n" + more(report)}
    if report.get("peers"):
        tables["gpu peers"] = beside(report)
    write(PAGE, tables)


def main() -> None:
    """Check and measure, or store what was measured elsewhere."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--robots", type=Path, help="folder of URDF files")
    parser.add_argument("--out", type=Path, help="folder of the report")
    parser.add_argument("--quick", action="store_true", help="fewer states, no tuning")
    parser.add_argument("--peers", type=Path, help="folder of grid-rbd and frax")
    parser.add_argument("--store", type=Path, help="report to store")
    options = parser.parse_args()
    if options.store is not None:
        store(json.loads(options.store.read_text(encoding="utf-8")))
        return
    if options.robots is None or options.out is None or not importlib.util.find_spec("torch"):
        print("Nothing was measured: this needs a GPU, PyTorch, --robots and --out.")
        return
    from harness.gpu_measure import measure

    report = measure(options.robots, options.quick)
    if options.peers is not None:
        from harness.gpu_peers import compare

        report["peers"] = compare(options.peers.absolute())
    options.out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    (options.out / "gpu.json").write_text(text, encoding="utf-8")
    print(table(report))
    failed = [c["check"] for c in report["checks"] if c["verdict"] != "ok"]
    print(f"{len(report['checks']) - len(failed)} checks passed, {len(failed)} failed: {failed}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

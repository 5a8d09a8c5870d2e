"""Proofs that generated text equals its programs: `python benchmarks/text_proofs.py`

All functions that `eq.generate` writes by default, in every language: written to a folder, read back,
and proved equal to the programs with rounded constants. Times are those of the processor, in one
process; MATLAB is its .m files without the C that comes with them. Golden vectors are left out of the
files: they take longest to make, and nothing is proved about them.

The exit code is 1 if a proof fails. All figures go to results/text_proofs.json.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.results import new_results
from program_proofs import ROBOTS, robot_of

from equamo.code.codegen import generate
from equamo.code.codegen.readers import read
from equamo.code.codegen.targets import TARGETS, Package, target
from equamo.code.codegen.text_proof import prove_code_file
from equamo.mechanics.equations import derive


def measured(package: Package, to: str, folder: Path) -> tuple[float, float, int]:
    """Megabytes, seconds, and how many functions are not proved."""
    prefix = f"{package.name}_" if to in ("c", "matlab") else ""
    programs = {f"{prefix}{r.name}": r.program for r in package.routines}
    for name, text in target(to).files(package).items():
        (folder / name).write_text(text, encoding="ascii")
    names = [n for n in target(to).code(package) if to != "matlab" or n.endswith(".m")]
    size = sum((folder / n).stat().st_size for n in names)
    failed, found = 0, 0
    start = time.process_time()
    for name in names:
        code = read(folder / name, programs.get)
        found += len(code.functions)
        lines = prove_code_file(code, programs.get, package.quantities, package.dtype)
        failed += sum(not line.proof for line in lines)
    return size / 1e6, time.process_time() - start, failed + (found != len(programs))


def main() -> int:
    vars(generate)["golden"] = lambda *_, **__: ()
    print(f"| robot | functions | {' | '.join(f'{to} [MB] | [s]' for to in TARGETS)} |")
    print("|---|---" + "|---|---" * len(TARGETS) + "|")
    failed = 0
    results = new_results("text_proofs", peers=["example-robot-data"])
    for label, source in ROBOTS.items():
        package = generate.package_of(derive(robot_of(*source)))
        cells: list[str] = []
        for to in TARGETS:
            with TemporaryDirectory() as folder:
                size, seconds, wrong = measured(package, to, Path(folder))
            failed += wrong
            results.add(f"{label}, {to}: size", size, "MB")
            results.add(f"{label}, {to}: proved", seconds, "s")
            cells += [f"{size:.2f}", f"{seconds:.2f}"]
        print(f"| {label} | {len(package.routines)} | {' | '.join(cells)} |", flush=True)
    if not failed:
        results.write()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""`import equamo` is light: the heavy libraries are loaded when they are first needed."""

import json
import subprocess
import sys

HEAVY = {"numpy", "sympy", "scipy", "matplotlib", "llvmlite", "typer", "rich"}

PROGRAM = """
import json, sys, time
start = time.perf_counter()
import equamo
seconds = time.perf_counter() - start
print(json.dumps({"seconds": seconds, "modules": sorted(sys.modules)}))
"""


def test_import_loads_no_heavy_library() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    found = json.loads(run.stdout)
    print(f"import equamo: {found['seconds']:.3f} s")
    assert "equamo" in found["modules"]
    assert not HEAVY & set(found["modules"])

"""Importing, deriving and proving need neither NumPy nor SciPy nor llvmlite."""

import json
import subprocess
import sys

PROGRAM = """
import json, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "scipy", "llvmlite"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
try:
    import numpy
except ModuleNotFoundError:
    pass
else:
    raise AssertionError("NumPy is not blocked")

import equamo as eq

krang = eq.load("krang")
eom = eq.derive(krang)
certificate = eq.prove(krang)
print(json.dumps({
    "ok": certificate.ok, "lines": len(certificate.lines), "bits": certificate.bound_bits,
    "remark": certificate.remarks[0], "speeds": len(eom.v), "check": str(eq.check(krang)),
}))
"""


def test_krang_is_derived_and_proved() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["ok"]
    assert found["lines"] > 20
    assert found["bits"] <= -100
    assert found["speeds"] == 17
    assert "positive definite" in found["remark"]

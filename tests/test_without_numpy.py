"""The studio in a browser needs no NumPy, SciPy, SymPy, llvmlite, matplotlib, typer or rich."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.publish.page.scene_data import scene_data

PROGRAM = """
import json, sys, tempfile

BLOCKED = ("numpy", "scipy", "sympy", "llvmlite", "matplotlib", "typer", "rich")

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
try:
    import numpy
except ModuleNotFoundError:
    pass
else:
    raise AssertionError("NumPy is not blocked")

import equamo as eq
from equamo.publish.page.scene_data import scene_data
from equamo.publish.picture.static_svg import static_svg

krang = eq.load("krang")
eom = eq.derive(krang)
certificate = eq.prove(krang)
arm, four_bar = (eq.derive(eq.load(n)) for n in ("rr_arm", "four_bar"))
near, on_loop = eq.linearize(arm, q=[0.3, 0.5], v=[1, 2]), eq.linearize(four_bar)
with tempfile.TemporaryDirectory() as folder:
    files = [len(eq.generate(arm, x, folder)) for x in ("c", "javascript")]
    page = eq.report(arm, folder + "/arm.html", simulate=False, time=False).stat().st_size
try:
    eq.simulate
except eq.MissingLibraryError as error:
    missing = str(error)
print(json.dumps({
    "ok": certificate.ok, "lines": len(certificate.lines), "bits": certificate.bound_bits,
    "remark": certificate.remarks[0], "speeds": len(eom.v), "check": str(eq.check(krang)),
    "scenes": {n: scene_data(eq.load(n)) for n in sys.argv[1:]},
    "svg": static_svg(arm.robot)[:4], "files": files, "page": page, "missing": missing,
    "linear": [[x.A.tolist(), x.B.tolist(), [[p.real, p.imag] for p in x.poles]]
               for x in (near, on_loop)],
    "closed": eq.assemble(four_bar.robot).q.tolist(),
    "loaded": sorted(x for x in BLOCKED if x in sys.modules),
}))
"""
SAMPLE = ("krang", "four_bar", "wheeled_inverted_pendulum")


@pytest.fixture(scope="module")
def without(whole_sweeps: bool) -> dict[str, Any]:
    from equamo.robot.library import names

    robots = names() if whole_sweeps else SAMPLE
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *robots], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_krang_is_derived_and_proved(without: dict[str, Any]) -> None:
    assert without["ok"]
    assert without["lines"] > 20
    assert without["bits"] <= -100
    assert without["speeds"] == 17
    assert "positive definite" in without["remark"]
    assert without["loaded"] == []


def test_pictures_are_the_same(without: dict[str, Any]) -> None:
    assert without["svg"] == "<svg"
    for name, found in without["scenes"].items():
        expected = json.loads(json.dumps(scene_data(eq.load(name))))
        for a, b in zip(found["bodies"], expected["bodies"], strict=True):
            axes = a.pop("principal"), b.pop("principal")
            if b["radii"] is not None:  # axes of equal moments are arbitrary, the ellipsoid is not
                first, second = (
                    (p := np.reshape(x, (3, 3))).T @ np.diag(np.square(r)) @ p
                    for x, r in zip(axes, (a["radii"], b["radii"]), strict=True)
                )
                np.testing.assert_allclose(first, second, rtol=1e-7, atol=1e-9)
        assert_close(found, expected)


def assert_close(found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key in expected:
            assert_close(found[key], expected[key])
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            assert_close(a, b)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-9)
    else:
        assert found == expected


def test_linear_systems_are_the_same(without: dict[str, Any]) -> None:
    arm, four_bar = (eq.derive(eq.load(n)) for n in ("rr_arm", "four_bar"))
    systems = eq.linearize(arm, q=[0.3, 0.5], v=[1, 2]), eq.linearize(four_bar)
    for (A, B, poles), expected in zip(without["linear"], systems, strict=True):
        np.testing.assert_allclose(A, expected.A, rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(B, expected.B, rtol=1e-8, atol=1e-9)
        left = sorted((round(x, 5), round(y, 5)) for x, y in poles)
        right = sorted((round(p.real, 5), round(p.imag, 5)) for p in expected.poles)
        np.testing.assert_allclose(left, right, atol=1e-4)


def test_loops_are_closed(without: dict[str, Any]) -> None:
    np.testing.assert_allclose(without["closed"], eq.assemble(eq.load("four_bar")).q, atol=1e-9)


def test_code_and_pages_are_written(without: dict[str, Any]) -> None:
    assert all(without["files"])
    assert without["page"] > 100_000


def test_a_missing_library_is_named(without: dict[str, Any]) -> None:
    assert (
        without["missing"]
        == "eq.simulate needs NumPy, which is not installed; run pip install numpy."
    )


@pytest.mark.parametrize(
    ("library", "error"), [("scipy", eq.MissingLibraryError), ("x", ImportError)]
)
def test_only_known_libraries_are_named(
    monkeypatch: pytest.MonkeyPatch, library: str, error: type[Exception]
) -> None:
    def fail(*_: str) -> Any:
        raise ModuleNotFoundError(f"No module named {library!r}", name=library)

    monkeypatch.setattr(eq, "import_module", fail)
    with pytest.raises(error, match=rf"(?i){library}"):
        eq.__getattr__("simulate")

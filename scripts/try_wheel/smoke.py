"""What a plain installation must do, step by step, and what it says about libraries that are missing.

`make wheel` runs this file in an empty environment, from another folder.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

import equamo as eq
from equamo.basics.extras import EXTRAS
from equamo.review.programs import read_code

URDF: Final = """<robot name="swing"><link name="base"/>
<joint name="q1" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" effort="20" velocity="9"/></joint>
<link name="upper"><inertial><origin xyz="0 0 -0.25"/><mass value="1"/>
<inertia ixx="0.02" iyy="0.02" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="q2" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0 0 -0.5"/>
<axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="20" velocity="9"/></joint>
<link name="lower"><inertial><origin xyz="0 0 -0.2"/><mass value="0.6"/>
<inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


def load(folder: Path) -> None:
    """A URDF file becomes a robot."""
    file = folder / "swing.urdf"
    file.write_text(URDF, encoding="utf-8")
    assert [s.name for s in eq.load(file).q] == ["q1", "q2"]


def derive(folder: Path) -> None:
    """Two methods derive the same mass matrix."""
    by_kane, by_lagrange = (eq.derive(eq.load("rr_arm"), by=x) for x in ("kane", "lagrange"))
    entries = (x.mass_matrix[0, 0] for x in (by_kane, by_lagrange))
    assert eq.prove_equal(*entries)


def prove(folder: Path) -> None:
    """All formulations of a robot are proved to agree."""
    certificate = eq.prove(eq.load(folder / "swing.urdf"))
    assert certificate.ok
    assert certificate.bound_bits <= -100


def compiled(folder: Path) -> None:
    """Machine code computes what the equations say."""
    eom = eq.derive(eq.load(folder / "swing.urdf"))
    tau = eq.compile(eom).inverse_dynamics([0.3, 0.5], [1, 0], [0, 0])
    exact = eom.evaluate("inverse_dynamics", q=[0.3, 0.5], v=[1, 0], vdot=[0, 0])
    np.testing.assert_allclose(tau, exact, rtol=1e-12)


def simulate(folder: Path) -> None:
    """A motion conserves energy, crosses an event, and is stored and interpolated."""
    eom = eq.derive(eq.load(folder / "swing.urdf"))
    run = eq.simulate(eom, q={"q1": 1}, duration=2, events={"down": "q1"})
    assert np.ptp(run.energy.total) < 1e-6
    assert len(run.events["down"]) > 0
    run.save(folder / "run.npz")
    back = eq.Trajectory.load(folder / "run.npz")
    np.testing.assert_allclose(back.at(1.0)[0], run.at(1.0)[0], atol=1e-2)


def loops(folder: Path) -> None:
    """A mechanism with a closed loop moves."""
    eom = eq.derive(eq.load("four_bar"))
    run = eq.simulate(eom, v={eom.v[0].name: 3.0}, duration=1)
    assert len(run) > 2


def rollout(folder: Path) -> None:
    """Many runs in machine code."""
    eom = eq.derive(eq.load("rr_arm"))
    many = eq.rollout(eom, q=np.zeros((4, 2)), v=np.ones((4, 2)), step=1e-3, steps=100)
    assert np.isfinite(many.q).all()


def linearize(folder: Path) -> None:
    """A linear system at a state."""
    assert eq.linearize(eq.derive(eq.load("rr_arm")), q=[0.3, 0.5]).A.shape == (4, 4)


def generate(folder: Path) -> None:
    """C code, proved."""
    files = eq.generate(eq.derive(eq.load("rr_arm")), "c", folder / "code")
    assert any(str(x).endswith(".c") for x in files)


def page(folder: Path) -> None:
    """The page of a robot, with its motion."""
    text = eq.report(eq.load("rr_arm"), folder / "arm.html").read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert len(text) > 100_000


def paper(folder: Path) -> None:
    """The derivation as a document."""
    eq.paper(eq.load("rr_arm"), folder / "arm.tex")
    assert (folder / "arm.tex").stat().st_size > 1000


def command_line(folder: Path) -> None:
    """The command reports the installation."""
    command = [sys.executable, "-m", "equamo", "doctor", "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["missing"] == []


def _lqr() -> Any:
    lin = eq.linearize(eq.derive(eq.load("rr_arm")))
    return eq.lqr(lin, 1)


def _simulated(**options: Any) -> eq.Trajectory:
    return eq.simulate(eq.derive(eq.load("rr_arm")), q={"q1": 1}, duration=0.1, **options)


def _mjcf() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arm.xml"
        path.write_text("<mujoco/>", encoding="utf-8")
        return eq.load(path)


# extra: something that needs it
NEEDS: Final[dict[str, Callable[[], Any]]] = {
    "draw": lambda: eq.view(eq.load("rr_arm"), save="arm.png"),
    "control": _lqr,
    "sympy": lambda: eq.parse("x + y").sympy(),
    "torch": lambda: eq.compile(eq.derive(eq.load("rr_arm"))).to_torch(),
    "jax": lambda: eq.compile(eq.derive(eq.load("rr_arm"))).to_jax(),
    "casadi": lambda: eq.compile(eq.derive(eq.load("rr_arm"))).to_casadi(),
    "paper": lambda: eq.paper(eq.load("rr_arm"), "arm.pdf"),
    "pandas": lambda: _simulated().to_dataframe(),
    "mjcf": _mjcf,
    "xacro": lambda: eq.load("arm.xacro"),
    "audit": lambda: read_code("double f(void) { return 1; }", "c"),
}
ALSO: Final[tuple[tuple[str, Callable[[], Any]], ...]] = (
    ("draw", lambda: _simulated().plot()),
    ("draw", lambda: eq.animate(_simulated(), "arm.gif")),
    ("control", lambda: _simulated(method="Radau")),
    ("control", lambda: eq.equilibria(eq.derive(eq.load("rr_arm")))),
)


def missing_extras(folder: Path) -> None:
    """Whatever needs a library that is missing names the extra to install."""
    for extra, use in (*NEEDS.items(), *ALSO):
        absent = [p for p, m in EXTRAS[extra].packages.items() if not _available(m)]
        if not absent:
            continue
        message = f"{absent} are missing, but nothing was said"
        try:
            use()
        except eq.MissingLibraryError as error:
            message = str(error)
        assert f'pip install "equamo[{extra}]"' in message, message


def _available(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


STEPS: Final = (
    load, derive, prove, compiled, simulate, loops, rollout, linearize, generate, page, paper,
    command_line, missing_extras,
)  # fmt: skip


def main() -> None:
    """Run all steps in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        for step in STEPS:
            step(Path(folder))
            print(f"{step.__name__}: ok")
    modules = {m for extra in EXTRAS.values() for m in extra.packages.values()}
    heavy = sorted(m for m in modules if sys.modules.get(m) is not None)
    print(f"{len(STEPS)} steps; loaded optional libraries: {', '.join(heavy) or 'none'}")


if __name__ == "__main__":
    main()

"""Equality constraints of MJCF files: residuals as MuJoCo has them, followers, and the import report."""

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr import symbol
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.errors import FileFormatError
from equamo.robot.model import Robot

pytestmark = pytest.mark.needs("mujoco")

FILE = """<mujoco><compiler angle="radian"/><option timestep="1e-5"/><worldbody>
<site name="ground" pos="0.3 0.1 0.2" euler="0.4 0 0.1"/>
<body name="a" pos="0 0 1" euler="0.1 0.2 0.3"><joint name="qa" axis="0 1 0" pos="0 0 0.1" ref="0.2"/>
  <geom size="0.1" mass="1" pos="0.1 0 0"/><site name="sa" pos="0.1 0.2 0.3" euler="0.3 0 0"/>
  <body name="c" pos="0 0 0.4"><joint name="qc" type="ball"/><geom size="0.05" mass="2"/></body></body>
<body name="b" pos="1 0 1"><joint name="qb" type="slide" axis="0 1 1" ref="0.1"/>
  <geom size="0.2" mass="3"/><site name="sb" pos="0 0 0.1"/></body></worldbody>
<equality>{}</equality></mujoco>"""


def read(tmp_path: Path, equality: str) -> tuple[Robot, Any]:
    path = tmp_path / "robot.xml"
    path.write_text(FILE.format(equality), encoding="utf-8")
    return eq.load(path), mujoco.MjModel.from_xml_path(str(path))


def at(robot: Robot, qpos: np.ndarray) -> np.ndarray:
    values = dict(zip(robot.joint_coordinates, map(float, qpos), strict=True))
    return np.array(evaluate_floats([r.phi for r in robot.rows if r.phi is not None], values))


@pytest.mark.parametrize(
    ("equality", "joint", "ends"),
    [
        ('<connect name="e" body1="c" body2="b" anchor="0.5 0.1 0"/>', "spherical", ("b", "c")),
        ('<connect name="e" body1="c" anchor="0.5 0.1 0"/>', "spherical", ("c", "world")),
        ('<connect name="e" site1="sa" site2="sb"/>', "spherical", ("b", "a")),
        ('<weld name="e" body1="c" body2="b" anchor="0.1 0.2 0.3"/>', "fixed", ("b", "c")),
        ('<weld name="e" body1="c" relpose="0.1 0 0 1 0.2 0.3 0"/>', "fixed", ("c", "world")),
        ('<weld name="e" site1="sa" site2="sb"/>', "fixed", ("b", "a")),
        ('<weld name="e" site1="ground" site2="sb"/>', "fixed", ("b", "world")),
    ],
)
def test_residuals_are_those_of_mujoco(
    tmp_path: Path, equality: str, joint: str, ends: tuple[str, str]
) -> None:
    """φ is in the frame of a body, MuJoCo's in the world; a turn by θ is sin θ here, sin θ/2 there."""
    robot, m = read(tmp_path, equality)
    (loop,) = robot.loops
    assert (loop.joint, loop.body, loop.to) == (joint, *ends)
    used = [e.text for e in robot.import_report["used"]]
    assert any(text.startswith(f"equality e: {joint} joint") for text in used)
    d = mujoco.MjData(m)
    random = np.random.default_rng(3)
    for _ in range(5):
        d.qpos[:] = random.uniform(-1, 1, m.nq)
        mujoco.mj_normalizeQuat(m, d.qpos)
        mujoco.mj_forward(m, d)
        phi, theirs = at(robot, d.qpos), np.array(d.efc_pos[: len(robot.rows)])
        assert np.linalg.norm(phi[:3]) == pytest.approx(np.linalg.norm(theirs[:3]), rel=1e-9)
        if joint == "fixed":
            half = np.linalg.norm(theirs[3:])
            full = 2 * half * np.sqrt(1 - half**2)
            assert np.linalg.norm(phi[3:]) == pytest.approx(full, rel=1e-9)
    d.qpos[:] = m.qpos0
    if "relpose" not in equality and "site" not in equality:
        assert max(abs(at(robot, d.qpos))) < 1e-15


def test_a_joint_follows_another(tmp_path: Path) -> None:
    """q₁ − r₁ is a polynomial in q₂ − r₂; its mass acts through the leader."""
    robot, _ = read(tmp_path, '<joint joint1="qa" joint2="qb" polycoef="0.5 2 0 -3 4"/>')
    assert "qa" not in robot.home.q
    x = symbol("qb") - eq.parse("1/10")
    ((name, value),) = robot.speed_map.dependent
    assert name == "qa"
    assert eq.prove_equal(value, eq.parse("7/10") + 2 * x - 3 * x**3 + 4 * x**4)
    tree, eom = eq.derive(robot.tree), eq.derive(robot)
    W = robot.speed_map.W
    M = W.T @ tree.mass_matrix.subs({"qa": value}) @ W
    assert eq.prove_equal(eom.mass_matrix, M, unit=robot.unit_groups)


def test_a_joint_is_held_and_chains_are_resolved(tmp_path: Path) -> None:
    robot, _ = read(
        tmp_path,
        '<joint joint1="qa" joint2="qb"/><joint joint1="qb" polycoef="0.25"/>'
        '<joint joint1="qb" joint2="qa"/>',
    )
    values = {n: str(x) for n, x in robot.speed_map.dependent}
    assert values == {"qa": "9/20", "qb": "7/20"}
    assert len(robot.v) == 3  # the ball
    assert "follows another already" in str(robot.import_report)


def test_loops_and_followers_together(tmp_path: Path) -> None:
    robot, _ = read(
        tmp_path,
        '<joint joint1="qa" joint2="qb"/><connect body1="c" body2="b" anchor="0.5 0.1 0"/>',
    )
    assert [x.name for x in robot.loops] == ["equality1"]
    assert len(robot.v) == 1  # 5 speeds, 1 + 3 equations
    assert "follows by its speed only" in str(robot.import_report)
    M = eq.derive(robot).evaluate("mass_matrix")
    assert M.shape == (1, 1)
    assert M[0, 0] > 0


def test_a_follower_in_a_loop_without_quaternions_is_eliminated(tmp_path: Path) -> None:
    """Two hinges turn against each other; the slides of their ends meet."""
    path = tmp_path / "scissors.xml"
    bars = "".join(
        f'<body name="{n}" pos="{x} 0 0"><joint name="q{n}" axis="0 1 0"/><geom size="0.1" mass="1"/>'
        f'<body name="end{n}" pos="0 0 1"><joint name="s{n}" type="slide" axis="0 0 1"/>'
        '<geom size="0.1" mass="1"/></body></body>'
        for n, x in (("l", -1), ("r", 1))
    )
    connect = '<connect body1="endl" body2="endr" anchor="1 0 0"/>'
    equality = (
        f'<equality><joint joint1="ql" joint2="qr" polycoef="0 -1 0 0 0"/>{connect}</equality>'
    )
    path.write_text(f"<mujoco><worldbody>{bars}</worldbody>{equality}</mujoco>", encoding="utf-8")
    robot = eq.load(path)
    assert [(n, str(x)) for n, x in robot.speed_map.dependent] == [("ql", "-qr")]
    assert "ql" not in robot.home.q
    assert len(robot.v) == 4 - 1 - 2


def test_what_is_not_imported_is_reported(tmp_path: Path) -> None:
    robot, _ = read(tmp_path, '<weld body1="a" body2="b" active="false"/><connect name="x" '
                    'site1="sa" site2="sb"/><connect name="x_" site1="sa" site2="sb"/>')  # fmt: skip
    assert [x.name for x in robot.loops] == ["x", "x_"]
    assert "equality equality0: not active" in str(robot.import_report)
    path = tmp_path / "tendon.xml"
    tendon = '<tendon><fixed name="t"><joint joint="qa" coef="1"/></fixed></tendon>'
    text = FILE.format('<tendon tendon1="t"/>').replace("<equality>", tendon + "<equality>")
    path.write_text(text, encoding="utf-8")
    assert "only connect, weld and joint are imported" in str(eq.load(path).import_report)


def test_joints_must_not_follow_in_a_circle(tmp_path: Path) -> None:
    with pytest.raises(
        FileFormatError, match="must not follow each other in a circle, got qa → qb → qa"
    ):
        read(tmp_path, '<joint joint1="qa" joint2="qb"/><joint joint1="qb" joint2="qa"/>')

"""MJCF files of the gymnasium wheel, against MuJoCo's own numbers."""

from pathlib import Path

import gymnasium
import mujoco
import numpy as np
import pytest

from equamo.certificate import prove
from equamo.errors import FileFormatError
from equamo.formats.mjcf import read_mjcf
from equamo.formulations import EquationsOfMotion, derive

ASSETS = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
FILES = sorted(p.name for p in ASSETS.glob("*.xml"))
MEDIUM = {"swimmer.xml"}  # moves in a fluid, which the report names
SMALL = ("hopper.xml", "inverted_double_pendulum.xml", "reacher.xml", "pusher.xml")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def relative(a: np.ndarray, b: np.ndarray) -> float:
    return float(abs(a - b).max() / max(abs(b).max(), 1e-9))


class Peer:
    """MuJoCo at one of our states: its free joint's linear velocity is in world axes."""

    def __init__(self, path: Path, seed: int) -> None:
        self.model = m = mujoco.MjModel.from_xml_path(str(path))
        m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        self.data = d = mujoco.MjData(m)
        random = np.random.default_rng(seed)
        d.qpos[:] = random.uniform(-1, 1, m.nq)
        mujoco.mj_normalizeQuat(m, d.qpos)
        d.qvel[:] = random.uniform(-1, 1, m.nv)
        mujoco.mj_forward(m, d)
        self.T, self.T_dot_v = np.eye(m.nv), np.zeros(m.nv)
        self.v = d.qvel.copy()
        for j in np.flatnonzero(m.jnt_type == 0):
            k, q = m.jnt_dofadr[j], m.jnt_qposadr[j]
            R = np.zeros(9)
            mujoco.mju_quat2Mat(R, d.qpos[q + 3 : q + 7])
            R = R.reshape(3, 3)
            self.T[k : k + 3, k : k + 3] = R
            self.v[k : k + 3] = R.T @ d.qvel[k : k + 3]
            self.T_dot_v[k : k + 3] = R @ np.cross(self.v[k + 3 : k + 6], self.v[k : k + 3])

    def mass_matrix(self) -> np.ndarray:
        M = np.zeros((self.model.nv, self.model.nv))
        if hasattr(self.data, "qM"):
            mujoco.mj_fullM(self.model, M, self.data.qM)
        else:  # MuJoCo 4
            mujoco.mj_fullM(self.model, self.data, M)
        return M

    def compare(self, eom: EquationsOfMotion) -> dict[str, float]:
        state = {"q": self.data.qpos, "v": self.v}
        M = self.mass_matrix()
        bias = self.T.T @ (self.data.qfrc_bias + M @ self.T_dot_v)
        passive = np.zeros(self.model.nv)
        for element in eom.robot.forces:
            # friction loss is a constraint of MuJoCo's solver, not a passive force
            if not element.inputs() and not element.name.startswith("friction"):
                passive += eom.evaluate(element.name, **state)
        ours = eom.evaluate("bias", **state) + eom.evaluate("gravity", **state)
        return {
            "M": relative(eom.evaluate("mass_matrix", **state), self.T.T @ M @ self.T),
            "bias": relative(ours, bias),
            "passive": relative(passive, self.T.T @ self.data.qfrc_passive),
        }


@pytest.mark.parametrize("name", FILES)
def test_agrees_with_mujoco(name: str, whole_sweeps: bool) -> None:
    states = 100 if whole_sweeps else 2
    eom = derive(read_mjcf(ASSETS / name))
    for seed in range(states):
        errors = Peer(ASSETS / name, seed).compare(eom)
        if name in MEDIUM:
            errors.pop("passive")
        assert max(errors.values()) < 1e-10, errors


def test_proved(whole_sweeps: bool) -> None:
    for name in FILES if whole_sweeps else SMALL:
        certificate = prove(read_mjcf(ASSETS / name))
        assert certificate.ok, f"{name}: {certificate}"


def test_what_is_not_represented_is_named() -> None:
    report = read_mjcf(ASSETS / "swimmer.xml").import_report
    assert any("medium" in e.text for e in report["ignored"])
    report = read_mjcf(ASSETS / "ant.xml").import_report
    assert any("collide" in e.text for e in report["ignored"])


MODEL = """<mujoco><compiler angle="radian"/><worldbody><body name="arm" pos="0.1 0.2 0.3">
  <joint name="a" type="hinge" axis="0 1 0" pos="0 0 0.1" ref="0.3" armature="{armature}"
         damping="{damping}" stiffness="2" springref="0.1"/>
  <joint name="b" type="slide" axis="1 0 1"/>
  <geom type="box" size="0.1 0.2 {size}" mass="{mass}"/>
  <body name="ball" pos="0 0 0.4" quat="0.9 0.1 0.3 0.2"><joint name="s" type="ball" pos="0 0 -0.1"
        damping="0.2"/><geom type="sphere" size="0.1" pos="0 0.1 0" mass="0.5"/></body>
  </body></worldbody>
  <actuator><motor name="m" joint="a" gear="3"/></actuator></mujoco>"""
VALUES = {"armature": "0.1", "damping": "0.3", "size": "0.3", "mass": "1.5"}


def written(tmp_path: Path, **changed: str) -> Path:
    path = tmp_path / "model.xml"
    path.write_text(MODEL.format(**(VALUES | changed)), encoding="utf-8")
    return path


def test_several_joints_a_reference_a_ball_and_a_gear(tmp_path: Path) -> None:
    path = written(tmp_path)
    eom = derive(read_mjcf(path))
    for seed in range(5):
        assert max(Peer(path, seed).compare(eom).values()) < 1e-10
    assert eom.evaluate("input_matrix")[:, 0].tolist() == [3, 0, 0, 0, 0]


@pytest.mark.parametrize("what", VALUES)
def test_nothing_is_read_and_forgotten(tmp_path: Path, what: str) -> None:
    """A number changed in the file changes the equations."""
    state = {"q": [0.2, 0.1, 1, 0, 0, 0], "v": [0.3, 0.4, 0.5, 0.6, 0.7], "vdot": [1, 1, 1, 1, 1]}

    def torque(path: Path) -> np.ndarray:
        return derive(read_mjcf(path)).evaluate("inverse_dynamics", **state)

    before = torque(written(tmp_path))
    assert abs(torque(written(tmp_path, **{what: "0.7"})) - before).max() > 1e-6


@pytest.mark.parametrize("text", ["<mujoco><worldbody><body/></mujoco>", "<mujoco><x/></mujoco>"])
def test_a_bad_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"bad\.xml"):
        read_mjcf(path)


def test_friction_is_taken_where_a_file_has_it(tmp_path: Path) -> None:
    """Of hinges and slides; that of a ball joint is named as ignored."""
    path = tmp_path / "arm.xml"
    path.write_text("""<mujoco><worldbody><body name="a">
      <joint name="q1" type="hinge" frictionloss="0.5"/><geom type="sphere" size="1" mass="1"/>
      <body name="b" pos="1 0 0"><joint name="q2" type="slide"/><geom size="1" mass="1"/>
      <body name="c" pos="1 0 0"><joint name="ball" type="ball" frictionloss="0.2"/>
      <geom size="1" mass="1"/></body></body></body></worldbody></mujoco>""")
    robot = read_mjcf(path)
    assert [f.name for f in robot.forces if "friction" in f.name] == ["friction_q1"]
    ignored = {e.text for e in robot.import_report["ignored"] if "friction" in e.text}
    assert ignored == {"joint ball: friction loss of a ball joint"}

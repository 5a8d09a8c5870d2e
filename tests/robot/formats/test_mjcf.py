"""MJCF files of the gymnasium wheel, against MuJoCo's own numbers."""

import sys
from pathlib import Path

import gymnasium
import mujoco
import numpy as np
import pytest

from equamo.errors import FileFormatError, MissingLibraryError, UnknownNameError
from equamo.mechanics.certificate import prove
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.catalog import load
from equamo.robot.formats.mjcf import read_mjcf
from equamo.robot.model import Robot

ASSETS = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
FILES = sorted(p.name for p in ASSETS.glob("*.xml"))
MEDIUM = {"swimmer.xml"}  # moves in a fluid, which the report names
SMALL = ("hopper.xml", "inverted_double_pendulum.xml", "reacher.xml", "pusher.xml")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.needs("gymnasium", "mujoco"),
]


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


@pytest.mark.ci
def test_proved(whole_sweeps: bool) -> None:
    for name in FILES if whole_sweeps else SMALL:
        certificate = prove(read_mjcf(ASSETS / name))
        assert certificate.ok, f"{name}: {certificate}"


def test_what_is_not_represented_is_named() -> None:
    report = read_mjcf(ASSETS / "swimmer.xml").import_report
    assert any("medium" in e.text for e in report["ignored"])
    report = read_mjcf(ASSETS / "ant.xml").import_report
    assert any("colliding geometries" in e.text for e in report["ignored"])


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


def test_without_mujoco_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(
        MissingLibraryError, match=r"a\.xml: reading MJCF needs MuJoCo.*pip install"
    ):
        read_mjcf("a.xml")


# -- numbers that are not finite -----------------------------------------------------------------------
HINGE = """<mujoco><compiler angle="radian"/>{option}<worldbody><body name="b"{body}>
<joint name="j" type="hinge" axis="0 1 0" {joint}/><geom size="1" mass="1" pos="0 0 1"/></body>
</worldbody><actuator><motor joint="j"{motor}/></actuator></mujoco>"""


def hinge(tmp_path: Path, **parts: str) -> Robot:
    path = tmp_path / "hinge.xml"
    given = {"option": "", "body": "", "joint": "", "motor": ""} | parts
    path.write_text(HINGE.format(**given), encoding="utf-8")
    return load(path)


@pytest.mark.parametrize(
    ("range_", "lower", "upper"),
    [("-inf inf", None, None), ("-inf 2", None, 2), ("-1 inf", -1, None), ("-1 2", -1, 2)],
)
def test_an_infinite_end_of_a_range_is_no_limit(
    tmp_path: Path, range_: str, lower: int | None, upper: int | None
) -> None:
    robot = hinge(tmp_path, joint=f'limited="true" range="{range_}"')
    limits = robot.limits["j"]
    ends = [None if x is None else x.value for x in (limits.lower, limits.upper)]
    assert ends == [lower, upper]
    assert robot.import_report is not None
    noted = sorted(e.text for e in robot.import_report["unlimited"])
    missing = [("lower", "-inf", lower), ("upper", "inf", upper)]
    assert noted == [f"joint j: {n} limit {x}" for n, x, end in missing if end is None]
    assert max(Peer(tmp_path / "hinge.xml", 1).compare(derive(robot)).values()) < 1e-12


@pytest.mark.parametrize(
    ("part", "text", "said"),
    [
        ("joint", 'range="nan nan"', "jnt_range must be numbers, got nan"),
        ("joint", 'damping="inf"', "dof_damping must be finite numbers, got inf"),
        ("joint", 'armature="nan"', "armature"),
        ("joint", 'stiffness="inf"', "jnt_stiffness must be finite numbers, got inf"),
        ("joint", 'ref="inf"', "qpos0 must be finite"),
        ("body", ' pos="0 -inf 0"', "body_pos must be finite numbers, got -inf"),
        ("motor", ' gear="inf"', "actuator_gear must be finite numbers, got inf"),
        ("option", '<option gravity="0 0 nan"/>', "gravity must be finite numbers, got nan"),
    ],
)
def test_other_numbers_must_be_finite(tmp_path: Path, part: str, text: str, said: str) -> None:
    with pytest.raises(FileFormatError, match=said):
        hinge(tmp_path, **{part: text})


# -- included files ------------------------------------------------------------------------------------
MOON = '<mujoco><option gravity="0 0 -1.62"/></mujoco>'


def including(folder: Path, include: str, element: str = "include") -> Path:
    inside = f'<asset><model name="m" file="{include}"/></asset>' if element == "model" else ""
    folder.mkdir(parents=True, exist_ok=True)
    main = folder / "main.xml"
    text = HINGE.format(
        option=inside or f'<include file="{include}"/>', body="", joint="", motor=""
    )
    main.write_text(text, encoding="utf-8")
    return main


def gravity(robot: Robot) -> float:
    value = robot.gravity[2].value
    assert value is not None
    return float(value)


@pytest.mark.posix
def test_files_in_the_folder_are_included(tmp_path: Path) -> None:
    """MuJoCo looks beside the main file and beside the including one; `..` may come back again."""
    main = including(tmp_path / "robot", "parts/a.xml")
    parts = tmp_path / "robot" / "parts"
    (parts / "deep").mkdir(parents=True)
    (parts / "a.xml").write_text('<mujoco><include file="deep/../../parts/b.xml"/></mujoco>')
    (parts / "b.xml").write_text(MOON)
    assert gravity(load(main)) == -1.62
    installed = tmp_path / "installed"  # by links, as some package managers do
    installed.mkdir()
    for name in ("main.xml", "parts"):
        (installed / name).symlink_to(tmp_path / "robot" / name)
    assert gravity(load(installed / "main.xml")) == -1.62


@pytest.mark.posix
@pytest.mark.parametrize("how", ["parent", "absolute", "nested", "link", "model"])
def test_files_outside_the_folder_must_be_allowed(tmp_path: Path, how: str) -> None:
    outside = tmp_path / "moon.xml"
    outside.write_text(MOON)
    folder = tmp_path / "robot"
    include = {"absolute": str(outside), "nested": "a.xml", "link": "link.xml"}.get(
        how, "../moon.xml"
    )
    main = including(folder, include, how)
    if how == "nested":
        (folder / "a.xml").write_text('<mujoco><include file="../moon.xml"/></mujoco>')
    if how == "link":
        (folder / "link.xml").symlink_to(outside)
    with pytest.raises(
        FileFormatError, match=r'must lie in the folder.*moon\.xml.*includes="anywhere"'
    ):
        load(main)
    assert gravity(load(main, includes="anywhere")) == (-9.81 if how == "model" else -1.62)


@pytest.mark.posix
def test_includes_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="MuJoCo could not read the file"):
        load(including(tmp_path, "missing.xml"))
    (tmp_path / "bad.xml").write_text("<mujoco>")
    with pytest.raises(FileFormatError, match=r"bad\.xml:1: the file must be well-formed"):
        load(including(tmp_path, "bad.xml"))
    (tmp_path / "zero.xml").symlink_to("/dev/zero")
    with pytest.raises(FileFormatError, match="must lie in the folder"):
        load(including(tmp_path, "zero.xml"))
    (tmp_path / "round.xml").write_text('<mujoco><include file="round.xml"/></mujoco>')
    with pytest.raises(FileFormatError, match="MuJoCo could not read the file"):
        load(including(tmp_path, "round.xml"))


def test_options_of_an_mjcf_file_are_checked(tmp_path: Path) -> None:
    main = including(tmp_path, "moon.xml")
    (tmp_path / "moon.xml").write_text(MOON)
    with pytest.raises(UnknownNameError, match=r"Unknown option 'base'.*Valid: includes"):
        load(main, base="free")
    with pytest.raises(UnknownNameError, match=r"'everywhere'.*Valid: folder, anywhere"):
        load(main, includes="everywhere")


def test_names_are_taken_as_they_are(tmp_path: Path) -> None:
    """With blanks and operators in them, of every kind of joint."""
    body = '<body name="{0}"><joint name="{1}" type="{2}" damping="1"/><geom size="1"/></body>'
    kinds = {"left foot": "free", "a ball": "ball", "q-1": "hinge", "K*x": "slide"}
    bodies = "".join(body.format(f"b{k}", *pair) for k, pair in enumerate(kinds.items()))
    motor = '<actuator><motor name="2 u" joint="q-1"/></actuator>'
    path = tmp_path / "odd.xml"
    path.write_text(f"<mujoco><worldbody>{bodies}</worldbody>{motor}</mujoco>")
    robot = read_mjcf(path)
    names = [x.name for x in robot.q]
    assert names[0] == "left foot_x"
    assert names[7] == "a ball_qw"
    assert names[11:] == ["q-1", "K*x"]
    assert [x.name for x in robot.inputs] == ["2 u"]


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


def test_a_motor_may_have_the_name_of_anything_in_a_joint(tmp_path: Path) -> None:
    """Of another joint, its speed or acceleration; then also of the name that it gets instead."""
    path = tmp_path / "names.xml"
    bodies = "".join(
        f'<body><joint name="{n}" type="hinge"/><geom size="1"/></body>'
        for n in ("a", "b", "ctrl_b")
    )
    motors = "".join(f'<motor name="{n}" joint="a"/>' for n in ("b", "a", "da", "ddb", "u"))
    path.write_text(
        f"<mujoco><worldbody>{bodies}</worldbody><actuator>{motors}</actuator></mujoco>"
    )
    robot = read_mjcf(path)
    names = ["ctrl_ctrl_b", "ctrl_a", "ctrl_da", "ctrl_ddb", "u"]
    assert [x.name for x in robot.inputs] == names
    assert [f.name for f in robot.forces] == [f"motor_{n}" for n in names]


def test_a_motor_may_have_the_name_that_another_one_got(tmp_path: Path) -> None:
    path = tmp_path / "names.xml"
    bodies = '<body><joint name="b" type="hinge"/><geom size="1"/></body>'
    motors = '<motor name="b" joint="b"/><motor name="ctrl_b" joint="b"/>'
    path.write_text(
        f"<mujoco><worldbody>{bodies}</worldbody><actuator>{motors}</actuator></mujoco>"
    )
    assert [x.name for x in read_mjcf(path).inputs] == ["ctrl_b", "ctrl_ctrl_b"]

"""The import report: everything in a file is used, or named with its line."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from equamo.cli import check
from equamo.robot.formats.import_report import KINDS, Entry, ImportReport, Notes
from equamo.robot.formats.urdf import robot_of_urdf

TEXT = """<robot name="r">
  <link name="base"/>
  <link name="a" kind="x">
    <visual/>
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/></inertial>
  </link>
  <link name="tool"><visual/>
    <inertial><mass value="0.5"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  </link>
  <link name="b"/>
  <joint name="j" type="revolute">
    <origin xyz="0 0 1" rpy="1.5707963267949 0 1.5707963"/>
    <parent link="base"/><child link="a"/>
    <axis xyz="0 0 2"/>
    <dynamics damping="0.1" friction="0.2" spring="3"/>
    <safety_controller/>
  </joint>
  <joint name="t" type="fixed"><parent link="a"/><child link="tool"/><axis xyz="0 0 1"/></joint>
  <joint name="k" type="prismatic">
    <parent link="a"/><child link="b"/>
    <limit lower="1" upper="-1" effort="5" velocity="-2"/>
    <mimic joint="j" multiplier="-2" offset="0.25"/>
  </joint>
  <transmission name="t1"><joint name="j"/>
    <actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>
  <transmission name="t2"><joint name="nowhere"/></transmission>
  <gazebo/><gazebo/>
</robot>"""


def report() -> ImportReport:
    return robot_of_urdf(TEXT, "r.urdf").import_report


def lines(kind: str) -> list[tuple[int, str]]:
    return [(e.line, e.text) for e in report()[kind]]


def test_what_is_ignored_is_named_and_gathered() -> None:
    assert set(lines("ignored")) == {
        (3, "attribute kind of link"),
        (4, "link/visual (2 times, lines 4, 7)"),
        (15, "attribute spring of joint/dynamics"),
        (16, "joint/safety_controller"),
        (18, "joint/axis"),
        (24, "transmission t1: reduction 50 without a rotor inertia; inputs are joint torques"),
        (27, "robot/gazebo (2 times, lines 27, 27)"),
    }


def test_what_is_snapped_or_near() -> None:
    assert lines("snapped") == [(12, "joint j: roll 1.5707963267949 read as pi/2")]
    ((line, text),) = lines("near")
    assert line == 12
    assert text == "joint j: yaw 1.5707963 is 2.7e-08 from pi/2; pass snap=3e-8 to read it as pi/2"
    assert not robot_of_urdf(TEXT, snap=3e-8).import_report["near"]


def test_what_is_defaulted_and_merged() -> None:
    assert lines("defaulted") == [
        (2, "link base: no inertial, massless"),
        (10, "link b: no inertial, massless"),
        (19, "joint k: no axis, using 1 0 0"),
    ]
    assert lines("merged") == [
        (18, "link tool is fixed to a: a frame of body a, which includes its inertia")
    ]


def test_what_is_suspicious() -> None:
    assert lines("suspicious") == [
        (5, "link a: inertia is not physical: a negative moment or a violated triangle inequality"),
        (11, "joint j: the axis has length 2; only its direction is used"),
        (11, "joint j: revolute without limits"),
        (21, "joint k: negative speed limit, ignored"),
        (21, "joint k: lower limit 1 above upper limit -1, ignored"),
        (26, "transmission t2: unknown joint 'nowhere'"),
    ]


def test_mimic_is_named() -> None:
    ((line, text),) = lines("mimic")
    assert line == 22
    assert text.startswith("k = -2 * j + 0.25: not imposed")


def test_printed_by_kind_with_file_and_line() -> None:
    text = str(report())
    assert text.splitlines()[0].startswith("r.urdf: ")
    assert "\n  r.urdf:16: joint/safety_controller" in text
    assert "\nused" not in text
    assert "r.urdf:5: link a: 1 kg" in report().text(everything=True)
    assert report().counts.keys() <= KINDS.keys()
    assert report()["used"][0].place == "r.urdf:5"


def test_it_stays_with_the_robot() -> None:
    robot = robot_of_urdf(TEXT, "r.urdf")
    assert robot.lock(k=0).import_report is robot.import_report
    assert pickle.loads(pickle.dumps(robot)).import_report == robot.import_report


def test_the_command_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.urdf"
    path.write_text(TEXT)
    check.run(str(path))
    out = capsys.readouterr().out
    assert "\n  r.urdf:16: joint/safety_controller" in out
    assert out.endswith("\nr: ok\n")
    check.run(str(path), json=True)
    data = json.loads(capsys.readouterr().out)
    assert [e["line"] for e in data["import_report"] if e["kind"] == "mimic"] == [22]


def test_notes_gather_what_is_ignored() -> None:
    notes = Notes("f")
    for line in range(1, 10):
        notes.ignore(line, "x")
    notes.add("used", 5, "y")
    x, y = notes.report()
    assert x == Entry("ignored", "f", 1, "x (9 times, lines 1, 2, 3, 4, 5, 6, …)")
    assert y.line == 5

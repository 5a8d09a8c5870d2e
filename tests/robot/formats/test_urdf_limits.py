"""Limits of URDF joints: infinite and very large ones count as no limit, and the report says so."""

from fractions import Fraction

import pinocchio as pin
import pytest

from equamo.errors import FileFormatError
from equamo.robot.formats.urdf import robot_of_urdf
from equamo.robot.formats.urdf_text import NO_LIMIT, limit_number
from equamo.robot.formats.urdf_writer import write_urdf
from equamo.robot.model import Robot
from urdf_texts import joint, link, robot

pytestmark = pytest.mark.needs("pinocchio")

PLAIN = {"lower": "-1", "upper": "2", "velocity": "3", "effort": "4"}
NAMES = {"lower": "lower", "upper": "upper", "velocity": "speed", "effort": "effort"}
UNLIMITED = ("inf", "+Inf", "INFINITY", "1.79769e+308", "1.7976931348623157e308", "1e400", "3.4e38",
             "1e16", "1" + 308 * "0" + ".000000")  # fmt: skip


def text(kind: str = "revolute", **limits: str) -> str:
    limit = " ".join(f'{n}="{x}"' for n, x in (PLAIN | limits).items())
    inside = f'<axis xyz="0 0 1"/><limit {limit}/>'
    return robot(link("a"), link("b"), joint("j", kind, "a", "b", inside))


def numbers(robot: Robot) -> dict[str, object]:
    limits = robot.limits["j"]
    found = {n: getattr(limits, NAMES[n]) for n in PLAIN}
    return {n: None if x is None else x.value for n, x in found.items()}


def notes(robot: Robot, kind: str) -> list[str]:
    assert robot.import_report is not None
    return [e.text for e in robot.import_report[kind] if "joint j" in e.text]


@pytest.mark.parametrize("given", UNLIMITED)
@pytest.mark.parametrize("name", PLAIN)
def test_no_limit(name: str, given: str) -> None:
    given = f"-{given.lstrip('+')}" if name == "lower" else given
    read = robot_of_urdf(text(**{name: given}))
    assert numbers(read) == {n: None if n == name else int(x) for n, x in PLAIN.items()}
    assert notes(read, "unlimited") == [f"joint j: {name} {given:.40}"]
    assert not notes(read, "suspicious")


def test_pinocchio_reads_the_largest_double_too() -> None:
    """It refuses `inf`, which Python's printers write and other readers take."""
    given = "1.79769e+308"
    model = pin.buildModelFromXML(text(upper=given, effort=given))
    assert model.upperPositionLimit[0] == float(given)
    assert model.upperEffortLimit[0] == float(given)


def test_without_any_limit() -> None:
    ends = {"lower": "-inf", "upper": "inf", "velocity": "inf", "effort": "inf"}
    read = robot_of_urdf(text(**ends))
    assert set(numbers(read).values()) == {None}
    assert len(notes(read, "unlimited")) == 4
    assert not notes(read, "suspicious")  # not "without a range": that is what was meant
    assert write_urdf(read)


@pytest.mark.parametrize(
    ("name", "given"),
    [("upper", "-inf"), ("lower", "1e308"), ("velocity", "-inf"), ("effort", "-1e300")],
)
def test_a_limit_that_nothing_meets_is_suspicious(name: str, given: str) -> None:
    read = robot_of_urdf(text(**{name: given}))
    assert numbers(read) == {n: None if n == name else int(x) for n, x in PLAIN.items()}
    assert notes(read, "suspicious") == [f"joint j: {name} {given} cannot be satisfied, ignored"]
    assert not notes(read, "unlimited")


def test_a_large_number_is_still_one() -> None:
    read = robot_of_urdf(text(upper="9.9e15"))
    assert numbers(read)["upper"] == 99 * 10**14
    assert not notes(read, "unlimited")
    assert limit_number("0.1") == Fraction(1, 10)
    assert limit_number(str(NO_LIMIT - 1)) == NO_LIMIT - 1


@pytest.mark.parametrize("given", ["nan", "in", "infinite", "1e", "0x1p3", "--inf", "1" * 401])
def test_what_is_not_a_number_is_an_error(given: str) -> None:
    with pytest.raises(
        FileFormatError, match=r"attribute 'effort' of <limit> must be a decimal number"
    ):
        robot_of_urdf(text(effort=given))


def test_only_limits_may_be_infinite() -> None:
    with pytest.raises(FileFormatError, match="attribute 'damping'"):
        robot_of_urdf(text().replace("<limit", '<dynamics damping="inf"/><limit'))


# -- what xacro leaves over ----------------------------------------------------------------------------
LEFT = """<xacro:arg name="prefix" default=""/>
<xacro:property name="mass" value="2"/>
<xacro:macro name="wheel" params="side"><link name="${side}_wheel"/></xacro:macro>"""


def with_xacro(parts: str, inside: str = "") -> str:
    whole = robot(link("a"), link("b", inside), joint("j", "continuous", "a", "b"), parts)
    return whole.replace("<robot", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"', 1)


def test_declarations_are_ignored_and_noted() -> None:
    read = robot_of_urdf(with_xacro(LEFT))
    assert [b.name for b in read.bodies] == ["a", "b"]
    assert read.import_report is not None
    noted = [(e.line, e.text) for e in read.import_report["ignored"]]
    assert [t for _, t in noted] == [
        f"robot/xacro:{n}: a declaration left over by xacro" for n in ("arg", "property", "macro")
    ]
    assert [n for n, _ in noted] == [noted[0][0] + k for k in range(3)]
    assert pin.buildModelFromXML(with_xacro(LEFT)).nv == 1


def test_declarations_in_a_link() -> None:
    read = robot_of_urdf(with_xacro("", '<xacro:property name="r" value="1"/>'))
    assert read.import_report is not None
    (noted,) = read.import_report["ignored"]
    assert noted.text == "link/xacro:property: a declaration left over by xacro"


@pytest.mark.parametrize("tag", ["include", "if", "unless", "wheel", "insert_block", "call"])
def test_what_would_put_something_into_the_robot_is_an_error(tag: str) -> None:
    for whole in (with_xacro(f"<xacro:{tag}/>"), with_xacro("", f"<xacro:{tag}/>")):
        with pytest.raises(FileFormatError, match=f"<xacro:{tag}> must be expanded first"):
            robot_of_urdf(whole)


# -- all else that is not read -------------------------------------------------------------------------
UNKNOWN = """<robot name="r" version="1.0" colour="red" xmlns:k="u">
<gazebo/>
<link name="a" type="rigid">
<extra/>
<inertial frame="x">
<origin xyz="0 0 1" rpy="0 0 0" quat="1 0 0 0"><why/></origin>
<mass value="2" unit="kg"><note/></mass>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1" unit="kg"><note/></inertia>
<density/>
</inertial>
</link>
<link name="b"/><link name="c"/><link name="d"/>
<joint name="j" type="revolute" damped="no">
<origin xyz="1 0 0" w="1"/>
<parent link="a" at="x"/>
<child link="b" at="y"/>
<axis xyz="0 0 1" frame="z"/>
<limit lower="-1" upper="1" velocity="2" effort="3" jerk="4"><soft/></limit>
<dynamics damping="1" friction="2" stiction="3"><belt/></dynamics>
<safety_controller/>
</joint>
<joint name="k" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
<mimic joint="j" multiplier="2" offset="1" lag="3"><gear/></mimic>
</joint>
<joint name="f" type="fixed"><parent link="a"/><child link="d"/>
<axis xyz="0 0 1" frame="x"/></joint>
<transmission name="t" type="simple" speed="1">
<type>x</type>
<joint name="j" role="r"><hardwareInterface/></joint>
<actuator name="m" brand="b"><mechanicalReduction>2</mechanicalReduction>
<rotorInertia>1</rotorInertia><cable/></actuator>
</transmission>
</robot>"""


def test_whatever_is_not_read_is_noted() -> None:
    report = robot_of_urdf(UNKNOWN).import_report
    assert report is not None
    assert [(e.line, e.text) for e in report["ignored"]] == [
        (1, "attribute colour of robot"),
        (2, "robot/gazebo"),
        (3, "attribute type of link"),
        (4, "link/extra"),
        (5, "attribute frame of link/inertial"),
        (6, "link/inertial/origin/why"),
        (6, "attribute quat of link/inertial/origin"),
        (7, "link/inertial/mass/note"),
        (7, "attribute unit of link/inertial/mass"),
        (8, "link/inertial/inertia/note"),
        (8, "attribute unit of link/inertial/inertia"),
        (9, "link/inertial/density"),
        (13, "attribute damped of joint"),
        (14, "attribute w of joint/origin"),
        (15, "attribute at of joint/parent"),
        (16, "attribute at of joint/child"),
        (17, "attribute frame of joint/axis"),
        (18, "joint/limit/soft"),
        (18, "attribute jerk of joint/limit"),
        (19, "joint/dynamics/belt"),
        (19, "attribute stiction of joint/dynamics"),
        (20, "joint/safety_controller"),
        (23, "joint/mimic/gear"),
        (23, "attribute lag of joint/mimic"),
        (26, "joint/axis"),
        (27, "attribute speed of transmission"),
        (29, "transmission/joint/hardwareInterface"),
        (29, "attribute role of transmission/joint"),
        (30, "attribute brand of transmission/actuator"),
        (31, "transmission/actuator/cable"),
    ]
    assert [(e.line, e.text) for e in report["used"]] == [
        (5, "link a: 2 kg"),
        (13, "joint j: revolute"),
        (19, "joint j: damping 1"),
        (19, "joint j: friction 2"),
        (22, "joint k: continuous"),
        (27, "joint j: rotor 1 kg m², reduction 2"),
    ]

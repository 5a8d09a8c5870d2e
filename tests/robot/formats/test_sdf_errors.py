"""Damaged SDF files, and those that equamo cannot represent: errors with line and reason."""

import re

import pytest

from equamo.errors import EquamoError, FileFormatError, UnknownNameError
from equamo.robot.formats.sdf import robot_of_sdf
from sdf_texts import cassie, joint, link, model

pytestmark = pytest.mark.needs("pinocchio")

HINGE = joint("j", "revolute", "a", "b", "0 0 1")
BOTH = link("a"), link("b")


def pose(text: str) -> str:
    return model(f'<link name="a">{text}</link>')


CASES = {
    "an empty number": (pose("<inertial><mass></mass></inertial>"), "<mass> must not be empty"),
    "not a number": (pose("<inertial><mass>x</mass></inertial>"), "must be a decimal number, got 'x'"),
    "a short pose": (pose("<pose>0 0 1</pose>"), "must be 6 decimal numbers"),
    "a named frame": (pose('<pose frame="b">0 0 0 0 0 0</pose>'), "use 'relative_to'"),
    "a zero quaternion": (
        pose('<pose rotation_format="quat_xyzw">0 0 0 0 0 0 0</pose>'), "must not be 0 0 0 0",
    ),
    "another format": (pose('<pose rotation_format="axis">0 0 0 0 0 0</pose>'), "got 'axis'"),
    "neither yes nor no": (pose("<gravity>maybe</gravity>"), "must be true, false, 1 or 0"),
    "degrees": (pose('<pose degrees="maybe">0 0 0 0 0 0</pose>'), "'degrees' of <pose> must be true"),
    "another root": ("<robot/>", "must be <sdf>, got <robot>"),
    "no version": ("<sdf/>", "must have an attribute 'version'"),
    "no model": ('<sdf version="1.7"/>', "exactly one <model>, got none"),
    "two models": ('<sdf version="1.7"><model name="a"/><model name="b"/></sdf>', "got 'a', 'b'"),
    "an include": (model("<include/>"), "equamo does not read other files"),
    "a nested model": (model('<model name="b"/>'), "must not contain another <model>"),
    "a name twice": (model(link("a"), link("a")), "already used in line 2"),
    "no links": (model(), "must have at least one link"),
    "links apart": (model(*BOTH), "must be connected to 'a' by joints, but 'b' is not"),
    "an unknown link": (model(link("a"), HINGE), "child link 'b'"),
    "itself": (model(link("a"), joint("j", "fixed", "a", "a")), "must connect two links, got 'a' twice"),
    "an unknown type": (model(*BOTH, joint("j", "hinge", "a", "b")), "unknown type 'hinge'"),
    "a screw": (model(*BOTH, joint("j", "screw", "a", "b")), "depends on the version"),
    "no axis": (model(*BOTH, joint("j", "revolute", "a", "b")), "must have a <axis>"),
    "a zero axis": (model(*BOTH, joint("j", "revolute", "a", "b", "0 0 0")), "must not be 0 0 0"),
    "an unknown frame": (
        model(*BOTH, joint("j", "revolute", "a", "b", '<xyz expressed_in="c">0 0 1</xyz>')),
        "unknown frame 'c'",
    ),
    "a circle": (
        model(
            '<link name="a"><pose relative_to="b">0 0 0 0 0 0</pose></link>',
            '<link name="b"><pose relative_to="a">0 0 0 0 0 0</pose></link>',
            HINGE,
        ),
        "got a → b → a",
    ),
    "an inertial elsewhere": (
        pose('<inertial><pose relative_to="x">0 0 0 0 0 0</pose></inertial>'), "in the link frame",
    ),
    "a canonical link": (model(link("a"), attributes=' canonical_link="x"'), "canonical link 'x'"),
    "axes that are not perpendicular": (
        model(
            *BOTH, joint("i", "ball", "world", "a"), joint("j", "ball", "world", "b"),
            joint("k", "revolute2", "a", "b", "1 0 0", "<axis2><xyz>1 1 0</xyz></axis2>"),
        ),
        "got the cosine 0.707",
    ),
    "an error of the model": (
        model(*BOTH, joint("tau_k", "revolute", "world", "a", "0 0 1"),
              joint("k", "revolute", "a", "b", "0 0 1")),
        "tau_k",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_message_gives_the_line_and_the_reason(name: str) -> None:
    text, message = CASES[name]
    with pytest.raises(FileFormatError) as error:
        robot_of_sdf(text, "x.sdf")
    assert re.match(r"x\.sdf:\d+: ", str(error.value))
    assert message.lower() in str(error.value).lower()


def test_gearboxes_are_refused_with_a_reason() -> None:
    with pytest.raises(FileFormatError, match="'left-roll-joint' must not be a gearbox joint: it "):
        robot_of_sdf(cassie("cassie.sdf"), "cassie.sdf")


def test_a_base_that_the_file_fixes_cannot_be_free() -> None:
    text = model("<static>true</static>", link("a"))
    with pytest.raises(FileFormatError, match="remove <static>"):
        robot_of_sdf(text, base="free")


def test_options_are_checked() -> None:
    for options in ({"bases": "free"}, {"base": "loose"}, {"parameters": "x"}):
        with pytest.raises(UnknownNameError):
            robot_of_sdf(model(link("a")), **options)
    with pytest.raises(EquamoError, match="snap"):
        robot_of_sdf(model(link("a")), snap=2)

"""Wrong URDF files are refused with file, line and what would be valid."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from conftest import WHOLE_SWEEPS
from equamo.errors import EquamoError, FileFormatError
from equamo.robot.formats import xml_tree
from equamo.robot.formats.urdf import robot_of_urdf
from equamo.robot.formats.xml_tree import MOST_DEPTH
from peer_urdf import file
from urdf_texts import EVERYTHING, joint, link, robot

pytestmark = pytest.mark.needs("pinocchio")

AB = (link("a"), link("b", ""))
WRONG = {
    "not XML": ("<robot", r"f\.urdf:1: the file must be well-formed XML"),
    "empty": ("", "must be well-formed XML: no element found"),
    "encoding": ('<?xml version="1.0" encoding="utf-7"?><robot/>', "the text cannot be decoded"),
    "another root": ("<sdf/>", r"f\.urdf:1: the root of a URDF file must be <robot>, got <sdf>"),
    "no name": ("<robot/>", r"<robot> must have an attribute 'name'. Present: none"),
    "no link": (robot(), "must have at least one link, got none"),
    "two links": (robot(*AB, link("a", "")), r"f\.urdf:5: link 'a' is already defined in line 2"),
    "two joints": (robot(*AB, joint("j", "fixed", "a", "b"), joint("j", "fixed", "b", "a")),
                   "joint 'j' is already defined"),
    "joint type": (robot(*AB, joint("j", "screw", "a", "b")),
                   "unknown type 'screw' of joint 'j'. Valid: revolute, continuous, prismatic, fixed"),
    "no type": (robot(*AB, '<joint name="j"/>'), "<joint> must have an attribute 'type'. Present: name"),
    "no parent": (robot(*AB, '<joint name="j" type="fixed"><child link="b"/></joint>'),
                  "<joint> must have a <parent>. Present: child"),
    "missing link": (robot(*AB, joint("j", "fixed", "a", "bb")),
                     r"f\.urdf:5: Unknown child link 'bb' in joint 'j'. Did you mean 'b'"),
    "two roots": (robot(*AB), "must have one root link, got 2: 'a', 'b'"),
    "a loop": (robot(*AB, joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "a")),
               "must have a root link"),
    "its own parent": (robot(*AB, joint("j", "fixed", "b", "b")),
                       "link 'b' must be connected to the root 'a'"),
    "two parents": (robot(*AB, joint("j", "fixed", "a", "b"), joint("k", "fixed", "a", "b")),
                    "'b' must be the child of only one joint, got 'j' and 'k'"),
    "nan": (robot(*AB, joint("j", "revolute", "a", "b", '<axis xyz="0 0 nan"/>')),
            "attribute 'xyz' of <axis> must be a decimal number such as .*, got 'nan'"),
    "inf": (robot(link("a").replace('value="2"', 'value="inf"')), "decimal number .*, got 'inf'"),
    "empty number": (robot(link("a").replace('value="2"', 'value=""')),
                     "'value' of <mass> must not be empty"),
    "hexadecimal": (robot(link("a").replace('value="2"', 'value="0x2"')), "must be .*, got '0x2'"),
    "huge exponent": (robot(link("a").replace('value="2"', 'value="1e9999999"')), "must be a decimal"),
    "huge number": (robot(link("a").replace('value="2"', f'value="{"9" * 99}"')), "must be a decimal"),
    "two numbers": (robot(*AB, joint("j", "fixed", "a", "b", '<origin xyz="1 2"/>')),
                    "three numbers separated by blanks, got 2: '1 2'"),
    "zero axis": (robot(*AB, joint("j", "revolute", "a", "b", '<axis xyz="0 0 0"/>')),
                  "axis of joint 'j' must not be 0 0 0"),
    "huge angle": (robot(*AB, joint("j", "fixed", "a", "b", '<origin rpy="0 1e99 0"/>')),
                   "joint j: pitch must be at most 1,000,000 rad, got 1e\\+99"),
    "no mass": (robot(link("a", "<inertial/>")), "<inertial> must have a <mass>"),
    "no izz": (robot(link("a").replace('izz="0.13"', "")), "<inertia> must have an attribute 'izz'"),
    "two origins": (robot(*AB, joint("j", "fixed", "a", "b", "<origin/><origin/>")),
                    "the <joint> of line 5 must have only one <origin>"),
    "negative damping": (robot(*AB, joint("j", "continuous", "a", "b", '<dynamics damping="-1"/>')),
                         r"f\.urdf:5: The damping of damper_j must be ≥ 0, got"),
    "a backquote": (robot(link("a`")), "without backquotes or control characters, got 'a`'"),
    "pi": (robot(*AB, joint("pi", "continuous", "a", "b")), "'pi' is the number"),
    "xacro": ('<robot name="r" xmlns:xacro="x"><xacro:include/></robot>',
              "<xacro:include> must be expanded first"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_wrong_files(what: str) -> None:
    text, message = WRONG[what]
    with pytest.raises(FileFormatError, match=message) as error:
        robot_of_urdf(text, "f.urdf")
    assert str(error.value).startswith("f.urdf:")


def test_entities_are_refused(tmp_path: pytest.TempPathFactory) -> None:
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    for declared in (f'<!ENTITY l0 "ha">{laughs}', '<!ENTITY l11 SYSTEM "file:///etc/passwd">'):
        text = f'<?xml version="1.0"?>\n<!DOCTYPE robot [{declared}]>\n<robot name="&l11;"/>'
        with pytest.raises(
            FileFormatError, match=r"f:2: a robot file must not have a document type"
        ):
            robot_of_urdf(text, "f")
    with pytest.raises(FileFormatError, match="document type"):
        robot_of_urdf('<!DOCTYPE robot SYSTEM "http://x/y.dtd"><robot name="r"/>', "f")


def test_depth_and_size_are_bounded() -> None:
    deep = "<a>" * 10_000 + "</a>" * 10_000
    with pytest.raises(FileFormatError, match=f"must nest at most {MOST_DEPTH} elements"):
        robot_of_urdf(f'<robot name="r">{deep}</robot>', "f")
    with pytest.raises(
        FileFormatError, match=r"f:1: a robot file must have at most 33,554,432 bytes"
    ):
        robot_of_urdf(b" " * (33 << 20), "f")


def test_the_number_of_elements_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_tree, "MOST_ELEMENTS", 3)
    with pytest.raises(FileFormatError, match="f:1: a robot file must have at most 3 elements"):
        robot_of_urdf('<robot name="r"><a/><b/><c/></robot>', "f")


def test_a_mimic_of_an_unknown_joint() -> None:
    text = robot(*AB, joint("j", "continuous", "a", "b", '<mimic joint="jj"/>'))
    with pytest.raises(FileFormatError, match=r"f:\d+: Unknown joint 'jj' in mimic of 'j'"):
        robot_of_urdf(text, "f", mimic="follow")


def test_a_long_chain_is_read() -> None:
    """No recursion: a chain of 1,500 links."""
    n = 1500
    links = [link(f"l{i}", "") for i in range(n + 1)]
    joints = [joint(f"j{i}", "fixed", f"l{i}", f"l{i + 1}") for i in range(n)]
    assert len(robot_of_urdf(robot(*links, *joints)).bodies) == n + 1


# -- fuzz ----------------------------------------------------------------------------------------------
COUNT = 10_000 if WHOLE_SWEEPS else 300
SOURCES = ("panda.urdf", "double_pendulum_continuous.urdf", "ur5_robot.urdf", "finger_edu.urdf")
VALUES = ("", " ", "nan", "inf", "-1", "0", "1e5", "1e999999", "0 0 0", "1 0", "x", "`", "pi", "world",
          "base", "j1", "a", "fixed", "planar", "floating", "-0.5 1e-9 7", "1.5707963", "9" * 70, "é",
          "1.57079632679 0 3.14159265359", "0x10", "1_0", "١", "robot", "\t")  # fmt: skip
TAGS = ("link", "joint", "origin", "axis", "limit", "mimic", "inertial", "mass", "parent", "x", "robot",
        "dynamics", "transmission", "xacro:if", "rotorInertia")  # fmt: skip


def sources() -> list[str]:
    found = [EVERYTHING]
    for end in SOURCES:
        tree = ET.parse(file(f"/{end}")).getroot()
        for e in tree.iter("link"):  # geometry is long and not read
            for c in [*e.findall("visual"), *e.findall("collision")]:
                e.remove(c)
        found.append(ET.tostring(tree, encoding="unicode"))
    return found


def mutated_tree(text: str, r: random.Random) -> str:
    """One to three edits of the tree that keep it well-formed."""
    root = ET.fromstring(text)
    for _ in range(r.randint(1, 3)):
        elements = list(root.iter())
        e, other = r.choice(elements), r.choice(elements)
        kind = r.randrange(8)
        if kind == 0 and e.attrib:
            del e.attrib[r.choice(list(e.attrib))]
        elif kind <= 2 and e.attrib:
            e.set(r.choice(list(e.attrib)), r.choice(VALUES))
        elif kind == 3 and e.attrib and other.attrib:
            e.set(r.choice(list(e.attrib)), r.choice(list(other.attrib.values())))
        elif kind == 4:
            e.tag = r.choice(TAGS)
        elif kind == 5 and len(e):
            e.remove(r.choice(list(e)))
        elif kind == 6 and len(e):
            e.append(r.choice(list(e)))  # twice the same
        else:
            e.append(
                ET.Element(r.choice(TAGS), {"name": r.choice(VALUES), "value": r.choice(VALUES)})
            )
    return ET.tostring(root, encoding="unicode")


def damaged(text: str, r: random.Random) -> bytes:
    """Bytes changed, cut out or doubled; half of the damage is in the value of an attribute."""
    data = bytearray(text.encode())
    for _ in range(r.randint(1, 2)):
        i = r.randrange(len(data))
        if r.random() < 0.5:
            i = data.find(b'="', i) + 2
        j = i + r.randrange(1, 4)
        kind = r.randrange(4)
        if kind == 0:
            data[i] = r.randrange(256)
        elif kind == 1:
            del data[i:j]
        elif kind == 2:
            data[i:i] = data[i:j]
        else:
            data[i:j] = bytes(r.choice(b"<\"'/=& 0123456789.-eE\n") for _ in range(r.randrange(6)))
    return bytes(data)


def test_fuzz() -> None:
    """Each mutated file is read, or refused with the place."""
    texts = sources()
    tally: Counter[tuple[str, str]] = Counter()
    for seed in range(COUNT):
        r = random.Random(seed)
        text = r.choice(texts)
        kind = "tree" if seed % 5 else "bytes"
        data = mutated_tree(text, r).encode() if kind == "tree" else damaged(text, r)
        options = {"base": r.choice(("fixed", "free")), "mimic": r.choice(("free", "follow")),
                   "parameters": r.choice(("numeric", "symbolic"))}  # fmt: skip
        try:
            robot_of_urdf(data, "fuzz.urdf", **options)
            outcome = "read"
        except EquamoError as error:
            outcome = "refused" if str(error).startswith("fuzz.urdf:") else f"no place: {error}"
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r}") from error
        tally[kind, outcome] += 1
    print({" ".join(k): n for k, n in sorted(tally.items())})
    assert len(tally) == 4
    assert min(tally.values()) > COUNT // 50

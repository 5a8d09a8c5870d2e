"""Lines of a TOML file: of tables, keys and array elements, beside texts of many lines."""

import pytest

from equamo.errors import FileFormatError
from equamo.robot.formats.toml import parse_robot
from equamo.robot.formats.toml_positions import Positions


def test_lines_are_found_beside_texts_of_many_lines() -> None:
    text = 'a = """\nb = 1\n[[c]]\n"""\n[[c]]\nd = 1\n[[c]]\n[c.e]\nf.g = 1'
    found = Positions(text).lines()
    assert found[("c", 1)] == 7
    assert found[("c", 1, "e", "f", "g")] == 9
    assert ("b",) not in found


def test_lines_of_array_elements_and_of_inline_tables() -> None:
    text = "a = [\n  1,\n  { b = 2 }, # [x]\n]\r\nc = { d = 3 }\n"
    assert Positions(text).lines() == {
        ("a",): 1, ("a", 0): 2, ("a", 1): 3, ("a", 1, "b"): 3, ("c",): 5, ("c", "d"): 5,
    }  # fmt: skip


def test_line_and_column_are_those_of_the_text() -> None:
    text = "ab = 1\n\ncd = 2"
    for offset in range(len(text)):
        before = text[:offset].split("\n")
        assert Positions(text).line_and_column(offset) == (len(before), len(before[-1]) + 1)


def test_an_error_names_the_line_of_an_inline_table_in_an_array() -> None:
    text = (
        'equamo = 1\nname = "r"\nbodies = [\n  { name = "a", joint = { kind = "revolute", q = "q" } },\n'
        '  { name = "b", joint = { kind = "revolute", q = "r", axis = "w" }, parent = "a" },\n]\n'
    )
    with pytest.raises(FileFormatError, match="line 5, "):
        parse_robot(text, "f.toml")

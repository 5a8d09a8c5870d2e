"""Mapping files, comments and dictionaries: what they say, and their errors."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from equamo.errors import FileFormatError, ModelError
from equamo.review.claims.matching.mapping import comments, read_mapping, relative_unit

FILE = """
accept = ["splitting"]
order = ["q2", "q1"]
rounding = "1e-12"
unwritten = "zero"

[outputs]
M = "mass_matrix"
"dynamics.h" = "bias + gravity"

[inputs]
x = ["q", "v"]
k = "2*L1"

[values]
g = 9.81
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "map.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_file(tmp_path: Path) -> None:
    mapping = read_mapping(write(tmp_path, FILE))
    assert mapping.setting.accept == ("splitting",)
    assert mapping.setting.order == ("q2", "q1")
    assert mapping.rounding == Fraction(1, 10**12)
    assert mapping.unwritten_is_zero
    assert mapping.values["g"].value == Fraction("9.81")
    assert [f.rows[0][0].text for f in mapping.inputs["x"].formulas] == ["q", "v"]


def test_a_name_of_one_function_comes_first(tmp_path: Path) -> None:
    mapping = read_mapping(write(tmp_path, '[outputs]\nh = "bias"\n"f.h" = "gravity"\n'))
    found = [mapping.meaning("output", f, "h") for f in ("f", "g")]
    assert [x and x[0] for x in found] == ["f.h", "h"]
    assert mapping.meaning("input", "f", "h") is None


def test_comments() -> None:
    text = (
        "/* equamo: M = mass_matrix; x = q, [dq1, dq2] */\n"
        "// equamo: J = jacobian(fore, at=[1, 0, 0])\n"
        "x = 1; // equamo is a tool, see equamo: docs\n"
    )
    found = comments(text, "arm.c")
    assert list(found) == ["M", "x", "J"]
    assert [len(m.formulas) for m in found.values()] == [1, 2, 1]


@pytest.mark.parametrize(
    ("file", "text", "names"),
    [
        ("a.c", 'char *s = "/* equamo: a = q1 */"; // equamo: b = q2', ["b"]),
        ("a.c", "char c = '\"'; // equamo: a = q1\nchar *s = \"\\\"// equamo: b = q1\";", ["a"]),
        ("a.c", "# equamo: a = q1\n% equamo: b = q1\nx /* a // equamo: c = q1 */;", []),
        ("a.c", "/* equamo: a = q1", ["a"]),
        ("a.h", 'char *s = "\\\n// equamo: a = q1"; /** equamo: b = q1 */', ["b"]),
        ("a.py", 's = "# equamo: a = q1"  # equamo: b = q2', ["b"]),
        ("a.py", '"""\n# equamo: a = q1\n"""\nx = 2 // 3\n// 1', []),
        ("a.py", "## equamo: a = q1\nx = 7 % 3", ["a"]),
        ("a.m", "s = '% equamo: a = q1'; % equamo: b = q2", ["b"]),
        ("a.m", "x = a'; % equamo: a = q1\n%{\n% equamo: b = q1\n%}\n# equamo: c = q1", ["a", "c"]),
        ("a.m", "x = [a ' % equamo: a = q1'];", []),
    ],
)  # fmt: skip
def test_only_comments_of_the_language_count(file: str, text: str, names: list[str]) -> None:
    assert list(comments(text, file)) == names


def test_a_program_that_cannot_be_cut_into_tokens() -> None:
    with pytest.raises(FileFormatError, match=r"a\.py: this text is not Python"):
        comments("x = (1,\n", "a.py")
    with pytest.raises(FileFormatError, match=r"a\.m:1: a string must not contain"):
        comments(r's = "a\" % equamo: a = q1";', "a.m")


def test_names_of_the_same_quantity(tmp_path: Path) -> None:
    named = read_mapping({"m, mass": "m1"}).names
    assert named["m"] is named["mass"]
    with pytest.raises(FileFormatError, match="a name must be mapped once, got 'm' twice"):
        read_mapping({"m, mass": "m1", "m": "m2"})
    table = '[inputs]\n"m, mass" = "m1"\n'
    assert list(read_mapping(write(tmp_path, table)).inputs) == ["m", "mass"]
    with pytest.raises(FileFormatError, match=r"line 3, column .* got 'mass' twice"):
        read_mapping(write(tmp_path, table + 'mass = "m1"\n'))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("/* equamo: M */", r"arm.c:1: a comment must be 'equamo: NAME = FORMULA; …', got 'M'"),
        ("\n// equamo: 1x = q", r"arm.c:2: a comment must be .* got '1x = q'"),
        (
            "/* equamo: M = mass_matrix; M = bias */",
            r"arm.c:1: a name must be mapped once, got 'M'",
        ),
        ("/* equamo: M = mass_matrix + */", r"arm.c:1, column \d+"),
    ],
)
def test_errors_of_comments(text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        comments(text, "arm.c")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[output]\nM = "mass_matrix"', "unknown key 'output'. Did you mean 'outputs'?"),
        ('unwritten = "one"', "expected one of error, zero, found 'one'"),
        ("rounding = 1", "rounding must be a number from 2\\*\\*-60 to 1/1000, got 1"),
        ('rounding = "small"', "rounding must be a number"),
        ('[values]\ng = "2*x"', "a value must be a number, got '2\\*x'"),
        ('[values]\ng = "2*"', "line 2, column"),
        ('accept = ["all"]', "expected one of negated"),
        ('accept = ["as read"]', "expected one of negated"),  # only the caller can accept that
        ('[inputs]\nx = ["q", true]', "expected text or a number, found true or false"),
    ],
)
def test_errors_of_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read_mapping(write(tmp_path, text))


def test_dictionaries() -> None:
    mapping = read_mapping({"M": "mass_matrix", "x": ["q", "v"], "k": 2})
    assert mapping.meaning("output", "f", "M") == ("M", mapping.names["M"])
    assert mapping.meaning("input", "f", "x") == ("x", mapping.names["x"])
    wrong: Any = 3
    with pytest.raises(
        ModelError, match="mapping must be the path of a TOML file or a dictionary, got 3"
    ):
        read_mapping(wrong)


@pytest.mark.parametrize("unit", [0, -1, True, "", None, float("nan"), 1e-30, 0.01])
def test_units_out_of_range(unit: Any) -> None:
    with pytest.raises(FileFormatError, match="rounding must be a number"):
        relative_unit(unit)
    assert relative_unit(1e-12) == Fraction(1, 10**12)

"""Claims files: positions of values, and errors with line, column and the valid choices."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from equamo.errors import FileFormatError
from equamo.review.claims import parse_claims, read_claims
from equamo.review.claims.audit import audit
from equamo.robot.formats.toml_positions import Positions

KIM = Path(__file__).parent / "kim2005.toml"
GOOD = """
robot = "rr_arm"

[[claims]]
id = "d22"
place = "step 2"
printed = "m2*Lc2**2 + I2"
quantity = "mass_matrix[2, 2]"
"""


def paths(data: Any, here: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    found = [(here, data)] if here else []
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, x in items:
        found += paths(x, (*here, key))
    return found


def test_positions_are_those_of_the_parsed_file() -> None:
    """Each recorded position has the text of the value that tomllib reads there."""
    for text in (KIM.read_text(encoding="utf-8"), GOOD):
        positions = Positions(text)
        for path, value in paths(tomllib.loads(text)):
            if isinstance(value, dict) and path not in positions.spots:
                continue  # [settings.kim] names the table settings without a line of its own
            spot = positions.spots[path]
            here = text[spot.value :]
            if isinstance(value, str):
                assert here[:1] in "\"'"
                assert value[:5] in here[:10]
            elif isinstance(value, bool):
                assert here.startswith(str(value).lower())
            elif isinstance(value, int):
                assert here.startswith(str(value))
            elif isinstance(value, list):
                assert here[:1] == "["
            elif isinstance(path[-1], str):
                assert here[:1] in "{["


def test_content_counts_escapes_as_one_character() -> None:
    text = "a = \"x\\ty\\u00e9z\"\nb = '''\nplain'''\n"
    positions = Positions(text)
    value = tomllib.loads(text)["a"]
    for i, c in enumerate(value):
        offset = positions.content(("a",), i)
        assert offset is not None
        if c.isascii() and c.isprintable():
            assert text[offset] == c
    assert text[positions.content(("b",), 0) or 0] == "p"


def test_a_good_file_is_read() -> None:
    claims = parse_claims(GOOD)
    assert claims.claims[0].place == ("step 2",)
    assert audit(claims).ok


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "words"),
    [
        ('robot = "rr_arm"', 'robt = "rr_arm"', 2, 1, ("robt", "Did you mean 'robot'", "symbols")),
        ('robot = "rr_arm"', 'robot = "rr_army"', 2, 9, ("rr_army", "rr_arm")),
        ('robot = "rr_arm"', 'robot = "rr_arm"\nby = "newton"', 3, 6, ("kane, lagrange",)),
        ('robot = "rr_arm"', 'robot = "rr_arm"\nsign = 2', 3, 8, ("1 or -1",)),
        ('robot = "rr_arm"', 'robot = "rr_arm"\naccept = ["all"]', 3, 11, ("negated, reordered",)),
        ('robot = "rr_arm"', 'robot = "rr_arm"\nvectors = { w = 0 }', 3, 17, ("from 1 to 50",)),
        ('robot = "rr_arm"', 'robot = "rr_arm"\nmatrices = { J = "round" }', 3, 18, ("symmetric n",)),
        ('robot = "rr_arm"', 'robot = "rr_arm"\nsymbols = { q3 = "x" }', 3, 18, ("q3", "Valid: q1, q2")),
        ('place = "step 2"', "", 4, 1, ("'place' is missing",)),
        ('place = "step 2"', "place = 2", 6, 9, ("expected text, found a number",)),
        ('"m2*Lc2**2 + I2"', '"m2*Lc2**2 + "', 7, 24, ("expected a number",)),
        ('"m2*Lc2**2 + I2"', '"m2 Lc2"', 7, 15, ("write *",)),
        ('"m2*Lc2**2 + I2"', '[["a", "b"], ["c"]]', 7, 24, ("must have 2 entries like the first",)),
        ('"m2*Lc2**2 + I2"', "true", 7, 11, ("text or a number",)),
        ('"m2*Lc2**2 + I2"', '"cros([1,0,0], [0,1,0])"', 7, 12, ("Did you mean 'cross'",)),
        ('printed = "m2*Lc2**2 + I2"', "latex = 'm_2 \\sin q_2^2'", 7, 22, ("is ambiguous",)),
        ('"mass_matrix[2, 2]"', '"mas_matrix"', 8, 13, ("Did you mean 'mass_matrix'",)),
        ('"mass_matrix[2, 2]"', '"mass_matrix[3, 2]"', 8, 25, ("from 1 to 2",)),
        ('"mass_matrix[2, 2]"', '"rotation(uper)"', 8, 13, ("Did you mean 'upper'",)),
        ('"mass_matrix[2, 2]"', '"position(upper, on=com)"', 8, 32, ("at, expressed_in",)),
        ('"mass_matrix[2, 2]"', '"christoffel(1, 2, 3)"', 8, 31, ("from 1 to 2",)),
        ('quantity = "mass_matrix[2, 2]"', "", 4, 1, ("must have a `quantity` or print an equation",)),
        ('id = "d22"', 'id = "d22"\nexpect = "right"', 6, 10, ("proved, proved as read, agrees",)),
        ('id = "d22"', 'id = "d22"\nsetting = "kim"', 6, 11, ("expected one of",)),
        ('id = "d22"', 'id = "d22"\nfor = { i = ["1"], j = [] }', 6, 7, ("must have the same length",)),
        ('id = "d22"', 'id = "d22"\nentries = 3', 4, 1, ("scalar has no entries",)),
        ('id = "d22"', 'id = "d22"\nentries = [1.5]', 6, 12, ("expected a number or a name",)),
        ('id = "d22"', 'id = "d22"\nentries = [1, 2, 3]', 6, 11, ("one or two indices",)),
        ('id = "d22"', "id = 3", 5, 6, ("expected text, found a number",)),
        ('id = "d22"', 'id = "d22"\non_motion = 3', 6, 13, ("expected true, false or \"equations\"",)),
        ('id = "d22"', 'id = "d22"\nlatex = "m"', 6, 9, ("`printed` or `latex`, not both",)),
        ('printed = "m2*Lc2**2 + I2"', "", 4, 1, ("needs 'printed', 'latex' or 'from'",)),
        ('"m2*Lc2**2 + I2"', "2020-01-01", 7, 11, ("date",)),
        ('"m2*Lc2**2 + I2"', '"m2 = I2"', 7, 12, ("expected a formula, found an equation",)),
        ('robot = "rr_arm"', 'symbols = { q1 = "[1, 2]" }\nrobot = "rr_arm"', 2, 18,
         ("a symbol must be a scalar, got a vector of 2",)),
        ('robot = "rr_arm"', 'robot = "rr_arm"\nrobots = { r = 3 }', 3, 16, ("expected a table",)),
        ('robot = "rr_arm"', 'robot = "rr_arm"\nrobots = { r = {} }', 3, 16, ("got neither",)),
        ('robot = "rr_arm"', 'robot = "rr_arm"\nnot_claims = [{ place = "p" }]', 3, 15,
         ("the required key 'reason' is missing",)),
        ('robot = "rr_arm"', 'robot = "rr_arm"\nnot_claims = 3', 3, 14, ("expected an array",)),
    ],
)  # fmt: skip
def test_errors_give_line_column_and_choices(
    old: str, new: str, line: int, column: int, words: tuple[str, ...]
) -> None:
    text = GOOD.replace(old, new)
    assert text != GOOD
    with pytest.raises(FileFormatError) as caught:
        audit(parse_claims(text, "paper.toml"))
    message = str(caught.value)
    assert message.startswith(f"paper.toml, line {line}, column {column}"), message
    for word in words:
        assert word in message


def test_ids_are_unique() -> None:
    with pytest.raises(FileFormatError, match=r"line 9, column 1.*twice"):
        parse_claims(GOOD + GOOD.split("\n\n")[1], "paper.toml")


def test_the_speed_of_a_coordinate_that_became_an_expression_is_asked_for() -> None:
    text = GOOD.replace('robot = "rr_arm"', 'robot = "rr_arm"\nsymbols = { q2 = "b - a" }')
    text = text.replace("mass_matrix[2, 2]", "bias[1]")
    with pytest.raises(
        FileFormatError,
        match=r"line 9, column 12.*'q2' is replaced by .*; define 'dq2' in .symbols.",
    ):
        audit(parse_claims(text))


def test_definitions_in_a_circle_are_named() -> None:
    text = GOOD.replace('I2"', 'a"') + '\n[definitions]\na = "b"\nb = "2*a"\n'
    text = text.replace("[[claims]]", "[[claims]]")
    with pytest.raises(FileFormatError, match="must not depend on themselves, got a → b → a"):
        audit(parse_claims(_tables_first(text)))


def _tables_first(text: str) -> str:
    head, _, tail = text.partition("[[claims]]")
    body, _, tables = tail.partition("[definitions]")
    return f"{head}[definitions]{tables}[[claims]]{body}"


def test_not_toml_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"not valid TOML.*line 1"):
        parse_claims("a = = 2")
    with pytest.raises(FileFormatError, match="cannot be read"):
        read_claims(tmp_path / "none.toml")


def test_a_claim_is_repeated_for_lists_in_parallel() -> None:
    text = GOOD.replace('id = "d22"', 'id = "d{i}{j}"\nfor = { i = [1, 2], j = ["2", "2"] }')
    text = text.replace("mass_matrix[2, 2]", "mass_matrix[{i}, {j}]")
    report = audit(parse_claims(text))
    assert [(f.id, f.verdict) for f in report.findings] == [("d12", "wrong"), ("d22", "proved")]


@pytest.mark.parametrize(
    "robot", ['[robots.r]\nload = "arm.xacro"', 'robot = "arm.XACRO"', 'robot = "missing.xacro"']
)
def test_a_claims_file_runs_no_xacro(robot: str, tmp_path: Path) -> None:
    """xacro evaluates Python of the file; a claims file from somebody else is only data."""
    for name in ("arm.xacro", "arm.XACRO"):
        (tmp_path / name).write_text('<robot name="r"><link name="${2 + 3}"/></robot>')
    path = tmp_path / "claims.toml"
    path.write_text(f'{robot}\n[[claims]]\nid = "a"\nplace = "b"\nprinted = "1 = 1"\n')
    with pytest.raises(
        FileFormatError, match=r"claims\.toml, line .*cannot load xacro.*URDF first"
    ):
        read_claims(path)


def test_a_claims_file_does_not_open_other_folders_to_includes() -> None:
    text = '[robots.r]\nload = "arm.xml"\noptions = { includes = "anywhere" }\n'
    with pytest.raises(FileFormatError, match="'includes' cannot be set by a claims file"):
        parse_claims(text, "claims.toml")

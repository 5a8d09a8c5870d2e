"""Problems of a text, at the character they are about; names and tree for the page."""

import pytest

from equamo.publish.studio.templates import STARTERS, template_text
from studio_requests import PENDULUM, ask, error

LINES = PENDULUM.split("\n")


def marked(text: str) -> tuple[str, str]:
    """What the first problem of a text underlines, and its message."""
    found = ask("check", text)
    assert not found["ok"]
    assert found["structure"] is None
    first = found["problems"][0]
    line = text.split("\n")[first["line"] - 1]
    return line[first["column"] - 1 : first["end_column"] - 1], first["message"]


@pytest.mark.parametrize(
    ("before", "after", "where", "message"),
    [
        ('axis = "y"', 'axis = "q"', '"q"', "an axis must be"),
        ('kind = "revolute"', 'kind = "revolut"', '"revolut"', "Did you mean 'revolute'"),
        ('mass = "m"', 'mas = "m"', "mas = ", "Did you mean 'mass'"),
        ('mass = "m"', 'mass = "2*(m"', "", "expected"),
        ('mass = "m"', "mass = true", "true", "expected a number"),
        ('com = "0 0 -L"', 'com = "0 0 -L*)"', ")", "found ')'"),
        ('com = "0 0 -L"', 'com = "0 0"', '"0 0"', "expected 3"),
        ('com = "0 0 -L"', "com = [0, 0, true]", "true", "expected a number"),
        ("[[bodies]]", "[[bodys]]", "[[bodys]]", "Did you mean 'bodies'"),
        ('name = "bob"', 'name = "bob"\nparent = "bib"', '"bib"', "Unknown parent"),
        ("L = 0.5", "L = 0.5\nL = 1", "", "not valid TOML"),
        ("equamo = 1", "equamo = 2", "2", "version"),
        ("equamo = 1", "", "#", "equamo = 1"),
    ],
)  # fmt: skip
def test_problems_are_underlined(before: str, after: str, where: str, message: str) -> None:
    text = PENDULUM.replace(before, after, 1)
    assert text != PENDULUM
    underlined, said = marked(text)
    assert message in said
    assert "model, line" not in said
    if where:
        assert underlined.startswith(where), underlined


def test_every_body_is_checked() -> None:
    second = '\n[[bodies]]\nname = "b"\nmass = "("\n[[forces]]\nkind = "x"\n'
    found = ask("check", PENDULUM.replace('axis = "y"', 'axis = "q"') + second)["problems"]
    assert [LINES.index("joint = { kind = \"revolute\", q = \"q1\", axis = \"y\" }") + 1, 17, 19] == [
        x["line"] for x in found
    ]  # fmt: skip


def test_an_unfinished_text_still_has_names() -> None:
    found = ask("check", PENDULUM + '\nname = "')
    assert found["tree"] == []
    assert found["names"]["bodies"] == ["world", "pendulum", "bob"]
    assert found["names"]["joints"] == ["q1"]


def test_the_tree_has_the_source_of_each_field() -> None:
    found = ask("check", PENDULUM)
    (row,) = found["tree"]
    assert (row["body"], row["parent"], row["joint"], row["kind"]) == (
        "bob", "world", "q1", "revolute"
    )  # fmt: skip
    assert row["line"] == LINES.index("[[bodies]]") + 1
    fields = {tuple(x["path"]): x["value"] for x in row["fields"]}
    assert fields["bodies", 0, "com"] == "0 0 -L"
    assert fields["bodies", 0, "joint", "axis"] == "y"
    assert found["names"]["parameters"] == ["m", "L", "g"]


def test_starters_have_no_problems() -> None:
    for name, _ in STARTERS[:-1]:
        assert ask("check", template_text(name))["ok"]


def test_other_requests_name_the_place_of_the_error() -> None:
    found = error("derive", PENDULUM.replace('mass = "m"', 'mas = "m"'))
    assert (found["where"], found["line"], found["column"]) == ("model", 12, 1)

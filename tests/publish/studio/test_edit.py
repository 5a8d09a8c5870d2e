"""Edits by forms: the field changes, and nothing else of the text."""

import tomllib
from typing import Any

import pytest

from studio_requests import PENDULUM, ask, error


@pytest.mark.parametrize(
    ("path", "value", "before", "after"),
    [
        (["name"], "p2", 'name = "pendulum"', 'name = "p2"'),
        (["bodies", 0, "mass"], 'a"b', 'mass = "m"', 'mass = "a\\"b"'),
        (["bodies", 0, "joint", "axis"], "x", 'axis = "y" }', 'axis = "x" }'),
        (["bodies", 0, "joint", "at"], "0 0 1", 'axis = "y" }', 'axis = "y", at = "0 0 1" }'),
        (["bodies", 0, "joint", "axis"], None, ', axis = "y" }', " }"),
        (["bodies", 0, "joint", "kind"], None, 'kind = "revolute", ', ""),
        (["bodies", 0, "inertia"], [1, 0.5, 1], "0 0 -L\"\n", '0 0 -L"\ninertia = [1, 0.5, 1]\n'),
        (["bodies", 0, "com"], None, 'com = "0 0 -L"\n', ""),
        (["parameters", "L"], "0.7", "L = 0.5", "L = 0.7"),
        (["parameters", "new one"], 3, "L = 0.5", 'L = 0.5\n"new one" = 3'),
        (["parameters", "m", "value"], 2.5, "value = 2,", "value = 2.5,"),
        (["gravity"], "0 0 0", '"pendulum"\n\n', '"pendulum"\ngravity = "0 0 0"\n\n'),
    ],
)  # fmt: skip
def test_one_field_changes(path: list[Any], value: Any, before: str, after: str) -> None:
    assert before in PENDULUM
    assert ask("edit", PENDULUM, path=path, value=value)["text"] == PENDULUM.replace(
        before, after, 1
    )


def test_tables_are_added_and_removed() -> None:
    body = {"name": "arm", "parent": "bob", "joint": {"kind": "revolute", "q": "q2", "axis": "y"}}
    text = ask("edit", PENDULUM, path=["bodies", 1], value=body)["text"]
    assert text.startswith(PENDULUM)
    assert ask("check", text)["ok"]
    home = ask("edit", text, path=["home", "q1"], value=0.1)["text"]
    assert tomllib.loads(home)["home"] == {"q1": 0.1}
    assert ask("edit", text, path=["bodies", 1], value=None)["text"].strip() == PENDULUM.strip()
    first = ask("edit", text, path=["bodies", 0], value=None)["text"]
    assert [b["name"] for b in tomllib.loads(first)["bodies"]] == ["arm"]
    assert first.startswith(PENDULUM.split("[[bodies]]")[0])


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ([], 1, "must be keys"),
        ([1.5], 1, "must be keys"),
        (["bodies", 0, "x"], None, "nothing to remove"),
        (["bodies", 0, 3], 1, "must name a key"),
        (["a", "b", "c"], 1, "must be a table"),
        (["name", "b"], 1, "must be a table"),
        (["name"], {"a": None}, "must be text"),
        (["bodies", 0, "name"], float("inf"), "must be valid JSON"),
        (["bodies"], 3, "could not be changed"),
    ],
)
def test_impossible_edits_are_refused(path: Any, value: Any, message: str) -> None:
    assert message in error("edit", path=path, value=value)["message"]

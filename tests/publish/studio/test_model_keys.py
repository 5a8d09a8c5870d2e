"""Completion offers exactly what the reader of model files accepts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from equamo.errors import EquamoError
from equamo.publish.studio.bundle import script
from equamo.publish.studio.model_keys import model_keys, model_keys_script
from equamo.robot.formats.toml import FORCES, JOINTS, keys_of_tables, parse_robot, robot_of
from equamo.robot.formats.toml_table import Table

KEYS = keys_of_tables()
INSIDE = {"joint": ("bodies", "joint"), "parameter": ("parameters", "x"), "limit": ("limits", "q")}


def table(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Content of a file with an entry in one table."""
    bare: dict[str, Any] = {"equamo": 1, "name": "r"}
    bodies = [{"name": "b", "joint": {"kind": "revolute", "q": "q"}}]
    if name == "":
        return {**bare, "bodies": bodies, **entry}
    if name == "joint":
        return {**bare, "bodies": [{"name": "b", "joint": entry}]}
    if name == "bodies":
        return {**bare, "bodies": [entry]}
    if name in ("parameter", "limit"):
        outer, key = INSIDE[name]
        return {**bare, "bodies": bodies, outer: {key: entry}}
    return {**bare, "bodies": bodies, name: entry if name == "base" else [entry]}


def is_known(name: str, key: str, kind: str = "") -> bool:
    """Whether the reader gets further than to refuse the key."""
    entry: dict[str, Any] = {"kind": kind} if kind else {}
    if name == "joint" and kind != "fixed":
        entry["q"] = "q"
    entry.setdefault(key, "x")
    try:
        robot_of(Table(table(name, entry), "x.toml", {}))
    except EquamoError as error:
        return f"Unknown key {key!r}" not in str(error)
    return True


@pytest.mark.parametrize("name", KEYS)
def test_the_reader_knows_all_keys_and_no_others(name: str) -> None:
    kinds = {"joint": JOINTS, "forces": FORCES}.get(name, ("",))
    for key in KEYS[name]:
        assert any(is_known(name, key, kind) for kind in kinds), key
    everything = {k for keys in KEYS.values() for k in keys}
    for key in sorted(everything - set(KEYS[name])):
        assert not any(is_known(name, key, kind) for kind in kinds), key


def test_the_page_has_the_keys_of_the_reader() -> None:
    made = model_keys()
    offered = {*made["keys"], *(f"{n} {x}" for n, x in INSIDE.items())}
    assert {n for n in KEYS if n and n not in INSIDE} <= offered
    for name, keys in KEYS.items():
        if name in INSIDE:
            assert made["inside"][INSIDE[name][0]] == list(keys)
        elif name:
            assert made["keys"][name] == list(keys)
    headers = {re.sub(r"[\[\]]", "", x) for x in made["tables"]}
    assert headers | set(made["keys"][""]) == set(KEYS[""])
    assert made["kinds"]["bodies"] == list(JOINTS)
    assert made["kinds"]["forces"] == list(FORCES)
    assert model_keys_script().strip().partition(" = ")[2].rstrip(";") in script()


def test_headers_are_tables_of_the_reader() -> None:
    bodies = '[[bodies]]\nname = "b"\njoint = { kind = "revolute", q = "q" }\n'
    for header in model_keys()["tables"]:
        with_bodies = "" if header == "[[bodies]]" else bodies
        message = ""
        try:
            parse_robot(f'equamo = 1\nname = "r"\n{with_bodies}{header}\n')
        except EquamoError as error:  # something else must be in the table
            message = str(error)
        assert "Unknown" not in message, header
        assert "expected" not in message, header

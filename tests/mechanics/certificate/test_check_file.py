"""A saved certificate: everything in it is recomputed, and forgeries are refused."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conftest import WHOLE_SWEEPS
from equamo.errors import EquamoError, FileFormatError
from equamo.mechanics.certificate import Certificate, check_file, prove
from equamo.robot.formats.json_file import digest
from equamo.robot.library import load
from mutated_text import mutated_tree


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("certificate") / "arm.json"
    prove(load("rr_arm"), error_bits=60).save(path)
    return json.loads(path.read_text(encoding="utf-8"))


def check(body: Any, data: dict[str, Any], path: Path, **options: Any) -> Certificate:
    """Check a file with this content, its digest recomputed."""
    path.write_text(json.dumps({**data, "certificate": body, "sha256": digest(body)}), "utf-8")
    return check_file(path, **options)


def test_the_honest_file_is_accepted(tmp_path: Path, honest: dict[str, Any]) -> None:
    body = deepcopy(honest["certificate"])
    body["seconds"] = body["lines"][0]["seconds"] = 1  # how long it took is not checked
    again = check(body, honest, tmp_path / "x.json", robot=load("rr_arm"))
    assert again.ok
    assert again.error_bits == 60
    assert str(again.seed) != body["seed"]  # new random points


def test_a_certificate_with_a_long_seed_is_accepted(tmp_path: Path) -> None:
    strong = prove(load("rr_arm"), error_bits=400)
    strong.save(tmp_path / "x.json")
    assert check_file(tmp_path / "x.json").bound_bits <= -400


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("lines", 0, "bound_bits"), -1000.5),
        (("lines", 0, "bound_bits"), None),
        (("lines", 0, "verdict"), "refuted"),
        (("lines", 0, "name"), "everything"),
        (("lines", 0, "degree"), "1"),
        (("lines", 0, "trials"), 99),
        (("lines", 0, "prime_bits"), 61),
        (("lines", 0, "seconds"), "no time"),
        (("lines", 0), "proved"),
        (("lines",), None),
        (("remarks",), ["M is positive definite everywhere"]),
        (("not_applicable",), ["nothing"]),
        (("equamo",), "9.9"),
        (("equamo",), None),
        (("seed",), "-1"),
        (("seed",), "1" * 5000),
        (("seed",), 7),
        (("error_bits",), 10**9),
        (("error_bits",), "60"),
        (("seconds",), float("nan")),
        (("robot_sha256",), "0" * 64),
        (("equations_sha256", "kane"), "0" * 64),
        (("signed_by",), "somebody"),
    ],
)
def test_forged_entries_are_refused(
    tmp_path: Path, honest: dict[str, Any], path: tuple[Any, ...], value: Any
) -> None:
    body = deepcopy(honest["certificate"])
    inner: Any = body
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(FileFormatError, match=r"x\.json"):
        check(body, honest, tmp_path / "x.json")


@pytest.mark.parametrize("name", ["lines", "remarks", "seed", "error_bits", "equamo", "robot"])
def test_nothing_may_be_missing(tmp_path: Path, honest: dict[str, Any], name: str) -> None:
    body = deepcopy(honest["certificate"])
    del body[name]
    with pytest.raises(FileFormatError):
        check(body, honest, tmp_path / "x.json")


def test_a_line_less_is_noticed(tmp_path: Path, honest: dict[str, Any]) -> None:
    body = deepcopy(honest["certificate"])
    del body["lines"][-1]
    with pytest.raises(FileFormatError, match="lines"):
        check(body, honest, tmp_path / "x.json")


def test_the_robot_that_is_meant(tmp_path: Path, honest: dict[str, Any]) -> None:
    body = honest["certificate"]
    heavier = load("rr_arm").with_values(m1=17)
    for other, differ in ((load("rp_arm"), "name, "), (heavier, "parameters differ")):
        with pytest.raises(FileFormatError, match=f"a robot other than '{other.name}'.*{differ}"):
            check(body, honest, tmp_path / "x.json", robot=other)
    with pytest.raises(EquamoError, match="expected a Robot, got"):
        check(body, honest, tmp_path / "x.json", robot="rr_arm")


def stated(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines without times; of bounds the six digits that are compared."""
    lines = [{**line, "seconds": 0} for line in body["lines"]]
    for line in lines:
        if isinstance(line["bound_bits"], float):
            line["bound_bits"] = round(line["bound_bits"], 6)
    return lines


def test_random_changes_with_a_valid_digest(tmp_path: Path, honest: dict[str, Any]) -> None:
    """A change is refused with an error of ours, unless it changes only a time or the robot itself."""
    before = honest["certificate"]
    for seed in range(1500 if WHOLE_SWEEPS else 50):
        random = Random(seed)
        body = deepcopy(before)
        mutated_tree(body["robot"] if random.random() < 0.3 else body, random)
        if random.random() < 0.8:
            body["robot_sha256"] = digest(body.get("robot"))
        try:
            check(body, honest, tmp_path / "x.json")
        except EquamoError:
            continue
        changed = {k for k in {**body, **before} if body.get(k) != before.get(k)}
        assert changed <= {"robot", "robot_sha256", "seconds", "lines"}, seed
        assert stated(body) == stated(before), seed

"""JSON files that equamo writes: kind, version and digest are checked."""

import json
from pathlib import Path
from typing import Any

import pytest

from equamo.errors import FileFormatError
from equamo.robot.formats.json_file import digest, read_body

BODY = {"name": "arm"}
GOOD = {"kind": "equamo thing", "version": 1, "thing": BODY, "sha256": digest(BODY)}


def test_an_intact_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(GOOD))
    assert read_body(path, "equamo thing", 1, "thing") == BODY


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "another"}, "must be of kind 'equamo thing'"),
        ({"version": 2}, "must be 1, got 2; create the file again"),
        ({"thing": {"name": "leg"}}, "changed or damaged: its digest does not match"),
        ({"thing": "arm"}, "changed or damaged"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(GOOD | change))
    with pytest.raises(FileFormatError, match=rf"a\.json: .*{message}"):
        read_body(path, "equamo thing", 1, "thing")


def test_text_that_is_not_json(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{")
    with pytest.raises(FileFormatError, match=r"a\.json: the content must be JSON"):
        read_body(path, "equamo thing", 1, "thing")

"""Private files: only what this user owns and nobody else can read or write is read."""

import os
import stat
from pathlib import Path

import pytest

from equamo.robot.formats.private_file import (
    UNFINISHED,
    folder_problem,
    make_private_folder,
    read_private,
    write_private,
)


@pytest.mark.posix
def test_a_file_is_written_whole_and_closed_to_others(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_private(path, b"one")
    write_private(path, b"two")
    assert read_private(path) == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_an_unfinished_file_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        assert any(p.suffix == UNFINISHED for p in tmp_path.iterdir())
        raise OSError("no space")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="no space"):
        write_private(tmp_path / "a", b"one")
    assert not list(tmp_path.iterdir())


@pytest.mark.posix
def test_files_of_others_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    write_private(path, b"one")
    assert read_private(path, 2) == "too large"
    for mode in (0o640, 0o604, 0o620, 0o602):
        path.chmod(mode)
        assert read_private(path) == "open to others"
    path.chmod(0o600)
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(OSError, match="symbolic links"):
        read_private(tmp_path / "link")
    os.mkfifo(tmp_path / "pipe", 0o600)
    assert read_private(tmp_path / "pipe") == "another kind"
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    assert read_private(path) == "another owner"


@pytest.mark.posix
def test_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "new" / "folder"
    make_private_folder(folder)
    make_private_folder(folder)
    assert folder_problem(folder) is None
    (tmp_path / "link").symlink_to(folder)
    assert folder_problem(tmp_path / "link") == "another kind"
    folder.chmod(0o750)
    assert folder_problem(folder) == "open to others"
    folder.chmod(0o700)
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    assert folder_problem(folder) == "another owner"


def test_a_folder_in_place_of_a_file_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows does not open folders."""

    def refuses(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuses)
    assert read_private(tmp_path) == "another kind"
    with pytest.raises(PermissionError):
        read_private(tmp_path / "file")

"""Paths that are not regular files, or too large, are refused by every reader, and at once."""

import os
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import equamo as eq
from equamo.errors import FileFormatError
from equamo.motion.simulation import trajectory_files
from equamo.review.claims.claims_file import read_claims
from equamo.robot.formats import json_file
from equamo.robot.formats.dh_text import read_dh
from equamo.robot.formats.text_file import MOST_BYTES, open_file, read_bytes, read_text, write_text
from equamo.robot.formats.xacro import read_xacro

# suffix, its reader, and how many bytes that reads at most
READERS: dict[str, tuple[Callable[[Path], object], int]] = {
    ".urdf": (eq.load, MOST_BYTES),
    ".xml": (eq.load, MOST_BYTES),
    ".toml": (eq.load, MOST_BYTES),
    ".xacro": (read_xacro, MOST_BYTES),
    ".dh": (read_dh, MOST_BYTES),
    ".claims": (read_claims, MOST_BYTES),
    ".eom": (eq.EquationsOfMotion.load, json_file.MOST_BYTES),
    ".npz": (eq.Trajectory.load, trajectory_files.MOST_BYTES),
}
READING = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_text_file import READERS, FileFormatError
for pipe in map(Path, sys.argv[2:]):
    try:
        READERS[pipe.suffix][0](pipe)
    except FileFormatError as error:
        print(error)
"""


def refused(suffix: str, path: Path) -> str:
    with pytest.raises(FileFormatError) as caught:
        READERS[suffix][0](path)
    assert str(path) in str(caught.value)
    return str(caught.value)


@pytest.mark.needs("xacro", cases="xacro")
@pytest.mark.posix
@pytest.mark.parametrize("suffix", READERS)
def test_only_regular_files_are_read(suffix: str, tmp_path: Path) -> None:
    device = tmp_path / f"device{suffix}"
    device.symlink_to("/dev/zero")
    assert "it must be a regular file, got a device." in refused(suffix, device)

    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    assert "it must be a regular file, got a folder." in refused(suffix, folder)

    server = socket.socket(socket.AF_UNIX)
    server.bind(os.path.relpath(tmp_path / f"s{suffix}"))  # an absolute one can be too long for it
    assert "it must be a regular file, got a socket." in refused(suffix, tmp_path / f"s{suffix}")
    server.close()

    assert "no such file" in refused(suffix, tmp_path / f"missing{suffix}").lower()


@pytest.mark.needs("xacro")
@pytest.mark.posix
@pytest.mark.ci
def test_a_pipe_without_a_writer_is_not_waited_for(tmp_path: Path) -> None:
    """In a separate process: a reader that waits would wait forever."""
    pipes = [tmp_path / f"pipe{suffix}" for suffix in READERS]
    for pipe in pipes:
        os.mkfifo(pipe)
    arguments = [sys.executable, "-c", READING, str(Path(__file__).parent), *map(str, pipes)]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    for pipe in pipes:
        assert str(pipe) in done.stdout
    assert done.stdout.count("it must be a regular file, got a named pipe.") == len(pipes)


@pytest.mark.needs("xacro", cases="xacro")
@pytest.mark.parametrize("suffix", READERS)
def test_a_file_that_is_too_large_is_not_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"large{suffix}"
    with path.open("wb") as file:
        file.truncate(READERS[suffix][1] + 1)  # a hole: it takes no room on the disk
    assert f"must have at most {READERS[suffix][1]:,} bytes" in refused(suffix, path)


@pytest.mark.linux
def test_the_limit_holds_for_files_that_do_not_tell_their_size(tmp_path: Path) -> None:
    told = Path("/proc/self/status")  # 0 bytes by its status, yet there is text in it
    assert told.stat().st_size == 0
    assert read_bytes(told).startswith(b"Name:")
    with pytest.raises(FileFormatError, match="must have at most 10 bytes"):
        read_bytes(told, 10)
    path = tmp_path / "ten"
    path.write_bytes(b"0123456789")
    assert read_bytes(path, 10) == b"0123456789"
    with pytest.raises(FileFormatError, match="must have at most 9 bytes"):
        open_file(path, 9)


@pytest.mark.linux
def test_errors_while_reading_and_writing(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="mem: cannot be read: Input/output error"):
        read_bytes("/proc/self/mem")  # its first page is not mapped
    with pytest.raises(FileFormatError, match="cannot be written: No such file or directory"):
        write_text(tmp_path / "none" / "a.txt", "text")


@pytest.mark.linux
def test_links_are_followed_and_handles_are_closed(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes("a\r\nb\rc é".encode())
    link = tmp_path / "link"
    link.symlink_to("text")
    before = len(os.listdir("/proc/self/fd"))
    assert read_text(link) == "a\nb\nc é"
    for _ in range(5):
        with pytest.raises(FileFormatError):
            read_bytes(link, 3)
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("path", [None, 0, "a\0b", "x" * 5000])
def test_what_is_not_a_path(path: object) -> None:
    """A number would be an open file of the process: 0 is its standard input."""
    with pytest.raises(FileFormatError, match="cannot be read"):
        read_text(path)  # pyright: ignore[reportArgumentType]
    with pytest.raises(FileFormatError, match="cannot be read"):
        eq.EquationsOfMotion.load(path)  # pyright: ignore[reportArgumentType]


def test_a_small_archive_with_large_arrays(tmp_path: Path) -> None:
    """A trajectory is compressed: what it unpacks to is bounded before it is unpacked."""
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, t=np.zeros(10))
    with zipfile.ZipFile(path, "a") as archive:
        part = archive.infolist()[0]
        part.file_size = trajectory_files.MOST_BYTES + 1  # as the directory of the archive says it
        archive.comment = b"changed"  # so that the directory is written again
    with pytest.raises(FileFormatError, match="must have at most"):
        eq.Trajectory.load(path)


def test_a_trajectory_that_could_not_be_read_back_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    motion = eq.simulate(eq.derive(eq.load("rr_arm")), q={"q1": 1}, duration=0.5)
    path = tmp_path / "motion.npz"
    monkeypatch.setattr(trajectory_files, "MOST_BYTES", 1000)
    with pytest.raises(FileFormatError, match="at most 1000 bytes"):
        motion.save(path)
    assert not path.exists()

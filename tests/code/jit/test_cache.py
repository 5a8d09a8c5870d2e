"""The disk cache: the right bytes or none, whatever happens to its files."""

import errno
import os
import random
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from equamo.code.jit import cache as cache_module, origin
from equamo.code.jit.cache import DIGEST, MAGIC, Cache, Entry
from equamo.errors import EquamoError

KEYS = [f"robot {i}" for i in range(50)]


def payload(key: str) -> bytes:
    return random.Random(key).randbytes(300 + len(key))


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def files(cache: Cache) -> list[Path]:
    assert cache.folder
    return sorted(cache.folder.iterdir())


def test_what_was_put_is_what_is_got(cache: Cache) -> None:
    assert cache.enabled
    assert cache.get("a") is None
    cache.put("a", b"\0\1\2", {"lanes": 4, "name": "ω", "parts": [1, 2]})
    cache.put(b"\xff\x00", b"")
    assert cache.get("a") == Entry({"lanes": 4, "name": "ω", "parts": [1, 2]}, b"\0\1\2")
    assert cache.get(b"\xff\x00") == Entry({}, b"")
    cache.put("a", b"new")
    assert cache.get("a") == Entry({}, b"new")
    cache.clear()
    assert cache.get("a") is None
    assert not files(cache)


def damage(kind: str, path: Path, other: Path, intact: bytes, rng: random.Random) -> None:
    """Spoil one entry; `other` is where another one was, `intact` what it was."""
    data = path.read_bytes()
    if kind == "bit":
        changed = bytearray(data)
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(changed)
    elif kind == "short":
        path.write_bytes(data[: rng.randrange(len(data))])
    elif kind == "long":
        path.write_bytes(data + rng.randbytes(rng.randrange(1, 9)))
    elif kind == "swap":
        path.write_bytes(intact)
    elif kind == "version":
        path.write_bytes(MAGIC[:-1] + bytes([MAGIC[-1] + 1]) + data[len(MAGIC) :])
    elif kind == "digest of another":
        start = len(MAGIC)
        path.write_bytes(data[:start] + intact[start : start + DIGEST] + data[start + DIGEST :])
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "noise":
        path.write_bytes(rng.randbytes(len(data)))
    elif kind == "folder":
        path.unlink()
        path.mkdir()
    else:
        path.unlink()
        path.symlink_to(other)


DAMAGES = (
    *("bit", "bit", "short", "long", "swap", "version"),
    *("digest of another", "empty", "noise", "folder", "link"),
)


@pytest.mark.posix
def test_500_damaged_entries_give_nothing(cache: Cache) -> None:
    rng = random.Random(0)
    for round_ in range(10):
        for key in KEYS:
            cache.put(key, payload(key), {"round": round_})
        paths = files(cache)
        assert len(paths) == len(KEYS)
        intact = [path.read_bytes() for path in paths]
        for i, path in enumerate(paths):
            damage(rng.choice(DAMAGES), path, paths[i - 1], intact[i - 1], rng)
        for key in KEYS:
            assert cache.get(key) is None
        for path in files(cache):  # a folder is left where it is; nothing else is
            assert path.is_dir() or path.is_symlink()
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def test_a_damaged_entry_is_made_again(cache: Cache) -> None:
    cache.put("a", b"right")
    files(cache)[0].write_bytes(b"wrong")
    assert cache.get("a") is None
    cache.put("a", b"right")
    assert cache.get("a") == Entry({}, b"right")


@pytest.mark.posix
def test_folder_and_files_are_the_users_own(cache: Cache) -> None:
    cache.put("a", b"code")
    assert cache.folder
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(files(cache)[0].stat().st_mode) == 0o600


@pytest.mark.posix
@pytest.mark.parametrize("mode", [0o755, 0o770, 0o777, 0o701])
def test_a_folder_open_to_others_is_not_used(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "open"
    cache = Cache(folder)
    cache.put("a", b"code")
    folder.chmod(mode)
    assert cache.get("a") is None  # opened while in use
    cache.put("b", b"code")
    cache.clear()
    assert len(list(folder.iterdir())) == 1
    assert not Cache(folder).enabled


@pytest.mark.posix
def test_links_files_and_folders_of_others_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tmp_path / "real"
    assert Cache(real).enabled
    (tmp_path / "link").symlink_to(real)
    assert not Cache(tmp_path / "link").enabled
    (tmp_path / "file").write_text("")
    assert not Cache(tmp_path / "file").enabled
    monkeypatch.setattr(os, "getuid", lambda: real.stat().st_uid + 1)
    assert not Cache(real).enabled


@pytest.mark.posix
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666, 0o640, 0o604])
def test_a_file_open_to_others_is_not_used(cache: Cache, mode: int) -> None:
    """The folder is closed, yet a file in it may have been made when it was not."""
    cache.put("a", b"code")
    (path,) = files(cache)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(mode)
    assert cache.get("a") is None
    cache.put("a", b"new code")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert cache.get("a") == Entry({}, b"new code")


def test_a_file_of_another_user_is_not_used(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put("a", b"code")
    (path,) = files(cache)
    real = os.fstat

    def of_another(handle: int) -> os.stat_result:
        status = list(real(handle))
        status[stat.ST_UID] += 1
        return os.stat_result(status)

    with monkeypatch.context() as patch:
        patch.setattr(cache_module.os, "fstat", of_another)
        assert cache.get("a") is None
    assert path.exists()  # it is not ours to remove
    assert cache.get("a") == Entry({}, b"code")


def test_an_entry_larger_than_the_cache_is_not_read(cache: Cache) -> None:
    cache.put("a", b"code")
    (path,) = files(cache)
    assert cache.folder
    assert Cache(cache.folder, path.stat().st_size).get("a") == Entry({}, b"code")
    assert Cache(cache.folder, path.stat().st_size - 1).get("a") is None


def test_the_least_recently_used_goes_first(tmp_path: Path) -> None:
    one = len(MAGIC) + DIGEST + 8 + len("{}") + 1000
    cache = Cache(tmp_path / "cache", size=4 * one)
    for i in range(4):
        cache.put(f"{i}", bytes(1000))
        os.utime(files_by_age(cache)[-1], (i, i))
    assert cache.get("0")  # used: now the youngest
    cache.put("4", bytes(1000))
    assert [cache.get(f"{i}") is not None for i in range(5)] == [True, False, True, True, True]
    cache.put("big", bytes(4 * one))  # more than all the room: not kept, and nothing is lost for it
    assert cache.get("big") is None
    assert cache.get("4")
    for i in range(100):
        cache.put(f"n{i}", bytes(1000))
        assert sum(path.stat().st_size for path in files(cache)) <= 4 * one
        assert cache.get(f"n{i}")


def files_by_age(cache: Cache) -> list[Path]:
    return sorted(files(cache), key=lambda path: path.stat().st_mtime_ns)


def test_what_a_killed_process_left_is_removed(cache: Cache) -> None:
    assert cache.folder
    old, new = cache.folder / "old.part", cache.folder / "new.part"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    cache.put("a", b"code")
    assert not old.exists()
    assert new.exists()


WRITER = """
import sys
from pathlib import Path
from equamo.code.jit.cache import Cache
cache = Cache(Path(sys.argv[1]))
code = bytes(range(256)) * 400
for i in range(200):
    cache.put("same", code)
    entry = cache.get("same")
    assert entry is not None and entry.payload == code, i
"""


@pytest.mark.ci
def test_two_processes_put_the_same_key(cache: Cache) -> None:
    command = [sys.executable, "-c", WRITER, str(cache.folder)]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    assert len(files(cache)) == 1


def test_environment_chooses_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUAMO_CACHE", str(tmp_path / "a" / "b"))
    assert Cache().folder == tmp_path / "a" / "b"
    for word in ("off", "OFF"):
        monkeypatch.setenv("EQUAMO_CACHE", word)
        cache = Cache()
        assert not cache.enabled
        cache.put("a", b"code")
        assert cache.get("a") is None
        cache.clear()
    monkeypatch.delenv("EQUAMO_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert Cache().folder == tmp_path / "home" / ".cache" / "equamo"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert Cache().folder == tmp_path / "xdg" / "equamo"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert Cache().folder == tmp_path / "home" / "Library" / "Caches" / "equamo"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert Cache().folder == tmp_path / "local" / "equamo" / "Cache"
    monkeypatch.delenv("LOCALAPPDATA")
    assert not Cache().enabled


def test_environment_chooses_the_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Cache(tmp_path / "cache").size == 256 * 2**20
    monkeypatch.setenv("EQUAMO_CACHE_SIZE", "1000")
    assert Cache(tmp_path / "cache").size == 1000
    monkeypatch.setenv("EQUAMO_CACHE_SIZE", "much")
    with pytest.raises(
        EquamoError, match=r"EQUAMO_CACHE_SIZE must be a number of bytes.*, got 'much'"
    ):
        Cache(tmp_path / "a")
    monkeypatch.setenv("EQUAMO_CACHE_SIZE", "9" * 18)
    assert Cache(tmp_path / "a").size == 10**18 - 1
    monkeypatch.setenv("EQUAMO_CACHE_SIZE", "9" * 5000)
    with pytest.raises(
        EquamoError, match=r"EQUAMO_CACHE_SIZE must .*at most 18 digits.*, got '9999"
    ):
        Cache(tmp_path / "cache")


@pytest.mark.linux
def test_a_home_that_cannot_be_written_means_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUAMO_CACHE", "/proc/equamo/cache")
    cache = Cache()
    assert not cache.enabled
    cache.put("a", b"code")
    assert cache.get("a") is None


@pytest.mark.parametrize("function", ["write", "replace", "open", "scandir", "utime"])
def test_a_disk_that_fails_means_no_cache(
    cache: Cache, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    """A full disk, or one that breaks: nothing raises, and nothing half is left."""
    cache.put("before", b"code")

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as broken:
        if function == "write":
            broken.setattr(cache_module.os, "fdopen", fail)
        else:
            broken.setattr(cache_module.os, function, fail)
        cache.put("a", b"code")
        assert cache.get("a") in (None, Entry({}, b"code"))
        assert cache.get("before") in (None, Entry({}, b"code"))
        cache.clear()
    assert all(path.suffix == ".entry" for path in files(cache))
    cache.put("a", b"code")
    assert cache.get("a") == Entry({}, b"code")


def test_an_edited_integrator_makes_other_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digest in every key is of all sources that make code, the integrators in `motion` too."""
    package = Path(origin.__file__).parents[2]
    for layer in origin.LAYERS:
        assert (package / layer).is_dir()
        shutil.copytree(package / layer, tmp_path / "equamo" / layer)
    monkeypatch.setattr(origin, "__file__", str(tmp_path / "equamo" / "code" / "jit" / "origin.py"))
    before = origin.sources.__wrapped__()
    assert before == origin.sources()  # the copy is what is here
    for edited in (
        "code/steps/rk4.py",
        "robot/spatial/motion.py",
        "code/jit/llvm.py",
        "mechanics/certificate/derivatives.py",
    ):
        with (tmp_path / "equamo" / edited).open("a", encoding="utf-8") as file:
            file.write("# edited")
        after = origin.sources.__wrapped__()
        assert after != before
        before = after

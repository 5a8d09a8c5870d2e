"""sweep(resume=…): finished samples are kept, and files of others are never read."""

from __future__ import annotations

import hashlib
import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

from equamo.errors import EquamoError, SweepError
from equamo.motion.simulation import sweep_store
from equamo.motion.simulation.sweep import sweep
from equamo.motion.simulation.sweep_store import DIGEST, HEAD, SUFFIX
from sweep_functions import Counts


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def calls(folder: Path) -> dict[int, int]:
    """{sample: number of calls}."""
    return {int(p.name.split()[-1]): len(p.read_text()) for p in folder.glob("calls of *")}


def run(work: Path, store: Path, samples: Any = range(6), **options: Any) -> list[Any]:
    with ThreadPoolExecutor(1) as pool:
        return sweep(Counts(work), samples, executor=pool, resume=store, **options)


def test_only_what_is_missing_is_computed(work: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    with pytest.raises(SweepError, match=r"sample 4 \(4\): ValueError: not yet"):
        run(work, store)
    (work / "go").touch()
    told: list[tuple[int, int]] = []
    found = run(work, store, progress=lambda *x: told.append(x))
    assert found == [0, 2, 4, 6, 8, 10]
    assert calls(work) == {0: 1, 1: 1, 2: 1, 3: 1, 4: 2, 5: 1}  # the failed one again
    assert told == [(k, 6) for k in range(1, 7)]
    # other samples, in another order
    assert run(work, store, [7, 5, 0]) == [14, 10, 0]
    assert calls(work)[5] == calls(work)[0] == calls(work)[7] == 1


def test_the_failure_has_the_index_of_its_sample(work: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    run(work, store, [0, 1])
    failures = [x for x in run(work, store, errors="keep") if not isinstance(x, int)]
    assert [(f.index, f.sample) for f in failures] == [(4, 4)]


def test_processes_and_an_interruption(work: Path, tmp_path: Path) -> None:
    """What came before the interruption is there, in another sweep with other workers."""
    store = tmp_path / "store"

    def interrupt(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(Counts(work), range(4), workers=1, resume=store, progress=interrupt)
    assert len(list(store.glob(f"*{SUFFIX}"))) == 2
    before = calls(work)
    told: list[int] = []
    found = sweep(
        Counts(work), range(4), workers=1, resume=str(store), progress=lambda d, _: told.append(d)
    )
    assert found == [0, 2, 4, 6]
    assert (
        sum(calls(work)[k] == count for k, count in before.items()) == 2
    )  # those that were stored


def random_text(sample: int) -> str:
    return os.urandom(8).hex()


def test_equal_samples_have_results_of_their_own(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        first = sweep(random_text, [0, 0, 0], executor=pool, resume=tmp_path / "s")
        again = sweep(random_text, [0, 0, 0], executor=pool, resume=tmp_path / "s")
    assert len(set(first)) == 3
    assert again == first


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty"])
def test_a_damaged_result_is_computed_again(work: Path, tmp_path: Path, damage: str) -> None:
    store = tmp_path / "store"
    run(work, store, [1])
    (path,) = store.glob(f"*{SUFFIX}")
    data = path.read_bytes()
    bad = {"cut": data[:-1], "flipped": data[:-1] + bytes([data[-1] ^ 1]), "empty": b""}[damage]
    path.write_bytes(bad)
    assert run(work, store, [1]) == [2]
    assert calls(work) == {1: 2}
    assert path.read_bytes() == data


class Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("a pickle of somebody else's was read",)


def plant(store: Path, data: bytes) -> Path:
    (path,) = store.glob(f"*{SUFFIX}")
    path.write_bytes(data)
    return path


@pytest.mark.posix
def test_files_that_others_can_write_are_refused(work: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    run(work, store, [1])
    assert os.stat(store).st_mode & 0o777 == 0o700
    payload = pickle.dumps(Evil())
    path = plant(store, hashlib.sha256(payload).digest() + payload)
    assert len(hashlib.sha256(payload).digest()) == DIGEST
    path.chmod(0o620)
    with pytest.raises(EquamoError, match=r"must not be open to other users \(mode 620\)"):
        run(work, store, [1])
    path.chmod(0o600)
    store.chmod(0o770)
    with pytest.raises(EquamoError, match="chmod"):
        run(work, store, [1])


@pytest.mark.posix
def test_links_and_other_owners_are_refused(
    work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    run(work, store, [1])
    (path,) = store.glob(f"*{SUFFIX}")
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(EquamoError, match="cannot be read"):
        run(work, store, [1])
    (tmp_path / "link").symlink_to(store)
    with pytest.raises(EquamoError, match="must be a folder, not a file or a link"):
        run(work, tmp_path / "link", [1])
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    with pytest.raises(EquamoError, match="another user"):
        run(work, store, [1])


def test_results_of_another_function_are_refused(work: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    run(work, store, [1])
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(
            EquamoError, match=r"results of .*\.abs, got .* sweep_functions\.Counts\."
        ):
            sweep(abs, [1], executor=pool, resume=store)
        with pytest.raises(
            EquamoError, match="got results of an earlier version of it"
        ):  # another factor
            sweep(Counts(work, 3), [1], executor=pool, resume=store)
        head = (store / HEAD).read_bytes()
        (store / HEAD).write_text("{}")
        with pytest.raises(EquamoError, match=r"sweep\.json must be a file written by sweep"):
            sweep(Counts(work, 3), [1], executor=pool, resume=store)
        (store / HEAD).write_bytes(head)
        (store / HEAD).unlink()  # as the message says
        assert sweep(Counts(work, 3), [1], executor=pool, resume=store) == [2]


def test_what_cannot_be_stored_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(EquamoError, match="result of sample 0"):
            sweep(lambda _: Lock(), [1], executor=pool, resume=tmp_path / "a")
        with pytest.raises(EquamoError, match="sample 1"):
            sweep(abs, [1, Lock()], executor=pool, resume=tmp_path / "b")
        (tmp_path / "file").touch()
        with pytest.raises(EquamoError, match="file"):
            sweep(abs, [1], executor=pool, resume=tmp_path / "file")
        monkeypatch.setattr(sweep_store, "write_private", _full)
        with pytest.raises(EquamoError, match=r"cannot be written \(No space left\)\. Results"):
            sweep(abs, [1], executor=pool, resume=tmp_path / "c")


def _full(path: Path, data: bytes) -> None:
    raise OSError(28, "No space left")

"""eq.sweep with threads, processes and a Dask cluster; workers that die; samples that fail."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import dask
import numpy as np
import pytest
from distributed import Client, LocalCluster

from equamo.code.jit.compiled import compile
from equamo.errors import EquamoError, SweepError, UnknownNameError, WorkerDiedError
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.motion.simulation.sweep import sweep
from equamo.motion.simulation.worker_pool import Failure
from equamo.robot.library import load
from sweep_functions import Acceleration, KillsOnce, Notes, kills_at_3, misbehaves, process

pytestmark = pytest.mark.needs("dask", "distributed")


@pytest.fixture(scope="module")
def eom() -> EquationsOfMotion:
    return derive(load("rr_arm"))


# -- results -------------------------------------------------------------------------------------------
MASSES = [0.5 + 0.25 * k for k in range(12)]


def check_accelerations(eom: EquationsOfMotion, found: list[Any]) -> None:
    """In order, equal to M⁻¹ (τ − h) by NumPy, and compiled once in each process."""
    q = np.array([0.3, 0.5])
    for mass, (vdot, _, _) in zip(MASSES, found, strict=True):
        values = {"m2": mass}
        M = eom.evaluate("mass_matrix", q=q, values=values)
        h = eom.evaluate("inverse_dynamics", q=q, v=q, values=values)
        np.testing.assert_allclose(vdot, np.linalg.solve(M, q - h), rtol=1e-12)
    objects: dict[int, set[int]] = {}
    for _, worker, identity in found:
        objects.setdefault(worker, set()).add(identity)
    assert os.getpid() not in objects
    assert all(len(made) == 1 for made in objects.values())


@pytest.mark.ci
def test_a_pool_of_processes_by_default(eom: EquationsOfMotion) -> None:
    seen: list[tuple[int, int]] = []
    found = sweep(Acceleration(compile(eom)), MASSES, workers=2, progress=lambda *x: seen.append(x))
    check_accelerations(eom, found)
    assert seen == [(k + 1, len(MASSES)) for k in range(len(MASSES))]


@pytest.mark.ci
def test_a_pool_of_the_users(eom: EquationsOfMotion) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        check_accelerations(eom, sweep(Acceleration(compile(eom)), MASSES, executor=pool))


def test_threads_take_any_function() -> None:
    there = [3.0]
    with ThreadPoolExecutor(2) as pool:
        assert sweep(lambda x: x * there[0], [1, 2], executor=pool) == [3, 6]


def test_an_interrupt_is_not_a_failed_sample() -> None:
    def interrupted(x: int) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), ThreadPoolExecutor(1) as pool:
        sweep(interrupted, [1, 2], executor=pool, errors="keep")


def test_nothing_to_do() -> None:
    assert sweep(abs, []) == []


def test_progress_line(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor(1) as pool:
        sweep(abs, [1, 2, 3], executor=pool, progress=True)
        assert "3 of 3 samples" in capsys.readouterr().err
        sweep(abs, [1, 2, 3], executor=pool)
    assert not capsys.readouterr().err


# -- workers that die ----------------------------------------------------------------------------------
@pytest.mark.ci
def test_a_killed_process_is_replaced(tmp_path: Path) -> None:
    found = sweep(KillsOnce(tmp_path, at=5), range(12), workers=2)
    assert found == [k**2 for k in range(12)]
    assert (tmp_path / "killed").exists()


def test_a_sample_that_kills_is_named() -> None:
    with pytest.raises(SweepError, match=r"1 of 6 samples failed.*\n.*sample 3 \(3\)") as caught:
        sweep(kills_at_3, range(6), workers=1)
    (failure,) = caught.value.failures
    assert failure.sample == 3
    assert isinstance(failure.error, WorkerDiedError)
    assert [x for x in caught.value.results if not isinstance(x, Failure)] == [0, 1, 2, 4, 5]


def test_a_broken_pool_of_the_users_is_said() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = sweep(kills_at_3, [3, 4], executor=pool, errors="keep")
    assert isinstance(found[0], Failure)
    assert "Broken" in type(found[0].error).__name__


# -- a cluster -----------------------------------------------------------------------------------------
@pytest.mark.posix
@pytest.mark.ci
def test_a_dask_cluster(eom: EquationsOfMotion, tmp_path: Path) -> None:
    """Two worker processes: one is killed from outside, and then a sample kills whoever takes it."""
    with (
        dask.config.set(
            {
                "distributed.scheduler.allowed-failures": 1,
                "distributed.comm.timeouts.connect": "5s",  # a dead worker was waited for for 30 s
            }
        ),
        LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        executor = client.get_executor()
        check_accelerations(eom, sweep(Acceleration(compile(eom)), MASSES, executor=executor))
        one_worker_is_killed(client, tmp_path)

        found = sweep(kills_at_3, [1, 3], executor=executor, errors="keep")
        assert found[0] == 1
        assert isinstance(found[1], Failure)
        assert found[1].sample == 3
        assert "KilledWorker" in type(found[1].error).__name__


def one_worker_is_killed(client: Client, folder: Path) -> None:
    """While samples are being worked on: all results are there, and both had worked."""
    workers = list(client.run(process).values())
    assert len(set(workers)) == 2
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if done == 5:
            killed.append(workers[0])
            os.kill(workers[0], signal.SIGKILL)

    found = sweep(Notes(folder), range(40), executor=client.get_executor(), progress=kill)
    assert found == [k**2 for k in range(40)]
    worked = {int(p.name.partition(".")[0]) for p in folder.iterdir()}
    assert set(workers) <= worked
    assert killed == [workers[0]]


# -- samples that fail ---------------------------------------------------------------------------------
def test_failed_samples_are_reported_with_their_input() -> None:
    with pytest.raises(SweepError, match=r"sample 1 \(0\): ZeroDivisionError") as caught:
        sweep(misbehaves, [1, 0, 4, 7, 8], workers=1)
    assert caught.value.results[0:3:2] == [1.0, 0.25]
    zero, unportable, ours = caught.value.failures
    assert "misbehaves" in zero.traceback
    assert str(unportable.error) == "UnportableError: 7 and 2"
    assert isinstance(ours.error, UnknownNameError) or "Unknown sample '8'" in str(ours.error)


def test_failures_can_be_kept() -> None:
    with ThreadPoolExecutor(1) as pool:
        found = sweep(misbehaves, [1, 0, 4], executor=pool, errors="keep")
    assert found[0] == 1.0
    assert isinstance(found[1].error, ZeroDivisionError)


def test_wrong_arguments() -> None:
    with pytest.raises(EquamoError, match="function must be callable with a sample, got 3"):
        sweep(3, [1])  # type: ignore[arg-type]
    with pytest.raises(
        EquamoError, match=r"samples must be a list or another iterable, got 3; .*range"
    ):
        sweep(abs, 3)  # type: ignore[arg-type]
    with pytest.raises(EquamoError, match="resume must be the path of a folder, got 3"):
        sweep(abs, [1], resume=3)  # type: ignore[arg-type]
    with pytest.raises(EquamoError, match='errors must be "raise" or "keep", got \'drop\''):
        sweep(abs, [1], errors="drop")  # type: ignore[arg-type]
    for workers in (0, "all"):
        with pytest.raises(EquamoError, match=f"workers must be an integer ≥ 1, got {workers!r}"):
            sweep(abs, [1], workers=workers)  # type: ignore[arg-type]
    with ThreadPoolExecutor(1) as pool, pytest.raises(EquamoError, match="either workers or exec"):
        sweep(abs, [1], workers=1, executor=pool)
    with pytest.raises(EquamoError, match="get_executor"):
        sweep(abs, [1], executor="dask")  # type: ignore[arg-type]
    lock = ThreadPoolExecutor(1)
    with pytest.raises(EquamoError, match="cannot be sent"):
        sweep(lock.submit, [1], workers=1)


# -- scripts -------------------------------------------------------------------------------------------
SCRIPT = """
    from equamo.motion.simulation.sweep import sweep

    def double(x):
        return 2 * x

    {guard}
        print(sweep(double, [1, 2, 3], workers=1))
"""


@pytest.mark.parametrize("guarded", [True, False])
def test_a_script(tmp_path: Path, guarded: bool) -> None:
    guard = 'if __name__ == "__main__":' if guarded else "if True:"
    path = tmp_path / "script.py"
    path.write_text(textwrap.dedent(SCRIPT.format(guard=guard)), encoding="utf-8")
    run = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    if guarded:
        assert run.stdout == "[2, 4, 6]\n", run.stderr
    else:
        assert run.returncode != 0
        assert 'if __name__ == "__main__"' in run.stderr.rstrip().splitlines()[-1]

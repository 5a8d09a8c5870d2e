"""Variants of a kernel, with a driver in the host's memory: which one is chosen, and when."""

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cuda_setting import gpu
from equamo.code.jit.cuda.device import device
from equamo.code.jit.cuda.timing import PAUSE, pause, seconds
from equamo.code.jit.cuda.variants import Variant
from equamo.errors import DeviceError
from ptxas import ptxas

__all__ = ["gpu"]


def timed(monkeypatch: pytest.MonkeyPatch, *seconds: float) -> None:
    """Make the variants take these times."""
    times = iter(seconds)
    monkeypatch.setattr("equamo.code.jit.cuda.runner.seconds", lambda *_: next(times))


def test_the_fastest_variant_is_kept(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    s = gpu()
    x = s.states(2000)
    given = s.on_device(*x)
    timed(monkeypatch, 3.0, 1.0, 2.0, 2.0, 2.0, 2.0)
    found = s.call(s.compiled(), "inverse_dynamics", *given, tune=True)
    assert [v.threads for v in found] == [64, 32, 128, 64, 128, 64]
    again = s.compiled()
    s.call(again, "inverse_dynamics", *given)  # another object reads the choice from disk
    assert s.fake.launches[-1][3] == 32
    ((kind, times),) = again.inverse_dynamics.variants.items()
    assert kind == "float64: q rows, v rows, vdot rows, parameters value, tau rows"
    assert times == found
    assert [str(v) for v in found][4] == "128 threads, 4 blocks, 46 values in registers"


def test_the_first_large_batch_is_measured(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    s = gpu()
    monkeypatch.setattr("equamo.code.jit.cuda.runner.MANY", 1500)
    given = s.on_device(*s.states(1500))
    fast = s.compiled()
    few = s.on_device(*s.states(1499))
    s.call(fast, "forward_dynamics", *few)
    s.call(fast, "forward_dynamics", *given, tune=False)
    s.fake.capturing = True  # a CUDA graph: nothing can be measured
    s.call(fast, "forward_dynamics", *given)
    s.fake.capturing = False
    monkeypatch.setenv("EQUAMO_TUNE", "0")
    s.call(fast, "forward_dynamics", *given)
    assert [x[3] for x in s.fake.launches] == [64] * 4
    assert fast.forward_dynamics.variants == {}
    monkeypatch.delenv("EQUAMO_TUNE")
    timed(monkeypatch, 3.0, 2.0, 1.0, 2.0, 2.0, 2.0)
    for _ in range(2):  # measured once
        s.call(fast, "forward_dynamics", *given)
    s.call(fast, "forward_dynamics", *few)
    assert [x[3] for x in s.fake.launches[4:]] == [128] * 3


def test_a_variant_that_fails_is_left_out(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    s = gpu()
    given = s.on_device(*s.states(2000))
    times = iter([DeviceError("no room"), 2.0, 1.0, 3.0, 3.0, 3.0, *[DeviceError("none")] * 6])

    def seconds(*_: Any) -> float:
        found = next(times)
        if isinstance(found, DeviceError):
            raise found
        return found

    monkeypatch.setattr("equamo.code.jit.cuda.runner.seconds", seconds)
    found = s.call(s.compiled(), "mass_matrix", given[0], tune=True)
    assert [v.threads for v in found] == [32, 128, 64, 128, 64]
    with pytest.raises(DeviceError, match="none"):
        s.call(s.compiled(), "mass_matrix", given[0], tune=True)


def test_values_wait_in_shared_memory(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that parks values asks for shared memory, and does so again from the disk cache."""
    s = gpu()
    given = s.on_device(*s.states(2000))
    parking = Variant(1, 128, False, 1, 4, constants=True)
    monkeypatch.setattr("equamo.code.jit.cuda.code.large", lambda *_: (parking,))
    for _ in range(2):
        found = s.call(s.compiled(), "forward_dynamics", *given)
        assert np.array_equal(found.to_numpy(), s.cpu.forward_dynamics(*s.states(2000)))
    first, second = (x[3:] for x in s.fake.launches)
    assert first == second
    assert first[0] == 128
    assert 128 * 8 < first[1] < 100_000
    assert b"ld.const.f64" in s.fake.texts[-1]
    assert b"st.volatile.shared" in s.fake.texts[-1]
    s.fake.fail["cuFuncSetAttribute"] = 1
    with pytest.raises(DeviceError, match=r"bytes of shared memory for forward_dynamics"):
        s.call(s.compiled(), "forward_dynamics", *given)


def test_launches_are_timed(gpu: Any) -> None:
    s = gpu()
    launched: list[int] = []
    assert seconds(device(0), 0, lambda: launched.append(1)) == 0.0
    assert len(launched) == 1 + 6 * 4
    assert s.fake.launches == []
    pause.cache_clear()  # of a driver that is gone after this test


@pytest.mark.ptxas
def test_ptxas_accepts_a_pause(tmp_path: Path) -> None:
    (tmp_path / "pause.ptx").write_text(PAUSE)
    line = [ptxas(), "-arch=sm_90", tmp_path / "pause.ptx", "-o", tmp_path / "pause.cubin"]
    assert subprocess.run(line, capture_output=True).returncode == 0

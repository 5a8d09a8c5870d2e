"""A robot for the CPU and for a GPU that is not there: what the tests of calls on a GPU share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.code.jit.cuda import device as device_module, driver as driver_module
from equamo.code.jit.cuda.arrays import DeviceArray
from equamo.code.jit.cuda.device import device
from equamo.code.jit.cuda.driver import Driver
from fake_cuda import FakeCuda


class Setting:
    """A robot for the CPU and for the false GPU, and states."""

    def __init__(self, robot: Any = "rr_arm", **options: Any) -> None:
        self.eom = eq.derive(eq.load(robot)) if isinstance(robot, str) else robot
        self.cpu = eq.compile(self.eom)
        self.fake = FakeCuda(self.cpu, **options)
        self.driver = Driver(self.fake)

    def compiled(self, **options: Any) -> eq.Compiled:
        return eq.compile(self.eom, device="cuda", **options)

    def call(self, gpu: Any, name: str, *given: Any, **options: Any) -> Any:
        kind = f"{name}_packed" if options.get("packed") else name
        self.fake.function = self.cpu.function(kind)
        return getattr(gpu, name)(*given, **options)

    def states(self, count: int | None, number: int = 3) -> list[np.ndarray]:
        shape = (len(self.eom.q),) if count is None else (count, len(self.eom.q))
        rng = np.random.default_rng(1)
        return [rng.normal(size=shape) for _ in range(number)]

    def on_device(self, *arrays: np.ndarray) -> list[DeviceArray]:
        found = [DeviceArray(device(0), x.shape, str(x.dtype), "testing") for x in arrays]
        for target, x in zip(found, arrays, strict=True):
            target.fill(x)
        return found


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """Make a Setting whose driver is the one of the process; with a cache of its own, since the fastest
    variants of kernels are kept there."""
    monkeypatch.setenv("EQUAMO_CACHE", str(tmp_path / "cache"))

    def make(robot: Any = "rr_arm", **options: Any) -> Setting:
        setting = Setting(robot, **options)
        device_module.device.cache_clear()
        for module in (driver_module, device_module):
            monkeypatch.setattr(module, "driver", lambda: setting.driver)
        monkeypatch.setattr("equamo.code.jit.cuda.selftest.driver", lambda: setting.driver)
        return setting

    yield make
    device_module.device.cache_clear()

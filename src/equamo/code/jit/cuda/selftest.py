"""GPU lines of `equamo doctor`: device, driver, memory, and whether a function runs there."""

from __future__ import annotations

import numpy as np

from ....errors import EquamoError
from ....mechanics.equations.derive import derive
from ....robot.library.registry import load
from .device import device
from .driver import device_count, driver


def gpus() -> list[str]:
    """One line per GPU; a DeviceError says what is missing."""
    major, minor = driver().version
    lines: list[str] = []
    for ordinal in range(device_count()):
        place = device(ordinal)
        free, total = place.memory
        capability = ".".join(map(str, place.capability))
        lines.append(
            f"{place.name}, compute capability {capability}, CUDA {major}.{minor}, "
            f"{free / 2**30:.1f} of {total / 2**30:.1f} GiB free, {self_test(ordinal)}"
        )
    return lines


def self_test(ordinal: int) -> str:
    """Run inverse dynamics of a small robot on a GPU and on the CPU: "self-test passed", or why not."""
    from ..compiled import compile

    try:
        eom = derive(load("rr_arm"))
        states = np.random.default_rng(1).uniform(-3, 3, (3, 1000, 2))
        found = compile(eom, device=f"cuda:{ordinal}", cache=False).inverse_dynamics(*states)
        error = float(np.abs(found - compile(eom).inverse_dynamics(*states)).max())
    except EquamoError as failure:
        return f"self-test failed: {failure}"
    passed = error <= 1e-12 * float(np.abs(found).max())
    return "self-test passed" if passed else f"self-test failed: error {error:.2g}"

"""Functions of samples that workers import: light, so that processes start soon."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from equamo.code.jit.compiled import Compiled
from equamo.errors import UnknownNameError

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # on Windows os.kill ends a process in any case


@dataclass
class Acceleration:
    """v̇ of an arm for another mass, and the process and the object that it was computed by."""

    fast: Compiled

    def __call__(self, mass: float) -> tuple[np.ndarray, int, int]:
        q = np.array([0.3, 0.5])
        vdot = self.fast.forward_dynamics(q, q, q, values={"m2": mass})
        return vdot, os.getpid(), id(self.fast)


@dataclass
class KillsOnce:
    """Ends its process at one sample, the first time only."""

    folder: Path
    at: int

    def __call__(self, sample: int) -> int:
        mark = self.folder / "killed"
        if sample == self.at and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), KILL)
        return sample**2


@dataclass
class Notes:
    """Says where it works, and waits there a little."""

    folder: Path

    def __call__(self, sample: int) -> int:
        (self.folder / f"{os.getpid()}.{sample}").touch()
        time.sleep(0.05)
        return sample**2


def kills_at_3(sample: int) -> int:
    if sample == 3:
        os.kill(os.getpid(), KILL)
    return sample


def misbehaves(sample: int) -> float:
    """Raises what cannot be pickled, an error of ours, or 1/0."""
    if sample == 7:
        raise UnportableError(sample, 2)
    if sample == 8:
        raise UnknownNameError("sample", "8", ["1"])
    return 1 / sample


class UnportableError(Exception):
    """Cannot be read back: it takes two arguments and remembers one."""

    def __init__(self, a: int, b: int) -> None:
        super().__init__(f"{a} and {b}")


def process() -> int:
    return os.getpid()


def exits_at_3(sample: int) -> int:
    if sample == 3:
        sys.exit(7)
    return sample


@dataclass
class Sleeps:
    """Says where it works, and then sleeps for longer than any test waits."""

    folder: Path

    def __call__(self, sample: int) -> None:
        (self.folder / str(os.getpid())).touch()
        time.sleep(600)


@dataclass
class Counts:
    """Notes every call, so that a test sees which samples were computed again."""

    folder: Path
    factor: int = 2

    def __call__(self, sample: int) -> int:
        with (self.folder / f"calls of {sample}").open("a") as file:
            file.write("x")
        if sample == 4 and not (self.folder / "go").exists():
            raise ValueError("not yet")
        return self.factor * sample


def process_of(sample: int) -> int:
    return os.getpid()


def waits_for_its_parent(watch: str, folder: str) -> None:
    """A worker with one watch over its parent only."""
    from equamo.motion.simulation.worker_process import die_with_parent, watch_parent

    if watch == "kernel":
        die_with_parent()
    (Path(folder) / str(os.getpid())).touch()
    if watch == "kernel":
        time.sleep(600)
    else:
        watch_parent(os.getppid())

"""Compile C and C++ once: libraries lie in build/benchmarks under a digest of all they are made from."""

from __future__ import annotations

import ctypes
import hashlib
import shlex
import subprocess
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / "build" / "benchmarks"
FLAGS = ("-O3", "-march=native", "-DNDEBUG", "-fPIC", "-shared")


class NotBuiltError(Exception):
    """A compiler that is missing, failed, or took longer than it was given."""


@cache
def compiler(name: str) -> str:
    """First line of a compiler's version message."""
    try:
        done = subprocess.run([name, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotBuiltError(f"{name} is not there: {error}") from error
    return done.stdout.splitlines()[0]


@cache
def _native(name: str) -> str:
    """What -march=native means here; a library from another CPU must not be found."""
    line = [name, "-march=native", "-E", "-v", "-x", "c", "/dev/null"]
    said = subprocess.run(line, capture_output=True, text=True).stderr
    return "\n".join(x for x in said.splitlines() if "cc1" in x)


def library(
    source: Path | str, name: str, *, flags: Sequence[str] = (), after: Sequence[str] = (),
    versions: Sequence[str] = (), limit: float = 900.0, optimise: Sequence[str] = FLAGS,
) -> ctypes.CDLL:  # fmt: skip
    """The shared library of one source file (a path, or C as text), compiled unless it is there.

    `versions` name what the digest cannot see: headers that are not ours. `after` follows the source.
    """
    path = source if isinstance(source, Path) else None
    text = source.read_text() if isinstance(source, Path) else source
    tool = "g++" if path and path.suffix == ".cpp" else "gcc"
    line = [tool, *optimise, *flags]
    key = "\0".join([text, *line, *after, *versions, compiler(tool), _native(tool)])
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    made = FOLDER / f"{name}-{digest}.so"
    if not made.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        if path is None:
            path = made.with_suffix(".c")
            path.write_text(text)
        start = time.perf_counter()
        print(f"   {tool}: {name} …", end="", flush=True)
        unfinished = made.with_suffix(".part")
        command = [*line, str(path), "-o", str(unfinished), *after]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            print(f" not finished in {limit:.0f} s", flush=True)
            raise NotBuiltError(f"{name}: not compiled in {limit:.0f} s") from None
        if done.returncode:
            raise NotBuiltError(f"{shlex.join(command)}\n{done.stderr[-2000:]}")
        unfinished.rename(made)
        print(f" {time.perf_counter() - start:.0f} s", flush=True)
    return ctypes.CDLL(str(made))

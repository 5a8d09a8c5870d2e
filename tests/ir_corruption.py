"""Random errors in the lines of a module of LLVM IR, and what the compiled kernel then computes.

A kernel with an error may write anywhere, so kernels run in a process of their own: one that dies has
been changed beyond rounding.
"""

from __future__ import annotations

import ctypes
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, TypedDict

import numpy as np

from equamo.code.jit import engine

SWAPS = {
    "fadd": "fsub", "fsub": "fadd", "fmul": "fdiv", "fdiv": "fmul", "shl": "lshr", "and": "or",
    "xor": "and", "slt": "sge", "olt": "ogt", "ogt": "olt", "add": "sub", "mul": "add",
}  # fmt: skip
NAME = re.compile(r"%[\w.]+")
LITERAL = re.compile(r"\b0x[0-9A-F]{16}\b")
INTEGER = re.compile(r"\bi(?:32|64) (\d+)")
ROOM = 4096  # numbers before and after each array, and arrays beyond those there are


def corrupted(text: str, random: Random) -> tuple[str, str] | None:
    """The module with one line changed, and what was done; None if nothing fits the line drawn."""
    lines = text.split("\n")
    i = random.randrange(len(lines))
    line = lines[i]
    if " = " not in line and not line.startswith("  store"):
        return None
    head, equals, tail = line.rpartition(" = ")
    kind = random.choice(["opcode", "operand", "constant", "index", "sign"])
    if kind == "opcode":
        found = [m for m in re.finditer(r"\b[a-z]+\b", tail) if m[0] in SWAPS]
        tail = _replaced(tail, found, random, lambda m: SWAPS[m[0]])
    elif kind == "operand":
        known = [x for row in lines[max(0, i - 60) : i] for x in NAME.findall(row)]
        if known:
            tail = _replaced(
                tail, list(NAME.finditer(tail)), random, lambda _: random.choice(known)
            )
    elif kind == "constant":
        found = list(LITERAL.finditer(tail))
        tail = _replaced(tail, found, random, lambda m: _other_number(m[0], random))
    elif kind == "index":
        found = list(INTEGER.finditer(tail))
        tail = _replaced(tail, found, random, lambda m: _other_index(m[0], random))
    elif m := re.fullmatch(r"fneg (.*) (%[\w.]+)", tail):
        tail = f"fsub {m[1]} {m[2]}, {'zeroinitializer' if m[1][0] == '<' else '0.0'}"
    lines[i] = head + equals + tail
    return None if lines[i] == line else ("\n".join(lines), f"{kind}: {line.strip()} -> {tail}")


def _replaced(text: str, found: Sequence[re.Match[str]], random: Random, new: Any) -> str:
    if not found:
        return text
    m = random.choice(found)
    return text[: m.start()] + new(m) + text[m.end() :]


def _other_number(literal: str, random: Random) -> str:
    """Another bit among the sign, the last of the exponent, and the first of the significand."""
    return f"0x{int(literal, 16) ^ (1 << random.choice([63, *range(34, 54)])):016X}"


def _other_index(text: str, random: Random) -> str:
    kind, digits = text.split()
    return f"{kind} {max(0, int(digits) + random.choice([-2, -1, 1, 2]))}"


# -- running -------------------------------------------------------------------------------------------
class Job(TypedDict):
    """A kernel and what it is called with."""

    text: str
    sizes: Sequence[int]  # of the arguments
    outputs: Sequence[int]
    dtype: str
    lanes: int
    values: Sequence[Sequence[float]]


def results(jobs: Sequence[Job]) -> list[list[float] | None]:
    """What each kernel stores; None for one that ends the process."""
    found: list[list[float] | None] = []
    while len(found) < len(jobs):
        run = subprocess.run(
            [sys.executable, __file__],
            input=json.dumps(jobs[len(found) :]),
            capture_output=True,
            text=True,
            check=False,
        )
        found += [json.loads(line) for line in run.stdout.split("\n") if line.endswith("]")]
        if run.returncode:
            found.append(None)
    return found[: len(jobs)]


def main() -> None:
    """Run the jobs that come as text; a line of numbers for each."""
    for job in json.load(sys.stdin):
        print(json.dumps(run_kernel(job)), flush=True)


def run_kernel(job: Job) -> list[float]:
    """One call of the kernel, on arrays with room around them and more arrays behind the last."""
    lanes, dtype = job["lanes"], job["dtype"]
    loaded = engine.load(engine.object_code(job["text"]))
    states = 1 + np.arange(lanes) / 16  # each lane has its own
    places = [_aligned(n * lanes, dtype) for n in (*job["sizes"], *job["outputs"], *[0] * 8)]
    for place, x in zip(places, job["values"], strict=False):
        place[:] = np.outer(x, states).ravel()
    pointers = (ctypes.c_void_p * len(places))(*[p.ctypes.data for p in places])
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(loaded.address("kernel"))(pointers)
    first = len(job["sizes"])
    return [float(x) for p in places[first : first + len(job["outputs"])] for x in p]


def _aligned(size: int, dtype: str) -> np.ndarray:
    """Zeros at an address that is a multiple of 128, with room before and after them."""
    whole = np.zeros(size + 2 * ROOM + 64, dtype)
    past = (whole.ctypes.data + ROOM * whole.itemsize) % 128
    start = ROOM + (128 - past) // whole.itemsize
    return whole[start : start + size]


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()

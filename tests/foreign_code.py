"""Texts of other people's code, run by gcc, Python and Octave, next to the expressions that are read."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.review.programs import Function, read_code

SIZE = 64  # numbers that a C function may write


def read(text: str, language: str, **options: Any) -> Function:
    """The last function of a text."""
    return read_code(text, language, **options)[-1]


def evaluated(function: Function, values: Mapping[str, Any]) -> list[np.ndarray]:
    """Every output at numbers for the arguments."""
    known = {
        x: float(number)
        for argument in function.inputs
        for x, number in zip(
            argument.symbols, np.ravel(np.asarray(values[argument.name], dtype=float)), strict=False
        )
    }
    found: list[np.ndarray] = []
    for output in function.outputs:
        array = np.full(output.shape, np.nan)
        numbers = evaluate_floats(list(output.entries.values()), known)
        for index, number in zip(output.entries, numbers, strict=True):
            array[index] = number
        found.append(array)
    return found


def compiled(texts: Sequence[str], folder: Path) -> list[Any]:
    """Shared libraries of C texts, by gcc -O0."""
    for k, text in enumerate(texts):
        (folder / f"t{k}.c").write_text(text)
    commands = [
        ["gcc", "-std=gnu11", "-O0", "-w", "-shared", "-fPIC", f"t{k}.c", "-lm", "-o", f"t{k}.so"]
        for k in range(len(texts))
    ]
    for command in commands:
        subprocess.run(command, cwd=folder, check=True)
    return [ctypes.CDLL(str(folder / f"t{k}.so")) for k in range(len(texts))]


def called(library: Any, name: str, arguments: Sequence[Any]) -> tuple[float, list[np.ndarray]]:
    """Call a C function; a float is passed by value, a list as an array, None as an array to write."""
    f = getattr(library, name)
    f.restype = ctypes.c_double
    arrays: list[np.ndarray] = []
    passed: list[Any] = []
    for x in arguments:
        if isinstance(x, float):
            passed.append(ctypes.c_double(x))
            continue
        array = np.zeros(SIZE) if x is None else np.array(x, dtype=float).ravel()
        passed.append(array.ctypes.data_as(ctypes.c_void_p))
        arrays += [array] if x is None else []
    return f(*passed), arrays


def octave(calls: Sequence[tuple[str, str, str]], folder: Path) -> list[np.ndarray]:
    """The results of (name, text, arguments), in one process of Octave."""
    lines = ["1;"]
    for k, (name, text, arguments) in enumerate(calls):
        here = folder / f"t{k}"
        here.mkdir()
        (here / f"{name}.m").write_text(text)
        lines.append(f"addpath('{here}'); r = {name}({arguments}); rmpath('{here}'); clear {name};")
        lines.append("printf('%d %d', size(r)); printf(' %.17g', r); printf('\\n');")
    (folder / "all.m").write_text("\n".join(lines))
    command = ["octave-cli", "--norc", "--no-history", "--quiet", "all.m"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = [[float(x) for x in line.split()] for line in done.stdout.splitlines()]
    return [
        np.array(numbers).reshape((int(rows_), int(columns)), order="F")
        for rows_, columns, *numbers in rows
    ]

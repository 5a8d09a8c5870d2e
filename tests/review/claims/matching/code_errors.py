"""Single errors put into programs: a sign, an index, a factor, sin for cos, a dropped term.

The edits are made in the text, without our readers, and gcc decides which of them are errors: what the
edited function computes at random numbers must differ from what the original computes.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

KINDS = ("sign", "index", "factor", "sine", "dropped")
_FUNCTION = re.compile(r"^void (\w+)\((.*?)\) \{\n(.*?)^\}", re.DOTALL | re.MULTILINE)
_ASSIGNMENT = re.compile(r"^(\s*[^=\n]+ = )(.*);$")
DIFFERENT = 1e-6  # relative; rounding errors are below 1e-12


@dataclass(frozen=True)
class CFunction:
    """A function of C with one assignment per line."""

    name: str
    arguments: str
    body: str

    def text(self, name: str) -> str:
        return f"void {name}({self.arguments}) {{\n{self.body}}}\n"

    @property
    def result(self) -> str:
        return self.arguments.rpartition("*")[2].strip()


@dataclass(frozen=True)
class Seeded:
    """A function with one error."""

    kind: str
    original: CFunction
    edited: CFunction


def functions(source: str) -> list[CFunction]:
    return [CFunction(*m.groups()) for m in _FUNCTION.finditer(source)]


def seeded(originals: list[CFunction], count: int, seed: int, folder: Path) -> list[Seeded]:
    """So many edits that change what is computed, all kinds equally often."""
    random = Random(seed)
    found: list[Seeded] = []
    while len(found) < count:
        tried: list[Seeded] = []
        for k in range(count - len(found)):
            f, kind = random.choice(originals), KINDS[(len(found) + k) % len(KINDS)]
            body = edited(f, kind, random)
            if body is not None:
                tried.append(Seeded(kind, f, CFunction(f.name, f.arguments, body)))
        found += errors(tried, folder)
    return found


def edited(f: CFunction, kind: str, random: Random) -> str | None:
    """The body with one edit in one assignment; None if the line has no place for it."""
    lines = f.body.split("\n")
    k = random.choice([i for i, line in enumerate(lines) if _ASSIGNMENT.match(line)])
    match = _ASSIGNMENT.match(lines[k])
    assert match is not None
    left, right = match.groups()
    new = expression_edit(right, kind, random, f.arguments)
    if new is None or new == right:
        return None
    lines[k] = f"{left}{new};"
    return "\n".join(lines)


def expression_edit(text: str, kind: str, random: Random, known: str = "") -> str | None:
    """An expression with one edit; `known` has the names that it may use."""
    if kind == "sign":
        return _replaced(text, r" [+-] ", lambda x: " - " if x == " + " else " + ", random)
    if kind == "sine":
        return _replaced(text, r"\b(?:sin|cos)\b", lambda x: "cos" if x == "sin" else "sin", random)
    if kind == "factor":
        return _replaced(
            text, r"(?<![\w.\])])[A-Za-z_]\w*(?:\[\d\])?(?!\w|\()", "2*{}".format, random
        )
    if kind == "index":
        return _replaced(
            text, r"[A-Za-z_]+\[?\d\]?(?!\w)", lambda x: _other(x, known, random), random
        )
    terms = _terms(text)
    if len(terms) < 2:
        return None
    del terms[random.randrange(len(terms))]
    return "".join(terms).strip().removeprefix("+ ").replace("- ", "-", 1 if terms else 0)


def _replaced(text: str, pattern: str, change: object, random: Random) -> str | None:
    places = list(re.finditer(pattern, text))
    if not places:
        return None
    m = random.choice(places)
    return text[: m.start()] + change(m[0]) + text[m.end() :]  # type: ignore[operator]


def _other(name: str, known: str, random: Random) -> str:
    """The name with another number, if the function has it; arrays have at least two entries."""
    number = int(re.findall(r"\d", name)[0])
    if "[" in name:
        return name.replace(str(number), str(1 - number if number < 2 else number - 1))
    others = [name.replace(str(number), str(k)) for k in range(1, 4) if k != number]
    others = [x for x in others if re.search(rf"\b{x}\b", known)]
    return random.choice(others) if others else name


def _terms(text: str) -> list[str]:
    """Terms of a sum with the signs before them; what stands in parentheses is not divided."""
    terms, depth, start = list[str](), 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if not depth and text[i : i + 3] in (" + ", " - "):
            terms.append(text[start:i])
            start = i
    return [*terms, text[start:]]


def errors(tried: list[Seeded], folder: Path) -> list[Seeded]:
    """Those edits after which gcc's code computes something else."""
    texts = ["#include <math.h>\n"]
    for k, s in enumerate(tried):
        texts += [s.original.text(f"original_{k}"), s.edited.text(f"edited_{k}")]
    library = compiled("\n".join(texts), folder)
    found: list[Seeded] = []
    for k, s in enumerate(tried):
        values = [run(library, f"{x}_{k}", s.original) for x in ("original", "edited")]
        gap = np.abs(values[1] - values[0])
        if np.any(gap > DIFFERENT * np.maximum(1.0, np.abs(values[0]))):
            found.append(s)
    return found


def compiled(text: str, folder: Path) -> ctypes.CDLL:
    source = folder / f"seeded_{len(list(folder.iterdir()))}.c"
    source.write_text(text, encoding="utf-8")
    target = source.with_suffix(".so")
    command = ["gcc", "-O0", "-shared", "-fPIC", "-o", str(target), str(source), "-lm"]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(target))


def run(library: ctypes.CDLL, name: str, f: CFunction) -> np.ndarray:
    """What a function computes for three fixed random choices of its arguments."""
    rng = np.random.default_rng(5)
    results: list[np.ndarray] = []
    for _ in range(3):
        result = np.zeros(16)
        values: list[object] = []
        for a in f.arguments.split(",")[:-1]:
            numbers = rng.uniform(0.5, 2.0, 24)
            pointer = numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
            values.append(pointer if "*" in a else ctypes.c_double(numbers[0]))
        getattr(library, name)(*values, result.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))
        results.append(result)
    return np.concatenate(results)


# -- NumPy ---------------------------------------------------------------------------------------------
_HEAD = re.compile(r"^def (\w+)\((.*?)\):$", re.MULTILINE)


def numpy_errors(source: str, count: int, seed: int) -> list[tuple[str, str, str]]:
    """(kind, function, module) with one error in the function; Python decides which are errors."""
    random = Random(seed)
    lines = source.split("\n")
    starts = [i for i, line in enumerate(lines) if _HEAD.match(line)]
    right = _called(source)
    found: list[tuple[str, str, str]] = []
    while len(found) < count:
        kind = KINDS[len(found) % len(KINDS)]
        k = random.randrange(starts[0], len(lines))
        match = re.match(r"^(    t\d+ = )(.*)$", lines[k])
        new = match and expression_edit(match[2], kind, random, source)
        if not match or not new or new == match[2]:
            continue
        edited = "\n".join([*lines[:k], match[1] + new, *lines[k + 1 :]])
        name = _HEAD.match(lines[max(i for i in starts if i <= k)])
        try:
            values = _called(edited)
        except NameError:  # a temporary that comes later
            continue
        assert name is not None
        gap = np.abs(values[name[1]] - right[name[1]])
        if np.any(gap > DIFFERENT * np.maximum(1.0, np.abs(right[name[1]]))):
            found.append((kind, name[1], edited))
    return found


def _called(source: str) -> dict[str, np.ndarray]:
    """What the functions of a module compute at one random state."""
    module: dict[str, Any] = {}
    exec(compile(source, "generated", "exec"), module)
    rng = np.random.default_rng(5)
    results: dict[str, np.ndarray] = {}
    n, count = (len(x.split(",")) for x in (
        re.findall(r"^    (q1, .*) = q$", source, re.MULTILINE)[0],
        re.findall(r"^    (.*) = parameters$", source, re.MULTILINE)[0]))  # fmt: skip
    q, v, p = (rng.uniform(0.5, 2.0, k) for k in (n, n, count))
    for name, _ in _HEAD.findall(source):
        results[name] = module[name](q, v, p)
    return results


# -- CasADi --------------------------------------------------------------------------------------------
_CASADI = {
    "sign": (r"=\((a\d+)([+-])(a\d+)\);", lambda m: f"=({m[1]}{'-' if m[2] == '+' else '+'}{m[3]});"),
    "index": (r"arg\[0\]\? arg\[0\]\[(\d)\]", lambda m: f"arg[0]? arg[0][{(int(m[1]) + 1) % 6}]"),
    "factor": (r"=(\(a\d+\*a\d+\));", lambda m: f"=(2.*{m[1]});"),
    "sine": (r"=(sin|cos)\(", lambda m: f"={'sin' if m[1] == 'cos' else 'cos'}("),
    "dropped": (r"=\((a\d+)[+-](a\d+)\);", lambda m: f"={m[1]};"),
}  # fmt: skip


def casadi_errors(
    source: str, sizes: list[int], count: int, seed: int, folder: Path
) -> list[tuple[str, str]]:  # fmt: skip
    """(kind, file) with one error; gcc decides which are errors."""
    random = Random(seed)
    right = _casadi_called(source, sizes, folder)
    found: list[tuple[str, str]] = []
    while len(found) < count:
        kind = KINDS[len(found) % len(KINDS)]
        pattern, change = _CASADI[kind]
        m = random.choice(list(re.finditer(pattern, source)))
        edited = source[: m.start()] + change(m) + source[m.end() :]
        gap = np.abs(_casadi_called(edited, sizes, folder) - right)
        if np.any(gap > DIFFERENT * np.maximum(1.0, np.abs(right))):
            found.append((kind, edited))
    return found


def _casadi_called(source: str, sizes: list[int], folder: Path) -> np.ndarray:
    """All results of `dynamics(q, v, vdot)` at one random state."""
    library = compiled(source, folder)
    rng = np.random.default_rng(5)
    real = ctypes.POINTER(ctypes.c_double)
    given = [rng.uniform(0.5, 2.0, 9) for _ in range(3)]
    results = [np.zeros(n) for n in sizes]
    arg = (real * 3)(*(x.ctypes.data_as(real) for x in given))
    res = (real * len(sizes))(*(x.ctypes.data_as(real) for x in results))
    library.dynamics(arg, res, None, None, 0)
    return np.concatenate(results)


def one_file(items: Iterable[CFunction]) -> str:
    """One file with all functions, numbered; comments say what they are meant to be."""
    text = "#include <math.h>\n"
    for k, f in enumerate(items):
        name = f"{f.name}_{k}"
        text += f"/* equamo: {name}.{f.result} = {f.name} */\n{f.text(name)}"
    return text

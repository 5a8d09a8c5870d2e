"""Every target as a callable: the functions of a robot at all states, in and out as arrays.

A caller is made for the functions of `exact_values.tested`; it takes a name and {argument: (N, length)}
and gives (N, entries). Octave is one process for all robots: it waits for the next folder.
"""

from __future__ import annotations

import ctypes
import importlib.util
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from equamo.code.codegen.generate import package_of
from equamo.code.codegen.targets import Package, Routine, target
from equamo.code.ir.functions import Function
from equamo.code.ir.program import Program
from equamo.code.jit.compiled import compile
from equamo.mechanics.equations import EquationsOfMotion
from generated_code import run

States = Mapping[str, np.ndarray]
Call = Callable[[str], np.ndarray]


def made_once() -> Callable[..., Program]:
    """`Function.program` that makes the program of each function once, for all targets of a robot."""
    make, made = Function.program, dict[Any, Program]()

    def program(self: Function, fused: bool = True) -> Program:
        key = self.name, tuple(map(len, self.arguments)), fused
        if key not in made:
            made[key] = make(self, fused)
        return made[key]

    return program


def machine_code(eom: EquationsOfMotion, given: States, lanes: int) -> Call:
    """`eq.compile` on the whole batch."""
    fast = compile(eom, lanes=lanes, threads=1, cache=False)
    names = [s.name for s in eom.parameters]
    values = dict(zip(names, map(float, given["parameters"][0]), strict=True)) if names else None

    def call(name: str) -> np.ndarray:
        kind, _, frame = name.partition(" ")
        f = fast.function(kind, frame or None)
        return f(*(given[a] for a in f.states), values=values, external=given.get("external"))

    return call


def package(eom: EquationsOfMotion, functions: Mapping[str, Function], dtype: Any) -> Package:
    """The functions as a target is given them."""
    return package_of(eom, [f.name for f in functions.values()], dtype)


def routines(found: Package, functions: Mapping[str, Function]) -> dict[str, Routine]:
    """The routine that is written for each function."""
    by_name = {r.program.name: r for r in found.routines}
    return {n: by_name[f.name] for n, f in functions.items()}


def write(to: str, found: Package, folder: Path) -> None:
    folder.mkdir()
    for file, text in target(to).files(found).items():
        (folder / file).write_text(text, encoding="ascii")


def c_library(
    found: Package, functions: Mapping[str, Function], given: States, folder: Path
) -> Call:
    """C by gcc -O0, one call per state."""
    write("c", found, folder)
    command = ["gcc", "-std=c99", "-O0", "-shared", "-fPIC", f"{found.name}.c", "-lm"]
    done = run([*command, "-o", "robot.so"], folder)
    assert done.returncode == 0, done.stderr
    library, table = ctypes.CDLL(str(folder / "robot.so")), routines(found, functions)

    def call(name: str) -> np.ndarray:
        r = table[name]
        arrays = [np.ascontiguousarray(given[a.name]) for a in r.arguments]
        count = len(given["q"])
        arrays.append(np.full((count, r.size), np.nan, found.dtype))
        function = getattr(library, f"{found.name}_{r.name}")
        function.argtypes, function.restype = [ctypes.c_void_p] * len(arrays), None
        places = [(x.ctypes.data, x.strides[0]) for x in arrays]
        for i in range(count):
            function(*(begin + i * step for begin, step in places))
        return arrays[-1]

    return call


def numpy_module(
    found: Package, functions: Mapping[str, Function], given: States, folder: Path
) -> Call:
    """A module, on the whole batch."""
    write("numpy", found, folder)
    path = folder / f"{found.name}.py"
    spec = importlib.util.spec_from_file_location(f"accuracy_{found.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    table = routines(found, functions)

    def call(name: str) -> np.ndarray:
        r = table[name]
        with np.errstate(all="ignore"):  # where angles lock
            return getattr(module, r.name)(*(given[a.name] for a in r.arguments))

    return call


# For each function NAME there is NAME.in: the lengths of its arguments, then a column for each state.
_ANSWER = """
function answer(folder, prefix, count)
  addpath(folder);
  found = dir([folder '/*.in']);
  for k = 1:numel(found)
    name = found(k).name(1:end-3);
    file = fopen([folder '/' name '.in']);
    lengths = fread(file, fread(file, 1, 'double'), 'double');
    x = fread(file, [sum(lengths), count], 'double');
    fclose(file);
    f = str2func([prefix '_' name]);
    ends = cumsum(lengths);
    y = [];
    for i = 1:count
      given = mat2cell(x(:, i), lengths, 1);
      z = f(given{:}).';
      if i == 1, y = zeros(numel(z), count); end
      y(:, i) = z(:);
    end
    file = fopen([folder '/' name '.out'], 'w');
    fwrite(file, y, 'double');
    fclose(file);
  end
  rmpath(folder);
end
"""
_REQUEST = """
try, answer('{folder}', '{prefix}', {count}); disp('ANSWERED');
catch problem, disp(['FAILED ' problem.message]); end, fflush(stdout);
"""


class Octave:
    """An Octave process that runs the .m files of one folder after another."""

    def __init__(self, folder: Path) -> None:
        (folder / "answer.m").write_text(_ANSWER)
        self._process = subprocess.Popen(
            ["octave-cli", "--norc", "--no-history", "--quiet", "--path", str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def begin(
        self, found: Package, functions: Mapping[str, Function], given: States, folder: Path
    ) -> Call:
        """The call waits for the answer: until then Octave works beside us."""
        write("matlab", found, folder)
        table, count = routines(found, functions), len(given["q"])
        for r in table.values():
            arrays = [given[a.name].astype(float) for a in r.arguments]
            lengths = [len(arrays), *(x.shape[1] for x in arrays)]
            data = np.concatenate([lengths, np.concatenate(arrays, axis=1).ravel()])
            (folder / f"{r.name}.in").write_bytes(data.tobytes())
        request = _REQUEST.format(folder=folder, prefix=found.name, count=count)
        self._write(request.strip().replace("\n", " ") + "\n")
        waiting = [True]

        def call(name: str) -> np.ndarray:
            if waiting:
                self._wait()
                waiting.clear()
            r = table[name]
            return np.fromfile(folder / f"{r.name}.out").reshape(count, r.size)

        return call

    def _write(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text)
        self._process.stdin.flush()

    def _wait(self) -> None:
        assert self._process.stdout is not None
        said = list(self._until_answered(self._process.stdout))
        assert said == ["ANSWERED"], said

    @staticmethod
    def _until_answered(lines: Iterable[str]) -> Iterable[str]:
        for line in lines:
            if line.strip():
                yield line.strip()
            if line.startswith(("ANSWERED", "FAILED")):
                return

    def close(self) -> None:
        """End the process, even if it is still computing for a test that failed."""
        try:
            self._process.communicate("exit\n", timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

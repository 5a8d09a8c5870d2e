"""Generated text with one character wrong, and what it then computes, by its own language.

`Python`, `gcc -O0`, `node` and `octave` are the judges: each runs many texts in few processes and gives
the numbers of every function at the states of the golden vectors, None where a text does not run.
"""

from __future__ import annotations

import json
import string
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from equamo.code.codegen.targets import Package, Routine

Numbers = dict[str, list[float]]
Judge = Callable[[Package, Sequence[Path]], list[Numbers | None]]
SIMILAR = {c: string.digits for c in string.digits} | {c: "+-*/" for c in "+-*/"}
CHARACTERS = string.digits * 3 + "+-*/()[]{}=;,.eE_ \n" * 2 + string.ascii_letters


@dataclass(frozen=True)
class Corruption:
    """A file with one character replaced, removed or put in."""

    file: str
    text: str
    note: str


def corruptions(files: dict[str, str], count: int, seed: int) -> list[Corruption]:
    """Random ones; a file is chosen by its length, a header less often."""
    random = Random(seed)
    names = list(files)
    lengths = [len(text) / (10 if name.endswith(".h") else 1) for name, text in files.items()]
    found: list[Corruption] = []
    while len(found) < count:
        (name,) = random.choices(names, lengths)
        text = files[name]
        at = random.randrange(len(text))
        kind = random.choice(
            ("similar", "similar", "similar", "replaced", "removed", "inserted", "swapped")
        )
        new = random.choice(CHARACTERS)
        if kind == "similar":  # a text that is likely to run
            while text[at] not in SIMILAR or _comment(text, at):
                at = random.randrange(len(text))
            kind, new = "replaced", random.choice(SIMILAR[text[at]])
        if kind == "replaced":
            wrong = text[:at] + new + text[at + 1 :]
        elif kind == "removed":
            new, wrong = "", text[:at] + text[at + 1 :]
        elif kind == "inserted":
            wrong = text[:at] + new + text[at:]
        else:
            new, wrong = (
                text[at : at + 2][::-1],
                text[:at] + text[at : at + 2][::-1] + text[at + 2 :],
            )
        if wrong != text:
            line = text.count("\n", 0, at) + 1
            note = f"{name}:{line}: {text[at : at + 1]!r} {kind} {new!r} in {text[at - 30 : at + 30]!r}"
            found.append(Corruption(name, wrong, note))
    return found


def _comment(text: str, at: int) -> bool:
    return text[text.rfind("\n", 0, at) + 1 : at + 1].lstrip(" ").startswith(("/", "%", "#", "*"))


def changed(right: Numbers, found: Numbers, tolerance: float = 1e-10) -> bool:
    """Whether some function gives other numbers, beyond rounding."""
    if right.keys() != found.keys():
        return True
    for name, expected in right.items():
        x, y = np.array(expected, float), np.array(found[name], float)
        if x.shape != y.shape or not np.isfinite(y).all():
            return True
        if np.abs(x - y).max(initial=0) > tolerance * max(1e-6, np.abs(x).max(initial=0)):
            return True
    return False


# -- NumPy ---
def run_numpy(package: Package, folders: Sequence[Path]) -> list[Numbers | None]:
    """Each module in this process; nothing in it loops or opens a file."""
    return [_numpy(package, (f / f"{package.name}.py").read_text()) for f in folders]


def _numpy(package: Package, text: str) -> Numbers | None:
    names: dict[str, object] = {"__name__": "corrupted"}
    try:
        exec(compile(text, "corrupted.py", "exec"), names)
        found: Numbers = {}
        for r in package.routines:
            values: list[float] = []
            for g in r.golden:
                given = [np.array(g.arguments[a.name]) for a in r.arguments]
                values += np.ravel(names[r.name](*given)).tolist()  # type: ignore[operator]
            found[r.name] = values
        if "DEFAULT_PARAMETERS" in names:
            found["defaults"] = np.ravel(np.array(names["DEFAULT_PARAMETERS"])).tolist()
    except Exception:
        return None
    return found


# -- C ---
def run_c(package: Package, folders: Sequence[Path]) -> list[Numbers | None]:
    """gcc -O0, one process per text: a wrong index may end it."""
    header, here = f"{package.name}.h", folders[0]
    (here / "driver.c").write_text(_c_driver(package))
    found: list[Numbers | None] = []
    for folder in folders:
        driver = here / "driver.c"
        if driver.with_suffix(".o").exists() and _same(here / header, folder / header):
            driver = driver.with_suffix(".o")
        if not _gcc(folder, "-o", "driver", f"-I{folder}", f"{package.name}.c", f"{driver}", "-lm"):
            found.append(None)
            continue
        if folder == here:
            assert _gcc(here, "-c", "driver.c")
        run = subprocess.run(["./driver"], cwd=folder, capture_output=True, text=True, timeout=60)
        numbers: Numbers = {"exit": [float(run.returncode)]}
        for line in run.stdout.splitlines():
            name, *values = line.split()
            numbers.setdefault(name, []).extend(map(float, values))
        found.append(numbers)
    return found


def _same(a: Path, b: Path) -> bool:
    return a.read_bytes() == b.read_bytes()


def _gcc(folder: Path, *arguments: str) -> bool:
    command = ["gcc", "-std=c99", "-O0", "-w", "-pipe", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=60).returncode == 0


def _c_driver(package: Package) -> str:
    name, suffix = package.name, "F" if package.dtype == "float32" else ""
    lines = [f'#include "{name}.h"', "#include <stdio.h>", "int main(void) {", "int i;"]
    for r in package.routines:
        for g in r.golden:
            lines.append("{")
            for a in r.arguments:
                numbers = ", ".join(f"{x!r}{suffix}" for x in g.arguments[a.name])
                lines.append(f"{name}_real {a.name}_[] = {{{numbers}}};")
            shape = "".join(f"[{n}]" for n in r.output.shape or (1,))
            lines.append(f"{name}_real result{shape} = {{0}};")
            given = ", ".join([*(f"{a.name}_" for a in r.arguments), "result"])
            lines.append(f'{name}_{r.name}({given}); printf("{r.name}");')
            lines.append(f"for (i = 0; i < {r.size}; i++) "
                         f'printf(" %.17g", (double)(({name}_real *)result)[i]);')  # fmt: skip
            lines.append('printf("\\n"); }')
    defaults = package.defaults("parameters")
    if defaults is not None:
        lines.append(f'printf("defaults"); for (i = 0; i < {len(defaults)}; i++)')
        lines.append(f'printf(" %.17g", (double){name}_default_parameters[i]); printf("\\n");')
    for a in package.quantities:
        lines.append(f'printf("sizes %d\\n", (int){name}_{a}_size);')
    return "\n".join([*lines, "return 0; }", ""])


# -- JavaScript ---
_NODE = """
import { readFileSync } from "fs";
const [calls, files] = JSON.parse(readFileSync(process.argv[2]));
const answers = [];
for (const file of files) {
  try {
    const robot = await import(file);
    const answer = {};
    for (const [name, states] of calls) {
      answer[name] = states.map((x) => robot[name](...x)).flatMap((y) =>
        typeof y === "object" && y !== null ? Array.from(y) : [y]).map((y) =>
        typeof y === "number" ? y : NaN);
    }
    if (robot.default_parameters) answer.defaults = Array.from(robot.default_parameters);
    answers.push(answer);
  } catch (error) {
    answers.push(null);
  }
}
console.log(JSON.stringify(answers, (k, x) => typeof x === "number" && !Number.isFinite(x) ? "nan" : x));
"""


def run_javascript(package: Package, folders: Sequence[Path]) -> list[Numbers | None]:
    """One process of node."""
    here = folders[0]
    (here / "judge.mjs").write_text(_NODE)
    calls = [[r.name, [[list(g.arguments[a.name]) for a in r.arguments] for g in r.golden]]
             for r in package.routines]  # fmt: skip
    files = [str(f / f"{package.name}.mjs") for f in folders]
    (here / "calls.json").write_text(json.dumps([calls, files]))
    done = subprocess.run(["node", "judge.mjs", "calls.json"], cwd=here, capture_output=True, text=True,
                          timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [x if x is None else {k: [float(z) for z in y] for k, y in x.items()}
            for x in json.loads(done.stdout.splitlines()[-1])]  # fmt: skip


# -- MATLAB ---
_OCTAVE = """
1;
warning('off', 'all');
function answer(folder, calls, file)
  addpath(folder);
  try
    text = '';
    for k = 1:numel(calls)
      clear(calls{k}{1});
      y = feval(calls{k}{:}).';
      text = [text sprintf('%d', k) sprintf(' %.17g', double(y(:))) sprintf('\\n')];
    end
    fprintf(file, 'answer\\n%s', text);
  catch
    fprintf(file, 'broken\\n');
  end
  rmpath(folder);
end
"""


def run_matlab(package: Package, folders: Sequence[Path]) -> list[Numbers | None]:
    """One Octave process; each folder has the files that differ from those of the first."""
    here = folders[0]
    names: list[str] = []
    lines = [_OCTAVE, "calls = {};"]
    for name, call in _octave_calls(package):
        names.append(name)
        lines.append(f"calls{{end + 1}} = {{{call}}};")
    lines.append(f"file = fopen('{here}/answers', 'w');")
    # The first folder stays behind the others, for files that are not there.
    lines += [f"addpath('{here}'); answer('{folder}', calls, file);" for folder in folders]
    (here / "judge.m").write_text("\n".join([*lines, "fclose(file);", ""]))
    command = ["octave-cli", "--norc", "--no-history", "--quiet"]
    # Not in `here`: files of the current folder come before all others.
    done = subprocess.run([*command, f"{here}/judge.m"], cwd=here.parent, capture_output=True, text=True,
                          timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[Numbers | None] = []
    for line in (here / "answers").read_text().splitlines():
        if line in ("answer", "broken"):
            found.append({} if line == "answer" else None)
            continue
        k, *values = line.split()
        numbers = found[-1]
        assert numbers is not None
        numbers.setdefault(names[int(k) - 1], []).extend(map(float, values))
    return found


def _octave_calls(package: Package) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for r in package.routines:
        for g in r.golden:
            given = [_column(r, g.arguments[a.name]) for a in r.arguments]
            found.append((r.name, ", ".join([f"'{package.name}_{r.name}'", *given])))
    if package.defaults("parameters") is not None:
        found.append(("defaults", f"'{package.name}_default_parameters'"))
    return found


def _column(r: Routine, numbers: Sequence[float]) -> str:
    return f"[{'; '.join(map(repr, numbers))}]"


JUDGES: dict[str, Judge] = {
    "c": run_c, "numpy": run_numpy, "matlab": run_matlab, "javascript": run_javascript,
}  # fmt: skip

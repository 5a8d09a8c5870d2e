"""Formulas that the page copies as C and SymPy: run under Node, compiled or read, and compared."""

from __future__ import annotations

import json
import keyword
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import sympy

from equamo.algebra.expr import Expr, parse
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.algebra.expr.functions import BY_NAME
from equamo.algebra.expr.walk import symbols
from equamo.code.codegen import reserved
from equamo.mechanics.equations import derive
from equamo.publish.page.document import scoped
from equamo.publish.page.tape import Tape
from equamo.publish.studio.bundle import OF_PAGE, source
from equamo.robot.model import Body, Robot, joint_friction, revolute

pytestmark = [pytest.mark.ci, pytest.mark.needs("node", "sympy")]

# `entryText` needs every script above it; those that draw are not loaded.
SCRIPTS = OF_PAGE[: OF_PAGE.index("languages.js") + 1]
RUN = """
import { readFileSync } from "node:fs";
const { tape, symbols, roots, labels } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const made = new Tape(tape, symbols, new Map());
const label = (k) => ({ name: labels[k], latex: "x" });
const text = (kind, root, k) => entryText(kind, made, new Map(), root, label(k), []);
const texts = (kind) => roots.map((root, k) => text(kind, root, k));
console.log(JSON.stringify({ c: texts("c"), sympy: texts("sympy") }));
"""
AWKWARD = ("double", "int", "register", "pow", "fabs", "Symbol", "Abs", "Integer", "I")  # renamed
FORMULAS = [
    *(f"{f}(x/3) + 1/7" for f in BY_NAME),
    "sign(x - y)*y + sign(-x)",
    "1/sign(x) + 3/sign(y)",
    "2*sign(x)/3 - sign(sign(y) - x/2)",
    "abs(x - y)*abs(y)/2",
    "atan2(x, y)/atan2(y, -x)",
    "x**2 + x**5 - x**(-3) + (x + y)**4/(x - y)**7",
    "7/2*x/(3*y) + 0.125*x - 12",
    "2/3 + x*0 + 5/3*y",
    "10000000000000000000000*x - 1",
    "-(x - y)**3*(-x)",
    " + ".join(f"{k + 2}*`{n}`" for k, n in enumerate(AWKWARD)),
]


def texts(entries: list[Expr], folder: Path) -> dict[str, list[str]]:
    """Copies of formulas in every language of a program."""
    leaves = symbols(entries)
    tape = Tape(leaves)
    roots = tape.add(entries)
    data = {
        "tape": tape.data(),
        "symbols": [{"name": x.name, "value": 0.5} for x in leaves],
        "roots": roots,
        "labels": [f"entry_{k}" for k in range(len(entries))],
    }
    script = "\n".join(scoped(source("page", name)) for name in SCRIPTS) + RUN
    (folder / "run.mjs").write_text(script, encoding="utf-8")
    (folder / "data.json").write_text(json.dumps(data), encoding="utf-8")
    done = subprocess.run(["node", folder / "run.mjs", folder / "data.json"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    entries = [parse(text) for text in FORMULAS]
    friction = Robot(
        "r", [Body("a", revolute("q1"), mass=1)], forces=[joint_friction("q1", "Fc", "Fv")]
    )
    entries += [x for f in derive(friction).forces.values() for x in f]  # what the page shows of it
    values = {x: 0.3 + 0.07 * k for k, x in enumerate(symbols(entries))}
    made = texts(entries, tmp_path_factory.mktemp("copies"))
    return {**made, "entries": entries, "values": values,
            "expected": evaluate_floats(entries, values)}  # fmt: skip


def test_c_that_compiles_and_computes_the_same(copies: dict[str, Any], tmp_path: Path) -> None:
    blocks: list[str] = []
    for k, (text, entry) in enumerate(zip(copies["c"], copies["entries"], strict=True)):
        assert "sign(" not in text
        inputs = [
            f"const double {x.name}{'_2' if x.name in AWKWARD else ''} = {copies['values'][x]!r};"
            for x in symbols([entry])
        ]
        blocks.append(f'{{ {" ".join(inputs)}\n{text}\nprintf("%.17g\\n", entry_{k}); }}')
    head = "#include <math.h>\n#include <stdio.h>\nint main(void) {\n"
    (tmp_path / "copies.c").write_text(
        head + "\n".join(blocks) + "\nreturn 0; }\n", encoding="utf-8"
    )
    flags = ["-std=c99", "-O0", "-Wall", "-Wno-unused-variable", "-Werror", "-o", "copies"]
    subprocess.run(["cc", *flags, "copies.c", "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "copies"], capture_output=True, text=True, check=True)
    found = [float(x) for x in done.stdout.split()]
    assert found == pytest.approx(copies["expected"], rel=1e-13, abs=1e-13)


def test_sympy_reads_the_same_values(copies: dict[str, Any]) -> None:
    numbers = {x.name: x for x in copies["values"]}
    for k, (text, expected) in enumerate(zip(copies["sympy"], copies["expected"], strict=True)):
        space: dict[str, Any] = dict(vars(sympy))
        exec(text, space)
        e = space[f"entry_{k}"]
        found = sympy.sympify(e).evalf(
            30, subs={s: copies["values"][numbers[s.name]] for s in sympy.sympify(e).free_symbols}
        )
        assert float(found) == pytest.approx(expected, rel=1e-12, abs=1e-12), text


def test_the_sign_of_0_and_of_nan_is_theirs(tmp_path: Path) -> None:
    [text] = texts([parse("sign(x)")], tmp_path)["c"]
    assert text == "const double entry_0 = (x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x);"


def test_words_of_both_languages_are_never_names() -> None:
    script = source("page", "languages.js")
    lists = re.findall(r"^const (?:WORDS_OF_\w+|CALLED) = `([^`]*)`", script, re.MULTILINE)
    words = {x for part in lists for x in part.split()}
    own = set(reserved._C.split()) - {"printf", "typeof_unqual"}  # pyright: ignore[reportPrivateUsage]
    assert own <= words
    assert {x for x in keyword.kwlist if x[0].islower()} <= words
    assert {*BY_NAME, "atan2", "fabs", "pow", "Abs", "Symbol", "Integer"} <= words

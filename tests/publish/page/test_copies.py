"""What the page gives to copy, LaTeX, SymPy and C, is the entry it was copied from."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import equamo as eq
from chromium import Page
from equamo.review.claims import audit, claim
from robot_pages import equations, opened

pytestmark = [pytest.mark.browser, pytest.mark.needs("pinocchio", "sympy")]

PARTS = {"M": "mass_matrix", "C": "coriolis_matrix", "b": "bias", "g": "gravity"}
ENTRIES = {
    "rr_arm": [("M", 0, 0), ("M", 0, 1), ("C", 0, 1), ("C", 1, 0), ("b", 0, 0), ("g", 0, 0)],
    "krang": [("M", 0, 4), ("M", 2, 2), ("M", 16, 16), ("C", 3, 5), ("b", 2, 0), ("g", 4, 0)],
    "starleth": [("M", 0, 7), ("C", 7, 8), ("g", 6, 0)],
}


def copied(page: Page, entry: tuple[str, int, int], kind: str, form: int = 0) -> str:
    page.evaluate(f"equamo.equations.open('{entry[0]}', {entry[1]}, {entry[2]})")
    if form:  # the other form: the chain where a closed form is shown first
        page.evaluate("document.querySelector('#entry button[aria-pressed=false]')?.click()")
    return page.evaluate(f"equamo.equations.view.text('{kind}')")


def numbers(eom: eq.EquationsOfMotion) -> dict[str, float]:
    """A value for every symbol, and the state of it."""
    generator = np.random.default_rng(3)
    state = {s.name: float(generator.uniform(-1, 1)) for s in (*eom.q, *eom.v)}
    return state | {n: float(x) for n, x in eom.robot.values.items() if x is not None}


def expected(eom: eq.EquationsOfMotion, entry: tuple[str, int, int], at: dict[str, float]) -> float:
    part, i, j = entry
    q, v = [at[s.name] for s in eom.q], [at[s.name] for s in eom.v]
    value: Any = np.asarray(eom.evaluate(PARTS[part], q=q, v=v))
    return float(value[i, j] if value.ndim == 2 else value[i])


@pytest.mark.parametrize("name", ENTRIES)
@pytest.mark.parametrize("form", [0, 1])
def test_sympy_reads_the_same_value(name: str, form: int) -> None:
    eom = equations(name)
    at = numbers(eom)
    with opened(name) as page:
        for entry in ENTRIES[name]:
            text = copied(page, entry, "sympy", form)
            first, rest = text.split("\n", 1)
            assert first == "from sympy import *"
            # Numbers for symbols at once: SymPy would write a chain out, term by term.
            space: dict[str, Any] = vars(sympy) | {"Symbol": lambda n: sympy.Float(at[n], 30)}
            exec(rest, space)
            result = space[rest.rsplit("\n", 1)[-1].split(" = ")[0]]
            assert float(result) == pytest.approx(expected(eom, entry, at), rel=1e-9, abs=1e-9)


def test_a_c_compiler_reads_the_same_values(tmp_path: Path) -> None:
    blocks: list[str] = []
    wanted: list[float] = []
    for name, entries in ENTRIES.items():
        eom = equations(name)
        at = numbers(eom)
        inputs = "\n".join(f"  const double {n} = {x!r}; (void){n};" for n, x in at.items())
        with opened(name) as page:
            for entry in entries:
                text = copied(page, entry, "c", form=1)
                result = text.rsplit("\n", 1)[-1].split()[2]
                blocks.append(f'{{\n{inputs}\n{text}\n  printf("%.17g\\n", {result});\n}}')
                wanted.append(expected(eom, entry, at))
    source = "#include <math.h>\n#include <stdio.h>\nint main(void) {\n"
    (tmp_path / "copies.c").write_text(source + "\n".join(blocks) + "\nreturn 0; }\n")
    flags = ["-std=c99", "-O0", "-Wall", "-Werror", "-o", "copies", "copies.c", "-lm"]
    subprocess.run(["cc", *flags], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "copies"], capture_output=True, text=True, check=True)
    np.testing.assert_allclose(
        [float(x) for x in done.stdout.split()], wanted, rtol=1e-9, atol=1e-9
    )


def test_the_audit_reads_the_latex_and_proves_it() -> None:
    eom = equations("rr_arm")
    claims = []
    with opened("rr_arm") as page:
        for k, entry in enumerate(ENTRIES["rr_arm"]):
            latex = copied(page, entry, "latex")
            part, i, j = entry
            index = f"[{i + 1},{j + 1}]" if part in ("M", "C") else f"[{i + 1}]"
            right = latex.split(" = ", 1)[1]
            claims.append(claim(f"c{k}", "the page", right, PARTS[part] + index, latex=True))
    found = audit(claims, eom)
    assert found.ok, str(found)

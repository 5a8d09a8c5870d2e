"""Generated JavaScript: the same numbers as the graph. One node process for all of it."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from equamo.code.codegen.golden import SOLVING
from equamo.code.codegen.reserved import RESERVED
from equamo.code.codegen.targets import target
from equamo.mechanics.equations.equations import QUANTITIES
from generated_code import (
    ROBOTS,
    STRANGE,
    equations,
    expected,
    package,
    run,
    spoiled,
    states,
    write,
)

pytestmark = [pytest.mark.ci, pytest.mark.needs("node")]

PACKAGES = [*ROBOTS, *STRANGE]

# Each function at random states; then the ways to call one. What it prints is JSON.
SCRIPT = """
import {{ readFileSync }} from "node:fs";
const found = {{}};
for (const [folder, name, calls] of JSON.parse(readFileSync("calls.json"))) {{
  const robot = await import(`./${{folder}}/${{name}}.mjs`);
  await import(`./${{folder}}/${{name}}_selftest.mjs`);
  found[folder] = calls.map(([f, states]) => states.map((s) => {{
    const y = robot[f](...s);
    return typeof y === "number" ? [y] : Array.from(y);
  }}));
}}
const arm = await import("./rr_arm/rr_arm.mjs");
const out = new Float64Array(4), q = [0.3, 0.5];
found.ways = {{
  same: arm.mass_matrix(q, undefined, out) === out,
  plain: Array.from(arm.mass_matrix(q, undefined, [])).join() === Array.from(out).join(),
  typed: Array.from(arm.mass_matrix(Float64Array.from(q))).join() === Array.from(out).join(),
  scalar: typeof arm.kinetic_energy(q, [1, 2]),
  alias: Array.from(arm.gravity(q, undefined, q)),
  heavy: Array.from(arm.gravity([0.3, 0.5], arm.default_parameters.map((x) => 2 * x))),
}};
try {{ arm.mass_matrix([1]); }} catch (error) {{ found.error = `${{error}}`; }}
const single = await import("./single/rr_arm.mjs");
await import("./single/rr_arm_selftest.mjs");
found.single = single.gravity([0.3, 0.5]).constructor.name;
found.words = [];
for (const word of {words}) {{
  try {{ await import(`data:text/javascript,const ${{word}}=1`); }} catch {{ found.words.push(word); }}
}}
found.spoiled = await import("./spoiled/rr_arm_selftest.mjs").catch((error) => `${{error}}`);
console.log("\\n" + JSON.stringify(found));
"""

# What a name in the code could be that a module in strict mode does not allow to be bound.
WORDS = [
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
    "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function",
    "if", "implements", "import", "in", "instanceof", "interface", "let", "new", "null", "package",
    "private", "protected", "public", "return", "static", "super", "switch", "this", "throw", "true",
    "try", "typeof", "var", "void", "while", "with", "yield",
]  # fmt: skip


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("javascript")
    calls: list[object] = []
    for robot in PACKAGES:
        found = write(robot, "javascript", root / robot)
        chosen: list[object] = []
        for r in found.routines if robot in ROBOTS else ():
            if r.name in QUANTITIES and r.name not in SOLVING:
                state = states(robot, r, 20)
                rows = [[state[a.name][k].tolist() for a in r.arguments] for k in range(20)]
                chosen.append([r.name, rows])
        calls.append([robot, found.name, chosen])
    write("rr_arm", "javascript", root / "single", "float32")
    (root / "spoiled").mkdir()
    for file, text in target("javascript").files(spoiled(package("rr_arm"))).items():
        (root / "spoiled" / file).write_text(text)
    (root / "calls.json").write_text(json.dumps(calls))
    (root / "all_of_it.mjs").write_text(SCRIPT.format(words=json.dumps(WORDS)))
    return root


@pytest.fixture(scope="module")
def output(root: Path) -> dict[str, object]:
    done = run(["node", "all_of_it.mjs"], root)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert not done.stderr
    assert not list(root.rglob("escaped"))
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("robot", ROBOTS)
def test_agrees_with_the_graph(robot: str, output: dict[str, object]) -> None:
    found = package(robot)
    tested = [r for r in found.routines if r.name in QUANTITIES and r.name not in SOLVING]
    assert tested
    for r, result in zip(tested, output[robot], strict=True):  # type: ignore[call-overload]
        state = states(robot, r, 20)
        right = np.asarray(expected(equations(robot), r.name, state)).reshape(20, -1)
        difference = np.abs(np.array(result) - right).max(axis=1)
        assert (difference <= 1e-11 * np.abs(right).max(axis=1)).all(), r.name


def test_ways_to_call(output: dict[str, object]) -> None:
    ways = output["ways"]
    assert isinstance(ways, dict)
    assert ways["same"]
    assert ways["plain"]
    assert ways["typed"]
    assert ways["scalar"] == "number"
    g = equations("rr_arm").evaluate("gravity", q=[0.3, 0.5])
    assert np.allclose(ways["alias"], g, rtol=1e-14)  # written into the array it reads
    assert np.allclose(ways["heavy"], 8 * g, rtol=1e-14)  # mass, length and g: each is doubled
    assert output["error"] == "RangeError: q must have 2 entries, got 1"
    assert output["single"] == "Float32Array"


def test_reserved_words(output: dict[str, object]) -> None:
    assert output["words"] == WORDS  # node agrees that these cannot be names
    assert set(WORDS) <= RESERVED


def test_selftest_finds_a_wrong_number(output: dict[str, object], root: Path) -> None:
    assert re.fullmatch(r"Error: 1 of \d+ golden vectors missed", str(output["spoiled"]))
    # As a person does, in its folder.
    good = run(["node", "rr_arm_selftest.mjs"], root / "rr_arm")
    assert good.returncode == 0
    assert " 0 missed" in good.stdout
    assert run(["node", "rr_arm_selftest.mjs"], root / "spoiled").returncode == 1

"""Generated C: strict C99, no undefined behaviour, the same numbers as the graph."""

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest

from equamo.code.codegen.golden import SOLVING
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
)  # fmt: skip

pytestmark = pytest.mark.needs("gcc")

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
          "-Wdouble-promotion", "-Werror")  # fmt: skip
SANITISED = ["-fsanitize=undefined,address", "-fno-sanitize-recover"]


def build(folder: Path, name: str, program: str, *flags: str) -> None:
    sources = [f"{name}_{program}.c", f"{name}.c"]
    done = run(["gcc", *STRICT, *flags, *sources, "-lm", "-o", program], folder)
    assert done.returncode == 0, done.stderr[-3000:]
    assert not done.stderr


@pytest.mark.sweep(3)
@pytest.mark.parametrize("robot", [*ROBOTS, *STRANGE])
def test_selftest(robot: str, tmp_path: Path) -> None:
    name = write(robot, "c", tmp_path).name
    build(tmp_path, name, "selftest", "-O0", *SANITISED)
    done = run(["./selftest"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 entries wrong" in done.stdout
    assert not (tmp_path / "escaped").exists()
    build(tmp_path, name, "example", "-O0")
    assert run(["./example"], tmp_path).returncode == 0


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    "robot", ["rr_arm", "wheeled_inverted_pendulum", "free_arm", "every_operation"]
)
def test_selftest_in_single_precision(robot: str, tmp_path: Path) -> None:
    name = write(robot, "c", tmp_path, "float32").name
    build(tmp_path, name, "selftest", "-O0")
    assert run(["./selftest"], tmp_path).returncode == 0
    text = (tmp_path / f"{name}.c").read_text()
    assert not re.search(r"\b(sin|cos|sqrt|fabs)\(", text)  # no double precision on the way


def test_selftest_finds_a_wrong_number(tmp_path: Path) -> None:
    for file, text in target("c").files(spoiled(package("rr_arm"))).items():
        (tmp_path / file).write_text(text)
    build(tmp_path, "rr_arm", "selftest")
    done = run(["./selftest"], tmp_path)
    assert done.returncode == 1
    assert " 1 entry wrong" in done.stdout


@pytest.mark.parametrize("robot", ROBOTS)
def test_agrees_with_the_graph(robot: str, tmp_path: Path) -> None:
    found = write(robot, "c", tmp_path)
    library = tmp_path / "robot.so"
    flags = ["-O0", "-shared", "-fPIC", f"{found.name}.c", "-lm", "-o", str(library)]
    assert run(["gcc", *flags], tmp_path).returncode == 0
    code = ctypes.CDLL(str(library))
    for r in found.routines:
        if r.name not in QUANTITIES or r.name in SOLVING:
            continue
        state = states(robot, r, 10)
        right = np.asarray(expected(equations(robot), r.name, state)).reshape(10, r.size)
        for k in range(10):
            arrays = [np.ascontiguousarray(state[a.name][k]) for a in r.arguments]
            result = np.full(r.size, np.nan)
            pointers = [ctypes.c_void_p(x.ctypes.data) for x in (*arrays, result)]
            getattr(code, f"{found.name}_{r.name}")(*pointers)
            size = np.abs(right[k]).max()
            assert np.abs(result - right[k]).max() <= 1e-11 * size, (r.name, k)


def test_an_input_may_be_the_output(tmp_path: Path) -> None:
    found = write("rr_arm", "c", tmp_path)
    (tmp_path / "rr_arm_alias.c").write_text(
        '#include "rr_arm.h"\n'
        "int main(void)\n{\n"
        "    rr_arm_real q[2] = {0.3, -0.7}, v[2] = {1.5, 2.0}, x[2] = {0.25, 4.0}, tau[2];\n"
        "    const rr_arm_real *p = rr_arm_default_parameters;\n"
        "    rr_arm_inverse_dynamics(q, v, x, p, tau);\n"
        "    rr_arm_inverse_dynamics(q, v, x, p, x);\n"
        "    return !(x[0] <= tau[0] && x[0] >= tau[0] && x[1] <= tau[1] && x[1] >= tau[1]);\n}\n"
    )
    build(tmp_path, found.name, "alias")
    assert run(["./alias"], tmp_path).returncode == 0


def test_nan_goes_through_sign(tmp_path: Path) -> None:
    write("every_operation", "c", tmp_path)
    (tmp_path / "ops_nan.c").write_text(
        '#include "ops.h"\n#include <math.h>\n'
        "int main(void)\n{\n"
        "    const double x[2] = {NAN, NAN};\n"
        f"    double y[{package('every_operation').routines[0].size}];\n"
        "    unsigned int i;\n"
        "    ops_all(x, y);\n"
        "    for (i = 0; i < sizeof y / sizeof y[0]; i++) {\n"
        "        if (!isnan(y[i])) {\n            return 1;\n        }\n    }\n"
        "    return 0;\n}\n"
    )
    build(tmp_path, "ops", "nan")
    assert run(["./nan"], tmp_path).returncode == 0


@pytest.mark.parametrize("robot", ["rr_arm", "wheeled_inverted_pendulum"])
def test_example_prints_the_equations_at_home(robot: str, tmp_path: Path) -> None:
    name = write(robot, "c", tmp_path).name
    build(tmp_path, name, "example")
    text = run(["./example"], tmp_path).stdout
    blocks = dict(re.findall(r"^(\S.*) =\n((?: .*\n)+)", text, re.MULTILINE))
    eom = equations(robot)
    n = len(eom.v)
    inputs = [float(x) for x in eom.robot.home.inputs.values()]
    right = {
        "M": eom.evaluate("mass_matrix"),
        "b": eom.evaluate("bias"),
        "g": eom.evaluate("gravity"),
        "B inputs": eom.evaluate("input_matrix") @ inputs,
    }
    assert list(blocks) == list(right)
    for key, numbers in blocks.items():
        printed = np.array([float(x) for x in numbers.split()]).reshape(n, -1)
        np.testing.assert_allclose(printed, np.reshape(right[key], (n, -1)), rtol=1e-5, atol=1e-9)


def test_header_is_for_cplusplus_too(tmp_path: Path) -> None:
    write("rr_arm", "c", tmp_path)
    (tmp_path / "main.cpp").write_text(
        '#include "rr_arm.h"\n'
        "int main()\n{\n    double q[2] = {0, 0}, M[2][2];\n"
        "    rr_arm_mass_matrix(q, rr_arm_default_parameters, M);\n    return M[0][0] > 0 ? 0 : 1;\n}\n"
    )
    steps = [
        "gcc -c -std=c99 rr_arm.c",
        "g++ -Wall -Wextra -Werror main.cpp rr_arm.o -lm -o main",
        "./main",
    ]
    for command in steps:
        done = run(command.split(), tmp_path)
        assert done.returncode == 0, done.stderr


def test_source_needs_only_the_mathematics_library() -> None:
    for file, text in target("c").files(package("wheeled_inverted_pendulum")).items():
        wanted = set(re.findall(r"#include <(.*)>", text))
        assert wanted <= ({"math.h"} if "_" not in file.removeprefix(
            "wheeled_inverted_pendulum") else {"math.h", "stdio.h"})  # fmt: skip
        assert "malloc" not in text

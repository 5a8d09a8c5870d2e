"""Texts that are not ours: each is an error that names the file and the line, and none is skipped."""

import re
from pathlib import Path

import pytest

from equamo.code.codegen.readers import read
from equamo.code.codegen.targets import TARGETS, target
from equamo.errors import EquamoError, FileFormatError
from generated_code import package
from read_code import code_files, programs

FILES = {"c": "rr_arm.c", "cpp": "rr_arm.hpp", "numpy": "rr_arm.py", "javascript": "rr_arm.mjs",
         "matlab": "rr_arm_mass_matrix.m", "casadi": "rr_arm_casadi.c"}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("texts")
    for to in TARGETS:
        code_files(package("rr_arm"), to, place / to)
    return place


def refused(folder: Path, to: str, text: str | bytes, file: str = "") -> str:
    """The error for a text in the place of a file."""
    path = folder / to / (file or FILES[to])
    right = path.read_bytes()
    try:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        with pytest.raises(FileFormatError) as error:
            read(folder / to / FILES[to], programs(package("rr_arm"), to).get)
    finally:
        path.write_bytes(right)
    message = str(error.value)
    assert re.search(rf"{re.escape(path.name)}(:\d+|: at its end): ", message), message
    return message


def text_of(folder: Path, to: str) -> str:
    return (folder / to / FILES[to]).read_text()


def changed(folder: Path, to: str, old: str, new: str) -> str:
    text = text_of(folder, to)
    assert old in text, (to, old)
    return text.replace(old, new, 1)


@pytest.mark.parametrize("to", list(TARGETS))
def test_truncated_anywhere(folder: Path, to: str) -> None:
    text = text_of(folder, to)
    for k in range(0, len(text) - 1, max(1, len(text) // 60)):
        refused(folder, to, text[:k])


@pytest.mark.parametrize("to", list(TARGETS))
@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\x00" * 9, bytes(range(256)), "tau = ½".encode(), b"\xff\xfe"]
)
def test_empty_and_binary(folder: Path, to: str, data: bytes) -> None:
    refused(folder, to, data)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("to", list(TARGETS))
@pytest.mark.parametrize("nested", ["(", "-", "[", "sin(", "-(", "a+", "{", "'", '"', "/*"])
def test_ten_megabytes_of_anything(folder: Path, to: str, nested: str) -> None:
    refused(folder, to, nested * 20_000)
    count = 10 << 20 if nested == "(" else 20_000
    refused(folder, to, changed(folder, to, "Lc2*Lc2*m2 + I2", nested * count))


@pytest.mark.parametrize("to", list(TARGETS))
def test_deep_parentheses_around_a_value_are_read_or_refused(folder: Path, to: str) -> None:
    path = folder / to / FILES[to]
    right = path.read_text()
    try:
        for depth in (10, 50_000):
            path.write_text(
                right.replace("Lc2*Lc2*m2 + I2", "(" * depth + "Lc2*Lc2*m2 + I2" + ")" * depth)
            )
            try:
                read(path, programs(package("rr_arm"), to).get)
            except FileFormatError:
                assert depth > 10
    finally:
        path.write_text(right)


EXPRESSIONS = (
    "Lc2*Lc2*m2 + I3", "Lc2*Lc2*m2 + 1/2", "Lc2*Lc2*m2 + 0x1p3", "Lc2*Lc2*m2 + .5", "Lc2*Lc2*m2 + 1e999",
    "Lc2*Lc2*m2 +- I2", "Lc2*Lc2*m2 ++ I2", "Lc2**2*m2 + I2", "Lc2^2*m2 + I2", "Lc2*Lc2*m2 + I2/0.0",
    "Lc2*Lc2*m2 + q[9]", "Lc2*Lc2*m2 + M[0]", "Lc2*Lc2*m2 + 010.5", "Lc2*Lc2*m2 I2", "gamma(Lc2)",
    "sin(Lc2, m2)", "sin()", "Lc2*Lc2*m2 +\n I2", "Lc2*Lc2*m2 /* + */ + I2", "Lc2*Lc2*m2, I2", "1.0j*I2",
    "Lc2*Lc2*m2 +   I2; evil()", "Lc2%m2", "Lc2 // m2", "-(-", "M_1_1", "Lc2*Lc2*m2 + I2 if 1 else 0",
    "1_0.0", "Lc2*Lc2*m2 \\\n + I2", "Lc2.*Lc2", "Lc2'", "!Lc2", "~Lc2", "1.0" + "0" * 99, "sinf(Lc2)",
)  # fmt: skip
# What a language reads as a sum or a number, and its reader as well.
READ = {
    "c": ("Lc2*Lc2*m2 +\n I2",),
    "cpp": ("Lc2*Lc2*m2 +\n I2",),
    "casadi": ("Lc2*Lc2*m2 +\n I2",),
    "numpy": (
        "Lc2*Lc2*m2 + .5", "Lc2*Lc2*m2 +- I2", "Lc2*Lc2*m2 + 010.5", "Lc2*Lc2*m2 +\n I2", "1_0.0",
        "Lc2*Lc2*m2 \\\n + I2", "1.0" + "0" * 99,
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("to", "new"), [(to, x) for to in TARGETS for x in EXPRESSIONS if x not in READ.get(to, ())]
)
def test_expressions_outside_the_subset(folder: Path, to: str, new: str) -> None:
    refused(folder, to, changed(folder, to, "Lc2*Lc2*m2 + I2", new))


@pytest.mark.parametrize(
    ("to", "old", "new"),
    [
        ("cpp", "inline void mass_matrix", "inline void mass"),
        ("cpp", "Vector<2>>& q", "Vector<3>>& q"),
        ("cpp", "Eigen::Matrix<Real, n, 1>", "Eigen::Matrix<Real, 1, n>"),
        ("cpp", "#include <Eigen/Core>", ""),
        ("cpp", "    M(0, 0) =", "    M(0, 1) ="),
        ("cpp", "    M(1, 1) =", "    M(2, 1) ="),
        ("cpp", "    return M;", "    M(0, 0) = 0;\n    return M;"),
        (
            "cpp",
            "rr_arm::mass_matrix(q, parameters, M);",
            "rr_arm::mass_matrix(q, default_parameters(), M);",
        ),
        ("cpp", "const Real q2 = q[1];", "const Real q2 = q[1];\nconst Real q2 = q[1];"),
        ("cpp", "const Real q2 = q[1];", "const Real Vector = q[1];"),
        (
            "cpp",
            "constexpr int q_size = 2;",
            "constexpr int q_size = 2;\nconstexpr int q_size = 2;",
        ),
        ("cpp", "default_parameter_values[8]", "default_parameter_values[7]"),
        ("cpp", "using Real = double;", "using Real = long double;"),
        ("cpp", "namespace rr_arm {", "namespace other {"),
        ("cpp", "} /* namespace equamo */", ""),
        ("c", "void rr_arm_mass_matrix", "void rr_arm_mass"),
        ("c", "q[2]", "q[3]"),
        ("c", "#include <math.h>", ""),
        ("c", "    M[0][0] =", "    M[0][1] ="),
        ("c", "    M[1][1] =", "    M[2][1] ="),
        ("c", "    M[0][0] =", "    M[00][0] ="),
        ("c", "void rr_arm_mass_matrix", "void rr_arm_inverse_dynamics"),
        (
            "c",
            "const rr_arm_real q2 = q[1];",
            "const rr_arm_real q2 = q[1];\nconst rr_arm_real q2 = q[1];",
        ),
        ("c", "const rr_arm_real q2 = q[1];", "rr_arm_real q2 = q[1];"),
        ("c", "const rr_arm_real q2 = q[1];", "const float q2 = q[1];"),
        ("c", "const rr_arm_real q2 = q[1];", "const rr_arm_real sin = q[1];"),
        ("c", "const rr_arm_real q2 = q[1];", "#define q2 q[1]\n"),
        ("c", "    M[1][1] = M_1_1;\n", ""),
        ("c", "    M[1][1] = M_1_1;\n", "    M[1][1] = M_1_1;\n" * 2),
        ("c", " * rr_arm.c", " * rr_arm.c *\\\n/"),
        ("c", "[8] = {1.0, ", "[8] = {"),
        ("casadi", "int rr_arm_mass_matrix(", "int rr_arm_mass("),
        ("casadi", "casadi_arg[0][1] : 0.0", "casadi_arg[0][2] : 0.0"),
        ("casadi", "casadi_arg[0] ? casadi_arg[0][1]", "casadi_arg[9] ? casadi_arg[9][1]"),
        ("casadi", "casadi_arg[0] ? casadi_arg[0][1]", "casadi_arg[0] ? casadi_arg[1][1]"),
        ("casadi", "casadi_arg[0][1] : 0.0", "casadi_arg[0][1] : 1.0"),
        ("casadi", "#define casadi_real double", "#define casadi_real float"),
        ("casadi", "casadi_res[0][1] =", "casadi_res[0][0] ="),
        ("casadi", "casadi_res[0][1] =", "casadi_res[0][7] ="),
        ("casadi", "casadi_res[0][1] =", "casadi_res[1][1] ="),
        ("casadi", "(void)casadi_w;", "(void)casadi_v;"),
        ("casadi", "const casadi_real q2 =", "const casadi_real casadi_w ="),
        ("casadi", 'return "q";', 'return "v";'),
        ("casadi", "_n_in(void)\n{\n    return 4;", "_n_in(void)\n{\n    return 3;"),
        ("casadi", "if (w) *w = 0;", "if (w) *w = 1;"),
        ("casadi", "casadi_s0[3] = {2, 1, 1}", "casadi_s0[3] = {2, 2, 1}"),
        ("casadi", "casadi_s0[3] = {2, 1, 1}", "casadi_s0[4] = {2, 1, 1}"),
        ("casadi", "casadi_s0[3] = {2, 1, 1}", "casadi_s0[2] = {2, 1}"),
        ("casadi", "casadi_s0[3] = {2, 1, 1}", "casadi_s0[6] = {2, 1, 0, 2, 1, 2}"),
        ("casadi", "casadi_s0[3] = {2, 1, 1}", "casadi_s0[6] = {2, 1, 0, 2, 1, 0}"),
        ("casadi", "return casadi_s0;", "return casadi_s99;"),
        ("casadi", "#ifdef __cplusplus\n}\n", ""),
        ("numpy", "def mass_matrix", "def mass"),
        ("numpy", "_array(q, 2,", "_array(q, 3,"),
        ("numpy", "import numpy as np", "import jax.numpy as np"),
        ("numpy", "# rr_arm.py", "# coding: utf-7"),
        ("numpy", "def mass_matrix", "def inverse_dynamics"),
        ("numpy", "    result[..., k] =", "    result[..., -k] ="),
        ("numpy", "), (2, 2,), q, parameters)", "), (4,), q, parameters)"),
        ("numpy", "), (2, 2,), q, parameters)", "), (2, 2,), q)"),
        ("numpy", "[..., 1]", "[..., -1]"),
        ("numpy", "[..., 1]", "[1]"),
        ("numpy", "    q2 = ", "    np = "),
        ("numpy", "    q2 = ", "    _result = "),
        ("numpy", "    M_1_1 = ", "    q2 = "),
        ("numpy", "    M_1_1 = ", "    M_1_1 += "),
        ("numpy", "def mass_matrix", "@property\ndef mass_matrix"),
        ("numpy", "GOLDEN = [", "GOLDEN = [print(),"),
        ("numpy", "        M_1_1,\n", ""),
        ("numpy", "raise SystemExit(", "raise ValueError("),
        ("javascript", "export function mass_matrix", "export function mass"),
        ("javascript", 'check_size(q, 2, "q")', 'check_size(q, 3, "q")'),
        ("javascript", "M = new Float64Array(4)", "M = new Float64Array(3)"),
        ("javascript", "M = new Float64Array(4)", "M = new Float32Array(4)"),
        ("javascript", "  return M;", "  return\nM;"),
        ("javascript", "  return T_value", "  return\n T_value"),
        ("javascript", "  M[0] = ", "  M[1] = "),
        ("javascript", "  M[3] = M_1_1;\n", ""),
        ("javascript", "const q2 = q[1];", "const q2 = q[1]"),
        ("javascript", "const q2 = q[1];", "let q2 = q[1];"),
        ("javascript", "const q2 = q[1];", "const Math = q[1];"),
        ("javascript", "!== size", "=== size"),
        ("javascript", "export function mass_matrix", "export function inverse_dynamics"),
        ("matlab", "rr_arm_mass_matrix(q", "rr_arm_mass(q"),
        ("matlab", "q(2)", "q(3)"),
        ("matlab", "q(2)", "q(0)"),
        ("matlab", "zeros(2, 2)", "ones(2, 2)"),
        ("matlab", "zeros(2, 2)", "zeros(2, 3)"),
        ("matlab", "M(1, 1) =", "M(1, 3) ="),
        ("matlab", "M(2, 1) =", "M(1, 2) ="),
        ("matlab", "nargin < 2", "nargin < 1"),
        ("matlab", "q2 = q(2);", "q2 = q(2)"),
        ("matlab", "q2 = q(2);", "sin = q(2);"),
        ("matlab", "q2 = q(2);", "rr_arm_default_parameters = q(2);"),
        ("matlab", "% Robot", "%{\n% Robot"),
        ("matlab", "rr_arm_default_parameters()", "rp_arm_default_parameters()"),
        ("matlab", "end\n", "end\nend\n"),
    ],
)
def test_wrong_in_one_place(folder: Path, to: str, old: str, new: str) -> None:
    refused(folder, to, changed(folder, to, old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("typedef double", "typedef long"),
        ("rr_arm_q_size = 2", "rr_arm_q_size = 02"),
        ("M[2][2]);", "M[2][3]);"),
        ("#define EQUAMO_rr_arm_H", "#define EQUAMO_rr_arm_G"),
        ("#ifdef __cplusplus", "#if 1"),
        ("default_parameters[8]", "default_parameters[7]"),
        ("enum {", "#define sin cos\nenum {"),
    ],
)
def test_wrong_header(folder: Path, old: str, new: str) -> None:
    text = (folder / "c" / "rr_arm.h").read_text()
    assert old in text
    path = folder / "c" / "rr_arm.h"
    try:
        path.write_text(text.replace(old, new, 1))
        with pytest.raises(FileFormatError, match=r"rr_arm\.[ch]:\d+: "):
            read(folder / "c" / "rr_arm.c", programs(package("rr_arm"), "c").get)
    finally:
        path.write_text(text)


def test_single_precision_needs_its_own_constants(tmp_path: Path) -> None:
    found = package("every_operation", "float32")
    for to, old, new in (("c", "0.33333334F", "0.33333334"), ("c", "sinf(", "sin("),
                         ("numpy", "0.3333333432674408", "0.33333334"),
                         ("matlab", "0.3333333432674408", "0.33333334")):  # fmt: skip
        code_files(found, to, tmp_path / to)
        file = "ops_all.m" if to == "matlab" else target(to).code(found)[0]
        path = tmp_path / to / file
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))
        with pytest.raises(EquamoError, match=rf"{file}:\d+: "):
            read(path, programs(found, to).get)


def test_other_files() -> None:
    with pytest.raises(FileFormatError, match=r"\.c, \.hpp, \.py"):
        read("robot.urdf", lambda _: None)
    with pytest.raises(FileFormatError, match="cannot be read"):
        read("missing.c", lambda _: None)

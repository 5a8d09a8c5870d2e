"""Generated C++ compiled against Eigen: no warning, no allocation, the numbers of the machine code."""

from __future__ import annotations

import ctypes
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from bridge_robots import MATRIX, compiled, equations, residual, states
from conftest import WHOLE_SWEEPS
from equamo.code.codegen.generate import package_of
from equamo.code.codegen.targets import Package, Routine, target
from test_readme import blocks

EIGEN = ("-isystem", "/usr/include/eigen3")
STRICT = ("-std=c++17", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
          "-Wdouble-promotion", "-Werror", *EIGEN)  # fmt: skip
FUNCTIONS = ("mass_matrix", "inverse_dynamics", "forward_dynamics", "inverse_dynamics_derivatives")
PAGE = Path(__file__).parents[3] / "docs" / "guide" / "functions.md"
EPS = np.finfo(float).eps

# The ABI of C around the functions: pointers in, pointers out, row by row.
WRAPPER = """
extern "C" void call_{name}({pointers})
{{
    {maps}
    {name}({arguments});
    {copied}
}}
"""


def built(folder: Path, source: str, *flags: str) -> None:
    done = subprocess.run(
        ["g++", *STRICT, *flags, source], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]


def wrapper(r: Routine) -> str:
    pointers = [f"const Real *{a.name}" for a in r.arguments]
    maps = [f"const Eigen::Map<const Vector<{len(a)}>> {a.name}_({a.name});" for a in r.arguments]
    copied: list[str] = []
    for k, y in enumerate(r.outputs):
        rows, columns = (*y.shape, 1)[:2]
        order = "Eigen::RowMajor" if columns > 1 else "Eigen::ColMajor"
        kind = f"Eigen::Matrix<Real, {rows}, {columns}, {order}>"
        pointers.append(f"Real *y{k}")
        maps.append(f"Matrix<{rows}, {columns}> m{k};")
        copied.append(f"Eigen::Map<{kind}>{{y{k}}} = m{k};")
    arguments = [*(f"{a.name}_" for a in r.arguments), *(f"m{k}" for k in range(len(r.outputs)))]
    return WRAPPER.format(name=r.name, pointers=", ".join(pointers), maps="\n    ".join(maps),
                          arguments=", ".join(arguments), copied="\n    ".join(copied))  # fmt: skip


def library(package: Package, folder: Path) -> ctypes.CDLL:
    for file, text in target("cpp").files(package).items():
        (folder / file).write_text(text)
    text = f'#include "{package.name}.hpp"\nusing namespace equamo::{package.name};\n'
    (folder / "wrapped.cpp").write_text(text + "".join(map(wrapper, package.routines)))
    built(folder, "wrapped.cpp", "-shared", "-fPIC", "-o", "robot.so")
    return ctypes.CDLL(str(folder / "robot.so"))


@pytest.mark.parametrize("robot", MATRIX)
def test_the_matrix(robot: str, tmp_path: Path) -> None:
    eom, fast = equations(robot), compiled(robot)
    package = package_of(eom, FUNCTIONS)
    code, defaults = library(package, tmp_path), package.defaults("parameters") or ()
    for seed in range(5):
        x = states(eom, seed=seed)
        rest = {"parameters": np.array([float(p) for p in defaults])}
        for r in package.routines:
            given = [x.get(a.name, rest.get(a.name, np.zeros(len(a)))) for a in r.arguments]
            found = [np.full(y.shape, np.nan) for y in r.outputs]
            pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*given, *found)]
            getattr(code, f"call_{r.name}")(*pointers)
            if r.name == "forward_dynamics":
                assert residual(fast, x, found[0]) < 1e-11
                continue
            right = getattr(fast, r.name)(*(x[a.name] for a in r.arguments if a.name in x))
            for y, z in zip(found, right if isinstance(right, tuple) else (right,), strict=True):
                limit = 64 if r.name.endswith("_derivatives") else 8
                assert np.abs(y - np.asarray(z)).max() <= limit * EPS * np.abs(z).max()


WITH_SELFTEST = [
    (robot, dtype)
    for robot in ("rr_arm", "wheeled_inverted_pendulum", "four_bar")
    for dtype in ("float64", "float32")
    if WHOLE_SWEEPS or dtype == "float64" or robot == "rr_arm"
]


@pytest.mark.parametrize(("robot", "dtype"), WITH_SELFTEST)
def test_selftest_and_example(robot: str, dtype: Any, tmp_path: Path) -> None:
    """The self-test stops at any allocation of Eigen's."""
    eq.generate(eq.derive(eq.load(robot)), "cpp", tmp_path, dtype=dtype)
    for program in ("selftest", "example"):
        built(tmp_path, f"{robot}_{program}.cpp", "-o", program)
        done = subprocess.run([f"./{program}"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
    text = (tmp_path / f"{robot}.hpp").read_text()
    assert "MatrixX" not in text


def test_the_selftest_finds_a_wrong_number(tmp_path: Path) -> None:
    eq.generate(equations("rr_arm"), "cpp", tmp_path, ["gravity", "mass_matrix"])
    path = tmp_path / "rr_arm_selftest.cpp"
    first, mark, rest = path.read_text().partition("expected_0[3][2] = {\n    {")
    assert mark
    path.write_text(f"{first}{mark}1{rest}")
    built(tmp_path, path.name, "-o", "selftest")
    done = subprocess.run(["./selftest"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert " 1 entry wrong" in done.stdout


def test_cmake(tmp_path: Path) -> None:
    eq.generate(equations("rr_arm"), "cpp", tmp_path, ["gravity", "mass_matrix"])
    for command in (["cmake", "-B", "build", "-S", "."], ["cmake", "--build", "build"],
                    ["ctest", "--test-dir", "build", "--output-on-failure"]):  # fmt: skip
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "100% tests passed" in done.stdout


# What a plugin derives from, with the types of ROS cut down to their names.
ROS = """
#include <iostream>
#include "rr_arm_solver.hpp"
#define PLUGINLIB_EXPORT_CLASS(plugin, base) static_assert(std::is_base_of_v<base, plugin>);
namespace rclcpp::node_interfaces {
struct NodeParametersInterface { using ConstSharedPtr = const NodeParametersInterface *; };
}
namespace inverse_dynamics_solver {
struct InverseDynamicsSolver {
    virtual ~InverseDynamicsSolver() = default;
    virtual void initialize(rclcpp::node_interfaces::NodeParametersInterface::ConstSharedPtr = nullptr,
                            const std::string& = "", const std::string& = "") = 0;
    virtual std::tuple<Eigen::MatrixXd, Eigen::VectorXd, Eigen::VectorXd> getDynamicParameters(
        const Eigen::VectorXd&, const Eigen::VectorXd&) const = 0;
    virtual Eigen::MatrixXd getInertiaMatrix(const Eigen::VectorXd&) const = 0;
    virtual Eigen::VectorXd getCoriolisVector(const Eigen::VectorXd&, const Eigen::VectorXd&) const = 0;
    virtual Eigen::VectorXd getGravityVector(const Eigen::VectorXd&) const = 0;
    virtual Eigen::VectorXd getFrictionVector(const Eigen::VectorXd&) const = 0;
    virtual Eigen::VectorXd getTorques(const Eigen::VectorXd&, const Eigen::VectorXd&,
                                       const Eigen::VectorXd&) const = 0;
};
}
"""
MAIN = """
int main()
{
    const Plugin robot;
    const inverse_dynamics_solver::InverseDynamicsSolver& solver = robot;
    const Eigen::VectorXd q = Eigen::Vector2d(0.3, -0.4), v = Eigen::Vector2d(0.5, 0.6),
                          a = Eigen::Vector2d(0.7, 0.8);
    const auto [M, c, g] = solver.getDynamicParameters(q, v);
    const Eigen::VectorXd tau = solver.getTorques(q, v, a);
    std::cout.precision(17);
    std::cout << "[" << (tau - M * a - c - g - solver.getFrictionVector(v)).norm() << ", " << tau(0)
              << ", " << tau(1) << "]\\n";
    try {
        (void)solver.getGravityVector(Eigen::Vector3d::Zero());
    } catch (const std::invalid_argument& error) {
        std::cout << error.what() << "\\n";
    }
    return 0;
}
"""


def test_the_blocks_of_the_page_and_a_solver_plugin(tmp_path: Path) -> None:
    eq.generate(equations("rr_arm"), "cpp", tmp_path)
    use, plugin = (b.text for b in blocks(PAGE.read_text("utf-8")) if b.language == "cpp")
    (tmp_path / "plugin.cpp").write_text(ROS + plugin + MAIN)
    built(tmp_path, "plugin.cpp", "-o", "plugin")
    done = subprocess.run(["./plugin"], cwd=tmp_path, capture_output=True, text=True)
    head, body = use.split("\n\n")
    (tmp_path / "use.cpp").write_text(f"{head}\nvoid use();\nvoid use() {{\n{body}}}\n")
    built(tmp_path, "use.cpp", "-c", "-Wno-unused-but-set-variable")
    numbers, error = done.stdout.splitlines()
    rest, *tau = json.loads(numbers)
    right = compiled("rr_arm").inverse_dynamics([0.3, -0.4], [0.5, 0.6], [0.7, 0.8])
    assert rest < 1e-12
    assert np.allclose(tau, right, rtol=1e-13)
    assert error == "rr_arm: joint_positions must have 2 entries, got 3"

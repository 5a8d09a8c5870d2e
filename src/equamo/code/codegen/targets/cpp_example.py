"""Example program in C++, and the CMake file that builds it and the self-test."""

from __future__ import annotations

from collections.abc import Iterator

from .c_example import SHOWN
from .c_text import block_comment, initialiser
from .package import Package, Routine
from .target import comment, number

_CMAKE = """{head}
# Header-only: target_link_libraries(yours PRIVATE equamo_{name})
#   cmake -B build -S . && cmake --build build && ctest --test-dir build
cmake_minimum_required(VERSION 3.14)
project(equamo_{name} LANGUAGES CXX)

find_package(Eigen3 REQUIRED NO_MODULE)

add_library(equamo_{name} INTERFACE)
target_include_directories(equamo_{name} INTERFACE "${{CMAKE_CURRENT_SOURCE_DIR}}")
target_compile_features(equamo_{name} INTERFACE cxx_std_17)
target_link_libraries(equamo_{name} INTERFACE Eigen3::Eigen)

if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)
  enable_testing()
  foreach(program selftest example)
    add_executable(equamo_{name}_${{program}} {name}_${{program}}.cpp)
    target_link_libraries(equamo_{name}_${{program}} PRIVATE equamo_{name})
    add_test(NAME equamo_{name}_${{program}} COMMAND equamo_{name}_${{program}})
  endforeach()
endif()
"""


def cmake(package: Package) -> str:
    """CMakeLists.txt: the header as a library, and as a project with self-test and example."""
    head = "\n".join(f"# {comment(line)}".rstrip() for line in package.provenance)
    return _CMAKE.format(name=package.name, head=head)


def example(package: Package) -> str:
    """Program that prints M v̇ + b + g = B·inputs in numbers, using those functions that exist."""
    name = package.name
    command = (
        f"c++ -std=c++17 -O2 -I /usr/include/eigen3 {name}_example.cpp -o example && ./example"
    )
    forces = " + A' lam" if package.is_augmented else ""
    head = [
        f"{name}_example.cpp: M v' + b + g = B inputs{forces} at the robot's default state",
        *package.provenance,
        "",
        f"Build and run: {command}",
    ]
    shown = [r for n in SHOWN if (r := package.routine(n)) is not None]
    lines = [
        block_comment(head),
        f'#include "{name}.hpp"\n\n#include <iostream>\n',
        "int main()\n{",
        f"    namespace robot = equamo::{name};" if shown else "",
    ]
    arguments = dict.fromkeys(a.name for r in shown for a in r.arguments)
    if package.routine("input_matrix") is not None:
        arguments["inputs"] = None
    for a in arguments:
        lines += _default(package, a)
    for r in shown:
        lines += _call(r)
    if not shown:
        lines.append(f'    std::cout << "none of {", ".join(SHOWN)} was generated\\n";')
    return "\n".join([x for x in lines if x] + ["    return 0;", "}", ""])


def _default(package: Package, argument: str) -> Iterator[str]:
    """An array of the caller, accessed through a map."""
    suffix = "F" if package.dtype == "float32" else ""
    found = package.quantities[argument]
    numbers = (number(1 if x.default is None else x.default, package.dtype) for x in found)
    n, texts = len(found), initialiser(x + suffix for x in numbers)
    yield f"    const robot::Real {argument}_values[{n}] = {texts};"
    yield f"    const Eigen::Map<const robot::Vector<{n}>> {argument}({argument}_values);"


def _call(r: Routine) -> Iterator[str]:
    call = f"robot::{r.name}({', '.join(a.name for a in r.arguments)})"
    if r.program.name == "input_matrix":
        yield f'    std::cout << "B inputs =\\n" << {call} * inputs << "\\n";'
    else:
        yield f'    std::cout << "{r.output.name} =\\n" << {call} << "\\n";'

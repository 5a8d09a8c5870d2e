"""The reader of C next to pycparser, which knows the whole language: the same nodes from both."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pycparser import c_ast, c_parser

from equamo.algebra.expr import Expr
from equamo.algebra.expr.functions import BY_NAME, apply, apply_atan2
from equamo.algebra.expr.graph import constant
from equamo.code.codegen.readers.literals import double, single
from equamo.code.codegen.targets import Package
from generated_code import package
from read_code import code_files, programs

pytestmark = pytest.mark.needs("pycparser")


def functions(text: str, package: Package) -> dict[str, list[Expr]]:
    """{name: entries} of a source, by way of pycparser."""
    text = re.sub(r"/\*.*?\*/|#[^\n]*", "", text, flags=re.DOTALL)
    kind = "float" if package.dtype == "float32" else "double"
    tree: Any = c_parser.CParser().parse(f"typedef {kind} {package.name}_real;\n{text}")
    meant = programs(package, "c")
    return {
        f.decl.name: entries(f, meant[f.decl.name], package)
        for f in tree.ext
        if isinstance(f, c_ast.FuncDef) and f.decl.name in meant
    }


def entries(f: Any, program: Any, package: Package) -> list[Expr]:
    arrays = {a.name: a.symbols for a in program.arguments}
    known: dict[str, Expr] = {}
    found: list[Expr] = []
    for item in f.body.block_items or []:
        if isinstance(item, c_ast.Decl):
            known[item.name] = value(item.init, arrays, known, package)
        elif isinstance(item, c_ast.Assignment):
            assert item.op == "="
            found.append(value(item.rvalue, arrays, known, package))
        else:
            assert isinstance(item, c_ast.Cast)  # (void)q;
    return found


def value(node: Any, arrays: Any, known: dict[str, Expr], package: Package) -> Expr:
    def at(n: Any) -> Expr:
        return value(n, arrays, known, package)

    if isinstance(node, c_ast.Constant):
        read = double(node.value) if node.type == "double" else single(node.value[:-1])
        assert isinstance(read, Fraction)
        return constant(read)
    if isinstance(node, c_ast.ID):
        return known[node.name]
    if isinstance(node, c_ast.ArrayRef):
        return arrays[node.name.name][int(node.subscript.value)]
    if isinstance(node, c_ast.UnaryOp):
        assert node.op == "-"
        return -at(node.expr)
    if isinstance(node, c_ast.FuncCall):
        x = [at(n) for n in node.args.exprs]
        name = node.name.name.removeprefix(f"{package.name}_")
        name = name.removesuffix("f") if package.dtype == "float32" else name
        name = "abs" if name == "fabs" else name
        return apply_atan2(*x) if name == "atan2" else apply(BY_NAME[name].opcode, *x)
    a, b = at(node.left), at(node.right)
    return {"+": a.__add__, "-": a.__sub__, "*": a.__mul__, "/": a.__truediv__}[node.op](b)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "robot", ["rr_arm", "wheeled_inverted_pendulum", "every_operation", "free_arm"]
)
def test_the_same_nodes(robot: str, dtype: str, tmp_path: Path) -> None:
    found = package(robot, dtype)
    (code,) = code_files(found, "c", tmp_path)
    other = functions((tmp_path / f"{found.name}.c").read_text(), found)
    assert code.functions.keys() == other.keys()
    for name, ours in code.functions.items():
        assert all(x is y for x, y in zip(ours, other[name], strict=True)), name

"""Formulations are independent: none imports another, and two never see a motion subspace.

`lagrange` and `projected_newton_euler` have their velocities from differentiated rotations and
positions, `kane`, `gibbs_appell` and `recursive` from axes and the velocity recursion. Their
agreement is evidence only because of that.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import equamo.formulations

FOLDER = Path(equamo.formulations.__file__).parent
FORMULATIONS = ("kane", "lagrange", "projected_newton_euler", "gibbs_appell", "recursive")
FROM_POSES = ("lagrange", "projected_newton_euler")

# The motion subspace and what is made from it, and the modules of the velocity recursion.
SUBSPACE = {
    "angular_bias", "linear_bias", "relative_velocity",
    "velocities", "accelerations", "partial_velocities",
}  # fmt: skip
RECURSION = {"kinematics", "frame", "whole_body", "recursive"}
TYPES = {"Columns"}  # a name for dict[int, Vector]; nothing is computed by it


def tree_of(name: str) -> ast.Module:
    return ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))


def imports(tree: ast.AST) -> set[tuple[str, str]]:
    """(module of this folder, name) of all that is imported from it, anywhere in the file."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = (node.module or "").removeprefix("equamo.formulations").lstrip(".")
            beside = node.level == 1 or (node.module or "").startswith("equamo.formulations")
            # `from . import kane` names the module as the thing imported
            found |= {(module or a.name, a.name) for a in node.names if beside}
        elif isinstance(node, ast.Import):
            prefix = "equamo.formulations."
            names = [a.name.removeprefix(prefix) for a in node.names if a.name.startswith(prefix)]
            found |= {(n.split(".")[0], n) for n in names}
    return found


def reached(name: str, seen: set[str] | None = None) -> set[str]:
    """Modules of this folder that a module imports more than types from, directly or not."""
    seen = set() if seen is None else seen
    for module, thing in imports(tree_of(name)):
        if thing not in TYPES and module not in seen and (FOLDER / f"{module}.py").exists():
            seen.add(module)
            reached(module, seen)
    return seen


def subspaces_used(tree: ast.AST) -> set[str]:
    """Where a file asks a joint for its motion subspace, or calls the velocity recursion."""
    found: set[str] = set()
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in SUBSPACE:
            found.add(node.attr)
        elif isinstance(node, ast.Attribute) and node.attr == "columns" and id(node) not in called:
            found.add(ast.unparse(node))  # joint.columns; robot.columns(body) are only positions
        elif isinstance(node, ast.Name) and node.id in SUBSPACE:
            found.add(node.id)
        elif isinstance(node, ast.Call) and not node.args:
            # joint.angular(), joint.linear(); J.angular(body) is a formulation's own Jacobian.
            name = ast.unparse(node.func)
            if name.endswith((".angular", ".linear")):
                found.add(f"{name}()")
    return found


@pytest.mark.parametrize("name", FORMULATIONS)
def test_no_formulation_reaches_another(name: str) -> None:
    assert not reached(name) & (set(FORMULATIONS) - {name})


@pytest.mark.parametrize("name", FROM_POSES)
def test_velocities_from_poses_only(name: str) -> None:
    assert not subspaces_used(tree_of(name))
    for module in reached(name):
        assert module not in RECURSION
        assert not subspaces_used(tree_of(module)), module


@pytest.mark.parametrize("name", ["kane", "gibbs_appell", "recursive"])
def test_velocities_from_axes(name: str) -> None:
    """The others do use the subspace, so the test above can fail."""
    used = subspaces_used(tree_of(name))
    for module in reached(name):
        used |= subspaces_used(tree_of(module))
    assert used
    derivatives = {n for m, n in imports(tree_of(name)) if m == "transforms"}
    assert not derivatives & {"coordinate_derivatives", "time_derivatives"}


def test_shared_modules_are_few() -> None:
    """What more than one formulation stands on; an error there needs another witness."""
    reach = Counter(m for name in FORMULATIONS for m in reached(name))
    shared = {m for m, count in reach.items() if count > 1}
    assert shared <= {"derivation", "kinematics", "projection", "rates", "speeds", "transforms"}


def test_bad_code_is_found() -> None:
    assert imports(ast.parse("def f():\n    from .kane import kane")) == {("kane", "kane")}
    assert imports(ast.parse("from . import kane")) == {("kane", "kane")}
    assert imports(ast.parse("import equamo.formulations.kane")) == {("kane", "kane")}
    assert imports(ast.parse("from equamo.formulations.kane import kane")) == {("kane", "kane")}
    assert imports(ast.parse("from ..model import Robot\nfrom equamo.model import Body")) == set()
    assert subspaces_used(ast.parse("S = b.joint.angular()"))
    assert subspaces_used(ast.parse("for w, v in b.joint.columns: pass"))
    assert not subspaces_used(ast.parse("for j in robot.columns(b): pass"))
    assert subspaces_used(ast.parse("m = kinematics.velocities(robot)"))
    assert not subspaces_used(ast.parse("w = J.angular(body)"))

"""Formulations are independent: none imports another, and two never see a motion subspace.

`lagrange` and `projected_newton_euler` have their velocities from differentiated rotations and
positions, `kane`, `gibbs_appell` and `recursive` from axes and the velocity recursion. Their
agreement is evidence only because of that. Of the spatial quantities the first two share poses alone:
how a velocity, a force or an inertia is moved from frame to frame is unknown to them.
"""

from __future__ import annotations

import ast
import shutil
from collections import Counter
from pathlib import Path

import pytest

import equamo

PACKAGE = Path(equamo.__file__).parent
FORMULATIONS = ("kane", "lagrange", "projected_newton_euler", "gibbs_appell", "recursive")
FROM_POSES = ("lagrange", "projected_newton_euler")
# Where formulations and what they stand on are; below these are expressions and the model.
FOLDERS = (
    "mechanics/formulations", "mechanics/kinematics", "mechanics/recursions", "mechanics/equations",
    "robot/spatial",
)  # fmt: skip

# The motion subspace and what is made from it, and the modules of the velocity recursion.
SUBSPACE = {
    "subspace", "subspace_rate", "bias_acceleration", "motion", "relative_velocity", "spatial_inertia",
    "velocities", "accelerations", "partial_velocities",
}  # fmt: skip
RECURSION = {
    "mechanics.kinematics.velocities",
    "mechanics.recursions.newton_euler",
    "mechanics.recursions.composite_bodies",
}
POSES = {"robot.spatial.frame", "robot.spatial.pose"}  # without velocities
TYPES = {"Columns", "PartialVelocities"}  # names of dictionaries; nothing is computed by them


def path_of(module: str) -> Path:
    return PACKAGE / f"{module.replace('.', '/')}.py"


def tree_of(module: str) -> ast.Module:
    return ast.parse(path_of(module).read_text(encoding="utf-8"))


def imports(tree: ast.AST, package: str = "mechanics.formulations") -> set[tuple[str, str]]:
    """(module of one of the folders, name) of all that a file of `package` imports from them."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = package.split(".")[: 3 - node.level] if node.level else []
            module = ".".join([*above, (node.module or "").removeprefix("equamo.")]).rstrip(".")
            folder = module.replace(".", "/") in FOLDERS
            # `from . import kane` names the module as the thing imported
            pairs = {(f"{module}.{a.name}" if folder else module, a.name) for a in node.names}
        elif isinstance(node, ast.Import):
            names = [a.name.removeprefix("equamo.") for a in node.names]
            pairs = {(n, n.rpartition(".")[2]) for n in names}
        else:
            continue
        found |= {(m, n) for m, n in pairs if "/".join(m.split(".")[:2]) in FOLDERS}
    return found


def reached(module: str, seen: set[str] | None = None) -> set[str]:
    """Modules of the folders that a module imports more than types from, directly or not."""
    seen = set() if seen is None else seen
    for other, thing in imports(tree_of(module), module.rpartition(".")[0]):
        if thing not in TYPES and other not in seen and path_of(other).exists():
            seen.add(other)
            reached(other, seen)
    return seen


def subspaces_used(tree: ast.AST) -> set[str]:
    """Where a file asks a joint for its motion subspace, or calls the velocity recursion."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in SUBSPACE:
            found.add(node.attr)
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
    others = {f"mechanics.formulations.{n}" for n in FORMULATIONS if n != name}
    assert not reached(f"mechanics.formulations.{name}") & others


@pytest.mark.parametrize("name", FROM_POSES)
def test_velocities_from_poses_only(name: str) -> None:
    assert not subspaces_used(tree_of(f"mechanics.formulations.{name}"))
    for module in reached(f"mechanics.formulations.{name}"):
        assert module not in RECURSION
        assert not subspaces_used(tree_of(module)), module
        assert not module.startswith("robot.spatial.") or module in POSES


@pytest.mark.parametrize("name", ["kane", "gibbs_appell", "recursive"])
def test_velocities_from_axes(name: str) -> None:
    """The others do use the subspace, so the test above can fail."""
    used = subspaces_used(tree_of(f"mechanics.formulations.{name}"))
    for module in reached(f"mechanics.formulations.{name}"):
        used |= subspaces_used(tree_of(module))
    assert used
    derivatives = {
        n
        for m, n in imports(tree_of(f"mechanics.formulations.{name}"))
        if m == "mechanics.kinematics.poses"
    }
    assert not derivatives & {"coordinate_derivatives", "time_derivatives"}


def test_shared_modules_are_few() -> None:
    """What more than one formulation stands on; an error there needs another witness."""
    reach = Counter(m for name in FORMULATIONS for m in reached(f"mechanics.formulations.{name}"))
    shared = {m for m, count in reach.items() if count > 1}
    assert shared <= {
        "mechanics.formulations.derivation", "mechanics.kinematics.chosen_speeds",
        "mechanics.kinematics.force_projection",
        "mechanics.kinematics.poses", "mechanics.kinematics.quantity_name",
        "mechanics.kinematics.steps", "mechanics.kinematics.velocities",
        "robot.spatial.frame", "robot.spatial.pose", "robot.spatial.motion",
        "robot.spatial.acceleration", "robot.spatial.accumulate",
        "robot.spatial.force",
        "mechanics.kinematics.quantity_latex", "mechanics.kinematics.step_latex",  # only print
        "mechanics.formulations.entries",  # only records
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "function", "forbidden"),
    [
        ("kane", "_inertia_force", {"spatial_inertia", "Inertia", "Force"}),
        ("gibbs_appell", "acceleration_energy", {"spatial_inertia", "Inertia"}),
        ("lagrange", "_link_energy", {"spatial_inertia", "Inertia"}),
        ("newton_euler", "_moment", {"spatial_inertia", "Force"}),
    ],
)
def test_the_law_of_motion_is_written_out(name: str, function: str, forbidden: set[str]) -> None:
    """Each method writes the law of motion of one body in its own file, in m, MS and J."""
    folder = "recursions" if name == "newton_euler" else "formulations"
    folder = f"mechanics.{folder}"
    tree = tree_of(f"{folder}.{name}")
    (law,) = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == function]
    used = {n.attr for n in ast.walk(law) if isinstance(n, ast.Attribute)}
    used |= {n.id for b in law.body for n in ast.walk(b) if isinstance(n, ast.Name)}
    assert not used & forbidden
    imported = {m for m, _ in imports(tree, folder)}
    assert "robot.spatial.inertia" not in imported


def test_bad_code_is_found() -> None:
    kane = {("mechanics.formulations.kane", "kane")}
    assert imports(ast.parse("def f():\n    from .kane import kane")) == kane
    assert imports(ast.parse("from . import kane")) == kane
    assert imports(ast.parse("import equamo.mechanics.formulations.kane")) == kane
    assert imports(ast.parse("from equamo.mechanics.formulations.kane import kane")) == kane
    assert (
        imports(ast.parse("from ..formulations.kane import kane"), "mechanics.kinematics") == kane
    )
    assert imports(ast.parse("from ..formulations import kane"), "mechanics.recursions") == kane
    assert (
        imports(ast.parse("from ...robot.model import Robot\nfrom equamo.robot.model import Body"))
        == set()
    )
    assert subspaces_used(ast.parse("S = b.joint.angular()"))
    assert subspaces_used(ast.parse("for S in b.subspace: pass"))
    assert subspaces_used(ast.parse("a = a + b.bias_acceleration"))
    assert not subspaces_used(ast.parse("for j in robot.columns(b): pass"))
    assert subspaces_used(ast.parse("m = kinematics.velocities(robot)"))
    assert not subspaces_used(ast.parse("w = J.angular(body)"))


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("mechanics.formulations.kane", "from .lagrange import lagrange"),
        ("mechanics.kinematics.force_projection", "from ..formulations.kane import kane"),
        ("mechanics.formulations.derivation", "from ..formulations import gibbs_appell"),
        ("robot.spatial.pose", "from ...mechanics.formulations.kane import kane"),
    ],
)
def test_a_planted_import_is_found(
    where: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that reaches another formulation only through a module that is shared."""
    for folder in FOLDERS:
        shutil.copytree(PACKAGE / folder, tmp_path / folder)
    monkeypatch.setattr(f"{__name__}.PACKAGE", tmp_path)
    assert not reached("mechanics.formulations.kane") & {
        f"mechanics.formulations.{n}" for n in FORMULATIONS[1:]
    }
    path = path_of(where)
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    found = [
        name
        for name in FORMULATIONS
        if reached(f"mechanics.formulations.{name}")
        & {f"mechanics.formulations.{n}" for n in FORMULATIONS if n != name}
    ]
    assert found

"""The layers of the package: imports point down only."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import equamo
from equamo.basics.attached import METHODS, NOTEBOOK, REPRS
from equamo.code.jit import origin

PACKAGE = Path(__file__).parents[1] / "src" / "equamo"

# From the top: wings, and in each wing its packages. A package may import from the lines below its own,
# not from its own line. Beside the wings stand `cli` and the errors.
WINGS: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    ("cli", ((),)),
    ("publish", (("studio",), ("document", "page"), ("picture",))),
    ("review", (("claims", "referee"), ("programs",))),
    ("motion", (("frameworks",), ("simulation", "control"))),
    ("code", (("steps",), ("jit", "codegen"), ("ir",))),
    ("mechanics", (
        ("certificate",), ("equations",), ("formulations",), ("recursions",), ("kinematics",),
    )),
    ("robot", (("catalog",), ("library",), ("formats",), ("model",), ("spatial",))),
    ("algebra", (("identity",), ("expr",), ("arrays",))),
    ("basics", (("arguments", "attached", "extras", "moved", "renamed"),)),
    ("errors", ((),)),
    ("_version", ((),)),
    ("basics", (("waiting",), ("wording",))),  # which the errors use
)  # fmt: skip
LAYERS = tuple(
    tuple(f"{wing}.{name}" for name in line) or (wing,) for wing, lines in WINGS for line in lines
)
LEVEL = {name: level for level, line in enumerate(LAYERS) for name in line}
LEVEL["__main__"] = -1


def unit(module: str) -> str:
    """What a module belongs to: a package in a wing, or what stands beside the wings.

    >>> unit("equamo.code.ir.lower"), unit("equamo.errors"), unit("equamo.code")
    ('code.ir', 'errors', 'code')
    """
    parts = module.split(".")[1:]
    return ".".join(parts[:2]) if ".".join(parts[:2]) in LEVEL else parts[0] if parts else ""


@cache
def imported(source: str, module: str, is_package: bool) -> tuple[str, ...]:
    """Full names of all that a module imports, wherever in the file the import stands."""
    here = module.split(".") if is_package else module.split(".")[:-1]
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            start = ".".join(base + (node.module.split(".") if node.module else []))
            found += (f"{start}.{alias.name}" for alias in node.names)
    return tuple(found)


def violations(source: str, module: str, is_package: bool = False) -> list[str]:
    """What a module of equamo may not import, but does."""
    own = unit(module)
    found: list[str] = []
    for name in imported(source, module, is_package):
        if name.split(".")[0] != "equamo":
            continue
        target = unit(name)
        if target not in LEVEL:
            found.append(f"{module} imports the top level: {name}")
        elif target != own and LEVEL[target] <= LEVEL[own]:
            found.append(f"{module} imports upwards or sideways: {name}")
    return found


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def test_imports_point_down() -> None:
    found: list[str] = []
    for name, path in modules():
        if name != "equamo":  # the public names come from everywhere
            source = path.read_text(encoding="utf-8")
            found += violations(source, name, path.name == "__init__.py")
    assert not found, "\n".join(found)


def test_the_keys_of_compiled_code_cover_all_that_is_imported() -> None:
    """An edit of what `jit` and `motion` import may change the machine code, so it changes the keys."""
    graph: dict[str, set[str]] = {}
    for name, path in modules():
        if name != "equamo":
            source = path.read_text(encoding="utf-8")
            found = imported(source, name, path.name == "__init__.py")
            inside = {unit(x) for x in found if x.startswith("equamo.")}
            graph.setdefault(unit(name), set()).update(inside)
    reached: set[str] = set()
    waiting = {"code.jit", "motion.simulation"}
    while waiting:
        reached.add(layer := waiting.pop())
        waiting |= graph[layer] - reached
    texts = {"errors", "_version"}  # no code comes of them; the version is in the key itself
    code = {x.replace(".", "/") for x in reached - texts if not x.startswith("basics.")}
    assert set(origin.LAYERS) == code


def test_methods_from_above_are_listed() -> None:
    assert METHODS == {
        "Compiled": {
            "step": ".motion.simulation.step",
            "step_derivatives": ".motion.simulation.step",
            "rollout": ".motion.simulation.device_rollout",
            "to_torch": ".motion.frameworks.pytorch",
            "to_jax": ".motion.frameworks.jax",
            "to_casadi": ".motion.frameworks.casadi",
        },
        "Robot": {
            "prove_code_again": ".code.jit.certificate",
            "written_code": ".code.jit.certificate",
        },
    }
    assert set(REPRS) == {"Robot", "EquationsOfMotion", "Certificate"}
    assert NOTEBOOK == ".publish.page.notebook"


def test_every_package_has_a_layer() -> None:
    inside = {unit(name) for name, _ in modules() if name != "equamo"}
    assert inside - {wing for wing, _ in WINGS} - {"__main__"} <= set(LEVEL)


def test_bad_imports_are_found() -> None:
    inside = "def f():\n    from ...robot.model import Robot"
    typing_only = "if TYPE_CHECKING:\n    import equamo.cli.demo"
    assert violations(inside, "equamo.algebra.expr.graph")
    assert violations(typing_only, "equamo.publish.page.proof")
    assert violations("from ...code import ir", "equamo.mechanics.certificate.pairs")
    assert violations(
        "from ...code.ir import lower", "equamo.mechanics.certificate", is_package=True
    )
    assert violations("import equamo as eq", "equamo.cli.demo")
    assert violations("from equamo import parse", "equamo.robot.model.robot")
    assert violations("from equamo.robot.library import rr_arm", "equamo.robot.formats.urdf")


def test_good_imports_pass() -> None:
    good = "import equamo.algebra.expr\nfrom ...errors import EquamoError\nfrom ..spatial.pose import f"
    assert not violations(good, "equamo.robot.model.robot")
    assert not violations("from . import demo\nimport numpy", "equamo.cli", is_package=True)
    assert not violations("from . import ir", "equamo.mechanics.certificate", is_package=True)
    assert not violations("from .joints.revolute import x", "equamo.robot.model", is_package=True)


def test_no_package_has_the_name_of_a_public_function() -> None:
    beside_init = {name.split(".")[1] for name, _ in modules() if name != "equamo"}
    assert not beside_init & set(equamo.__all__)


def test_no_module_is_a_bag_of_things() -> None:
    vague = {"utils", "util", "helpers", "helper", "misc"}
    assert not [name for name, _ in modules() if vague & set(name.split("."))]


def test_every_folder_is_a_package() -> None:
    assert not [path for _, path in modules() if not (path.parent / "__init__.py").exists()]

"""`code`: functions of the robot in another language, as text to read and copy.

`export` writes complete, proved packages with tests and examples. This request returns only the text
of the functions, so it is fast enough for the page.
"""

from __future__ import annotations

from typing import Any, Final

from ...code.codegen.package_names import PackageNames
from ...code.codegen.quantities import quantities
from ...code.codegen.targets import TARGETS, Package, Routine, target
from ...code.ir.functions import functions
from ...errors import ExpressionError
from ...mechanics.equations.constrained import is_augmented
from .messages import Request, Say
from .model_text import ModelText

LANGUAGES: Final = tuple(n for n, t in TARGETS.items() if not t.differentiates)
USUAL: Final = (
    "inverse_dynamics", "mass_matrix", "bias", "gravity", "forward_dynamics", "kinetic_energy",
    "potential_energy",
)  # fmt: skip


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `code`: the files with the functions in one language."""
    name = request.choice("language", LANGUAGES, "c")
    eom = model.equations()
    known = functions(eom)
    names = PackageNames.of(eom.robot, [known[n] for n in USUAL if n in known])
    called = names.functions
    routines: list[Routine] = []
    left_out: list[str] = []
    for k, n in enumerate(called):
        say(n, k / len(called))
        try:
            routines.append(Routine(called[n], model.program(n, for_text=True)))
        except ExpressionError:  # the forward dynamics of a robot without inertia
            left_out.append(n)
    package = Package(
        names.package, tuple(routines), quantities(eom.robot), (),
        is_augmented=is_augmented(eom.robot),
    )  # fmt: skip
    language = target(name)
    texts = language.files(package)
    wanted = language.code(package)
    files = {n: x for n, x in texts.items() if n in wanted or n.endswith((".h", ".hpp"))}
    return {"language": name, "languages": list(LANGUAGES), "files": files, "left_out": left_out}

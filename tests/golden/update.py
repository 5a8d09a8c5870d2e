"""The generated text of a small robot, kept so that a change to it is seen.

python tests/golden/update.py      writes it again
"""

from __future__ import annotations

from pathlib import Path

import equamo as eq
from equamo.code.codegen.generate import package_of
from equamo.code.codegen.targets import TARGETS, target

HERE = Path(__file__).parent
FUNCTIONS = ("inverse_dynamics", "mass_matrix", "kinetic_energy")


def texts() -> dict[str, str]:
    """{path here: text} of rr_arm in every language; the version of equamo is left out."""
    package = package_of(eq.derive(eq.load("rr_arm")), FUNCTIONS)
    return {
        f"{to}/{file}.txt": text.replace(f"equamo {eq.__version__};", "equamo VERSION;")
        for to in TARGETS
        for file, text in target(to).files(package).items()
    }


if __name__ == "__main__":
    for name, text in texts().items():
        path = HERE / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="ascii")
        print(path)

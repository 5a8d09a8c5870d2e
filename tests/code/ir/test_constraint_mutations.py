"""Errors put into programs of robots with constraints on purpose: their proofs find every one.

Each runs in a process of its own, in which one module is compiled from a changed text.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2]
if __name__ == "__main__":  # as a script: pytest has done this otherwise
    sys.path.insert(0, str(TESTS))

from changed_module import Changed, in_a_process  # noqa: E402
from mutations import Mutation  # noqa: E402

PROVED = "proved"
_TEXT: dict[str, list[tuple[str, str]]] = {
    "mechanics.recursions.constrained_dynamics": [
        ("rest = [c - dot(y, z)", "rest = [c + dot(y, z)"),
        ("z = [a + e * force", "z = [a - e * force"),
        ("*self.mass.solve_lower(self.mass.scaled(z)), *lam", "*self.mass.solve_lower(z), *lam"),
        ("f = [x + y for x, y in zip(f, self.A.T", "f = [x - y for x, y in zip(f, self.A.T"),
        ("whole[i, j] - dot((row[i]", "whole[i, j] + dot((row[i]"),
        ("return found - identity(len(self.rows)) if self.is_shifted else found", "return found"),
    ],
    "code.ir.functions": [
        ("*(-x for x in bias)", "*bias"),
        ("self.rows.padded(self.solution(tau)[len(self.eom.v) :])",
         "self.rows.padded(self.in_short_frames.solution(tau)[len(self.eom.v) :])"),
    ],
    "code.ir.constraints": [
        ("if holds and set(places) <= set(rows.kept):", "if holds:"),
        ("A[i], bias[i] = row, c", "A[i] = row"),
    ],
    "code.ir.dynamics_derivatives": [
        ("by_q = by_q - self.of_state.jacobian(along)[0]",
         "by_q = by_q + self.of_state.jacobian(along)[0]"),
        ("held_q, held_v = self.of_state.jacobian(held)",
         "held_q, held_v = self.of_state.jacobian(self.equations.rows.bias)"),
        ("*(x - y for x, y in zip(driven, along, strict=True)), *held",
         "*(x + y for x, y in zip(driven, along, strict=True)), *held"),
    ],
    "code.ir.dynamics_products": [
        ("solution, negated = found[:n], [-y for y in found[n:]]",
         "solution, negated = found[:n], found[n:]"),
    ],
}  # fmt: skip
CONSTRAINED = [Mutation(module, *pair) for module, pairs in _TEXT.items() for pair in pairs]
NAMES = (
    "forward_dynamics", "constraint_forces", "constraint_inertia", "forward_dynamics_derivatives",
    "forward_dynamics_vjp", "forward_dynamics_jvp", "constraint_forces_derivatives",
    "forward_dynamics_by_L1",
)  # fmt: skip


def verdict() -> str:
    """What the proofs say: the first function that is not proved, or that all are."""
    from equamo.code.ir.lookup import function_named
    from equamo.code.ir.proof import prove_programs
    from equamo.mechanics.equations import derive
    from loops_examples import bennett, four_bar
    from standing import standing

    # The pin has no inertia; some rows of a point are redundant, and not in a plane; quaternions.
    for robot, names in (
        (four_bar("fixed"), NAMES),
        (bennett(), NAMES[:1]),
        (standing(), NAMES[:-1]),
    ):
        eom = derive(robot)
        for name in names:
            f = function_named(eom, name)
            if not prove_programs(eom, [(f, f.program())], seed=1)[0]:
                return f"{robot.name}, {f.name}"
    return PROVED


def run(number: int) -> str:
    """What the proofs say with one error; an exception finds it too."""
    return in_a_process(__file__, str(number))[1]


if __name__ == "__main__":
    if int(sys.argv[1]) >= 0:
        sys.meta_path.insert(0, Changed(CONSTRAINED[int(sys.argv[1])]))
    print(verdict())
else:
    import pytest

    pytestmark = pytest.mark.ci

    from conftest import WHOLE_SWEEPS

    SAMPLE = range(0, len(CONSTRAINED), 1 if WHOLE_SWEEPS else 14)

    def test_every_original_stands_in_the_source() -> None:
        import equamo

        for m in CONSTRAINED:
            path = Path(equamo.__file__).parent / f"{m.module.replace('.', '/')}.py"
            assert path.read_text(encoding="utf-8").count(m.original) == 1, m

    def test_nothing_is_found_in_the_source_as_it_is() -> None:
        assert run(-1) == PROVED

    @pytest.mark.parametrize("number", SAMPLE)
    def test_the_error_is_found(number: int) -> None:
        assert run(number) != PROVED, CONSTRAINED[number]

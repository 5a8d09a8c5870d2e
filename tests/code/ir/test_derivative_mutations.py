"""Errors put into the derivatives on purpose: the proofs of their programs find every one.

Each runs in a process of its own, in which one module is compiled from a changed text.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2]
if __name__ == "__main__":  # as a script: pytest has done this otherwise
    sys.path.insert(0, str(TESTS))

from changed_module import Changed, in_a_process  # noqa: E402
from mutations import DERIVATIVES  # noqa: E402

PROVED = "proved"


def verdict() -> str:
    """What the proofs say: the first function that is not proved, or that all are."""
    from equamo.algebra.identity.prove import prove_zero
    from equamo.code.ir.derivatives import derivative_functions
    from equamo.code.ir.dynamics_derivatives import DynamicsDerivatives
    from equamo.code.ir.functions import program_equations
    from equamo.code.ir.lookup import function_named
    from equamo.code.ir.proof import prove_programs
    from equamo.mechanics.equations import derive
    from equamo.robot.catalog import load
    from equamo.robot.model.wrt import WRT
    from force_robots import arm, one_of_each
    from random_trees import random_tree

    ball = random_tree(14, bodies=("universal", "spherical quaternion")).robot()
    for robot in (load("rolling_disc"), arm(*one_of_each()), ball):
        eom = derive(robot)
        # By coordinates only a quaternion makes a difference.
        names = [
            n for n in derivative_functions(eom) if robot is ball or not n.endswith("_coordinates")
        ]
        table = {n: function_named(eom, n) for n in names}
        if robot.name == "arm":
            for name in ("forward_dynamics_by_m2__L1", "mass_matrix_by_m2__L1"):
                table[name] = function_named(eom, name)
        for f in table.values():
            if not prove_programs(eom, [(f, f.program())], seed=1)[0]:
                return f"{robot.name}, {f.name}"
        for wrt in WRT:  # the source that was not chosen for the programs
            d = DynamicsDerivatives(program_equations(eom), wrt)
            pairs = zip(d.by_graph(), d.by_recursion(), strict=True)
            zero = [x - y for a, b in pairs for x, y in zip(a.entries, b.entries, strict=True)]
            if not prove_zero(zero, unit=robot.unit_groups, seed=1):
                return f"{robot.name}, both sources, {wrt}"
    return PROVED


def run(number: int) -> str:
    """What the proofs say with one error; an exception finds it too."""
    return in_a_process(__file__, str(number))[1]


if __name__ == "__main__":
    if int(sys.argv[1]) >= 0:
        sys.meta_path.insert(0, Changed(DERIVATIVES[int(sys.argv[1])]))
    print(verdict())
else:
    import pytest

    pytestmark = pytest.mark.ci

    from conftest import WHOLE_SWEEPS

    SAMPLE = range(0, len(DERIVATIVES), 1 if WHOLE_SWEEPS else 18)

    def test_there_are_enough() -> None:
        import equamo

        assert len(DERIVATIVES) >= 25
        for m in DERIVATIVES:  # every original stands in the source, once
            path = Path(equamo.__file__).parent / f"{m.module.replace('.', '/')}.py"
            assert path.read_text(encoding="utf-8").count(m.original) == 1, m
            assert m.original != m.mutated

    def test_nothing_is_found_in_the_source_as_it_is() -> None:
        assert run(-1) == PROVED

    @pytest.mark.parametrize("number", SAMPLE)
    def test_the_error_is_found(number: int) -> None:
        assert run(number) != PROVED, DERIVATIVES[number]

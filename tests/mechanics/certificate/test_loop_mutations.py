"""Errors put into loops, stance and impact on purpose: the certificate finds them.

Each mutation runs in a process of its own, as in tests/mechanics/formulations/test_mutations.py.
`python tests/mechanics/certificate/test_loop_mutations.py` runs them all and prints what found them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))

from changed_module import Changed, in_a_process, stands_once  # noqa: E402
from loop_mutations import LOOPS  # noqa: E402

NOT = "not caught"
WHOLE_SWEEPS = os.environ.get("EQUAMO_TEST_ALL", "") not in ("", "0")
CUTS = (
    "revolute", "spherical", "cylindrical", "universal", "fixed", "prismatic", "planar", "distance",
)  # fmt: skip


def spatial_loops() -> Iterator[Any]:
    """Every kind of cut between two chains in space, with oblique axes and a quaternion."""
    import equamo as eq

    turned = [["2/3", "-1/3", "2/3"], ["2/3", "2/3", "-1/3"], ["-1/3", "2/3", "2/3"]]
    for cut in CUTS:
        bodies = [
            eq.Body("stem", eq.revolute("q1", axis="x"), mass=1),
            eq.Body("one", eq.universal("a", at="0 k 0"), mass=1, parent="stem"),
            eq.Body("slide", eq.prismatic("c", axis="y"), mass=1, parent="one"),
            eq.Body("arm", eq.revolute("q2", axis="y", at="h 0 0"), mass=1, parent="stem"),
            eq.Body("two", eq.spherical("s", at="0 0 b"), mass=1, parent="arm"),
        ]
        options: dict[str, Any] = {"length": "l"} if cut == "distance" else {}
        options |= {"rotation": turned} if cut in ("fixed", "prismatic") else {}
        loop = eq.loop("cut", "slide", "1 2 x", axis="3/5 0 4/5", to="two", to_at="y 1 3",
                       to_axis="0 4/5 3/5", joint=cut, **options)  # fmt: skip
        yield eq.Robot(cut, bodies, loops=[loop])
    foot = eq.contact("foot", "two", "1 u 2", "3/5 0 4/5")
    yield eq.Robot("held", bodies, contacts=[foot]).in_mode(foot="stick")


def robots() -> Iterator[Any]:
    """A four-bar, one with a joint without inertia, and a body held by two points."""
    import equamo as eq
    from loops_examples import four_bar

    yield four_bar()
    yield four_bar("prismatic", speeds="dq1")
    legs = [
        eq.Body("base", eq.free("b", rotation="euler"), mass="m", com="0 0 c", inertia="1 2 3"),
        eq.Body("leg", eq.revolute("q", axis="y", at="0 1 0"), mass=1, com="0 0 -1", parent="base"),
    ]
    points = [eq.contact("left", "leg", "0 0 -2"), eq.contact("right", "base", "0 -1 -2", "y")]
    yield eq.Robot("held", legs, contacts=points).in_mode(left="stick", right="stick")


def caught_by() -> tuple[str, str]:
    """(what finds the error first, where)."""
    import equamo as eq
    from equamo.algebra.identity import prove_all
    from equamo.mechanics.certificate import loops
    from equamo.mechanics.certificate.sides import residuals

    for robot in spatial_loops():
        proof = prove_all([residuals(loops.rows(robot))], unit=robot.unit_groups)[0]
        if not proof:
            return "rows", robot.name
    for robot in robots():
        if bad := [line.name for line in eq.prove(robot).lines if not line.proof]:
            return "certificate", f"{robot.name}: {'; '.join(bad)}"
        eom = eq.derive(robot).augmented()
        # Λ as a matrix: Λ (A M⁻¹ Aᵀ) = 1, in numbers if M is singular
        Lambda, p = eom.constraint_inertia, eom.impact()
        w = eq.Vector([eq.parse(f"w{k}") for k in range(len(Lambda))])
        p_w = loops.ConstraintSpace(eom, "test").momentum(list(w))
        if not eq.prove_equal(list(Lambda @ w), list(p_w)) or not p.proof:
            return "inertia", robot.name
    return NOT, ""


def run(number: int) -> tuple[str, str]:
    """Look for one error in a new process; −1: no error. An exception counts as finding it."""
    good, text = in_a_process(__file__, "--one", str(number))
    if not good:
        return "an error", text
    way, _, what = text.partition(" | ")
    return way, what


if __name__ != "__main__":
    import pytest

    pytestmark = pytest.mark.ci

    SAMPLE = range(3, len(LOOPS), 1 if WHOLE_SWEEPS else 32)

    def test_nothing_is_found_without_an_error() -> None:
        assert run(-1) == (NOT, "")

    @pytest.mark.parametrize("number", range(len(LOOPS)))
    def test_the_list_is_alive(number: int) -> None:
        assert stands_once(LOOPS[number])

    @pytest.mark.parametrize("number", SAMPLE)
    def test_errors_are_found(number: int) -> None:
        way, what = run(number)
        assert way != NOT, LOOPS[number]
        assert not what.startswith(("ImportError", "SyntaxError", "NameError")), what

elif sys.argv[1:2] == ["--one"]:
    chosen = int(sys.argv[2])
    if chosen >= 0:
        sys.meta_path.insert(0, Changed(LOOPS[chosen]))
    print(*caught_by(), sep=" | ")
else:
    for k in [int(x) for x in sys.argv[1:]] or range(-1, len(LOOPS)):
        print(k, *run(k), LOOPS[k][:2] if k >= 0 else "", sep=" | ", flush=True)

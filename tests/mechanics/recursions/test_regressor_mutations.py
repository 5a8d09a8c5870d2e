"""Errors put into regressors and base parameters on purpose: the proofs and the counts find them.

Each mutation runs in a process of its own, as in tests/mechanics/formulations/test_mutations.py.
`python tests/mechanics/recursions/test_regressor_mutations.py` runs them all and prints what found them.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))

from changed_module import in_a_process, stands_once  # noqa: E402
from regressor_mutations import REGRESSOR  # noqa: E402

NOT = "not caught"
WHOLE_SWEEPS = os.environ.get("EQUAMO_TEST_ALL", "") not in ("", "0")


def formulation_mutations() -> Any:
    """The module that imports changed text, and its trees with every kind of joint."""
    path = TESTS / "mechanics" / "formulations" / "test_mutations.py"
    spec = importlib.util.spec_from_file_location("formulation_mutations", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def robots() -> Iterator[tuple[Any, int]]:
    """Robots, each with the number of its base parameters."""
    import equamo as eq
    from equamo.robot.library.rx90 import rx90
    from equamo.robot.model.inertia import NAMES, Inertia
    from force_robots import arm, one_of_each

    def ten(name: str) -> Inertia:
        return Inertia.about_origin([eq.parse(f"{n}_{name}") for n in NAMES])

    yield rx90(rotors=True), 40
    yield eq.load("puma560"), 58
    yield eq.load("wheeled_inverted_pendulum"), 23
    e = "3/5 0 4/5"
    oblique = [
        eq.Body("one", eq.revolute("a", e, rotation="pi/2 0 0"), inertia=ten("one")),
        eq.Body("two", eq.revolute("b", e, at="L 0 d"), inertia=ten("two"), parent="one"),
        eq.Body("slide", eq.prismatic("c", "x"), inertia=ten("slide"), parent="two"),
    ]
    yield eq.Robot("oblique", oblique), 9
    general = eq.revolute("q2", at="L 0 d", rotation="alpha beta 0")
    skew = [
        eq.Body("one", eq.revolute("q1"), inertia=ten("one")),
        eq.Body("two", general, inertia=ten("two"), parent="one"),
        eq.Body("three", eq.revolute("q3", at="l 0 0"), inertia=ten("three"), parent="two"),
    ]
    yield eq.Robot("skew", skew, gravity="0 -g 0"), 17
    yield arm(*one_of_each()), 15
    counts = (36, 22)
    yield from zip((t.robot() for t in formulation_mutations().trees()[:2]), counts, strict=True)


def caught_by() -> tuple[str, str]:
    """(what finds the error first, on which robot)."""
    import equamo as eq

    for robot, count in robots():
        eom = eq.derive(robot, by="kane")
        Y = eom.regressor
        for which in (Y, Y.slotine_li, Y.energy, Y.momentum):
            if not which.proof:
                return "regressor", f"{which.quantity} of {robot.name}"
        base = eom.base_parameters
        if not base.proof:
            return "proof of base parameters", robot.name
        if not base.is_minimal or base.count != count:
            return "count", f"{robot.name}: {base.count}, rank {base.rank}, not {count}"
    body = eq.Body("b", eq.revolute("q1", "x", rotation="0 0 pi/2"), mass="m", com="0 c 0")
    special = [
        (eq.Robot("pendulum", [body]), ["gravity along the axis of q1: 1 base parameter"]),
        (eq.load("three_link_arm"), ["axes of q1 and q2 parallel: 9 base parameters"]),
    ]
    for robot, wanted in special:
        found = [str(x) for x in eq.derive(robot).base_parameters.special]
        if found != wanted:
            return "special geometries", f"{robot.name}: {found}"
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

    SAMPLE = range(0, len(REGRESSOR), 1 if WHOLE_SWEEPS else 24)

    def test_nothing_is_found_without_an_error() -> None:
        assert run(-1) == (NOT, "")

    @pytest.mark.parametrize("number", range(len(REGRESSOR)))
    def test_the_list_is_alive(number: int) -> None:
        assert stands_once(REGRESSOR[number])

    @pytest.mark.parametrize("number", SAMPLE)
    def test_errors_are_found(number: int) -> None:
        way, what = run(number)
        assert way != NOT, REGRESSOR[number]
        assert not what.startswith(("ImportError", "SyntaxError", "NameError")), what

elif sys.argv[1:2] == ["--one"]:
    chosen = int(sys.argv[2])
    if chosen >= 0:
        changed = formulation_mutations().Changed(REGRESSOR[chosen])
        for name in [n for n in sys.modules if n == "random_trees" or n.startswith("equamo")]:
            del sys.modules[name]  # imported before the change
        sys.meta_path.insert(0, changed)
    print(*caught_by(), sep=" | ")
else:
    for k in [int(x) for x in sys.argv[1:]] or range(-1, len(REGRESSOR)):
        print(k, *run(k), REGRESSOR[k][:2] if k >= 0 else "", sep=" | ", flush=True)

"""The C of the page: each function is the piece that the target wrote, not searched for in its text."""

import pytest

from equamo.code.codegen.targets.c import C
from equamo.mechanics.equations import derive
from equamo.publish.page.context import Context
from equamo.publish.page.markup import dotted
from equamo.publish.page.sections.code import (
    SHOWN,
    WITH_LOOPS,
    _Made,  # pyright: ignore[reportPrivateUsage]
    _package,  # pyright: ignore[reportPrivateUsage]
    _sources,  # pyright: ignore[reportPrivateUsage]
    section,
)
from equamo.robot.library import load


@pytest.mark.parametrize("name", ["rr_arm", "wheeled_inverted_pendulum"])
def test_functions_are_cut_at_their_ends(name: str) -> None:
    eom = derive(load(name))
    chosen = [_Made(eom, n) for n in ("inverse_dynamics", "mass_matrix", "gravity")]
    package = _package(Context(eom, None, (), None, "", False), chosen)
    data = _sources(package, SHOWN)
    source = data["files"][data["source"]]
    assert source == C().source(package)
    assert [f["name"] for f in data["functions"]] == [r.program.name for r in package.routines]
    for f, r in zip(data["functions"], package.routines, strict=True):
        text = source[int(f["start"]) : int(f["end"])]
        assert text.startswith(f"void {package.name}_{r.name}(")
        assert text.endswith("}\n")
        assert text.count("\n}\n") == 1
        assert text.rstrip() == dict(C().pieces(package))[f["name"]].rstrip()


@pytest.mark.parametrize("name", ["four_bar", "rr_arm"])
def test_code_stands_beside_the_equation_of_the_table(name: str) -> None:
    """Of a robot with loops, the equations have the forces λ in both places."""
    eom = derive(load(name))
    made = section(Context(eom, None, (), None, "", False))
    shown = {f["name"]: f["equation"] for f in made.data["functions"]}
    expected = SHOWN | (WITH_LOOPS if eom.robot.loops else {})
    assert shown == {n: expected[n] for n in shown}
    assert ("λ" in shown["inverse_dynamics"]) is bool(eom.robot.loops)
    for equation in shown.values():
        assert str(dotted(equation)) in str(made.html)

"""Certificates remark on loops that cannot be closed, or only with axes turned the wrong way."""

import equamo as eq
from equamo.mechanics.certificate.assembled import assembly_remarks


def lever(*loops: eq.Loop) -> eq.Robot:
    body = eq.Body("lever", eq.revolute("q"), mass=1, com="1 0 0", inertia="1 1 1")
    return eq.Robot("lever", [body], gravity="0 -g 0", loops=loops)


def held(name: str, at: str, to_at: str) -> eq.Loop:
    return eq.loop(name, "lever", at=at, to_at=to_at, joint="spherical")


def test_contradictory_loops_are_named_in_the_certificate() -> None:
    pins = held("one", "1 0 0", "1 0 0"), held("two", "1 0 0", "0 1 0")
    assert "loops closed near the default state" in eq.prove(lever(pins[0])).remarks
    proved = eq.prove(lever(*pins))
    assert proved.ok  # vacuously: no state satisfies φ = 0
    assert "loops not closed near the default state: loop 't" in str(proved)


def test_conditions_of_axes_are_named() -> None:
    body = eq.Body("door", eq.free("b"), mass=2, inertia="0.3 0.4 0.5")
    hinge = eq.Robot("door", [body], loops=[eq.loop("hinge", "door")])
    assert assembly_remarks(hinge)[0].endswith("default state, with hinge: z₁·z₂ > 0")
    weld = eq.Robot("door", [body], loops=[eq.loop("weld", "door", joint="fixed")])
    turned = assembly_remarks(weld.with_home(b_qw=0, b_qz=1))
    assert "not closed" in turned[0]
    assert "weld: trace E > 0" in turned[0]


def test_without_loops_or_values() -> None:
    assert assembly_remarks(lever()) == ()
    assert "no default values" in assembly_remarks(lever(held("one", "l 0 0", "1 0 0")))[0]

"""Names of intermediates: given by the derivation, used by the printers, never part of the graph."""

from equamo.algebra.expr.evaluate import FLOATS, evaluate
from equamo.algebra.expr.parse import parse
from equamo.algebra.expr.printing.text import shared_text
from equamo.mechanics.equations import derive
from equamo.robot.library import load


def test_named_intermediates_compute_the_inverse_dynamics() -> None:
    """Read as a program, line by line, the named form gives the same numbers."""
    eom = derive(load("three_link_arm"))
    lines = shared_text(eom.inverse_dynamics.entries, names=eom.names)
    names = {name for name, _ in lines}
    assert {"w_link3_x", "f_link3_x", "minus_n_link3_z"} <= names
    symbols = (*eom.q, *eom.v, *eom.vdot, *eom.parameters)
    values = {s: 0.1 * (i + 1) for i, s in enumerate(symbols)}
    table = {s.name: x for s, x in values.items()}
    results = []
    for name, text in lines:
        e = parse(text)
        x = evaluate([e], FLOATS, {s: table[s.name] for s in e.symbols()})[0]
        if name:
            table[name] = x
        else:
            results.append(x)
    expected = evaluate(eom.inverse_dynamics.entries, FLOATS, values)
    assert max(abs(a - b) for a, b in zip(results, expected, strict=True)) < 1e-12


def test_names_are_unique_and_do_not_change_the_equations() -> None:
    eom = derive(load("krang"))
    before = eom.inverse_dynamics.entries
    assert len(set(eom.names.values())) == len(eom.names)
    assert derive(load("krang")).inverse_dynamics.entries == before

"""Impacts: speeds after, impulses and energy loss, against textbook cases."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr.walk import symbols
from equamo.algebra.identity import prove_equal, prove_zero
from equamo.errors import ConstraintError, ShapeError, UnknownNameError
from loops_examples import four_bar


def rod() -> eq.EquationsOfMotion:
    """Thin rod of length 2 a that falls flat, with a contact at its right end."""
    body = eq.Body("rod", eq.planar("x y phi"), mass="m", inertia="0 0 m*a**2/3")
    robot = eq.Robot(
        "rod", [body], gravity="0 -g 0", contacts=[eq.contact("end", "rod", "a 0 0", "y")]
    )
    return eq.derive(robot).in_mode(end="stick")


def test_a_rod_that_hits_with_one_end() -> None:
    """Flat rod, one end held: angular momentum about it, ω = 3 v/(4 a); a quarter of the energy is left.

    m a v = (4/3) m a² ω. The loss is ½ m v² − ½ (4/3 m a²) ω² = m v²/8.
    """
    eom = rod()
    impact = eom.impact({"dy": "-v"})
    still = {"phi": 0}
    assert prove_equal(impact.velocity.subs(still)[2], "3*v/(4*a)")
    assert prove_equal(impact.velocity.subs(still)[1], "-3*v/4")
    assert prove_equal(impact.energy_loss.subs(still), "m*v**2/8")
    up = [x.subs(still) for n, x in impact.impulses.items() if n.endswith("n")]
    assert prove_equal(up[0], "m*v/4")
    assert impact.proof


def test_restitution() -> None:
    """A v⁺ = −e A v⁻, and the loss is (1 − e²) of the plastic one; none if elastic."""
    eom = rod()
    plastic, some, elastic = (eom.impact(restitution=e) for e in (0, "e", 1))
    A = eom.constrained_system.A
    v = eq.Vector(eom.v)
    assert prove_zero(A @ some.velocity + (A @ v) * eq.parse("e"))
    assert prove_equal(some.energy_loss, eq.parse("1 - e**2") * plastic.energy_loss)
    assert prove_zero(elastic.energy_loss)
    assert prove_equal(elastic.velocity - v, (plastic.velocity - v) * 2)


def test_a_loop_that_closes() -> None:
    """Loops are rows like contacts: after a plastic impact the four-bar moves as one."""
    eom = eq.derive(four_bar())
    impact = eom.impact()
    assert list(impact.impulses) == ["closure x", "closure y"]
    assert prove_zero(eom.constraint_matrix @ impact.velocity)
    allowed = {x: e for x, e in zip(eom.v, impact.velocity, strict=True)}
    again = eom.impact(list(impact.velocity))
    assert prove_equal(again.velocity, impact.velocity)
    assert prove_zero(again.energy_loss)
    assert len(allowed) == 3


def test_a_joint_without_inertia() -> None:
    """M is singular, and the impact is that of the same mechanism without the pin."""
    welded, hinged = (eq.derive(four_bar(cut)) for cut in ("fixed", "revolute"))
    v = {"dq1": 1, "dq2": -2, "dq3": Fraction(1, 3)}
    one, other = (x.impact(v) for x in (welded, hinged))
    home = dict(q=welded.robot.home.q)
    assert welded.evaluate(one.velocity, **home)[:3] == pytest.approx(
        hinged.evaluate(other.velocity)
    )
    assert welded.evaluate(one.energy_loss, **home) == pytest.approx(
        hinged.evaluate(other.energy_loss)
    )
    p = welded.evaluate(eq.Vector([one.impulses[f"closure {c}"] for c in "xy"]), **home)
    A = welded.evaluate(welded.constrained_system.A, **home)
    M = welded.evaluate(welded.mass_matrix, **home)
    before = np.array([1, -2, 1 / 3, 0])
    jump = welded.evaluate(one.velocity, **home) - before
    impulse = welded.evaluate(eq.Vector(list(one.impulses.values())), **home)
    assert M @ jump == pytest.approx(A.T @ impulse, abs=1e-12)
    assert len(p) == 2


def test_symbols_replaced() -> None:
    eom = rod()
    impact = eom.subs({"a": 2}).impact({"dy": "-v"})
    assert prove_equal(impact.velocity.subs({"phi": 0})[2], "3*v/8")
    assert not {"a"} & {x.name for x in symbols([impact.energy_loss, *impact.impulses.values()])}


@pytest.mark.parametrize("e", [-1, 2, "3/2", 1.5])
def test_restitution_out_of_range(e: Any) -> None:
    with pytest.raises(ConstraintError, match=r"between 0 \(plastic\) and 1 \(elastic\), got"):
        rod().impact(restitution=e)


def test_wrong_speeds() -> None:
    with pytest.raises(UnknownNameError, match="Unknown speed 'dz'"):
        rod().impact({"dz": 1})
    with pytest.raises(ShapeError, match="v must have 3 speeds, got 2"):
        rod().impact([1, 2])


def test_an_impact_that_is_not_proved_is_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    refuted = prove_equal("a", "b")
    monkeypatch.setattr("equamo.mechanics.equations.impact.prove_all", lambda *_, **__: [refuted])
    with pytest.raises(
        ConstraintError, match=r"could not prove the energy loss .*pass v as numbers"
    ):
        rod().impact()


def test_an_impact_needs_rows() -> None:
    with pytest.raises(ConstraintError, match=r"impact\(\) needs a loop or a held contact"):
        eq.derive(eq.load("rr_arm")).impact()

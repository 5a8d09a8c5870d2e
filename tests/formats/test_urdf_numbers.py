"""Inertias that no body has, and limits that are none, over many numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from equamo.expr.matrix import Matrix
from equamo.formats.urdf import robot_of_urdf
from equamo.formats.urdf_elements import Inertial, Origin
from equamo.formats.urdf_poses import _problems  # pyright: ignore[reportPrivateUsage]
from urdf_texts import joint, link, robot


def test_an_inertia_is_physical_if_no_moment_of_the_mass_is_negative() -> None:
    """Σ = ½ tr(J) 1 − J, by its eigenvalues; near 0 either answer is right."""
    rng = np.random.default_rng(5)
    verdicts: list[bool] = []
    for _ in range(300):
        R = rng.normal(size=(3, 3))
        moments = rng.uniform(-0.2, 1, 3)  # ∫ x² dm along three axes that are not perpendicular
        sigma = np.round(R @ np.diag(moments) @ R.T * 64) / 64
        least = np.linalg.eigvalsh(sigma)[0]
        if abs(least) < 1e-3:
            continue
        J = np.trace(sigma) * np.eye(3) - sigma
        six = tuple(Fraction(float(J[i, j])) for i in range(3) for j in range(i, 3))
        found = _problems(Inertial(1, Origin(1), Fraction(1), six), Matrix(J.tolist()))
        assert bool(found) == bool(least < 0), J
        verdicts.append(bool(found))
    assert min(verdicts.count(True), verdicts.count(False)) > 80


@pytest.mark.parametrize("what", ["lower", "upper", "velocity", "effort"])
@pytest.mark.parametrize("number", ["inf", "-inf", "1e40", "-1e40", "0.5", "-0.5"])
def test_limits_that_are_none(what: str, number: str) -> None:
    """Infinite is no limit; infinite in the other direction cannot be satisfied."""
    given = {"lower": "-2", "upper": "3", "effort": "7", "velocity": "5"} | {what: number}
    attributes = " ".join(f'{n}="{x}"' for n, x in given.items())
    arm = robot_of_urdf(
        robot(link("a"), link("b"), joint("j", "revolute", "a", "b", f"<limit {attributes}/>"))
    )
    slots = {"lower": "lower", "upper": "upper", "velocity": "speed", "effort": "effort"}
    found = {n: getattr(arm.limits["j"], slot) for n, slot in slots.items()}
    finite, negative = "0.5" in number, number.startswith("-")
    none = not finite or (negative and what in ("velocity", "effort"))
    expected = {n: Fraction(x) for n, x in given.items() if n != what}
    assert found == expected | {what: None if none else Fraction(number)}
    kinds = [e.kind for e in arm.import_report if what in e.text or slots[what] in e.text]
    if not finite:
        assert kinds == ["unlimited" if negative == (what == "lower") else "suspicious"]
    else:
        assert kinds == (["suspicious"] if none else [])

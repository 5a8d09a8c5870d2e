"""Inertias that no body has, and limits that are none, over many numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from equamo.algebra.expr.matrix import Matrix
from equamo.robot.formats.sdf import robot_of_sdf
from equamo.robot.formats.urdf import robot_of_urdf
from equamo.robot.formats.urdf_elements import Inertial, Origin
from equamo.robot.formats.urdf_poses import _problems  # pyright: ignore[reportPrivateUsage]
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


@pytest.mark.parametrize("size", ["0.001", "100", "999999", "1000000", "0", "-1"])
@pytest.mark.parametrize("kind", ["urdf", "sdf"])
def test_shapes_are_drawn_up_to_a_thousand_kilometres(size: str, kind: str) -> None:
    """Larger ones, and those without a size, are noted and not drawn."""
    if kind == "urdf":
        box = f'<visual><geometry><box size="1 {size} 2"/></geometry></visual>'
        arm = robot_of_urdf(robot(link("a", box)))
    else:
        box = f"<visual name='v'><geometry><box><size>1 {size} 2</size></box></geometry></visual>"
        arm = robot_of_sdf(
            f'<sdf version="1.7"><model name="m"><link name="a">{box}</link></model></sdf>'
        )
    valid = 0 < float(size) < 1e6
    assert [[float(x) for x in s.size] for s in arm.shapes.get("a", ())] == (
        [[1, float(size), 2]] if valid else []
    )
    noted = [e for e in arm.import_report["suspicious"] if "valid shape" in e.text]
    assert len(noted) == (0 if valid else 1)

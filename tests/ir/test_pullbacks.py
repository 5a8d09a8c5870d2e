"""λᵀ ∂f of any function, by all its arguments: against differences, specified and proved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equamo as eq
from compiled_robots import compiled, equations, folder, states  # noqa: F401 (a fixture)
from equamo.errors import UnknownNameError
from equamo.expr import ONE
from equamo.ir.function import entries_of
from equamo.ir.lookup import function_named
from equamo.ir.pullbacks import split_pullback
from equamo.ir.specification import residuals


def slope(f: Any, x: np.ndarray, step: np.ndarray, h: float = 1e-4) -> float:
    """Derivative of f along a step, by a difference of fourth order."""
    return (
        f(x - 2 * h * step) - 8 * f(x - h * step) + 8 * f(x + h * step) - f(x + 2 * h * step)
    ) / (12 * h)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("rr_arm", "mass_matrix"), ("rr_arm", "kinetic_energy"), ("rr_arm", "pose_fore"),
        ("rr_arm", "inverse_dynamics_derivatives"), ("rolling_disc", "bias"),
        ("four_bar", "constraint_forces"), ("one_of_each", "passive_force"),
    ],
)  # fmt: skip
def test_against_differences(name: str, function: str) -> None:
    fast, rng = compiled(name), np.random.default_rng(1)
    f, g = fast.function(function), fast.function(f"{function}_vjp_coordinates")
    x = states(fast.eom, 1)
    given = [x[n] for n in f.states]
    lam = [rng.normal(size=y.size) for y in f.results]
    missing = {n: 0.5 for n in fast.eom.robot.state_space.missing()}
    found = g(*given, *lam, values=missing)
    gradients = dict(zip((y.name for y in g.results), found, strict=True))

    def at(arguments: list[np.ndarray], values: dict[str, float]) -> float:
        y = f(*arguments, values={**missing, **values})
        parts = y if len(f.results) > 1 else [y]
        return sum(float(np.ravel(a) @ b) for a, b in zip(parts, lam, strict=True))

    for k, n in enumerate(f.states):
        step = rng.normal(size=given[k].shape)
        expected = slope(lambda z, k=k: at([*given[:k], z, *given[k + 1 :]], {}), given[k], step)
        assert gradients[f"grad_{n}"] @ step == pytest.approx(expected, rel=1e-6, abs=1e-7), n
    names = [s.name for s in fast.eom.parameters]
    home = np.array([missing.get(n, fast.eom.robot.values[n]) for n in names], float)
    step = rng.normal(size=len(names)) * np.abs(home)
    expected = slope(lambda z: at(given, dict(zip(names, z, strict=True))), home, step)
    assert gradients["grad_parameters"] @ step == pytest.approx(expected, rel=1e-6, abs=1e-7)


def test_programs_and_machine_code_are_proved() -> None:
    fast = eq.compile(equations("rolling_disc"))
    for name in ("mass_matrix_vjp", "forward_dynamics_vjp_vjp_coordinates"):
        _ = fast.function(name).address
    certificate = fast.certificate(seed=1)
    assert [line.name for line in certificate.lines if "equations" in line.name] == [
        "mass_matrix_vjp: program = equations",
        "forward_dynamics_vjp_vjp_coordinates: program = equations",
    ]
    assert certificate.ok


def test_the_specification_refuses_a_wrong_entry() -> None:
    eom = equations("rr_arm")
    f = function_named(eom, "gravity_vjp")
    right = [e for x in f.outputs(f.ways[0]).values() for e in entries_of(x)]
    zero = residuals(eom, f, right)
    assert eq.prove_equal(zero, [0] * len(zero)).verdict == "proved"
    for k in range(len(right)):
        wrong = [e + ONE if i == k else e for i, e in enumerate(right)]
        found = eq.prove_equal(residuals(eom, f, wrong), [0] * len(zero))
        assert found.verdict == "refuted"


def test_second_derivatives_are_symmetric() -> None:
    fast = compiled("rr_arm")
    q, x = [0.3, 0.5], np.eye(2)
    H = [fast.function("potential_energy_vjp_vjp")(q, [1.0], w, np.zeros(8))[0] for w in x]
    slopes = fast.inverse_dynamics_derivatives(q, [0, 0], [0, 0])[0]
    assert np.allclose(H, slopes, atol=1e-12)


def test_a_function_of_the_user() -> None:
    """The cache tells the products of functions of the same name apart."""
    one, two = (eq.compile(equations("rr_arm"), functions={"f": t}) for t in ("q1**2", "q1**3"))
    assert one.function("f_vjp")([2, 0], [1.0])[0].tolist() == [4, 0]
    assert two.function("f_vjp")([2, 0], [1.0])[0].tolist() == [12, 0]


def test_names() -> None:
    assert split_pullback("f_vjp_vjp") == ("f_vjp", "tangent")
    assert split_pullback("f_vjps") is None
    with pytest.raises(UnknownNameError, match="gravity"):
        compiled("rr_arm").function("gravty_vjp")

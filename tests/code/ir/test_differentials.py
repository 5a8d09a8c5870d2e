"""Pushforward and pullback of any function: finite differences, adjoints, Hessians, proofs."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.identity.prove import prove_zero
from equamo.code.ir.differentials import active_arguments, differential, more_arguments
from equamo.code.ir.function import Function, entries_of
from equamo.code.ir.lookup import function_named
from equamo.code.ir.specification import residuals
from equamo.code.jit.compiled import Compiled

ALL = ("_pushforward_all", "_pullback_all")


@cache
def fast(name: str) -> Compiled:
    if name == "flying":
        return eq.compile(eq.derive(flying()))
    return eq.compile(eq.derive(eq.load(name)))


def flying() -> eq.Robot:
    """An arm on a free body: its configuration has a quaternion."""
    base = eq.Body("base", eq.free("base"), mass="m", com="c 0 0", inertia="I1 I2 I3")
    arm = eq.Body("arm", eq.revolute("q1", axis="z", at="a 0 0"), mass="m2", com="0.1 0.2 0",
                  inertia="I1 I2 I3", parent="base")  # fmt: skip
    values = {
        "m": 2,
        "c": "0.1",
        "I1": "0.3",
        "I2": "0.4",
        "I3": "0.5",
        "a": "0.6",
        "m2": 1,
        "g": "9.81",
    }
    return eq.Robot("flying", [base, arm], parameters=values)


def normalised(compiled: Compiled, q: np.ndarray) -> np.ndarray:
    q = np.array(q)
    for group in compiled.eom.robot.state_space.quaternions:
        q[list(group)] /= np.linalg.norm(q[list(group)])
    return q


def point(compiled: Compiled, f: Function, seed: int = 0) -> dict[str, np.ndarray]:
    """A random value of each argument."""
    rng = np.random.default_rng(seed)
    found = {a.name: rng.uniform(-1, 1, len(a)) for a in f.arguments}
    home = compiled.eom.robot.state_space.values.numbers
    found["parameters"] = np.array([float(x) for x in home if x is not None])
    return found | {"q": normalised(compiled, found["q"])}


def evaluated(compiled: Compiled, name: str, at: dict[str, np.ndarray]) -> list[np.ndarray]:
    function = compiled.function(name)
    names = [s.name for s in compiled.eom.parameters]
    more: dict[str, Any] = {"values": dict(zip(names, at["parameters"], strict=True))}
    if any(a.name == "external" for a in function.source.arguments):
        more["external"] = at["external"]
    found = function(*(at[n] for n in function.states), **more)
    return [np.asarray(y) for y in (found if isinstance(found, tuple) else (found,))]


def along(
    compiled: Compiled, name: str, at: dict[str, np.ndarray], step: dict[str, np.ndarray]
) -> list[np.ndarray]:
    """The pushforward along a step of each argument."""
    f = compiled.function(name).source
    pairs = zip(more_arguments(f, ALL[0]), active_arguments(f, ALL[0]), strict=True)
    return evaluated(compiled, name + ALL[0], at | {d.name: step[a.name] for d, a in pairs})


FUNCTIONS = [
    ("rr_arm", "inverse_dynamics"), ("rr_arm", "kinetic_energy"), ("rr_arm", "pose_fore"),
    ("flying", "inverse_dynamics"), ("flying", "forward_dynamics"), ("flying", "state_derivative"),
    ("flying", "mass_matrix"), ("four_bar", "forward_dynamics_inputs"),
    ("four_bar", "constraint_forces"),
    ("four_bar", "closure"),
]  # fmt: skip


@pytest.mark.parametrize(("robot", "name"), FUNCTIONS)
def test_pushforward_is_the_limit_of_differences(robot: str, name: str) -> None:
    compiled = fast(robot)
    f = compiled.function(name).source
    at, rng, h = point(compiled, f), np.random.default_rng(1), 1e-6
    step = {a.name: rng.uniform(-1, 1, len(a)) for a in f.arguments}
    moved = along(compiled, name, at, step)

    def value(t: float) -> list[np.ndarray]:
        x = {n: at[n] + t * step[n] for n in step}
        return evaluated(compiled, name, at | x | {"q": normalised(compiled, x["q"])})

    for y, above, below in zip(moved, value(h), value(-h), strict=True):
        expected = (above - below) / (2 * h)
        np.testing.assert_allclose(y, expected, atol=1e-7 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize(
    ("robot", "name"),
    [
        *FUNCTIONS,
        ("flying", "pose_arm_pushforward_all"),
        ("flying", "pose_arm_pullback_all"),
        ("flying", "forward_dynamics_pullback"),
        ("rr_arm", "mass_matrix_pullback_all_pushforward"),
    ],
)
def test_pullback_is_the_adjoint_of_pushforward(robot: str, name: str) -> None:
    compiled = fast(robot)
    f = compiled.function(name).source
    at, rng = point(compiled, f), np.random.default_rng(2)
    step = {a.name: rng.uniform(-1, 1, len(a)) for a in f.arguments}
    moved = along(compiled, name, at, step)
    lam = [rng.uniform(-1, 1, y.shape) for y in moved]
    named = {a.name: x.ravel() for a, x in zip(more_arguments(f, ALL[1]), lam, strict=True)}
    slopes = evaluated(compiled, name + ALL[1], at | named)
    forward = sum(float((x * y).sum()) for x, y in zip(lam, moved, strict=True))
    pairs = zip(slopes, active_arguments(f, ALL[1]), strict=True)
    terms = [float(x @ step[a.name]) for x, a in pairs]
    assert abs(sum(terms) - forward) <= 1e-13 * (1 + sum(map(abs, terms)))


def test_second_order_by_coordinates_is_the_hessian() -> None:
    """The pushforward of a pullback, with the quaternion extended by x/|x|."""
    compiled = fast("flying")
    rng = np.random.default_rng(3)
    q, (v, vdot, lam) = normalised(compiled, rng.normal(size=8)), rng.normal(size=(3, 7))
    H = compiled.inverse_dynamics_hessian(q, v, vdot, lam, wrt="coordinates")
    second = compiled.function("inverse_dynamics_pullback_pushforward")
    columns = [
        np.concatenate(second(q, v, vdot, lam, *np.split(e, [8, 15]), np.zeros(7)))
        for e in np.eye(22)
    ]
    np.testing.assert_allclose(np.transpose(columns), H, atol=1e-13 * np.abs(H).max())


@pytest.mark.parametrize(
    ("robot", "names"),
    [
        ("flying", ["inverse_dynamics_pullback", "forward_dynamics_pushforward",
                    "mass_matrix_pullback_all", "state_derivative_pullback_all",
                    "forward_dynamics_pullback_pushforward"]),
        ("four_bar", ["constraint_forces_pullback_all", "forward_dynamics_inputs_pullback",
                      "closure_pullback_pullback", "constraint_forces_pushforward_all"]),
    ],
)  # fmt: skip
def test_programs_are_proved(robot: str, names: list[str]) -> None:
    compiled = eq.compile(fast(robot).eom)
    for name in names:
        assert compiled.function(name).address
    assert all(line.proof for line in compiled.certificate(seed=1).lines)


@pytest.mark.parametrize(
    "name", ["gravity_pullback", "gravity_pushforward", "forward_dynamics_pullback_all"]
)
def test_a_wrong_entry_is_refuted(name: str) -> None:
    eom = fast("flying").eom
    f = function_named(eom, name)
    right = [e for y in f.outputs(f.ways[0]).values() for e in entries_of(y)]
    assert prove_zero(residuals(eom, f, right), unit=eom.robot.unit_groups, seed=1)
    wrong = residuals(eom, f, [*right[:-1], right[-1] + 1])
    assert prove_zero(wrong, unit=eom.robot.unit_groups, seed=1).verdict == "refuted"


def test_users_functions_have_them_too() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    compiled = eq.compile(eom, functions={"square": "q1*q2*m1", "other": "q1 + q2"})
    slope, by_parameters = compiled.square_pullback_all([2.0, 3.0], [1.0], values={"m1": 5})
    np.testing.assert_array_equal(slope, [15.0, 10.0])
    assert by_parameters.sum() == 6.0
    again = eq.compile(eom, functions={"square": "q1*q1"})
    np.testing.assert_allclose(again.square_pullback([2.0, 3.0], [1.0]), [4.0, 0.0])


def test_a_function_without_the_ending_is_unknown() -> None:
    with pytest.raises(eq.EquamoError, match="gravty_pullback"):
        fast("rr_arm").function("gravty_pullback")
    f = fast("rr_arm").function("gravity").source
    eom = fast("rr_arm").eom
    assert differential(eom, f, ALL[0]) is differential(eom, f, ALL[0])

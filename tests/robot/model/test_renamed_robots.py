"""Names mean nothing: a robot with other names has the same equations, motion and code."""

from __future__ import annotations

import contextlib
from functools import cache
from typing import Any

import numpy as np
import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr.fingerprint import fingerprints
from equamo.algebra.expr.substitute import substitute
from equamo.robot.library.registry import NAMES
from equamo.robot.model import BaseMotion, Robot
from force_robots import arm, one_of_each
from renamed_robots import Renaming, renamed, renamings, sample, source_names

METHODS = ("kane", "lagrange", "projected_newton_euler", "gibbs_appell", "recursive")
SMALL_SIZE = 6
OTHERS = ("one of each force", "moving base")
BIG = ("krang", "starleth", "stanford")  # of the bigger ones, in a sample
SMALL = ("rr_arm", "rp_arm", "four_bar", "rolling_disc", "wheeled_inverted_pendulum", *OTHERS)


@cache
def robot_named(name: str) -> Robot:
    if name == "one of each force":
        return arm(*one_of_each())
    if name == "moving base":
        return arm(base=BaseMotion(w="0 0 w0", v="v0 0 0", alpha="0 0 alpha0", a="a0 0 0"))
    return eq.load(name)


def choices(name: str, whole: bool, count: int = 1) -> list[Renaming]:
    robot = robot_named(name)
    return [*renamings(robot, source_names())] if whole else sample(robot, len(name), count)


@cache
def values(name: str, by: str) -> list[int]:
    return quantities(eq.derive(robot_named(name), by=by), {})


def quantities(eom: eq.EquationsOfMotion, back: Any) -> list[int]:
    entries = [*eom.mass_matrix.entries, *eom.bias, *eom.gravity, *eom.input_matrix.entries]
    entries += [x for f in eom.forces.values() for x in f]
    if eom.by == "recursive" or len(eom.v) <= SMALL_SIZE:  # C follows from M
        entries += eom.coriolis_matrix.entries
    for point in map(str, range(40)):  # the length of a spring has a root at every second point
        with contextlib.suppress(ValueError):
            return fingerprints(substitute(entries, back), point)
    raise AssertionError("no point where all roots exist")


@pytest.mark.ci
@pytest.mark.parametrize("name", [*NAMES, *OTHERS] if WHOLE_SWEEPS else [*SMALL, *BIG])
def test_equations_do_not_depend_on_names(name: str, whole_sweeps: bool) -> None:
    for names in choices(name, whole_sweeps):
        robot = renamed(robot_named(name), names)
        for by in METHODS:
            found = quantities(eq.derive(robot, by=by), names.back)
            assert found == values(name, by), (by, names.symbols, names.bodies)


def states(robot: Robot) -> tuple[Any, Any]:
    rng = np.random.default_rng(len(robot.q))
    q = np.array([float(robot.home.q.get(x.name, 0)) for x in robot.q])
    return q + 0.2 * rng.uniform(-1, 1, len(q)), rng.uniform(-1, 1, len(robot.v))


def motion(robot: Robot) -> dict[str, Any]:
    eom = eq.derive(robot)
    q, v = states(robot)
    numbers = {n: float(x or 0.5) for n, x in robot.values.items()}
    found: dict[str, Any] = {}
    methods = ["rk4", "semi_implicit_euler"]
    if not robot.loops:  # the implicit method does not project onto loops
        methods.append("implicit_midpoint")
    for method in methods:
        run = eq.rollout(eom, q, v, step=1e-3, steps=20, method=method, values=numbers, cache=False)
        found[method] = np.concatenate([run.q[-1], run.v[-1]])
    run = eq.simulate(eom, q, v, duration=0.02, values=numbers, progress=False)
    found["simulate"] = np.concatenate([run.q[-1], run.v[-1]])
    found["constraints"] = np.array([np.abs(x).max() for x in run.constraint_violation.values()])
    fast = eq.compile(eom, cache=False)
    found["compiled"] = fast.inverse_dynamics(q, v, 0 * v, values=numbers)
    return found


@cache
def reference(name: str) -> dict[str, Any]:
    return motion(robot_named(name))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", SMALL)
def test_motion_and_machine_code_do_not_depend_on_names(name: str, whole_sweeps: bool) -> None:
    for names in choices(name, whole_sweeps)[: 40 if whole_sweeps else 3]:
        found = motion(renamed(robot_named(name), names))
        for key, expected in reference(name).items():
            np.testing.assert_allclose(found[key], expected, rtol=1e-9, atol=1e-9, err_msg=key)


def test_the_source_has_many_names_and_those_that_once_collided_are_tried() -> None:
    assert len(source_names()) > 2000
    tried = {n for c in choices("rr_arm", False) for n in c.symbols.values()}
    assert {"a", "direction 0", "time of the motion", "base.alpha.x", "next_a"} <= tried


def two_links(first: str, second: str, mass: str = "m", **options: Any) -> eq.EquationsOfMotion:
    bodies = [
        eq.Body("upper", eq.revolute(first), mass=mass, com="1/2 0 0", inertia="0 0 1/12"),
        eq.Body("fore", eq.revolute(second, at="1 0 0"),
                mass="1", com="1/2 0 0", inertia="0 0 1/12", parent="upper"),
    ]  # fmt: skip
    return eq.derive(
        eq.Robot("arm", bodies, "0 -g 0", parameters={mass.strip("`"): 1, "g": 9.81}, **options)
    )


@pytest.mark.parametrize("method", ["rk4", "semi_implicit_euler", "implicit_midpoint"])
@pytest.mark.parametrize("names", [("a", "u2"), ("b", "a"), ("x", "sum_x"), ("t", "next_a")])
def test_fixed_steps_with_coordinates_named_like_the_coefficients_of_a_method(
    method: str, names: tuple[str, str]
) -> None:
    plain = eq.rollout(two_links("q1", "q2"), [0.5, 1], step=1e-3, duration=0.5, method=method)
    other = eq.rollout(two_links(*names), [0.5, 1], step=1e-3, duration=0.5, method=method)
    np.testing.assert_allclose(other.q, plain.q, rtol=1e-9)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("by", METHODS)
def test_a_parameter_named_like_the_rate_of_a_coordinate(by: str) -> None:
    def body(mass: str) -> eq.EquationsOfMotion:
        joint = eq.free("b")
        bodies = [eq.Body("b", joint, mass=mass, com="0.1 0.2 0.3", inertia="1 2 3 0.1 0.2 0.3")]
        return eq.derive(eq.Robot("f", bodies), by=by)

    assert quantities(body("db_x"), {eq.parse("db_x"): eq.parse("m")}) == quantities(body("m"), {})


@pytest.mark.parametrize(
    "mass", ["direction 0", "time of the motion", "base.alpha.x", "rate of q1"]
)
def test_a_parameter_named_like_what_a_simulation_invents(mass: str) -> None:
    def run(name: str) -> Any:
        forces = [eq.joint_friction("q1", coulomb="1/10")]
        eom = two_links("q1", "q2", f"`{name}`", forces=forces)
        return eq.simulate(eom, [0.5, 1], duration=0.2, values={name: 1}, progress=False).q[-1]

    np.testing.assert_allclose(run(mass), run("m"), rtol=1e-8)

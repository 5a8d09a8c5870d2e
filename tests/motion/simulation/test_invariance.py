"""A motion does not depend on units, names, order, place and direction of the world.

For a zoo of robots: built-in ones, random trees with every kind of joint, every kind of force element,
loops, a moving base, quaternions, chosen speeds and gears. Masses, lengths and times are multiplied by
powers of two, which no rounding error hides.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import equamo as eq
import loops_examples
from force_robots import arm, one_of_each
from random_trees import KINDS, WHOLE_SWEEPS, random_tree
from renamed_robots import Renaming, renamed
from scaled_robots import Powers, Scaling, moved, reordered, scaled, scaled_values

SAMPLES = 5
TIME = 0.25  # [s]
SCALINGS = [
    Scaling.of(2.0**20, 1, 1), Scaling.of(2.0**-20, 1, 1), Scaling.of(1, 2.0**20, 1),
    Scaling.of(1, 2.0**-20, 1), Scaling.of(1, 1, 2.0**20), Scaling.of(1, 1, 2.0**-20),
    Scaling.of(2.0**-13, 2.0**17, 2.0**-11),
]  # fmt: skip
FORWARD: Powers = (0, 1, -1)


class Case(NamedTuple):
    """A robot of the zoo; the dimensions of chosen speeds that are not rates of angles."""

    robot: eq.Robot
    speeds: dict[str, Powers]
    by_values: bool = False  # scaled by the units of its parameters


def tree(seed: int, **options: Any) -> eq.Robot:
    return random_tree(seed, speeds=7, bodies=3, symbolic=False, forces=False, **options).robot()


def with_base(seed: int) -> eq.Robot:
    base = eq.BaseMotion(w="3/10 -1/5 1/2", v="1/4 1/8 -1/2", alpha="1/10 1/5 0", a="1/3 -1/4 1")
    return random_tree(seed, speeds=5, bodies=2, symbolic=False, forces=False).robot(base=base)


def built_in(name: str, **speeds: Powers) -> Callable[[], Case]:
    return lambda: Case(eq.load(name), speeds)


def by_values(name: str, **speeds: Powers) -> Callable[[], Case]:
    return lambda: Case(eq.load(name), speeds, True)


def passive() -> Case:
    """Every kind of force element that needs no input."""
    forces = [f for f in one_of_each() if not f.inputs() and not f.external()]
    return Case(
        arm(*[f for f in forces if "friction" not in f.name or getattr(f, "width", None)]), {}
    )


def loop(cut: str) -> Case:
    """A four-bar; a pin without mass would be held by M + AᵀA, which is exact near 1 m only."""
    robot = loops_examples.four_bar(cut)
    if "pin" in [b.name for b in robot.bodies]:
        robot = robot.add_mass("pin", "0.01", "0 0 0", "0.0001 0.0001 0.0001")
    return Case(robot, {})


ZOO: dict[str, Callable[[], Case]] = {
    "forces": passive,
    **{f"tree {k}": (lambda k=k: Case(tree(k), {})) for k in range(len(KINDS))},
    **{f"base {k}": (lambda k=k: Case(with_base(k), {})) for k in (1, 6)},
    **{n: built_in(n) for n in ("rr_arm", "puma560", "stanford", "starleth", "three_link_arm")},
    **{n: built_in(n) for n in ("iiwa", "rx90", "krang")},
    **{f"loop {c}": (lambda c=c: loop(c))
       for c in ("revolute", "spherical", "distance", "fixed", "prismatic", "planar")},
    **{n: built_in(n) for n in ("four_bar", "delta", "cassie_leg", "stewart")},
    **{n: by_values(n) for n in ("rp_arm", "three_link_prismatic_arm")},
    "rolling disc": by_values("rolling_disc"),
    "wheeled": by_values("wheeled_inverted_pendulum", dx=FORWARD),
    "krang on wheels": by_values("krang_on_wheels", dx=FORWARD),
}  # fmt: skip
SMALL = ("forces", "tree 2", "base 1", "loop revolute", "rolling disc")
CASES = tuple(ZOO) if WHOLE_SWEEPS else SMALL


@cache
def case(name: str) -> Case:
    return ZOO[name]()


def start(robot: eq.Robot) -> np.ndarray:
    """A state near home that moves."""
    rng = np.random.default_rng(5)
    space = robot.state_space
    q = np.array([float(x or 0) for x in space.q.numbers])
    v = np.array([float(x or 0) for x in space.v.numbers])
    if not robot.loops:
        q = q + 0.3 * rng.uniform(-1, 1, len(q))
        for group in space.quaternions:
            q[group] /= np.linalg.norm(q[group])
    v = v + 0.5 * rng.uniform(-1, 1, len(v))
    if robot.loops:
        state = eq.assemble(robot, q, v)
        q, v = state.q, state.v
    return np.concatenate([q, v])


def motion(
    robot: eq.Robot, state: np.ndarray, by: Scaling, speeds: dict[str, Powers], **options: Any
) -> np.ndarray:
    """States at fixed times, in the units before the scaling."""
    factors, T = by.states(robot, speeds), float(by.time)
    y, n = state * factors, len(robot.q)
    times = np.linspace(0, TIME * T, SAMPLES)
    options |= {"control": np.zeros(len(robot.inputs)), "progress": False}
    run = eq.simulate(eq.derive(robot), y[:n], y[n:], duration=TIME * T, t_eval=times, **options)
    assert len(run) == SAMPLES
    return np.hstack([run.q, run.v]) / factors


NONE = Scaling.of(1, 1, 1)


@cache
def reference(name: str, rtol: float = 1e-11) -> np.ndarray:
    robot, speeds, _ = case(name)
    return motion(robot, start(robot), NONE, speeds, rtol=rtol)


def difference(found: np.ndarray, expected: np.ndarray) -> float:
    return float((np.abs(found - expected) / (1 + np.abs(expected))).max())


def scaling_error(name: str, by: Scaling) -> float:
    robot, speeds, has_units = case(name)
    if has_units:
        found = motion(robot, start(robot), by, speeds, rtol=1e-11, values=scaled_values(robot, by))
    else:
        found = motion(scaled(robot, by), start(robot), by, speeds, rtol=1e-11)
    return difference(found, reference(name))


@pytest.mark.ci
@pytest.mark.parametrize("name", CASES)
def test_motions_scale_with_mass_length_and_time(name: str, whole_sweeps: bool) -> None:
    for by in SCALINGS if whole_sweeps else SCALINGS[-1:]:
        assert scaling_error(name, by) < 1e-9, by


# -- the same robot, written differently ---------------------------------------------------------------
def other_names(robot: eq.Robot) -> Renaming:
    symbols = {x.name: f"z{k}_{x.name}" for k, x in enumerate(robot.joint_coordinates)}
    symbols |= {
        u.name: f"d{symbols[u.name[1:]]}" for u in robot.joint_speeds if u.name[1:] in symbols
    }
    symbols |= {n: f"p{k}" for k, n in enumerate(robot.parameter_info)}
    return Renaming(symbols, {b.name: f"part {k}" for k, b in enumerate(robot.bodies)})


def renaming_error(name: str) -> float:
    robot, speeds, _ = case(name)
    names = other_names(robot)
    other = renamed(robot, names)
    powers = {names.symbol(n): x for n, x in speeds.items()}
    return difference(motion(other, start(robot), NONE, powers, rtol=1e-11), reference(name))


def order_error(name: str) -> float:
    robot, speeds, _ = case(name)
    other = reordered(robot, 3)
    at = [[x.name for x in (*other.q, *other.v)].index(x.name) for x in (*robot.q, *robot.v)]
    state = np.empty(len(at))
    state[at] = start(robot)
    return difference(motion(other, state, NONE, speeds, rtol=1e-11)[:, at], reference(name))


def place_error(name: str) -> float:
    robot, speeds, _ = case(name)
    return difference(motion(moved(robot), start(robot), NONE, speeds, rtol=1e-11), reference(name))


def tolerance_error(name: str) -> float:
    return difference(reference(name, 1e-8), reference(name))


@pytest.mark.ci
@pytest.mark.parametrize("name", CASES)
def test_motions_depend_on_no_names_order_place_or_tolerance(name: str) -> None:
    assert renaming_error(name) < 1e-9
    assert tolerance_error(name) < 1e-6
    if case(name).robot.speed_map is None:
        assert order_error(name) < 1e-9
        assert place_error(name) < 1e-9

"""Long chains of fixed joints: numbers stay short, next to the exact ones and to Pinocchio's."""

import random
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from equamo.algebra.expr import as_expr, symbol
from equamo.algebra.expr.matrix import Matrix, identity
from equamo.algebra.expr.number_size import bits
from equamo.algebra.expr.vector import Vector
from equamo.mechanics.equations import derive
from equamo.robot.catalog import load
from equamo.robot.formats.rational_rotation import quaternion_of, rotation_of_quaternion
from equamo.robot.formats.short_numbers import (
    KEPT,
    LONGEST,
    short_inertia,
    short_rotation,
    short_vector,
)
from equamo.robot.formats.urdf import robot_of_urdf
from equamo.robot.model import Inertia
from peer_urdf import Peer, compare
from urdf_texts import joint, link, robot

pytestmark = pytest.mark.needs("pinocchio")

NEAR = Fraction(1, 2 ** (KEPT - 2))


def number(x: object) -> Fraction:
    value = as_expr(x).value
    assert value is not None
    return Fraction(value)


def long_fraction(rng: random.Random, size: int = 2000) -> Fraction:
    return Fraction(rng.getrandbits(size) - 2 ** (size - 1), rng.getrandbits(size) | 1)


@cache
def chain(fixed: int, masses: int = 4) -> str:
    """Two moving joints with `fixed` fixed ones between them, every fourth link with a mass."""
    rng = random.Random(fixed)
    parts = [link("base", ""), link("first"),
             joint("q1", "continuous", "base", "first", '<axis xyz="0 1 0"/>')]  # fmt: skip
    last = "first"
    for k in range(fixed):
        xyz, rpy = ([f"{rng.uniform(-a, a):.4f}" for _ in range(3)] for a in (0.3, 3))
        origin = f'<origin xyz="{" ".join(xyz)}" rpy="{" ".join(rpy)}"/>'
        name = f"f{k}"
        parts += [link(name) if k % masses == 0 else link(name, ""),
                  joint(f"glue{k}", "fixed", last, name, origin)]  # fmt: skip
        last = name
    parts += [link("end"), joint("q2", "continuous", last, "end", """
        <origin xyz="0.1 0.2 0.3" rpy="0.3 0.1 0.4"/><axis xyz="1 2 3"/>""")]  # fmt: skip
    return robot(*parts)


# -- one number ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(8))
def test_a_rotation_stays_a_rotation_next_to_the_exact_one(seed: int) -> None:
    rng = random.Random(seed)
    q = [long_fraction(rng, 600) for _ in range(4)]
    if seed < 4:
        q[seed] *= 10**6  # nearly a half turn, or none at all
    A = rotation_of_quaternion(*q)
    assert bits(A.entries) > LONGEST
    short = short_rotation(A)
    assert bits(short.entries) <= 2 * KEPT + 3
    assert short @ short.T == identity(3)
    assert (
        max(abs(number(x) - number(y)) for x, y in zip(short.entries, A.entries, strict=True))
        < NEAR
    )
    assert short_rotation(short) is short


@pytest.mark.parametrize(
    "q", [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, -2, 3, -4)]
)
def test_a_rotation_has_its_quaternion(q: tuple[int, ...]) -> None:
    A = rotation_of_quaternion(*map(Fraction, q))
    found = quaternion_of(A)
    assert rotation_of_quaternion(*found) == A
    ratios = {a / b for a, b in zip(found, q, strict=True) if b}
    assert len(ratios) == 1


def test_vectors_and_inertias_are_rounded_by_their_largest_entry() -> None:
    rng = random.Random(1)
    x, y = long_fraction(rng), long_fraction(rng) / 10**6
    short = short_vector(Vector([x, y, symbol("z")]))
    assert short[2] is symbol("z")
    assert bits(short) <= KEPT + 1
    for a, b in zip(short, (x, y), strict=False):
        assert 0 < abs(number(a) - b) < NEAR * abs(x)
    ten = [Fraction(3, 7), *(long_fraction(rng) * 1000 for _ in range(3)),
           *(long_fraction(rng) / 1000 for _ in range(6))]  # fmt: skip
    inertia = short_inertia(Inertia.about_origin(ten))
    assert number(inertia.mass) == Fraction(3, 7)  # short as it was
    for part in (slice(1, 4), slice(4, 10)):
        largest = max(map(abs, ten[part]))
        for a, b in zip(inertia.ten[part], ten[part], strict=True):
            assert 0 < abs(number(a) - b) < NEAR * largest


def test_short_numbers_stay_exact() -> None:
    p = Vector([Fraction(1, 3**200), 1, symbol("x")])
    assert short_vector(p) == p
    inertia = Inertia.about_origin([1, *[Fraction(1, 3)] * 9])
    assert short_inertia(inertia) is inertia
    A = rotation_of_quaternion(*map(Fraction, (1, 2, 3, 4)))
    assert short_rotation(A) is A


# -- chains --------------------------------------------------------------------------------------------
@pytest.mark.ci
def test_200_fixed_joints_agree_with_pinocchio(tmp_path: Path) -> None:
    path = tmp_path / "chain.urdf"
    path.write_text(chain(200), encoding="utf-8")
    robot = load(path)
    errors = compare(derive(robot), Peer(path), 3).worst()
    # Each file angle becomes a rational rotation less than 1e-15 away; 200 of them add up.
    assert max(errors.values()) < 1e-13
    assert robot.import_report is not None
    noted = [e.text for e in robot.import_report["rounded"]]
    assert len(noted) == 2  # poses and inertia, each once
    assert all(text.startswith("body first: ") for text in noted)
    longest = max(bits(robot.body(f"f{k}").joint.rotation.entries) for k in range(200))
    assert longest <= LONGEST


def test_rounding_is_far_below_a_double() -> None:
    """The pose after 40 joints, against the exact product of the same rotations."""
    robot = robot_of_urdf(chain(40, masses=100))
    steps = [robot_of_urdf(chain_link(k)).body("b").joint for k in range(40)]
    A, p = np.eye(3, dtype=object) * Fraction(1), np.zeros(3, dtype=object)
    for k, step in enumerate(steps):
        R = np.array([number(x) for x in step.rotation.entries], dtype=object).reshape(3, 3)
        p = p + A @ np.array([number(x) for x in step.position], dtype=object)
        A = A @ R
        found = robot.body(f"f{k}").joint
        ours = np.array([number(x) for x in found.rotation.entries], dtype=object).reshape(3, 3)
        assert abs(ours - A).max() < Fraction(1, 10**25)
        assert abs(np.array([number(x) for x in found.position]) - p).max() < Fraction(1, 10**25)
    assert robot.import_report is not None
    assert robot.import_report["rounded"]


def chain_link(k: int) -> str:
    """The k-th fixed joint of chain(40) alone."""
    line = next(x for x in chain(40, masses=100).splitlines() if f'name="glue{k}"' in x)
    parent = f"f{k - 1}" if k else "first"
    line = line.replace(f'link="{parent}"', 'link="a"').replace(f'link="f{k}"', 'link="b"')
    return robot(link("a", ""), link("b", ""), line)


def test_short_chains_are_not_rounded() -> None:
    report = robot_of_urdf(chain(3)).import_report
    assert report is not None
    assert not report["rounded"]


def test_symbols_are_not_rounded() -> None:
    robot = robot_of_urdf(chain(40), parameters="symbolic")
    names = {f"{x}_glue{k}" for x in "xyz" for k in range(40)}
    assert names <= {p.name for p in robot.parameters}
    assert isinstance(robot.body("f39").joint.rotation, Matrix)
    numeric = derive(robot_of_urdf(chain(40)))
    q = [0.3, -0.7]
    np.testing.assert_allclose(
        derive(robot).evaluate("mass_matrix", q=q),
        numeric.evaluate("mass_matrix", q=q),
        rtol=1e-12,
        atol=1e-12,
    )

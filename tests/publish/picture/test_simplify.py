"""Simplified surfaces keep to the budget, and nearly to the volume and the edges."""

import numpy as np
import pytest

from equamo.publish.picture.simplify import Surface, clustered, simplified


def net(p: np.ndarray) -> np.ndarray:
    """Corners of the triangles of a net of points, two for each square."""
    quads = [p[:-1, :-1], p[1:, :-1], p[1:, 1:], p[:-1, 1:]]
    halves = ((0, 1, 2), (0, 2, 3))
    return np.vstack([np.stack([quads[i] for i in x], axis=2).reshape(-1, 3) for x in halves])


def sphere(n: int, radius: float = 1.0) -> Surface:
    """A sphere of 4 n² triangles without shared corners, as in an STL file."""
    a, b = np.meshgrid(
        np.linspace(0, np.pi, n + 1), np.linspace(0, 2 * np.pi, 2 * n + 1), indexing="ij"
    )
    p = radius * np.stack([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)], axis=-1)
    points = net(p)
    return Surface(points, np.arange(len(points)).reshape(-1, 3))


def volume(s: Surface) -> float:
    """∫ x · n dA / 3; its sign tells the orientation of the triangles."""
    a, b, c = (s.points[s.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6


def test_equal_corners_become_one() -> None:
    s = clustered(sphere(8), 1e-6)
    assert len(s.faces) == 4 * 8 * 8 - 2 * 2 * 8  # those at the poles have no area
    assert len(s.points) - 3 * len(s.faces) / 2 + len(s.faces) == 2  # Euler: a closed surface
    assert volume(s) == pytest.approx(volume(sphere(8)))


@pytest.mark.parametrize("budget", [4, 60, 500, 3000])
def test_budget(budget: int) -> None:
    small, large = sphere(30, 0.1), sphere(40)
    first, second = simplified([small, large], budget)
    total = len(first.faces) + len(second.faces)
    assert total <= budget
    for s in (first, second):
        assert len(s.points) == (0 if not len(s.faces) else s.faces.max() + 1)
        assert np.isfinite(s.points).all()
    if budget >= 500:
        assert total >= 0.8 * budget
        assert volume(second) == pytest.approx(4 / 3 * np.pi, rel=0.1)
        assert np.linalg.norm(second.points, axis=1).max() < 1.1
        assert len(first.faces) > 0.05 * total  # a small part keeps some detail
    again = simplified([small, large], budget)
    assert all(
        np.array_equal(a.points, b.points) for a, b in zip((first, second), again, strict=True)
    )


def test_a_surface_within_its_budget_is_only_welded() -> None:
    ball = sphere(8)
    count = len(clustered(ball, 1e-6).faces)
    for budget in (count, count + 1):
        (kept,) = simplified([ball], budget)
        assert len(kept.faces) == count
    assert len(simplified([ball], count - 1)[0].faces) < count


def test_most_of_the_budget_is_used() -> None:
    """Also of a long part, whose first size of the cubes leaves two thirds."""
    for n in (20, 30):
        ball = sphere(n)
        long = Surface(ball.points * np.array([1, 1, 8]), ball.faces)
        for budget in (150, 250, 700):
            (found,) = simplified([long], budget)
            assert 0.85 * budget <= len(found.faces) <= budget


def test_edges_of_a_box_stay_sharp() -> None:
    """(1) places a corner where the planes meet, and not at the mean of the points near it."""
    t = np.linspace(-1, 1, 41)
    u, v = np.meshgrid(t, t, indexing="ij")
    sides = [np.stack([np.full_like(u, x), u, v], axis=-1) for x in (-1.0, 1.0)]
    faces = [net(p[..., np.roll([0, 1, 2], axis)]) for axis in range(3) for p in sides]
    points = np.vstack(faces)
    (box,) = simplified([Surface(points, np.arange(len(points)).reshape(-1, 3))], 800)
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    gaps = [np.linalg.norm(box.points - c, axis=1).min() for c in corners]
    assert max(gaps) < 0.01


def test_nothing_is_nothing() -> None:
    assert simplified([], 10) == []
    ball, empty = sphere(20), Surface(np.zeros((0, 3)), np.zeros((0, 3), np.int64))
    for budget in (4, 60, 500):
        *none, found = simplified([empty, empty, ball], budget)
        (alone,) = simplified([ball], budget)
        assert [len(s.faces) for s in none] == [0, 0]
        assert np.array_equal(found.points, alone.points)
    flat = Surface(np.zeros((3, 3)), np.array([[0, 1, 2]]))
    assert len(simplified([flat], 10)[0].faces) == 0


def test_a_corner_in_any_direction_stays_sharp() -> None:
    """Three planes at right angles, turned: A of (1) is then a full matrix."""
    c, s = np.cos(0.6), np.sin(0.6)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    t = np.linspace(0, 1, 21)
    u, v = np.meshgrid(t, t, indexing="ij")
    side = np.stack([np.zeros_like(u), u, v], axis=-1)
    points = np.vstack([net(side[..., np.roll([0, 1, 2], axis)]) for axis in range(3)]) @ R.T
    (found,) = simplified([Surface(points, np.arange(len(points)).reshape(-1, 3))], 300)
    assert np.linalg.norm(found.points, axis=1).min() < 0.01


def test_a_budget_that_is_met_exactly_is_used() -> None:
    (found,) = simplified([sphere(6)], 40)
    assert len(found.faces) == 40

"""Small arrays in plain Python give what NumPy gives, up to rounding."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy
import pytest

from equamo.algebra.arrays import small
from equamo.errors import MissingLibraryError

RANDOM = Random(5)


def numbers(*shape: int) -> Any:
    if not shape:
        return round(RANDOM.uniform(-2, 2), 6)
    return [numbers(*shape[1:]) for _ in range(shape[0])]


A, B, TALL, WIDE = numbers(3, 3), numbers(3, 3), numbers(5, 2), numbers(2, 5)
BATCH, VECTOR, CUBE = numbers(4, 3, 3), numbers(3), numbers(2, 3, 4)
SYMMETRIC = [[4.0, 1.0, -0.5], [1.0, 3.0, 0.25], [-0.5, 0.25, 2.0]]
RIGHT = numbers(5)
RANK_ONE = [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]


def written(np: Any) -> Any:
    a = np.array(CUBE)
    a[:, 1] = 0.0
    a[0, [0, 2], 1:3] = [[1.0, 2.0], [3.0, 4.0]]
    a[..., -1] += 7
    np.swapaxes(a, 0, 2)[0, 0, 1] = 5.0  # through a view
    return a


def by_truth(np: Any) -> Any:
    a = np.array(A)
    a[a < 0] = 9.0
    return a


def filled_block(np: Any) -> Any:
    a = np.zeros((2, 4, 5))
    a[np.ix_(range(2), [0, 2], [1, 3, 4])] = np.array(numbers_of_block)
    return a


numbers_of_block = numbers(2, 2, 3)

SAME: dict[str, Callable[[Any], Any]] = {
    "sum of broadcast arrays": lambda np: np.array(CUBE) + np.array(numbers_of_block[0][0])[:, None],
    "product": lambda np: np.array(A) @ np.array(B),
    "product with a vector": lambda np: np.array(A) @ VECTOR,
    "dot": lambda np: np.array(VECTOR) @ np.array(VECTOR),
    "row times matrix": lambda np: np.array(VECTOR) @ np.array(A),
    "batch of products": lambda np: np.array(BATCH) @ np.array(A),
    "batch times columns": lambda np: (np.array(BATCH) @ np.array(BATCH)[..., :1])[..., 0],
    "slices": lambda np: np.array(CUBE)[1:, ::-1, 1:3],
    "list of indices": lambda np: np.array(CUBE)[:, [2, 0]],
    "pairs of indices": lambda np: np.array(A)[[0, 2], [1, 1]],
    "truth values": lambda np: np.array(VECTOR)[np.array(VECTOR) > 0],
    "truth values of a matrix": lambda np: np.array(A)[np.array(A) > 0],
    "truth values of rows": lambda np: np.array(CUBE)[np.array(CUBE)[:, :, 0] > -0.5],
    "written by truth values": by_truth,
    "rows and columns": lambda np: np.array(A)[np.ix_([0, 2], [1, 2])],
    "written": written,
    "block written": filled_block,
    "transposed": lambda np: np.array(CUBE).T,
    "moved axis": lambda np: np.moveaxis(np.array(CUBE), -1, 0),
    "reshaped": lambda np: np.array(CUBE).reshape(4, -1),
    "stack": lambda np: np.stack([np.array(A), np.array(B)], axis=1),
    "stack last": lambda np: np.stack([np.array(A), np.array(B)], axis=-1),
    "concatenate": lambda np: np.concatenate([np.array(A), np.array(B)], axis=1),
    "vstack": lambda np: np.vstack([np.array(A), np.array(VECTOR)]),
    "hstack": lambda np: np.hstack([np.array(A), np.array(B)]),
    "block": lambda np: np.block([[np.array(A), np.zeros((3, 1))], [np.ones((1, 4))]]),
    "split": lambda np: np.split(np.array(VECTOR), [1, 2])[1],
    "cross": lambda np: np.cross(np.array(A), np.array(VECTOR)),
    "outer": lambda np: np.outer(VECTOR, VECTOR),
    "diag": lambda np: np.diag(np.array(VECTOR)),
    "diagonal": lambda np: np.diag(np.array(A)),
    "linspace": lambda np: np.linspace(-1, 2, 7),
    "open linspace": lambda np: np.linspace(0, 2 * np.pi, 5, endpoint=False),
    "sum along": lambda np: np.sum(np.array(CUBE), axis=1),
    "sum kept": lambda np: np.sum(np.array(CUBE), axis=-1, keepdims=True),
    "largest": lambda np: np.max(np.array(CUBE), axis=0),
    "largest of none": lambda np: np.max(np.array([]), initial=3.0),
    "smallest": lambda np: np.min([np.array(VECTOR), -np.array(VECTOR)], axis=0),
    "range": lambda np: np.ptp(np.array(A), axis=0),
    "mean": lambda np: np.array(A).mean(axis=0),
    "median": lambda np: np.median(np.sort(np.array(VECTOR))[1:]),
    "places": lambda np: [np.argmax(np.array(VECTOR)), np.argmin(np.array(CUBE))],
    "unravelled": lambda np: np.unravel_index(int(np.argmax(np.array(A))), (3, 3)),
    "where": lambda np: np.where(np.array(A) > 0, np.array(A), 9.0),
    "clip": lambda np: np.clip(np.array(A), -0.5, None),
    "rounded to integers": lambda np: np.round(3 * np.array(A)),
    "rounded": lambda np: np.round(np.array(A), 2),
    "norm": lambda np: np.linalg.norm(np.array(A)),
    "norms": lambda np: np.linalg.norm(np.array(A), axis=-1, keepdims=True),
    "solve": lambda np: np.linalg.solve(np.array(A), np.array(VECTOR)),
    "solve a batch": lambda np: np.linalg.solve(np.array(BATCH), np.array(BATCH)[..., :1]),
    "inverse": lambda np: np.linalg.inv(np.array(BATCH)),
    "determinant": lambda np: np.linalg.det(np.array(A)),
    "cholesky": lambda np: np.linalg.cholesky(np.array(SYMMETRIC)),
    "singular values": lambda np: np.linalg.svd(np.array(WIDE))[1],
    "singular values whose squares overflow": lambda np: np.linalg.svd(np.diag([1e200, 0.0]))[1],
    "least squares": lambda np: np.linalg.lstsq(np.array(TALL), RIGHT, rcond=None)[0],
    "smallest solution": lambda np: np.linalg.lstsq(np.array(RANK_ONE), [1.0, 2.0], rcond=1e-9)[0],
    "pseudoinverse": lambda np: np.linalg.pinv(np.array(WIDE)),
    "condition": lambda np: np.linalg.cond(np.array(A)),
    "symmetric eigenvalues": lambda np: np.linalg.eigh(np.array(SYMMETRIC))[0],
    "division by zero": lambda np: np.float64(-1.0) / np.float64(0.0),
    "root of a negative number": lambda np: np.isnan(np.sqrt(np.float64(-1.0))),
    "polynomial": lambda np: np.polynomial.polynomial.polyval(np.array(VECTOR), [1.0, 2.0, 3.0]),
    "functions": lambda np: np.sin(np.array(A)) + np.arctan2(np.array(A), 2.0) - np.exp(np.array(B)),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_same_as_numpy(name: str) -> None:
    with numpy.errstate(all="ignore"):
        expected = numpy.asarray(SAME[name](numpy))
    found = small.asarray(SAME[name](small))
    assert found.shape == expected.shape
    numpy.testing.assert_allclose(
        numpy.array(found.tolist(), dtype=float), expected.astype(float), rtol=1e-9, atol=1e-12
    )


def test_singular_vectors_complete_the_matrix() -> None:
    for given in (TALL, WIDE, RANK_ONE):
        U, S, Vh = (numpy.array(x.tolist()) for x in small.linalg.svd(given))
        shape = numpy.array(given).shape
        middle = numpy.zeros(shape)
        numpy.fill_diagonal(middle, S)
        assert U.shape == (shape[0],) * 2
        assert Vh.shape == (shape[1],) * 2
        for factor in (U, Vh):
            numpy.testing.assert_allclose(factor @ factor.T, numpy.eye(len(factor)), atol=1e-12)
        numpy.testing.assert_allclose(U @ middle @ Vh, given, atol=1e-12)


def test_eigenvectors_of_symmetric_matrices() -> None:
    moments, axes = (numpy.array(x.tolist()) for x in small.linalg.eigh(SYMMETRIC))
    numpy.testing.assert_allclose(axes @ numpy.diag(moments) @ axes.T, SYMMETRIC, atol=1e-12)


def test_eigenvalues_and_roots_are_complex_pairs() -> None:
    turning = [[0.0, -2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, -1.0]]
    found = sorted(small.linalg.eigvals(turning).tolist(), key=lambda x: x.imag)
    assert found == pytest.approx([-2j, -1, 2j])
    assert sorted(x.real for x in small.roots([1.0, -3.0, 2.0])) == pytest.approx([1.0, 2.0])


def test_singular_matrices_are_errors() -> None:
    for function in (small.linalg.inv, small.linalg.cholesky):
        with pytest.raises(small.linalg.LinAlgError):
            function([[1.0, 1.0], [1.0, 1.0]])
    with pytest.raises(small.linalg.LinAlgError):
        small.linalg.svd([[float("nan")]])


@pytest.mark.parametrize(
    ("value", "kind"),
    [([1.0, 2], "f"), ([1, 2], "i"), ([True], "b"), (["pi/2", 1], "U"), ([1j], "c"), ([None], "O"),
     (10**30, "O"), ([], "f")],
)  # fmt: skip
def test_kinds_of_entries(value: Any, kind: str) -> None:
    assert small.asarray(value).dtype.kind == kind


def test_wrong_shapes_are_errors() -> None:
    a = small.array(A)
    for wrong in (
        lambda: a + small.zeros(2),
        lambda: a @ small.zeros(2),
        lambda: a.reshape(2, 4),
        lambda: small.array([[1.0], [1.0, 2.0]]),
        lambda: bool(a),
        lambda: small.concatenate([a, small.zeros((2, 2))]),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            wrong()
    for outside in (3, (0, 0, 0)):
        with pytest.raises(IndexError):
            a[outside]


def test_what_is_missing_needs_numpy() -> None:
    with pytest.raises(
        MissingLibraryError, match=r"^numpy\.einsum needs numpy, which is not installed; run"
    ):
        _ = small.einsum


def test_operators_in_either_order() -> None:
    a, b = small.asarray([True, True, False]), small.asarray([True, False, False])
    assert [*(a & b)] == [True, False, False]
    assert [*(a | b)] == [True, True, False]
    numbers = small.asarray([2.0, 8.0])
    assert [*(4.0 / numbers)] == [2.0, 0.5]
    assert [*(numbers / 4.0)] == [0.5, 2.0]
    assert [*small.sign(small.asarray([-2.0, 0.0, 3.0]))] == [-1.0, 0.0, 1.0]
    assert [*(a != b)] == [False, True, False]
    assert [*(numbers == 2.0)] == [True, False]


def test_normal_numbers_have_mean_0_and_variance_1() -> None:
    x = [*small.random.default_rng(3).standard_normal(4000)]
    assert abs(sum(x)) < 4 * 4000**0.5  # four standard deviations
    assert abs(sum(e * e for e in x) - 4000) < 4 * 8000**0.5

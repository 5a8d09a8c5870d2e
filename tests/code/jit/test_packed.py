"""`packed=True` and `wrt=` of compiled functions."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq
from compiled_robots import compiled
from equamo.code.jit.packed import Packed
from equamo.errors import EvaluationError, UnknownNameError

Q = np.array([0.3, -0.7])


def test_a_symmetric_matrix() -> None:
    fast = compiled("rr_arm")
    found = fast.mass_matrix(Q, packed=True)
    assert isinstance(found, Packed)
    assert found.symmetric
    assert list(zip(found.rows, found.columns, strict=True)) == [(0, 0), (1, 0), (1, 1)]
    np.testing.assert_allclose(found.dense(), fast.mass_matrix(Q), rtol=1e-15)
    np.testing.assert_array_equal(fast.mass_matrix_packed(Q), found.values)
    with pytest.raises(ValueError, match="read-only"):
        found.rows[0] = 1


def test_a_batch_and_zeros() -> None:
    fast = compiled("rr_arm")
    q = np.random.default_rng(0).normal(size=(11, 2))
    found = fast.jacobian("fore", q, packed=True)
    assert found.values.shape == (11, 4)
    assert found.dense().shape == (11, 6, 2)
    np.testing.assert_allclose(found.dense(), fast.jacobian("fore", q), rtol=1e-15)
    single = fast.jacobian("fore", q.astype(np.float32), packed=True)
    assert single.dense().dtype == np.float32


def test_out_is_an_array_of_the_values() -> None:
    out = np.empty(3)
    found = compiled("rr_arm").mass_matrix(Q, packed=True, out=out)
    assert found.values is out


def test_packed_is_for_matrices() -> None:
    fast = compiled("rr_arm")
    np.testing.assert_array_equal(fast.gravity(Q, packed=False), fast.gravity(Q))
    with pytest.raises(EvaluationError, match="no result is a matrix"):
        fast.gravity(Q, packed=True)
    with pytest.raises(EvaluationError, match="must be True or False, got 'yes'"):
        fast.mass_matrix(Q, packed="yes")


def test_wrt_is_for_derivatives() -> None:
    fast = compiled("rr_arm")
    np.testing.assert_array_equal(fast.gravity(Q, wrt="tangent"), fast.gravity(Q))
    with pytest.raises(EvaluationError, match="must be a derivative with respect to q to take wrt"):
        fast.gravity(Q, wrt="coordinates")
    with pytest.raises(UnknownNameError, match="tangent"):
        fast.gravity(Q, wrt="speeds")


def test_several_results_are_packed_one_by_one() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    own = {"both": {"J": eom.frame("fore").jacobian(), "g": eom.gravity, "z": [[0, 0]]}}
    fast = eq.compile(eom, functions=own)
    J, g, z = fast.both(Q, packed=True)
    np.testing.assert_allclose(J.dense(), fast.jacobian("fore", Q), rtol=1e-15)
    np.testing.assert_array_equal(g, fast.gravity(Q))
    assert z.values.shape == (0,)
    np.testing.assert_array_equal(z.dense(), [[0, 0]])
    assert fast.certificate().ok

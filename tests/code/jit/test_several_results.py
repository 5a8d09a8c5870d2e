"""Functions with several results in machine code: tuples, batches, `out`, numbers among arrays."""

from __future__ import annotations

import gc
import pickle
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import EvaluationError, UnknownNameError

Q, V = np.array([0.3, -0.7]), np.array([1.0, 2.0])


@cache
def fast(dtype: str | None = None) -> eq.Compiled:
    eom = eq.derive(eq.load("rr_arm"))
    kinetic = eom.kinetic_energy
    several = {"M": eom.mass_matrix, "T": kinetic, "g": eom.gravity, "none": eq.Vector([])}
    numbers = {"T": kinetic, "U": eom.potential_energy}
    return eq.compile(eom, dtype=dtype, functions={"several": several, "numbers": numbers})


def expected(q: Any, v: Any) -> tuple[Any, ...]:
    f = fast()
    none = np.zeros((*np.shape(q)[:-1], 0))
    return f.mass_matrix(q), f.kinetic_energy(q, v), f.gravity(q), none


def assert_same(found: Any, wanted: Any, tolerance: float = 1e-14) -> None:
    assert type(found) is tuple
    assert len(found) == len(wanted)
    for x, y in zip(found, wanted, strict=True):
        assert np.shape(x) == np.shape(y)
        np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)


def test_one_state() -> None:
    found = fast().several(Q, V)
    assert_same(found, expected(Q, V))
    assert type(found[1]) is float
    assert all(x.flags.owndata for x in (found[0], found[2]))
    assert_same(
        fast().several(list(Q), {"dq1": 1.0, "dq2": 2.0}), expected(Q, V)
    )  # the general call
    assert fast().numbers(Q, V) == (fast().kinetic_energy(Q, V), fast().potential_energy(Q))


@pytest.mark.parametrize("count", [0, 1, 3, 8, 37])
def test_batches(count: int) -> None:
    rng = np.random.default_rng(count)
    q, v = rng.normal(size=(2, count, 2))
    assert_same(fast().several(q, v), expected(q, v), 1e-12)
    assert_same(fast().several(np.asfortranarray(q), v), expected(q, v), 1e-12)
    assert_same(fast().several(q, V), expected(q, np.tile(V, (count, 1))), 1e-12)


def test_float32() -> None:
    q, v = Q.astype(np.float32), V.astype(np.float32)
    found = fast().several(q, v)
    assert found[0].dtype == np.float32
    assert_same(found, expected(Q, V), 1e-5)
    single = fast("float32").several(q, v)
    assert type(single[1]) is float
    assert_same(single, expected(Q, V), 1e-5)
    assert fast("float32").numbers(q, v) == pytest.approx(fast().numbers(Q, V), rel=1e-5)


def test_out_is_a_tuple() -> None:
    arrays = np.empty((2, 2)), np.empty(()), np.empty(2), np.empty(0)
    assert fast().several(Q, V, out=arrays) is arrays
    assert_same(arrays, expected(Q, V))
    whole = np.zeros((5, 9))
    views = whole[:, :4].reshape(5, 2, 2), np.empty(5), whole[:, 4:6], np.empty((5, 0))
    strided = np.zeros((5, 2, 4))[:, :, ::2], views[1], views[2], views[3]
    q, v = np.random.default_rng(1).normal(size=(2, 5, 2))
    fast().several(q, v, out=strided)
    assert_same(strided, expected(q, v), 1e-12)


def test_out_may_overlap_inputs_and_other_results() -> None:
    q, v = Q.copy(), V.copy()
    wanted = expected(Q, V)
    out = np.empty((2, 2)), np.empty(()), q, np.empty(0)
    fast().several(q, v, out=out)
    assert_same(out, wanted)
    shared = np.empty((2, 2))
    fast().several(Q, V, out=(shared, np.empty(()), shared[0], np.empty(0)))
    np.testing.assert_allclose(shared[0], wanted[2])  # written last
    np.testing.assert_allclose(shared[1], wanted[0][1])


@pytest.mark.parametrize(
    "out",
    [
        np.empty((2, 2)),
        (),
        (np.empty((2, 2)),),
        (np.empty(4), np.empty(()), np.empty(2), np.empty(0)),
    ],
)
def test_out_that_does_not_fit(out: Any) -> None:
    with pytest.raises(
        EvaluationError, match=r"several: out must be a (tuple of 4 arrays|writeable)"
    ):
        fast().several(Q, V, out=out)


def test_references_are_given_back() -> None:
    f, g = fast().several, fast().numbers
    things = (Q, V, np.empty, np.ndarray, np.dtype("f8"), f)
    gc.collect()  # else garbage of other tests would be freed in between
    before = [sys.getrefcount(t) for t in things]
    blocks = sys.getallocatedblocks()
    for _ in range(2000):
        f(Q, V)
        g(Q, V)
        f(Q, [1.0, 2.0])
    gc.collect()
    assert all(abs(a - b) < 50 for a, b in zip(map(sys.getrefcount, things), before, strict=True))
    assert sys.getallocatedblocks() - blocks < 500  # 2000 tuples and 6000 arrays were made


def test_errors_are_those_of_every_function() -> None:
    with pytest.raises(EvaluationError, match=r"several\(q, v\)"):
        fast().several(Q)
    with pytest.raises(EvaluationError, match="shape"):
        fast().several(Q, np.zeros(3))
    with pytest.raises(UnknownNameError, match="argument"):
        fast().several(Q, V, w=1)


def test_description_and_pickle() -> None:
    f = fast().function("several")
    assert repr(f) == (
        "<machine code of several(q, v) -> M (2, 2), T (), g (2,), none (0,), robot 'rr_arm'>"
    )
    assert f.shape == ((2, 2), (), (2,), (0,))
    assert fast().function("gravity").shape == (2,)
    assert (
        f.entry.__doc__ == "M (2, 2), T (), g (2,), none (0,) of robot 'rr_arm', in machine code."
    )
    again = pickle.loads(pickle.dumps(fast()))
    assert_same(again.several(Q, V), expected(Q, V))
    assert_same(pickle.loads(pickle.dumps(fast().several))(Q, V), expected(Q, V))


def test_the_certificate_can_be_saved_and_proved_again(tmp_path: Any) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    own = {"pair": {"M": eom.mass_matrix, "T": eom.kinetic_energy}}
    one = eq.compile(eom, functions=own)
    one.pair(Q, V)
    one.pair(np.zeros((8, 2)), V, packed=True)
    one.gravity(Q)
    certificate = one.certificate()
    assert certificate.ok
    names = [line.name for line in certificate.lines]
    assert "pair: program = expressions" in names
    assert "pair_packed: program = expressions" in names
    assert "gravity: program = equations" in names
    certificate.save(tmp_path / "c.json")
    assert eq.check_file(tmp_path / "c.json").ok
    certificate.export(tmp_path / "proof.json")


def test_two_functions_of_one_name_have_their_own_code() -> None:
    """The disk cache knows a user's function by its expressions, not by its name."""
    eom = eq.derive(eq.load("rr_arm"))
    found = [eq.compile(eom, functions={"f": [[f"{k}*q1", 0]]}) for k in (2, 3)]
    assert [x.f(Q).tolist() for x in found] == [[[0.6, 0.0]], [[3 * 0.3, 0.0]]]
    assert [x.f(Q, packed=True).values.tolist() for x in found] == [[0.6], [3 * 0.3]]


def test_names_of_attributes_are_taken() -> None:
    for name in ("function", "certificate", "eom", "pose"):
        with pytest.raises(eq.EquamoError, match=rf"an attribute of .*, got '{name}'"):
            eq.compile(eq.derive(eq.load("rr_arm")), functions={name: 1})

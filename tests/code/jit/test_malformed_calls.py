"""Calls that are wrong: an error that says what, where and what is right; never a crash."""

import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.code.jit.compiled import Compiled, compile
from equamo.errors import EquamoError, EvaluationError, UnknownNameError

CALLS = 200_000 if WHOLE_SWEEPS else 20_000
Q = np.zeros(7)


@cache
def fast() -> Compiled:
    return compile(eq.derive(eq.load("iiwa")))


def read_only(shape: Any) -> Any:
    x = np.empty(shape)
    x.flags.writeable = False
    return x


# -- what is said --------------------------------------------------------------------------------------
WRONG: list[tuple[Callable[[Compiled], Any], list[str]]] = [
    (lambda f: f.gravity(), ["gravity(q)", "no value for q"]),
    (lambda f: f.bias(Q), ["bias(q, v)", "no value for v"]),
    (lambda f: f.bias(Q, Q, Q), ["bias(q, v)", "takes 2", "got 3"]),
    (lambda f: f.bias(Q, q=Q), ["bias(q, v)", "q must be passed once"]),
    (lambda f: f.bias(Q, velocity=Q), ["'velocity'", "bias(q, v)", "Valid: q, v, out"]),
    (
        lambda f: f.gravity(np.zeros(6)),
        ["gravity", "q must have", "(7,) or (N, 7)", "q1", "got (6,)"],
    ),
    (
        lambda f: f.bias(Q, np.zeros((3, 6))),
        ["bias", "v must have", "(7,) or (N, 7)", "got (3, 6)"],
    ),
    (lambda f: f.gravity(np.zeros((2, 3, 7))), ["q must have", "got (2, 3, 7)"]),
    (lambda f: f.gravity(1.5), ["q must have", "got ()"]),
    (lambda f: f.gravity(None), ["gravity", "q must be real numbers", "None"]),
    (lambda f: f.gravity(Q.astype(complex)), ["q must be real numbers", "complex numbers"]),
    (lambda f: f.gravity(Q.astype(object)), ["q must be real numbers", "objects"]),
    (lambda f: f.gravity(["0"] * 7), ["q must be real numbers", "text"]),
    (lambda f: f.gravity("q"), ["q must be real numbers", "'q'"]),
    (lambda f: f.gravity([[1, 2], [3]]), ["gravity", "q cannot be read", "list"]),
    (lambda f: f.gravity(np.ma.masked_less(Q, 1)), ["masked"]),
    (lambda f: f.gravity({"q8": 1}), ["Unknown coordinate 'q8'", "q of gravity", "q1"]),
    (lambda f: f.gravity({"q1": "x"}), ["gravity: q['q1'] must be a real number"]),
    (lambda f: f.gravity({"q1": np.zeros((2, 2))}), ["q['q1']", "() or (N,)", "got (2, 2)"]),
    (lambda f: f.gravity({"q1": [1, 2], "q2": [1, 2, 3]}), ["q1 has 2, q2 has 3"]),
    (lambda f: f.bias(np.zeros((2, 7)), np.zeros((3, 7))), ["bias", "q has 2, v has 3"]),
    (lambda f: f.bias(np.zeros((1, 7)), np.zeros((3, 7))), ["bias", "q has 1, v has 3"]),
    (lambda f: f.gravity(Q, values={"G": 1}), ["parameter 'G'", "values of gravity", "g"]),
    (lambda f: f.gravity(Q, values={1: 1}), ["parameter 1", "values of gravity"]),
    (lambda f: f.gravity(Q, values={"g": "x"}), ["values['g'] must be a real number"]),
    (lambda f: f.gravity(Q, values=[9.81]), ["values must be {name of a parameter: number}"]),
    (lambda f: f.gravity(Q, external=[1]), ["gravity", "external must have", "(0,)", "got (1,)"]),
    (lambda f: f.gravity(Q, external={"F": 1}), ["'F'", "external of gravity"]),
    (lambda f: f.gravity(Q, out=np.empty(6)), ["gravity", "out", "(7,)", "got shape (6,)"]),
    (lambda f: f.mass_matrix(Q, out=np.empty(49)), ["out", "(7, 7)", "got shape (49,)"]),
    (lambda f: f.gravity(Q, out=np.empty(7, "f4")), ["out", "float64", "float32"]),
    (lambda f: f.gravity(Q, out=np.empty(7, ">f8")), ["out", "float64", ">f8"]),
    (lambda f: f.gravity(Q, out=[0] * 7), ["out must be a writeable array", "got [0, 0"]),
    (lambda f: f.gravity(Q, out=read_only(7)), ["out", "read-only"]),
    (lambda f: f.gravity(np.zeros((2, 7)), out=np.empty(7)), ["out", "(2, 7)", "(7,)"]),
    (
        lambda f: f.gravity(np.zeros((2, 7)), out=as_strided(np.zeros(14), (2, 7), (8, 8))),
        ["the entries of out must not share memory", "(8, 8)"],
    ),
    (lambda f: f.gravity(Q, out=as_strided(np.zeros(1), (7,), (0,))), ["out must not share"]),
    (lambda f: f.forward_dynamics(Q, Q), ["forward_dynamics(q, v, tau)", "no value for tau"]),
    (lambda f: f.forward_dynamics(Q, Q, inputs=[1]), ["inputs must have", "(7,)", "got (1,)"]),
    (lambda f: f.forward_dynamics(Q, Q, Q, inputs=Q), ["inputs must be passed once"]),
    (lambda f: f.forward_dynamics(Q, Q, tau=Q, inputs=Q), ["'tau'", "q, v, inputs"]),
    (lambda f: f.pose("hand", Q), ["frame 'hand'", "flange"]),
    (lambda f: f.pose("flange", np.zeros(3)), ["pose_flange", "q must have", "got (3,)"]),
]


@pytest.mark.parametrize(("call", "words"), WRONG)
def test_an_error_says_what_is_wrong(call: Callable[[Compiled], Any], words: list[str]) -> None:
    with pytest.raises((EvaluationError, UnknownNameError)) as caught:
        call(fast())
    for word in words:
        assert word in str(caught.value)


def test_a_parameter_without_a_value_is_named() -> None:
    arm = compile(eq.derive(eq.load("rr_arm").with_values(m1=None)))
    q = np.zeros(2)
    for given in (q, [0, 0], np.zeros((3, 2))):
        with pytest.raises(EvaluationError, match=r"gravity: .*'m1'.*values=\{'m1'"):
            arm.gravity(given)
        assert np.isfinite(arm.gravity(given, values={"m1": 1})).all()
    assert np.isfinite(arm.pose("fore", q)).all()  # m1 is not in it


def test_all_parameters_without_a_value_are_listed() -> None:
    arm = compile(eq.derive(eq.load("rr_arm").with_values(m1=None, m2=None)))
    with pytest.raises(EvaluationError, match=r"gravity: no value for 2 parameters .*'m1', 'm2'; "):
        arm.gravity([0, 0])


# -- what never happens: run in a process of its own ---------------------------------------------------
class Raises:
    """An object that raises whenever it is looked at."""

    def __init__(self, error: type[Exception]) -> None:
        self.error = error

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise self.error("array")

    def __buffer__(self, flags: int) -> memoryview:
        raise self.error("buffer")

    def __float__(self) -> float:
        raise self.error("float")

    def __len__(self) -> int:
        raise self.error("length")

    def __repr__(self) -> str:
        raise self.error("text")


class Liar:
    """An object whose array is not what it says."""

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = interface


class NotWrittenError(Exception):
    pass


class Subclass(np.ndarray):  # type: ignore[type-arg]
    def __array_finalize__(self, given: Any) -> None:
        self.note = "kept"

    def __setitem__(self, key: Any, x: Any) -> None:
        raise NotWrittenError


def odd_thing(rng: random.Random, good: Any) -> Any:
    """Anything but what is asked for, or nearly it."""
    n = len(good)
    released = memoryview(bytearray(8 * n))
    released.release()
    choices: list[Callable[[], Any]] = [
        lambda: None, lambda: 0, lambda: "text", lambda: b"bytes" * n, lambda: object(), list,
        lambda: [None] * n, lambda: [[0.0] * n] * 2, lambda: [0.0] * (n + 1), lambda: range(n),
        dict, lambda: {"q1": 1}, lambda: {"nothing": 1}, lambda: {1: 2}, lambda: {"q1": None},
        lambda: {"q1": np.zeros(3)}, lambda: set(range(n)), lambda: (x for x in good), lambda: ...,
        lambda: np.zeros(rng.randrange(20)), lambda: np.zeros((rng.randrange(3), rng.randrange(9))),
        lambda: np.zeros((0, n)), lambda: np.zeros((n, 0)), lambda: np.zeros((1,) * 9 + (n,)),
        lambda: np.array(0.0), lambda: np.float64(1), lambda: np.float32(1),
        lambda: good.astype(rng.choice("?bBhHiIlLqQefdgFDG")), lambda: good.astype(">f8"),
        lambda: good.astype(">f4"), lambda: good.astype(object), lambda: good.astype("U8"),
        lambda: good.astype("S8"), lambda: good.view("M8[s]"), lambda: good.view("V8"),
        lambda: good.view([("a", "f4"), ("b", "f4")]), lambda: np.repeat(good, 2)[::2],
        lambda: good[::-1], lambda: as_strided(good, (n,), (0,)),
        lambda: as_strided(good, (3, n), (0, 0)), lambda: as_strided(good[-1:], (n,), (-8,)),
        lambda: np.zeros(8 * n + 1, np.uint8)[1:].view(np.float64), lambda: good.view(Subclass),
        lambda: np.ma.masked_array(good, [True] * n), lambda: np.asmatrix(good),
        lambda: memoryview(good), lambda: memoryview(good)[::2], lambda: memoryview(good).cast("B"),
        lambda: memoryview(bytearray(n)).cast("c"), lambda: released,
        lambda: memoryview(bytearray(8 * n)).cast("d", [n]), lambda: bytearray(8 * n),
        lambda: Raises(rng.choice([TypeError, ValueError, RuntimeError, MemoryError, BufferError])),
        lambda: Liar({"shape": (n,), "typestr": "<f8", "data": "nowhere", "version": 3}),
        lambda: Liar({"shape": (-n,), "typestr": "<f8", "version": 3}), lambda: Liar({}),
        lambda: np.zeros, lambda: np.ndarray, lambda: float, lambda: read_only(n),
        lambda: np.full(n, np.nan), lambda: np.full((5, n), np.inf), lambda: 10**400,
        lambda: [10**400] * n, lambda: [1e308, *[0] * (n - 1)], lambda: np.full(n, 5e-324),
        lambda: np.empty((n, n)), lambda: np.empty((2, n, n)), lambda: np.asfortranarray(np.eye(n)),
        lambda: good, lambda: good.copy(), lambda: good.tolist(), lambda: np.tile(good, (3, 1)),
    ]  # fmt: skip
    return rng.choice(choices)()


def fuzz(seed: int, calls: int) -> None:
    """Random calls; whatever they are, the next right call gives the right numbers."""
    f, rng = fast(), random.Random(seed)
    good = [np.linspace(-1, 1, 7) + k for k in range(3)]
    functions = [
        (f.inverse_dynamics, 3), (f.mass_matrix, 1), (f.bias, 2), (f.kinetic_energy, 2),
        (f.forward_dynamics, 3), (f.function("pose", "flange").entry, 1),
    ]  # fmt: skip
    keywords = ["out", "values", "external", "q", "v", "inputs", "Out", "nothing"]
    wanted = [function(*good[:n]) for function, n in functions]
    outcomes = {"answered": 0, "refused": 0}
    for i in range(calls):
        which = rng.randrange(len(functions))
        function, n = functions[which]
        count = n if rng.random() < 0.7 else rng.randrange(6)
        args = [
            rng.choice(good).copy() if rng.random() < 0.6 else odd_thing(rng, good[0].copy())
            for _ in range(count)
        ]
        named = {
            rng.choice(keywords): odd_thing(rng, good[0].copy())
            for _ in range(rng.choice([0, 0, 0, 1, 1, 2]))
        }
        if rng.random() < 0.1 and args:
            named["out"] = rng.choice(args)  # over an input
        try:
            function(*args, **named)
            outcomes["answered"] += 1
        except EquamoError as error:
            str(error)
            outcomes["refused"] += 1
        except NotWrittenError:  # of the user's own array, when the result is written to it
            outcomes["refused"] += 1
        if i % 20 == 0:
            np.testing.assert_array_equal(function(*good[:n]), wanted[which])
    assert min(outcomes.values()) > calls // 20, outcomes


def test_malformed_calls_never_crash_the_process() -> None:
    here = Path(__file__)
    script = (
        f"import sys; sys.path[:0] = [{str(here.parents[2])!r}, {str(here.parent)!r}]\n"
        "import warnings; warnings.simplefilter('ignore')\n"  # NumPy's, of what cannot be cast
        f"from test_malformed_calls import fuzz; fuzz(6, {CALLS})"
    )
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", script],
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr[-3000:]

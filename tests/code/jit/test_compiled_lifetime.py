"""Compiled functions as objects: threads and forks, pickles and copies, the cache behind them."""

import copy
import gc
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from compiled_robots import compiled, equations, of, states, values
from equamo.code.ir.functions import Function
from equamo.code.jit import batch
from equamo.code.jit.compiled import compile


def test_threads_of_the_user_call_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    eom, fast = equations("iiwa"), compile(equations("iiwa"), threads=2)
    monkeypatch.setattr(batch, "WORTH_A_THREAD", 1)
    x = states(eom, 11, 500)
    found: list[Any] = [None] * 8
    start = threading.Barrier(8)

    def work(i: int) -> None:
        start.wait()
        found[i] = [
            of(fast, "inverse_dynamics", x) for _ in range(5)
        ]  # made at its first use, once

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    wanted = of(compiled("iiwa"), "inverse_dynamics", x)
    for results in found:
        for y in results:
            np.testing.assert_array_equal(y, wanted)


@pytest.mark.posix
def test_a_child_process_has_threads_of_its_own() -> None:
    script = """
import os, sys, warnings
warnings.simplefilter("ignore")
import numpy as np, equamo as eq
from equamo.code.jit import batch
from equamo.code.jit.compiled import compile
batch.WORTH_A_THREAD = 1
fast = compile(eq.derive(eq.load("rr_arm")), threads=4)
q, more = np.linspace(0, 1, 200).reshape(100, 2), {"m1": 1, "m2": 2, "L1": 1, "Lc1": 1, "Lc2": 1}
before = fast.gravity(q, values=more)
child = os.fork()
if child == 0:
    same = np.array_equal(fast.gravity(q, values=more), before)
    os._exit(0 if same and np.isfinite(before).all() else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)


def test_the_cache_saves_the_derivation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EQUAMO_CACHE", str(tmp_path / "new"))
    eom = equations("iiwa")
    x = states(eom, 16, 3)
    first = compile(eom)
    wanted = of(first, "inverse_dynamics", x), of(first, "mass_matrix", {"q": x["q"][0]})

    def derived(self: Function, *_: Any) -> Any:
        raise AssertionError(f"{self.name} was derived")

    monkeypatch.setattr(Function, "program", derived)
    again = compile(eq.derive(eq.load("iiwa")))
    np.testing.assert_array_equal(of(again, "inverse_dynamics", x), wanted[0])
    np.testing.assert_array_equal(of(again, "mass_matrix", {"q": x["q"][0]}), wanted[1])
    for other in (
        compile(eom, cache=False),
        compile(eom, parameters="numeric"),
        compile(eom.subs({"g": 0})),
        compile(eq.derive(eq.load("iiwa"), by="kane")),
        compile(eq.derive(eq.load("iiwa").add_mass("link7", 1))),
    ):
        with pytest.raises(AssertionError, match="was derived"):
            of(other, "inverse_dynamics", x)


def test_pickle_and_copy() -> None:
    fast = compile(equations("rr_arm"), lanes=2, threads=1)
    more = values(equations("rr_arm"))
    q = np.array([0.3, 0.4])
    wanted = fast.gravity(q, values=more)
    for other in (pickle.loads(pickle.dumps(fast)), copy.copy(fast), copy.deepcopy(fast)):
        assert other.options == fast.options
        np.testing.assert_array_equal(other.gravity(q, values=more), wanted)
    arm7 = compiled("iiwa")
    for f in (arm7.gravity, arm7.function("gravity"), arm7.function("pose", "link7").entry):
        again = pickle.loads(pickle.dumps(f))
        np.testing.assert_array_equal(again(np.ones(7)), f(np.ones(7)))


def test_a_function_outlives_the_rest() -> None:
    fast = compile(equations("iiwa"))
    gravity = fast.gravity
    assert fast.gravity is gravity
    wanted = gravity(np.ones(7))
    del fast
    gc.collect()
    np.testing.assert_array_equal(gravity(np.ones(7)), wanted)
    np.testing.assert_array_equal(gravity(np.ones((1, 7)))[0], wanted)

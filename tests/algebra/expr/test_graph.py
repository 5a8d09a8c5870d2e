"""One sub-expression, one node; whatever was built before, in whichever thread or process."""

import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from fractions import Fraction

import pytest

from equamo.algebra.expr import Expr, as_expr, constant, cos, parse, sin, symbol, symbols
from equamo.algebra.expr.differentiate import derivative
from equamo.algebra.expr.evaluate import Modular, evaluate
from equamo.algebra.expr.graph import table_size
from equamo.algebra.expr.walk import walk
from equamo.errors import ExpressionError

x, y, z = symbols("x y z")
P = (1 << 61) - 1


def rotation_like(names: str, n: int = 6) -> Expr:
    """A new small expression with sharing."""
    e = constant(0)
    for i in range(n):
        q = symbol(f"{names}{i}")
        e = sin(q) * (e + q / 3) - cos(q + e) * symbol("L")
    return e


def run_python(code: str, **env: str) -> bytes:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **env},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


# -- one node --------------------------------------------------------------------------------------
def test_the_same_sub_expression_is_the_same_node() -> None:
    assert x + y is y + x
    assert x * y is y * x
    assert x - y is -(y - x)
    assert sin(x + y) * z is z * sin(y + x)
    assert rotation_like("q") is rotation_like("q")
    assert parse("m*(a + b)**2") is symbol("m") * (symbol("b") + symbol("a")) ** 2


def test_a_symbol_is_its_name() -> None:
    assert symbol("q_1l") is symbol("q_1" + "l")
    assert symbols("a b, c") == (symbol("a"), symbol("b"), symbol("c"))
    assert symbol("φ").name == "φ"


@pytest.mark.parametrize("name", ["", "  ", "pi", "a`b", "a\nb", "x" * 2000, None, 3])
def test_a_bad_name_is_refused(name: object) -> None:
    with pytest.raises(ExpressionError, match=r"must|not a symbol"):
        symbol(name)  # type: ignore[arg-type]


def test_equality_is_identity() -> None:
    assert constant(2) == 2 == constant(2)
    assert constant(Fraction(1, 2)) == 0.5
    assert x != y
    assert x != "x"
    assert x is not None
    for other in (float("nan"), float("inf"), None, 1j, "1/2"):
        assert not x == other  # noqa: SIM201
        assert not constant(2) == other  # noqa: SIM201
    with pytest.raises(TypeError):
        Expr()


def test_what_a_node_says_of_itself() -> None:
    assert (x + 1).args == (constant(1), x)
    assert constant(-3).value == -3
    assert x.value is None
    assert x.is_symbol
    assert not (x + 1).is_symbol
    assert parse("b*sin(a) + c").symbols() == symbols("a b c")
    assert float(parse("pi/4 + 1/2")) == pytest.approx(1.2853981633974483, rel=1e-15)
    with pytest.raises(AttributeError):
        _ = (x + 1).name


# -- order -----------------------------------------------------------------------------------------
HISTORY = """
import random
from equamo.algebra.expr import cos, parse, sin, symbol
from equamo.algebra.expr.differentiate import gradient
from equamo.algebra.expr.store import dump
junk = [symbol(f"q{i}") * symbol(f"s{i % 7}") + i for i in random.Random(SEED).sample(range(999), 500)]
junk.append(parse("sin(q3) + cos(q1 - q2)*q0"))
e, q = symbol("m") * 1, [symbol(f"q{i}") for i in range(9)]
for i, a in enumerate(q):
    e = sin(a + e / 3) * q[i - 1] - (cos(e) + a * symbol("L")) / (i + 2)
print(e, *gradient(e, q), dump([e]), sep="\\n")
"""


@pytest.mark.parametrize("number", [0, 1, -1, 7, Fraction(1, 2), Fraction(-3, 4), 0.5, -0.25])
def test_equal_numbers_have_equal_hashes(number: int | Fraction | float) -> None:
    node = as_expr(number)
    assert node == number
    assert number == node
    assert hash(node) == hash(number)
    assert {number: "found"}[node] == {node: "found"}[number] == "found"


def test_a_node_equals_no_other_number_and_nothing_else() -> None:
    assert parse("2") != 3
    assert parse("1/10") != 0.1  # the float is not the number 1/10
    assert parse("x") != 1
    assert parse("pi") != 3.14
    assert parse("2") != "2"
    assert all(parse("1") != x for x in (float("nan"), float("inf"), None))


@pytest.mark.ci
def test_output_depends_neither_on_history_nor_on_the_hash_seed() -> None:
    outputs = {
        run_python(f"SEED = {seed}\n" + HISTORY, PYTHONHASHSEED=str(seed)) for seed in (1, 2, 3)
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 1000


# -- size ------------------------------------------------------------------------------------------
def horner(steps: int) -> Expr:
    """(…(x·x + 1)·x + y)·x + 3 …: two nodes deeper with every step."""
    e = x
    for i in range(steps):
        e = e * x + (y if i % 2 else i + 1)
    return e


@pytest.mark.ci
def test_a_million_nodes_and_as_deep(whole_sweeps: bool) -> None:
    steps = 500_000 if whole_sweeps else 40_000
    limit = sys.getrecursionlimit()
    before = table_size()
    e = horner(steps)
    assert len(walk([e])) >= 2 * steps
    d = derivative([e], "x")[0]
    # The same by Horner's rule on numbers: value and derivative.
    xv, yv = 123456789012345, 987654321
    value, slope = xv, 1
    for i in range(steps):
        value, slope = (value * xv + (yv if i % 2 else i + 1)) % P, (slope * xv + value) % P
    assert evaluate([e, d], Modular(P), {x: xv, y: yv}) == [value, slope]
    del d
    again = pickle.loads(pickle.dumps(e))
    assert again is e
    assert copy.deepcopy(e) is e
    del e, again
    gc.collect()
    assert table_size() <= before + 10  # a dropped graph is gone, however deep it was
    assert sys.getrecursionlimit() == limit


def test_a_wide_and_shared_graph(whole_sweeps: bool) -> None:
    """x ← x·y + c, y ← y·x − c: a tree of it would have 2ⁿ leaves."""
    steps = 200_000 if whole_sweeps else 20_000
    a, b, av, bv = x, y, 3, 5
    for i in range(steps):
        a, b = a * b + (i % 97 + 1), b - a
        av, bv = (av * bv + (i % 97 + 1)) % P, (bv - av) % P
    assert evaluate([a, b], Modular(P), {x: 3, y: 5}) == [av, bv]


MEMORY = """
import gc, resource
from equamo.algebra.expr import cos, sin, symbol
from equamo.algebra.expr.differentiate import gradient
from equamo.algebra.expr.graph import table_size

def build(i):
    q = [symbol(f"robot{i}_q{k}") for k in range(8)]
    e = q[0]
    for k in range(60):
        e = sin(q[k % 8] + i) * e + cos(e) * q[(k + 3) % 8]
    gradient(e, q)

def measure(robots):
    for i in robots:
        build(i)
    gc.collect()
    return table_size(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

size, peak = measure(range(100))
for block in range(1, BLOCKS):
    size_now, peak_now = measure(range(block * 100, block * 100 + 100))
    assert size_now == size, (size, size_now)
assert peak_now - peak < 2000, (peak, peak_now)  # [kB]
"""


@pytest.mark.linux
@pytest.mark.ci
def test_a_thousand_graphs_leave_memory_flat(whole_sweeps: bool) -> None:
    run_python(MEMORY.replace("BLOCKS", "11" if whole_sweeps else "4"))


# -- copies ----------------------------------------------------------------------------------------
def test_copies_are_the_node_itself() -> None:
    e = rotation_like("q")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(e, protocol)) is e
    assert copy.copy(e) is e
    assert copy.deepcopy({"e": [e]})["e"][0] is e


def test_a_pickle_of_another_process_is_the_same_node() -> None:
    code = (
        "import pickle, sys; from equamo.algebra.expr import parse;"
        "sys.stdout.buffer.write(pickle.dumps(parse('sin(x/3)*y**2 - atan2(y, pi*x)/0.1')))"
    )
    assert pickle.loads(run_python(code)) is parse("sin(x/3)*y**2 - atan2(y, pi*x)/0.1")


# -- threads ---------------------------------------------------------------------------------------
@pytest.fixture
def hasty() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("hasty")
def test_threads_agree_on_one_node() -> None:
    before = table_size()
    rounds, workers = 60, 4
    built: list[list[Expr]] = [[] for _ in range(workers)]
    errors: list[BaseException] = []
    barrier = threading.Barrier(workers)

    def work(me: int) -> None:
        try:
            for i in range(rounds):
                barrier.wait()
                built[me].append(rotation_like(f"shared{i}_", 12))  # the same in all threads
                rotation_like(f"own{me}_{i}_", 4)  # made and dropped
                rotation_like("dropped", 4)  # made and dropped by all at once
        except BaseException as e:
            errors.append(e)
            barrier.abort()

    threads = [threading.Thread(target=work, args=(me,)) for me in range(workers)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not errors
    for same in zip(*built, strict=True):
        assert len({id(e) for e in same}) == 1
    for i, e in enumerate(built[0]):
        assert e is rotation_like(f"shared{i}_", 12)
    del e, same
    built.clear()
    gc.collect()
    assert table_size() <= before + 2  # nothing is left of them

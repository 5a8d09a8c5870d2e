"""`eq.function`: any expressions as machine code, against the exact graph and NumPy."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr.evaluate import Arrays, evaluate
from equamo.algebra.expr.functions import BY_NAME
from equamo.algebra.identity.prove import new_seed, seed_bits
from equamo.code.jit.expression_function import function
from equamo.errors import EquamoError, EvaluationError, UnknownNameError

ENTRIES = [*(f"{name}(a)" for name in BY_NAME if name not in ("acos", "asin")), "atan2(a, b)"]


def test_every_operation_against_the_graph() -> None:
    outputs = {"f": [*ENTRIES, "asin(b/9)", "acos(b/9)"], "p": [["a**3/b", "pi*a - b"]]}
    f = function(outputs, {"a": "a", "b": "b"})
    rng = np.random.default_rng(0)
    a, b = rng.uniform(0.1, 2, 13), rng.uniform(-4, 4, 13)
    found = f(a=a, b=b)
    flat = [e for x in f.expressions.outputs.values() for e in x.entries]  # type: ignore[union-attr]
    wanted = np.array(evaluate(flat, Arrays(), {eq.parse("a"): a, eq.parse("b"): b})).T
    np.testing.assert_allclose(found["f"], wanted[:, : len(outputs["f"])], rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(found["p"].reshape(13, 2), wanted[:, -2:], rtol=1e-13)
    one = f(float(a[0]), float(b[0]))
    np.testing.assert_allclose(one["f"], found["f"][0], rtol=1e-14)


def test_the_shape_of_a_result_follows_its_expression() -> None:
    x = {"x": ["a", "b"]}
    assert function("a + b", x)([1, 2]) == 3.0
    assert function(["a", "b"], x)([1, 2]).shape == (2,)
    assert function([["a", "b"]], x)([1, 2]).shape == (1, 2)
    assert function({"s": "a"}, x)([1, 2]) == {"s": 1.0}
    assert function({"s": "a"}, x)(np.ones((4, 2)))["s"].shape == (4,)
    assert function({"s": "3"})() == {"s": 3.0}


def test_inputs_that_are_numbers() -> None:
    f = function("t*x", {"t": "t", "x": ["x"]})
    assert f(2, [3]) == 6
    assert f(np.float64(2), [3]) == 6
    np.testing.assert_array_equal(f(np.array([1, 2, 3]), [3]), [3, 6, 9])
    np.testing.assert_array_equal(f([[1], [2]], [3]), [3, 6])  # a batch, as of an array of one
    with pytest.raises(EvaluationError, match="t must have"):
        f([1, 2], [3])
    with pytest.raises(EvaluationError, match="real numbers"):
        f("2", [3])


def test_other_symbols_are_parameters() -> None:
    arm = eq.load("rr_arm")
    eom = eq.derive(arm)
    f = function({"M": eom.mass_matrix}, {"q": eom.q}, values=arm.values)
    q = [0.3, 0.5]
    np.testing.assert_allclose(f(q)["M"], eom.evaluate("mass_matrix", q=q), rtol=1e-14)
    changed = f(q, values={"m2": 3})["M"]
    np.testing.assert_allclose(changed, eom.evaluate("mass_matrix", q=q, values={"m2": 3}))
    folded = function({"M": eom.mass_matrix}, {"q": eom.q}, values=arm.values, parameters="numeric")
    np.testing.assert_allclose(folded(q)["M"], f(q)["M"], rtol=1e-14)
    assert folded.cost.estimate < f.cost.estimate
    with pytest.raises(EvaluationError, match='parameters="numeric"'):
        folded(q, values={"m2": 3})
    with pytest.raises(
        EvaluationError, match=r"function: no value for 1 parameter: 'k'; pass values="
    ):
        function("k*x", {"x": "x"})(1.0)
    with pytest.raises(UnknownNameError, match="parameter"):
        f(q, values={"m9": 3})


def test_out_is_by_name() -> None:
    f = function({"y": ["a", "b"], "z": "a*b"}, {"x": ["a", "b"]})
    out = {"y": np.empty(2), "z": np.empty(())}
    found = f([3.0, 4.0], out=out)
    assert found["y"] is out["y"]
    assert out["z"] == 12
    one = {"y": np.empty(2)}
    assert function({"y": ["a", "b"]}, {"x": ["a", "b"]})([1, 2], out=one)["y"] is one["y"]
    for wrong in (np.empty(2), {"y": np.empty(2)}, {**out, "w": 1}):
        with pytest.raises(EvaluationError, match=r"out must be \{result: array\} of y, z"):
            f([3.0, 4.0], out=wrong)


def test_float32_packed_and_pickled() -> None:
    f = function({"J": [["a", 0], [0, "b"]]}, {"x": ["a", "b"]}, dtype="float32", name="jac")
    assert f([1, 2])["J"].dtype == np.float32
    found = f([1, 2], packed=True)["J"]
    assert found.values.tolist() == [1, 2]
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(f))([1, 2])["J"], f([1, 2])["J"])
    assert repr(f) == "<machine code of jac(x) -> J (2, 2), expressions>"
    assert f.results[0].shape == (2, 2)
    assert f.program.name == "jac"


def test_everything_that_was_compiled_is_proved() -> None:
    f = function({"y": "k*sin(a)/3 + b", "z": ["a*b"]}, {"x": ["a", "b"]}, values={"k": 2})
    f([1.0, 2.0])
    f(np.ones((8, 2), np.float32))
    proofs = f.prove(seed=1)
    assert len(proofs) == 5
    assert all(proofs.values())
    f.expressions.outputs["z"] = eq.Vector(["a*b + 1"])  # type: ignore[index]
    assert f.prove()["program = expressions"].verdict == "refuted"


def test_a_strong_bound_is_proved_with_a_long_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []
    monkeypatch.setattr("equamo.code.jit.expression_function.new_seed",
                        lambda bits: seeds.append(new_seed(bits)) or seeds[-1])  # fmt: skip
    f = function({"y": "a*(b + c)**3/(a + b)"}, {"x": ["a", "b", "c"]})
    f.expressions.outputs["y"] = eq.parse("(a*b + a*c)*(b + c)**2/(b + a)")  # type: ignore[index]
    (proof,) = f.prove(error_bits=300).values()
    assert proof.bound_bits is not None
    assert -seed_bits(seeds[0]) <= proof.bound_bits <= -300


@pytest.mark.ci
def test_a_second_process_finds_the_code_on_disk(tmp_path: Any) -> None:
    code = "import equamo as eq; f = eq.function('a*b + 41', {'x': ['a', 'b']}); print(f([3, 4]))"
    environment = {**os.environ, "EQUAMO_CACHE": str(tmp_path / "cache")}
    found: list[Any] = []
    for _ in range(2):
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.stdout == "53.0\n", done.stderr
        files = [p for p in (tmp_path / "cache").rglob("*") if p.is_file()]
        found.append([(p.name, p.read_bytes()) for p in files])
    assert found[0]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("a",), {"name": "a b"}, "name must be an identifier"),
        (("a",), {"values": [1]}, "values must be {name: number}"),
        (("a",), {"values": {"a": "x"}}, "the value of 'a'"),
        (("a",), {"dtype": "float16"}, "float16"),
        (("a",), {"dtype": "nothing"}, "dtype"),
        (("a",), {"lanes": 3}, "number of lanes"),
        (("a", ["a"]), {}, "inputs must be"),
    ],
)
def test_mistakes(arguments: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    with pytest.raises(EquamoError, match=message):
        function(*arguments, **options)


def test_calls_that_do_not_fit() -> None:
    f = function("a*b", {"x": ["a", "b"]}, name="f")
    with pytest.raises(EvaluationError, match=r"f\(x\) takes 1 argument, got 2"):
        f([1, 2], [3])
    with pytest.raises(UnknownNameError, match="argument"):
        f([1, 2], z=3)
    with pytest.raises(EvaluationError, match="no result is a matrix"):
        f([1, 2], packed=True)
    with pytest.raises(UnknownNameError, match="'g' in expressions"):
        f.compiled.origin.function("g", None)

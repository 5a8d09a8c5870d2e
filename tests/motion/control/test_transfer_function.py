"""Transfer functions: values, roots, floats, text in s and z."""

from __future__ import annotations

import numpy as np
import pytest

from equamo.algebra.expr import as_expr
from equamo.errors import EvaluationError, ModelError
from equamo.motion.control.transfer_function import (
    TransferFunction,
    latex_polynomial,
    text_polynomial,
)

ONE, THREE = as_expr(1), as_expr(3)


def spring() -> TransferFunction:
    return TransferFunction((ONE,), tuple(as_expr(x) for x in ("m", "d", "k")), "f", "x")


def test_values_at_complex_numbers() -> None:
    tf, values = spring(), {"m": 2, "d": 0.5, "k": 3}
    s = np.array([[1j, 2.0], [0.5 + 1j, -1]])
    np.testing.assert_allclose(tf(s, values), 1 / (2 * s**2 + 0.5 * s + 3), rtol=1e-15)
    assert tf(2j, values) == pytest.approx(1 / (2 * (2j) ** 2 + 1j + 3), rel=1e-15)
    nothing = TransferFunction((), (ONE,), "f", "x")
    assert nothing(1j) == 0
    assert list(nothing.zeros()) == list(nothing.poles()) == []
    with pytest.raises(EvaluationError, match=r"no value at a pole, got s = 0\+1j"):
        TransferFunction((ONE,), (ONE, as_expr(0), ONE), "f", "x")(1j)
    with pytest.raises(EvaluationError, match=r"values for all its parameters, got none for d, k"):
        tf(1j, {"m": 1})
    with pytest.raises(EvaluationError, match="values must be a mapping"):
        tf(1j, [1, 2])  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=r"value of k must be a finite number, got nan"):
        tf(1j, {**values, "k": float("nan")})
    overflows = TransferFunction((ONE,), (ONE, as_expr("k") * as_expr("k")), "f", "x")
    with pytest.raises(EvaluationError, match=r"coefficients of x/f must be finite, got .*inf"):
        overflows(1j, {"k": 1e200})


def test_roots_are_accurate_even_if_they_are_multiple_or_far_apart() -> None:
    """(s + 1)³ (s + 1e8) (s + 1/3), whose coefficients are exact."""
    coefficients = [as_expr(1)]
    for root in (as_expr(1), as_expr(1), as_expr(1), as_expr(100_000_000), as_expr(1) / 3):
        pairs = zip([*coefficients, as_expr(0)], [as_expr(0), *coefficients], strict=True)
        coefficients = [a + root * b for a, b in pairs]
    tf = TransferFunction(tuple(coefficients[1:]), tuple(coefficients), "f", "x")
    np.testing.assert_allclose(tf.poles(), [-1e8, -1, -1, -1, -1 / 3], rtol=1e-15)
    assert len(tf.zeros()) == 4


def test_the_variable_is_that_of_the_time() -> None:
    top, bottom = (ONE,), (ONE, -THREE, ONE)
    continuous = TransferFunction(top, bottom, "f", "x")
    discrete = TransferFunction(top, bottom, "f", "x", 0.1)
    assert (continuous.variable, discrete.variable) == ("s", "z")
    assert str(continuous) == "1/(s**2 - 3*s + 1)"
    assert str(discrete) == "1/(z**2 - 3*z + 1)"
    assert discrete.latex() == r"\frac{1}{z^{2} - 3 \, z + 1}"
    assert text_polynomial(bottom, "z") == "z**2 - 3*z + 1"
    assert latex_polynomial(bottom, "z") == r"z^{2} - 3 \, z + 1"


@pytest.mark.needs("control")
def test_python_control_gets_the_step() -> None:
    discrete = TransferFunction((ONE,), (ONE, -THREE), "f", "x", 0.1).to_control()
    assert discrete.dt == 0.1
    assert discrete(2.0) == pytest.approx(-1)
    assert spring().to_control({"m": 1, "d": 1, "k": 1}).isctime(strict=True)


def test_numbers_beyond_doubles_are_shown() -> None:
    small, large = as_expr(10) / as_expr(3) / as_expr(10) ** 400, as_expr(10) ** 400 / 3001
    tf = TransferFunction((small,), (ONE, large), "f", "x")
    assert str(tf) == "3.33333e-400/(s + 3.33222e+396)"

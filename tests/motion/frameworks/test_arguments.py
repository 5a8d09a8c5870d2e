"""Arguments by position and keyword: every way to pass them, and errors that name the function."""

from __future__ import annotations

import pytest

from equamo.errors import EvaluationError, UnknownNameError
from equamo.motion.frameworks.arguments import arguments_by_name


def test_the_order_is_that_of_the_names() -> None:
    expected = [("q", 1), ("v", 2)]
    for given, named in (([1, 2], {}), ([1], {"v": 2}), ([], {"v": 2, "q": 1})):
        assert list(arguments_by_name("bias", ("q", "v"), given, named).items()) == expected


def test_errors() -> None:
    with pytest.raises(EvaluationError, match="bias takes 2 arguments, got 3"):
        arguments_by_name("bias", ("q", "v"), [1, 2, 3], {})
    with pytest.raises(UnknownNameError, match=r"argument 'u' in bias.*q, v, values, external"):
        arguments_by_name("bias", ("q", "v"), [1], {"u": 2})
    with pytest.raises(EvaluationError, match="bias: q must be passed once"):
        arguments_by_name("bias", ("q", "v"), [1], {"q": 2})
    with pytest.raises(EvaluationError, match="bias: no value for q, v"):
        arguments_by_name("bias", ("q", "v"), [], {})

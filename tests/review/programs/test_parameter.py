"""Arguments whose shape the code does not declare: their uses determine it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from equamo import FileFormatError
from equamo.algebra.expr import symbol
from equamo.review.programs.parameter import MOST, Parameter, sized
from equamo.review.programs.place import Place

HERE = Place("x.m", 3)


def test_a_number_an_array_and_a_record() -> None:
    x, q, p = (Parameter(n) for n in ("x", "q", "p"))
    assert x.arguments() == [sized("x", ())]
    assert x.number(HERE) is x.number(HERE) is symbol("x")
    assert x.arguments() == [sized("x", ())]
    assert q.entry((2,), HERE) is symbol("q[2]")
    assert q.entry((1, 0), HERE) is symbol("q[1]")
    (argument,) = q.arguments()
    assert (argument.name, argument.shape) == ("q", (3,))
    assert argument.symbols == tuple(symbol(f"q[{k}]") for k in range(3))
    assert p.field("m", HERE) is p.field("m", HERE)
    assert p.field("m", HERE).number(HERE) is symbol("p.m")
    p.field("l", HERE).entry((1,), HERE)
    assert p.arguments() == [sized("p.m", ()), sized("p.l", (2,))]


def test_a_known_number_of_entries() -> None:
    q = Parameter("q")
    q.entry((2,), HERE)
    assert q.entries(3, HERE) == [symbol(f"q[{k}]") for k in range(3)]
    assert q.entries(3, HERE) == [symbol(f"q[{k}]") for k in range(3)]
    assert q.arguments() == [sized("q", (3,))]
    for count in (2, 4):
        with pytest.raises(FileFormatError, match=f"'q' must have {count} entries, but 3 are used"):
            q.entries(count, HERE)
    assert q.entry((2,), HERE) is symbol("q[2]")
    with pytest.raises(FileFormatError, match="not one of its entries, got 3"):
        q.entry((3,), HERE)


def of_shape(name: str, shape: str) -> str:
    return f"pass it, as in shapes={{'{name}': {shape}}}."


@pytest.mark.parametrize(
    ("use", "problem"),
    [
        (lambda q: q.whole(HERE),
         f"the shape of the argument 'q' must be known here; {of_shape('q', '(2,)')}"),
        (lambda q: q.entry((0, 1), HERE),
         f"the shape of the matrix 'q' must be known; {of_shape('q', '(3, 3)')}"),
        (lambda q: q.entry((0, 0, 0), HERE),
         f"the shape of the matrix 'q' must be known; {of_shape('q', '(3, 3)')}"),
        (lambda q: q.entry((MOST,), HERE), "an index of 'q' is not one of its entries, got 10000."),
        (lambda q: q.entry((-1,), HERE), "an index of 'q' is not one of its entries, got -1."),
        (lambda q: (q.entry((0,), HERE), q.field("m", HERE)),
         "'q' must be used in one way, but it was used as an array before and is used as a record "
         "here; pass its shape, as in shapes={'q': (2,)}."),
        (lambda q: (q.number(HERE), q.entries(2, HERE)),
         "'q' must be used in one way, but it was used as a number before and is used as an array "
         "here; pass its shape, as in shapes={'q': (2,)}."),
    ],
)  # fmt: skip
def test_what_cannot_be(use: Callable[[Parameter], object], problem: str) -> None:
    with pytest.raises(FileFormatError, match=f"^{re.escape('x.m:3: ' + problem)}$"):
        use(Parameter("q"))


def test_the_last_index() -> None:
    q = Parameter("q")
    assert q.entry((MOST - 1,), HERE) is symbol(f"q[{MOST - 1}]")

"""Formulas that are too deep, too long or too large: an error with its place, and soon."""

import sys
from collections.abc import Callable
from itertools import pairwise
from math import comb

import pytest

from equamo.algebra.expr import parse
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.identity import prove_equal
from equamo.errors import ParseError
from equamo.review.claims.evaluation import Evaluation
from equamo.review.claims.latex_names import segmented
from equamo.review.claims.latex_reader import read_latex
from equamo.review.claims.limits import MAX_LENGTH, within_limits
from equamo.review.claims.scopes import PlainScope
from equamo.review.claims.syntax import Source
from equamo.review.claims.text_reader import read_text
from equamo.review.claims.values import Value

Read = Callable[[str], Source]


def value(text: str) -> Value:
    return Evaluation(PlainScope()).value(read_text(text).tree)


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (read_text, "**".join(["x"] * 5000), "can be nested"),
        (read_text, "a[" * 3000 + "1" + "]" * 3000, "can be nested"),
        (read_text, "f(" * 3000 + "1" + ")" * 3000, "can be nested"),
        (read_text, "[" * 3000 + "1" + "]" * 3000, "can be nested"),
        (read_text, "-" * 3000 + "1", "can be nested"),
        (read_latex, r"\frac" * 3000 + "1", "can be nested"),
        (read_latex, r"\sqrt" * 3000 + "x", "can be nested"),
        (read_latex, r"\sin\frac" * 3000 + "x", "can be nested"),
        (read_latex, r"\dot" * 3000 + " x", "can be nested"),
        (read_latex, r"\mathbf{" * 3000 + "x", "can be nested"),
        (read_latex, "x^{" * 3000 + "x", "can be nested"),
        (read_text, "9" * 6000, "digits"),
        (read_latex, "9" * 6000, "digits"),
        (read_latex, r"\sin " + "9" * 6000, "digits"),
        (read_latex, "." + "9" * 6000, "digits"),
        (read_text, " " * MAX_LENGTH + "x", "characters"),
        (read_latex, " " * MAX_LENGTH + "x", "characters"),
        (read_latex, "x" * 3000, "letters in a row"),
    ],
    ids=lambda x: x[:12] if isinstance(x, str) else x.__name__,
)
def test_what_is_too_deep_or_too_long_is_refused_with_its_place(
    read: Read, text: str, words: str
) -> None:
    with pytest.raises(ParseError, match=words) as caught:
        read(text)
    assert caught.value.position is not None
    assert 0 <= caught.value.position <= len(text)


@pytest.mark.parametrize("text", ["a" + "'" * 5000, "x" + "[1]" * 5000])
def test_long_chains_of_marks_are_no_crash_of_the_walk(text: str) -> None:
    with pytest.raises(ParseError, match="too deeply"):
        value(text)


@pytest.mark.parametrize("read", [read_text, read_latex])
def test_a_deep_caller_gets_an_error_of_ours(read: Read) -> None:
    text = "(" * 30 + "x" + ")" * 30

    def deeper(levels: int) -> None:
        if levels:
            deeper(levels - 1)
        else:
            read(text)

    frames, frame = 0, sys._getframe()
    while frame is not None:
        frames, frame = frames + 1, frame.f_back
    with pytest.raises(ParseError, match="too deeply"):
        deeper(sys.getrecursionlimit() - frames - 60)
    assert read(text).sides


@pytest.mark.parametrize(
    ("deep", "plain"),
    [
        ("(" * 59 + "x**2" + ")" * 59, "x**2"),
        ("x**" + "1**" * 50 + "2", "x"),
        ("-" * 60 + "x", "x"),
        ("[2, 1][" * 50 + "1" + "]" * 50, "1"),
    ],
)
def test_what_is_deep_but_not_too_deep_is_read(deep: str, plain: str) -> None:
    assert prove_equal(value(deep), parse(plain))


def test_fractions_in_fractions_are_read() -> None:
    text = r"\frac{1}{1 + " * 30 + "x" + "}" * 30
    plain = "1/(1 + " * 30 + "x" + ")" * 30
    found = Evaluation(PlainScope()).value(read_latex(text).tree)
    assert prove_equal(found, value(plain))


def test_letters_with_many_ways_to_be_cut_end_soon() -> None:
    known = ("a", "b", "ab", "ba")
    with pytest.raises(ParseError, match="must have one meaning, but may be") as caught:
        read_latex("ab" * 30, known)
    assert str(caught.value).count(" or ") >= 2
    assert len(segmented("ab" * 30, "", known)) > 1


def test_the_first_ways_are_those_of_the_whole_search() -> None:
    """Every cut of a word is a choice of places; what is shown are the first of all that fit."""
    known = {"a", "b", "ab", "ba", "aba"}
    for word in ("abab", "aabba", "ababab", "bbb", "abc"):
        every: set[tuple[str, ...]] = set()
        for mask in range(1 << (len(word) - 1)):
            places = [0, *(i + 1 for i in range(len(word) - 1) if mask >> i & 1), len(word)]
            pieces = tuple(word[a:b] for a, b in pairwise(places))
            if set(pieces) <= known:
                every.add(pieces)
        found = [tuple(w) for w in segmented(word, "", known)]
        assert set(found) <= every
        assert len(found) == min(4, len(every))


@pytest.mark.parametrize(
    "text",
    [
        "sum(a, 1, 1000, sum(b, 1, 1000, sum(c, 1, 1000, x*a*b*c)))",
        "sum(a, 1, 1000, trace(identity(100)*a))",
    ],
)
def test_sums_inside_sums_have_one_budget(text: str) -> None:
    with pytest.raises(ParseError, match="steps") as caught:
        value(text)
    assert text[caught.value.position or 0 :].startswith("sum(")


def test_sums_within_the_budget_are_sums() -> None:
    assert value("sum(a, 1, 30, sum(b, 1, 40, a*b))") is value("(30*31/2)*(40*41/2)")


def test_a_coefficient_that_grows_too_large_is_refused() -> None:
    with pytest.raises(ParseError, match=r"coefficient of x\*\*100 is too large"):
        value(
            "coefficient(prod, x, 100)".replace(
                "prod", "*".join(f"(x + y{k})**9" for k in range(20))
            )
        )


@pytest.mark.parametrize("text", ["sign(x)", "x*abs(x)", "1/(1 + x)", "sin(x)"])
def test_a_coefficient_needs_a_polynomial(text: str) -> None:
    with pytest.raises(ParseError, match=r"coefficient: .* must be a polynomial in x"):
        value(f"coefficient({text}, x, 1)")
    assert value("coefficient(x*sin(y), x, 1)") is value("sin(y)")


def test_coefficients_of_high_powers_are_binomial() -> None:
    found = value("coefficient((x + y)**50, x, 25)")
    assert prove_equal(found, parse(f"{comb(50, 25)}*y**25"))
    assert value("coefficient(1 + x, x, 0)") is value("1")


@pytest.mark.parametrize("text", ["zeros(0, 2)", "zeros(2, 0)", "identity(0)", "[1, 2, 3][3:1]"])
def test_empty_arrays_are_refused(text: str) -> None:
    with pytest.raises(ParseError, match=r"whole number from 1 to 100, got|must not be empty, got"):
        value(text)


def test_a_range_of_one_is_a_vector_of_one() -> None:
    assert value("[a, b, c][2:2]") == value("[a, b, c][2:3]")[:1]  # pyright: ignore
    block = value("[a, b; c, d][1:1, :]")
    assert isinstance(block, Matrix)
    assert block.shape == (1, 2)


def test_a_text_of_the_longest_length_is_read() -> None:
    assert within_limits("x" * MAX_LENGTH, lambda text: ()) == ()
    with pytest.raises(ParseError, match=f"at most {MAX_LENGTH} characters, got {MAX_LENGTH + 1}"):
        within_limits("x" * (MAX_LENGTH + 1), lambda text: ())

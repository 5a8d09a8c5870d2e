"""Damaged input: an error of ours with a place, or a report; never anything else."""

import random

import pytest

from claims_texts import FILE
from conftest import WHOLE_SWEEPS
from equamo.errors import EquamoError, ParseError
from equamo.review.claims import audit, parse_claims
from equamo.review.claims.evaluation import Evaluation
from equamo.review.claims.latex_reader import read_latex
from equamo.review.claims.scopes import PlainScope
from equamo.review.claims.text_reader import read_text
from mutated_text import mutated_text


def test_damaged_files() -> None:
    r = random.Random(3)
    outcomes = set[str]()
    for i in range(4000 if WHOLE_SWEEPS else 250):
        text = mutated_text(FILE, r)
        try:
            claims = parse_claims(text)
            outcomes.add("read")
            if i % 5 == 0:
                audit(claims, seed=1)
        except EquamoError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


LATEX = r"""
\frac \sin \dot \ddot { } ( ) [ ] ^ _ x y m 2 13 + - = & \\ \begin{bmatrix} \end{bmatrix} \theta
\mathbf \left \right \times \cdot \sqrt T 1 ' , % \begin{array}{cc} \pi
"""
TEXT = """
cross ( ) [ ] , ; : ' a b 1 2 0 + - * / ** @ = diff sum {k} k sin dt block skew "s" `q` det π ²
identity zeros coefficient subs rot_x 99 trace unskew
"""


@pytest.mark.parametrize("language", [LATEX, TEXT], ids=["latex", "text"])
def test_random_words(language: str) -> None:
    r = random.Random(4)
    words = language.split()
    evaluation = Evaluation(PlainScope())
    places: list[tuple[int | None, int]] = []
    for _ in range(60_000 if WHOLE_SWEEPS else 4000):
        text = " ".join(r.choice(words) for _ in range(r.randrange(1, 12)))
        try:
            source = read_latex(text, ("x", "y", "m")) if language is LATEX else read_text(text)
            for side in source.sides:
                evaluation.value(side)
        except ParseError as error:
            places.append((error.position, len(text)))
    assert places
    assert all(at is not None and 0 <= at <= size for at, size in places)

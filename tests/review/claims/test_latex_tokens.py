"""Tokens of LaTeX: kinds, words and places; white space; lines of aligned formulas."""

import pytest

from equamo.errors import ParseError
from equamo.review.claims.latex_tokens import Token, lines_joined, tokens


def words(found: list[Token]) -> str:
    """Words of tokens; white space is shown by its width in angle brackets."""
    assert found[-1].kind == "end"
    return " ".join(f"<{t.word.strip()}>" if t.kind == "space" else t.word for t in found[:-1])


def test_kinds_words_and_places() -> None:
    assert tokens(r"\frac{ 1.5}{x_S}^.5 − a·b×\{c\} \\ é"[:-2]) == [
        Token("command", "frac", 0), Token("open", "{", 5), Token("space", " ", 6),
        Token("number", "1.5", 7), Token("close", "}", 10), Token("open", "{", 11),
        Token("letter", "x", 12), Token("sign", "_", 13), Token("letter", "S", 14),
        Token("close", "}", 15), Token("sign", "^", 16), Token("number", ".5", 17),
        Token("space", " ", 19), Token("sign", "-", 20), Token("space", " ", 21),
        Token("letter", "a", 22), Token("command", "cdot", 23), Token("letter", "b", 24),
        Token("command", "times", 25), Token("sign", "(", 26), Token("letter", "c", 28),
        Token("sign", ")", 29), Token("space", " ", 31), Token("sign", "\\\\", 32),
        Token("end", "", 34),
    ]  # fmt: skip


def test_a_character_that_cannot_be_read_has_a_place() -> None:
    with pytest.raises(ParseError, match="the character 'é' cannot be read") as caught:
        tokens("a + é")
    assert caught.value.position == 4


@pytest.mark.parametrize(
    ("latex", "found"),
    [
        ("", ""),
        ("  a", "a"),
        ("a \t\n~b", "a <> b"),
        (r"a\,b\!\; c", "a <> b <> c"),
        ("a % b\nc", "a <> c"),
        (r"\left( a \right)\displaystyle b", "( <> a <> ) <> b"),
        (r"a\ b", "a <gap> b"),
        (r"a \ \quad\, b", "a <quad> b"),
        (r"a\qquad\ b", "a <quad> b"),
        (r"a\ \,b", "a <gap> b"),
    ],
)
def test_of_white_space_the_widest_is_kept(latex: str, found: str) -> None:
    assert words(tokens(latex)) == found


MATRIX = r"\begin{bmatrix} a & b \\ c & d \end{bmatrix}"
SAME = "begin { b m a t r i x } <> a <> & <> b <> \\\\ <> c <> & <> d <> end { b m a t r i x }"


@pytest.mark.parametrize(
    ("latex", "found"),
    [
        ("a & b", "a <> & <> b"),
        (MATRIX, SAME),
        (r"\begin{aligned} a &= b \\ &+ c \end{aligned} & d", "a <> = <> b <line> + <> c <> & <> d"),
        (r"\begin{align*}a\\b\end{align*}\\c", "a <line> b \\\\ c"),
        (r"\begin{aligned} a & b \\ \end{aligned}", "a <> b <line>"),
        (rf"\begin{{split}}{MATRIX} \\ & e\end{{split}}", f"{SAME} <line> e"),
        (rf"{MATRIX} \begin{{gathered}} a \\ b \end{{gathered}} \\ c",
         f"{SAME} <> a <line> b <> \\\\ <> c"),
        (r"\begin{matrix} \begin{aligned} a \\ b \end{aligned} & c \\ d & e \end{matrix} & f",
         "begin { m a t r i x } <> a <line> b <> & <> c <> \\\\ <> d <> & <> e <> end { m a t r i x } "
         "<> & <> f"),
        (r"\end{aligned} a & b", "a <> & <> b"),
        (r"a \begin", "a <> begin"),
        (r"\begin{aligned a & b", "begin { a l i g n e d <> a <> & <> b"),
    ],
)  # fmt: skip
def test_lines_belong_to_the_innermost_environment(latex: str, found: str) -> None:
    assert words(lines_joined(tokens(latex))) == found

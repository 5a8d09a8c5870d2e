"""One table of Greek letters for names, pages and LaTeX that is read."""

import unicodedata

from equamo.algebra.expr.printing.greek import GREEK, TYPED
from equamo.algebra.expr.printing.notation import name_to_latex
from equamo.publish.page.typeset import typeset_name
from equamo.review.claims.latex_tokens import GREEK as READ


def test_letters_are_what_unicode_calls_them() -> None:
    other = {"lambda": "lamda", "epsilon": "lunate epsilon", "varepsilon": "epsilon"}
    for name, letter in GREEK.items():
        found = unicodedata.name(letter).lower()
        assert found.startswith("greek ")
        plain = name.removeprefix("var").lower()
        assert other.get(name, other.get(plain, plain)).split()[-1] in found
        assert name[0].isupper() == ("capital" in found)


def test_every_letter_is_printed_typeset_and_read() -> None:
    for name, letter in GREEK.items():
        assert name_to_latex(name) == f"\\{name}"
        assert typeset_name(name) == ["i", letter]
        assert name == "pi" or name in READ
    for letter, name in TYPED.items():
        assert name_to_latex(letter) == f"\\{name}"

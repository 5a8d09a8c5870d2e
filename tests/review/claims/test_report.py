"""What an audit says: never passed for nothing, no suggestion that says nothing, valid JSON and HTML."""

import json
from html.parser import HTMLParser
from math import log10
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from equamo.algebra.expr import parse
from equamo.cli.audit import run
from equamo.errors import FileFormatError
from equamo.review.claims import Audit, Claims, audit, claim, parse_claims
from equamo.review.claims.finding import Entry
from equamo.review.claims.suggestion import suggest

FILE = """
{extra}
[[claims]]
id = "c"
place = "eq. 1"
printed = "cos(-x) = cos(x)"
"""


def only_entry(printed: str) -> Entry:
    (entry,) = audit([claim("c", "eq. 1", printed)], seed=1).findings[0].entries
    return entry


# -- nothing is proved of nothing ------------------------------------------------------------------
@pytest.mark.parametrize("options", [[], ["--expected"]])
def test_a_file_without_claims_does_not_pass(tmp_path: Path, options: list[str]) -> None:
    path = tmp_path / "empty.toml"
    path.write_text('title = "x"\n', encoding="utf-8")
    app = typer.Typer()
    app.command()(run)
    result = CliRunner().invoke(app, [str(path), *options])
    assert result.exit_code == 1
    assert "no claims" in result.stdout


def test_an_audit_of_nothing_is_not_ok() -> None:
    report = audit(Claims(()))
    assert not report
    assert not report.ok
    assert not report.as_expected
    assert report.exit_code == 1


# -- suggestions -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("printed", "target"),
    [
        ("asin(sin(x))", "x"),
        ("sin(1000000000*x)", "cos(x)"),
        ("a*b*(c + d)", "e*f*g + h*k*l + m*n*o"),
        ("a*b + c*d", "e*f*g + h*k*l + m*n*o"),
        ("a*b + c*d + p*q*r", "a*b + e*f*g + h*k*l"),  # two terms for two others
        ("a*b + p*(q + r)", "a*b + e*f*g + h*k*l"),
        ("0", "a*b"),
        ("a*b + c", "0"),
    ],
)
def test_the_other_side_in_place_of_the_printed_one_is_no_suggestion(
    printed: str, target: str
) -> None:
    assert suggest(parse(printed), parse(target)) is None


def test_what_is_cancelled_is_dropped() -> None:
    found = suggest(parse("a**2 + b/2 + 2*a*b + 2*c"), parse("a**2 + b + 2*c"))
    assert found is not None
    assert "without the term 2*a*b" in found.text


def test_abbreviations_do_not_hide_that_all_is_cancelled() -> None:
    table = {parse("s"): parse("sin(x)*y*z")}
    assert suggest(parse("s"), parse("e*f*g + h*k*l"), abbreviations=table) is None


def test_a_missing_term_is_still_suggested() -> None:
    found = suggest(parse("a*b"), parse("a*b + c*d*e"))
    assert found is not None
    assert found.text == "the missing term c*d*e"


# -- counterexamples larger than a float -----------------------------------------------------------
def test_a_difference_that_no_float_holds_is_said_with_its_exponent() -> None:
    entry = only_entry("(x + 2)**5000 = 1")
    assert entry.proof is not None
    assert entry.proof.counterexample is not None
    (x,) = entry.proof.counterexample.values()
    leading, _, exponent = entry.difference.partition("e")
    expected = 5000 * log10(float(x) + 2)  # of the difference; the 1 is far below its digits
    assert log10(abs(float(leading))) + int(exponent) == pytest.approx(expected, abs=5e-3)
    assert 1 <= float(leading) < 10


def test_no_infinite_number_is_written() -> None:
    report = audit([claim("c", "eq. 1", "(x + 2)**5000 = 1")], seed=1)
    assert "inf" not in str(report)

    def refuse(word: str) -> None:
        raise AssertionError(word)

    data = json.loads(report.to_json(), parse_constant=refuse)
    (entry,) = data["findings"][0]["entries"]
    assert "e+" in entry["counterexample"]["difference"]


# -- values of a file ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("sign = true", "1 or -1"),
        ("sign = 1.0", "1 or -1"),
        ("[vectors]\nw = true", "from 1 to 50"),
        ("[matrices]\nA = [true, true]", "symmetric n"),
        ("[matrices]\nA = [2.0, 2]", "symmetric n"),
        ('[matrices]\nA = "skew 4"', "symmetric n"),
        (f'[matrices]\nA = "diagonal {"9" * 5000}"', "symmetric n"),
        ('[symbols]\n"" = "q1"', "expected a name"),
        ('[definitions]\n" " = "q1"', "expected a name"),
        ('[aliases]\n"" = "q1"', "expected a name"),
        ('[rates]\n"" = "q1"', "expected a name"),
        ('[vectors]\n"" = 3', "expected a name"),
        ('[settings.""]\nsign = 1', "expected a name"),
        ('known = [""]', "expected a name"),
    ],
)  # fmt: skip
def test_values_of_another_kind_are_refused(extra: str, words: str) -> None:
    assert audit(parse_claims(FILE.format(extra=""))).ok
    with pytest.raises(FileFormatError, match=words) as caught:
        parse_claims(FILE.format(extra=extra), "paper.toml")
    assert str(caught.value).startswith("paper.toml, line ")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('id = "c"', 'id = ""', "expected a name"),
        ('"cos(-x) = cos(x)"', "[[]]", "empty array"),
        ('"cos(-x) = cos(x)"', "[]", "empty array"),
        ('"cos(-x) = cos(x)"', '"@christoffel(\\"' + "9" * 5000 + '\\", 1, 1) = 0"', "from 1 to 2"),
        ('"cos(-x) = cos(x)"', '"0"\nquantity = "mass_matrix"\nentries = ["' + "9" * 5000 + '", 1]',
         "from 1 to 2"),
    ],
)  # fmt: skip
def test_claims_with_nothing_in_them_are_refused(old: str, new: str, words: str) -> None:
    text = FILE.format(extra='robot = "rr_arm"').replace(old, new)
    with pytest.raises(FileFormatError, match=words):
        audit(parse_claims(text))


@pytest.mark.parametrize("given", [[], [[]], [["a"], []]])
def test_empty_formulas_in_python_are_refused(given: list[object]) -> None:
    with pytest.raises(FileFormatError, match=r"empty|entries"):
        claim("c", "eq. 1", given, "gravity")


# -- in a notebook ---------------------------------------------------------------------------------
class Tags(HTMLParser):
    """Counts elements, and says whether each is closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.seen: set[str] = set()
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.seen.add(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def test_a_notebook_shows_a_capped_table_with_what_is_wrong_first() -> None:
    claims = [claim(f"<b>{i}", "p & q", f"cos(-x{i}) = cos(x{i})") for i in range(60)]
    claims.append(claim("odd</td>", "<script>", "x = y"))
    tags = Tags(audit(claims, seed=1)._repr_html_())
    assert len(tags.rows) == 31
    assert tags.rows[1][:3] == ["odd</td>", "<script>", "wrong"]
    assert tags.rows[2][:3] == ["<b>0", "p & q", "proved"]
    assert not tags.seen & {"b", "script"}


def test_an_empty_audit_is_shown_too() -> None:
    assert len(Tags(audit(Claims(()))._repr_html_()).rows) == 1


def test_the_last_line_says_whether_all_is_proved() -> None:
    good, bad = claim("x", "eq. 1", "cos(-m1) = cos(m1)"), claim("y", "eq. 2", "m1 = m2")
    assert str(audit([good], "rr_arm")).splitlines()[-1].startswith("all proved: 1 proved")
    last = str(audit([good, bad], "rr_arm")).splitlines()[-1]
    assert last.startswith("NOT all proved: 1 proved, 1 wrong")


def test_an_audit_that_was_not_timed_took_no_time() -> None:
    assert Audit(Claims(()), ()).seconds == 0

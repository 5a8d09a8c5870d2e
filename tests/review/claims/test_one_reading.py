"""What an audit compares is what the document prints: nothing is merged, transposed or emptied."""

from pathlib import Path
from typing import Any

import pytest

from equamo.algebra.identity import prove_equal
from equamo.errors import EquamoError, FileFormatError, ParseError
from equamo.mechanics.equations import derive
from equamo.review.claims import Audit, audit, claim, parse_claims
from equamo.review.claims.claim import Place, plain_name
from equamo.review.claims.syntax import difference, form
from equamo.review.claims.text_reader import read_text
from equamo.robot.catalog import load

AUDITS = Path(__file__).parents[3] / "examples" / "audits"


def one(printed: object, quantity: str | None = None, robot: str = "rr_arm", **more: Any) -> Audit:
    return audit([claim("x", "eq. 1", printed, quantity, **more)], robot, seed=1)


# -- lists in lists --------------------------------------------------------------------------------
ROTATION = "[cos(q1), -sin(q1), 0], [sin(q1), cos(q1), 0], [0, 0, 1]"
TRANSPOSED = "[cos(q1), sin(q1), 0], [-sin(q1), cos(q1), 0], [0, 0, 1]"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [(f"[{ROTATION}]", "proved"), (f"[{TRANSPOSED}]", "convention"), (f"[{TRANSPOSED}]'", "proved"),
     ("[[cos(q1); sin(q1); 0], [-sin(q1); cos(q1); 0], [0; 0; 1]]", "proved")],
)  # fmt: skip
def test_a_list_of_lists_has_rows(text: str, verdict: str) -> None:
    assert one(text, "rotation(upper)")["x"].verdict == verdict


@pytest.mark.parametrize(
    ("text", "words"),
    [("[[q1, 0]; [0, q2]]", "may be rows of a matrix or parts of one vector"),
     ("[[q1, 0], [0]]", "must have the same length; one has 2 entries")],
)  # fmt: skip
def test_lists_in_lists_with_two_readings(text: str, words: str) -> None:
    with pytest.raises(FileFormatError, match=words):
        one(text, "mass_matrix")


# -- symbols ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("symbols", "both"),
    [
        ({"Lc2": "Lc1"}, "Lc1 and Lc2 both become"),
        ({"Lc2": "-Lc1"}, "Lc1 and Lc2 both become"),
        ({"Lc1": "a", "Lc2": "2*a - a"}, "Lc1 and Lc2 both become"),
        ({"q1": "q2"}, "q1 and q2 both become q2"),
        ({"q1": "x", "q2": "y", "dq1": "dy"}, "dq1 and dq2 both become dy"),
    ],
)
def test_two_symbols_never_become_one(symbols: dict[str, str], both: str) -> None:
    with pytest.raises(FileFormatError, match=f"must not become the same one, but {both}"):
        one("m1", "mass_matrix[1, 1]", symbols=symbols)


def test_a_permutation_of_symbols_and_zeros_are_allowed() -> None:
    swapped = {"Lc1": "Lc2", "Lc2": "Lc1"}
    assert one("m2*Lc1**2 + I2", "mass_matrix[2, 2]", symbols=swapped).ok
    assert one("0", "first_moment(fore)[2]", symbols={"I1": "0", "I2": "0"}).ok


def test_an_alias_does_not_turn_one_symbol_into_another() -> None:
    text = """
robot = "rr_arm"
aliases = { 'L_{c2}' = 'Lc1' }
[[claims]]
id = "x"
place = "1"
latex = 'm_2 L_{c2}^2 + I_2'
quantity = "m2*Lc1**2 + I2"
"""
    with pytest.raises(FileFormatError, match=r"'L_\{c2\}' is .*Lc\}_\{2\}', not .*Lc\}_\{1\}'"):
        audit(parse_claims(text))
    star = text.replace("'L_{c2}' =", "'\\star_2' =").replace("L_{c2}", "\\star_2")  # no name
    assert audit(parse_claims(star), seed=1)["x"].verdict == "says nothing"


@pytest.mark.parametrize(
    ("alias", "text", "latex", "quantity"),
    [
        (r"\frac{1}{2}", "1", r"\frac{1}{2} m_2 L_{c2}^2 + I_2", "mass_matrix[2, 2]"),
        (r"\sin(q_1 + q_2)", "cos(q1 + q2)", r"g L_{c2} m_2 \sin(q_1 + q_2)", "gravity[2]"),
        ("2 m_2", "m2", "2 m_2 L_{c2}^2 + I_2", "mass_matrix[2, 2]"),
    ],
)
def test_an_alias_does_not_change_what_can_be_read(
    alias: str, text: str, latex: str, quantity: str
) -> None:
    claims = f"""
robot = "rr_arm"
aliases = {{ '{alias}' = '{text}' }}
[[claims]]
id = "x"
place = "1"
latex = '{latex}'
quantity = "{quantity}"
"""
    with pytest.raises(
        FileFormatError, match="must not change the meaning of LaTeX that can be read"
    ):
        audit(parse_claims(claims))


def test_a_repair_is_shown_beside_a_proved_claim() -> None:
    report = audit(parse_claims("""
robot = "rr_arm"
[[claims]]
id = "x"
place = "1"
latex = 'm_2 L_{c2}^2 - I_2'
repairs = { '-' = '+' }
quantity = "mass_matrix[2, 2]"
"""), seed=1)  # fmt: skip
    assert report["x"].verdict == "proved"
    assert "repaired: - read as +" in str(report)


# -- accents, primes and look-alikes ---------------------------------------------------------------
def test_an_accent_belongs_to_the_name() -> None:
    latex = r"\bar m_2 L_{c2}^2 + I_2"
    for accents in ((), ("bar",)):  # a bar marks vectors of the document, and m_2 is none
        with pytest.raises(FileFormatError, match=r"is ambiguous.* m2, if .* mbar_2, to be listed"):
            one(latex, "mass_matrix[2, 2]", latex=True, accents=accents)
    report = one(latex, "mass_matrix[2, 2]", latex=True, known=("mbar_2",))
    assert report["x"].verdict == "wrong"
    vectors = {"vectors": {"w": 3}, "latex": True}
    assert one(r"\bar{w} \cdot \bar{w} = w^T w", accents=("bar",), **vectors).ok
    with pytest.raises(FileFormatError, match="is ambiguous"):
        one(r"\hat{w} \cdot \bar{w} = w^T w", accents=("bar",), **vectors)


@pytest.mark.parametrize("latex", ["m_2^T L_1 = m_2 L_1", r"m_2^{\mathsf{T}} = m_2"])
def test_a_scalar_has_no_transpose(latex: str) -> None:
    with pytest.raises(FileFormatError, match="T on a scalar is ambiguous"):
        one(latex, latex=True)
    with pytest.raises(FileFormatError, match=r"prime .* on a scalar is ambiguous"):
        one("m2' = m2")


def test_letters_that_look_alike_and_towers_of_powers() -> None:
    with pytest.raises(
        ParseError, match="may be read as a Greek or Cyrillic letter or as a Latin one"
    ):
        read_text("m\u043e + 1")
    assert read_text("`m\u043e` + 1").tree.children[0].value == "m\u043e"
    assert read_text("θ + 1").tree.children[0].value == "θ"
    with pytest.raises(ParseError, match=r"may be read as \(a\^b\)\^c or as a\^\(b\^c\)"):
        read_text("a^b^c")
    assert read_text("a**b**c") != read_text("(a**b)**c")
    assert read_text("a^(b^c)").tree.kind == "**"


# -- statements that say nothing --------------------------------------------------------------------
@pytest.mark.parametrize("on_motion", [True, "equations"])
@pytest.mark.parametrize(
    "text", ["tau1 = tau1", "2*tau1 = tau1 + tau1", "[tau1, 2*tau2] = [tau1, tau2 + tau2]"]
)
def test_a_tautology_says_nothing_on_the_motions_too(text: str, on_motion: Any) -> None:
    assert one(text, on_motion=on_motion)["x"].verdict == "says nothing"
    assert one("dq1", "dq1", on_motion=on_motion)["x"].verdict == "says nothing"


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("2*m1*g = m1*g", {}),
        ("m1*g = m2*g", {}),
        ("h = 2*m1*g", {"definitions": {"h": "m1*g"}}),
        ("3*tau1 = tau1", {"on_motion": "equations"}),
        ("2*dq1 = dq1", {"on_motion": True}),
    ],
)
def test_a_suggestion_does_not_empty_a_claim(text: str, more: dict[str, Any]) -> None:
    finding = one(text, **more)["x"]
    assert finding.verdict == "wrong"
    assert finding.entries[0].suggestion is None
    assert finding.edit is None


def test_an_entry_that_is_zero_has_no_suggestion() -> None:
    zero = "m1*(sin(q1)**2 + cos(q1)**2 - 1)"
    assert one("m2*L1 + m1*L1", zero)["x"].entries[0].suggestion is None
    assert one("2*m1*g = @mass_matrix[2, 2]*0 + m1*g")["x"].entries[0].suggestion is not None


# -- the matrix C ----------------------------------------------------------------------------------
H = {"h": "m2*L1*Lc2*sin(q2)"}


def test_an_error_in_one_row_of_another_splitting() -> None:
    """Row 1 is valid as printed; of row 2, the entry that is right in `coriolis_split` is not wrong."""
    right = [["-h*dq2", "-h*dq1 - h*dq2"], ["h*dq1", "0"]]
    assert one(right, "coriolis_split", definitions=H).ok
    printed = [["0", "-2*h*dq1 - h*dq2"], ["h*dq1", "h*dq2"]]
    finding = one(printed, "coriolis_matrix", definitions=H)["x"]
    assert [e.verdict for e in finding.entries] == ["convention", "convention", "proved", "wrong"]
    assert finding.remarks[0].startswith(
        "holds in part as another splitting of C with the same C v in row 1"
    )
    row = one(["0", "-2*h*dq1 - h*dq2"], "coriolis_matrix", definitions=H, entries="row 1")["x"]
    assert (row.verdict, row.diagnosis) == ("convention", "splitting")
    assert one(["0", "-2*h*dq1 - h*dq2"], "coriolis_matrix", definitions=H, entries="row 1",
               accept=("splitting",)).ok  # fmt: skip


def test_entries_of_two_splittings_in_a_row_do_not_hide_an_error() -> None:
    """Each entry of the row is that of one splitting, but together they give a wrong C v."""
    robot = "wheeled_inverted_pendulum"
    first, second = (
        derive(load(robot), coriolis=kind).coriolis_matrix.rows[1]
        for kind in ("christoffel", "split")
    )
    mixed = [first[0], second[1], first[2]]
    assert sum(bool(prove_equal(a, b)) for a, b in zip(first, second, strict=True)) == 1
    report = one(mixed, "coriolis_matrix", robot, entries="row 2", accept=("splitting",))
    assert not report.ok
    entry = one(second[0], "coriolis_matrix", robot, entries=(2, 1))["x"]
    assert entry.verdict == "convention"
    assert entry.remarks[0] == "holds as an entry of coriolis_split, the splitting C = ½ ∂(C v)/∂v"
    assert not one(second[0], "coriolis_matrix", robot, entries=(2, 1), accept=("splitting",)).ok
    for row in (first, second):
        assert one(list(row), "coriolis_matrix", robot, entries="row 2", accept=("splitting",)).ok


@pytest.mark.ci
def test_equation_27_of_document_003_against_christoffel() -> None:
    """Only what makes C v wrong is an error: C_21 holds as printed in `coriolis_split`."""
    text = (AUDITS / "document_003.toml").read_text(encoding="utf-8")
    claims = parse_claims(
        text.replace('coriolis = "split"\n', ""), str(AUDITS / "document_003.toml")
    )
    wanted = tuple(c for c in claims.claims if c.id == "27-C" or c.name.startswith("M"))
    finding = audit(type(claims)(wanted, robot=claims.robot), seed=1)["27-C"]
    wrong = {e.label for e in finding.entries if e.verdict == "wrong"}
    assert wrong == {"2,2", "2,3", "3,2"}
    assert "in row 2 as coriolis_split, the splitting C = ½ ∂(C v)/∂v" in finding.remarks[0]


# -- unreadable claims -----------------------------------------------------------------------------
FILE = """
robot = "rr_arm"
[[claims]]
id = "good"
place = "1"
printed = "m2*Lc2**2 + I2"
quantity = "mass_matrix[2, 2]"
[[claims]]
id = "text"
place = "2"
printed = "m2 Lc2"
quantity = "mass_matrix[2, 2]"
[[claims]]
id = "latex"
place = "3"
latex = 'm_2 {L_{c2} + L_1} + I_2'
quantity = "mass_matrix[2, 2]"
[[claims]]
id = "quantity"
place = "4"
printed = "m2"
quantity = "mas_matrix"
expect = "unreadable"
[[claims]]
id = "wrong"
place = "5"
printed = "m2*Lc2**2"
quantity = "mass_matrix[2, 2]"
"""


def test_unreadable_claims_are_reported_beside_the_others() -> None:
    report = audit(parse_claims(FILE, "paper.toml"), seed=1)
    assert {f.id: f.verdict for f in report.findings} == {
        "good": "proved", "text": "unreadable", "latex": "unreadable", "quantity": "unreadable",
        "wrong": "wrong",
    }  # fmt: skip
    assert not report.ok
    assert [f.as_expected for f in report.findings] == [True, False, False, True, False]
    shown = report.text(failed=True)
    for words in (
        "line 11, column 15",
        "is ambiguous; it may be read as",
        "Did you mean 'mass_matrix'",
    ):
        assert words in shown
    assert "3 unreadable" in shown
    assert report.to_data()["findings"][1]["entries"][0]["reason"].startswith("paper.toml, line 11")


def test_an_audit_in_which_nothing_can_be_read_is_an_error() -> None:
    parts = FILE.split("[[claims]]")
    with pytest.raises(FileFormatError, match=r"line 6.*\n(.*\n)*paper.toml, line 11"):
        audit(parse_claims("[[claims]]".join([parts[0], parts[2], parts[3]]), "paper.toml"))


# -- names -----------------------------------------------------------------------------------------
def test_names_are_indices() -> None:
    for index in ('"q2", "q2"', "q2, q2", '2, "q2"'):
        assert one("m2*Lc2**2 + I2", f"mass_matrix[{index}]").ok
    assert one('@mass_matrix["q2", "q2"] = m2*Lc2**2 + I2').ok
    swapped = {"order": ("q2", "q1")}
    assert one("m2*Lc2**2 + I2", 'mass_matrix["q2", "q2"]', **swapped).ok
    assert one('@gravity["q2"] = m2*g*Lc2*cos(q1 + q2)').ok
    with pytest.raises(FileFormatError, match="an index must be one of q1, q2, got 'q3'"):
        one("m1", 'mass_matrix["q3", "q2"]')
    with pytest.raises(FileFormatError, match="an index must be a number from 1 to 2, got 'q1'"):
        one("[m1, m2]['q1'] = m1".replace("'", '"'))


def test_names_of_the_document_may_be_latex() -> None:
    text = """
robot = "rr_arm"
known = ['\\zeta_{1}']
[definitions]
'\\mathbf{h}' = "m2*Lc2**2"
'\\eta_{1}' = "I2"
[[claims]]
id = "x"
place = "1"
latex = '\\mathbf{h} + \\eta_1 + \\zeta_1'
quantity = "mass_matrix[2, 2]"
"""
    assert (
        audit(parse_claims(text), seed=1)["x"].entries[0].residual
        == audit(parse_claims(text.replace("'\\zeta_{1}'", '"zeta_1"')), seed=1)["x"]
        .entries[0]
        .residual
    )
    assert audit(parse_claims(text.replace(" + \\zeta_1", "")), seed=1).ok
    twice = text.replace("[[claims]]", 'h = "I2"\n[[claims]]')
    with pytest.raises(FileFormatError, match="a name must be defined once, got 'h' twice"):
        parse_claims(twice)
    with pytest.raises(FileFormatError, match="expected one name"):
        parse_claims(text.replace("\\eta_{1}'", "\\eta_{1} + 1'"))
    made = one(
        r"h_{c1} + I_2", "mass_matrix[2, 2]", latex=True, definitions={r"h_{c1}": "m2*Lc2**2"}
    )
    assert made.ok
    with pytest.raises(EquamoError, match="expected one name"):
        plain_name(r"\theta = 1", Place("definitions"))


@pytest.mark.parametrize(
    ("first", "second", "parts"),
    [("a + b*c", "a + b*d", ("c", "d")), ("a*b", "a - b", ("a*b", "a - b"))],
)
def test_two_readings_are_shown_by_the_parts_that_differ(
    first: str, second: str, parts: tuple[str, str]
) -> None:
    """In the order of the readings."""
    found = difference(*([read_text(x).tree] for x in (first, second)))
    assert found is not None
    assert [form(x) for x in found] == [form(read_text(x).tree) for x in parts]

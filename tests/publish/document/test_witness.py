"""A paper is read back before it claims anything; an error of the writer or the reader is found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import equamo as eq
from equamo.algebra.expr import Expr
from equamo.algebra.expr.printing import latex as printer
from equamo.errors import ParseError, ProofError
from equamo.publish.document import compose as composing, latex, paper as papers, round_trip, style
from equamo.publish.document.compose import compose
from equamo.publish.document.paper import Paper
from equamo.publish.document.round_trip import read_back
from equamo.publish.document.typst_reader import read_typst
from papers import paper_of

CLAIM = "each of them is proved: what is printed equals what was computed"


def cart_pole(first: str = "m0", second: str = "m1", q: tuple[str, str] = ("x", "q1")) -> eq.Robot:
    return eq.Robot(
        "cart_pole",
        [
            eq.Body("cart", eq.prismatic(q[0], axis="x"), mass=first),
            eq.Body(
                "pole", eq.revolute(q[1], axis="y"), mass=second, com="0 0 l", parent="cart"
            ),
        ],
        gravity="0 0 -g",
    )  # fmt: skip


def assert_read(robot: eq.Robot, by: str = "lagrange") -> Paper:
    paper = compose(robot, by)
    trip = read_back(paper)
    assert trip, str(trip)
    assert f"all {len(trip.lines)} lines that have a value was read back; {CLAIM}" in paper.abstract
    return paper


def test_a_cart_and_a_pole_with_masses_m0_and_m1() -> None:
    """The mass of body 1 is not the parameter m1."""
    paper = assert_read(cart_pole())
    energy = next(x for x in paper.equations if x.left == r"T_{\mathrm{trans},A}")
    assert energy.rule.startswith(r"\frac{1}{2} m_{A} ")
    assert energy.right == r"\frac{m_{0} \dot x^{2}}{2}"


@pytest.mark.parametrize("q", [("q1", "q_1"), ("x", "theta_1")])
@pytest.mark.sweep(1)
def test_coordinates_that_look_alike(q: tuple[str, str]) -> None:
    paper = assert_read(cart_pole(q=q), "recursive")
    assert len({paper.notation[x] for x in q}) == 2
    if q[0] == "q1":
        said = r"$q_{1}$ is the robot's \texttt{q1}, $\text{q\_1}$ is the robot's \texttt{q\_1}"
        assert said in paper.latex()


@pytest.mark.ci
@pytest.mark.parametrize("by", ["lagrange", "kane", "projected_newton_euler", "gibbs_appell"])
@pytest.mark.parametrize(
    "names",
    [
        ("m1", "m0", ("q1", "q_1")), ("M", "m", ("s", "th")), ("T", "L", ("theta", "th")),
        ("T1", "U2", ("q2", "q1")), ("Q1", "M12", ("q_i", "x")), ("mc", "mp", ("q__1", "q1")),
        ("sin", "`a-b`", ("α", "alpha")), ("`größe`", "`a:b`", ("ẋ", "dx")),
    ],
    ids=str,
)  # fmt: skip
def test_hostile_names_in_whole_papers(names: tuple[str, str, tuple[str, str]], by: str) -> None:
    first, second, q = names
    first = f"`{first}`" if first == "sin" else first
    assert_read(cart_pole(first, second, q), by)


# -- planted errors ----------------------------------------------------------------------------------
def changed_lines(change: Callable[[str], str]) -> Callable[[Any, Expr, int], list[str]]:
    right = printer._Writer.lines  # pyright: ignore[reportPrivateUsage]

    def lines(self: Any, expr: Expr, width: int) -> list[str]:
        return [change(x) for x in right(self, expr, width)]

    return lines


WRITER: dict[str, Callable[[str], str]] = {
    "a minus is dropped": lambda x: x.replace("-", ""),
    "an index is swapped": lambda x: x.replace("q_{2}", "q_{1}"),
    "a power is lost": lambda x: x.replace("^{2}", ""),
    "a sine is a cosine": lambda x: x.replace(r"\sin", r"\cos"),
    "a factor is lost": lambda x: x.replace("L_{c2} ", ""),
    "an index is unknown": lambda x: x.replace("m_{2}", "m_{3}"),
}  # fmt: skip


@pytest.mark.sweep(2)
@pytest.mark.parametrize("error", WRITER)
def test_an_error_of_the_writer(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printer._Writer, "lines", changed_lines(WRITER[error]))  # pyright: ignore
    with pytest.raises(ProofError, match=r"reading it back gave: .*error of equamo"):
        compose(eq.load("rr_arm"), "recursive", quantities=["M", "C", "g"])


def test_a_table_with_two_symbols_that_look_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader does not share the table of the writer."""
    right = style.notation_of

    def merged(robot: eq.Robot, *taken: Any) -> dict[str, str]:
        found = right(robot, *taken)
        return found | {"q_1": found["q1"]}

    monkeypatch.setattr(style, "notation_of", merged)
    with pytest.raises(ProofError, match="reading it back gave"):
        compose(cart_pole(q=("q1", "q_1")), "recursive", quantities=["M"])


def test_an_error_in_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of the document is read, not what it was made from."""
    right = latex._aligned  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(latex, "_aligned", lambda x: right(x).replace(" + ", " - "))  # pyright: ignore
    with pytest.raises(ProofError, match="reading it back gave"):
        compose(eq.load("rr_arm"), "recursive", quantities=["M"])


@pytest.mark.parametrize("old", ["-", r"\sin"])
def test_an_error_of_the_reader(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that reads + for - or cos for sin refutes what is right; nothing is claimed."""
    right = round_trip.read_latex
    new = {"-": "+", r"\sin": r"\cos"}[old]

    def wrong(text: str, *more: Any) -> Any:
        return right(text.replace(old, new), *more)

    monkeypatch.setattr(round_trip, "read_latex", wrong)
    with pytest.raises(ProofError, match=r"reading it back gave: .* refuted"):
        compose(eq.load("rr_arm"), "recursive", quantities=["M", "C"])


# -- what is not read --------------------------------------------------------------------------------
def test_lines_beyond_the_budget_are_not_called_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    right = composing.read_back
    monkeypatch.setattr(composing, "read_back", lambda x: right(x, budget=1_000))  # pyright: ignore
    paper = compose(eq.load("rr_arm"), "recursive", quantities=["M"])
    unread = [x for x in paper.equations if x.standing == "not read back"]
    with_value = [x for x in paper.equations if x.value is not None]
    assert 0 < len(unread) < len(with_value)
    assert f"{len(with_value) - len(unread)} of {len(with_value)} lines" in paper.abstract
    assert f"({unread[0].number})" in paper.abstract
    assert "“Mass matrix”, could not be read back" in paper.abstract
    assert "not read back" in paper.latex()


def test_a_line_that_the_reader_cannot_read_is_not_called_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(printer._Writer, "lines", changed_lines(lambda x: f"{x} ?? x"))  # pyright: ignore
    monkeypatch.setattr(round_trip, "readable", lambda x: x)  # pyright: ignore
    paper = compose(eq.load("rr_arm"), "recursive", quantities=["g"])
    assert {x.standing for x in paper.equations if x.left == "g_{1}"} == {"not read back"}


@pytest.mark.ci
def test_lines_in_general_symbols_are_counted() -> None:
    paper = paper_of("krang")
    general = [x for x in paper.equations if x.proofs and x.value is None]
    assert (
        f"For {len(general)} lines in general symbols, every instance was proved" in paper.abstract
    )
    assert "instances proved" in paper.latex()


# -- other formats -----------------------------------------------------------------------------------
FORMATS = {"html": ("<mi>q</mi>", "<mi>p</mi>"), "typst": ("frac(1, 2)", "frac(1, 3)")}


@pytest.mark.parametrize("kind", FORMATS)
def test_an_error_of_another_format(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equations of a page and of a PDF are those that were read back."""
    whole, write = paper_of("rr_arm"), {"html": "to_html", "typst": "to_typst_source"}[kind]
    right, (old, new) = getattr(papers, write), FORMATS[kind]
    assert old in getattr(whole, kind)()
    monkeypatch.setattr(papers, write, lambda x: right(x).replace(old, new))  # pyright: ignore
    with pytest.raises(ProofError, match=r"must look in (HTML|typst) as in LaTeX"):
        getattr(whole, kind)()
    monkeypatch.setattr(papers, write, lambda _: "")  # pyright: ignore
    with pytest.raises(ProofError, match="got ''"):
        getattr(whole, kind)()


@pytest.mark.ci
@pytest.mark.parametrize("robot", ["rolling_disc", "four_bar", "puma560", "starleth"])
def test_other_formats_show_what_was_read_back(robot: str) -> None:
    """Broken entries of matrices, sums, accents and short names, in both formats."""
    paper = paper_of(robot, "recursive")
    assert paper.html().count('id="eq-') == len(paper.equations)
    assert "#equation(1," in paper.typst()


def test_typst_that_no_paper_has() -> None:
    for source, message in (
        ("frac(1", "must end with"),
        ("name(1)", "one of those that a paper has"),
    ):
        with pytest.raises(ParseError, match=message):
            read_typst(source)

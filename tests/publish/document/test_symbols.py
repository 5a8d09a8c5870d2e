"""Symbols of a paper: no two look alike, and a reader of the text finds what each one means."""

from __future__ import annotations

from string import ascii_uppercase

import pytest

import equamo as eq
from equamo.algebra.expr import symbol
from equamo.algebra.expr.printing.appearance import appearance, is_formula, letters
from equamo.algebra.expr.printing.latex import to_latex
from equamo.algebra.expr.printing.notation import name_to_latex
from equamo.errors import EquamoError, ParseError
from equamo.mechanics.equations.notation import notation_of
from equamo.publish.document.blocks import Text
from equamo.publish.document.chapters.notation import notation
from equamo.publish.document.printed_symbols import PrintedSymbols, readable, symbols_of
from equamo.publish.document.prose import spans
from equamo.publish.document.script import Script
from equamo.publish.document.style import Style, _body_labels  # pyright: ignore[reportPrivateUsage]
from papers import paper_of

# Names whose LaTeX by rule, or whose shape on paper, is the same.
ALIKE = (
    ("a1", "a_1"), ("a1", "a__1"), ("L_c1", "Lc1"), ("L_c_1", "Lc_1"), ("Ixx", "I_xx"), ("m1x", "m_1x"),
    ("alpha", "α"), ("alpha1", "α_1"), ("th1", "theta_1"), ("th", "theta"), ("θ", "theta"),
    ("Th", "Theta"), ("phi", "φ"), ("epsilon", "ε"), ("ϕ", "phi"), ("θ2", "th_2"), ("thR", "theta_R"),
    ("muL", "mu_L"), ("a₁", "a1"), ("a₁", "a_1"), ("x₁₂", "x12"), ("x_1₂", "x12"), ("m12", "m_12"),
    ("m1_2", "m_1_2"), ("dx", "ẋ"), ("ẋ", "ẋ"), ("é", "é"), ("à1", "à_1"), ("dphi1", "dphi_1"),
    ("ddx1", "ddx_1"), ("dtheta", "dth"), ("µ", "mu"), ("µ", "μ"), ("Ω", "Omega"), ("Ω", "Ω"),
    ("`А`", "A"), ("`Мass`", "Mass"), ("`а1`", "a1"), ("`Α`", "A"), ("`Β2`", "B_2"), ("`ο`", "o"),
    ("`b-1`", "`b−1`"), ("`b‐1`", "`b-1`"), ("`b 1`", "`b1`"), ("`b'`", "`b’`"), ("`x y`", "`xy`"),
    ("qLF_HAA", "q_LF_HAA"), ("lA", "l_A"), ("com1", "com_1"), ("B_x", "Bx"),
)  # fmt: skip
# Names that look like a product, difference, power or number of others, or like letters of the paper.
FORMULAS = (
    (("a", "b", "c"), "abc"), (("a", "b"), "`a-b`"), (("a", "b"), "`a b`"), (("m", "a", "s"), "mass"),
    (("a",), "`2a`"), (("a",), "`(a)`"), ((), "`sin`"), (("a", "b"), "`a*b`"), ((), "`π `"),
    ((), "T"), ((), "U"), ((), "L"), ((), "T1"), ((), "U_2"), ((), "M12"), ((), "h1"), ((), "g_2"),
    ((), "Q1"), ((), "c_112"), ((), "C21"), ((), "q_i"), ((), "m_j"), ((), "v_s"), ((), "omega_1_x"),
    ((), "r_G_1_x"),
)  # fmt: skip


def arm(*names: str, notation: dict[str, str] | None = None) -> eq.Robot:
    """Two links whose masses and lengths are made of all the names."""
    total = " + ".join(names)
    return eq.Robot(
        "arm",
        [
            eq.Body("upper", eq.revolute("q1"), mass=total, com="k 0 0"),
            eq.Body("fore", eq.revolute("q2", at=[total, 0, 0]), mass="n", parent="upper"),
        ],
        notation=notation,
    )


def style_of(robot: eq.Robot, by: str = "lagrange") -> Style:
    return Style.of(robot, None, "MCg", (by,))


def text_of(robot: eq.Robot) -> str:
    """What the LaTeX of a paper says of its symbols."""
    script = Script(style_of(robot), eq.derivation(robot), "lagrange")
    texts = [x.text for x in notation(script, ("lagrange",)).blocks if isinstance(x, Text)]
    from equamo.publish.document.latex import _prose  # pyright: ignore[reportPrivateUsage]

    return " ".join(_prose(x, ()) for x in texts)


def assert_told_apart(robot: eq.Robot) -> None:
    """All symbols look different, none looks like a formula, and the text says what each one means."""
    style, symbols = style_of(robot), symbols_of(robot)
    seen = {name: appearance(style.notation[name]) for name in symbols}
    assert len(set(seen.values())) == len(seen), seen
    for name, x in seen.items():
        others = {y for y in seen.values() if y != x}
        assert not is_formula(x, others), name
    read = PrintedSymbols(robot, text_of(robot))
    for x in symbols.values():
        latex = to_latex(x, notation=style.notation)
        assert read(latex)[latex] is x


@pytest.mark.sweep(3)
@pytest.mark.parametrize("pair", ALIKE, ids=str)
def test_names_that_look_alike(pair: tuple[str, str]) -> None:
    assert_told_apart(arm(*pair))


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("others", "name"), FORMULAS, ids=str)
def test_names_that_look_like_formulas_or_letters_of_the_paper(
    others: tuple[str, ...], name: str
) -> None:
    robot = arm(*others, name)
    assert_told_apart(robot)
    style, bare = style_of(robot), name.strip("`")
    is_renamed = style.notation[bare] != name_to_latex(bare)
    assert is_renamed or style.labels["upper"] == "A"  # T_1 is free if the energy is T_A


def test_letters_of_the_paper_depend_on_the_method() -> None:
    robot = arm("L", "S")
    assert style_of(robot).renamed == {"L": "L"}
    assert style_of(robot, "gibbs_appell").renamed == {"S": "S"}
    assert style_of(robot, "kane").renamed == {}


def test_masses_that_are_not_those_of_their_number() -> None:
    """Bodies are called A, B … if m_1 is a symbol of the robot, but not the mass of body 1."""
    style = style_of(eq.load("rr_arm"))
    assert (style.labels["upper"], style.renamed) == ("1", {})
    robot = eq.Robot("pair", [
        eq.Body("cart", eq.prismatic("x"), mass="m0"),
        eq.Body("pole", eq.revolute("q1"), mass="m1", parent="cart"),
    ])  # fmt: skip
    style = style_of(robot)
    assert (style.labels["cart"], style.labels["pole"], style.renamed) == ("A", "B", {})
    assert len(style_of(arm("m_A", "m1")).renamed) == 1  # whichever labels the bodies get


def test_notation_of_the_user() -> None:
    """LaTeX that two symbols share, or that is a letter of the paper, is used once or not at all."""
    robot = arm("a", "b", "c", notation={"a": r"\mu_1", "b": r"\mu_{1}", "c": "T_{1}"})
    assert_told_apart(robot)
    found = style_of(robot).notation
    assert (found["a"], found["b"]) == (r"\mu_1", "b")


@pytest.mark.parametrize(
    "latex", ["", r"\boldsymbol{g}", r"\mathbf{r}_1", "a$b", "k % ", "a & b", r"a \\ b", "a+b",
              r"\sin q_{1}", r"\sin", r"a \cdot b"],
)  # fmt: skip
def test_notation_of_the_user_that_is_not_a_letter(latex: str) -> None:
    """k % would hide the rest of its line, a + b k is not (a + b) k, bold g is the gravity vector."""
    assert style_of(arm("a", notation={"a": latex})).notation["a"] == "a"
    assert notation_of(arm("a", notation={"a": latex}))["a"] == "a"


def test_notation_of_the_user_is_kept() -> None:
    for latex in (
        r"\ell_{a+b}",
        "k^*",
        r"\hat{k}",
        "k'",
        r"k^{\circ}",
        r"\text{50\%}",
        r"\Delta x",
    ):
        assert style_of(arm("a", notation={"a": latex})).notation["a"] == latex
    text = to_latex(symbol("a") ** 2, notation={"a": "k'"})
    assert text == "{k'}^{2}"


def test_names_of_functions() -> None:
    found = notation_of(arm("`sin`", "`exp`", "`sin_1`"))
    assert found["sin"] == r"\mathit{sin}_{\ast}"
    assert found["sin_1"] == r"\mathit{sin}_{1}"


def test_a_dollar_sign_in_a_name() -> None:
    robot = arm("`a$`")
    assert_told_apart(robot)
    found = spans(r"of $\text{a\$}$ is")
    assert found == [
        ("plain", "of "),
        ("maths", r"\text{a\$}"),
        ("plain", " is"),
    ]


def test_rates_follow_their_coordinates() -> None:
    found = notation_of(eq.Robot("r", [eq.Body("b", eq.revolute("lean"), mass="m")]))
    assert (found["dlean"], found["ddlean"]) == (r"\dot{\mathit{lean}}", r"\ddot{\mathit{lean}}")
    assert notation_of(arm("a"))["ddq1"] == r"\ddot q_{1}"


def test_short_names_must_be_clear() -> None:
    """cos(q_12) and cos(q_1 + q_2) would both be c_12."""
    bodies = [
        eq.Body(f"b{k}", eq.revolute(x), mass="m", parent=f"b{k - 1}" if k else "world")
        for k, x in enumerate(("q1", "q2", "q12"))
    ]
    robot = eq.Robot("r", bodies)
    with pytest.raises(EquamoError, match="short sines and cosines must have one meaning each"):
        Style.of(robot, True, "MCg", ("kane",))
    assert not style_of(robot).short
    for names in (("q1", "theta1"), ("q_2", "th2")):
        bodies = [eq.Body(f"b{k}", eq.revolute(x), mass="m") for k, x in enumerate(names)]
        with pytest.raises(EquamoError, match="short=False"):
            Style.of(eq.Robot("r", bodies), True, "MCg", ("kane",))
    with pytest.raises(EquamoError, match="short=False"):
        Style.of(arm("c_1"), True, "MCg", ("kane",))


@pytest.mark.ci
@pytest.mark.parametrize(
    "by", ["lagrange", "kane", "projected_newton_euler", "gibbs_appell", "recursive"]
)
def test_every_letter_of_a_paper_is_in_the_table(by: str, whole_sweeps: bool) -> None:
    """A thin letter in an equation is a symbol of the robot or one that symbols may not look like."""
    from equamo.publish.document.own_letters import own_letters

    for name in ("rr_arm", "three_link_arm") if whole_sweeps else ("rr_arm",):
        robot, paper = eq.load(name), paper_of(name, by)
        style = style_of(robot, by)
        bodies = {b.name: style.labels[b.name] for b in robot.bodies}
        speeds = [style.labels[x.name] for x in robot.joint_speeds]
        known = own_letters(robot, (by,), bodies, speeds, "M", "g")
        known |= {appearance(x) for x in style.notation.values()}
        for e in paper.equations:
            for part in (e.left, e.rule, e.right):
                for x in letters(part.replace("{align", "{matrix")):
                    base = x.partition("^")[0]
                    assert x in known or base in known or x in DERIVATIVE, (e.number, part, x)


DERIVATIVE = ("d", "dt", "t")


def test_a_text_that_names_two_symbols_for_one_letter() -> None:
    robot = arm("a", "b")
    text = r"$x$ is the robot's \texttt{a}, $x$ is the robot's \texttt{b}"
    with pytest.raises(ParseError, match="must name one symbol of the robot for 'x', got 'b'"):
        PrintedSymbols(robot, text)
    with pytest.raises(ParseError, match="got 'missing'"):
        PrintedSymbols(robot, r"$x$ is the robot's \texttt{missing}")
    assert PrintedSymbols(robot, "")(r"a + \boldsymbol{b} + \dot q_{1}") == {
        "a": symbol("a"), r"\dot q_{1}": symbol("dq1"),
    }  # fmt: skip


def test_characters_that_the_reader_of_formulas_does_not_know() -> None:
    assert readable(r"\text{a:b} \%") == r"\text{a\char58 b} \%"


def test_the_latex_of_equations_tells_symbols_apart() -> None:
    """In all entries of a system."""
    bodies = [
        eq.Body("a", eq.revolute("q1", axis="y"), mass="m", com="l 0 0"),
        eq.Body("b", eq.revolute("q_1", axis="x"), mass="n", com="0 l 0"),
    ]
    latex = eq.derive(eq.Robot("r", bodies, gravity="0 0 -lambda1")).latex()
    assert r"\cos \text{q\_1}" in latex
    assert r"\cos q_{1}" in latex
    assert r"\lambda_{1}" in latex


def test_a_multiplier_does_not_look_like_a_parameter() -> None:
    bodies = [
        eq.Body("a", eq.revolute("q1"), mass="lambda1", com="l 0 0"),
        eq.Body("b", eq.revolute("q2", at="l 0 0"), mass="m", com="l 0 0", parent="a"),
        eq.Body("c", eq.revolute("q3", at="l 0 0"), mass="m", com="l 0 0", parent="b"),
    ]
    loop = eq.loop("ring", "c", at="l 0 0", to_at="l 0 0")
    latex = eq.derive(eq.Robot("r", bodies, loops=[loop])).latex()
    assert r"\lambda_{1}" in latex
    assert r"\text{lambda1}" in latex


def test_multipliers_and_closure_equations_have_letters_of_their_own() -> None:
    from equamo.publish.document.own_letters import own_letters

    def known(robot: eq.Robot, row: int) -> list[bool]:
        bodies = {b.name: b.name for b in robot.bodies}
        own = own_letters(robot, ["kane"], bodies, (), "M", "g")
        return [appearance(rf"{x}_{{{row}}}") in own for x in (r"\lambda", r"\varphi")]

    loop = eq.load("four_bar")
    rows = len(loop.closure_rows)
    assert known(loop, 1) == known(loop, rows) == [True, True]
    assert known(loop, rows + 1) == known(eq.load("rr_arm"), 1) == [False, False]


@pytest.mark.parametrize("count", [26, 27])
def test_up_to_26_bodies_can_have_letters(count: int) -> None:
    names = [f"link {i}" for i in range(count)]
    bodies = [eq.Body(x, eq.revolute(f"q{i}"), mass=1) for i, x in enumerate(names)]
    labels = [list(x.values()) for x in _body_labels(eq.Robot("many", bodies))]
    numbers = [str(i) for i in range(1, count + 1)]
    assert labels == [numbers, [*ascii_uppercase]][: 2 if count == 26 else 1]

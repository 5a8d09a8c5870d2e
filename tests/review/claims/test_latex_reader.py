"""LaTeX: what the package prints is read back as the same expression; ambiguous text is an error."""

import pytest

from equamo.algebra.expr import parse
from equamo.algebra.identity import prove_equal
from equamo.errors import ParseError
from equamo.mechanics.equations import derive
from equamo.review.claims.evaluation import Evaluation
from equamo.review.claims.latex_names import resolved
from equamo.review.claims.latex_reader import read_latex
from equamo.review.claims.scopes import PlainScope
from equamo.review.claims.text_reader import read_text
from equamo.review.claims.values import Value
from equamo.robot.catalog import load

KNOWN = ("m_S", "m_C", "d", "L", "R", "I_w3", "MX_b", "q1", "g", "m", "l")


def value(latex: str, known: tuple[str, ...] = KNOWN) -> Value:
    return Evaluation(PlainScope()).value(read_latex(latex, known).tree)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ["rr_arm", "rp_arm", "rolling_disc", "wheeled_inverted_pendulum"])
def test_equations_printed_as_latex_are_read_back(name: str) -> None:
    eom = derive(load(name))
    robot = eom.robot
    names = [*robot.q, *robot.v, *robot.vdot, *robot.parameters]
    known = tuple(x.name for x in names)
    for e in [*eom.mass_matrix.entries, *eom.bias, *eom.gravity, eom.potential_energy]:
        form = e.closed_form()
        text = form.latex(simplify=False)
        assert prove_equal(value(text, known), form), text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\frac{1}{2} m_S d^2 \sin(2\phi)\dot\psi", "m_S*d**2*sin(2*phi)*dpsi/2"),
        (r"-m_Sd^2\sin\phi\cos\phi\dot{\phi}\dot{\psi}", "-m_S*d**2*sin(phi)*cos(phi)*dphi*dpsi"),
        (r"\left(L + \frac{q_1}{2}\right)^2 \ddot{x}", "(L + q1/2)**2*ddx"),
        (r"\sin^2\theta_1", "sin(theta_1)**2"),
        (r"\sin 2q_{imu}", "sin(2*q_imu)"),
        (r"\mathbf{M}\mathbf{X}_b \dot{\theta}_L", "MX_b*dtheta_L"),
        (r"\mathbf{MX}_b\dot{\theta_L}", "MX_b*dtheta_L"),
        (r"\dot{q}_1^2", "dq1**2"),
        (r"mgl\cos q_1", "m*g*l*cos(q1)"),
        (r"2m_CL^2 + \frac{2I_{w3}L^2}{R^2}", "2*m_C*L**2 + 2*I_w3*L**2/R**2"),
        (r"\begin{bmatrix} 0 & \cos\phi \\ -1 & L^2 \end{bmatrix}", "[0, cos(phi); -1, L**2]"),
        (r"\begin{array}{cc} a & b \\ c & d \end{array}", "[a, b; c, d]"),
        (r"\begin{pmatrix} a \\ b \\ c \end{pmatrix} \times \begin{pmatrix} x \\ y \\ z \end{pmatrix}",
         "cross([a, b, c], [x, y, z])"),
        (r"\begin{pmatrix} a \\ b \end{pmatrix}^T \begin{pmatrix} x \\ y \end{pmatrix}", "a*x + b*y"),
        (r"\sqrt{a^2 + b^2}\,\dot x", "sqrt(a**2 + b**2)*dx"),
        (r"\{a + b\} \cdot [c - d]", "(a + b)*(c - d)"),
        (r"\tfrac{1}{2}\arctan\frac{a}{b}", "atan(a/b)/2"),
    ],
)  # fmt: skip
def test_latex_means_the_same_as_text(latex: str, text: str) -> None:
    assert prove_equal(value(latex), Evaluation(PlainScope()).value(read_text(text).tree))


def test_a_chain_of_equations_has_sides() -> None:
    assert len(read_latex(r"a = b + c = \frac{d}{2}").sides) == 3


def test_aliases_stand_for_expressions() -> None:
    alias = {r"s_{12}": read_text("sin(q1 + q2)").tree, r"c_1": read_text("cos(q1)").tree}
    found = Evaluation(PlainScope()).value(read_latex(r"l s_{12} c_1 c_{12}", KNOWN, alias).tree)
    assert prove_equal(found, parse("l*sin(q1 + q2)*cos(q1)*c_12"))


@pytest.mark.parametrize(
    ("latex", "position", "words"),
    [
        (r"\sin\phi^2", 8, "is ambiguous; it may be read as \\sin\\left(\\phi^{2}\\right) or as"),
        (r"abc", 0, "are not a known name or a product of known names"),
        (r"\foo x", 0, "expected an operand, found \\foo. Valid commands: \\sin"),
        (r"a +", 3, "the end"),
        (r"\frac123", 5, "may be read as \\frac{1} 23 or as \\frac{123}"),
        (r"x^23", 2, "may be read as ^{23} or as ^{2} 3"),
        (r"q_{1,2}", 0, "aliases"),
        (r"q_{1+2}", 4, "aliases"),
        (r"x'", 1, "prime"),
        (r"\begin{cases} a \end{cases}", 0, "unknown environment 'cases'. Valid: pmatrix"),
        (r"\begin{bmatrix} a & b \\ c \end{bmatrix}", 0, "same number of entries, got 2, 1"),
        (r"\sin", 4, "argument of \\sin"),
        (r"q_{1", 2, "closing brace is missing"),
        (r"\sin^{-1} x", 4, "arcsin"),
        (r"(a + b", 6, "')'"),
        (r"\sqrt[3]{x}", 5, "square roots"),
        (r"a ∑ b", 2, "'∑' cannot be read"),
        (r"q_1_2", 3, "only one subscript"),
        (r"\sin gl", 0, "ambiguous"),
        (r"\frac\sqrt{g} 2", 5, "the arguments of \\frac must be in braces"),
        (r"g \operatorname{sinc}(l)", 2, "unknown function 'sinc'. Valid: arccos"),
        (r"\sin^T x", 4, "exponent of a function must be a number"),
        (r"\begin{array}{cc a", 18, "expected '}'"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_place(
    latex: str, position: int, words: str
) -> None:
    with pytest.raises(ParseError) as caught:
        read_latex(latex, KNOWN)
    assert caught.value.position == position
    assert words in str(caught.value)


def test_letters_that_may_be_several_products_are_not_guessed() -> None:
    with pytest.raises(ParseError, match=r"must have one meaning, but may be a\*bc or ab\*c"):
        read_latex("abc", ("a", "bc", "ab", "c"))


def test_lines_inside_a_matrix_and_transposes_in_other_fonts() -> None:
    text = (
        r"\begin{bmatrix} a & \begin{aligned} & b \\ & \quad + c \end{aligned} \end{bmatrix}"
        r"^{\mathsf{T}}"
    )
    tree = read_latex(text, ["a", "b", "c"]).tree
    assert tree.kind == "transpose"
    assert [x.kind for x in tree.children[0].rows[0]] == ["name", "+"]
    matrix = r"\begin{bmatrix} a + b & c \\ 1 & 2 \end{bmatrix}"
    lines = r"\begin{aligned} & a \\ & + b \end{aligned}"
    for other in (matrix.replace("a + b", lines), rf"\begin{{aligned}} {matrix} \end{{aligned}}"):
        assert str(value(other)) == str(value(matrix))
    for exponent in (r"^{\top}", r"^\top", r"^{\mathsf T}", "^{T}", "^T"):
        assert read_latex(f"a{exponent}", ["a"]).tree.kind == "transpose"


def test_words_side_by_side_are_a_product_if_they_are_known() -> None:
    product = parse("mass*length*MX_B")
    known = ("mass", "length", "MX_B")
    assert prove_equal(value(product.latex(), known), product)
    assert prove_equal(value(r"\mathit{mass}\mathit{MX}_B", known), parse("mass*MX_B"))
    assert prove_equal(value(r"\mathbf{M}\mathbf{X}_b", ("M", "MX_b")), parse("MX_b"))


@pytest.mark.parametrize(
    ("base", "known", "choices"),
    [("q_1,2", ["m"], "no similar name is known"), ("q_12", ["q1_2", "q_1_2"], "q1_2, q_1_2")],
)
def test_a_name_with_several_meanings(base: str, known: list[str], choices: str) -> None:
    with pytest.raises(ParseError) as caught:
        resolved(base, True, 0, 4, known)
    assert f"the name '{base}' is ambiguous ({choices}); add it to `aliases`" in str(caught.value)
    assert caught.value.position == 4


def test_pi_is_not_a_function() -> None:
    tree = read_latex(r"\pi \left(a + b\right)", ["a", "b"]).tree
    assert (tree.kind, tree.children[0].value, tree.children[1].kind) == ("*", "pi", "+")

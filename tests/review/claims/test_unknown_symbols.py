"""A symbol that nobody declared is an error: as a constant it could make a false equation true."""

from __future__ import annotations

from pathlib import Path

import pytest

import equamo as eq
from equamo.errors import FileFormatError
from equamo.review.claims import audit, claim

FALSE = "diff(m2*(Lc2**2 + L1*Lc2*cos(q2)) + I2, q_2) = 0"


def verdict(tmp_path: Path, line: str, head: str = "", robot: str = 'robot = "rr_arm"') -> str:
    path = tmp_path / "paper.toml"
    path.write_text(f'{robot}\n{head}\n[[claims]]\nid = "x"\nplace = "p"\n{line}\n')
    return audit(path, seed=1)["x"].verdict


def test_a_misspelt_variable_does_not_prove_a_false_equation(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"line 6.*unknown symbol 'q_2'.*Did you mean 'q2'"):
        verdict(tmp_path, f'printed = "{FALSE}"')
    assert verdict(tmp_path, f'printed = "{FALSE.replace("q_2", "q2")}"') == "wrong"


@pytest.mark.parametrize("function", ["diff({e}, q_2)", "coefficient({e}, q_2, 1)",
                                      "gradient({e}, [q_2])", "jacobian([{e}], [q_2])"])  # fmt: skip
def test_a_variable_that_is_merely_known_must_occur(function: str, tmp_path: Path) -> None:
    """Even if the file declares it."""
    zero = {"g": "[0] = ", "j": "[0] = "}.get(function[0], "0 = ")
    line = f'printed = "{zero}{function.format(e="m2*cos(q2)")}"'
    with pytest.raises(FileFormatError, match=r"must occur in the expression .* got q_2"):
        verdict(tmp_path, line, 'known = ["q_2"]')


@pytest.mark.parametrize(
    "line",
    ['printed = "mm2*Lc2**2 + I2"\nquantity = "mass_matrix[2, 2]"', 'printed = "2*tua1 = tua1 + tua1"'],
)  # fmt: skip
def test_unknown_symbols(line: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"unknown symbol .*Did you mean .* in `known`"):
        verdict(tmp_path, line)


def test_declared_symbols(tmp_path: Path) -> None:
    assert verdict(tmp_path, 'printed = "diff(x**2, x) = 2*x"', 'known = ["x"]') == "proved"
    assert verdict(tmp_path, 'printed = "w_x*w_x + w_y**2 + w_z**2 = norm2(w)"',
                   "[vectors]\nw = 3") == "proved"  # fmt: skip
    assert (
        verdict(tmp_path, 'printed = "(a + b)*(a - b) = a**2 - b**2"', 'known = ["a", "b"]', "")
        == "proved"
    )


# -- two sets of symbols ---------------------------------------------------------------------------
RENAMED = {"q1": "theta_1", "q2": "theta_2", "L1": "2*a"}


def test_printed_formulas_are_in_the_symbols_of_the_document() -> None:
    mixed = claim("x", "eq. 1", "m2*2*a*Lc2*cos(q2)", "mass_matrix[1, 2]", symbols=RENAMED)
    with pytest.raises(FileFormatError, match=r"'q2' is a symbol of the robot; .* here 'theta_2'"):
        audit([mixed], "rr_arm")
    mixed = claim("x", "eq. 1", "L1*m2", "mass_matrix[1, 2]", symbols=RENAMED)
    with pytest.raises(FileFormatError, match=r"the document's symbols, here '2\*a'"):
        audit([mixed], "rr_arm")


def test_quantities_are_in_the_symbols_of_the_robot() -> None:
    mixed = claim("x", "eq. 1", "m2*theta_2", "m2*theta_2 + mass(fore)", symbols=RENAMED)
    with pytest.raises(
        FileFormatError, match=r"'theta_2' is a symbol of the document; .* here 'q2'"
    ):
        audit([mixed], "rr_arm")
    with pytest.raises(FileFormatError, match=r"'a' is a symbol of the document; .* here 'L1'"):
        audit([claim("x", "eq. 1", "a", "a + mass(fore)", symbols=RENAMED)], "rr_arm")


# -- symbols that are LaTeX ------------------------------------------------------------------------
def test_symbols_may_be_latex_names() -> None:
    names = {"q2": r"\theta_2", "q1": r"\theta_1", "Lc2": "L_{c2}", "I2": r"I_{z_2}", "m2": r"m_b"}
    bias = r"-m_b L_1 L_{c2} \sin\theta_2 (2 \dot\theta_1 \dot\theta_2 + \dot\theta_2^2)"
    claims = [
        claim("b", "eq. 1", bias, "bias[1]", latex=True, symbols=names),
        claim("d", "eq. 2", "m_b*L_c2**2 + I_z2", "mass_matrix[2, 2]", symbols=names),
    ]
    assert audit(claims, "rr_arm").ok


def test_latex_names_in_a_file(tmp_path: Path) -> None:
    table = "[symbols]\nq2 = '\\theta_2'\nm2 = { latex = 'm_b' }"
    formula = 'printed = "m_b*L1*Lc2*cos(theta_2) + m_b*Lc2**2 + I2 = @mass_matrix[1, 2]"'
    assert verdict(tmp_path, formula, table) == "proved"
    with pytest.raises(FileFormatError, match=r"symbols.q2: .*'ab'"):
        verdict(tmp_path, formula, "[symbols]\nq2 = { latex = 'ab' }")
    with pytest.raises(FileFormatError, match="symbols of claim 'x', q2"):
        claim("x", "eq. 1", "1", "gravity[1]", symbols={"q2": r"\frac{a"})


# -- time derivatives of what moves ----------------------------------------------------------------
GENERAL = '[vectors]\nw = 3\n[matrices]\nA = [3, 3]\nR = "rotation"\n'


@pytest.mark.parametrize(
    "line",
    [
        'printed = "dt(ddq1) = 0"',
        'printed = "dt(q1*tau1) = dq1*tau1"',
        "latex = '\\frac{d\\tau_1}{dt} = 0'",
        "latex = '\\frac{d}{dt} \\ddot q_1 = 0'",
        'printed = "dt(q1*w) = dq1*w"',
        'printed = "dt(A) = zeros(3, 3)"',
        'printed = "dt(R*w) = zeros(3, 1)"',
        'printed = "dt(q1*k) = dq1*k"',
    ],
)
def test_what_is_no_parameter_is_not_constant_in_time(line: str, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="dt needs the rate of every symbol"):
        verdict(tmp_path, line, f'known = ["k"]\n{GENERAL}')


def test_a_constant_has_the_rate_zero(tmp_path: Path) -> None:
    rates = '[rates]\nk = "0"\nw = "cross(w, w)"\n'
    line = 'printed = "dt(q1*k*m2*w) = dq1*k*m2*w"'
    assert verdict(tmp_path, line, f'known = ["k"]\n{GENERAL}{rates}') == "proved"
    names = '[symbols]\nL1 = "2*a"\n'
    assert verdict(tmp_path, 'printed = "dt(a*q1) = a*dq1"', names) == "proved"


def test_rates_of_a_moving_base() -> None:
    body = eq.Body("A", eq.revolute("q1"), mass="m", com="L 0 0", inertia="I I I")
    motion = eq.BaseMotion(w="0 0 w0", alpha="0 0 a0")
    robot = eq.Robot("p", [body], base=motion)
    assert audit([claim("x", "p", "dt(q1*w0) = dq1*w0 + q1*a0")], robot).ok
    assert not audit([claim("x", "p", "dt(w0) = 0")], robot).ok
    for false in ("dt(a0) = 0", "dt(a0*q1) = a0*dq1"):
        with pytest.raises(FileFormatError, match="got a0"):
            audit([claim("x", "p", false)], robot)
    heavier = eq.Robot("p", [body], gravity="0 -t 0")
    with pytest.raises(FileFormatError, match="got t"):  # it may be the time
        audit([claim("x", "p", "dt(t*m) = 0")], heavier)

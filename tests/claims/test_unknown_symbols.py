"""A symbol that nobody declared is an error: as a constant it could make a false equation true."""

from __future__ import annotations

from pathlib import Path

import pytest

from equamo.claims import audit
from equamo.errors import FileFormatError

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

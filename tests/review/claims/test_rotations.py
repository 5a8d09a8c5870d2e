"""What is said of a printed rotation, entry by entry."""

from __future__ import annotations

import pytest

from equamo.errors import EquamoError
from equamo.review.claims import audit, claim

ABOUT_X = "1, 0, 0; 0, cos(q), -sin(q); 0, sin(q), cos(q)"


def entries(printed: str, **more: str) -> list[tuple[str, str, str]]:
    found = audit([claim("A", "eq. 1", printed, **more)], seed=1)["A"].entries  # type: ignore[arg-type]
    return [(e.label, e.verdict, e.reason) for e in found]


def test_products_of_columns() -> None:
    """Columns, not rows; each pair once."""
    found = entries("[1, 2, 0; 0, 1, 0; 0, 0, 1]", axis="[0, 0, 1]", coordinate="q")
    assert found == [
        ("orthonormal", "wrong", "column 1 · column 2 = 2; column 2 · column 2 = 5"),
        ("det = 1", "proved", ""),
        ("axis", "wrong", "it rotates about (0, 0, 0), if it is a rotation"),
    ]
    assert entries("[cos(q), 0, 0; 0, 2, 0; 0, 0, 3]", axis="[0, 0, 1]")[:2] == [
        ("orthonormal", "wrong",
         "column 1 · column 1 = cos(q)**2; column 2 · column 2 = 4; column 3 · column 3 = 9"),
        ("det = 1", "wrong", "det = 6*cos(q)"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("axis", "verdict", "reason"),
    [
        ("[1, 0, 0]", "proved", ""),
        ("[-1, 0, 0]", "wrong", "it rotates about −(-1, 0, 0)"),
        ("[0, 1, 0]", "wrong", "it rotates about (1, 0, 0), if it is a rotation"),
    ],
)
def test_the_axis(axis: str, verdict: str, reason: str) -> None:
    assert entries(f"[{ABOUT_X}]", axis=axis)[2:] == [("axis", verdict, reason)]


def test_the_axis_is_that_of_the_rotated_frame() -> None:
    """Rz(q) Rx(p) rotates about z of the parent, which is (0, sin p, cos p) in its own axes."""
    printed = "rot_z(q)*rot_x(p)"
    assert entries(printed, axis="[0, sin(p), cos(p)]", coordinate="q")[2][1] == "proved"
    assert entries(printed, axis="[0, 0, 1]", coordinate="q")[2][1] == "wrong"
    assert entries(printed, axis="[1, 0, 0]", coordinate="p")[2][1] == "proved"
    for text, names in ((printed, "p, q"), ("rot_z(1)", "none")):
        with pytest.raises(EquamoError, match=f"set `coordinate` to one of: {names}"):
            entries(text, axis="[0, 0, 1]")


def test_the_last_row_of_a_transform() -> None:
    rows = "; ".join(f"{row}, 0" for row in ABOUT_X.split("; "))
    labels = ["orthonormal", "det = 1", "last row", "axis"]
    found = entries(f"[{rows}; 0, 0, 0, 1]", axis="[1, 0, 0]")
    assert found == [(label, "proved", "") for label in labels]
    found = entries(f"[{rows}; 0, 0, 1, 1]", axis="[1, 0, 0]")
    assert found[2] == ("last row", "wrong", "the last row of a transform must be 0 0 0 1")
    with pytest.raises(
        EquamoError, match=r"^claim 'A': A transform must be a 4×4 matrix, got a 2×2"
    ):
        entries("[1, 2; 3, 4]", axis="[1, 0, 0]")

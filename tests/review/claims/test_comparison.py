"""Rows, columns and single entries of a quantity, compared with what is printed."""

import pytest

from equamo.errors import FileFormatError
from equamo.review.claims import audit, claim

S1, C1 = "L1*sin(q1)", "L1*cos(q1)"


@pytest.mark.parametrize(
    ("entries", "printed", "labels"),
    [
        ("row 3", ["1", "1"], ["3,1", "3,2"]),
        ("column 1", ["0", "0", "1", f"-{S1}", C1, "0"], [f"{i},1" for i in range(1, 7)]),
        ([5, 1], C1, ["5,1"]),
    ],
)
def test_parts_of_a_matrix_that_is_not_square(
    entries: object, printed: object, labels: list[str]
) -> None:
    """The Jacobian of the elbow has six rows and two columns."""
    one = claim("x", "eq. 1", printed, "jacobian(fore)", entries=entries)  # type: ignore[arg-type]
    report = audit([one], "rr_arm", seed=1)
    assert report.ok
    assert [e.label for e in report["x"].entries] == labels


def test_a_vector_has_no_rows() -> None:
    with pytest.raises(FileFormatError, match="a vector has no rows and columns; use one index"):
        audit([claim("x", "eq. 1", "g", "gravity", entries="row 2")], "rr_arm")

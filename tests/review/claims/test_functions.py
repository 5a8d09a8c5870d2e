"""Functions of the text in claims: each with its number of arguments."""

import pytest

from equamo.errors import FileFormatError
from equamo.review.claims import audit, claim

COUNTS = {
    "cross": 2, "dot": 2, "norm2": 1, "skew": 1, "unskew": 1, "transpose": 1, "det": 1, "trace": 1,
    "identity": 1, "zeros": 2, "diff": 2, "jacobian": 2, "gradient": 2, "coefficient": 3, "subs": 3,
    "rot_x": 1, "rot_y": 1, "rot_z": 1, "euler_xyz": 3, "position_of": 1, "transform_of": 2,
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTS)
def test_one_argument_less_or_more_is_said(name: str) -> None:
    for count in (COUNTS[name] - 1, COUNTS[name] + 1):
        text = f"{name}({', '.join(['L1'] * count)}) = L1"
        with pytest.raises(
            FileFormatError, match=f"{name} takes {COUNTS[name]} arguments?, got {count}"
        ):
            audit([claim("x", "eq. 1", text)], "rr_arm")

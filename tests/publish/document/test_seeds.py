"""Papers against the documents behind the project: their correct equations appear, in their order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from equamo import prove_equal
from equamo.algebra.expr import parse
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.publish.document.blocks import Equation
from equamo.publish.document.paper import Paper
from papers import paper_of

Expected = str | list[str] | list[list[str]]


def value_of(x: Expected) -> object:
    if isinstance(x, str):
        return parse(x)
    if isinstance(x[0], list):
        return Matrix([[parse(y) for y in row] for row in x])
    return Vector([parse(y) for y in x])  # type: ignore[arg-type]


def is_equal(equation: Equation, wanted: object) -> bool:
    value = equation.value
    shapes = getattr(value, "shape", ()), getattr(wanted, "shape", ())
    return value is not None and shapes[0] == shapes[1] and bool(prove_equal(value, wanted))


def assert_in_order(paper: Paper, expected: Sequence[tuple[str, Expected]], start: int = 0) -> None:
    """Every expected value is that of an equation whose left side contains the text, in this order."""
    rest = list(paper.equations)[start:]
    for left, x in expected:
        wanted = value_of(x)
        found = next(
            (i for i, e in enumerate(rest) if left in e.left and is_equal(e, wanted)), None
        )
        assert found is not None, f"{left} = {x} does not appear, or not in its order"
        assert rest[found].proofs
        assert all(rest[found].proofs)
        rest = rest[found:]  # the same line may have another expected left side


RP = [
    ("r", ["L1/2*cos(q1)", "L1/2*sin(q1)", "0"]),
    ("v", ["-L1/2*sin(q1)*dq1", "L1/2*cos(q1)*dq1", "0"]),
    ("T", "m1*L1**2*dq1**2/8"),
    ("omega", ["0", "0", "dq1"]),
    ("T", "Iz1*dq1**2/2"),
    ("T", "m2*((L1 + q2/2)**2*dq1**2 + dq2**2/4)/2"),
    ("omega", ["0", "0", "dq1"]),
    ("T", "Iz2*dq1**2/2"),
    ("T_{2}", "m2*((L1 + q2/2)**2*dq1**2 + dq2**2/4)/2 + Iz2*dq1**2/2"),
    (r"\frac{\partial L}{\partial \dot q_{2}}", "m2/4*dq2"),
    (r"\frac{d}{dt}", "m2/4*ddq2"),
    ("M_{22}", "m2/4"),
]
RR = [
    ("J", [["0", "0"], ["0", "0"], ["1", "0"]]),
    ("J", [["-Lc1*sin(q1)", "0"], ["Lc1*cos(q1)", "0"], ["0", "0"]]),
    ("J", [["1", "0"], ["0", "0"]]),
    ("J", [["Lc1**2", "0"], ["0", "0"]]),
    ("J", [["0", "0"], ["0", "0"], ["1", "1"]]),
    ("J", [["-L1*sin(q1) - Lc2*sin(q1 + q2)", "-Lc2*sin(q1 + q2)"],
           ["L1*cos(q1) + Lc2*cos(q1 + q2)", "Lc2*cos(q1 + q2)"], ["0", "0"]]),
    ("J", [["1", "1"], ["1", "1"]]),
    ("M_{11}", "m1*Lc1**2 + m2*(L1**2 + Lc2**2 + 2*L1*Lc2*cos(q2)) + I1 + I2"),
    ("M_{12}", "m2*(Lc2**2 + L1*Lc2*cos(q2)) + I2"),
    ("M_{22}", "m2*Lc2**2 + I2"),
    ("c_{111}", "0"),
    ("c_{121} = c_{211}", "-m2*L1*Lc2*sin(q2)"),
    ("c_{221}", "-m2*L1*Lc2*sin(q2)"),
    ("c_{112}", "m2*L1*Lc2*sin(q2)"),
    ("c_{122}", "0"),
    ("c_{222}", "0"),
    ("U_{1}", "m1*g*Lc1*sin(q1)"),
    ("U_{2}", "m2*g*(L1*sin(q1) + Lc2*sin(q1 + q2))"),
    ("U", "(m1*Lc1 + m2*L1)*g*sin(q1) + m2*Lc2*g*sin(q1 + q2)"),
    ("g_{1}", "(m1*Lc1 + m2*L1)*g*cos(q1) + m2*Lc2*g*cos(q1 + q2)"),
]  # fmt: skip
WHEELED = [  # document 003: eqs. 6 to 12, velocities, A and C v of eqs. 27, 33
    (r"\dot X_{0}", "dx*cos(R*(theta_R - theta_L)/L)"),
    (r"\dot Y_{0}", "dx*sin(R*(theta_R - theta_L)/L)"),
    (r"\dot \theta_{L}", "dx/R - L*dpsi/(2*R)"),
    (r"\dot \theta_{R}", "dx/R + L*dpsi/(2*R)"),
    ("q_{imu}", "-dphi"),
    ("omega", ["0", "0", "dpsi"]),
    ("v", ["dx", "0", "0"]),
    ("omega", ["dphi", "dpsi*cos(q_imu)", "dpsi*sin(q_imu)"]),
    ("v", ["0", "dx*sin(q_imu)", "-dx*cos(q_imu)"]),
    ("M_{xx}", "m_B + 2*m_w + 2*YY_w/R**2"),
    ("M_{x,\\phi}", "-MY_B*cos(q_imu) - MZ_B*sin(q_imu)"),
    ("h_{x}", "(dphi**2 + dpsi**2)*(MZ_B*cos(q_imu) - MY_B*sin(q_imu))"),
]


@pytest.mark.ci
def test_the_prismatic_arm_of_document_004() -> None:
    paper = paper_of("rp_arm")
    assert [e.left for e in paper.equations[:3]] == ["L", "T", "U"]
    assert_in_order(paper, RP)


@pytest.mark.ci
def test_the_revolute_arm_of_document_004() -> None:
    paper = paper_of("rr_arm")
    start = next(
        i for i, e in enumerate(paper.equations) if e.left.startswith(r"\boldsymbol{J}_{\omega,1}")
    )
    assert_in_order(paper, RR, start)


def test_the_pendulum_of_document_003() -> None:
    paper = paper_of("wheeled_inverted_pendulum", "kane")
    constraints = [e for e in paper.equations if e.right == "0" and e.how.startswith("holds")]
    assert len(constraints) == 3
    assert_in_order(paper, WHEELED)


# Document 001, section 2.1: rotations and origins of a few frames; 2.2: directions of the joints.
KRANG = {
    "T_{0,1}": [["0", "sin(q_imu)", "-cos(q_imu)", "0"], ["-1", "0", "0", "0"],
                ["0", "cos(q_imu)", "sin(q_imu)", "0"], ["0", "0", "0", "1"]],
    "T_{1,2}": [["1", "0", "0", "0"], ["0", "cos(q_w)", "sin(q_w)", "L1"],
                ["0", "-sin(q_w)", "cos(q_w)", "-L2"], ["0", "0", "0", "1"]],
    "T_{5l,6l}": [["-cos(q_3l)", "0", "sin(q_3l)", "0"], ["0", "-1", "0", "-L7"],
                  ["sin(q_3l)", "0", "cos(q_3l)", "0"], ["0", "0", "0", "1"]],
    "T_{9r,10r}": [["-cos(q_7r)", "-sin(q_7r)", "0", "0"], ["0", "0", "-1", "-L9"],
                   ["sin(q_7r)", "-cos(q_7r)", "0", "0"], ["0", "0", "0", "1"]],
}  # fmt: skip


@pytest.mark.parametrize("by", ["kane", "lagrange"])
def test_krang_has_the_steps_of_documents_000_and_001(by: str, whole_sweeps: bool) -> None:
    if by == "kane" and not whole_sweeps:
        return  # the same transforms
    paper = paper_of("krang", by)
    by_left = {e.left.replace(r"\boldsymbol{T}", "T"): e for e in paper.equations}
    for left, rows in KRANG.items():
        assert is_equal(by_left[left], value_of(rows)), left  # type: ignore[arg-type]
    lefts = {e.left for e in paper.equations}
    assert {rf"\boldsymbol{{\omega}}_{{{x}}}" for x in ("1", "3", "10l", "10r")} <= lefts
    wanted = {
        "kane": (
            "M_{imu,imu}",
            "h_{7r}",
            r"\boldsymbol{F}_{j}^{(s)}",
            r"\boldsymbol{T}_{j}^{\Sigma\circ}",
        ),
        "lagrange": ("L", "T_{j}", "U_{j}", "M_{ij}", "h_{i}", "g_{i}"),
    }[by]
    assert set(wanted) <= lefts
    axes = [e for e in paper.equations if "own,10l" in e.left.replace(r"\mathrm{own}", "own")]
    if by == "kane":
        assert is_equal(axes[0], Vector([0, 0, -1]))

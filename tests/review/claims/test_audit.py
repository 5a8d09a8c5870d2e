"""Verdicts: proved, convention, wrong; messages about wrong entries; reports."""

import json
from pathlib import Path
from typing import Any

import pytest

from equamo.algebra.expr import parse, symbol
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.algebra.identity import prove_equal
from equamo.algebra.identity.prove import seed_bits
from equamo.errors import EquamoError, FileFormatError, ModelError, UnknownNameError
from equamo.mechanics.equations import derive
from equamo.review.claims import Audit, Claim, audit, claim, parse_claims
from equamo.review.claims.claim import formula
from equamo.robot.catalog import load

D11 = "m1*Lc1**2 + m2*(L1**2 + Lc2**2 + 2*L1*Lc2*cos(q2)) + I1 + I2"
D12 = "m2*(Lc2**2 + L1*Lc2*cos(q2)) + I2"
D22 = "m2*Lc2**2 + I2"
G1, G2 = "(m1*Lc1 + m2*L1)*g*cos(q1) + m2*Lc2*g*cos(q1 + q2)", "m2*Lc2*g*cos(q1 + q2)"
H = {"h": "-m2*L1*Lc2*sin(q2)"}


def one(*args: object, robot: str = "rr_arm", **more: object) -> Audit:
    return audit([claim("x", "eq. 1", *args, **more)], robot, seed=1)  # type: ignore[arg-type]


def test_true_equations_are_proved_with_a_bound() -> None:
    report = audit([claim("x", "eq. 1", [[D11, D12], [D12, D22]], "mass_matrix")], "rr_arm")
    assert report.ok
    assert report.exit_code == 0
    assert seed_bits(report.seed) >= 128
    assert all(
        e.proof is not None and e.proof.bound <= 2.0**-100 for e in report.findings[0].entries
    )


def test_a_wrong_entry_has_residual_counterexample_correction_and_suggestion() -> None:
    wrong = D12.replace("cos(q2)", "sin(q2)")
    report = one([[D11, wrong], [D12, D22]], "mass_matrix")
    assert not report.ok
    assert report.exit_code == 1
    entries = report["x"].entries
    assert [e.verdict for e in entries] == ["proved", "wrong", "proved", "proved"]
    e = entries[1]
    assert e.label == "1,2"
    assert e.residual is not None
    assert prove_equal(e.residual, "m2*L1*Lc2*(sin(q2) - cos(q2))")
    assert e.corrected is not None
    assert prove_equal(e.corrected, D12)
    assert e.suggestion is not None
    assert e.suggestion.size == 1
    assert prove_equal(e.suggestion.result, D12)
    assert e.proof is not None
    state = {symbol(k): float(v) for k, v in (e.proof.counterexample or {}).items()}
    at = evaluate_floats([parse("m2*L1*Lc2*(sin(q2) - cos(q2))")], state)
    assert abs(at[0] - (e.proof.difference or 0)) < 1e-12


def test_a_wrong_shape_is_wrong_not_an_error() -> None:
    assert one([D11, D12, D22], "mass_matrix")["x"].entries[0].label == "shape"
    assert one("[1, 2] + [1, 2, 3]", "gravity")["x"].verdict == "wrong"


@pytest.mark.parametrize(
    ("kind", "printed", "quantity", "more"),
    [
        ("negated", [f"-({G1})", f"-({G2})"], "gravity", {}),
        ("reordered", [[D22, D12], [D12, D11]], "mass_matrix", {}),
        ("reordered", [G2, G1], "gravity", {}),
        ("flipped", [[D11, f"-({D12})"], [f"-({D12})", D22]], "mass_matrix", {}),
        ("splitting", [["0", "2*h*dq1 + h*dq2"], ["-h*dq1", "0"]], "coriolis_matrix",
         {"definitions": H}),
        ("inertia_point", [["I1 + m2*(L1**2 + 2*L1*Lc2*cos(q2)) + I2", "m2*L1*Lc2*cos(q2) + I2"],
                           ["m2*L1*Lc2*cos(q2) + I2", "I2"]], "mass_matrix", {}),
        ("gravity", [G1.replace("cos", "sin"), G2.replace("cos", "sin")], "gravity", {}),
    ],
)  # fmt: skip
def test_conventions_are_told_from_errors(
    kind: str, printed: object, quantity: str, more: dict[str, object]
) -> None:
    finding = one(printed, quantity, **more)["x"]
    assert (finding.verdict, finding.diagnosis) == ("convention", kind)
    accepted = one(printed, quantity, accept=(kind,), **more)["x"]
    assert accepted.verdict == "proved"


def test_a_declared_convention_is_none() -> None:
    assert one([f"-({G1})", f"-({G2})"], "gravity", sign=-1).ok
    assert one([[D22, D12], [D12, D11]], "mass_matrix", order=("q2", "q1")).ok
    assert one([[D11, f"-({D12})"], [f"-({D12})", D22]], "mass_matrix", flip=("q2",)).ok


def test_errors_beside_a_convention_are_still_found() -> None:
    entries = [[f"-({D11})", f"-({D12})"], [f"-({D12})", "-(m2*Lc2**2 + I1)"]]
    finding = one(entries, "mass_matrix")["x"]
    assert [e.verdict for e in finding.entries] == ["convention"] * 3 + ["wrong"]
    assert finding.entries[3].suggestion is not None
    assert finding.entries[3].holds_if == ("I1 = I2",)


def test_what_holds_as_printed_is_never_called_wrong() -> None:
    """Two entries negated, one right: the right one is proved, the others are a convention."""
    entries = [[D11, f"-({D12})"], [f"-({D12})", f"-({D22})"]]
    finding = one(entries, "mass_matrix")["x"]
    assert finding.entries[0].verdict == "proved"
    assert "wrong" not in [e.verdict for e in finding.entries[:3]]


def test_parameters_of_different_units_are_not_equated() -> None:
    finding = one("m2*L1*Lc2*cos(q2) + Lc2", "mass_matrix[1, 2] - m2*Lc2**2 + Lc2 - I2 + m2 - m2")[
        "x"
    ]
    assert finding.verdict == "proved"
    wrong = one("m2*L1**2", "m2*L1*Lc2")["x"].entries[0]
    assert wrong.holds_if == ("L1 = Lc2",)
    assert one("L1", "m2")["x"].entries[0].holds_if == ()


def test_symbols_are_put_in_after_the_derivation() -> None:
    report = one("m*c**2 + I_2", "mass_matrix[2, 2]", symbols={"m2": "m", "Lc2": "c", "I2": "I_2"})
    assert report.ok
    renamed = one(
        ["-m2*L1*Lc2*sin(b)*(2*da*db + db**2)", "m2*L1*Lc2*sin(b)*da**2"], "bias",
        symbols={"q1": "a", "q2": "b"},
    )  # fmt: skip
    assert renamed.ok
    other = one("m2*L1*Lc2*sin(b)*(2*da*db - db**2)", "-bias[1]", symbols={"q2": "-b", "q1": "a"})
    assert other.ok


@pytest.mark.parametrize(
    ("rotation", "verdicts"),
    [
        ("[cos(q), -sin(q), 0; sin(q), cos(q), 0; 0, 0, 1]", ("proved", "proved", "proved")),
        ("[cos(q), sin(q), 0; -sin(q), cos(q), 0; 0, 0, 1]", ("proved", "proved", "wrong")),
        ("[cos(q), sin(q), 0; sin(q), cos(q), 0; 0, 0, 1]", ("wrong", "wrong", "wrong")),
        ("[cos(q), sin(q), 0; sin(q), -cos(q), 0; 0, 0, 1]", ("proved", "wrong", "wrong")),
    ],
)  # fmt: skip
def test_transforms_are_rotations_about_their_axis(
    rotation: str, verdicts: tuple[str, ...]
) -> None:
    report = audit([claim("A", "", rotation, axis="[0, 0, 1]")], seed=1)
    assert tuple(e.verdict for e in report["A"].entries) == verdicts


def test_identities_need_no_robot() -> None:
    identities = [
        "cross(w, cross(r, s)) + cross(r, cross(s, w)) = -cross(s, cross(w, r))",
        "skew(w)*r = cross(w, r) = -skew(r)*w",
        "dot(w, J*w) = w'*J*w",
        "cross(A*w, A*r) = A*cross(w, r)",
        "cross(w, r) = cross(r, w)",
    ]
    general = {
        "vectors": {"w": 3, "r": 3, "s": 3},
        "matrices": {"J": "symmetric 3", "A": "rotation"},
    }
    claims = [claim(e, "", e, **general) for e in identities]  # type: ignore[arg-type]
    report = audit(claims, seed=1)
    assert [f.verdict for f in report.findings] == ["proved"] * 4 + ["wrong"]


def test_the_cause_of_a_wrong_entry_is_named() -> None:
    claims: list[Claim] = [
        claim("v", "eq. 1", ["-L1*sin(q1)*dq1 - Lc2*sin(q1 + q2)*(dq1 + dq2)",
                             "L1*cos(q1)*dq1 + Lc2*cos(q1 + q2)*(dq1 - dq2)", 0],
              "linear_velocity(fore, at=com)", name="v2"),
        claim("T", "eq. 2", None, "body_kinetic_energy(fore)",
              made_from="m2*v2'*v2/2 + I2*(dq1 + dq2)**2/2"),
    ]  # fmt: skip
    report = audit(claims, "rr_arm", seed=1)
    assert report["v"].entries[1].verdict == "wrong"
    assert report["T"].entries[0].causes == ("v2, entry 2 (eq. 1)",)


def test_the_report_says_it_all(tmp_path: Path) -> None:
    report = one([[D11, D12], [D12, "m2*Lc2**2 + I1"]], "mass_matrix", note="as printed")
    text = str(report)
    for part in (
        "WRONG",
        "entry 2,2",
        "I1 - I2",
        "suggestion: I2 for I1",
        "holds if I1 = I2",
        "as printed",
    ):
        assert part in text
    report.save(tmp_path / "audit.json")
    data = json.loads((tmp_path / "audit.json").read_text(encoding="utf-8"))
    assert data == json.loads(report.to_json())
    assert {v: n for v, n in data["counts"].items() if n} == {"wrong": 1}
    with pytest.raises(UnknownNameError, match="'y'"):
        report["y"]


def test_the_robot_may_be_given_as_equations_over_what_the_file_says() -> None:
    text = 'robot = "rp_arm"\nknown = ["I2", "Lc2"]\n[[claims]]\nid = "a"\nplace = "b"\n'
    text += 'printed = "m2*Lc2**2 + I2"\n'
    claims = parse_claims(text + 'quantity = "mass_matrix[2, 2]"\n')
    assert audit(claims, derive(load("rr_arm"))).ok
    assert audit(claims, "rr_arm").ok
    assert not audit(claims).ok
    with pytest.raises(FileFormatError, match="rr_arm: cannot be read"):
        audit("rr_arm")
    with pytest.raises(ModelError, match="claims must be the path of a claims file"):
        audit(load("rr_arm"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("printed", "quantity", "options", "message"),
    [
        ("1 = 1", None, {"colour": "red"}, r"Unknown convention 'colour' in claim 'x'"),
        ([["a", "b"], ["c"]], "mass_matrix", {}, "rows must have the same number of entries, got 2, 1"),
        ("1", "mass_matrix", {"by": "newton"}, "Unknown formulation 'newton'"),
        ("1", "mass_matrix", {"entries": [1]}, "expected 2 indices, found 1"),
        (["q1", "[1, 2]"], "gravity", {}, "an entry must be a scalar, got a vector of 2"),
        ("[1, 2]", None, {"made_from": "[1, 2, 3]"}, "must have the shape .*, 2 entries, got 3"),
        ("dt(w) = w", None, {"vectors": {"w": 3}, "rates": {"w": formula("1")}},
         "the rate of w must be a vector of 3, got a scalar"),
        ("A = A", None, {"matrices": {"A": "skew 2"}}, "A skew matrix must be 3×3, got size 2"),
        ("a = a", None, {"matrices": {"a": [1, 2]}, "vectors": {"a_1": 2}}, "must be new symbols, but"),
        ("@mass = 1", None, {}, "mass takes 1 argument before its named ones, got 0"),
        ("@mas(upper) = 1", None, {}, "unknown quantity 'mas'. Did you mean 'mass'"),
        ("@mass(1 + 2) = 1", None, {}, "expected a name, in quotes if necessary"),
        ("@angular_momentum(upper, about=tip) = 1", None, {}, "unknown point 'tip'.*com, origin"),

        ("@force_energy(tau1) = 1", None, {}, "the force element 'tau1' has no energy"),
        ("1", None, {"axis": "[0, 0, 1]"}, "A rotation must be a matrix, got a scalar"),
        ("rot_z(q1)*rot_z(q2)", None, {"axis": "[0, 0, 1]"}, "set `coordinate` to one of: q1, q2"),
    ],
)  # fmt: skip
def test_claims_that_cannot_be_compared(
    printed: Any, quantity: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(EquamoError, match=message):
        audit([claim("x", "eq. 1", printed, quantity, **options)], "rr_arm", seed=1)


def test_claims_that_need_a_robot_or_another_one() -> None:
    with pytest.raises(FileFormatError, match="a quantity needs a robot; set `robot`"):
        audit([claim("x", "eq. 1", "1", "mass_matrix")])
    with pytest.raises(FileFormatError, match="'mass_matrix' needs a robot; set `robot`"):
        audit([claim("x", "eq. 1", "@mass_matrix = 1")])
    wheeled = claim("x", "eq. 1", "@christoffel(1, 1, 1) = 0")
    with pytest.raises(FileFormatError, match="christoffel needs a robot with q̇ = v"):
        audit([wheeled], "wheeled_inverted_pendulum")
    with pytest.raises(FileFormatError, match="unknown constraint 'slip'"):
        audit([claim("x", "eq. 1", "@constraint_force(slip) = 1")], "wheeled_inverted_pendulum")


def test_named_claims_in_a_circle() -> None:
    a = claim("a", "eq. 1", "B + 1", "gravity[1]", name="A")
    b = claim("b", "eq. 2", "2*A", "gravity[2]", name="B")
    with pytest.raises(
        FileFormatError, match=r"must not depend on themselves, got (B → A → B|A → B → A)"
    ):
        audit([a, b], "rr_arm")


def test_the_old_order_still_works(tmp_path: Path) -> None:
    text = 'robot = "rp_arm"\nknown = ["I2", "Lc2"]\n[[claims]]\nid = "a"\nplace = "b"\n'
    text += 'printed = "m2*Lc2**2 + I2"\n'
    text += 'quantity = "mass_matrix[2, 2]"\n'
    file = tmp_path / "paper.toml"
    file.write_text(text)
    claims = parse_claims(text)
    old: Any = audit
    arm = load("rr_arm")
    for first, second in (
        (arm, claims),
        (derive(arm), file),
        ("rr_arm", str(file)),
        ("rr_arm", [claim("a", "b", D22, "mass_matrix[2, 2]")]),
    ):
        with pytest.warns(DeprecationWarning, match=r"is now 'audit\(claims, robot\)'"):
            assert old(first, second).ok
    with pytest.warns(DeprecationWarning, match="audit"):
        assert not old(None, claims).ok


def test_expectations_are_compared() -> None:
    wrong = [[D11, D12], [D12, "m2*Lc2**2 + I1"]]
    assert not one(wrong, "mass_matrix").as_expected
    assert one(wrong, "mass_matrix", expect="wrong").as_expected
    assert one(wrong, "mass_matrix", expect={"2,2": "wrong"}).as_expected
    assert one(wrong, "mass_matrix", expect={"row 2": "wrong"}).as_expected
    assert not one(wrong, "mass_matrix", expect={"row 1": "wrong"}).as_expected
    assert not one(wrong, "mass_matrix", expect={"3,3": "wrong"}).as_expected


def test_square_roots_and_unknown_functions_do_not_stop_it() -> None:
    assert one("sqrt(L1 + m1) + tanh(q1) = sqrt(m1 + L1) - tanh(-q1)").ok
    assert not one("sqrt(L1 + m1) = sqrt(m1 - L1)").ok


def test_counterexamples_respect_declared_signs() -> None:
    for k in range(12):
        claims = [
            claim(
                "x", "eq. 1", "L1*m2*a - q1", "L1*m2*mass(fore) - q1", known=("a",), positive=("a",)
            )
        ]
        (entry,) = audit(claims, "rr_arm", seed=k)["x"].entries
        assert entry.proof is not None
        state = entry.proof.counterexample or {}
        assert {"L1", "a", "m2"} <= set(state)
        assert all(state[n] >= 0 for n in ("L1", "a", "m2"))
    assert one("sqrt(L1**2) = L1")["x"].verdict != "wrong"
    assert one("sqrt(q1**2) = q1")["x"].verdict == "wrong"

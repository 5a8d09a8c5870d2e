"""The audits of documents 000 to 004: complete, as expected, and checked a second way.

`claim_numbers` reads the same files with a reader of its own and evaluates both sides at random states,
with mechanics by differences and another formulation: no false alarm, no miss.
"""

from __future__ import annotations

import importlib.util
import random
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from claim_numbers import Document, unrolled
from conftest import WHOLE_SWEEPS
from equamo.algebra.identity import prove_equal
from equamo.review.claims import Audit, audit, read_claims

FOLDER = Path(__file__).parents[3] / "examples" / "audits"
PAGE = Path(__file__).parents[3] / "docs" / "project" / "audits.md"
SCRIPT = Path(__file__).parents[3] / "scripts" / "audits_page.py"

# The numbered equations of each document, from the documents.
NUMBERED = {
    "000": [str(n) for n in range(1, 24)],
    "001": [str(n) for n in range(1, 20)],
    "002": [*(f"1.{n}" for n in range(1, 27)), "2.1", "2.2"],
    "003": [str(n) for n in range(1, 39)],
    "004": [],  # slides: no numbers
}
# Matrices, transforms, formulas and lines of listings that have no number: words of their places.
TRANSFORMS = [
    f"transform {t}"
    for t in ["0T1", "1T2", "2T3", "3T4l", "3T4r", "4T5", "5T6", "6T7", "7T8", "8T9", "9T10"]
]
AXES = [f"axis {j}e{j}" for j in range(1, 11)]
UNNUMBERED = {
    "000": [
        *TRANSFORMS, *AXES, "jAi", "jPi", "section 4, MS", "section 4, J_k", "tau_imu = -tau_R - tau_L",
        "below eq. (18)", "definitions of J and f", "section 6.1, param", "eq. (15), all lines",
        "eq. (17), last line", "eq. (18), first four lines", "eq. (18), fifth line",
        *(f"eq. (22), {n} line" for n in ("third", "fourth", "sixth", "seventh", "last")),
        "eq. (23), all lines",
        *(f"listing 7.{n}" for n in (*range(1, 14), 18)), "listings 7.14 to 7.17",
        *(f"listing 7.2, frame {j}" for j in ("1", "2", "3", "4l", "10l", "4r", "10r")),
        "KHist", "listing 7.3, K", "mg, Q", "7.4, A", "7.4, C", "aa", "b1 + b2", "b3 + b4", "c, frame",
    ],
    "001": [
        *TRANSFORMS, *AXES, "L = E - U", "C q below eq. (3)", "A_ij from the kinetic energy",
        "jAi", "jPi",
        "V_G", "J_j = I_G - M S S", "Gamma = J' f", "J_n", "J_10l", "J_10r", "friction torque",
        "J_j = I_G - M S S^T", "appendix A, E_j", "the last term", "what is left", "the last line",
    ],
    "002": [
        "eulerToRotMat_A_IB(0,0,phi)", "eulerToRotMat_A_IB(alpha,beta,gamma)", "I_Omega", "J_P", "J_R",
        "J and Jr", *(f"section 3.{s}, body {i}" for s in "12" for i in "123"), "force elements",
        "I_a_grav",
        *(f"section 3.3, body {leg}_{x}" for leg in ("LF", "RF", "LH", "RH")
          for x in ("HAA", "HFE", "KFE", "Foot")),
        "section 3.3, body base", "section 2.3, I_dr_O", "section 2.3, A_IB", "section 2.3, fpNE",
        "torques of leg", "Js", "lines 93 to 154", "S^T in R", "section 3.4",
    ],
    "003": [
        *(f"section {n}, order of the speeds" for n in ("4", "5.2", "5.2.4")),
        *(f"section 1, {x}" for x in ("I_w", "MS_B", "I_B")), "section 3, v_L, third line",
        "section 3, v_R", "eq. (5) integrated", "i_0 in xL yL zL", "k_0 in xR yR zR", "j_0 in x1 y1 z1",
        "I_w below eq. (17)",
        *(f"eq. (27), M_{n}" for n in range(1, 9)), "eq. (27), A", "eq. (27), C",
        *(f"section 5.2.5, F_{n}" for n in "123"), "eq. (28), A", "eq. (28), C", "R above eq. (32)",
        "eq. (33), A", "eq. (33), C", "[C q]_2 of [1]", "[C q]_2 of the document", "dv/dt, corrected",
        "alpha_S, corrected", "F_g = [0 0 -g]", "r_G/O", "eq1", "eq2", "eq3", "I_w3 = m_C R^2/2",
        *(f"listing A.1, {x}" for x in (
            "thetal", "Iw", "wL", "vGL", "aGL", "HGL", "p, dHGL", "thetaR", "wR", "vGR", "aGR",
            "HGR", "dHGR", "IB", "wB", "alphaB", "r0B", "vGB", "aGB", "HGB", "dHGB", "KL, KR, KB",
            "gVec", "V", "dW", "AA", "CC", "QQ", "Gamma", "K = K - Gamma + QQ", "Acheck", "Ccheck")),
        *(f"listing A.{n}, {x}" for n in "23" for x in (
            "w_S", "w_C1", "w_C2", "v_S", "v_C1", "v_C2", "alpha_S", "alpha_C1", "alpha_C2", "a_S",
            "a_C1", "a_C2", "T_S", "F_1", "F_2", "F_3")),
        *(f"listing A.4, {x}" for x in (
            "Fg", "v0", "i1, j1, k1", "rOG", "vB", "wR", "wL", "a(1)", "a(2)", "a(3)")),
    ],
    "004": [
        "L = T - U", "v^2", "T_i,trans", "T_i,rot", "U_i", "tau_i",
        *(f"RP robot, {x}" for x in (
            "P_cm1", "v_cm1", "T_1,trans", "omega_1", "T_1,rot", "T_1", "U_1", "P_cm2", "v_cm2",
            "T_2,trans", "omega_2", "0R1", "T_2,rot", "T_2", "U_2", "L", "joint 1, L",
            "joint 1, dL/d(dq1)", "joint 1, d/dt", "joint 1, dL/dq1", "joint 2, L", "joint 2, dL/d(dq2)",
            "joint 2, d/dt", "joint 2, dL/dq", "tau_1", "tau_2", "matrix form, D", "matrix form, G")),
        "inertia in the global frame", "omega_2 with a dot", "kinetic energy of a single link",
        "the 6xn Jacobian", "J_v2 as a vector product", "J_v2 = z_1 x",
        "general form", "v_i = J_v q", "omega_i = J_w q", "D(q)", "c_ijk", "phi_k",
        *(f"RR robot, {x}" for x in (
            "J_omega1", "J_v1", "J_omega2", "J_v2", "J_v2' J_v2, result", "D in matrices", "d_11",
            "d_12", "d_22", "C_ijk", "C_111", "C_221", "C_112", "C_122", "C_222", "P_1", "P_2", "P",
            "phi_1", "phi_2", "tau_1", "tau_2")),
    ],
}  # fmt: skip


@cache
def document(name: str) -> Document:
    return Document(FOLDER / f"document_{name}.toml")


@cache
def chosen(name: str) -> frozenset[str]:
    """Ids of all claims in a whole sweep; else one of those that are made by one `for`."""
    draw, found = random.Random(name), set[str]()
    for table in document(name).data["claims"]:
        ids = [c["id"] for c in unrolled([table])]
        found |= set(ids) if WHOLE_SWEEPS else {draw.choice(ids)}
    return frozenset(found)


@cache
def report(name: str) -> Audit:
    claims = read_claims(FOLDER / f"document_{name}.toml")
    picked = tuple(c for c in claims.claims if c.id in chosen(name))
    return audit(replace(claims, claims=picked), seed=1)


def places(name: str) -> list[str]:
    found: list[str] = []
    for entry in (*document(name).claims, *document(name).data.get("not_claims", [])):
        place = entry["place"]
        found += [place] if isinstance(place, str) else place
    return found


# -- complete --------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NUMBERED)
def test_every_numbered_equation_is_there(name: str) -> None:
    here = places(name)
    missing = [n for n in NUMBERED[name] if not any(f"eq. ({n})" in x for x in here)]
    assert not missing
    known = {f"({n})" for n in NUMBERED[name]}
    named = {m for x in here for m in re.findall(r"\beq\. (\([\d.]+\))", x)}
    assert named <= known  # and no other number


@pytest.mark.parametrize("name", UNNUMBERED)
def test_everything_else_that_is_printed_is_there(name: str) -> None:
    here = places(name)
    patterns = {x: re.compile(re.escape(x) + r"(?!\d)") for x in UNNUMBERED[name]}
    assert not [x for x, p in patterns.items() if not any(map(p.search, here))]


@pytest.mark.parametrize("name", NUMBERED)
def test_the_file_is_read_as_it_stands(name: str) -> None:
    """Both readers see the same claims; every claim has a place, and everything else a reason."""
    claims = read_claims(FOLDER / f"document_{name}.toml")
    assert [c.id for c in claims.claims] == [c["id"] for c in document(name).claims]
    assert len({c.id for c in claims.claims}) == len(claims.claims)
    assert all(c.place for c in claims.claims)
    assert all(n.reason for n in claims.not_claims)


# -- verdicts --------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NUMBERED)
def test_verdicts_are_as_expected(name: str) -> None:
    surprises = {f.id: f.surprises for f in report(name).findings if f.surprises}
    assert not surprises
    assert not any(f.verdict == "undecided" for f in report(name).findings)


@pytest.mark.ci
@pytest.mark.parametrize("name", NUMBERED)
def test_verdicts_a_second_way(name: str) -> None:
    """An entry is proved if and only if its numbers agree at random states."""
    claims = {c["id"]: c for c in document(name).claims}
    wrong: dict[str, object] = {}
    for finding in report(name).findings:
        numbers = document(name).holds(claims[finding.id], states=2 if WHOLE_SWEEPS else 1)
        for label, holds in numbers.items():
            mine = [
                e for e in finding.entries if e.label == label or e.label.startswith(f"{label}, ")
            ]
            good = ("proved", "says nothing")
            if not mine or holds != all(e.verdict in good for e in mine):
                wrong[f"{finding.id} {label}"] = (holds, [(e.label, e.verdict) for e in mine])
        seen = {e.label for e in finding.entries}
        unseen = {x for x in seen if x not in numbers and x.split(", ")[0] not in numbers}
        if unseen:
            wrong[finding.id] = unseen
    assert not wrong


# -- what document 003 finds in Kim, Kim and Kwak 2005 ---------------------------------------------
def entry(id: str, label: str):
    return next(e for e in report("003")[id].entries if e.label == label)


def test_second_equation_of_the_paper() -> None:
    """Two errors: their residual is the difference of the two terms that the document names."""
    terms = "m_S*d**2*sin(phi)*cos(phi)*dphi*dpsi - m_S*d*sin(phi)*dx*dpsi"
    for id in ("s525-F2-last", "s525-Cq2-paper", "A2-F_2"):
        residual = entry(id, "2").residual
        assert residual is not None
        assert prove_equal(residual, terms) or prove_equal(residual, f"-({terms})")


def test_last_equation_of_the_paper() -> None:
    e = entry("s525-F3-typo", "3")
    assert e.suggestion is not None
    assert e.suggestion.text == "dpsi for dphi"
    assert prove_equal(e.residual, "m_S*d**2*sin(phi)*cos(phi)*(dphi**2 - dpsi**2)")


def test_the_acceleration_of_the_body_is_the_cause() -> None:
    """Of the wrong alpha_S, a_S, a_C1, a_C2 in listing A.2, only a_S reaches an equation."""
    assert [x.split(" (")[0] for x in entry("A2-F_2", "2").causes] == ["a_S, entry 3"]
    wrong = {
        f.id for f in report("003").findings if f.id.startswith("A2-") and f.verdict == "wrong"
    }
    assert wrong == {"A2-alpha_S", "A2-a_S", "A2-a_C1", "A2-a_C2", "A2-F_2"}
    wrong = {
        f.id for f in report("003").findings if f.id.startswith("A3-") and f.verdict == "wrong"
    }
    assert wrong == {"A3-alpha_S", "A3-a_C1", "A3-a_C2"}


def test_inertia_constant_in_the_body() -> None:
    e = entry("28-A-in-the-body", "2,2")
    assert prove_equal(e.residual, "(I_1 - I_2)*sin(phi)**2")
    assert "I_1 = I_2" in e.holds_if
    for label in ("2", "3"):
        assert "I_1 = I_2" in entry("33-Cq-in-the-body", label).holds_if


# -- the page --------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NUMBERED)
def test_page_counts_the_claims(name: str) -> None:
    row = re.search(rf"(?m)^\| {name} \|.*$", PAGE.read_text(encoding="utf-8"))
    assert row is not None
    cells = [x.strip() for x in row[0].strip("|").split("|")]
    blocks = document(name).data["claims"]
    own = [b for b in blocks if "quoted_from" not in b and b.get("expect") != "says nothing"]
    assert cells[2] == str(len(own))
    assert cells[3] == str(len(list(unrolled(own))))
    assert cells[-2] == str(sum("quoted_from" in b for b in blocks))
    assert cells[-1] == str(len(document(name).data["not_claims"]))


@pytest.mark.parametrize("name", NUMBERED)
def test_page_tells_what_the_audit_finds(name: str) -> None:
    """Every finding that is not proved is on the page, as the script writes it."""
    spec = importlib.util.spec_from_file_location("audits_page", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = PAGE.read_text(encoding="utf-8")
    others = [f for f in report(name).findings if f.verdict not in ("proved", "says nothing")]
    assert others
    missing = {x for f in others for x in script.described(f) if x not in text}
    assert not {
        x for x in missing if "other claims hold" not in x
    }  # how many depends on the sample

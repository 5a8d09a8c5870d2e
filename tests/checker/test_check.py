"""The stand-alone checker: it accepts proofs, and rejects files that were tampered with."""

from __future__ import annotations

import ast
import json
import math
import subprocess
import sys
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import WHOLE_SWEEPS
from equamo.robot.catalog import robots
from peer_urdf import file
from proof_files import (
    CHECKER,
    CLAIMS,
    PATH,
    TAMPERINGS,
    accepts,
    exported,
    inputs,
    is_false,
    proof,
    tampered,
)

pytestmark = pytest.mark.needs("pinocchio")

SMALL = ("rr_arm", "rp_arm", "rolling_disc", "wheeled_inverted_pendulum", "forces", "ball")
FILES = ("panda_description/urdf/panda.urdf", "g1_description/urdf/g1_29dof_rev_1_0.urdf")
ACCEPTED = (*SMALL, "krang")
if WHOLE_SWEEPS:
    ACCEPTED = (*SMALL[-2:], *(r.name for r in robots()), *(str(file(name)) for name in FILES))


# -- the file itself ---------------------------------------------------------------------------------
def test_it_fits_on_five_pages() -> None:
    assert len(PATH.read_text("utf-8").splitlines()) <= 250


def test_it_needs_the_standard_library_alone_and_runs_no_text() -> None:
    tree = ast.parse(PATH.read_text("utf-8"))
    imported = [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    imported += [n.module or "." for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    assert imported
    assert all(name.split(".")[0] in sys.stdlib_module_names for name in imported)
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    assert not names & {"eval", "exec", "compile", "__import__", "getattr", "globals"}


def command(path: Path) -> subprocess.CompletedProcess[str]:
    """Isolated: neither equamo nor anything else that is installed can be imported."""
    return subprocess.run(
        [sys.executable, "-I", "-S", PATH, path], capture_output=True, text=True, encoding="utf-8"
    )


def test_as_a_command(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(exported("rr_arm")), "utf-8")
    done = command(path)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert sum(line.startswith("accepted ") for line in lines) == len(
        exported("rr_arm")["identities"]
    )
    assert lines[-1].startswith("ACCEPTED, error <= 2^-10")
    assert any(line.startswith("not checked here: M positive definite") for line in lines)
    wrong = tampered(exported("rr_arm"), "degree", Random(1))
    path.write_text(json.dumps(wrong), "utf-8")
    done = command(path)
    assert done.returncode == 1
    assert "REJECTED" in done.stdout.splitlines()[-1]
    assert command(tmp_path / "none.json").returncode == 1


# -- what is accepted --------------------------------------------------------------------------------
@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ACCEPTED)
def test_exported_proofs_are_accepted(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    data = exported(name)
    assert accepts(data), capsys.readouterr().out
    left_out = [x for x in data["not_checked"] if "not written" in x or "left out" in x]
    assert not left_out
    assert data["bound"] >= 100


def test_degrees_are_those_that_the_prover_counts() -> None:
    """Two programs with little in common: `algebra/identity/degree.py`, and the checker."""
    for name in ("rr_arm", "wheeled_inverted_pendulum", "ball"):
        data = exported(name)
        read = CHECKER.read(data)
        pairs = [p for *_, entries in read.identities.values() for p in entries]
        d, _ = CHECKER.sizes(read, read.program + [("-", *p) for p in pairs])
        own = iter(d[read.size :])
        for identity in data["identities"]:
            pairs = zip(identity["left"], identity["right"], strict=True)
            degrees = [x for (a, b), x in zip(pairs, own, strict=False) if a != b]
            assert max(degrees, default=0) == int(identity["degree"]), identity["name"]


# -- what is rejected --------------------------------------------------------------------------------
def cases() -> list[tuple[str, str, int]]:
    names = ("rr_arm", "rp_arm", "ball", "forces")
    return [(names[k % 4], kind, k) for k in range(17) for kind in TAMPERINGS]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("kind", TAMPERINGS)
def test_two_hundred_tampered_proofs_are_rejected(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(cases()) >= 200
    for name, _, seed in (case for case in cases() if case[1] == kind):
        generator = Random(f"{name} {kind} {seed}")
        for _ in range(100):
            wrong = tampered(exported(name), kind, generator)
            if kind in CLAIMS or is_false(wrong):  # else it is another true identity
                break
        else:
            pytest.fail(f"no tampering of the {kind} of {name} makes an identity false")
        assert not accepts(wrong), (name, kind, seed, capsys.readouterr().out)


def test_nothing_but_claims_is_rejected_if_it_is_true() -> None:
    """Instructions in another order of operands, and symbols of other names, are still proofs."""
    data = deepcopy(exported("rr_arm"))
    turned = [line.split() for line in data["program"]]
    data["program"] = [f"{b} {op} {a}" if op in "+*" else f"{a} {op} {b}" for a, op, b in turned]
    data["symbols"] = [f"x{k}" for k, _ in enumerate(data["symbols"])]
    assert not is_false(data)
    assert accepts(data)


@pytest.mark.parametrize("primes", [[2**61 - 1], [2**89 - 1, 2**107 - 1, 2**61 - 1]])
def test_what_is_zero_modulo_a_fixed_prime_is_rejected(primes: list[int]) -> None:
    """The primes are drawn by the checker, not by whoever wrote the file."""
    number = str(math.prod(primes))
    wrong = proof(3, 0, ["1 * 2"], numbers=["0", number], symbols=["x"], prime_bits=61)
    assert is_false(wrong)
    assert not accepts(wrong)
    assert accepts(proof(3, 3, ["1 * 2"], numbers=["0", number], symbols=["x"], prime_bits=61))


def test_what_is_zero_for_every_small_prime_needs_a_longer_one() -> None:
    """A height of 2**n bits leaves few primes: then so few bits of the bound follow."""
    squares = [f"{k} * {k}" for k in range(1, 60)]  # 3**(2**59)
    data = proof(60, 0, squares, numbers=["0", "3"], prime_bits=61)
    read = CHECKER.read(data)
    _, h = CHECKER.sizes(read, read.program)
    assert h[-1] >= 2**59
    assert not accepts(data)
    assert not accepts(data | {"prime_bits": 64} | {"bound": 5})


# -- roots -------------------------------------------------------------------------------------------
def root_proof(left: int, right: int, program: list[str]) -> dict[str, Any]:
    return proof(left, right, program, numbers=["0", "1", "2", "3"], symbols=["x"])


@pytest.mark.parametrize(
    ("left", "right", "program", "expected"),
    [
        (6, 2, ["root 2", "5 * 5"], True),  # √2² = 2
        (8, 9, ["root 2", "1 + 5", "5 - 1", "1 / 6", "7 + 0"], True),  # 1/(1 + √2) = √2 − 1
        (8, 6, ["root 2", "1 + 5", "root 6", "7 * 7"], True),  # √(1 + √2)² = 1 + √2
        (9, 1, ["root 2", "1 + 5", "root 6", "1 / 7", "7 * 8"], True),  # nested, with an inverse
        (9, 6, ["root 4", "4 + 5", "5 + 4", "6 - 7", "6 + 8"], True),  # √x + x
        (6, 4, ["4 * 4", "root 5"], False),  # √x² = x for one sign only
        (8, 7, ["root 2", "root 3", "5 * 6", "7 + 5"], False),
        (7, 6, ["root 2", "root 2", "5 + 0"], False),  # two roots may have two signs
    ],
)
def test_roots(left: int, right: int, program: list[str], expected: bool) -> None:
    assert accepts(root_proof(left, right, program)) is expected


def test_a_divisor_that_is_zero_everywhere_is_rejected() -> None:
    assert not accepts(root_proof(6, 6, ["1 - 1", "1 / 5"]))
    assert not accepts(root_proof(8, 8, ["4 * 4", "root 5", "6 - 6", "1 / 7"]))


# -- degree and height -------------------------------------------------------------------------------
def test_degree_and_height_are_bounds() -> None:
    """Of random polynomials with rational coefficients, multiplied out."""
    generator = Random(1)
    numbers = ["1/2", "-3", "5/7", "4"]
    for _ in range(40):
        program = [
            f"{generator.randrange(6 + k)} {generator.choice('+-*')} {generator.randrange(6 + k)}"
            for k in range(8)
        ]
        read = CHECKER.read(proof(0, 1, program, numbers=numbers, symbols=["x", "y"]))
        d, h = CHECKER.sizes(read, read.program)
        for polynomial, degree, height in zip(expanded(program, numbers), d, h, strict=True):
            assert max((i + j for i, j in polynomial), default=0) <= degree
            over = math.lcm(*(c.denominator for c in polynomial.values()))
            assert over * sum(map(abs, polynomial.values())) <= 2**height


def expanded(program: list[str], numbers: list[str]) -> list[dict[tuple[int, int], Fraction]]:
    """Every register as {exponents of x and y: coefficient}."""
    found = [{(0, 0): Fraction(x)} for x in numbers] + [
        {(1, 0): Fraction(1)},
        {(0, 1): Fraction(1)},
    ]
    for a, op, b in (line.split() for line in program):
        x, y, new = found[int(a)], found[int(b)], dict[tuple[int, int], Fraction]()
        terms = [*x.items(), *((m, -c if op == "-" else c) for m, c in y.items())]
        if op == "*":
            terms = [((i + k, j + l), c * e) for (i, j), c in x.items() for (k, l), e in y.items()]
        for m, c in terms:
            new[m] = new.get(m, Fraction(0)) + c
        found.append({m: c for m, c in new.items() if c})
    return found


def test_common_denominators_cancel() -> None:
    """A sum of n quotients by one divisor has its degree once, not n times."""
    program = ["0 / 1", *(f"{2 + k} + 2" for k in range(50))]
    read = CHECKER.read(proof(0, 1, program, symbols=["x", "y"]))
    d, _ = CHECKER.sizes(read, read.program)
    assert d[-1] == 1


def test_random_primes() -> None:
    for bits in (32, 61, 100):
        found = {CHECKER.random_prime(bits) for _ in range(20)}
        assert len(found) == 20
        assert {p.bit_length() for p in found} == {bits}
        assert all(pow(a, p - 1, p) == 1 for p in found for a in (2, 3, 5, 7, 11))


# -- malformed files ---------------------------------------------------------------------------------
def main(path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """What the command ends with, in this process."""
    import runpy

    monkeypatch.setattr(sys, "argv", ["check.py", str(path)])
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(reconfigure=lambda **_: None, write=len))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(PATH), run_name="__main__")
    return ended.value.code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        "{",
        '{"kind": "equamo proof"}',
        "[" * 100_000,
        '"equamo proof"',
        "\x00",
        "1e999",
    ],
)
def test_what_is_no_proof_is_rejected_in_a_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "proof.json"
    path.write_text(text, "utf-8")
    code = main(path, monkeypatch)
    assert isinstance(code, str)
    assert code.startswith("REJECTED: ")
    assert "\n" not in code


BROKEN = [
    None,
    True,
    -1,
    1.5,
    "",
    "x",
    "\n",
    [],
    {},
    [[]],
    [None],
    "1e99999999",
    10**30,
    ["0 ^ 1"],
    ["0 0 + 0"],
]
UNCHECKED = ("not_checked", "robot", "robot_sha256", "equations_sha256")


@pytest.mark.ci
def test_a_part_that_is_something_else_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never a traceback, and never accepted."""
    data = exported("rp_arm")
    generator = Random(1)
    path = tmp_path / "proof.json"
    for key in data:
        for value in [*generator.sample(BROKEN, 4), "missing"]:
            broken = {k: v for k, v in data.items() if k != key} | (
                {} if value == "missing" else {key: value}
            )
            if key == "equamo" or (key in UNCHECKED and accepts(broken)):
                continue  # words of whoever wrote the file
            path.write_text(json.dumps(broken), "utf-8")
            assert main(path, monkeypatch) != 0, (key, value)
    for key in data["identities"][0]:
        for value in BROKEN:
            broken = deepcopy(data)
            broken["identities"][0][key] = value
            path.write_text(json.dumps(broken), "utf-8")
            if key == "name" and isinstance(value, str) and value.strip():
                continue  # another name is a name
            assert main(path, monkeypatch) != 0, (key, value)


def test_names_are_given_once() -> None:
    data = exported("rr_arm")
    assert not accepts(data | {"symbols": [data["symbols"][1], *data["symbols"][1:]]})
    assert not accepts(data | {"identities": [*data["identities"], data["identities"][0]]})
    assert not accepts(data | {"circles": [["cos(q1)", "cos(q1)"], *data["circles"][1:]]})


def test_a_register_is_used_after_it_is_written() -> None:
    data = exported("rr_arm")
    for k in (0, 100):
        program = list(data["program"])
        program[k] = f"0 + {inputs(data) + k}"
        assert not accepts(data | {"program": program})

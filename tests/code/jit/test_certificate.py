"""The certificate of compiled functions: complete, saved, proved again; errors are refuted."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
import equamo.code.ir.functions
from equamo.algebra.expr import ONE
from equamo.algebra.expr.vector import Vector
from equamo.code.ir.rounding import nearest
from equamo.code.jit.compiled import Compiled
from equamo.code.jit.llvm import Types
from equamo.errors import EquamoError, FileFormatError
from equamo.mechanics.certificate import Certificate, check_file
from equamo.robot.formats.json_file import digest

Q = np.array([0.3, 0.5])
EQUATIONS, ROUNDED, IR = "program = equations", "constants rounded once", "LLVM IR = program"


def arm(**options: Any) -> Compiled:
    return eq.compile(eq.derive(eq.load("rr_arm")), **options)


def test_there_is_a_line_for_each_function_and_module() -> None:
    fast = arm(lanes=4)
    fast.inverse_dynamics(Q, Q, Q)
    fast.gravity(Q.astype(np.float32))
    fast.gravity(np.tile(Q, (9, 1)))
    fast.pose("fore", Q)
    fast.forward_dynamics(Q, Q, inputs=Q)  # of the actuators: a function of its own
    certificate = fast.certificate()
    assert certificate.ok, str(certificate)
    assert [line.name for line in certificate.lines] == [
        *(f"{name}: {EQUATIONS}" for name in
          ("inverse_dynamics", "gravity", "pose_fore", "forward_dynamics", "forward_dynamics_inputs")),
        *(f"{name}: {statement}" for name in (
            "inverse_dynamics, float64", "gravity, float64", "gravity, float32",
            "gravity, float64, 4 lanes", "pose_fore, float64", "forward_dynamics, float64",
            "forward_dynamics_inputs, float64") for statement in (ROUNDED, IR)),
    ]  # fmt: skip
    assert certificate.bound_bits <= -100
    assert "Certificate of the compiled functions of rr_arm" in str(certificate)
    assert "Trusted: " in str(certificate)


def test_without_a_compiled_function_there_is_nothing_to_certify() -> None:
    with pytest.raises(EquamoError, match="at least one function must be compiled first; call one"):
        arm().certificate()


def test_code_from_the_cache_is_proved_too() -> None:
    arm().bias(Q, Q)
    again = arm()
    again.bias(Q, Q)
    assert again.certificate().ok


@pytest.mark.parametrize("name", ["wheeled_inverted_pendulum", "one_of_each"])
def test_folded_parameters_are_exact_and_rounded_once(name: str) -> None:
    from compiled_robots import equations

    eom = equations(name)
    fast = eq.compile(eom, parameters="numeric")
    q, v = np.zeros(len(eom.q)), np.zeros(len(eom.v))
    fast.inverse_dynamics(q, v, v)
    fast.mass_matrix(q.astype(np.float32))
    certificate = fast.certificate()
    assert certificate.ok, str(certificate)
    assert certificate.code is not None
    assert certificate.code["parameters"] == "numeric"


# -- what is wrong ------------------------------------------------------------------------------------
def test_an_error_in_a_program_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    right = equamo.code.ir.functions.inverse_dynamics
    monkeypatch.setattr(
        equamo.code.ir.functions,
        "inverse_dynamics",
        lambda *a, **k: Vector([x + ONE for x in right(*a, **k)]),
    )
    fast = arm(cache=False)
    fast.bias(Q, Q)
    certificate = fast.certificate()
    assert not certificate.ok
    assert [line.proof.verdict for line in certificate.lines] == ["refuted", "proved", "proved"]


WRONG = {
    "rounded down": lambda x, dtype: float(
        np.nextafter(np.float32(nearest(x, dtype)), np.float32(-np.inf))
    ),
    "rounded twice": lambda x, dtype: float(np.float32(float(x))),
}


@pytest.mark.parametrize("how", WRONG)
def test_a_constant_that_is_not_rounded_correctly_is_refuted(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def literal(self: Types, x: Fraction | float) -> str:
        with monkeypatch.context() as inner:
            inner.setattr("equamo.code.jit.llvm.nearest", WRONG[how])
            return right(self, x)

    right = Types.literal
    monkeypatch.setattr(Types, "literal", literal)
    mass = 1 + Fraction(1, 2**24) + Fraction(1, 2**60)
    block = eq.Robot("block", [eq.Body("block", eq.prismatic("x", axis="x"), mass=mass)])
    fast = eq.compile(eq.derive(block), cache=False, dtype="float32")
    fast.mass_matrix([0])
    certificate = fast.certificate()
    assert [line.proof.verdict for line in certificate.lines] == ["proved", "refuted", "refuted"]
    assert "the IR must have the constant" in str(certificate)


def test_a_number_that_the_program_does_not_have_is_refuted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import equamo.code.jit.machine_code as machine_code

    right = machine_code.ir
    extra = "  %more = fadd double 0x3FB999999999999A, 0x3FB999999999999A\n  ret void"
    monkeypatch.setattr(
        machine_code, "ir", lambda *a, **k: right(*a, **k).replace("  ret void", extra, 1)
    )
    fast = arm(cache=False)
    fast.gravity(Q)
    lines = fast.certificate().lines
    assert "the IR has the constant 0.1, the program not" in str(lines[1].proof)


# -- files --------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    fast = eq.compile(
        eq.derive(eq.load("rr_arm"), by="kane").subs({"g": "10", "m2": "m1"}), lanes=2
    )
    fast.gravity(np.tile(Q, (5, 1)))
    fast.jacobian("fore", Q)
    path = tmp_path_factory.mktemp("certificate") / "arm.json"
    fast.certificate().save(path)
    return json.loads(path.read_text(encoding="utf-8"))


def check(body: Any, data: dict[str, Any], path: Path, **options: Any) -> Certificate:
    path.write_text(json.dumps({**data, "certificate": body, "sha256": digest(body)}), "utf-8")
    return check_file(path, **options)


def test_a_saved_certificate_is_proved_again(tmp_path: Path, honest: dict[str, Any]) -> None:
    body = honest["certificate"]
    again = check(body, honest, tmp_path / "x.json", robot=eq.load("rr_arm"))
    assert again.ok
    assert [line.name for line in again.lines] == [line["name"] for line in body["lines"]]
    assert str(again.seed) != body["seed"]
    assert again.code == body["code"]
    read = Certificate.load(tmp_path / "x.json")
    assert read.code == again.code
    body = {**body, "code": 3}
    with pytest.raises(FileFormatError, match="must be null or"):
        check(body, honest, tmp_path / "x.json")
    with pytest.raises(FileFormatError, match="must be null or"):
        Certificate.load(tmp_path / "x.json")
    assert [line.name for line in read.lines] == [line.name for line in again.lines]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("code",), 3),
        (("code",), []),
        (("code", "by"), "lagrange"),
        (("code", "by"), "magic"),
        (("code", "by"), ["kane"]),
        (("code", "coriolis"), "none"),
        (("code", "replaced"), []),
        (("code", "replaced"), [[["g", "11"]], "x"]),
        (("code", "parameters"), "numeric"),
        (("code", "parameters"), None),
        (("code", "functions"), []),
        (("code", "functions"), 3),
        (("code", "functions", 0), "gravity"),
        (("code", "functions", 0, "kind"), "mass_matrix"),
        (("code", "functions", 0, "kind"), ["gravity"]),
        (("code", "functions", 0, "frame"), "fore"),
        (("code", "functions", 1, "frame"), "aft"),
        (("code", "functions", 0, "modules"), []),
        (("code", "functions", 0, "modules", 0), ["float16", 1]),
        (("code", "functions", 0, "modules", 0), ["float64", 10**9]),
        (("code", "functions", 0, "modules", 0), "float64"),
        (("lines", 0, "name"), "everything"),
        (("equations_sha256", "kane"), "0" * 64),
    ],
)
def test_forged_entries_are_refused(
    tmp_path: Path, honest: dict[str, Any], path: tuple[Any, ...], value: Any
) -> None:
    body = deepcopy(honest["certificate"])
    inner: Any = body
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(FileFormatError, match=r"x\.json"):
        check(body, honest, tmp_path / "x.json")


def test_it_is_no_certificate_of_equations(tmp_path: Path) -> None:
    fast = arm()
    fast.gravity(Q)
    with pytest.raises(EquamoError, match="certificate must be a Certificate of equations"):
        eq.generate(fast.eom, "c", tmp_path, ["gravity"], certificate=fast.certificate())
    with pytest.raises(EquamoError, match="certificate must be a Certificate of equations"):
        eq.report(fast.eom, tmp_path / "arm.html", certificate=fast.certificate())

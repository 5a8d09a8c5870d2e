"""What comments of generated files say of arguments and functions is compared with what they are."""

from __future__ import annotations

from pathlib import Path

import pytest

import equamo as eq
from equamo.code.codegen.described import wrong_comments
from equamo.code.codegen.generate import generate
from equamo.code.codegen.prove_code import prove_code
from equamo.code.ir.functions import functions
from generated_code import equations

LANGUAGES = ("c", "cpp", "numpy", "matlab", "javascript", "casadi")


def files(to: str, folder: Path) -> dict[str, str]:
    """Name and text of the files of two functions."""
    out = folder / to
    paths = generate(equations("rr_arm"), to, out, ["gravity", "bias"], prove=False)
    read = [p for p in paths if to != "matlab" or p.suffix == ".m"]
    return {path.name: path.read_text("ascii") for path in read}


def proof_of(texts: dict[str, str], to: str, folder: Path) -> tuple[bool, str]:
    for name, text in texts.items():
        (folder / name).write_text(text, "ascii")
    ends = {"c": "rr_arm.c", "matlab": "_gravity.m", "javascript": "arm.mjs", "casadi": "casadi.c"}
    end = ends.get(to, {"cpp": "rr_arm.hpp", "numpy": "rr_arm.py"}.get(to, ""))
    paths = [folder / n for n in texts if n.endswith((end, "default_parameters.m"))]
    proof = prove_code(equations("rr_arm"), paths)
    return proof.ok, str(proof)


@pytest.mark.parametrize("to", LANGUAGES)
def test_comments_that_say_something_else(to: str, tmp_path: Path) -> None:
    """Whoever calls the function takes the order of the parameters and the sign of g from them."""
    honest = files(to, tmp_path)
    assert proof_of(honest, to, tmp_path)[0]
    lies = [
        ("on the left-hand side", "on the right-hand side", "the comment of .*gravity must begin"),
        ("m1 [kg], m2 [kg]", "m2 [kg], m1 [kg]", "must say 'parameters"),
        ("m1, m2, L1", "m2, m1, L1", "must say 'parameters"),
        ("  0 m1 [kg] = 1.0", "  0 m2 [kg] = 1.0", "must say '0 m1"),
        ("  7 g [m/s^2] = 9.81", "  7 g [m/s^2] = 9.8", "must say '7 g"),
        ("  1 q2 [rad] = 0.0\n", "", "must say '1 q2"),
        ("% Lc1 [m]: ", "% Lc2 [m]: ", "the remarks beside the defaults"),
        ("Written by equamo", "Proved by hand. Written by equamo", "one that equamo writes"),
    ]
    tried = 0
    for old, new, reason in lies:
        changed = {name: text.replace(old, new, 1) for name, text in honest.items()}
        if changed != honest:
            ok, text = proof_of(changed, to, tmp_path)
            assert not ok, (old, new)
            assert reason.split(".*")[-1] in text
            tried += 1
    assert tried >= 3


def test_a_function_of_casadi_in_parts() -> None:
    """Its comment stands above the first part."""
    program = functions(equations("rr_arm"))["inverse_dynamics"].program()
    parts = (
        "static void f__part0(int a) {\n}\n\nstatic void f__part1(int a) {\n}\n\nint f(int a) {\n"
    )
    for said, count in (("tau = M vdot + C v + g - passive forces", 0), ("tau = 2 M vdot", 1)):
        text = f"/* x */\nint g(int a) {{ }}\n\n/* {said}; 1 addition */\n{parts}"
        assert len(list(wrong_comments(text, ".c", {}, {"f": program}))) == count


def test_names_and_descriptions_that_speak_of_proofs(tmp_path: Path) -> None:
    """They are no claims."""
    body = eq.Body("proved", eq.revolute("verified"), mass="certified", com="proof 0 0")
    info = [eq.Parameter("proof", 2, "m", "proved to be long; verified")]
    eom = eq.derive(eq.Robot("certificate", [body], parameters=info))
    for to in ("c", "numpy", "matlab"):
        paths = generate(eom, to, tmp_path, {"proven": eom.gravity}, prove=False)
        code = [p for p in paths if p.suffix != ".h" and "test" not in p.name]
        code = [p for p in code if "example" not in p.name and "mex" not in p.name]
        proof = prove_code(eom, code, functions={"proven": eom.gravity})
        assert proof.ok, str(proof)

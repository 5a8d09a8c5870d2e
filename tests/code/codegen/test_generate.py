"""`eq.generate`: which files, what they say of themselves, errors that name the choices."""

import importlib.util
import pickle
import sys
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from command_line import equamo
from equamo.cli import generate as verb
from equamo.code.codegen.generate import generate, package_of
from equamo.code.codegen.golden import SOLVING, golden
from equamo.code.codegen.provenance import provenance
from equamo.code.codegen.targets import TARGETS
from equamo.code.ir.functions import functions
from equamo.errors import EquamoError, ExpressionError, UnknownNameError
from equamo.mechanics.certificate import prove
from generated_code import QUATERNIONS, equations, run
from peer_urdf import file as urdf_file

pytestmark = pytest.mark.needs("pinocchio")

GOLDEN = Path(__file__).parents[2] / "golden"


def kept() -> Any:
    spec = importlib.util.spec_from_file_location("golden_update", GOLDEN / "update.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_text_is_what_was_kept() -> None:
    texts = kept().texts()
    paths = [p for to in TARGETS for p in (GOLDEN / to).glob("*.txt")]
    found = {p.relative_to(GOLDEN).as_posix(): p.read_text("ascii") for p in paths}
    changed = [n for n in {*texts, *found} if texts.get(n) != found.get(n)]
    assert not changed, f"changed: {changed}; if that is meant: python tests/golden/update.py"


@pytest.mark.parametrize("to", TARGETS)
def test_every_file_says_where_it_comes_from(to: str, tmp_path: Path) -> None:
    paths = generate(equations("rr_arm"), to, tmp_path / "new" / "folder", functions=["bias"])
    assert paths
    for path in paths:
        text = path.read_text("ascii")
        assert f"equamo {eq.__version__}" in text
        assert "Robot: rr_arm, 2 degrees of freedom" in text
        assert "Derivation: recursive, run again for fewer operations." in text
        assert "5 formulations agree" in text


@pytest.mark.ci
def test_the_same_bytes_every_time(tmp_path: Path) -> None:
    """In two processes, with the targets in another order."""
    command = ("import sys, equamo as eq; from equamo.code.codegen.generate import generate; "
               "[generate(eq.derive(eq.load('rp_arm')), to, f'{sys.argv[1]}/{to}') "
               "for to in sys.argv[2:]]")  # fmt: skip
    for folder, targets in (("a", list(TARGETS)), ("b", list(TARGETS)[::-1])):
        done = run([sys.executable, "-c", command, folder, *targets], tmp_path)
        assert done.returncode == 0, done.stderr
    for to in TARGETS:
        first = {p.name: p.read_bytes() for p in (tmp_path / "a" / to).iterdir()}
        assert first
        assert first == {p.name: p.read_bytes() for p in (tmp_path / "b" / to).iterdir()}


def test_certificate(tmp_path: Path) -> None:
    certificate = eq.prove(eq.load("rr_arm"))
    eom = equations("rr_arm")
    for path in generate(eom, "c", tmp_path, ["bias"], certificate=certificate):
        text = path.read_text()
        agreed = f"5 formulations agree, {len(certificate.lines)} identities proved"
        assert f"{agreed}, error at most 2^-1" in text
        assert "Programs: 1 function proved equal to these equations, constants exact" in text
        assert "not proved" not in text
    more = replace(certificate, stages=(*certificate.stages, ("derived by magic", 1.0)))
    assert "5 formulations agree" in "\n".join(provenance(eom, more))
    heavier = eq.derive(eq.load("rr_arm").with_values(m1=5))
    for other in (equations("rp_arm"), heavier):
        with pytest.raises(
            EquamoError, match="got one of another robot or other numbers: robot 'rr_a"
        ):
            generate(other, "c", tmp_path, ["bias"], certificate=certificate)


@pytest.mark.ci
def test_source_file_and_its_digest(tmp_path: Path) -> None:
    """Of the bytes that were loaded, whatever became of the file."""
    file, data = tmp_path / "my arm.urdf", urdf_file("panda.urdf").read_bytes()
    file.write_bytes(data)
    robot = eq.load(file)
    said = f"Source: my arm.urdf, SHA-256 {sha256(data).hexdigest()}"
    file.write_bytes(b"<robot/>")
    (text,) = [p.read_text() for p in generate(eq.derive(robot), "numpy", tmp_path, ["gravity"])]
    assert said in text
    file.unlink()
    for kept in (pickle.loads(pickle.dumps(robot)), robot.add_mass("panda_link7", 1)):
        assert said in provenance(eq.derive(kept), None)


@pytest.mark.parametrize("more", ["", '<include file="more.xml"/>'])
def test_source_of_several_files_has_no_digest(more: str, tmp_path: Path) -> None:
    file, body = tmp_path / "arm.xml", '<body><joint/><geom size="0.1"/></body>'
    file.write_text(f"<mujoco>{more}<worldbody>{body}</worldbody></mujoco>")
    (tmp_path / "more.xml").write_text('<mujoco><option timestep="0.01"/></mujoco>')
    digest = "" if more else f", SHA-256 {sha256(file.read_bytes()).hexdigest()}"
    assert f"Source: arm.xml{digest}" in provenance(eq.derive(eq.load(file)), None)


def test_numbers_can_be_folded_in() -> None:
    eom = equations("rr_arm")
    folded = package_of(eom, ["gravity"], parameters="numeric")
    assert "parameters" not in folded.quantities
    assert [a.name for a in folded.routines[0].arguments] == ["q"]
    some = package_of(eom, ["gravity"], values={"m1": 2, "g": "9.8"})
    names = [s.name for s in some.routines[0].arguments[-1].symbols]
    assert names == [x.name for x in some.quantities["parameters"]]
    assert names == [x.name for x in eom.parameters if x.name not in ("m1", "g")]
    for vector in some.routines[0].golden:
        right = eom.evaluate("gravity", q=vector.arguments["q"], values={"m1": 2, "g": 9.8})
        np.testing.assert_allclose(vector.result, right, rtol=1e-13, atol=1e-13)


def test_values_go_over_the_defaults_of_numeric_parameters(tmp_path: Path) -> None:
    eom = equations("rr_arm")
    package = package_of(eom, ["gravity"], parameters="numeric", values={"m1": 2})
    assert "parameters" not in package.quantities
    vector = package.routines[0].golden[0]
    right = eom.evaluate("gravity", q=vector.arguments["q"], values={"m1": 2})
    np.testing.assert_allclose(vector.result, right, rtol=1e-13, atol=1e-13)
    with pytest.raises(EquamoError, match="Unknown parameter 'm9'"):
        package_of(eom, ["gravity"], values={"m9": 2})
    with pytest.raises(EquamoError, match=r"values must map names to numbers, got 3"):
        generate(eom, "c", tmp_path, ["gravity"], values=3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_numbers_in_the_old_place_are_still_read(tmp_path: Path) -> None:
    eom, old = equations("rr_arm"), {"m1": 2}
    generate(eom, "numpy", tmp_path / "new", ["gravity"], values=old, prove=False)
    with pytest.warns(DeprecationWarning, match=r"'parameters=\{…\}' is now 'values=\{…\}'"):
        generate(eom, "numpy", tmp_path / "old", ["gravity"], parameters=old, prove=False)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    texts = [(tmp_path / f / "rr_arm.py").read_text() for f in ("new", "old")]
    assert texts[0] == texts[1]


def test_golden_vectors_are_the_equations() -> None:
    eom = equations("wheeled_inverted_pendulum")
    for name, f in functions(eom).items():
        for g in golden(eom, f):
            state = {k: x for k, x in g.arguments.items() if k not in ("parameters", "tau")}
            if name.startswith("forward_dynamics"):
                force = g.arguments.get("tau")
                if force is None:
                    force = eom.evaluate("input_matrix", **state) @ g.arguments["inputs"]
                tau = eom.evaluate("inverse_dynamics", **state, vdot=g.result)
                np.testing.assert_allclose(tau, force, rtol=1e-9, atol=1e-9)
            elif name == "mass_matrix_factors":
                LD = np.reshape(g.result, f.results[0].shape)
                L = np.tril(LD, -1) + np.eye(len(LD))
                M = eom.evaluate("mass_matrix", **state)
                np.testing.assert_allclose(L.T @ np.diag(np.diag(LD)) @ L, M, rtol=1e-9, atol=1e-12)
            else:
                right = np.ravel(eom.evaluate(name, **state))
                assert np.abs(g.result - right).max() <= 1e-12 * g.scales[0], name


@pytest.mark.parametrize("robot", QUATERNIONS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_golden_quaternions_have_length_one(robot: str, dtype: Any) -> None:
    eom = equations(robot)
    (group,) = eom.robot.unit_groups
    for g in golden(eom, functions(eom)["coriolis_matrix"], 10, dtype):
        numbers = dict(zip(eom.q, map(Fraction, g.arguments["q"]), strict=True))
        error = sum(numbers[s] ** 2 for s in group) - 1
        assert abs(error) < 4 * np.finfo(dtype).eps


@pytest.mark.parametrize("name", [*SOLVING, "constraint_matrix", "constraint_bias"])
def test_golden_vectors_do_not_come_from_what_is_generated(name: str) -> None:
    """Neither from the regrouped inertias nor from one of the ways to a program."""

    def generated() -> Any:
        raise AssertionError("that is what is to be tested")

    for robot in ("rolling_disc", "four_bar"):
        eom = equations(robot)
        if name in functions(eom):
            assert golden(eom, replace(functions(eom)[name], ways=(generated, generated)))


def test_default_functions_are_all_and_the_tips() -> None:
    eom = equations("rr_arm")
    names = [r.name for r in package_of(eom).routines]
    tips = ["pose_fore", "jacobian_fore", "jacobian_dot_v_fore"]
    assert names == [*functions(eom), *tips]
    assert [r.name for r in package_of(eom, "pose_upper").routines] == ["pose_upper"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"to": "fortran"}, "Unknown target 'fortran'.*Valid: c, cpp, numpy, matlab"),
        ({"to": ["c"]}, "a target must be given by name.*Valid: c, cpp, numpy, matlab"),
        ({"to": None}, "a target must be given by name, got None.*Valid: c, cpp, numpy, matlab"),
        (
            {"functions": []},
            r"one function of .*'rr_arm', got none\. Valid: inverse_dynamics, .*pose_fore",
        ),
        ({"functions": 3}, "must be a list of names or .name: expression., got 3"),
        ({"functions": [["bias"]]}, "a function must be given by name.*mass_matrix"),
        ({"dtype": ["float64"]}, "a dtype must be given by name.*float64, float32"),
        ({"functions": ["mass"]}, "Unknown function 'mass'.*mass_matrix"),
        ({"functions": ["pose_hand"]}, "Unknown function 'pose_hand'"),
        ({"dtype": "float16"}, "Unknown dtype 'float16'.*float64, float32"),
        ({"parameters": "none"}, "choice of parameters 'none'.*symbolic, numeric"),
        ({"values": {"m9": 1}}, "Unknown parameter 'm9'.*m1"),
        ({"values": {"m1": "heavy"}}, "'m1' must be a number, got 'heavy'"),
    ],
)
def test_wrong_choices(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(EquamoError, match=message):
        generate(equations("rr_arm"), out=tmp_path, **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("out", [None, 3, ["build"], b"build"])
def test_a_folder_is_a_path(out: Any) -> None:
    with pytest.raises(EquamoError, match="out must be the path of a folder"):
        generate(equations("rr_arm"), out=out, functions=["bias"])


def test_a_robot_is_derived_first(tmp_path: Path) -> None:
    with pytest.raises(EquamoError, match=r"derive them first: eq.derive\(robot\)"):
        generate(eq.load("rr_arm"), out=tmp_path)  # type: ignore[arg-type]


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EquamoError, match="the folder could not be created"):
        generate(equations("rr_arm"), out=tmp_path / "file", functions=["bias"])


def test_empty_results_are_left_out() -> None:
    eom = equations("rolling_disc")
    assert not eom.inputs
    assert "input_matrix" not in [r.name for r in package_of(eom).routines]
    with pytest.raises(EquamoError, match="'input_matrix' of robot 'rolling_disc' has no entries"):
        package_of(eom, ["input_matrix"])


def test_a_robot_without_inertia(tmp_path: Path) -> None:
    """Common in URDF: forward dynamics does not exist, but everything else can be written."""
    eom = equations("massless")
    package = package_of(eom)
    written = [r.name for r in package.routines]
    solving = [n for n in SOLVING if n in functions(eom)]  # without those for loops
    assert len(solving) == 4
    assert written == [n for n in functions(eom) if n not in (*solving, "center_of_mass")] + [
        "pose_b",
        "jacobian_b",
        "jacobian_dot_v_b",
    ]
    singular, no_mass = package.provenance[-2:]
    assert singular.startswith(f"Without {', '.join(solving)}: the mass matrix is singular")
    assert no_mass.startswith("Without center_of_mass: Robot 'massless' has no mass")
    for name in solving:
        with pytest.raises(ExpressionError, match=rf"{name} has no value.*inertia.*along 'dq2'"):
            generate(eom, "c", tmp_path, [name])
    with pytest.raises(ExpressionError, match="nothing with inertia moves along 'dq2'"):
        eq.compile(eom).forward_dynamics([0, 0], [0, 0], [0, 0])
    with pytest.raises(ExpressionError, match="center_of_mass has no value"):
        generate(eom, "c", tmp_path, ["center_of_mass"])
    assert not list(tmp_path.iterdir())


def test_a_robot_that_cannot_move() -> None:
    eom = equations("no_joints")
    names = ["kinetic_energy", "potential_energy", "center_of_mass", "pose_a", "jacobian_dot_v_a"]
    assert [r.name for r in package_of(eom).routines] == names
    with pytest.raises(
        EquamoError, match=r"'jacobian_a' of robot 'no_joints' has no entries .*\(6, 0\)"
    ):
        package_of(eom, ["jacobian_a"])


def test_a_parameter_without_a_value(tmp_path: Path) -> None:
    robot = eq.Robot(
        "pendulum", [eq.Body("bob", eq.revolute("phi", axis="x"), mass="m", com="0 0 -l")]
    )
    eom = eq.derive(robot)
    for to in TARGETS:
        generate(eom, to, tmp_path / to)
    done = run([sys.executable, "pendulum.py"], tmp_path / "numpy")
    assert done.returncode == 0, done.stdout
    assert "def gravity(q, parameters):" in (tmp_path / "numpy" / "pendulum.py").read_text()
    with pytest.raises(
        EquamoError,
        match=r"no value for parameters l, m of robot 'pendulum'; pass values=\{'l': \.\.\., 'm'",
    ):
        generate(eom, "c", tmp_path, parameters="numeric")


def test_constants_out_of_range() -> None:
    from equamo.code.codegen.targets.target import number

    with pytest.raises(EquamoError, match="must be in the range of float64"):
        number(10**400, "float64")
    with pytest.raises(EquamoError, match="must be in the range of float32"):
        number(10**50, "float32")


def test_constants_are_rounded_once() -> None:
    from equamo.code.codegen.targets.target import number

    x = 1 + Fraction(1, 2**24) + Fraction(1, 2**60)  # by way of a double it would be 1
    assert np.float32(number(x, "float32")) == np.float32(1 + 2**-23)


def test_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verb.run("rr_arm", out=tmp_path, functions="bias, pose_fore")
    printed = capsys.readouterr().out.splitlines()
    assert printed == [
        str(tmp_path / f"rr_arm{x}") for x in (".h", ".c", "_selftest.c", "_example.c")
    ]
    text = (tmp_path / "rr_arm.h").read_text()
    assert "5 formulations agree" in text
    assert "rr_arm_pose_fore(" in text
    with pytest.raises(UnknownNameError, match="Unknown target 'java'"):
        verb.run("rr_arm", to="java", out=tmp_path, proved=False)


def head(paths: list[Path]) -> str:
    return paths[0].read_text(encoding="utf-8")[:2000]


def test_python_proves_as_the_command_does(tmp_path: Path) -> None:
    written = head(generate(equations("rr_arm"), "c", tmp_path / "python", ["bias"]))
    out = str(tmp_path / "command")
    done = equamo("generate", "rr_arm", "--to", "c", "--functions", "bias", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "5 formulations agree" in written
    assert (tmp_path / "command" / "rr_arm.h").read_text(encoding="utf-8")[:2000] == written


def test_a_proof_can_be_left_out(tmp_path: Path) -> None:
    text = head(generate(equations("rp_arm"), "c", tmp_path, ["bias"], prove=False))
    assert "Certificate: none was given; these equations were not proved here." in text
    assert "Programs: not proved to be these equations." in text


def test_what_was_proved_is_not_proved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = eq.load("rp_arm").with_values(m1=3)
    asked: list[eq.Robot] = []

    def counted(eom: eq.EquationsOfMotion) -> eq.Certificate:
        asked.append(eom.robot)
        return prove(eom)

    monkeypatch.setattr(sys.modules["equamo.mechanics.certificate.prove"], "prove", counted)
    for folder in ("a", "b"):
        generate(eq.derive(robot), "c", tmp_path / folder, ["bias"])
    assert asked == [robot]
    heavier = eq.derive(robot.with_values(m1=4))
    generate(heavier, "c", tmp_path / "c", ["bias"])
    assert asked == [robot, heavier.robot]


def test_the_certificate_is_of_the_equations_that_were_given(tmp_path: Path) -> None:
    robot = eq.load("rr_arm")
    eom = eq.derive(robot, by="kane")
    d = eom.derivation
    wrong = replace(eom, derivation=replace(d, gravity=-d.gravity))
    with pytest.raises(EquamoError, match="got one of other equations of robot 'rr_arm'"):
        generate(wrong, "c", tmp_path, ["gravity"], certificate=eq.prove(robot))
    text = head(generate(wrong, "c", tmp_path, ["gravity"]))
    assert "Certificate: NOT all of" in text
    for right in (eom, eq.derive(robot)):  # what was proved of the wrong ones says nothing of these
        assert "formulations agree" in head(generate(right, "c", tmp_path, ["gravity"]))


def test_wrong_choices_are_said_before_the_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("equamo.code.codegen.generate.proved", lambda robot: pytest.fail("proved"))
    with pytest.raises(EquamoError, match="Unknown function 'biass'"):
        generate(equations("rr_arm"), "c", tmp_path, ["biass"])

"""`eq.generate`: which files, what they say of themselves, errors that name the choices."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.cli import generate as verb
from equamo.errors import EquamoError, UnknownNameError
from equamo.program.functions import functions
from equamo.program.generate import generate, package_of
from equamo.program.golden import golden
from equamo.program.targets import TARGETS
from generated_code import equations, run
from peer_urdf import file as urdf_file

GOLDEN = Path(__file__).parents[1] / "golden"


def kept() -> Any:
    spec = importlib.util.spec_from_file_location("golden_update", GOLDEN / "update.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_text_is_what_was_kept() -> None:
    texts = kept().texts()
    found = {p.relative_to(GOLDEN).as_posix(): p.read_text("ascii") for p in GOLDEN.rglob("*.txt")}
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
        assert "Method: recursive" in text
        assert "not proved" in text


@pytest.mark.parametrize("to", TARGETS)
def test_the_same_bytes_every_time(to: str, tmp_path: Path) -> None:
    command = ("import sys, equamo as eq; from equamo.program.generate import generate; "
               "generate(eq.derive(eq.load('rp_arm')), sys.argv[1], sys.argv[2])")  # fmt: skip
    for folder in ("a", "b"):
        done = run([sys.executable, "-c", command, to, folder], tmp_path)
        assert done.returncode == 0, done.stderr
    first = {p.name: p.read_bytes() for p in (tmp_path / "a").iterdir()}
    assert first
    assert first == {p.name: p.read_bytes() for p in (tmp_path / "b").iterdir()}


def test_certificate(tmp_path: Path) -> None:
    certificate = eq.prove(eq.load("rr_arm"), seed=1)
    eom = equations("rr_arm")
    for path in generate(eom, "c", tmp_path, ["bias"], certificate=certificate):
        text = path.read_text()
        assert f"{len(certificate.lines)} identities proved, error at most 2^-1" in text
        assert "not proved" not in text
    heavier = eq.derive(eq.load("rr_arm").with_values(m1=5))
    for other in (equations("rp_arm"), heavier):
        with pytest.raises(EquamoError, match="certificate is of another robot"):
            generate(other, "c", tmp_path, ["bias"], certificate=certificate)


def test_source_file_and_its_digest(tmp_path: Path) -> None:
    from hashlib import sha256

    file = tmp_path / "my arm.urdf"
    file.write_bytes(urdf_file("panda.urdf").read_bytes())
    eom = eq.derive(eq.load(file))
    (text,) = [p.read_text() for p in generate(eom, "numpy", tmp_path, ["gravity"])]
    assert f"Source: my arm.urdf, SHA-256 {sha256(file.read_bytes()).hexdigest()}" in text


def test_numbers_can_be_folded_in() -> None:
    eom = equations("rr_arm")
    folded = package_of(eom, ["gravity"], parameters="numeric")
    assert "parameters" not in folded.quantities
    assert [a.name for a in folded.routines[0].arguments] == ["q"]
    some = package_of(eom, ["gravity"], parameters={"m1": 2, "g": "9.8"})
    names = [s.name for s in some.routines[0].arguments[-1].symbols]
    assert names == [x.name for x in some.quantities["parameters"]]
    assert names == [x.name for x in eom.parameters if x.name not in ("m1", "g")]
    for vector in some.routines[0].golden:
        right = eom.evaluate("gravity", q=vector.arguments["q"], values={"m1": 2, "g": 9.8})
        np.testing.assert_allclose(vector.result, right, rtol=1e-13, atol=1e-13)


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
                LD = np.reshape(g.result, f.shape)
                L = np.tril(LD, -1) + np.eye(len(LD))
                M = eom.evaluate("mass_matrix", **state)
                np.testing.assert_allclose(L.T @ np.diag(np.diag(LD)) @ L, M, rtol=1e-9, atol=1e-12)
            else:
                right = np.ravel(eom.evaluate(name, **state))
                assert np.abs(g.result - right).max() <= 1e-12 * g.scale, name


def test_default_functions_are_all_and_the_tips() -> None:
    eom = equations("rr_arm")
    names = [r.name for r in package_of(eom).routines]
    tips = ["pose_fore", "jacobian_fore", "jacobian_dot_v_fore"]
    assert names == [*functions(eom), *tips]
    assert [r.name for r in package_of(eom, "pose_upper").routines] == ["pose_upper"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"to": "fortran"}, "no target 'fortran'.*Valid: c, numpy, matlab"),
        ({"functions": ["mass"]}, "no function 'mass'.*mass_matrix"),
        ({"functions": ["pose_hand"]}, "no function 'pose_hand'"),
        ({"dtype": "float16"}, "no dtype 'float16'.*float64, float32"),
        ({"parameters": "none"}, "choice of parameters 'none'.*symbolic, numeric"),
        ({"parameters": {"m9": 1}}, "no parameter 'm9'.*m1"),
        ({"parameters": {"m1": "heavy"}}, "'m1' is a number"),
    ],
)
def test_wrong_choices(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(EquamoError, match=message):
        generate(equations("rr_arm"), out=tmp_path, **options)
    assert not list(tmp_path.iterdir())


def test_a_robot_is_derived_first(tmp_path: Path) -> None:
    with pytest.raises(EquamoError, match=r"derive them first: eq.derive\(robot\)"):
        generate(eq.load("rr_arm"), out=tmp_path)  # type: ignore[arg-type]


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EquamoError, match="no folder can be made"):
        generate(equations("rr_arm"), out=tmp_path / "file", functions=["bias"])


def test_empty_results_are_left_out() -> None:
    eom = equations("rolling_disc")
    assert not eom.inputs
    assert "input_matrix" not in [r.name for r in package_of(eom).routines]
    with pytest.raises(EquamoError, match="input_matrix of robot 'rolling_disc' is empty"):
        package_of(eom, ["input_matrix"])


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
    with pytest.raises(EquamoError, match="l, m of robot 'pendulum' have no default"):
        generate(eom, "c", tmp_path, parameters="numeric")


def test_constants_out_of_range() -> None:
    from equamo.program.targets.target import number

    with pytest.raises(EquamoError, match="out of the range of float64"):
        number(10**400, "float64")
    with pytest.raises(EquamoError, match="out of the range of float32"):
        number(10**50, "float32")


def test_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verb.run("rr_arm", out=tmp_path, functions="bias, pose_fore")
    printed = capsys.readouterr().out.split()
    assert printed == [
        str(tmp_path / f"rr_arm{x}") for x in (".h", ".c", "_selftest.c", "_example.c")
    ]
    text = (tmp_path / "rr_arm.h").read_text()
    assert "five formulations agree" in text
    assert "rr_arm_pose_fore(" in text
    with pytest.raises(UnknownNameError, match="no target 'java'"):
        verb.run("rr_arm", to="java", out=tmp_path, proved=False)

"""Files of equations: checked against their robot, and refused with an error of ours."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.store import dump
from equamo.errors import EquamoError, FileFormatError
from equamo.mechanics.equations import EquationsOfMotion
from equamo.mechanics.formulations.boltzmann_hamel import boltzmann_hamel
from equamo.robot.formats.json_file import digest
from force_robots import arm, one_of_each
from mutated_text import mutated_tree


def saved(eom: EquationsOfMotion, path: Path) -> dict[str, Any]:
    eom.save(path)
    return json.loads(path.read_text(encoding="utf-8"))


def load_body(body: Any, data: dict[str, Any], path: Path) -> EquationsOfMotion:
    """Load a file with this content, its digest recomputed."""
    forged = {**data, "equations": body, "sha256": digest(body)}
    path.write_text(json.dumps(forged), encoding="utf-8")
    return EquationsOfMotion.load(path)


def swapped(eom: EquationsOfMotion) -> EquationsOfMotion:
    """M11 and M22 exchanged."""
    d = eom.derivation
    (a, b), (c, e) = d.mass_matrix.rows
    return replace(eom, derivation=replace(d, mass_matrix=Matrix([[e, b], [c, a]])))


@pytest.mark.parametrize("by", ["recursive", "kane"])
def test_equations_of_another_robot_are_refused(tmp_path: Path, by: str) -> None:
    swapped(eq.derive(eq.load("rr_arm"), by=by)).save(tmp_path / "arm.eom")
    with pytest.raises(FileFormatError, match="must match those of robot 'rr_arm'"):
        EquationsOfMotion.load(tmp_path / "arm.eom")


def test_equal_equations_in_another_form_are_proved(tmp_path: Path) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    data = saved(eom, tmp_path / "arm.eom")
    body = deepcopy(data["equations"])
    d = eom.derivation
    body["expressions"] = dump([e * eq.parse("sin(q1)**2 + cos(q1)**2") for e in d.entries])
    again = load_body(body, data, tmp_path / "arm.eom")
    assert again.derivation != d
    assert not again.is_recursive
    q = [0.3, 0.7]
    np.testing.assert_allclose(again.evaluate("mass_matrix", q=q), eom.evaluate("mass_matrix", q=q))


@pytest.mark.parametrize("what", ["mass_matrix", "gravity", "inverse_dynamics", "kinetic_energy"])
def test_evaluate_and_compile_agree_on_one_object(what: str) -> None:
    """Even if somebody put the object together: no file is involved here."""
    forged = swapped(eq.derive(eq.load("rr_arm")))
    state = {"q": [0.3, 0.7], "v": [1.0, -2.0], "vdot": [0.5, 0.25]}
    function = getattr(eq.compile(forged, cache=False), what)
    known = {"mass_matrix": "q", "gravity": "q", "kinetic_energy": "q v"}.get(
        what, "q v vdot"
    ).split()
    np.testing.assert_allclose(
        function(*(state[k] for k in known)), forged.evaluate(what, **state), rtol=1e-12
    )
    if what == "mass_matrix":
        honest = eq.derive(eq.load("rr_arm")).evaluate(what, **state)
        assert abs(forged.evaluate(what, **state) - honest).max() > 0.01


def test_what_derive_and_load_give_is_the_recursion(tmp_path: Path) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    eom.save(tmp_path / "arm.eom")
    assert eom.is_recursive
    assert EquationsOfMotion.load(tmp_path / "arm.eom").is_recursive
    assert replace(eom, coriolis="split").is_recursive
    assert not eq.derive(eq.load("rr_arm"), by="kane").is_recursive


def test_boltzmann_hamel_comes_back(tmp_path: Path) -> None:
    robot = eq.load("rolling_disc")
    eom = EquationsOfMotion(robot, "boltzmann_hamel", boltzmann_hamel(robot))
    eom.save(tmp_path / "disc.eom")
    assert EquationsOfMotion.load(tmp_path / "disc.eom").derivation == eom.derivation


def edit(path: str, value: Any) -> Any:
    def change(body: dict[str, Any]) -> None:
        *outer, last = [int(k) if k.isdigit() else k for k in path.split(".")]
        for key in outer:
            body = body[key]
        body[last] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        edit("by", "newton"),
        edit("by", ["recursive"]),
        edit("coriolis", "half"),
        edit("forces", ["tau2", "tau1"]),
        edit("expressions", [[], []]),
        edit("expressions.1", [-1]),
        edit("expressions.1.0", 10**9),
        edit("expressions.0.0", ["symbol", 3]),
        edit("replaced", [["m1", "m2"]]),
        edit("replaced", [[["m1", 2]]]),
        edit("robot.name", 3),
        edit("robot.description", "\ud800"),
        edit("robot.gravity", {"vector": ["0", "1"]}),
        edit("robot.home.q1", "x"),
        edit("robot.home.q1", {"number": "1e999999999"}),
        edit("robot.bodies.0.joint.coordinates", {"tuple": []}),
        edit("robot.bodies.0.joint.coordinates", {"tuple": ["q1", "q3"]}),
        edit("robot.bodies.0.joint.axis", {"expr": "x"}),
        edit("robot.bodies.0.joint.class", "Robot"),
        edit("robot.bodies.0.inertia", {"class": "Fixed"}),
        edit("robot.bodies.0.inertia.first_moment", {"vector": ["1", "0"]}),
        edit("robot.bodies.0.inertia.colour", "red"),
        edit("robot.speeds", {"class": "Parameter", "name": "x"}),
        edit("robot.forces.0.gear", None),
        edit("robot.parameters.0.value", {"number": "1/0"}),
    ],
)
def test_inconsistent_content_is_an_error_of_ours(tmp_path: Path, change: Any) -> None:
    data = saved(eq.derive(eq.load("rr_arm")), tmp_path / "arm.eom")
    body = deepcopy(data["equations"])
    change(body)
    with pytest.raises(FileFormatError, match=r"arm\.eom"):
        load_body(body, data, tmp_path / "arm.eom")


@pytest.mark.parametrize("names", [("dx", "dx"), ("dpsi", "dx", "dtheta")])
def test_speeds_that_do_not_fit_the_joints_are_refused(tmp_path: Path, names: Any) -> None:
    data = saved(eq.derive(eq.load("wheeled_inverted_pendulum")), tmp_path / "x.eom")
    body = deepcopy(data["equations"])
    body["robot"]["speeds"]["names"] = {"tuple": list(names)}
    with pytest.raises(FileFormatError):
        load_body(body, data, tmp_path / "x.eom")


def ball() -> eq.Robot:
    return eq.Robot("ball", [eq.Body("b", eq.spherical("s"), mass=1, com="1 0 0", inertia="1 2 3")])


MAKERS = [
    lambda: eq.derive(eq.load("rr_arm")).subs({"m1": "2*m2"}),
    lambda: eq.derive(arm(*one_of_each()), by="kane"),
    lambda: eq.derive(eq.load("wheeled_inverted_pendulum")),
    lambda: eq.derive(ball(), by="lagrange"),
]


@pytest.mark.parametrize("kind", range(len(MAKERS)))
def test_random_changes_with_a_valid_digest(tmp_path: Path, kind: int) -> None:
    """Whatever loads has the equations of its robot; the rest is refused, with an error of ours."""
    data = saved(MAKERS[kind](), tmp_path / "x.eom")
    for seed in range(1500 if WHOLE_SWEEPS else 40):
        random = Random(f"{kind} {seed}")
        body = deepcopy(data["equations"])
        mutated_tree(body["robot"] if random.random() < 0.6 else body, random)
        try:
            eom = load_body(body, data, tmp_path / "x.eom")
        except EquamoError:
            continue
        derived = eq.derive(eom.robot, by=eom.by)
        assert eq.compare(replace(eom, replaced=None), derived), seed
        assert eom.robot.parameters == derived.robot.parameters

"""Every rule explains the difference that it was written for, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from equamo.review.referee import RefereeReport, compare_with
from equamo.review.referee.libraries import LIBRARIES
from equamo.review.referee.libraries.mujoco import MuJoCo
from equamo.review.referee.libraries.pinocchio import Pinocchio
from equamo.robot.catalog import load
from referee_texts import arm, joint, link, written

pytestmark = pytest.mark.needs("mujoco", "pinocchio")

ROTOR = (
    '<transmission name="t"><joint name="elbow"/><actuator name="m"><mechanicalReduction>50'
    "</mechanicalReduction><rotorInertia>1e-4</rotorInertia></actuator></transmission>"
)
FORCES = ("inverse dynamics", "forward dynamics")
INERTIAL = ("mass matrix", "bias", "gravity", "bias + gravity", *FORCES)


def compared(folder: Path, text: str, *libraries: str, **options: Any) -> RefereeReport:
    return compare_with(load(written(folder, text), **options), libraries, states=3)


def explained(report: RefereeReport, library: str) -> dict[str, tuple[str, ...]]:
    """Rules by quantity, of what does not agree; nothing may be unexplained."""
    result = report[library]
    assert not result.refused
    assert not result.unexplained, report
    assert set(result.rules) == {r for x in result.quantities for r in x.rules}
    for x in result.quantities:  # what remains is rounding, not a little less than the tolerance
        assert x.remainder.relative < 1e-12 or "single precision" in x.rules
    return {x.quantity: x.rules for x in result.quantities if x.rules}


def same(rules: tuple[str, ...], names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(names, rules)


@pytest.mark.needs("pybullet")
def test_nothing_to_explain(tmp_path: Path) -> None:
    """The file as such: equal to rounding in every quantity; PyBullet's poses are 32-bit floats."""
    report = compared(tmp_path, arm(), "pinocchio", "mujoco", "pybullet")
    assert report.ok
    assert not explained(report, "pinocchio")
    assert not explained(report, "mujoco")
    assert explained(report, "pybullet") == same(("single precision",), ("rotations", "positions"))
    assert len(report["pinocchio"].quantities) == 9
    assert len(report["pybullet"].quantities) == 8  # no forward dynamics


@pytest.mark.needs("pybullet")
def test_damping(tmp_path: Path) -> None:
    """Of MuJoCo it is a passive force, which its inverse and forward dynamics have, as ours."""
    text = arm(dynamics='<dynamics damping="0.5"/>')
    report = compared(tmp_path, text, "pinocchio", "mujoco", "pybullet")
    assert explained(report, "pinocchio") == same(("damping",), FORCES)
    assert not explained(report, "mujoco")
    assert explained(report, "pybullet")["inverse dynamics"] == ("damping",)
    assert "shoulder" in report["pinocchio"].rules["damping"]


def test_friction(tmp_path: Path) -> None:
    """Of MuJoCo it is a constraint, which is disabled; its damping must not be left out with it."""
    text = arm(dynamics='<dynamics damping="0.5" friction="0.2"/>')
    report = compared(tmp_path, text, "pinocchio", "mujoco")
    assert explained(report, "pinocchio") == same(("damping", "friction"), FORCES)
    assert explained(report, "mujoco") == same(("friction",), FORCES)


@pytest.mark.needs("pybullet")
def test_armature(tmp_path: Path) -> None:
    report = compared(tmp_path, arm(ROTOR), "pinocchio", "mujoco", "pybullet")
    for name in ("pinocchio", "mujoco"):
        assert explained(report, name) == same(("armature",), ("mass matrix", *FORCES))
    assert explained(report, "pybullet")["mass matrix"] == ("armature",)


@pytest.mark.needs("pybullet")
def test_default_inertia(tmp_path: Path) -> None:
    """A link without <inertial> has no mass with us, and 1 kg in PyBullet."""
    text = arm(link("tip", None), joint("fix", "hand", "tip", "fixed"))
    report = compared(tmp_path, text, "pinocchio", "pybullet")
    assert not explained(report, "pinocchio")
    found = explained(report, "pybullet")
    assert found["mass matrix"] == ("default inertia",)
    assert "hand (2 kg, theirs 3 kg)" in report["pybullet"].rules["default inertia"]


def test_inertia_from_geometry(tmp_path: Path) -> None:
    """MuJoCo gives it the inertia of its collision shapes, with the density of water."""
    box = '<box size="0.1 0.2 0.3"/>'
    text = arm(link("tip", None, geometry=box), joint("fix", "hand", "tip", "fixed"))
    report = compared(tmp_path, text, "pinocchio", "mujoco")
    assert not explained(report, "pinocchio")
    assert explained(report, "mujoco") == same(("inertia from geometry",), INERTIAL)
    assert "theirs 8 kg" in report["mujoco"].rules["inertia from geometry"]  # 2 kg + 6 l of water


def test_several_rules_together(tmp_path: Path) -> None:
    box = '<box size="0.1 0.2 0.3"/>'
    tip = link("tip", None, geometry=box), joint("fix", "hand", "tip", "fixed")
    text = arm(*tip, ROTOR, dynamics='<dynamics damping="0.5" friction="0.2"/>')
    found = explained(compared(tmp_path, text, "mujoco"), "mujoco")
    geometry = "inertia from geometry"
    assert found["mass matrix"] == ("armature", geometry)
    assert found["gravity"] == (geometry,)
    assert found["inverse dynamics"] == ("friction", "armature", geometry)


def test_singular_mass_matrix(tmp_path: Path) -> None:
    """A massless link at the end: no accelerations follow from forces."""
    text = arm(hand=link("hand", 0.0, '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'))
    result = compared(tmp_path, text, "pinocchio")["pinocchio"]
    assert not result.unexplained
    found = {x.quantity: x.rules for x in result.quantities if x.rules}
    assert found == same(("singular mass matrix",), ("forward dynamics",))
    assert json.dumps(result.to_data(), allow_nan=False)  # accelerations that are not numbers


def test_mimic_is_projected(tmp_path: Path) -> None:
    """With mimic="follow" the follower has no speed of its own; the libraries have it."""
    elbow = joint("elbow", "upper", "hand")
    mimic = '<mimic joint="shoulder" multiplier="-2" offset="0.3"/></joint>'
    text = arm().replace(elbow, elbow.replace("</joint>", mimic))
    report = compared(tmp_path, text, "pinocchio", "mujoco", mimic="follow")
    assert len(report.robot.v) == 1
    for name in ("pinocchio", "mujoco"):
        assert not explained(report, name)
        quantities = [x.quantity for x in report[name].quantities]
        assert "forward dynamics" not in quantities  # a mechanism that the library does not have
        assert len(quantities) == 8


# -- libraries with planted errors ---------------------------------------------------------------------
class Careless(Pinocchio):
    """Pinocchio with an error: the inertia of links fixed to another link is dropped."""

    old, new = '<mass value="0.7"/>', '<mass value="0"/>'

    def read(self) -> None:
        text = self.description.text
        assert self.old.replace("/>", " />") in text
        changed = text.replace(self.old.replace("/>", " />"), self.new)
        whole, self.description = self.description, replace(self.description, text=changed)
        super().read()
        self.description = whole


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Any:
    def plant(library: type) -> None:
        monkeypatch.setitem(LIBRARIES, "pinocchio", library)

    return plant


def test_inertia_of_fixed_joints(tmp_path: Path, planted: Any) -> None:
    flat = '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'
    text = arm(link("tip", 0.7, flat), joint("fix", "hand", "tip", "fixed"))
    planted(Careless)
    report = compared(tmp_path, text, "pinocchio")
    assert explained(report, "pinocchio") == same(("inertia of fixed joints",), INERTIAL)


class Wrong(Careless):
    old, new = '<mass value="2.0"/>', '<mass value="2.1"/>'


def test_changed_inertia(tmp_path: Path, planted: Any) -> None:
    planted(Wrong)
    report = compared(tmp_path, arm(), "pinocchio")
    assert explained(report, "pinocchio")["mass matrix"] == ("changed inertia",)
    assert "upper (2 kg, theirs 2.1 kg)" in report["pinocchio"].rules["changed inertia"]


class Coarse(MuJoCo):
    """MuJoCo with principal moments that are nearly those of the file."""

    def read(self) -> None:
        super().read()
        self.model.body_inertia[self.model.body("hand").id] *= 1 + 1e-7


def test_principal_axes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIBRARIES, "mujoco", Coarse)
    report = compared(tmp_path, arm(), "mujoco")
    found = explained(report, "mujoco")
    assert found["mass matrix"] == ("principal axes",)
    assert "gravity" not in found  # it does not depend on the moments
    assert "hand (relative difference" in report["mujoco"].rules["principal axes"]


def test_impossible_inertia(tmp_path: Path, planted: Any) -> None:
    """A moment that exceeds the sum of the others, which a library replaces."""
    thin = '<inertia ixx="9" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>'
    planted(Wrong)
    text = arm(hand=link("hand", 2.0, thin)).replace('mass value="2.0"', 'mass value="1.9"', 1)
    report = compared(tmp_path, text, "pinocchio")
    assert explained(report, "pinocchio")["mass matrix"] == ("impossible inertia",)


def test_a_massless_link_with_moments_is_impossible(tmp_path: Path, planted: Any) -> None:
    """Drake gives it 1 kg; here a planted error does."""
    planted(Massive)
    text = arm(link("tip", 0.0), joint("fix", "hand", "tip", "fixed"))
    report = compared(tmp_path, text, "pinocchio")
    assert explained(report, "pinocchio")["gravity"] == ("impossible inertia",)
    assert "hand (2 kg, theirs 3 kg)" in report["pinocchio"].rules["impossible inertia"]


class Massive(Careless):
    old, new = '<mass value="0.0"/>', '<mass value="1"/>'


class Turned(Careless):
    old, new = '<axis xyz="0 0.6 0.8"/>', '<axis xyz="0 0.8 0.6"/>'


def test_unexplained(tmp_path: Path, planted: Any) -> None:
    """Another axis is not something that a rule explains: entry and state are reported."""
    planted(Turned)
    report = compared(tmp_path, arm(dynamics='<dynamics damping="0.5"/>'), "pinocchio")
    result = report["pinocchio"]
    assert not report.ok
    assert {x.quantity for x in result.unexplained} >= {"mass matrix", "Jacobians", "rotations"}
    worst = next(x for x in result.unexplained if x.quantity == "mass matrix")
    assert worst.entry.startswith("mass matrix[d")
    assert set(worst.state) >= {"shoulder", "delbow", "ddelbow", "tau[delbow]"}
    assert worst.ours != worst.theirs
    assert "UNEXPLAINED" in str(report)

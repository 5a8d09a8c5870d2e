"""Entries of M, bias, gravity and Q are recorded with the factors of the products they are sums of."""

from __future__ import annotations

from equamo.algebra.expr import parse
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.mechanics.formulations.derivation import Derivation
from equamo.mechanics.formulations.entries import (
    bodies_by_speed,
    joint_speeds,
    path_speeds,
    record_entries,
    record_projected,
    record_sums,
)
from equamo.mechanics.kinematics.steps import Recorder, of
from equamo.robot.library import load
from equamo.robot.model import Robot

ARM = load("rr_arm")
UPPER, FORE = (b.name for b in ARM.bodies)
U, V = (x.name for x in ARM.v)


def derivation(letter: str, robot: Robot = ARM) -> Derivation:
    """Two equations whose entries are symbols."""
    M = Matrix([[f"{letter}11", f"{letter}12"], [f"{letter}12", f"{letter}22"]])
    forces = {f.name: Vector([f"{letter}_{f.name}1", f"{letter}_{f.name}2"]) for f in robot.forces}
    return Derivation(M, Vector([f"{letter}b1", f"{letter}b2"]), Vector([0, f"{letter}g"]), forces)


def inputs(record: Recorder) -> dict[str, list[str]]:
    return {s.quantity.text: [x.quantity.text for x in s.inputs] for s in record.steps}


def test_speeds_of_bodies() -> None:
    assert {k: list(x) for k, x in joint_speeds(ARM).items()} == {UPPER: [0], FORE: [1]}
    assert path_speeds(ARM) == {UPPER: [0], FORE: [0, 1]}
    assert bodies_by_speed(ARM) == {U: UPPER, V: FORE}


def test_a_product_with_a_factor_that_was_not_recorded_is_left_out() -> None:
    record = Recorder("kane")
    for k, by in ((UPPER, U), (FORE, U), (FORE, V)):
        record("columns", of("S", k, by), parse(f"S_{k}_{by}"))
    for k in (UPPER, FORE):
        record("forces", of("F", k, U), parse(f"F_{k}"))
    record("forces", of("F", FORE, "", "bias"), parse("b"))
    record_sums(
        record, {"M": "m", "bias": "b", "gravity": "g", "Q": "q"}, [U, V], derivation("x"), ARM,
        path_speeds(ARM),
        M=lambda k, j, i: [of("F", k, i), of("S", k, j)],
        bias=lambda k, j: [of("F", k, "", "bias"), of("S", k, j)],
        gravity=lambda k, j: [of("F", k, "", "gravity"), of("S", k, j)],
        Q=lambda f, j: of("S T", f.bodies(), j),
    )  # fmt: skip
    found = inputs(record)
    assert found[f"M_{U}_{U}"] == [f"{x}_{k}_{U}" for k in (UPPER, FORE) for x in "FS"]
    assert found[f"M_{U}_{V}"] == found[f"M_{V}_{V}"] == []  # no force at the second speed
    assert found[f"bias_{U}"] == [f"F_bias_{FORE}", f"S_{FORE}_{U}"]
    assert found[f"gravity_{V}"] == []
    for f in ARM.forces:
        expected = [f"S_{k}_{V}" for k in dict.fromkeys(f.bodies()) if f"S_{k}_{V}" in found]
        assert found[f"Q_{f.name}_{V}"] == expected
    assert {s.rule for s in record.steps} >= {"m", "b", "g"}


def test_other_speeds_may_contribute_to_the_columns_of_m() -> None:
    record = Recorder("kane")
    record("columns", of("S", UPPER, U), parse("S"))
    record("forces", of("F", UPPER, V), parse("F"))
    record_sums(
        record, "rule", [U, V], derivation("x"), ARM, joint_speeds(ARM),
        M=lambda k, j, i: [of("F", k, i), of("S", k, j)],
        bias=lambda k, j: [],
        gravity=lambda k, j: [],
        Q=lambda f, j: of("", j),
        others=dict.fromkeys((UPPER, FORE), range(2)),
    )  # fmt: skip
    assert inputs(record)[f"M_{U}_{V}"] == [f"F_{UPPER}_{V}", f"S_{UPPER}_{U}"]


def test_projected_entries_come_from_those_of_their_columns() -> None:
    """u1 = v1, u2 = c v1 + v2: the first column of W has two entries, the second one."""
    record, W = Recorder("kane"), Matrix([[1, 0], ["c", 1]])
    record_entries(record, "before", ["u1", "u2"], derivation("x"), lambda x: [])
    record_projected(record, "after", W, ["u1", "u2"], ["v1", "v2"], derivation("y"))
    found = inputs(record)
    assert found["M_v1_v1"] == ["M_u1_u1", "M_u1_u2", "M_u2_u2"]
    assert found["M_v1_v2"] == ["M_u1_u2", "M_u2_u2"]
    assert found["bias_v2"] == ["bias_u2", "M_u1_u2", "M_u2_u2"]
    assert found["gravity_v1"] == ["gravity_u1", "gravity_u2"]
    for f in ARM.forces:
        assert found[f"Q_{f.name}_v2"] == [f"Q_{f.name}_u2"]


def test_the_projected_force_of_an_element_may_come_from_its_columns() -> None:
    record, W = Recorder("kane"), Matrix([[1, 0], ["c", 1]])
    record_entries(record, "before", ["u1", "u2"], derivation("x"), lambda x: [])
    for u in ("u1", "u2"):
        record("column", of("S", FORE, u), parse(f"S_{u}"))
    record_projected(
        record, "after", W, ["u1", "u2"], ["v1", "v2"], derivation("y"),
        lambda f, rows: [of("S", FORE, u) for u in rows],
    )  # fmt: skip
    assert ARM.forces
    for f in ARM.forces:
        assert inputs(record)[f"Q_{f.name}_v1"] == [f"S_{FORE}_u1", f"S_{FORE}_u2"]

"""The functions of a robot are its equations: what a program computes is proved to be that quantity.

Programs come from the recursion with regrouped inertias, from factors and from articulated bodies; the
quantities they are compared with come from the plain derivation by Kane.
"""

from __future__ import annotations

import gc
from pathlib import Path
from weakref import ref

import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import ZERO, Expr
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity.prove import prove_zero
from equamo.code.ir.functions import Function, derivation_text, frame_function, frames, functions
from equamo.code.ir.program import Output, Program
from equamo.code.ir.rebuild import rebuild
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.mechanics.recursions import base_parameters
from equamo.robot.catalog import load, robots
from equamo.robot.model import Robot
from force_robots import arm, one_of_each
from peer_urdf import file
from random_trees import random_tree

pytestmark = pytest.mark.needs("pinocchio")

PLAIN = (
    "inverse_dynamics", "mass_matrix", "bias", "gravity", "coriolis_matrix", "passive_force",
    "input_matrix", "kinematic_map", "kinetic_energy", "potential_energy", "center_of_mass",
)  # fmt: skip


def values(f: Function) -> list[Expr]:
    (found,) = rebuild(f.program()).values()
    assert len(found) == len(f.program().outputs[0].values)
    return found


def entries(quantity: Expr | Vector | Matrix) -> list[Expr]:
    return [quantity] if isinstance(quantity, Expr) else list(quantity.entries)


def check(robot: Robot, by: str = "kane", skip: tuple[str, ...] = ()) -> None:
    """Every function of a robot against the derivation by another method."""
    table, other = functions(derive(robot)), derive(robot, by=by)

    def same(name: str, difference: list[Expr]) -> None:
        assert prove_zero(difference, unit=robot.unit_groups, seed=1), (robot.name, name)

    for name in PLAIN:
        if name not in skip:
            expected = entries(getattr(other, name))
            same(name, [a - b for a, b in zip(values(table[name]), expected, strict=True)])
    same("mass_matrix_factors", _factors(other, values(table["mass_matrix_factors"])))
    same("forward_dynamics", _forward(other, table["forward_dynamics"], other.vdot))
    same("forward_dynamics_inputs", _forward(other, table["forward_dynamics_inputs"], other.vdot))
    derivative = values(table["state_derivative"])
    rates = other.kinematic_map @ Vector(other.v)
    same("q̇", [a - b for a, b in zip(derivative[: len(rates)], rates, strict=True)])
    inputs = values(table["forward_dynamics_inputs"])
    same("v̇", [a - b for a, b in zip(derivative[len(rates) :], inputs, strict=True)])


def _factors(eom: EquationsOfMotion, LD: list[Expr]) -> list[Expr]:
    """Lᵀ D L − M"""
    n = len(eom.v)
    D = [LD[i * n + i] for i in range(n)]
    L = Matrix([
        [LD[i * n + j] if j < i else LD[i * n + i] / D[i] if i == j else ZERO for j in range(n)]
        for i in range(n)
    ])  # fmt: skip
    product = L.T @ Matrix([[D[i] * x for x in row] for i, row in enumerate(L.rows)])
    return [a - b for a, b in zip(product.entries, eom.mass_matrix.entries, strict=True)]


def _forward(eom: EquationsOfMotion, f: Function, vdot: tuple[Expr, ...]) -> list[Expr]:
    """Inverse dynamics of the acceleration that forward dynamics gives is the force it was given."""
    tau = eom.inverse_dynamics.subs(dict(zip(vdot, values(f), strict=True)))
    given = next(a.symbols for a in f.arguments if a.name in ("tau", "inputs"))
    force = list(given)
    if f.name.endswith("inputs"):
        force = list(eom.input_matrix @ Vector(given))
    return [a - b for a, b in zip(tau, force, strict=True)]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    "name",
    # Loops have constraint forces too: test_constraints.py.
    [r.name for r in robots() if not load(r.name).loops]
    if WHOLE_SWEEPS
    else ("rr_arm", "rolling_disc", "stanford"),
)
def test_functions_of_a_robot_are_its_equations(name: str) -> None:
    check(load(name))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", range(30 if WHOLE_SWEEPS else 5))
def test_functions_of_a_random_tree_are_its_equations(seed: int) -> None:
    check(random_tree(100 + seed, bodies=4).robot(), by="lagrange" if seed % 2 else "kane")


def test_functions_with_one_of_each_force_element() -> None:
    check(arm(*one_of_each()))


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("path", "base"), [("panda.urdf", "fixed"), ("a1.urdf", "free")])
def test_functions_of_a_robot_from_a_file(path: str, base: str) -> None:
    check(load(file(path), base=base))


@pytest.mark.parametrize("by", ["kane", "lagrange", "gibbs_appell", "projected_newton_euler"])
def test_functions_of_equations_by_another_method(by: str) -> None:
    eom = derive(load("three_link_prismatic_arm"), by=by)
    for name, f in functions(eom).items():
        if name in PLAIN:
            difference = zip(values(f), entries(getattr(eom, name)), strict=True)
            assert prove_zero([a - b for a, b in difference], seed=1), name


def test_replaced_equations_give_replaced_programs() -> None:
    eom = derive(load("rr_arm")).subs({"g": 0, "m2": "m1"})
    f = functions(eom)["gravity"]
    assert all(x is ZERO for x in values(f))
    difference = zip(values(functions(eom)["mass_matrix"]), eom.mass_matrix.entries, strict=True)
    assert prove_zero([a - b for a, b in difference], seed=1)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ["three_link_arm", "starleth"])
def test_functions_of_every_frame(name: str) -> None:
    robot = load(name)
    eom = derive(robot)
    for frame in frames(eom):
        f = eom.frame(frame)
        rates = f.jacobian_dot() @ Vector(eom.v)
        for kind, expected in (
            ("pose", f.transform()), ("jacobian", f.jacobian()), ("jacobian_dot_v", rates)
        ):  # fmt: skip
            found = values(frame_function(eom, kind, frame))
            difference = [a - b for a, b in zip(found, entries(expected), strict=True)]
            assert prove_zero(difference, unit=robot.unit_groups, seed=1), (frame, kind)


@pytest.mark.ci
def test_the_cheaper_way_is_taken() -> None:
    # Composite bodies and factors for short chains, articulated bodies for long ones.
    from equamo.code.ir.cost import cost
    from equamo.code.ir.lower import lower
    from equamo.code.ir.passes import optimise

    for robot in (load("rr_arm"), random_tree(7, bodies=12, kinds=("revolute",)).robot()):
        f = functions(derive(robot))["forward_dynamics"]
        ways = [optimise(lower(f.name, f.arguments, {"y": way()})) for way in f.ways]
        assert cost(f.program()).estimate == min(cost(p).estimate for p in ways)


def test_no_force_is_lost_in_tau() -> None:
    # The symbols of generalized forces do not clash with a parameter that has their name.
    eom = derive(load("rr_arm"))
    tau = functions(eom)["forward_dynamics"].arguments[2]
    assert len(set(tau.symbols)) == 2
    assert not set(tau.symbols) & {*eom.parameters, *eom.q, *eom.v, *eom.inputs}


@pytest.mark.parametrize("name", ["rr_arm", "puma560", "krang", "panda.urdf"])
def test_names_in_a_program_say_what_the_value_is(name: str) -> None:
    eom = derive(load(file(name) if "." in name else name))
    f = functions(eom)["inverse_dynamics"]
    program = f.program()
    named = Program(
        "named",
        program.arguments,
        program.instructions,
        tuple(Output(name.text, (), (i,)) for i, name in program.names.items()),
    )
    derived = {text: e for e, text in eom.names.items()}
    wrong = [
        text
        for text, (value,) in rebuild(named).items()
        if text in derived and not prove_zero(value - derived[text], seed=1)
    ]
    assert not wrong
    assert any(name.text in derived for name in program.names.values())
    assert not any(name.letter in ("f", "n") for name in program.names.values())


# -- nothing made twice ------------------------------------------------------------------------------
@pytest.mark.ci
def test_one_table_per_equations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Compiled functions, generated code and motion share it, and the search for body frames."""
    searched: list[str] = []
    search = base_parameters.reframed
    monkeypatch.setattr(base_parameters, "reframed", lambda r: searched.append(r.name) or search(r))
    robot = load("iiwa")
    eom = derive(robot)
    assert functions(eom) is functions(eom)
    assert frame_function(eom, "pose", "link7") is frame_function(eom, "pose", "link7")
    fast = eq.compile(eom, cache=False)
    q = [0.1] * 7
    for name in ("gravity", "mass_matrix"):
        getattr(fast, name)(q)
    fast.inverse_dynamics(q, q, q)
    eq.generate(eom, "c", tmp_path, ["mass_matrix"], prove=False)
    functions(derive(robot, coriolis="split"))["mass_matrix"].program()
    assert searched == ["iiwa"]


def test_a_program_does_not_depend_on_what_was_made_before() -> None:
    def text(first: tuple[str, ...]) -> str:
        table = functions(derive(load("rr_arm")))
        for name in first:
            table[name].program()
        return repr(table["bias"].program().instructions)

    assert text(()) == text(("forward_dynamics", "inverse_dynamics", "gravity"))


def test_equations_and_their_programs_are_let_go() -> None:
    eom = derive(load("rr_arm"))
    functions(eom)["inverse_dynamics"].program()
    gone, tree = ref(eom), ref(eom.robot.tree)
    del eom
    gc.collect()
    assert gone() is None
    assert tree() is None


@pytest.mark.parametrize(
    ("by", "text"),
    [("recursive", "recursive, run again for fewer operations"), ("kane", "kane, as derived")],
)
def test_the_derivation_is_named(by: str, text: str) -> None:
    eom = derive(load("rr_arm"), by=by)
    assert derivation_text(eom) == text
    assert text in repr(eq.compile(eom))
    assert derivation_text(eom.subs({"g": 0})) == f"{by}, with symbols replaced"


def test_coriolis_matrices_of_chosen_speeds() -> None:
    """By recursion and by differentiation, whichever is cheaper; dots of W are in both."""
    f = functions(derive(load("wheeled_inverted_pendulum")))["coriolis_matrix"]
    recursion, differentiation = (entries(way()) for way in f.ways)
    assert prove_zero([a - b for a, b in zip(recursion, differentiation, strict=True)], seed=1)

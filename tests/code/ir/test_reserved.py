"""No user's function has a name that equamo builds, and no name of a robot has two meanings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.code.codegen.generate import generate
from equamo.code.ir.differentials import ENDINGS, differential
from equamo.code.ir.frame_derivatives import FRAME_DERIVATIVES
from equamo.code.ir.function import Function
from equamo.code.ir.functions import FRAME_FUNCTIONS, frames
from equamo.code.ir.lookup import function_named, readings, whole_functions
from equamo.code.ir.packing import packed
from equamo.code.ir.parameter_derivatives import derivative_name
from equamo.code.ir.reserved import reserved_pattern
from equamo.code.ir.sensitivities import PREFIXES, sensitivities
from equamo.code.ir.user_functions import user_functions
from equamo.code.jit.compiled import Compiled
from equamo.errors import EquamoError
from equamo.motion.frameworks.casadi import CasadiFunctions
from equamo.motion.frameworks.jax import JaxFunctions
from equamo.motion.frameworks.pytorch import TorchFunctions

EOM = eq.derive(eq.load("rr_arm"))
MATRIX = [["q1", "m1"], [0, "q2"]]

HOSTILE = (
    "gravity_by_m1", "gravity_by_m1__L1", "f_by_anything", "a__b", "f_packed", "gravity_packed",
    "pose_fore_packed", "gravity_pullback", "f_pullback_all", "f_pushforward",
    "gravity_pushforward_all", "f_coordinates", "f_derivatives", "f_jvp", "f_vjp", "f_hessian",
    "f_hvp", "inverse_dynamics_derivatives_coordinates", "forward_dynamics_inputs", "f_inputs",
    "jac_f", "adj1_f", "jac_adj1_f", "fwd1_f", "adj12_f",
    "pose_fore", "jacobian_dot_v_upper",
    "pose_derivatives_fore", "jacobian_derivatives_coordinates_fore", "gravity", "pose",
    "jacobian_derivatives", "step", "rollout", "to_torch", "parameters", "derivative", "fast",
    "certificate",
    "gravity\N{FULLWIDTH LOW LINE}by_m1", "\N{FULLWIDTH LATIN SMALL LETTER G}ravity",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_reserved_name_is_refused_everywhere(name: str) -> None:
    for place, call in (
        ("compile", lambda: eq.compile(EOM, functions={name: "q1 + 42"})),
        ("generate", lambda: generate(EOM, "c", "never", functions={name: "q1 + 42"})),
        ("generate", lambda: generate(EOM, "c", "never", functions=["gravity", {name: "q1"}])),
    ):
        with pytest.raises(EquamoError, match="function") as caught:
            call()
        assert str(caught.value).startswith(place)
        suggested = re.search(r"such as '(\w+)'", str(caught.value))
        if suggested is not None:
            assert user_functions(EOM, "x", {suggested[1]: "q1"})


def test_a_function_without_a_robot_has_a_free_name_too() -> None:
    for name in ("f_packed", "f_by_x", "jac_f"):
        with pytest.raises(EquamoError, match=r"function: a function must not .*such as 'my_\w+'"):
            eq.function("2*x", {"x": "x"}, name=name)


def test_a_name_of_reserved_parts_alone() -> None:
    with pytest.raises(EquamoError, match="such as 'my_function'"):
        user_functions(EOM, "compile", {"packed_packed": "q1", "my_packed": "q1"})


def test_names_that_are_free() -> None:
    free = ("tip", "power", "control", "my_gravity", "by_hand", "packed", "work", "joint_work", "f_n_in",
            "jacobi", "pose_error", "inputs", "stand_by", "coordinates", "derivatives")  # fmt: skip
    assert not [n for n in free if n not in user_functions(EOM, "x", {n: "q1"})]


def built_names(name: str) -> Iterator[str]:
    """Names of functions that are built from a user's function."""
    f = user_functions(EOM, "x", {name: MATRIX})[name]
    yield packed(f).name
    for ending in ENDINGS:
        yield differential(EOM, f, ending).name
    yield derivative_name(EOM, name, "m1")
    yield derivative_name(EOM, name, ["m1", "L1"])
    yield from (g.name for g in sensitivities(EOM, f)[1:])
    yield from (prefix + name for prefix in PREFIXES)


def test_whatever_is_built_from_a_function_is_reserved() -> None:
    assert [n for n in built_names("f") if reserved_pattern(n) is None] == []


@pytest.mark.parametrize("robot", ["rr_arm", "krang_on_wheels", "starleth"])
def test_all_functions_of_a_robot_are_taken(robot: str) -> None:
    eom = eq.derive(eq.load(robot))
    built = [*whole_functions(eom)]
    built += [f"{k}_{f}" for k in (*FRAME_FUNCTIONS, *FRAME_DERIVATIVES) for f in frames(eom)]
    for name in built:
        if name.isidentifier():
            with pytest.raises(EquamoError, match=r"must not have a name|must have a new name"):
                user_functions(eom, "x", {name: 1})


def test_attributes_are_reserved() -> None:
    classes: tuple[type, ...] = (Compiled, TorchFunctions, JaxFunctions, CasadiFunctions)
    public = {n for c in classes for n in (*dir(c), *c.__annotations__) if not n.startswith("_")}
    assert [n for n in public if reserved_pattern(n) is None] == []


# -- robots whose names combine to others --------------------------------------------------------------
def hostile_robot() -> eq.Robot:
    """Bodies, and parameters of the same kind, whose names look like parts of names of functions."""
    names = ["x", "x_packed", "hand", "derivatives_hand", "dot_v_hand", "coordinates_hand", "x_by_m",
             "derivatives_coordinates_hand", "x_pullback", "x_by_m__n"]  # fmt: skip
    bodies: list[eq.Body] = []
    for k, name in enumerate(names):
        parent = {"parent": names[k - 1]} if k else {}
        bodies.append(
            eq.Body(name, eq.revolute(f"q{k}", "xyz"[k % 3]), mass="m", com="n 0 l", **parent)
        )
    symbols: dict[str, Any] = dict.fromkeys(
        ("m", "n", "l", "m_by_n", "m__n", "m_packed", "m_pullback"), 1
    )
    bodies[0] = eq.Body("x", eq.revolute("q0"), mass="m_by_n*m__n", com="m_packed m_pullback 0")
    return eq.Robot("hostile", bodies, gravity="0 0 -9.81", parameters=symbols)


def requests(eom: eq.EquationsOfMotion) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """(what is meant, call that asks for it) of functions of frames, derivatives and packed forms."""
    kinds = (*FRAME_FUNCTIONS, *FRAME_DERIVATIVES)
    bases: list[tuple[tuple[Any, ...], Any]] = [
        ((kind, frame), partial(function_named, eom, kind, frame))
        for kind in kinds
        for frame in frames(eom)
    ]
    bases += [((n,), partial(function_named, eom, n)) for n in ("gravity", "mass_matrix")]
    lists: list[Any] = [x.name for x in eom.parameters]
    lists += [("m", "n"), ("m__n", "l"), ("m", "m_by_n")]

    def by(ask: Any, parameters: Any) -> Function:
        return function_named(eom, derivative_name(eom, ask().name, parameters))

    def ending(ask: Any, text: str) -> Function:
        return function_named(eom, f"{ask().name}_{text}")

    for meant, ask in bases:
        derived = [(meant, ask), *((("by", x, meant), partial(by, ask, x)) for x in lists)]
        derived += [(("by", "m", w), partial(by, a, "m")) for w, a in derived[1:]]
        yield from derived
        yield from ((("pullback", w), partial(ending, a, "pullback")) for w, a in derived)
        if "jacobian_dot_v" not in meant and "gravity" not in meant:  # these have no matrix
            yield from ((("packed", w), partial(ending, a, "packed")) for w, a in derived)


@pytest.mark.ci
def test_every_name_of_a_hostile_robot_has_one_meaning() -> None:
    eom = eq.derive(hostile_robot())
    meanings: dict[str, tuple[Any, ...]] = {}
    refused = 0
    for meant, ask in requests(eom):
        try:
            name = ask().name
        except EquamoError:
            refused += 1
            continue
        assert meanings.setdefault(name, meant) == meant, name
        assert len(readings(eom, name)) == 1
    assert len(meanings) > 500
    assert refused > 50


def test_two_readings_are_shown() -> None:
    eom = eq.derive(hostile_robot())
    fast = eq.compile(eom)
    q = np.zeros(10)
    for call, shown in (
        (lambda: fast.pose("x", q, packed=True), "pose of frame x_packed and the packed form of"),
        (lambda: fast.pose("x_packed", q), "pose of frame x_packed and the packed form of"),
        (
            lambda: fast.derivative("pose", by="m", frame="x"),
            "pose of frame x_by_m and the derivative by m",
        ),
        (
            lambda: fast.derivative("gravity_by_m", by="n"),
            "the derivative by m_by_n of .gravity. and",
        ),
        (lambda: fast.derivative("mass_matrix", by="m")(q, packed=True), "by m_packed of"),
        (lambda: fast.pose_derivatives("hand", q), "pose of frame derivatives_hand and pose_deriv"),
        (
            lambda: fast.jacobian("dot_v_hand", q),
            "jacobian of frame dot_v_hand and jacobian_dot_v of",
        ),
    ):
        with pytest.raises(EquamoError, match=f"must have one meaning, got .*{shown}.*; rename"):
            call()
    assert fast.pose("hand", q).shape == (4, 4)


def test_two_functions_of_one_name(tmp_path: Path) -> None:
    for functions in ([{"f": "q1"}, {"f": "q2"}], ["gravity", {"f": "q1"}, {"f": "q1"}]):
        with pytest.raises(EquamoError, match="a function must be given once, got 'f' twice"):
            generate(EOM, "c", tmp_path, functions)

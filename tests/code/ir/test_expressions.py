"""Expressions with named results and inputs: what is accepted, what is refused, storage."""

from __future__ import annotations

import json
from typing import Any

import pytest

import equamo as eq
from equamo.algebra.expr import internal, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.code.ir.expressions import Expressions
from equamo.code.ir.lookup import function_named
from equamo.code.ir.user_functions import expressions_of, user_functions
from equamo.errors import EquamoError, ExpressionError, UnknownNameError


def read(outputs: Any, inputs: Any = None) -> Expressions:
    return Expressions.read("function", outputs, inputs)


def test_quantities_in_every_form() -> None:
    found = read(
        {"n": 2, "t": "a*b", "v": ["a", 1], "m": [["a"], ["b"]], "e": symbol("c")}, {"x": "a"}
    )
    assert [str(y) for y in found.results] == ["n ()", "t ()", "v (2,)", "m (2, 1)", "e ()"]
    assert [s.name for s in found.rest] == ["b", "c"]
    assert found.arguments[0].is_number
    assert not read("a").named


@pytest.mark.parametrize(
    ("outputs", "inputs", "message"),
    [
        ({}, None, "at least one result must be given"),
        ({"a b": 1}, None, "the name of a result must be an identifier"),
        ({"for": 1}, None, "the name of a result must be an identifier"),
        ({3: 1}, None, "the name of a result must be an identifier"),
        ("a", {"1x": "a"}, "the name of an input must be an identifier"),
        ("a", ["a"], "inputs must be {name: symbols}"),
        ("a", {"x": 3}, "must be a symbol or a list of symbols"),
        ("a", {"x": ["a", "2*b"]}, "must consist of symbols"),
        ("a", {"x": ["a", 1]}, "must consist of symbols"),
        ("a", {"parameters": ["a"]}, "must not be named 'parameters'"),
        ("a", {"out": ["a"]}, "must not be named 'out'"),
        ("a", {"x": ["a"], "z": "a"}, "each symbol must occur once in one input"),
        ({"x": "a"}, {"x": "a"}, "inputs and results must have different names"),
        ({"y": object()}, None, "the result y: A quantity must be"),
        ({"y": [["a"], ["a", "b"]]}, None, "equal lengths"),
    ],
)
def test_what_is_refused(outputs: Any, inputs: Any, message: str) -> None:
    with pytest.raises(EquamoError, match=message):
        read(outputs, inputs)


def test_storage_keeps_internal_symbols_and_shapes() -> None:
    r = internal("reference", "q1")
    outputs = {"m": Matrix([["a", r]]), "none": Matrix([], None, ["x", "y"]), "n": symbol("b")}
    found = read(outputs, {"x": ["a"], "r": [r], "b": "b"})
    again = Expressions.from_data(json.loads(json.dumps(found.to_data())))
    assert again.entries == found.entries
    assert again.results == found.results
    assert again.arguments == found.arguments
    assert again.to_data() == found.to_data()


@pytest.mark.parametrize("damage", [("inputs", [["x", 0, False]]), ("inputs", [["x", 1, False]])])
def test_damaged_storage(damage: tuple[str, Any]) -> None:
    data = read("a + b", {"x": ["a", "b"]}).to_data()
    with pytest.raises(ExpressionError, match="as many entries as their shapes say"):
        Expressions.from_data({**data, damage[0]: damage[1]})


def test_an_input_that_is_not_a_symbol_is_damage() -> None:
    data = read("a + b", {"x": ["a", "b"]}).to_data()
    nodes, outputs = data["nodes"]
    swapped = [outputs[1], outputs[0], outputs[2]]
    with pytest.raises(ExpressionError, match="as many entries as their shapes say"):
        Expressions.from_data({**data, "nodes": [nodes, swapped]})


# -- beside the functions of a robot -------------------------------------------------------------------
def arm() -> eq.EquationsOfMotion:
    return eq.derive(eq.load("rr_arm"))


def test_arguments_are_the_groups_that_occur() -> None:
    eom = arm()
    given = {
        "a": "q1*ddq2", "b": {"y": "tau1", "z": "t*dq1"}, "c": 3,
        "d": Expressions.read("d", "r - q1 + t", {"r": "r"}),
    }  # fmt: skip
    found = user_functions(eom, "compile", given)
    names = {n: [a.name for a in f.arguments] for n, f in found.items()}
    assert names == {
        "a": ["q", "vdot", "parameters"], "b": ["v", "inputs", "t", "parameters"],
        "c": ["parameters"], "d": ["q", "t", "r", "parameters"],
    }  # fmt: skip
    again = user_functions(eom, "compile", {"d": expressions_of(found["d"])})["d"]
    assert again.arguments == found["d"].arguments


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "functions must be {name: expression}"),
        ({"a b": 1}, "the name of a function must be an identifier"),
        ({"_a": 1}, "the name of a function must be an identifier"),
        ({"gravity": 1}, "must have a new name"),
        ({"pose_fore": 1}, "must have a new name"),
        ({"gravity_packed": 1}, "that equamo builds itself .…_packed"),
        ({"a": {"q": "q1"}}, "must not have the name of an argument"),
        ({"a": Expressions.read("a", "z", {"q": ["z"]})}, "must have the same symbols"),
        (
            {
                "a": Expressions.read("a", "x", {"u": "x"}),
                "b": Expressions.read("b", "z", {"u": "z"}),
            },
            "must have the same symbols",
        ),
    ],
)
def test_functions_that_do_not_fit(given: Any, message: str) -> None:
    with pytest.raises(EquamoError, match=message):
        user_functions(arm(), "compile", given)


def test_an_unknown_symbol_lists_those_of_the_robot() -> None:
    with pytest.raises(UnknownNameError, match=r"'kp'.*function 'a'.*eq\.function.*q1"):
        user_functions(arm(), "compile", {"a": "kp*q1"})


def test_a_robot_with_a_parameter_t_has_no_time() -> None:
    body = eq.Body("a", eq.revolute("q1"), mass="t", com="1 0 0")
    eom = eq.derive(eq.Robot("r", [body], parameters={"t": 2, "g": 9.81}))
    (f,) = user_functions(eom, "compile", {"a": "t*q1"}).values()
    assert [a.name for a in f.arguments] == ["q", "parameters"]


def test_a_users_function_is_found_first_by_its_name() -> None:
    eom = arm()
    own = user_functions(eom, "compile", {"tip": [["q1", 0]]})
    assert function_named(eom, "tip", own=own) is own["tip"]
    assert function_named(eom, "tip_packed", own=own).size == 1
    other = user_functions(eom, "compile", {"tip": [["q1", "q2"]]})
    assert function_named(eom, "tip_packed", own=other).size == 2  # not the one of before

"""The public names that the design promises exist, and take the arguments that it shows."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import equamo as eq
from equamo.basics.attached import METHODS

# Function, number of positional arguments, names of keyword arguments.
CALLS: list[tuple[str, int, str]] = [
    ("load", 1, ""),
    ("derive", 1, "by coriolis"),
    ("prove", 1, "seed"),
    ("function", 1, "inputs"),
    ("compile", 1, "functions device"),
    ("generate", 1, "to functions"),
    ("linearize", 1, "symbolic"),
    ("loop", 1, "body at to to_at joint"),
    ("contact", 1, "body at normal"),
    ("audit", 0, "code robot"),
    ("paper", 2, "by"),
    ("derivation", 1, "by"),
    ("animate", 2, ""),
    ("simulate", 1, "q duration"),
    ("report", 2, ""),
    ("Compiled.integrate", 3, ""),
    ("Compiled.difference", 3, ""),
    ("Compiled.certificate", 1, ""),
    ("EquationsOfMotion.in_mode", 1, "LF RH"),
    ("EquationsOfMotion.impact", 2, ""),
    ("EquationsOfMotion.latex", 1, "form"),
    ("SymbolicLinearSystem.transfer_function", 3, ""),
    ("SymbolicLinearSystem.latex", 1, ""),
    ("Trajectory.show", 1, ""),
]
ATTRIBUTES = {
    "EquationsOfMotion": "regressor base_parameters constraint_forces q v mass_matrix inverse_dynamics",
    "SymbolicLinearSystem": "A B",
}
COMPILED = {
    "inverse_dynamics": "q v vdot",
    "inverse_dynamics_derivatives": "q v vdot",
    "forward_dynamics_derivatives": "q v tau",
    "inverse_dynamics_jvp": "q v vdot",
    "inverse_dynamics_vjp": "q v vdot",
    "forward_dynamics_jvp": "q v tau",
    "forward_dynamics_vjp": "q v tau",
    "inverse_dynamics_hessian": "q v vdot lam",
    "inverse_dynamics_hvp": "q v vdot lam",
}


@pytest.mark.parametrize(("name", "positional", "keywords"), CALLS)
def test_calls(name: str, positional: int, keywords: str) -> None:
    function: Any = eq
    for part in name.split("."):
        function = getattr(function, part)
    inspect.signature(function).bind(*range(positional), **dict.fromkeys(keywords.split()))


def test_attributes() -> None:
    for name, attributes in ATTRIBUTES.items():
        cls = getattr(eq, name)
        known = {*dir(cls), *(n for c in cls.__mro__ for n in vars(c).get("__annotations__", ()))}
        assert known >= set(attributes.split()), name


def test_functions_of_compiled_equations() -> None:
    fast = eq.compile(eq.derive(eq.load("rr_arm")))
    for name, arguments in COMPILED.items():
        names = [a.name for a in fast.function(name).source.arguments]
        assert names[: len(arguments.split())] == arguments.split(), name
    assert {"step", "to_torch", "to_jax", "to_casadi"} <= set(METHODS["Compiled"])


def test_a_star_import_brings_the_public_names_and_no_others() -> None:
    space: dict[str, Any] = {}
    exec("from equamo import *", space)
    del space["__builtins__"]
    assert set(space) == set(eq.__all__)
    assert len(set(eq.__all__)) == len(eq.__all__)


def test_tab_completion_shows_the_public_names() -> None:
    assert {n for n in dir(eq) if not n.startswith("__")} == set(eq.__all__)

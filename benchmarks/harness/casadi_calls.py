"""CasADi: C generated from our recursions on SX, compiled with the flags of all others."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import casadi as ca
import numpy as np

from .build import FOLDER, NotBuiltError, library
from .casadi_recursions import Recursions
from .loops import loops, pointers
from .models import States, Tree
from .pinocchio_calls import DERIVATIVES

LIMIT = 600.0  # seconds for gcc


def expression(recursions: Recursions, function: str) -> Any:
    """The outputs of a function; of two ways the one with fewer operations."""
    if function == "inverse_dynamics":
        return recursions.inverse_dynamics()
    if function == "mass_matrix":
        return ca.densify(recursions.mass_matrix())
    if function == "inverse_dynamics_derivatives":
        return packed(recursions, recursions.inverse_dynamics(), recursions.mass_matrix())
    if function == "forward_dynamics_derivatives":
        return packed(recursions, recursions.forward_dynamics_factored())
    ways = (recursions.forward_dynamics_factored(), recursions.forward_dynamics_articulated())
    return min(ways, key=lambda way: graph(recursions, "forward_dynamics", way).n_instructions())


def packed(recursions: Recursions, y: Any, by_last: Any = None) -> Any:
    """Nonzero entries of ∂y along the joint speeds, by v and by the last argument, in this order."""
    q, v, x = recursions.symbols
    along = ca.jacobian(y, q) @ recursions.kinematic_map()
    parts = [along, ca.jacobian(y, v), ca.jacobian(y, x) if by_last is None else ca.tril(by_last)]
    return ca.vertcat(*(ca.sparsify(part).nz[:] for part in parts))


def arguments(recursions: Recursions, function: str) -> Sequence[Any]:
    return recursions.symbols[: 1 if function == "mass_matrix" else 3]


def graph(recursions: Recursions, function: str, outputs: Any) -> Any:
    """A function of CasADi, common sub-expressions shared."""
    return ca.Function(function, arguments(recursions, function), [outputs], {"cse": True})


def source(function: Any) -> str:
    """Its C."""
    with TemporaryDirectory() as folder:
        generator = ca.CodeGenerator("generated.c", {"with_header": False, "verbose": False})
        generator.add(function)
        return Path(generator.generate(f"{folder}/")).read_text()


class CasadiCalls:
    """Generated functions of one robot and random states in our convention."""

    name = "CasADi C"

    def __init__(self, name: str, tree: Tree, states: States) -> None:
        self.robot, self.tree, self.states = name, tree, states
        self.recursions = Recursions(tree)
        self.made: dict[str, tuple[Any, Any]] = {}  # function of CasADi, C function
        self.missing: dict[str, str] = {}

    def with_states(self, states: States) -> CasadiCalls:
        """The same functions on other states."""
        other = CasadiCalls(self.robot, self.tree, states)
        other.made, other.missing = self.made, self.missing
        return other

    def build(self, function: str) -> None:
        """Generate and compile, unless that was done."""
        if function in self.made or function in self.missing:
            return
        made = graph(self.recursions, function, expression(self.recursions, function))
        name = f"casadi-{self.robot}-{function}"
        try:
            self.made[function] = made, library(source(made), name, limit=LIMIT)
        except NotBuiltError as error:
            self.missing[function] = str(error)

    def time(self, function: str, passes: int) -> float:
        """Seconds for one call; NaN where gcc did not end in time."""
        self.build(function)
        if function in self.missing:
            return float("nan")
        n, (made, binary) = self.tree.nv, self.made[function]
        states, work = self.states, np.zeros(max(1, made.sz_w()))
        shape = (n, n) if function == "mass_matrix" else (n,)
        self.result = np.zeros(made.nnz_out() if function in DERIVATIVES else shape)
        given = self.arguments(function)
        arrays = [*given, self.result]
        widths = np.array([*(a.shape[1] for a in given), 0], np.int64)
        clock = loops().time_casadi(
            getattr(binary, function), ctypes.c_long(len(arrays)), pointers(arrays),
            widths.ctypes.data_as(ctypes.c_void_p), work.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_long(states.count), ctypes.c_long(passes),
        )  # fmt: skip
        return clock / (passes * states.count)

    def arguments(self, function: str) -> list[np.ndarray]:
        """The states, as a function takes them."""
        x = self.states.tau if function.startswith("forward_dynamics") else self.states.vdot
        return [self.states.q, self.states.v, x][: 1 if function == "mass_matrix" else 3]

    def python(self, function: str) -> Any:
        """The same machine code behind CasADi's own call from Python."""
        self.build(function)
        made = self.made[function][1]
        return ca.external(function, str(FOLDER / Path(made._name).name))

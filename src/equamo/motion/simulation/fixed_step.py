"""Machine code of fixed-step runs: the kernel of a method and the loop around it.

It is compiled once per equations, control, method and number of lanes, and cached in memory and, like
compiled functions, on disk. The step, the number of steps and all values are arguments.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, final

import numpy as np

from ...algebra.expr import Expr, internal, symbol
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols as symbols_of
from ...code.ir.cost import cost
from ...code.ir.functions import functions
from ...code.ir.lower import lower
from ...code.ir.passes import optimise
from ...code.ir.program import Argument, Program
from ...code.jit import engine
from ...code.jit.arrays import Array
from ...code.jit.batch import WORTH_A_THREAD
from ...code.jit.cache import Cache
from ...code.jit.llvm import Types, ir
from ...code.jit.origin import Equations
from ...code.steps import method_named
from ...code.steps.closed import Closed
from ...code.steps.loop import rollout_ir
from ...code.steps.method import Dynamics, Method
from ...errors import EvaluationError
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.formats.json_file import canonical
from .closed_state import (
    closed_state,
    held_symbols,
    partition_determinant,
    projected_rows,
)
from .inputs import TIME

_Rollout = ctypes.CFUNCTYPE(
    None, *[ctypes.c_void_p] * 4, ctypes.c_int64, ctypes.c_int64
)  # args, strides, numbers, stop, begin, end


@final
@dataclass(frozen=True, eq=False)
class Plan:
    """Everything the machine code depends on; equations are compared by identity."""

    eom: EquationsOfMotion
    method: str
    control: tuple[Expr, ...] | None
    lanes: int
    numeric: bool
    cache: bool
    machine: engine.Machine | None = None  # not needed for the program alone

    def _key(self) -> tuple[Any, ...]:
        own = self.method, self.control, self.lanes, self.numeric, self.cache, self.machine
        return id(self.eom), *own

    def __hash__(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self._key() == other._key()


@final
class FixedStep:
    """Loaded machine code of runs with a fixed step."""

    size: int
    lanes: int
    parameters: tuple[str, ...]

    def __init__(self, code: bytes, parameters: Sequence[str], lanes: int) -> None:
        self.size, self.lanes, self.parameters = len(code), lanes, tuple(parameters)
        self._loaded = engine.load(code)
        self._call = _Rollout(self._loaded.address("rollout"))

    def run(
        self,
        arrays: Sequence[Array],
        strides: Sequence[int],
        numbers: tuple[float, float],
        threads: int,
    ) -> None:
        """Compute all runs; Ctrl-C stops each of them at its next step."""
        count, steps = len(arrays[0]), strides[-2]
        pointers = struct.pack(f"{len(arrays)}Q", *(x.ctypes.data for x in arrays))
        lengths = struct.pack(f"{len(strides)}q", *strides)
        values = struct.pack("2d", *numbers)
        stop = np.zeros(1, np.int64)

        def piece(begin: int, end: int) -> None:
            self._call(pointers, lengths, values, stop.ctypes.data, begin, end)

        groups = -(-count // self.lanes)
        work = self.size * groups * steps
        if work < WORTH_A_THREAD:
            piece(0, count)
            return
        number = max(1, min(threads, groups, work // WORTH_A_THREAD))
        edges = [min(count, self.lanes * (groups * k // number)) for k in range(number)] + [count]
        with ThreadPoolExecutor(number, thread_name_prefix="equamo") as pool:
            futures = [pool.submit(piece, *bounds) for bounds in pairwise(edges)]
            try:
                while wait(futures, timeout=0.1).not_done:
                    pass  # wakes up regularly, so that Ctrl-C is noticed
            finally:
                stop[0] = 1
            for future in futures:
                future.result()


@lru_cache(maxsize=32)
def fixed_step(plan: Plan) -> FixedStep:
    """Machine code of a plan: from memory, from disk, or compiled now."""
    cache = Cache() if plan.cache else None
    if cache is None or not cache.enabled:
        return FixedStep(*_make(plan), plan.lanes)
    control = None if plan.control is None else [e.h for e in plan.control]
    watched = partition_determinant(plan.eom) is not None
    variant = ["rollout", plan.method, control, plan.lanes, plan.numeric, watched]
    machine = asdict(plan.machine or engine.host())
    key = canonical({**Equations(plan.eom).data, "machine": machine, "code": variant})
    hit = cache.get(key)
    if hit is not None:
        return FixedStep(hit.payload, hit.meta["parameters"], plan.lanes)
    code, parameters = _make(plan)
    cache.put(key, code, {"function": f"rollout by {plan.method}", "parameters": parameters})
    return FixedStep(code, parameters, plan.lanes)


def _make(plan: Plan) -> tuple[bytes, list[str]]:
    with engine.LOCK:
        method = closing_method(plan.eom, method_named(plan.method))
        program = kernel(plan, method)
        types = Types("float64", plan.lanes)
        text = ir(program, "float64", plan.lanes)
        robot = plan.eom.robot
        unit, n = robot.state_space.quaternions, len(robot.q)
        loop = rollout_ir(program, method, types, n, n + len(robot.v), unit)
        declared = {line for line in text.splitlines() if line.startswith("declare ")}
        text += "\n".join(line for line in loop.splitlines() if line not in declared) + "\n"
        held = held_symbols(plan.eom)
        parameters = [
            s.name
            for a in program.arguments
            if a.name == "parameters"
            for s in a.symbols
            if s not in held
        ]
        return engine.object_code(text, plan.machine), parameters


def closing_method(eom: EquationsOfMotion, method: Method) -> Method:
    """The method, with a projection after each step for a robot with loops or sticking contacts."""
    if not projected_rows(eom):
        return method
    determinant = partition_determinant(eom)
    return Closed(
        method,
        lambda: closed_state(eom),
        None if determinant is None else lambda: determinant,
    )


def check_momenta(eom: EquationsOfMotion, method: Method) -> None:
    """Raise an error if a method in momenta would ignore constraint forces."""
    if is_augmented(eom.robot) and not method.by_acceleration:
        raise EvaluationError(
            f"{method.name}: the speeds must satisfy the loops and contacts of robot "
            f"{eom.robot.name!r} by themselves, got all joint speeds; use method='rk4', or chosen "
            "speeds (eom.minimal())."
        )


def kernel(plan: Plan, method: Method) -> Program:
    """Program that a method calls, built from the cheapest variant of the dynamics."""
    return min(_kernels(plan, method), key=_estimate)


@lru_cache(maxsize=32)
def variant_used(plan: Plan) -> int:
    """Index of the variant of `state_derivative` in the machine code of a plan."""
    method = closing_method(plan.eom, method_named(plan.method))
    estimates = [_estimate(p) for p in _kernels(plan, method)]
    return estimates.index(min(estimates))


def _estimate(program: Program) -> float:
    return cost(program).estimate


def _kernels(plan: Plan, method: Method) -> list[Program]:
    """Programs for all variants of the dynamics."""
    check_momenta(plan.eom, method)
    eom, robot, table = plan.eom, plan.eom.robot, functions(plan.eom)
    source = table["state_derivative"]
    known = {symbol(n): x for n, x in robot.values.items() if x is not None} if plan.numeric else {}
    control = {} if plan.control is None else dict(zip(eom.inputs, plan.control, strict=True))
    clock = (TIME, internal("clock", "a"), internal("clock", "b"))
    base, total = (
        tuple(internal(purpose, s.name) for s in (*eom.q, *eom.v)) for purpose in ("base", "sum")
    )

    def inserted(e: Any) -> Any:
        """Substitute the control and the values of parameters."""
        return e.subs(control).subs(known)

    def rates(v: Sequence[Expr]) -> Sequence[Expr]:
        return inserted(eom.kinematic_map @ Vector(v)).entries

    def mass_matrix() -> Matrix:
        return inserted(table["mass_matrix"].ways[0]())

    def force() -> Sequence[Expr]:
        tau: Any = table["inverse_dynamics"].ways[0]()
        still = tau.subs(dict.fromkeys(eom.vdot, 0))
        return inserted(eom.input_matrix @ Vector(eom.inputs) - still).entries

    def program(way: Callable[[], Any]) -> Program:
        def vdot() -> Sequence[Expr]:
            return inserted(way()).entries[len(eom.q) :]

        dynamics = Dynamics(eom.q, eom.v, rates, vdot, mass_matrix, force, clock, base, total)
        computed = method.kernel(dynamics)
        outputs = dict(computed.outputs)
        for name in {"closed", "determinant"} & set(outputs):
            outputs[name] = inserted(Vector(outputs[name])).entries
        read = set(symbols_of([e for y in outputs.values() for e in y]))
        # The positions of held contacts come after the parameters.
        numbers = (*(s for s in eom.parameters if s in read), *held_symbols(eom))
        rest = [
            x
            for x in source.arguments
            if x.name not in ("q", "v", "parameters") and not (x.name == "inputs" and control)
        ]
        rest += [Argument("parameters", numbers)] if numbers else []
        arguments = (
            Argument("q", eom.q), Argument("v", eom.v), Argument("clock", clock),
            *computed.arguments, *rest,
        )  # fmt: skip
        return optimise(lower(f"{method.name}_stage", arguments, outputs, source.naming()))

    ways = source.ways if method.by_acceleration else source.ways[:1]
    return [program(way) for way in ways]

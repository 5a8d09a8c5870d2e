"""IPOPT through CasADi, with our graphs, our C, or a model on SX: `python benchmarks/casadi_ipopt.py`

The problems of examples/bridges/casadi_*.py with exact Hessians, each model in a process of its own:

    SX         a model as one writes it in CasADi: the printed M, C v + g and B of the pendulum and
               `casadi.solve`; for Panda the Newton-Euler recursion on SX
    graph      fast.to_casadi().function(…)
    external   fast.to_casadi().external(…), C compiled with -O1

and the C for CasADi of a chain of 24 joints with its Hessian, compiled by gcc -O0. Seconds are processor
time, including child processes (the compiler); memory is the largest of a process. The optimum must be
the same. A whole run writes its table into docs/guide/bridges.md and all figures to
results/casadi_ipopt.json.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path += [str(HERE), str(HERE.parent / "examples" / "bridges")]
PAGE = HERE.parent / "docs" / "guide" / "bridges.md"
PROBLEMS = {"swing-up of the wheeled pendulum": "swing_up", "Panda, point to point": "panda"}
MODELS = ("SX", "graph", "external")
SAME = 1e-7  # relative difference of two optima
CHAIN = 24
SECONDS, MEGABYTES = 10, 1000  # for the chain


# -- one figure, in its own process ----------------------------------------------------------------
def pendulum_on_sx() -> Any:
    """f(q, v, u) from the printed equations."""
    import casadi

    import equamo as eq
    from equamo.code.ir.lower import lower
    from equamo.code.ir.program import Argument
    from equamo.motion.frameworks.casadi_graph import graph

    eom = eq.derive(eq.load("wheeled_inverted_pendulum"), by="kane")
    eom = eom.subs({**eom.robot.values, **dict.fromkeys((s.name for s in eom.external), 0)})
    arguments = [Argument("q", eom.q), Argument("v", eom.v)]
    values = {
        "M": eom.mass_matrix, "h": eom.bias + eom.gravity - eom.passive_force, "B": eom.input_matrix,
        "N": eom.kinematic_map,
    }  # fmt: skip
    parts = graph(casadi, lower("parts", arguments, values), ())
    q, v, u = (casadi.SX.sym(n, k) for n, k in (("q", 5), ("v", 3), ("u", 2)))
    M, h, B, N = parts(q, v)
    return casadi.Function("f", [q, v, u], [casadi.vertcat(N @ v, casadi.solve(M, B @ u - h))])


def panda_on_sx() -> tuple[Any, Any]:
    """Inverse dynamics and the pose of the hand, by recursions on SX."""
    import casadi
    from casadi_point_to_point import HAND
    from harness.casadi_recursions import Recursions, numbers
    from harness.models import SOURCES, pinocchio_model, tree

    model = pinocchio_model(SOURCES["Panda"])
    recursions = Recursions(tree(model))
    q, v, a = recursions.symbols
    damped = recursions.inverse_dynamics() + numbers(model.damping) * v
    torque = casadi.Function("torque", [q, v, a], [damped])
    frame = model.frames[model.getFrameId(HAND)]
    A, r = numbers(frame.placement.rotation), numbers(frame.placement.translation)
    i = int(frame.parentJoint) - 1
    while i >= 0:
        place = recursions.places[i]
        A, r, i = place.A @ A, place.r + place.A @ r, int(recursions.tree.parents[i])
    T = casadi.vertcat(casadi.horzcat(A, r), casadi.horzcat(casadi.SX(1, 3), 1))
    return torque, casadi.Function("pose", [q], [casadi.densify(T)])


def work(problem: str, model: str) -> tuple[Callable[[], Any], Callable[[Any], dict[str, Any]]]:
    """How a model is made, and how the problem is solved with it."""
    if problem == "swing_up":
        from casadi_swing_up import dynamics, ends, swing_up

        make = pendulum_on_sx if model == "SX" else lambda: dynamics(model == "external")
        return make, lambda f: swing_up(f, *ends())
    from casadi_point_to_point import functions, point_to_point
    from operations import robot_file

    path = robot_file("panda.urdf")
    make = panda_on_sx if model == "SX" else lambda: functions(path, model == "external")
    return make, lambda made: point_to_point(*made)


def clock() -> float:
    """Processor time of this process and of its children."""
    found = (resource.getrusage(x) for x in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(x.ru_utime + x.ru_stime for x in found)


def memory() -> float:
    """Largest memory of this process or of a child [MB]."""
    unit = 1 if sys.platform == "darwin" else 1024
    found = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(x).ru_maxrss for x in found) * unit / 1e6


def measure(problem: str, model: str) -> dict[str, float]:
    make, solve = work(problem, model)
    start = clock()
    made = make()
    ready = clock()
    found = solve(made)
    assert found["success"], found["return_status"]
    return {
        "make": ready - start, "solve": clock() - ready, "iterations": found["iter_count"],
        "cost": found["cost"], "memory": memory(),
    }  # fmt: skip


def compile_chain() -> dict[str, float]:
    """gcc on the C of inverse dynamics of a chain, its Jacobian and Hessian."""
    import equamo as eq

    body = {"mass": "1.5", "com": "0.01 0.02 0.15", "inertia": "0.02 0.001 0.002 0.03 0.001 0.01"}
    bodies = [
        eq.Body(
            f"b{k}", eq.revolute(f"q{k}", axis="xyz"[k % 3], at="0.1 0.02 0.3"),
            parent=f"b{k - 1}" if k > 1 else "world", **body,
        )
        for k in range(1, CHAIN + 1)
    ]  # fmt: skip
    eom = eq.derive(eq.Robot("chain", bodies))
    with TemporaryDirectory() as folder:
        start = clock()
        (path,) = eq.generate(
            eom, "casadi", folder, ["inverse_dynamics"], parameters="numeric", prove=False
        )
        made, size, began = clock() - start, path.stat().st_size, time.perf_counter()
        start = clock()
        flags = ["-O0", "-shared", "-fPIC", path, "-o", f"{folder}/chain.so", "-lm"]
        subprocess.run(["gcc", *flags], check=True)
        unit = 1 if sys.platform == "darwin" else 1024
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit / 1e6
        return {
            "generate": made, "compile": clock() - start, "wall": time.perf_counter() - began,
            "memory": peak, "size": size / 1e6,
        }  # fmt: skip


# -- all of them -----------------------------------------------------------------------------------
def in_a_process(*what: str) -> dict[str, float]:
    arguments = [sys.executable, __file__, *what]
    done = subprocess.run(arguments, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    from harness.results import new_results
    from harness.tables import Table, machine, write
    from rich.console import Console

    results = new_results("casadi_ipopt", ["casadi"])
    rows: list[list[str]] = []
    for title, problem in PROBLEMS.items():
        found = {model: in_a_process(problem, model) for model in MODELS}
        costs = [x["cost"] for x in found.values()]
        assert np.ptp(costs) <= SAME * max(costs), f"{title}: other optima {costs}"
        for model, x in found.items():
            each = 1e3 * x["solve"] / x["iterations"]
            rows.append(
                [title, model, f"{x['cost']:.6f}", f"{x['iterations']:.0f}", f"{x['make']:.1f}",
                 f"{x['solve']:.2f}", f"{each:.1f}", f"{x['memory']:.0f}"]
            )  # fmt: skip
            peer = ", peer" if model == "SX" else ""
            results.add(f"{title}, {model}: model", x["make"], f"s{peer}")
            results.add(f"{title}, {model}: solution", x["solve"], f"s{peer}")
            results.add(f"{title}, {model}: memory", x["memory"], "MB")
    headings = ["problem", "model", "optimum", "iterations", "model [s]", "solution [s]",
                "per iteration [ms]", "memory [MB]"]  # fmt: skip
    table = Table("IPOPT through CasADi, exact Hessians", headings, rows)
    table.show(Console())
    chain = in_a_process("chain")
    line = (
        f"A chain of {CHAIN} joints, inverse dynamics with its Jacobian and Hessian, "
        f"{chain['size']:.1f} MB of C: gcc -O0 takes {chain['compile']:.1f} s and "
        f"{chain['memory']:.0f} MB (at most {SECONDS} s and {MEGABYTES} MB); it was generated in "
        f"{chain['generate']:.0f} s."
    )
    print(line)
    for name, unit in (("generate", "s"), ("compile", "s"), ("memory", "MB")):
        results.add(f"chain of {CHAIN}: {name}", chain[name], unit)
    write(PAGE, {"ipopt": f"{table.markdown()}\n\n{line}\n\nMeasured on {machine()}."})
    results.write()


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(measure(*sys.argv[1:])))
    elif sys.argv[1:] == ["chain"]:
        print(json.dumps(compile_chain()))
    else:
        main()

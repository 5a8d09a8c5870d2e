"""Derivation and proof against SymPy, in one run: `python benchmarks/derive.py`

Krang (17 joints, every length and inertia a symbol) by all five formulations with its full certificate
is compared with SymPy's `System` and Kane's method on three spatial arms of six revolute joints, all
symbols. The first has ten inertial numbers and the three coordinates of the joint on each link. The
second has a single length on each link, which is easier than Krang's links. The third is easy: principal
moments of inertia only, and one length per link, with its centre of mass halfway. SymPy gives M and one
forcing vector, not simplified, and proves nothing.

A planar pendulum of 60 links on a cart (M and bias), beside SymPy's own
`n_link_pendulum_on_cart(10)`: M and forcing.

Each runs in a process of its own. Seconds are processor time of one thread, the best of several runs,
SymPy's caches emptied before each. They go to results/derive.json.
Operations of ours are multiplications and additions of the shared graph; SymPy's are its `count_ops`
(sin and cos counted too), of the expressions as they stand and after its `cse`.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from harness.results import new_results

LINKS = 60
REACH = 10.0  # times faster
MOST = 3.0  # times as long on rolling wheels

Measured = tuple[float, str, dict[str, int]]  # seconds, remarks, and operations by quantity


def best(runs: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """(seconds of the fastest run, its result)."""
    seconds, result = float("inf"), None
    for _ in range(runs):
        result = None
        if "sympy" in sys.modules:
            from sympy.core.cache import clear_cache

            clear_cache()
        gc.collect()
        start = time.process_time()
        result = work()
        seconds = min(seconds, time.process_time() - start)
    return seconds, result


# -- ours ------------------------------------------------------------------------------------------
def prove_krang() -> Any:
    from equamo.mechanics.certificate import prove
    from equamo.robot.library.krang import krang

    certificate = prove(krang())
    assert certificate.ok
    return certificate


def pendulum(links: int) -> Any:
    """M and bias of a cart that carries a chain of links, with a bob at the end of each."""
    from equamo.mechanics.equations import derive
    from equamo.robot.model import Body, Robot, prismatic, revolute

    bodies = [Body("cart", prismatic("q0", axis="x"), mass="m0")]
    for i in range(1, links + 1):
        at = "0 0 0" if i == 1 else f"0 l{i - 1} 0"
        joint = revolute(f"q{i}", axis="z", at=at)
        bodies.append(Body(f"link{i}", joint, f"m{i}", f"0 l{i} 0", parent=bodies[-1].name))
    eom = derive(Robot("pendulum", bodies, gravity="0 -g 0"))
    return eom.mass_matrix, eom.bias, eom.gravity


# -- SymPy -----------------------------------------------------------------------------------------
def sympy_arm(lengths: int) -> Any:
    """(M, forcing) of a spatial 6R arm by System and Kane's method; 1 to 3 lengths on each link."""
    import sympy as sm
    from sympy.physics import mechanics as me

    world = me.RigidBody("world")
    system = me.System.from_newtonian(world)
    parent, origin = world, 0 * world.frame.x
    for i, axis in enumerate("zyxzyx", 1):
        F, G = me.ReferenceFrame(f"F{i}"), me.Point(f"G{i}")
        tensor = me.inertia(F, *sm.symbols(f"XX{i} YY{i} ZZ{i} XY{i} YZ{i} XZ{i}"))
        body = me.RigidBody(f"b{i}", G, F, sm.Symbol(f"m{i}"), (tensor, G))
        cx, cy, cz = sm.symbols(f"cx{i} cy{i} cz{i}")
        to_joint = -(cx * F.x + cy * F.y + cz * F.z)  # from the centre of mass
        place = origin
        for x in "xyz"[:lengths]:
            place = place + sm.Symbol(f"l{x}{i}") * getattr(parent.frame, x)
        q, u = me.dynamicsymbols(f"q{i} u{i}")
        system.add_joints(
            me.PinJoint(f"j{i}", parent, body, q, u, parent_point=place, child_point=to_joint,
                        joint_axis=getattr(parent.frame, axis))
        )  # fmt: skip
        parent, origin = body, to_joint
    system.apply_uniform_gravity(-sm.Symbol("g") * world.frame.z)
    system.form_eoms()
    return system.mass_matrix, system.forcing


def sympy_easy_arm() -> Any:
    """(M, forcing) of a spatial 6R arm of slender links: principal moments, one length per link."""
    import sympy as sm
    from sympy.physics import mechanics as me

    world = me.RigidBody("world")
    system = me.System.from_newtonian(world)
    parent, joint_on_parent = world, 0 * world.frame.x
    for i, axis in enumerate("zyxzyx", 1):
        F, G = me.ReferenceFrame(f"F{i}"), me.Point(f"G{i}")
        tensor = me.inertia(F, *sm.symbols(f"XX{i} YY{i} ZZ{i}"))
        body = me.RigidBody(f"b{i}", G, F, sm.Symbol(f"m{i}"), (tensor, G))
        half = sm.Symbol(f"l{i}") / 2 * F.x  # from the centre of mass to the next joint
        q, u = me.dynamicsymbols(f"q{i} u{i}")
        system.add_joints(
            me.PinJoint(f"j{i}", parent, body, q, u, parent_point=joint_on_parent, child_point=-half,
                        joint_axis=getattr(parent.frame, axis))
        )  # fmt: skip
        parent, joint_on_parent = body, half
    system.apply_uniform_gravity(-sm.Symbol("g") * world.frame.z)
    system.form_eoms()
    return system.mass_matrix, system.forcing


def sympy_pendulum() -> Any:
    from sympy.physics.mechanics.models import n_link_pendulum_on_cart

    kane = n_link_pendulum_on_cart(10)
    return kane.mass_matrix, kane.forcing


def sympy_operations(seconds: float, what: Any) -> Measured:
    import sympy as sm

    plain = sum(sm.count_ops(x) for x in what)
    replacements, reduced = sm.cse([e for x in what for e in x])
    shared = sum(sm.count_ops(e) for _, e in replacements) + sum(sm.count_ops(e) for e in reduced)
    return seconds, f"{plain:,} operations ({shared:,} after cse)", {}


# -- each in a process of its own ------------------------------------------------------------------
def krang() -> Measured:
    from equamo.algebra.expr.count import count
    from equamo.mechanics.equations import derive
    from equamo.mechanics.recursions.newton_euler import inverse_dynamics
    from equamo.robot.library.krang import krang

    seconds, certificate = best(5, prove_krang)
    robot = krang()
    M = derive(robot).mass_matrix
    tau = inverse_dynamics(robot, robot.v, robot.vdot, robot.gravity)  # hands free
    counts = {"M": count(M.entries).total, "inverse dynamics": count(tau).total}
    text = f"M {counts['M']:,}, inverse dynamics {counts['inverse dynamics']:,} mult + add"
    return seconds, f"{len(certificate.lines)} identities proved; {text}", counts


def wheels() -> Measured:
    from equamo.mechanics.certificate import prove
    from equamo.robot.library.krang_on_wheels import krang_on_wheels

    seconds, certificate = best(3, lambda: prove(krang_on_wheels()))
    assert certificate.ok
    return seconds, f"{len(certificate.lines)} identities proved", {}


def chain() -> Measured:
    from equamo.algebra.expr.count import count

    seconds, (M, bias, gravity) = best(5, lambda: pendulum(LINKS))
    total = count([*M.entries, *bias, *gravity]).total
    counts = {"M, bias and gravity": total}
    return seconds, f"M, bias and gravity {total:,} mult + add", counts


def arm() -> Measured:
    return sympy_operations(*best(2, lambda: sympy_arm(3)))


def easier_arm() -> Measured:
    return sympy_operations(*best(2, lambda: sympy_arm(1)))


def easy_arm() -> Measured:
    return sympy_operations(*best(2, sympy_easy_arm))


def cart() -> Measured:
    return sympy_operations(*best(2, sympy_pendulum))


PROGRAMS: dict[str, tuple[str, Callable[[], Measured]]] = {
    "krang": ("equamo, Krang, 5 formulations + certificate", krang),
    "wheels": ("equamo, Krang on rolling wheels, the same", wheels),
    "arm": ("SymPy, spatial 6R, all symbols, System + Kane", arm),
    "easier arm": ("SymPy, the same with one length per link", easier_arm),
    "easy arm": ("SymPy, and with principal moments only", easy_arm),
    "chain": (f"equamo, pendulum of {LINKS} links on a cart", chain),
    "cart": ("SymPy, n_link_pendulum_on_cart(10)", cart),
}


def main() -> None:
    """Print the table and store the results."""
    results = new_results("derive", peers=["sympy"])
    seconds: dict[str, float] = {}
    for key, (label, _) in PROGRAMS.items():
        script = [sys.executable, __file__, key]
        done = subprocess.run(script, capture_output=True, text=True, check=True)
        seconds[key], what, counts = json.loads(done.stdout)
        results.add(label, seconds[key], "s, peer" if label.startswith("SymPy") else "s")
        for quantity, operations in counts.items():
            results.add(f"{label}: {quantity}", operations, "operations")
        print(f"{label:46}{seconds[key]:9.3f} s   {what}", flush=True)
    ratios = {
        "Krang and certificate, against 6R": seconds["arm"] / seconds["krang"],
        "Krang and certificate, against the easier 6R": seconds["easier arm"] / seconds["krang"],
        "Krang and certificate, against the easy 6R": seconds["easy arm"] / seconds["krang"],
        f"{LINKS} links, against 10 links": seconds["cart"] / seconds["chain"],
    }
    for label, ratio in ratios.items():
        results.add(label, ratio, "times faster")
        print(f"{label:46}{ratio:9.1f} ×   to reach: {REACH:.0f} ×")
    label, ratio = (
        "Krang on rolling wheels, against fixed wheels",
        seconds["wheels"] / seconds["krang"],
    )
    results.add(label, ratio, "times as long")
    print(f"{label:46}{ratio:9.1f}     to stay below: {MOST:.0f}")
    results.write()


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(PROGRAMS[sys.argv[1]][1]()))
    else:
        main()

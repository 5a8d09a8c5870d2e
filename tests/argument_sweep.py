"""Calls of every public function with each argument in turn replaced by a hostile value.

A call must work or raise an EquamoError. Python's own TypeError for unknown or missing arguments cannot
occur here, because the names of the arguments stay.
"""

from __future__ import annotations

import inspect
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import equamo as eq

Call = tuple[Callable[..., Any], dict[str, Any]]


class Unreadable:
    """An object that has no text, no truth value and no length."""

    def __bool__(self) -> bool:
        raise RuntimeError("no truth value")

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __len__(self) -> int:
        raise RuntimeError("no length")


HOSTILE: dict[str, Any] = {
    "None": None,
    "True": True,
    "1": 1,
    "-1": -1,
    "1.5": 1.5,
    "nan": float("nan"),
    "inf": float("inf"),
    "10**400": 10**400,
    "1/3": Fraction(1, 3),
    "2j": 2j,
    "float32": np.float32(1),
    "int64": np.int64(2),
    "empty text": "",
    "blank": " ",
    "nonsense": "nonsense",
    "half an expression": "sin(",
    "bytes": b"q1",
    "empty list": [],
    "empty dict": {},
    "empty tuple": (),
    "set": {1, 2},
    "list of None": [None],
    "list of lists": [[1], [2, 3]],
    "list of text": ["nonsense", "q1"],
    "dict of nonsense": {"nonsense": 1},
    "dict by number": {1: 2},
    "dict of None": {"q1": None},
    "dict of objects": {"q1": object()},
    "dict of text": {"q1": "nonsense"},
    "object": object(),
    "class": int,
    "function": lambda: 0,
    "function of all": lambda *given, **named: "nonsense",
    "array 3d": np.zeros((3, 3, 3)),
    "array of nan": np.full(2, np.nan),
    "array of objects": np.array([None, "x"], dtype=object),
    "array 0d": np.array(1.0),
    "range": range(2),
    "generator": None,  # made for each call
    "unreadable": Unreadable(),
    "symbol": eq.parse("nonsense"),
    "vector": eq.Vector(["a", 1]),
    "matrix": eq.Matrix([["a", 1]]),
    "robot": eq.load("rp_arm"),
}


def hostile(name: str) -> Any:
    """The value of this name; a generator is made anew."""
    return (x for x in (1, "q1")) if name == "generator" else HOSTILE[name]


# -- what the calls use ------------------------------------------------------------------------------
@cache
def arm() -> eq.Robot:
    return eq.load("rr_arm")


@cache
def eom() -> eq.EquationsOfMotion:
    return eq.derive(arm())


@cache
def looped() -> eq.EquationsOfMotion:
    return eq.derive(eq.load("four_bar"))


@cache
def legged() -> eq.EquationsOfMotion:
    """A block that slides on a floor, with contacts."""
    body = eq.Body("block", eq.planar("p"), mass=2, inertia="1 1 1")
    contacts = [
        eq.contact(n, "block", at=f"{x} -1 0", normal="y") for n, x in (("L", -1), ("R", 1))
    ]
    return eq.derive(eq.Robot("block", [body], gravity="0 -g 0", parameters={"g": 9.81},
                              contacts=contacts))  # fmt: skip


@cache
def standing() -> eq.EquationsOfMotion:
    """The block on one of its contacts."""
    return legged().in_mode(L="stick")


@cache
def compiled() -> Any:
    return eq.compile(eom(), functions={"power": "tau1*dq1"})


@cache
def called() -> Any:
    """Compiled equations of which one function was called, so that it has a certificate."""
    fast = eq.compile(eom())
    fast.gravity([0, 0])
    return fast


@cache
def motion() -> eq.Trajectory:
    return eq.simulate(eom(), q=[0.1, 0.2], duration=0.05)


@cache
def linear() -> eq.LinearSystem:
    return eq.linearize(eom())  # type: ignore[return-value]


@cache
def symbolic() -> eq.SymbolicLinearSystem:
    rod = eq.Body("rod", eq.revolute("q", axis="y"), mass="m", com="0 0 L")
    pendulum = eq.Robot("pendulum", [rod], parameters={"m": 1, "L": 2, "g": 9.81})
    return eq.linearize(eq.derive(pendulum), symbolic=True)  # type: ignore[return-value]


@cache
def transfer() -> eq.TransferFunction:
    return symbolic().transfer_function("tau_q", "q")


@cache
def feedback() -> eq.LinearFeedback:
    return eq.lqr(linear(), 1)


@cache
def certificate() -> eq.Certificate:
    return eq.prove(arm(), seed=1)


@cache
def claims_audit() -> eq.Audit:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "claims.toml")
        path.write_text('equamo_claims = 1\n[claims.g]\nquantity = "gravity"\n', encoding="utf-8")
        return eq.audit(path, arm())


def folder() -> str:
    return tempfile.mkdtemp(prefix="equamo-sweep-")


POOL = ThreadPoolExecutor(1)
CIRCLE = {"q1": "sin(t)", "q2": "t/2"}


def body(**more: Any) -> dict[str, Any]:
    return {"name": "b", "joint": eq.revolute("q9"), "mass": 1, "com": "0 0 0", "inertia": "1 1 1",
            "parent": "world", **more}  # fmt: skip


@cache
def model_calls() -> dict[str, Call]:
    """Calls of what builds robots, which need no equations and are fast."""
    place = {"at": "0 0 0", "rotation": None, "name": ""}
    return {
        "load": (eq.load, {"name": "rr_arm"}),
        "Robot": (eq.Robot, {
            "name": "r", "bodies": [eq.Body("a", eq.revolute("q1"), mass=1)], "gravity": "0 0 -g",
            "forces": None, "parameters": {"g": 9.81}, "base": None, "home": {"q1": 0.1},
            "notation": {"q1": "q_1"}, "description": "", "speeds": None, "rates": None,
            "constraints": (), "eliminate": None, "limits": {"q1": (-1, 1)}, "shapes": None,
            "import_report": None, "loops": (), "contacts": (), "mode": None, "meshes": None,
        }),
        "Body": (eq.Body, body()),
        "Inertia.central": (eq.Inertia.central, {"mass": 1, "com": "0 0 0", "tensor": "1 1 1"}),
        "Inertia.about_origin": (eq.Inertia.about_origin, {"numbers": [1, 0, 0, 0, 1, 0, 0, 1, 0, 1]}),
        "Parameter": (eq.Parameter, {"name": "m", "value": 1, "unit": "kg", "description": "",
                                     "nonnegative": True}),
        "Limits.of": (eq.Limits.of, {"coordinate": "q1", "given": (-1, 1)}),
        "BaseMotion": (eq.BaseMotion, {"w": "0 0 0", "v": "0 0 0", "alpha": "0 0 0", "a": "0 0 0"}),
        "revolute": (eq.revolute, {"q": "q1", "axis": "z", **place}),
        "prismatic": (eq.prismatic, {"q": "q1", "axis": "z", **place}),
        "helical": (eq.helical, {"q": "q1", "pitch": "h", "axis": "z", **place}),
        "cylindrical": (eq.cylindrical, {"q": "a b", "axis": "z", **place}),
        "universal": (eq.universal, {"q": "a b", **place}),
        "planar": (eq.planar, {"q": "p", **place, "plane": "xy"}),
        "spherical": (eq.spherical, {"q": "s", "rotation": "euler", "at": "0 0 0", "name": ""}),
        "free": (eq.free, {"q": "base", "rotation": "quaternion", "at": "0 0 0", "name": ""}),
        "fixed": (eq.fixed, dict(place)),
        "custom": (eq.custom, {"q": "a", "rotation": None, "position": "a 0 0", "axis": None,
                               "name": ""}),
        "unit_vectors": (eq.unit_vectors, {"q": "a", "x": "cos(a) sin(a) 0", "y": "-sin(a) cos(a) 0",
                                           "z": "0 0 1", "P": "0 0 0", "e": "0 0 1"}),
        "joint_actuator": (eq.joint_actuator, {"coordinate": "q1", "input": "f", "name": "",
                                               "gear": 2}),
        "torque_actuator": (eq.torque_actuator, {"body": "a", "reaction_on": "world",
                                                 "torque": "T 0 0", "name": ""}),
        "force_actuator": (eq.force_actuator, {"body": "a", "reaction_on": "world", "force": "F 0 0",
                                               "at": "0 0 0", "to_at": "0 0 0", "name": ""}),
        "cylinder": (eq.cylinder, {"body": "a", "to": "world", "input": "f", "at": "1 0 0",
                                   "to_at": "0 0 0", "name": ""}),
        "wrench": (eq.wrench, {"body": "a", "force": "F 0 0", "torque": "0 0 0", "at": "0 0 0",
                               "expressed_in": None, "name": "", "point_in": None}),
        "joint_spring": (eq.joint_spring, {"coordinate": "q1", "stiffness": 1, "rest": 0, "name": ""}),
        "joint_damper": (eq.joint_damper, {"coordinate": "q1", "damping": 1, "name": ""}),
        "joint_friction": (eq.joint_friction, {"coordinate": "q1", "coulomb": 1, "viscous": 1,
                                               "smoothing": None, "name": ""}),
        "rotor_inertia": (eq.rotor_inertia, {"coordinate": "q1", "rotor": 1, "ratio": 1, "name": ""}),
        "spring": (eq.spring, {"body": "a", "to": "world", "stiffness": 1, "rest": 0, "at": "1 0 0",
                               "to_at": "0 0 0", "name": ""}),
        "damper": (eq.damper, {"body": "a", "to": "world", "damping": 1, "at": "1 0 0",
                               "to_at": "0 0 0", "name": ""}),
        "constraint": (eq.constraint, {"equation": "dq1 = 2*dq2", "name": "c"}),
        "constraint_report": (eq.constraint_report, {"robot": arm()}),
        "loop": (eq.loop, {"name": "l", "body": "a", "at": "0 0 0", "axis": "z", "to": "world",
                           "to_at": "0 0 0", "to_axis": None, "joint": "revolute", "length": None,
                           "rotation": None}),
        "contact": (eq.contact, {"name": "c", "body": "a", "at": "0 0 0", "normal": "z"}),
        "check": (eq.check, {"robot": arm()}),
        "Robot.add_frame": (arm().add_frame, {"name": "f", "body": "fore", "at": "0 0 0",
                                              "rotation": None}),
        "Robot.add_mass": (arm().add_mass, {"body": "fore", "mass": 1, "com": "0 0 0",
                                            "inertia": "0 0 0"}),
        "Robot.attach": (arm().attach, {"tool": eq.Body("t", mass=1), "to": "fore", "prefix": "p"}),
        "Robot.body": (arm().body, {"name": "fore"}),
        "Robot.columns": (arm().columns, {"body": "fore"}),
        "Robot.in_mode": (lambda given, L: legged().robot.in_mode(given, L=L),
                          {"given": None, "L": "stick"}),
        "Robot.joint_pose": (arm().joint_pose, {"body": "fore"}),
        "Robot.lock": (lambda given, q1: arm().lock(given, q1=q1), {"given": None, "q1": 0}),
        "Robot.path": (arm().path, {"name": "fore"}),
        "Robot.spatial_frame": (arm().spatial_frame, {"name": "fore"}),
        "Robot.with_forces": (lambda force, only: arm().with_forces(force, only=only),
                              {"force": eq.joint_spring("q1", 2), "only": False}),
        "Robot.with_home": (lambda given, q1: arm().with_home(given, q1=q1),
                            {"given": None, "q1": 0.1}),
        "Robot.with_speeds": (arm().with_speeds, {"speeds": None, "rows": None}),
        "Robot.with_values": (lambda given, m1: arm().with_values(given, m1=m1),
                              {"given": None, "m1": 2}),
    }  # fmt: skip


@cache
def calls() -> dict[str, Call]:
    """A valid call of every public function: {name: (function, arguments)}."""
    return model_calls() | other_calls()


@cache
def other_calls() -> dict[str, Call]:
    """Calls of what works with equations."""
    q, v = [0.1, 0.2], [0.3, 0.4]
    fast, e = compiled(), eom()
    rows = eq.Matrix([["a", "b"], ["c", "d"]], ["x", "y"], ["x", "y"])
    row = eq.Vector(["a", "b"], ["x", "y"])
    frame = e.frame("fore")
    views = {"at": None, "expressed_in": "world", "relative_to": "world"}
    directions = {"expressed_in": "world", "relative_to": "world"}
    return {
        # -- equations
        "derive": (eq.derive, {"robot": arm(), "by": "kane", "coriolis": "christoffel"}),
        "derivation": (eq.derivation, {"robot": arm(), "by": "kane"}),
        "EquationsOfMotion.evaluate": (e.evaluate, {
            "what": "gravity", "q": q, "v": v, "vdot": [0, 0], "inputs": [0, 0], "external": None,
            "values": {"m1": 1},
        }),
        "EquationsOfMotion.body_loads": (e.body_loads, {"name": "fore"}),
        "EquationsOfMotion.explicit": (looped().explicit, {"assembly": "open", "speeds": "auto"}),
        "EquationsOfMotion.frame": (e.frame, {"name": "fore"}),
        "EquationsOfMotion.impact": (standing().impact, {"v": None, "restitution": 0}),
        "EquationsOfMotion.in_mode": (lambda given, L: legged().in_mode(given, L=L),
                                      {"given": None, "L": "stick"}),
        "EquationsOfMotion.latex": (e.latex, {"form": "matrix", "short": False}),
        "EquationsOfMotion.load": (eq.EquationsOfMotion.load, {"path": "missing.json"}),
        "EquationsOfMotion.minimal": (looped().minimal, {"speeds": "auto"}),
        "EquationsOfMotion.save": (e.save, {"path": "saved.json"}),
        "EquationsOfMotion.subs": (e.subs, {"replacements": {"m1": 2}}),
        "Frame.acceleration": (frame.acceleration, dict(views)),
        "Frame.angular_acceleration": (frame.angular_acceleration, dict(directions)),
        "Frame.angular_jacobian": (frame.angular_jacobian, dict(directions)),
        "Frame.angular_velocity": (frame.angular_velocity, dict(directions)),
        "Frame.jacobian": (frame.jacobian, dict(views)),
        "Frame.jacobian_dot": (frame.jacobian_dot, dict(views)),
        "Frame.linear_acceleration": (frame.linear_acceleration, dict(views)),
        "Frame.linear_jacobian": (frame.linear_jacobian, dict(views)),
        "Frame.linear_velocity": (frame.linear_velocity, dict(views)),
        "Frame.position": (frame.position, dict(views)),
        "Frame.rotation": (frame.rotation, {"relative_to": "world"}),
        "Frame.transform": (frame.transform, {"relative_to": "world"}),
        "Frame.velocity": (frame.velocity, dict(views)),
        "Regressor.with_payload": (e.regressor.with_payload, {"body": "fore", "at": "0 0 0",
                                                              "rotation": None, "name": "payload"}),
        "mobility": (eq.mobility, {"robot": arm()}),
        "assemble": (eq.assemble, {"robot": looped(), "q": None, "v": None, "values": None,
                                   "start_gap": None, "keep": None}),
        "actuation": (eq.actuation, {"eom": looped()}),
        "distribute_torques": (eq.distribute_torques, {
            "eom": looped(), "q": None, "v": None, "vdot": None, "weights": None, "external": None,
            "values": None,
        }),
        "reactions": (eq.reactions, {"eom": looped(), "q": None, "v": None, "inputs": None,
                                     "external": None, "values": None}),
        # -- expressions
        "parse": (eq.parse, {"text": "m*l"}),
        "Vector": (eq.Vector, {"entries": ["a", 1], "names": ["x", "y"]}),
        "Matrix": (eq.Matrix, {"rows": [["a", 1]], "row_names": ["x"], "column_names": ["x", "y"]}),
        "Expr.closed_form": (eq.parse("sin(a)*b").closed_form, {"budget": 100_000}),
        "Expr.diff": (eq.parse("sin(a)*b").diff, {"x": "a", "times": 2}),
        "Expr.latex": (eq.parse("sin(a)*b").latex, {"short": False, "width": None, "simplify": True}),
        "Expr.subs": (eq.parse("sin(a)*b").subs, {"replacements": {"a": 1}}),
        "Expr.sympy": (eq.parse("sin(a)*b").sympy, {"simplify": True}),
        "Expr.+": (lambda other: eq.parse("a") + other, {"other": 1}),
        "Expr.**": (lambda other: eq.parse("a") ** other, {"other": 2}),
        "Expr.float": (lambda other: float(eq.parse("2").subs({"a": other})), {"other": 2}),
        "Vector.closed_form": (row.closed_form, {"budget": 100_000}),
        "Vector.cross": (eq.Vector(["a", "b", "c"]).cross, {"other": eq.Vector([1, 2, 3])}),
        "Vector.diff": (row.diff, {"x": "a"}),
        "Vector.latex": (row.latex, {"short": False, "simplify": True}),
        "Vector.map": (row.map, {"function": list}),
        "Vector.subs": (row.subs, {"replacements": {"a": 1}}),
        "Vector.sympy": (row.sympy, {"simplify": True}),
        "Vector.[]": (lambda key: row[key], {"key": 0}),
        "Vector.@": (lambda other: row @ other, {"other": row}),
        "Vector.+": (lambda other: row + other, {"other": row}),
        "Vector.*": (lambda other: row * other, {"other": 2}),
        "Vector./": (lambda other: row / other, {"other": 2}),
        "Matrix.closed_form": (rows.closed_form, {"budget": 100_000}),
        "Matrix.column": (rows.column, {"j": 0}),
        "Matrix.diff": (rows.diff, {"x": "a"}),
        "Matrix.latex": (rows.latex, {"short": False, "simplify": True}),
        "Matrix.map": (rows.map, {"function": list}),
        "Matrix.row": (rows.row, {"i": 0}),
        "Matrix.subs": (rows.subs, {"replacements": {"a": 1}}),
        "Matrix.sympy": (rows.sympy, {"simplify": True}),
        "Matrix.[]": (lambda i, j: rows[i, j], {"i": 0, "j": "x"}),
        "Matrix.@": (lambda other: rows @ other, {"other": row}),
        "Matrix.+": (lambda other: rows + other, {"other": rows}),
        "Matrix.*": (lambda other: rows * other, {"other": 2}),
        "prove_equal": (eq.prove_equal, {"a": "x + x", "b": "2*x", "unit": (), "error_bits": 100,
                                         "seed": 1}),
        "prove_zero": (eq.prove_zero, {"e": "x - x", "unit": (), "error_bits": 100, "seed": 1}),
        "residual": (eq.residual, {"a": "x", "b": "y", "budget": 100_000}),
        # -- proofs and audits
        "prove": (eq.prove, {"robot": eom(), "error_bits": 100, "seed": 1, "progress": None}),
        "check_file": (eq.check_file, {"path": "missing.json", "robot": None, "seed": 1,
                                       "progress": None}),
        "Certificate.export": (certificate().export, {"path": "exported.json"}),
        "Certificate.load": (eq.Certificate.load, {"path": "missing.json"}),
        "Certificate.save": (certificate().save, {"path": "certificate.json"}),
        "compare": (eq.compare, {"first": eom(), "second": eom()}),
        "audit": (eq.audit, {"claims": [], "robot": arm(), "code": None, "mapping": None,
                             "functions": None, "rounding": None, "accept": None, "seed": 1,
                             "progress": None}),
        "compare_with": (eq.compare_with, {"robot": arm(), "libraries": "nonsense", "states": 2,
                                           "seed": 1, "tolerance": 1e-9, "progress": None}),
        # -- programs
        "compile": (eq.compile, {
            "eom": eom(), "dtype": None, "lanes": None, "threads": None, "cache": True,
            "parameters": "symbolic", "functions": {"power": "tau1*dq1"}, "device": "cpu", "cpu": None,
        }),
        "Compiled.certificate": (called().certificate, {"error_bits": 100, "seed": 1}),
        "Compiled.derivative": (fast.derivative, {"function": "gravity", "by": "m1", "frame": None}),
        "Compiled.difference": (fast.difference, {"start": q, "end": v}),
        "Compiled.difference_derivatives": (fast.difference_derivatives,
                                            {"start": q, "end": v, "wrt": "tangent"}),
        "Compiled.function": (fast.function, {"name": "gravity", "frame": None}),
        "Compiled.gpu": (fast.gpu, {"number": 0}),
        "Compiled.integrate": (fast.integrate, {"q": q, "delta": v}),
        "Compiled.integrate_derivatives": (fast.integrate_derivatives,
                                           {"q": q, "delta": v, "wrt": "tangent"}),
        "Compiled.jacobian": (fast.jacobian, {"frame": "fore", "q": q}),
        "Compiled.jacobian_derivatives": (fast.jacobian_derivatives,
                                          {"frame": "fore", "q": q, "wrt": "tangent"}),
        "Compiled.jacobian_dot_v": (fast.jacobian_dot_v, {"frame": "fore", "q": q, "v": v}),
        "Compiled.pose": (fast.pose, {"frame": "fore", "q": q}),
        "Compiled.pose_derivatives": (fast.pose_derivatives,
                                      {"frame": "fore", "q": q, "wrt": "tangent"}),
        "Compiled.step": (fast.step, {"q": q, "v": v, "inputs": [0, 0], "dt": 0.01, "method": "rk4",
                                      "values": None, "external": None}),
        "Compiled.step_derivatives": (fast.step_derivatives, {
            "q": q, "v": v, "inputs": [0, 0], "dt": 0.01, "method": "rk4", "by": (), "wrt": "tangent",
            "values": None, "external": None,
        }),
        "CompiledFunction": (fast.inverse_dynamics, {
            "q": q, "v": v, "vdot": [0, 0], "values": {"m1": 2}, "out": np.zeros(2),
        }),
        "CompiledFunction of matrices": (fast.mass_matrix, {"q": q, "values": None, "packed": False}),
        "CompiledFunction of a user": (fast.power, {"v": v, "inputs": [1, 2]}),
        "CompiledFunction.derivatives": (fast.inverse_dynamics_derivatives, {
            "q": q, "v": v, "vdot": [0, 0], "wrt": "tangent", "values": None,
        }),
        "CompiledFunction.jvp": (fast.inverse_dynamics_jvp, {
            "q": q, "v": v, "vdot": [0, 0], "delta_q": v, "delta_v": v, "delta_vdot": v,
        }),
        "function": (eq.function, {
            "outputs": {"y": "k*x"}, "inputs": {"x": "x"}, "values": {"k": 2}, "name": "f",
            "dtype": None, "lanes": None, "threads": None, "cache": True, "parameters": "symbolic",
            "cpu": None,
        }),
        "ExpressionFunction": (eq.function({"y": "k*x"}, {"x": "x"}, values={"k": 2}), {
            "x": 1.0, "values": {"k": 3}, "out": None,
        }),
        "ExpressionFunction.prove": (eq.function("k*x", {"x": "x"}).prove,
                                     {"error_bits": 100, "seed": 1}),
        "generate": (eq.generate, {
            "eom": eom(), "to": "numpy", "out": folder(), "functions": ["gravity"],
            "dtype": "float64", "parameters": "symbolic", "certificate": None, "prove": False,
            "values": None,
        }),
        # -- motion
        "simulate": (eq.simulate, {
            "eom": eom(), "q": q, "v": v, "duration": 0.02, "control": [0, 0], "values": None,
            "external": None, "method": "RK45", "rtol": 1e-6, "atol": 1e-9, "t_eval": None,
            "events": None, "step": None, "progress": None, "smoothing": None, "max_steps": 1000,
            "limits": "report", "start_gap": None,
        }),
        "simulate with a fixed step": (eq.simulate, {
            "eom": eom(), "duration": 0.02, "method": "rk4", "step": 0.01,
        }),
        "Trajectory.at": (motion().at, {"t": 0.01}),
        "Trajectory.[]": (lambda key: motion()[key], {"key": "q1"}),
        "Trajectory.load": (eq.Trajectory.load, {"path": "missing.npz"}),
        "Trajectory.plot": (motion().plot, {}),
        "Trajectory.save": (motion().save, {"path": "motion.csv"}),
        "Event": (lambda of, terminal, direction: eq.simulate(
            eom(), duration=0.02, events=eq.Event(of, terminal, direction)),
            {"of": "q1 - 1", "terminal": True, "direction": 1}),
        "rollout": (eq.rollout, {
            "eom": eom(), "q": q, "v": v, "step": 0.01, "steps": 2, "duration": None,
            "control": [0, 0], "method": "rk4", "every": 1, "start": 0.0, "values": None,
            "external": None, "parameters": "symbolic", "lanes": None, "threads": None, "cache": True,
            "cpu": None,
        }),
        "rollout for a duration": (eq.rollout, {"eom": eom(), "step": 0.01, "duration": 0.02,
                                                "control": {"tau1": "-q1"}}),
        "sweep": (eq.sweep, {"function": abs, "samples": [1, 2], "executor": POOL, "progress": False,
                             "errors": "raise", "workers": None, "resume": None}),
        # -- control
        "linearize": (eq.linearize, {"eom": eom(), "q": q, "v": None, "inputs": None, "values": None,
                                     "dt": None, "external": None, "symbolic": False}),
        "linearize in symbols": (eq.linearize, {
            "eom": symbolic().point.eom, "q": None, "v": None, "inputs": None, "values": None,
            "dt": None, "external": None, "symbolic": True,
        }),
        "LinearSystem": (eq.LinearSystem, {
            "A": [[0, 1], [0, 0]], "B": [[0], [1]], "states": ["x", "v"], "inputs": ["f"],
            "drift": [0, 0], "dt": None,
        }),
        "LinearSystem.deviation": (linear().deviation, {"q": q, "v": v}),
        "LinearSystem.discrete": (linear().discrete, {"dt": 0.1}),
        "LinearSystem.in_terms_of": (linear().in_terms_of, {"states": ["q1", "q2", "dq1", "dq2"]}),
        "LinearSystem.latex": (linear().latex, {"digits": 4}),
        "LinearSystem.response": (linear().response, {"input": "tau1", "output": "q1", "s": 1j}),
        "LinearSystem.transfer_function": (linear().transfer_function, {"input": "tau1",
                                                                        "output": "q1"}),
        "LinearSystem.without": (linear().without, {"states": ["q1"]}),
        "SymbolicLinearSystem.in_numbers": (symbolic().in_numbers, {"values": {"m": 2}}),
        "SymbolicLinearSystem.observability_rank": (symbolic().observability_rank,
                                                    {"outputs": ["q"]}),
        "SymbolicLinearSystem.output_row": (symbolic().output_row, {"output": "q"}),
        "SymbolicLinearSystem.to_control": (symbolic().to_control, {"values": None}),
        "SymbolicLinearSystem.transfer_function": (symbolic().transfer_function,
                                                   {"input": "tau_q", "output": "q"}),
        "TransferFunction": (lambda **given: eq.TransferFunction(**given).numbers(), {
            "numerator": [1], "denominator": [1, 2], "input": "f", "output": "x",
        }),
        "TransferFunction.numbers": (transfer().numbers, {"values": {"m": 1, "L": 2, "g": 9}}),
        "TransferFunction.poles": (transfer().poles, {"values": {"m": 1, "L": 2, "g": 9}}),
        "TransferFunction.zeros": (transfer().zeros, {"values": {"m": 1, "L": 2, "g": 9}}),
        "TransferFunction.to_control": (transfer().to_control, {"values": {"m": 1, "L": 2, "g": 9}}),
        "equilibria": (eq.equilibria, {"eom": eom(), "q": q, "inputs": None, "free": ["tau1", "tau2"],
                                       "values": None, "starts": 1, "seed": 0}),
        "controllability": (eq.controllability, {"lin": linear(), "tolerance": 1e-9}),
        "lqr": (eq.lqr, {"lin": linear(), "Q": 1, "R": 1, "drop": (), "reference": {"q1": "t"}}),
        "LinearFeedback.following": (feedback().following, {"reference": {"q1": "t"}}),
        "LinearFeedback.following and inputs": (
            lambda reference: feedback().following(reference).inputs(0, [0, 0], [0, 0]),
            {"reference": {"q1": "t"}}),
        "LinearFeedback.inputs": (feedback().inputs, {"t": 0.1, "q": q, "v": v}),
        "gravity_compensation": (eq.gravity_compensation, {"eom": eom(), "inputs": ["tau1", "tau2"],
                                                           "values": None}),
        "GravityCompensation.inputs": (eq.gravity_compensation(eom()).inputs,
                                       {"t": 0, "q": q, "v": v}),
        "computed_torque": (
            lambda **given: eq.computed_torque(**given).inputs(0, [0, 0], [0, 0]),
            {"eom": eom(), "reference": CIRCLE, "kp": 1, "kd": 2, "values": None}),
        "computed_torque of a loop": (eq.computed_torque, {
            "eom": looped(), "reference": {"q1": "t"}, "kp": 1, "kd": 2, "values": None,
        }),
        "ComputedTorque.inputs": (eq.computed_torque(eom(), CIRCLE).inputs,
                                  {"t": 0.1, "q": q, "v": v}),
        "ComputedTorque.reference": (eq.computed_torque(eom(), CIRCLE).reference, {"t": 0.1}),
        # -- documents
        "view": (eq.view, {"robot": arm(), "q": q, "ax": None, "save": "picture.png",
                           "values": None, "labels": False, "forces": False}),
        "animate": (eq.animate, {"trajectory": motion(), "path": "motion.gif", "fps": 25, "speed": 1,
                                 "width": 640, "height": 480, "progress": None}),
        "paper": (eq.paper, {"robot": arm(), "path": None, "by": "lagrange", "title": None,
                             "short": None, "letters": "MCg", "quantities": None}),
        "report": (eq.report, {
            "robot": arm(), "path": "page.html", "trajectory": None, "certificate": None, "audit": (),
            "referee": None, "prove": False, "simulate": False, "time": False, "progress": None,
        }),
    }  # fmt: skip


# Operators: Python raises its own TypeError for operands that are no quantities.
OPERATORS = ("Expr.+", "Expr.**", "Vector.@", "Vector.+", "Vector.*", "Vector./", "Matrix.@",
             "Matrix.+", "Matrix.*")  # fmt: skip
# All calls; making them takes seconds, which the collection of tests must not.
NAMES = (
    "load", "Robot", "Body", "Inertia.central", "Inertia.about_origin", "Parameter", "Limits.of",
    "BaseMotion", "revolute", "prismatic", "helical", "cylindrical", "universal", "planar",
    "spherical", "free", "fixed", "custom", "unit_vectors", "joint_actuator", "torque_actuator",
    "force_actuator", "cylinder", "wrench", "joint_spring", "joint_damper", "joint_friction",
    "rotor_inertia", "spring", "damper", "constraint", "constraint_report", "loop", "contact",
    "check", "Robot.add_frame", "Robot.add_mass", "Robot.attach", "Robot.body", "Robot.columns",
    "Robot.in_mode", "Robot.joint_pose", "Robot.lock", "Robot.path", "Robot.spatial_frame",
    "Robot.with_forces", "Robot.with_home", "Robot.with_speeds", "Robot.with_values", "derive",
    "derivation", "EquationsOfMotion.evaluate", "EquationsOfMotion.body_loads",
    "EquationsOfMotion.explicit", "EquationsOfMotion.frame", "EquationsOfMotion.impact",
    "EquationsOfMotion.in_mode", "EquationsOfMotion.latex", "EquationsOfMotion.load",
    "EquationsOfMotion.minimal", "EquationsOfMotion.save", "EquationsOfMotion.subs",
    "Frame.acceleration", "Frame.angular_acceleration", "Frame.angular_jacobian",
    "Frame.angular_velocity", "Frame.jacobian", "Frame.jacobian_dot", "Frame.linear_acceleration",
    "Frame.linear_jacobian", "Frame.linear_velocity", "Frame.position", "Frame.rotation",
    "Frame.transform", "Frame.velocity", "Regressor.with_payload", "mobility", "assemble",
    "actuation", "distribute_torques", "reactions", "parse", "Vector", "Matrix", "Expr.closed_form",
    "Expr.diff", "Expr.latex", "Expr.subs", "Expr.sympy", "Expr.+", "Expr.**", "Expr.float",
    "Vector.closed_form", "Vector.cross", "Vector.diff", "Vector.latex", "Vector.map",
    "Vector.subs", "Vector.sympy", "Vector.[]", "Vector.@", "Vector.+", "Vector.*", "Vector./",
    "Matrix.closed_form", "Matrix.column", "Matrix.diff", "Matrix.latex", "Matrix.map",
    "Matrix.row", "Matrix.subs", "Matrix.sympy", "Matrix.[]", "Matrix.@", "Matrix.+", "Matrix.*",
    "prove_equal", "prove_zero", "residual", "prove", "check_file", "Certificate.export",
    "Certificate.load", "Certificate.save", "compare", "audit", "compare_with", "compile",
    "Compiled.certificate", "Compiled.derivative", "Compiled.difference",
    "Compiled.difference_derivatives", "Compiled.function", "Compiled.gpu", "Compiled.integrate",
    "Compiled.integrate_derivatives", "Compiled.jacobian", "Compiled.jacobian_derivatives",
    "Compiled.jacobian_dot_v", "Compiled.pose", "Compiled.pose_derivatives", "Compiled.step",
    "Compiled.step_derivatives", "CompiledFunction", "CompiledFunction of matrices",
    "CompiledFunction of a user", "CompiledFunction.derivatives", "CompiledFunction.jvp",
    "function", "ExpressionFunction", "ExpressionFunction.prove", "generate", "simulate",
    "simulate with a fixed step", "Trajectory.at", "Trajectory.[]", "Trajectory.load",
    "Trajectory.plot", "Trajectory.save", "Event", "rollout", "rollout for a duration", "sweep",
    "linearize", "linearize in symbols", "LinearSystem", "LinearSystem.deviation",
    "LinearSystem.discrete", "LinearSystem.in_terms_of", "LinearSystem.latex",
    "LinearSystem.response", "LinearSystem.transfer_function", "LinearSystem.without",
    "SymbolicLinearSystem.in_numbers",
    "SymbolicLinearSystem.observability_rank", "SymbolicLinearSystem.output_row",
    "SymbolicLinearSystem.to_control", "SymbolicLinearSystem.transfer_function", "TransferFunction",
    "TransferFunction.numbers", "TransferFunction.poles", "TransferFunction.zeros",
    "TransferFunction.to_control", "equilibria", "controllability", "lqr",
    "LinearFeedback.following", "LinearFeedback.following and inputs", "LinearFeedback.inputs",
    "gravity_compensation", "GravityCompensation.inputs", "computed_torque",
    "computed_torque of a loop", "ComputedTorque.inputs", "ComputedTorque.reference", "view",
    "animate", "paper", "report",
)  # fmt: skip
# Calls that take longer than the others: they are run with fewer values.
SLOW = (
    "report",
    "paper",
    "generate",
    "prove",
    "compile",
    "view",
    "animate",
    "Compiled.certificate",
)


# Valid calls that are refused: files that do not exist, devices and libraries that are not here.
REFUSED = ("EquationsOfMotion.load", "check_file", "Certificate.load", "Trajectory.load",
           "compare_with", "Compiled.gpu")  # fmt: skip


def is_pythons_own(name: str, value: str, problem: str) -> bool:
    """Whether an error comes from Python or NumPy, before a function of ours is called."""
    if name in OPERATORS:
        return problem.startswith("TypeError") or "array" in value
    return name.endswith(".map") and value == "class"  # an error of the user's own


def failure(call: Call, argument: str, value: str) -> str | None:
    """What a call with a hostile value raised, if it is not an EquamoError; None otherwise."""
    function, given = call
    arguments: Mapping[str, Any] = {**given, argument: hostile(value)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(**arguments)
        except eq.EquamoError as error:
            text = str(error)
            return None if len(text) > 10 else f"an error without words: {text!r}"
        except Exception as error:
            trace = error.__traceback__
            places: list[str] = []
            while trace is not None:
                places.append(f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}")
                trace = trace.tb_next
            return f"{type(error).__name__}: {error!s:.100} [{' '.join(places[1:][-4:])}]"
    return None


def cases() -> Iterator[tuple[str, str, str]]:
    """(call, argument, hostile value) of all."""
    for name, (_, arguments) in calls().items():
        for argument in arguments:
            for value in HOSTILE:
                yield name, argument, value


def public_callables() -> Iterator[str]:
    """Names of public functions, and of public methods of the classes that equamo exports."""
    for name in eq.__all__:
        x = getattr(eq, name)
        if not isinstance(x, type):
            yield name
        elif not issubclass(x, BaseException) and not issubclass(x, Warning):
            for n, member in inspect.getmembers(x):
                plain = inspect.isfunction(member) or inspect.ismethod(member)
                if plain and not n.startswith("_") and member.__module__.startswith("equamo"):
                    parameters = [p for p in inspect.signature(member).parameters if p != "self"]
                    if parameters:
                        yield f"{name}.{n}"

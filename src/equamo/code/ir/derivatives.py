"""Derivative functions of a robot by name, tangent and by coordinates, for `compile` and `generate`.

    NAME_derivatives       Jacobians by q, v and v̇, τ or the inputs
    NAME_jvp, NAME_vjp     their products with a direction, and with λ
    inverse_dynamics_hessian, inverse_dynamics_hvp

of inverse_dynamics, forward_dynamics, forward_dynamics_inputs and state_derivative; if they exist,
Jacobians of constraint_forces. For derivatives by coordinates, each has a twin `…_coordinates`. Nothing
is differentiated before a program is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final, final

from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.model.read_only import ReadOnly
from ...robot.model.wrt import WRT, Wrt
from .derivative import Derivative, Kind
from .dynamics_derivatives import DynamicsDerivatives
from .dynamics_products import DynamicsProducts
from .function import Function, Result, Value, Way
from .functions import ProgramEquations, program_equations
from .program import Argument
from .variables import Group

# (function, its output, its last argument)
DYNAMICS: Final = (
    ("inverse_dynamics", "tau", "vdot"),
    ("forward_dynamics", "vdot", "tau"),
    ("forward_dynamics_inputs", "vdot", "inputs"),
    ("state_derivative", "dx", "inputs"),
)


def derivative_functions(eom: EquationsOfMotion) -> Mapping[str, Function]:
    """Derivative functions by name; the table is shared.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> f = derivative_functions(derive(load("rr_arm")))["inverse_dynamics_derivatives"]
    >>> [str(y) for y in f.results]
    ['dtau_dq (2, 2)', 'dtau_dv (2, 2)', 'dtau_dvdot (2, 2)']
    """
    if "derivative functions" not in eom.made:
        tables = [_Table(eom, wrt).functions() for wrt in WRT]
        eom.made["derivative functions"] = ReadOnly({n: f for t in tables for n, f in t.items()})
    return eom.made["derivative functions"]


def derived_reference(eom: EquationsOfMotion, f: Function) -> tuple[Value, ...]:
    """Specification of a derivative function, from the derived equations."""
    assert f.derivative is not None
    key = "reference derivatives", f.derivative.wrt
    if key not in eom.made:
        plain = ProgramEquations(eom, derived=True)
        eom.made[key] = _Table(eom, f.derivative.wrt, plain).functions()
    found = eom.made[key][f.name]
    return tuple(found.outputs(found.ways[0]).values())


@final
class _Table:
    """Functions for one choice of directions."""

    def __init__(
        self, eom: EquationsOfMotion, wrt: Wrt, equations: ProgramEquations | None = None
    ) -> None:
        self.eom = eom
        self.wrt: Wrt = wrt
        whole = equations or program_equations(eom)
        self.derivatives = DynamicsDerivatives(whole.in_short_frames, wrt)
        self.of_forces = DynamicsDerivatives(whole, wrt)
        self.products = DynamicsProducts(self.derivatives)

    def functions(self) -> dict[str, Function]:
        found: list[Function] = []
        for of, output, last in DYNAMICS:
            found += [
                self._jacobian(of, output, last),
                self._jvp(of, output, last),
                self._vjp(of, last),
            ]
        if is_augmented(self.eom.robot):
            found.append(self._jacobian("constraint_forces", "lam", "tau"))
            found.append(self._jacobian("constraint_forces_inputs", "lam", "inputs"))
        found += [self._hessian(), self._hvp()]
        return {f.name: f for f in found}

    # -- kinds ---------------------------------------------------------------------------------------
    def _jacobian(self, of: str, output: str, last: str) -> Function:
        rows = self._rows(of)
        sizes = (len(self.derivatives.directions), len(self.eom.v), self._group(last).size)
        by_q, by_v, by_last = zip(("q", "v", last), sizes, strict=True)
        results = [Result(f"d{output}_d{x}", (rows, m)) for x, m in (by_q, by_v)]
        symmetric = of in ("inverse_dynamics", "forward_dynamics")  # M, or its inverse
        results.append(Result(f"d{output}_d{last}", (rows, by_last[1]), symmetric=symmetric))
        d = self.derivatives
        ways: dict[str, Way] = {
            "inverse_dynamics": d.inverse_dynamics,
            "forward_dynamics": d.forward_dynamics,
            "forward_dynamics_inputs": partial(d.forward_dynamics, by_inputs=True),
            "state_derivative": d.state_derivative,
            "constraint_forces": self.of_forces.constraint_forces,
            "constraint_forces_inputs": partial(self.of_forces.constraint_forces, by_inputs=True),
        }
        return self._function(of, "jacobian", "derivatives", last, (), results, ways[of])

    def _jvp(self, of: str, output: str, last: str) -> Function:
        d, p = self.derivatives, self.products
        step = (
            Argument("delta_q", d.directions.symbols),
            Argument("delta_v", d.v.delta),
            Argument(f"delta_{last}", self._group(last).delta),
        )
        ways: dict[str, Way] = {
            "inverse_dynamics": p.inverse_dynamics_jvp,
            "forward_dynamics": p.forward_dynamics_jvp,
            "forward_dynamics_inputs": partial(p.forward_dynamics_jvp, by_inputs=True),
            "state_derivative": p.state_derivative_jvp,
        }
        result = Result(f"{output}_dot", (self._rows(of),))
        return self._function(of, "jvp", "jvp", last, step, [result], ways[of])

    def _vjp(self, of: str, last: str) -> Function:
        p, eom = self.products, self.eom
        groups = [(last, self._group(last).size)]
        groups += [(g.name, g.size) for g in self.derivatives.constants]
        sizes = [("q", len(self.derivatives.directions)), ("v", len(eom.v)), *groups]
        results = [Result(f"grad_{n}", (m,)) for n, m in sizes]
        ways: dict[str, Way] = {
            "inverse_dynamics": p.inverse_dynamics_vjp,
            "forward_dynamics": p.forward_dynamics_vjp,
            "forward_dynamics_inputs": partial(p.forward_dynamics_vjp, by_inputs=True),
            "state_derivative": p.state_derivative_vjp,
        }
        lam = (*p.lam_q, *p.lam) if of == "state_derivative" else p.lam
        return self._function(of, "vjp", "vjp", last, (Argument("lam", lam),), results, ways[of])

    def _hessian(self) -> Function:
        p, n = self.products, len(self.derivatives.of_inverse.delta)
        lam = (Argument("lam", p.lam),)
        way, result = (
            p.inverse_dynamics_hessian,
            Result("H", (n, n), symmetric=self.wrt == "coordinates"),
        )
        return self._function("inverse_dynamics", "hessian", "hessian", "vdot", lam, [result], way)

    def _hvp(self) -> Function:
        p, delta = self.products, self.derivatives.of_inverse.delta
        more = (Argument("lam", p.lam), Argument("direction", delta))
        way, result = p.inverse_dynamics_hvp, Result("Hd", (len(delta),))
        return self._function("inverse_dynamics", "hvp", "hvp", "vdot", more, [result], way)

    # -- parts ---------------------------------------------------------------------------------------
    def _rows(self, of: str) -> int:
        if of.startswith("constraint_forces"):
            return len(self.eom.robot.rows)
        return len(self.eom.v) + (len(self.eom.q) if of == "state_derivative" else 0)

    def _group(self, name: str) -> Group:
        d = self.derivatives
        return {"vdot": d.vdot, "tau": d.tau, "inputs": d.inputs}[name]

    def _function(
        self,
        of: str,
        kind: Kind,
        ending: str,
        last: str,
        more: tuple[Argument, ...],
        results: list[Result],
        way: Way,
    ) -> Function:
        eom = self.eom
        constants = (Argument("external", eom.external), Argument("parameters", eom.parameters))
        state = (
            Argument("q", eom.q),
            Argument("v", eom.v),
            Argument(last, self._group(last).symbols),
        )
        arguments = (*state, *more, *(a for a in constants if len(a)))
        suffix = "" if self.wrt == "tangent" else f"_{self.wrt}"
        motions = (False,) if of == "inverse_dynamics" else (False, True)
        return Function(
            f"{of}_{ending}{suffix}",
            arguments,
            tuple(results),
            (way,),
            partial(self.derivatives.equations.naming, *motions),
            derivative=Derivative(of, kind, self.wrt),
        )

"""Package: input of a target, a robot's functions as programs with their descriptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeVar, final

from ....basics.wording import counted
from ...ir.cost import Cost, cost
from ...ir.parameter_derivatives import BETWEEN, BY
from ...ir.program import Argument, Dtype, Output, Program
from ...ir.rounding import nearest
from ..golden import Golden

T = TypeVar("T")

# Meaning of each function; of a frame's function, by the beginning of its name.
MEANINGS: Final = {
    "inverse_dynamics": "tau = M vdot + C v + g - passive forces",
    "mass_matrix_factors": "LD, M = L' D L: the unit lower triangle L below the diagonal D",
    "mass_matrix": "M, mass matrix",
    "bias": "b = C v",
    "gravity": "g, generalized force of gravity, on the left-hand side",
    "coriolis_matrix": "C, Coriolis matrix",
    "forward_dynamics_inputs": "vdot of the actuators' inputs",
    "forward_dynamics": "vdot of the generalized force tau",
    "state_derivative": "dx = (qdot, vdot) of the actuators' inputs",
    "passive_force": "f, generalized force of springs, dampers, friction and external wrenches",
    "input_matrix": "B, generalized force = B inputs",
    "kinematic_map": "N, qdot = N v",
    "kinetic_energy": "T, kinetic energy [J]",
    "potential_energy": "U, potential energy of gravity [J]",
    "center_of_mass": "r, centre of mass in the world [m]",
    "constraint_matrix": "A of the loops and contacts, A v = 0",
    "constraint_bias": "c = (dA/dt) v",
    "closure": "phi of the loops, 0 if they are closed",
    "constraint_forces_inputs": "lam of the actuators' inputs",
    "constraint_forces": "lam, forces of the constraints: A' lam is their generalized force",
    "constraint_inertia": "Lambda, inverse of A M^-1 A' of the independent rows, zeros in the others",
    "pose": "T, pose of the frame in the world, 4x4",
    "jacobian_dot_v": "a = (dJ/dt) v, angular first",
    "jacobian": "J, Jacobian of the frame in the world, 6xn, angular first",
}
OF_FRAMES: Final = ("pose", "jacobian_dot_v", "jacobian")  # longer names first
_WITH_FRAME: Final = tuple(f"{kind}_" for kind in OF_FRAMES)
# Meaning of a derivative, by a part of its name.
DERIVATIVES: Final = {
    "_derivatives": "Jacobians of {}",
    "_jvp": "Jacobian of {}, times a direction",
    "_vjp": "lam' times the Jacobian of {}",
    "_hessian": "lam' times the second derivative of {}",
    "_hvp": "lam' times the second derivative of {}, times a direction",
}


def meaning(name: str) -> str:
    """Meaning of a function by its name; empty if unknown.

    >>> meaning("gravity_by_m1__L1"), meaning("inverse_dynamics_vjp_coordinates")
    ('derivative of gravity by m1, L1', "lam' times the Jacobian of inverse_dynamics, by coordinates")
    """
    function, by, parameters = name.removesuffix("_packed").partition(BY)
    for part, text in DERIVATIVES.items():
        of, _, rest = function.partition(part)
        if of != function and not of.startswith(_WITH_FRAME):  # a frame's name may have the part
            more = ", by coordinates" if "_coordinates" in rest else ""
            found = f"{text.format(of)}{more}"
            break
    else:
        of_frame = (MEANINGS[k] for k in OF_FRAMES if function.startswith(k))
        found = MEANINGS.get(function) or next(of_frame, "")
    if not by:
        return found
    return f"derivative of {function} by {', '.join(parameters.split(BETWEEN))}"


@final
@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of an argument: its name in the robot, its unit and its default."""

    name: str
    unit: str = ""
    default: Fraction | int | float | None = None
    description: str = ""


@final
@dataclass(frozen=True)
class Routine:
    """Function to write; `name` is an identifier that is unique in the package."""

    name: str
    program: Program
    golden: tuple[Golden, ...] = ()
    packed: str = ""  # of a packed function: the places of its entries
    is_own: bool = False  # whether it is a user function

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """Arguments, without those of length 0."""
        return tuple(a for a in self.program.arguments if len(a))

    @property
    def outputs(self) -> tuple[Output, ...]:
        return self.program.outputs

    @property
    def output(self) -> Output:
        """The result of a function that has one."""
        (found,) = self.outputs
        return found

    @property
    def size(self) -> int:
        """Number of entries of all results."""
        return sum(len(y.values) for y in self.outputs)

    def split(self, entries: Sequence[T]) -> list[Sequence[T]]:
        """Entries of all results, one after the other, as one sequence per result."""
        parts: list[Sequence[T]] = []
        for y in self.outputs:
            start = sum(map(len, parts))
            parts.append(entries[start : start + len(y.values)])
        return parts

    @property
    def cost(self) -> Cost:
        return cost(self.program)

    @property
    def remark(self) -> str:
        """Description in one line: meaning and cost."""
        c = self.cost
        counts = {
            "multiplication": c.multiplications,
            "addition": c.additions,
            "division": c.divisions,
            "pair of sine and cosine": c.sincos,
            "other function": c.functions,
        }
        said = ", ".join(counted(n, what) for what, n in counts.items() if n)
        names = ", ".join(y.name for y in self.outputs)
        packed = f"; {self.packed}" if self.packed else ""
        text = "" if self.is_own else meaning(self.program.name)
        return f"{text or names}{packed}; {said or 'no operations'}"


@final
@dataclass(frozen=True)
class Package:
    """Everything that is written for a robot. Its texts come from the robot: a target escapes them."""

    name: str  # identifier, the first part of every public name
    routines: tuple[Routine, ...]
    quantities: dict[str, tuple[Quantity, ...]]  # of each argument: q, v, …, parameters
    provenance: tuple[str, ...]
    dtype: Dtype = "float64"
    is_augmented: bool = False  # whether the equations have constraint forces

    @property
    def tolerance(self) -> float:
        """Largest allowed error of a golden vector, relative to its largest entry."""
        return 1e-12 if self.dtype == "float64" else 1e-5

    @property
    def has_several(self) -> bool:
        """Whether a function has several results."""
        return any(len(r.outputs) > 1 for r in self.routines)

    def routine(self, name: str) -> Routine | None:
        """Look up a function by its name in equamo; None if it is not written."""
        return next((r for r in self.routines if r.program.name == name), None)

    @property
    def public(self) -> frozenset[str]:
        """Names beside the functions of a file, which nothing inside a function may have."""
        sizes = [f"{a}_size" for a in self.quantities]
        fixed = ("real", "sign", "default_parameters", *sizes, *(r.name for r in self.routines))
        whole = (f"{self.name}_{x}" for x in fixed)  # in C and MATLAB
        return frozenset((*whole, *sizes, "default_parameter_values"))

    def defaults(self, argument: str) -> list[Fraction | int | float] | None:
        """Default numbers of an argument; None if one has none."""
        values = [x.default for x in self.quantities.get(argument, ())]
        known = [x for x in values if x is not None]
        return known if known and len(known) == len(values) else None

    def optional(self, argument: str) -> bool:
        """Whether an argument is optional: wrenches default to zero, parameters to their defaults.

        Parameters come last: if they have no defaults, no argument is optional.
        """
        if self.defaults("parameters") is not None:
            return argument in ("external", "parameters")
        return argument == "external" and "parameters" not in self.quantities

    @property
    def listed(self) -> list[str]:
        """Lines that list the numbers of each argument: `q (2): q1 [rad], q2 [m]`."""
        lines: list[str] = []
        for argument, found in self.quantities.items():
            texts = (f"{x.name}{f' [{x.unit}]' if x.unit else ''}" for x in found)
            lines.append(f"{argument} ({len(found)}): {', '.join(texts)}")
        return lines

    def tested(self, routine: Routine) -> tuple[Argument, ...]:
        """Arguments that a self-test passes: all, or all except default parameters."""
        defaults = self.defaults("parameters")
        if defaults is None:
            return routine.arguments
        usual = tuple(nearest(x, self.dtype) for x in defaults)
        if any(g.arguments.get("parameters", usual) != usual for g in routine.golden):
            return routine.arguments
        return tuple(a for a in routine.arguments if a.name != "parameters")


def row(numbers: Iterable[float]) -> str:
    """Write a list [0.1, 0.2], for Python and JavaScript."""
    return f"[{', '.join(map(repr, numbers))}]"

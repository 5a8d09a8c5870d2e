"""What a target is given to write: a robot's functions as programs, with all that is said of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Final, final

from ...ir.cost import Cost, cost
from ...ir.program import Argument, Dtype, Output, Program
from ...ir.rounding import nearest
from ...wording import counted
from ..golden import Golden

# What each function gives, by how its name begins; the longer name first.
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
    "pose": "T, pose of the frame in the world, 4x4",
    "jacobian_dot_v": "a = (dJ/dt) v, angular first",
    "jacobian": "J, Jacobian of the frame in the world, 6xn, angular first",
}


@final
@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of an argument: its name as the robot has it, its unit and its default."""

    name: str
    unit: str = ""
    default: Fraction | int | float | None = None
    description: str = ""


@final
@dataclass(frozen=True)
class Routine:
    """One function to write. `name` is an identifier, unlike any other of the package."""

    name: str
    program: Program
    golden: tuple[Golden, ...] = ()

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments, without those of length 0."""
        return tuple(a for a in self.program.arguments if len(a))

    @property
    def output(self) -> Output:
        return self.program.outputs[0]

    @property
    def size(self) -> int:
        """How many numbers it gives."""
        return prod(self.output.shape)

    @property
    def cost(self) -> Cost:
        return cost(self.program)

    @property
    def remark(self) -> str:
        """What it computes and takes, in a line."""
        c = self.cost
        counts = {
            "multiplication": c.multiplications,
            "addition": c.additions,
            "division": c.divisions,
            "pair of sine and cosine": c.sincos,
            "other function": c.functions,
        }
        said = ", ".join(counted(n, what) for what, n in counts.items() if n)
        meaning = next((m for k, m in MEANINGS.items() if self.program.name.startswith(k)), "")
        return f"{meaning or self.output.name}; {said or 'no operations'}"


@final
@dataclass(frozen=True)
class Package:
    """All that is written for a robot. Texts in it are the robot's own: a target makes them safe."""

    name: str  # an identifier: the first part of every public name
    routines: tuple[Routine, ...]
    quantities: dict[str, tuple[Quantity, ...]]  # of each argument: q, v, …, parameters
    provenance: tuple[str, ...]
    dtype: Dtype = "float64"

    @property
    def tolerance(self) -> float:
        """Largest error of a golden vector, of its largest entry."""
        return 1e-12 if self.dtype == "float64" else 1e-5

    def routine(self, name: str) -> Routine | None:
        """A function by its name, None if it is not among those written."""
        return next((r for r in self.routines if r.name == name), None)

    def defaults(self, argument: str) -> list[Fraction | int | float] | None:
        """Default numbers of an argument, None where one has none."""
        values = [x.default for x in self.quantities.get(argument, ())]
        known = [x for x in values if x is not None]
        return known if known and len(known) == len(values) else None

    def optional(self, argument: str) -> bool:
        """Whether an argument may be left out: wrenches are then zero, parameters the defaults.

        Parameters come last: if they have no defaults, no argument may be left out.
        """
        known = "parameters" not in self.quantities or self.defaults("parameters") is not None
        return argument in ("external", "parameters") and known

    @property
    def listed(self) -> list[str]:
        """What the numbers of each argument are, a line each: `q (2): q1 [rad], q2 [m]`."""
        lines: list[str] = []
        for argument, found in self.quantities.items():
            texts = (f"{x.name}{f' [{x.unit}]' if x.unit else ''}" for x in found)
            lines.append(f"{argument} ({len(found)}): {', '.join(texts)}")
        return lines

    def tested(self, routine: Routine) -> tuple[Argument, ...]:
        """The arguments that a self-test gives: all, or without parameters that are the defaults."""
        defaults = self.defaults("parameters")
        if defaults is None:
            return routine.arguments
        usual = tuple(nearest(x, self.dtype) for x in defaults)
        if any(g.arguments.get("parameters", usual) != usual for g in routine.golden):
            return routine.arguments
        return tuple(a for a in routine.arguments if a.name != "parameters")


def row(numbers: Iterable[float]) -> str:
    """[0.1, 0.2]: a list in Python and in JavaScript."""
    return f"[{', '.join(map(repr, numbers))}]"

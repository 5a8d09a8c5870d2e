"""Quantities of derived equations by name and arguments, in the order of the document.

mass_matrix  bias  kinetic_energy …                                of the robot
rotation(F, relative_to=G)  linear_velocity(F, at=com, …) …     of a frame
inertia(F)  angular_momentum(F, about=com, …)  contribution(F) …   of a body
christoffel(i, j, k)  generalized_force(NAME) …                    of one entry or element
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, final

from ...algebra.expr import HALF, Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...basics.renamed import warn_renamed
from ...basics.wording import brief, counted
from ...errors import ParseError, UnknownNameError
from ...mechanics.equations import EquationsOfMotion
from ...mechanics.equations.coriolis import christoffel_symbols, quadratic_part, split
from ...mechanics.equations.equations import QUANTITIES
from ...mechanics.equations.frame import Frame
from ...mechanics.equations.replaced import replace_in
from ...mechanics.equations.whole_body import total_mass
from ...mechanics.kinematics.poses import transform
from ...robot.model.body import Body
from .arrangement import Arrangement
from .evaluation import Evaluation
from .syntax import Node
from .values import Value, scalar

_WHOLE: Final = (
    *QUANTITIES, "coriolis_split", "total_mass", "lagrangian", "actuation", "external_force",
    "q", "v", "vdot", "inputs",
)  # fmt: skip
_POINT: Final = ("at", "expressed_in", "relative_to")
_FRAME: Final[dict[str, tuple[str, ...]]] = {
    "rotation": ("relative_to",), "transform": ("relative_to",), "position": _POINT,
    "velocity": _POINT, "acceleration": _POINT, "jacobian": _POINT, "jacobian_dot": _POINT,
    "linear_velocity": _POINT, "linear_acceleration": _POINT, "linear_jacobian": _POINT,
    "angular_velocity": _POINT[1:], "angular_acceleration": _POINT[1:],
    "angular_jacobian": _POINT[1:],
}  # fmt: skip
_BODY: Final[dict[str, tuple[str, ...]]] = {
    "axis": (), "mass": (), "first_moment": (), "com": (), "inertia": (), "central_inertia": (),
    "body_momentum": ("expressed_in",), "angular_momentum": ("about", "expressed_in"),
    "angular_momentum_rate": ("about", "expressed_in"), "body_kinetic_energy": (),
    "body_potential_energy": (), "contribution": (), "weight_force": (),
}  # fmt: skip
_ELEMENT: Final = ("generalized_force", "force_energy", "constraint_force")
NAMES: Final = (*_WHOLE, *_FRAME, *_BODY, *_ELEMENT, "christoffel")


@final
class Frames:
    """Cache of frames, since a frame holds the motion of the whole tree."""

    def __init__(self) -> None:
        self._cache: dict[tuple[int, str], tuple[EquationsOfMotion, Frame]] = {}

    def of(self, eom: EquationsOfMotion, name: str) -> Frame:
        """Frame by name; the cache holds the equations, so that their id stays unique."""
        key = (id(eom), name)
        if key not in self._cache:
            self._cache[key] = (eom, eom.frame(name))
        return self._cache[key][1]


@final
@dataclass(frozen=True)
class Quantities:
    """Quantities of equations, with rows and columns arranged as in the document."""

    eom: EquationsOfMotion
    arrangement: Arrangement
    frames: Frames

    def value(self, node: Node, evaluation: Evaluation) -> Value:
        """Quantity of a node `name(arguments)`; formulas in it are in the robot's symbols."""
        name = node.value
        if name in _WHOLE:
            self._keywords(node, ())
            self._count(node, 0)
            return self.arrangement.arranged(self._whole(name))
        if name in _FRAME:
            keywords = self._keywords(node, _FRAME[name])
            return self.arrangement.arranged(self._of_frame(node, keywords, evaluation))
        if name in _BODY:
            keywords = self._keywords(node, _BODY[name])
            self._count(node, 1)
            texts = {k: self._name(x, evaluation) for k, x in keywords.items()}
            body = self.eom.robot.body(self._name(node.children[0], evaluation))
            return self.arrangement.arranged(self._of_body(name, body, texts))
        if name == "christoffel":
            self._keywords(node, ())
            return self._christoffel(node, evaluation)
        if name in _ELEMENT:
            self._keywords(node, ())
            self._count(node, 1)
            return self.arrangement.arranged(self._of_element(name, node, evaluation))
        raise UnknownNameError("quantity", name, NAMES)

    # -- arguments -------------------------------------------------------------------------------
    def _keywords(self, node: Node, valid: Sequence[str]) -> dict[str, Node]:
        if "at" in valid and "point" in dict(node.keywords):
            warn_renamed(f"{node.value}(…)", "point", "at")
            renamed = [("at" if key == "point" else key, x) for key, x in node.keywords]
            node = replace(node, keywords=tuple(renamed))
        for key, at in node.keywords:
            if key not in valid:
                choices = ", ".join(valid) or "none"
                raise ParseError(
                    f"unknown argument {brief(key)} of {node.value}. Valid: {choices}.", at.position
                )
        return dict(node.keywords)

    def _count(self, node: Node, count: int) -> None:
        if len(node.children) != count:
            raise ParseError(
                f"{node.value} takes {counted(count, 'argument')} before its named ones, "
                f"got {len(node.children)}.",
                node.position,
            )

    def _name(self, node: Node, evaluation: Evaluation) -> str:
        name = evaluation.scope.frame_name(node)
        if name is None:
            raise ParseError("expected a name, in quotes if necessary.", node.position)
        return name

    # -- of the robot ----------------------------------------------------------------------------
    def _whole(self, name: str) -> Value:
        eom = self.eom
        if name in QUANTITIES:
            return getattr(eom, name)
        if name in ("q", "v", "vdot", "inputs"):
            symbols: tuple[Expr, ...] = getattr(eom, name)
            named = eom.v if name == "vdot" else symbols  # v̇ has the order of v
            return Vector(symbols, [x.name for x in named])
        if name == "coriolis_split":
            C = split(quadratic_part(eom.robot, eom.bias), eom.v)
            return Matrix(C.rows, eom.mass_matrix.row_names, eom.mass_matrix.row_names)
        if name == "total_mass":
            return self._out(total_mass(eom.robot))
        if name == "lagrangian":
            return eom.kinetic_energy - eom.potential_energy
        if name == "actuation":
            return eom.input_matrix @ Vector(eom.inputs)
        total = Vector([0] * len(eom.v), eom.mass_matrix.row_names)
        outside = {x.name for x in eom.external}
        for element in eom.robot.forces:
            f = eom.forces[element.name]
            if outside & {x.name for e in f for x in e.symbols()}:
                total = total + f
        return total

    def _out(self, x: Any) -> Any:
        """Value from the robot itself, with the substitutions of the equations."""
        return x if self.eom.replaced is None else replace_in(x, self.eom.replaced.steps)

    @cached_property
    def _christoffel_symbols(self) -> list[Matrix]:
        return christoffel_symbols(self.eom.mass_matrix, self.eom.q)

    def _christoffel(self, node: Node, evaluation: Evaluation) -> Value:
        self._count(node, 3)
        if not self.eom.robot.has_unit_map:
            raise ParseError(
                "christoffel needs a robot with q̇ = v; use coriolis_matrix.", node.position
            )
        places: list[int] = []
        for x in node.children:
            places.append(self.arrangement.place(self._name(x, evaluation), x.position))
        i, j, k = places
        c = self._christoffel_symbols[i][j, k]
        return self.arrangement.flipped(c, places)

    # -- of a frame ------------------------------------------------------------------------------
    def _of_frame(self, node: Node, keywords: dict[str, Node], evaluation: Evaluation) -> Value:
        self._count(node, 1)
        frame = self.frames.of(self.eom, self._name(node.children[0], evaluation))
        arguments: dict[str, Any] = {}
        for key, x in keywords.items():
            if key != "at":
                arguments[key] = self._name(x, evaluation)
            elif evaluation.scope.frame_name(x) == "com":
                arguments[key] = "com"
            else:
                arguments[key] = evaluation.vector(x, "A point", 3)
        method: Callable[..., Value] = getattr(frame, node.value)
        value = method(**arguments)
        if "jacobian" in node.value and isinstance(value, Matrix):
            return Matrix(value.rows, None, [x.name for x in self.eom.v])
        return Vector(value.entries) if isinstance(value, Vector) else value

    # -- of a body -------------------------------------------------------------------------------
    def _of_body(self, name: str, body: Body, texts: dict[str, str]) -> Value:
        eom, I, frame = self.eom, body.inertia, self.frames.of(self.eom, body.name)
        if name == "axis":
            S = body.joint.angular() if not body.joint.angular().is_zero else body.joint.linear()
            return self._out(S.column(0) if S.shape[1] == 1 else S)
        plain: dict[str, Callable[[], Value]] = {
            "mass": lambda: I.mass, "first_moment": lambda: I.first_moment,
            "com": lambda: I.center, "inertia": lambda: I.tensor,
            "central_inertia": lambda: I.tensor_at_center,
        }  # fmt: skip
        if name in plain:
            return self._out(plain[name]())
        if name == "contribution":
            return eom.contributions.column(body.name)
        if name == "weight_force":
            J = frame.linear_jacobian(at="com")
            weight = self._out(eom.robot.gravity * I.mass)
            return Vector(J.T @ weight, eom.mass_matrix.row_names)
        if name == "body_potential_energy":
            return -(self._out(eom.robot.gravity * I.mass) @ frame.position(at="com"))
        if name == "body_kinetic_energy":
            w, v = self._velocities(frame, body)
            J, m = self._out(I.tensor_at_center), self._out(I.mass)
            return HALF * (m * (v @ v) + w @ (J @ w))
        return self._momentum(name, body, frame, texts)

    def _velocities(self, frame: Frame, body: Body) -> tuple[Vector, Vector]:
        """ω and the velocity of the centre of mass, in the body frame."""
        six = frame.velocity(at="com", expressed_in=body.name)
        return Vector(six.entries[:3]), Vector(six.entries[3:])

    def _momentum(self, name: str, body: Body, frame: Frame, texts: dict[str, str]) -> Value:
        about = texts.get("about", "com")
        if about not in ("com", "origin"):
            raise UnknownNameError("point", about, ("com", "origin"), f"{name}(about=…)")
        I = body.inertia
        J = self._out(I.tensor_at_center if about == "com" else I.tensor)
        w, v = self._velocities(frame, body)
        if name == "body_momentum":
            momentum = v * self._out(I.mass)
        elif name == "angular_momentum":
            momentum = J @ w
        else:  # Ḣ = J α + ω × J ω
            alpha = Vector(frame.acceleration(expressed_in=body.name).entries[:3])
            momentum = J @ alpha + w.cross(J @ w)
        target = texts.get("expressed_in", body.name)
        if target == body.name:
            return momentum
        A = transform(self.eom.robot.tree, body.name, self.eom.frame(target).name).rotation
        from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds

        return self._out(A.map(ChosenSpeeds(self.eom.robot).insert)) @ momentum

    # -- of a force element or constraint --------------------------------------------------------
    def _of_element(self, name: str, node: Node, evaluation: Evaluation) -> Value:
        element = self._name(node.children[0], evaluation)
        if name == "constraint_force":
            forces = self.eom.constraint_forces
            if element not in forces:
                raise UnknownNameError("constraint", element, forces)
            return forces[element]
        force = self.eom.forces[element]
        if name == "generalized_force":
            return Vector(force.entries, self.eom.mass_matrix.row_names)
        if force.energy is None:
            raise ParseError(f"the force element {brief(element)} has no energy.", node.position)
        return scalar(force.energy, "An energy")

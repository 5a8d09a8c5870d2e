"""Joint friction: Coulomb and viscous (document 001, eq. 17), opposing the motion.

    f = −(Fc sign(u) + Fv u)            exact: at u = 0 the force is 0, not the interval [−Fc, Fc]
    f = −(Fc tanh(u/w) + Fv u)          smooth: w [rad/s, m/s] is the width of the step

Document 001 adds +Γ_f to the generalized forces, so that it would drive the motion; here friction
dissipates: its power is ≤ 0 (proved by `certificate.dissipation`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from ....algebra.expr import Expr, sign, symbol, tanh
from ....basics.arguments import text_or
from ....basics.renamed import renamed
from ..force import ForceElement, Geometry, Load, SpeedForce
from ..joint import coordinate_name, speed_name
from .coefficient import not_negative, positive


@final
@dataclass(frozen=True)
class JointFriction(ForceElement):
    """Coulomb and viscous friction at a joint."""

    dissipates: ClassVar[bool] = True

    speed: str
    coulomb: Expr  # Fc [N m], for a prismatic joint [N]
    viscous: Expr  # Fv [N m s/rad], for a prismatic joint [N s/m]
    width: Expr | None = None  # None: sign, exact

    def _direction(self) -> Expr:
        u = symbol(self.speed)
        return sign(u) if self.width is None else tanh(u / self.width)

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        resisting = self.coulomb * self._direction() + self.viscous * symbol(self.speed)
        return (SpeedForce(self.speed, -resisting),)

    def power(self, geometry: Geometry) -> Expr:
        u = symbol(self.speed)
        return -(self.coulomb * (u * self._direction()) + self.viscous * u**2)


@renamed(width="smoothing")
def joint_friction(
    coordinate: str | Expr,
    coulomb: Any = 0,
    viscous: Any = 0,
    smoothing: Any = None,
    name: str = "",
) -> JointFriction:
    """Make friction at the joint of a coordinate.

    Args:
        coordinate: Name of the coordinate.
        coulomb: Coulomb friction [N m], for a prismatic joint [N].
        viscous: Viscous friction [N m s/rad], for a prismatic joint [N s/m].
        smoothing: Width of a smooth step instead of sign(u) [rad/s], for a prismatic joint [m/s].
        name: Name of the element; by default `friction_<coordinate>`.

    Returns:
        The force element.

    Raises:
        ModelError: The coordinate is not a name, or a quantity is negative.

    >>> joint_friction("q1", "Fc", "Fv").loads()[0].force
    -dq1*Fv - Fc*sign(dq1)
    >>> joint_friction("q1", "Fc", smoothing="w").loads()[0].force
    -Fc*tanh(dq1/w)
    """
    q = coordinate_name(coordinate, "joint_friction")
    label = text_or(name, f"friction_{q}")
    return JointFriction(
        label,
        speed_name(q),
        not_negative("Coulomb friction", coulomb, label),
        not_negative("viscous friction", viscous, label),
        None if smoothing is None else positive("smoothing", smoothing, label),
    )

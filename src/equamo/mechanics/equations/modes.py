"""Modes of equations of motion: which contacts are held, and the consequences for stance and impact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...algebra.expr.matrix import Matrix
from .constrained import ConstrainedEquations
from .replaced import quantity_property

if TYPE_CHECKING:
    from .equations import EquationsOfMotion
    from .impact import Impact
    from .stance import ProjectedEquations


class ModeEquations(ConstrainedEquations):
    """Base of EquationsOfMotion: equations in another mode, their projected form, and impacts."""

    def in_mode(self, mode: Mapping[str, str] | None = None, /, **named: str) -> EquationsOfMotion:
        """Equations with contacts held to the ground or open.

        The tree and its derivation stay the same; each held contact adds three rows A v = 0 with a force
        λ of the ground on its body.

        Args:
            mode: "stick" or "open" by contact, such as {"LF": "stick"}.
            **named: The same as keywords, such as LF="stick". All other contacts are open.

        Returns:
            The equations of the robot in this mode, in the augmented form.

        Raises:
            UnknownNameError: Unknown contact or mode.
            ModelError: The robot has chosen speeds, which do not fit another mode.

        >>> from equamo.mechanics.equations import derive
        >>> from equamo.robot.library import load
        >>> stance = derive(load("starleth")).in_mode(LF="stick", RH="stick")
        >>> stance.constraint_matrix.shape
        (6, 18)
        """
        from .derive import derived_once, is_derived
        from .equations import EquationsOfMotion

        eom = self._equations
        whole = eom if eom.replaced is None else eom.replaced.whole
        robot = whole.robot.in_mode(mode, **named)
        if is_derived(whole):
            derived_once(robot, whole.by, lambda: whole.derivation)
        new = EquationsOfMotion(robot, whole.by, whole.derivation, whole.coriolis)
        object.__setattr__(new, "is_recursive", whole.is_recursive)
        for step in () if eom.replaced is None else eom.replaced.steps:
            new = new.subs(step)
        return new

    def projected(self) -> ProjectedEquations:
        """Projected form Nᵀ (M v̇ + C v + g − B τ) = 0 of augmented equations; see `stance`."""
        from .stance import projected

        return projected(self._equations)

    def impact(
        self, v: Sequence[Any] | Mapping[str, Any] | None = None, restitution: Any = 0
    ) -> Impact:
        """Impact at which all loops and held contacts become active; see `impact`.

        Args:
            v: Speeds before the impact: one quantity per speed, or quantities by name (others are 0); by
                default the symbols of the speeds.
            restitution: Coefficient of all rows: 0 for a plastic impact, 1 for an elastic one.

        Returns:
            Speeds after the impact, impulses and energy loss.

        Raises:
            ConstraintError: The robot has no rows, its speeds were chosen, or `restitution` is not
                between 0 and 1.
            ShapeError: `v` has the wrong number of speeds.
            UnknownNameError: `v` has an unknown speed.
        """
        from .impact import impact

        return impact(self._equations, v, restitution)

    @quantity_property
    def constraint_inertia(self) -> Matrix:
        """Inertia Λ = (A M⁻¹ Aᵀ)⁻¹ seen by the independent rows of augmented equations."""
        from .constraint_space import ConstraintSpace

        return ConstraintSpace(self._equations, "constraint_inertia").inertia

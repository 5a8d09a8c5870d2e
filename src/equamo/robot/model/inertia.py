"""Inertia: ten numbers about the body frame's origin, in which dynamics is linear.

`m` mass [kg]; `MX MY MZ` first moments m·c [kg m]; `XX XY XZ YY YZ ZZ` the inertia tensor about the
origin [kg m²], with `XY = −∫xy dm` the tensor's entry, so J = [[XX,XY,XZ],[XY,YY,YZ],[XZ,YZ,ZZ]].

This is the inertia that a user describes, for whichever frame its body has; `in_frame` makes it the
spatial quantity of one frame.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, final

from ...algebra.expr import ZERO, Expr, as_expr
from ...algebra.expr.matrix import Matrix, diagonal, identity, outer
from ...algebra.expr.vector import ZERO3, Vector, components, vector3
from ...basics.arguments import items_of
from ...basics.wording import brief, counted
from ...errors import ModelError
from ..spatial.frame import Frame
from ..spatial.inertia import Inertia as SpatialInertia
from ..spatial.pose import Pose

NAMES: Final = ("m", "MX", "MY", "MZ", "XX", "XY", "XZ", "YY", "YZ", "ZZ")


@final
@dataclass(frozen=True, slots=True)
class Inertia:
    """Mass, first moment and inertia tensor about the origin of the body frame.

    >>> Inertia.central("m", "c 0 0", "0 0 I").ten[-1].closed_form()
    c**2*m + I
    """

    mass: Expr  # [kg]
    first_moment: Vector  # MS = m·c, in the body frame
    tensor: Matrix  # J about the origin, in the body frame
    com: Vector | None = None  # centre of mass, if it was given: no division by the mass
    central_tensor: Matrix | None = None  # about the centre of mass, if it was given

    @staticmethod
    def zero() -> Inertia:
        """Inertia of a massless body."""
        return Inertia(ZERO, ZERO3, diagonal([0, 0, 0]), ZERO3, diagonal([0, 0, 0]))

    @staticmethod
    def about_origin(numbers: Any) -> Inertia:
        """Inertia from its ten numbers about the body frame, in the order of Khalil and of Krang.

        Args:
            numbers: m MX MY MZ XX XY XZ YY YZ ZZ, as text or a sequence.

        Raises:
            ModelError: If there are not ten numbers.
        """
        values = _quantities(numbers)
        if len(values) != 10:
            raise ModelError(
                f"An inertia about the body frame must have ten numbers {' '.join(NAMES)}, got "
                f"{len(values)}."
            )
        m, *rest = values
        return Inertia(m, Vector(rest[:3]), symmetric(rest[3:]))

    @staticmethod
    def central(mass: Any, com: Any = "0 0 0", tensor: Any = "0 0 0") -> Inertia:
        """Inertia from mass, centre of mass and the tensor about the centre of mass (proNEu).

        Args:
            mass: Mass [kg].
            com: Centre of mass in the body frame [m].
            tensor: Three principal moments, six entries XX XY XZ YY YZ ZZ, or a 3×3 matrix [kg m²].

        Raises:
            ModelError: If the tensor has another number of entries, or is not symmetric.
        """
        m, c, J = as_expr(mass), vector3(com), symmetric(tensor)
        if m is ZERO:  # literally massless: its centre of mass is its frame
            return Inertia(ZERO, ZERO3, J, ZERO3, J)
        # Steiner: J_O = J_G + m(c·c 1 − c cᵀ)
        return Inertia(m, c * m, J + (identity(3) * (c @ c) - outer(c, c)) * m, c, J)

    @property
    def ten(self) -> tuple[Expr, ...]:
        """The ten numbers, in the order of NAMES."""
        J = self.tensor
        six = (J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2])
        return (self.mass, *self.first_moment, *six)

    @property
    def center(self) -> Vector:
        """Centre of mass in the body frame; at the frame if the body is massless."""
        if self.com is not None:
            return self.com
        if self.mass is ZERO:
            if not self.first_moment.is_zero:
                raise ModelError(
                    "An inertia with a first moment must have a mass to have a centre of mass, got "
                    "mass 0 (base parameters); derive by kane, lagrange, gibbs_appell or recursive."
                )
            return ZERO3
        return self.first_moment / self.mass

    @property
    def tensor_at_center(self) -> Matrix:
        """J_G = J_O − m(c·c 1 − c cᵀ), with m·c the first moment"""
        if self.central_tensor is not None:
            return self.central_tensor
        c, MS = self.center, self.first_moment
        return self.tensor - (identity(3) * (c @ MS) - outer(c, MS))

    @property
    def is_zero(self) -> bool:
        """Whether all ten numbers are 0."""
        return all(x is ZERO for x in self.ten)

    def in_frame(self, frame: Frame) -> SpatialInertia:
        """The inertia as a spatial quantity, in the frame of the body that has it."""
        return SpatialInertia(frame, self.mass, self.first_moment, self.tensor)

    @staticmethod
    def of(I: SpatialInertia) -> Inertia:
        """From a spatial quantity; its frame is then that of the body that gets the inertia."""
        return Inertia(I.mass, I.first_moment, I.tensor)

    def moved(self, A: Matrix, p: Vector) -> Inertia:
        """Inertia of the same body about another frame.

        Args:
            A: Rotation of the present frame in the other.
            p: Origin of the present frame in the other.

        Returns:
            The ten numbers about the other frame.
        """
        body, other = Frame("body"), Frame("other")
        return Inertia.of(Pose(body, other, A, p) @ self.in_frame(body))

    def __add__(self, other: Inertia) -> Inertia:
        """Two bodies fixed to each other, about one frame."""
        return Inertia(
            self.mass + other.mass,
            self.first_moment + other.first_moment,
            self.tensor + other.tensor,
        )

    def entries(self) -> tuple[Expr, ...]:
        """All expressions of the inertia, for a search of symbols."""
        return self.ten


def symmetric(tensor: Any) -> Matrix:
    """Symmetric 3×3 matrix from three, six or nine quantities."""
    if isinstance(tensor, Matrix):
        J = tensor
        if J.shape != (3, 3):
            raise ModelError(f"An inertia tensor must be 3×3, got {J.shape[0]}×{J.shape[1]}.")
        for i, j in ((0, 1), (0, 2), (1, 2)):
            if J[i, j] is not J[j, i]:
                a, b = f"{i + 1}{j + 1}", f"{j + 1}{i + 1}"
                raise ModelError(
                    f"An inertia tensor must be symmetric, got {brief(J[i, j])} for entry {a} and "
                    f"{brief(J[j, i])} for entry {b}."
                )
        return J
    if hasattr(tensor, "tolist"):  # a NumPy array, a SymPy matrix
        tensor = tensor.tolist()
    values = _quantities(tensor)
    if len(values) == 3:
        return diagonal(values)
    if len(values) == 9:
        return symmetric(Matrix([values[:3], values[3:6], values[6:]]))
    if len(values) != 6:
        raise ModelError(
            "An inertia tensor must be 3 principal moments, 6 entries XX XY XZ YY YZ ZZ or a 3×3 "
            f"matrix, got {counted(len(values), 'number')}."
        )
    xx, xy, xz, yy, yz, zz = values
    return Matrix([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _quantities(numbers: Any) -> list[Expr]:
    if isinstance(numbers, str):
        parts: Iterable[Any] = components(numbers)
    elif (listed := items_of(numbers)) is not None:
        parts = [x for part in listed for x in (part if _is_row(part) else [part])]
    else:
        raise ModelError(
            f"An inertia must be text or a sequence of quantities, got {brief(numbers)}."
        )
    return [as_expr(x) for x in parts]


def _is_row(x: Any) -> bool:
    return isinstance(x, (list, tuple, Vector))

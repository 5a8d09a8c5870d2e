"""Kinds of joints, one file per kind."""

from .custom import Custom, custom, unit_vectors
from .cylindrical import Cylindrical, cylindrical
from .fixed import Fixed, fixed
from .free import Free, FreeEuler, free
from .helical import Helical, helical
from .planar import Planar, planar
from .prismatic import Prismatic, prismatic
from .revolute import Revolute, revolute
from .spherical import Spherical, SphericalEuler, spherical
from .universal import Universal, universal

__all__ = [
    "Custom", "Cylindrical", "Fixed", "Free", "FreeEuler", "Helical", "Planar", "Prismatic",
    "Revolute", "Spherical", "SphericalEuler", "Universal", "custom", "cylindrical", "fixed", "free",
    "helical", "planar", "prismatic", "revolute", "spherical", "unit_vectors", "universal",
]  # fmt: skip

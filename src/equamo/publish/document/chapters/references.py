"""References of each method."""

from __future__ import annotations

from typing import Final

from ..blocks import Section, Text
from ..script import Script

_METHODS: Final = {
    "kane": (
        "T. R. Kane and D. A. Levinson, Dynamics: Theory and Applications. McGraw-Hill, 1985.",
        "M. Zafar, Equations of Motion of Krang on Fixed Wheels, 2015.",
    ),
    "lagrange": (
        "J.-L. Lagrange, Mécanique analytique. Paris, 1788.",
        "W. Khalil and E. Dombre, Modeling, Identification and Control of Robots. "
        "Butterworth-Heinemann, 2004.",
    ),
    "projected_newton_euler": (
        "H. Bremer, Elastic Multibody Dynamics: A Direct Ritz Approach. Springer, 2008.",
    ),
    "gibbs_appell": (
        "J. W. Gibbs, On the fundamental formulae of dynamics. American Journal of Mathematics 2, 1879.",
        "P. Appell, Sur une forme générale des équations de la dynamique. Journal für die reine und "
        "angewandte Mathematik 121, 1900.",
    ),
    "recursive": (
        "J. Y. S. Luh, M. W. Walker and R. P. C. Paul, On-line computational scheme for mechanical "
        "manipulators. Journal of Dynamic Systems, Measurement, and Control 102, 1980.",
        "R. Featherstone, Rigid Body Dynamics Algorithms. Springer, 2008.",
    ),
}
_CHOSEN: Final = (
    "G. A. Maggi, Principii della teoria matematica del movimento dei corpi. Milano, 1896."
)
_PROOFS: Final = (
    "J. T. Schwartz, Fast probabilistic algorithms for verification of polynomial identities. "
    "Journal of the ACM 27, 1980."
)


def references(script: Script, methods: tuple[str, ...]) -> Section:
    """References of the methods that were used, and of the proofs."""
    found = [x for method in methods for x in _METHODS.get(method, ())]
    if script.robot.speed_map is not None:
        found.append(_CHOSEN)
    found.append(_PROOFS)
    return Section("References", tuple(Text(f"[{i}] {x}") for i, x in enumerate(found, 1)))

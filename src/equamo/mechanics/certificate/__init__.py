"""Certificates: every formulation compared with every other, and every identity proved.

In reading order: identities, sides, properties, derivatives, kinematics, loops, cuts, edits,
virtual_motion, virtual_power; statement, prove, certificate, expect, check_file, recent; comparison,
dissipation, definiteness, assembled; export.
"""

from .certificate import Certificate, Line
from .check_file import check_file
from .comparison import Comparison, Difference, compare
from .dissipation import Dissipation, dissipation
from .expect import expect_certificate
from .prove import prove, proved

__all__ = [
    "Certificate", "Comparison", "Difference", "Dissipation", "Line", "check_file", "compare",
    "dissipation", "expect_certificate", "prove", "proved",
]  # fmt: skip

"""The certificate: every formulation compared with every other, and every identity proved."""

from .certificate import Certificate, Line, check_file
from .comparison import Comparison, Difference, compare
from .prove import prove

__all__ = ["Certificate", "Comparison", "Difference", "Line", "check_file", "compare", "prove"]

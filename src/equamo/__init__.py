"""equamo: equations of motion, derived, proved, compiled.

The public names, in the order a user meets them.
"""

# expressions
from .expr import Expr, parse

# proofs
from .identity import Proof, prove_equal, prove_zero, residual

__version__ = "0.1.0"

__all__ = [
    "Expr",
    "Proof",
    "__version__",
    "parse",
    "prove_equal",
    "prove_zero",
    "residual",
]

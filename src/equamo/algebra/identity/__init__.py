"""Proofs that two expressions are equal. In reading order: prove, proof, proof_latex, trials, point,
degree, primes; rewrite (before a proof), counterexample (after a failed one), difference (the
residual), elimination, block_elimination, rank, rank_where (where equations hold), stacked (linear
algebra); lookalikes (q2 and q_2); normal_form, straight_line (export for the stand-alone checker).
"""

from .difference import residual
from .proof import Proof
from .prove import prove_all, prove_equal, prove_zero

__all__ = ["Proof", "prove_all", "prove_equal", "prove_zero", "residual"]

"""Exact expressions, proofs about them, text and LaTeX.

arrays      arrays of numbers: NumPy, or small ones in plain Python if it is not installed
expr        expressions on one hash-consed graph: derivatives, substitution, evaluation, printing
identity    proofs that two expressions are equal
"""

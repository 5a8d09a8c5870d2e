"""Chapters of a paper, one file each. In reading order: model (bodies and parameters), notation,
transforms (poses of joints and bodies), lagrange, kane, projected_newton_euler, gibbs_appell and
recursive (the method), equations (M, C, g and the forces), constraints (chosen speeds, loops), checks,
example_state and references.
"""

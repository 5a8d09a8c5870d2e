"""Chapters of a paper, one file each.

In reading order: model (bodies and parameters), notation, constraints (chosen speeds), transforms (poses
of joints and bodies), velocities (and accelerations); the methods: lagrange with lagrange_laws,
lagrange_large and jacobians, kane, projected_newton_euler with momentum_rates, gibbs_appell, recursive;
energy_route (the mass matrix from energies, as a check); loops, equations (M, C, g, forces and the
equations of motion), checks, example_state and references.
"""

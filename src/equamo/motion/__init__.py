"""What people do with equations of motion.

simulation  equations and inputs to trajectories, batches of runs and sweeps
control     equilibria, linear systems and feedback
frameworks  compiled functions in PyTorch, JAX and CasADi
"""

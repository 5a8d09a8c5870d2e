"""Robots in other libraries: PyTorch, JAX, CasADi, and comparisons with other dynamics libraries.

A framework is an optional extra, imported only when it is asked for. In reading order: `framework` (how
one is imported), `pytorch` (`fast.to_torch`), `casadi` (`fast.to_casadi`),
`casadi_graph` (its functions), `casadi_external` (as compiled C).
"""

"""Robots in other libraries: PyTorch, JAX, CasADi, and comparisons with other dynamics libraries.

A framework is an optional extra, imported only when it is asked for. In reading order: `framework` (how
one is imported), `pytorch` (`fast.to_torch`), `jax`, `jax_function`, `jax_arrays`,
`jax_primitive`, `jax_handler`, `jax_configurations` (`fast.to_jax`).
"""

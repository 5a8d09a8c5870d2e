"""Robots in other libraries: PyTorch, JAX, CasADi. Comparisons with dynamics libraries are in `referee`.

A framework is an optional extra, imported only when it is needed (`framework`). `arguments` reads the
arguments of a call by name. In reading order:

    PyTorch    pytorch (`fast.to_torch`), pytorch_function, pytorch_tensors, pytorch_operator,
               pytorch_configurations
    JAX        jax (`fast.to_jax`), jax_function, jax_arrays, jax_primitive, jax_handler,
               jax_cuda (the same on a GPU), jax_configurations
    CasADi     casadi (`fast.to_casadi`), casadi_arguments, casadi_graph, casadi_external (as
               compiled C)
"""

"""From equations to programs that run.

ir          programs: straight-line code, its passes, and the proof that it is the equations
jit         programs to machine code, on the CPU and on NVIDIA GPUs (jit/cuda)
steps       methods that integrate by fixed steps, as programs
codegen     programs to packages of source code, and the proof of their text
"""

"""Functions on NVIDIA GPUs, without a CUDA toolkit. In reading order: layout (how states lie in memory),
thread, staging (LLVM IR of one thread), ptx."""

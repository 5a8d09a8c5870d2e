"""Functions on NVIDIA GPUs, without a CUDA toolkit. In reading order: device_function (calls),
arguments (checks), arrays, dlpack, libraries (arrays of PyTorch, CuPy, JAX), runner (launches by
the fastest variant), variants, code (of each variant, and its cache), launch, timing; layout (memory
layout of states), thread, staging, elementary (LLVM IR of one thread), order, parking (values without
registers), parts, module, constants, ptx; driver, device, image (the driver's part); proof,
parking_proof (of the IR), selftest (for `equamo doctor`).
"""

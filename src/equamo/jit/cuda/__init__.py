"""Functions on NVIDIA GPUs, without a CUDA toolkit. In reading order: device_function (calls),
arguments (their checks), arrays, dlpack, libraries (arrays of PyTorch, CuPy, JAX), runner (launches by
the fastest variant), variants, code (of each variant, and its cache), launch, timing; layout (how states
lie in memory), thread, staging, elementary (LLVM IR of one thread), order, parking (values without a
register), parts, module, constants, ptx; driver, device, image (what the driver does); proof,
parking_proof (of the IR), selftest (for `equamo doctor`).
"""

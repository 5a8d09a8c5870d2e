"""Functions on NVIDIA GPUs, without a CUDA toolkit. In reading order: device_function (calls), arrays,
dlpack, libraries (arrays of PyTorch, CuPy, JAX), code (variants and their cache), launch; layout (how
states lie in memory), thread, staging, elementary (LLVM IR of one thread), parts, module, ptx; driver,
device, image (what the driver does); proof (of the IR), selftest (for `equamo doctor`).
"""

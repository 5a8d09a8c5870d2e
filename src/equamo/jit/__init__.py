"""Machine code through LLVM. In reading order: compiled (the public class), compiled_function, packed,
arrays, batch, machine_code, certificate (what is proved about it), cache, kernel (any expressions); llvm, block,
sincos (IR of a program), engine, object_file (from IR to memory), entry, builtin (calls from Python);
ir_reader, ir_algebra, ir_sincos, ir_execution, ir_proof (from LLVM's printout back to the program).
"""

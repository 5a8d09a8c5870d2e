"""Machine code through LLVM. In reading order: compiled (the public class), compiled_function, packed,
expression_function (`eq.function`), arrays, batch, origin (what is compiled), machine_code, certificate
(what is proved about it), cache, kernel (expressions for simulation loops); llvm, block, sincos (IR of a
program), engine, object_file (from IR to memory), entry, builtin (calls from Python);
ir_reader, ir_algebra, ir_sincos, ir_execution, ir_proof (from LLVM's printout back to the program);
`cuda` has the same functions on a GPU.
"""

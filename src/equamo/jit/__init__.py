"""Machine code through LLVM. In reading order: compiled (what a user holds), compiled_function, arrays,
batch, machine_code, certificate (what is proved of it), cache, kernel (any expressions); llvm, block,
sincos (the text of a program), engine, object_file (from text to memory), entry,
builtin (calls from Python)."""

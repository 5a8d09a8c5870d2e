"""C: a function is run once, on symbols. In reading order:

text                   macros and headers, by pcpp
types, memory          numbers, pointers and arrays; values and the blocks they are stored in
literals, arithmetic   numbers as written; operators
order                  effects whose order C does not define
expression, statement  nodes of pycparser, run
arrays, casadi         what a function read and wrote; the functions that CasADi generates
file                   the functions of a file
"""

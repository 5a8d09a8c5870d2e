"""MATLAB and Octave: a function is run once, on symbols. In reading order:

tokens, syntax, parser text to trees
values, functions      numbers, matrices, operators and functions on them
expression, file       expressions and statements, run
"""

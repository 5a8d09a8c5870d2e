"""MATLAB and Octave: a function is run once, on symbols. In reading order:

tokens, syntax         text to trees
values, functions      numbers, matrices, operators and functions on them
file                   statements and expressions, run
"""

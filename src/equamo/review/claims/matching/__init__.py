"""Matching of the functions of a program with derived quantities. In reading order:

names               names that need no mapping: mass_matrix, q, dq1
mapping             a mapping file, comments in the program, or a dictionary
inputs, outputs     arguments in the robot's symbols; results in the shape of a quantity
rounding            agreement to rounding, if numbers were folded in double precision
compared_output     verdicts on one result, entry by entry
code_audit          all results of all functions
"""

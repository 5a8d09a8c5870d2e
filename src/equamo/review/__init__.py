"""What other people wrote, against what is derived here.

programs    functions of foreign source code, read into expressions
claims      printed equations, and what programs compute, against derived quantities
referee     a robot as other libraries of dynamics read it, against ours
"""

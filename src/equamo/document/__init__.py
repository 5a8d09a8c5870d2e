"""The derivation of a robot's equations as a document. In reading order: blocks (what a document is made of),
paper (a document), compose (a robot and a method to a document).
"""

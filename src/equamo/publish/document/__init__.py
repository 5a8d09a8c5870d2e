"""The derivation of a robot's equations as a document.

In reading order: blocks (what a document is made of), paper (a document), write (`eq.paper`); content:
compose (a document from a robot and a method), style, script (numbered equations from recorded steps),
printed (values as they are printed), families (laws with an instance per body), compare (two methods),
and the chapters; layout that all formats share: prose, widths, line_breaks, matrix_breaks, display;
formats: latex with latex_text, latex_columns and tikz, html, typst with typst_maths, notebook with
notebook_code; and round_trip, which reads the LaTeX back, with latex_members, short_names and
edited_text.
"""

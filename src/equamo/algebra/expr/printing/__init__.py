"""Printers. In reading order: text, latex, latex_arrays (vectors and matrices), latex_number,
symbol_name (a name as base, accent and subscripts), greek (its letters), notation (the names of an
expression), arrange and reading_order (the order readers expect), maths (formulas as trees),
maths_reader (LaTeX to such trees) and mathml (trees for web pages)."""

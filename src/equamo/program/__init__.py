"""Programs: from the expression graph to straight-line code, machine code and other languages."""

"""Programs: straight-line code lowered from the graph. In reading order: program, builder, functions
(the functions of a robot), lower, passes, cost, rounding (constants), rebuild (back to expressions),
specification (what functions must compute), proof (that they do)."""

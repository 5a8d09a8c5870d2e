"""Programs: straight-line code lowered from the graph. In reading order: program, builder, functions
(what a robot's equations offer), lower, passes, cost, rounding (constants), rebuild (the way back to
expressions), specification (what functions must compute), proof (that they do)."""

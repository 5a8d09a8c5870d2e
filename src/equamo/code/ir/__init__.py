"""Programs: straight-line code lowered from the graph. In reading order: program, builder, lower,
passes, cost, function, constraints (rows of loops and contacts), functions (those
of a robot); derivatives of them: directions, variables, derivative, dynamics_derivatives,
dynamics_products, parameter_derivatives, differentials (pushforward and pullback of any function, to any
order), inertial_derivatives, frame_derivatives, derivatives (by name), second_order and sensitivities
(those that CasADi needs), non_smooth; packing (only entries that are not zero), lookup (functions by
name), reserved (names that a user's functions must not have), expressions, user_functions (a user's
own), rounding (constants), rebuild (back to expressions),
specification, derivative_specification and sensitivity_specification (what functions must compute),
proof (that they do)."""

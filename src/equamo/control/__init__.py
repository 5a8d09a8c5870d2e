"""Control: states of rest, linear systems near a state, and controllers.

In reading order: `operating_point` and `rest_equations` (what everything starts from), `equilibria`,
`state_chart`, `linear_system`, `linearize`, `controllability`, `lqr`, `functions_of_time` (references),
`linear_feedback`, `gravity_compensation` and `computed_torque`.
"""

"""Control: states of rest, linear systems near a state, and controllers.

In reading order: `listed_names`, `operating_point` and `rest_equations` (what everything starts
from), `equilibria`, `state_chart`, `constraint_tangent` (states on loops), `residual_slopes`,
`kinks`, `balls`, `precise_system` and `precise_robot` (the same matrices to any precision),
`linear_system`, `system_latex`, `linearize`, `rational_polynomials`, `transfer_function`,
`transfer_polynomials`, `numeric_transfer_function`; `rational_functions`, `symbolic_linear_system`
and `symbolic_linearize` (exact in the parameters); `controllability`, `lqr`, `functions_of_time`
(references), `linear_feedback`, `loop_torques` (inputs with loops), `gravity_compensation` and
`computed_torque`.
"""

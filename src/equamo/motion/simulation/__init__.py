"""Motion: simulations, batches of runs in machine code, and sweeps over many samples.

In reading order: `inputs` and `conditions` (arguments), `flow_code` and `flow` (the right-hand side),
`bracket` (zeros and minima), `enclosure`, `step_polynomial`, `isolation` and `load_search` (zeros within
a step), `pivoting`, `sticking` and `switching` (dry friction), `events`, `event_search` and
`limit_violations`; `constraint_rows`,
`projection`, `rank_watch`, `closing`, `reach` and `partition` (loops and sticking contacts);
`dormand_prince_table`, `dormand_prince`, `solve`, `segments`, `stepping`, `stiffness` and `simulate`;
`columns`, `interpolation`, `closure_errors`, `ledger`, `energy_drift`, `acceleration_errors`,
`constraint_forces`, `torques`,
`violation` and `trajectory` (results);
`trajectory_files`, `plot`, `notebook_figure` and `stick_figure` (their output); `integrators/`,
`closed_state`, `closed_batch`, `fixed_step`, `rollout` and `device_rollout` (fixed steps in machine
code, on the CPU and on a GPU); `step`,
`step_derivatives` and `step_projection` (one of them); `carried_function`, `worker_process`,
`worker_pool`, `sweep_store` and `sweep`.
"""

"""Motion: simulations, batches of runs in machine code, and sweeps over many samples.

In reading order: `inputs` and `conditions` (arguments), `flow_code` and `flow` (the right-hand side),
`switching` (dry friction), `events`, `event_search` and `limit_violations`, `solve`, `stepping`,
`stiffness` and `simulate`; `columns`, `ledger`, `energy_drift`, `torques`, `violation` and `trajectory`
(results), `trajectory_files`, `plot`, `notebook_figure` and `stick_figure` (their output);
`integrators/`, `fixed_step` and `rollout` (fixed steps in machine code), `step` and `step_derivatives`
(one of them); `carried_function`, `worker_process`, `worker_pool`, `sweep_store` and `sweep`.
"""

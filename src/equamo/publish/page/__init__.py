"""Page of a robot: one HTML file with the robot, its equations, their proof, its motion and its code.

In reading order: `report` (`eq.report`), `context` (what the sections share), `sections/`, `document`
and `markup` (the file); `tape`, `typeset`, `abbreviations`, `origins`, `tips`, `proof_data`,
`scene_data`, `mesh_data`, `poses`, `resample` and `constraint_data` (data for the scripts in
`assets/`); `show` and `notebook` (displays).
"""

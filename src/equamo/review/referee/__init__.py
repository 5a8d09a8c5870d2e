"""Comparison of a robot's numbers with those of other dynamics libraries (`eq.compare_with`).

The same file is read by equamo and by another library. Both are evaluated at the same random states,
each in its own conventions. A difference is explained by a rule that is applied and checked, or reported
with its entry and its state.

In reading order: `compare` (the whole run), `description` (the URDF text that the libraries read),
`states`, `rotations`, `placed` (one state in a library's conventions), `library` (interface of a
library, with `quiet`), `libraries/` (one file per library), `numbers` (ours), `difference`,
`link_inertias` and `inertia_causes` (inertias as a library read them), `rules`, `explain`, `result` and
`report`.
"""

from .compare import compare_with as compare_with
from .report import RefereeReport as RefereeReport

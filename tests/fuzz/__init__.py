"""Every reader of text or bytes from outside, on changed and hostile documents.

In reading order: `reader` (what must hold), `edits` and `documents` (the strategies), `readers/` (one
file per kind of document), `registry`, `regressions`, and the tests. `make fuzz` runs the same readers
for minutes, with new seeds.
"""

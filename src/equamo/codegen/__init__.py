"""Source code in other languages. In reading order: generate, selection (which functions), targets (one
file per language), names, golden (vectors to test against), quantities and provenance (what a file says
about itself), program_proof, readers (text back to expressions), text_proof (text against programs),
put_in_place (files), prove_code (files on disk, proved again)."""

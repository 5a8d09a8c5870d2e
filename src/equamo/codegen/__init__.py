"""Source code in other languages. In reading order: generate, targets (one file per language), names,
golden (vectors to test against), quantities, provenance, program_proof (what a file says about
itself)."""

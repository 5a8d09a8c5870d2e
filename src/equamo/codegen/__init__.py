"""Source code in other languages. In reading order: generate, targets (one file per language), names,
golden (test vectors), quantities, provenance, program_proof (heads of files)."""

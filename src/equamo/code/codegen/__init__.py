"""Source code in other languages. In reading order: generate, selection (which functions), targets (one
file per language), names, golden (test vectors), quantities, provenance, program_proof (heads of files),
readers (text back to expressions), text_proof (text against programs), put_in_place (files), prove_code
(files on disk, proved again) with header (their claims) and described (their other comments).
"""

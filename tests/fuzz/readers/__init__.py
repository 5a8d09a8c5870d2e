"""Readers to fuzz: each module lists them in READERS."""

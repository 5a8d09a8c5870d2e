"""Expressions as text. In reading order: text, latex, notation (names as letters with accents and
subscripts), arrange and reading_order (the order that people expect)."""

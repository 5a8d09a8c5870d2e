"""Expressions as text. In reading order: text, latex, notation (names as letters with accents and
subscripts), greek (its letters), arrange and reading_order (the order that people expect)."""

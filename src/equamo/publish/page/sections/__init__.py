"""Sections of the page, one file each: their HTML, and the data that their script reads."""

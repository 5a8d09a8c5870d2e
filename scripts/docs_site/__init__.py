"""The documentation as a site: `make docs` writes build/docs from docs/, docstrings and examples/.

In reading order: `__main__` runs the steps; `contents` reads the table of contents from docs/index.md;
`pages` turns the pages of docs/ into sources for Sphinx, and `repository_links` their links to files
of the repository; `docstring`, `fields` and `public_names` read the package, `reference` writes its
reference and `command_line` that of the command; `equation_lines` links numbered equations to the lines
that compute them; `gallery` makes pages and papers of robots, `notebooks` runs those of examples/;
`conf` is the configuration of Sphinx; `source_pages` shows files with line numbers; `check` follows
every link of the result, and `offline_search` searches it in a browser.
"""

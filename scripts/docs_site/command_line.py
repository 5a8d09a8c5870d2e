"""Reference of the command `equamo`: every verb with its arguments, as `--help` explains them."""

from __future__ import annotations

import inspect
from typing import Any

import typer

from equamo.cli import app


def command_line() -> str:
    """Markdown of the page."""
    main: Any = typer.main.get_command(app)
    rows = ["# The command `equamo`", "The verbs of the command line are those of Python."]
    verbs = [(name, verb) for name, verb in main.commands.items()]
    table = ["| verb | what it does |", "|---|---|"]
    for name, verb in verbs:
        table.append(f"| [`equamo {name}`](#equamo-{name}) | {_summary(verb)} |")
    rows.append("\n".join(table))
    for name, verb in verbs:
        rows += [f"## equamo {name}", *_verb(name, verb)]
    return "\n\n".join(rows) + "\n"


def _help(verb: Any) -> str:
    return inspect.cleandoc(verb.help or "").split("\f")[0]


def _summary(verb: Any) -> str:
    return " ".join(_help(verb).split("\n\n")[0].split()).replace("|", r"\|")


def _verb(name: str, verb: Any) -> list[str]:
    rows: list[str] = []
    words = ["equamo", name]
    for part in _help(verb).split("\n\n"):
        # Click keeps the lines of a paragraph that starts with \b: those are examples.
        text = part.replace("\b", "").strip("\n")
        rows.append(
            f"```text\n{inspect.cleandoc(text)}\n```" if "\b" in part else " ".join(text.split())
        )
    table = ["| argument | meaning | default |", "|---|---|---|"]
    for x in verb.params:
        if getattr(x, "hidden", False):
            continue
        argument = x.param_type_name == "argument"
        shown = x.name.upper() if argument else ", ".join([*x.opts, *x.secondary_opts])
        words += [shown if x.required else f"[{shown}]"] if argument else []
        empty = (
            x.default is None or x.default is False or callable(x.default) or x.default in ((), "")
        )
        default = "" if empty or argument else f"`{x.default}`"
        table.append(f"| `{shown}` | {_cell(getattr(x, 'help', '') or '')} | {default} |")
    usage = f"```text\n{' '.join(words)} [OPTIONS]\n```"
    return [usage, *rows, "\n".join(table)]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|").replace("*", r"\*").replace("<", r"\<")

"""The command `equamo`: its arguments, separated by zero bytes, and its standard input."""

import os
import warnings
from pathlib import Path
from random import Random
from unittest.mock import patch

from command_line import equamo
from fuzz.documents import documents
from fuzz.edits import NAMES, NUMBERS
from fuzz.reader import Reader, folder, text

# Neither `studio` and `demo`, which take long, nor `view` and `report`, which open a browser.
COMMANDS = (
    "robots", "robots|--json", "new|rrp|--out|x.toml", "check|rr_arm|--json", "derive|rr_arm|--by|kane",
    "derive|rp_arm|--json", "generate|rr_arm|--to|c|--out|code|--function|gravity|--no-prove",
    "simulate|rr_arm|--duration|0.1|--q|q1=1", "linearize|rr_arm|--q|q1=0.3", "check|x.toml",
    "prove|rp_arm|--json", "doctor|--json", "audit|claims.toml", "--version", "compare|rr_arm|--with|x",
)  # fmt: skip
DOCUMENTS = tuple(x.replace("|", "\0").encode() for x in COMMANDS)
STANDARD_INPUT = "equamo.cli.model._standard_input"
VERBS = frozenset(x.split("|")[0] for x in COMMANDS)
OPTIONS = (
    "--json", "--help", "--q", "--v", "--by", "--out", "--base", "--parameters", "--value", "--seed",
    "--duration", "q1=1", "q1=nan", "m1=", "=", "q1=1e999", "kane", "c", "-", "--", "rr_arm", "rp_arm",
    "four_bar", "x.toml", "arm.urdf", "/dev/null", ".", "-x", "--method", "--error-bits", "--input",
)  # fmt: skip


def edit_arguments(data: bytes, r: Random) -> bytes:
    """Arguments dropped, doubled, swapped, replaced, put in; the verb stays."""
    verb, *rest = text(data).split("\0")
    k = r.randrange(len(rest) + 1)
    kind = r.randrange(5)
    if kind == 0:
        rest[k : k + 1] = []
    elif kind == 1:
        rest[k:k] = rest[k : k + 2]
    elif kind == 2:
        rest.reverse()
    else:
        new = r.choice(
            (r.choice(OPTIONS), r.choice(NUMBERS), r.choice(NAMES), f"q1={r.choice(NUMBERS)}")
        )
        rest[k : k + (kind == 3)] = [new]
    return "\0".join([verb, *rest]).encode("utf-8", "replace")


def read(data: bytes) -> None:
    """The command ends with exit code 0, 1 or 2, whatever its arguments are."""
    verb, *rest = text(data).split("\0")
    if verb not in VERBS or any(
        Path(x).is_absolute() for x in rest
    ):  # writes into its own folder only
        return
    here = folder() / "command"
    here.mkdir(exist_ok=True)
    before = Path.cwd()
    os.chdir(here)
    try:
        with patch(STANDARD_INPUT, lambda: b"<robot/>"), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # arguments in an old order
            done = equamo(verb, *rest)
    finally:
        os.chdir(before)
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stderr


SEEDS = (b"--version", b"check\0rr_arm\0--json")
READERS = [
    Reader("command_line", read, documents(DOCUMENTS, edit_arguments, anywhere=()), SEEDS, 4)
]

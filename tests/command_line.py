"""The command `equamo` in this process: most of a second faster than in a new one.

A new process would do the same except for the start, which `tests/cli/test_cli.py` also tests.
"""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess

import pytest

from equamo import cli


def equamo(*arguments: str) -> CompletedProcess[str]:
    """Run the command, with what it writes and its exit code."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["equamo", *arguments])
        try:
            cli.main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return CompletedProcess(arguments, code, out.getvalue(), err.getvalue())

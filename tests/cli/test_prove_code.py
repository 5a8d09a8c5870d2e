"""`equamo prove --code`: a verdict per function, and an exit code."""

import json
import shlex
from pathlib import Path

import pytest

from equamo import cli


def run(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        cli.app(shlex.split(command))
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err

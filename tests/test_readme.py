"""Every code block of the README runs, and prints what the README shows.

python      all blocks share one namespace; the `text` block directly after one is its output
sh          lines that start with `$ ` are commands, the lines below them their output
cpp         compiled by tests/motion/frameworks/test_cpp.py
no language a drawing, which does not look like code

`...` in an output stands for anything. Of `make` only the existence of the target is checked:
this test is part of `make test`.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^(\$ |>>> |import |from )", re.MULTILINE)


@dataclass
class Block:
    language: str
    text: str
    follows: bool  # nothing but blank lines between the block before and this one


def blocks(markdown: str) -> list[Block]:
    found: list[Block] = []
    end = -1
    for match in FENCE.finditer(markdown):
        follows = end >= 0 and not markdown[end : match.start()].strip()
        found.append(Block(match[1], match[2], follows))
        end = match.end()
    return found


def compare(shown: str, printed: str, origin: str) -> None:
    def tidy(text: str) -> str:
        return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").split("\n"))

    same = doctest.OutputChecker().check_output(tidy(shown), tidy(printed), doctest.ELLIPSIS)
    assert same, f"{origin}\nthe README shows:\n{shown}\nbut this is printed:\n{printed}"


def run_python(source: str, shown: str, namespace: dict[str, Any]) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, "README.md", "exec"), namespace)
    compare(shown, printed.getvalue(), source)


def run_shell(text: str, folder: Path) -> None:
    assert text.startswith("$ "), f"a command starts with '$ ':\n{text}"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        if command.startswith("make "):
            subprocess.run(["make", "-n", *command.split()[1:]], cwd=ROOT, check=True)
            continue
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        compare(shown, done.stdout, command)


def check(markdown: str, folder: Path) -> None:
    namespace: dict[str, Any] = {"__name__": "readme"}
    found = blocks(markdown)
    assert markdown.count("```") == 2 * len(found), "a fence that is not closed"
    for block, after in zip(found, [*found[1:], None], strict=True):
        output = after if after and after.language == "text" and after.follows else None
        if block.language == "python":
            run_python(block.text, output.text if output else "", namespace)
        elif block.language in ("sh", "console"):
            run_shell(block.text, folder)
        elif block.language != "cpp":
            drawing = block.language == "" and not CODE.search(block.text)
            assert drawing or (block.language == "text" and block.follows), (
                f"a block that is not tested:\n{block.text}"
            )


@pytest.mark.needs("bash", "make")
def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check((ROOT / "README.md").read_text(encoding="utf-8"), tmp_path)


GOOD = """
```python
x = 2
print(x, "and", id(x))
```

```text
2 and ...
```
```sh
$ echo one; echo two
one
two
$ make test
```
"""


@pytest.mark.needs("bash", "make")
def test_a_good_document_passes(tmp_path: Path) -> None:
    check(GOOD, tmp_path)


@pytest.mark.needs("bash", "make", cases="^one; echo|^make")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 2", "x = 3"),
        ("one; echo", "none; echo"),
        ("```text\n2 and ...\n```", ""),
        ("```text", "prose\n```text"),
        ("```sh", "```fish"),
        ("```sh", "```"),
        ("$ echo", "echo"),
        ("x = 2", "x = 2 / 0"),
        ("make test", "make no-such-target"),
    ],
)
def test_a_bad_document_fails(before: str, after: str, tmp_path: Path) -> None:
    bad = GOOD.replace(before, after, 1)
    assert bad != GOOD
    with pytest.raises((AssertionError, ZeroDivisionError, subprocess.CalledProcessError)):
        check(bad, tmp_path)

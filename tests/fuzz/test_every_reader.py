"""No function that takes text or bytes from outside is without a fuzz target.

Such functions are found in the source: those that open a file of a user or parse JSON, TOML, XML, NumPy
archives or Python, and all that are called read…, parse…, decode… or load. The readers of `registry`
must have called each of them while they read their valid documents, or `LEFT_OUT` gives the reason.
"""

from __future__ import annotations

import ast
import cProfile
import re
from functools import cache
from pathlib import Path

import pytest

from fuzz.registry import readers

PACKAGE = Path(__file__).parents[2] / "src" / "equamo"
ENTRANCES = (
    "read_text", "read_bytes", "open_file", "read_json", "read_body", "read_private", "parse_xml",
    "json.loads", "tomllib.loads", "np.load", "pickle.loads", "ast.parse", "expat.ParserCreate",
    "ET.fromstring",
)  # fmt: skip
NAMED = re.compile(r"(read|parse|decode)(_\w+)?|load(_bytes)?")

# {file, or file and function: why it has no fuzz target of its own}
LEFT_OUT = {
    "motion/frameworks/": "arguments of Python, and files that the bridge itself wrote",
    "review/referee/libraries/": "other libraries read a text that `describe` wrote",
    "publish/document/": "LaTeX, styles and pages that equamo itself wrote",
    "publish/studio/serve.py": "`equamo studio FILE`: read_text, then a message",
    "publish/studio/worker.py": "lines of messages, which `Kernel.answer_text` reads",
    "code/jit/builtin.py": "arrays of this process",
    "code/jit/entry.py": "writes LLVM's IR: a `load` instruction",
    "code/jit/llvm.py": "writes LLVM's IR: a `load` instruction",
    "code/steps/": "writes LLVM's IR: a `load` instruction",
    "motion/simulation/carried_function.py": "functions of the user, pickled for processes of a sweep",
    "review/programs/read.py read": "the method of a protocol; its classes are called",
    "review/claims/tautology.py": "text of an expression that equamo itself printed",
    "review/referee/library.py": "other libraries read a text that `describe` wrote",
    "review/referee/description.py without_zero_inertia": "a text that `describe` wrote",
    "code/jit/cuda/": "memory of a GPU",
    "code/jit/engine.py": "machine code of the cache, after its digest and `object_file.read`",
    "code/jit/compiled_function.py": "arguments of Python",
    "mechanics/equations/state_reader.py": "arguments of Python",
    "motion/simulation/conditions.py": "arguments of Python",
    "motion/control/": "arguments of Python",
    "code/ir/expressions.py": "arguments of Python",
}
Function = tuple[str, str]  # file below src/equamo, name


def _reads(function: ast.FunctionDef) -> bool:
    """Whether a function is called like a reader, or opens or parses something itself."""
    for x in ast.walk(function):
        if isinstance(x, ast.Call):
            f = x.func
            inner = f.value if isinstance(f, ast.Attribute) else None
            name = f.id if isinstance(f, ast.Name) else ""
            if isinstance(inner, ast.Name) and isinstance(f, ast.Attribute):
                name = f"{inner.id}.{f.attr}"
            if name in ENTRANCES:
                return True
    return NAMED.fullmatch(function.name) is not None


@cache
def functions_that_read() -> tuple[Function, ...]:
    """(file, name) of all of them."""
    found: list[Function] = []
    words = [x.rpartition(".")[2] for x in ENTRANCES]
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not re.search(rf"def (read|parse|decode|load)|\b({'|'.join(words)})\(", text):
            continue
        file = path.relative_to(PACKAGE).as_posix()
        functions = [x for x in ast.walk(ast.parse(text)) if isinstance(x, ast.FunctionDef)]
        found += [(file, x.name) for x in functions if _reads(x)]
    return tuple(found)


def left_out(file: str, name: str) -> bool:
    return any(file.startswith(x) or f"{file} {name}" == x for x in LEFT_OUT)


def functions_called() -> set[Function]:
    """(file, name) of every function of equamo that the readers call for their valid documents."""
    profile = cProfile.Profile()
    for reader in readers().values():
        seeds = list(reader.seeds)  # made before the profile begins: a writer is not a reader
        profile.enable()
        try:
            for x in seeds:
                assert reader.check(x), f"{reader.name} refuses a valid document"
        finally:
            profile.disable()
    called = [x.code for x in profile.getstats() if not isinstance(x.code, str)]
    prefix = str(PACKAGE)
    return {
        (Path(code.co_filename).relative_to(PACKAGE).as_posix(), code.co_name)
        for code in called
        if code.co_filename.startswith(prefix)
    }


@pytest.mark.needs("mujoco", "pcpp", "pycparser", "scipy", "xacro")
def test_every_function_that_reads_is_fuzzed() -> None:
    expected = [x for x in functions_that_read() if not left_out(*x)]
    called = functions_called()
    missing = [f"{file}: {name}" for file, name in expected if (file, name) not in called]
    assert not missing, "\n".join(missing)
    assert len(expected) > 50


def test_the_list_of_what_is_left_out_is_needed() -> None:
    found = functions_that_read()
    for x in LEFT_OUT:
        assert any(file.startswith(x) or f"{file} {name}" == x for file, name in found), x

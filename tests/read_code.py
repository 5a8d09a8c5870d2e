"""Generated packages written to a folder, read back, and proved; what the tests of readers share."""

from __future__ import annotations

from pathlib import Path

from equamo.code.codegen.readers import CodeFile, read
from equamo.code.codegen.targets import Package, target
from equamo.code.codegen.text_proof import TextProof, prove_code_file
from equamo.code.ir.program import Program


def programs(package: Package, to: str) -> dict[str, Program]:
    """{name in the text: program}"""
    return {target(to).symbol(package, r): r.program for r in package.routines}


def code_files(package: Package, to: str, folder: Path) -> list[CodeFile]:
    """The files of a language, written and read."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in target(to).files(package).items():
        (folder / file).write_text(text, encoding="ascii")
    meant = programs(package, to)
    return [read(folder / file, meant.get) for file in target(to).code(package)]


def proofs(package: Package, to: str, folder: Path) -> list[TextProof]:
    """What is proved of them."""
    meant = programs(package, to)
    return [
        line
        for code in code_files(package, to, folder)
        for line in prove_code_file(code, meant.get, package.quantities, package.dtype)
    ]

"""Text of a file against programs: what was written is read back and proved to compute the same.

A function in a file is proved equal to its program with every constant rounded to the type of the
file (`ir.proof.prove_same`); normally both are the same nodes of the graph, and nothing random is
needed. Default parameters must be the rounded defaults, declared sizes those of the arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import final

from ...algebra.expr import Expr
from ...algebra.identity import Proof
from ...errors import ProofError
from ..ir.program import DTYPES, Dtype, Program
from ..ir.proof import prove_same
from ..ir.rounding import is_nearest, nearest
from .readers import CodeFile, Meant, read
from .reserved import is_reserved
from .targets import Package, Target
from .targets.package import Quantity

Quantities = Mapping[str, tuple[Quantity, ...]]


@final
@dataclass(frozen=True)
class TextProof:
    """One function of a file, or its default parameters, and what is proved of the text."""

    path: str
    name: str
    proof: Proof


def proof_line(language: Target, dtype: Dtype) -> str:
    """Line for the header of a file, which is put in place only if the line is true."""
    kind = "float64" if language.name == "javascript" else dtype
    return (
        "Text: every function was read back from disk and proved to be its program, each constant "
        f"rounded to {kind}."
    )


def prove_package(folder: Path, out: Path, language: Target, package: Package) -> None:
    """Prove the files of a package in `folder`, which errors call files of `out`.

    Raises:
        FileFormatError: A text is not understood.
        ProofError: A function is missing, or is not its program.
    """
    programs = {language.symbol(package, r): r.program for r in package.routines}
    found: dict[str, set[str]] = {}
    for file in language.code(package):
        code = read(folder / file, programs.get, str(out / file))
        if code.arrays not in (None, package.dtype):
            raise ProofError(f"{out / file}: the type of its arrays must be {package.dtype}.")
        found.setdefault(Path(file).suffix, set()).update(code.functions)
        for line in prove_code_file(code, programs.get, package.quantities, package.dtype):
            if not line.proof:
                raise ProofError(
                    f"{line.path}: the text of {line.name} must match what was generated, but it is "
                    f"{line.proof}. Nothing was written. This is a bug in equamo; please report it."
                )
    for suffix, names in found.items():
        missing = sorted(programs.keys() - names)
        if missing:
            raise ProofError(
                f"{out}: functions missing in the {suffix} text: {', '.join(missing)}."
            )


def prove_code_file(
    code: CodeFile, meant: Meant, quantities: Quantities, dtype: Dtype | None = None
) -> list[TextProof]:
    """Prove the functions of a file that was read.

    Args:
        code: What the reader found.
        meant: The program that each function is meant to be.
        quantities: {argument: its numbers}, with the defaults of the parameters.
        dtype: The type of arrays, if the file does not say it; None allows both.
    """
    found: list[TextProof] = []
    for name, entries in code.functions.items():
        program = meant(name)
        assert program is not None  # the reader asked, too
        unusable = _unusable(name, program)
        if unusable:
            wrong = Proof(
                "refuted", reason=f"{unusable!r} must not be used as a name, or not twice"
            )
            found.append(TextProof(code.path, name, wrong))
            continue
        outputs: dict[str, tuple[Expr, ...]] = {}
        for y in program.outputs:
            outputs[y.name], entries = entries[: len(y.values)], entries[len(y.values) :]
        outputs[program.outputs[-1].name] += entries  # more entries than in the program
        proof = prove_same(program, outputs, code.dtype)
        found.append(TextProof(code.path, name, proof))
    if code.defaults is not None:
        exact = [x.default for x in quantities.get("parameters", ())]
        kind = code.arrays or dtype
        kinds: tuple[Dtype, ...] = DTYPES if kind is None else (kind,)
        proofs = [_defaults(code.defaults, exact, k) for k in kinds]
        proof = next((p for p in proofs if p), proofs[0])
        found.append(TextProof(code.path, "default parameters", proof))
    expected = {a: len(x) for a, x in quantities.items()}
    if code.sizes and code.sizes != expected:
        wrong = Proof("refuted", reason=f"they must be {expected}, got {code.sizes}")
        found.append(TextProof(code.path, "sizes of arguments", wrong))
    return found


def _unusable(function: str, program: Program) -> str:
    """A name of a function or its arguments and results that is reserved or not unique."""
    fields = [x.name for x in (*program.arguments, *program.outputs)]
    return next((n for n in (function, *fields) if is_reserved(n) or fields.count(n) > 1), "")


def _defaults(
    given: Iterable[Fraction], exact: Iterable[Fraction | int | float | None], dtype: Dtype
) -> Proof:
    """The numbers that are given, next to those that they must be rounded from."""
    numbers, expected = list(given), list(exact)
    if len(numbers) != len(expected):
        return Proof("refuted", reason=f"{len(numbers)} numbers, not {len(expected)}")
    for k, (x, y) in enumerate(zip(numbers, expected, strict=True)):
        if y is None or not is_nearest(nearest(x, dtype), Fraction(y), dtype):
            shown = "no number" if y is None else repr(nearest(y, dtype))
            return Proof("refuted", reason=f"entry {k} is {float(x)!r}, not {shown}")
    return Proof("proved")

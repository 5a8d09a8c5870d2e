"""Generated files on disk, proved again: from the robot to the text of each function.

    equations  =  program, constants exact          (`ir.proof.prove_programs`)
    program, each constant rounded once  =  text    (`text_proof`)
    what the head of the file claims                (`header`)

The programs are made anew from the equations, for the functions that are found in the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, final

from ...algebra.identity import Proof
from ...algebra.identity.prove import ERROR_BITS
from ...errors import EquamoError, ExpressionError
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.formats.text_file import read_bytes
from ..ir.function import Function, folded, without_empty
from ..ir.functions import FRAME_FUNCTIONS, frame_function, frames, functions as functions_of
from ..ir.lookup import is_users_own
from ..ir.program import DTYPES, Dtype, Program
from ..ir.proof import prove_programs
from ..ir.sensitivities import PREFIXES, prefix_of, sensitivities
from .described import wrong_comments
from .header import Header, ProvedFile
from .names import ROUTINE, identifier
from .package_names import PackageNames
from .quantities import quantities
from .readers import MOST_BYTES, read
from .readers.casadi import is_casadi
from .selection import chosen_functions, default_functions, fixed_values
from .text_proof import TextProof, prove_code_file

_PARAMETERS: Final = re.compile(rb"\bparameters(?:\[|, |\) ~= )(\d{1,9})(?:\]|,)")  # how many
_FOLDED: Final = (
    "the functions take another number of parameters than the robot has. If values were folded in, "
    "pass parameters='numeric' or values={…}, on the command line --parameters numeric or --value "
    "NAME=NUMBER"
)


@final
@dataclass(frozen=True)
class CodeLine:
    """One function of a file: its text against its program, its program against the equations."""

    path: str
    name: str  # in the file; empty where the file cannot be read
    text: Proof
    program: Proof | None  # None of what is not a function

    def __bool__(self) -> bool:
        return bool(self.text) and (self.program is None or bool(self.program))

    def __str__(self) -> str:
        if not self.name:
            return f"not understood: {self.text.reason}"
        if self.program is None:
            return f"{self.name}: {'proved' if self.text else self.text}"
        return f"{self.name}: text {self.text}; program {self.program}"


@final
@dataclass(frozen=True)
class CodeProof:
    """All that was found in generated files. `ok` only if every line is proved.

    >>> from tempfile import TemporaryDirectory
    >>> from equamo.code.codegen.generate import generate
    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> with TemporaryDirectory() as folder:
    ...     files = generate(eom, "c", folder, functions=["gravity"], prove=False)
    ...     proof = prove_code(eom, [files[1]])
    >>> proof.ok, [line.name for line in proof.lines]
    (True, ['rr_arm_gravity', 'default parameters', 'header'])
    """

    robot: str
    lines: tuple[CodeLine, ...]
    remarks: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return bool(self.lines) and all(self.lines)

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        rows: list[str] = []
        for path in dict.fromkeys(line.path for line in self.lines):
            rows.append(path)
            rows += [f"  {line}" for line in self.lines if line.path == path]
        rows += self.remarks
        proved = sum(map(bool, self.lines))
        verdict = "all proved" if self.ok else "NOT all proved"
        rows.append(f"{verdict}: {proved} of {len(self.lines)}")
        return "\n".join(rows)

    def to_data(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "robot": self.robot,
            "ok": self.ok,
            "lines": [
                {
                    "file": line.path,
                    "function": line.name,
                    "proved": bool(line),
                    "text": _proof_data(line.text),
                    "program": None if line.program is None else _proof_data(line.program),
                }
                for line in self.lines
            ],
            "remarks": list(self.remarks),
        }


def _proof_data(proof: Proof) -> dict[str, Any]:
    return {"verdict": proof.verdict, "bound_bits": proof.bound_bits, "statement": str(proof)}


def prove_code(
    eom: EquationsOfMotion,
    paths: Sequence[str | Path],
    functions: Iterable[Any] | Mapping[str, Any] | None = None,
    parameters: Literal["symbolic", "numeric"] = "symbolic",
    values: Mapping[str, Any] | None = None,
    seed: int | None = None,
) -> CodeProof:
    """Prove that generated files on disk compute what the equations say.

    Args:
        eom: The equations, derived as they were for `eq.generate`.
        paths: .c files (next to their headers, if any), .hpp, .py, .m or .mjs files.
        functions: The argument of `eq.generate`; by default the names follow from the files.
        parameters: As for `eq.generate`: "numeric" if all parameters were folded in.
        values: As for `eq.generate`: numbers of parameters that were folded in.
        seed: Seed of the random primes and points.

    Returns:
        A verdict per function. A file that cannot be read is one line, which says why.

    Raises:
        EquamoError: The arguments do not fit the robot, or a file does not exist.
    """
    fixed = fixed_values(eom.robot, parameters, {} if values is None else values)
    chosen = None if functions is None else chosen_functions(eom, functions)
    usual = default_functions(eom) if chosen is None else chosen
    names = PackageNames.of(eom.robot, usual)
    usual = [names.renamed(f) for f in usual]
    meanings = {
        kind: _Meaning(eom, fixed, names, usual, kind, has_others=chosen is None)
        for kind in ("plain", "prefixed", "casadi")
    }
    listed = quantities(eom.robot, fixed, () if chosen is None else usual)
    texts: list[TextProof] = []
    meant: dict[str, _Meaning] = {}
    heads: dict[str, Header] = {}
    written: dict[str, tuple[str, str]] = {}  # the text with the comments on functions, its ending
    kinds: dict[str, tuple[Dtype, ...]] = {}
    remarks: list[str] = []
    for path in map(Path, paths):
        data = read_bytes(path, MOST_BYTES)
        naming = "prefixed" if path.suffix in (".c", ".m") else "plain"
        meaning = meanings["casadi" if path.suffix == ".c" and is_casadi(data) else naming]
        beside = path.with_suffix(".h")
        more = read_bytes(beside, MOST_BYTES) if path.suffix == ".c" and beside.is_file() else b""
        heads[str(path)] = Header.read(data + b"\n" + more)
        described = ".h" if more else path.suffix
        written[str(path)] = (more or data).decode("latin-1").replace("\r\n", "\n"), described
        try:
            code = read(path, meaning.program)
        except EquamoError as error:
            if _is_folded(data, sum(s.name not in fixed for s in eom.parameters)):
                remarks.append(f"{path}: {_FOLDED}.")
            texts.append(TextProof(str(path), "", Proof("undecided", reason=str(error))))
            continue
        meant[str(path)] = meaning
        kind = code.dtype if code.functions else code.arrays
        kinds[str(path)] = DTYPES if kind is None else (kind,)
        texts += prove_code_file(code, meaning.program, listed)
        if not code.functions and code.defaults is None:
            nothing = Proof("undecided", reason=f"{path}: no function in it.")
            texts.append(TextProof(str(path), "", nothing))
    made = [(meaning, n, x) for meaning in meanings.values() for n, x in meaning.made.items()]
    bits = max([ERROR_BITS, *(head.error_bits for head in heads.values())])
    found = prove_programs(eom, [x for *_, x in made], error_bits=bits, seed=seed)
    proofs = {(id(m), n): proof for (m, n, _), proof in zip(made, found, strict=True)}
    lines = [
        CodeLine(t.path, t.name, t.proof, proofs.get((id(meant.get(t.path)), t.name)))
        for t in texts
    ]
    for path, head in heads.items():
        functions = [(x.text, x.program) for x in lines if x.path == path and x.program is not None]
        is_whole = not path.endswith(".m")  # MATLAB has a file per function
        in_file = {x.name for x in lines if x.path == path}
        meaning = meant.get(path)
        has_own = meaning is not None and any(
            is_users_own(eom, f) for n, (f, _) in meaning.made.items() if n in in_file
        )
        own = {} if meaning is None else meaning.not_of_users(in_file)
        wrong = [] if path not in meant else [*wrong_comments(*written[path], listed, own)]
        proof = head.prove(
            eom, ProvedFile(functions, kinds.get(path, ()), is_whole, has_own), wrong
        )
        if proof is not None:
            lines.append(CodeLine(path, "header", proof, None))
    return CodeProof(eom.robot.name, tuple(lines), tuple(remarks))


@final
class _Meaning:
    """Which function of the robot a name in a file means; programs are made when they are asked for."""

    def __init__(
        self,
        eom: EquationsOfMotion,
        fixed: Mapping[str, Any],
        names: PackageNames,
        functions: Sequence[Function],
        kind: Literal["plain", "prefixed", "casadi"],  # arm_f in C and MATLAB, f in the others
        has_others: bool,
    ) -> None:
        self._eom, self._fixed, self._kind = eom, fixed, kind
        self._prefix = "" if kind == "plain" else f"{names.package}_"
        self.made: dict[str, tuple[Function, Program]] = {}
        self._functions = {names.functions[f.name]: f for f in functions}
        if has_others:
            self._add_others()

    def _add_others(self) -> None:
        """All other functions of the robot by their names in a file."""
        # Other frames, unless two of them would have the same name.
        others: dict[str, list[Function]] = {}
        every = [
            frame_function(self._eom, k, n) for n in frames(self._eom) for k in FRAME_FUNCTIONS
        ]
        for f in (*functions_of(self._eom).values(), *every):
            others.setdefault(identifier(f.name, ROUTINE).casefold(), []).append(f)
        for same in others.values():
            if len(same) == 1:
                self._functions.setdefault(identifier(same[0].name, ROUTINE), same[0])

    def not_of_users(self, names: Iterable[str]) -> dict[str, Program]:
        """Programs of functions of the robot, by their names in a file."""
        found = {n: self.made[n] for n in names if n in self.made}
        return {n: program for n, (f, program) in found.items() if not is_users_own(self._eom, f)}

    def program(self, name: str) -> Program | None:
        """The program of the function that is called so in a file."""
        if self._kind == "casadi":
            return self._differentiated(name)
        if name not in self.made:
            f = self._functions.get(name.removeprefix(self._prefix))
            if f is None or not name.startswith(self._prefix):
                return None
            f = without_empty(folded(f, self._fixed))
            try:
                self.made[name] = f, f.program()
            except ExpressionError:
                return None
        return self.made[name][1]

    def _differentiated(self, name: str) -> Program | None:
        """The same for a file for CasADi, which has jac_f in addition to f."""
        for prefix in ("", *PREFIXES):
            whole = prefix + self._prefix
            f = self._functions.get(name.removeprefix(whole))
            if f is not None and name.startswith(whole):
                break
        else:
            return None
        if name not in self.made:
            try:
                family = sensitivities(self._eom, f, self._fixed)
                (found,) = (g for g in family if prefix_of(g) == prefix)
                self.made[name] = found, found.program()
            except (ExpressionError, ValueError):
                return None
        return self.made[name][1]


def _is_folded(data: bytes, count: int) -> bool:
    """Whether the text of a file has another number of parameters as an argument."""
    return {int(x) for x in _PARAMETERS.findall(data)} != ({count} if count else set[int]())

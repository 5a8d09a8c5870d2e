"""The certificate of compiled functions: one line per function, and per module of machine code.

    inverse_dynamics: program = equations              the program, its constants exact, computes what
                                                       the equations say (`code/ir/proof.py`)
    inverse_dynamics, float64: constants rounded once  each constant of the program stands in the IR as
                                                       the number of the type next to it, and no other
                                                       number does (but in the tables of sines)
    inverse_dynamics, float64: LLVM IR = program       the module that LLVM was given, printed by LLVM
                                                       and executed on symbols, computes the program
                                                       with these constants (`ir_proof.py`; for a GPU
                                                       `cuda/proof.py`)

`STATEMENTS` has what is said of a module. To say more, add a row to it. A certificate keeps which
functions and modules it is of (`Certificate.code`), so that `check_file` can prove all of it again.
"""

from __future__ import annotations

import re
import struct
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, cast, final

from ...algebra.expr.collector import collector_paused
from ...algebra.identity import Proof
from ...algebra.identity.prove import check_options, new_seed
from ...basics.wording import brief
from ...errors import EquamoError, FileFormatError
from ...mechanics.certificate import Certificate, Line
from ...mechanics.certificate.certificate import witness
from ...mechanics.certificate.sides import Sides, equation
from ...mechanics.equations.digests import equations_digest
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.storage import choices_to_data, derive_again
from ...robot.model import Robot
from ..ir.expressions import Expressions
from ..ir.program import DTYPES, Dtype, Program
from ..ir.proof import prove_programs
from ..ir.rebuild import rebuild
from ..ir.rounding import PI, is_nearest, nearest
from ..ir.specification import residuals
from ..ir.user_functions import user_functions
from . import engine, processor
from .cuda.module import REMARK, DeviceModule
from .ir_proof import prove_ir
from .machine_code import LANES, MachineCode, Options
from .origin import Equations

REMARKS: Final = (
    "These lines are about code; what is proved of the equations is in eq.prove(eom).",
    "Tested, not proved: the loop over the states of a batch, the entry of a call.",
    "Trusted: LLVM's code generation, the C library's exp, log, tanh, asin, acos, atan and atan2, the "
    "processor. Sine and cosine: docs/theory/proofs.md has their error.",
)
# Both begin with characters that stand for themselves, which a search skips to.
_TABLE: Final = re.compile(r"\n@.*")
_LITERAL: Final = re.compile(r"0x(?<!\w0x)([0-9A-F]{16})\b")


@final
@dataclass(frozen=True)
class Module:
    """One module of machine code: the program and the IR that it was translated from."""

    code: MachineCode
    dtype: Dtype
    lanes: int

    @property
    def name(self) -> str:
        lanes = "" if self.lanes == 1 else f", {self.lanes} lanes"
        return f"{self.code.source.name}, {self.dtype}{lanes}"

    @property
    def program(self) -> Program:
        return self.code.program

    def to_data(self) -> list[Any]:
        """Plain data for a certificate."""
        return [self.dtype, self.lanes]

    @cached_property
    def text(self) -> str:
        """The IR that LLVM is given."""
        return self.code.text(self.dtype, self.lanes)

    @property
    def own_text(self) -> str:
        """The IR; constants of sines are in tables outside the code."""
        return self.text

    @property
    def more_numbers(self) -> frozenset[float]:
        """Constants that the emitter adds to those of the program."""
        return frozenset()


def constants_rounded_once(module: Module | DeviceModule, *_: int) -> Proof:
    """Every constant of the program is emitted, rounded correctly, and no other number is."""
    code = _TABLE.sub("", "\n" + module.own_text)
    emitted = {_number(x) for x in set(_LITERAL.findall(code))}
    # The sign of a number is 1 or −1.
    more = {1.0, -1.0} if any(x.op == "sign" for x in module.program.instructions) else set[float]()
    more |= module.more_numbers
    expected: set[float] = set()
    for x in _constants(module.program):
        y = nearest(x, module.dtype)
        if y not in emitted or not is_nearest(y, x, module.dtype):
            return Proof("refuted", reason=f"the IR must have the constant {brief(x)} as {y!r}")
        expected.add(y)
    others = emitted - expected - more
    if others:
        return Proof("refuted", reason=f"the IR has the constant {min(others)!r}, the program not")
    return Proof("proved")


def ir_computes_the_program(module: Module | DeviceModule, error_bits: int, seed: int) -> Proof:
    """Prove that the IR computes the program; for code from the disk cache, compare its digest."""
    if isinstance(module, DeviceModule):
        return module.prove()
    code, dtype, lanes = module.code, module.dtype, module.lanes
    if not code.is_made_from(dtype, lanes, module.text):
        return Proof("refuted", reason="the machine code was made from another module of IR")
    signature = code.signature(dtype) if lanes == 1 else None
    return prove_ir(
        module.program, module.text, dtype, lanes, engine.fuses(code.machine), signature,
        error_bits=error_bits, seed=seed,
    )  # fmt: skip


# A line per module for each of them; with the bits of the bound, and the seed of random points.
STATEMENTS: Final[Mapping[str, Callable[[Module | DeviceModule, int, int], Proof]]] = {
    "constants rounded once": constants_rounded_once,
    "LLVM IR = program": ir_computes_the_program,
}


def certify(
    eom: EquationsOfMotion, codes: Sequence[MachineCode], error_bits: int, seed: int | None
) -> Certificate:
    """The certificate of all modules of these functions that are in memory."""
    if not codes:
        raise EquamoError(
            "certificate(): at least one function must be compiled first; call one, such as "
            "fast.inverse_dynamics(q, v, vdot)."
        )
    modules: list[Module | DeviceModule] = []
    for code in codes:
        modules += [Module(code, *variant) for variant in code.loaded]
        modules += code.on_devices
    return _certify(eom, codes, modules, error_bits, seed)


def _certify(
    eom: EquationsOfMotion,
    codes: Sequence[MachineCode],
    modules: Sequence[Module | DeviceModule],
    error_bits: int,
    seed: int | None,
) -> Certificate:
    check_options(error_bits, seed)
    with collector_paused():
        return _proved(eom, codes, modules, error_bits, seed)


def _proved(
    eom: EquationsOfMotion,
    codes: Sequence[MachineCode],
    modules: Sequence[Module | DeviceModule],
    error_bits: int,
    seed: int | None,
) -> Certificate:
    start = time.perf_counter()
    chosen = new_seed(error_bits) if seed is None else seed
    made = [(code.source, code.program) for code in codes]
    programs = time.perf_counter()
    proofs = prove_programs(eom, made, error_bits=error_bits, seed=chosen)
    proved = time.perf_counter()
    lines = [
        Line(_line(code), proof, proof.seconds) for code, proof in zip(codes, proofs, strict=True)
    ]
    for module in modules:
        for name, prove in STATEMENTS.items():
            begin = time.perf_counter()
            proof = prove(module, error_bits + len(modules).bit_length(), chosen)
            lines.append(Line(f"{module.name}: {name}", proof, time.perf_counter() - begin))
    end = time.perf_counter()
    certificate = Certificate(
        robot=eom.robot,
        lines=tuple(lines),
        not_applicable=(),
        remarks=(*REMARKS, REMARK)
        if any(isinstance(m, DeviceModule) for m in modules)
        else REMARKS,
        seed=chosen,
        error_bits=error_bits,
        stages=(
            ("programs made", programs - start),
            ("programs proved", proved - programs),
            ("modules proved", end - proved),
        ),
        seconds=end - start,
        derivations={eom.by: eom.derivation},
        code=_data(eom, codes, modules),
        equations={eom.by: equations_digest(eom)},
    )
    witness(certificate)
    return certificate


def prove_code_again(
    robot: Robot, code: Mapping[str, Any], error_bits: int, seeds: Sequence[int | None]
) -> Generator[Certificate]:
    """The certificate of the same functions of this robot, derived again; one per seed."""
    eom, codes, modules = _made_again(robot, code)
    for seed in seeds:
        yield _certify(eom, codes, modules, error_bits, seed)


def written_code(robot: Robot, code: Mapping[str, Any]) -> dict[str, list[Sides]]:
    """Both sides of the lines about programs, for `Certificate.export`."""
    eom, codes, _ = _made_again(robot, code)
    found: dict[str, list[Sides]] = {}
    for x in codes:
        outputs = rebuild(x.program)
        entries = [e for y in x.source.results for e in outputs[y.name]]
        found[_line(x)] = [equation(e) for e in residuals(eom, x.source, entries)]
    return found


def _line(code: MachineCode) -> str:
    right = "equations" if code.origin.own(code.kind) is None else "expressions"
    return f"{code.source.name}: program = {right}"


def _made_again(
    robot: Robot, code: Mapping[str, Any]
) -> tuple[EquationsOfMotion, list[MachineCode], list[Module | DeviceModule]]:
    """The equations, functions and modules that the data of a certificate name."""
    try:
        eom = derive_again(robot, code)
        options = Options(cache=False, parameters=code["parameters"], cpu=processor.HOST)
        cpu = code.get("cpu", processor.HOST)
        processor.machine(cpu)  # an unknown name is reported now
        own = {n: Expressions.from_data(x) for n, x in code.get("own", {}).items()}
        origin = Equations(eom, user_functions(eom, "code", own))
        codes: list[MachineCode] = []
        modules: list[Module | DeviceModule] = []
        for entry in code["functions"]:
            found = MachineCode(origin, options, entry["kind"], entry["frame"], cpu)
            codes.append(found)
            modules += [_module(found, x) for x in entry["modules"]]
        if not codes:
            raise FileFormatError("code must name at least one function.")
    except (LookupError, TypeError, ValueError) as error:
        if isinstance(error, EquamoError):
            raise
        raise FileFormatError(f"code is not a list of functions: {brief(error)}.") from None
    return eom, codes, modules


def _data(
    eom: EquationsOfMotion, codes: Sequence[MachineCode], modules: Sequence[Module | DeviceModule]
) -> dict[str, Any]:
    """Plain data for `prove_code_again`."""
    own = {c.origin.own_name(c.kind): c.origin.own(c.kind) for c in codes}
    cpu = codes[0].cpu
    return {
        **({"own": {n: x.to_data() for n, x in own.items() if x}} if any(own.values()) else {}),
        **choices_to_data(eom),
        "parameters": codes[0].options.parameters,
        **({"cpu": cpu} if cpu not in (None, processor.HOST) else {}),
        "functions": [
            {
                "kind": code.kind,
                "frame": code.frame,
                "modules": [m.to_data() for m in modules if m.code is code],
            }
            for code in codes
        ],
    }


def _module(code: MachineCode, data: Any) -> Module | DeviceModule:
    if isinstance(data, dict):
        return DeviceModule.from_data(code, cast(dict[str, Any], data))
    dtype, lanes = data
    if dtype not in DTYPES or type(lanes) is not int or lanes not in LANES:
        raise FileFormatError(f"a module has a dtype and a number of lanes, got {brief(data)}.")
    return Module(code, dtype, lanes)


def _constants(program: Program) -> set[Fraction]:
    """The constants that instructions or outputs use, and π."""
    used: set[int] = set()
    for _, args, _ in program.instructions:
        used.update(args)
    for y in program.outputs:
        used.update(y.values)
    return {
        leaf if isinstance(leaf, Fraction) else PI
        for i, (op, _, leaf) in enumerate(program.instructions)
        if op in ("constant", "pi") and i in used
    }


def _number(digits: str) -> float:
    return struct.unpack(">d", bytes.fromhex(digits))[0]

"""Code section: cost of each function, time per call on this machine, and C beside its equation."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, final

from ....algebra.arrays import np
from ....code.codegen.package_names import PackageNames
from ....code.codegen.program_proof import program_heads
from ....code.codegen.provenance import provenance
from ....code.codegen.quantities import quantities
from ....code.codegen.targets.c import C
from ....code.codegen.targets.package import Package, Routine
from ....code.ir.cost import Cost
from ....code.ir.function import Function
from ....code.ir.functions import functions
from ....code.ir.program import Program
from ....errors import EquamoError
from ....mechanics.equations.constrained import is_augmented
from ....mechanics.equations.equations import EquationsOfMotion
from ..context import Context
from ..document import Section, paragraph
from ..markup import Markup, dotted, element, table

if TYPE_CHECKING:
    from ....code.jit.compiled import Compiled

SHOWN: Final = {
    "inverse_dynamics": "τ = M(q) v̇ + C(q, v) v + g(q) − f",
    "mass_matrix": "M(q)",
    "bias": "b = C(q, v) v",
    "gravity": "g(q)",
    "forward_dynamics": "v̇ = M(q)⁻¹ (τ − C(q, v) v − g(q) + f)",
}
WITH_LOOPS: Final = {  # with forces λ of loops and contacts
    "inverse_dynamics": "τ + Aᵀ λ = M(q) v̇ + C(q, v) v + g(q) − f",
    "forward_dynamics": "v̇ with M v̇ + C v + g = τ + f + Aᵀ λ and A v̇ + Ȧ v = 0",
}
FEW: Final = 12  # most speeds of a robot whose forward dynamics is included
TIMED: Final = ("inverse_dynamics", "mass_matrix", "gravity")
STATES: Final = 2000  # size of the timed batch, and the least size for long results
FEWEST: Final = 50
NUMBERS: Final = 1_000_000  # approximate count of numbers in the result of a batch
REPEATS: Final = 5


def section(context: Context) -> Section:
    """Table of costs, C source by function, and files to download."""
    eom = context.eom
    times: dict[str, float] = {}
    if context.timed:
        from ....code.jit.compiled import (
            compile,  # a page without times is also written without NumPy
        )

        fast = compile(eom, lanes=1, threads=1)
        package = _package(context, [fast.function(n) for n in _names(eom)])
        times = _timings(fast)
    else:
        package = _package(context, [_Made(eom, n) for n in _names(eom)])
    meanings = SHOWN | WITH_LOOPS if is_augmented(eom.robot) else SHOWN
    rows = [
        (
            element("code", r.program.name),
            dotted(meanings[r.program.name]),
            *_counts(r.cost),
            f"{times[r.program.name]:,.0f} ns" if r.program.name in times else "–",
        )
        for r in package.routines
    ]
    head = (
        "function",
        "computes",
        "multiplications",
        "additions",
        "sin/cos",
        "instructions",
        "time per call",
    )
    html = element(
        "div",
        table(head, rows, class_="costs"),
        _remark(times),
        element("div", id="source", class_="source"),
    )
    return Section("code", "Code", html, _sources(package, meanings))


class _WithProgram(Protocol):
    """A function and its program."""

    @property
    def source(self) -> Function: ...
    @property
    def program(self) -> Program: ...


@final
class _Made:
    """Function of a page without times, which is not compiled."""

    def __init__(self, eom: EquationsOfMotion, name: str) -> None:
        self.source = functions(eom)[name]
        self.program = self.source.program()


def _names(eom: EquationsOfMotion) -> list[str]:
    return [n for n in SHOWN if n != "forward_dynamics" or len(eom.v) <= FEW]


def _package(context: Context, chosen: Sequence[_WithProgram]) -> Package:
    """Functions as written by `eq.generate`, without the vectors of the self-test.

    The programs are those that are timed, so that each is made once.
    """
    eom = context.eom
    names = PackageNames.of(eom.robot, [f.source for f in chosen])
    routines = tuple(Routine(names.functions[f.source.name], f.program) for f in chosen)
    made = [(f.source, f.program) for f in chosen]
    heads = provenance(eom, context.certificate)
    heads = (*heads, *program_heads(eom, made, prove=context.certificate is not None))
    return Package(names.package, routines, quantities(eom.robot), heads)


def _counts(c: Cost) -> tuple[str, ...]:
    return tuple(f"{n:,}" for n in (c.multiplications, c.additions, c.sincos, c.instructions))


def _remark(times: dict[str, float]) -> Markup:
    text = "Instructions: with fused multiply-adds, sines and cosines not counted."
    if times:
        text += (
            " Time per call: machine code on one core of the machine that wrote this page, one state"
            " after the other."
        )
    return paragraph(text, class_="remark")


def _sources(package: Package, meanings: Mapping[str, str]) -> dict[str, Any]:
    """C source, whole and split into functions, each with the equation it computes."""
    language = C()
    pieces = language.pieces(package)
    source = "\n".join(text for _, text in pieces)
    files = {f"{package.name}.c": source, f"{package.name}.h": language.header(package)}
    parts: list[dict[str, str]] = []
    start = 0
    for name, text in pieces:
        end = start + len(text)
        if name:
            parts.append({
                "name": name,
                "equation": meanings[name],
                "start": str(start),
                "end": str(end),
            })  # fmt: skip
        start = end + 1  # skip the line break between two pieces
    return {
        "functions": parts,
        "source": f"{package.name}.c",
        "files": files,
    }


def _timings(fast: Compiled) -> dict[str, float]:
    """Nanoseconds per call, best of a few batches on one core; empty without parameter values."""
    eom = fast.eom
    try:
        generator = np.random.default_rng(0)
        n, m = len(eom.q), len(eom.v)
        q = np.array([float(x) for x in eom.robot.home.q.values()])
        states = q + 0.1 * generator.standard_normal((STATES, n))
        speeds = generator.standard_normal((STATES, m))
        given = {
            "inverse_dynamics": (states, speeds, speeds),
            "mass_matrix": (states,),
            "gravity": (states,),
        }
        times: dict[str, float] = {}
        for name in TIMED:
            count = min(STATES, max(FEWEST, NUMBERS // max(1, fast.function(name).source.size)))
            call, arguments = getattr(fast, name), tuple(x[:count] for x in given[name])
            call(*arguments)
            best = min(_seconds(call, arguments) for _ in range(REPEATS))
            times[name] = 1e9 * best / count
    except EquamoError:
        return {}  # a parameter has no value, so nothing can run
    return times


def _seconds(call: Any, arguments: tuple[Any, ...]) -> float:
    start = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - start

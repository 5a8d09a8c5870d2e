"""Proof that the LLVM IR of a GPU kernel computes its Program.

Three statements about LLVM's printout of the module, as in `ir_proof`:

1. The lines before the first instruction of the program and after its last one are those that are
   emitted for this layout: they find the state of a thread and move rows through shared memory. That
   text is tested on a device, for every kind of access and every remainder of a batch.
2. In between, each access to an array is one to element e of this thread's state, in one of three forms.
   Written as accesses of the CPU's kernel, with a quotient as one division, these lines, executed on
   symbols, yield the outputs of the program with its constants rounded.
3. Sine and cosine are the one sequence whose error is bounded, and each function of `elementary` that
   is called is the one that is emitted.

Parked values are first put back where they are used (`parking_proof`). A kernel in parts
begins with a jump to the part that a block computes. Each part is executed separately; together they
store each entry once. Results are stored as soon as they are known, since a call rejects outputs
that overlap arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from ....algebra.identity import Proof
from ....basics.wording import brief
from ....errors import EquamoError
from ...ir.program import Dtype, Program
from ...ir.proof import prove_same
from .. import engine
from ..ir_algebra import Algebra, Expressions, Terms, terms_of
from ..ir_execution import outputs_of, stored
from ..ir_reader import Printout, read
from ..ir_sincos import Pattern, pattern
from ..llvm import LIBM, Types
from ..sincos import SCALAR
from . import elementary
from .layout import Layout
from .parking_proof import unparked
from .staging import moved_in, moved_out
from .thread import frame, prologue

_N: Final = r"(%[\w.]+)"
_STRIDED: Final = re.compile(
    rf"  {_N} = mul i64 %element(\d+), (\d+)\n"
    rf"  {_N} = getelementptr i8, ptr addrspace\(1\) %own(\d+), i64 {_N}"
)
_STAGED: Final = re.compile(
    rf"  {_N} = getelementptr (double|float), ptr addrspace\(3\) %own(\d+), i64 (\d+)"
)
_SPACE: Final = re.compile(r" addrspace\([13]\)")
_X: Final = r"([-+.%\w]+)"
_CALL: Final = re.compile(rf"( = call (?:double|float) )@{elementary.PREFIX}", re.ASCII)
_HEAD: Final = "define void @kernel(ptr %args) nounwind {"


def prove_thread(program: Program, text: str, layout: Layout, parts: int = 1) -> Proof:
    """Prove that a kernel computes its program; undecided if a line is not understood.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.ir.functions import functions
    >>> from equamo.code.jit.cuda.layout import chosen, sizes_of
    >>> from equamo.code.jit.cuda.thread import thread_ir
    >>> from equamo.robot.library import load
    >>> program = functions(derive(load("rr_arm")))["inverse_dynamics"].program()
    >>> layout = chosen(("rows",) * 3 + ("value", "strided"), sizes_of(program), "float64")
    >>> text = thread_ir(program, layout)
    >>> prove_thread(program, text, layout).verdict
    'proved'
    >>> prove_thread(program, text.replace("= fadd", "= fsub", 1), layout).verdict
    'refuted'
    """
    types = Types(layout.dtype, 1)
    try:
        lines = _body(read(engine.printout(text)), program, layout)
        parted = _parts(unparked(lines, layout), parts)
        run = executed(program, [as_on_the_cpu(x, layout, types) for x in parted], types)
        return judged(program, run, layout.dtype)
    except EquamoError as error:
        return Proof("undecided", reason=str(error))


def _body(module: Printout, program: Program, layout: Layout) -> list[str]:
    """The lines of the program; an error unless the other lines are as emitted."""
    check_functions(module, layout.dtype)
    arguments, arrays = len(program.arguments), len(layout.access)
    before = 1 + len(prologue(layout)) + len(moved_in(layout, range(arguments)))
    after = len(moved_out(layout, range(arguments, arrays))) + 1
    found, expected = module.functions["kernel"], _frame(layout, arguments)
    if [*found[:before], *found[-after:]] != expected:
        raise EquamoError("IR: the lines around the program must be as emitted.")
    return found[before:-after]


_ADDED: Final = ("equamo_anchor_address",)  # added by the engine


def check_functions(module: Printout, dtype: Dtype) -> None:
    """Check that the functions are the kernel and those of `elementary`, as emitted."""
    known = _elementary(dtype)
    for name, lines in module.functions.items():
        if name not in ("kernel", *_ADDED) and lines != known.get(name):
            raise EquamoError(f"IR: the functions must be as emitted, got {name}.")


@lru_cache(2)
def _elementary(dtype: Dtype) -> dict[str, list[str]]:
    each = [elementary.definition(name, dtype) for name in LIBM]
    text = "\n".join([*elementary.declarations(dtype), *each])
    return read(engine.printout(text)).functions


def executed(
    program: Program, parts: Sequence[Iterator[str]], types: Types
) -> Callable[[Algebra], dict[str, list[Any]]]:
    """Execution of the lines of all parts, in the CPU's form: together they store each entry once."""
    p = pattern(types.dtype, 1, True)
    kernels = [[_HEAD, *lines, "  ret void"] for lines in parts]
    modules = [Printout({"kernel": x}, {p.table: p.definition}, {}) for x in kernels]

    def run(algebra: Algebra) -> dict[str, list[Any]]:
        found: dict[tuple[int, int], Any] = {}
        for module in modules:
            own = stored(module, program, types, True, algebra)
            if own.keys() & found.keys():
                raise EquamoError("IR: two parts must not store the same entry.")
            found |= own
        return outputs_of(program, found)

    return run


def judged(program: Program, run: Callable[[Algebra], dict[str, list[Any]]], dtype: Dtype) -> Proof:
    """Whether an execution yields the outputs of a program: term by term, otherwise by algebra."""
    terms = Terms(program.arguments)
    if run(terms) == terms_of(program, dtype, terms):
        return Proof("proved")
    return prove_same(program, run(Expressions(program.arguments)), dtype)


def _parts(lines: list[str], count: int) -> list[list[str]]:
    """The lines of each part, between the jump to it and the jump to the end."""
    if count == 1:
        return [lines]
    jump = [f"    i32 {p}, label %part{p}" for p in range(count)]
    head = ["  switch i32 %ctaidy, label %part0 [", *jump, "  ]"]
    labels = [f"part{p}:" for p in range(count)] + ["done:"]
    places = [i for i, x in enumerate(lines) if not x.startswith(" ")]
    if lines[: len(head)] != head or [lines[i].split(" ")[0] for i in places] != labels:
        raise EquamoError(f"IR: the kernel must have {count} parts, as emitted.")
    found = [lines[a + 1 : b] for a, b in pairwise(places)]
    if any(x.pop() != "  br label %done" for x in found) or places[-1] + 1 != len(lines):
        raise EquamoError("IR: a part must end with a jump to the end.")
    return found


@lru_cache(32)
def _frame(layout: Layout, arguments: int) -> list[str]:
    return read(engine.printout(frame(layout, arguments))).functions["kernel"]


def as_on_the_cpu(lines: Sequence[str], layout: Layout, types: Types) -> Iterator[str]:
    """The same computation with arrays as in the CPU's kernel; stores come last."""
    for k in range(len(layout.access)):
        yield f"  %at{k} = getelementptr ptr, ptr %args, i64 {k}"
        yield f"  %array{k} = load ptr, ptr %at{k}, align 8"
    stores: list[str] = []
    quotient, begins, i = _quotient(types), _begin(types), 0
    while i < len(lines):
        if begins.fullmatch(lines[i]) and (names := _scalar(types).match(lines, i)):
            yield from _sine(types, i, *names)
            i += _scalar(types).length
            continue
        if m := _STRIDED.fullmatch("\n".join(lines[i : i + 2])):
            if m[2] != m[5] or m[1] != m[6] or layout.access[int(m[2])] == "value":
                raise EquamoError(f"IR: an access must be to one array, got {brief(lines[i + 1])}.")
            yield f"  {m[4]} = getelementptr {types.element}, ptr %array{m[2]}, i64 {m[3]}"
            i += 2
            continue
        if m := quotient.fullmatch("\n".join(lines[i : i + _quotient_lines(types)])):
            yield f"  {m['y']} = fdiv {types.value} {m['a']}, {m['b']}"
            i += _quotient_lines(types)
            continue
        line = lines[i]
        if m := _STAGED.fullmatch(line):
            # LLVM checks types: only rows of staged arrays are addresses of this kind.
            line = f"  {m[1]} = getelementptr {m[2]}, ptr %array{m[3]}, i64 {m[4]}"
        line = _SPACE.sub("", line).replace(", !invariant.load !0", "")
        line = _CALL.sub(r"\1@", line)
        if line.startswith("  store "):
            stores.append(line)
        else:
            yield line
        i += 1
    yield from stores


def _scalar(types: Types) -> Pattern:
    """Sine and cosine of one number, as a thread computes them."""
    return pattern(types.dtype, SCALAR, True)


@lru_cache(2)
def _begin(types: Types) -> re.Pattern[str]:
    """The first line of a sine, searched for at every line."""
    first = _scalar(types).text.split("\n")[0].partition(" = ")[2]
    angle = re.escape("%x")
    return re.compile(rf"  {_N} = " + re.escape(first).replace(angle, _X), re.ASCII)


def _sine(types: Types, place: int, angle: str, sine: str, cosine: str) -> Iterator[str]:
    """The same sine and cosine, as the CPU's kernel has them."""
    p = pattern(types.dtype, 1, True)
    results = {p.sine: sine, p.cosine: cosine}

    def name(m: re.Match[str]) -> str:
        return results.get(int(m[1]), f"%sine{place}_{m[1]}")

    text = re.sub(r"#(\d+)", name, p.text.replace("%x", angle))
    yield from (f"  {line}" for line in text.split("\n"))


def _quotient_lines(types: Types) -> int:
    return 9 if types.dtype == "float64" else 7


@lru_cache(2)
def _quotient(types: Types) -> re.Pattern[str]:
    """Lines of `ThreadWriter._quotient`: Newton's method from an approximate reciprocal."""
    T, kind = types.value, "d" if types.dtype == "float64" else "f"

    def fma(target: str, a: str, b: str, c: str) -> str:
        return rf"  {target} = call {T} @llvm\.fma\.{types.suffix}\({T} {a}, {T} {b}, {T} {c}\)"

    r = [rf"(?P=r{k})" for k in range(3)]
    steps = 2 if kind == "d" else 1
    lines = [
        rf"  (?P<minus>%[\w.]+) = fneg {T} (?P<b>{_X})",
        rf"  (?P<r0>%[\w.]+) = call {T} @llvm\.nvvm\.rcp\.approx\.ftz\.{kind}\({T} (?P=b)\)",
    ]
    for k in range(steps):
        lines += [
            fma(rf"(?P<e{k}>%[\w.]+)", "(?P=minus)", r[k], r"1\.0+e\+00"),
            fma(rf"(?P<r{k + 1}>%[\w.]+)", r[k], rf"(?P=e{k})", r[k]),
        ]
    last = r[steps]
    lines += [
        rf"  (?P<first>%[\w.]+) = fmul {T} (?P<a>{_X}), {last}",
        fma(r"(?P<rest>%[\w.]+)", "(?P=minus)", "(?P=first)", "(?P=a)"),
        fma(r"(?P<y>%[\w.]+)", "(?P=rest)", last, "(?P=first)"),
    ]
    return re.compile("\n".join(lines), re.ASCII)

"""Proof that one iteration of a GPU run's loop computes the program of its method.

As in `jit.cuda.proof`, two statements about LLVM's printout of the module:

1. The lines before the first instruction of the program and after its last one are those that are
   emitted around these results: they find the run of a thread, choose the numbers of a stage, normalise
   quaternions, count steps and write rows. That text is tested on a device.
2. The lines between them, executed on symbols, yield the outputs of the program with its constants
   rounded; its arguments are the values of the loop (state, stage, clock) and elements of arrays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, final

from ...algebra.identity import Proof
from ...errors import EquamoError
from ..jit import engine
from ..jit.cuda.layout import Layout, sizes_of
from ..jit.cuda.proof import as_on_the_cpu, check_functions, executed, judged
from ..jit.ir_reader import read
from .device_loop import DeviceLoop

_PLACE: Final = re.compile(r"%(element|own)_(\w+)", re.ASCII)


def prove_device_loop(loop: DeviceLoop, text: str | None = None) -> Proof:
    """Prove one iteration of a loop; undecided if a line is not understood.

    Args:
        loop: Loop of the program of a method.
        text: IR of the module; by default the emitted one.
    """
    emitted = loop.text()
    frame = _Frame(loop)
    around = frame.text()
    program = loop.program
    try:
        module = read(engine.printout(emitted if text is None else text))
        check_functions(module, loop.layout.dtype)
        found = module.functions["kernel"]
        expected = read(engine.printout(around)).functions["kernel"]
        first = expected.index(f"  {frame.placeholders[0]} = {frame.nothing}")
        after = len(expected) - first - len(frame.placeholders)
        if [*found[:first], *found[-after:]] != [*expected[:first], *expected[-after:]]:
            raise EquamoError("IR: the lines around the program must be as emitted.")
        sizes = sizes_of(program)
        layout = Layout(("strided",) * len(sizes), sizes, loop.layout.dtype)
        body = list(_as_a_kernel(loop, found[first:-after]))
        run = executed(program, [as_on_the_cpu(body, layout, loop.types)], loop.types)
        return judged(program, run, layout.dtype)
    except EquamoError as error:
        return Proof("undecided", reason=str(error))


@final
class _Frame(DeviceLoop):
    """The same loop with placeholders instead of the instructions of the program."""

    nothing = ""

    def __init__(self, of: DeviceLoop) -> None:
        super().__init__(*of.given)
        self.of = of
        self.nothing = f"fadd {self.types.value} 0.000000e+00, 0.000000e+00"
        own = (x for x in of.results.values() if _number(x) > of.before)
        self.placeholders = list(dict.fromkeys(own))

    def body(self, wanted: frozenset[tuple[int, int]] | None = None) -> None:
        self.lines += [f"  {x} = {self.nothing}" for x in self.placeholders]
        self.results, self._count = self.of.results, self.of.after


def _number(name: str) -> int:
    """The number of a value %t…; 0 for others, such as values of the loop."""
    found = re.fullmatch(r"%t(\d+)", name, re.ASCII)
    return int(found[1]) if found else 0


def _as_a_kernel(loop: DeviceLoop, lines: Sequence[str]) -> Iterator[str]:
    """The same computation with all arguments and results in arrays."""
    E, B = loop.types.element, loop.types.bytes
    places = {a.name: k for k, a in enumerate(loop.program.arguments)}
    for name, values in loop.named.items():
        if name in places:
            for e, x in enumerate(values):
                at = f"%in_{name}_{e}"
                yield f"  {at} = getelementptr {E}, ptr %array{places[name]}, i64 {e}"
                yield f"  {x} = load {E}, ptr {at}, align {B}"

    def numbered(m: re.Match[str]) -> str:
        return f"%{m[1]}{places[m[2]]}" if m[2] in places else m[0]

    yield from (_PLACE.sub(numbered, line) for line in lines)
    for (output, e), x in loop.results.items():
        at = f"%out_{output}_{e}"
        yield f"  {at} = getelementptr {E}, ptr %array{len(places) + output}, i64 {e}"
        yield f"  store {E} {x}, ptr {at}, align {B}"

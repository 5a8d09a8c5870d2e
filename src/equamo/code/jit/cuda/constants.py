"""64-bit numbers moved to constant memory by rewriting the PTX text.

An instruction can contain a 32-bit number. For a 64-bit number the assembler writes two more
instructions; from constant memory it needs only one. A multiprocessor runs a kernel of more than 128 KB,
8,192 instructions, at half speed, because the code does not fit in its cache. The assembler loads a
number once and keeps it in a register, so every thousand lines get separate numbers.
"""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"0d([0-9A-Fa-f]{8})([0-9A-Fa-f]{8})")
_ENTRY: Final = ".visible .entry"
LINES: Final = 1000  # that share numbers


def in_constant_memory(text: str) -> str:
    """PTX with its long numbers in constant memory; the kernel computes the same results.

    >>> print(in_constant_memory('''.visible .entry kernel()
    ... {
    ...     .reg .b64 %rd<3>;
    ...     add.rn.f64 %rd1, %rd2, 0d3FB999999999999A;
    ... }'''))
    .const .align 8 .f64 constants[1] = {0d3FB999999999999A};
    .visible .entry kernel()
    {
        .reg .f64 %constant<1>;
        .reg .b64 %rd<3>;
        ld.const.f64 %constant0, [constants+0];
        add.rn.f64 %rd1, %rd2, %constant0;
    }
    """
    # Functions that the kernel calls come before it; they have other registers and keep their numbers.
    before, entry, kernel = text.partition(_ENTRY)
    places: dict[tuple[int, str], int] = {}
    out: list[str] = []
    count = 0
    for number, line in enumerate(kernel.split("\n"), before.count("\n")):
        if ".rn.f64" in line:
            for m in {m[0]: m for m in _NUMBER.finditer(line)}.values():
                if int(m[2], 16):  # the instruction can contain the upper 32 bits
                    key = number // LINES, m[0]
                    place = 8 * places.setdefault(key, len(places))
                    out.append(f"\tld.const.f64 %constant{count}, [constants+{place}];")
                    line = line.replace(m[0], f"%constant{count}")
                    count += 1
        out.append(line)
    if not places:
        return text
    each = ", ".join(x for _, x in places)
    numbers = f".const .align 8 .f64 constants[{len(places)}] = {{{each}}};\n"
    head, register, body = "\n".join(out).partition(".reg ")
    return f"{before}{numbers}{entry}{head}.reg .f64 %constant<{count}>;\n    {register}{body}"

"""The exported proof, packed for the page: what `assets/check.js` reads.

`head` is the exported data without the program, as JSON; `program` has a byte for each operation, then
how far back each first operand is, then each second one, in groups of seven bits, the lowest first.
Both are deflated and written in base64.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from typing import Any, Final
from zlib import compress

from ...algebra.expr.collector import collector_paused
from ...mechanics.certificate import Certificate
from ...mechanics.certificate.export import export_data

MOST_INSTRUCTIONS: Final = 110_000  # about 400 kB in the page
_CODES: Final = {"+": 0, "-": 1, "*": 2, "/": 3}
_ROOT: Final = 4


def proof_data(certificate: Certificate | None) -> dict[str, Any]:
    """The data of a certificate that holds; nothing if there is none."""
    if certificate is None or not certificate.ok:
        return {}
    with collector_paused():
        head = export_data(certificate, MOST_INSTRUCTIONS)
    if not head["identities"]:
        return {}
    program: list[str] = head.pop("program")
    groups = [*head["circles"], *head["spheres"]]
    inputs = len(head["numbers"]) + len(head["symbols"]) + sum(map(len, groups))
    steps = [_step(line) for line in program]
    columns = [bytes(op for op, _, _ in steps)]
    columns += [_sevens(inputs + k - step[i] for k, step in enumerate(steps)) for i in (1, 2)]
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":"))
    return {
        "robot": certificate.robot.name,
        "instructions": len(program),
        "head": _packed(text.encode()),
        "program": _packed(b"".join(columns)),
    }


def _step(line: str) -> tuple[int, int, int]:
    *left, op, right = line.split()
    return (_CODES[op], int(left[0]), int(right)) if left else (_ROOT, int(right), int(right))


def _sevens(values: Iterable[int]) -> bytes:
    """Whole numbers in groups of seven bits.

    >>> _sevens([5, 300]).hex(" ")
    '05 ac 02'
    """
    out = bytearray()
    for x in values:
        while x > 127:
            out.append(x & 127 | 128)
            x >>= 7
        out.append(x)
    return bytes(out)


def _packed(data: bytes) -> str:
    return b64encode(compress(data, 9)).decode()

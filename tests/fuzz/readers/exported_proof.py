"""Exported proofs, which checker/check.py accepts or rejects without equamo."""

import json
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from random import Random

from fuzz.documents import documents
from fuzz.edits import edit_json
from fuzz.reader import Lazy, Reader
from proof_files import CHECKER, MALFORMED, TAMPERINGS, exported, is_false, tampered


@cache
def _proof() -> bytes:
    return json.dumps(exported("ball")).encode()


def edit_proof(data: bytes, r: Random) -> bytes:
    """An instruction, an operand, a number, a degree or a bound changed, as a forger would."""
    try:
        return json.dumps(tampered(json.loads(data), r.choice(sorted(TAMPERINGS)), r)).encode()
    except (ValueError, LookupError, TypeError, AttributeError):  # damaged by an earlier edit
        return edit_json(data, r)


def read(data: bytes) -> None:
    """Nothing false is accepted, and a damaged file raises only what check.py expects."""
    try:
        with redirect_stdout(StringIO()):
            found = json.loads(data)
            accepted = CHECKER.check(CHECKER.read(found))
    except MALFORMED:
        return
    assert not accepted or not is_false(found)


PROOFS = Lazy(lambda: [_proof()])
READERS = [Reader("exported_proof", read, documents(PROOFS, edit_proof, edit_json), PROOFS, 5)]

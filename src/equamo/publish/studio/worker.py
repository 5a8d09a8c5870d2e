"""Subprocess of the local kernel: requests on standard input, replies on standard output, one per line.

The process ends when its input ends, even in the middle of a request, because the server is gone then.
"""

from __future__ import annotations

import os
import sys
from queue import SimpleQueue
from threading import Thread

from .kernel import Kernel

READY = '{"kind":"ready"}\n'


def main() -> None:
    """Answer requests until the input ends."""
    # Output of libraries must not be mixed with the replies.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        with open(0, encoding="utf-8", newline="\n", closefd=False) as requests:
            for line in requests:
                lines.put(line)
        os._exit(0)

    def send(line: str) -> None:
        replies.write(line)
        replies.flush()

    _warm_up()
    Thread(target=read, daemon=True).start()
    kernel = Kernel()
    try:
        send(READY)
        while True:
            kernel.answer_text(lines.get(), send)
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)


def _warm_up() -> None:
    """Run what most requests need once, so that the first one is not slow."""
    from ..page import scene_data as scene_data
    from . import check, closed_form, derive, edit, programs, prove, scene, steps, templates

    _ = check, closed_form, derive, edit, programs, prove, scene, steps, templates
    for kind in ("check", "derive", "prove"):
        request = {"id": 0, "kind": kind, "model": templates.template_text("empty")}
        Kernel().answer(request, lambda reply: None)


if __name__ == "__main__":
    sys.exit(main())

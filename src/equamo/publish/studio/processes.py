"""Subprocesses of the local kernel: for quick answers, derivations and proofs, and one spare.

A derivation cannot be interrupted from within, so `cancel` ends the process that runs it and the spare
takes over at once; a new spare starts in the background.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from threading import Lock, RLock, Thread, Timer
from typing import Any, Final, final

from .messages import Reply, cancelled, decode, encode, failure, is_final

# Kinds that are answered at once, even during a long request; all others queue.
QUICK: Final = frozenset(("hello", "templates", "import", "check", "edit", "scene"))
LIMIT: Final = 60.0  # [s] for these: they cannot be cancelled, and the next ones wait


@final
class Process:
    """One subprocess with a kernel."""

    def __init__(self) -> None:
        # -P: a file in the user's folder must not shadow a Python module.
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "equamo.publish.studio.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C reaches only the server, which ends the others.
            start_new_session=True,  # without effect on Windows
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Windows only
        )
        self._is_ready = False

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def is_alive(self) -> bool:
        return self._popen.poll() is None

    def ask(self, line: bytes, limit: float | None = None) -> Iterator[Reply]:
        """Replies to a request; they end early if the process ends, as it does after `limit` seconds."""
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        timer = None if limit is None else Timer(limit, self.kill)
        with contextlib.suppress(OSError, ValueError), _running(timer):  # the process was stopped
            self.wait_until_ready()
            self._popen.stdin.write(line)
            self._popen.stdin.flush()
            while found := self._popen.stdout.readline():
                reply = decode(found)
                yield reply
                if is_final(reply):
                    return

    def wait_until_ready(self) -> None:
        """Wait for the line that the process writes when it has imported everything."""
        if not self._is_ready and self._popen.stdout is not None:
            self._popen.stdout.readline()
            self._is_ready = True

    def kill(self) -> None:
        """End the process and all its children; callers that wait for replies are notified."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                self._popen.kill()

    def stop(self) -> None:
        """End the process and release its pipes."""
        self.kill()
        self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


@contextlib.contextmanager
def _running(timer: Timer | None) -> Generator[None]:
    """Let a timer run until the block ends."""
    if timer is None:
        yield
        return
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@final
class _Lane:
    """Queue of requests, and the process that answers them."""

    def __init__(self) -> None:
        self.turn = Lock()
        self.process = Process()
        self.running: int | None = None  # id of the request at work


@final
class Processes:
    """The processes of one server."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._quick, self._long, self._proofs = _Lane(), _Lane(), _Lane()
        self._spare: Process | None = Process()
        self._waiting: set[int] = set()  # long requests that wait for their turn
        self._cancelled: set[int] = set()
        self._is_closed = False

    @property
    def pids(self) -> list[int]:
        """Process ids, for tests."""
        with self._lock:
            spare = [] if self._spare is None else [self._spare.pid]
            return [*(x.process.pid for x in self._lanes), *spare]

    def ask(self, request: dict[str, Any]) -> Iterator[Reply]:
        """Replies to a request, the last of which is final."""
        number, lane, line = request["id"], self._lane(request), encode(request).encode()
        with self._lock:
            self._waiting.add(number)
        with lane.turn:
            with self._lock:
                self._waiting.discard(number)
                was_cancelled = number in self._cancelled
                self._cancelled.discard(number)
                if not lane.process.is_alive and not self._is_closed:
                    self._replace(lane, lane.process)
                process = lane.process
                lane.running = None if was_cancelled else number
            if was_cancelled:
                yield cancelled(number)
                return
            last = None
            limit = LIMIT if lane is self._quick else None
            try:
                for last in process.ask(line, limit):
                    yield last
            finally:
                ended = last is None or not is_final(last)
                with self._lock:
                    lane.running = None
                    was_cancelled = number in self._cancelled
                    self._cancelled.discard(number)
                    # A request may be cancelled just after its last reply.
                    if (ended or was_cancelled) and not self._is_closed:
                        self._replace(lane, process)
        if ended:
            message = "The kernel stopped during this request and was restarted."
            if limit is not None:
                message += f" A text or a file must be read within {limit:.0f} s."
            yield cancelled(number) if was_cancelled else failure(number, message, "kernel")

    def cancel(self, number: int) -> bool:
        """Cancel a running or waiting request; True if there was one."""
        with self._lock:
            if number in self._waiting:
                self._cancelled.add(number)
                return True
            for lane in self._lanes:
                if lane.running == number:
                    self._cancelled.add(number)
                    lane.process.kill()
                    return True
        return False

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._is_closed = True
            found = [x.process for x in self._lanes]
            found += [] if self._spare is None else [self._spare]
            self._spare = None
        for process in found:
            process.stop()

    def _lane(self, request: dict[str, Any]) -> _Lane:
        """A proof runs in parallel with the derivation that the page waits for."""
        if request["kind"] == "prove":
            return self._proofs
        return self._quick if request["kind"] in QUICK else self._long

    @property
    def _lanes(self) -> tuple[_Lane, ...]:
        return self._quick, self._long, self._proofs

    def _replace(self, lane: _Lane, ended: Process) -> None:
        """Put the spare in place of a process, and start another spare."""
        ended.stop()
        lane.process = self._spare or Process()
        self._spare = None
        Thread(target=self._start_spare, daemon=True).start()

    def _start_spare(self) -> None:
        with self._lock:
            if self._spare is None and not self._is_closed:
                self._spare = Process()

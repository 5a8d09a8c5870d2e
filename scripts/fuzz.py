"""`make fuzz`: every reader of tests/fuzz on new random documents, for some minutes.

    python scripts/fuzz.py --minutes 10 --seed random --reader urdf

Each worker takes the readers in turns, a few documents at a time, until the time is over. A document
that makes a reader fail is shrunk by hypothesis and stored in tests/fuzz/regressions, where `make test`
finds it. A worker that dies or hangs is replaced; the document that it was reading is stored as it is.
Exit code 1 if something new was found.
"""

from __future__ import annotations

import argparse
import json
import secrets
import subprocess
import sys
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from hypothesis import HealthCheck, Phase, given, seed as seeded, settings  # noqa: E402

from fuzz.reader import CPU_SECONDS, Reader  # noqa: E402
from fuzz.registry import readers  # noqa: E402
from fuzz.regressions import FOLDER, reason, store  # noqa: E402

EXAMPLES = 60  # documents of a reader before the next has its turn
HANG = 4 * CPU_SECONDS  # [s] with one document, after which a worker is replaced
MEMORY = 8 << 30  # bytes of address space of a worker


class Turn:
    """Documents of one reader, from one seed, until one fails for a new reason."""

    def __init__(self, reader: Reader, known: set[str], ends: float, current: Path) -> None:
        self.reader, self.known, self.ends, self.current = reader, known, ends, current
        self.outcomes: Counter[str] = Counter()
        self.failure: tuple[bytes, str, Exception] | None = None  # the smallest document so far

    def check(self, data: bytes) -> None:
        if self.failure is None and time.monotonic() > self.ends:
            return
        self.current.write_bytes(self.reader.name.encode() + b"\n" + data)
        try:
            self.outcomes["read" if self.reader.check(data) else "refused"] += 1
        except Exception as error:
            self.outcomes["failed"] += 1
            why = reason(error)
            if why not in self.known:
                self.failure = data, why, error
                raise

    def run(self, number: int) -> None:
        """Generate and shrink; `failure` is set if there was one."""

        @seeded(number)
        @settings(
            max_examples=EXAMPLES, database=None, deadline=None, phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck), print_blob=False, report_multiple_bugs=False,
        )  # fmt: skip
        @given(self.reader.documents)
        def document(data: bytes) -> None:
            self.check(data)

        try:
            document()
        except Exception:
            if self.failure is None:  # an error of the strategy, not of the reader
                raise


def work(
    names: list[str], seed: str, seconds: float, place: Path, folder: Path, since: float
) -> None:
    """One worker: turns until the time is over; its counts go to `place`.json."""
    _limit_memory()
    warnings.simplefilter("error")
    ends = time.monotonic() + seconds
    chosen = [readers()[x] for x in names]
    known: dict[str, set[str]] = {x: set() for x in names}
    outcomes: Counter[str] = Counter()
    turn = 0
    while time.monotonic() < ends:
        if turn % len(chosen) == 0:
            Random(f"{seed} {turn}").shuffle(chosen)
        reader = chosen[turn % len(chosen)]
        this = Turn(reader, known[reader.name], ends, place)
        this.run(Random(f"{seed} {turn} {reader.name}").getrandbits(62))
        if this.failure is not None:
            data, why, error = this.failure
            known[reader.name].add(why)
            if _report(reader.name, data, why, folder, since):
                traceback.print_exception(error, file=sys.stdout)
                outcomes["new"] += 1
        outcomes += Counter({f"{reader.name} {x}": n for x, n in this.outcomes.items()})
        turn += 1
        place.with_suffix(".json").write_text(json.dumps(outcomes), encoding="utf-8")


def _report(reader: str, data: bytes, why: str, folder: Path, since: float) -> bool:
    """Store a failure and say how to see it again; False if this run has stored it already."""
    path = store(reader, data, why, folder, since)
    if path is None:
        return False
    shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    print(
        f"\nFOUND {reader}: {why}\n  stored as {shown} ({len(data)} bytes)\n  again: "
        f".venv/bin/pytest tests/fuzz/test_readers.py -k '{reader}-{path.stem}'",
        flush=True,
    )
    return True


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))


class Worker:
    """A process with its share of the readers; replaced when it dies."""

    def __init__(self, names: list[str], seed: str, ends: float, place: Path, folder: Path) -> None:
        self.names, self.seed, self.ends, self.place, self.folder = names, seed, ends, place, folder
        self.replaced = self.new = 0
        self.since = time.time()
        self.outcomes: Counter[str] = Counter()
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        self.place.write_bytes(b"")
        command = [
            sys.executable, __file__, "--worker", str(self.place), "--reader", ",".join(self.names),
            "--minutes", str(max(self.ends - time.monotonic(), 0) / 60), "--seed",
            f"{self.seed} {self.replaced}", "--folder", str(self.folder), "--since", str(self.since),
        ]  # fmt: skip
        return subprocess.Popen(command)

    def is_running(self) -> bool:
        """Look after it: False when its time is over."""
        if self.process.poll() is None:
            if time.time() - self.place.stat().st_mtime < HANG:
                return True
            self.process.kill()
        code = self.process.wait()
        self._count()
        if code == 0:
            return False
        name, _, data = self.place.read_bytes().partition(b"\n")
        if name:
            why = f"the process ended with exit code {code}"
            self.new += _report(name.decode(), data, why, self.folder, self.since)
        else:
            self.new += 1
            print(f"A worker ended with exit code {code} before it read a document.", flush=True)
        self.replaced += 1
        if time.monotonic() > self.ends or self.replaced > 20:
            return False
        self.process = self._started()
        return True

    def _count(self) -> None:
        path = self.place.with_suffix(".json")
        if path.exists():
            self.outcomes += Counter(json.loads(path.read_text("utf-8")))
            path.unlink()


def fuzz(names: list[str], seed: int, minutes: float, count: int, folder: Path) -> int:
    """Run the workers, print a table; returns how many new failures were found."""
    ends = time.monotonic() + 60 * minutes
    again = f" READER={','.join(names)}" if len(names) < len(readers()) else ""
    print(f"seed {seed} (make fuzz SEED={seed}{again} for the same documents)", flush=True)
    shares = [names[k::count] if len(names) >= count else names for k in range(count)]
    with TemporaryDirectory() as temporary:
        workers = [
            Worker(share, f"{seed} {k}", ends, Path(temporary) / f"worker{k}", folder)
            for k, share in enumerate(shares)
        ]
        running = list(workers)
        try:
            while running:
                time.sleep(0.2)
                running = [x for x in running if x.is_running()]
        finally:
            for x in workers:
                if x.process.poll() is None:
                    x.process.kill()
                    x.process.wait()
    outcomes = sum((x.outcomes for x in workers), Counter[str]())
    print(f"\n{'reader':<22}{'read':>8}{'refused':>9}{'failed':>8}")
    for name in names:
        row = [outcomes[f"{name} {x}"] for x in ("read", "refused", "failed")]
        print(f"{name:<22}{row[0]:>8}{row[1]:>9}{row[2]:>8}")
    new = outcomes["new"] + sum(x.new for x in workers)
    total = sum(n for x, n in outcomes.items() if x != "new")
    print(f"{total} documents; {new} new failures")
    return new


def main() -> int:
    """Read the arguments, and be a worker or start them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", default="random", help="a number, or random")
    parser.add_argument(
        "--reader", default="", help="names with commas between them; all by default"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where failures are stored")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--since", type=float, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = options.reader.split(",") if options.reader else sorted(readers())
    unknown = [x for x in names if x not in readers()]
    if unknown:
        parser.error(f"unknown reader {unknown[0]!r}; valid: {', '.join(sorted(readers()))}")
    if options.worker is not None:
        seconds = 60 * options.minutes
        work(names, options.seed, seconds, options.worker, options.folder, options.since)
        return 0
    seed = secrets.randbits(32) if options.seed == "random" else int(options.seed)
    return int(fuzz(names, seed, options.minutes, options.workers, options.folder) > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Documents that once made a reader fail: regressions/READER/DIGEST.input, and .txt, which says how."""

from __future__ import annotations

import traceback
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent / "regressions"


def stored(folder: Path = FOLDER) -> list[Path]:
    """All of them, in order."""
    return sorted(folder.glob("*/*.input"))


def store(
    reader: str, data: bytes, why: str, folder: Path = FOLDER, since: float = 0
) -> Path | None:
    """Store a document; None if this reader got one for the same reason since a time.

    What was stored before is corrected, so that the same reason is a new failure.
    """
    place = folder / reader
    recent = (x for x in place.glob("*.txt") if x.stat().st_mtime >= since)
    if any(why == x.read_text("utf-8").strip() for x in recent):
        return None
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{sha256(data).hexdigest()[:12]}.input"
    path.write_bytes(data)
    path.with_suffix(".txt").write_text(f"{why}\n", encoding="utf-8")
    return path


def reason(error: BaseException) -> str:
    """One line: the error, and the function of equamo in which it came up. No number of a line."""
    if isinstance(error, AssertionError) and error.__cause__ is not None:  # of `accepted`
        return f"refused after it was read, by {reason(error.__cause__)}"
    frames = traceback.extract_tb(error.__traceback__)
    places = [  # the folder of a clone may be called equamo, too
        f"{file.partition('/src/equamo/')[2]}, {x.name}"
        for x in frames
        if "/src/equamo/" in (file := x.filename.replace("\\", "/"))
    ]
    where = f" in {places[-1]}" if places else ""
    text = type(error).__name__
    if isinstance(error, AssertionError) or not places:
        text += f" in the reader's own check, {frames[-1].name}" if frames else ""
        return f"{text}{where}"
    if text == "MiswordedError":
        text += f" ({str(error).partition(':')[0]})"
    return text + where

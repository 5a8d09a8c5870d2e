"""`eq.animate`: write a trajectory as an animation, .gif by Pillow or .mp4 by ffmpeg."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, cast

import numpy as np

from ...basics.extras import library
from ...basics.waiting import counting
from ...basics.wording import brief
from ...errors import EquamoError, EvaluationError, FileFormatError, UnknownNameError
from ...motion.simulation.trajectory import Trajectory
from .camera import Camera, motion_bounds, view_shift
from .drawing import skeleton
from .flat import flat
from .flat_meshes import TRIANGLES
from .posture import Array, Posture, coordinates
from .raster import paint

if TYPE_CHECKING:
    from PIL.Image import Image

SUFFIXES: Final = (".gif", ".mp4")
MOST_FRAMES: Final = 2000
MOST_PIXELS: Final = 4000  # width and height
GIF_RATE: Final = 50  # most frames per second: many programs show faster frames for 100 ms each
GIF_LENGTH: Final = 600  # [s]; equal frames become one, whose duration has 16 bits [10 ms]
_FITTED: Final = 60  # poses to which the camera is fitted


def animate(
    trajectory: Trajectory,
    path: str | PathLike[str],
    *,
    fps: float = 25,
    speed: float = 1,
    width: int = 640,
    height: int = 480,
    progress: bool | Callable[[float], None] | None = None,
) -> Path:
    """Write an animation of a motion.

    Args:
        trajectory: Motion from `eq.simulate`.
        path: File to write, ending in .gif or .mp4; the latter needs the program ffmpeg.
        fps: Frames per second, at most 50 in a .gif file.
        speed: Playback speed: 2 is twice as fast as the motion, 0.5 half as fast.
        width: Width of the picture [pixels], even.
        height: Height of the picture [pixels], even.
        progress: False for no progress bar, True for one at once; or a function that is called with
            the number of frames written. By default a bar appears on a terminal after a second.

    Returns:
        The path of the file.

    Raises:
        EvaluationError: An argument is not valid, or the trajectory has no samples.
        UnknownNameError: The suffix of the file is neither .gif nor .mp4.
        EquamoError: ffmpeg is missing or failed.
        MissingLibraryError: Pillow is not installed.
        FileFormatError: The file cannot be written.

    >>> import equamo as eq
    >>> from tempfile import TemporaryDirectory
    >>> swing = eq.simulate(eq.derive(eq.load("rr_arm")), q={"q1": 1}, duration=0.2)
    >>> with TemporaryDirectory() as folder:
    ...     animate(swing, f"{folder}/run.gif", fps=10).name
    'run.gif'
    """
    target = _checked(trajectory, path, fps, speed, width, height)
    times = _times(trajectory, fps, speed)
    if target.suffix.lower() == ".gif" and (fps > GIF_RATE or len(times) / fps > GIF_LENGTH):
        raise EvaluationError(
            f"animate(): a .gif file must have at most {GIF_RATE} frames per second and last at most "
            f"{GIF_LENGTH} s, got fps {brief(fps)} and {len(times) / fps:.4g} s; change fps= or speed=, "
            "or write an .mp4 file."
        )
    command = _ffmpeg(target, fps, width, height) if target.suffix.lower() == ".mp4" else None
    with counting(f"animating {target.name}", len(times), "frames", progress) as tell:
        frames = _counted(_frames(trajectory, times, width, height), tell)
        try:
            if command is None:
                _write_gif(target, frames, _durations(len(times), fps))
            else:
                _write_mp4(command, frames)
        except OSError as error:
            raise FileFormatError(
                f"{target}: cannot be written: {error.strerror or error}."
            ) from None
    return target


def _checked(
    trajectory: object, path: object, fps: object, speed: object, width: object, height: object
) -> Path:
    if not isinstance(trajectory, Trajectory):
        raise EvaluationError(
            f"animate(): trajectory must come from eq.simulate(…), got {brief(trajectory)}."
        )
    if not isinstance(path, (str, PathLike)) or not _is_name(cast(Any, path)):
        raise EvaluationError(
            f"animate(): path must be the path of a file, got {brief(cast(Any, path))}."
        )
    target = Path(cast(Any, path))
    if target.suffix.lower() not in SUFFIXES:
        raise UnknownNameError("file suffix", target.suffix, SUFFIXES, str(target))
    if not len(trajectory):
        raise EvaluationError(f"{target}: the trajectory must have at least one sample, got none.")
    for name, x in (("fps", fps), ("speed", speed)):
        real = not isinstance(x, bool) and isinstance(x, (int, float, np.integer, np.floating))
        if not real or not 0 < cast(Any, x) < 1e300:
            raise EvaluationError(
                f"animate(): {name} must be greater than 0, got {brief(cast(Any, x))}."
            )
    for name, x in (("width", width), ("height", height)):
        whole = isinstance(x, (int, np.integer)) and not isinstance(x, bool)
        if not whole or not 16 <= int(cast(Any, x)) <= MOST_PIXELS or int(cast(Any, x)) % 2:
            raise EvaluationError(
                f"animate(): {name} must be an even number of pixels from 16 to {MOST_PIXELS}, got "
                f"{brief(cast(Any, x))}."
            )
    return target


def _is_name(path: str | PathLike[str]) -> bool:
    """Whether the system can have a file of this name."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _times(trajectory: Trajectory, fps: float, speed: float) -> Array:
    first, last = float(trajectory.t[0]), float(trajectory.t[-1])
    wanted = (last - first) * float(fps) / float(speed)
    if wanted > MOST_FRAMES - 1:
        raise EvaluationError(
            f"animate(): an animation must have at most {MOST_FRAMES} frames, got {wanted:.0f}; use "
            "a lower fps= or a higher speed=."
        )
    return np.linspace(first, last, max(1, round(wanted)) + 1)


def _frames(trajectory: Trajectory, times: Array, width: int, height: int) -> Iterator[Image]:
    """Frames at the given times; the camera follows a robot that moves away."""
    robot, values = trajectory.eom.robot, dict(trajectory.values)
    model, posture = skeleton(robot, values, TRIANGLES), Posture(robot, values)
    q = trajectory.at(times)[0]
    home = posture(coordinates(robot, values=values))
    some = np.unique(np.linspace(0, len(q) - 1, _FITTED).round().astype(int))
    low, high = motion_bounds(model, home, (posture(x) for x in q[some]))
    camera = Camera.fitted(replace(model, low=low, high=high), width, height)
    for t, x in zip(times, q, strict=True):
        poses = posture(x)
        moved = replace(camera, target=camera.target + view_shift(model, home, poses))
        yield paint(flat(model, poses, moved), f"{robot.name}   t = {t:.2f} s")


def _counted(frames: Iterator[Image], tell: Callable[[float], None]) -> Iterator[Image]:
    for k, frame in enumerate(frames, 1):
        yield frame
        tell(k)


def _durations(count: int, fps: float) -> list[int]:
    """Duration of each frame [ms], in steps of 10; their sum is correct to 5 ms.

    >>> _durations(4, 30)
    [30, 40, 30, 30]
    """
    ends = np.round(np.arange(count + 1) * (100 / float(fps)))
    return [10 * int(x) for x in np.diff(ends)]


def _write_gif(target: Path, frames: Iterator[Image], durations: list[int]) -> None:
    """All frames with the palette of the first, so that nothing flickers."""
    library("PIL.Image", "animate")  # raises an error that says what to install
    from PIL.Image import Dither, Quantize

    palette = next(frames).quantize(256, method=Quantize.MEDIANCUT)
    rest = (f.quantize(palette=palette, dither=Dither.NONE) for f in frames)
    palette.save(target, "GIF", save_all=True, append_images=rest, duration=durations, loop=0)


def _ffmpeg(target: Path, fps: float, width: int, height: int) -> list[str]:
    """Command that reads raw frames from its input; checked before any frame is painted."""
    program = shutil.which("ffmpeg")
    if program is None:
        raise EquamoError(
            f"{target}: an .mp4 file needs the program ffmpeg, which is not installed; install it, or "
            "write a .gif file."
        )
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{fps:g}"]
    coded = [
        "-an",
        "-c:v",
        "libx264",
        "-pix_fmt",
        "yuv420p",
        "-crf",
        "18",
        "-movflags",
        "+faststart",
    ]
    # A name with "file:" is never taken for an option or an address.
    place = f"file:{target.absolute()}"
    return [program, "-y", "-loglevel", "error", *source, "-i", "-", *coded, place]


def _write_mp4(command: list[str], frames: Iterator[Image]) -> None:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        pipe = cast(IO[bytes], process.stdin)
        try:
            for frame in frames:
                pipe.write(frame.tobytes())
        except BrokenPipeError:  # ffmpeg has stopped; its message says why
            pass
        except BaseException:
            process.kill()
            with suppress(OSError):  # its error must not replace the one that is raised
                pipe.close()
            raise
        _, error = process.communicate()
    if process.returncode:
        reason = " ".join(error.decode(errors="replace").split())[-300:] or "without a message"
        raise EquamoError(
            f"{command[-1].removeprefix('file:')}: ffmpeg could not write the animation; it ended "
            f"with status {process.returncode}: {reason}."
        )

"""`equamo studio`: start the local server, open the page, end on Ctrl-C or when it is closed."""

from __future__ import annotations

import signal
import webbrowser
from collections.abc import Callable
from pathlib import Path
from threading import Thread, current_thread, main_thread
from time import sleep
from types import FrameType
from typing import Any, Final

from ...errors import EquamoError
from ...robot.catalog import load
from ...robot.formats.text_file import read_text
from ...robot.formats.toml_writer import write_toml
from ...robot.library.registry import is_file
from .folder import LARGEST, Folder
from .server import HOST, StudioServer

GRACE: Final = 10.0  # [s] in which a page that was closed may be opened again
_PERIOD: Final = 0.2  # [s]


def serve(
    robot: str | None = None,
    folder: str | Path = ".",
    *,
    port: int = 0,
    open_browser: bool = True,
    stay: bool = False,
    announce: Callable[[str], None] = print,
) -> None:
    """Serve the studio until Ctrl-C, or until its page has been closed for some seconds.

    Args:
        robot: Built-in robot or file to start with.
        folder: Folder whose model files the page may open and save.
        port: Port on 127.0.0.1; by default a free one.
        open_browser: Whether to open the page.
        stay: Whether to keep running when the page is closed.
        announce: Function to call with the address of the page.

    Raises:
        EquamoError: The robot cannot be loaded, or the port is in use.
    """
    place = Folder(Path(folder))
    start = start_data(robot, place)
    try:
        server = StudioServer(place, port, start)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise EquamoError(
            f"studio: port {port} of {HOST} cannot be used: {reason}; choose another --port."
        ) from None
    is_main = current_thread() is main_thread()  # signals can be caught only there
    previous = signal.signal(signal.SIGTERM, _interrupt) if is_main else None
    try:
        Thread(target=server.serve_forever, args=(_PERIOD,), daemon=True).start()
        announce(server.url)
        if open_browser:
            webbrowser.open(server.url_once)
        while stay or server.deserted_for() < GRACE:
            sleep(_PERIOD)
    except KeyboardInterrupt:
        pass
    finally:
        if is_main:
            signal.signal(signal.SIGTERM, previous)
        server.shutdown()
        server.close()


def start_data(robot: str | None, folder: Folder) -> dict[str, Any]:
    """Model that the page starts with: its text, and its file if it may be saved there.

    >>> start_data("rr_arm", Folder(Path(".")))["text"].split("\\n")[1]
    'name = "rr_arm"'
    """
    if robot is None:
        return {}
    if is_file(robot) and Path(robot).suffix.lower() == ".toml":
        path = Path(robot).resolve()
        name = folder.name(path)
        text = read_text(path, LARGEST) if name is None else folder.read(name)
        return {"name": path.stem, "file": name, "text": text}
    loaded = load(robot)
    return {"name": loaded.name, "file": None, "text": write_toml(loaded, lossy=True)}


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt

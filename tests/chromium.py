"""A real browser for tests of pages: headless Chromium over the DevTools protocol, by its pipe.

    page = browser().open(path, width=1000, height=700)
    page.evaluate("document.title")      # promises are awaited; what JSON can carry comes back
    page.wait_for("window.ready")
    page.screenshot(tmp_path / "page.png")
    assert page.quiet(), page.messages   # no exception, no error or warning, no request

One browser serves all pages of a run; it needs no port, and nothing beyond the standard library.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final, final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS: Final = (
    "--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-extensions", "--no-first-run", "--no-default-browser-check",
    "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no network
    # Chromium must not slow down a page that is behind another one.
    "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
)  # fmt: skip
PATIENCE: Final = 240.0  # [s] for one answer: software GL on a busy machine is slow


class BrowserError(Exception):
    """The browser is missing, does not answer, or a script in the page threw."""


@final
class Browser:
    """One Chromium process. Commands go in at its file descriptor 3, answers come out at 4."""

    def __init__(self) -> None:
        program = next((p for p in map(shutil.which, NAMES) if p), None)
        if program is None:
            raise BrowserError("Tests of pages need Chromium; type: apt-get install chromium")
        self._profile = mkdtemp(prefix="equamo-chromium-")
        theirs, self._out = _high(os.pipe())
        self._in, answers = _high(os.pipe())
        null = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_RDWR, 0) for n in range(3)]
        self._pid = os.posix_spawn(
            program,
            [program, *FLAGS, f"--user-data-dir={self._profile}", "about:blank"],
            {**os.environ, "HOME": self._profile},
            file_actions=[
                *null,
                (os.POSIX_SPAWN_DUP2, theirs, 3),
                (os.POSIX_SPAWN_DUP2, answers, 4),
            ],
            setsid=True,
        )
        os.close(theirs)
        os.close(answers)
        self._buffer = b""
        self._last = 0
        self._pages: dict[str, Page] = {}
        atexit.register(self.close)

    def call(self, method: str, session: str | None = None, **given: Any) -> dict[str, Any]:
        """One command and its answer; events that come before it go to their pages."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": given}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            answer = self._receive(until)
            if answer is None:
                raise BrowserError(f"No answer to {method} within {PATIENCE:.0f} s.")
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]
            self._event(answer)

    def events(self, seconds: float = 0.0) -> None:
        """Take in what the pages have reported, for a while."""
        until = time.monotonic() + seconds
        while (event := self._receive(until)) is not None:
            self._event(event)

    def open(
        self, place: str | Path, width: int = 1000, height: int = 700, scale: float = 1.0
    ) -> Page:
        """A page of its own, loaded: a file, or an address such as about:blank."""
        address = place.resolve().as_uri() if isinstance(place, Path) else place
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, target, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)  # stays visible behind others
        page.resize(width, height, scale)
        page.go(address)
        return page

    def forget(self, page: Page) -> None:
        """Close a page."""
        self._pages.pop(page.session, None)
        self.call("Target.closeTarget", targetId=page.target)

    def close(self) -> None:
        """End the process and remove its profile; more than once does no harm."""
        if not self._pid:
            return
        pid, self._pid = self._pid, 0
        with contextlib.suppress(OSError):
            os.write(self._out, b'{"id":0,"method":"Browser.close"}\0')
        until = time.monotonic() + 5.0
        while os.waitpid(pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > until:
                os.killpg(pid, signal.SIGKILL)  # its own group, made by setsid
                os.waitpid(pid, 0)
                break
            time.sleep(0.02)
        os.close(self._out)
        os.close(self._in)
        for _ in range(20):  # its children may still be writing
            shutil.rmtree(self._profile, ignore_errors=True)
            if not os.path.exists(self._profile):
                break
            time.sleep(0.1)

    def _receive(self, until: float) -> dict[str, Any] | None:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return None
            part = os.read(self._in, 1 << 20)
            if not part:
                raise BrowserError("Chromium ended; run it with the flags of this file to see why.")
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def _event(self, event: dict[str, Any]) -> None:
        page = self._pages.get(event.get("sessionId", ""))
        if page is not None and "method" in event:
            page.report(event["method"], event["params"])


@final
@dataclass(eq=False)
class Page:
    """A page in the browser, with its console messages and network requests."""

    browser: Browser
    target: str
    session: str
    messages: list[str] = field(default_factory=list[str])  # exceptions, errors and warnings
    requests: list[str] = field(default_factory=list[str])  # addresses, without the page itself
    _loaded: bool = False
    _address: str = ""

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        """A DevTools command for this page."""
        return self.browser.call(method, self.session, **given)

    def go(self, address: str) -> None:
        """Load an address and wait until all of it is there."""
        self._loaded, self._address = False, address
        answer = self.call("Page.navigate", url=address)
        if answer.get("errorText"):
            raise BrowserError(f"{address}: {answer['errorText']}")
        until = time.monotonic() + PATIENCE
        while not self._loaded:
            if time.monotonic() > until:
                raise BrowserError(f"{address} was not loaded within {PATIENCE:.0f} s.")
            self.browser.events(0.02)

    def resize(self, width: int, height: int, scale: float = 1.0, touch: bool = False) -> None:
        """The size of the window in CSS pixels; `touch` makes it a phone."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=touch)  # fmt: skip
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    def scheme(self, name: str) -> None:
        """What the page is told that the reader prefers: "light" or "dark"."""
        wanted = [{"name": "prefers-color-scheme", "value": name}]
        self.call("Emulation.setEmulatedMedia", features=wanted)

    def evaluate(self, script: str) -> Any:
        """The value of an expression in the page; a promise is awaited, an exception raised here."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                           returnByValue=True, userGesture=True)  # fmt: skip
        if "exceptionDetails" in answer:
            raise BrowserError(f"{script[:200]}: {_exception(answer['exceptionDetails'])}")
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> Any:
        """Ask until an expression is true; its value."""
        until = time.monotonic() + PATIENCE
        while not (value := self.evaluate(condition)):
            if time.monotonic() > until:
                said = f" The page said: {self.messages}" if self.messages else ""
                raise BrowserError(f"{condition} was not true within {PATIENCE:.0f} s.{said}")
            self.browser.events(0.02)
        return value

    def screenshot(self, path: Path, whole: bool = False) -> Path:
        """A PNG of the window, or of the `whole` page."""
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(picture["data"]))
        return path

    def printed(self) -> bytes:
        """The page as a PDF on A4, as its style for print has it."""
        answer = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True,
                           paperWidth=8.27, paperHeight=11.69)  # fmt: skip
        return base64.b64decode(answer["data"])

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """mousePressed, mouseMoved, mouseReleased or mouseWheel at a place in CSS pixels."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, start: tuple[float, float], end: tuple[float, float], **more: Any) -> None:
        """Press, move in steps and let go."""
        given = {"button": "left", "buttons": 1, **more}
        self.mouse("mousePressed", *start, clickCount=1, **given)
        for k in range(1, 6):
            x, y = (a + (b - a) * k / 5 for a, b in zip(start, end, strict=True))
            self.mouse("mouseMoved", x, y, **given)
        self.mouse("mouseReleased", *end, clickCount=1, **given)

    def click(self, x: float, y: float) -> None:
        """A click of the left button."""
        self.drag((x, y), (x, y))

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """touchStart, touchMove or touchEnd with the fingers that are down."""
        given = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=given)

    def key(self, name: str, text: str = "") -> None:
        """Press and release a key, by its name: "ArrowLeft", "Tab", "f" …"""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, text=text or
                  (name if len(name) == 1 else ""))  # fmt: skip
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name)

    def quiet(self, seconds: float = 0.2) -> bool:
        """Whether there was no message and no request so far, and for a moment more."""
        self.browser.events(seconds)
        return not self.messages and not self.requests

    def close(self) -> None:
        """Close it; the browser goes on."""
        self.browser.forget(self)

    def report(self, method: str, given: dict[str, Any]) -> None:
        """Take in one event."""
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            self.messages.append(f"exception: {_exception(given['exceptionDetails'])}")
        elif method == "Runtime.consoleAPICalled" and given["type"] in (
            "error",
            "warning",
            "assert",
        ):
            said = (str(a.get("value", a.get("description", a["type"]))) for a in given["args"])
            self.messages.append(f"{given['type']}: {' '.join(said)}")
        elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
            said = given["entry"]["text"]
            if "GL Driver Message (OpenGL, Performance" not in said:  # software GL of its slowness
                self.messages.append(f"{given['entry']['level']}: {said}")
        elif method == "Network.requestWillBeSent":
            address = given["request"]["url"]
            # What stands in the page itself is no request: data: and blob: stay on the machine.
            if address != self._address and not address.startswith(("data:", "blob:")):
                self.requests.append(address)


def _high(pipe: tuple[int, int]) -> tuple[int, int]:
    """The same pipe with numbers that are not 0 to 4, which the browser is to have."""
    moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in pipe]
    for end in pipe:
        os.close(end)
    return moved[0], moved[1]


def _exception(details: dict[str, Any]) -> str:
    thrown = details.get("exception", {})
    return thrown.get("description") or str(thrown.get("value", details.get("text")))


@cache
def browser() -> Browser:
    """The one browser of a run, started when first asked for."""
    asked = os.environ.get("EQUAMO_PAGES") or os.environ.get("EQUAMO_STUDIO")
    if "PYTEST_CURRENT_TEST" in os.environ and not asked:
        raise BrowserError("A test that opens a browser must carry the marker browser or studio.")
    return Browser()

"""The studio in a browser, for tests: its own server, its page, and functions that use the page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from chromium import Page, browser

_SELECT = """(old) => {
  const area = document.getElementById("editor"), at = area.value.indexOf(old);
  if (at < 0) return false;
  area.focus();
  area.setSelectionRange(at, at + old.length);
  return true;
}"""
_FILL = """(box, text) => {
  box.focus();
  box.value = text;
  for (const kind of ["input", "change"]) box.dispatchEvent(new Event(kind, { bubbles: true }));
}"""
# Halfway between the origin of a body and its tip, if it has one.
_PLACE = """(name) => {
  const r = equamo.robot, b = r.bodies.indexOf(name), T = new Float64Array(16 * r.bodies.length);
  r.kinematics(equamo.state.q, T);
  const tip = r.scene.tips.find((t) => t.body === b)?.point ?? [0, 0, 0], E = T.subarray(16 * b);
  const along = (i) => E[i] * tip[0] + E[4 + i] * tip[1] + E[8 + i] * tip[2];
  const [x, y] = r.view.project([0, 1, 2].map((i) => E[12 + i] + along(i) / 2));
  const box = document.getElementById("canvas").getBoundingClientRect();
  return [box.left + x, box.top + y];
}"""


@final
@dataclass
class Studio:
    """A running `equamo studio` and its page."""

    process: subprocess.Popen[str]
    url: str
    page: Page

    @property
    def state(self) -> str:
        """Text of the status line."""
        return self.page.evaluate("document.getElementById('state').textContent")

    @property
    def proof(self) -> str:
        return self.page.evaluate("equamo.session.proof.state")

    def log(self) -> list[dict[str, Any]]:
        """What the page has done after edits, with the milliseconds since the edit."""
        return self.page.evaluate("equamo.session.log")

    def settled(self) -> None:
        """Wait until the text is derived and proved, and nothing runs."""
        self.page.wait_for(
            "window.equamo?.state && equamo.session.proof.state === 'proved' && !equamo.session.task"
            " && !equamo.session.stale && equamo.session.check?.ok",
        )

    def type(self, old: str, new: str) -> int:
        """Select a text in the editor and type another in its place; the version of the text."""
        found = self.page.evaluate(f"({_SELECT})({_js(old)})")
        assert found, f"The text does not contain {old!r}."
        self.page.call("Input.insertText", text=new)
        return self.page.evaluate("equamo.session.version")

    def done(self, what: str, version: int) -> float:
        """Wait for the outcome of an edit; its milliseconds since the edit."""
        row = self.page.wait_for(
            f"equamo.session.log.find((x) => x.what === {_js(what)} && x.version >= {version})",
        )
        return float(row["ms"])

    def tab(self, name: str) -> None:
        self.page.evaluate(f"document.getElementById('tab-{name}').click()")

    def click(self, selector: str) -> None:
        self.page.evaluate(f"document.querySelector({_js(selector)}).click()")

    def value(self, selector: str) -> str:
        return self.page.evaluate(f"document.querySelector({_js(selector)}).textContent")

    def choose(self, menu: str, item: str) -> None:
        """Open a menu and choose an item."""
        self.click(menu)
        self.click(f'[role=menuitem][data-item="{item}"]')

    def fill(self, selector: str, text: str) -> None:
        """Put a text into a field, as if it had been typed."""
        self.page.evaluate(f"({_FILL})(document.querySelector({_js(selector)}), {_js(text)})")

    def hand(self, body: str) -> tuple[float, float]:
        """Where a body is seen, in pixels of the window."""
        x, y = self.page.evaluate(f"({_PLACE})({_js(body)})")
        return x, y

    def close(self) -> None:
        """Close the page and end the server."""
        self.page.close()
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


def open_studio(robot: str, folder: Path, *, width: int = 1500, height: int = 950) -> Studio:
    """Start `equamo studio` in a folder and open its page."""
    process = subprocess.Popen(
        [sys.executable, "-m", "equamo", "studio", robot, "--no-browser"],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1", "COLUMNS": "300"},
    )
    assert process.stdout is not None
    for line in process.stdout:
        match = re.search(r"http://127\.0\.0\.1:\d+/\S+/", line)
        if match:
            studio = Studio(process, match[0], browser().open(match[0], width, height))
            studio.settled()
            return studio
    raise AssertionError(f"equamo studio ended with {process.wait()}.")


def _js(text: str) -> str:
    return json.dumps(text)

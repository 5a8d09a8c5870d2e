"""Page, script and style of the studio; the script and the style begin with those of `eq.report`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from ..page.document import SCRIPTS, scoped
from .model_keys import model_keys_script

# Scripts that only the page of a robot needs; the studio shares the others, in the same order.
NOT_SHARED: Final = ("print.js", "code.js", "model.js", "page.js")
OF_PAGE: Final = tuple(name for name in SCRIPTS if name not in NOT_SHARED)
# In order of use: later files import from earlier ones.
OF_STUDIO: Final = (
    "kernel_client.js", "worker_client.js", "highlight.js", "editor.js", "completion.js",
    "session.js", "status.js", "problems.js", "files.js", "bodies.js", "parameters.js", "reach.js",
    "robot_panel.js", "mathml_text.js", "result_tabs.js", "equations_tab.js", "proof_tab.js",
    "expression.js", "dynamics.js", "simulation.js", "motion_tab.js", "check_tab.js",
    "analysis_tabs.js", "studio.js",
)  # fmt: skip


@cache
def page() -> str:
    """Text of the page, which loads `studio.js` and `studio.css`.

    >>> page().split("\\n")[0]
    '<!doctype html>'
    """
    return source("studio", "studio.html")


@cache
def script() -> str:
    """Script of the studio as one module.

    >>> "startStudio();" in script()
    True
    """
    texts = [source("page", name) for name in OF_PAGE] + [model_keys_script()]
    texts += [source("studio", x) for x in OF_STUDIO]
    return "\n".join(scoped(text) for text in texts) + "\n"


@cache
def style() -> str:
    """Style of the studio: that of the page, then its own.

    >>> style().index(":root") < style().index(".studio")
    True
    """
    return source("page", "style.css") + "\n" + source("studio", "studio.css")


def source(package: str, name: str) -> str:
    """Text of an asset of the page or of the studio."""
    folder = files("equamo.publish").joinpath(package, "assets")
    return folder.joinpath(*name.split("/")).read_text(encoding="utf-8")

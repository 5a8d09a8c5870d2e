"""`export`: the page, the paper, the code or the model, as a file to download."""

from __future__ import annotations

import io
import zipfile
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from ...code.codegen.names import package_name
from ...errors import ModelError
from ...mechanics.equations import FORMULATIONS
from .code import LANGUAGES
from .messages import Request, Say
from .model_text import ModelText

FORMATS: Final[dict[str, tuple[str, ...]]] = {
    "page": ("html",),
    "paper": ("html", "pdf", "tex", "ipynb", "typ"),
    "code": LANGUAGES,
    "project": ("toml", "urdf"),
}
TYPES: Final = {
    "html": "text/html", "pdf": "application/pdf", "tex": "application/x-tex",
    "toml": "application/toml", "ipynb": "application/x-ipynb+json", "typ": "text/plain",
    "urdf": "application/xml",
}  # fmt: skip


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `export`: name, media type, and the file as text or base64."""
    what = request.choice("what", tuple(FORMATS))
    format = request.choice("format", FORMATS[what], FORMATS[what][0])
    name = package_name(model.robot.name)
    if what == "code":
        return _code(model, format, name, say)
    if what == "page":
        text = _page(model, say)
    elif what == "paper":
        method = request.choice("method", FORMULATIONS, "lagrange")
        say(f"writing the derivation by {method.replace('_', ' ')}")
        found = _paper(model, format, method)
        if isinstance(found, bytes):
            return {"name": f"{name}.pdf", "mime": TYPES["pdf"], "base64": _base64(found)}
        text = found
    elif format == "urdf":
        return {"name": f"{name}.urdf", "mime": TYPES["urdf"], **_urdf(model)}
    else:
        text = model.text
    return {"name": f"{name}.{format}", "mime": TYPES[format], "text": text}


def _page(model: ModelText, say: Say) -> str:
    from ...mechanics.certificate import prove
    from ..page.context import Context
    from ..page.report import page
    from ..page.sections.motion import default_motion

    eom = model.equations()
    if model.certificate is None:
        model.certificate = prove(eom, progress=say)
    say("simulating")
    trajectory, description = default_motion(eom) or (None, "")
    say("writing the page")
    return page(Context(eom, model.certificate, (), trajectory, description, timed=False))


def _paper(model: ModelText, format: str, method: str) -> str | bytes:
    from ..document.write import paper

    document = paper(model.filled(model.robot), by=method)
    if format == "pdf":
        return document.pdf()
    write = {"html": document.html, "tex": document.latex, "ipynb": document.notebook}
    return write.get(format, document.typst)()


def _urdf(model: ModelText) -> dict[str, Any]:
    """The model as URDF, and what URDF lacks; an error if that is part of the equations of motion."""
    from ...robot.formats.urdf_writer import urdf_text

    text, lost = urdf_text(model.filled(model.robot))
    if lost.model:
        raise ModelError(f"URDF cannot represent these parts: {'; '.join(lost.model)}.")
    return {"text": text, "notes": [f"not in the URDF file: {x}" for x in lost]}


def _code(model: ModelText, language: str, name: str, say: Say) -> dict[str, Any]:
    """Package of generated code, proved, as a zip file."""
    from ...code.codegen.generate import generate

    say("writing and proving the code")
    packed = io.BytesIO()
    with (
        TemporaryDirectory() as folder,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for path in generate(model.equations(), language, folder):
            archive.writestr(f"{name}/{Path(path).name}", Path(path).read_bytes())
    return {"name": f"{name}_{language}.zip", "mime": "application/zip",
            "base64": _base64(packed.getvalue())}  # fmt: skip


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")

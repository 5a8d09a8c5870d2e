"""`import`: turn a URDF, SDF, MJCF or TOML file, or a DH table, into the text of a model."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from ...basics.wording import brief
from ...errors import FileFormatError
from ...robot.catalog import load, load_bytes
from ...robot.formats.toml_writer import write_toml
from ...robot.formats.xml_tree import Element, parse_xml
from ...robot.model import Robot
from .messages import Request, Say
from .model_text import ModelText

FORMATS: Final = ("urdf", "sdf", "mjcf", "dh", "toml")
LARGEST: Final = 8_000_000  # characters of a file


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `import`: the text of a model, and what happened to the parts of the file."""
    text, name = request.text("text"), request.text("name", "robot")
    if len(text) > LARGEST:
        raise FileFormatError(
            f"{brief(name)}: a file must have at most {LARGEST:,} characters, got {len(text):,}."
        )
    if "\0" in text:
        raise FileFormatError(f"{brief(name)}: a model must be a text file, got a binary one.")
    if "<xacro:" in text or name.lower().endswith(".xacro"):
        raise FileFormatError(
            f"{brief(name)}: a xacro file must be expanded first, because it may refer to other files; "
            "run xacro, or start `equamo studio` with it."
        )
    format = request.choice("format", FORMATS, _guess(name, text))
    if format == "toml":
        return {"text": text.replace("\r\n", "\n"), "notes": []}
    robot = _robot(text, name, format)
    report = robot.import_report
    notes = [] if report is None else str(report).split("\n")
    return {"text": write_toml(robot, lossy=True), "notes": notes}


def _robot(text: str, name: str, format: str) -> Robot:
    if format == "dh":
        from ...robot.formats.dh_text import parse_dh

        return parse_dh(text, name, Path(name).stem or "robot")
    if format != "mjcf":
        return load_bytes(text.encode(), place=name)
    _check_files(parse_xml(text.encode(), name), name)
    with TemporaryDirectory() as folder:  # MuJoCo reads files
        path = Path(folder) / "robot.xml"
        path.write_text(text, encoding="utf-8", newline="\n")
        return load(path)


def _check_files(root: Element, name: str) -> None:
    """Reject an MJCF file that makes MuJoCo read other files: only its text is available."""
    elements = [root]
    while elements:
        e = elements.pop()
        elements += e.children
        if e.tag == "plugin" or any(key.startswith("file") for key in e.attributes):
            raise FileFormatError(
                f"{name}:{e.line}: a file opened in the studio must not refer to other files, got "
                f"<{e.tag}>; start `equamo studio` with it instead."
            )


def _guess(name: str, text: str) -> str:
    """Format of a file by its content."""
    if text.lstrip("\ufeff \n\r\t").startswith("<"):
        if "<mujoco" in text:
            return "mjcf"
        return "sdf" if "<sdf" in text else "urdf"
    return "dh" if name.lower().endswith((".csv", ".txt", ".dh")) else "toml"

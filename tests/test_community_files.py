"""Files for people who come to the project: issue forms, policies, and how to cite it.

The rules for forms are those of GitHub's documentation, "Syntax for GitHub's form schema".
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from equamo import __version__

pytestmark = pytest.mark.needs("yaml")

ROOT = Path(__file__).parents[1]
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))

KEYS = {"type", "id", "attributes", "validations"}
# Keys of the attributes of each kind of element: those that must be there, and all.
TEXT = {"label", "description", "placeholder", "value"}
ATTRIBUTES = {
    "markdown": ({"value"}, {"value"}),
    "textarea": ({"label"}, TEXT | {"render"}),
    "input": ({"label"}, TEXT),
    "dropdown": ({"label", "options"}, {"label", "description", "multiple", "options", "default"}),
    "checkboxes": ({"label", "options"}, {"label", "description", "options"}),
}


def violations(form: dict[str, Any]) -> list[str]:
    """What GitHub would reject in an issue form."""
    wrong = [f"no {x}" for x in ("name", "description", "body") if not form.get(x)]
    known = {"name", "description", "title", "labels", "assignees", "projects", "type", "body"}
    wrong += [f"unknown key {x}" for x in form.keys() - known]
    for element in form.get("body", ()):
        kind, place = element.get("type"), element.get("id", "markdown")
        if kind not in ATTRIBUTES:
            wrong.append(f"{place}: unknown type {kind}")
            continue
        required, allowed = ATTRIBUTES[kind]
        attributes = element.get("attributes", {})
        wrong += [f"{place}: no {x}" for x in required - attributes.keys()]
        wrong += [f"{place}: unknown {x}" for x in attributes.keys() - allowed]
        wrong += [f"{place}: unknown {x}" for x in element.keys() - KEYS]
        wrong += [
            f"{place}: not text: {x}" for x in TEXT if not isinstance(attributes.get(x, ""), str)
        ]
        options = attributes.get("options", [])
        if len(set(map(str, options))) < len(options) or not all(
            isinstance(x, str) for x in options
        ):
            wrong.append(f"{place}: options must be different texts")
    ids = [x["id"] for x in form.get("body", ()) if "id" in x]
    labels = [x["attributes"].get("label") for x in form.get("body", ()) if "id" in x]
    wrong += [f"{x}: not a valid id" for x in ids if not re.fullmatch(r"[\w-]+", x)]
    if len(set(ids)) < len(ids) or len(set(labels)) < len(labels):
        wrong.append("ids and labels must be different")
    return wrong


@pytest.mark.parametrize("path", FORMS, ids=lambda p: p.stem)
def test_issue_forms(path: Path) -> None:
    data = yaml.safe_load(path.read_text("utf-8"))
    if path.stem == "config":
        assert data.keys() <= {"blank_issues_enabled", "contact_links"}
        return
    assert violations(data) == []
    labels = [x["attributes"]["label"] for x in data["body"] if x["type"] != "markdown"]
    assert "Output of `equamo doctor --json`" in labels


def test_there_is_a_form_for_every_kind_of_report() -> None:
    assert {p.stem for p in FORMS} == {"bug", "wrong_equations", "robot_file", "feature", "config"}
    forms = [yaml.safe_load(p.read_text("utf-8")) for p in FORMS if p.stem != "config"]
    assert len({x["name"] for x in forms}) == len(forms)


GOOD = """
name: Report
description: Of a problem
body:
  - {type: markdown, attributes: {value: Hello}}
  - {type: textarea, id: text, attributes: {label: Text, render: json}, validations: {required: true}}
  - {type: dropdown, id: kind, attributes: {label: Kind, options: [one, two]}}
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("name: Report", "names: Report"),
        ("type: markdown", "type: text"),
        ("{value: Hello}", "{label: Hello}"),
        ("{label: Text, render", "{render"),
        ("render: json", "rendered: json"),
        ("label: Text", "label: 1"),
        ("id: kind", "id: text"),
        ("id: kind", "id: a kind"),
        ("[one, two]", "[one, one]"),
        ("[one, two]", "[yes, no]"),
        ("validations", "validation"),
    ],
)
def test_wrong_forms_are_detected(before: str, after: str) -> None:
    assert violations(yaml.safe_load(GOOD)) == []
    assert before in GOOD
    assert violations(yaml.safe_load(GOOD.replace(before, after))) != []


def releases() -> list[tuple[str, str]]:
    """Versions in the changelog with their dates, the newest first."""
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return re.findall(r"^## \[(\d.*?)\] - (\d{4}-\d\d-\d\d)$", changelog, re.MULTILINE)


def test_the_version_is_the_same_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (str(citation["version"]), citation["date-released"]) == releases()[0]
    assert __version__ == releases()[0][0] or ".dev" in __version__  # between two releases
    assert citation["license"] in (ROOT / "pyproject.toml").read_text("utf-8")


def test_the_policy_names_the_supported_version() -> None:
    minor = ".".join(releases()[0][0].split(".")[:2])
    assert f"| {minor} | yes |" in (ROOT / "SECURITY.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["SECURITY.md", "CODE_OF_CONDUCT.md", "CITATION.cff"])
def test_no_address_is_invented(name: str) -> None:
    """There is no mailing list or website yet: people are sent to the repository itself."""
    assert not re.search(r"[\w.]+@[\w.]+|https?://", (ROOT / name).read_text("utf-8"))

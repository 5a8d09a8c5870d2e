"""The workflows of GitHub: pinned actions, few permissions, and steps that are make targets."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = [pytest.mark.ci, pytest.mark.needs("yaml")]

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
# The only jobs that may do more than read: neither runs anything of this repository.
PERMISSIONS = {
    ("publish", "publish"): {"id-token": "write", "attestations": "write"},
    ("pages", "deploy"): {"id-token": "write", "pages": "write"},
}


def complaints(text: str, targets: set[str] = TARGETS) -> list[str]:
    """What our rules forbid in a workflow."""
    flow: dict[str, Any] = yaml.safe_load(text)
    found = ["secrets"] if "secrets." in text else []
    for line in re.findall(r"\buses: *(.*)", text):
        if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line):
            found.append(f"not pinned: {line}")
    if flow.get("permissions") != {"contents": "read"}:
        found.append("permissions of the workflow")
    if "concurrency" not in flow:
        found.append("no concurrency group")
    for name, job in flow["jobs"].items():
        if job.get("permissions") != PERMISSIONS.get((flow["name"], name)):
            found.append(f"permissions of {name}")
        if "timeout-minutes" not in job:
            found.append(f"no timeout of {name}")
        for step in job["steps"]:
            checkout = step.get("uses", "").startswith("actions/checkout@")
            if checkout and step["with"].get("persist-credentials") is not False:
                found.append(f"{name} keeps the token of the checkout")
            if "run" in step:
                if job.get("permissions"):
                    found.append(f"{name} runs a command with permissions")
                if not made(step["run"], job) <= targets:
                    found.append(f"{name} runs what is not a make target: {step['run']}")
    return found


def made(command: str, job: dict[str, Any]) -> set[str]:
    """Targets of a make command; the command itself if it is another one."""
    words = command.split()
    if words[0] != "make" or re.search(r"[;&|<>`\n]|\$\(", command.strip()):
        return {command}
    targets = {word for word in words[1:] if "=" not in word}
    if '"$TARGET"' in targets:
        targets = targets - {'"$TARGET"'} | set(job["strategy"]["matrix"]["target"])
    return targets


@pytest.mark.parametrize("path", FILES, ids=lambda x: x.stem)
def test_workflow_follows_the_rules(path: Path) -> None:
    assert complaints(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (" # v7.0.1", "", "not pinned"),
        ("@3d3c42e5", "@v7#", "not pinned"),
        ("contents: read", "contents: write", "permissions of the workflow"),
        ("    timeout-minutes: 60\n", "", "no timeout of core"),
        ("concurrency:", "env2:", "no concurrency group"),
        ("persist-credentials: false", "fetch-depth: 0", "core keeps the token"),
        ("- run: make test-lowest", "- run: make no-such", "lowest runs what is not"),
        ("- run: make test-lowest", "- run: make test && pip list", "lowest runs what is not"),
        ("lint-workflows,", "no-such,", "linux runs what is not"),
        ("    name: lowest", "    permissions: {pages: write}\n    name: lowest", "lowest"),
        ("shell: bash #", "shell: ${{ secrets.KEY }} #", "secrets"),
    ],
)
def test_what_the_rules_find(old: str, new: str, complaint: str) -> None:
    text = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    assert old in text
    assert complaint in "; ".join(complaints(text.replace(old, new)))


def test_an_action_has_one_version() -> None:
    used = set(re.findall(r"uses: (\S+)@(\S+) # (\S+)", "\n".join(x.read_text() for x in FILES)))
    assert len({action for action, _, _ in used}) == len(used)


def test_every_supported_python_is_tested() -> None:
    flow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    tested = flow["jobs"]["core"]["strategy"]["matrix"]["python"]
    minor = re.compile(r"Programming Language :: Python :: (3\.\d+)")
    classified = [m[1] for x in PROJECT["project"]["classifiers"] if (m := minor.fullmatch(x))]
    assert tested == classified
    assert PROJECT["project"]["requires-python"] == f">={tested[0]}"


def test_jobs_on_linux_are_those_of_ci_run() -> None:
    flow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    run = re.findall(r"^make (\S+)$", (ROOT / ".ci/run").read_text("utf-8"), re.MULTILINE)
    assert flow["jobs"]["linux"]["strategy"]["matrix"]["target"] == run


def test_lowest_versions_are_those_of_pyproject() -> None:
    """A raised bound needs `make lock`."""
    lock = dict(
        re.findall(r"^([\w-]+)==([\d.]+)", (ROOT / "requirements/lowest.txt").read_text(), re.M)
    )
    project = PROJECT["project"]
    names = [x for x in project["optional-dependencies"] if x not in ("all", "torch", "jax")]
    given = [x for name in names for x in project["optional-dependencies"][name]]
    for requirement in project["dependencies"] + given:
        name, bound = re.match(r"([\w-]+)>=([\d.]+)", requirement).groups()  # pyright: ignore
        assert f"{lock[name]}.".startswith(f"{bound}."), requirement

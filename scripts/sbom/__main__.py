"""Bill of materials (CycloneDX 1.6) and licence report of an installation: `make sbom`.

    python scripts/sbom <python of the environment> [folder, by default build/sbom]

    equamo-core.cdx.json     a plain installation
    equamo-all.cdx.json      with every extra that is installed there
    licences.md              each package: version, licence, and what needs it

It runs in an environment of its own (requirements/sbom.txt), with cyclonedx-bom. The exit code is 1 if a
licence is unknown or not compatible; a bill that does not follow the schema is an error.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

if __package__ in (None, ""):  # started as a folder
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sbom.licences import WEAK, is_compatible, licence

ROOT: Final = Path(__file__).resolve().parents[2]
Bill = dict[str, Any]


def main(python: Path, folder: Path) -> int:
    """Write the files; the number of licences that a person must look at."""
    folder.mkdir(parents=True, exist_ok=True)
    closure = Path(__file__).with_name("closure.py")
    found = json.loads(subprocess.run([python, closure], check=True, capture_output=True).stdout)
    whole = environment(python)
    for kind, name in (("core", "core"), ("extras", "all")):
        bill = reduced(whole, found[kind])
        text = json.dumps(bill, indent=1, ensure_ascii=False) + "\n"
        validate(text)
        path = folder / f"equamo-{name}.cdx.json"
        path.write_text(text, encoding="utf-8")
        print(f"{path}: {len(bill['components'])} packages, valid CycloneDX 1.6")
    rows = table(whole, found)
    (folder / "licences.md").write_text(report(rows, found["absent"]), encoding="utf-8")
    wrong = [row for row in rows if not is_compatible(row[2])]
    for name, version, stated, *_ in wrong:
        print(f"{name} {version}: the licence must be compatible with BSD-3-Clause, got {stated!r}")
    print(f"{folder / 'licences.md'}: {len(rows)} packages, {len(wrong)} to look at")
    return len(wrong)


def environment(python: Path) -> Bill:
    """Bill of a whole environment, by cyclonedx-bom."""
    command = [
        *(sys.executable, "-m", "cyclonedx_py", "environment", python),
        *("--pyproject", ROOT / "pyproject.toml", "--sv", "1.6", "--output-format", "JSON"),
        *("--output-reproducible", "--no-validate"),
    ]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def reduced(whole: Bill, packages: dict[str, list[str]]) -> Bill:
    """Components and dependencies of some packages only, with edges that are really needed."""
    chosen = [x for x in whole["components"] if canonical(x["name"]) in packages]
    refs = {canonical(x["name"]): x["bom-ref"] for x in chosen}
    root = whole["metadata"]["component"]["bom-ref"]
    edges: dict[str, list[str]] = {root: [], **{ref: [] for ref in refs.values()}}
    for name, reasons in packages.items():
        for reason in reasons:
            edges[root if reason.startswith("equamo") else refs[reason]].append(refs[name])
    dependencies = [
        {"ref": ref, **({"dependsOn": sorted(set(needs))} if needs else {})}
        for ref, needs in sorted(edges.items())
    ]
    return {**whole, "components": chosen, "dependencies": dependencies}


def validate(text: str) -> None:
    """Raise an error if a bill does not follow the schema."""
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong is not None:
        raise SystemExit(f"the bill must follow the schema of CycloneDX 1.6, got {wrong}")


def table(whole: Bill, found: dict[str, Any]) -> list[tuple[str, str, str, str, str]]:
    """(package, version, licence, core or extra, what needs it) of all packages."""
    components = {canonical(x["name"]): x for x in whole["components"]}
    return [
        (
            name,
            components[name]["version"],
            licence(name, components[name]),
            "core" if name in found["core"] else "extra",
            ", ".join(reasons),
        )
        for name, reasons in sorted(found["extras"].items())
    ]


def report(rows: list[tuple[str, str, str, str, str]], absent: list[str]) -> str:
    """The table as Markdown."""
    lines = [
        "# Licences of the packages that equamo depends on", "",
        "equamo is under BSD-3-Clause and bundles none of these packages. * Weak copyleft: its terms "
        "hold for that package itself.", "",
        "| package | version | licence | part | needed by |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for name, version, stated, part, reasons in rows:
        weak = "*" if any(x in stated for x in WEAK) else ""
        lines.append(f"| {name} | {version} | {stated or 'unknown'}{weak} | {part} | {reasons} |")
    if absent:
        lines += ["", f"Not installed there, and not listed: {', '.join(absent)}."]
    return "\n".join(lines) + "\n"


def canonical(name: str) -> str:
    """Name of a package as the index writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    target = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "build" / "sbom"
    sys.exit(min(1, main(Path(sys.argv[1]), target)))

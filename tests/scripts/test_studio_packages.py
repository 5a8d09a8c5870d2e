"""The archive of packages: what the build writes, the browser unpacks."""

from __future__ import annotations

import gzip
import importlib.util
import json
import subprocess
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.ci, pytest.mark.needs("node")]

ROOT = Path(__file__).parents[2]
SCRIPT = """
import { readFileSync } from "node:fs";
const { inflate, install, unpack } = await import(process.argv[1]);
const files = unpack(await inflate(new Uint8Array(readFileSync(process.argv[2]))));
const written = [], linked = [];
const FS = { mkdirTree: (x) => written.push(x), writeFile: (x) => written.push(x) };
const loadDynamicLibrary = (x, flags) => linked.push([x, flags.allowUndefined]);
install({ FS, _module: { loadDynamicLibrary } }, files, "/lib");
const texts = files.map(([path, data]) => [path, new TextDecoder().decode(data)]);
console.log(JSON.stringify({ texts, written, linked }));
"""
LONG = "/".join(["folder_with_a_long_name"] * 6) + "/data.txt"  # longer than the field of a name
FILES = {
    "flint/a.cpython-314.so": "a",
    "flint/b.cpython-314.so": "b",
    "flint/c.cpython-314.so": "c",
    "flint.libs/libflint.so": "library",
    LONG: "x" * 512,
    "empty.pyc": "",
    "name.txt": "ü" * 300,
}


@pytest.mark.parametrize("packed", [True, False])
def test_the_browser_unpacks_what_was_packed(tmp_path: Path, packed: bool) -> None:
    spec = importlib.util.spec_from_file_location("studio_site", ROOT / "scripts/studio_site.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    with zipfile.ZipFile(tmp_path / "one.zip", "w") as out:
        for name, text in {**FILES, "flint/tests/test_a.pyc": "left out"}.items():
            out.writestr(name, text)
    data = build.archive([tmp_path / "one.zip"])
    # A server may send the archive so that the browser undoes gzip.
    (tmp_path / "archive").write_bytes(data if packed else gzip.decompress(data))
    module = tmp_path / "packages.mjs"
    module.write_bytes((build.ASSETS / "packages.js").read_bytes())
    command = ["node", "--input-type=module", "-e", SCRIPT, module.as_uri(), tmp_path / "archive"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert dict(found["texts"]) == FILES
    assert {f"/lib/{name}" for name in FILES} < set(found["written"])
    # The first brings the library with it, and the last looks for undefined names.
    assert found["linked"] == [
        [f"/lib/flint/{x}.cpython-314.so", y]
        for x, y in zip("abc", (False, True, False), strict=True)
    ]

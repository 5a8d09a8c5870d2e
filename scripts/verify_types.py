"""Type completeness of the package, as pyright counts it: `make verify-types`.

Prints every symbol whose type a user's type checker would have to guess, and exits with 1 if there is
one. Pyright looks at the package that the first `python` on the PATH imports; types of other packages
are not counted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Print the symbols without a complete type; 1 if there are any."""
    tools = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = [
        str(tools / "pyright"),
        "--verifytypes",
        "equamo",
        "--ignoreexternal",
        "--outputjson",
    ]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    try:
        report = json.loads(run.stdout)["typeCompleteness"]
    except (ValueError, KeyError):
        print(run.stdout + run.stderr, file=sys.stderr)
        return 1
    if not report.get("pyTypedPath"):
        print("pyright found no py.typed file: is equamo installed in this environment?")
        return 1
    incomplete = [s for s in report["symbols"] if s["isExported"] and not s["isTypeKnown"]]
    for symbol in incomplete:
        reasons = "; ".join(d["message"].splitlines()[0] for d in symbol["diagnostics"])
        print(f"{symbol['name']}: {reasons or 'it contains a type that is not known'}")
    counts = report["exportedSymbolCounts"]
    whole, known = sum(counts.values()), counts["withKnownType"]
    print(f"{known:,} of {whole:,} symbols have a complete type.")
    return 0 if known == whole and not incomplete else 1


if __name__ == "__main__":
    sys.exit(main())

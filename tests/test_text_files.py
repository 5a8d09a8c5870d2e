"""Files that the product reads and writes are the same on every platform."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]

NEEDED = {  # by the default of the platform: cp1252 and "\\r\\n" on Windows
    "read_text": {"encoding"},
    "write_text": {"encoding", "newline"},
}


def test_the_product_names_encodings_and_line_ends() -> None:
    problems: list[str] = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(x in text for x in (".read_text(", ".write_text(", "subprocess.")):
            continue
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                given = {str(k.arg) for k in call.keywords}
                needed = (
                    set()
                    if call.args and call.func.attr == "read_text"
                    else set(NEEDED.get(call.func.attr, ()))
                )
                if ast.unparse(call.func).startswith("subprocess.") and "text" in given:
                    needed = {"encoding"}
                if not needed <= given:
                    problems.append(f"{path.relative_to(ROOT)}:{call.lineno}: {needed - given}")
    assert problems == []

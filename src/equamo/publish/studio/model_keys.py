"""Tables, keys and kinds of model files for completion in the editor, from their reader."""

from __future__ import annotations

import json
from typing import Any, Final

from ...robot.formats.toml import FORCES, JOINTS, keys_of_tables
from ...robot.model.contact import OPEN, STICK
from ...robot.model.loop import ROWS
from ...robot.model.shape import KINDS

# Tables whose values are not quantities of one name each.
_ARRAYS: Final = ("bodies", "forces", "constraints", "loops", "contacts", "shapes")
_TABLES: Final = (
    "base", "parameters", "home", "limits", "notation", "speeds", "rates", "eliminate", "mode",
)  # fmt: skip


def model_keys() -> dict[str, Any]:
    """Headers of tables, keys by table, keys of inline tables by table, and kinds by table.

    >>> model_keys()["keys"]["contacts"]
    ['name', 'body', 'at', 'normal']
    >>> model_keys()["inside"]["limits"]
    ['lower', 'upper', 'speed', 'effort']
    """
    keys = {n: list(x) for n, x in keys_of_tables().items()}
    inline = {"bodies": "joint", "parameters": "parameter", "limits": "limit"}
    inside = {table: keys.pop(n) for table, n in inline.items()}
    headers = [f"[[{n}]]" for n in _ARRAYS] + [f"[{n}]" for n in _TABLES]
    keys[""] = [n for n in keys[""] if n not in (*_ARRAYS, *_TABLES)] + ["speeds"]
    kinds = {
        "bodies": list(JOINTS), "forces": list(FORCES), "shapes": list(KINDS),
        "loops": list(ROWS), "mode": [OPEN, STICK],
    }  # fmt: skip
    return {"tables": headers, "keys": keys, "inside": inside, "kinds": kinds}


def model_keys_script() -> str:
    """The same as a script that defines `MODEL_KEYS`."""
    return f"export const MODEL_KEYS = {json.dumps(model_keys(), ensure_ascii=False)};\n"

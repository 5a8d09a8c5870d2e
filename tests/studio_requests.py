"""What the tests of the studio share: requests to a kernel, and small models."""

from __future__ import annotations

import json
from typing import Any

from equamo.publish.studio.kernel import Kernel

PENDULUM = """\
# A pendulum.
equamo = 1
name = "pendulum"

[parameters]
m = { value = 2, unit = "kg" } # mass
L = 0.5

[[bodies]]
name = "bob"   # the only one
joint = { kind = "revolute", q = "q1", axis = "y" }
mass = "m"
com = "0 0 -L"
"""


def replies(request: dict[str, Any], kernel: Kernel | None = None) -> list[dict[str, Any]]:
    """All replies to a request, each through JSON."""
    found: list[str] = []
    (kernel or Kernel()).answer_text(json.dumps({"id": 5, **request}), found.append)
    return [json.loads(x) for x in found]


def ask(kind: str, model: str = "", kernel: Kernel | None = None, **fields: Any) -> dict[str, Any]:
    """Data of the result of a request; progress comes before it and has its id."""
    *before, last = replies({"kind": kind, "model": model, **fields}, kernel)
    assert all(x["kind"] == "progress" and x["id"] == 5 for x in before)
    assert last["kind"] == "result", last
    assert last["id"] == 5
    return last["data"]


def error(kind: str, model: str = PENDULUM, **fields: Any) -> dict[str, Any]:
    """The reply to a request that must fail."""
    last = replies({"kind": kind, "model": model, **fields})[-1]
    assert last["kind"] == "error", last
    return last

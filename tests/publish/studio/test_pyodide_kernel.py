"""The kernel under Pyodide, in Node: the same answers as the kernel here, and the same proofs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from equamo.publish.studio.kernel import Kernel
from node_kernel import KernelError, NodeKernel
from studio_claims import SHEETS, Sheet
from studio_site import SITE
from urdf_texts import joint, link, robot as urdf

pytestmark = pytest.mark.studio

# Not the same in two runs: times, random numbers, the order of terms, which depends on what was derived
# before, and the order of nodes on a tape. Axes of equal moments are arbitrary.
VARYING = {
    "seconds", "seed", "stages", "principal", "bound", "prime_bits", "trials", "remarks",
    "names", "tape", "parts", "poses", "module", "latex", "mathml", "body", "cost",
    "files", "from",
}  # fmt: skip


@pytest.fixture(scope="module")
def kernel() -> Iterator[NodeKernel]:
    with NodeKernel(SITE) as process:
        print(f"Pyodide and equamo ready in {process.start_seconds:.1f} s")
        yield process


@cache
def template(name: str) -> str:
    return here("templates", name=name)["text"]


def here(kind: str, **fields: Any) -> dict[str, Any]:
    replies: list[dict[str, Any]] = []
    Kernel().answer({"id": 1, "kind": kind, **fields}, replies.append)
    assert replies[-1]["kind"] == "result", replies[-1]
    return replies[-1]["data"]


def assert_same(found: Any, expected: Any, place: str = "") -> None:
    if isinstance(expected, dict):
        assert list(found) == list(expected), place
        for key in expected:
            if key not in VARYING:
                assert_same(found[key], expected[key], f"{place}.{key}")
    elif isinstance(expected, (list, tuple)):
        assert len(found) == len(expected), place
        for k, pair in enumerate(zip(found, expected, strict=True)):
            assert_same(*pair, f"{place}[{k}]")
    elif isinstance(expected, float) and not isinstance(found, bool):
        assert found == pytest.approx(expected, rel=1e-8, abs=1e-9), place
    else:
        assert found == expected, place


@pytest.mark.parametrize("robot", ["rr_arm", "four_bar"])
@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("check", {}),
        ("derive", {}),
        ("programs", {}),
        ("scene", {}),
        ("prove", {}),
        ("closed_form", {"part": "M", "entry": 0}),
        ("steps", {"method": "kane"}),
        ("code", {"language": "c"}),
    ],
)
def test_both_kernels_answer_the_same(
    kernel: NodeKernel, robot: str, kind: str, fields: dict[str, Any]
) -> None:
    text = template(robot)
    assert_same(kernel.ask(kind, model=text, **fields), here(kind, model=text, **fields))


def on_tape(data: dict[str, Any]) -> list[float]:
    """Values of all entries and poses, with some number for every symbol."""
    places = [k for part in data["parts"] for k in part["entries"]]
    values, poses = values_on(data["robot"]["tape"]), values_on(data["poses"]["tape"])
    return [*(values[k] for k in places), *(poses[k] for k in data["poses"]["nodes"])]


def values_on(tape: dict[str, Any]) -> list[float]:
    values = list[float]()
    functions = {"sin": math.sin, "cos": math.cos, "tan": math.tan}
    for op, a, b in zip(tape["ops"], tape["a"], tape["b"], strict=True):
        if op in "cis":
            x = tape["constants"][a][1] if op == "c" else math.pi if op == "i" else 0.3 + 0.07 * a
        elif op in "n^f":
            y = values[a]
            x = -y if op == "n" else y**b if op == "^" else functions[tape["functions"][b]](y)
        else:
            y, z = values[a], values[b]
            x = y + z if op == "+" else y - z if op == "-" else y * z if op == "*" else y / z
        values.append(x)
    return values


@pytest.mark.parametrize("robot", ["rr_arm", "four_bar", "rolling_disc"])
def test_equations_have_the_same_values(kernel: NodeKernel, robot: str) -> None:
    found, expected = (on_tape(ask("derive", model=template(robot))) for ask in (kernel.ask, here))
    assert len(expected) > 30
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("robot", ["rr_arm", "four_bar", "wheeled_inverted_pendulum"])
def test_linear_systems_are_the_same(kernel: NodeKernel, robot: str) -> None:
    found, expected = (ask("linearize", model=template(robot)) for ask in (kernel.ask, here))
    for key in ("states", "inputs", "A", "B"):
        assert_same(found[key], expected[key], key)


def test_krang_is_proved(kernel: NodeKernel) -> None:
    replies = kernel.replies("prove", model=template("krang"))
    data = replies[-1]["data"]
    print(f"Krang: {data['seconds']:.1f} s, {len(data['lines'])} lines")
    assert data["ok"]
    assert len(data["lines"]) > 20
    assert len(replies) > 3  # its progress was reported


@pytest.mark.parametrize("sheet", SHEETS, ids=[x.robot for x in SHEETS])
def test_pasted_equations_are_judged(kernel: NodeKernel, sheet: Sheet) -> None:
    given = {"claims": sheet.text, "coriolis": sheet.coriolis}
    found = kernel.ask("audit", model=template(sheet.robot), **given)["findings"]
    assert [x["verdict"] for x in found] == sheet.verdicts


def test_a_urdf_file_is_read(kernel: NodeKernel) -> None:
    limits = '<limit lower="-1" upper="2" effort="10" velocity="3"/>'
    arm = urdf(link("base"), link("arm"), joint("shoulder", "revolute", "base", "arm", limits))
    text = kernel.ask("import", name="arm.urdf", text=arm)["text"]
    assert kernel.ask("check", model=text)["ok"]
    assert kernel.ask("prove", model=text)["ok"]


@pytest.mark.parametrize("what", ["page", "paper", "code", "project"])
def test_exports(kernel: NodeKernel, what: str) -> None:
    data = kernel.ask("export", model=template("rr_arm"), what=what)
    assert len(data.get("text") or data["base64"]) > 500


def test_the_kernel_survives_bad_requests(kernel: NodeKernel) -> None:
    with pytest.raises(KernelError, match="Unknown kind of request"):
        kernel.ask("no_such_kind")
    with pytest.raises(KernelError):
        kernel.ask("derive", model="equamo = 1\nname = ")
    assert not kernel.ask("check", model="[[bodies]]\nname = 7")["ok"]
    assert kernel.ask("hello")["protocol"] == 1


def test_edits_leak_nothing(kernel: NodeKernel) -> None:
    text = template("rr_arm")

    def edits(first: int, last: int) -> float:
        for k in range(first, last):  # another parameter every time: nothing is known from before
            kernel.ask("prove", model=text.replace("m1", f"m1{k}"))
        return kernel.ask("memory")["rss"] / 1e6

    before = edits(0, 8)
    after = edits(8, 50)
    print(f"Node with Pyodide: {before:.0f} MB after 8 edits, {after:.0f} MB after 50")
    assert after < 1000
    assert after < 1.3 * before

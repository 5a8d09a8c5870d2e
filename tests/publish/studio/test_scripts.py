"""Scripts of the studio under Node: expressions, simulation, dragging, highlighting and completion."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest

from equamo import derive, load, simulate
from equamo.publish.page.document import scoped
from equamo.publish.studio.bundle import source
from equamo.publish.studio.model_keys import model_keys_script
from equamo.publish.studio.templates import template_text
from studio_requests import ask

pytestmark = [pytest.mark.ci, pytest.mark.needs("node")]

HERE = Path(__file__).parent
OF_PAGE = ("tape.js", "viewer/camera.js")
OF_STUDIO = (
    "kernel_client.js", "session.js", "highlight.js", "completion.js", "reach.js", "expression.js",
    "dynamics.js", "simulation.js",
)  # fmt: skip
EXPORTED = (
    "Tape", "parseExpression", "Dynamics", "Simulation", "tomlPieces", "completions", "reachPoint",
    "kinematicsOf", "pixelRay", "Session", "Cancelled",
)  # fmt: skip

EXPRESSIONS: dict[str, float | str] = {
    "": 0.0,
    "1 + 2*3": 7.0,
    "2^3^2": 512.0,
    "-2**2": -4.0,
    "2 - 3 - 4": -5.0,
    "12/3/2": 2.0,
    "-(a + 1)*b": -12.0,
    "sin(pi/2) + cos(0)": 2.0,
    "atan2(1, 1) - π/4": 0.0,
    "max(a, b) + min(a, b) + step(t) + step(-1)": 7.0,
    "1.5e2 + .5": 150.5,
    "g[q1]*2": 20.0,
    "sqrt(a": "')' expected at the end",
    "a b": "unexpected 'b'",
    "c": "unknown name 'c'",
    "1 +": "unexpected end",
    "a ; b": "unexpected ';' at column 2",
    "constructor": "unknown name 'constructor'",
    "sin.constructor('x')": "unexpected '.' at column 4",
}
NAMES = {"a": 3.0, "b": 3.0, "t": 0.5, "g[q1]": 10.0}

COMPLETIONS = (
    ('[[bodies]]\nparent = "', "", ["world", "upper", "fore"]),
    ('[[bodies]]\njoint = { kind = "re', "re", ["revolute"]),
    ('[[forces]]\nkind = "joint_s', "joint_s", ["joint_spring"]),
    ("[[bodies]]\nma", "ma", ["mass"]),
    ('[[forces]]\ncoordinate = "q', "q", ["q1", "q2"]),
    ('[[bodies]]\nmass = "m', "m", ["m1"]),
    ('[[bodies]]\njoint = { kind = "revolute", ax', "ax", ["axis"]),
    ("[[fo", "[[fo", ["[[forces]]"]),
    ('name = "', "", []),
    ("[[loops]]\nto_", "to_", ["to_at", "to_axis"]),
    ("[[forces]]\nsm", "sm", ["smoothing"]),
    ('[[forces]]\nkind = "wr', "wr", ["wrench"]),
    ('[[loops]]\njoint = "dis', "dis", ["distance"]),
    ('[[shapes]]\nkind = "c', "c", ["cylinder", "capsule"]),
    ("[limits]\nq1 = { lo", "lo", ["lower"]),
    ("[parameters]\nm1 = { nonn", "nonn", ["nonnegative"]),
    ("[[bodies]]\njoint = { pi", "pi", ["pitch"]),
    ('[mode]\nLF = "s', "s", ["stick"]),
    ("[ba", "[ba", ["[base]"]),
)
KNOWN = {"bodies": ["world", "upper", "fore"], "joints": ["q1", "q2"], "parameters": ["m1", "L1"]}

ARM = """
equamo = 1
name = "arm"
parameters = { L = 0.2 }
[[bodies]]
name = "upper"
joint = { kind = "revolute", q = "q1", axis = "z" }
mass = 1
[[bodies]]
name = "fore"
parent = "upper"
joint = { kind = "revolute", q = "q2", axis = "z", at = "0.5 0 L" }
mass = 1
"""

START = {"q": [0.4, -0.7], "v": [0.3, 0.1]}
INPUTS = {"tau1": "2*sin(3*t) - 0.5*dq1", "tau2": "g[q2] - 0.1*dq2"}


def answers(folder: Path, requests: list[dict[str, Any]]) -> list[Any]:
    """Answers of one process to all requests."""
    texts = [source("page", n) for n in OF_PAGE] + [model_keys_script()]
    texts += [source("studio", n) for n in OF_STUDIO]
    data = {"script": "\n".join(map(scoped, texts)), "exported": EXPORTED, "requests": requests}
    path = folder / "data.json"
    path.write_text(json.dumps(data), "utf-8")
    run = subprocess.run(
        ["node", HERE / "scripts_test.mjs", path, folder],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    derived, literal = (ask("derive", text) for text in (template_text("rr_arm"), ARM))
    edited = ask("check", ARM.replace("0.5", "0.8"))
    assert edited["structure"] == literal["structure"]
    other = {"numbers": edited["numbers"]["parameters"], "parameter": "L", "value": 0.3}
    clip = [1.2, 0.1, 0.3, 0.25, -0.4, 1.9, 0.2, 0.1, 0.3, -0.2, 1.1, 0.9, 0.05, 0.3, 2.0, 3.0]
    texts = (template_text("krang"), 'a = """x\ny # z"""  # c')
    run = {"call": "simulate", "derived": derived, **START, "inputs": INPUTS}
    drag = {"call": "reach", "derived": derived, "q": [0.3, 0.5], "body": 1, "free": [1, 0]}
    screen = {"call": "ray", "clip": clip, "width": 800, "height": 600}
    named = {
        "expressions": [{"call": "expression", "text": x, "names": NAMES} for x in EXPRESSIONS],
        "completions": [
            {"call": "completions", "before": x, "names": KNOWN} for x, _, _ in COMPLETIONS
        ],
        "pieces": [{"call": "pieces", "text": x} for x in texts],
        "simulation": [run | {"step": 1 / n, "steps": n} for n in (1000, 500)],
        "reach": [drag | {"target": x} for x in ([0.9, 1.2, 0.0], [3.0, 0.0, 0.0])],
        "poses": [{"call": "poses", "derived": literal, "q": [0, 0], **other}],
        "session": [{"call": "session"}],
        "ray": [screen | {"point": [0.2, -0.3, 0.4]}],
    }
    folder = tmp_path_factory.mktemp("scripts")
    flat = iter(answers(folder, [x for group in named.values() for x in group]))
    return {name: [next(flat) for _ in group] for name, group in named.items()}


def test_expressions_are_parsed_and_never_run_as_code(found: dict[str, Any]) -> None:
    for (text, expected), answer in zip(EXPRESSIONS.items(), found["expressions"], strict=True):
        if isinstance(expected, str):
            assert answer == {"error": expected}, text
        else:
            assert answer["value"] == pytest.approx(expected, abs=1e-15), text


def test_highlighting_keeps_every_character(found: dict[str, Any]) -> None:
    krang, short = found["pieces"]
    lines = ["".join(text for _, text in pieces) for pieces in krang]
    assert "\n".join(lines) == template_text("krang")
    assert ["table", "[[bodies]]"] in [pieces[0] for pieces in krang if pieces]
    assert [kind for kind, _ in short[1]] == ["string", "plain", "comment"]


def test_completions_fit_their_place(found: dict[str, Any]) -> None:
    for (before, word, options), answer in zip(COMPLETIONS, found["completions"], strict=True):
        assert answer == {"word": word, "options": options}, before


def test_the_page_and_python_simulate_the_same_motion(found: dict[str, Any]) -> None:
    answer, coarse = found["simulation"]
    eom = derive(load("rr_arm"))
    inputs = {"tau1": "2*sin(3*t) - 0.5*dq1", "tau2": f"{eom.gravity[1]} - 0.1*dq2"}
    names = {"q": {"q1": 0.4, "q2": -0.7}, "v": {"dq1": 0.3, "dq2": 0.1}}
    motion = simulate(
        eom, **names, duration=1.0, control=inputs, rtol=1e-11, atol=1e-12, progress=False
    )
    assert answer["t"] == pytest.approx(1.0)
    assert answer["q"] == pytest.approx(motion.q[-1].tolist(), abs=1e-8)
    assert answer["v"] == pytest.approx(motion.v[-1].tolist(), abs=1e-8)
    assert answer["exchanged"] > 1.0
    assert (
        12 < coarse["drift"] / answer["drift"] < 20
    )  # fourth order: half the step, 1/16 of the error


def test_a_dragged_point_is_reached_or_the_arm_is_stretched(found: dict[str, Any]) -> None:
    near, far = found["reach"]
    assert near["error"] < 1e-4
    q1, q2 = near["q"]
    tip = (math.cos(q1) + math.cos(q1 + q2), math.sin(q1) + math.sin(q1 + q2))
    assert tip == pytest.approx((0.9, 1.2), abs=1e-4)
    assert far["error"] == pytest.approx(1.0, abs=0.02)  # both links have length 1


def test_a_ray_passes_through_what_its_pixel_shows(found: dict[str, Any]) -> None:
    assert found["ray"][0] < 1e-9


def test_a_proof_is_shown_with_its_own_equations_only(found: dict[str, Any]) -> None:
    derived, dropped, cancelled = found["session"][0]["shown"]
    assert derived == ["A", "proved", "a", False]
    assert dropped == cancelled == ["A", "proved", "a", True]


def test_a_form_keeps_what_is_typed_meanwhile(found: dict[str, Any]) -> None:
    assert found["session"][0]["text"] == "x = 2 # typed"


def test_links_follow_numbers_of_the_text_and_parameters_at_once(found: dict[str, Any]) -> None:
    places = [poses[16 + 12 : 16 + 15] for poses in found["poses"][0]]
    assert places == [[0.5, 0, 0.2], [0.8, 0, 0.2], [0.8, 0, 0.3]]

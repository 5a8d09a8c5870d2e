"""Requests to the kernel: results of each kind, errors, and what it keeps."""

import gc
import json
from collections import Counter
from typing import Any

import pytest

from equamo.algebra.identity.proof import Proof
from equamo.publish.studio import audit, export, imports, kernel as kernel_module, prove, steps
from equamo.publish.studio.kernel import KEPT, Kernel
from equamo.publish.studio.messages import KINDS
from equamo.publish.studio.model_text import ModelText
from studio_requests import PENDULUM, ask, error, replies

URDF = """<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="2"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
</robot>"""
DH = "theta d a alpha mass\nq1 0 L 0 m\n"


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return Kernel()


def test_every_kind_has_a_module() -> None:
    assert ask("hello")["kinds"] == list(KINDS)
    for kind in KINDS:
        found = replies({"kind": kind, "model": PENDULUM})[-1]
        assert found["kind"] == "result" or "must be" in found["message"], found


def test_templates() -> None:
    found = {x["name"]: x for x in ask("templates")["templates"]}
    assert found["pendulum"]["text"].startswith("#")
    assert found["krang"]["text"] is None
    assert 'name = "rr_arm"' in ask("templates", name="rr_arm")["text"]
    assert "Did you mean 'krang'" in error("templates", name="kran")["message"]


@pytest.mark.parametrize(
    ("name", "text", "start"),
    [("r.urdf", URDF, 'equamo = 1\nname = "r"'), ("arm.txt", DH, 'equamo = 1\nname = "arm"'),
     ("p.toml", PENDULUM, PENDULUM)],
)  # fmt: skip
def test_files_become_models(name: str, text: str, start: str) -> None:
    found = ask("import", name=name, text=text)
    assert found["text"].startswith(start)
    assert ask("check", found["text"])["ok"]


def test_bad_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "r.urdf" in error("import", name="r.urdf", text="<robot")["message"]
    # The message is about the file, not about a model that is empty.
    assert "r.urdf" in error("import", "", name="r.urdf", text="<robot")["message"]
    assert "got a binary one" in error("import", "", name="a.toml", text="\0ELF")["message"]
    xacro = '<robot><xacro:include filename="/etc/passwd"/></robot>'
    assert "must be expanded first" in error("import", "", name="r.xml", text=xacro)["message"]
    monkeypatch.setattr(imports, "LARGEST", 3)
    assert "at most 3" in error("import", name="r.urdf", text="<robot")["message"]


@pytest.mark.parametrize(
    "part",
    ['<include file="/etc/passwd"/>', '<asset><mesh file="/dev/zero"/></asset>',
     '<asset><model name="m" file="/etc/passwd"/></asset>', '<asset><texture fileback="a.png"/></asset>',
     '<extension><plugin plugin="mujoco.sdf.bolt"/></extension>'],
)  # fmt: skip
def test_mjcf_that_refers_to_other_files_is_refused(part: str) -> None:
    text = f"<mujoco>\n{part}</mujoco>"
    found = error("import", "", name="robot.xml", text=text)["message"]
    assert found.startswith(
        "robot.xml:2: a file opened in the studio must not refer to other files"
    )


def test_derive(kernel: Kernel) -> None:
    found = ask("derive", PENDULUM, kernel)
    assert [p["id"] for p in found["parts"]] == ["M", "C", "b", "g", "B", "J0", "E"]
    assert found["parameters"] == ["m", "L", "g"]
    assert found["robot"]["ranges"][0]["unit"] == "rad"
    assert found["robot"]["scene"]["bodies"][0]["mass"] == 2
    assert len(found["poses"]["nodes"]) == 16 * len(found["robot"]["bodies"])
    assert found["digest"] == ask("check", PENDULUM, kernel)["shown"]
    assert found["missing"] == []


def test_a_parameter_without_a_value_is_1(kernel: Kernel) -> None:
    found = ask("derive", PENDULUM.replace("value = 2, ", ""), kernel)
    assert found["missing"] == ["m"]
    assert found["numbers"]["parameters"]["m"] == 1


def test_the_scene_follows_the_numbers(kernel: Kernel) -> None:
    found = ask("scene", PENDULUM.replace("L = 0.5", "L = 0.75"), kernel)
    assert found["scene"]["bodies"][0]["com"] == [0, 0, -0.75]


def test_prove(kernel: Kernel) -> None:
    found = ask("prove", PENDULUM, kernel, packed=True)
    assert found["ok"]
    assert found["proved"] == len(found["lines"]) > 20
    assert found["packed"]["robot"] == "pendulum"
    assert len(replies({"kind": "prove", "model": PENDULUM}, Kernel())) > 3  # stages are reported


def test_closed_form(kernel: Kernel) -> None:
    found = ask("closed_form", PENDULUM, kernel, part="g", entry=0)
    assert found["text"] == "g*L*m*sin(q1)"
    assert found["mathml"].startswith("<math")
    assert "Unknown part" in error("closed_form", part="X", entry=0)["message"]
    assert "below 1" in error("closed_form", part="g", entry=1)["message"]


def test_a_form_that_is_too_long_has_intermediates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equamo.publish.studio.closed_form.BUDGET", 0)
    two = ask("templates", name="rr_arm")["text"]
    found = ask("closed_form", two, part="M", entry=0)
    assert found["is_closed"] is False
    assert found["lines"][-1][0] == ""


def test_steps(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST", 4)
    whole = ask("steps", PENDULUM, kernel, method="lagrange")
    assert [x["number"] for x in whole["steps"]] == [1, 2, 3, 4]
    assert whole["count"] > 4
    rest = ask("steps", PENDULUM, kernel, method="lagrange", first=3)
    assert rest["steps"][0] == whole["steps"][2]
    assert all(m < x["number"] for x in rest["steps"] for m in x["from"])
    assert all(x["latex"] and x["mathml"].startswith("<math") for x in rest["steps"])
    monkeypatch.setattr(steps, "LONGEST", 0)
    hidden = ask("steps", PENDULUM, kernel, method="lagrange")["steps"]
    assert {(x["latex"], x["mathml"]) for x in hidden} == {("", "")}
    assert "integer ≥ 1" in error("steps", first=0)["message"]


def test_programs_and_code(kernel: Kernel) -> None:
    found = ask("programs", PENDULUM, kernel)
    assert "export function state_derivative(q, v, inputs, parameters" in found["module"]
    assert "Unknown function" in error("programs", functions=["x"])["message"]
    assert "must be names" in error("programs", functions=[])["message"]
    for language, name in (("c", "pendulum.h"), ("matlab", "pendulum_gravity.m")):
        files = ask("code", PENDULUM, kernel, language=language)["files"]
        assert name in files, list(files)


@pytest.mark.needs("scipy")
def test_linearize(kernel: Kernel) -> None:
    found = ask("linearize", PENDULUM, kernel)
    assert found["states"] == ["q1", "dq1"]
    assert found["A"][1][0] == pytest.approx(-9.81 / 0.5)
    assert found["poles"] == [[0, pytest.approx(-(19.62**0.5))], [0, pytest.approx(19.62**0.5)]]
    assert found["is_controllable"]
    # Without an actuator nothing holds it at this angle.
    free = ask("linearize", PENDULUM + "[[forces]]\nkind = 'joint_damper'\ncoordinate = 'q1'\n"
               "damping = 0.1\n", kernel, q={"q1": 0.3})  # fmt: skip
    assert "drifts" in free["note"]
    assert free["is_controllable"] is None


def test_compare(kernel: Kernel) -> None:
    found = ask("compare", PENDULUM, kernel, other=PENDULUM.replace("0 0 -L", "0 0 -2*L"))
    (field,) = found["model"]
    assert field == {
        "path": ["bodies", 0, "com"],
        "change": "changed",
        "before": "0 0 -2*L",
        "after": "0 0 -L",
    }
    assert found["text"][:2] == ["--- before", "+++ after"]
    assert {x["quantity"] for x in found["equations"]["differences"]} == {"mass_matrix", "gravity"}
    assert '-com = "0 0 -2*L"' in found["text"]
    more = PENDULUM + "[[bodies]]\nname='b'\njoint = {kind='prismatic', q='x', axis='x'}\nmass=1\n"
    found = ask("compare", more, kernel, other=PENDULUM)
    assert found["equations"] == {
        "summary": "The equations have different sizes: 1 speed before, 2 after.",
        "differences": [],
    }
    assert [x["change"] for x in found["model"]] == ["added"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2", 2.0), ("-3/4", -0.75), ("1e299", 1e299), ("1e300", "1e300"), ("-1e301", "-1e301"),
        ("1/0", "1/0"), ("x", "x"), ("1e999", "1e999"),
    ],
)  # fmt: skip
def test_numbers_of_a_witness(text: str, number: float | str) -> None:
    """A number that JSON cannot hold, or a page cannot show, stays text."""
    assert audit._number(text) == number  # pyright: ignore[reportPrivateUsage]


# -- check my equation -------------------------------------------------------------------------------
def test_audit(kernel: Kernel) -> None:
    claims = r"""
    # right
    M[1, 1] = m*L**2
    $M_{11} = m L^2$
    w := g*m
    g_1 = L*w*sin(q1)
    T = m L^{2} \dot{q}_1^2 / 2
    # wrong, and not readable
    M[1, 1] = m*L**2/2
    M[1, 1] = m*(
    x
    """
    found = ask("audit", PENDULUM, kernel, claims=claims)["findings"]
    verdicts = [x["verdict"] for x in found]
    assert verdicts == ["proved"] * 4 + ["wrong", "error", "error"]
    wrong = found[4]["entries"][0]
    assert wrong["residual"] == "-L**2*m/2"
    assert wrong["residual_mathml"].startswith("<math")
    assert set(wrong["witness"]) == {"L", "m"}
    assert found[4]["line"] == 9
    assert found[5]["column"] == 4
    unreadable = {
        "line": 11, "claim": "x", "quantity": "x", "verdict": "error", "detail": "error", "entries": [],
        "message": "A claim must be written as 'quantity = formula', got 'x'.", "column": None,
    }  # fmt: skip
    assert found[6] == unreadable
    (empty,) = ask("audit", PENDULUM, kernel, claims="M[1, 1] =")["findings"]
    assert empty["message"] == "A claim must be written as 'quantity = formula', got 'M[1, 1] ='."
    alone = ask("audit", PENDULUM, kernel, claims="m*L**2", quantity="M[1,1]", coriolis="split")
    assert alone["findings"][0]["verdict"] == "proved"


def test_claims_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "at least one line" in error("audit", claims="# nothing")["message"]
    monkeypatch.setattr(audit, "MOST", 1)
    assert "at most 1" in error("audit", claims="M = 1\nM = 2")["message"]


# -- the rest ----------------------------------------------------------------------------------------
def test_export_of_the_model(kernel: Kernel) -> None:
    found = ask("export", PENDULUM, kernel, what="project")
    assert (found["name"], found["text"]) == ("pendulum.toml", PENDULUM)
    assert "<robot" in ask("export", PENDULUM, kernel, what="project", format="urdf")["text"]
    lost = ask("export", PENDULUM + "[home]\nq1 = 1\n", what="project", format="urdf")["notes"]
    assert "not in the URDF file: the default state of q1" in lost
    sprung = PENDULUM + '[[forces]]\nkind = "joint_spring"\ncoordinate = "q1"\nstiffness = 2\n'
    message = error("export", sprung, what="project", format="urdf")["message"]
    assert "URDF cannot represent these parts: the force element spring_q1" in message
    packed = ask("export", PENDULUM, kernel, what="code", format="numpy")
    assert packed["name"] == "pendulum_numpy.zip"
    assert packed["base64"].startswith("UEsDB")  # a zip file


def test_export_of_the_page(kernel: Kernel, whole_sweeps: bool) -> None:
    if whole_sweeps:
        assert ask("export", PENDULUM, kernel, what="page")["text"].startswith("<!doctype html>")
        tex = ask("export", PENDULUM, kernel, what="paper", format="tex")["text"]
        assert tex.startswith("% Written by equamo")
        assert "\\begin{document}" in tex
        assert ask("export", PENDULUM, kernel, what="paper", format="pdf")["base64"][:5] == "JVBER"
    assert "Valid: html" in error("export", what="page", format="pdf")["message"]


def test_errors_are_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    Kernel().answer_text("{", found.append)
    assert json.loads(found[0])["message"].startswith("A message must be valid JSON")
    assert replies({"id": "x", "kind": "check"})[0]["id"] is None

    def broken(name: str, package: str) -> Any:
        raise ModuleNotFoundError(name="numpy") if name == ".scene" else ZeroDivisionError("oh")

    monkeypatch.setattr(kernel_module, "import_module", broken)
    assert "needs the package 'numpy'" in error("scene")["message"]
    assert error("check")["message"] == "Internal error in equamo, ZeroDivisionError: oh"
    nan = replies({"kind": "hello"}, _Infinite())  # type: ignore[arg-type]
    assert "must be finite" in nan[0]["message"]


class _Infinite:
    """A kernel whose result is not a finite number."""

    def answer_text(self, text: str, send: Any) -> None:
        Kernel.answer_text(self, text, send)  # type: ignore[arg-type]

    def answer(self, data: Any, send: Any) -> None:
        send({"id": data["id"], "kind": "result", "data": float("inf")})


def test_edits_leave_nothing_behind(whole_sweeps: bool) -> None:
    kernel = Kernel()
    edits = 50 if whole_sweeps else 12

    def edit(k: int) -> None:
        text = PENDULUM.replace("0 0 -L", f"0 {k} -L")
        assert ask("check", text, kernel)["ok"]
        assert replies({"kind": "derive", "model": text}, kernel)[-1]["kind"] == "result"

    def counted() -> Counter[str]:
        gc.collect()
        return Counter(type(x).__name__ for x in gc.get_objects())

    for k in range(1, KEPT + 3):
        edit(k)
    before = counted()
    for k in range(KEPT + 3, KEPT + 3 + edits):
        edit(k)
    grown = counted() - before
    assert sum(grown.values()) < 3 * edits, grown.most_common(8)


def test_the_stages_of_writing_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is reported before it starts."""
    done: list[str] = []
    monkeypatch.setattr(
        "equamo.mechanics.certificate.prove", lambda eom, progress: progress("proving")
    )
    monkeypatch.setattr(
        "equamo.publish.page.sections.motion.default_motion", lambda eom: done.append("motion")
    )
    monkeypatch.setattr(
        "equamo.publish.page.report.page", lambda context: done.append("page") or "text"
    )
    assert export._page(ModelText(PENDULUM), done.append) == "text"
    assert done == ["proving", "simulating", "motion", "writing the page", "page"]


def test_only_proofs_that_are_not_exact_have_a_bound() -> None:
    assert prove._bound(Proof("proved", -100.5)) == "2⁻¹⁰⁰"
    assert prove._bound(Proof("proved")) == prove._bound(Proof("undecided", -100.5)) == ""

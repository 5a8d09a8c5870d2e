"""What an audit of code says about itself: verdicts, every function, the meaning of every name."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from equamo.code.codegen.generate import generate
from equamo.code.codegen.prove_code import prove_code
from equamo.errors import FileFormatError, ModelError
from equamo.mechanics.equations import derive
from equamo.review.claims import Audit, audit
from equamo.review.claims.claim import Claims
from equamo.review.claims.finding import Finding
from equamo.review.programs import read_code
from equamo.robot.catalog import load

pytestmark = pytest.mark.needs("pcpp", "pycparser")

POSITION = "void position_fore(double q1, double %s, double p[3]) { p[0] = %s*cos(q1); %s }\n"
RIGHT = POSITION % ("L1", "L1", "p[1] = L1*sin(q1); p[2] = 0;")
ENERGY = (
    "double f(double Lc1, double L1, double q1, double q2, double m1, double m2, double Lc2, double g) {"
    " return g*(m1*L1*sin(q1) + m2*(Lc1*sin(q1) + Lc2*sin(q1 + q2))); }\n"
)  # L1 and Lc1 are swapped
NUMPY = (
    "import numpy as np\ndef gravity(q1, q2, m1, m2, L1, Lc1, Lc2, g):\n    return np.array([%s])\n"
)
GRAVITY = "g*((m1*Lc1 + m2*L1)*np.cos(q1) + m2*Lc2*np.cos(q1 + q2)), g*m2*Lc2*np.cos(q1 + q2)"
MATLAB = "function g_ = gravity(q1, q2, m1, m2, L1, Lc1, Lc2, g)\n g_ = [%s];\nend\n"


@pytest.fixture
def run(tmp_path: Path) -> Any:
    def run(text: str, name: str = "arm.c", robot: Any = "rr_arm", **options: Any) -> Audit:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return audit(code=path, robot=robot, seed=1, **options)

    return run


def states(report: Audit) -> dict[str, str]:
    return {f.name: f.state for f in report.functions}


# -- verdicts ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("arm.c", RIGHT),
        ("arm.py", NUMPY % GRAVITY),
        ("arm.m", MATLAB % GRAVITY.replace("np.", "").replace("), g*m2", "); g*m2")),
        ("arm.py", NUMPY % GRAVITY.replace("g*", "g*1.0000000000000002*")),
    ],
)
def test_nothing_is_ok_unless_the_caller_accepts_it(run: Any, name: str, text: str) -> None:
    report, accepted = run(text, name), run(text, name, accept=["as read"])
    rounded = "0002" in text
    assert {f.verdict for f in report.findings} == {
        "agrees to rounding" if rounded else "proved as read"
    }
    assert "proved" not in {e.verdict for f in report.findings for e in f.entries}
    assert (report.ok, bool(report), report.exit_code, report.as_expected) == (
        False,
        False,
        1,
        False,
    )
    assert (accepted.ok, accepted.exit_code, accepted.as_expected) == (True, 0, True)
    data = json.loads(report.to_json())
    assert (data["ok"], data["accept"], data["counts"]["proved"]) == (False, [], 0)
    data = json.loads(accepted.to_json())
    assert data["accept"] == ["as read"]
    assert all([data["as_expected"], *(f["as_expected"] for f in data["findings"])])
    rounds = " or agree to rounding" if rounded else ""
    assert f"all proved as read{rounds}, which is NOT accepted: 1 " in str(report)
    assert "the reader is not proved. To accept that, use accept=" in str(report)
    assert "NOT accepted" not in str(accepted)
    assert "To accept" not in str(accepted)
    assert report.findings[0].id in report.text(failed=True)
    assert "no claim failed" in accepted.text(failed=True)


def test_errors_are_not_accepted(run: Any) -> None:
    report = run(RIGHT.replace("cos", "sin"), accept=["as read"])
    assert not report.ok
    assert "NOT all proved: 1 wrong" in repr(report)


@pytest.mark.parametrize(
    "accept", ["as read", ["proved"], ["as read", 3], 1, {"as read": False}, b""]
)
def test_wrong_words_to_accept(run: Any, accept: Any) -> None:
    with pytest.raises(
        ModelError, match=r"accept must be a list with some of 'as read', got .*pass acc"
    ):
        run(RIGHT, accept=accept)


def test_accepting_nothing(run: Any) -> None:
    assert not run(RIGHT, accept=[]).ok
    assert run(RIGHT, accept=("as read",)).ok
    claims = Claims(())
    with pytest.raises(ModelError, match="accept need code"):
        audit(claims, "rr_arm", accept=["as read"])


@pytest.mark.parametrize("line", ['accept = ["as read"]', 'expect = "as read"'])
def test_a_file_cannot_accept_for_the_user(tmp_path: Path, line: str) -> None:
    path = tmp_path / "claims.toml"
    claim = f'[[claims]]\nid = "a"\nplace = "1"\nprinted = "m2"\nquantity = "mass(fore)"\n{line}\n'
    path.write_text(f'robot = "rr_arm"\n{claim}', encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"line 7, column \d+"):
        audit(path)


def test_results_of_programs_are_not_claims_of_documents(run: Any) -> None:
    report = run(RIGHT)
    with pytest.raises(FileFormatError, match="must be audited with its program, pass code="):
        audit(report.claims, "rr_arm")
    printed = Finding(replace(report.findings[0].claim, side="printed"), report.findings[0].entries)
    mixed = replace(report, findings=(*report.findings, printed))
    assert not mixed.ok
    assert not mixed.of_code
    assert Finding(report.findings[0].claim, ()).verdict == "says nothing"
    assert not replace(report, findings=(), accept=("as read",)).ok


# -- functions -----------------------------------------------------------------------------------------
def test_every_function_is_listed(run: Any) -> None:
    text = (
        RIGHT
        + "double helper(double x) { return 2*x; }\n"
        + "double gravity(double x) { return x; }\n"  # a result that cannot be matched
        + "double loop(double x) { while (x > 0) x -= 1; return x; }\n"
        + "static double inner(double x) { return x; }\nvoid nothing(double x) { }\n"
    )
    report = run(text, accept=["as read"])
    assert states(report) == {
        "position_fore": "compared", "helper": "not mapped", "gravity": "refused", "loop": "refused",
        "nothing": "not mapped",
    }  # fmt: skip
    assert [f.verdict for f in report.findings] == ["proved as read"]
    assert not report.ok
    reasons = {f.name: f.reason for f in report.functions}
    assert "'x' is not named after a symbol" in reasons["gravity"]
    assert "a while loop cannot be read" in reasons["loop"]
    assert reasons["nothing"] == "it has no result"
    refused = [n.place[0] for n in report.claims.not_claims if n.reason.startswith("refused: ")]
    assert [x.partition(", ")[2] for x in refused] == ["gravity.gravity", "loop"]
    assert "gravity" in report.text(failed=True)
    assert "helper" not in report.text(failed=True)
    some = run(text, functions=["position_fore"], accept=["as read"])
    assert some.ok
    assert {n for n, state in states(some).items() if state == "not selected"} == states(
        report
    ).keys() - {"position_fore"}
    assert "not selected: helper, gravity, loop, nothing" in str(some)
    data = json.loads(report.to_json())["functions"]
    assert [(f["function"], f["state"]) for f in data] == list(states(report).items())


def test_nothing_can_be_read(run: Any) -> None:
    loops = "".join(f"double f{k}(double x) {{ while (x) x = 1; return x; }}\n" for k in range(5))
    with pytest.raises(
        FileFormatError, match=r"arm.c:1: a while loop.*\n.*arm.c:2: .*\n.*arm.c:3: "
    ):
        run(loops)


def test_generated_code_is_proved_but_not_by_an_audit(tmp_path: Path) -> None:
    """`prove_code` reads it with strict readers of its own."""
    eom = derive(load("rr_arm"), by="recursive")
    generate(eom, to="c", out=tmp_path, functions=["gravity"], prove=False)
    file = tmp_path / "rr_arm.c"
    assert prove_code(eom, [file]).ok
    report = audit(code=file, robot=eom)
    assert [f.verdict for f in report.findings] == ["proved as read"]
    assert not report.ok


def test_functions_that_are_not_plain_ones(run: Any) -> None:
    text = NUMPY % GRAVITY + (
        "class Arm:\n    m = 1\n    def mass_matrix(self, q): return q\n"
        "async def bias(q1): return q1\nif True:\n    def coriolis(q1): return q1\n"
        "potential_energy = lambda q1: q1\nmass_matrix = gravity\nfast = jit(gravity)\nG = 9.81\n"
    )
    report = run(text, "arm.py", accept=["as read"])
    assert states(report).pop("gravity") == "compared"
    assert [n for n, state in states(report).items() if state == "refused"] == [
        "Arm.mass_matrix", "bias", "coriolis", "potential_energy", "mass_matrix", "fast",
    ]  # fmt: skip
    assert not report.ok
    assert run(text, "arm.py", accept=["as read"], functions=["gravity"]).ok


@pytest.mark.parametrize(
    "line", ["gravity = print", "import other as gravity", "for gravity in range(2): pass"]
)
def test_a_function_whose_name_is_bound_again(run: Any, line: str) -> None:
    text = NUMPY % GRAVITY + f"def helper(x):\n    return x\n{line}\n"
    with pytest.raises(
        FileFormatError, match=r"arm.py:2: gravity must be defined once, got another"
    ):
        run(text, "arm.py")


CASADI = """
int dynamics(const double** arg, double** res, long long int* iw, double* w, int mem) {
  res[0][0] = twice(arg[0][0]); return 0;
}
"""


def test_functions_beside_those_of_casadi_are_listed(run: Any) -> None:
    """A function with the signature of CasADi made all others vanish."""
    shape = "static const long long int s[3] = {1, 1, 1};\n"
    text = shape + "double twice(double x) { return 2*x; }\n" + CASADI
    text += "long long int dynamics_n_in(void) { return 1; }\n"
    text += "long long int dynamics_n_out(void) { return 1; }\n"
    for side, name in (("in", "q1"), ("out", "y")):
        text += f'const char* dynamics_name_{side}(long long int i) {{ return "{name}"; }}\n'
        text += f"const long long int* dynamics_sparsity_{side}(long long int i) {{ return s; }}\n"
    text += "int arm_casadi_int_size(void) { return (int) sizeof(int); }\n"
    wrong = RIGHT.replace("cos", "sin")
    report = run(text + wrong, mapping={"y": "2*q1"}, accept=["as read"])
    assert states(report).pop("twice") == "not mapped"
    assert states(report)["dynamics"] == states(report)["position_fore"] == "compared"
    reasons = {f.name: f.reason for f in report.functions}
    assert reasons["twice"] == "called by dynamics, a function of CasADi"
    assert reasons["dynamics_n_in"] == "describes dynamics to CasADi"
    assert reasons["arm_casadi_int_size"] == "describes the file to CasADi"
    assert [f.verdict for f in report.findings] == ["proved as read", "wrong"]
    assert run(text, mapping={"y": "2*q1"}, accept=["as read"]).ok


# -- names ---------------------------------------------------------------------------------------------
def test_the_meaning_of_every_name_is_shown(run: Any, tmp_path: Path) -> None:
    text = (
        "// equamo: x = q\n"
        "void f(const double x[2], double len, double unused, double p[3], double z[1]) {\n"
        "  p[0] = len*cos(x[0]); p[1] = len*sin(x[0]); p[2] = 0; z[0] = 3; }\n"
    )
    table = tmp_path / "names.toml"
    table.write_text(
        'flip = ["q1"]\n[inputs]\nlen = "L1"\n[outputs]\np = "position(fore)"\n', encoding="utf-8"
    )
    report = run(text, mapping=table)
    (function,) = report.functions
    shown = {x.name: (x.meaning, x.source.replace(str(tmp_path), "…")) for x in function.names}
    assert shown == {
        "p": (("position(fore)",), "…/names.toml"), "z": ((), "name"),
        "x": (("q1", "q2"), "comment, …/arm.c:1"), "len": (("L1",), "…/names.toml"),
        "unused": ((), "name"),
    }  # fmt: skip
    assert "unused → no meaning" in str(report)
    assert "z → not compared" in str(report)
    assert any("conventions of the mapping: flip = q1" in x for x in report.findings[0].remarks)
    data = json.loads(report.to_json())["functions"][0]["names"]
    assert {x["name"] for x in data} == shown.keys()
    energy = "double potential_energy(double q1, double q2) { return 0; }"
    wrong = run(energy)
    values = wrong.functions[0].values
    assert values.keys() == {"m1", "m2", "L1", "Lc1", "Lc2", "g"}
    assert all(f"{k} = {x}" in str(wrong) for k, x in values.items())


def test_fields_of_records(run: Any) -> None:
    text = "def mass_matrix(q, s):\n    return [[s.m*s.len, 0], [0, 0]]\n"
    names = {"s.m": "m1", "s.len": "L1"}
    report = run(text, "arm.py", mapping=names)
    assert {"s.m → m1 (mapping)", "s.len → L1 (mapping)"} < set(map(str, report.functions[0].names))


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        (
            "Lc1 = L1; L1 = Lc1",
            r"arm.c:1: Lc1 means Lc1 by its name, and a comment .* got L1; pass",
        ),
        ("f.Lc1 = L1; f.L1 = Lc1", "Lc1 means Lc1 by its name"),
        ("Lc1 = 2*Lc1", r"got 2\*Lc1"),
        ("q1 = 0", "q1 means q1 by its name"),
    ],
)
def test_a_program_cannot_choose_what_its_names_mean(run: Any, comment: str, message: str) -> None:
    for text in (f"/* equamo: {comment} */", f"// equamo: {comment}\n"):
        with pytest.raises(FileFormatError, match=message):
            run(text + ENERGY, mapping={"f.f": "potential_energy"})


def test_a_string_is_not_a_comment(run: Any) -> None:
    named = ENERGY.replace("double f(", "double potential_energy(")
    text = 'static const char s[] = "/* equamo: Lc1 = L1; L1 = Lc1 */";\n' + named
    assert [f.verdict for f in run(text).findings] == ["wrong"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.c", "// equamo: lc1 = L1\ndouble potential_energy(double lc1) { return lc1; }",
         "lc1 means Lc1"),
        ("a.c", "// equamo: q = q2, q1\ndouble potential_energy(const double q[2]) { return q[0]; }",
         "q means q1, q2 by its name.* got q2, q1"),
        ("a.c", "// equamo: g = 0*gravity\nvoid f(double q1, double g[2]) { g[0] = g[1] = 0; }",
         r"g means gravity by its name, .* got 0\*gravity"),
        ("a.c", "// equamo: y = m1\nvoid gravity(double m1, double y[2]) { y[0] = y[1] = m1; }",
         "y means gravity by its name"),
        ("a.c", "// equamo: y = [0, 0]\nvoid f(double q1, double y[2]) { y[0] = y[1] = 0; }",
         r"a.c:1: a comment must map the result y to a quantity of the robot, .* got \[0, 0\]"),
        ("a.c", "// equamo: y = gravity\nvoid gravity(const double y[2], double g[2]) {"
         " g[0] = y[0]; g[1] = y[1]; }", "must map the argument y to symbols of the robot, got gravity"),
        ("a.c", "// equamo: eps = 0\ndouble potential_energy(double eps) { return eps; }",
         "must map the argument eps to symbols of the robot, got 0"),
        ("a.c", "// equamo: y = q\nvoid f(double q1, double q2, double y[2]) { y[0] = q1; y[1] = q2; }",
         "a comment must map the result y to a quantity"),
        ("a.py", "# equamo: s.L1 = Lc1\ndef potential_energy(s):\n    return s.L1\n", "s.L1 means L1"),
        ("a.m", "% equamo: qd1 = dq2\nfunction y = kinetic_energy(qd1)\n y = qd1;\nend\n",
         "qd1 means dq1 by its name"),
    ],
)  # fmt: skip
def test_names_with_a_meaning_of_their_own(run: Any, name: str, text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        run(text, name)


def test_arguments_that_are_quantities_are_shown_as_such(run: Any) -> None:
    text = "void f(const double y[2], double h[2]) { h[0] = 2*y[0]; h[1] = 2*y[1]; }"
    report = run(text, mapping={"h": "2*gravity", "y": "gravity"}, accept=["as read"])
    assert report.ok
    assert "y → gravity (mapping)" in str(report)


def test_comments_of_one_file_are_not_those_of_another(run: Any, tmp_path: Path) -> None:
    text = "void f(double q1, double q2, double y[2]) { y[0] = q1; y[1] = q2; }"
    (function,) = read_code(text, "c")
    (tmp_path / "arm.c").write_text("// equamo: p = position(fore); y = gravity\n" + RIGHT)
    with pytest.raises(FileFormatError, match="Unknown argument or result 'y'"):
        audit(code=[tmp_path / "arm.c", function], robot="rr_arm", seed=1)
    (tmp_path / "arm.c").write_text("// equamo: p = position(fore)\n" + RIGHT)
    report = audit(code=[tmp_path / "arm.c", function], robot="rr_arm", seed=1)
    assert states(report) == {"position_fore": "compared", "f": "not mapped"}


def test_a_comment_may_repeat_what_a_name_means(run: Any) -> None:
    text = '// equamo: p = position("fore"); q1 = q1; L1 = L1\n' + RIGHT
    assert run(text, accept=["as read"]).ok


def test_a_symbol_cannot_be_mapped_to_another_one(run: Any) -> None:
    swapped = {"Lc1": "L1", "L1": "Lc1", "f": "potential_energy"}
    with pytest.raises(
        FileFormatError, match=r"L.*1 must be mapped to L.*1, the symbol of robot 'rr_arm'"
    ):
        run(ENERGY, mapping=swapped)
    text = RIGHT.replace("L1*", "0.001*L1*")  # in millimetres
    assert run(text, mapping={"L1": "1000*L1"}, accept=["as read"]).ok
    state = POSITION.replace("double q1", "const double q2[2]").replace("cos(q1)", "cos(q2[0])")
    state = state % ("L1", "L1", "p[1] = L1*sin(q2[0]); p[2] = 0;")
    assert run(state, mapping={"q2": "q"}, accept=["as read"]).ok  # an array is not the symbol q2


def test_two_names_cannot_have_one_meaning(run: Any) -> None:
    text = "double f(double a, double b, const double x[2]) { return a*b + x[0] - x[1]; }"
    message = "would both be {}; a mapping must list names of the same quantity together"
    one = {"f.f": "mass(fore)", "x": ["q1", "q2"]}
    for other in ("m2", "m2*sin(q1)**2 + m2*cos(q1)**2"):
        with pytest.raises(FileFormatError, match="a and b " + message.format(".*m2.*")):
            run(text, mapping={**one, "b": "m2", "a": other} if other == "m2" else
                {**one, "a": "m2", "b": other, "x": [0, 0]})  # fmt: skip
    with pytest.raises(FileFormatError, match=r"x\[0\] and x\[1\] " + message.format("q1")):
        run(text, mapping={**one, "a": "m1", "b": "m2", "x": ["q1", "q1"]})
    with pytest.raises(FileFormatError, match="a and m2 would both be m2"):
        run(
            "double f(double a, double m2) { return a*m2; }",
            mapping={"f.f": "mass(fore)", "a": "m2"},
        )
    same = run(
        "double f(double a, double b) { return 2*a - b; }",
        mapping={"f.f": "mass(fore)", "a, b": "m2"}, accept=["as read"],
    )  # fmt: skip
    assert same.ok
    zeros = "double f(double m2, double fx, double fy) { return m2 + fx + fy; }"
    assert run(zeros, mapping={"f.f": "mass(fore)", "fx": 0, "fy": 0}, accept=["as read"]).ok

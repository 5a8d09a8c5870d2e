"""Audit of programs: matching by names, comments and files, verdicts, and errors with their places."""

import json
import re
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from equamo.errors import FileFormatError, ModelError, UnknownNameError
from equamo.mechanics.equations import derive
from equamo.publish.page.report import report as page
from equamo.review.claims import Audit, audit
from equamo.review.programs import read_code
from equamo.robot.catalog import load
from equamo.robot.model import Body, Robot, revolute
from equamo.robot.model.forces import joint_damper

pytestmark = pytest.mark.needs("pcpp", "pycparser")

MASS = """
void mass_matrix(const double *q, const double *parameters, double *M) {
  double m1 = parameters[0], m2 = parameters[1], L1 = parameters[2], Lc1 = parameters[3];
  double Lc2 = parameters[4], I1 = parameters[5], I2 = parameters[6];
  double h = L1*Lc2*cos(q[1]);
  M[3] = m2*Lc2*Lc2 + I2;
  M[1] = M[3] + m2*h;
  M[2] = M[1];
  M[0] = m1*Lc1*Lc1 + I1 + M[3] + m2*(L1*L1 + 2*h);
}
"""
GRAVITY = """
#include <math.h>
#define G 9.81
void gravity(double q1, double q2, double m1, double m2, double l1, double lc1, double lc2,
             double g_out[2]) {
  g_out[1] = m2*G*lc2*cos(q1 + q2);
  g_out[0] = (m1*lc1 + m2*l1)*G*cos(q1) + g_out[1];
}
"""


@pytest.fixture
def run(tmp_path: Path) -> Any:
    def run(text: str, robot: Any = "rr_arm", name: str = "arm.c", **options: Any) -> Audit:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return audit(code=path, robot=robot, seed=1, **{"accept": ["as read"]} | options)

    return run


def verdicts(report: Audit) -> list[str]:
    return [f.verdict for f in report.findings]


# -- names ---------------------------------------------------------------------------------------------
def test_arrays_and_temporaries(run: Any) -> None:
    report = run(MASS)
    assert report.ok
    assert report.exit_code == 0
    assert verdicts(report) == ["proved as read"]
    assert report.findings[0].remarks == ()


def test_parameters_that_are_not_taken_have_their_default_values(run: Any) -> None:
    report = run(GRAVITY)
    assert verdicts(report) == ["proved as read"]
    assert report.findings[0].remarks == ("with g = 9.81",)
    assert verdicts(run(GRAVITY.replace("9.81", "9.8"))) == ["wrong"]


def test_other_values_of_parameters(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text("[values]\ng = 9.8\n", encoding="utf-8")
    report = run(GRAVITY.replace("9.81", "9.8"), mapping=path)
    assert verdicts(report) == ["proved as read"]
    assert report.findings[0].remarks == ("with g = 9.8",)
    takes = (
        GRAVITY.replace("#define G 9.81", "")
        .replace("G*", "g*")
        .replace("double q1", "double g, double q1")
    )
    assert run(takes, mapping=path).findings[0].remarks == ()  # it takes g itself
    path.write_text("[values]\ngravity = 9.8\n", encoding="utf-8")
    with pytest.raises(UnknownNameError, match="Unknown parameter 'gravity' in robot 'rr_arm'"):
        run(GRAVITY, mapping=path)


def test_equations_and_robots_are_taken_too(run: Any) -> None:
    robot = load("rr_arm")
    assert run(MASS, robot).ok
    assert run(MASS, derive(robot, by="lagrange")).ok


def test_functions_that_were_read_before() -> None:
    functions = read_code(MASS + GRAVITY, "c")
    report = audit(code=functions, robot="rr_arm", seed=1)
    assert [f.id for f in report.findings] == ["mass_matrix", "gravity"]
    assert audit(code=functions[1], robot="rr_arm", accept=["as read"], seed=1).ok
    assert len(audit(code=functions, robot="rr_arm", functions="gravity").findings) == 1


def test_equal_names_in_two_files(tmp_path: Path) -> None:
    paths = [tmp_path / "a.c", tmp_path / "b.c"]
    for path in paths:
        path.write_text(GRAVITY, encoding="utf-8")
    report = audit(code=paths, robot="rr_arm", seed=1)
    assert [f.id for f in report.findings] == ["gravity", "gravity (2)"]


def test_functions_are_selected(run: Any) -> None:
    loop = "\ndouble forever(double x) { while (x > 0) x -= 1; return x; }\n"
    report = run(GRAVITY + loop)
    assert [(f.name, f.state) for f in report.functions] == [
        ("gravity", "compared"), ("forever", "refused"),
    ]  # fmt: skip
    assert verdicts(report) == ["proved as read"]
    assert not report.ok  # nothing is known about forever()
    assert "1 function refused" in repr(report)
    assert "refused: to leave out a function, list the others" in str(report)
    with pytest.raises(FileFormatError, match=r"arm\.c:2: a while loop cannot be read"):
        run(loop)
    assert run(GRAVITY + loop, functions=["gravity"]).ok
    with pytest.raises(UnknownNameError, match="Unknown function 'gravty'"):
        run(GRAVITY, functions=["gravty"])
    with pytest.raises(
        ModelError, match="functions must be names of functions in the program, got 1"
    ):
        run(GRAVITY, functions=[1])


# -- mappings ------------------------------------------------------------------------------------------
FOREIGN = """
/* equamo: D = mass_matrix; x = q, v */
void f(const double x[4], double a1, double ac1, double ac2, double mass1, double mass2,
       double J1, double J2, double D[2][2]) {
  double h = mass2*a1*ac2*cos(x[1]);
  D[1][1] = mass2*ac2*ac2 + J2;
  D[0][1] = D[1][0] = D[1][1] + h;
  D[0][0] = mass1*ac1*ac1 + J1 + D[1][1] + mass2*a1*a1 + 2*h;
}
"""
REST = {
    "a1": "L1",
    "ac1": "Lc1",
    "ac2": "Lc2",
    "mass1": "m1",
    "mass2": "m2",
    "J1": "I1",
    "J2": "I2",
}


def test_comments_and_a_dictionary(run: Any) -> None:
    assert run(FOREIGN, mapping=REST).ok


def test_a_mapping_file(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    lines = "\n".join(f'{k} = "{x}"' for k, x in REST.items())
    path.write_text(f"[inputs]\n{lines}\n", encoding="utf-8")
    assert run(FOREIGN, mapping=path).ok
    path.write_text(f'[inputs]\n{lines}\n[outputs]\n"f.D" = "bias"\n', encoding="utf-8")
    report = run(FOREIGN, mapping=path)  # it comes before the comment
    assert report.findings[0].entries[0].reason == "the code computes 2×2, derived: a vector of 2"


def test_an_argument_without_a_meaning(run: Any) -> None:
    some = {k: x for k, x in REST.items() if k != "ac2"}
    message = (
        r"arm.c:3: every argument of f must be matched to symbols of the robot, but 'ac2' is not named "
        r"after a symbol of robot 'rr_arm'; use a mapping, such as 'equamo: ac2 = …' in a comment\."
    )
    with pytest.raises(FileFormatError, match=message):
        run(FOREIGN, mapping=some)
    array = "void gravity(const double *y, double *g) { g[0] = y[0]; g[1] = 0; }"
    with pytest.raises(FileFormatError, match="the array 'y' is not named after one of q, v, vdot"):
        run(array)
    with pytest.raises(
        FileFormatError, match="q has 3 entries, and robot 'rr_arm' has 2 coordinates"
    ):
        run("void gravity(const double *q, double *g) { g[0] = q[2]; g[1] = 0; }")


def test_a_symbol_that_is_not_an_argument_is_refused() -> None:
    """Even if the robot has a symbol of this name: a global m2 could be anything."""
    (function,) = read_code("double f(double m2) { return m2; }", "c")
    with pytest.raises(FileFormatError, match="'m2' is not one of them"):
        audit(code=replace(function, inputs=()), robot="rr_arm", mapping={"f": "m2"})


def test_an_argument_that_is_not_used_needs_none(run: Any) -> None:
    assert run(GRAVITY.replace("double q1,", "double unused, double q1,")).ok


def test_two_names_for_one_symbol_are_refused(run: Any) -> None:
    text = "double kinetic_energy(double m1, double M1) { return m1*M1; }"
    with pytest.raises(FileFormatError, match="m1 and M1 would both be m1"):
        run(text)


def test_names_in_comments_are_checked(run: Any) -> None:
    text = "/* equamo: g_uot = gravity */" + GRAVITY
    with pytest.raises(FileFormatError, match=r"arm\.c:1: Unknown argument or result 'g_uot'"):
        run(text)
    assert run(text, functions=["gravity"]).ok  # it may belong to another function


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        (
            {"g_uot": "gravity"},
            "Unknown argument or result 'g_uot' in the program. Did you mean 'g_out'",
        ),
        ({"g_out": ["gravity", "bias"]}, "g_out must be mapped to one quantity, got several"),
        ({"g_out": "gravty"}, "gravty"),
        ({"g_out": "jacobian(elbow)"}, "elbow"),
        ({"lc1": "Lc9"}, "Lc9"),
    ],
)
def test_wrong_mappings(run: Any, mapping: Any, message: str) -> None:
    with pytest.raises((FileFormatError, UnknownNameError), match=re.escape(message)):
        run(GRAVITY, mapping=mapping)


def test_a_mapping_that_is_too_short(run: Any) -> None:
    text = (
        "/* equamo: x = q1 */ void gravity(const double *x, double *g) { g[0] = x[1]; g[1] = 0; }"
    )
    with pytest.raises(
        FileFormatError, match="x has 2 entries and must be mapped to as many values"
    ):
        run(text)


@pytest.mark.parametrize(
    "table",
    [
        '[inputs]\nx = "m1"\n[outputs]\nd = "m2/g"\n[values]\ng = 0\n',
        '[inputs]\nx = "0"\n[outputs]\nd = "m2"\n',
    ],
)
def test_divisions_by_zero_have_a_place(run: Any, tmp_path: Path, table: str) -> None:
    path = tmp_path / "map.toml"
    path.write_text(table, encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"arm\.c:1: .*[Dd]ivision by zero"):
        run("void f(double x, double m2, double *d) { d[0] = m2/x; }", mapping=path)


def test_values_may_be_any_number(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text('[outputs]\nd = "m2*g"\n[values]\ng = "pi/3"\n', encoding="utf-8")
    report = run("void f(double m2, double *d) { d[0] = m2*M_PI/3; }", mapping=path)
    assert verdicts(report) == ["proved as read"]
    assert report.findings[0].remarks[-1] == "with g = pi/3"


def test_nothing_to_compare(run: Any) -> None:
    message = (
        r"arm.c: a result must be named after a quantity, .*got none \(.*arm.c:\d+, f.f: not named"
    )
    with pytest.raises(FileFormatError, match=message):
        run("double f(double q1) { return q1; }")


def test_pages_and_notebooks(run: Any, tmp_path: Path) -> None:
    audited = run(GRAVITY.replace("9.81", "9.8100000000000005"))
    assert "agrees to rounding" in audited._repr_html_()
    path = tmp_path / "arm.html"
    page(load("rr_arm"), path, audit=audited, prove=False, simulate=False, time=False)
    text = path.read_text(encoding="utf-8")
    assert "1 result of a program: 1 agrees to rounding" in text
    assert 'class="verdict agrees-to-rounding"' in text
    assert "the reader itself is not proved" in text
    for shown in (text, audited._repr_html_()):
        assert "lc1 → Lc1" in shown


def test_other_results_are_listed(run: Any) -> None:
    report = run(GRAVITY + "double f(double q1) { return q1; }\n")
    assert report.ok
    assert [n.reason for n in report.claims.not_claims] == ["not named after a quantity"]


def test_an_overwritten_argument_is_not_a_result_by_name(run: Any) -> None:
    text = "double kinetic_energy(double q1, double *tau) { tau[0] = tau[1]; return q1; }"
    report = run(text)
    assert [f.id for f in report.findings] == ["kinetic_energy.kinetic_energy"]
    assert [n.place[0].partition(", ")[2] for n in report.claims.not_claims] == [
        "kinetic_energy.tau"
    ]


# -- verdicts ------------------------------------------------------------------------------------------
def test_a_wrong_entry_has_line_residual_state_and_suggestion(run: Any) -> None:
    report = run(MASS.replace("M[3] + m2*h", "M[3] - m2*h"))
    assert report.exit_code == 1
    (finding,) = report.findings
    assert [e.verdict for e in finding.entries] == [
        "proved as read",
        "wrong",
        "wrong",
        "proved as read",
    ]
    entry = finding.entries[1]
    assert entry.reason == "line 7"
    assert str(entry.residual) == "-2*L1*Lc2*m2*cos(q2)"
    assert entry.suggestion is not None
    assert entry.suggestion.kinds == ("sign",)
    assert entry.proof is not None
    assert entry.proof.counterexample
    data = json.loads(report.to_json())["findings"][0]["entries"][1]
    assert data["counterexample"]["state"].keys() == {"L1", "Lc2", "m2", "q2"}
    assert "entry 1,2: line 7" in str(report)


def test_conventions_are_reported(run: Any, tmp_path: Path) -> None:
    text = GRAVITY.replace("*cos", "*-cos")
    report = run(text)
    assert report.findings[0].remarks[0] == "holds with the other sign throughout"
    path = tmp_path / "map.toml"
    path.write_text("sign = -1\n", encoding="utf-8")
    assert run(text.replace("G*-cos", "-G*cos"), mapping=path).ok


def test_storage_by_columns(run: Any) -> None:
    text = """
    void coriolis_matrix(const double *q, const double *v, double m2, double L1, double Lc2, double *C) {
      double h = -m2*L1*Lc2*sin(q[1]);
      C[0] = h*v[1]; C[1] = -h*v[0]; C[2] = h*(v[0] + v[1]); C[3] = 0;
    }"""
    report = run(text)
    assert report.ok
    assert report.findings[0].remarks == ("stored column by column",)


def test_entries_that_are_not_written(run: Any, tmp_path: Path) -> None:
    text = """
    void coriolis_matrix(const double *q, const double *v, double m2, double L1, double Lc2, double *C) {
      double h = -m2*L1*Lc2*sin(q[1]);
      C[0] = h*v[1]; C[1] = h*(v[0] + v[1]); C[2] = -h*v[0];
    }"""
    (finding,) = run(text).findings
    assert [e.verdict for e in finding.entries] == ["proved as read"] * 3 + ["wrong"]
    assert finding.entries[3].reason == "the code does not write this entry"
    path = tmp_path / "map.toml"
    path.write_text('unwritten = "zero"\n', encoding="utf-8")
    assert run(text, mapping=path).ok


def test_another_shape(run: Any) -> None:
    (finding,) = run(
        "void gravity(const double *q, double g[3]) { g[0] = g[1] = g[2] = 0; }"
    ).findings
    assert finding.verdict == "wrong"
    assert finding.entries[0].reason == "the code computes 3, derived: a vector of 2"


def test_poses_and_jacobians(run: Any) -> None:
    text = """
    void position_fore(const double *q, double L1, double p[3]) {
      p[0] = L1*cos(q[0]); p[1] = L1*sin(q[0]); p[2] = 0;
    }
    void J_fore(const double *q, double L1, double J[3][2]) {
      J[0][0] = -L1*sin(q[0]); J[1][0] = L1*cos(q[0]); J[2][0] = 0;
      J[0][1] = J[1][1] = J[2][1] = 0;
    }"""
    report = run(text)
    assert report.ok
    assert [f.place.partition(", ")[2] for f in report.findings] == [
        'position("fore")', 'linear_jacobian("fore")',
    ]  # fmt: skip


def test_left_out_damping_is_said(run: Any) -> None:
    rod = Robot(
        "rod",
        [Body("rod", revolute("q1", axis="z"), mass="m", com="l 0 0")],
        gravity="0 -g 0",
        forces=[joint_damper("q1", "d")],
    )
    text = """
    double inverse_dynamics(double q1, double dq1, double ddq1, double m, double l, double g, double d) {
      return m*l*l*ddq1 + m*g*l*cos(q1);
    }"""
    (finding,) = run(text, rod).findings
    assert finding.verdict == "wrong"
    assert finding.remarks[-1].startswith("holds without the passive forces (")
    assert run(text.replace("cos(q1)", "cos(q1) + d*dq1"), rod).ok
    (finding,) = run(text.replace("cos(q1)", "sin(q1)"), rod).findings
    assert not [x for x in finding.remarks if "passive" in x]
    text = text.replace("m*g*l", "9.8100000000000005*m*l").replace("double g, ", "")
    (finding,) = run(
        text, Robot("rod", rod.bodies, gravity="0 -9.81 0", forces=rod.forces)
    ).findings
    assert finding.verdict == "wrong"
    assert finding.remarks[-1].startswith("holds without the passive forces (")


# -- rounded numbers -----------------------------------------------------------------------------------
def test_rounded_numbers_agree(run: Any) -> None:
    report = run(GRAVITY.replace("9.81", "9.8100000000000005"))
    assert report.ok
    assert report.exit_code == 0
    assert verdicts(report) == ["agrees to rounding"]
    assert "all proved as read or agree to rounding: 1 agrees to rounding" in str(report)
    assert re.match(r"residual \S+ ≤ \S+, the worst of 20 random", report.findings[0].remarks[0])
    assert verdicts(run(GRAVITY.replace("9.81", "9.8100000000050005"))) == ["wrong"]
    text = GRAVITY.replace("9.81", "9.8100000000050005")
    assert verdicts(run(text, rounding="1e-10")) == ["agrees to rounding"]


def test_errors_in_rounded_code_have_a_suggestion(run: Any) -> None:
    text = GRAVITY.replace("9.81", "9.8100000000000005").replace("+ m2*l1", "- m2*l1")
    (finding,) = run(text).findings
    assert [e.verdict for e in finding.entries] == ["wrong", "agrees to rounding"]
    entry = finding.entries[0]
    assert re.match(r"line 7, residual \S+ > \S+, the worst of 20", entry.reason)
    assert entry.suggestion is not None
    assert entry.suggestion.kinds == ("sign",)
    assert entry.proof is not None
    assert abs(entry.proof.difference or 0) > 1e-3


# -- arguments of audit() ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"code": "a.c"}, "code needs a robot to compare with"),
        (
            {"claims": "a.toml", "code": "a.c", "robot": "rr_arm"},
            "pass either claims or code, got both",
        ),
        ({"claims": "a.toml", "mapping": {}}, "mapping, functions, rounding and accept need code"),
        ({}, "pass claims, or code='FILE' and a robot; got neither"),
        ({"code": [3], "robot": "rr_arm"}, "code must be the path of a source file, .*got 3"),
        ({"code": 3, "robot": "rr_arm"}, "code must be the path of a source file, .*got 3"),
    ],
)
def test_wrong_arguments(options: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        audit(**options)


def test_the_time_of_an_audit(run: Any) -> None:
    start = perf_counter()
    found = run(GRAVITY)
    assert 0 < found.seconds < perf_counter() - start

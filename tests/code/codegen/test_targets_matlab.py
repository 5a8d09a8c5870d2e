"""Generated MATLAB: the files run in Octave unchanged. One Octave process for all of it."""

import re

import numpy as np
import pytest

from equamo.code.codegen.names import LONGEST
from equamo.code.codegen.reserved import RESERVED
from equamo.code.codegen.targets import target
from generated_code import ROBOTS, STRANGE, equations, package, run, spoiled, write

pytestmark = [pytest.mark.ci, pytest.mark.needs("mkoctfile", "octave-cli")]

PACKAGES = [*ROBOTS, *STRANGE]

# Each line of output begins with what it answers: the process runs once, the tests read it.
SCRIPT = """
function all_of_it()
  folders = {{{folders}}};
  names = {{{names}}};
  for k = 1:numel(names)
    addpath(folders{{k}});
    try
      feval([names{{k}} '_selftest']);
      printf('SELFTEST %d passed\\n', k);
    catch problem
      printf('SELFTEST %d %s\\n', k, problem.message);
    end
    rmpath(folders{{k}});
  end
  addpath('{arm}');
  printf('GRAVITY'); printf(' %.17g', rr_arm_gravity([0.3; 0.5])); printf('\\n');
  printf('ROW'); printf(' %.17g', rr_arm_gravity([0.3, 0.5])); printf('\\n');
  printf('SIZE %d %d\\n', size(rr_arm_gravity([0.3, 0.5])));
  try, rr_arm_gravity(1), catch problem, printf('ERROR %s\\n', problem.message), end
  M = rr_arm_mass_matrix([0.3; 0.5]) - rr_arm_mex('mass_matrix', [0.3, 0.5]);
  printf('MEX %d\\n', max(abs(M(:))) < 1e-14);
  p = rr_arm_default_parameters();
  J = rr_arm_jacobian_fore([0.3; 0.5]) - rr_arm_mex('jacobian_fore', [0.3; 0.5], p);
  printf('MEX_JACOBIAN %d %d %d\\n', max(abs(J(:))) < 1e-14, size(J));
  try, rr_arm_mex('mass_matrix', 1), catch problem, printf('MEX_ERROR %s\\n', problem.message), end
  try, rr_arm_mex('mass'), catch problem, printf('MEX_UNKNOWN %s\\n', problem.message), end
  try, rr_arm_mex('mass_matrix'), catch problem, printf('MEX_FEW %s\\n', problem.message), end
  try, rr_arm_mex('mass_matrix', {{}}), catch problem, printf('MEX_KIND %s\\n', problem.message), end
  printf('SINGLE %s\\n', class(rr_arm_gravity([0.3, 0.5])));
  rmpath('{arm}');
  addpath('{single}');
  printf('SINGLE %s\\n', class(rr_arm_gravity([0.3, 0.5])));
  rr_arm_selftest();
  rmpath('{single}');
  addpath('{spoiled}');
  try, rr_arm_selftest(), catch problem, printf('SPOILED %s\\n', problem.message), end
  printf('WORD %s\\n', iskeyword(){{:}});
end
"""


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    root = tmp_path_factory.mktemp("matlab")
    names = [write(robot, "matlab", root / robot).name for robot in PACKAGES]
    arm, single, bad = root / "rr_arm", root / "single", root / "spoiled"
    write("rr_arm", "matlab", single, "float32")
    bad.mkdir()
    for file, text in target("matlab").files(spoiled(package("rr_arm"))).items():
        (bad / file).write_text(text)
    built = run(["mkoctfile", "--mex", "-Wall", "-Wextra", "rr_arm_mex.c", "rr_arm.c"], arm)
    assert built.returncode == 0, built.stderr
    assert not built.stderr
    script = SCRIPT.format(
        folders=", ".join(f"'{root / robot}'" for robot in PACKAGES),
        names=", ".join(f"'{n}'" for n in names),
        arm=arm,
        single=single,
        spoiled=bad,
    )
    (root / "all_of_it.m").write_text(script)
    command = ["octave-cli", "--norc", "--no-history", "--eval", "all_of_it"]
    done = run(command, root)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "warning" not in done.stderr
    assert not list(root.rglob("escaped"))
    return done.stdout.splitlines()


def answer(output: list[str], word: str) -> list[str]:
    return [line.removeprefix(word).strip() for line in output if line.startswith(f"{word} ")]


@pytest.mark.parametrize("robot", PACKAGES)
def test_selftest(output: list[str], robot: str) -> None:
    assert f"{PACKAGES.index(robot) + 1} passed" in answer(output, "SELFTEST")


def test_rows_and_columns(output: list[str]) -> None:
    (column,), (row,) = answer(output, "GRAVITY"), answer(output, "ROW")
    assert row == column
    right = equations("rr_arm").evaluate("gravity", q=[0.3, 0.5])
    np.testing.assert_allclose([float(x) for x in column.split()], right, rtol=1e-14)
    assert answer(output, "SIZE") == ["2 1"]
    assert answer(output, "ERROR") == ["q must have 2 entries"]


def test_mex_gateway(output: list[str]) -> None:
    assert answer(output, "MEX") == ["1"]
    assert answer(output, "MEX_JACOBIAN") == ["1 6 2"]
    assert "q must have 2 real entries" in answer(output, "MEX_ERROR")[0]
    assert "q must have 2 real entries" in answer(output, "MEX_KIND")[0]
    assert "unknown function mass" in answer(output, "MEX_UNKNOWN")[0]
    assert "mass_matrix takes q, parameters" in answer(output, "MEX_FEW")[0]


def test_single_precision(output: list[str]) -> None:
    assert answer(output, "SINGLE") == ["double", "single"]


def test_selftest_finds_a_wrong_number(output: list[str]) -> None:
    (message,) = answer(output, "SPOILED")
    assert re.fullmatch(r"1 of \d+ golden vectors missed", message)


def test_keywords_of_octave_are_reserved(output: list[str]) -> None:
    words = {w for w in answer(output, "WORD") if re.fullmatch(r"[a-z]\w*", w)}
    assert len(words) > 20
    assert words <= RESERVED


def test_names_are_short_enough() -> None:
    for robot in PACKAGES:
        found = package(robot)
        for name in (*(r.name for r in found.routines), "default_parameters", "selftest", "mex"):
            assert len(f"{found.name}_{name}") <= LONGEST

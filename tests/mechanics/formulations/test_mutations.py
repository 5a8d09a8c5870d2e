"""Errors put into the source on purpose: does the comparison of formulations find them?

Each mutation runs in a process of its own, in which the module is compiled from the changed text. It
is looked for first by the agreement of the formulations, then by `eq.check`, the identities, the
certificate and the identities of spatial quantities, last by a comparison with Pinocchio and MuJoCo.
Errors in code that all formulations share
are looked for by the certificate alone.
`python tests/mechanics/formulations/test_mutations.py --table` runs them
all and writes docs/project/mutations.md; the tests hold that table to what they find.
"""

from __future__ import annotations

import importlib.util
import inspect
import itertools
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[2]
TABLE = TESTS.parent / "docs" / "project" / "mutations.md"
if __name__ == "__main__":  # as a script: pytest has done this otherwise
    sys.path.insert(0, str(TESTS))

from changed_module import Changed  # noqa: E402
from mutations import MUTATIONS, SHARED, Mutation  # noqa: E402
from random_trees import KINDS, WHOLE_SWEEPS, Tree, random_tree  # noqa: E402

WAYS = (
    "formulations", "check", "identities", "certificate", "spatial identities",
    "Pinocchio or MuJoCo", "an error",
)  # fmt: skip
PEERS = "Pinocchio or MuJoCo"
NOT = "not caught"
RANDOM_ERRORS = """\
## Random errors

`make mutate COUNT=150 SEED=1 JUDGE=test-ci` puts random errors into a private copy of `src`, one at a \
time, and runs tests until one fails. The checkout itself is not modified. One copy per processor is \
used in parallel.

- **Errors.** An operator or a comparison is replaced by another one, a condition is negated, \
`and` becomes `or`, a `not` or a sign is dropped, a number or an index changes by one, two \
arguments or factors are swapped, another argument is returned, a statement is dropped. Strings, \
type hints, docstrings, decorators, imports, assertions and the text of error messages are not \
changed, nor are integers of 100 and more, which are budgets.
- **Choice.** The errors are distributed over the packages in proportion to their lines of code \
that can be changed, with at least 5 per package. Whether a line is chosen depends only on the \
seed and the text of the line, so an edit elsewhere does not change the choice.
- **Tests.** First, all tests run on instrumented modules, to record which blocks of code each \
test executes, including in processes that it starts. This map is kept in `build/mutate-map`; only \
what has changed is recorded again. For each error, the tests that execute its block run first, \
near and fast ones before others: nearest are the doctests of the module and its test file, then \
its package, then all others. Other tests of the same files follow, since they may share a fixture. \
All that fits into `--budget` seconds is run.
- **Judges.** First the tests of `make test` judge all errors, then the tests that `make test-ci` \
adds judge the survivors, except those that need a browser or another environment. So a run reports \
what `make test` finds and what both find, each with its 95 % interval (Wilson). `JUDGE=test` stops \
after `make test`. The goal is 85 % for `make test` and 92 % for both.
- **Verdict.** An error is caught if a test fails, if the collection of tests fails, if the \
process crashes, or if a test needs more than 20 s + 10 times its usual processor time (such \
timeouts are also reported separately). Tests that fail on the unmodified source are left out.
- **Equivalent errors.** `scripts/mutate/equivalent.toml` is a hand-written list of errors that \
have no observable effect, with the reasons; they are not counted.
- **Results.** `build/mutate-<seed>.jsonl` has the verdicts, one line each, with the make target of \
the test that caught the error; both judges use them. The report is beside it as `.txt` and \
`.json`. An interrupted run continues where it stopped; `--only-survivors` repeats only \
the errors that no test caught.
"""


# -- in a process of its own -----------------------------------------------------------------------
def trees() -> list[Tree]:
    """Every kind of joint in four small trees, and a tree of revolute joints."""
    return [
        random_tree(13, bodies=("free quaternion", "revolute", "custom", "cylindrical"),
                    variants=["crank"]),
        random_tree(14, bodies=("helical", "spherical quaternion", "fixed", "planar")),
        random_tree(15, bodies=("prismatic", "universal", "custom", "free euler"), variants=["coupled"]),
        random_tree(16, bodies=("spherical euler", "custom", "revolute"), variants=["unit vectors"]),
        random_tree(17, bodies=("revolute", "revolute", "fixed", "revolute")),
    ]  # fmt: skip


def caught_by() -> tuple[str, str]:
    """(the first way that finds the error, what it says)."""
    from equamo.robot.library.krang import krang
    from equamo.robot.model import BaseMotion, check
    from identities import IDENTITIES, Derived, agreement, failures, simplified_right_hand_sides

    some = trees()
    robots = [tree.robot() for tree in some] + [krang(frames=5)]
    names = ("w0", "v0", "alpha0", "a0")
    base = BaseMotion(*(" ".join(f"{n}_{c}" for c in "xyz") for n in names))
    robots.append(some[2].robot(base=base))
    derived = [Derived(robot) for robot in robots]
    for d in derived:
        if found := failures(d.robot, agreement(d)):
            return "formulations", f"{d.robot.name}, {found[0]}"
    for d in derived:
        if findings := check(d.robot).findings:
            return "check", f"{d.robot.name}, {findings[0]}"
    # C of robots with more speeds is not differentiated.
    small = random_tree(18, bodies=("spherical quaternion", "revolute"))
    for d in (*derived[:-1], Derived(small.robot())):  # with a moving base most do not hold
        groups = {name: f(d) for name, f in IDENTITIES.items()}
        if d.robot.name in ("krang", f"tree {some[-1].seed}"):
            groups["simplified_right_hand_sides"] = simplified_right_hand_sides(d)
        if found := failures(d.robot, groups):
            return "identities", f"{d.robot.name}, {found[0]}"
    if found := certificate_fails([d.robot for d in derived]):
        return found
    if found := spatial_identities_fail():
        return found
    return compare_with_peers(some)


def spatial_identities_fail() -> tuple[str, str] | None:
    """The tests of spatial quantities, which also know what no formulation uses."""
    path = TESTS / "robot" / "spatial" / "test_transport.py"
    spec = importlib.util.spec_from_file_location("test_transport", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, test in vars(module).items():
        if not name.startswith("test_"):
            continue
        takes = inspect.signature(test).parameters
        known = {"seed": module.SEEDS, "about_axis": (False, True)}
        if not known.keys() >= takes.keys():  # with a table of cases of its own
            continue
        for values in itertools.product(*(known[n] for n in takes)):
            try:
                test(*values)
            except AssertionError:
                return "spatial identities", name
    return None


def noticed_by_the_certificate() -> tuple[str, str]:
    """("certificate", the lines that are not proved), or that it was not caught."""
    return certificate_fails(robots_with_forces()) or (NOT, "")


def certificate_fails(robots: Iterable[Any]) -> tuple[str, str] | None:
    from equamo.mechanics.certificate import prove

    for robot in robots:
        if bad := [line.name for line in prove(robot).lines if not line.proof]:
            return "certificate", f"{robot.name}, {'; '.join(bad)}"
    return None


def robots_with_forces() -> Iterator[Any]:
    """Every kind of force element, two branches, a quaternion, and chosen speeds."""
    import equamo as eq
    from force_robots import arm, one_of_each

    yield arm(
        *one_of_each(),
        eq.joint_actuator("q2", "motor", gear="n"),
        eq.wrench("rod", "Px Py Pz", "Qx Qy Qz", at="a2 b2 c2", expressed_in="upper",
                  point_in="fore", name="push"),
    )  # fmt: skip
    arms = [eq.Body(n, eq.revolute(n, at=at), mass=1, com="1 0 0", inertia="1 1 1", parent="cart")
            for n, at in (("left", "0 0 0"), ("right", "1 0 0"))]  # fmt: skip
    between = eq.damper("left", "right", "d", at="0 2 0", to_at="1 0 0")
    cart = eq.Body("cart", eq.prismatic("x", axis="x"), mass=1)
    yield eq.Robot("fork", [cart, *arms], forces=[between])
    yield trees()[1].robot()
    yield eq.load("wheeled_inverted_pendulum")


def compare_with_peers(some: list[Tree]) -> tuple[str, str]:
    from peer_mujoco import MuJoCo
    from peer_pinocchio import Pinocchio, force_errors
    from peers import errors
    from random_trees import random_state

    for tree in some:
        robot = tree.robot()
        state = random_state(robot, 0)
        found = errors(tree, robot, Pinocchio, state)
        hanging = any(x.kind == "free quaternion" and x.parent != "world" for x in tree.links)
        if not hanging:  # MuJoCo has free joints at the root only
            other = errors(tree, robot, MuJoCo, state)
            found = {n: max(found[n], other[n]) for n in found}
        found |= force_errors(tree, robot, state)
        if worst := {n: e for n, e in found.items() if e > 1e-10}:
            return PEERS, f"{robot.name}, {worst}"
    return NOT, ""


# -- from outside ----------------------------------------------------------------------------------
def run(number: int, mutations: list[Mutation] = MUTATIONS) -> tuple[str, str]:
    """Look for the error of one mutation in a new process; an exception is a way to find it too."""
    if number >= 0:
        assert _stands(mutations[number]), mutations[number]
    mode = "--shared" if mutations is SHARED else "--one"
    script = [sys.executable, "-W", "ignore", __file__, mode, str(number)]
    done = subprocess.run(script, capture_output=True, text=True, env=_environment(), timeout=300)
    if done.returncode:
        return WAYS[-1], done.stderr.strip().splitlines()[-1]
    way, _, what = done.stdout.rstrip("\n").partition(" | ")
    assert way in (*WAYS, NOT), done.stdout
    return way, what


def _stands(m: Mutation) -> bool:
    """Whether the original still stands in the source, once."""
    import equamo

    path = Path(equamo.__file__).parent / f"{m.module.replace('.', '/')}.py"
    return path.read_text(encoding="utf-8").count(m.original) == 1


def _environment() -> dict[str, str]:
    import equamo

    source = str(Path(equamo.__file__).parents[2])
    return {**os.environ, "PYTHONPATH": source, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def _row(mutation: Mutation, way: str) -> str:
    cells = (mutation.module, *(f"`{x.strip() or '(dropped)'}`" for x in mutation[1:]), way)
    return f"| {' | '.join(x.replace('|', '¦') for x in cells)} |"


def write_table(workers: int = 2) -> None:
    """Run every mutation and write docs/project/mutations.md."""
    with ThreadPoolExecutor(workers) as pool:
        found = list(pool.map(run, range(len(MUTATIONS))))
        shared = list(pool.map(lambda k: run(k, SHARED), range(len(SHARED))))
    TABLE.write_text(table([way for way, _ in found], [way for way, _ in shared]), "utf-8")
    for m, (way, what) in zip([*MUTATIONS, *SHARED], [*found, *shared], strict=True):
        if way in (NOT, WAYS[-1]):
            print(way, m, what)


def table(ways: list[str], shared: list[str]) -> str:
    """The text of docs/project/mutations.md, from how each error was found."""
    counts = "\n".join(f"| {way} | {ways.count(way)} |" for way in (*WAYS, NOT))
    rows = "\n".join(_row(m, way) for m, way in zip(MUTATIONS, ways, strict=True))
    only = "\n".join(
        f"- `equamo.{m.module}`: `{m.original.strip()}` → `{m.mutated.strip()}`"
        for m, way in zip(MUTATIONS, ways, strict=True)
        if way == PEERS
    )
    shared_rows = "\n".join(_row(m, way) for m, way in zip(SHARED, shared, strict=True))
    return f"""\
# Deliberate errors

Written by `python tests/mechanics/formulations/test_mutations.py --table`; do not edit it.

Two kinds of errors are put into the source to see whether anything detects them. Those in the \
tables below were chosen by hand, to see whether the formulations find each other's errors. `make \
mutate` puts random errors into all packages and runs the tests; [the last \
section](#random-errors) explains it.

{len(MUTATIONS)} errors in formulations, shared kinematics, spatial quantities, joints, inertia \
and forces (a sign, an index, A for Aᵀ, a dropped term, a wrong factor) were tried one at a time, \
on five random trees that have every kind of joint, on Krang's first five frames, on a small tree \
with a quaternion and on a moving base. Each is counted under what found it first: disagreement \
of the five formulations, \
`eq.check`, the identities of the tests, the certificate, the identities of spatial quantities (on \
random poses, without a robot), or only a comparison with Pinocchio or MuJoCo. An error that makes \
the derivation raise an exception, such as frames that do not match, counts as "an error".

| found first by | errors |
|---|---|
{counts}

## Found only by another program

These errors change the robot itself, in the same way for every formulation: the robot that is \
built is not the one that was described.

{only}

## Code that all formulations share

{len(SHARED)} more errors, in force elements, edits of robots, the input matrix and the state \
derivative. All formulations are wrong in the same way and agree, so only the certificate is \
tried, on four robots that have every kind of force element, two branches, a quaternion and chosen \
speeds. It detects {sum(way != NOT for way in shared)} of {len(SHARED)}; "an error" means that the \
certificate could not be made. The error that it cannot detect changes the meaning of the user's \
input, before there is a robot.

| module | before | after | found by |
|---|---|---|---|
{shared_rows}

## All errors in formulations and models

| module | before | after | found by |
|---|---|---|---|
{rows}

{RANDOM_ERRORS}"""


# -- the tests -------------------------------------------------------------------------------------
if __name__ != "__main__":
    import pytest

    SAMPLE = range(0, len(MUTATIONS), 1 if WHOLE_SWEEPS else 48)
    SHARED_SAMPLE = range(2, len(SHARED), 1 if WHOLE_SWEEPS else 12)  # "gear dropped" is in it
    UNNOTICED = [k for k, m in enumerate(SHARED) if m.mutated == 'gravity: Any = "0 0 g"']

    def test_the_list_is_alive() -> None:
        """Every original still stands in the source, once; else name another line."""
        assert len(MUTATIONS) >= 60
        every = [*MUTATIONS, *SHARED]
        assert len(set(every)) == len(every)
        assert not [m for m in every if not _stands(m)]
        assert not [m for m in every if m.original == m.mutated]

    def test_the_trees_have_everything() -> None:
        links = [x for tree in trees() for x in tree.links]
        assert {x.kind for x in links} == set(KINDS)
        plain = [x for x in links if x.kind != "custom"]
        assert {x.angles is None for x in plain} == {True, False}
        assert {(x.about_origin, x.symbolic) for x in links} == {
            (a, b) for a in (0, 1) for b in (0, 1)
        }

    @pytest.mark.ci
    @pytest.mark.needs("mujoco", "pinocchio")
    def test_nothing_is_found_in_the_source_as_it_is() -> None:
        assert run(-1) == (NOT, "")
        assert run(-1, SHARED) == (NOT, "")

    @pytest.mark.ci
    @pytest.mark.parametrize("number", SAMPLE)
    def test_the_error_is_found(number: int) -> None:
        way, what = run(number)
        assert way != NOT, MUTATIONS[number]
        table = TABLE.read_text(encoding="utf-8").splitlines()
        assert _row(MUTATIONS[number], way) in table, (
            f"docs/project/mutations.md says otherwise; now {what}"
        )

    @pytest.mark.ci
    @pytest.mark.parametrize("number", SHARED_SAMPLE)
    def test_the_certificate_alone_notices(number: int) -> None:
        way, what = run(number, SHARED)
        assert (way == NOT) == (number in UNNOTICED), SHARED[number]
        table = TABLE.read_text(encoding="utf-8").splitlines()
        assert _row(SHARED[number], way) in table, (
            f"docs/project/mutations.md says otherwise; now {what}"
        )

    def test_the_table_is_whole() -> None:
        table = TABLE.read_text(encoding="utf-8")
        modules = tuple(f"| {m.module} |" for m in (*MUTATIONS, *SHARED))
        rows = [line for line in table.splitlines() if line.startswith(modules)]
        assert len(rows) == len(MUTATIONS) + len(SHARED)
        assert all(_row(m, "")[:-3] in table for m in (*MUTATIONS, *SHARED))
        assert sum(NOT in row for row in rows) == len(UNNOTICED)


if __name__ == "__main__":
    if sys.argv[1:2] in (["--one"], ["--shared"]):
        chosen, alone = int(sys.argv[2]), sys.argv[1] == "--shared"
        if chosen >= 0:
            for name in [n for n in sys.modules if n.split(".")[0] == "equamo"]:
                del sys.modules[name]
            del sys.modules["random_trees"]
            sys.meta_path.insert(0, Changed((SHARED if alone else MUTATIONS)[chosen]))
            from random_trees import random_tree
        print(" | ".join(noticed_by_the_certificate() if alone else caught_by()))
    elif sys.argv[1:] == ["--table"]:
        write_table()
    else:
        print(__doc__)

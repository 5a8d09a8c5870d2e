"""URDF files of pybullet: read with Pinocchio's numbers, or refused with a place."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from conftest import WHOLE_SWEEPS
from equamo.errors import EquamoError
from equamo.mechanics.equations import derive
from equamo.robot.catalog import load
from peer_urdf import Peer, compare

pytestmark = pytest.mark.needs("pinocchio")

_found = importlib.util.find_spec("pybullet_data")
assert _found is not None
assert _found.origin is not None
FOLDER = Path(_found.origin).parent
FILES = sorted(FOLDER.rglob("*.urdf"))
SAMPLE = ("kuka_iiwa/model.urdf", "racecar/racecar.urdf", "xarm/xarm6_robot.urdf", "r2d2.urdf",
          "husky/husky.urdf", "laikago/laikago.urdf", "random_urdfs/000/000.urdf")  # fmt: skip
SOME = FILES if WHOLE_SWEEPS else [FOLDER / n for n in SAMPLE]
# Not well-formed XML, and a joint with two axes: Pinocchio reads the first part of both.
STRICTER = {"diff_ring.urdf", "spirit40newer.urdf"}
# Balanced wheels and a body that spins freely: gravity or bias cancels to 5e-7 or less, and what is
# left differs by rounding, at most 1.1e-16 (against 50 digits: ours 1.1e-17, Pinocchio 1.1e-16).
CANCELS = {"r2d2.urdf", "racecar.urdf", "racecar_differential.urdf", "table_square.urdf"}


def peer_or_none(path: Path, free: bool) -> Peer | None:
    try:
        return Peer(path, free=free)
    except (ValueError, RuntimeError):
        return None


@pytest.mark.parametrize("path", SOME, ids=lambda p: p.relative_to(FOLDER).as_posix())
def test_agrees_with_pinocchio_or_is_refused(path: Path) -> None:
    refusal = ""
    robots = []
    try:
        robots = [load(path, base=base, snap=0) for base in ("fixed", "free")]
    except EquamoError as error:
        refusal = str(error)
    if not robots:
        assert f"{path.name}:" in refusal  # the place
        assert peer_or_none(path, free=False) is None or path.name in STRICTER, refusal
        return
    for robot, free in zip(robots, (False, True), strict=True):
        peer = peer_or_none(path, free)
        assert peer is not None, "only we read it"
        both = compare(derive(robot), peer, 100 if WHOLE_SWEEPS else 5)
        found = both.worst_state()
        if path.name in CANCELS:
            rounding = {n: abs(x - both.theirs[n]).max() for n, x in both.ours.items()}
            found = {n: x for n, x in found.items() if rounding[n] > 2e-16}
        assert max(found.values(), default=0.0) < 1e-10, found

"""Two processes compile the same robot at once, with one folder to keep the code in."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from equamo.mechanics.equations import derive
from equamo.robot.catalog import load

pytestmark = pytest.mark.ci

COMPILE = """
import json, sys, time
from pathlib import Path
import numpy as np
import equamo as eq

folder, q = Path(sys.argv[1]), np.array(json.loads(sys.argv[2]))
eom = eq.derive(eq.load("puma560"))
(folder / sys.argv[3]).touch()
while len(list(folder.glob("ready*"))) < 2:
    time.sleep(0.001)
for _ in range(5):  # each time all is looked up on disk again
    fast = eq.compile(eom)
    found = [fast.inverse_dynamics(q, q, q), fast.mass_matrix(q), fast.gravity(q[0])]
print(json.dumps([x.tolist() for x in found]))
"""


def test_two_processes_compile_the_same_robot_at_once(tmp_path: Path) -> None:
    cache, meeting = tmp_path / "cache", tmp_path / "meeting"
    meeting.mkdir()
    q = np.random.default_rng(3).uniform(-2, 2, (8, 6))
    environment = os.environ | {"EQUAMO_CACHE": str(cache)}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", COMPILE, str(meeting), json.dumps(q.tolist()), f"ready{i}"],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for i in range(2)
    ]  # fmt: skip
    eom = derive(load("puma560"))
    right = [
        eom.evaluate("inverse_dynamics", q=q, v=q, vdot=q),
        eom.evaluate("mass_matrix", q=q),
        eom.evaluate("gravity", q=q[0]),
    ]
    for process in both:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        assert not errors
        for found, wanted in zip(json.loads(output), right, strict=True):
            assert abs(np.array(found) - wanted).max() < 1e-12 * abs(wanted).max()
    kept = [p for p in cache.rglob("*") if p.is_file()]
    assert len(kept) >= 3
    assert all(p.stat().st_mtime <= time.time() for p in kept)

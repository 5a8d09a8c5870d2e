"""Files that equamo saved: equations, certificates, trajectories. Most have a recomputed digest."""

import io
import json
from copy import deepcopy
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import numpy as np

import equamo as eq
from equamo.mechanics.certificate import prove
from equamo.mechanics.certificate.certificate import Certificate
from equamo.mechanics.equations import EquationsOfMotion
from equamo.robot.formats.json_file import digest
from equamo.robot.formats.toml import parse_robot
from fuzz.documents import documents
from fuzz.edits import NUMBERS, Edit, edit_bytes, edit_data, edit_json
from fuzz.reader import Lazy, Reader, accepted, file, folder
from studio_requests import PENDULUM


def signed(key: str) -> Edit:
    """An edit of the content of a file, with a digest that fits it."""

    def edit(data: bytes, r: Random) -> bytes:
        try:
            whole = json.loads(data)
            body = whole[key]
            part = "robot" if r.random() < 0.5 and "robot" in body else None
            body = {**body, part: edit_data(body[part], r)} if part else edit_data(body, r)
            if part and "robot_sha256" in body:
                body["robot_sha256"] = digest(body["robot"])
            return json.dumps({**whole, key: body, "sha256": digest(body)}).encode()
        except (ValueError, LookupError, TypeError, RecursionError):  # damaged by an earlier edit
            return edit_json(data, r)

    return edit


# -- equations -----------------------------------------------------------------------------------------
def _equations() -> list[bytes]:
    found: list[bytes] = []
    for eom in (
        eq.derive(parse_robot(PENDULUM)),
        eq.derive(eq.load("rr_arm"), by="kane").subs({"m1": "2*m2"}),
        eq.derive(eq.load("four_bar")),
    ):
        eom.save(folder() / "seed.eom")
        found.append((folder() / "seed.eom").read_bytes())
    return found


def read_equations(data: bytes) -> None:
    """Whatever loads has the equations of its robot, and can be saved and loaded again."""
    eom = EquationsOfMotion.load(file(data, "x.eom"))
    assert eq.compare(replace(eom, replaced=None), eq.derive(eom.robot, by=eom.by))
    with accepted():
        eom.save(folder() / "y.eom")
        again = EquationsOfMotion.load(folder() / "y.eom")
        assert again.mass_matrix == eom.mass_matrix


# -- certificates --------------------------------------------------------------------------------------
@cache
def _certificate() -> bytes:
    prove(parse_robot(PENDULUM), seed=1).save(folder() / "seed.json")
    return (folder() / "seed.json").read_bytes()


def _without_times(body: dict[str, Any]) -> dict[str, Any]:
    body = deepcopy(body) | {"seconds": 0}
    for line in body["lines"]:
        line["seconds"] = 0
    return body


def read_certificate(data: bytes) -> None:
    """A changed certificate is never accepted, unless its robot is another, or a time."""
    path = file(data, "x.json")
    Certificate.load(path)
    robot = parse_robot(PENDULUM)
    assert eq.check_file(path, robot, seed=1).ok
    body = json.loads(data)["certificate"]
    assert _without_times(body) == _without_times(json.loads(_certificate())["certificate"])


# -- trajectories --------------------------------------------------------------------------------------
@cache
def _trajectory() -> bytes:
    eom = eq.derive(parse_robot(PENDULUM))
    eq.simulate(eom, q=[0.3], v=[0.1], duration=0.1, values={"g": 9.81}).save(folder() / "seed.npz")
    return (folder() / "seed.npz").read_bytes()


def edit_arrays(data: bytes, r: Random) -> bytes:
    """Arrays of a trajectory changed, dropped, put in; its head and its equations edited."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            arrays: dict[str, Any] = {n: stored[n] for n in stored.files}
        name = r.choice(sorted(arrays))
        x = arrays[name]
        if name == "head":
            arrays[name] = np.array(edit_json(str(x).encode(), r).decode("utf-8", "replace"))
        elif name == "equations":
            arrays[name] = np.array(
                signed("equations")(str(x).encode(), r).decode("utf-8", "replace")
            )
        else:
            arrays[name] = r.choice(_CHANGES)(x, r)
        buffer = io.BytesIO()
        np.savez(buffer, **{n: a for n, a in arrays.items() if a is not None})
        return buffer.getvalue()
    except Exception:  # damaged by an earlier edit
        return edit_bytes(data, r)


def _number(x: Any, r: Random) -> Any:
    y = np.array(x, dtype=float)
    if y.size:
        y.flat[r.randrange(y.size)] = r.choice([float(n) for n in NUMBERS[:12]])
    return y


_CHANGES = (
    _number, _number, lambda x, r: x[:-1] if x.ndim else x, lambda x, r: None, lambda x, r: x[..., None],
    lambda x, r: x.astype(r.choice(["f4", "i8", "c16", "?"])), lambda x, r: np.array("x"),
    lambda x, r: np.zeros((0,) * x.ndim), lambda x, r: x.T,
)  # fmt: skip


def read_trajectory(data: bytes) -> None:
    """What loads has the sizes that it says, and can be saved and loaded again."""
    motion = eq.Trajectory.load(file(data, "x.npz"))
    assert len(motion.t) == len(motion.q) == len(motion.v)
    with accepted():
        motion.save(folder() / "y.npz")
        again = eq.Trajectory.load(folder() / "y.npz")
        assert np.array_equal(again.q, motion.q)


EQUATIONS, CERTIFICATES = Lazy(_equations), Lazy(lambda: [_certificate()])
TRAJECTORIES = Lazy(lambda: [_trajectory()])
READERS = [
    Reader("equations", read_equations,
           documents(EQUATIONS, *[signed("equations")] * 3, edit_json), EQUATIONS, 5),
    Reader("certificate", read_certificate,
           documents(CERTIFICATES, *[signed("certificate")] * 3, edit_json), CERTIFICATES, 5),
    Reader("trajectory", read_trajectory, documents(TRAJECTORIES, edit_arrays), TRAJECTORIES, 5),
]  # fmt: skip

"""Exported proofs for tests: the checker as a module, files that were tampered with, and their truth.

Whether a tampered identity is still true is not asked of the checker: both sides are computed at random
real states with 60 digits.
"""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from runpy import run_path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import mpmath

import equamo as eq
from equamo.mechanics.certificate import prove
from force_robots import arm, one_of_each

PATH = Path(__file__).parents[1] / "checker" / "check.py"
CHECKER = SimpleNamespace(**run_path(str(PATH), run_name="checker"))
MALFORMED = (ValueError, LookupError, TypeError, ArithmeticError, RecursionError)
Data = dict[str, Any]


def ball() -> eq.Robot:
    """A body that turns about a point: a quaternion, and so a sphere."""
    body = eq.Body("ball", eq.spherical("s"), mass="m", com="x 0 0", inertia="I1 I2 I3")
    values = {"m": 2, "x": "0.1", "I1": 1, "I2": 2, "I3": "2.5"}
    return eq.Robot("ball", [body], gravity="0 0 -g").with_values(**values)


ROBOTS = {"forces": lambda: arm(*one_of_each()), "ball": ball}


@cache
def exported(name: str) -> Data:
    """The proof of a built-in robot, of a file or of one of `ROBOTS`."""
    robot = ROBOTS[name]() if name in ROBOTS else eq.load(name)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof.json"
        prove(robot, seed=1).export(path)
        return json.loads(path.read_text("utf-8"))


def accepts(data: Data) -> bool:
    """The checker's verdict; a file that it cannot read is rejected."""
    try:
        return CHECKER.check(CHECKER.read(data))
    except MALFORMED:
        return False


def proof(left: int, right: int, program: list[str], **given: Any) -> Data:
    """One identity between two registers, claims as weak as they can be."""
    claim = {"name": "test", "degree": str(10**6), "bound": 1, "left": [left], "right": [right]}
    empty: Data = {"numbers": [], "symbols": [], "circles": [], "spheres": [], "not_checked": []}
    head = {"kind": "equamo proof", "version": 1, "robot": "test", "prime_bits": 100, "bound": 1}
    return head | empty | {"program": program, "identities": [claim]} | given


# -- what is true ------------------------------------------------------------------------------------
def is_false(data: Data, seed: int = 1) -> bool:
    """Whether the sides of an identity differ at one of a few real states."""
    generator = Random(seed)
    with mpmath.workdps(60):
        return any(_differ(data, generator) for _ in range(3))


def _differ(data: Data, generator: Random) -> bool:
    v = [mpmath.mpf(p) / int(q or 1) for p, _, q in (x.partition("/") for x in data["numbers"])]
    v += [mpmath.mpf(generator.uniform(0.1, 2)) for _ in data["symbols"]]
    for group in (*data["circles"], *data["spheres"]):
        x = [mpmath.mpf(generator.uniform(-1, 1)) for _ in group]
        v += [y / mpmath.norm(x) for y in x]
    for line in data["program"]:
        *left, op, right = line.split()
        y = v[int(right)]
        x = v[int(left[0])] if left else y
        if (op == "root" and y < 0) or (op == "/" and y == 0):
            v.append(mpmath.nan)  # not defined here
        elif op == "root":
            v.append(mpmath.sqrt(y))
        else:
            v.append({"+": x + y, "-": x - y, "*": x * y, "/": x / y if op == "/" else 0}[op])
    pairs = [p for i in data["identities"] for p in zip(i["left"], i["right"], strict=True)]
    return any(abs(v[a] - v[b]) > 1e-40 * (1 + abs(v[a]) + abs(v[b])) for a, b in pairs)


# -- tampering ---------------------------------------------------------------------------------------
def tampered(data: Data, kind: str, generator: Random) -> Data:
    """A copy in which something of this kind is changed; claims stay as generous as they were."""
    new = deepcopy(data)
    TAMPERINGS[kind](new, generator)
    return new


def _instruction(data: Data, generator: Random) -> None:
    k = generator.randrange(len(data["program"]))
    *left, op, right = data["program"][k].split()
    other = generator.choice([x for x in "+-*" if x != op])
    data["program"][k] = f"{left[0] if left else right} {other} {right}"


def _operand(data: Data, generator: Random) -> None:
    k = generator.randrange(len(data["program"]))
    words = data["program"][k].split()
    place = generator.choice([i for i, w in enumerate(words) if w.isdigit()])
    words[place] = str(generator.randrange(inputs(data) + k))
    data["program"][k] = " ".join(words)


def _swapped_symbols(data: Data, generator: Random) -> None:
    """In one instruction, a symbol becomes another."""
    first = len(data["numbers"])
    symbols = range(first, first + len(data["symbols"]))
    uses = [(k, i) for k, line in enumerate(data["program"]) for i, w in enumerate(line.split())
            if w.isdigit() and int(w) in symbols]  # fmt: skip
    k, i = generator.choice(uses)
    words = data["program"][k].split()
    words[i] = str(generator.choice([s for s in symbols if str(s) != words[i]]))
    data["program"][k] = " ".join(words)


def _number(data: Data, generator: Random) -> None:
    k = generator.randrange(len(data["numbers"]))
    data["numbers"][k] = str(generator.choice([3, 7, "5/3", "-1/7"]))


def _outputs(data: Data, generator: Random) -> None:
    identity = generator.choice(data["identities"])
    side = identity[generator.choice(["left", "right"])]
    i, j = generator.randrange(len(side)), generator.randrange(len(side))
    side[i], side[j] = side[j], side[i]


def _output(data: Data, generator: Random) -> None:
    side = generator.choice(data["identities"])[generator.choice(["left", "right"])]
    side[generator.randrange(len(side))] = generator.randrange(inputs(data) + len(data["program"]))


def _removed_group(data: Data, generator: Random) -> None:
    """The variables of a circle or sphere become free symbols."""
    kind = generator.choice([x for x in ("circles", "spheres") if data[x]])
    k = generator.randrange(len(data[kind]))
    groups = [*data["circles"], *data["spheres"]]
    start = len(data["numbers"]) + len(data["symbols"])
    number = k if kind == "circles" else len(data["circles"]) + k
    first, size = start + sum(map(len, groups[:number])), len(groups[number])
    moved = [*range(start), *range(first, first + size), *range(start, first)]
    new = {old: i for i, old in enumerate(moved)}
    data["program"] = [
        " ".join(str(new.get(int(w), w)) if w.isdigit() else w for w in line.split())
        for line in data["program"]
    ]
    for identity in data["identities"]:
        for side in ("left", "right"):
            identity[side] = [new.get(r, r) for r in identity[side]]
    data["symbols"] += data[kind].pop(k)


def _merged_groups(data: Data, generator: Random) -> None:
    """Two circles become one sphere, or a sphere two circles: the registers stay where they are."""
    if len(data["circles"]) > 1:
        *data["circles"], a, b = data["circles"]
        data["spheres"].insert(0, [*a, *b])
    else:
        group = data["spheres"].pop(0)
        data["circles"].append(group[:2])
        data["circles"].append(group[2:])


def _degree(data: Data, generator: Random) -> None:
    identity = generator.choice([x for x in data["identities"] if x["degree"] != "0"])
    identity["degree"] = str(generator.randrange(int(identity["degree"])))


def _bound(data: Data, generator: Random) -> None:
    generator.choice(data["identities"])["bound"] += generator.randint(1, 40)


def _whole_bound(data: Data, generator: Random) -> None:
    data["bound"] += generator.randint(10, 100)


def _prime(data: Data, generator: Random) -> None:
    data["prime_bits"] -= generator.randint(1, 40)


TAMPERINGS = {
    "instruction": _instruction, "operand": _operand, "symbol": _swapped_symbols, "number": _number,
    "outputs swapped": _outputs, "output": _output, "circle or sphere removed": _removed_group,
    "circles merged": _merged_groups, "degree": _degree, "bound": _bound,
    "bound of all": _whole_bound, "prime": _prime,
}  # fmt: skip
CLAIMS = ("degree", "bound", "bound of all", "prime")  # the others change what is true


def inputs(data: Data) -> int:
    """How many registers there are before the program."""
    groups = (*data["circles"], *data["spheres"])
    return len(data["numbers"]) + len(data["symbols"]) + sum(map(len, groups))

"""Claims files in plain numbers: which entries of a claim hold at random states.

The text is read by `claim_text`, the robot's side comes from `claim_mechanics`; derivatives are
differences, coefficients are fitted. Nothing of `equamo.review.claims` is used.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import equamo as eq
from claim_latex import text_of
from claim_mechanics import FIRST, TIMES, Machine
from claim_text import FUNCTIONS, LAZY, Reader, beside, plus, skew, times

Array = Any
TOLERANCE, FLOOR = 1e-6, 1e-3
TABLES = ("symbols", "definitions", "rates", "vectors", "matrices", "aliases")
PLAIN_FIELDS = ("robot", "by", "coriolis", "sign")


@cache
def drawn(name: str, seed: int) -> float:
    """A value for a symbol, away from 0, of either sign."""
    draw = random.Random(f"{name} {seed}")
    return draw.choice((-1, 1)) * draw.uniform(0.3, 1.7)


@cache
def read(text: str) -> list[Any]:
    return Reader(text).chain()


def unrolled(claims: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Claims with `for`: one for each value."""
    for claim in claims:
        lists = claim.get("for", {})
        for i in range(len(next(iter(lists.values()), [0]))):
            yield _inserted(
                {k: x for k, x in claim.items() if k != "for"}, {k: x[i] for k, x in lists.items()}
            )


def _inserted(x: Any, values: dict[str, str]) -> Any:
    if isinstance(x, str):
        for name, value in values.items():
            x = x.replace(f"{{{name}}}", value)
        return x
    if isinstance(x, dict):
        return {k: _inserted(e, values) for k, e in x.items()}
    return [_inserted(e, values) for e in x] if isinstance(x, list) else x


class Document:
    """A claims file and its robots in numbers."""

    def __init__(self, path: Path) -> None:
        self.data = tomllib.loads(path.read_text(encoding="utf-8"))
        self.claims = list(unrolled(self.data["claims"]))
        self.machines: dict[Any, Machine] = {}

    def conventions(self, claim: dict[str, Any]) -> dict[str, Any]:
        """The tables of the file, the setting and the claim, one over the other."""
        found: dict[str, Any] = {t: {} for t in TABLES} | {"by": "kane", "coriolis": "christoffel"}
        for level in (
            self.data,
            self.data.get("settings", {}).get(claim.get("setting"), {}),
            claim,
        ):
            for t in TABLES:
                found[t] = {**found[t], **level.get(t, {})}
            found |= {k: level[k] for k in PLAIN_FIELDS if k in level}
        return found

    def machine(self, rules: dict[str, Any]) -> Machine | None:
        name = rules.get("robot")
        if name is None:
            return None
        other = "kane" if rules["by"] == "lagrange" else "lagrange"
        key = (name, other, rules["coriolis"])
        if key not in self.machines:
            given = self.data.get("robots", {}).get(name, {"load": name})
            robot = eq.load(given["load"], **given.get("options", {}))
            self.machines[key] = Machine(robot, other, rules["coriolis"])
        return self.machines[key]

    def holds(self, claim: dict[str, Any], states: int = 2) -> dict[str, bool]:
        """Of each entry, by its label: whether it holds at all random states."""
        found: dict[str, bool] = {}
        for seed in range(states):
            for label, good in Numbers(self, claim, seed).entries():
                found[label] = found.get(label, True) and good
        return found


class Numbers:
    """One claim at one random state."""

    def __init__(self, document: Document, claim: dict[str, Any], seed: int) -> None:
        self.document, self.claim, self.seed = document, claim, seed
        self.rules = document.conventions(claim)
        self.machine = document.machine(self.rules)
        if "latex" in claim:
            text = self._from_latex(claim["latex"], claim.get("repairs", {}))
            self.claim = claim | {"printed": text}
        self.symbols: dict[str, Any] = {}  # replaced for a while: derivatives
        self.robot_symbols: dict[str, Any] = {}
        if claim.get("on_motion"):
            self.symbols = self._on_motion()

    def _on_motion(self) -> dict[str, Any]:
        m, values = self.machine, self.values()
        assert m is not None
        rates = {f"d{n}": x for n, x in m.rates(values).items() if f"d{n}" not in m.v}
        if self.claim["on_motion"] == "equations":  # the forces that make it a motion
            B = m.number("B", lambda: m.eom.input_matrix, values)
            forces = np.linalg.solve(B, m.whole("inverse_dynamics", values))
            rates |= dict(zip([x.name for x in m.robot.inputs], forces, strict=True))
        return rates | {
            n: m.number(("dependent", n), lambda e=e: e, values) for n, e in m.dependent.items()
        }

    def _from_latex(self, x: Any, repairs: dict[str, str]) -> Any:
        """Pasted LaTeX with its repairs, as text."""
        if isinstance(x, list):
            return [self._from_latex(e, repairs) for e in x]
        for old, new in repairs.items():
            x = x.replace(old, new)
        found = [*self.document.data.get("known", []), *self.claim.get("known", [])]
        found += [c["name"] for c in self.document.claims if "name" in c]
        for table in ("definitions", "rates", "vectors", "matrices"):
            found += self.rules[table]
        for text in (*self.rules["symbols"].values(), *self.rules["definitions"].values()):
            found += re.findall(r"[A-Za-z_]\w*", str(text))
        if self.machine is not None:
            found += [n for n in self.machine.names if n not in self.rules["symbols"]]
        text = text_of(x, set(found), self.rules["aliases"])
        # A quantity that is printed with its name: \\tau_1 = …
        return text.split(" = ")[-1] if "quantity" in self.claim else text

    # -- names ---------------------------------------------------------------------------------
    def symbol(self, name: str) -> float:
        if name in self.symbols:
            return self.symbols[name]
        return drawn(name, self.seed)

    def values(self) -> dict[str, Any]:
        """The robot's symbols, by the symbol map."""
        assert self.machine is not None
        table = self.rules["symbols"]
        return {
            n: self.robot_symbols[n] if n in self.robot_symbols
            else self.text(table[n]) if n in table else self.symbol(n)
            for n in self.machine.names
        }  # fmt: skip

    def name(self, name: str, of_robot: bool) -> Array:
        if of_robot and self.machine is not None:
            if name in self.machine.names:
                return self.values()[name]
            if name not in self.rules["definitions"]:
                return self.machine.whole(name, self.values())
        if name in self.rules["definitions"]:
            return self.text(self.rules["definitions"][name])
        if name in self.rules["vectors"]:
            return np.array([self.symbol(f"{name}_{c}") for c in "xyz"])
        if name in self.rules["matrices"]:
            return self._matrix(name, self.rules["matrices"][name])
        for claim in self.document.claims:
            if claim.get("name") == name:
                return self.other(claim)
        return self.symbol(name)

    def _matrix(self, name: str, kind: str) -> Array:
        if kind == "rotation":
            a, b, c = (self.symbol(f"{name}_{x}") for x in "abc")
            return FUNCTIONS["euler_xyz"](a, b, c)
        assert kind == "symmetric 3"
        A = np.array([[self.symbol(f"{name}_{i}_{j}") for j in range(3)] for i in range(3)])
        return A + A.T

    def other(self, claim: dict[str, Any]) -> Array:
        """What another claim prints, at this state."""
        there = Numbers(self.document, claim, self.seed)
        there.symbols, there.robot_symbols = self.symbols, self.robot_symbols
        return there.printed()

    # -- values --------------------------------------------------------------------------------
    def text(self, text: Any, of_robot: bool = False) -> Array:
        if isinstance(text, dict):
            text = self._from_latex(text["latex"], text.get("repairs", {}))
        if not isinstance(text, str):
            return float(text)
        (tree,) = read(text)
        return self.value(tree, of_robot)

    def given(self, x: Any, of_robot: bool = False) -> Array:
        """A text, a list of texts or a list of lists."""
        if isinstance(x, list):
            return np.array([self.given(e, of_robot) for e in x])
        return self.text(x, of_robot)

    def printed(self) -> Array:
        return self.given(self.claim.get("printed", self.claim.get("from")))

    def value(self, e: Any, of_robot: bool) -> Array:
        match e:
            case ("number", x):
                return x
            case ("text", x):
                return x
            case ("name", name, robot):
                return self.name(name, robot or of_robot)
            case ("rows", rows):
                parts = [beside([self.value(x, of_robot) for x in row]) for row in rows]
                stacked = parts[0] if len(parts) == 1 else np.vstack(parts)
                return stacked[:, 0] if len(parts) > 1 and stacked.shape[1] == 1 else stacked
            case ("'", x):
                a = self.value(x, of_robot)
                return a[None] if a.ndim == 1 else a[0] if a.shape[0] == 1 else a.T
            case ("entry", x, *places):
                return self.value(x, of_robot)[tuple(self.place(p) for p in places)]
            case ("negative", x):
                return -self.value(x, of_robot)
            case ("call", name, robot, arguments, keywords):
                return self.call(name, arguments, keywords, robot or of_robot)
            case (mark, a, b):
                return self.binary(mark, self.value(a, of_robot), self.value(b, of_robot))
        raise AssertionError(e)

    def binary(self, mark: str, a: Array, b: Array) -> Array:
        if mark in "+-":
            return plus(a, b if mark == "+" else -b)
        return times(a, b) if mark == "*" else a / b if mark == "/" else a**b

    def place(self, p: Any) -> Any:
        if p[0] == "slice":
            return slice(None) if p[1] is None else slice(int(p[1][1]) - 1, int(p[2][1]))
        return int(p[1]) - 1

    def call(self, name: str, arguments: list[Any], keywords: dict[str, Any], robot: bool) -> Array:
        if name in LAZY:
            return self.lazy(name, arguments, robot)
        if name in FUNCTIONS:
            return FUNCTIONS[name](*(self.value(x, robot) for x in arguments))
        assert self.machine is not None, name
        if name == "christoffel":
            i, j, k = (int(x[1]) - 1 for x in arguments)
            return self.machine.christoffel(i, j, k, self.values())
        first = arguments[0][1]
        if name == "generalized_force":
            return self.machine.force(first, self.values())
        more = {
            k: x[1] if x[0] in ("text", "name") else self.value(x, robot)
            for k, x in keywords.items()
        }
        return self.machine.of_frame(name, first, self.values(), **more)

    # -- derivatives ---------------------------------------------------------------------------
    def lazy(self, name: str, arguments: list[Any], robot: bool) -> Array:
        e, *rest = arguments
        if name == "dt":
            return sum(w * self.later(e, t, robot) for w, t in zip(FIRST, TIMES, strict=True) if w)
        if name == "jacobian":
            rows = self.listed(rest[0])
            return np.array([self.derivative(e, x, robot) for x in rows]).T
        if name == "partial" and (rest[0][0] != "name" or self.is_list(rest[0][1])):
            return self.lazy("jacobian", arguments, robot)
        symbol = self.chased(rest[0][1])
        if name in ("diff", "partial"):
            return self.derivative(e, symbol, robot)
        if name == "subs":
            return self.replaced(e, {symbol: self.value(rest[1], robot)}, robot)
        x = np.arange(-2.0, 3.0)
        y = np.array([self.replaced(e, {symbol: t}, robot) for t in x])
        return np.linalg.solve(np.vander(x, increasing=True), y)[int(rest[1][1])]

    def listed(self, e: Any) -> list[str]:
        """The symbols of a list, or of a definition that is one."""
        if e[0] == "name":
            (e,) = read(self.rules["definitions"][e[1]])
        return [self.chased(x[1]) for x in e[1][0]]

    def is_list(self, name: str) -> bool:
        """Whether a name is defined as a list of symbols."""
        return str(self.rules["definitions"].get(name, "")).startswith("[")

    def chased(self, name: str) -> str:
        """A definition that is a symbol."""
        while name in self.rules["definitions"]:
            name = self.rules["definitions"][name]
        return name

    def derivative(self, e: Any, symbol: str, robot: bool) -> Array:
        there = self.values()[symbol] if robot else self.symbol(symbol)
        parts = [
            w * self.replaced(e, {symbol: there + t}, robot)
            for w, t in zip(FIRST, TIMES, strict=True)
            if w
        ]
        return sum(parts)

    def later(self, e: Any, t: float, robot: bool) -> Array:
        """At a time t of the motion: the robot's coordinates and speeds, and symbols with rates."""
        new: dict[str, Any] = {}
        if self.machine is not None:
            new = self.machine.shifted(self.values(), t)
        if not robot:
            for n, rate in self.rules["rates"].items():
                new[n] = self.symbol(n) + t * self.text(rate)
        return self.replaced(e, new, robot)

    def replaced(self, e: Any, new: dict[str, Any], robot: bool) -> Array:
        kept = self.symbols, self.robot_symbols
        try:
            if robot:
                self.robot_symbols = self.robot_symbols | new
            else:
                self.symbols = self.symbols | new
            return self.value(e, robot)
        finally:
            self.symbols, self.robot_symbols = kept

    # -- verdicts ------------------------------------------------------------------------------
    def entries(self) -> Iterator[tuple[str, bool]]:
        """(label, whether it holds)"""
        claim = self.claim
        if "quantity" in claim:
            yield from self._against_quantity()
        elif isinstance(claim.get("printed"), str) and len(chain := read(claim["printed"])) > 1:
            yield from self._chain(chain)
        elif isinstance(claim.get("printed"), list) and "check" not in claim:
            for i, text in enumerate(claim["printed"], 1):
                for label, good in self._chain(read(text)):
                    yield f"{i}: {label}", good
        if ("quantity" not in claim and "check" in claim) or _is_transform(claim):
            yield from self._rotation()
        if "from" in claim and "printed" in claim:
            a, b = (np.asarray(x) for x in (self.printed(), self.given(claim["from"])))
            scale = max(FLOOR, np.abs(a).max(initial=0), np.abs(b).max(initial=0))
            for label, x, y in zip(_labels(a), a.flat, b.flat, strict=True):
                yield f"from {label}".strip(), bool(abs(x - y) <= TOLERANCE * scale)

    def _chain(self, chain: list[Any]) -> Iterator[tuple[str, bool]]:
        for i, (a, b) in enumerate(pairwise(chain), 1):
            try:
                yield f"= {i}", close(self.value(a, False), self.value(b, False))
            except (ArithmeticError, ValueError):
                yield "shape", False  # one side cannot be multiplied out

    def _against_quantity(self) -> Iterator[tuple[str, bool]]:
        a = np.asarray(self.printed()) * self.rules.get("sign", 1)
        b = np.asarray(self.given(self.claim["quantity"], True))
        labels = _labels(b)
        if "entries" in self.claim:
            marks = self.claim["entries"]
            where = tuple(self._mark(x) for x in (marks if isinstance(marks, list) else [marks]))
            b, labels = b[where], [",".join(str(i + 1) for i in where)]
        if a.shape != b.shape:
            yield "shape", False
            return
        scale = max(FLOOR, np.abs(b).max(initial=0), np.abs(a).max(initial=0))
        for label, x, y in zip(labels, a.flat, b.flat, strict=True):
            yield label, bool(abs(x - y) <= TOLERANCE * scale)

    def _mark(self, x: Any) -> int:
        if str(x).isdecimal():
            return int(x) - 1
        assert self.machine is not None
        return self.machine.v.index(x)

    def _rotation(self) -> Iterator[tuple[str, bool]]:
        T = np.asarray(self.printed())
        A = T[:3, :3]
        yield "orthonormal", close(A.T @ A, np.eye(3))
        yield "det = 1", close(np.linalg.det(A), 1.0)
        if T.shape == (4, 4):
            yield "last row", close(T[3], np.array([0, 0, 0, 1.0]))
        if "axis" in self.claim:
            q = self.claim["coordinate"]
            there = self.symbol(q)
            dA = 0
            for w, t in zip(FIRST, TIMES, strict=True):
                self.symbols = self.symbols | {q: there + t}
                dA = dA + w * np.asarray(self.printed())[:3, :3]
            self.symbols = self.symbols | {q: there}
            yield "axis", close(A.T @ dA, skew(self.text(self.claim["axis"])))


def _is_transform(claim: dict[str, Any]) -> bool:
    quantity = str(claim.get("quantity", ""))
    return "check" in claim or bool(re.fullmatch(r"(transform|rotation)\([^()]*\)", quantity))


def _labels(x: Array) -> list[str]:
    if x.ndim == 0:
        return [""]
    return [",".join(str(i + 1) for i in place) for place in np.ndindex(*x.shape)]


def close(a: Array, b: Array) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return False
    scale = max(FLOOR, np.abs(a).max(initial=0), np.abs(b).max(initial=0))
    return bool(np.abs(a - b).max(initial=0) <= TOLERANCE * scale)

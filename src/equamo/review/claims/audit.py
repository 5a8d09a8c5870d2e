"""`eq.audit`: compare printed equations or programs with derived quantities, claim by claim."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, Final, cast, final

from ...algebra.expr import Expr
from ...algebra.identity.prove import ERROR_BITS, new_seed
from ...basics.arguments import expect_function, items_of
from ...basics.renamed import warn_renamed
from ...basics.waiting import waiting
from ...basics.wording import brief
from ...errors import EquamoError, FileFormatError, ModelError, ShapeMismatchError
from ...mechanics.equations import EquationsOfMotion, derive
from ...robot.catalog import load
from ...robot.model import Robot
from .causes import Causes, NamedClaim
from .chain import Link, links
from .claim import Claim, Claims, Formula, Setting
from .claims_file import read_claims
from .comparison import compare, part_of_quantity, same_shape, shape_of, short
from .context import Context
from .diagnosis import Diagnosis, OtherEquations, diagnose, rows_that_differ
from .finding import Entry, Finding
from .formula_suggestion import with_formula_edit
from .judgement import Judge
from .matching.code_audit import Code, audit_code
from .quantities import Frames
from .report import ACCEPTABLE, Audit
from .rotations import rotation_entries
from .signs import Signs
from .suggestion import Suggestion, suggest
from .tautology import empties, empty_equations, repeats_quantity
from .values import Value, entries_of

Given = Robot | EquationsOfMotion | str | os.PathLike[str] | None
Progress = Callable[[str], None]
_SAME: Final = "both sides are the same text, whatever the robot"


def audit(
    claims: Claims | str | os.PathLike[str] | Iterable[Claim] | None = None,
    robot: Given = None,
    *,
    code: Code | Iterable[Code] | None = None,
    mapping: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    functions: Iterable[str] | None = None,
    rounding: float | str | None = None,
    accept: Iterable[str] | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Compare printed equations, or a program, with derived quantities, entry by entry.

    Args:
        claims: Path of a claims file, Claims, or a list of claims made in Python.
        robot: The robot that the claims are about: a Robot, its equations, a built-in name or a
            file. By default that of the claims file.
        code: Instead of claims, one or more source files with C, NumPy or MATLAB functions that somebody
            wrote or generated. They are read, never run.
        mapping: For code, a mapping file (TOML) or {name in the program: quantity or symbols of the
            robot}; names such as mass_matrix, q and dq1 need no mapping.
        functions: For code, names of the functions to audit; by default all functions of the files.
        rounding: For code whose numbers were rounded, the relative size of the rounding errors that
            "agrees to rounding" allows, by default 2**-47.
        accept: For code, ["as read"] to count "proved as read" and "agrees to rounding" as `ok`. By
            default they do not count, since the readers of foreign code are not proved.
        seed: Seed of the random primes and points of the proofs, by default a random one.
        progress: Called with the id of each claim.

    Returns:
        The findings, one per claim, or one per result of a function.

    Raises:
        FileFormatError: No claim, or not the file, the program or the robot, can be read, or a name of
            the program cannot be matched. A claim that cannot be read beside others that can has the
            verdict "unreadable".
        ModelError: The arguments do not fit together, or `accept` has an unknown word.

    >>> from .claim import claim
    >>> report = audit([claim("d22", "step 2", "m2*Lc2**2 + I1", "mass_matrix[2, 2]")], "rr_arm")
    >>> report.ok, report.findings[0].entries[0].suggestion.text
    (False, 'I2 for I1')
    """
    if progress is not None:
        expect_function("audit(): progress", progress, "text")
    if code is not None:
        options = (mapping, functions, rounding, _accepted(accept))
        return _audit_code(claims, robot, code, options, seed, progress)
    if any(x is not None for x in (mapping, functions, rounding, accept)):
        raise ModelError(
            "audit(): mapping, functions, rounding and accept need code; pass code='FILE'."
        )
    if claims is None and robot is None:
        raise ModelError("audit(): pass claims, or code='FILE' and a robot; got neither.")
    if _old_order(claims, robot):
        warn_renamed("audit()", "audit(robot, claims)", "audit(claims, robot)")
        claims, robot = cast(Any, robot), cast(Any, claims)
    number = new_seed(ERROR_BITS) if seed is None else seed
    with waiting("auditing") as spinner:
        return _Auditor(robot, _claims(cast(Any, claims)), number).run(progress or spinner)


def _audit_code(
    claims: object, robot: Given, code: Any, options: tuple[Any, Any, Any, Any], seed: int | None,
    progress: Progress | None,
) -> Audit:  # fmt: skip
    if claims is not None:
        raise ModelError("audit(): pass either claims or code, got both; the robot is robot='…'.")
    if robot is None:
        raise ModelError("audit(): code needs a robot to compare with; pass robot='…'.")
    loaded = load(robot) if isinstance(robot, (str, os.PathLike)) else robot
    number = new_seed(ERROR_BITS) if seed is None else seed
    with waiting("auditing") as spinner:
        return audit_code(code, loaded, *options, number, progress or spinner)


def _accepted(accept: Any) -> tuple[str, ...]:
    """Words of `accept`, checked."""
    if accept is None:
        return ()
    is_list = isinstance(accept, Iterable) and not isinstance(accept, (str, bytes, Mapping))
    words = tuple(cast(Iterable[Any], accept)) if is_list else ()
    if not is_list or any(x not in ACCEPTABLE for x in words):
        raise ModelError(
            f"audit(): accept must be a list with some of {', '.join(map(repr, ACCEPTABLE))}, got "
            f"{brief(cast(Any, accept))}; pass accept=['as read']."
        )
    return words


def _old_order(claims: Any, robot: Any) -> bool:
    """Whether the robot is the first argument, as in version 0.1."""
    if isinstance(claims, (str, os.PathLike)) and isinstance(robot, (str, os.PathLike)):
        first, second = str(cast(object, claims)), str(cast(object, robot))
        return second.endswith(".toml") and not first.endswith(".toml")
    if claims is None or isinstance(claims, (Robot, EquationsOfMotion)):
        return robot is not None
    return isinstance(robot, (Claims, list, tuple))


def _claims(claims: Claims | str | os.PathLike[str] | Iterable[Claim]) -> Claims:
    if isinstance(claims, Claims):
        return claims
    if isinstance(claims, (str, os.PathLike)):
        return read_claims(cast(Any, claims))
    found = items_of(claims)
    listed: list[Any] = [claims] if found is None else found
    for x in listed:
        if not isinstance(x, Claim):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(
                "audit(): claims must be the path of a claims file, Claims or a list of claims, got "
                f"{brief(x)}."
            )
    return Claims(tuple(listed))


@final
class _Auditor:
    """Audit of one document; robots are derived once, and named claims are shared by all formulas."""

    def __init__(self, robot: Given, claims: Claims, seed: int) -> None:
        self.claims, self.seed = claims, seed
        self.robot = load(robot) if isinstance(robot, (str, os.PathLike)) else robot
        self.equations: dict[tuple[Any, str, str], EquationsOfMotion] = {}
        self.contexts: dict[int, Context] = {}
        self.others, self.frames = OtherEquations(), Frames()
        self.printed_values: dict[str, Value] = {}
        self.open: list[str] = []
        self.compared_claims: dict[str, NamedClaim] = {}
        self.diagnoses: dict[str, Diagnosis] = {}
        self.named = {c.name: partial(self.named_value, c) for c in claims.claims if c.name}

    def run(self, progress: Progress) -> Audit:
        start = time.perf_counter()
        findings: list[Finding] = []
        problems: list[str] = []
        for c in self.claims.claims:
            progress(c.id)
            began = time.perf_counter()
            try:
                finding = self.finding(c)
            except EquamoError as error:
                placed = isinstance(error, FileFormatError)
                problems.append(str(error if placed else c.where.error(str(error))))
                finding = Finding(c, (Entry("", "unreadable", reason=problems[-1]),))
            findings.append(replace(finding, seconds=time.perf_counter() - began))
        if problems and len(problems) == len(findings):
            raise FileFormatError("\n".join(dict.fromkeys(problems)))
        causes = Causes(self.compared_claims, self.context)
        signs = Signs(findings, self.diagnoses, self.context, self.derived, self.others, self.seed)
        findings = [signs.judged(causes.named(f)) for f in findings]
        return Audit(self.claims, tuple(findings), self.seed, time.perf_counter() - start)

    # -- context of a claim ------------------------------------------------------------------------
    def context(self, claim: Claim) -> Context:
        key = id(claim.setting)
        if key not in self.contexts:
            self.contexts[key] = self.new_context(claim.setting, claim)
        return self.contexts[key]

    def new_context(self, setting: Setting, claim: Claim) -> Context:
        robot: Any = setting.robot
        inserted: dict[str, Any] = {}
        if self.robot is not None and (robot is None or robot == self.claims.robot):
            robot = self.robot
        elif isinstance(robot, str):
            if robot in self.claims.robots:
                robot, subs = self.claims.robots[robot]
                inserted = dict(subs)
            else:
                robot = load(robot)
        if robot is None:
            return Context(setting, None, {}, self.named, self.frames)
        eom = self.equations_of(robot, setting, claim)
        return Context(setting, eom, inserted, self.named, self.frames)

    def equations_of(self, robot: Any, setting: Setting, claim: Claim) -> EquationsOfMotion:
        if isinstance(robot, EquationsOfMotion):
            return robot
        key = (robot, setting.by, setting.coriolis)
        if key not in self.equations:
            try:
                self.equations[key] = derive(robot, by=setting.by, coriolis=setting.coriolis)
            except EquamoError as error:
                raise claim.where.error(str(error)) from None
        return self.equations[key]

    def named_value(self, claim: Claim) -> Value:
        """Printed value of a named claim, for formulas that use its name."""
        if claim.name not in self.printed_values:
            if claim.name in self.open:
                circle = " → ".join([*self.open[self.open.index(claim.name) :], claim.name])
                raise claim.where.error(
                    f"named claims must not depend on themselves, got {circle}."
                )
            self.open.append(claim.name)
            try:
                context = self.context(claim)
                formula = claim.printed or claim.made_from
                assert formula is not None
                self.printed_values[claim.name] = context.value(formula, context.paper)
            finally:
                self.open.pop()
        return self.printed_values[claim.name]

    def derived(self, claim: Claim, context: Context) -> Value:
        """The whole claimed quantity in the document's symbols."""
        assert claim.quantity is not None
        if context.eom is None:
            raise claim.quantity.place.error("a quantity needs a robot; set `robot`.")
        value = context.value(claim.quantity, context.robot)
        try:
            value = context.image(value)
        except FileFormatError:
            raise
        except EquamoError as error:
            raise claim.quantity.place.error(str(error)) from None
        return -value if context.setting.sign < 0 else value

    # -- one claim -------------------------------------------------------------------------------
    def finding(self, claim: Claim) -> Finding:
        context = self.context(claim)
        if claim.side == "code":
            raise claim.where.error(
                "a result of a program must be audited with its program, pass code='FILE'."
            )
        if claim.quantity is not None:
            finding = self.compared(claim, context)
        elif claim.printed is not None and self.is_equation(claim):
            finding = self.chained(claim, context)
        elif claim.check_rotation or claim.axis is not None or claim.made_from is not None:
            finding = Finding(claim, ())
        else:
            raise claim.where.error(
                "a claim must have a `quantity` or print an equation `left = right`, got neither."
            )
        if any(e.label == "shape" for e in finding.entries):
            return finding
        return replace(finding, entries=(*finding.entries, *self.more_entries(claim, context)))

    def is_equation(self, claim: Claim) -> bool:
        assert claim.printed is not None
        context = self.context(claim)
        return all(context.source(p).is_equation for p in claim.printed.parts)

    def more_entries(self, claim: Claim, context: Context) -> list[Entry]:
        """Further entries: of a rotation, and whether the claim follows from its `from`."""
        entries: list[Entry] = []
        if claim.check_rotation or claim.axis is not None or self.names_rotation(claim, context):
            formula = claim.printed or claim.made_from
            assert formula is not None
            axis = None if claim.axis is None else context.value(claim.axis, context.paper)
            printed = context.value(formula, context.paper)
            entries += rotation_entries(claim, printed, axis, context.unit, self.seed)
        if claim.made_from is not None and claim.printed is not None:
            printed = context.value(claim.printed, context.paper)
            made = context.value(claim.made_from, context.paper)
            printed, made = same_shape(printed, made)
            if shape_of(printed) != shape_of(made):
                raise claim.made_from.place.error(
                    f"`from` must have the shape of what is printed, {_size(printed)}, got "
                    f"{_size(made)}."
                )
            comparison = compare(printed, made, context.unit, self.seed, positive=context.positive)
            entries += Judge(claim, context, self.seed).entries(comparison, prefix="from ")
        return entries

    def names_rotation(self, claim: Claim, context: Context) -> bool:
        if claim.quantity is None or claim.entries or claim.quantity.shape != "single":
            return False
        node = context.source(claim.quantity.rows[0][0]).tree
        return node.kind in ("call", "quantity") and node.value in ("rotation", "transform")

    def chained(self, claim: Claim, context: Context) -> Finding:
        """Finding of a chain a = b = c, one equation at a time."""
        assert claim.printed is not None
        unit, entries = context.unit, list[Entry]()
        try:
            equations = context.equations(claim.printed, claim.on_motion)
        except ShapeMismatchError as error:
            return Finding(claim, (Entry("shape", "wrong", reason=error.reason),))
        by_label = {x.label: x for x in links(claim.printed, context)}
        before = {label: (a, b) for label, a, b in context.equations(claim.printed, False)}
        empty = empty_equations(claim.printed, context)
        for label, a, b in equations:
            if label in empty:
                entries.append(Entry(label, "says nothing", reason=_SAME))
                continue
            left, right = same_shape(a, b)
            plain = same_shape(*before[label])
            words = ("left", "right")
            if by_label[
                label
            ].is_reversed:  # F = formula: the formula is judged, F is its reference
                left, right, plain, words = right, left, plain[::-1], ("right", "left")
            if shape_of(left) != shape_of(right):
                sizes = f"{shape_of(left)} and {shape_of(right)}"
                entries.append(Entry(label, "wrong", reason=f"the sides have shapes {sizes}"))
                continue
            comparison = compare(left, right, unit, self.seed, positive=context.positive)
            if isinstance(left, Expr):
                comparison = replace(comparison, labels=(label,))
            elif comparison.proved:
                worst = max(
                    comparison.proofs,
                    key=lambda p: -inf if p.bound_bits is None else p.bound_bits,
                    default=None,
                )
                entries.append(Entry(label, "proved", worst))
                continue
            else:
                labels = tuple(f"{label}, {x}" for x in comparison.labels)
                comparison = replace(comparison, labels=labels)
            judged = Judge(claim, context, self.seed).entries(comparison, why=True)
            for e, *pair in zip(judged, *map(entries_of, plain), strict=True):
                if e.suggestion is not None and self.is_empty(
                    e.suggestion, by_label[label], pair, context
                ):
                    e = replace(e, suggestion=None)
                entries.append(replace(e, sides=words))

        def sides(formula: Formula) -> list[tuple[Value, Value]]:
            return [(a, b) for _, a, b in context.equations(formula, claim.on_motion)]

        finding = Finding(claim, tuple(entries))
        return with_formula_edit(finding, claim.printed, sides, context, self.seed)

    def is_empty(
        self, suggestion: Suggestion, link: Link, sides: Sequence[Expr], context: Context
    ) -> bool:
        """Whether a suggestion would leave an equation that says nothing."""
        printed, other = sides
        same = suggest(printed, other, unit=context.unit)
        if same is None or same.text != suggestion.text:
            return False
        return empties(link, same.result, other, context)

    def printed_part(self, claim: Claim, printed: Value, context: Context) -> Value:
        """Printed part of the quantity under other conventions."""
        value, _ = part_of_quantity(claim, self.derived(claim, context), claim.where)
        return same_shape(printed, value)[1]

    def compared(self, claim: Claim, context: Context) -> Finding:
        formula = claim.printed or claim.made_from
        assert formula is not None
        derived, labels = part_of_quantity(claim, self.derived(claim, context), claim.where)
        if repeats_quantity(formula, claim, context):
            return Finding(claim, (Entry("", "says nothing", reason=_SAME),))
        try:
            printed = context.value(formula, context.paper)
        except ShapeMismatchError as error:
            return Finding(claim, (Entry("shape", "wrong", reason=error.reason),))
        context.check_labels(formula, derived, context.setting.sign)
        printed, derived = (context.on_motion(x, claim.on_motion) for x in (printed, derived))
        printed, derived = same_shape(printed, derived)
        if shape_of(printed) != shape_of(derived):
            sizes = f"printed {_size(printed)}, derived {_size(derived)}"
            return Finding(claim, (Entry("shape", "wrong", reason=sizes),))
        unit = context.unit
        plain = compare(printed, derived, unit, self.seed, labels, context.positive)
        diagnosis: Diagnosis | None = None
        if not plain.proved:
            again = partial(self.printed_part, claim, printed)
            diagnosis = diagnose(
                claim, context, printed, plain, again, unit, self.others, self.seed
            )
        comparison = plain if diagnosis is None else diagnosis.comparison
        if claim.name:
            self.compared_claims[claim.name] = NamedClaim(claim, printed, comparison)
        entries = Judge(claim, context, self.seed).entries(plain, diagnosis, why=True)
        remarks: list[str] = []
        if diagnosis is not None:
            self.diagnoses[claim.id] = diagnosis
            part = "" if diagnosis.comparison.proved else " in part"
            remarks.append(f"holds{part} {diagnosis.text}")
        remarks += [
            f"row {i} of C v: printed − derived = {short(gap)}"
            for i, gap in rows_that_differ(claim, context, printed, derived)
        ]
        kind = "" if diagnosis is None else diagnosis.kind

        def sides(formula: Formula) -> list[tuple[Value, Value]]:
            value = context.value(formula, context.paper)
            return [(context.on_motion(value, claim.on_motion), derived)]

        finding = Finding(claim, tuple(entries), kind, tuple(remarks))
        return with_formula_edit(finding, formula, sides, context, self.seed)


def _size(x: Value) -> str:
    shape = shape_of(x)
    return (
        "a scalar"
        if not shape
        else "×".join(map(str, shape)) + (" entries" if len(shape) == 1 else "")
    )

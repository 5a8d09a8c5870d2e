"""Audit of a program: compare every result of every function with the derived quantity.

Each entry is proved, or refuted with a state, as in the audit of printed equations. If numbers of the
program were folded in double precision, entries that are not proved are measured (`rounding`).
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, cast, final

from ....algebra.expr import Expr, as_expr
from ....algebra.expr.substitute import substitute
from ....algebra.expr.walk import symbols
from ....basics.arguments import items_of
from ....basics.wording import brief
from ....errors import EquamoError, ExpressionError, FileFormatError, ModelError, UnknownNameError
from ....mechanics.equations import EquationsOfMotion, derive
from ....robot.formats.text_file import read_text
from ....robot.model import Robot
from ...programs import Function, open_code
from ...programs.function import Output
from ..audited_function import AuditedFunction, NamedMeaning, State
from ..claim import Claim, Claims, Formula, NotClaim, Place, Setting, formula
from ..context import Context
from ..diagnosis import OtherEquations
from ..field import field_values
from ..finding import Entry, Finding
from ..quantities import Frames
from ..report import Audit
from ..values import Value, described, entries_of
from .compared_output import AS_READ, ROUNDING, ComparedOutput, Options
from .inputs import Inputs, argument_shapes, has_quantity, matched_inputs
from .mapping import CONVENTIONS, CodeMapping, comments, read_mapping, relative_unit
from .names import quantity_of
from .outputs import written
from .rounding import UNIT

MOST_NAMED: Final = 6  # parameters that a remark lists
MOST_REFUSALS: Final = 3  # reasons in an error
Code = str | os.PathLike[str] | Function


def audit_code(
    code: Code | Iterable[Code], robot: Robot | EquationsOfMotion, mapping: Any,
    functions: Iterable[str] | None, rounding: Any, accept: Iterable[str], seed: int,
    progress: Callable[[str], None],
) -> Audit:  # fmt: skip
    """Compare the functions of a program with derived quantities, entry by entry.

    Raises:
        FileFormatError: A file cannot be read, a name cannot be matched, or nothing can be compared.
    """
    start = time.perf_counter()
    table = read_mapping(mapping)
    unit = relative_unit(rounding) if rounding is not None else table.rounding or UNIT
    auditor = _CodeAuditor(robot, table, unit, seed)
    only = None if functions is None else _names(functions)
    findings: list[Finding] = []
    for source in _sources(code):
        progress(source if isinstance(source, str) else source.name)
        for f in auditor.functions(source, only):
            progress(f.name)
            findings += auditor.findings(f)
    auditor.check(findings, only)
    claims = Claims(
        tuple(f.claim for f in findings), tuple(auditor.not_compared), file=", ".join(auditor.files)
    )
    return Audit(
        claims, tuple(findings), seed, time.perf_counter() - start, tuple(accept),
        tuple(auditor.listed),
    )  # fmt: skip


def _sources(code: Any) -> Iterator[str | Function]:
    """Paths of files, or functions that were read before."""
    listed = None if isinstance(code, (str, os.PathLike, Function)) else items_of(code)
    for x in [cast(Any, code)] if listed is None else listed:
        if isinstance(x, Function):
            yield x
        elif isinstance(x, (str, os.PathLike)):
            yield os.fspath(cast(Any, x))
        else:
            raise ModelError(
                f"audit(): code must be the path of a source file, or a list of them, got {brief(x)}."
            )


def _names(functions: Any) -> list[str]:
    listed = [functions] if isinstance(functions, str) else list(functions)
    for name in listed:
        if not isinstance(name, str):
            raise ModelError(
                f"audit(): functions must be names of functions in the program, got {brief(name)}."
            )
    return listed


@final
class _CodeAuditor:
    def __init__(
        self, robot: Robot | EquationsOfMotion, mapping: CodeMapping, unit: Fraction, seed: int
    ) -> None:
        self.mapping, self.robot, self.frames = mapping, robot, Frames()
        self.options = Options(unit, seed, mapping.unwritten_is_zero, OtherEquations())
        self.not_compared: list[NotClaim] = []
        self.listed: list[AuditedFunction] = []
        self.refusals: list[str] = []
        self.files: dict[str, None] = {}
        self.own_names = mapping.names  # without those from comments
        self.named: set[str] = set()  # functions
        self.known: set[str] = set()  # names that a mapping may have
        self.ids: set[str] = set()

    @cached_property
    def eom(self) -> EquationsOfMotion:
        if isinstance(self.robot, EquationsOfMotion):
            return self.robot
        setting = self.mapping.setting
        return derive(self.robot, by=setting.by, coriolis=setting.coriolis)

    @cached_property
    def plain(self) -> Context:
        """Context in which all parameters are symbols."""
        return Context(self.mapping.setting, self.eom, {}, {}, self.frames)

    def functions(self, source: str | Function, only: Sequence[str] | None) -> Iterator[Function]:
        """Functions of a file, with the meanings in its comments."""
        if isinstance(source, Function):
            self.named.add(source.name)
            self.mapping = replace(self.mapping, names=self.own_names)
            if only is None or source.name in only:
                yield source
            else:
                self.list_other(source.name, f"{source.file}:{source.line}", "not selected")
            return
        said = comments(read_text(source), source)
        # A mapping of the caller takes precedence over comments in a file.
        self.mapping = replace(self.mapping, names={**said, **self.own_names})
        file = open_code(Path(source), shapes=argument_shapes(self.mapping, self.plain))
        self.files[source] = None
        self.named |= set(file.names)
        for name in file.names:
            if only is None or name in only:
                try:
                    function = file.read(name)
                except FileFormatError as error:
                    self.refuse(name, f"{source}:{file.line(name)}", str(error))
                    continue
                yield function
            else:
                self.list_other(name, f"{source}:{file.line(name)}", "not selected")
        for x in file.unread:
            place = f"{source}:{x.line}"
            if only is not None:
                self.list_other(x.name, place, "not selected")
            elif x.refused:
                self.refuse(x.name, place, f"{place}: {x.reason}.")
            else:
                self.list_other(x.name, place, "not mapped", x.reason)
        for key, meaning in said.items():
            if only is None and not self.refusals and key not in self.known:
                unknown = UnknownNameError("argument or result", key, sorted(self.known))
                raise meaning.place.error(str(unknown))

    def list_other(self, name: str, place: str, state: State, reason: str = "") -> None:
        """List a function that is not read."""
        self.listed.append(AuditedFunction(name, place, state, reason))

    def refuse(self, name: str, place: str, reason: str) -> None:
        """List a function that cannot be read; its names are unknown."""
        self.list_other(name, place, "refused", reason)
        self.refusals.append(reason)
        self.not_compared.append(NotClaim((f"{place}, {name}",), f"refused: {reason}"))

    def check(self, findings: Sequence[Finding], only: Sequence[str] | None) -> None:
        """Raise an error if nothing was compared, or if a name of the caller is not in the program."""
        m = self.mapping
        for name in only or ():
            if name not in self.named:
                raise UnknownNameError("function", name, sorted(self.named), "the program")
        everything_read = only is None and not self.refusals
        for key in (*m.outputs, *m.inputs, *self.own_names) if everything_read else ():
            if key not in self.known:
                raise UnknownNameError("argument or result", key, sorted(self.known), "the program")
        for name in m.values:
            if name not in self.eom.robot.parameter_info:
                raise UnknownNameError(
                    "parameter",
                    name,
                    self.eom.robot.parameter_info,
                    f"robot {self.eom.robot.name!r}",
                )
        if not findings and self.refusals:
            raise FileFormatError("\n".join(self.refusals[:MOST_REFUSALS]))
        if not findings:
            reasons = "; ".join(f"{n.place[0]}: {n.reason}" for n in self.not_compared[:3])
            raise FileFormatError(
                f"{', '.join(self.files) or 'code'}: a result must be named after a quantity, such as "
                f"mass_matrix, or be mapped to one, got none{f' ({reasons})' if reasons else ''}; use a "
                "mapping, or a comment 'equamo: NAME = mass_matrix'."
            )

    # -- one function ------------------------------------------------------------------------------
    def findings(self, function: Function) -> list[Finding]:
        self.files[function.file] = None
        for x in (*function.inputs, *function.outputs):
            self.known |= {x.name, f"{function.name}.{x.name}"}
        meanings = [self.quantity(function, o) for o in function.outputs]
        names: list[NamedMeaning] = []
        for o, (quantity, source) in zip(function.outputs, meanings, strict=True):
            text = () if quantity is None else (_text(quantity),)
            names.append(NamedMeaning(o.name, "result", text, source))
            if quantity is None:
                place = f"{function.file}:{o.line}, {function.name}.{o.name}"
                self.not_compared.append(NotClaim((place,), "not named after a quantity"))
        place = f"{function.file}:{function.line}"
        if not any(x.meaning for x in names):
            reason = "no result is named after a quantity" if names else "it has no result"
            self.listed.append(
                AuditedFunction(function.name, place, "not mapped", reason, tuple(names))
            )
            return []
        inputs = matched_inputs(function, self.mapping, self.plain)
        context = replace(self.plain, inserted=self.folded(inputs))
        values: dict[str, str] = {}
        findings: list[Finding] = []
        refusals: list[str] = []
        for o, (quantity, _) in zip(function.outputs, meanings, strict=True):
            if quantity is None:
                continue
            refusal = inputs.refusal(symbols(list(o.entries.values())), function)
            if not refusal:
                try:
                    findings.append(self.finding(function, o, quantity, inputs, context, values))
                    continue
                except ExpressionError as error:  # a division by zero
                    refusal = f"{function.file}:{o.line}: {error}"
            refusals.append(refusal)
            where = f"{function.file}:{o.line}, {function.name}.{o.name}"
            self.not_compared.append(NotClaim((where,), f"refused: {refusal}"))
        self.refusals += refusals
        state = "refused" if refusals else "compared"
        names += inputs.names
        self.listed.append(
            AuditedFunction(function.name, place, state, " ".join(refusals), tuple(names), values)
        )
        return findings

    def quantity(self, function: Function, output: Output) -> tuple[Formula | None, str]:
        """(quantity of an output, who says so): a mapping, the name of its function, or its own."""
        own = self.named_quantity(function, output)
        mapped = self.mapping.meaning("output", function.name, output.name)
        if mapped is None:
            if own is None or any(x.name == output.name for x in function.inputs):
                return None, "name"  # unknown, or an argument that is overwritten
            return formula(own, f"quantity of {function.name}.{output.name}"), "name"
        key, meaning = mapped
        if len(meaning.formulas) != 1:
            raise meaning.place.error(f"{key} must be mapped to one quantity, got several.")
        said = _text(meaning.formulas[0])
        if meaning.in_program and own is not None and _bare(said) != _bare(own):
            raise meaning.place.error(
                f"{key} means {own} by its name, and a comment of the program must not change that, got "
                f"{said}; pass a mapping instead."
            )
        if meaning.in_program and not has_quantity(meaning.formulas[0], self.plain):
            raise meaning.place.error(
                f"a comment must map the result {key} to a quantity of the robot, such as mass_matrix, "
                f"got {said}."
            )
        return meaning.formulas[0], meaning.source

    def named_quantity(self, function: Function, output: Output) -> str | None:
        """Quantity after which the function, if it has one result, or the output is named."""
        found = None
        if len(function.outputs) == 1:
            found = quantity_of(function.name, output.shape, self.eom)
        return found or quantity_of(output.name, output.shape, self.eom)

    def folded(self, inputs: Inputs) -> dict[str, Expr]:
        """Values of parameters that the function does not take: mapped ones, otherwise the defaults."""
        values: dict[str, Expr] = {}
        for x in self.eom.parameters:
            default = self.eom.robot.parameter_info[x.name].value
            if x in inputs.symbols:
                continue
            if x.name in self.mapping.values:
                values[x.name] = self.mapping.values[x.name]
            elif default is not None:
                values[x.name] = as_expr(default)
        return values

    # -- one output --------------------------------------------------------------------------------
    def finding(
        self,
        function: Function,
        output: Output,
        quantity: Formula,
        inputs: Inputs,
        context: Context,
        values: dict[str, str],
    ) -> Finding:
        """Verdict on one output; parameters that the program does not take are added to `values`."""
        began = time.perf_counter()
        claim = self.claim(function, output, quantity)
        context = self.with_needed_values(quantity, context, claim)
        derived = self.derived(quantity, claim, context)
        again = partial(self.derived, quantity, claim)
        values |= {k: _decimal(x) for k, x in context.inserted.items()}
        versions = written(output, derived, inputs.table)
        if versions is None:
            shape = "×".join(map(str, output.shape)) or "a scalar"
            reason = f"the code computes {shape}, derived: {described(derived)}"
            return Finding(claim, (Entry("shape", "wrong", reason=reason),))
        best = ComparedOutput(claim, context, versions[0], derived, again, self.options)
        for other in versions[1:]:
            if not best.plain.proved:
                candidate = replace(best, written=other)
                best = candidate if candidate.plain.score > best.plain.score else best
        entries, kind, remarks = best.judged()
        remarks += [best.written.remark] if best.written.remark else []
        remarks += _values_remark(context)
        remarks += self.conventions()
        finding = Finding(claim, tuple(entries), kind, tuple(remarks))
        if finding.verdict == "wrong" and quantity.rows[0][0].text == "inverse_dynamics":
            remarks += self.without_passive_forces(best)
        seconds = time.perf_counter() - began
        return replace(finding, remarks=tuple(remarks), seconds=seconds)

    def without_passive_forces(self, output: ComparedOutput) -> list[str]:
        """Remark if the program omits damping and friction, as many libraries do."""
        passive = [f.name for f in self.eom.robot.forces if not f.inputs()]
        if not passive:
            return []
        text = "inverse_dynamics + passive_force"
        derived = self.derived(formula(text), output.claim, output.context)
        entries, _, _ = replace(output, derived=derived).judged(why=False)
        if any(e.verdict not in (AS_READ, ROUNDING) for e in entries):
            return []
        listed = ", ".join(passive[:3]) + (", …" if len(passive) > 3 else "")
        return [f"holds without the passive forces ({listed}); map it to {text}"]

    def conventions(self) -> list[str]:
        """Remark on the conventions of the mapping."""
        plain = Setting()
        said = {k: getattr(self.mapping.setting, k) for k in CONVENTIONS}
        said = {k: x for k, x in said.items() if x != getattr(plain, k)}
        if self.options.unwritten_is_zero:
            said["unwritten"] = "zero"
        listed = (
            f"{k} = {', '.join(cast(tuple[str, ...], x)) if isinstance(x, tuple) else x}"
            for k, x in said.items()
        )
        return [f"conventions of the mapping: {'; '.join(listed)}"] if said else []

    def claim(self, function: Function, output: Output, quantity: Formula) -> Claim:
        name = function.name if len(function.outputs) == 1 else f"{function.name}.{output.name}"
        id, k = name, 2
        while id in self.ids:  # functions with the same name in two files
            id, k = f"{name} ({k})", k + 1
        self.ids.add(id)
        text = _text(quantity)
        place = f"{function.file}:{output.line}"
        return Claim(
            id, (f"{place}, {text}",), self.mapping.setting, quantity=quantity,
            expect={"": AS_READ}, where=Place(place), side="code",
        )  # fmt: skip

    def derived(self, quantity: Formula, claim: Claim, context: Context) -> Value:
        """The derived quantity, with the values of parameters that the program does not take."""
        try:
            value = context.image(context.value(quantity, context.robot))
        except FileFormatError:
            raise
        except EquamoError as error:
            raise claim.where.error(str(error)) from None
        return -value if context.setting.sign < 0 else value

    def with_needed_values(self, quantity: Formula, context: Context, claim: Claim) -> Context:
        """Context with values for only those parameters on which the quantity depends."""
        entries = entries_of(self.derived(quantity, claim, self.plain))
        occurring = [x for x in symbols(entries) if x.name in context.inserted]
        before = field_values(entries)
        # A parameter may occur and cancel; it can stay a symbol.
        needed = [x for x in occurring if field_values(substitute(entries, {x: x + 1})) != before]
        return replace(context, inserted={x.name: context.inserted[x.name] for x in needed})


def _text(quantity: Formula) -> str:
    return ", ".join(p.text for p in quantity.parts)


def _bare(quantity: str) -> str:
    """A quantity without quotes and blanks."""
    return re.sub(r"[\s\"']", "", quantity)


def _values_remark(context: Context) -> list[str]:
    """Remark on parameters that are not arguments of the program."""
    named = [f"{k} = {_decimal(x)}" for k, x in context.inserted.items()]
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return [f"with {', '.join(named[:MOST_NAMED])}{more}"] if named else []


def _decimal(x: Any) -> str:
    """A number as text, as a decimal if that is exact."""
    if x.value is None or Fraction(repr(float(x.value))) != x.value:
        return str(x)
    return f"{float(x.value):.15g}"

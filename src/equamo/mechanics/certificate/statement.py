"""Statement: all identities of a robot, derived once and then proved at any random points."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final, final

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix, blocks, zeros
from ...algebra.identity import Proof
from ...algebra.identity.proof import with_place
from ...algebra.identity.prove import prove_all
from ...algebra.identity.rank import rank
from ...errors import EquamoError, ExpressionError, FileFormatError
from ...robot.model import Robot
from ...robot.model.check import inertia_findings
from ..equations import FORMULATIONS, EquationsOfMotion, derive
from ..equations.derive import derived_once
from ..equations.digests import equations_digest
from ..equations.storage import choices_to_data
from ..formulations.boltzmann_hamel import boltzmann_hamel
from .assembled import assembly_remarks
from .certificate import Certificate, Line
from .definiteness import definiteness
from .expect import expect_as_derived
from .identities import (
    FORWARD,
    LOCK,
    REPLACED,
    entry_names,
    identities,
    no_boltzmann_hamel,
    not_applicable,
    of_given,
    solved,
)
from .sides import residuals

Progress = Callable[[str], None]

_SINGULAR: Final = "the mass matrix is singular"
_REPLACED: Final = (
    f"symbols were replaced after the derivation: lines without {REPLACED[2:]!r} are about the "
    "equations before that"
)


@final
class Statement:
    """Derivations of a robot and identities between them; each certificate is a new proof."""

    robot: Robot

    def __init__(self, subject: Robot | EquationsOfMotion, say: Progress) -> None:
        self._clock = _Clock()
        self._remarks: tuple[str, ...] = ()
        equations: EquationsOfMotion | None = None
        self.given: EquationsOfMotion | None = None  # other than those that `equations` will hold
        if isinstance(subject, EquationsOfMotion):
            expect_as_derived(subject, "prove()")
            equations = subject
            if not is_plain(subject):
                self.given = subject
            if equations.replaced is not None:
                equations, self._remarks = equations.replaced.whole, (_REPLACED,)
            self.robot = equations.robot
        else:
            self.robot = subject
        start = time.perf_counter()
        self.equations: dict[str, EquationsOfMotion] = self._derive(equations, say)
        say("building the identities")
        self._not_applicable = not_applicable(self.robot)
        self._unwritten: dict[str, Proof] = {}  # identities whose sides could not be written down
        self._groups = self._write()
        self._solved = self._write_solved()
        self._digests = digests(self.equations, self.given)
        self._seconds = time.perf_counter() - start

    def _derive(
        self, equations: EquationsOfMotion | None, say: Progress
    ) -> dict[str, EquationsOfMotion]:
        """Equations by every formulation; given ones replace that of their own formulation."""
        derived: dict[str, EquationsOfMotion] = {}
        for by in FORMULATIONS:
            name = by.replace("_", " ")
            say(f"deriving by {name}")
            with self._clock.measure(f"derived by {name}"):
                if equations is not None and equations.by == by:
                    derived[by] = _with_christoffel(equations)
                else:
                    derived[by] = derive(self.robot, by=by)
        if not no_boltzmann_hamel(self.robot):
            with self._clock.measure("derived by boltzmann hamel"):
                by = "boltzmann_hamel"
                d = derived_once(self.robot, by, lambda: boltzmann_hamel(self.robot))
                derived[by] = EquationsOfMotion(self.robot, by, d)
        if equations is not None and equations.by not in FORMULATIONS:
            derived[equations.by] = _with_christoffel(equations)
        return derived

    def _write(self) -> dict[str, list[Expr]]:
        """Residuals of the identities as {name: left − right of each entry}."""
        groups: dict[str, list[Expr]] = {}
        for name, build in (*identities(self.equations), *of_given(self.equations, self.given)):
            try:
                with self._clock.measure(name):
                    groups[name] = residuals(build())
            except EquamoError as error:
                if name == LOCK and isinstance(error, ExpressionError):  # a division by a speed
                    self._not_applicable.append(f"{name}: {error}")
                else:
                    self._unwritten[name] = Proof("undecided", reason=str(error))
        return groups

    def _write_solved(self) -> dict[str, list[Expr]]:
        """Residuals of the identities of accelerations that can be solved for."""
        groups: dict[str, list[Expr]] = {}
        for name, build in solved(self.equations):
            try:
                with self._clock.measure(name):
                    groups[name] = residuals(build())
            except EquamoError as error:  # such as a zero on the diagonal of the factors of M
                if isinstance(error, ExpressionError) and self._is_singular(name):
                    self._not_applicable.append(f"{name}: {_SINGULAR}")
                else:
                    self._unwritten[name] = Proof("undecided", reason=str(error))
        return groups

    def _is_singular(self, name: str) -> bool:
        """Whether accelerations are undetermined because M, or [M Aᵀ; A 0], is known to be singular."""
        try:
            return self._has_singular_matrix(name)
        except ExpressionError:  # it has no rank at any point that could be drawn
            return False

    def _has_singular_matrix(self, name: str) -> bool:
        eom = self.equations["recursive"]
        if name == FORWARD:
            return rank(eom.mass_matrix, self.robot.unit_groups) < len(eom.v)
        from ..equations.mobility import independent_rows  # imports NumPy

        M, A = derive(self.robot.tree).mass_matrix, Matrix([r.A for r in self.robot.rows])
        A = Matrix([A.rows[i] for i in independent_rows(self.robot)])
        whole = blocks([[M, A.T], [A, zeros(len(A), len(A))]])
        return rank(whole, self.robot.unit_groups) < len(whole)

    def certificate(self, error_bits: int, seed: int, say: Progress) -> Certificate:
        """Prove every identity at the random points of a seed."""
        say("evaluating at random points of a finite field")
        start = time.perf_counter()
        seconds = dict(self._clock.seconds)
        clock = _Clock()
        groups, without = self._groups, list(self._not_applicable)
        eom = self.equations["recursive"]
        # So that the sum over the lines keeps the bound.
        share = error_bits + (len(groups) + len(self._solved)).bit_length()
        options: dict[str, Any] = {
            "unit": self.robot.unit_groups,
            "error_bits": share,
            "seed": seed,
        }
        with clock.measure("proved at random points"):
            proofs = prove_all(list(groups.values()), **options)
        lines = {n: with_place(p, entry_names(n, eom)) for n, p in zip(groups, proofs, strict=True)}
        for name, residual in self._solved.items():
            with clock.measure(name):
                proof = prove_all([residual], **options)[0]
            seconds[name] += clock.seconds.pop(name)
            if proof.verdict == "undecided" and self._is_singular(name):
                without.append(f"{name}: {_SINGULAR}")
            else:
                lines[name] = proof
        lines |= self._unwritten
        seconds |= clock.seconds
        stages = [(n, s) for n, s in seconds.items() if n not in lines and n not in self._solved]
        remarks = (
            definiteness(eom, seed % 2**32),
            *map(str, inertia_findings(self.robot)),
            *assembly_remarks(self.robot),
        )
        return Certificate(
            robot=self.robot,
            lines=tuple(Line(n, p, seconds.get(n, 0.0)) for n, p in lines.items()),
            not_applicable=tuple(without),
            remarks=(*remarks, *self._remarks),
            seed=seed,
            error_bits=error_bits,
            stages=tuple(stages),
            seconds=self._seconds + time.perf_counter() - start,
            derivations={by: x.derivation for by, x in self.equations.items()},
            equations=self._digests,
            choices=None if self.given is None else choices_to_data(self.given),
        )


def digests(
    eoms: Mapping[str, EquationsOfMotion], given: EquationsOfMotion | None
) -> dict[str, str]:
    """Digest of the equations by each formulation, and of given ones that differ from these.

    Empty for a robot that cannot be stored, because it has a user's own force element.
    """
    try:
        found = {by: equations_digest(x) for by, x in eoms.items()}
        return (
            found if given is None else found | {f"{given.by}, as given": equations_digest(given)}
        )
    except FileFormatError:
        return {}


def is_plain(eom: EquationsOfMotion) -> bool:
    """Whether equations have Christoffel's Coriolis matrix, and no symbol was replaced."""
    return eom.replaced is None and eom.coriolis == "christoffel"


def _with_christoffel(eom: EquationsOfMotion) -> EquationsOfMotion:
    """Equations with Christoffel's Coriolis matrix, which the identities are about."""
    if eom.coriolis == "christoffel":
        return eom
    return EquationsOfMotion(eom.robot, eom.by, eom.derivation)


class _Clock:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def measure(self, name: str) -> Generator[None]:
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start

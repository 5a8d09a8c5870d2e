"""The head of a generated file, read back: every digest and claim in it is compared or proved again.

A line of a header that starts like a claim must be one that equamo writes, and it must hold for the
given equations. So a file cannot say more than is proved of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, final

from ...algebra.identity import Proof
from ...algebra.identity.prove import ERROR_BITS
from ...mechanics.certificate import prove, proved
from ...mechanics.equations.digests import equations_digest, robot_digest
from ...mechanics.equations.equations import EquationsOfMotion
from ..ir.program import Dtype
from .program_proof import OWN
from .provenance import (
    CERTIFICATE,
    DERIVATION,
    EQUATIONS,
    MODEL,
    agreement,
    derivation_line,
    robot_line,
)
from .targets.target import comment

_MOST_BITS: Final = 1_000  # a stronger bound would take too long to prove
_MARKS: Final = " \t\r/*%#-+.:>!|=_~"  # of comments and lists
_STARTS: Final = ("Certificate", "Programs:", "Text:", "Equations:", "Robot:", DERIVATION)
_START: Final = re.compile(
    "|".join(re.escape(x) + r"(?![\w.])" * x.isalpha() for x in _STARTS), re.I
)
_BLOCK: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_FILE: Final = re.compile(r"\b\w+\.\w+")
_SPEAKS: Final = re.compile(r"\b(?:proved|proven|proof|certified|certificate|verified)\b", re.I)
_COMMENT: Final = re.compile(r"\s*(?://|#(?!\w)|%)")
# Comments with names of the robot in them, and those on arguments and functions (`described`).
_NAMES: Final = re.compile(
    r"(?:Renamed|Source|Without|Redundant|Derivatives)\b.*|\d+ .*|\w+ \(\d+\).*"
    r"|.*; (?:no operations|\d+ (?:multiplication|addition|division|pair of sine|other function).*)"
)
_BOUND: Final = r"(?:exactly|error at most 2\^-(?P<bits>\d{1,9}) in all)\."
_ROBOT: Final = re.compile(rf"Robot: .*, {MODEL} (?P<sha>[0-9a-f]{{64}})")
_EQUATIONS: Final = re.compile(rf"{EQUATIONS} (?P<sha>[0-9a-f]{{64}})")
_CERTIFICATE: Final = re.compile(rf"{CERTIFICATE} (?P<what>[^()]*), {_BOUND}")
_PROGRAMS: Final = re.compile(
    r"Programs: (?P<others>the other )?(?P<count>\d{1,9})(?(others)| functions?) proved equal to these "
    rf"equations(?P<own> {re.escape(OWN)})?, constants exact, {_BOUND}"
)
_TEXT: Final = re.compile(
    "Text: every function was read back from disk and proved to be its program, each constant rounded "
    r"to (?P<dtype>float32|float64)\."
)
_MODEST: Final = re.compile(  # lines that claim no proof
    r"Certificate: none was given; these equations were not proved here\."
    r"|Certificate: NOT all of .*|Programs: not proved to be these equations\."
    r"|Programs: .* is NOT PROVED, undecided: .*"
)


@final
@dataclass(frozen=True)
class Header:
    """Lines of a file that are or look like claims, without the marks of comments.

    >>> head = Header.read(b" * Programs: 2 functions proved, honestly.")
    >>> head.lines
    ('Programs: 2 functions proved, honestly.',)
    """

    lines: tuple[str, ...]

    @staticmethod
    def read(data: bytes) -> Header:
        """Claims in the bytes of a file, each once."""
        text = data.decode("latin-1")
        inside = {x for block in _BLOCK.findall(text) for x in block.splitlines()}
        found: dict[str, None] = {}
        for line in text.splitlines():
            plain = line.lstrip(_MARKS).rstrip(" \t\r*/")
            is_comment = line in inside or _COMMENT.match(line) is not None
            speaks = is_comment and _SPEAKS.search(_FILE.sub("", plain)) is not None
            if _START.match(plain) or (speaks and not _NAMES.fullmatch(plain)):
                found[plain] = None
        return Header(tuple(found))

    @property
    def error_bits(self) -> int:
        """Bits of the strongest bound that is claimed for programs and can be proved again."""
        claimed = (int(m["bits"] or 0) for m in map(_PROGRAMS.fullmatch, self.lines) if m)
        return max((n for n in claimed if n <= _MOST_BITS), default=0)

    def prove(
        self, eom: EquationsOfMotion, file: ProvedFile, comments: Sequence[str] = ()
    ) -> Proof | None:
        """Prove every claim again, for these equations; None if there is no line to judge.

        `comments` is what is wrong with the other comments of the file.
        """
        if not self.lines and not comments:
            return None
        wrong = [reason for line in self.lines for reason in _wrong(line, eom, file)]
        wrong += comments
        claims = any(map(_CERTIFICATE.fullmatch, self.lines))
        if claims and not any(map(_EQUATIONS.fullmatch, self.lines)):
            wrong.append("a certificate must name the digest of its equations, got none")
        return Proof("refuted", reason="; ".join(wrong)) if wrong else Proof("proved")


@final
@dataclass(frozen=True)
class ProvedFile:
    """What was proved of a file: of each function its text and its program, with `error_bits`."""

    functions: Sequence[tuple[Proof, Proof]]
    dtypes: tuple[Dtype, ...]  # types that its numbers can have; none if it could not be read
    is_whole: bool  # whether it has all functions of its package
    has_own: bool  # whether one of them is a user's own


def _wrong(line: str, eom: EquationsOfMotion, file: ProvedFile) -> Iterable[str]:
    """What is wrong with a line."""
    if m := _ROBOT.fullmatch(line):
        if m["sha"] != robot_digest(eom.robot):
            yield (
                f"the header names another model than robot {eom.robot.name!r}; pass the robot that the "
                "file was generated from"
            )
        elif line != (expected := comment(robot_line(eom.robot))):
            yield f"the header must say {expected[:80]!r}, got {line[:80]!r}"
    elif line.startswith(DERIVATION):
        if line != (expected := comment(derivation_line(eom))):
            yield f"the header must say {expected!r}, got {line[:80]!r}"
    elif m := _EQUATIONS.fullmatch(line):
        if m["sha"] != equations_digest(eom):
            yield (
                f"the header names other equations than those by {eom.by}; derive them as they were for "
                "generate, on the command line --by FORMULATION"
            )
    elif m := _CERTIFICATE.fullmatch(line):
        yield from _certificate(m, eom)
    elif m := _PROGRAMS.fullmatch(line):
        yield from _programs(m, file)
    elif m := _TEXT.fullmatch(line):
        if m["dtype"] not in file.dtypes or not all(text for text, _ in file.functions):
            yield f"the header claims that the text is proved, in {m['dtype']}, but it is not"
    elif not _MODEST.fullmatch(line):
        yield f"a claim must be one that equamo writes, got {line[:80]!r}; generate the file again"


def _certificate(claim: re.Match[str], eom: EquationsOfMotion) -> Iterable[str]:
    """What is wrong with the claim of a certificate; the equations are proved again."""
    bits = int(claim["bits"] or 0)
    if bits > _MOST_BITS:
        yield f"an error of 2^-{bits} is too small to be proved again"
        return
    certificate = proved(eom)
    if certificate.bound_bits > -bits:
        certificate = prove(eom, error_bits=max(bits, ERROR_BITS))
    if not certificate.ok:
        yield "the header claims a certificate, but not all identities of these equations are proved"
    elif claim["what"] != agreement(eom, certificate) or (not bits and certificate.bound_bits < 0):
        yield f"the header must claim {agreement(eom, certificate)!r}, got {claim['what']!r}"


def _programs(claim: re.Match[str], file: ProvedFile) -> Iterable[str]:
    """What is wrong with the claim of proved programs."""
    count, bits = int(claim["count"]), int(claim["bits"] or 0)
    programs = [program for _, program in file.functions]
    proved = sum(map(bool, programs))
    if bits > _MOST_BITS:
        yield f"an error of 2^-{bits} is too small to be proved again"
    if file.has_own and not claim["own"]:
        yield f"a header of a user's own functions must say {OWN!r}"
    if not bits and any(p.bound_bits is not None for p in programs):
        yield "the header claims that programs are proved exactly, but only a bound is"
    if (
        (file.is_whole and count != proved)
        or count < proved
        or not (claim["others"] or all(programs))
    ):
        yield f"the header claims {count} proved programs, got {proved} of {len(programs)}"

"""Certificate: verdicts on all identities of a robot, which can be printed, saved and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any, Final, cast, final
from unicodedata import combining

from ..._version import __version__
from ...algebra.identity import Proof
from ...algebra.identity.proof import log2_sum, power_of_two
from ...basics.attached import give_reprs
from ...basics.wording import brief, counted
from ...errors import EquamoError, FileFormatError
from ...robot.formats.json_file import digest, read_body
from ...robot.formats.text_file import write_text
from ...robot.model import Robot
from ...robot.model.storage import robot_from_data, robot_to_data
from ..equations.constrained import is_augmented
from ..equations.digests import robot_digest
from ..formulations.derivation import Derivation

KIND: Final = "equamo certificate"
VERSION: Final = 4
AS_STORED: Final = "as stored, not proved in this process"

_PROVED: Final[set[str]] = set()  # digests of the certificates that this process proved


@final
@dataclass(frozen=True, slots=True)
class Line:
    """One identity and its proof."""

    name: str
    proof: Proof
    seconds: float = field(compare=False)  # time to build the identity; all are proved together


@final
@dataclass(frozen=True)
class Certificate:
    """Verdicts on all identities of a robot; `ok` only if every line is proved."""

    robot: Robot  # robot that was proved
    lines: tuple[Line, ...]  # identities with their proofs
    not_applicable: tuple[str, ...]  # identities that do not apply, with reasons
    remarks: tuple[str, ...]  # on the robot and its proofs
    seed: int  # seed of the random primes and points
    error_bits: int  # requested n: the probability of a wrong verdict is ≤ 2⁻ⁿ
    stages: tuple[tuple[str, float], ...] = field(compare=False)  # (stage, seconds)
    seconds: float = field(compare=False)  # time of all proofs
    # Derivations that were proved, by formulation; empty if it was loaded.
    derivations: Mapping[str, Derivation] = field(
        default_factory=dict[str, Derivation], compare=False, repr=False
    )
    # Of compiled functions: which, as plain data, so that `check_file` can prove them again.
    code: Mapping[str, Any] | None = field(default=None, repr=False)
    # SHA-256 of the equations that the lines are about, by formulation, and of those that were given.
    equations: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)
    # Formulation, Coriolis matrix and substitutions of given equations, so that they can be made again.
    choices: Mapping[str, Any] | None = field(default=None, repr=False, hash=False)

    @property
    def ok(self) -> bool:
        """Whether every line is proved, and there is one; `is_proved_here` says who says so."""
        return bool(self.lines) and all(line.proof for line in self.lines)

    @property
    def is_proved_here(self) -> bool:
        """Whether this process proved exactly these lines of these equations.

        If not, the certificate was loaded, or changed: it says what a file says. `eq.check_file` proves
        a file again. Everything that prints a certificate as a proof requires this.

        >>> from dataclasses import replace
        >>> from equamo.mechanics.certificate import prove
        >>> from equamo.robot.library import load
        >>> certificate = prove(load("rr_arm"))
        >>> fewer = replace(certificate, lines=certificate.lines[1:])
        >>> certificate.is_proved_here, fewer.is_proved_here
        (True, False)
        """
        return digest(self._statement()) in _PROVED

    def __bool__(self) -> bool:
        return self.ok

    @property
    def bound_bits(self) -> float:
        """log₂ of the bound on the probability that any proved line is wrong: a sum over the lines.

        -inf if all proofs are exact.
        """
        bits = [p.bound_bits for p in self._proofs() if p.bound_bits is not None]
        return min(log2_sum(bits), 0.0) if bits else -inf

    def _proofs(self) -> list[Proof]:
        return [line.proof for line in self.lines]

    def __str__(self) -> str:
        augmented = is_augmented(self.robot)  # constraint rows remove some degrees of freedom
        freedom = counted(len(self.robot.v), "joint speed" if augmented else "degree of freedom")
        parameters = counted(len(self.robot.parameters), "parameter")
        what = "" if self.code is None else "the compiled functions of "
        head = f"Certificate of {what}{self.robot.name}: {freedom}, {parameters}"
        width = max((len(line.name) for line in self.lines), default=0)
        rows = [head, ""]
        rows += [f"  {_padded(line.name, width)}  {_verdict(line.proof)}  {_time(line.seconds)}"
                 for line in self.lines]  # fmt: skip
        rows += [f"  does not apply: {x}" for x in self.not_applicable]
        rows.append("")
        rows += [f"  {name:<{width}}  {'':<22}  {_time(s)}" for name, s in self.stages]
        rows += [f"  {x}" for x in self.remarks]
        proved = sum(bool(p) for p in self._proofs())
        rows.append(f"{self.verdict}: {proved} of {len(self.lines)} in {self.seconds:.2f} s, "
                    f"{_bound(self.bound_bits)}, seed {self.seed}")  # fmt: skip
        return "\n".join(rows)

    def __repr__(self) -> str:
        proved = sum(bool(p) for p in self._proofs())
        stored = "" if self.is_proved_here else f" {AS_STORED}"
        return (
            f"<certificate of robot {self.robot.name!r}: {proved} of {len(self.lines)} lines proved"
            f"{stored}, {_bound(self.bound_bits)}>"
        )

    @property
    def verdict(self) -> str:
        """Verdict on all lines, in words; it says if they were not proved in this process."""
        verdict = "all proved" if self.ok else "NOT all proved"
        return verdict if self.is_proved_here else f"{verdict} {AS_STORED}"

    # -- files -----------------------------------------------------------------------------------------
    def to_data(self) -> dict[str, Any]:
        """Convert to plain data, with digests of the robot and of its equations by each formulation."""
        body = {"robot": robot_to_data(self.robot), **self._statement()}
        return {"kind": KIND, "version": VERSION, "sha256": digest(body), "certificate": body}

    def _statement(self) -> dict[str, Any]:
        """All that is said, of a robot that its digest names."""
        try:
            robot = robot_digest(self.robot)
        except (
            FileFormatError
        ):  # it has a user's own force element; such a certificate is not saved
            robot = f"object {id(self.robot)}"
        return {
            "robot_sha256": robot,
            "equations_sha256": dict(self.equations),
            "choices": None if self.choices is None else dict(self.choices),
            "lines": [
                {
                    "name": line.name,
                    "verdict": line.proof.verdict,
                    "bound_bits": line.proof.bound_bits,
                    "degree": str(line.proof.degree),
                    "trials": line.proof.trials,
                    "prime_bits": line.proof.prime_bits,
                    "seconds": round(line.seconds, 6),
                }
                for line in self.lines
            ],
            "not_applicable": list(self.not_applicable),
            "remarks": list(self.remarks),
            "seed": str(self.seed),
            "error_bits": self.error_bits,
            "code": None if self.code is None else dict(self.code),
            "seconds": round(self.seconds, 6),
            "equamo": __version__,
        }

    def save(self, path: str | Path) -> None:
        """Write the certificate as JSON; `check_file` recomputes every entry."""
        text = json.dumps(self.to_data(), indent=1, ensure_ascii=False)
        write_text(path, text + "\n", ".json")

    def export(self, path: str | Path) -> None:
        """Write both sides of every line as a straight-line program, for a checker that is not equamo.

        `python checker/check.py FILE`, a single file of the repository, draws primes and points of its
        own and accepts or rejects. docs/theory/proofs.md says what that shows.

        Args:
            path: The file, JSON.

        Raises:
            EquamoError: a line is not proved.
            FileFormatError: the file cannot be written.

        >>> import json, tempfile
        >>> from pathlib import Path
        >>> from equamo.mechanics.certificate import prove
        >>> from equamo.robot.library import load
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     prove(load("rr_arm")).export(f"{folder}/proof.json")
        ...     data = json.loads(Path(folder, "proof.json").read_text("utf-8"))
        >>> data["circles"][-1], data["identities"][0]["name"]
        (['cos(q2)', 'sin(q2)'], 'kane = lagrange')
        """
        from .export import export  # it writes down again what the statement proves

        export(self, path)

    @staticmethod
    def load(path: str | Path) -> Certificate:
        """Read a saved certificate without proving anything again; `check_file` does that.

        What it says is what the file says: `is_proved_here` is False, unless this process wrote the
        file, and nothing prints it as a proof. Counterexamples and the times of the stages are not
        stored in the file.

        Args:
            path: File that `save` wrote.

        Returns:
            The certificate, equal to the one that was saved if all its lines are proved.

        Raises:
            FileFormatError: The file is damaged, or of another kind or version.

        >>> import tempfile
        >>> from equamo.mechanics.certificate import prove
        >>> from equamo.robot.library import load
        >>> certificate = prove(load("rr_arm"))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     certificate.save(f"{folder}/arm.json")
        ...     Certificate.load(f"{folder}/arm.json").lines == certificate.lines
        True
        """
        stored = read_body(path, KIND, VERSION, "certificate")
        try:
            return Certificate(
                robot=robot_from_data(stored["robot"]),
                lines=_lines(stored["lines"]),
                not_applicable=tuple(str(x) for x in stored["not_applicable"]),
                remarks=tuple(str(x) for x in stored["remarks"]),
                seed=int(stored["seed"]),
                error_bits=int(stored["error_bits"]),
                stages=(),
                seconds=float(stored["seconds"]),
                code=_table(stored["code"]),
                equations={
                    str(n): str(x) for n, x in (_table(stored["equations_sha256"]) or {}).items()
                },
                choices=_table(stored["choices"]),
            )
        except EquamoError as error:
            raise FileFormatError(f"{path}: {error}") from None
        except (LookupError, TypeError, ValueError, ArithmeticError) as error:
            raise FileFormatError(
                f"{path}: the certificate is damaged; an entry could not be read: {brief(error)}."
            ) from None


give_reprs(Certificate)


def witness(certificate: Certificate) -> None:
    """Remember that this process proved this certificate; only provers call this."""
    _PROVED.add(digest(certificate._statement()))  # pyright: ignore[reportPrivateUsage]


def _table(data: Any) -> dict[str, Any] | None:
    if data is not None and not isinstance(data, dict):
        raise FileFormatError(
            f"code, choices and digests must be null or tables, got {brief(data)}."
        )
    return cast(dict[str, Any] | None, data)


def _lines(data: list[dict[str, Any]]) -> tuple[Line, ...]:
    if not data:
        raise FileFormatError("a certificate must have at least one line.")
    return tuple(_line(x) for x in data)


def _line(data: dict[str, Any]) -> Line:
    bits, verdict = data["bound_bits"], data["verdict"]
    if verdict not in ("proved", "refuted", "undecided"):
        raise FileFormatError(
            f"a verdict must be 'proved', 'refuted' or 'undecided', got {brief(verdict)}."
        )
    proof = Proof(
        verdict,
        None if bits is None else float(bits),
        int(data["degree"]),
        int(data["trials"]),
        int(data["prime_bits"]),
        reason="" if verdict != "undecided" else "the reason is not stored in the file",
    )
    return Line(str(data["name"]), proof, float(data["seconds"]))


def _verdict(proof: Proof) -> str:
    if proof.verdict != "proved":
        return str(proof)
    if proof.bound_bits is None:
        return f"{'proved exactly':<22}"
    return f"{'proved, ≤ ' + power_of_two(proof.bound_bits):<22}"


def _bound(bits: float) -> str:
    return f"error ≤ {power_of_two(bits)} in all" if bits > -inf else "exactly"


def _padded(text: str, width: int) -> str:
    """Pad by visible width: combining characters such as the dot of v̇ have none."""
    return text + " " * (width - sum(not combining(c) for c in text))


def _time(seconds: float) -> str:
    return f"{1000 * seconds:7.1f} ms"

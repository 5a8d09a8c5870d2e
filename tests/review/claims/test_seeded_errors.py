"""Single errors put into true entries: all are found, nearly all are mended by as small an edit."""

import pytest

from conftest import WHOLE_SWEEPS
from equamo.mechanics.equations import derive
from equamo.review.claims import audit, claim
from equamo.review.claims.finding import Finding
from equamo.robot.catalog import load
from review.claims.seeded_errors import ROBOTS, Seeded, seeded_errors

COUNT, AMONG = (
    (500, ROBOTS) if WHOLE_SWEEPS else (40, ("rr_arm", "rp_arm", "wheeled_inverted_pendulum"))
)
Outcome = list[tuple[Seeded, Finding]]


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    seeds = list(seeded_errors(COUNT, seed=7, robots=AMONG))
    found: Outcome = []
    for robot in AMONG:
        own = [s for s in seeds if s.robot == robot]
        claims = [claim(str(i), s.kind, s.edited, s.quantity) for i, s in enumerate(own)]
        report = audit(claims, derive(load(robot), by="kane"), seed=1)
        found += zip(own, report.findings, strict=True)
    return found


@pytest.mark.needs("sympy")
@pytest.mark.ci
def test_every_error_is_found(outcome: Outcome) -> None:
    assert len(outcome) == COUNT
    assert not [s for s, f in outcome if f.verdict not in ("wrong", "convention")]


@pytest.mark.needs("sympy")
def test_suggested_edits_are_no_larger_than_the_seeded_ones(outcome: Outcome) -> None:
    small = 0
    for s, f in outcome:
        suggestion = f.entries[0].suggestion
        small += suggestion is not None and suggestion.size <= s.size
    assert small >= 0.9 * COUNT, f"{small} of {COUNT}"


def test_true_entries_are_proved() -> None:
    from review.claims.seeded_errors import true_entries

    for robot in AMONG:
        eom = derive(load(robot), by="lagrange")
        entries = [(q, e) for _, q, e in true_entries([robot])]
        claims = [claim(q, "", e, q) for q, e in entries]
        assert audit(claims, eom, seed=1).ok

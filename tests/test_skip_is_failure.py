"""Under CI a skipped test is a failure; an expected failure is not."""

import pytest

from skip_is_failure import SkipIsFailure


def report(outcome: str) -> pytest.TestReport:
    return pytest.TestReport("test_a", ("a.py", 1, "test_a"), {}, outcome, "because", "call")  # type: ignore[arg-type]


@pytest.mark.parametrize("outcome", ["passed", "failed", "skipped"])
def test_only_a_skip_becomes_a_failure(outcome: str) -> None:
    judged = report(outcome)
    SkipIsFailure.judge(judged)
    assert judged.outcome == ("failed" if outcome == "skipped" else outcome)
    assert ("under CI: because" in str(judged.longrepr)) == (outcome == "skipped")


def test_an_expected_failure_is_none() -> None:
    judged = report("skipped")
    judged.wasxfail = "reason"
    SkipIsFailure.judge(judged)
    assert judged.outcome == "skipped"


def test_a_file_that_is_skipped_is_a_failure() -> None:
    judged = pytest.CollectReport("a.py", "skipped", "because", [])
    SkipIsFailure.judge(judged)
    assert judged.outcome == "failed"

"""Under CI a skipped test is a failure, so that no test is left out unnoticed."""

from __future__ import annotations

from collections.abc import Generator

import pytest


class SkipIsFailure:
    """A skipped test, doctest or test file fails. An expected failure (xfail) is not a skip."""

    @staticmethod
    def judge(report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.outcome == "skipped" and not hasattr(report, "wasxfail"):
            report.outcome = "failed"
            report.longrepr = f"skipped, which is a failure under CI: {report.longrepr}"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        self.judge(report)
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self,
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        self.judge(report)
        return report

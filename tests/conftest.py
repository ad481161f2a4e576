"""What holds for all tests: the last line of a run says what was left out, and what would run it."""

from __future__ import annotations

from collections.abc import Generator, Iterable

import pytest

SKIPPED = "Skipped: "
"""What pytest puts before a reason."""


def not_run(reasons: Iterable[str]) -> str:
    """One line of everything that was left out, each reason once and with how many tests it kept out."""
    counted: dict[str, int] = {}
    for reason in reasons:
        counted[reason] = counted.get(reason, 0) + 1
    if not counted:
        return "Not run: nothing."
    return "Not run: " + ", ".join(reason if n == 1 else f"{reason}: {n} tests" for reason, n in counted.items()) + "."


def reasons_of(reports: Iterable[pytest.TestReport | pytest.CollectReport]) -> list[str]:
    """Why each of these was skipped; a report without a reason tells nothing and is left out."""
    return [report.longrepr[2].removeprefix(SKIPPED) for report in reports if isinstance(report.longrepr, tuple)]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None]:
    """Print that line after all that pytest prints itself; a worker of xdist has no terminal and says nothing."""
    yield
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None:
        terminal.write_line(not_run(reasons_of(terminal.stats.get("skipped", []))))

"""What holds for all tests: a run's last lines say what passed at a second try alone, and what was left out."""

import gc
import os
import shutil
from collections import Counter
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")  # how long a busy machine takes to draw an example says nothing of what is tested

SKIPPED = "Skipped: "
"""What pytest puts before a reason."""


IN_MEMORY, ROOM = Path("/dev/shm"), 2 << 30
"""Where the tests' files lie, if so many bytes are free: SQLite waits for a disk at every event."""


def pytest_configure() -> None:
    """Have temporary folders made in memory, unless the user says where."""
    if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the files as workers of xdist are to take them up: those marked `long`, then by their number of tests, so
    that at the end of a run no worker is left alone with a long one."""
    long = {item.path for item in items if item.get_closest_marker("long")}
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.path not in long, -tests[item.path]))


def pytest_collection_finish() -> None:
    """Spare the garbage collector what lives until the end: every module and every test. It would go through them all
    again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def not_run(reasons: Iterable[str]) -> str:
    """One line of everything that was left out, each reason once and with how many tests it kept out."""
    counted: dict[str, int] = {}
    for reason in reasons:
        counted[reason] = counted.get(reason, 0) + 1
    if not counted:
        return "Not run: nothing."
    return "Not run: " + ", ".join(reason if n == 1 else f"{reason}: {n} tests" for reason, n in counted.items()) + "."


def second_tries(tests: Iterable[str]) -> str | None:
    """One line of what failed once and was tried again (`--reruns`), each test once; None where nothing was."""
    named = sorted(set(tests))
    return f"Tried twice, which is a defect to mend: {', '.join(named)}." if named else None


def reasons_of(reports: Iterable[pytest.TestReport | pytest.CollectReport]) -> list[str]:
    """Why each of these was skipped; a report without a reason tells nothing and is left out."""
    return [report.longrepr[2].removeprefix(SKIPPED) for report in reports if isinstance(report.longrepr, tuple)]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None]:
    """Print those lines after all that pytest prints itself; a worker of xdist has no terminal and says nothing."""
    yield
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None:
        if (again := second_tries(report.nodeid for report in terminal.stats.get("rerun", []))) is not None:
            terminal.write_line(again)
        terminal.write_line(not_run(reasons_of(terminal.stats.get("skipped", []))))

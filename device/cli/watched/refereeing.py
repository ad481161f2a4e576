"""`inkeek watch`, put together: the recording, those who follow it, and what is written of it."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from device.cameras.choose import camera_of_file
from device.cli.watched.followed import Followed
from device.cli.watched.lines import Lines
from device.cli.watching import Match, Watcher, live_watcher
from device.evidence.reading_log import new_log

if TYPE_CHECKING:
    from device.cli.watched.report import Report
    from device.cli.watched.terminal import Terminal


@dataclass(frozen=True, slots=True)
class Asked:
    """What `inkeek watch` was asked for. log, report: files that are written, None for none."""

    video: Path
    match: Match
    live: bool = False
    log: Path | None = None
    report: Path | None = None
    as_json: bool = False


def referee(asked: Asked) -> None:
    """Referee the recording. Raises as `Watcher.run`, and `ReportError` where the report cannot be written."""
    with ExitStack() as stack:
        camera, name = camera_of_file(asked.video), asked.video.name
        report = None if asked.report is None else _report(asked.report, name, asked.match)
        log = None if asked.log is None else stack.enter_context(new_log(asked.log))
        for_people = sys.stdout.isatty() and not asked.as_json
        said = stack.enter_context(_terminal(name)) if for_people else Lines(asked.as_json)
        film = Followed(camera, [said] if report is None else [report, said])
        watcher = live_watcher(film, asked.match, film.emit, log, said.say) if asked.live else Watcher(
            film, asked.match, film.emit, log=log, say=said.say)
        watcher.run()
        if report is not None:
            report.write()


def _terminal(name: str) -> Terminal:
    """What people see in their terminal. Rich is imported for them alone."""
    from rich.console import Console

    from device.cli.watched.terminal import Terminal

    return Terminal(Console(highlight=False), name)


def _report(path: Path, name: str, match: Match) -> Report:
    from device.cli.watched.report import Report

    return Report(path, name, match.rules)

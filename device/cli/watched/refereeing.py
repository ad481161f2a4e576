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
from device.cli.watching import Match, Watcher, live_watcher, nothing
from device.evidence.reading_log import new_log

if TYPE_CHECKING:
    from device.cli.watched.report import Report
    from device.cli.watched.terminal import Terminal
    from device.cli.watched.video import Video


@dataclass(frozen=True, slots=True)
class Asked:
    """What `inkeek watch` was asked for. log, report, film: files that are written, None for none."""

    video: Path
    match: Match
    live: bool = False
    log: Path | None = None
    report: Path | None = None
    film: Path | None = None
    as_json: bool = False


def referee(asked: Asked) -> None:
    """Referee the recording. Raises as `Watcher.run`, and `OutputError` where report or film cannot be written."""
    with ExitStack() as stack:
        camera, name = camera_of_file(asked.video), asked.video.name
        report = None if asked.report is None else _report(asked.report, name, asked.match)
        log = None if asked.log is None else stack.enter_context(new_log(asked.log))
        for_people = sys.stdout.isatty() and not asked.as_json
        said = stack.enter_context(_terminal(name)) if for_people else Lines(asked.as_json)
        video = None if asked.film is None else stack.enter_context(_video(asked.film, asked.video))
        seen = Followed(camera, [one for one in (report, video, said) if one is not None])
        show = video.seen if video is not None else nothing
        watcher = live_watcher(seen, asked.match, seen.emit, log, said.say, show) if asked.live else Watcher(
            seen, asked.match, seen.emit, log=log, say=said.say, show=show)
        watcher.run()
        if report is not None:
            report.write()
        if video is not None:
            video.write()


def _terminal(name: str) -> Terminal:
    """What people see in their terminal. Rich is imported for them alone."""
    from rich.console import Console

    from device.cli.watched.terminal import Terminal

    return Terminal(Console(highlight=False), name)


def _video(path: Path, recording: Path) -> Video:
    from device.cli.watched.video import Video

    return Video(path, recording)


def _report(path: Path, name: str, match: Match) -> Report:
    from device.cli.watched.report import Report

    return Report(path, name, match.rules)

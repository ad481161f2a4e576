"""Put `inkeek watch` together: the recording, its followers, and the output files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from device.cameras.base import CameraError
from device.cameras.choose import camera_of_file
from device.cli.files import OutputError, check_output
from device.cli.watched.boards import for_people
from device.cli.watched.followed import Followed
from device.cli.watched.lines import Lines
from device.cli.watched.log_file import LogFile
from device.cli.watching import Match, Watcher, live_watcher, nothing

if TYPE_CHECKING:
    from device.cli.watched.report import Report
    from device.cli.watched.terminal import Terminal
    from device.cli.watched.video import Video


@dataclass(frozen=True, slots=True)
class Asked:
    """The arguments of `inkeek watch`. log, report, film: output files, None for none."""

    video: Path
    match: Match
    live: bool = False
    log: Path | None = None
    report: Path | None = None
    film: Path | None = None
    as_json: bool = False


def referee(asked: Asked) -> None:
    """Referee the recording. Raises as `Watcher.run`; `Unusable` and `OutputError` if an output file cannot be written;
    `CameraError` if the recording ends early, after all files are written."""
    _check_outputs(asked)
    with ExitStack() as stack:
        camera, name = camera_of_file(asked.video), asked.video.name
        report = None if asked.report is None else _report(asked.report, asked)
        log = None if asked.log is None else stack.enter_context(LogFile(asked.log))
        people = for_people(as_json=asked.as_json)
        said = stack.enter_context(_terminal(name)) if people else Lines(asked.as_json)
        video = None if asked.film is None else stack.enter_context(_video(asked.film, name))
        seen = Followed(camera, [one for one in (report, video, said) if one is not None])
        show = video.seen if video is not None else nothing
        watcher = live_watcher(seen, asked.match, seen.emit, log, said.say, show) if asked.live else Watcher(
            seen, asked.match, seen.emit, log=log, say=said.say, show=show)
        early = watcher.run()
        _write_out([one for one in (log, report, video) if one is not None])
    if early:
        raise CameraError(early)


def _check_outputs(asked: Asked) -> None:
    """Raise `Unusable` for an output file that cannot be written, before refereeing."""
    taken = [asked.video]
    for path, what, endings in ((asked.log, "a log", ()), (asked.report, "a report", (".html", ".htm")),
                                (asked.film, "a video", (".mp4",))):
        if path is not None:
            check_output(path, what, endings=endings, others=taken)
            taken.append(path)


def _write_out(files: Sequence[LogFile | Report | Video]) -> None:
    """Put every file in place, even if another one fails. Raises the first `OutputError`."""
    failed: OutputError | None = None
    for file in files:
        try:
            file.write_out()
        except OutputError as error:
            failed = failed or error
    if failed is not None:
        raise failed


def _terminal(name: str) -> Terminal:
    """The terminal's output for people; only this imports Rich."""
    from device.cli.watched.boards import console
    from device.cli.watched.terminal import Terminal

    return Terminal(console(), name)


def _video(path: Path, name: str) -> Video:
    from device.cli.watched.video import Video

    return Video(path, name)


def _report(path: Path, asked: Asked) -> Report:
    from device.cli.watched.report import Report

    film = asked.film or (asked.video if asked.video.is_file() else None)
    return Report(path, asked.video.name, asked.match.rules, film)

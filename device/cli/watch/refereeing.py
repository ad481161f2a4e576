"""Put `inkeek watch` together: the recording, its followers, and the output files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from device.cameras.base import Camera, CameraError
from device.cameras.choose import camera_of_file
from device.cli.boards import for_people
from device.cli.files import OutputError, check_output, unwritable
from device.cli.options import Unusable
from device.cli.watch.lines import Lines
from device.cli.watch.watcher import Match, Watcher, live_watcher, nothing
from device.evidence.reading_log import LogError, check_log_place
from device.system.replacement import Replacement
from vision.reading import Frame


class LogFile:
    """A log file in the making: `write_out` puts it in place. A context manager, which removes an unfinished file."""

    def __init__(self, path: Path) -> None:
        """path: the file, which may be an existing log. Raises `Unusable` or `OutputError`."""
        self._path = path
        self._failed: OSError | None = None
        try:
            check_log_place(path)
            self._file = Replacement(path)
            self._out = self._file.new.open("wb")
        except LogError as error:
            raise Unusable(str(error)) from None
        except OSError as error:
            raise unwritable(path, error) from error

    def __enter__(self) -> Self:
        """The log file, ready for bytes."""
        return self

    def __exit__(self, error: type[BaseException] | None, what: BaseException | None,
                 where: TracebackType | None) -> None:
        """Remove the file if it was not put in place."""
        self._file.__exit__(error, what, where)

    def write(self, data: bytes, /) -> None:
        """Write bytes. A disk error is reported only at the end, as the verdicts are worth more than the log."""
        if self._failed is None:
            try:
                self._out.write(data)
            except OSError as error:
                self._failed = error

    def close(self) -> None:
        """End the bytes; `write_out` follows."""
        try:
            self._out.close()
        except OSError as error:
            self._failed = self._failed or error

    def write_out(self) -> None:
        """Put the file in place. Raises `OutputError`."""
        self.close()
        try:
            if self._failed is not None:
                raise self._failed
            self._file.put()
        except OSError as error:
            raise unwritable(self._path, error) from error


class Follower(Protocol):
    """Follows a recording while it is refereed."""

    def frame(self, frame: Frame, duration_s: float | None) -> None:
        """Take the next frame, before the table. duration_s: the recording's, None if unknown."""

    def event(self, form: dict[str, Any]) -> None:
        """Take the next event, in its output form."""


class FollowedCamera(Camera):
    """A camera that gives the frames of a recording's camera, and shows them to its followers."""

    live = False

    def __init__(self, camera: Camera, followers: Sequence[Follower]) -> None:
        """camera: the recording's, not yet open; followers: get its frames, and the events by `emit`."""
        self._camera, self._followers, self.name = camera, followers, camera.name

    def open(self) -> None:
        """See `Camera.open`."""
        self._camera.open()

    def read(self, timeout_s: float) -> Frame | None:
        """See `Camera.read`."""
        frame = self._camera.read(timeout_s)
        if frame is not None:
            for follower in self._followers:
                follower.frame(frame, self._camera.duration_s)
        return frame

    def close(self) -> None:
        """See `Camera.close`."""
        self._camera.close()

    def emit(self, form: dict[str, Any]) -> None:
        """Pass an event to all followers, in order."""
        for follower in self._followers:
            follower.event(form)


if TYPE_CHECKING:
    from device.cli.watch.report import Report
    from device.cli.watch.terminal import Terminal
    from device.cli.watch.video import Video


@dataclass(frozen=True, slots=True)
class WatchArguments:
    """The arguments of `inkeek watch`. log, report, film: output files, None for none."""

    video: Path
    match: Match
    live: bool = False
    log: Path | None = None
    report: Path | None = None
    film: Path | None = None
    as_json: bool = False


def referee(asked: WatchArguments) -> None:
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
        seen = FollowedCamera(camera, [one for one in (report, video, said) if one is not None])
        show = video.seen if video is not None else nothing
        watcher = live_watcher(seen, asked.match, seen.emit, log, said.say, show) if asked.live else Watcher(
            seen, asked.match, seen.emit, log=log, say=said.say, show=show)
        early = watcher.run()
        _write_out([one for one in (log, report, video) if one is not None])
    if early:
        raise CameraError(early)


def _check_outputs(asked: WatchArguments) -> None:
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
    from device.cli.boards import console
    from device.cli.watch.terminal import Terminal

    return Terminal(console(), name)


def _video(path: Path, name: str) -> Video:
    from device.cli.watch.video import Video

    return Video(path, name)


def _report(path: Path, asked: WatchArguments) -> Report:
    from device.cli.watch.report import Report

    film = asked.film or (asked.video if asked.video.is_file() else None)
    return Report(path, asked.video.name, asked.match.rules, film)

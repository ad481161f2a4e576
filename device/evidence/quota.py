"""Keep evidence within its share of the disk: delete the oldest stills of legal moves, never those of fouls.

All evidence of the simulated table may be deleted, as nobody's game is lost, so a demo may run for months.
Several verdicts may name one still: the board after one move is the board before the next. A still counts as a legal
move's only if no other kind of verdict names it.
"""

import logging
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from device.journal.backup import stills
from device.journal.events import Event, EvidenceDropped, TableStarted, VerdictGiven

log = logging.getLogger(__name__)

LEAST_FREE = 200 << 20
"""Bytes to keep free on the disk, whatever the quota allows."""
ORPHAN_S = 3600.0
"""A file that no event names after this time was orphaned, by a power cut between file and event."""
EVERY = 16
"""Verdicts between two checks of the folder."""
SHARE = 0.9
"""Stills are deleted down to this share of the quota, so that not every move makes a deletion."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A file of evidence. size: bytes; written: its time of modification, seconds since 1970."""

    path: Path
    size: int
    written: float


class Quota:
    """Keeps a folder of evidence within its quota. `note` takes the journal's events, `tend` deletes."""

    def __init__(self, folder: Path, most: int, least_free: int = LEAST_FREE) -> None:
        """folder: the evidence folder; most: bytes that it may hold; least_free: bytes to keep free on the disk."""
        self._folder, self._most, self._least_free = folder, most, least_free
        self._kept: set[str] = set()
        self._may_go: dict[str, int] = {}
        self._names: dict[int, set[str]] = {}
        self._simulated = False
        self._warned = False
        self._noted = EVERY

    def note(self, events: Iterable[Event]) -> None:
        """Take in further events, in their order."""
        for event in events:
            if isinstance(event.body, TableStarted):
                self._simulated = event.body.told is not None and event.body.told.key == "camera.sim"
            names = {name for name, _ in stills([event])}
            about: set[str] = set()
            if isinstance(event.body, VerdictGiven):
                self._noted += 1
                self._names[event.number] = names
                about = self._names.get(event.body.answers, set())
            if self._may_drop(event):
                for name in sorted(names):
                    self._may_go.setdefault(name, len(self._may_go))
            else:  # keep also the stills of the verdict that this one replaces, in case that said "legal"
                self._kept |= names | about

    def _may_drop(self, event: Event) -> bool:
        return self._simulated or (isinstance(event.body, VerdictGiven) and event.body.kind == "legal")

    @property
    def due(self) -> bool:
        """Whether `tend` is due, after `EVERY` verdicts."""
        return self._noted >= EVERY

    def tend(self) -> EvidenceDropped | None:
        """Delete what exceeds the quota; return the event for it, None if nothing was deleted. Disk errors are only
        logged."""
        self._noted = 0
        try:
            files = self._files()
            used = sum(file.size for file in files)
            lacking = self._least_free - shutil.disk_usage(self._folder).free
        except OSError as error:
            log.warning("the evidence in %s cannot be looked through: %s", self._folder, error)
            return None
        over = used - self._most if used > self._most else 0
        goal = max(over + round(self._most * (1 - SHARE)) if over else 0, lacking)
        if goal <= 0:
            return None
        count = dropped = 0
        for file in self._in_order(files):
            if dropped >= goal:
                break
            try:
                file.path.unlink()
            except OSError as error:
                log.warning("%s cannot be deleted: %s", file.path, error)
                continue
            count, dropped = count + 1, dropped + file.size
        if dropped < max(over, lacking) and not self._warned:
            self._warned = True
            log.warning("the evidence of fouls alone needs more room than it may have: nothing of it is deleted")
        return EvidenceDropped(files=count, bytes=dropped) if count else None

    def _files(self) -> list[Stored]:
        found = []
        for path in self._folder.iterdir():
            stat = path.stat()
            found.append(Stored(path, stat.st_size, stat.st_mtime))
        return found

    def _in_order(self, files: list[Stored]) -> list[Stored]:
        """The files that may be deleted, in order: orphans first, then those that no foul needs, oldest first."""
        now = time.time()
        orphans = [f for f in files if f.path.name not in self._kept and f.path.name not in self._may_go
                   and now - f.written > ORPHAN_S]
        others = [f for f in files if f.path.name in self._may_go and f.path.name not in self._kept]
        return [*orphans, *sorted(others, key=lambda f: self._may_go[f.path.name])]

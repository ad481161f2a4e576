"""The table's journal with a buffer: while the disk refuses writes, events and evidence are held in memory.

A referee that stops because a disk is full is of no use at the board. Events come first: evidence is written only while
the journal's reserve exists (`device.journal.full_disk`), and waits in memory otherwise. An event that still cannot be
written is numbered, timed and chained as usual, and held. Every few seconds the keeper tries again: first all held
events in one transaction and in order, together with an event that says that they are late; then the evidence. A
damaged journal is never written to: the game goes on from its sound part, in memory, until a person has looked at the
file.
"""

import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from device.journal import full_disk
from device.journal.chain import GENESIS, decode, encode, event_hash, utc_now
from device.journal.events import Body, Event, KeptInMemory
from device.journal.full_disk import HeldFiles
from device.journal.head import head_path
from device.journal.messages import message
from device.journal.store import Journal, JournalError, JournalTrouble
from engine.messages import Message

log = logging.getLogger(__name__)

RETRY_S = 5.0
CHECKPOINT_EVERY = 256
"""Events between two checkpoints of the write-ahead log."""
NAMING = ("answers", "order", "verdict")
"""Fields of event bodies that hold another event's number."""


class Renumbered(JournalError):
    """Other processes wrote while events were held: all events are written now, but under new numbers, so the table has
    to restart from the journal."""


class Keeper:
    """Appends and reads like a `Journal`, and goes on in memory when the disk fails.

    Raises `JournalError` if the file is another program's or a newer version's.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """path: the journal's; clock: monotonic, seconds."""
        self.path = path
        self._clock = clock
        self._trouble: Message | str = ""
        """Why events are held; "" while they are written."""
        self._journal: Journal | None = None
        self._damaged = False
        self._base: list[Event] = []
        """Events known to be on the disk, at least the last: held events continue its number and hash."""
        self._held: list[Event] = []
        self._files = HeldFiles(path)
        self._tried = 0.0
        self._since_checkpoint = 0
        self._open()

    @property
    def why(self) -> Message | str:
        """One sentence for people while something is held: why, and how much; "" while all is written."""
        files = len(self._files)
        if self._trouble:
            return message("disk.memory", why=self._trouble, entries=len(self._held), pictures=files)
        if not files:
            return ""
        return message("disk.pictures", why=_reason(self._files.error, False, self.path), pictures=files)

    def __enter__(self) -> Self:
        """The keeper; the end of the block closes it."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Try once more to write what is held, checkpoint, and close."""
        try:
            self._flush()
        except JournalError as error:
            log.error("%s", error)
        if self.why:
            log.error("the table ends, and what it held is lost: %s", self.why)
        if self._journal is not None:
            self._checkpoint()
            self._journal.close()
            self._journal = None

    @property
    def held(self) -> int:
        """Number of events that are only in memory."""
        return len(self._held)

    def append(self, body: Body) -> Event:
        """Write one event, or hold it. Raises `Renumbered`."""
        self._try_again()
        if not self._trouble and self._journal is not None:
            try:
                event = self._journal.append(body)
            except JournalTrouble as error:
                self._hold(error)
            else:
                self._base = [event]
                self._since_checkpoint += 1
                if self._since_checkpoint >= CHECKPOINT_EVERY:
                    self._checkpoint()
                return event
        return self._keep(body)

    def read(self, after: int = 0) -> list[Event]:
        """The events above `after`: those on the disk, then those held. Raises `Renumbered`."""
        self._try_again()
        if self._trouble:
            return [event for event in (*self._base, *self._held) if event.number > after]
        assert self._journal is not None
        try:
            events = self._journal.read(after)
        except JournalTrouble as error:
            # The table knows what it read before; a disk that cannot be read will hardly take writes.
            self._hold(error)
            return []
        self._base = events[-1:] or self._base
        return events

    def keep_file(self, path: Path, data: bytes) -> None:
        """Write an evidence file, or hold it; no event waits for it. Any thread may call this."""
        self._files.put(path, data)

    # ---- the disk --------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Open the journal if its chain is whole; else go on in memory from the sound part."""
        noted = head_path(self.path).exists()
        try:
            if self.path.exists():
                # Open for reading first: opening for writing would discard a damaged log.
                with Journal(self.path, readonly=True) as journal:
                    bad = journal.verify()
                if bad is not None:
                    self._damaged = True
                    raise JournalTrouble(f"the journal {self.path} is damaged: {bad.reason}")
            self._journal = Journal(self.path)
            self._base = self._journal.read(self._journal.last - 1)
        except JournalTrouble as error:
            if "file is not a database" in str(error):
                if not noted:
                    raise
                self._damaged = True
            self._base = self._sound()
            self._hold(error)
        except JournalError as error:
            if not noted:  # another program's file
                raise
            self._damaged = True  # it was a journal: its first bytes were overwritten
            self._hold(error)
        else:
            with suppress(OSError):  # it is made as soon as there is room
                full_disk.keep(self.path)
            self._checkpoint()

    def _sound(self) -> list[Event]:
        """The events before the first bad one."""
        try:
            with Journal(self.path, readonly=True) as journal:
                return journal.sound()
        except JournalError:
            return self._sound_elsewhere()

    def _sound_elsewhere(self) -> list[Event]:
        """As `_sound`, from a copy: on a read-only disk SQLite does not open a journal that has a log."""
        with tempfile.TemporaryDirectory(prefix="inkeek-") as folder:
            try:
                for part in ("", "-wal"):
                    file = self.path.with_name(self.path.name + part)
                    if file.exists():
                        shutil.copyfile(file, Path(folder) / file.name)
                with Journal(Path(folder) / self.path.name, readonly=True) as journal:
                    return journal.sound()
            except (OSError, JournalError) as error:
                log.error("no event of %s can be read: %s", self.path, error)
                return []

    def _hold(self, error: JournalError) -> None:
        """Hold events from now on."""
        if not self._trouble:
            log.error("%s; the game goes on in memory", error)
        self._trouble = _reason(str(error), self._damaged, self.path)
        self._tried = self._clock()

    def _keep(self, body: Body) -> Event:
        last = self._held[-1] if self._held else self._base[-1] if self._base else None
        number, previous = (last.number + 1, last.hash) if last is not None else (1, GENESIS)
        at, kind, text = utc_now(), type(body).__name__, encode(body)
        event = Event(number=number, at=at, type=kind, body=decode(kind, text),
                      hash=event_hash(previous, number, at, kind, text))
        self._held.append(event)
        return event

    def _try_again(self) -> None:
        """Write what is held, if the last try is `RETRY_S` ago. Raises `Renumbered`."""
        if not self.why or self._clock() - self._tried < RETRY_S:
            return
        self._tried = self._clock()
        try:
            self._flush()
        except JournalTrouble as error:
            self._trouble = _reason(str(error), self._damaged, self.path)

    def _flush(self) -> None:
        """Write what is held: the events first, then evidence. Raises `JournalTrouble`, `Renumbered`."""
        if self._damaged:
            return
        try:
            if self._trouble:
                self._flush_events()
        finally:
            if not self._held:
                self._files.flush()

    def _flush_events(self) -> None:
        if self._journal is None:
            self._journal = Journal(self.path)
        first = self._base[-1].number + 1 if self._base else 1
        shift = self._journal.last + 1 - first
        entries: list[tuple[Body, str]] = [(_moved(e.body, first, shift), e.at) for e in self._held
                                           if isinstance(e.body, Body)]
        if self._held:
            late = KeptInMemory(events=len(self._held), since=self._held[0].at, why=str(self._trouble))
            self._journal.append_all([*entries, (late, "")])
        count, self._held, self._trouble = len(self._held), [], ""
        self._base = self._journal.read(self._journal.last - 1)
        log.warning("the journal is written again: %d events that were held are in it", count)
        if shift and count:
            raise Renumbered("others wrote into the journal meanwhile: the table begins anew from it")

    def _checkpoint(self) -> None:
        """Checkpoint the write-ahead log; a failure is only logged, as the next one will do."""
        self._since_checkpoint = 0
        if self._journal is None:
            return
        try:
            self._journal.checkpoint()
        except (JournalTrouble, OSError) as error:
            log.warning("%s", error)


def _moved(body: Body, first: int, shift: int) -> Body:
    """The body with the event numbers that it names shifted by `shift`, where they are `first` or more."""
    if not shift:
        return body
    named = {name: getattr(body, name) + shift for name in NAMING if getattr(body, name, 0) >= first}
    return msgspec.structs.replace(body, **named)


def _reason(error: str, damaged: bool, path: Path) -> Message | str:
    """Why events cannot be written, in a few words."""
    why: Message | str = error
    if damaged:
        why = message("disk.damaged", error=error)
    elif "full" in error or "No space" in error:
        why = message("disk.full")
    elif "readonly" in error or "Read-only" in error or _only_read(path):
        why = message("disk.read-only")
    return why


def _only_read(path: Path) -> bool:
    """Whether the disk is mounted read-only; SQLite's message does not always say so."""
    try:
        return bool(os.statvfs(path.parent).f_flag & os.ST_RDONLY)
    except OSError:
        return False

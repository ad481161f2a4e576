"""Backup and restore of a data folder: the journal as it stands at one instant, and all evidence that it names.

A backup may be taken while the table runs and people order: the journal is copied in one piece, and a still is on the
disk before the event that names it, so whatever the copy names is there. It is a folder like the data folder itself.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from device.journal.events import ClipKept, EmptySeen, Event, VerdictGiven
from device.journal.head import head_path, put_in_place, sync_folder
from device.journal.store import Journal, JournalError, JournalTrouble

JOURNAL = "journal.sqlite3"
EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class Copied:
    """What a backup or a restoring brought over. missing: stills that events name and that are not there any more."""

    events: int
    stills: int
    missing: int
    last: str


def back_up(data: Path, target: Path) -> Copied:
    """Bring the folder `target` up to what `data` holds now; stills that it has already are not copied again.

    Raises `JournalError`: one sentence.
    """
    if target.resolve() == data.resolve():
        raise JournalError(f"{target} is the data folder itself: choose another folder for its backup")
    try:
        with Journal(data / JOURNAL, readonly=True) as journal:
            bad = journal.verify()
            if bad is not None:
                raise JournalError(f"{data / JOURNAL} is not backed up, for it is damaged: {bad.reason}")
            (target / EVIDENCE).mkdir(parents=True, exist_ok=True)
            journal.copy(target / JOURNAL)
        return _bring(data, target)
    except OSError as error:
        raise JournalTrouble(f"no backup can be written to {target}: {error.strerror or error}") from error


def restore(backup: Path, data: Path) -> Copied:
    """Put a backup's journal and evidence into the data folder, which no table may hold. A journal that is there
    already is set aside under another name, and its evidence stays.

    Raises `JournalError`: one sentence.
    """
    try:
        with Journal(backup / JOURNAL, readonly=True) as journal:
            bad = journal.verify()
            if bad is not None:
                raise JournalError(f"the backup {backup} is damaged: {bad.reason}")
            (data / EVIDENCE).mkdir(parents=True, exist_ok=True)
            copied = _bring(backup, data, journal.read())
            set_aside(data / JOURNAL)
            journal.copy(data / JOURNAL)
        return copied
    except OSError as error:
        raise JournalTrouble(f"{data} cannot be restored: {error.strerror or error}") from error


def set_aside(journal: Path) -> Path | None:
    """Rename a journal and what belongs to it; where to. Nobody may have it open. Raises OSError."""
    if not journal.exists():
        head_path(journal).unlink(missing_ok=True)
        return None
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    kept = journal.with_name(f"{journal.stem}-{stamp}{journal.suffix}")
    number = 1
    while kept.exists():
        number += 1
        kept = journal.with_name(f"{journal.stem}-{stamp}-{number}{journal.suffix}")
    for part in ("-wal", "-head", ""):  # the journal last: until then a second try finds all of it
        file = journal.with_name(journal.name + part)
        if file.exists():
            file.rename(kept.with_name(kept.name + part))
    journal.with_name(journal.name + "-shm").unlink(missing_ok=True)
    sync_folder(journal.parent)
    return kept


def stills(events: Iterable[Event]) -> Iterator[tuple[str, VerdictGiven | ClipKept | EmptySeen]]:
    """The evidence that events name, clips too, and by which of them; some more than once."""
    for event in events:
        body = event.body
        if isinstance(body, VerdictGiven):
            named = [body.still_before, body.still_after]
        elif isinstance(body, ClipKept):
            named = [body.clip]
        elif isinstance(body, EmptySeen):
            named = [body.still]
        else:
            continue
        for name in named:
            if name and Path(name).name == name:
                yield name, body


def _bring(source: Path, target: Path, events: list[Event] | None = None) -> Copied:
    """Copy the evidence that the journal in `target`, or `events`, names."""
    if events is None:
        with Journal(target / JOURNAL, readonly=True) as journal:
            events = journal.read()
    missing = new = 0
    for name in {name for name, _ in stills(events)}:
        to = target / EVIDENCE / name
        if to.exists():
            continue
        try:
            _copy_still(source / EVIDENCE / name, to)
            new += 1
        except FileNotFoundError:
            missing += 1
    sync_folder(target / EVIDENCE)
    return Copied(len(events), new, missing, events[-1].hash if events else "")


def _copy_still(source: Path, target: Path) -> None:
    """Copy one file, whole and on the disk. One that does not fit its name any more is copied all the same: what became
    of it is for people to see."""
    with put_in_place(target) as part:
        shutil.copyfile(source, part)

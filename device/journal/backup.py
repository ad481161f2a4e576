"""Backup and restore of a data folder: the journal at one instant, and all evidence that it names.

A backup may be taken while the table runs and people give orders. The journal is copied at once, and a still is on the
disk before the event that names it, so everything that the copy names exists. A backup has the data folder's layout.
"""

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
    """What a backup or a restore copied. missing: stills that events name but that no longer exist. last: hash of the
    last event."""

    events: int
    stills: int
    missing: int
    last: str


def back_up(data: Path, target: Path) -> Copied:
    """Bring the folder `target` up to date with `data`; stills that it already has are not copied again.

    Raises `JournalError`: one sentence.
    """
    if target.resolve() == data.resolve():
        raise JournalError(f"{target} is the data folder itself: choose another folder for its backup")
    try:
        with Journal(data / JOURNAL, readonly=True) as journal:
            bad = journal.verify()
            if bad is not None:
                raise JournalError(f"{data / JOURNAL} cannot be backed up: it is damaged: {bad.reason}")
            (target / EVIDENCE).mkdir(parents=True, exist_ok=True)
            journal.copy(target / JOURNAL)
        return _bring(data, target)
    except OSError as error:
        raise JournalTrouble(f"no backup can be written to {target}: {error.strerror or error}") from error


def restore(backup: Path, data: Path) -> Copied:
    """Copy a backup's journal and evidence into the data folder, which no table may be using. An existing journal is
    renamed first, and its evidence stays.

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
    """Rename a journal and its side files; return its new path, None without a journal. Nobody may have it open.
    Raises OSError."""
    if not journal.exists():
        head_path(journal).unlink(missing_ok=True)
        return None
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    kept = journal.with_name(f"{journal.stem}-{stamp}{journal.suffix}")
    number = 1
    while kept.exists():
        number += 1
        kept = journal.with_name(f"{journal.stem}-{stamp}-{number}{journal.suffix}")
    for part in ("-wal", "-head", ""):  # the journal last: if this is broken off, a second try finds all parts
        file = journal.with_name(journal.name + part)
        if file.exists():
            file.rename(kept.with_name(kept.name + part))
    journal.with_name(journal.name + "-shm").unlink(missing_ok=True)
    sync_folder(journal.parent)
    return kept


def stills(events: Iterable[Event]) -> Iterator[tuple[str, VerdictGiven | ClipKept | EmptySeen]]:
    """Yield each evidence file that events name, clips included, with the event's body; a file may come repeatedly."""
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
    """Copy one file, whole and synced to the disk. A file whose content no longer matches its name is copied as well,
    so that people can see what happened to it."""
    with put_in_place(target) as part:
        shutil.copyfile(source, part)

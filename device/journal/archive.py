"""A table's whole data as one file, and back: a zip of what a backup holds, the journal at one instant and the evidence
that it names. The PIN and the key of the page's cookies stay where they are."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from device.journal.backup import EVIDENCE, JOURNAL, Copied, restore, stills
from device.journal.store import Journal, JournalError, JournalTrouble

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

NAME = re.compile(r"evidence/[0-9a-f]{64}\.(?:jpg|zip)")
PIECE = 1 << 20


class _Pipe(io.RawIOBase):
    """Takes what a zip writes, for a reader to take away."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        part = bytes(data)
        self._parts.append(part)
        return len(part)

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def archive(data: Path) -> Iterator[bytes]:
    """The file, piece by piece, of a data folder that may be written to meanwhile. Raises `JournalError` before the
    first piece: one sentence."""
    with tempfile.TemporaryDirectory(prefix="inkeek-") as folder:
        copy = Path(folder) / JOURNAL
        try:
            with Journal(data / JOURNAL, readonly=True) as journal:
                bad = journal.verify()
                if bad is not None:
                    raise JournalError(f"{data / JOURNAL} is not handed out, for it is damaged: {bad.reason}")
                journal.copy(copy)
            with Journal(copy, readonly=True) as journal:
                names = sorted({name for name, _ in stills(journal.read())})
        except OSError as error:
            raise JournalTrouble(f"the data cannot be packed: {error.strerror or error}") from error
        pipe = _Pipe()
        with zipfile.ZipFile(pipe, "w", zipfile.ZIP_STORED) as out:
            for name, file in [(JOURNAL, copy), *((f"{EVIDENCE}/{name}", data / EVIDENCE / name) for name in names)]:
                try:
                    source = file.open("rb")
                except OSError:  # dropped by the quota: the journal says so
                    continue
                with source, out.open(zipfile.ZipInfo(name), "w", force_zip64=True) as entry:
                    while piece := source.read(PIECE):
                        entry.write(piece)
                        yield pipe.taken()
        yield pipe.taken()


def unarchive(file: Path, data: Path) -> Copied:
    """Put such a file back into the data folder, as `restore` does. Raises `JournalError`: one sentence."""
    try:
        with zipfile.ZipFile(file) as source, tempfile.TemporaryDirectory(prefix="inkeek-", dir=data) as folder:
            for name in source.namelist():
                if name != JOURNAL and not NAME.fullmatch(name):
                    raise JournalError(f"{file} is no table's data: there is a '{name[:60]}' in it")
            (Path(folder) / EVIDENCE).mkdir()
            for name in source.namelist():
                with source.open(name) as entry, (Path(folder) / name).open("wb") as to:
                    shutil.copyfileobj(entry, to, PIECE)
            return restore(Path(folder), data)
    except zipfile.BadZipFile as error:
        raise JournalError(f"{file} cannot be unpacked: {str(error)[:200]}") from error
    except OSError as error:
        raise JournalTrouble(f"{file} cannot be restored: {error.strerror or error}") from error

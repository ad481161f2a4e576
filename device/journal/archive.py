"""Pack a table's data into one zip file and unpack it: the journal at one instant and the evidence that it names. The
PIN and the key of the page's cookies are left out."""

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
    """Buffers what the zip writer writes until `taken` hands it out."""

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
    """Yield a data folder's zip file piece by piece; others may write to the folder meanwhile. Raises `JournalError`,
    one sentence, before the first piece."""
    with tempfile.TemporaryDirectory(prefix="inkeek-") as folder:
        copy = Path(folder) / JOURNAL
        try:
            with Journal(data / JOURNAL, readonly=True) as journal:
                bad = journal.verify()
                if bad is not None:
                    raise JournalError(f"{data / JOURNAL} cannot be packed: it is damaged: {bad.reason}")
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
    """Unpack a file made by `archive` into the data folder, as `restore` does. Raises `JournalError`: one sentence."""
    try:
        with zipfile.ZipFile(file) as source, tempfile.TemporaryDirectory(prefix="inkeek-", dir=data) as folder:
            for name in source.namelist():
                if name != JOURNAL and not NAME.fullmatch(name):
                    raise JournalError(f"{file} does not hold a table's data: it contains '{name[:60]}'")
            (Path(folder) / EVIDENCE).mkdir()
            for name in source.namelist():
                with source.open(name) as entry, (Path(folder) / name).open("wb") as to:
                    shutil.copyfileobj(entry, to, PIECE)
            return restore(Path(folder), data)
    except zipfile.BadZipFile as error:
        raise JournalError(f"{file} cannot be unpacked: {str(error)[:200]}") from error
    except OSError as error:
        raise JournalTrouble(f"{file} cannot be restored: {error.strerror or error}") from error

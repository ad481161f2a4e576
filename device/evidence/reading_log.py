"""What vision said of a recording, in a file: readings of hands and pits, with their times and no pictures.

From it a recording is refereed again in a moment, by the same door as its pictures were (`inkeek watch --log`, then
`inkeek judge`). A log is compressed MessagePack: a header, then one entry after the other in the order in which the
table took them in. Of a reading only those pits are written whose numbers differ from the reading before.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from device.journal.events import GameStarted
from vision.reading import COUNTS, BoardView, Reading

NAME = b"inkeek-log "
"""A log begins with this, whatever its form."""
MAGIC = NAME + b"2\n"
"""A log of this form begins with this; the number counts the forms of log there have been."""
MOST_BYTES = 1 << 24
"""No part of a log is longer, unpacked."""
CHUNK = 1 << 16
"""Bytes that are read, and unpacked, at a time."""
LEVEL = 6
"""How hard zlib tries, 0 to 9."""
MOST_PITS = 255


class LogError(ValueError):
    """A file that is no log of readings, or a damaged one, or one that cannot be written; one sentence."""


class Header(msgspec.Struct, frozen=True):
    """What was refereed. recording: the file's name; as_it_lies_at_start, start_is_sure: as of `device.table.table`."""

    recording: str
    started: GameStarted
    as_it_lies_at_start: bool
    start_is_sure: bool


class Place(msgspec.Struct, frozen=True, tag="place"):
    """The board was found there; what follows is read there. As of `vision.reading.BoardView`, arrays as lists."""

    rows: int
    cols: int
    centres: list[list[list[float]]]
    radii: list[list[float]]
    homography: list[list[float]]
    pit_radius: float
    size: tuple[int, int]
    stores: list[tuple[float, float, float, float]]
    score: float
    cut: bool

    @classmethod
    def of(cls, view: BoardView) -> Place:
        """As the board was found."""
        return cls(view.rows, view.cols, view.centres.tolist(), view.radii.tolist(), view.homography.tolist(),
                   view.pit_radius, view.size, list(view.stores), view.score, view.cut)

    def view(self) -> BoardView:
        """The board as it was found. Raises `LogError` where the shapes do not fit."""
        centres, radii = np.array(self.centres, np.float64), np.array(self.radii, np.float64)
        homography, shape = np.array(self.homography, np.float64), (self.rows, self.cols)
        if centres.shape != (*shape, 2) or radii.shape != shape or homography.shape != (3, 3):
            raise LogError(f"a board of {self.rows} rows and {self.cols} columns has places for another one")
        return BoardView(self.rows, self.cols, centres, radii, homography, self.pit_radius, self.size,
                         tuple(self.stores), self.score, self.cut)


class Look(msgspec.Struct, frozen=True, tag="look", omit_defaults=True):
    """One reading. now: nanoseconds, of the frame with which the table took it in; time_ns: of the frame that it is of;
    pits: of the board; rows: float32[k, 26] of the pits in `which`, uint8[k], whose log-likelihoods are others than in
    the reading before; seen: bool[pits]; cells: uint8[pits, k, k], less those of the reading before, modulo 256;
    stays: int64[pits]; known: where the board lay was known. The rest as of `vision.reading.Reading`."""

    now: int
    time_ns: int
    pits: int
    which: bytes = b""
    rows: bytes = b""
    seen: bytes = b""
    cells: bytes = b""
    stays: bytes = b""
    hands: tuple[float, float] = (0.0, 0.0)
    motion: float = 0.0
    lain: float = 0.0
    looks: int = 0
    found: bool = True
    moved: bool = False
    blurred: bool = False
    dark: bool = False
    counted: bool = True
    known: bool = True


class Frozen(msgspec.Struct, frozen=True, tag="frozen"):
    """The pictures had stopped."""

    now: int


class Replaced(msgspec.Struct, frozen=True, tag="replaced"):
    """The board was looked for elsewhere, by what lies in it, and found."""

    now: int


Entry = Place | Look | Frozen | Replaced
_header_decoder = msgspec.msgpack.Decoder(Header)
_entry_decoder: msgspec.msgpack.Decoder[Entry] = msgspec.msgpack.Decoder(Entry)


@dataclass
class _Before:
    """The numbers of the reading before, which the next is told by."""

    loglik: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, COUNTS), np.float32))
    cells: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0, 0), np.uint8))

    def fit(self, pits: int, side: int) -> None:
        """Begin anew where the board, or the size of a pit's picture, is another."""
        if len(self.loglik) != pits:
            self.loglik = np.zeros((pits, COUNTS), np.float32)
        if side and self.cells.shape != (pits, side, side):
            self.cells = np.zeros((pits, side, side), np.uint8)


def new_log(path: Path) -> IO[bytes]:
    """The file of a new log, open for writing. A log that is there already is overwritten, and nothing else. Raises
    `LogError` where it cannot be."""
    try:
        if path.exists():
            with path.open("rb") as there:
                if there.read(len(NAME)) not in (NAME, b""):
                    raise LogError(f"{path} is there already and is no log: name another file")
        return path.open("wb")
    except OSError as error:
        raise LogError(f"{path} cannot be written: {error.strerror}") from None


class ReadingLog:
    """Writes a log."""

    def __init__(self, file: IO[bytes], header: Header) -> None:
        """file: open for writing, closed by `close`. Raises OSError as it."""
        self._file, self._pack, self._before = file, zlib.compressobj(LEVEL), _Before()
        self._view: BoardView | None = None
        self._file.write(MAGIC)
        self._write(msgspec.msgpack.encode(header))

    def reading(self, reading: Reading, view: BoardView | None, now: int) -> None:
        """A reading that the table takes in. now: nanoseconds of the newest frame."""
        if view is not None and view is not self._view:
            self._view = view
            self._entry(Place.of(view))
        pits, before = len(reading.loglik), self._before
        if not reading.counted:
            self._entry(_look(reading, now, view))
            return
        cells = None if reading.cells is None else np.asarray(np.rint(reading.cells), np.uint8)
        before.fit(pits, 0 if cells is None else cells.shape[1])
        which = np.flatnonzero((reading.loglik != before.loglik).any(axis=1))
        change = b"" if cells is None else (cells - before.cells).tobytes()
        self._entry(msgspec.structs.replace(
            _look(reading, now, view), which=np.asarray(which, np.uint8).tobytes(), seen=reading.seen.tobytes(),
            rows=np.asarray(reading.loglik[which], "<f4").tobytes(), cells=change,
            stays=b"" if reading.stays is None else np.asarray(reading.stays, "<i8").tobytes()))
        before.loglik = reading.loglik.copy()
        before.cells = before.cells if cells is None else cells

    def frozen(self, now: int) -> None:
        """The pictures had stopped."""
        self._entry(Frozen(now))

    def replaced(self, now: int) -> None:
        """The board was found elsewhere by what lies in it."""
        self._entry(Replaced(now))

    def close(self) -> None:
        """The log is whole. Raises OSError as the file."""
        self._file.write(self._pack.flush())
        self._file.close()

    def _entry(self, entry: Entry) -> None:
        self._write(msgspec.msgpack.encode(entry))

    def _write(self, packed: bytes) -> None:
        self._file.write(self._pack.compress(len(packed).to_bytes(4, "big") + packed))


def _look(reading: Reading, now: int, view: BoardView | None) -> Look:
    """A reading but for its pits."""
    south, north = reading.hands
    return Look(now, reading.time_ns, len(reading.loglik), hands=(float(south), float(north)),
                motion=float(reading.motion), lain=float(reading.lain), looks=int(reading.looks), found=reading.found,
                moved=bool(reading.moved), blurred=bool(reading.blurred), dark=bool(reading.dark),
                counted=reading.counted, known=view is not None)


@dataclass(frozen=True, slots=True)
class Logged:
    """One thing that the table took in, `now` nanoseconds. what: a reading, with where the board lay; that the pictures
    had stopped; or that the board was found elsewhere."""

    now: int
    what: Literal["reading", "frozen", "replaced"]
    reading: Reading | None = None
    view: BoardView | None = None


def read_log(path: Path) -> tuple[Header, Iterator[Logged]]:
    """A log's header, and what the table took in, read as it is asked for. Raises `LogError` where it is no log, and
    while it is read where it is damaged; OSError where it cannot be read."""
    packed = _packed(path)
    try:
        header = _header_decoder.decode(next(packed, b""))
    except (msgspec.MsgspecError, ValueError) as error:
        raise LogError(f"the log's beginning cannot be read: {error}") from None
    return header, _logged(packed)


def _packed(path: Path) -> Iterator[bytes]:
    """The parts of a log, unpacked one by one."""
    with path.open("rb") as file:
        if (begins := file.read(len(MAGIC))) != MAGIC:
            older = begins.startswith(NAME)
            what = "a log that another version of inkeek wrote, which is not read any more" if older else (
                "no log of readings")
            raise LogError(f"it is {what}: inkeek watch VIDEO --log FILE makes one")
        unpack, held = zlib.decompressobj(), bytearray()
        while chunk := unpack.unconsumed_tail or file.read(CHUNK):
            try:
                held += unpack.decompress(chunk, CHUNK)
            except zlib.error:
                raise LogError("the log is damaged") from None
            while len(held) >= 4 and len(held) >= (size := 4 + int.from_bytes(held[:4], "big")):
                yield bytes(held[4:size])
                del held[:size]
            if len(held) > MOST_BYTES:
                raise LogError("the log is damaged")
        if held or not unpack.eof:
            raise LogError("the log ends too early")


def _logged(packed: Iterator[bytes]) -> Iterator[Logged]:
    view, before = None, _Before()
    for part in packed:
        try:
            entry = _entry_decoder.decode(part)
        except (msgspec.MsgspecError, ValueError) as error:
            raise LogError(f"the log is damaged: {error}") from None
        match entry:
            case Place():
                view = entry.view()
            case Look():
                yield Logged(entry.now, "reading", _reading(entry, before), view if entry.known else None)
            case Frozen(now):
                yield Logged(now, "frozen")
            case Replaced(now):
                yield Logged(now, "replaced")


def _reading(look: Look, before: _Before) -> Reading:
    """The reading as it was. Raises `LogError` where its numbers do not fit each other."""
    pits = look.pits
    if not 0 <= pits <= MOST_PITS:
        raise LogError(f"a reading of {pits} pits")
    cells = None
    if look.counted:
        side = int(np.sqrt(len(look.cells) // max(1, pits)))
        which = np.frombuffer(look.which, np.uint8)
        fits = len(look.rows) == len(which) * COUNTS * 4 and len(look.seen) == pits
        if not fits or len(look.cells) != pits * side * side or (which >= pits).any():
            raise LogError(f"the log is damaged: a reading at {look.time_ns / 1e9:.3f} s does not fit its board")
        before.fit(pits, side)
        before.loglik = before.loglik.copy()
        before.loglik[which] = np.frombuffer(look.rows, "<f4").reshape(-1, COUNTS)
        if not np.isfinite(before.loglik).all():
            raise LogError(f"the log is damaged: a reading at {look.time_ns / 1e9:.3f} s has numbers that are none")
        if side:
            before.cells = before.cells + np.frombuffer(look.cells, np.uint8).reshape(pits, side, side)
            cells = before.cells.astype(np.float32)
    counted = look.counted
    return Reading(
        look.time_ns, before.loglik if counted else np.zeros((pits, COUNTS), np.float32),
        np.frombuffer(look.seen, np.bool_) if counted else np.zeros(pits, np.bool_), look.hands, look.found,
        look.moved, look.blurred, look.dark, counted, look.motion, look.lain, look.looks, cells, _stays_of(look))


def _stays_of(look: Look) -> NDArray[np.int64] | None:
    """int64[pits], the numbers of the pits' stays; None where nothing was counted or they were not kept. Raises
    `LogError` where there are not as many as pits."""
    if not look.counted or not look.stays:
        return None
    if len(look.stays) != 8 * look.pits:
        raise LogError(f"the log is damaged: a reading at {look.time_ns / 1e9:.3f} s does not fit its board")
    return np.frombuffer(look.stays, "<i8").astype(np.int64)

"""A log of a recording's readings: those of hands and pits with their times, without pictures.

With a log, the same table referees a recording again within a moment (`inkeek watch --log`, then `inkeek judge`). It is
compressed MessagePack: a header, then the entries in the order in which the table took them in. For each reading, only
the pits are written whose numbers differ from the reading before.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from device.errors import UserError
from device.journal.events import GameStarted
from vision.reading import COUNTS, BoardView, Reading

NAME = b"inkeek-log "
"""The first bytes of a log of any version."""
MAGIC = NAME + b"3\n"
"""The first bytes of a log of this version of the format."""
MOST_BYTES = 1 << 24
"""Most bytes of one entry, decompressed."""
CHUNK = 1 << 16
"""Bytes read, and decompressed, at a time."""
LEVEL = 6
"""zlib's compression level, 0 to 9."""
MOST_PITS, MOST_REMEMBERED = 255, 255


class LogError(UserError, ValueError):
    """A file is not a log of readings, is damaged, or must not be overwritten; one sentence."""


class Header(msgspec.Struct, frozen=True):
    """A log's first entry. recording: the file's name; as_it_lies_at_start, start_is_sure: as in `device.table.table`.
    """

    recording: str
    started: GameStarted
    as_it_lies_at_start: bool
    start_is_sure: bool


class LoggedPlace(msgspec.Struct, frozen=True, tag="place"):
    """Where the board was found, for the readings that follow: a `vision.reading.BoardView` with arrays as lists."""

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
    def of(cls, view: BoardView) -> LoggedPlace:
        """The entry for a view."""
        return cls(view.rows, view.cols, view.centres.tolist(), view.radii.tolist(), view.homography.tolist(),
                   view.pit_radius, view.picture_size, list(view.stores), view.score, view.cut)

    def view(self) -> BoardView:
        """The entry's view. Raises `LogError` if the arrays' shapes do not match the board."""
        centres, radii = np.array(self.centres, np.float64), np.array(self.radii, np.float64)
        homography, shape = np.array(self.homography, np.float64), (self.rows, self.cols)
        if centres.shape != (*shape, 2) or radii.shape != shape or homography.shape != (3, 3):
            raise LogError(f"a board of {self.rows} rows and {self.cols} columns has the pits of another size")
        return BoardView(self.rows, self.cols, centres, radii, homography, self.pit_radius, self.size,
                         tuple(self.stores), self.score, self.cut)


class LoggedLook(msgspec.Struct, frozen=True, tag="look", omit_defaults=True):
    """One reading. now: time of the frame with which the table took it in, ns; time_ns: that of its own frame; pits:
    their number; which: uint8[n], the pits that differ from the reading before, and for these rows: float32[n, 26],
    log-likelihoods, stays: int64[n], earlier: int64[n, k] and changed: float32[n, k]; remembered: k, -1 without stays;
    seen: bool[pits]; known: the board's place was known. The rest as in `vision.reading.Reading`."""

    now: int
    time_ns: int
    pits: int
    which: bytes = b""
    rows: bytes = b""
    seen: bytes = b""
    stays: bytes = b""
    earlier: bytes = b""
    changed: bytes = b""
    remembered: int = -1
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


class LoggedFreeze(msgspec.Struct, frozen=True, tag="frozen"):
    """The pictures had frozen."""

    now: int


class Replaced(msgspec.Struct, frozen=True, tag="replaced"):
    """The board was found elsewhere, recognised by its seeds."""

    now: int


Entry = LoggedPlace | LoggedLook | LoggedFreeze | Replaced
_header_decoder = msgspec.msgpack.Decoder(Header)
_entry_decoder: msgspec.msgpack.Decoder[Entry] = msgspec.msgpack.Decoder(Entry)


@dataclass
class _Before:
    """The previous reading's numbers, with which the next reading is compared; as in `vision.reading.Reading`."""

    loglik: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, COUNTS), np.float32))
    stays: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    earlier: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    changed: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))

    @classmethod
    def of(cls, reading: Reading) -> _Before:
        """The numbers of a counted reading. Unless it has all three parts of its stays, none of them is taken over."""
        if reading.stays is None or reading.earlier is None or reading.changed is None:
            none = cls().fitting(len(reading.loglik), 0)
            return cls(reading.loglik, none.stays, none.earlier, none.changed)
        return cls(reading.loglik, reading.stays, reading.earlier, reading.changed)

    def fitting(self, pits: int, remembered: int) -> _Before:
        """These numbers, reset where they have other shapes: another board, or another number of remembered stays."""
        loglik, stays = self.loglik, (self.stays, self.earlier, self.changed)
        if len(loglik) != pits:
            loglik = np.zeros((pits, COUNTS), np.float32)
        if self.earlier.shape != (pits, remembered):
            shape = (pits, remembered)
            stays = np.full(pits, -1), np.full(shape, -1), np.zeros(shape, np.float32)
        return _Before(loglik, *stays)

    def other_than(self, before: _Before) -> NDArray[np.intp]:
        """The pits whose numbers differ."""
        other = (self.loglik != before.loglik).any(axis=1) | (self.stays != before.stays)
        return np.flatnonzero(other | (self.earlier != before.earlier).any(axis=1)
                              | (self.changed != before.changed).any(axis=1))

    def copy(self) -> _Before:
        """A copy with its own arrays."""
        return _Before(self.loglik.copy(), self.stays.copy(), self.earlier.copy(), self.changed.copy())

    def told(self, look: LoggedLook, which: NDArray[np.uint8]) -> _Before:
        """A copy updated with a look's numbers for these pits. Raises ValueError if its parts do not fit."""
        now = self.copy()
        now.loglik[which] = np.frombuffer(look.rows, "<f4").reshape(len(which), COUNTS)
        if look.remembered >= 0:
            shape = (len(which), look.remembered)
            now.stays[which] = np.frombuffer(look.stays, "<i8").reshape(len(which))
            now.earlier[which] = np.frombuffer(look.earlier, "<i8").reshape(shape)
            now.changed[which] = np.frombuffer(look.changed, "<f4").reshape(shape)
        return now


def check_log_place(path: Path) -> None:
    """Raise `LogError` if the path is a file other than a log, which must not be overwritten. Raises OSError."""
    if path.is_file():
        with path.open("rb") as there:
            if there.read(len(NAME)) not in (NAME, b""):
                raise LogError(f"{path} exists already and is not a log: name another file")


class LogOutput(Protocol):
    """Takes a log's bytes."""

    def write(self, data: bytes, /) -> object:
        """Write bytes."""

    def close(self) -> None:
        """End the bytes."""


class ReadingLog:
    """Writes a log."""

    def __init__(self, file: LogOutput, header: Header) -> None:
        """file: open for writing, closed by `close`. Raises the file's OSError."""
        self._file, self._pack, self._before = file, zlib.compressobj(LEVEL), _Before()
        self._view: BoardView | None = None
        self._file.write(MAGIC)
        self._write(msgspec.msgpack.encode(header))

    def reading(self, reading: Reading, view: BoardView | None, now: int) -> None:
        """Write a reading that the table takes in. now: time of the newest frame, ns."""
        if view is not None and view is not self._view:
            self._view = view
            self._entry(LoggedPlace.of(view))
        if not reading.counted:
            self._entry(_look(reading, now, view))
            return
        told = _Before.of(reading)
        which = told.other_than(self._before.fitting(*told.earlier.shape))
        self._entry(msgspec.structs.replace(
            _look(reading, now, view), which=np.asarray(which, np.uint8).tobytes(), seen=reading.seen.tobytes(),
            rows=np.asarray(told.loglik[which], "<f4").tobytes(), stays=np.asarray(told.stays[which], "<i8").tobytes(),
            earlier=np.asarray(told.earlier[which], "<i8").tobytes(),
            changed=np.asarray(told.changed[which], "<f4").tobytes(),
            remembered=-1 if reading.changed is None else reading.changed.shape[1]))
        self._before = told.copy()

    def frozen(self, now: int) -> None:
        """Write that the pictures had frozen."""
        self._entry(LoggedFreeze(now))

    def replaced(self, now: int) -> None:
        """Write that the board was found elsewhere, recognised by its seeds."""
        self._entry(Replaced(now))

    def close(self) -> None:
        """Finish the log and close its file. Raises the file's OSError."""
        self._file.write(self._pack.flush())
        self._file.close()

    def _entry(self, entry: Entry) -> None:
        self._write(msgspec.msgpack.encode(entry))

    def _write(self, packed: bytes) -> None:
        self._file.write(self._pack.compress(len(packed).to_bytes(4, "big") + packed))


def _look(reading: Reading, now: int, view: BoardView | None) -> LoggedLook:
    """The entry for a reading, without its pits."""
    south, north = reading.hands
    return LoggedLook(now, reading.time_ns, len(reading.loglik), hands=(float(south), float(north)),
                motion=float(reading.motion), lain=float(reading.lain), looks=int(reading.looks), found=reading.found,
                moved=bool(reading.moved), blurred=bool(reading.blurred), dark=bool(reading.dark),
                counted=reading.counted, known=view is not None)


@dataclass(frozen=True, slots=True)
class Logged:
    """One entry that the table took in at `now`, ns. what: a reading, with the board's place; that the pictures had
    frozen; or that the board was found elsewhere."""

    now: int
    what: Literal["reading", "frozen", "replaced"]
    reading: Reading | None = None
    view: BoardView | None = None


def read_log(path: Path) -> tuple[Header, Iterator[Logged]]:
    """A log's header, and its entries, read lazily. Raises `LogError` if it is not a log, and during the iteration if
    it is damaged; OSError if it cannot be read."""
    packed = _packed(path)
    try:
        header = _header_decoder.decode(next(packed, b""))
    except LogError:
        raise
    except (msgspec.MsgspecError, ValueError) as error:
        raise LogError(f"the log's beginning cannot be read: {error}") from None
    return header, _logged(packed)


def _packed(path: Path) -> Iterator[bytes]:
    """Yield the decompressed entries of a log."""
    with path.open("rb") as file:
        if (begins := file.read(len(MAGIC))) != MAGIC:
            older = begins.startswith(NAME)
            what = "a log of another version of inkeek, which cannot be read" if older else (
                "not a log of readings")
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
            case LoggedPlace():
                view = entry.view()
            case LoggedLook():
                if entry.counted:
                    before = _with_changes(entry, before)
                yield Logged(entry.now, "reading", _reading(entry, before), view if entry.known else None)
            case LoggedFreeze(now):
                yield Logged(now, "frozen")
            case Replaced(now):
                yield Logged(now, "replaced")


def _with_changes(look: LoggedLook, before: _Before) -> _Before:
    """The numbers of a counted look. Raises `LogError` if its parts do not fit."""
    which, damaged = np.frombuffer(look.which, np.uint8), f"the log is damaged: a reading at {look.time_ns / 1e9:.3f} s"
    if not 0 <= look.pits <= MOST_PITS:
        raise LogError(f"a reading of {look.pits} pits")
    fits = (which < look.pits).all() and len(look.seen) == look.pits and look.remembered <= MOST_REMEMBERED
    try:
        told = before.fitting(look.pits, max(0, look.remembered)).told(look, which) if fits else None
    except ValueError:
        told = None
    if told is None:
        raise LogError(f"{damaged} does not fit its board")
    if not (np.isfinite(told.loglik).all() and np.isfinite(told.changed).all()):
        raise LogError(f"{damaged} has invalid numbers")
    return told


def _reading(look: LoggedLook, told: _Before) -> Reading:
    """The reading of an entry; told: its numbers, used if the pits were counted. Raises `LogError` for an impossible
    number of pits."""
    pits, counted = look.pits, look.counted
    if not 0 <= pits <= MOST_PITS:
        raise LogError(f"a reading of {pits} pits")
    stays = counted and look.remembered >= 0
    return Reading(
        look.time_ns, told.loglik if counted else np.zeros((pits, COUNTS), np.float32),
        np.frombuffer(look.seen, np.bool_) if counted else np.zeros(pits, np.bool_), look.hands, look.found,
        look.moved, look.blurred, look.dark, counted, look.motion, look.lain, look.looks,
        told.stays if stays else None, told.earlier if stays else None, told.changed if stays else None)

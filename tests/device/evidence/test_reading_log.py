"""What vision said of a recording, kept in a file and read back."""

import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from device.evidence.reading_log import MAGIC, Header, LogError, Logged, ReadingLog, check_log_place, read_log
from device.journal.events import GameStarted
from vision.reading import COUNTS, BoardView, Reading

HEADER = Header("film.mp4", GameStarted("endodoi", "standard", "2x8", "line"), True, False)
PITS = 4
VIEW = BoardView(2, 2, np.arange(8.0).reshape(2, 2, 2), np.ones((2, 2)), np.eye(3), 0.4, (64, 48), ((1, 2, 3, 4),))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "film.log"


def counted(loglik: NDArray[np.float32], t: int, stays: bool = True) -> Reading:
    return Reading(t, loglik, loglik[:, 0] > 0, (0.25, 0.5), motion=0.125, lain=1.5, looks=3,
                   stays=np.arange(PITS) + t if stays else None,
                   earlier=np.arange(PITS * 3).reshape(PITS, 3) - 1 if stays else None,
                   changed=np.asarray(loglik[:, :3] / 4, np.float32) if stays else None)


def kept(path: Path, readings: list[Reading]) -> list[Logged]:
    with path.open("wb") as file:
        log = ReadingLog(file, HEADER)
        for k, reading in enumerate(readings):
            log.reading(reading, VIEW, 10 * k)
        log.close()
    header, logged = read_log(path)
    assert header == HEADER
    return list(logged)


def same(a: Reading, b: Reading) -> bool:
    fields = [name for name in Reading.__slots__ if name not in ("loglik", "seen", "stays", "earlier", "changed")]
    arrays = [(a.loglik, b.loglik), (a.seen, b.seen), (a.stays, b.stays), (a.earlier, b.earlier),
              (a.changed, b.changed)]
    return (all(np.array_equal(one, other) for one, other in arrays if one is not None and other is not None)
            and all((one is None) == (other is None) for one, other in arrays)
            and all(getattr(a, n) == getattr(b, n) for n in fields))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2 ** 32 - 1), st.booleans(), st.booleans()), max_size=8))
def test_readings_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory,
                                         drawn: list[tuple[int, bool, bool]]) -> None:
    readings = []
    for k, (seed, stays, counts) in enumerate(drawn):
        rng = np.random.default_rng(seed)
        loglik = rng.normal(size=(PITS, COUNTS)).astype(np.float32)
        loglik[1] = 0.5  # a pit that shows nothing new
        readings.append(counted(loglik, k, stays) if counts else Reading(
            k, np.zeros((PITS, COUNTS), np.float32), np.zeros(PITS, np.bool_), moved=True, counted=False))
    logged = kept(tmp_path_factory.mktemp("log") / "film.log", readings)
    assert [one.now for one in logged] == [10 * k for k in range(len(readings))]
    assert all(one.reading is not None and same(one.reading, r) for one, r in zip(logged, readings, strict=True))


def test_where_the_board_lay_comes_back_once_for_each_place(path: Path) -> None:
    loglik = np.zeros((PITS, COUNTS), np.float32)
    views = [one.view for one in kept(path, [counted(loglik, 1), counted(loglik, 2)])]
    assert views[0] is not None and views[0] is views[1], "the table tells a new place by another object"
    assert np.array_equal(views[0].centres, VIEW.centres) and views[0].stores == VIEW.stores


def test_that_the_pictures_stopped_and_that_the_board_lay_elsewhere_is_kept(path: Path) -> None:
    with path.open("wb") as file:
        log = ReadingLog(file, HEADER)
        log.frozen(5)
        log.replaced(6)
        log.close()
    assert [(one.what, one.now) for one in read_log(path)[1]] == [("frozen", 5), ("replaced", 6)]


def test_a_pit_that_did_not_change_costs_nothing(path: Path) -> None:
    rng = np.random.default_rng(1)
    loglik = rng.normal(size=(PITS, COUNTS)).astype(np.float32)
    kept(path, [counted(loglik, k) for k in range(200)])
    assert path.stat().st_size < 4000


@pytest.mark.parametrize("content, says", [
    (b"a film", "^it is not a log of readings"),
    (b"inkeek-log 1\n", "^it is a log of another version of inkeek"),
    (b"inkeek-log 2\n", "another version of inkeek.*inkeek watch VIDEO --log FILE makes one"),
    (MAGIC, "ends too early"),
    (MAGIC + b"nonsense", "damaged"),
    (MAGIC + zlib.compress(b"\0\0\0\2{}"), "beginning cannot be read"),
    (MAGIC + zlib.compress(b"\xff\xff\xff\xff" + bytes(1 << 25)), "damaged"),
])
def test_a_file_that_is_no_log_is_told_so(path: Path, content: bytes, says: str) -> None:
    path.write_bytes(content)
    with pytest.raises(LogError, match=says):
        list(read_log(path)[1])


@given(st.integers(0, 400), st.integers(0, 255))
def test_a_log_in_which_a_byte_was_changed_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, at: int,
                                                              byte: int) -> None:
    path = tmp_path_factory.mktemp("log") / "film.log"
    loglik = np.random.default_rng(2).normal(size=(PITS, COUNTS)).astype(np.float32)
    kept(path, [counted(loglik, 1)])
    raw = bytearray(zlib.decompress(path.read_bytes()[len(MAGIC):]))
    raw[at % len(raw)] = byte
    path.write_bytes(MAGIC + zlib.compress(bytes(raw)))
    with suppress(LogError):
        list(read_log(path)[1])


def test_a_log_is_written_over_a_log_but_over_nothing_else(path: Path, tmp_path: Path) -> None:
    check_log_place(path)
    kept(path, [])
    check_log_place(path)
    path.write_bytes(b"inkeek-log 1\n")
    check_log_place(path)  # be it of an older form
    film = tmp_path / "film.mp4"
    film.write_bytes(b"the only copy")
    with pytest.raises(LogError, match="not a log"):
        check_log_place(film)

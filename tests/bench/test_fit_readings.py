"""The fit of how far readings are trusted."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from device.evidence.reading_log import Header, ReadingLog
from device.journal.events import GameStarted
from engine.referee.parameters import READING
from tests.bench import fit_readings
from tests.bench.fit_readings import FITTED, Cases, cases, fitted
from vision.reading import COUNTS, BoardView, Reading

START, LEFT = "2,2,2,2,2/2,2,2,2,2 S 0-0", "2,2,2,2,2/0,3,3,2,2 N 0-0"
VIEW = BoardView(2, 5, np.zeros((2, 5, 2)), np.ones((2, 5)), np.eye(3), 0.4, (64, 48))


def read(t: float, count: int, *, hands: float = 0.0) -> Reading:
    """Return a reading in which all pits hold `count`, the last one unseen."""
    loglik = np.full((10, COUNTS), -9.0, np.float32)
    loglik[:, count] = 0.0
    return Reading(int(t * 1e9), loglik, np.arange(10) < 9, (hands, 0.0))


def film(folder: Path, number: int) -> Path:
    """Write a log of one move from second 1 to 2, with its truth beside it."""
    path = folder / f"sim_{number:05d}.log"
    log = ReadingLog(path.open("wb"), Header(path.name, GameStarted("endodoi", "merker", "2x5", START), True, True))
    for k, reading in enumerate((read(0.2, 1), read(0.5, 2), read(1.5, 4), read(2.1, 5), read(2.5, 6, hands=0.1),
                                 read(3.0, 3))):
        log.reading(reading, VIEW, k)
    log.close()
    truth = {"start": START, "moves": [{"t_in": 1.0, "t_out": 2.0, "position": LEFT}]}
    path.with_suffix(".truth.json").write_text(json.dumps(truth))
    return path


def test_a_case_is_the_last_quiet_look_between_two_moves(tmp_path: Path) -> None:
    found = cases([film(tmp_path, 1)])
    assert found.true.tolist() == [2] * 9 + [0, 3, 3, *[2] * 6]
    assert found.loglik.argmax(axis=1).tolist() == [2] * 9 + [3] * 9


@pytest.mark.for_bench
def test_an_eye_that_errs_oftener_is_believed_less() -> None:
    """On every recording one pit in twenty holds one seed more than the eye read with little certainty."""
    loglik = np.full((400, COUNTS), -12.0)
    loglik[:, 3], loglik[:, 2] = 0.0, -5.2
    those = Cases(np.where(np.arange(400) % 20 == 0, 4, 3), loglik, np.arange(400) // 40)
    found = fitted(those)
    assert found.misread > 2 * READING.misread
    assert those.nats(found) > those.nats(READING) + 20


@pytest.mark.for_bench
def test_one_recording_that_is_read_badly_does_not_make_the_others_doubtful() -> None:
    """Of ten recordings one is read at random: that is what a badly read board is for."""
    true = np.full(400, 3)
    read = np.where((np.arange(400) < 40) & (np.arange(400) % 2 == 0), 15, 3)
    loglik = np.full((400, COUNTS), -12.0)
    loglik[np.arange(400), read] = 0.0
    found = fitted(Cases(true, loglik, np.arange(400) // 40))
    assert found.misread <= READING.misread and found.bad_boards > READING.bad_boards


@pytest.mark.for_bench
def test_what_was_fitted_is_told_with_how_much_it_is_worth(tmp_path: Path) -> None:
    film(tmp_path, 1)
    film(tmp_path, 5000)
    result = CliRunner().invoke(fit_readings.main, ["--folder", str(tmp_path)])
    assert result.exit_code == 0 and result.output.startswith("1 logs, 18 pits")
    assert result.output.count("doubled") == len(FITTED)


def test_without_logs_it_says_how_to_make_some(tmp_path: Path) -> None:
    result = CliRunner().invoke(fit_readings.main, ["--folder", str(tmp_path)])
    assert result.exit_code == 1 and "tests.bench.logs make" in result.output

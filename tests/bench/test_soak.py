"""A day's load (`tests.bench.soak`), in short."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.position import Position
from engine.rules import ruleset
from tests.bench.soak import Film, Sample, soak
from tests.device.painted import FPS, PaintedEye, painted
from tests.libcamera.shown import GAME, RULES, START

pytestmark = pytest.mark.for_bench

MOVES = 30


def painted_film(folder: Path) -> Film:
    """Write a film of one legal move from the film's usual start."""
    folder.mkdir()
    before = Position.parse(START)
    after = ruleset(GAME, RULES).moves(before).moves[0].position
    shown = [painted(before.counts)] * FPS + [painted(before.counts, (0.1, 0.0))] * 8
    shown += [painted(after.counts, (0.1, 0.0))] * 3 + [painted(after.counts)] * FPS
    noise = np.random.default_rng(1)
    for number, image in enumerate(image.copy() for image in shown):
        image[8:] = noise.integers(60, 200, image[8:].shape)  # noise, else the camera counts as frozen
        (folder / f"{number}.jpg").write_bytes(cv2.imencode(".png", image)[1].tobytes())  # lossless, despite its name
    moves = [{"kind": "legal", "position": str(after)}]
    (folder / "truth.json").write_text(json.dumps({"moves": moves, "result": ""}))
    return Film.of(folder)


def test_no_verdict_is_lost_and_no_file_stays_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bench.soak.FOULS", 8)
    looks: list[Sample] = []
    found = soak(tmp_path, MOVES, 3, painted_film(tmp_path / "film"), 1, looks.append, PaintedEye)
    assert found.moves == MOVES == len(found.delays)
    assert found.fouls >= 1 and found.right >= MOVES - found.fouls, "of a foul another board may be told"
    assert looks == found.samples and [sample.move for sample in looks] == [*range(3, MOVES + 1, 3)]
    first, last = looks[0], looks[-1]
    assert last.table_files <= first.table_files + 8 and last.page_files <= first.page_files + 24
    assert last.table_mb < first.table_mb + 60 and last.page_mb < first.page_mb + 60
    assert sorted(found.delays)[MOVES - found.fouls - 1] < 1.0, "seconds of the recording; a foul is looked at longer"
    assert any(sample.film_s for sample in looks), "the film was seen"


def test_it_ends_in_the_time_that_it_was_given(tmp_path: Path) -> None:
    found = soak(tmp_path, 1000, 1, seconds=0.0)
    assert found.moves == 0 and not found.delays and not found.samples

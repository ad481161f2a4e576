"""Logs as a perfect eye would have written them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from click.testing import CliRunner

from device.evidence.reading_log import Header, ReadingLog, read_log
from device.journal.events import GameStarted
from engine.rules import ruleset
from tests.bench import perfect
from vision.reading import COUNTS, Reading

RULES = ruleset("endodoi")
START = RULES.setup()
AFTER = RULES.play(START, "a").position
TRUTH = {"start": str(START), "moves": [{"t_in": 1.0, "t_out": 2.0, "position": str(AFTER)}]}


def test_rests_are_told_as_they_lay_and_moves_as_they_were_read(tmp_path: Path) -> None:
    pits = START.board.pits
    misread = Reading(0, np.zeros((pits, COUNTS), np.float32), np.ones(pits, np.bool_))
    (tmp_path / "in").mkdir()
    with (tmp_path / "in" / "sim_00001.log").open("wb") as file:
        started = GameStarted("endodoi", "merker", str(START.board), str(START))
        log = ReadingLog(file, Header("film.mp4", started, False, True))
        for t in (0.5, 1.5, 2.5):
            log.reading(replace(misread, time_ns=int(t * 1e9)), None, 0)
        log.close()
    (tmp_path / "in" / "sim_00001.truth.json").write_text(json.dumps(TRUTH), "utf-8")
    result = CliRunner().invoke(perfect.main, [str(tmp_path / "in"), str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    told = [one.reading for one in read_log(tmp_path / "out" / "sim_00001.log")[1]]
    assert [None if r is None else tuple(r.counts.tolist()) for r in told] == [START.counts, (0,) * pits, AFTER.counts]
    assert json.loads((tmp_path / "out" / "sim_00001.truth.json").read_text("utf-8")) == TRUTH

"""The sheet of lessons beside real pits."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from tests.bench import lessons_sheet
from tests.bench.lessons_sheet import ACROSS, GAP, ROWS, main, real, sheet
from vision.seeds.crops import FINE


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a photograph of two pits and a store."""
    cv2.imwrite(str(tmp_path / "table.png"), np.full((200, 300, 3), 90, np.uint8))
    pits = [{"cx": 60, "cy": 100, "r": 30}, {"cx": 160, "cy": 100, "r": 30}, {"cx": 250, "cy": 90, "r": 9,
                                                                           "kind": "store"}]
    (tmp_path / "boards.json").write_text(json.dumps([{"file": "table.png", "pits": pits}]))
    return tmp_path


def test_real_pits_are_those_of_the_photographs(place: Path) -> None:
    crops = real(place, np.random.default_rng(1))
    assert crops.shape == (2, FINE, FINE, 3) and (crops == 90).all()
    assert not len(real(place / "nowhere", np.random.default_rng(1)))


def test_drawn_ones_stand_above_real_ones(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons_sheet, "drawn", lambda _seed: np.full((ACROSS * ROWS, FINE, FINE, 3), 200, np.uint8))
    out = place / "sheet.png"
    done = CliRunner().invoke(main, [str(out), "--folder", str(place)])
    assert done.exit_code == 0 and "24 drawn, 2 real" in done.output
    picture = cv2.imread(str(out))
    assert picture is not None and picture.shape == ((ROWS + 1) * FINE + GAP, ACROSS * FINE, 3)
    assert (picture[:ROWS * FINE] == 200).all() and (picture[-FINE:, :2 * FINE] == 90).all()


@pytest.mark.for_bench
def test_lessons_are_each_of_another_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons_sheet, "ROWS", 1)
    monkeypatch.setattr(lessons_sheet, "ACROSS", 2)
    crops = lessons_sheet.drawn(lessons_sheet.SEED)
    assert crops.shape == (2, FINE, FINE, 3) and not np.array_equal(crops[0], crops[1])


def test_empty_parts_are_left_out() -> None:
    crops = np.zeros((3, 4, 4, 3), np.uint8)
    assert sheet(crops, crops[:0]).shape == (4, 4 * ACROSS, 3)

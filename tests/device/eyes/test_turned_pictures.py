"""A camera's picture that turns in the middle of a game is turned back, and nobody is taken for the other side."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.eyes.pipeline import InlineRunner
from device.eyes.turned import TurnedPictures
from device.journal import Journal
from device.journal.events import Blind, TurnPicture, VerdictGiven
from device.south import SOUTHS, South
from device.system.folder import DataFolder
from device.system.table_process import Loop, Wanted
from device.turn import TURNS, Turn
from engine.rules import ruleset
from tests.device.cli.test_watcher import watched
from tests.device.painted import PaintedCamera, PaintedEye, Script


def table(at: tuple[float, float] = (0, 0), *, arm: float = -1, light: float = 1.0) -> np.ndarray:
    """uint8[180, 320, 3]: a table with grain, and a symmetric board with some seeds. at: pixels from the
    picture's middle to the board's; arm: where an arm lies, a share of the width; each picture has noise of its own."""
    rng = np.random.default_rng(round(1000 * (arm + light + sum(at))) % 1000)
    grain = cv2.GaussianBlur(np.random.default_rng(0).normal(150, 80, (180, 320, 1)), (0, 0), 3)
    image = np.repeat(grain[:, :, None], 3, axis=2).astype(np.uint8)
    x, y = 160 + round(at[0]), 90 + round(at[1])
    cv2.rectangle(image, (x - 110, y - 34), (x + 110, y + 34), (70, 110, 140), -1)
    for col in range(8):
        for row in (-16, 16):
            cv2.circle(image, (x - 98 + 28 * col, y + row), 11, (40, 70, 100), -1)
            if col in (1, 2, 6):
                cv2.circle(image, (x - 100 + 28 * col, y + row + 3), 4, (220, 220, 210), -1)
    if arm >= 0:
        cv2.rectangle(image, (round(320 * arm), 0), (round(320 * arm) + 40, 110), (60, 80, 120), -1)
    noisy = image * light + rng.normal(0, 4, image.shape)
    return noisy.clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("south", SOUTHS)
def test_a_turn_is_told_from_all_that_happens_at_a_table(turn: Turn, south: South) -> None:
    pictures = TurnedPictures()
    happens = [*[table()] * 3, *(table(arm=0.1 * k) for k in range(8)), table(light=0.6), table(light=1.3),
               table((14, 0)), table((14, -9)), table((4, -9), arm=0.5), np.zeros_like(table()), table(), table()]
    assert not any(pictures.look(image, south) for image in happens)
    camera_gives = [turn.image(table(arm=0.4), south), turn.image(table(arm=0.45), south), table(arm=0.5)]
    assert [pictures.look(image, south) for image in camera_gives] == [turn, Turn.NONE, turn]


def textured(script: Script, turn: Turn, since: int) -> Script:
    """The script with a table under its painted numbers, and turned pictures from one on."""
    texture = np.random.default_rng(1).integers(60, 200, (40, 64, 3))
    for k, image in enumerate(script.images):
        assert image is not None
        upright = image.copy()
        upright[8:] = texture
        script.images[k] = (turn if k >= since else Turn.NONE).image(upright, "bottom")
    return script


@pytest.mark.parametrize("turn", TURNS)
def test_a_game_goes_on_in_a_picture_that_turns_between_two_moves(turn: Turn, tmp_path: Path) -> None:
    rules = ruleset("enkeshui", "driedger")
    script = Script(rules).rest(1).move()
    since = len(script.images) - 5
    textured(script.move().move(), turn, since)
    said = watched(script)
    assert [form.get("kind") or form["event"] for form in said] == ["position", "legal", "turned", "legal", "legal"]
    assert said[2]["how"] == turn.word

    left = [8]

    def at_end() -> None:
        left[0] -= 1

    data = DataFolder(tmp_path)
    camera = PaintedCamera(script, live=True, at_end=at_end)
    Loop(Wanted(data), lambda _game: camera, lambda: left[0] <= 0, PaintedEye, InlineRunner()).run()
    with Journal(data.journal, readonly=True) as journal:
        bodies = [event.body for event in journal.read()]
    assert [body.kind for body in bodies if isinstance(body, VerdictGiven)] == ["legal"] * 3
    assert [body.turn for body in bodies if isinstance(body, TurnPicture)] == [turn.word]
    assert not [body.why for body in bodies if isinstance(body, Blind)], "the eye sees on"

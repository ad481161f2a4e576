"""A game from its middle to its end: rendered pictures, and what really happened in them. libcamera's virtual camera
shows it, and `tests.bench.soak` again and again."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from device.sim.picture import TablePicture
from device.sim.players import Players
from device.sim.world import World
from engine.position import Position
from engine.rules import ruleset
from tests.libcamera.shown import GAME, RATE, RULES, SCRIPT, SEED, SIZE, START
from vision.render.skin import HandStyle
from vision.render.styles import SceneStyle

QUALITY = 92
LONGEST_S = 90.0


class FilmError(Exception):
    """The game did not come to its end. One sentence."""


def squeezed(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture in a video's narrower range of greys, 16 to 235: libcamera's virtual camera hands on a JPEG's full
    range as if it were that."""
    return np.asarray(16 + image.astype(np.float32) * (219 / 255) + 0.5, np.uint8)


def shoot(folder: Path, *, narrow: bool = True) -> int:
    """Write 0.jpg, 1.jpg … and truth.json into the folder; how many pictures. narrow: `squeezed`.
    Raises `FilmError`."""
    rules, start = ruleset(GAME, RULES), Position.parse(START)
    rng = np.random.default_rng((SEED, 7))
    hands = (replace(HandStyle.random(rng, 5), left=False), replace(HandStyle.random(rng, 6), left=False))
    style = SceneStyle.house(start.board.rows, start.board.cols)
    picture = TablePicture(start.board, style, hands, size=SIZE)
    picture.show(start.counts)
    world = World(rules, start, Players(SCRIPT, cheats=0, longest=14), "normal", SEED, reach=picture.reach,
                  until=4.0)
    noise = np.random.default_rng((SEED, 2))
    number, end = 0, LONGEST_S
    while world.clock < end:
        image = picture.frame(world.hands(), noise)
        image = squeezed(image) if narrow else image
        cv2.imwrite(str(folder / f"{number}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        number += 1
        world.advance(number / RATE)
        if rules.over(world.position) is not None and end == LONGEST_S and not world.busy:
            end = min(world.clock + 3.0, world.until - 0.2)
        picture.show(world.counts)
    if end == LONGEST_S:
        raise FilmError(f"the game of seed {SEED} did not end within {LONGEST_S:g} s")
    over = rules.over(world.position)
    assert over is not None
    south, north = over.result
    moves = [truth.plain() for truth in world.truths]
    (folder / "truth.json").write_text(json.dumps({"moves": moves, "result": f"{south}-{north}"}))
    return number

"""Detect that a camera's picture turns from one frame to the next, as that of a phone does, or of a camera that is
switched on again: mirrored, flipped or rotated by half, while the table before it stays the same."""

import cv2
import numpy as np
from numpy.typing import NDArray

from device.south import South
from device.turn import TURNS, Turn

WIDTH = 240
"""Width in pixels at which pictures are compared: fine enough that a symmetric board differs from its mirror image."""
READ = 400
"""About this many pixels of each row are read."""
BLOCK = 12
"""Pictures are compared block by block, each this many pixels wide and high, so that an arm counts for no more than
the blocks that it covers."""
TEXTURE = 25.0
"""Least standard deviation of a block's greys, times `BLOCK`: blocks without texture are alike everywhere."""
ALIKE = 0.8
"""Blocks with at least this correlation show the same."""
NEWEST = 0.2
"""Weight of the newest picture in the average that the next one is compared with; the average has less noise."""
MARGIN = 0.1
"""What share of the blocks more must show the same once the picture is turned."""


class TurnedPictures:
    """Compares each picture of one camera with an average of those before."""

    def __init__(self) -> None:
        """Start without any picture."""
        self._average: NDArray[np.float32] | None = None

    def look(self, image: NDArray[np.uint8], south: South) -> Turn:
        """How the picture, uint8[h, w, 3], is turned against those before. south: the edge where South sits."""
        small = _small(image)
        before, self._average = self._average, small
        if before is None or before.shape != small.shape:
            return Turn.NONE
        least = _same(before, small) + MARGIN
        turned = {turn: _same(turn.image(before, south), small) for turn in TURNS} if least < 1 else {}
        turn = max(turned, key=lambda one: turned[one], default=Turn.NONE)
        if turned.get(turn, 0.0) > least:
            return turn
        self._average = before + NEWEST * (small - before)
        return Turn.NONE


def _small(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The picture small and grey, float32[h, WIDTH], in whole blocks. Only some of its pixels are read: that is three
    times as fast as averaging them all."""
    step, height = max(1, image.shape[1] // READ), max(1, WIDTH * image.shape[0] // image.shape[1] // BLOCK) * BLOCK
    read = np.ascontiguousarray(image[::step, ::step, 1])
    return np.asarray(cv2.resize(read, (WIDTH, height)), np.float32)


def _same(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """The share of textured blocks that look alike in two small pictures. A block counts as textured if it has texture
    in either picture."""
    first, second = _blocks(one), _blocks(other)
    texture, others = np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1)
    same = (np.minimum(texture, others) > TEXTURE) & ((first * second).sum(axis=1) > ALIKE * texture * others)
    return int(same.sum()) / max(1, int((np.maximum(texture, others) > TEXTURE).sum()))


def _blocks(small: NDArray[np.float32]) -> NDArray[np.float32]:
    """The blocks of a small picture without their mean, float32[blocks, BLOCK * BLOCK]."""
    rows, cols = small.shape[0] // BLOCK, small.shape[1] // BLOCK
    cut = small.reshape(rows, BLOCK, cols, BLOCK).swapaxes(1, 2).reshape(rows * cols, -1)
    centred: NDArray[np.float32] = cut - cut.mean(axis=1, keepdims=True)
    return centred

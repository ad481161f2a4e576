"""A small network that proposes pits: their centres and radii in a picture, and which are stores."""

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.parameters import PROPOSALS
from vision.network import load

WIDTH, HEIGHT, STRIDE = 384, 288, 4
WEIGHTS = Path(__file__).parents[1] / "weights" / "pitnet.onnx"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A possible pit: centre and radius in pixels of the picture, score 0…1, and whether it looks like a store."""

    x: float
    y: float
    r: float
    score: float
    store: bool


def shrunk(width: int, height: int) -> float:
    """The factor by which a picture of that size is scaled to fit the network's input."""
    return min(WIDTH / width, HEIGHT / height)


class PitNet:
    """The network, loaded once. Pictures are letterboxed to 384×288; maps come back at a quarter of that."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """weights: the ONNX file. Raises as `vision.network.load`."""
        self._net = load(weights)

    def maps(self, image: NDArray[np.uint8]) -> tuple[NDArray[np.float32], float, tuple[float, float]]:
        """Return float32[3, h, w] (heat of pits, heat of stores, log radius in letterboxed pixels), and the letterbox's
        scale and offset."""
        h, w = image.shape[:2]
        scale = shrunk(w, h)
        size = (max(1, round(w * scale)), max(1, round(h * scale)))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        left, top = (WIDTH - size[0]) // 2, (HEIGHT - size[1]) // 2
        box = cv2.copyMakeBorder(small, top, HEIGHT - size[1] - top, left, WIDTH - size[0] - left, cv2.BORDER_REPLICATE)
        out = self._net.run(np.asarray(cv2.dnn.blobFromImage(box, 1 / 255.0), np.float32))[0][0]
        out[:2] = 1 / (1 + np.exp(-out[:2]))
        return out, scale, (float(left), float(top))

    def propose(self, image: NDArray[np.uint8], least: float = PROPOSALS.least_score) -> list[Proposal]:
        """Return the peaks of the heat above `least`, best first, in pixels of the picture."""
        out, scale, (left, top) = self.maps(image)
        found = []
        for kind in (0, 1):
            heat = out[kind]
            peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > least)
            for j, i in np.argwhere(peak):
                u, v = _sub_pixel(heat, i, j)
                x, y = (u + 0.5) * STRIDE - 0.5, (v + 0.5) * STRIDE - 0.5
                found.append(
                    Proposal(
                        (x - left + 0.5) / scale - 0.5,
                        (y - top + 0.5) / scale - 0.5,
                        math.exp(float(out[2, j, i])) / scale,
                        float(heat[j, i]),
                        kind == 1,
                    )
                )
        return sorted(found, key=lambda p: -p.score)


def _sub_pixel(heat: NDArray[np.float32], i: int, j: int) -> tuple[float, float]:
    """Refine a peak between the cells by a parabola through the log heat of its neighbours."""

    def shift(a: float, b: float, c: float) -> float:
        a, b, c = (math.log(max(v, 1e-6)) for v in (a, b, c))
        bend = a - 2 * b + c
        return 0.0 if bend > -1e-6 else max(-0.5, min(0.5, 0.5 * (a - c) / bend))

    h, w = heat.shape
    dx = shift(heat[j, i - 1], heat[j, i], heat[j, i + 1]) if 0 < i < w - 1 else 0.0
    dy = shift(heat[j - 1, i], heat[j, i], heat[j + 1, i]) if 0 < j < h - 1 else 0.0
    return i + dx, j + dy


@lru_cache(maxsize=1)
def pitnet() -> PitNet:
    """The network with the weights that come with the program, loaded once."""
    return PitNet()

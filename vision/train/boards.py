"""Rendered tables for the finder of pits: whole boards in small pictures, with every pit's and store's place and
radius."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.proposal_network import HEIGHT, STRIDE, WIDTH
from vision.render import textures
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle
from vision.train.crops import hand, sensor

Image = NDArray[np.uint8]
MOST = 40
"""Circles kept a picture: 32 pits, two stores, and room."""

SHAPES = (*((2, n) for n in range(5, 13)), (2, 6), (2, 7), (2, 6), (2, 8), (4, 8), (4, 8), (3, 6))


def board_batch(seed: int, n: int) -> tuple[Image, NDArray[np.float32]]:
    """n pictures uint8[n, HEIGHT, WIDTH, 3] and float32[n, MOST, 4]: x, y, r in pixels and kind (1 pit, 2 store, 0
    nothing).

    Pits under a hand stay listed when at most half is hidden. One picture in seven has no board.
    """
    rng = np.random.default_rng(seed)
    images = np.empty((n, HEIGHT, WIDTH, 3), np.uint8)
    truth = np.zeros((n, MOST, 4), np.float32)
    for k in range(n):
        if rng.random() < 0.14:
            images[k] = _no_board(rng)
        else:
            images[k], circles = _board(rng)
            truth[k, : len(circles)] = circles
    return images, truth


def _board(rng: np.random.Generator) -> tuple[Image, NDArray[np.float32]]:
    """A table with a board by lot, uint8[HEIGHT, WIDTH, 3], and its circles float32[k, 4] as `board_batch` has them."""
    rows, cols = SHAPES[rng.integers(len(SHAPES))]
    tilt = math.radians(30 if rng.random() < 0.75 else 55)
    style = SceneStyle.random(rng, rows, cols, texture=192, tilt=tilt)
    lens = style.lens
    fill = float(rng.uniform(0.5, 1.0)) if rng.random() < 0.9 else float(rng.uniform(1.0, 1.35))
    style = replace(style, lens=replace(lens, jpeg=0, noise=0.0, blur=0.0, fill=fill))
    scene = RenderedTable(style, (WIDTH, HEIGHT))
    _fill(scene, rng)
    if rng.random() < 0.2:
        for _ in range(rng.integers(1, 3)):
            at = scene.pits[rng.integers(len(scene.pits)), :2] + rng.normal(0, 1.0, 2)
            scene.limbs = np.concatenate([scene.limbs, hand(rng, (at[0], at[1]))])
    linear, cover = scene.trace(np.array([[1.0, 0, 0], [0, 1.0, 0]]), scene.size, 1)
    image = sensor(np.asarray(scene.tone(linear) + 0.5, np.uint8), rng)
    return image, _seen_circles(scene, cover)


def _fill(scene: RenderedTable, rng: np.random.Generator) -> None:
    """Seeds by lot: the same in all pits, none, or in each its own; and something in some stores."""
    same = int(rng.integers(0, 7))
    how = rng.random()
    for pit in range(scene.board_pits):
        scene.fill(pit, same if how < 0.3 else 0 if how < 0.4 else int(min(12, rng.geometric(0.22) - 1)))
    for pit in range(scene.board_pits, len(scene.pits)):
        scene.fill(pit, int(rng.integers(0, 12)) if rng.random() < 0.4 else 0)


def _seen_circles(scene: RenderedTable, cover: NDArray[np.float32]) -> NDArray[np.float32]:
    """float32[k, 4], x, y, r in pixels and kind of the pits and stores that the picture shows, at most `MOST`. cover:
    float32[HEIGHT, WIDTH], the share of each pixel that limbs cover."""
    seen = [(x, y, r, 1.0 if k < scene.board_pits else 2.0) for k, (x, y, r) in enumerate(scene.circles)
            if _in_picture(x, y, r) and not _mostly_covered(x, y, r, cover)]
    return np.array(seen[:MOST], np.float32).reshape(-1, 4)


def _in_picture(x: float, y: float, r: float) -> bool:
    """Whether most of a circle, in pixels, lies in the picture."""
    return -0.3 * r < x < WIDTH + 0.3 * r and -0.3 * r < y < HEIGHT + 0.3 * r


def _mostly_covered(x: float, y: float, r: float, cover: NDArray[np.float32]) -> bool:
    """Whether more than half of the square about a circle, in pixels, is covered."""
    x0, x1, y0, y1 = (int(v) for v in (max(0, x - r), min(WIDTH, x + r) + 1, max(0, y - r), min(HEIGHT, y + r) + 1))
    there = cover[y0:y1, x0:x1]
    return bool(there.size and there.mean() > 0.5)


def _no_board(rng: np.random.Generator) -> Image:
    """A table without a board: cloth, wood, clutter of discs, boxes and lines; now and then a hand."""
    linear = textures.table(512, rng)
    angle, zoom = rng.uniform(0, 360), rng.uniform(0.8, 1.6)
    turn = cv2.getRotationMatrix2D((256, 256), angle, zoom)
    turn[:, 2] += np.array([WIDTH / 2 - 256, HEIGHT / 2 - 256])
    picture = cv2.warpAffine(
        np.clip(linear, 0, 1) ** (1 / 2.2) * 255, turn, (WIDTH, HEIGHT), borderMode=cv2.BORDER_WRAP
    )
    image = np.asarray(np.clip(picture * rng.uniform(0.5, 1.2), 0, 255), np.uint8)
    for _ in range(rng.integers(0, 14)):
        colour = rng.uniform(0, 255, 3).tolist()
        x, y = int(rng.integers(WIDTH)), int(rng.integers(HEIGHT))
        r = int(rng.integers(4, 90))
        kind = rng.integers(4)
        if kind == 0:
            cv2.circle(image, (x, y), r, colour, -1 if rng.random() < 0.6 else int(rng.integers(1, 6)), cv2.LINE_AA)
        elif kind == 1:
            cv2.rectangle(image, (x, y), (x + 2 * r, y + int(rng.integers(4, 90))), colour, -1)
        elif kind == 2:
            cv2.line(
                image, (x, y), (int(rng.integers(WIDTH)), int(rng.integers(HEIGHT))), colour, int(rng.integers(1, 12))
            )
        else:
            cv2.putText(
                image,
                "ABCDEFG 123"[int(rng.integers(8)) :],
                (x, y),
                int(rng.integers(8)),
                float(rng.uniform(0.4, 3)),
                colour,
                2,
            )
    return sensor(image, rng)


def targets(truth: NDArray[np.float32]) -> NDArray[np.float32]:
    """float32[n, 5, HEIGHT / STRIDE, WIDTH / STRIDE]: heat of pits, heat of stores, log radius, mask of pits, mask of
    stores.

    Heat is a Gaussian of a quarter radius round each centre (CenterNet, Zhou et al. 2019); the masks say where the log
    radius (of pixels) counts.
    """
    h, w = HEIGHT // STRIDE, WIDTH // STRIDE
    out = np.zeros((len(truth), 5, h, w), np.float32)
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    for k, circles in enumerate(truth):
        for x, y, r, kind in circles:
            if kind == 0:
                continue
            u, v = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
            d2 = (xx - u) ** 2 + (yy - v) ** 2
            sigma = max(0.7, 0.25 * r / STRIDE)
            c = int(kind) - 1
            out[k, c] = np.maximum(out[k, c], np.exp(-d2 / (2 * sigma * sigma)))
            near = d2 < max(1.2, (0.4 * r / STRIDE) ** 2)
            out[k, 2][near] = math.log(max(2.0, r))
            out[k, 3 + c][near] = 1.0
    return out

"""Rendered tables for the finder of pits: whole boards in small pictures, with every pit's and store's place and
radius."""

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
TRAYS = ((3, 4), (3, 5), (4, 4), (4, 5), (5, 6), (6, 6), (3, 8), (3, 10), (5, 7), (2, 3), (1, 6))
"""Hollows in rows that are no game's board. They are listed as pits are: a place looks like a pit or does not, and
whether the pits are a board is asked of all together (`vision.board.odds`)."""
FRAMES = ((384, 288), (384, 216), (384, 256), (288, 288), (216, 288), (384, 216))
"""Sizes of the pictures that are letterboxed as the finder does it; telephones are held upright, too."""


def board_batch(seed: int, n: int, unusual: float = 0.0) -> tuple[Image, NDArray[np.float32]]:
    """Return n pictures uint8[n, HEIGHT, WIDTH, 3], and float32[n, MOST, 4]: x, y, r in pixels and kind (1 pit, 2
    store, 0 nothing). Pits under a hand are listed if at most half is hidden. One picture in seven has no board.
    unusual: the share, 0 to 1, of pictures of carved, cut, covered and painted boards, of trays and of chequered
    boards."""
    rng = np.random.default_rng(seed)
    images = np.empty((n, HEIGHT, WIDTH, 3), np.uint8)
    truth = np.zeros((n, MOST, 4), np.float32)
    for k in range(n):
        circles = NOTHING
        if unusual and rng.random() < unusual:
            images[k], circles = _unusual(rng)
        elif rng.random() < 0.14:
            images[k] = _no_board(rng)
        else:
            images[k], circles = _board(rng)
        truth[k, : len(circles)] = circles
    return images, truth


NOTHING = np.zeros((0, 4), np.float32)


def _unusual(rng: np.random.Generator) -> tuple[Image, NDArray[np.float32]]:
    """Return a letterboxed picture of something that `_board` seldom draws, and its circles, see `board_batch`."""
    size = FRAMES[rng.integers(len(FRAMES))]
    how = rng.random()
    if how < 0.18:
        image, circles = sensor(_rows_of_things(rng, size), rng), NOTHING
    else:
        carved, floor, cut, covered = rng.random(4) < (0.65, 0.3, 0.35, 0.35)
        style = _tray(rng) if how < 0.32 else _rough(rng) if carved or not floor else _ordinary(rng)
        image, circles = _taken(_painted(style, rng) if floor else style, size, rng, bool(cut), bool(covered))
    left, top = (WIDTH - size[0]) // 2, (HEIGHT - size[1]) // 2
    box = cv2.copyMakeBorder(image, top, HEIGHT - size[1] - top, left, WIDTH - size[0] - left, cv2.BORDER_REPLICATE)
    return np.asarray(box, np.uint8), circles + np.array([left, top, 0, 0], np.float32)


def _ordinary(rng: np.random.Generator) -> SceneStyle:
    return _clear(SceneStyle.random(rng, *SHAPES[rng.integers(len(SHAPES))], texture=192, tilt=0.9))


def _clear(style: SceneStyle) -> SceneStyle:
    """Return the same table seen through a perfect lens: `sensor` adds the faults."""
    return replace(style, lens=replace(style.lens, jpeg=0, noise=0.0, blur=0.0))


def _rough(rng: np.random.Generator) -> SceneStyle:
    """A board cut out by hand, or holes dug into the ground: pits that touch or run into one another, round and square
    ones in one board, their rims worn."""
    rows, cols = (4, 8) if rng.random() < 0.55 else (2, int(rng.integers(5, 13)))
    style = _clear(SceneStyle.random(rng, rows, cols, texture=192))
    rx, ratio = float(rng.uniform(0.38, 0.52)), float(rng.uniform(0.8, 1.2))
    apart = float(rng.uniform(1.92, 2.4))
    style = replace(
        style, pit_rx=rx, pit_ry=rx * ratio, row_pitch=rx * ratio * apart, depth=float(rng.uniform(0.08, 0.4)),
        square=2.0 if rng.random() < 0.55 else float(rng.uniform(2.2, 5.0)), uneven=float(rng.uniform(0.0, 1.2)),
        jitter=float(rng.uniform(0.0, 0.055)), margin=float(rng.uniform(0.03, 0.5)), rim_paint=0.0,
        lens=replace(style.lens, tilt=float(rng.uniform(0, 1) ** 1.3 * 1.05)),
    )
    if rng.random() < 0.2:
        ground = textures.table(192, rng)
        style = replace(style, wood=ground, bowl=np.asarray(ground * rng.uniform(0.6, 1.1), np.float32))
    return style


def _tray(rng: np.random.Generator) -> SceneStyle:
    """A tray for eggs, paint or cakes, its hollows alike."""
    style = _clear(SceneStyle.random(rng, *TRAYS[rng.integers(len(TRAYS))], stores=False, texture=192, tilt=0.8))
    if rng.random() < 0.5:
        return style
    stuff = np.asarray(textures.plain(192, rng) * rng.uniform(0.4, 1.0), np.float32)
    return replace(style, wood=stuff, bowl=stuff, varnish=float(rng.uniform(0, 1.5)), jitter=0.0, gap_axis=0)


def _painted(style: SceneStyle, rng: np.random.Generator) -> SceneStyle:
    """The same table with a picture on the floor of every pit."""
    return replace(style, floor=1.0, bowl=textures.floor(style.bowl.shape[0], rng, style.bowl))


def _taken(style: SceneStyle, size: tuple[int, int], rng: np.random.Generator, cut: bool,
           covered: bool) -> tuple[Image, NDArray[np.float32]]:
    """Return a table's picture of that (width, height), a little bent, and its circles. The frame may cut the board,
    and arms may cover it."""
    style = replace(style, lens=replace(style.lens, fill=float(rng.uniform(0.7, 0.98))))
    scene = RenderedTable(style, size)
    _fill(scene, rng)
    for _ in range(int(rng.integers(1, 4)) if covered else 0):
        at = scene.pits[rng.integers(len(scene.pits)), :2] + rng.normal(0, 0.7, 2)
        scene.limbs = np.concatenate([scene.limbs, hand(rng, (at[0], at[1]))])
    zoom = float(rng.uniform(0.45, 0.9)) if cut else 1.0
    at = np.array(size) * (1 - zoom) * rng.random(2)
    linear, cover = scene.trace(np.array([[zoom, 0, at[0]], [0, zoom, at[1]]]), size, 1)
    circles = (scene.circles - (*at, 0)) / zoom
    image, cover, circles = _bent(np.asarray(scene.tone(linear) + 0.5, np.uint8), cover, circles, rng)
    return sensor(image, rng), _seen_circles(circles, scene.board_pits, cover)


def _bent(image: Image, cover: NDArray[np.float32], circles: NDArray[np.float64],
          rng: np.random.Generator) -> tuple[Image, NDArray[np.float32], NDArray[np.float64]]:
    """Return a picture, the share of it that limbs cover, and its circles, all bent alike, as an old board is."""
    h, w = cover.shape
    knots = rng.normal(0, 1, (3, 4, 2)) * rng.choice(np.array([0.0, 0.006, 0.014])) * w
    by = cv2.resize(knots.astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    seen, hidden = (cv2.remap(of, x - by[..., 0], y - by[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
                    for of in (image, cover))
    i, j = (np.clip(circles[:, k].round(), 0, n - 1).astype(np.int64) for k, n in ((0, w), (1, h)))
    moved = circles + np.concatenate([by[j, i], np.zeros((len(i), 1))], axis=1)
    return np.asarray(seen, np.uint8), np.asarray(hidden, np.float32), moved


CELL = 48
"""Pixels of a square of a chequered board, before it is laid on a table."""
Ink = NDArray[np.float64]
"""float64[3], a colour in linear light, RGB."""


def _rows_of_things(rng: np.random.Generator, size: tuple[int, int]) -> Image:
    """Return things at even steps that are no pits, seen at a slant: a board for chess or draughts, tiles, keys, lids.
    """
    rows, cols = ((8, 8), (8, 8), (10, 10), (4, 10), (5, 12), (7, 7), (3, 9))[rng.integers(7)]
    board: NDArray[np.float64] = np.ones((CELL * rows, CELL * cols, 3)) * rng.uniform(0.0, 0.9, 3)
    inks = textures.WOODS if rng.random() < 0.5 else tuple(rng.uniform(0.01, 0.95, (4, 3)))
    light, dark, man, other = (np.array(inks[k]) for k in rng.integers(len(inks), size=4))
    light = np.clip(light * 2.5, 0, 0.95) if rng.random() < 0.5 else light
    chequered, gap, lids = rng.random() < 0.6, int(rng.integers(0, 5)), rng.random() < 0.4
    crowd = float(rng.choice(np.array([0.0, 0.0, 0.3, 0.7])))
    for row, col in np.ndindex(rows, cols):
        ink = (dark if (row + col) % 2 and chequered else light) * rng.uniform(0.9, 1.1)
        cell = board[row * CELL:(row + 1) * CELL, col * CELL:(col + 1) * CELL]
        if lids and not chequered:
            _disc(cell, 24, 21, ink * 0.6)
            _disc(cell, 24, 17, ink)
        else:
            cv2.rectangle(cell, (gap, gap), (CELL - 1 - gap, CELL - 1 - gap), ink.tolist(), -1)
        if rng.random() < crowd:
            piece = (man if row < rows / 2 else other) * rng.uniform(0.9, 1.1)
            _disc(cell, 27, 17, ink * 0.5)
            _disc(cell, 24, 17, piece)
            cv2.circle(cell, (24, 24), int(rng.integers(5, 14)), (piece * 1.4).tolist(), 2, cv2.LINE_AA)
    edge = (dark * rng.uniform(0.5, 1)).tolist()
    framed = cv2.copyMakeBorder(board, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=edge)
    return _lies(np.asarray(framed, np.float64), rng, size)


def _disc(cell: NDArray[np.float64], at: int, radius: int, ink: Ink) -> None:
    cv2.circle(cell, (at, at), radius, ink.tolist(), -1, cv2.LINE_AA)


def _lies(board: NDArray[np.float64], rng: np.random.Generator, size: tuple[int, int]) -> Image:
    """Return a picture of a flat thing, float64[h, w, 3] in linear light, that lies on a table in uneven light."""
    h, w = board.shape[:2]
    long, turn = float(rng.uniform(0.5, 1.3)) * min(size[0] / w, size[1] / h), float(rng.normal(0, 0.15))
    turn = turn if rng.random() < 0.6 else float(rng.uniform(0, 2 * math.pi))
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2 * long
    c, s = math.cos(turn), math.sin(turn)
    at = corners @ np.array([[c, s], [-s, c]]) * (1, float(rng.uniform(0.55, 1)))
    at = at / (1 + at @ rng.normal(0, 0.2, 2) / size[0])[:, None] + np.array(size) / 2 + rng.normal(0, 12, 2)
    view = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), at.astype(np.float32))
    ground = cv2.resize(textures.table(512, rng), size, interpolation=cv2.INTER_AREA)
    there = cv2.warpPerspective(np.ones((h, w), np.float32), view, size, flags=cv2.INTER_AREA)[..., None]
    seen = cv2.warpPerspective(board, view, size, flags=cv2.INTER_AREA)
    x, y = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    light = np.clip(rng.uniform(0.4, 1.3) * (1 + x * rng.normal(0, 0.25) + y * rng.normal(0, 0.25)), 0.1, 2)[..., None]
    linear = np.clip((ground * (1 - there) + seen * there) * light, 0, 1)
    return np.asarray(linear[..., ::-1] ** (1 / 2.2) * 255, np.uint8)


def _board(rng: np.random.Generator) -> tuple[Image, NDArray[np.float32]]:
    """Return a picture of a random table with a board, uint8[HEIGHT, WIDTH, 3], and its circles float32[k, 4], see
    `board_batch`."""
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
    return image, _seen_circles(scene.circles, scene.board_pits, cover)


def _fill(scene: RenderedTable, rng: np.random.Generator) -> None:
    """Fill the pits with random counts: the same in all, none, or each its own; and put something into some stores."""
    same = int(rng.integers(0, 7))
    how = rng.random()
    for pit in range(scene.board_pits):
        scene.fill(pit, same if how < 0.3 else 0 if how < 0.4 else int(min(12, rng.geometric(0.22) - 1)))
    for pit in range(scene.board_pits, len(scene.pits)):
        scene.fill(pit, int(rng.integers(0, 12)) if rng.random() < 0.4 else 0)


def _seen_circles(circles: NDArray[np.float64], pits: int, cover: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return float32[k, 4], x, y, r in pixels and kind of the visible pits and stores, at most `MOST`. circles:
    float64[n, 3], the pits, `pits` of them, then the stores; cover: float32[h, w], the share of each pixel that limbs
    cover."""
    seen = [(x, y, r, 1.0 if k < pits else 2.0) for k, (x, y, r) in enumerate(circles)
            if _in_picture(x, y, r, cover.shape) and not _mostly_covered(x, y, r, cover)]
    return np.array(seen[:MOST], np.float32).reshape(-1, 4)


def _in_picture(x: float, y: float, r: float, shape: tuple[int, ...]) -> bool:
    """Whether most of a circle, in pixels, lies in a picture of that shape, (height, width)."""
    return -0.3 * r < x < shape[1] + 0.3 * r and -0.3 * r < y < shape[0] + 0.3 * r


def _mostly_covered(x: float, y: float, r: float, cover: NDArray[np.float32]) -> bool:
    """Whether more than half of the square about a circle, in pixels, is covered."""
    h, w = cover.shape
    x0, x1, y0, y1 = (int(v) for v in (max(0, x - r), min(w, x + r) + 1, max(0, y - r), min(h, y + r) + 1))
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

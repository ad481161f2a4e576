"""Random pictures of boards and of other things in rows, from which `vision.train.board_odds` learns to tell boards."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import textures
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle
from vision.train.crops import hand, hand_carved, sensor

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

NEAR = 0.25
"""A pit is found when its middle is within this share of its radius."""
SHAPES = (*((2, n) for n in range(5, 13)), (2, 6), (2, 7), (2, 8), (2, 6), (4, 8), (4, 8))
NO_SHAPES = ((3, 5), (3, 6), (3, 8), (5, 6), (6, 6), (5, 10), (6, 10), (4, 4), (4, 6), (2, 3), (2, 4), (1, 8), (2, 15))
"""Trays of pits that no game's board is."""
LEAST_COLS = 5
"""Of a board, for it to be found."""


@dataclass(frozen=True, slots=True)
class BoardTruth:
    """A board as a picture shows it. circles: float64[rows, cols, 3], x, y and mean radius in pixels; size: (width,
    height) of the picture."""

    circles: Array
    size: tuple[int, int]

    @property
    def whole(self) -> NDArray[np.bool_]:
        """bool[rows, cols]: the pits whose rims lie in the picture."""
        xy, r = self.circles[..., :2], 0.8 * self.circles[..., 2:]
        return np.asarray(((xy > r) & (xy < np.asarray(self.size) - r)).all(-1), np.bool_)

    def found(self, centres: Array, told: bool = False, near: float = NEAR) -> bool:
        """Whether pits at float64[rows, cols, 2] are this board's: each is one of its pits, and no whole column is left
        out; if the finder was told the number of columns, all pits are there."""
        if len(centres) != len(self.circles):
            return False
        there = self.circles.reshape(-1, 3)
        off = np.linalg.norm(centres.reshape(-1, 1, 2) - there[:, :2], axis=-1) / there[:, 2]
        nearest = off.argmin(1)
        if (off.min(1) > near).any() or len(set(nearest)) < len(nearest):
            return False
        needed = np.ones_like(self.whole) if told else np.broadcast_to(self.whole.all(0), self.whole.shape)
        return set(np.flatnonzero(needed)) <= set(nearest.tolist())


class View(NamedTuple):
    """A picture, and the board that it shows; None if it shows something else."""

    image: Image
    truth: BoardTruth | None


def _drawn(style: SceneStyle, size: tuple[int, int], rng: np.random.Generator) -> tuple[Image, Array]:
    """A table's picture, and float64[rows, cols, 3], its pits' circles."""
    counts = np.minimum(rng.geometric(0.22, (style.rows, style.cols)) - 1, 20) * (rng.random() < 0.9)
    scene = RenderedTable(style, size, counts, samples=1)
    circles = scene.circles[: scene.board_pits].reshape(style.rows, style.cols, 3)
    return scene.finish(scene.image(), rng), circles


def plain(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """Return a board seen from up to thirty degrees off the vertical."""
    image, circles = _drawn(SceneStyle.random(rng, *_shape(rng), tilt=0.52), size, rng)
    return View(image, BoardTruth(circles, size))


def aside(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """Return a board seen from low down, 34 to 60 degrees off the vertical."""
    style = SceneStyle.random(rng, *_shape(rng))
    lens = replace(style.lens, tilt=float(rng.uniform(0.6, 1.05)))
    image, circles = _drawn(replace(style, lens=lens), size, rng)
    return View(image, BoardTruth(circles, size))


def hinged(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """A board whose halves part at a hinge."""
    rows, cols = 2, 2 * int(rng.integers(3, 7))
    style = SceneStyle.random(rng, rows, cols, tilt=0.7)
    image, circles = _drawn(replace(style, gap_axis=1, gap=float(rng.uniform(0.12, 0.6))), size, rng)
    return View(image, BoardTruth(circles, size))


def carved(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """A board with lines and dots carved or painted between its uneven pits."""
    style = SceneStyle.random(rng, *_shape(rng), texture=384, tilt=0.7)
    base = textures.WOODS[rng.integers(len(textures.WOODS))]
    wood = textures.carved(384, rng, base)
    style = replace(style, wood=wood, bowl=np.asarray(wood * rng.uniform(0.6, 1.2), np.float32),
                    jitter=float(rng.uniform(0, 0.05)), rim_paint=float(rng.uniform(0, 0.7)))
    image, circles = _drawn(style, size, rng)
    return View(image, BoardTruth(circles, size))


def adzed(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """Return a board carved by hand, mostly with four rows: its pits touch and differ, its rims are soft, and it sags
    in the middle; often seen from low down."""
    rows, cols = (4, 8) if rng.random() < 0.75 else (2, int(rng.integers(5, 11)))
    style = hand_carved(SceneStyle.random(rng, rows, cols), rng)
    lens = replace(style.lens, tilt=float(rng.uniform(0.0, 1.0)))
    image, circles = _drawn(replace(style, lens=lens), size, rng)
    image, circles = sagged(image, circles, float(rng.uniform(-0.06, 0.06)))
    return View(image, BoardTruth(circles, size))


def sagged(image: Image, circles: Array, by: float) -> tuple[Image, Array]:
    """Return a picture of a board, and its circles, bent so that the middle of the rows lies lower. by: how much lower,
    as a share of the rows' length."""
    first, last = circles[:, 0, :2].mean(0), circles[:, -1, :2].mean(0)
    along = last - first
    long = float(np.linalg.norm(along))
    along, middle = along / long, (first + last) / 2
    across = np.array([-along[1], along[0]])

    def shift(x: Array, y: Array) -> Array:
        t = ((x - middle[0]) * along[0] + (y - middle[1]) * along[1]) / (long / 2)
        return np.asarray(by * long * (1 - np.minimum(t**2, 2.0)), np.float64)

    h, w = image.shape[:2]
    x, y = np.meshgrid(np.arange(w, dtype=np.float64), np.arange(h, dtype=np.float64))
    off = shift(x, y)
    bent = cv2.remap(image, (x - off * across[0]).astype(np.float32), (y - off * across[1]).astype(np.float32),
                     cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    out = circles.copy()
    out[..., :2] += shift(circles[..., 0], circles[..., 1])[..., None] * across
    return np.asarray(bent, np.uint8), out


def covered(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """A board with one or two arms over it."""
    style = SceneStyle.random(rng, *_shape(rng), tilt=0.8)
    counts = np.minimum(rng.geometric(0.22, (style.rows, style.cols)) - 1, 20)
    scene = RenderedTable(style, size, counts, samples=1)
    for _ in range(int(rng.integers(1, 3))):
        x, y = scene.pits[rng.integers(scene.board_pits), :2]
        scene.limbs = np.concatenate([scene.limbs, hand(rng, (float(x), float(y)))])
    circles = scene.circles[: scene.board_pits].reshape(style.rows, style.cols, 3)
    return View(scene.finish(scene.image(), rng), BoardTruth(circles, size))


def cut(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """Return a part of a picture that cuts a board but leaves at least five columns whole."""
    while True:
        shape = _shape(rng)
        image, circles = _drawn(SceneStyle.random(rng, *shape, tilt=0.8), size, rng)
        for _ in range(20):
            view = _part(image, circles, rng)
            whole = view.truth.whole.all(0) if view.truth else np.zeros(1)
            if whole.sum() >= LEAST_COLS and not whole.all():
                return view


def _part(image: Image, circles: Array, rng: np.random.Generator) -> View:
    """Return a random part of a picture, from half of it to most of it."""
    h, w = image.shape[:2]
    width, height = (int(n * rng.uniform(0.5, 0.95)) for n in (w, h))
    left, top = int(rng.integers(w - width + 1)), int(rng.integers(h - height + 1))
    part = np.ascontiguousarray(image[top:top + height, left:left + width])
    return View(part, BoardTruth(circles - (left, top, 0), (width, height)))


def _shape(rng: np.random.Generator) -> tuple[int, int]:
    return SHAPES[rng.integers(len(SHAPES))]


# ---- other things ----

def tray(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """Return pits in rows that are no board's: a tray for eggs, for paint, for cakes."""
    style = SceneStyle.random(rng, *NO_SHAPES[rng.integers(len(NO_SHAPES))], stores=False, tilt=0.8)
    return View(_drawn(style, size, rng)[0], None)


def scrap(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """Return a part of a board's picture that shows too little for a board: one row, or a few pits."""
    while True:
        image, circles = _drawn(SceneStyle.random(rng, *_shape(rng), tilt=0.8), size, rng)
        h, w = image.shape[:2]
        for _ in range(30):
            width, height = (int(n * rng.uniform(0.25, 0.8)) for n in (w, h))
            left, top = int(rng.integers(w - width + 1)), int(rng.integers(h - height + 1))
            seen = BoardTruth(circles - (left, top, 0), (width, height))
            inside = ((seen.circles[..., :2] > 0) & (seen.circles[..., :2] < seen.size)).all(-1)
            if inside.sum() >= 2 and np.sort(inside.sum(1))[-2] < 4:
                return View(np.ascontiguousarray(image[top:top + height, left:left + width]), None)


def grid(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """Return like things at even steps: bricks, keys, tiles, windows, coins, beads, wheels. Round things never form
    just two rows."""
    image = _ground(rng, size)
    thing = _THINGS[rng.integers(len(_THINGS))]
    rows, cols = int(rng.integers(1, 9)), int(rng.integers(3, 16))
    if rows in (2, 4):
        rows += 1
    step = np.array([1.0, float(rng.uniform(0.5, 1.6))])
    span = float(rng.uniform(0.5, 1.3)) * size[0] / max(cols, 1.5 * rows)
    turn, shift = float(rng.uniform(0, 2 * math.pi)), 0.5 if rng.random() < 0.25 else 0.0
    lean = rng.normal(0, 0.25, 2) / size[0]
    colours = [rng.uniform(0, 255, 3) for _ in range(int(rng.integers(1, 4)))]
    jitter = float(rng.choice(np.array([0.0, 0.0, 0.02, 0.06])))
    for row in range(rows):
        for col in range(cols):
            at = (np.array([col + shift * (row % 2), row]) - (cols / 2, rows / 2)) * step + rng.normal(0, jitter, 2)
            thing(image, _Plane(span, turn, lean, size), at, step, colours[(row + col) % len(colours)], rng)
    return View(_seen(image, rng), None)


@dataclass(frozen=True, slots=True)
class _Plane:
    """The plane on which things lie. span: pixels per step; turn: radians; lean: per pixel, how fast the plane recedes.
    """

    span: float
    turn: float
    lean: Array
    size: tuple[int, int]

    def pixels(self, points: Array) -> NDArray[np.int32]:
        """int32[n, 2], in sixteenths of a pixel."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        p = points @ np.array([[c, s], [-s, c]]) * self.span
        p = p / np.maximum(0.3, 1 + p @ self.lean)[:, None] + np.asarray(self.size) / 2
        return np.round(p * 16).astype(np.int32)


Thing = Callable[[Image, _Plane, Array, Array, Array, np.random.Generator], None]
_T = np.linspace(0, 2 * math.pi, 40, endpoint=False)
_RING: Array = np.stack([np.cos(_T), np.sin(_T)], -1)


def _box(image: Image, plane: _Plane, at: Array, step: Array, colour: Array, rng: np.random.Generator) -> None:
    """A brick, a key or a window."""
    half = step * 0.44
    corners = at + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    cv2.fillConvexPoly(image, plane.pixels(corners), (colour * rng.uniform(0.85, 1.1)).tolist(), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(image, plane.pixels(at + 0.8 * (corners - at)), (colour * 0.9 + 12).tolist(), cv2.LINE_AA, 4)


def _disc(image: Image, plane: _Plane, at: Array, step: Array, colour: Array, rng: np.random.Generator) -> None:
    """A coin, a bead or a button with its shade."""
    r = 0.42 * float(step.min())
    for k, off in ((0.4, (0.12, 0.1)), (1.0, (0.0, 0.0)), (1.12, (-0.1, -0.08))):
        size = r * (0.8 if k > 1 else 1.0)
        tone = (colour * k * rng.uniform(0.95, 1.05)).clip(0, 255)
        cv2.fillPoly(image, [plane.pixels(at + r * np.array(off) + size * _RING)], tone.tolist(), cv2.LINE_AA, 4)


def _wheel(image: Image, plane: _Plane, at: Array, step: Array, colour: Array, _: np.random.Generator) -> None:
    """Rings about one middle."""
    r = 0.45 * float(step.min())
    for k, tone in ((1.0, 0.25), (0.75, 1.0), (0.6, 0.5), (0.2, 1.1)):
        cv2.fillPoly(image, [plane.pixels(at + k * r * _RING)], (colour * tone).clip(0, 255).tolist(), cv2.LINE_AA, 4)


def _spot(image: Image, plane: _Plane, at: Array, step: Array, colour: Array, rng: np.random.Generator) -> None:
    """A spot of a fur or a cloth, nearly round."""
    r = 0.38 * float(step.min()) * (1 + rng.normal(0, 0.12, (len(_RING), 1)))
    at = at + rng.normal(0, 0.05, 2)
    cv2.fillPoly(image, [plane.pixels(at + r * _RING)], (colour * 0.5).tolist(), cv2.LINE_AA, 4)


_THINGS: tuple[Thing, ...] = (_box, _disc, _wheel, _spot, _disc)


def clutter(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """A table with discs, boxes and lines anywhere, or bare."""
    image = _ground(rng, size)
    plane = _Plane(1.0, 0.0, np.zeros(2), (0, 0))
    r = float(rng.uniform(8, 60))
    for _ in range(int(rng.integers(0, 40))):
        at, colour = rng.uniform(0, size), rng.uniform(0, 255, 3)
        like = np.full(2, r * (rng.uniform(0.9, 1.1) if rng.random() < 0.7 else rng.uniform(0.4, 3)) / 0.42)
        _THINGS[rng.integers(len(_THINGS))](image, plane, at, like, colour, rng)
    return View(_seen(image, rng), None)


def letters(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """Lines of print."""
    image = _ground(rng, size)
    ink, scale = rng.uniform(0, 255, 3).tolist(), float(rng.uniform(0.6, 2.5))
    for y in range(30, size[1], int(rng.uniform(28, 45) * scale)):
        text = "".join(rng.choice(list("oo00OQ8agebd sow "), int(70 / scale)))
        cv2.putText(image, text, (10, y), int(rng.integers(5)), scale, ink, max(1, round(2 * scale)), cv2.LINE_AA)
    return View(_seen(image, rng), None)


def squares(rng: np.random.Generator, size: tuple[int, int]) -> View:
    """A board for chess or draughts, bare or with pieces on it."""
    image = _ground(rng, size)
    n = int(rng.choice(np.array([8, 8, 8, 10, 12])))
    plane = _Plane(float(rng.uniform(0.55, 1.1)) * size[1] / n, _turn(rng), rng.normal(0, 0.25, 2) / size[0], size)
    light, dark = np.sort(rng.uniform(10, 245, (2, 3)), axis=0)[::-1]
    if rng.random() < 0.5:  # of wood
        light, dark = (np.array([0.6, 0.8, 1.0]) * rng.uniform(*tones) for tones in ((150, 250), (20, 130)))
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - n / 2
    frame = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (n / 2 + float(rng.uniform(0, 1.2)))
    cv2.fillConvexPoly(image, plane.pixels(frame), (dark * rng.uniform(0.6, 1.2)).tolist(), cv2.LINE_AA, 4)
    pieces = _pieces(rng, n)
    for row, col in np.ndindex(n, n):
        tone = (dark if (row + col) % 2 else light) * rng.uniform(0.93, 1.05)
        corners = plane.pixels(square + np.array([col, row]))
        cv2.fillConvexPoly(image, corners, tone.clip(0, 255).tolist(), cv2.LINE_AA, 4)
    for row, col in np.argwhere(pieces):
        at, colour = np.array([col, row]) + 0.5 - n / 2, light if pieces[row, col] == 1 else dark * 0.6
        _disc(image, plane, at, np.full(2, 0.9), colour, rng)
    return View(_seen(image, rng), None)


def _pieces(rng: np.random.Generator, n: int) -> NDArray[np.int64]:
    """int64[n, n]: on which squares light pieces, 1, and dark ones, 2, stand: none, those of draughts, or some."""
    on, rows = np.zeros((n, n), np.int64), np.arange(n)[:, None]
    how = rng.random()
    if how < 0.5:
        return on
    on[:] = np.where(rows < n / 2 - 1, 2, np.where(rows > n / 2, 1, 0))
    on *= (rows + np.arange(n)) % 2
    return on * (rng.random((n, n)) < (1.0 if how < 0.75 else 0.4))


def _turn(rng: np.random.Generator) -> float:
    """Return a random angle, radians: people mostly hold a camera along the thing that they look at."""
    return float(rng.normal(0, 0.06) if rng.random() < 0.6 else rng.uniform(0, 2 * math.pi))


def _ground(rng: np.random.Generator, size: tuple[int, int]) -> Image:
    """What other things lie on."""
    linear = textures.table(512, rng)
    turn = cv2.getRotationMatrix2D((256, 256), float(rng.uniform(0, 360)), float(rng.uniform(0.8, 2.5)))
    turn[:, 2] += np.array([size[0] / 2 - 256, size[1] / 2 - 256])
    bright = np.clip(linear, 0, 1) ** (1 / 2.2) * 255
    return np.asarray(cv2.warpAffine(bright, turn, size, borderMode=cv2.BORDER_WRAP), np.uint8)


def _seen(image: Image, rng: np.random.Generator) -> Image:
    """Return a camera's picture of a picture, in uneven light."""
    h, w = image.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, w, dtype=np.float32), np.linspace(-1, 1, h, dtype=np.float32))
    light = float(rng.uniform(0.4, 1.2)) * (1 + x * float(rng.normal(0, 0.2)) + y * float(rng.normal(0, 0.2)))
    return sensor(np.clip(image * np.clip(light, 0.1, 2)[..., None], 0, 255).astype(np.uint8), rng)


Make = Callable[[np.random.Generator, tuple[int, int]], View]
BOARDS: dict[str, Make] = {"plain": plain, "aside": aside, "cut": cut, "hinged": hinged, "carved": carved,
                           "adzed": adzed, "covered": covered}
OTHERS: dict[str, Make] = {"tray": tray, "scrap": scrap, "grid": grid, "clutter": clutter, "letters": letters,
                           "squares": squares}
MAKES = BOARDS | OTHERS
SIZES = ((1024, 576), (800, 600), (640, 480), (800, 450))


KINDS = ("aside", "carved", "clutter", "cut", "grid", "hinged", "letters", "plain", "scrap", "tray",
         "adzed", "covered", "squares")
"""In an order that stays, so that a seed keeps its pictures."""


def view(kind: str, seed: int, k: int) -> View:
    """Return picture `k` of a kind from a seed. Raises ValueError for an unknown kind."""
    rng = np.random.default_rng((seed, KINDS.index(kind), k))
    return MAKES[kind](rng, SIZES[rng.integers(len(SIZES))])

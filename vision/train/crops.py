"""Rendered pits for the counter: one pit in the middle of each picture, its count known, hidden seeds counted too."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.render import columns, textures
from vision.render.materials import RARE, Bag, SeedKind
from vision.render.scene import RenderedTable
from vision.render.styles import SceneStyle
from vision.seeds.crops import FINE, MARGIN, SIZE
from vision.seeds.parameters import CLOSE_UP

F64 = NDArray[np.float64]
Image = NDArray[np.uint8]

COVERED = COUNTS
"""The label of a pit that cannot be counted because something lies over it."""
CLEAR, HIDDEN = 0.04, 0.22
"""A pit is countable when less than CLEAR of its disc is covered, covered when more than HIDDEN is; nothing is learnt
between."""

MOST = 30
"""Seeds that a pit holds at most."""
LOW, LOW_TILT = 0.35, (math.radians(28), math.radians(62))
"""Share of the tables that are seen from low aside, and how far off the plumb, from and to, radians."""
BARE = 0.2
"""Share of the pits with pictures on their floors that are empty, besides those that are so by lot."""
WHOLE = 0.3
"""Share of the pits shown to the counter from close by that are shown whole as well."""
SMALLEST = 11.0
"""Radius of the smallest pit, in the camera's pixels: a photograph of 300 pixels has such."""
_BANDS = ((0, 0, 0.11), (1, 4, 0.27), (5, 8, 0.24), (9, 14, 0.20), (15, 24, 0.14), (25, MOST, 0.04))


def draw_count(rng: np.random.Generator, room: int) -> int:
    """Return a random count of at most `room`; small counts are more frequent."""
    bands = [b for b in _BANDS if b[0] <= room]
    weights = np.array([b[2] for b in bands])
    low, high, _ = bands[rng.choice(len(bands), p=weights / weights.sum())]
    return int(rng.integers(low, min(high, room) + 1))


SKINS = (
    (0.80, 0.56, 0.44),
    (0.66, 0.42, 0.30),
    (0.50, 0.30, 0.19),
    (0.33, 0.18, 0.10),
    (0.17, 0.09, 0.055),
    (0.08, 0.042, 0.028),
)


def hand(rng: np.random.Generator, at: tuple[float, float]) -> F64:
    """Return the capsules of a random hand and forearm, float64[n, LIMB_COLUMNS], whose finger tips are near `at`. at:
    x, y in world units, see `vision.render.columns`."""
    a = rng.uniform(0, 2 * math.pi)
    along = np.array([math.cos(a), math.sin(a), 0.0])
    side = np.array([-along[1], along[0], 0.0])
    tip = np.array([*at, rng.uniform(0.15, 0.8)])
    skin = np.array(SKINS[rng.integers(len(SKINS))]) * rng.uniform(0.8, 1.15)
    finger = rng.uniform(0.09, 0.16)
    spread, length = rng.uniform(1.6, 3.0) * finger, rng.uniform(0.6, 1.0)
    palm = tip + along * length + [0, 0, rng.uniform(0.1, 0.4)]
    rows = []

    def add(
        p: F64, q: F64, r: float, colour: F64, gloss: float = 0.05, stripes: float = 0.0, other: F64 | None = None
    ) -> None:
        rows.append(np.concatenate([p, q, [r, r], colour, [gloss, stripes], colour if other is None else other]))

    for k in range(4):
        end = tip + side * spread * (k - 1.5) + along * 0.12 * abs(k - 1.2) + [0, 0, rng.normal(0, 0.05)]
        root = palm + side * 1.9 * finger * (k - 1.5)
        mid = (end + root) / 2 + [0, 0, rng.uniform(0.0, 0.25)]
        add(end, mid, finger * 0.9, skin)
        add(mid, root, finger, skin)
    add(palm + side * 3.2 * finger, palm + side * 4 * finger - along * rng.uniform(0.2, 0.5), finger, skin)
    for s in (-1.0, 0.0, 1.0):
        add(palm + side * 1.9 * finger * s, palm + along * 0.5 + side * 1.2 * finger * s, 1.7 * finger, skin)
    wrist, elbow = palm + along * 0.7, palm + along * 6 + [0, 0, rng.uniform(0.0, 1.5)]
    add(wrist, elbow, 2.6 * finger, skin)
    if rng.random() < 0.6:
        sleeve, stripe = rng.uniform(0.01, 0.8, 3), rng.uniform(0.01, 0.8, 3)
        add(
            wrist + along * rng.uniform(0.0, 1.5),
            elbow,
            rng.uniform(2.9, 4.0) * finger,
            sleeve,
            0.01,
            rng.uniform(8, 60) if rng.random() < 0.4 else 0.0,
            stripe,
        )
    return np.array(rows)


def pit_affine(scene: RenderedTable, pit: int, size: int, rng: np.random.Generator) -> F64:
    """Return float64[2, 3], from a crop's pixels to the scene's picture. The pit becomes a circle near the middle, at
    any rotation; or it stays as the camera sees it, like a pit whose circle people gave by hand."""
    x, y, rx, ry = scene.pits[pit, :4]
    q = scene.project(np.array([[x, y, 0.0], [x + rx, y, 0], [x - rx, y, 0], [x, y + ry, 0], [x, y - ry, 0]]))
    centre = q[0]
    jacobian = np.stack([(q[1] - q[2]) / 2, (q[3] - q[4]) / 2], axis=1)
    r = math.sqrt(abs(np.linalg.det(jacobian)))
    if rng.random() < 0.4:
        jacobian = np.eye(2) * r
    turn = rng.uniform(0, 2 * math.pi)
    c, s = math.cos(turn), math.sin(turn)
    k = 2 * MARGIN / size * math.exp(rng.normal(0, 0.06))
    a = jacobian @ np.array([[c, -s], [s, c]]) * k
    off = rng.normal(0, 0.05, 2) * r
    middle = (size - 1) / 2
    return np.concatenate([a, (centre + off - a @ [middle, middle])[:, None]], axis=1)


def places(scene: RenderedTable, pit: int, affine: F64) -> NDArray[np.float32]:
    """Return float32[MOST, 2], the middles of the pit's seeds in a window's picture, including hidden ones; NaN after
    the last. affine: from the window's pixels to the scene's picture, as in `RenderedTable.trace`."""
    out = np.full((MOST, 2), np.nan, np.float32)
    if len(middles := scene.middles(pit)):
        back = cv2.invertAffineTransform(affine)
        out[: len(middles)] = scene.project(middles) @ back[:, :2].T + back[:, 2]
    return out


SMEAR = 0.8
"""Standard deviation of a seed's mark in `marks`, in cells."""


def marks(middles: NDArray[np.float32], size: int, cells: int) -> NDArray[np.float32]:
    """Return maps of the seeds, float32[n, cells, cells]: each seed is a blurred spot whose cells sum to one (Lempitsky
    and Zisserman 2010). middles: float32[n, most, 2], the seeds' middles in pixels of a picture that is `size` wide and
    high, NaN for no seed."""
    at = (np.nan_to_num(middles, nan=-1e6).clip(-1e6, size - 1) + 0.5) * (cells / size) - 0.5
    grid = np.arange(cells)
    x, y = (np.exp(-((at[..., k, None].clip(0) - grid) ** 2) / (2 * SMEAR**2)) for k in (0, 1))
    x, y = (v / v.sum(axis=2, keepdims=True) * (~np.isnan(middles[..., :1])) for v in (x, y))
    return np.einsum("nsy,nsx->nyx", y, x).astype(np.float32)


BROAD, NARROW, BROADEST = 0.33, 0.7, 3.2
"""Standard deviation of a seed's peak in `peaks`, in its radii; and the least and the greatest, in cells."""


def peaks(
    middles: NDArray[np.float32], ratios: NDArray[np.float32], size: int, cells: int
) -> NDArray[np.float32]:
    """Return float32[n, cells, cells], in which each seed is a peak of height one, as broad as the seed (CenterNet,
    Zhou et al. 2019). middles: as for `marks`; ratios: float32[n], a seed's radius divided by its pit's."""
    at = np.round((middles + 0.5) * np.float32(cells / size) - 0.5)
    broad = np.clip(BROAD * ratios * cells / 2 / MARGIN, NARROW, BROADEST)[:, None, None]
    x, y = (np.exp(-((at[..., k, None] - np.arange(cells)) ** 2) / (2 * broad**2)) for k in (0, 1))
    out = np.zeros((len(middles), cells, cells), np.float32)
    for k in range(middles.shape[1]):
        there = ~np.isnan(middles[:, k, 0])
        out[there] = np.maximum(out[there], y[there, k, :, None] * x[there, k, None, :])
    return out


def sensor(image: Image, rng: np.random.Generator, seed: float = 8.0, finer: float = 1.0) -> Image:
    """Add a camera's faults to a small picture: defocus, motion, noise, compression. seed: a seed's radius in pixels,
    which limits the blur so that seeds can still be told apart; finer: the camera's pixels per pixel of this picture.
    """
    out: NDArray[Any] = image.astype(np.float32)
    sigma = float(rng.choice(np.array([0.0, 0.4, 0.7, 1.1, 1.6]), p=[0.3, 0.3, 0.25, 0.1, 0.05]))
    if sigma:
        out = cv2.GaussianBlur(out, (0, 0), max(0.2, min(sigma * rng.uniform(0.7, 1.2) / finer, 0.35 * seed)))
    if rng.random() < 0.05 * min(1.0, seed / 5):
        n = int(rng.integers(2, 6))
        kernel = np.zeros((n, n), np.float32)
        cv2.line(kernel, (0, int(rng.integers(n))), (n - 1, int(rng.integers(n))), 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    if rng.random() < 0.15:  # sharpened by a telephone
        out = out + rng.uniform(0.3, 1.2) * (out - cv2.GaussianBlur(out, (0, 0), 1.2))
    noise = math.exp(rng.uniform(-1, 2.1)) / finer
    out += rng.normal(0, noise, out.shape) * 0.7 + rng.normal(0, noise, (*out.shape[:2], 1)) * 0.7
    small = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        _, code = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 98))])
        small = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return small


def dish(style: SceneStyle, rng: np.random.Generator) -> SceneStyle:
    """Return the same table with small balls in wide, flat dishes, mostly rolled to one side, as in a tilted bowl."""
    ratio = math.exp(rng.uniform(math.log(0.052), math.log(0.12)))
    bag = Bag.draw(rng, ratio * min(style.pit_rx, style.pit_ry))
    pale = np.asarray(textures.plain(192, rng) * 0.9, np.float32) if rng.random() < 0.5 else style.bowl
    return replace(
        style,
        bag=bag,
        bowl=pale,
        power=float(rng.choice(np.array([4.0, 6.0, 9.0]))),
        depth=float(rng.uniform(0.08, 0.28)),
        spread=float(rng.uniform(0.2, 0.6)),
        heel=0.8,
    )


def close(middles: NDArray[np.float32], seed: float, rng: np.random.Generator) -> F64 | None:
    """Return float64[2, 3], the map from a close-up's pixels to the picture's, both FINE pixels a side, for a random
    window much like the one that `vision.seeds.close_up` would cut out. Return None if there are no seeds, or if they
    fill the picture already. middles: of the seeds, in the picture's pixels, NaN for none; seed: a seed's radius in
    these pixels."""
    there = middles[~np.isnan(middles[:, 0])].astype(np.float64)
    if len(there) == 0:
        return None
    low, high = there.min(axis=0), there.max(axis=0)
    half = (float((high - low).max()) / 2 + seed) * math.exp(rng.uniform(0.08, 0.55))
    least = CLOSE_UP.least_half if len(there) > 1 else CLOSE_UP.least_half_alone  # one that fills it looks like a bowl
    scale = max(half, least * FINE) / (FINE / 2)
    if scale > 0.85:
        return None
    centre = (low + high) / 2 + rng.normal(0, 0.05, 2) * half
    corner = centre - scale * (FINE - 1) / 2
    return np.concatenate([np.eye(2) * scale, corner[:, None]], axis=1)


def lay(scene: RenderedTable, pit: int, count: int, room: int, rng: np.random.Generator) -> None:
    """Put `count` seeds into a pit, and random numbers into those beside it; none holds more than `room`."""
    for k in range(scene.board_pits):
        if abs(k - pit) in (1, scene.style.cols):
            scene.fill(k, 0)
            scene.fill(k, draw_count(rng, min(room, 9)))
    scene.fill(pit, 0)
    scene.fill(pit, count)


def hand_by_lot(scene: RenderedTable, pit: int, over: float, about: float, rng: np.random.Generator) -> F64:
    """Return float64[n, LIMB_COLUMNS], the limbs of a random hand over the pit or near it; mostly none. over, about:
    the probabilities, 0 to 1, of a hand over the pit, and of any hand."""
    how = rng.random()
    if how >= about:
        return np.zeros((0, columns.LIMB_COLUMNS))
    x, y = scene.pits[pit, :2]
    reach = 0.45 if how < over else 1.1
    return hand(rng, (x + rng.normal(0, reach), y + rng.normal(0, reach)))


def covered_share(cover: NDArray[np.float32]) -> float:
    """Return the share of a pit's disc that limbs cover. cover: float32[s, s], the share of each pixel of the pit's
    window."""
    size = len(cover)
    g = (np.arange(size) - (size - 1) / 2) / (size / 2 / MARGIN)
    return float(cover[g[:, None] ** 2 + g[None, :] ** 2 < 1].mean())


def label_of(count: int, hidden: float) -> int:
    """Return the label of a pit, 0…24, 25 for more, 26 for covered, by its seeds and its covered share."""
    return COVERED if hidden >= HIDDEN else min(count, COUNTS - 1)


def pushed(window: F64, size: int, rng: np.random.Generator) -> F64:
    """Return float64[2, 3], a window of `size` pixels a side shifted a little, as if the camera had been pushed."""
    out = window.copy()
    out[:, 2] += out[:, :2] @ (rng.normal(0, 0.01, 2) * size)
    return out


def scaled(middles: NDArray[np.float32], size: int, side: int) -> NDArray[np.float32]:
    """Convert places float32[n, 2] from the pixels of a picture of `size` pixels a side to those of one of `side`
    pixels."""
    return (middles + np.float32(0.5)) * np.float32(side / size) - np.float32(0.5)


def photograph(
    scene: RenderedTable, light: NDArray[np.float32] | None, side: int, seed: float, finer: float,
    rng: np.random.Generator
) -> Image:
    """Return uint8[side, side, 3], a camera's picture of linear light float32[s, s, 3]; black where there is none.
    seed, finer: see `sensor`."""
    if light is None:
        return np.zeros((side, side, 3), np.uint8)
    image = sensor(np.asarray(scene.tone(light) + 0.5, np.uint8), rng, seed, finer)
    resized = cv2.INTER_LINEAR if len(light) < side else cv2.INTER_AREA
    return np.asarray(cv2.resize(image, (side, side), interpolation=resized), np.uint8)


class PitLesson(NamedTuple):
    """One pit to learn from. image: uint8[s, s, 3]. label: 0…24, 25 for more, 26 for covered. radius: of the pit,
    pixels. middles: float32[MOST, 2], of its seeds in pixels of the image, NaN after the last. empty: uint8[s, s, 3],
    the same pit empty, black where unknown."""

    image: Image
    label: int
    radius: float
    middles: NDArray[np.float32]
    empty: Image


Lessons = tuple[Image, NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32], Image]
"""Pictures, labels, radii, middles and empty pictures of n lessons, each with a first axis of that length."""


def stacked(lessons: Sequence[PitLesson]) -> Lessons:
    """Join lessons."""
    images, labels, radii, middles, empties = zip(*lessons, strict=True)
    return (np.stack(images), np.array(labels, np.uint8), np.array(radii, np.float32), np.stack(middles),
            np.stack(empties))


def table_by_lot(
    rng: np.random.Generator, dishes: float, unusual: float = 0.0, photographs: Sequence[Path] = ()
) -> SceneStyle:
    """Return a random small table seen through a perfect lens: `sensor` adds the faults. dishes, unusual: the shares, 0
    to 1, of tables with wide flat dishes, and of those changed by `rare`. photographs: see `rare`."""
    rows = int(rng.integers(1, 3)) * 2 if rng.random() < 0.2 else 2
    style = SceneStyle.random(rng, rows, int(rng.integers(2, 5)), texture=192)
    tilt = float(rng.uniform(*LOW_TILT)) if rng.random() < LOW else style.lens.tilt
    style = replace(style, lens=replace(style.lens, tilt=tilt, jpeg=0, noise=0.0, blur=0.0))
    if unusual and rng.random() < unusual:
        return rare(style, rng, photographs)
    return dish(style, rng) if rng.random() < dishes else style


def count_by_lot(style: SceneStyle, room: int, rng: np.random.Generator) -> int:
    """Return a random count of at most `room`. Pits with painted or carved floors are empty more often than others."""
    return 0 if style.floor and rng.random() < BARE else draw_count(rng, room)


def hand_carved(style: SceneStyle, rng: np.random.Generator) -> SceneStyle:
    """Return the same table with a board carved by hand: pits that touch and differ, with soft rims."""
    rx = float(rng.uniform(0.43, 0.495))
    ry = rx * float(rng.uniform(0.85, 1.1))
    soft = float(rng.choice(np.array([2.0, 2.0, 3.0])))
    lip = float(rng.uniform(0.01, 0.05)) if rng.random() < 0.3 else 0.0
    return replace(style, pit_rx=rx, pit_ry=ry, row_pitch=ry * float(rng.uniform(2.02, 2.25)), power=soft, lip=lip,
                   uneven=float(rng.uniform(0.2, 1.0)), jitter=float(rng.uniform(0.01, 0.05)), rim_paint=0.0,
                   gap_axis=0, depth=float(rng.uniform(0.12, 0.35)))


def photographed_surfaces(style: SceneStyle, photographs: Sequence[Path], rng: np.random.Generator) -> SceneStyle:
    """Return the same table with surfaces cut from photographs: the pits' floors, mostly the board, too, and sometimes
    what it lies on. photographs: files of pictures."""
    size = style.bowl.shape[0]
    bowl = textures.photographed(size, rng, photographs)
    wood = textures.photographed(size, rng, photographs) if rng.random() < 0.6 else style.wood
    table = textures.photographed(size, rng, photographs) if rng.random() < 0.3 else style.table
    return replace(style, bowl=bowl, wood=wood, table=table)


def pictured_floor(style: SceneStyle, rng: np.random.Generator) -> SceneStyle:
    """Return the same table with a picture, relief or rings on the floor of every pit."""
    size = style.bowl.shape[0]
    base = style.bowl if rng.random() < 0.7 else np.asarray(textures.plain(size, rng) * 0.6, np.float32)
    return replace(style, floor=1.0, bowl=textures.floor(size, rng, base))


def other_seeds(style: SceneStyle, kinds: Sequence[SeedKind], rng: np.random.Generator) -> SceneStyle:
    """Return the same table with seeds of one of these kinds."""
    kind = kinds[int(rng.integers(len(kinds)))]
    radius = float(np.clip(style.bag.radius, 0.16 * style.pit_rx, 0.4 * style.pit_rx))
    return replace(style, bag=Bag.draw(rng, radius, kind))


def rare(style: SceneStyle, rng: np.random.Generator, photographs: Sequence[Path] = ()) -> SceneStyle:
    """Return the same table with one to three rare features: pits carved by hand, photographed surfaces, pictures on
    the floors, polish, long seeds, pebbles or seeds with two different faces, seeds of their pit's colour, a low lamp.
    """
    carved, floor, polish, seeds, dark, low, odd = rng.random(7) < (0.35, 0.4, 0.3, 0.4, 0.2, 0.25, 0.4)
    if carved:
        style = hand_carved(style, rng)
    if photographs and rng.random() < 0.5:
        style = photographed_surfaces(style, photographs, rng)
    if odd:
        long, wide, high = (float(v) for v in np.array(style.bag.form) * np.exp(rng.normal(0, 0.22, 3)))
        style = replace(style, bag=replace(style.bag, form=(long, wide, high)))
    if floor:
        style = pictured_floor(style, rng)
    if polish:
        style = replace(style, varnish=float(rng.uniform(0.8, 2.2)), gloss=float(rng.uniform(0.2, 0.6)),
                        polish=float(np.exp(rng.uniform(math.log(20), math.log(300)))), grain=float(rng.random()))
    if seeds:
        style = other_seeds(style, RARE, rng)
    if dark:
        seed = np.array(style.bag.kind.colours[style.bag.palette[0]])
        tone = style.bowl.mean((0, 1)) + 1e-3
        style = replace(style, bowl=np.asarray(np.clip(style.bowl * (seed / tone) ** 0.8, 0.003, 1), np.float32))
    if low:
        turn, up = rng.uniform(0, 2 * math.pi), rng.uniform(0.1, 0.4)
        lamp = (math.cos(turn) * math.cos(up), math.sin(turn) * math.cos(up), math.sin(up))
        style = replace(style, lamp=lamp, softness=float(rng.uniform(0.01, 0.15)))
    return style


def counter_lessons(fine: Lessons, ratios: NDArray[np.float32], rng: np.random.Generator) -> Lessons:
    """Return lessons of SIZE pixels a side for the counter from lessons of FINE pixels. Seeds that do not fill their
    pit are shown from close by, as `vision.seeds.close_up` would cut them out, and a share WHOLE of these pits is shown
    whole, too; all other pits are shown whole only. ratios: float32[n], a seed's radius divided by its pit's."""
    lessons: list[PitLesson] = []
    for image, label, radius, middles, empty, ratio in zip(*fine, ratios, strict=True):
        there = middles if label < COVERED else np.full_like(middles, np.nan)
        span = close(there, float(ratio) * FINE / 2 / MARGIN, rng)
        if span is not None:
            window = np.concatenate([span[:, :2] * (FINE / SIZE), span[:, 2:]], axis=1)
            window[:, 2] += span[:, :2] @ np.full(2, (FINE / SIZE - 1) / 2)
            near = [_warped(picture, window) for picture in (image, empty)]
            back = cv2.invertAffineTransform(window)
            lessons.append(PitLesson(near[0], int(label), radius, middles @ back[:, :2].T + back[:, 2], near[1]))
        if span is None or rng.random() < WHOLE:
            small = [cv2.resize(p, (SIZE, SIZE), interpolation=cv2.INTER_AREA) for p in (image, empty)]
            lessons.append(PitLesson(small[0], int(label), radius, scaled(middles, FINE, SIZE), small[1]))
    return stacked(lessons)


def _warped(picture: Image, window: F64) -> Image:
    """Return uint8[SIZE, SIZE, 3], the window of a picture. Outside the picture its edge pixels are repeated."""
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(picture, window, (SIZE, SIZE), flags=how, borderMode=cv2.BORDER_REPLICATE))

"""Rendered pits at full resolution, as the product's second look sees them, for fitting the weights of the looks
(`vision.train.weigh`) and for measuring."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import columns
from vision.render.materials import BY_NAME, Bag
from vision.render.scene import RenderedTable
from vision.seeds.crops import FINE, MARGIN
from vision.train.crops import (
    CLEAR,
    HIDDEN,
    SMALLEST,
    PitLesson,
    count_by_lot,
    covered_share,
    draw_count,
    hand_by_lot,
    label_of,
    lay,
    photograph,
    pit_affine,
    places,
    pushed,
    scaled,
    stacked,
    table_by_lot,
)

F64 = NDArray[np.float64]
Image = NDArray[np.uint8]

TURNS = 8
"""How many pits of one table are shown: few, so that there are many tables."""
KNOWN = 0.3
"""Share of the pits that are also drawn empty."""
FINER = 1.3
"""See `drawn`."""
LIMPID = 0.35
"""So many tables have seeds of glass, whatever the lot would give them: shadows and gathered light beside clear glass
are easily taken for one seed more."""
OF_GLASS = ("marble", "marble", "glass bead", "lustre bead")
"""Their kinds, marbles twice as often."""
LARGE = 0.3
"""Seeds of a larger share of their pit's radius are drawn less often."""
HEAPED, FULL = 0.45, 1.3
"""Seeds' radii squared over the pit's, added up: from HEAPED on seeds lie on one another, beyond FULL many lie wholly
under others."""
TINY, SMALL = 3.5, 28
"""A seed's radius, and a pit's, under which there is little to be seen, in the camera's pixels."""


def worth(
    labels: NDArray[np.uint8], radii: NDArray[np.float32], ratios: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Return float64[n], the relative frequency with which each pit is shown in training, for the pits of `fine_batch`:
    countable heaps most often, what nobody could see seldom."""
    fill = labels * ratios.astype(np.float64) ** 2
    out = np.where(radii < SMALL, 0.5, 1.0) * np.where(radii * ratios < TINY, 0.4, 1.0)
    out *= np.where((fill > FULL) & (labels > 3), 0.25, 1.0)
    return np.asarray(out * np.where((fill > HEAPED) & (fill <= FULL) & (labels > 6), 1.6, 1.0), np.float64)


def drawn(scene: RenderedTable, window: F64, size: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return linear light float32[size, size, 3] and the share of limbs float32[size, size] in a window of `size`
    pixels a side. One ray is traced for each pixel of a picture FINER times as large, which is half the work of four
    rays."""
    big = round(FINER * size)
    step = window.copy()
    step[:, :2] *= size / big
    step[:, 2] += window[:, :2] @ np.full(2, (size - 1) / 2) - step[:, :2] @ np.full(2, (big - 1) / 2)
    light, cover = scene.trace(step, (big, big), 1)
    small = [cv2.resize(v, (size, size), interpolation=cv2.INTER_AREA) for v in (light, np.asarray(cover, np.float32))]
    return np.asarray(small[0], np.float32), np.asarray(small[1], np.float32)


@dataclass(frozen=True, slots=True)
class _Table:
    """A random table, and the radius of its seeds divided by that of its pits."""

    scene: RenderedTable
    ratio: float

    @classmethod
    def draw(cls, rng: np.random.Generator, unusual: float = 0.0, photographs: Sequence[Path] = ()) -> _Table:
        """Return a random table. Large seeds are rarer than elsewhere: they are plain to see, and pits hold few."""
        while True:
            style = table_by_lot(rng, 0.2, unusual, photographs)
            limpid = bool(rng.random() < LIMPID)
            if limpid:
                kind = BY_NAME[OF_GLASS[int(rng.integers(len(OF_GLASS)))]]
                style = replace(style, bag=Bag.draw(rng, style.bag.radius, kind))
            ratio = style.bag.radius / min(style.pit_rx, style.pit_ry)
            if ratio <= LARGE or rng.random() >= (0.4 if limpid else 0.7):
                return cls(RenderedTable(style, (640, 480)), ratio)

    def lay(self, pit: int, rng: np.random.Generator) -> int:
        """Fill a pit and its neighbours at random. Return the number of seeds in the pit."""
        room = int(1.4 / self.ratio**2) + 1
        count = count_by_lot(self.scene.style, room, rng)
        if count <= 1 and not self.scene.style.floor and rng.random() < 0.4:
            count = draw_count(rng, room)
        lay(self.scene, pit, count, room, rng)
        return count

    def lesson(self, pit: int, count: int, rng: np.random.Generator) -> PitLesson | None:
        """Return the pit with so many seeds, from as near as the product sees it, and empty it; None if it is neither
        open nor covered."""
        scene = self.scene
        limbs = hand_by_lot(scene, pit, 0.05, 0.08, rng)
        true = max(math.exp(rng.uniform(math.log(SMALLEST), math.log(110))), 2.6 / self.ratio)
        r = min(FINE / 2 / MARGIN, true)
        size = round(2 * MARGIN * r)
        window = pit_affine(scene, pit, size, rng)
        scene.limbs = limbs
        light, cover = drawn(scene, window, size)
        there = places(scene, pit, window)
        scene.limbs = np.zeros((0, columns.LIMB_COLUMNS))
        scene.fill(pit, 0)
        hidden = covered_share(cover)
        if CLEAR < hidden < HIDDEN:
            return None
        bare = drawn(scene, pushed(window, size, rng), size)[0] if rng.random() < KNOWN else None
        image, empty = (photograph(scene, one, FINE, self.ratio * r, true / r, rng) for one in (light, bare))
        return PitLesson(image, label_of(count, hidden), true, scaled(there, size, FINE), empty)


def fine_batch(
    seed: int, n: int, unusual: float = 0.0, photographs: Sequence[Path] = ()
) -> tuple[Image, NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32], Image, NDArray[np.float32]]:
    """Return n random pits:

    crops uint8[n, FINE, FINE, 3]; labels uint8[n], 0…24, 25 for more, 26 for covered; the pits' radii in the camera's
    picture, float32[n], pixels; the seeds' middles float32[n, MOST, 2] in pixels of the crop, see `places`; the same
    pits empty and uncovered, uint8[n, FINE, FINE, 3], shifted a little as if the camera had been pushed, black where
    unknown; and the seeds' radii divided by their pits', float32[n].

    unusual, photographs: see `vision.train.crops.table_by_lot`.
    """
    rng = np.random.default_rng(seed)
    lessons: list[PitLesson] = []
    ratios: list[float] = []
    while len(lessons) < n:
        table = _Table.draw(rng, unusual, photographs)
        for _ in range(TURNS):
            pit = int(rng.integers(table.scene.board_pits))
            lesson = table.lesson(pit, table.lay(pit, rng), rng)
            if lesson is not None:
                lessons.append(lesson)
                ratios.append(table.ratio)
    return (*stacked(lessons[:n]), np.array(ratios[:n], np.float32))

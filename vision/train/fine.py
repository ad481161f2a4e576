"""Rendered pits at all the pixels that the product has of them, as its second look sees them: to weigh by them what the
looks say (`vision.train.weigh`), and to measure by."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import COUNTS
from vision.render import columns
from vision.render.materials import BY_NAME, Bag
from vision.render.scene import Scene
from vision.render.styles import SceneStyle
from vision.seeds.crops import FINE, MARGIN
from vision.train.crops import CLEAR, COVERED, HIDDEN, dish, draw_count, hand, pit_affine, places, sensor

F64 = NDArray[np.float64]
Image = NDArray[np.uint8]

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
    """float64[n], in what proportion pits teach to tell seeds apart, for what `fine_batch` says of them: heaps that can
    be counted are shown most often, what nobody could see seldom."""
    fill = labels * ratios.astype(np.float64) ** 2
    out = np.where(radii < SMALL, 0.5, 1.0) * np.where(radii * ratios < TINY, 0.4, 1.0)
    out *= np.where((fill > FULL) & (labels > 3), 0.25, 1.0)
    return np.asarray(out * np.where((fill > HEAPED) & (fill <= FULL) & (labels > 6), 1.6, 1.0), np.float64)


def drawn(scene: Scene, window: F64, size: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Linear light float32[size, size, 3] and the share of limbs float32[size, size] in a window of `size` pixels a
    side, one ray for each pixel of a picture that is FINER times as large: half the work of `Scene.trace`'s four."""
    big = round(FINER * size)
    step = window.copy()
    step[:, :2] *= size / big
    step[:, 2] += window[:, :2] @ np.full(2, (size - 1) / 2) - step[:, :2] @ np.full(2, (big - 1) / 2)
    light, cover = scene.trace(step, (big, big), 1)
    small = [cv2.resize(v, (size, size), interpolation=cv2.INTER_AREA) for v in (light, np.asarray(cover, np.float32))]
    return np.asarray(small[0], np.float32), np.asarray(small[1], np.float32)


@dataclass(frozen=True, slots=True)
class _Table:
    """A table by lot, and the radius of its seeds in that of its pits."""

    scene: Scene
    ratio: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> _Table:
        """Large seeds are rarer than other tables have them: they are plain to see, and pits hold few."""
        while True:
            style = SceneStyle.random(
                rng, int(rng.integers(1, 3)) * 2 if rng.random() < 0.2 else 2, int(rng.integers(2, 5)), texture=192
            )
            style = replace(style, lens=replace(style.lens, jpeg=0, noise=0.0, blur=0.0))
            if rng.random() < 0.2:
                style = dish(style, rng)
            limpid = bool(rng.random() < LIMPID)
            if limpid:
                kind = BY_NAME[OF_GLASS[int(rng.integers(len(OF_GLASS)))]]
                style = replace(style, bag=Bag.draw(rng, style.bag.radius, kind))
            ratio = style.bag.radius / min(style.pit_rx, style.pit_ry)
            if ratio <= LARGE or rng.random() >= (0.4 if limpid else 0.7):
                return cls(Scene(style, (640, 480)), ratio)

    def lay(self, pit: int, rng: np.random.Generator) -> int:
        """Fill a pit and its neighbours by lot. Returns how many lie in the pit."""
        scene, room = self.scene, int(1.4 / self.ratio**2) + 1
        count = draw_count(rng, room)
        if count <= 1 and rng.random() < 0.4:
            count = draw_count(rng, room)
        for k in range(scene.board_pits):
            if abs(k - pit) in (1, scene.style.cols):
                scene.fill(k, 0)
                scene.fill(k, draw_count(rng, min(room, 9)))
        scene.fill(pit, 0)
        scene.fill(pit, count)
        return count


def fine_batch(
    seed: int, n: int
) -> tuple[Image, NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32], Image, NDArray[np.float32]]:
    """n crops uint8[n, FINE, FINE, 3], their labels uint8[n] (0…24, 25 more, 26 covered), the pit's radius in the
    camera's picture, pixels, float32[n], the seeds' middles float32[n, MOST, 2] in pixels of the crop (see `places`),
    the same pits empty and uncovered, uint8[n, FINE, FINE, 3], a little off as when the camera was pushed in
    between, black for some, of which that is not known; and a seed's radius in that of the pit, float32[n]."""
    rng = np.random.default_rng(seed)
    images: list[Image] = []
    empties: list[Image] = []
    labels: list[int] = []
    radii: list[float] = []
    middles: list[NDArray[np.float32]] = []
    ratios: list[float] = []
    while len(images) < n:
        table = _Table.draw(rng)
        scene = table.scene
        for _ in range(8):
            pit = int(rng.integers(scene.board_pits))
            count = table.lay(pit, rng)
            how = rng.random()
            x, y = scene.pits[pit, :2]
            limbs = nothing = np.zeros((0, columns.LIMB_COLUMNS))
            if how < 0.08:
                reach = 0.45 if how < 0.05 else 1.1
                limbs = hand(rng, (x + rng.normal(0, reach), y + rng.normal(0, reach)))
            true = max(math.exp(rng.uniform(math.log(20), math.log(110))), 2.6 / table.ratio)
            r = min(FINE / 2 / MARGIN, true)
            size = round(2 * MARGIN * r)
            window = pit_affine(scene, pit, size, rng)
            scene.limbs = limbs
            light, cover = drawn(scene, window, size)
            there = places(scene, pit, window)
            scene.limbs = nothing
            scene.fill(pit, 0)
            g = (np.arange(size) - (size - 1) / 2) / (size / 2 / MARGIN)
            hidden = float(cover[g[:, None] ** 2 + g[None, :] ** 2 < 1].mean())
            if CLEAR < hidden < HIDDEN:
                continue
            bare = None
            if rng.random() < KNOWN:
                pushed = window.copy()
                pushed[:, 2] += pushed[:, :2] @ (rng.normal(0, 0.01, 2) * size)
                bare = drawn(scene, pushed, size)[0]
            for linear, to in ((light, images), (bare, empties)):
                if linear is None:
                    to.append(np.zeros((FINE, FINE, 3), np.uint8))
                    continue
                image = sensor(np.asarray(scene.tone(linear) + 0.5, np.uint8), rng, table.ratio * r, true / r)
                resized = cv2.INTER_LINEAR if size < FINE else cv2.INTER_AREA
                to.append(np.asarray(cv2.resize(image, (FINE, FINE), interpolation=resized), np.uint8))
            labels.append(COVERED if hidden >= HIDDEN else min(count, COUNTS - 1))
            radii.append(true)
            ratios.append(table.ratio)
            middles.append((there + np.float32(0.5)) * np.float32(FINE / size) - np.float32(0.5))
    return (
        np.stack(images[:n]),
        np.array(labels[:n], np.uint8),
        np.array(radii[:n], np.float32),
        np.stack(middles[:n]),
        np.stack(empties[:n]),
        np.array(ratios[:n], np.float32),
    )

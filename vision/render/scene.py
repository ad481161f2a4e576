"""A scene: a styled table with its board, its seeds, and the camera above it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import columns
from vision.render.materials import parts_of
from vision.render.pile import settle
from vision.render.styles import SceneStyle
from vision.render.surfaces import place_map
from vision.render.tracer import trace as trace_rays

F64 = NDArray[np.float64]
Image = NDArray[np.uint8]
NO_LIMBS: F64 = np.zeros((0, columns.LIMB_COLUMNS))


@dataclass(slots=True)
class Heap:
    """The resting seeds of one pit: centres relative to the pit's, half axes, rotations, looks."""

    centres: F64
    axes: F64
    turns: F64
    looks: F64

    @classmethod
    def empty(cls) -> Heap:
        """Return a heap without seeds."""
        return cls(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3, 3)), np.zeros((0, columns.LOOK_COLUMNS)))

    def __len__(self) -> int:
        """Number of seeds."""
        return len(self.centres)

    def only(self, seed: int) -> Heap:
        """Return one of its seeds where it lies."""
        one = slice(seed, seed + 1)
        return Heap(self.centres[one], self.axes[one], self.turns[one], self.looks[one])

    def recoloured(self, seed: int) -> Heap:
        """Return the same heap, one seed of it in quite different colours."""
        looks, both = self.looks.copy(), slice(columns.LOOK_PATTERN)
        looks[seed, both] = np.where(looks[seed, both] > 0.4, 0.02, 0.9)
        return replace(self, looks=looks)


class RenderedTable:
    """Draws pictures of one table. What does not move is traced once; a pit is traced again when its seeds change."""

    def __init__(
        self,
        style: SceneStyle,
        size: tuple[int, int] = (1280, 720),
        counts: NDArray[np.int64] | None = None,
        samples: int = 2,
        limbs: F64 = NO_LIMBS,
    ) -> None:
        """size: (width, height) in pixels. counts: int[rows, cols], row 0 North's, or None for an empty board. samples:
        rays per pixel and side (2 means four rays). limbs: capsules over the board, float64[n, LIMB_COLUMNS]."""
        self.style, self.size, self.samples, self.limbs = style, size, samples, limbs
        self.rng = np.random.default_rng(style.seed)
        self._place()
        self._aim()
        self._heaps = [Heap.empty() for _ in range(len(self.pits))]
        self._picture: Image | None = None
        self._dim: NDArray[np.float32] | None = None
        self._grainy: NDArray[np.int16] | None = None
        if counts is not None:
            for row in range(style.rows):
                for col in range(style.cols):
                    self.set_pit(row, col, int(counts[row, col]))

    # ---- where things are
    # ------------------------------------------------------------------------------------------------

    def _place(self) -> None:
        s, rng = self.style, self.rng
        gap = s.gap if s.gap_axis else 0.0
        rows = []
        for r in range(s.rows):
            for c in range(s.cols):
                x = c + (gap if s.gap_axis == 1 and c >= s.cols / 2 else 0.0)
                y = r * s.row_pitch + (gap if s.gap_axis == 2 and r >= s.rows / 2 else 0.0)
                jx, jy = rng.normal(0, s.jitter, 2)
                k = 1 + rng.normal(0, s.jitter / 2)
                depth = s.depth * (1 + rng.normal(0, 2 * s.jitter))
                square = s.square
                if s.uneven:
                    k *= math.exp(-abs(rng.normal(0, 0.06 * s.uneven)))
                    square = max(2.0, square * math.exp(rng.normal(0, 0.35 * s.uneven)))
                    depth *= math.exp(rng.normal(0, 0.25 * s.uneven))
                rows.append([x + jx, y + jy, s.pit_rx * k, s.pit_ry * k, square, depth, s.power, s.lip, 0, 0])
        right, bottom = max(p[0] for p in rows), max(p[1] for p in rows)
        if s.stores:
            w = rng.uniform(0.3, 0.5)
            h = max(w, (bottom / 2 + s.pit_ry) * rng.uniform(0.5, 1.0))
            square = s.square if s.square > 2 else float(rng.choice([2.0, 4.0]))
            ends = (-s.pit_rx - w - 0.12, right + s.pit_rx + w + 0.12)
            rows.extend([x, bottom / 2, w, h, square, s.depth, s.power, s.lip, 0, 0] for x in ends)
        self.pits: F64 = np.array(rows, float)
        self.board_pits = s.rows * s.cols
        self._heap_reach = 2.2 * s.bag.radius
        left = (self.pits[:, columns.PIT_X] - self.pits[:, columns.PIT_RX]).min() - s.margin
        right = (self.pits[:, columns.PIT_X] + self.pits[:, columns.PIT_RX]).max() + s.margin
        top = (self.pits[:, columns.PIT_Y] - self.pits[:, columns.PIT_RY]).min() - s.margin
        bottom = (self.pits[:, columns.PIT_Y] + self.pits[:, columns.PIT_RY]).max() + s.margin
        cx, cy, a, b = (left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2
        angles = np.linspace(0, 2 * math.pi, 24, endpoint=False)
        rim_x = (self.pits[:, 0, None] + (self.pits[:, 2, None] + 0.05) * np.cos(angles)).ravel()
        rim_y = (self.pits[:, 1, None] + (self.pits[:, 3, None] + 0.05) * np.sin(angles)).ravel()
        n = s.outline
        worst = float(((np.abs(rim_x - cx) / a) ** n + (np.abs(rim_y - cy) / b) ** n).max() ** (1 / n))
        a, b = a * max(1.0, worst), b * max(1.0, worst)
        middle = (s.cols - 1) / 2 + gap / 2 if s.gap_axis == 1 else ((s.rows - 1) * s.row_pitch + gap) / 2
        self.board: F64 = np.array(
            [
                cx,
                cy,
                a,
                b,
                n,
                s.thickness,
                s.bevel,
                middle,
                min(0.03, gap / 4),
                s.gap_axis,
                0.21,
                s.table_scale,
                0.0,
                s.gloss,
                s.grain,
                s.rim_paint,
                s.varnish,
                s.polish,
                s.floor,
            ]
        )
        self._origin = (cx - a - 1.0, cy - b - 1.0)
        self._grid, self._field = place_map(self.pits, self.board, *self._origin, 2 * a + 2, 2 * b + 2)
        lamp = np.array(s.lamp) / np.linalg.norm(s.lamp)
        self.light = lamp
        bounce = s.bounce * np.array(s.lamp_colour)
        window = np.array(s.window) / np.linalg.norm(s.window)
        self._light: F64 = np.concatenate(
            [lamp, s.lamp_colour, [s.softness], s.sky, bounce, window, [s.window_strength], s.room]
        )

    def _aim(self) -> None:
        """Place the camera so that the board fills its share of the picture."""
        lens = self.style.lens
        cx, cy, a, b = self.board[:4]
        d = lens.far * 2 * max(a, b)
        toward = np.array(
            [
                math.sin(lens.tilt) * math.cos(lens.bearing),
                math.sin(lens.tilt) * math.sin(lens.bearing),
                math.cos(lens.tilt),
            ]
        )
        forward = -toward
        right = np.array([math.cos(lens.roll), -math.sin(lens.roll), 0.0])
        right -= forward * (right @ forward)
        right /= np.linalg.norm(right)
        down = np.array([math.sin(lens.roll), math.cos(lens.roll), 0.0])
        down -= forward * (down @ forward)
        down -= right * (down @ right)
        down /= np.linalg.norm(down)
        w, h = self.size
        self.camera: F64 = np.concatenate(
            [np.array([cx, cy, 0]) + d * toward, right, down, forward, [1.0, 0.0, 0.0, 0.0]]
        )
        t = np.linspace(0, 2 * math.pi, 48)
        # The superellipse's own outline, on top.
        n = self.board[4]
        ring = np.stack(
            [
                cx + a * np.sign(np.cos(t)) * np.abs(np.cos(t)) ** (2 / n),
                cy + b * np.sign(np.sin(t)) * np.abs(np.sin(t)) ** (2 / n),
                np.zeros_like(t),
            ],
            axis=1,
        )
        q = self.project(ring)
        low, high = q.min(axis=0), q.max(axis=0)
        focal = lens.fill * min(w / (high[0] - low[0]), h / (high[1] - low[1]))
        room = np.array([w, h]) - focal * (high - low)
        shift = np.clip(np.array(lens.shift) * [w, h], -room / 2, room / 2)
        middle = np.array([w, h]) / 2 - focal * (low + high) / 2 + shift
        self.camera[12:15] = focal, middle[0], middle[1]
        self.camera[15] = lens.k1 / (max(w, h) / 2 / focal) ** 2

    def project(self, points: F64) -> F64:
        """Project world points float64[n, 3] to pixels float64[n, 2]."""
        c = self.camera
        v = points - c[0:3]
        z = v @ c[9:12]
        x, y = v @ c[3:6] / z, v @ c[6:9] / z
        dx, dy = x, y
        for _ in range(3):
            k = 1 - c[15] * (dx * dx + dy * dy)
            dx, dy = x / k, y / k
        return np.stack([dx * c[12] + c[13], dy * c[12] + c[14]], axis=1)

    def rim(self, pit: int, n: int = 24, grow: float = 1.0) -> F64:
        """Pixels float64[n, 2] round the rim of a pit (index row * cols + col; stores follow the pits)."""
        x, y, rx, ry = self.pits[pit, :4]
        t = np.linspace(0, 2 * math.pi, n, endpoint=False)
        return self.project(np.stack([x + grow * rx * np.cos(t), y + grow * ry * np.sin(t), np.zeros(n)], axis=1))

    @property
    def circles(self) -> F64:
        """float64[pits and stores, 3]: x, y and mean radius in pixels of every pit, row by row, then of the stores."""
        out = []
        for k in range(len(self.pits)):
            p = self.rim(k)
            (x, y), r = p.mean(axis=0), math.sqrt(abs(cv2.contourArea(p.astype(np.float32))) / math.pi)
            out.append((x, y, r))
        return np.array(out)

    @property
    def homography(self) -> F64:
        """float64[3, 3], from (column, row) of the pits to pixels, least squares."""
        s = self.style
        grid = np.array([[c, r] for r in range(s.rows) for c in range(s.cols)], float)
        h, _ = cv2.findHomography(grid, self.circles[: self.board_pits, :2])
        return np.asarray(h, np.float64)

    @property
    def scale(self) -> float:
        """Pixels a column pitch near the board's middle."""
        cx, cy = self.board[:2]
        a, b = self.project(np.array([[cx - 0.5, cy, 0.0], [cx + 0.5, cy, 0.0]]))
        return float(np.linalg.norm(b - a))

    # ---- seeds
    # -----------------------------------------------------------------------------------------------------------

    def set_pit(self, row: int, col: int, seeds: int) -> None:
        """Set the number of seeds in a pit. The seeds already there stay near their places; new ones are dropped on
        them."""
        self.fill(row * self.style.cols + col, seeds)

    def fill(self, pit: int, seeds: int) -> None:
        """Set the number of seeds in a pit by index; stores follow the pits."""
        s, rng, heap = self.style, self.rng, self._heaps[pit]
        if seeds == len(heap):
            return
        keep = min(seeds, len(heap))
        new = [s.bag.take(rng) for _ in range(seeds - keep)]
        axes = np.concatenate([heap.axes[:keep], np.array([a for a, _ in new]).reshape(-1, 3)])
        looks = np.concatenate([heap.looks[:keep], np.array([k for _, k in new]).reshape(-1, columns.LOOK_COLUMNS)])
        p = self.pits[pit]
        # Seeds are dropped in the middle or, as by the handful, to one side.
        aside, spread = (0.0, 0.0), s.spread
        if rng.random() < s.heel:
            a, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.2, 0.65)
            aside, spread = (far * math.cos(a), far * math.sin(a)), s.spread * float(rng.uniform(0.3, 0.8))
        bowl = (
            float(p[columns.PIT_RX]),
            float(p[columns.PIT_RY]),
            float(p[columns.PIT_SQUARE]),
            float(p[columns.PIT_DEPTH]),
            float(p[columns.PIT_POWER]),
        )
        lying = heap.centres[:keep], heap.turns[:keep]
        centres, turns = settle(axes, bowl, rng, lying, spread, aside, float(rng.uniform(0.02, 0.1)))
        self._heaps[pit] = Heap(centres, axes, turns, looks)
        if self._picture is not None:
            self._retrace(pit)

    def middles(self, pit: int) -> F64:
        """float64[n, 3]: the middles of a pit's seeds in world coordinates."""
        return self._heaps[pit].centres + np.array([*self.pits[pit, :2], 0.0])

    def counts(self) -> NDArray[np.int64]:
        """int[rows, cols]: the number of seeds in each pit."""
        s = self.style
        return np.array([len(h) for h in self._heaps[: self.board_pits]]).reshape(s.rows, s.cols)

    # ---- pictures
    # --------------------------------------------------------------------------------------------------------

    def _packed(self) -> tuple[F64, F64, F64]:
        rows: list[F64] = []
        looks: list[F64] = []
        pits = self.pits.copy()
        for k, heap in enumerate(self._heaps):
            pits[k, columns.PIT_FIRST] = len(rows)
            for i in range(len(heap)):
                centre = heap.centres[i] + [pits[k, 0], pits[k, 1], 0.0]
                for row in parts_of(self.style.bag.kind, heap.axes[i], centre, heap.turns[i]):
                    row[12] = len(looks)
                    rows.append(row)
                looks.append(heap.looks[i])
            pits[k, columns.PIT_SEEDS] = len(rows) - pits[k, columns.PIT_FIRST]
        return (
            pits,
            np.array(rows).reshape(-1, columns.PART_COLUMNS),
            np.array(looks).reshape(-1, columns.LOOK_COLUMNS),
        )

    def trace(
        self, affine: F64, size: tuple[int, int], samples: int | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Trace a window of the picture: linear light float32[h, w, 3] (RGB) and the share of limbs float32[h, w].

        affine float64[2, 3]: from the window's pixels to the picture's; size: (width, height) of the window.
        """
        s = self.style
        out = np.empty((size[1], size[0], 3), np.float32)
        cover = np.empty((size[1], size[0]), np.float32)
        pits, parts, looks = self._packed()
        scene = columns.TracedScene(pits, self._grid, self._field, *self._origin, self.board, parts, looks, self.limbs,
                                    self._light, s.wood, s.bowl, s.table)
        trace_rays(out, cover, affine, self.camera, scene, samples or self.samples, s.seed % 9973)
        return out, cover

    def tone(self, linear: NDArray[np.float32]) -> NDArray[np.float32]:
        """Linear RGB to the camera's BGR float32, 0…255: exposure, white balance, contrast, sRGB."""
        lens = self.style.lens
        v = np.clip(linear * np.array(lens.white, np.float32) * np.float32(lens.gain), 0, None)
        v = v / (1 + 0.18 * v)  # highlights roll off
        srgb = np.where(v <= 0.0031308, 12.92 * v, 1.055 * np.power(np.maximum(v, 1e-6), 1 / 2.4) - 0.055)
        srgb = np.clip((srgb - 0.45) * lens.contrast + 0.45, 0, 1)
        return np.ascontiguousarray(srgb[..., ::-1] * 255, np.float32)

    def image(self) -> Image:
        """uint8[h, w, 3] BGR: a copy of the picture, without the camera's blur and noise."""
        if self._picture is None:
            linear, _ = self.trace(np.array([[1.0, 0, 0], [0, 1.0, 0]]), self.size)
            self._picture = np.asarray(self.tone(linear) + 0.5, np.uint8)
        return self._picture.copy()

    def _retrace(self, pit: int) -> None:
        assert self._picture is not None
        x0, y0, x1, y1 = self._box(pit)
        if x1 > x0 and y1 > y0:
            linear, _ = self.trace(np.array([[1.0, 0, x0], [0, 1.0, y0]]), (x1 - x0, y1 - y0))
            self._picture[y0:y1, x0:x1] = np.asarray(self.tone(linear) + 0.5, np.uint8)

    def _box(self, pit: int) -> tuple[int, int, int, int]:
        """The pixels x0, y0, x1, y1 (past the last) in which a pit and its seeds lie."""
        x, y, rx, ry = self.pits[pit, :4]
        t = np.linspace(0, 2 * math.pi, 16, endpoint=False)
        heap = self.project(np.stack([x + rx * np.cos(t), y + ry * np.sin(t), np.full(16, self._heap_reach)], 1))
        p = np.concatenate([self.rim(pit, 16, 1.1), heap])
        w, h = self.size
        x0, y0 = (max(0, int(v)) for v in p.min(axis=0) - 2)
        return x0, y0, min(w, int(p[:, 0].max()) + 3), min(h, int(p[:, 1].max()) + 3)

    def shown(self, pit: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return in how many pixels each seed of a pit shows, and in how many it would alone in it: int64[n] each.

        A seed shows where the picture changes with its colour, so clear glass counts as well.
        """
        heap = self._heaps[pit]
        try:
            whole, single = self._lit(pit, heap), [heap.only(k) for k in range(len(heap))]
            shown = [_changed(whole, self._lit(pit, heap.recoloured(k))) for k in range(len(heap))]
            alone = [_changed(self._lit(pit, one), self._lit(pit, one.recoloured(0))) for one in single]
        finally:
            self._heaps[pit] = heap
        return np.array(shown, np.int64), np.array(alone, np.int64)

    def _lit(self, pit: int, heap: Heap) -> NDArray[np.float32]:
        """Linear light float32[h, w, 3] of a pit's part of the picture with `heap` in it, where it is left."""
        self._heaps[pit] = heap
        x0, y0, x1, y1 = self._box(pit)
        if x1 <= x0 or y1 <= y0:
            return np.zeros((0, 0, 3), np.float32)
        return self.trace(np.array([[1.0, 0, x0], [0, 1.0, y0]]), (x1 - x0, y1 - y0), 1)[0]

    def finish(self, image: Image, rng: np.random.Generator) -> Image:
        """Add the camera's effects: blur, vignette, noise, compression. uint8 in and out."""
        lens = self.style.lens
        h, w = image.shape[:2]
        sigma = lens.blur * w / 1280
        out: NDArray[Any] = cv2.GaussianBlur(image, (0, 0), sigma) if sigma > 0.25 else image
        if lens.vignette > 0:
            out = cv2.multiply(out, self._vignette(w, h), dtype=cv2.CV_8U)
        if lens.noise > 0:
            # Shifting a stored noise field is as good as new noise for every frame, and much faster.
            field = self._noise(w, h)
            dy, dx = int(rng.integers(h)), int(rng.integers(w))
            out = cv2.add(out, np.roll(field, (dy, dx), axis=(0, 1)), dtype=cv2.CV_8U)
        if lens.jpeg:
            _, code = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, lens.jpeg])
            out = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR))
        return np.asarray(out, np.uint8)

    def _vignette(self, w: int, h: int) -> NDArray[np.float32]:
        if self._dim is None or self._dim.shape[:2] != (h, w):
            y, x = np.mgrid[0:h, 0:w].astype(np.float32)
            r = np.hypot((x - w / 2) / (w / 2), (y - h / 2) / (h / 2)) / math.sqrt(2)
            self._dim = np.repeat((1 - self.style.lens.vignette * r**2)[..., None], 3, axis=2).astype(np.float32)
        return self._dim

    def _noise(self, w: int, h: int) -> NDArray[np.int16]:
        if self._grainy is None or self._grainy.shape[:2] != (h, w):
            rng = np.random.default_rng(self.style.seed)
            n = rng.normal(0, self.style.lens.noise, (h, w, 3)).astype(np.float32)
            self._grainy = np.round(0.7 * n + 0.6 * n.mean(axis=2, keepdims=True)).astype(np.int16)
        return self._grainy


def _changed(one: NDArray[np.float32], other: NDArray[np.float32]) -> int:
    """Number of pixels in which two pictures float32[h, w, 3] differ."""
    return int((np.abs(one - other) > 1e-4).any(axis=2).sum())

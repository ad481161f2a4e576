"""The table and the board in clips of another making: carved as a height field, lit once, with cast shadows.

Everything is drawn on a canvas seen straight from above, with numpy and OpenCV only, without `vision.render`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Side

F32 = NDArray[np.float32]
CANVAS = (1420, 860)
"""Width and height of the canvas, pixels."""
WOODS = (((52, 96, 150), (30, 60, 104)), ((28, 46, 78), (16, 28, 50)), ((96, 150, 196), (66, 116, 166)),
         ((40, 60, 116), (24, 36, 84)), ((120, 160, 184), (88, 128, 158)), ((30, 34, 40), (18, 22, 28)),
         ((58, 116, 176), (36, 84, 140)))
"""Two colours of each wood, BGR."""
PAINTS = ((235, 235, 230), (40, 40, 180), (30, 30, 30), (60, 150, 210), (150, 90, 30))


@dataclass(frozen=True, slots=True)
class Lamp:
    """The light: the direction towards it (unit vector, y down the canvas), and the share that is ambient."""

    towards: tuple[float, float, float]
    around: float

    @classmethod
    def chosen(cls, rng: np.random.Generator) -> Lamp:
        high, way = math.radians(rng.uniform(35, 68)), rng.uniform(0, 2 * math.pi)
        flat = math.cos(high)
        return cls((flat * math.cos(way), flat * math.sin(way), math.sin(high)), float(rng.uniform(0.35, 0.65)))


@dataclass(frozen=True, slots=True)
class Lattice:
    """The places of the carved pits, canvas pixels. centres: float32[pits, 2] along the ring; pitch: column to column;
    radius: of a pit; wood: left, top, right, bottom of the board; stores: x, y, rx, ry; canvas: its width and height.
    """

    board: Board
    centres: F32
    pitch: float
    radius: float
    wood: tuple[float, float, float, float]
    stores: tuple[tuple[float, float, float, float], ...]
    canvas: tuple[int, int] = CANVAS

    def heap(self, side: Side) -> tuple[float, float]:
        """Return the board column and row where a side lays its captures: its store, on the right, or beside the
        board."""
        rows, cols = self.board.rows, self.board.cols
        left, _, right, _ = self.wood
        far = (right - left) / 2 + 0.6 * self.pitch
        row = (rows - 1) / 2
        if self.stores:
            far = abs(self.stores[0][0] - (left + right) / 2)
        else:
            row += 0.3 if side is Side.SOUTH else -0.3
        return (cols - 1) / 2 + (far if side is Side.SOUTH else -far) / self.pitch, row

    def at(self, col: float, row: float) -> tuple[float, float]:
        """Return the canvas place of a board column and row, which may lie between pits."""
        left, top, right, bottom = self.wood
        first, last = self.centres[self.board.at(0, 0)], self.centres[self.board.at(self.board.rows - 1, 0)]
        step = float(last[1] - first[1]) / (self.board.rows - 1)
        middle = (left + right) / 2
        return middle + (col - (self.board.cols - 1) / 2) * self.pitch, (top + bottom) / 2 + (
            row - (self.board.rows - 1) / 2) * step


def lattice(board: Board, with_stores: bool, rng: np.random.Generator,
            canvas: tuple[int, int] = CANVAS) -> Lattice:
    """Return a random board in the middle of the canvas."""
    rows, cols = board.rows, board.cols
    beside = 2.7 if with_stores else 0.7
    aspect = float(rng.uniform(1.0, 1.28))
    pitch = min(1130 / (cols + beside), 560 / (rows * aspect + 0.5)) * float(rng.uniform(0.9, 1.0))
    radius = pitch * float(rng.uniform(0.36, 0.435))
    hinge, gap = float(rng.choice((0.0, 0.0, 0.0, 0.18))), float(rng.choice((0.0, 0.3))) if rows == 4 else 0.0
    mx, my = canvas[0] / 2, canvas[1] / 2
    centres = np.zeros((board.pits, 2), np.float32)
    for pit in range(board.pits):
        row, col = board.place(pit)
        x = col - (cols - 1) / 2 + hinge * (0.5 if col >= cols / 2 else -0.5)
        y = (row - (rows - 1) / 2) * aspect + gap * (0.5 if row >= rows / 2 else -0.5)
        centres[pit] = (mx + pitch * (x + rng.normal(0, 0.012)), my + pitch * (y + rng.normal(0, 0.012)))
    half = pitch * (cols + hinge) / 2
    end = half + pitch * (1.25 if with_stores else float(rng.uniform(0.08, 0.35)))
    tall = pitch * ((rows * aspect + gap) / 2 + float(rng.uniform(0.02, 0.3)))
    stores = tuple((mx + s * (half + 0.6 * pitch), my, 0.4 * pitch, min(0.62 * tall, 0.8 * pitch))
                   for s in (-1, 1)) if with_stores else ()
    return Lattice(board, centres, pitch, radius, (mx - end, my - tall, mx + end, my + tall), stores, canvas)


def noise(cell: tuple[float, float], rng: np.random.Generator, canvas: tuple[int, int] = CANVAS) -> F32:
    """Return float32[canvas]: smooth noise of about unit size with grains of `cell` pixels in width and height."""
    w, h = canvas
    small = rng.standard_normal((max(2, round(h / cell[1])), max(2, round(w / cell[0])))).astype(np.float32)
    return np.asarray(cv2.resize(small, canvas, interpolation=cv2.INTER_CUBIC), np.float32)


def ground(where: Lattice, lamp: Lamp, rng: np.random.Generator) -> tuple[F32, F32]:
    """Return float32[h, w, 3], the empty table and board, BGR 0…255; and float32[h, w], the light at each place, 1 on a
    flat place in the open."""
    height = _heights(where, rng)
    light = _lit(height, lamp)
    board = _wood(where.canvas, rng)
    _decorated(board, where, rng)
    table = _cloth(where.canvas, rng) if rng.random() < 0.6 else _wood(where.canvas, rng) * 0.9
    left, top, right, bottom = where.wood
    mask = np.zeros(where.canvas[::-1], np.float32)
    cv2.rectangle(mask, (round(left), round(top)), (round(right), round(bottom)), 1.0, -1)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.8), np.float32)[..., None]
    return np.asarray((board * mask + table * (1 - mask)) * light[..., None], np.float32), light


def _heights(where: Lattice, rng: np.random.Generator) -> F32:
    """Return heights in pixels above the board's top; the pits and the table are below it."""
    w, h = where.canvas
    y, x = np.mgrid[:h, :w].astype(np.float32)
    left, top, right, bottom = where.wood
    edge = np.minimum(np.minimum(x - left, right - x), np.minimum(y - top, bottom - y))
    thick = 0.25 * where.pitch
    out = np.where(edge > 0, -0.6 * np.maximum(0, 4 - edge), -thick).astype(np.float32)
    out += 0.35 * noise((14, 4), rng, where.canvas) * (edge > 0)
    deep, power, square = rng.uniform(0.45, 0.7), rng.uniform(0.6, 1.0), float(rng.choice((2.0, 2.0, 2.0, 3.2)))
    lip, tool = float(rng.choice((0.0, 1.5))), rng.uniform(0.0, 0.5)
    cups = [(float(cx), float(cy), where.radius * s[0], where.radius * s[1])
            for (cx, cy), s in zip(where.centres, rng.normal(1, 0.02, (len(where.centres), 2)), strict=True)]
    for cx, cy, rx, ry in (*cups, *where.stores):
        x0, x1, y0, y1 = int(cx - rx - 9), int(cx + rx + 10), int(cy - ry - 9), int(cy + ry + 10)
        dx, dy = (x[y0:y1, x0:x1] - cx) / rx, (y[y0:y1, x0:x1] - cy) / ry
        way = np.arctan2(dy, dx)
        q = (np.abs(dx) ** square + np.abs(dy) ** square) ** (1 / square)
        q *= 1 + 0.012 * np.sin(3 * way + rng.uniform(0, 6)) + 0.008 * np.sin(7 * way + rng.uniform(0, 6))
        bowl = -deep * min(rx, ry) * np.maximum(0, 1 - q**2) ** power
        bowl += tool * np.sin(9 * q + 2 * way) * (q < 1)
        part = out[y0:y1, x0:x1]
        part[...] = np.where(q < 1, bowl, part + lip * np.exp(-((q - 1.06) / 0.04) ** 2))
    return np.asarray(cv2.GaussianBlur(out, (0, 0), 0.9), np.float32)


def _lit(height: F32, lamp: Lamp) -> F32:
    lx, ly, lz = lamp.towards
    gy, gx = np.gradient(height)
    facing = (lz - gx * lx - gy * ly) / np.sqrt(1 + gx**2 + gy**2)
    flat = math.hypot(lx, ly)
    above = np.full(height.shape, -1e3, np.float32)
    for step in range(2, 64, 2):  # step towards the lamp: whatever is higher than the ray casts a shadow
        shift = np.array([[1, 0, -step * lx / flat], [0, 1, -step * ly / flat]], np.float32)
        there = cv2.warpAffine(height, shift, height.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        above = np.maximum(above, there - step * lz / flat)
    open_ = np.clip(1 - (above - height) / 2.5, 0, 1)
    open_ = np.asarray(cv2.GaussianBlur(open_, (0, 0), 2.0), np.float32)
    deep = np.clip((cv2.GaussianBlur(height, (0, 0), 12) - height) / 18, -0.4, 1)
    dim = lamp.around * (1 - 0.35 * deep)
    return np.asarray(dim + (1 - lamp.around) * np.maximum(0, facing) / lz * open_, np.float32)


def _wood(canvas: tuple[int, int], rng: np.random.Generator) -> F32:
    light, dark = (np.array(c, np.float32) for c in WOODS[int(rng.integers(len(WOODS)))])
    w, h = canvas
    y = np.arange(h, dtype=np.float32)[:, None] + rng.uniform(6, 22) * noise((500, 120), rng, canvas)
    rings = np.sin(2 * math.pi * y / rng.uniform(14, 60) + 0.8 * noise((300, 40), rng, canvas))
    share = np.clip(0.5 + 0.32 * rings + 0.14 * noise((90, 3), rng, canvas), 0, 1)
    out = dark + (light - dark) * share[..., None]
    pores = np.clip(noise((26, 1.5), rng, canvas) - 1.3, 0, 1) * rng.uniform(0, 0.5)
    return np.asarray(out * (1 - pores[..., None]) + np.zeros((h, w, 3), np.float32), np.float32)


def _decorated(board: F32, where: Lattice, rng: np.random.Generator) -> None:
    """Paint bands, zigzags, rings or scribbles on some boards."""
    what = str(rng.choice(("none", "none", "none", "band", "zigzag", "rings", "scribble")))
    paint = PAINTS[int(rng.integers(len(PAINTS)))]
    left, top, right, bottom = where.wood
    fine = max(1, round(where.pitch * 0.02))
    if what == "band":
        cv2.rectangle(board, (round(left + 5), round(top + 5)), (round(right - 5), round(bottom - 5)), paint, 2 * fine)
    elif what == "zigzag":
        for y in (top + 6, bottom - 6):
            x = np.arange(left + 6, right - 6, 0.11 * where.pitch)
            line = np.stack([x, y + 4 * (-1.0) ** np.arange(len(x))], 1)
            cv2.polylines(board, [np.round(line).astype(np.int32)], False, paint, fine, cv2.LINE_AA)
    elif what == "rings":
        for cx, cy in where.centres:
            cv2.circle(board, (round(float(cx)), round(float(cy))), round(1.1 * where.radius), paint, fine, cv2.LINE_AA)
    elif what == "scribble":
        for _ in range(90):
            p = rng.uniform((left + 9, top + 9), (right - 9, bottom - 9))
            line = p + np.cumsum(rng.normal(0, 0.1 * where.pitch, (5, 2)), axis=0)
            away = np.linalg.norm(line[:, None] - where.centres[None], axis=-1).min()
            if away > 1.05 * where.radius:
                cv2.polylines(board, [np.round(line).astype(np.int32)], False, paint, fine, cv2.LINE_AA)


def _cloth(canvas: tuple[int, int], rng: np.random.Generator) -> F32:
    """Return a cloth: plain weave, checks, stripes or dots."""
    w, h = canvas
    y, x = np.mgrid[:h, :w].astype(np.float32)
    one, two = (rng.uniform(40, 215, 3).astype(np.float32) for _ in range(2))
    cell = float(rng.uniform(30, 110))
    what = str(rng.choice(("plain", "plain", "check", "stripe", "dot")))
    share = {"plain": np.zeros((h, w), np.float32), "stripe": (x % cell < 0.4 * cell) * 1.0,
             "check": ((x % cell < cell / 2) * 0.5 + (y % cell < cell / 2) * 0.5),
             "dot": (np.hypot(x % cell - cell / 2, y % cell - cell / 2) < 0.2 * cell) * 1.0}[what].astype(np.float32)
    weave = 1 + 0.05 * np.sin(x * 1.9) * np.sin(y * 1.9) + 0.04 * noise((5, 5), rng, canvas)
    weave += 0.06 * noise((260, 200), rng, canvas)
    return np.asarray((one + (two - one) * share[..., None]) * weave[..., None], np.float32)

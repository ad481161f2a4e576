"""Clips of a third making: flat pictures of circles and lines. They use nothing of `vision.render` and `device.sim`,
and of `tests.bench.othermaking` only the hands' paths and the form of the truth.

    python -m tests.bench.flatmaking FOLDER --clips N --first K [--moves N]

writes clip_*.mp4 and clip_*.truth.json, which `inkeek watch` is compared with; even numbers are normal, odd ones fast.
"""

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Side
from engine.games.base import Rules
from engine.position import Position
from tests.bench.othermaking import PACES, Laid, Visit, begun, command, filmed, told, visit
from tests.bench.othermoves import next_turn

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Seed = tuple[float, float, tuple[float, ...], float, float]
"""Its offset from its pit's middle, pixels; its colour; its rotation, degrees; its size as a multiple."""

SEED = 123_000
SIZES = ((1280, 720), (1280, 720), (640, 480), (960, 540))
RATES = (30.0, 25.0, 20.0, 15.0)
TABLES = ((60, 80, 60), (200, 205, 210), (90, 110, 140), (40, 40, 45), (150, 120, 90), (120, 160, 190))
WOODS = ((60, 105, 160), (45, 75, 120), (110, 160, 205), (35, 50, 80), (70, 130, 190))
SEEDS = ((70, 70, 75), (200, 205, 205), (40, 60, 100), (60, 140, 170), (120, 140, 130), (30, 30, 35), (150, 190, 210))
BRIGHT = ((40, 40, 190), (190, 80, 40), (60, 170, 60), (40, 190, 210))
SKINS = ((120, 150, 200), (90, 120, 175), (50, 75, 120), (35, 50, 85), (150, 180, 225))
"""Colours, BGR."""
TURNS = {"top": cv2.ROTATE_180, "left": cv2.ROTATE_90_CLOCKWISE, "right": cv2.ROTATE_90_COUNTERCLOCKWISE}
"""How to rotate the picture for South at each edge."""


class Flat:
    """A random table. South sits at the bottom until the picture is rotated; his edge is random unless `south` gives
    it."""

    def __init__(self, start: Position, rng: np.random.Generator, size: tuple[int, int], south: str = "") -> None:
        self.board, self.rng, self.size = start.board, rng, size
        by_lot = str(rng.choice(["bottom", "top", "left", "right"], p=[0.65, 0.25, 0.05, 0.05]))
        self.south = south or by_lot
        self.w, self.h = size[::-1] if self.south in ("left", "right") else size
        rows, cols = start.board.rows, start.board.cols
        self.stores = rows == 2 and bool(rng.random() < 0.4)
        gap = float(rng.uniform(1.0, 1.25))
        across = cols + 2.2 * self.stores + 0.4
        self.pitch = min(self.w * float(rng.uniform(0.75, 0.92)) / across,
                         self.h * float(rng.uniform(0.55, 0.8)) / ((rows + 0.2) * gap))
        self.down, self.pit = gap * self.pitch, float(rng.uniform(0.36, 0.45)) * self.pitch
        self.middle = np.array([self.w, self.h]) * (0.5 + rng.uniform(-0.04, 0.04, 2))
        self.tilt, self.edge = math.radians(float(rng.normal(0, 3))), float(rng.uniform(0.6, 0.85))
        self.bare = self._bare()
        self.canvas = self.bare.copy()
        colours = SEEDS if rng.random() < 0.6 else BRIGHT
        some = rng.choice(len(colours), 1 if colours is SEEDS else 4, replace=False)
        self.colours = [colours[int(k)] for k in some]
        self.radius = max(float(rng.uniform(0.085, 0.13)) * self.pitch, 5.0)
        self.squeezed = float(rng.uniform(0.75, 1))
        self.shiny, self.outlined, self.shaded = (bool(rng.random() < p) for p in (0.7, 0.5, 0.7))
        self.lying: list[list[Seed]] = [[] for _ in range(start.board.pits)]
        for pit, n in enumerate(start.counts):
            self.change(pit, n)
        self.skins = [np.array(SKINS[int(rng.integers(5))]) + rng.normal(0, 5, 3) for _ in Side]
        self.sleeves = [None if rng.random() < 0.4 else rng.uniform(20, 220, 3) for _ in Side]
        self.palm = self.pitch * float(rng.uniform(0.6, 0.9)) * max(1.0, cols / 9)
        self.dark, self.soft = float(rng.uniform(0.1, 0.5)), float(rng.uniform(0, 1.2))
        self.noise = rng.standard_normal((size[1] + 64, size[0] + 64, 3), dtype=np.float32) * float(rng.uniform(0, 5))

    def at(self, col: float, row: float) -> F64:
        """Return the pixel (x, y) of a place on the board."""
        u, v = (col - (self.board.cols - 1) / 2) * self.pitch, (row - (self.board.rows - 1) / 2) * self.down
        c, s = math.cos(self.tilt), math.sin(self.tilt)
        return np.asarray(self.middle + np.array((u * c - v * s, u * s + v * c)))

    def _bare(self) -> U8:
        """Return the table with the empty board."""
        rng, w, h, board = self.rng, self.w, self.h, self.board
        picture: F32 = np.empty((h, w, 3), np.float32)
        picture[:] = np.array(TABLES[int(rng.integers(len(TABLES)))]) + rng.normal(0, 8, 3)
        kind = int(rng.integers(3))
        if kind == 1:
            picture += _smooth(rng.normal(0, 8, (h // 8, w // 8)), w, h)
        elif kind == 2:
            for x in range(0, w, max(2, int(0.7 * self.pitch))):
                picture[:, x:x + int(0.35 * self.pitch)] += float(rng.uniform(5, 18))
        beyond = 0.75 + 1.15 * self.stores
        ends, sides = (-beyond, board.cols - 1 + beyond), (-self.edge, board.rows - 1 + self.edge)
        corners = [self.at(ends[0], sides[0]), self.at(ends[1], sides[0]), self.at(ends[1], sides[1]),
                   self.at(ends[0], sides[1])]
        mask = np.zeros((h, w), np.uint8)
        cv2.fillPoly(mask, [np.array(corners).astype(np.int32)], 255)
        picture *= 1 - 0.35 * _part(_shifted(mask, 0.08 * self.pitch), 0.06 * self.pitch)
        wood = np.array(WOODS[int(rng.integers(len(WOODS)))]) + rng.normal(0, 6, 3)
        grain = _smooth(rng.normal(0, 1, (h // 3, max(2, w // 90))), w, h)
        picture = _over(picture, wood + grain * float(rng.uniform(2, 9)), _part(mask, 1.2))
        deep, lit, light = (float(rng.uniform(*ends)) for ends in ((0.45, 0.8), (0, 0.35), (0, 2 * math.pi)))
        outlined = bool(rng.random() < 0.4)
        holes: list[tuple[tuple[float, float], tuple[float, float]]] = [
            (board.place(pit)[::-1], (self.pit, self.pit)) for pit in range(board.pits)]
        if self.stores:
            holes += [((col, (board.rows - 1) / 2), (self.pit, 0.85 * self.down)) for col in (-1.25, board.cols + 0.25)]
        y, x = np.mgrid[:h, :w].astype(np.float32)
        for place, (rx, ry) in holes:
            cx, cy = self.at(*place)
            c, s = math.cos(self.tilt), math.sin(self.tilt)
            u, v = ((x - cx) * c + (y - cy) * s) / rx, ((y - cy) * c - (x - cx) * s) / ry
            d = np.sqrt(u * u + v * v)
            shade = deep * (1 + lit * (u * math.cos(light) + v * math.sin(light)) + 0.15 * (d - 0.5))
            picture = _over(picture, picture * shade[..., None], np.clip((1 - d) * min(rx, ry) + 0.5, 0, 1)[..., None])
            if outlined:
                cv2.ellipse(picture, (int(cx), int(cy)), (int(rx), int(ry)), math.degrees(self.tilt), 0, 360,
                            (0.35 * wood).tolist(), 2, cv2.LINE_AA)
        fall = 1 - float(rng.uniform(0, 0.25)) * ((x / w - 0.5 + float(rng.uniform(-0.3, 0.3))) ** 2
                                                  + (y / h - 0.5) ** 2)
        return np.asarray(np.clip(picture * fall[..., None], 0, 255), np.uint8)

    def change(self, pit: int, by: int) -> None:
        """Drop `by` seeds into a pit, or take them out if negative."""
        rng, lying = self.rng, self.lying[pit]
        del lying[max(0, len(lying) + by):]
        for _ in range(by):
            a, r = rng.uniform(0, 2 * math.pi, 60), (self.pit - 1.05 * self.radius) * np.sqrt(rng.random(60))
            spots = np.stack([r * np.cos(a), r * np.sin(a)], 1)
            others = np.array([seed[:2] for seed in lying] or [(1e9, 1e9)])
            free = np.hypot(*(spots[:, None] - others).transpose(2, 0, 1)).min(1)
            x, y = spots[int((np.minimum(free, 2 * self.radius) - 0.25 * r / (len(lying) + 1)).argmax())].tolist()
            colour = self.colours[int(rng.integers(len(self.colours)))]
            lying.append((x, y, colour, float(rng.uniform(0, 180)), float(rng.normal(1, 0.08))))
        self._draw(pit)

    def _draw(self, pit: int) -> None:
        row, col = self.board.place(pit)
        (cx, cy), reach = self.at(col, row), int(1.4 * self.pit)
        x0, y0 = max(0, int(cx) - reach), max(0, int(cy) - reach)
        part = self.bare[y0:int(cy) + reach, x0:int(cx) + reach].copy()
        for x, y, colour, turn, size in self.lying[pit]:
            at, r = (int(cx + x - x0), int(cy + y - y0)), self.radius
            axes = (int(r * size), int(r * size * self.squeezed))
            if self.shaded:
                under = part.copy()
                cv2.ellipse(under, (at[0] + int(0.2 * r), at[1] + int(0.25 * r)), axes, turn, 0, 360, (0, 0, 0), -1,
                            cv2.LINE_AA)
                part = np.asarray(cv2.addWeighted(part, 0.6, under, 0.4, 0), np.uint8)
            shown = np.clip(np.array(colour) * size, 0, 255)
            cv2.ellipse(part, at, axes, turn, 0, 360, shown.tolist(), -1, cv2.LINE_AA)
            if self.outlined:
                cv2.ellipse(part, at, axes, turn, 0, 360, (0.55 * shown).tolist(), 1, cv2.LINE_AA)
            if self.shiny:
                cv2.circle(part, (at[0] - int(0.3 * r), at[1] - int(0.3 * r)), max(1, int(0.22 * r)),
                           np.clip(0.5 * shown + 128, 0, 255).tolist(), -1, cv2.LINE_AA)
        self.canvas[y0:y0 + part.shape[0], x0:x0 + part.shape[1]] = part

    def _hand(self, picture: U8, laid: Laid) -> U8:
        """Return the picture with a hand over it: an arm, a palm, four fingers and a thumb."""
        side, col, row, pose, _ = laid
        tip, way, palm = self.at(col, row), 1 if side is Side.SOUTH else -1, self.palm
        far = self.at(0.75 * col + 0.125 * (self.board.cols - 1) + 0.6 * way, self.board.rows + 15 if way > 0 else -16)
        along = (far - tip) / np.linalg.norm(far - tip)
        aside, root, pinch = np.array([-along[1], along[0]]), tip + 1.9 * palm * along, pose == "pinch"
        mask, cloth = np.zeros((2, *picture.shape[:2]), np.uint8)

        def line(on: U8, a: F64, b: F64, width: float) -> None:
            cv2.line(on, np.round(a).astype(int).tolist(), np.round(b).astype(int).tolist(), 255, int(width * palm))

        turn = math.degrees(math.atan2(along[1], along[0]))
        cv2.ellipse(mask, np.round(root).astype(int).tolist(), (int(0.95 * palm), int(0.75 * palm)), turn, 0, 360, 255,
                    -1)
        for k, long in ((-1.2, 1.55), (-0.4, 1.85), (0.4, 1.8), (1.2, 1.45)):
            end = root + palm * (k * (0.28 if pinch else 0.6) * aside - long * along)
            end = tip + 0.15 * k * palm * aside if pinch and abs(k) < 1 else end
            line(mask, root + palm * (0.45 * k * aside - 0.5 * along), end, 0.36)
        thumb = tip + 0.25 * palm * aside if pinch else root + palm * (1.1 * aside - 0.6 * along)
        line(mask, root + 0.6 * palm * aside, thumb, 0.4)
        line(mask, root, far, 1.05)
        sleeve = self.sleeves[side]
        if sleeve is not None:
            line(cloth, root + 1.8 * palm * along, far, 1.6)
        both = mask | cloth
        out = picture * (1 - self.dark * _part(_shifted(both, 0.18 * palm), 0.12 * palm))
        round_ = 0.75 + 0.25 * np.clip(cv2.distanceTransform(both, cv2.DIST_L2, 3) / (0.35 * palm), 0, 1)
        colour: F32 = np.empty_like(out)
        colour[:] = self.skins[side]
        if sleeve is not None:
            colour[cloth > 0] = sleeve
        return np.clip(_over(out, colour * round_[..., None], _part(both, 0.8)), 0, 255).astype(np.uint8)

    def frame(self, hands: list[Laid]) -> U8:
        """Return the picture that the camera takes now."""
        picture = self.canvas
        for laid in hands:
            picture = self._hand(picture, laid)
        if self.south in TURNS:
            picture = np.asarray(cv2.rotate(picture, TURNS[self.south]), np.uint8)
        seen = np.asarray(cv2.GaussianBlur(picture, (0, 0), max(self.soft, 0.1)), np.float32)
        a, b = (int(k) for k in self.rng.integers(64, size=2))
        return np.clip(seen + self.noise[a:a + self.size[1], b:b + self.size[0]], 0, 255).astype(np.uint8)


def _smooth(coarse: F64, w: int, h: int) -> F32:
    """Return float32[h, w, 1], interpolated through some coarse values."""
    wide = cv2.resize(coarse.astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    return np.asarray(wide, np.float32)[..., None]


def _part(mask: U8, soft: float) -> F32:
    """Return float32[h, w, 1], 0…1: how much of each pixel is masked, with soft edges."""
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), soft)[..., None] / 255, np.float32)


def _shifted(mask: U8, by: float) -> U8:
    """Return the mask moved by so many pixels to the right and down."""
    move = np.array([[1, 0, by], [0, 1, by]], np.float32)
    return np.asarray(cv2.warpAffine(mask, move, (mask.shape[1], mask.shape[0])), np.uint8)


def _over(under: F32, upper: NDArray[Any], part: F32) -> F32:
    """Return one picture blended over another. part: the opacity of the upper one."""
    return np.asarray(under * (1 - part) + upper * part, np.float32)


def played(number: int, seed: int, moves: int, cheats: float = 0.4
           ) -> tuple[Rules, Position, str, list[Visit], np.random.Generator]:
    """Return rules, start, pace and the hands' visits of the clip of that number, and its random generator."""
    rules, start, pace, rng = begun(np.random.default_rng((seed, number)), number)
    position, done = start, list[Visit]()
    t = float(rng.uniform(1.0, 2.0))
    while len(done) < moves and rules.over(position) is None:
        turn = next_turn(rules, position, rng, cheats)
        if turn is None:
            break
        done.append(visit(turn, PACES[pace], t, 0.75, rng))
        position, t = turn.after, done[-1].keys[-1].t + float(rng.uniform(*PACES[pace].pause))
    return rules, start, pace, done, rng


def make(number: int, stem: Path, moves: int = 3) -> dict[str, Any]:
    """Write `stem`.mp4 and `stem`.truth.json for the clip of that number; return the truth."""
    rules, start, pace, done, rng = played(number, SEED, moves)
    size, fps = SIZES[int(rng.integers(len(SIZES)))], RATES[int(rng.integers(len(RATES)))]
    table = Flat(start, rng, size)
    filmed(stem, done, table.change, lambda _, hands: table.frame(hands), fps, size)
    return told(stem, rules, start, pace, done, table.south, f"flat, {size[0]}x{size[1]} at {fps:g}")


if __name__ == "__main__":
    command(make, 3)()

"""Seeds and hands in clips of another making, shaded by the normals of ellipsoids and capsules."""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.otherground import F32, Lamp, Lattice, noise

U8 = NDArray[np.uint8]

KINDS: dict[str, tuple[tuple[float, float, float], tuple[tuple[int, int, int], ...], float, str]] = {
    "pebble": ((1.12, 0.92, 0.6), ((120, 126, 130), (90, 96, 104), (150, 160, 168), (84, 100, 122)), 0.15, "mottled"),
    "nickernut": ((1.05, 0.98, 0.9), ((112, 124, 116), (126, 138, 130), (104, 116, 104)), 0.5, "plain"),
    "coffee": ((1.2, 0.86, 0.6), ((32, 52, 88), (26, 42, 74), (40, 62, 98)), 0.25, "slit"),
    "bean": ((1.3, 0.82, 0.75), ((38, 34, 120), (190, 208, 216), (30, 34, 40), (70, 110, 164)), 0.4, "speckled"),
    "cowrie": ((1.2, 0.9, 0.7), ((196, 214, 224), (180, 200, 214)), 0.45, "slit"),
    "marble": ((1.0, 1.0, 1.0), ((170, 110, 50), (70, 140, 60), (50, 60, 190), (150, 150, 150)), 0.9, "swirl"),
    "maize": ((1.12, 0.95, 0.55), ((60, 178, 226), (80, 194, 232), (48, 156, 214)), 0.3, "plain"),
}
"""Half axes in radii, colours (BGR), gloss, pattern."""


@dataclass
class Heaps:
    """The seeds on the board. kind: of `KINDS`; size: a seed's radius in canvas pixels; lies: for every pit, each
    seed's place and picture (premultiplied BGRA, float32), in the order in which they were dropped."""

    where: Lattice
    lamp: Lamp
    kind: str
    size: float
    rng: np.random.Generator
    lies: list[list[tuple[float, float, F32]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.lies:
            self.lies = [[] for _ in range(self.where.board.pits)]

    def change(self, pit: int, by: int) -> None:
        """Drop `by` seeds into a pit, or take them off if negative. Raises ValueError if the pit holds too few."""
        if -by > len(self.lies[pit]):
            raise ValueError(f"of {len(self.lies[pit])} seeds {-by} cannot be taken")
        for _ in range(-by):
            self.lies[pit].pop()
        for _ in range(by):
            self.lies[pit].append((*self._place(pit), self._picture()))

    def _place(self, pit: int) -> tuple[float, float]:
        """Return the place of one more seed: low in the bowl, and on other seeds only if there is no room."""
        reach = max(1.0, min(self.where.radius - 1.05 * self.size, 0.48 * self.where.pitch - 1.5 * self.size))
        way, far = self.rng.uniform(0, 2 * math.pi, 120), reach * np.sqrt(self.rng.uniform(0, 1, 120))
        spots = np.stack([far * np.cos(way), far * np.sin(way)], 1) + self.where.centres[pit]
        there = np.array([(x, y) for x, y, _ in self.lies[pit]], np.float64).reshape(-1, 2)
        off = np.linalg.norm(spots[:, None] - there[None], axis=-1) / (2 * self.size)
        cost = (np.maximum(0, 1.03 - off) ** 2).sum(1) * 8 + (off < 0.45).sum(1) * 3 + 0.5 * (far / reach) ** 2
        best = int((cost + self.rng.uniform(0, 0.25, len(cost))).argmin())
        return float(spots[best, 0]), float(spots[best, 1])

    def _picture(self) -> F32:
        axes, colours, gloss, pattern = KINDS[self.kind]
        rng, fine = self.rng, 3
        grow = self.size * float(np.clip(rng.normal(1, 0.06), 0.85, 1.15))
        a, b = (axes[k] * grow * float(rng.normal(1, 0.04)) for k in (0, 1))
        half = math.ceil(max(a, b)) + 2
        n = (2 * half + 1) * fine
        y, x = (np.mgrid[:n, :n].astype(np.float32) - (n - 1) / 2) / fine
        turn = rng.uniform(0, 2 * math.pi)
        u, v = x * math.cos(turn) + y * math.sin(turn), -x * math.sin(turn) + y * math.cos(turn)
        u, v = u / a, v / b + (0.18 * (u / a) ** 2 - 0.06 if self.kind == "bean" else 0.0)
        q = u * u + v * v
        z = np.sqrt(np.maximum(1 - q, 0.0))
        nu, nv, nz = u / axes[0], v / axes[1], z / axes[2]
        long = np.sqrt(nu**2 + nv**2 + nz**2) + 1e-6
        nx = (nu * math.cos(turn) - nv * math.sin(turn)) / long
        ny, nz = (nu * math.sin(turn) + nv * math.cos(turn)) / long, nz / long
        lx, ly, lz = self.lamp.towards
        colour = np.array(colours[int(rng.integers(len(colours)))], np.float32) * float(rng.normal(1, 0.05))
        shade = np.ones((n, n, 1), np.float32) * colour
        if pattern in ("mottled", "speckled", "swirl"):
            grain = cv2.resize(rng.standard_normal((7, 7)).astype(np.float32), (n, n), interpolation=cv2.INTER_CUBIC)
            much = {"mottled": 0.1, "speckled": 0.22, "swirl": 0.45}[pattern]
            shade = shade * (1 + much * np.clip(grain, -1, 1))[..., None]
        elif pattern == "slit":
            slit = np.exp(-((v + 0.1 * np.sin(3 * u)) / 0.11) ** 2) * (np.abs(u) < 0.75)
            shade = shade * (1 - 0.55 * slit)[..., None]
        lit = self.lamp.around * (0.62 + 0.38 * nz) + (1 - self.lamp.around) * np.maximum(
            0, nx * lx + ny * ly + nz * lz) / lz
        hx, hy, hz = lx, ly, lz + 1
        shine = np.maximum(0, (nx * hx + ny * hy + nz * hz) / math.sqrt(hx * hx + hy * hy + hz * hz)) ** 40
        colour_of = np.clip(shade * lit[..., None] + 200 * gloss * shine[..., None], 0, 255)
        mask = (q < 1).astype(np.float32)[..., None]
        out = np.concatenate([colour_of * mask, mask], 2)
        return np.asarray(cv2.resize(out, (2 * half + 1,) * 2, interpolation=cv2.INTER_AREA), np.float32)

    def draw(self, canvas: U8, bare: F32, light: F32, pit: int) -> None:
        """Draw the pit again with its seeds."""
        cx, cy = self.where.centres[pit]
        reach = int(0.49 * self.where.pitch)  # beyond that the next pit's seeds may lie
        x0, y0 = round(float(cx)) - reach, round(float(cy)) - reach
        part = bare[y0:y0 + 2 * reach, x0:x0 + 2 * reach].copy()
        lx, ly, _ = self.lamp.towards
        for x, y, picture in self.lies[pit]:
            shadow = np.asarray(0.5 * cv2.GaussianBlur(picture[..., 3], (0, 0), 1.5), np.float32)
            _lay(part, x - x0 - 0.4 * self.size * lx, y - y0 - 0.4 * self.size * ly, None, shadow)
            there = float(light[min(round(y), light.shape[0] - 1), min(round(x), light.shape[1] - 1)])
            _lay(part, x - x0, y - y0, picture[..., :3] * (0.25 + 0.75 * min(there, 1.2)), picture[..., 3])
        canvas[y0:y0 + 2 * reach, x0:x0 + 2 * reach] = np.clip(part, 0, 255).astype(np.uint8)

    def beside(self, canvas: U8, light: F32, at: tuple[float, float], n: int) -> None:
        """Lay `n` seeds on a heap beside the pits; they stay there."""
        for _ in range(n):
            picture = self._picture()
            x, y = (float(a + self.rng.normal(0, 2.2 * self.size)) for a in at)
            half = picture.shape[0]
            x0, y0 = round(x) - half, round(y) - half
            part = canvas[y0:y0 + 2 * half, x0:x0 + 2 * half].astype(np.float32)
            there = 0.25 + 0.75 * min(float(light[round(y), round(x)]), 1.2)
            shadow = np.asarray(0.4 * cv2.GaussianBlur(picture[..., 3], (0, 0), 1.5), np.float32)
            _lay(part, x - x0, y - y0, None, shadow)
            _lay(part, x - x0, y - y0, picture[..., :3] * there, picture[..., 3])
            canvas[y0:y0 + 2 * half, x0:x0 + 2 * half] = np.clip(part, 0, 255).astype(np.uint8)


def _lay(part: F32, x: float, y: float, colour: F32 | None, mask: F32) -> None:
    """Lay a small premultiplied picture with its middle at a place; without a colour, darken the place."""
    half = mask.shape[0] // 2
    ix, iy = math.floor(x), math.floor(y)
    shift = np.array([[1, 0, x - ix], [0, 1, y - iy]], np.float32)
    size = mask.shape[::-1]
    x0, y0 = ix - half, iy - half
    sx, sy = max(0, -x0), max(0, -y0)
    under = part[y0 + sy:y0 + size[1], x0 + sx:x0 + size[0]]
    moved = cv2.warpAffine(mask, shift, size)
    under *= 1 - moved[sy:sy + under.shape[0], sx:sx + under.shape[1], None]
    if colour is not None:
        moved = cv2.warpAffine(colour, shift, size)
        under += moved[sy:sy + under.shape[0], sx:sx + under.shape[1]]


class Hand:
    """A hand with its sleeve, drawn once in each of two poses: its finger tips at `tip` of the picture, the arm
    downwards. palm: width of the palm, pixels."""

    def __init__(self, palm: float, lamp: Lamp, rng: np.random.Generator) -> None:
        self.palm, self.lamp = palm, lamp
        self.size = (round(4.2 * palm), round(11 * palm))
        self.tip = (self.size[0] / 2, 0.6 * palm)
        tone = float(rng.uniform(0.2, 1.0))
        skin = np.array((60, 84, 130), np.float32) * (1 - tone) + np.array((150, 178, 222), np.float32) * tone
        cloth = rng.uniform(25, 215, 3).astype(np.float32)
        bare_arm, mirror = rng.uniform(1.3, 3.2), 1 if rng.random() < 0.75 else -1
        stripe = float(rng.choice((0.0, 0.25)))
        grain = np.asarray(cv2.resize(noise((4, 4), rng), self.size), np.float32)
        self.poses = {pose: self._drawn(pose, skin, cloth, float(bare_arm), mirror, stripe, grain)
                      for pose in ("pinch", "open")}

    def _capsules(self, pose: str, mirror: int) -> list[tuple[float, float, float, float, float, float, float]]:
        """Return ends, radii and height of fingers and palm, in palms from the tip, y towards the arm."""
        fan = (0.0, 0.2, 0.42, 0.62) if pose == "pinch" else (-0.25, 0.05, 0.35, 0.62)
        long = (0.0, 0.02, 0.12, 0.3) if pose == "pinch" else (0.0, -0.12, -0.05, 0.15)
        out: list[tuple[float, float, float, float, float, float, float]] = []
        for k in range(4):
            knuckle = (-0.22 + 0.22 * k, 1.02 + 0.05 * abs(k - 1.2))
            bend = ((fan[k] * 0.7 + knuckle[0] * 0.45), 0.48 + 0.5 * long[k])
            tip = (fan[k] * (0.75 if pose == "pinch" else 1.0), 0.06 + long[k])
            out += [(*knuckle, *bend, 0.135, 0.125, 0.1), (*bend, *tip, 0.12, 0.1, 0.16)]
        thumb = (-0.12, 0.1) if pose == "pinch" else (-0.62, 0.35)
        out += [(-0.42, 1.25, -0.42, 0.7, 0.17, 0.14, 0.2), (-0.42, 0.7, *thumb, 0.13, 0.105, 0.22)]
        out += [(-0.2, 1.15, -0.12, 1.75, 0.3, 0.32, 0.0), (0.3, 1.15, 0.15, 1.75, 0.26, 0.3, 0.0),
                (0.0, 1.7, 0.0, 10.5, 0.3, 0.42, 0.0)]
        return [(mirror * a, b, mirror * c, d, e, f, g) for a, b, c, d, e, f, g in out]

    def _drawn(self, pose: str, skin: F32, cloth: F32, bare: float, mirror: int, stripe: float,
               grain: F32) -> tuple[U8, U8]:
        """Return the picture uint8[h, w, 4], premultiplied, and the shadow's mask uint8[h, w]."""
        w, h = self.size
        y, x = np.mgrid[:h, :w].astype(np.float32)
        x, y = (x - self.tip[0]) / self.palm, (y - self.tip[1]) / self.palm
        top: F32 = np.full((h, w), -1.0, np.float32)
        for ax, ay, bx, by, ra, rb, up in self._capsules(pose, mirror):
            d = np.array((bx - ax, by - ay))
            s = np.clip(((x - ax) * d[0] + (y - ay) * d[1]) / float(d @ d), 0, 1)
            r = ra + (rb - ra) * s
            near = np.hypot(x - ax - s * d[0], y - ay - s * d[1])
            top = np.maximum(top, np.where(near < r, np.sqrt(np.maximum(r * r - near * near, 0)) + up, -1.0))
        sleeve = np.hypot(x, 0) < 0.52 + 0.012 * y
        sleeved = (y > 1.9 + bare * 0.6) & sleeve
        folds = 0.03 * np.sin(9 * y + 2.5 * np.sin(3 * x + y)) + 0.05 * grain
        fold = np.sqrt(np.maximum(0.3 - x * x, 0)) + 0.12 + folds
        top = np.where(sleeved, fold, top).astype(np.float32)
        mask = cv2.GaussianBlur((top > -0.5).astype(np.float32), (0, 0), 0.8)
        relief = cv2.GaussianBlur(np.maximum(top, -0.1), (0, 0), 0.02 * self.palm) * self.palm
        gy, gx = np.gradient(relief)
        lx, ly, lz = self.lamp.towards
        lit = np.maximum(0, (lz - gx * lx - gy * ly) / np.sqrt(1 + gx**2 + gy**2)) / lz
        flat = 0.75 + 0.25 / np.sqrt(1 + gx**2 + gy**2)
        lit = self.lamp.around * flat + (1 - self.lamp.around) * np.minimum(lit, 1.4)
        colour = np.where(sleeved[..., None], cloth * (1 + stripe * np.sign(np.sin(14 * y)))[..., None], skin)
        colour = colour * (1 + 0.03 * grain)[..., None]
        for _, ay, bx, by, *_ in self._capsules(pose, mirror)[1:8:2]:  # nails
            nail = np.hypot((x - bx) / 0.065, (y - by + 0.02 * (ay > by)) / 0.08) < 1
            colour = np.where(nail[..., None] & (pose == "open"), colour * 0.75 + 55, colour)
        out = np.concatenate([np.clip(colour * lit[..., None], 0, 255) * mask[..., None], mask[..., None] * 255], 2)
        shadow = cv2.GaussianBlur(mask, (0, 0), 0.07 * self.palm)
        return out.astype(np.uint8), (shadow * 255).astype(np.uint8)

    def lay(self, picture: U8, tip: tuple[float, float], shoulder: tuple[float, float], lift: float, pose: str,
            blur: tuple[float, float]) -> None:
        """Lay the hand over a picture. tip, shoulder: pixels; lift: height of the tips, pixels; blur: how far the tip
        moves while the shutter is open, pixels."""
        drawn, shadow = self.poses[pose]
        way = math.atan2(shoulder[1] - tip[1], shoulder[0] - tip[0]) - math.pi / 2
        c, s = math.cos(way), math.sin(way)
        shape = (picture.shape[1], picture.shape[0])
        lx, ly, _ = self.lamp.towards
        for image, (x, y) in ((shadow, (tip[0] - lift * lx, tip[1] - lift * ly)), (drawn, tip)):
            turn = np.array([[c, -s], [s, c]])
            m = np.hstack([turn, (np.array((x, y)) - turn @ self.tip)[:, None]])
            corners = np.array([(0, 0), (self.size[0], 0), self.size, (0, self.size[1])]) @ m[:, :2].T + m[:, 2]
            x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - 20, 0)
            x1, y1 = np.minimum(np.ceil(corners.max(0)).astype(int) + 20, shape)
            if x1 - x0 < 2 or y1 - y0 < 2:
                continue
            m[:, 2] -= (x0, y0)
            part = cv2.warpAffine(image, m, (int(x1 - x0), int(y1 - y0)))
            if max(map(abs, blur)) > 1.5:
                part = cv2.filter2D(part, -1, _line(blur))
            under = picture[y0:y1, x0:x1]
            if image is shadow:
                dim = (255 - (part.astype(np.uint16) * 115 >> 8))[..., None]
                under[...] = (under * dim // 255).astype(np.uint8)
            else:
                clear = 255 - part[..., 3:].astype(np.uint16)
                under[...] = np.minimum(part[..., :3] + under * clear // 255, 255).astype(np.uint8)


def _line(blur: tuple[float, float]) -> F32:
    """Return a kernel that blurs along a line."""
    half = max(1, math.ceil(max(map(abs, blur)) / 2))
    k = np.zeros((2 * half + 1,) * 2, np.float32)
    a, b = (half - blur[0] / 2, half - blur[1] / 2), (half + blur[0] / 2, half + blur[1] / 2)
    cv2.line(k, (round(a[0]), round(a[1])), (round(b[0]), round(b[1])), 1.0, 1, cv2.LINE_AA)
    return np.asarray(k / k.sum(), np.float32)

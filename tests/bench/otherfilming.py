"""How clips of another making are filmed, and what people do in them besides moving: other picture sizes and cameras; a
board that is rotated, small or off-centre; sudden light, a bumped camera; rests, pointing hands, seeds laid aside."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

SIZE, FPS = (1280, 720), 15.0
SIZES = (SIZE, SIZE, (640, 480), (960, 540))
RATES = (10.0, 12.0, 15.0, 15.0)
WIDE = (2000, 1500)
"""The canvas in pixels for a table that surrounds a small board."""
HUNT_S, SHADE_S = 0.8, 2.0
"""Seconds for which a lens hunts for its focus, and for which a shadow crosses the table."""
LEAST_RADIUS = 15.0
"""The least radius of a pit in the picture, pixels."""
SOUTH = {"bottom": 0.0, "left": 90.0, "top": 180.0, "right": -90.0}
"""Degrees by which the board is rotated for South at each edge."""


@dataclass(frozen=True)
class Filming:
    """How a clip is filmed.

    south: the picture's edge at which South sits, "" for a random one; small: size of the board, as a share of what
    fits; aside: its distance from the middle, in shares of the available room; jpeg: quality, 0 for none; jump: factor
    by which the exposure changes, 1 for none; bump: pixels (of a picture 1280 wide) and degrees; rests: share of the
    moves with a rest in them; busy: a hand is there from the start; points: a hand points in a pause; beside: captured
    seeds are laid in the stores or beside the board; wide: use the canvas `WIDE`; cast: colour of the light after a
    jump, BGR; twice: every picture comes twice; shade: a shadow crosses the table; focus: the lens hunts for its focus
    once; eager: seconds by which the next hand is early; tilt: of the camera, as a multiple of the usual; dim: the
    light, as a share of the usual; laps: share of the relays in which the hand leaves the board between two laps;
    carries: captured seeds are carried off pit by pit; tries: share of the moves before which another is tried and
    taken back; fiddles: a pointing hand picks up a seed and drops it again; leans: the other side's fingers rest on the
    wood meanwhile.
    """

    size: tuple[int, int] = SIZE
    fps: float = FPS
    south: str = ""
    small: float = 1.0
    aside: tuple[float, float] = (0.0, 0.0)
    jpeg: int = 0
    jump: float = 1.0
    bump: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rests: float = 0.0
    busy: bool = False
    points: bool = False
    beside: bool = False
    wide: bool = False
    cast: tuple[float, float, float] = field(default=(1.0, 1.0, 1.0))
    twice: bool = False
    shade: bool = False
    focus: bool = False
    eager: float = 0.0
    tilt: float = 1.0
    dim: float = 1.0
    laps: float = 0.0
    carries: bool = False
    tries: float = 0.0
    fiddles: bool = False
    leans: bool = False

    @classmethod
    def chosen(cls, rng: np.random.Generator) -> Filming:
        """Return random settings, in which each oddity occurs in some of the clips."""
        def some(share: float) -> bool:
            return bool(rng.random() < share)

        way, far = rng.uniform(0, 2 * math.pi), rng.uniform(6, 45)
        still = (0.0, 0.0, 0.0)
        return cls(
            size=SIZES[int(rng.integers(len(SIZES)))], fps=RATES[int(rng.integers(len(RATES)))],
            south=str(rng.choice(("bottom", "top", "left", "right"))),
            small=float(rng.uniform(0.55, 0.95)) if some(0.5) else 1.0,
            aside=(float(rng.uniform(-0.9, 0.9)), float(rng.uniform(-0.9, 0.9))),
            jpeg=int(rng.integers(25, 70)) if some(0.4) else 0,
            jump=float(rng.choice((0.65, 0.75, 1.25, 1.4))) if some(0.25) else 1.0,
            cast=(float(rng.normal(1, 0.03)), float(rng.normal(1, 0.03)), float(rng.normal(1, 0.03))),
            bump=(far * math.cos(way), far * math.sin(way), float(rng.normal(0, 1.2))) if some(0.2) else still,
            rests=0.5 if some(0.5) else 0.0, busy=some(0.2), points=some(0.25), beside=some(0.5), wide=True)

    def odder(self, rng: np.random.Generator) -> Filming:
        """Return the same settings with further random oddities."""
        twice, shade, focus, early, slant = rng.random(5) < (0.2, 0.4, 0.3, 0.4, 0.4)
        return replace(self, twice=bool(twice), shade=bool(shade), focus=bool(focus),
                       eager=float(rng.uniform(0.1, 0.5)) * bool(early), tilt=3.0 if slant else 1.0)

    def stranger(self, rng: np.random.Generator) -> Filming:
        """Return the same settings with still stranger oddities."""
        dim, laps, carries, tries, fiddles, leans = rng.random(6) < (0.25, 0.4, 0.4, 0.3, 0.5, 0.25)
        return replace(self, dim=float(rng.uniform(0.2, 0.5)) if dim else 1.0, laps=0.6 * bool(laps),
                       carries=bool(carries), tries=0.4 * bool(tries), points=self.points or bool(fiddles),
                       fiddles=bool(fiddles), leans=bool(leans))

    @property
    def told(self) -> str:
        """The settings in words, for readers of the truth."""
        said = [f"{self.size[0]}x{self.size[1]} at {self.fps:g}", f"south {self.south or 'by lot'}"]
        said += [f"small {self.small:.2f}"] * (self.small < 1) + [f"jpeg {self.jpeg}"] * (self.jpeg > 0)
        said += [f"jump {self.jump:g}"] * (self.jump != 1) + ["bump"] * (self.bump != (0.0, 0.0, 0.0))
        said += [name for name, there in (("rests", self.rests > 0), ("busy", self.busy), ("points", self.points),
                                          ("beside", self.beside), ("twice", self.twice), ("shade", self.shade),
                                          ("focus", self.focus), ("eager", self.eager > 0),
                                          ("tilted", self.tilt > 1), ("between laps", self.laps > 0),
                                          ("carries", self.carries), ("tries", self.tries > 0),
                                          ("fiddles", self.fiddles), ("leans", self.leans)) if there]
        said += [f"dim {self.dim:.2f}"] * (self.dim < 1)
        return ", ".join(said)


PLAIN = Filming()


class Camera:
    """The camera's place, its optics, and the picture's noise.

    wood: the board on the canvas; radius: of its pits, canvas pixels. jumps, bumped, shaded, hunts: seconds at which
    the light jumps, the camera is bumped, a shadow begins to cross, the focus is lost.
    """

    def __init__(self, canvas: tuple[int, int], wood: tuple[float, float, float, float], radius: float,
                 filming: Filming, rng: np.random.Generator) -> None:
        self.filming, self.rng = filming, rng
        size = self.size = filming.size
        self.jumps = self.bumped = self.shaded = self.hunts = math.inf
        self._still: tuple[float, NDArray[np.uint8]] | None = None
        self._around: tuple[NDArray[np.float64], NDArray[np.uint8], NDArray[np.uint8]] | None = None
        self._strip = int(wood[1] - 0.1 * (wood[3] - wood[1]))
        self.matrix = self._stands(canvas, wood, radius)
        dx, dy, turned = filming.bump
        bump = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), turned, 1.0)
        bump = np.vstack([bump + np.array([[0, 0, dx], [0, 0, dy]]) * size[0] / SIZE[0], (0, 0, 1)])
        self.matrix_after = np.asarray(bump @ self.matrix)
        self.soft = float(rng.uniform(0, 0.9))
        cast = rng.normal(1, 0.05, 3) * rng.uniform(0.75, 1.1) * filming.dim
        y, x = np.mgrid[:size[1], :size[0]]
        dim = 1 - rng.uniform(0, 0.25) * (((x - size[0] / 2) / size[0]) ** 2 + ((y - size[1] / 2) / size[1]) ** 2) * 2
        self.gain = (cast * dim[..., None] * 256).astype(np.float32)
        grain = rng.normal(0, rng.uniform(1.5, 4.5), (3, size[1] + 64, size[0] + 64, 3))
        self.grain = np.round(grain).astype(np.int8)
        self.drift = (float(rng.uniform(0, 0.04)), float(rng.uniform(3, 11)))

    def _stands(self, canvas: tuple[int, int], wood: tuple[float, float, float, float],
                radius: float) -> NDArray[np.float64]:
        rng, filming, (w, h) = self.rng, self.filming, self.size
        wide, tall = wood[2] - wood[0], wood[3] - wood[1]
        if filming.south in ("left", "right"):
            wide, tall = tall, wide
        fill = min(w * rng.uniform(0.82, 0.96) / wide, h * 0.92 / tall)
        turn = float(rng.normal(0, 0.03)) + (math.pi if rng.random() < 0.25 else 0.0)
        if filming.south:
            turn = math.remainder(turn, math.pi) + math.radians(SOUTH[filming.south])
        self.south = filming.south or ("top" if abs(turn) > 1 else "bottom")
        fill *= max(filming.small, min(1.0, LEAST_RADIUS / (fill * radius))) if filming.small < 1 else 1.0
        fill *= 1.0 if filming.tilt == 1 else 0.85
        self.fill = fill
        x, y = (side / 2 + a * max(0.0, (side - 1.05 * fill * much) / 2)
                for side, much, a in zip((w, h), (wide, tall), filming.aside, strict=True))
        c, s, mx, my = fill * math.cos(turn), fill * math.sin(turn), canvas[0] / 2, canvas[1] / 2
        flat = np.array([[c, -s, x - c * mx + s * my], [s, c, y - s * mx - c * my], [0, 0, 1]])
        tilt = np.eye(3)
        tilt[2, :2] = rng.normal(0, 0.00007) * SIZE[0] / w, rng.normal(0, 0.00012) * SIZE[0] / w
        tilt[2, :2] *= filming.tilt
        back = np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])
        return np.asarray(back @ tilt @ np.linalg.inv(back) @ flat)

    def takes(self, canvas: NDArray[np.uint8], t: float, *, as_before: bool = False) -> NDArray[np.uint8]:
        """Return the picture of the canvas at time `t`. as_before: the canvas is that of the last call with
        `as_before`."""
        still = as_before and self._still is not None and (t < self.bumped or self._still[0] >= self.bumped)
        if not still:
            seen = self._seen(canvas, t)
        else:
            assert self._still is not None
            seen = self._still[1]
        self._still = (t, seen) if as_before else None
        if 0 < t - self.hunts < HUNT_S:
            soft = 0.3 + 5.0 * math.sin(math.pi * (t - self.hunts) / HUNT_S)
            seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), soft), np.uint8)
        filming, (w, h), (much, period) = self.filming, self.size, self.drift
        light = 1 + much * math.sin(2 * math.pi * t / period)
        jumped = 1 - math.exp(-(t - self.jumps) / 0.3) if t > self.jumps else 0.0
        bright = light * (1 + jumped * (filming.jump * np.array(filming.cast) - 1)) / 256
        lit = cv2.multiply(seen, self.gain * bright.astype(np.float32), dtype=cv2.CV_32F)
        if 0 < t - self.shaded < SHADE_S:  # the shadow's edge moves across the table
            across = (np.arange(w, dtype=np.float32) / w - 2.4 * (t - self.shaded) / SHADE_S + 1.2) * 12
            dark = 1 - 0.4 / (1 + np.exp(-across)) / (1 + np.exp(across - 10))
            lit = cv2.multiply(lit, np.broadcast_to(dark[None, :, None], lit.shape).astype(np.float32))
        k, (y, x) = int(self.rng.integers(3)), self.rng.integers(0, 64, 2)
        out = np.asarray(cv2.add(lit, self.grain[k, y:y + h, x:x + w], dtype=cv2.CV_8U), np.uint8)
        if filming.jpeg:
            packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, filming.jpeg])[1]
            out = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return out

    def _seen(self, canvas: NDArray[np.uint8], t: float) -> NDArray[np.uint8]:
        (w, h), matrix = self.size, self.matrix if t < self.bumped else self.matrix_after
        if self.fill < 0.7:  # if much smaller than the canvas: supersample, so that no pixel is skipped
            seen = cv2.warpPerspective(canvas, np.diag((2.0, 2.0, 1.0)) @ matrix, (2 * w, 2 * h),
                                       borderMode=cv2.BORDER_REFLECT)
            seen = cv2.resize(seen, self.size, interpolation=cv2.INTER_AREA)
        else:
            seen = cv2.warpPerspective(canvas, matrix, self.size, borderMode=cv2.BORDER_REFLECT)
        if self.filming.wide:  # outside the canvas show more of the table, not a reflected board
            if self._around is None or self._around[0] is not matrix:
                strip = canvas[:self._strip]
                table = np.concatenate([strip, strip[::-1]] * 3)[:len(canvas)]
                there = cv2.warpPerspective(table, matrix, self.size, borderMode=cv2.BORDER_REFLECT)
                inside = cv2.warpPerspective(np.full(canvas.shape[:2], 255, np.uint8), matrix, self.size)
                self._around = (matrix, np.asarray(there, np.uint8), np.asarray(255 - inside, np.uint8))
            seen = cv2.copyTo(self._around[1], self._around[2], np.array(seen))
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), self.soft) if self.soft > 0.3 else seen, np.uint8)

"""Draws pictures of hands with their forearms, reaching in over a board.

    hand = Hand(HandStyle.random(rng))
    hand.draw(image, tip, shoulder, "drop", scale=115.0, lamp=Lamp.of(scene))

A limb (`vision.render.limbs`) is traced once per pose and lit once per direction. Each frame then takes one affine warp
of its bounding box, with its shadow on the board under it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render import limbs
from vision.render.limbs import Limb, Relief
from vision.render.skin import RGB, HandStyle, paint

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Point = tuple[float, float]

_BINS = 16
_ARM = 4.0
"""Length of arm in a limb's picture, hands; beyond it the last part is stretched to the frame's edge."""


class _LitScene(Protocol):
    @property
    def light(self) -> NDArray[np.float64]: ...
    def tone(self, linear: Floats) -> Floats: ...


def _srgb(linear: Floats) -> Floats:
    """Linear RGB to BGR float32, 0…255."""
    return np.ascontiguousarray(np.clip(linear, 0, 1)[..., ::-1] ** (1 / 2.2) * 255, np.float32)


@dataclass(frozen=True)
class Lamp:
    """The light on the table. direction: unit vector to the lamp, x right, y down the picture, z to the camera. colour,
    sky: linear RGB of the lamp and of the ambient light. tone: linear RGB to the camera's BGR, 0…255."""

    direction: tuple[float, float, float] = (-0.45, -0.40, 0.80)
    colour: RGB = (0.85, 0.80, 0.72)
    sky: RGB = (0.36, 0.38, 0.42)
    tone: Callable[[Floats], Floats] = _srgb

    @classmethod
    def of(cls, scene: _LitScene) -> Lamp:
        """Return the light of a `vision.render.scene.RenderedTable`."""
        x, y, z = (float(v) for v in scene.light)
        style = getattr(scene, "style", None)
        colour = tuple(float(v) for v in getattr(style, "lamp_colour", cls.colour))
        sky = tuple(float(v) for v in getattr(style, "sky", cls.sky))
        return cls((x, y, z), (colour[0], colour[1], colour[2]), (sky[0], sky[1], sky[2]), scene.tone)

    def shadow(self) -> Floats:
        """float32[3] BGR: the factor by which a shadow darkens a bright thing's picture."""
        up = max(self.direction[2], 0.2)
        lit = np.array([[[0.4 * (s + c * up) for s, c in zip(self.sky, self.colour, strict=True)]]], np.float32)
        dim = np.array([[[0.4 * 0.85 * s for s in self.sky]]], np.float32)
        return np.asarray(np.clip(self.tone(dim)[0, 0] / np.maximum(self.tone(lit)[0, 0], 1.0), 0.15, 0.95), np.float32)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A limb in one pose: its relief and its own colours, linear RGB float32[h, w, 3]; shine float32[h, w]."""

    limb: Limb
    relief: Relief
    albedo: Floats
    shine: Floats
    shadow: Image


class Hand:
    """One person's hand, to be drawn in any pose. Pictures of it are made on first use and kept."""

    def __init__(self, style: HandStyle) -> None:
        """style: skin, sleeve and proportions."""
        self.style = style
        self._seen: dict[tuple[str, int], _Seen] = {}
        self._lit: dict[tuple[str, int, int, Lamp], Image] = {}

    def draw(
        self,
        image: Image,
        tip: Point,
        shoulder: Point,
        pose: str = "open",
        *,
        scale: float = 110.0,
        lamp: Lamp | None = None,
        height: float = 0.3,
        motion: Point = (0.0, 0.0),
    ) -> tuple[int, int, int, int] | None:
        """Draw the hand over `image` (changed in place) with its working point at `tip`, coming from `shoulder`, both
        in pixels.

        scale: pixels a board unit. height: of the finger tips over the board, board units. motion: pixels that the hand
        moves while the shutter is open. Returns the box (x0, y0, x1, y1) that the hand covers, or None if all of it is
        outside.
        """
        lamp = lamp or Lamp()
        hand = scale * self.style.size
        res = _resolution(hand)
        ux, uy = tip[0] - shoulder[0], tip[1] - shoulder[1]
        length = math.hypot(ux, uy) or 1.0
        u = (ux / length, uy / length)
        seen = self._look(pose, res)
        sprite = self._shine_on(pose, res, u, lamp)
        place = self._place(seen, tip, u, hand)
        self._shade(image, seen, place, lamp, scale * height, hand)
        return _lay(image, sprite, place, motion)

    def prepare(self, pose: str, scale: float) -> None:
        """Make the pictures of a pose that `draw` would otherwise make on first use; takes a few tenths of a second."""
        self._look(pose, _resolution(scale * self.style.size))

    def _place(self, seen: _Seen, tip: Point, u: Point, hand: float) -> NDArray[np.float64]:
        """float64[2, 3]: from the sprite's pixels to the image's."""
        side = -1.0 if self.style.left else 1.0
        k = hand / seen.relief.res
        m = np.array([[u[0] * k, -u[1] * k], [u[1] * k, u[0] * k]])
        at = np.array(
            [
                (seen.limb.tip[0] - seen.relief.origin[0]) * seen.relief.res,
                (seen.relief.origin[1] - side * seen.limb.tip[1]) * seen.relief.res,
            ]
        )
        return np.hstack([m, (np.array(tip) - m @ at)[:, None]])

    def _shade(
        self, image: Image, seen: _Seen, place: NDArray[np.float64], lamp: Lamp, height: float, hand: float
    ) -> None:
        """Draw the shadow on the board: the limb's outline, moved further away from the lamp the higher the limb is."""
        x, y, z = lamp.direction
        away = np.array([-x, -y]) / max(z, 0.35)
        # Along the sprite's x the arm descends to the tip, so the shadow is an affine image of the sprite, too.
        tip = (seen.limb.tip[0] - seen.relief.origin[0]) * seen.relief.res
        drop = seen.limb.rise * hand / seen.relief.res
        shadow = place.copy()
        shadow[:, 0] -= away * drop
        shadow[:, 2] += away * (height + drop * tip)
        box = _box(seen.shadow.shape, shadow, image.shape)
        if box is None:
            return
        x0, y0, x1, y1 = box
        shadow[:, 2] -= (x0, y0)
        dark = cv2.warpAffine(seen.shadow, shadow, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        table = np.arange(256, dtype=np.float32)[:, None] / 255
        keep = cv2.LUT(
            cv2.merge([dark, dark, dark]),
            np.asarray(255 * (1 - table * (1 - lamp.shadow()[None, :])) + 0.5, np.uint8).reshape(1, 256, 3),
        )
        view = image[y0:y1, x0:x1]
        cv2.multiply(view, keep, dst=view, scale=1 / 255)

    def _look(self, pose: str, res: int) -> _Seen:
        key = (pose, res)
        if key not in self._seen:
            limb = limbs.posed(pose, self.style.build)
            r = _stretched(limbs.relief(limb, res), round((_ARM - limb.reach) * res))
            if self.style.left:
                r = _mirrored(r)
            albedo, shine = paint(r, self.style)
            shadow = cv2.GaussianBlur(np.asarray(r.cover * 255, np.uint8), (0, 0), 0.035 * res)
            self._seen[key] = _Seen(limb, r, albedo, shine, np.asarray(shadow, np.uint8))
        return self._seen[key]

    def _shine_on(self, pose: str, res: int, u: Point, lamp: Lamp) -> Image:
        """uint8[h, w, 4] BGRA, premultiplied: the lit limb, reaching in along the direction `u`."""
        turn = round(math.atan2(u[1], u[0]) / (2 * math.pi) * _BINS) % _BINS
        key = (pose, res, turn, lamp)
        if key not in self._lit:
            a = turn * 2 * math.pi / _BINS
            x, y, z = lamp.direction
            # The lamp in the limb's own axes: x along it, y up the sprite.
            toward = (x * math.cos(a) + y * math.sin(a), x * math.sin(a) - y * math.cos(a), z)
            self._lit[key] = _light(self._look(pose, res), toward, lamp)
        return self._lit[key]


def _resolution(hand: float) -> int:
    """Pixels per hand at which to trace a limb that is drawn `hand` pixels long. The values are stepped, so that few
    pictures have to be made."""
    return int(min(max(40 * round(hand / 40), 80), 280))


def _stretched(r: Relief, more: int) -> Relief:
    """Extend the far end of the relief by `more` pixels: from there on the arm is a straight tube."""
    if more <= 0:
        return r

    def pad(a: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.concatenate([np.repeat(a[:, :1], more, axis=1), a], axis=1)

    bone = np.concatenate([np.repeat(r.bone[:, :1], more, axis=1), r.bone], axis=1)
    return Relief(
        pad(r.z),
        pad(r.normal),
        pad(r.open),
        bone,
        pad(r.along),
        pad(r.cover),
        (r.origin[0] - more / r.res, r.origin[1]),
        r.res,
        r.bones,
    )


def _mirrored(r: Relief) -> Relief:
    """Turn a right hand into a left one."""
    h = r.z.shape[0]
    flip = np.ascontiguousarray
    return Relief(
        flip(r.z[::-1]),
        flip(r.normal[::-1]) * np.array((1, -1, 1), np.float32),
        flip(r.open[::-1]),
        flip(r.bone[::-1]),
        flip(r.along[::-1]),
        flip(r.cover[::-1]),
        (r.origin[0], h / r.res - r.origin[1]),
        r.res,
        r.bones,
    )


# ---- light -----------------------------------------------------------------------------------------------------------


def _light(seen: _Seen, toward: tuple[float, float, float], lamp: Lamp) -> Image:
    """Light a limb: wrapped lambert (light goes a little way into skin), open sky, a soft highlight. BGRA,
    premultiplied."""
    r = seen.relief
    n = r.normal / np.maximum(np.linalg.norm(r.normal, axis=2, keepdims=True), 1e-6)
    lit = n @ np.array(toward, np.float32)
    skin = np.array((0.30, 0.20, 0.16), np.float32)
    wrapped = np.clip((lit[..., None] + skin) / (1 + skin), 0, None)
    half = np.array(toward) + np.array((0.0, 0.0, 1.0))
    gloss = np.clip(n @ (half / np.linalg.norm(half)).astype(np.float32), 0, None) ** 24 * seen.shine
    up = 0.45 + 0.55 * n[..., 2:]
    sky, colour = np.array(lamp.sky, np.float32), np.array(lamp.colour, np.float32)
    open_ = r.open[..., None]
    linear = (
        seen.albedo * (sky * up * open_ + colour * wrapped * (0.35 + 0.65 * open_)) + colour * gloss[..., None] * open_
    )
    bgr = lamp.tone(np.asarray(linear, np.float32)) * r.cover[..., None]
    return np.asarray(np.concatenate([bgr, 255 * r.cover[..., None]], axis=2) + 0.5, np.uint8)


# ---- laying it over a picture ----------------------------------------------------------------------------------------


def _box(
    sprite: tuple[int, ...], place: NDArray[np.float64], image: tuple[int, ...]
) -> tuple[int, int, int, int] | None:
    """x0, y0, x1, y1 of the part of the image that a placed sprite may cover, or None."""
    h, w = sprite[:2]
    corners = place @ np.array([[0, w, 0, w], [0, 0, h, h], [1, 1, 1, 1]])
    x0, y0 = (max(0, math.floor(v) - 1) for v in corners.min(axis=1))
    x1, y1 = min(image[1], math.ceil(corners[0].max()) + 1), min(image[0], math.ceil(corners[1].max()) + 1)
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def _lay(image: Image, sprite: Image, place: NDArray[np.float64], motion: Point) -> tuple[int, int, int, int] | None:
    """Blend a premultiplied BGRA sprite over the image, smeared along `motion` (pixels)."""
    box = _box(sprite.shape, place, image.shape)
    if box is None:
        return None
    x0, y0, x1, y1 = box
    place = place.copy()
    place[:, 2] -= (x0, y0)
    over = cv2.warpAffine(sprite, place, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    way = math.hypot(*motion)
    if way > 3:
        over = _smeared(np.asarray(over, np.uint8), motion, way)
    keep = 255 - over[..., 3]
    view = image[y0:y1, x0:x1]
    cv2.multiply(view, cv2.merge([keep, keep, keep]), dst=view, scale=1 / 255)
    cv2.add(view, over[..., :3], dst=view)
    return box


def _smeared(sprite: Image, motion: Point, way: float) -> Image:
    """Motion blur: the mean of the sprite along its motion."""
    n = int(min(max(way / 4, 2), 5))
    total = np.zeros(sprite.shape, np.uint16)
    for i in range(n):
        t = i / (n - 1) - 0.5
        shift = np.array([[1, 0, t * motion[0]], [0, 1, t * motion[1]]])
        moved = cv2.warpAffine(
            sprite, shift, (sprite.shape[1], sprite.shape[0]), flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
        )
        cv2.add(total, moved, dst=total, dtype=cv2.CV_16U)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / n), np.uint8)

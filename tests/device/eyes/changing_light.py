"""Scenes at the simulated table whose light changes: the lamp's share of it is drawn apart from the room's.

A shade takes the lamp's light from a part of the board and leaves the room's, as somebody who leans into it does, so
that the pits' walls look otherwise in it, too: light adds up as it does at a real table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.cli.watch.watcher import Match, Watcher
from device.eyes.brightening import Brightening
from device.sim.picture import TablePicture
from device.south import South
from engine.board import Board
from engine.rules import Rules
from tests.device.sim.staged_scenes import SIZE, Film, Image, Stage, Table
from vision.board.find import find
from vision.board.lattice import oriented
from vision.eye import Eye
from vision.reading import BoardView
from vision.render.skin import HandStyle
from vision.render.styles import SceneStyle

Share = NDArray[np.float32]
"""float32[h, w], how much of the lamp's light falls there, 0…1."""
SIDE = (-0.80, -0.45, 0.40)
"""A lamp that stands low beside the table: every pit has a dark wall and a bright one."""
WARM, DIM = (2.6, 2.0, 1.4), 0.2
"""Times as bright as at the house its lamp is, in red, green and blue, and the rest of its room."""
ROOM = 0.12
"""Of the lamp's light, what is left where it is off or hidden, besides the room's own."""
SWAY_S = 3.0
"""Seconds in which somebody who leans sways once."""
PALE = 4.0
"""Times as bright as the house's the table beneath the board is."""
Colour = tuple[float, float, float]


def scaled(light: Colour, by: Colour) -> Colour:
    """A light, so many times as bright in red, green and blue."""
    return light[0] * by[0], light[1] * by[1], light[2] * by[2]


class LitTable(Table):
    """A table in hard side light, and the same one with its lamp off."""

    def __init__(self, board: Board, *, as_found: bool = False) -> None:
        """as_found: the board's place is what was found, not what was drawn, from which it differs by 2 % of a pit."""
        style = SceneStyle.house(board.rows, board.cols)
        sky = scaled(style.sky, (DIM, DIM, DIM))
        style = replace(style, lens=replace(style.lens, jpeg=0, fill=0.8), lamp=SIDE, sky=sky,
                        table=np.asarray(np.minimum(style.table * PALE, 0.9), np.float32),
                        lamp_colour=scaled(style.lamp_colour, WARM), window_strength=0.0)
        rng = np.random.default_rng(7)
        south, north = (replace(HandStyle.random(rng, number), left=False) for number in (5, 6))
        self.board = board
        off = replace(style, lamp_colour=scaled(style.lamp_colour, (ROOM, ROOM, ROOM)), bounce=ROOM * style.bounce)
        self.picture, self.unlit = (
            TablePicture(board, one, (south, north), size=SIZE, samples=1) for one in (style, off))
        found = find(self.frame([2] * board.pits, 0), board.rows, board.cols)
        assert isinstance(found, BoardView), found
        if not as_found:
            there = self.picture.scene.circles[:board.pits].reshape(*found.radii.shape, 3)
            found = replace(found, centres=there[..., :2], radii=there[..., 2])
        self.view = oriented(found, "bottom")


@lru_cache(maxsize=4)
def lit_table(board: Board, as_found: bool) -> LitTable:
    """The table for boards of this size, drawn once."""
    return LitTable(board, as_found=as_found)


class LitStage(Stage):
    """A scene being told at a table whose light changes. at_first: how much of its lamp's light falls on it; as_found:
    as in `LitTable`."""

    def __init__(self, rules: Rules, line: str, seed: int = 1, at_first: float = 1.0, *, as_found: bool = False
                 ) -> None:
        """See the class."""
        super().__init__(rules, line, seed)
        self._table: LitTable = lit_table(self.position.board, as_found)
        self._share: Callable[[float], Share | float] = lambda _: at_first
        self._papers: list[tuple[float, int, tuple[tuple[float, float], ...]]] = []

    def shade(self, share: Callable[[float], Share | float]) -> LitStage:
        """The lamp's share from now on, by the time in seconds since."""
        before, began = self._share, self.t
        self._share = lambda t: share(t - began) if t >= began else before(t)
        return self

    def paper(self, *corners: tuple[float, float], grey: int = 235) -> LitStage:
        """From now on a paper lies there, its corners at (column, row)."""
        self._papers.append((self.t, grey, corners))
        return self

    def run(self, start: str | None = None) -> list[dict[str, Any]]:
        """Like any scene, seen by the whole chain of vision."""
        for picture in (self._table.picture, self._table.unlit):
            picture.show([0] * self.position.board.pits)
            picture.scene.rng = np.random.default_rng(self.seed)
        forms: list[dict[str, Any]] = []
        match = Match(self.rules, self.position.board, self.start if start is None else start)
        Watcher(Film(self), match, forms.append, eye=self._brighter).run()
        return forms

    def _brighter(self, board: Board, south: South) -> Brightening:
        eye = Eye(board.rows, board.cols, south)
        eye.place(self._table.view)
        return Brightening(eye)

    def image(self, t: float, noise: np.random.Generator) -> Image:
        """The picture at that time."""
        hands, grain = self.scene.hands(t), int(noise.integers(1 << 30))
        for picture in (self._table.picture, self._table.unlit):
            picture.show(self.scene.counts(t))  # both, so that seeds lie alike in them
        share = np.asarray(self._share(t), np.float32)
        if not share.ndim and share == 1 and not self._papers:
            return self._table.picture.frame(hands, np.random.default_rng(grain))
        drawn = [linear(picture.frame(hands, np.random.default_rng(grain)))
                 for picture in (self._table.picture, self._table.unlit)]
        share = share[..., None] if share.ndim else share
        return encoded(self._with_papers(drawn[1] + share * (drawn[0] - drawn[1]), share, t))

    def _with_papers(self, light: NDArray[np.float32], share: Share, t: float) -> NDArray[np.float32]:
        for since, grey, corners in self._papers:
            if t >= since:
                where = np.array([self._table.picture._pixel(corner) for corner in corners])
                mask = np.zeros(light.shape[:2], np.uint8)
                cv2.fillPoly(mask, [np.round(where).astype(np.int32)], 1)
                light = np.where(mask[..., None] > 0, LINEAR[grey] * (ROOM + (1 - ROOM) * share), light)
        return light


LINEAR = ((np.arange(256, dtype=np.float32) / 255) ** 2.2).astype(np.float32)
"""Linear light 0…1 of every sRGB level."""


def linear(image: Image) -> NDArray[np.float32]:
    """Linear light 0…1 of sRGB levels 0…255."""
    return LINEAR[image]


def encoded(light: NDArray[np.float32]) -> Image:
    """uint8 sRGB levels of linear light."""
    return np.asarray(np.clip(255 * np.maximum(light, 0) ** (1 / 2.2) + 0.5, 0, 255), np.uint8)


def over(part: float, soft: float = 0.10, *, south: bool = False, sway: float = 0.0,
         takes_s: float = 0.7) -> Callable[[float], Share]:
    """A shade that comes from the left, or from South, over such a part of the picture and stays. soft: the part of the
    picture over which it begins; sway: to and fro by so much of the picture, as somebody who breathes."""
    across, down = np.meshgrid(np.linspace(0, 1, SIZE[0]), np.linspace(1, 0, SIZE[1]))
    way = (down if south else across).astype(np.float32)

    def share(since: float) -> Share:
        edge = -soft + (part + soft) * min(1.0, since / takes_s) + sway * np.sin(2 * np.pi * since / SWAY_S)
        lit = np.clip((way - edge) / soft + 0.5, 0, 1)
        return np.asarray(lit * lit * (3 - 2 * lit), np.float32)

    return share


def to(level: float, takes_s: float, since_level: float = 1.0) -> Callable[[float], float]:
    """The whole lamp's share goes to that level in so many seconds."""
    return lambda since: since_level + (level - since_level) * min(1.0, since / max(takes_s, 1e-6))

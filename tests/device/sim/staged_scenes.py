"""Scenes at the simulated table, told in advance, drawn, and refereed from their pictures by the whole program.

Pictures are small and the board is short, so that a scene takes a second or two to draw and to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.cameras.base import Camera, EndOfRecording
from device.cli.watch.watcher import Match, Watcher
from device.sim.gestures import PACES, GesturePace
from device.sim.picture import TablePicture
from device.sim.plays import Act, laying, legal
from device.south import South
from engine.board import Board, Side
from engine.position import Position
from engine.rules import Rules
from tests.device.sim.staging import StagedScene, Visit
from vision.board.find import find
from vision.board.lattice import oriented
from vision.eye import Eye
from vision.reading import BoardView, Frame
from vision.render.skin import HandStyle
from vision.render.styles import SceneStyle

Image = NDArray[np.uint8]

SIZE = (400, 225)
FPS = 12.0


class Table:
    """A drawn table with its eye's knowledge of where the board lies; scenes on boards of one size share it."""

    def __init__(self, board: Board) -> None:
        """See the class."""
        style = SceneStyle.house(board.rows, board.cols)
        style = replace(style, lens=replace(style.lens, jpeg=0, fill=0.8))
        rng = np.random.default_rng(7)
        south, north = (replace(HandStyle.random(rng, number), left=False) for number in (5, 6))
        self.board = board
        self.picture = TablePicture(board, style, (south, north), size=SIZE, samples=1)
        found = find(self.frame([2] * board.pits, 0), board.rows, board.cols)
        assert isinstance(found, BoardView), found
        self.view = oriented(found, "bottom")

    def frame(self, counts: Sequence[int], seed: int) -> Image:
        """The table with these seeds, which lie alike for the same seed."""
        self.picture.show([0] * self.board.pits)
        self.picture.scene.rng = np.random.default_rng(seed)
        self.picture.show(counts)
        return self.picture.frame([], np.random.default_rng(seed))


@lru_cache(maxsize=4)
def table(board: Board) -> Table:
    """The table for boards of this size, drawn once."""
    return Table(board)


class Stage:
    """A scene being told: every call goes on where the last one ended, at `t` seconds.

    line: the position that lies there first.
    """

    def __init__(self, rules: Rules, line: str, seed: int = 1) -> None:
        """See the class."""
        self.rules, self.position = rules, Position.parse(line)
        self.start, self.seed = line, seed
        self._table = table(self.position.board)
        self.scene = StagedScene(self.position.board, self.position.counts, self._table.picture.reach, seed)
        self.t = 0.7
        self._shifts: list[tuple[float, int]] = []
        self._beside: list[tuple[float, float, tuple[float, float]]] = []

    # ---- what people do

    def visit(self, side: Side, acts: Sequence[Act], pace: str | GesturePace = "normal", rest: float = 0.0) -> Visit:
        """A hand comes, does these acts and leaves; then nothing happens for `rest` seconds."""
        visit = self.scene.visit(side, acts, self.t, PACES[pace] if isinstance(pace, str) else pace)
        self.t = visit.ends + rest
        return visit

    def play(self, name: str, pace: str | GesturePace = "normal", rest: float = 1.2, *, until: int | None = None,
             since: int = 0) -> Visit:
        """The legal move of that name, or its acts from `since` on and up to `until`; it counts as played."""
        move = self.rules.play(self.position, name)
        visit = self.visit(move.before.to_move, legal(move).acts[since:until], pace, rest)
        if until is None:
            self.position = move.position
        return visit

    def lay(self, target: Position, by: Side, pace: str | GesturePace = "normal", rest: float = 1.2,
            pits: Sequence[int] | None = None) -> Visit:
        """A hand lays these pits, or the whole board, as `target` says, from what lies there by then."""
        acts = laying(target, self.scene.counts(self.t), by, "laid", pits).acts
        return self.visit(by, acts, pace, rest)

    def rest(self, seconds: float) -> Stage:
        """Nothing happens."""
        self.t += seconds
        return self

    def shift(self, pixels: int) -> Stage:
        """From now on the board lies so many pixels further to the right."""
        self._shifts.append((self.t, pixels))
        return self

    def beside(self, place: tuple[float, float], seconds: float) -> Stage:
        """From now on a seed lies beside the board, at (column, row), for so long."""
        self._beside.append((self.t, self.t + seconds, place))
        return self

    # ---- what the program says of it

    def run(self, start: str | None = None) -> list[dict[str, Any]]:
        """The events of `inkeek watch`, in order. start: the line it is told, if not the one that lies there."""
        self._table.frame([0] * self.position.board.pits, self.seed)
        forms: list[dict[str, Any]] = []
        told = self.start if start is None else start
        match = Match(self.rules, self.position.board, told)
        Watcher(Film(self), match, forms.append, eye=self._eye).run()
        return forms

    def verdicts(self, start: str | None = None) -> list[dict[str, Any]]:
        """Of these, what was said of moves."""
        return [form for form in self.run(start) if form["event"] == "verdict"]

    def _eye(self, board: Board, south: South) -> Eye:
        eye = Eye(board.rows, board.cols, south)
        eye.place(self._table.view)
        return eye

    def image(self, t: float, noise: np.random.Generator) -> Image:
        """The picture at that time."""
        picture = self._table.picture
        picture.show(self.scene.counts(t))
        picture.beside = [place for since, until, place in self._beside if since <= t < until]
        image = picture.frame(self.scene.hands(t), noise)
        for since, pixels in self._shifts:
            if t >= since:
                there = np.array([[1.0, 0.0, pixels], [0.0, 1.0, 0.0]])
                image = np.asarray(cv2.warpAffine(image, there, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)
        return image


class Film(Camera):
    """A scene as a camera."""

    name, live = "staged scene", False

    def __init__(self, stage: Stage) -> None:
        """stage: what is played back."""
        self._stage, self._number = stage, 0
        self._noise = np.random.default_rng(stage.seed)

    def open(self) -> None:
        """As any camera."""

    def close(self) -> None:
        """As any camera."""

    def read(self, timeout_s: float) -> Frame | None:
        """The next frame."""
        t = self._number / FPS
        if t > self._stage.t:
            raise EndOfRecording("the scene is over")
        self._number += 1
        return Frame(self._stage.image(t, self._noise), round(t * 1e9), self._number - 1)

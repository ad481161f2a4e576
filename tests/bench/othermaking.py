"""Clips of another making than the simulated table's: carved boards lit as fields of heights, seeds and hands of
ellipsoids and capsules, drawn by numpy and OpenCV. Nothing of `vision.render` and `device.sim` is used.

    python -m tests.bench.othermaking FOLDER --clips N --first K [--moves N]

writes clip_*.mp4 and clip_*.truth.json as `inkeek watch` is held against; even numbers are normal, odd ones fast.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Side
from engine.position import Position
from engine.rules import Rules, ruleset
from tests.bench.otherground import CANVAS, Lamp, ground, lattice
from tests.bench.othermoves import Turn, next_turn
from tests.bench.otherthings import KINDS, Hand, Heaps

SEED = 90_000
SIZE, FPS = (1280, 720), 15.0
GAMES = (("enkeshui", "driedger", "2x8"), ("enkeshui", "wikipedia", "2x12"), ("endodoi", "merker", "2x6"),
         ("endodoi", "merker", "2x8"), ("omweso", "wikipedia", "4x8"), ("enkeshui", "driedger", "2x12"))


class Pace(NamedTuple):
    """Seconds: for a drop with the way there, to take a pit up, to reach in, and between turns (least, most)."""

    drop: float
    lift: float
    reach: float
    pause: tuple[float, float]


PACES = {"normal": Pace(0.32, 0.42, 0.5, (1.1, 2.4)), "fast": Pace(0.13, 0.2, 0.3, (0.55, 0.9))}


class Key(NamedTuple):
    """Where the finger tips are at a time: board column and row, and the pose on the way there."""

    t: float
    col: float
    row: float
    pose: str


@dataclass(frozen=True)
class Visit:
    """A hand's way through a turn. changes: time, pit, by how much. t_in, t_out: over the wood."""

    turn: Turn
    keys: tuple[Key, ...]
    changes: tuple[tuple[float, int, int], ...]
    t_in: float
    t_out: float

    def at(self, t: float) -> tuple[float, float, str] | None:
        """Column, row and pose at a time of the recording; None while no hand is there."""
        if not self.keys[0].t <= t <= self.keys[-1].t:
            return None
        i = min(max(bisect_right([k.t for k in self.keys], t), 1), len(self.keys) - 1)
        a, b = self.keys[i - 1], self.keys[i]
        u = (t - a.t) / max(b.t - a.t, 1e-9)
        u = u * u * (3 - 2 * u)
        return a.col + u * (b.col - a.col), a.row + u * (b.row - a.row), b.pose


def visit(turn: Turn, pace: Pace, began: float, edge: float, rng: np.random.Generator) -> Visit:
    """The way of the hand through the turn's acts. edge: rows from the outer pits' middle to the wood's edge."""
    board, south = turn.before.board, turn.player is Side.SOUTH
    away = board.rows - 1 + edge + 3.0 if south else -edge - 3.0
    col = float(board.place(turn.acts[0].pit)[1])
    keys = [Key(began, col, away, "open")]
    changes: list[tuple[float, int, int]] = []

    def go(seconds: float, to: tuple[float, float], pose: str) -> None:
        keys.append(Key(keys[-1].t + seconds * float(np.clip(rng.normal(1, 0.15), 0.6, 1.5)), *to, pose))

    here: int | None = None
    for act in turn.acts:
        row, col = board.place(act.pit)
        spot = (col + float(rng.normal(0, 0.06)), row + float(rng.normal(0, 0.06)))
        far = math.dist(keys[-1][1:3], spot)
        if act.kind == "drop":
            go(0.7 * pace.drop * max(1.0, 0.6 * far), spot, "pinch")
            changes.append((keys[-1].t, act.pit, act.change))
            go(0.3 * pace.drop, spot, "pinch")
        else:
            if here is None:
                go(pace.reach, spot, "open")
            elif here != act.pit:
                go(0.8 * pace.drop * max(1.0, 0.5 * far), spot, "open")
            go(pace.lift, spot, "pinch")
            changes.append((keys[-1].t - 0.3 * pace.lift, act.pit, act.change))
        here = act.pit
    go(pace.reach, (keys[-1].col, away), "pinch" if turn.acts[-1].kind == "take" else "open")
    plain = Visit(turn, tuple(keys), tuple(changes), 0, 0)
    over = [t for t in np.arange(began, keys[-1].t, 0.01) if (at := plain.at(float(t))) is not None
            and -edge <= at[1] <= board.rows - 1 + edge]
    return Visit(turn, plain.keys, plain.changes, float(over[0]), float(over[-1]))


class Scene:
    """A table that is filmed: its board, seeds, hands, light and camera, all by the random numbers given."""

    def __init__(self, start: Position, rng: np.random.Generator) -> None:
        board = start.board
        self.rng, self.lamp = rng, Lamp.chosen(rng)
        self.where = lattice(board, bool(rng.random() < (0.2 if board.rows == 4 else 0.45)), rng)
        self.bare, self.light = ground(self.where, self.lamp, rng)
        size = self.where.pitch * float(rng.uniform(0.085, 0.12))
        self.heaps = Heaps(self.where, self.lamp, str(rng.choice(list(KINDS))), max(size, 7.0), rng)
        self.canvas = np.clip(self.bare, 0, 255).astype(np.uint8)
        for pit, n in enumerate(start.counts):
            self.change(pit, n)
        palm = self.where.pitch * float(rng.uniform(0.95, 1.25)) * max(1.0, board.cols / 9)
        self.hands = [Hand(palm, self.lamp, rng) for _ in Side]
        top, middle = self.where.at(0, 0)[1], self.where.at(0, 1)[1]
        self.edge = (top - self.where.wood[1]) / (middle - top)
        self._camera()

    def _camera(self) -> None:
        """Where the camera stands, how it sees, and the picture's noise."""
        rng = self.rng
        left, top, right, bottom = self.where.wood
        fill = min(SIZE[0] * rng.uniform(0.82, 0.96) / (right - left), SIZE[1] * 0.92 / (bottom - top))
        turn = float(rng.normal(0, 0.03)) + (math.pi if rng.random() < 0.25 else 0.0)
        self.south = "top" if abs(turn) > 1 else "bottom"
        c, s = fill * math.cos(turn), fill * math.sin(turn)
        mx, my = CANVAS[0] / 2, CANVAS[1] / 2
        flat = np.array([[c, -s, SIZE[0] / 2 - c * mx + s * my], [s, c, SIZE[1] / 2 - s * mx - c * my], [0, 0, 1]])
        tilt = np.eye(3)
        tilt[2, :2] = rng.normal(0, 0.00007), rng.normal(0, 0.00012)
        back = np.array([[1, 0, SIZE[0] / 2], [0, 1, SIZE[1] / 2], [0, 0, 1.0]])
        self.matrix = back @ tilt @ np.linalg.inv(back) @ flat
        self.soft = float(rng.uniform(0, 0.9))
        cast = rng.normal(1, 0.05, 3) * rng.uniform(0.75, 1.1)
        y, x = np.mgrid[:SIZE[1], :SIZE[0]]
        dim = 1 - rng.uniform(0, 0.25) * (((x - SIZE[0] / 2) / SIZE[0]) ** 2 + ((y - SIZE[1] / 2) / SIZE[1]) ** 2) * 2
        self.gain = (cast * dim[..., None] * 256).astype(np.float32)
        grain = rng.normal(0, rng.uniform(1.5, 4.5), (3, SIZE[1] + 64, SIZE[0] + 64, 3))
        self.grain = np.round(grain).astype(np.int8)
        self.drift = (float(rng.uniform(0, 0.04)), float(rng.uniform(3, 11)))

    def change(self, pit: int, by: int) -> None:
        """Seeds are dropped into a pit, or taken off it."""
        self.heaps.change(pit, by)
        self.heaps.draw(self.canvas, self.bare, self.light, pit)

    def frame(self, t: float, hand: tuple[Side, float, float, str, tuple[float, float]] | None) -> NDArray[np.uint8]:
        """The picture at a time. hand: whose, column and row of its tips, pose, and by how much these move in the time
        of the shutter."""
        picture = self.canvas.copy()
        if hand is not None:
            side, col, row, pose, moves = hand
            rows, cols = self.where.board.rows, self.where.board.cols
            tip = self.where.at(col, row)
            way = 1 if side is Side.SOUTH else -1
            far = self.where.at(0.75 * col + 0.25 * (cols - 1) / 2 + 0.5 * way, rows - 1 + 6.0 if way > 0 else -6.0)
            blur = (moves[0] * self.where.pitch, moves[1] * self.where.pitch)
            self.hands[side].lay(picture, tip, far, 0.25 * self.where.pitch, pose, blur)
        seen = cv2.warpPerspective(picture, self.matrix, SIZE, borderMode=cv2.BORDER_REFLECT)
        if self.soft > 0.3:
            seen = cv2.GaussianBlur(seen, (0, 0), self.soft)
        much, period = self.drift
        lit = seen * (self.gain * ((1 + much * math.sin(2 * math.pi * t / period)) / 256))
        k, (y, x) = int(self.rng.integers(3)), self.rng.integers(0, 64, 2)
        grained = lit + self.grain[k, y:y + SIZE[1], x:x + SIZE[0]]
        return np.asarray(np.clip(grained, 0, 255), np.uint8)


def start_of(number: int) -> tuple[Rules, Position, str, np.random.Generator]:
    """Rules, position to begin from, pace, and random numbers of the clip of that number."""
    rng = np.random.default_rng((SEED, number))
    game, name, size = GAMES[int(rng.integers(len(GAMES)))]
    rules = ruleset(game, name)
    position = rules.setup(board=Board.parse(size))
    for _ in range(int(rng.integers(0, 7))):
        turn = next_turn(rules, position, rng, 0.0)
        if turn is None or rules.over(turn.after) is not None:
            break
        position = turn.after
    return rules, position, ("normal", "fast")[number % 2], rng


def visits(rules: Rules, position: Position, pace: str, moves: int, edge: float,
           rng: np.random.Generator) -> list[Visit]:
    """What is played, in order of time."""
    out: list[Visit] = []
    t = float(rng.uniform(1.5, 2.5))
    while len(out) < moves and rules.over(position) is None:
        turn = next_turn(rules, position, rng)
        if turn is None:
            break
        out.append(visit(turn, PACES[pace], t, edge, rng))
        t, position = out[-1].keys[-1].t + float(rng.uniform(*PACES[pace].pause)), turn.after
    return out


def make(number: int, stem: Path, moves: int = 5) -> dict[str, Any]:
    """Write `stem`.mp4 and `stem`.truth.json of the clip of that number; the truth is returned, too."""
    rules, start, pace, rng = start_of(number)
    scene = Scene(start, rng)
    played = visits(rules, start, pace, moves, scene.edge, rng)
    todo = sorted(change for v in played for change in v.changes)
    film = cv2.VideoWriter(str(stem.with_suffix(".mp4")), cv2.VideoWriter.fourcc(*"mp4v"), FPS, SIZE)
    try:
        for k in range(math.ceil((played[-1].keys[-1].t + 2.5) * FPS)):
            t = k / FPS
            while todo and todo[0][0] <= t:
                scene.change(*todo.pop(0)[1:])
            film.write(scene.frame(t, hand_at(played, t)))
    finally:
        film.release()
    name = start.board.name
    truth: dict[str, Any] = {
        "game": rules.game, "rules": rules.name, "board": str(start.board), "start": str(start), "south": scene.south,
        "pace": pace, "moves": [
            {"player": v.turn.player.letter, "move": name(v.turn.pit), "kind": v.turn.kind, "fault": v.turn.fault,
             "at": None if v.turn.at is None else name(v.turn.at), "t_in": round(v.t_in, 3), "t_out": round(v.t_out, 3),
             "position": str(v.turn.after)} for v in played]}
    stem.with_suffix(".truth.json").write_text(json.dumps(truth, indent=1))
    return truth


def hand_at(played: list[Visit], t: float) -> tuple[Side, float, float, str, tuple[float, float]] | None:
    """The hand over the table at a time, as `Scene.frame` takes it."""
    for v in played:
        now, then = v.at(t), v.at(t - 0.25 / FPS)
        if now is not None:
            before = now if then is None else then
            return (v.turn.player, *now, (now[0] - before[0], now[1] - before[1]))
    return None


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--clips", default=10, show_default=True)
@click.option("--first", default=0, show_default=True, help="number of the first clip")
@click.option("--moves", default=5, show_default=True, help="of each clip")
def main(folder: Path, clips: int, first: int, moves: int) -> None:
    """Write clips to FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + clips):
        truth = make(number, folder / f"clip_{number:04d}", moves)
        click.echo(f"{number}: {truth['game']} {truth['board']}, {truth['pace']}, {len(truth['moves'])} moves")


if __name__ == "__main__":
    main()

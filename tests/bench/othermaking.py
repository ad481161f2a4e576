"""Clips of another making than the simulated table's: carved boards lit as height fields, seeds and hands of ellipsoids
and capsules, drawn with numpy and OpenCV. They use nothing of `vision.render` and `device.sim`.

    python -m tests.bench.othermaking FOLDER --clips N --first K [--moves N]

writes clip_*.mp4 and clip_*.truth.json, which `inkeek watch` is compared with; even numbers are normal, odd ones fast.
From number 330 on they are filmed in other ways, too (`tests.bench.otherfilming`), and from 390 on people behave more
oddly.
"""

import json
import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Side
from engine.position import Position
from engine.rules import Rules, ruleset
from tests.bench.otherfilming import PLAIN, WIDE, Camera, Filming
from tests.bench.otherground import CANVAS, Lamp, ground, lattice
from tests.bench.othermoves import Act, Turn, next_turn, tried
from tests.bench.otherthings import KINDS, Hand, Heaps

SEED = 90_000
ODD, ODDER, STRANGE = 330, 360, 390
"""Numbers from which on clips are filmed in other ways, in still more ways, and with oddly behaving people."""
GAMES = (("enkeshui", "driedger", "2x8"), ("enkeshui", "wikipedia", "2x12"), ("endodoi", "merker", "2x6"),
         ("endodoi", "merker", "2x8"), ("omweso", "wikipedia", "4x8"), ("enkeshui", "driedger", "2x12"))


class Pace(NamedTuple):
    """Seconds: for a drop with the path to it, to pick a pit up, to reach in, and between turns (least, most)."""

    drop: float
    lift: float
    reach: float
    pause: tuple[float, float]


PACES = {"normal": Pace(0.32, 0.42, 0.5, (1.1, 2.4)), "fast": Pace(0.13, 0.2, 0.3, (0.55, 0.9))}


Laid = tuple[Side, float, float, str, tuple[float, float]]
"""A hand in a picture: its side, column and row of its tips, pose, and how far the tips move while the shutter is
open."""


class Key(NamedTuple):
    """Where the finger tips are at a time: board column and row, and the pose on the path to it."""

    t: float
    col: float
    row: float
    pose: str


@dataclass(frozen=True)
class Visit:
    """A hand's path through a turn. changes: time, pit, change of its count. t_in, t_out: when it is over the wood."""

    turn: Turn
    keys: tuple[Key, ...]
    changes: tuple[tuple[float, int, int], ...]
    t_in: float
    t_out: float

    def at(self, t: float) -> tuple[float, float, str] | None:
        """Return column, row and pose at a time of the recording; None while no hand is there."""
        if not self.keys[0].t <= t <= self.keys[-1].t:
            return None
        i = min(max(bisect_right([k.t for k in self.keys], t), 1), len(self.keys) - 1)
        a, b = self.keys[i - 1], self.keys[i]
        u = (t - a.t) / max(b.t - a.t, 1e-9)
        u = u * u * (3 - 2 * u)
        return a.col + u * (b.col - a.col), a.row + u * (b.row - a.row), b.pose


class Rest(NamedTuple):
    """A hand rests before act number `act`, for `seconds`; away: it leaves the board meanwhile."""

    act: int
    seconds: float
    away: bool


@dataclass
class Way:
    """The path of a hand, being built. away: the row in which it is off the table; changes: time, pit, change of its
    count."""

    pace: Pace
    away: float
    rng: np.random.Generator
    keys: list[Key]
    changes: list[tuple[float, int, int]] = field(default_factory=list)

    def go(self, seconds: float, to: tuple[float, float], pose: str) -> None:
        """Move to a column and row in about `seconds`."""
        spread = float(np.clip(self.rng.normal(1, 0.15), 0.6, 1.5))
        self.keys.append(Key(self.keys[-1].t + seconds * spread, *to, pose))

    def rest(self, rest: Rest) -> None:
        """Rest in place, or leave the table and come back to the same place."""
        last = self.keys[-1]
        if rest.away:
            self.go(self.pace.reach, (last.col, self.away), "pinch")
        self.keys.append(Key(self.keys[-1].t + rest.seconds, self.keys[-1].col + 0.05, self.keys[-1].row, "pinch"))
        if rest.away:
            self.go(self.pace.reach, (last.col, last.row), "pinch")

    def do(self, act: Act, spot: tuple[float, float], here: int | None) -> None:
        """Drop a seed, or pick seeds up. spot: column and row; here: the pit that the hand is at, None at first."""
        pace, far = self.pace, math.dist(self.keys[-1][1:3], spot)
        if act.kind == "drop":
            self.go(0.7 * pace.drop * max(1.0, 0.6 * far), spot, "pinch")
            self.changes.append((self.keys[-1].t, act.pit, act.change))
            self.go(0.3 * pace.drop, spot, "pinch")
            return
        if here is None:
            self.go(pace.reach, spot, "open")
        elif here != act.pit:
            self.go(0.8 * pace.drop * max(1.0, 0.5 * far), spot, "open")
        self.go(pace.lift, spot, "pinch")
        self.changes.append((self.keys[-1].t - 0.3 * pace.lift, act.pit, act.change))

    def lay_beside(self, turn: Turn, heap: tuple[float, float]) -> None:
        """Lay the last capture at a column and row beside the pits."""
        self.go(self.pace.reach * max(1.0, 0.15 * math.dist(self.keys[-1][1:3], heap)), heap, "pinch")
        held = list(takewhile(lambda act: act.kind == "take", reversed(turn.acts)))
        self.changes.append((self.keys[-1].t, -1 - turn.player, sum(act.n for act in held)))
        self.go(0.3 * self.pace.drop, heap, "open")


def visit(turn: Turn, pace: Pace, began: float, edge: float, rng: np.random.Generator, *, rests: Sequence[Rest] = (),
          heap: tuple[float, float] | None = None) -> Visit:
    """Return the hand's path through the turn's acts. edge: rows from the outer pits' middle to the wood's edge; heap:
    column and row at which it lays its capture, None if it carries the capture away."""
    board, south = turn.before.board, turn.player is Side.SOUTH
    away = board.rows - 1 + edge + 3.0 if south else -edge - 3.0
    way = Way(pace, away, rng, [Key(began, float(board.place(turn.acts[0].pit)[1]), away, "open")])
    here: int | None = None
    for k, act in enumerate(turn.acts):
        for rest in (r for r in rests if k == r.act):
            way.rest(rest)
        row, col = board.place(act.pit)
        way.do(act, (col + float(rng.normal(0, 0.06)), row + float(rng.normal(0, 0.06))), here)
        here = act.pit
    taken = turn.acts[-1].kind == "take"
    if heap is not None and taken and turn.fault != "palmed":
        way.lay_beside(turn, heap)
    way.go(pace.reach, (way.keys[-1].col, away), "pinch" if taken and heap is None else "open")
    return timed(Visit(turn, tuple(way.keys), tuple(way.changes), 0, 0), edge)


def timed(plain: Visit, edge: float) -> Visit:
    """Return the visit with the times at which it is over the wood."""
    last = plain.turn.before.board.rows - 1 + edge
    over = [t for t in np.arange(plain.keys[0].t, plain.keys[-1].t, 0.01)
            if (at := plain.at(float(t))) is not None and -edge <= at[1] <= last]
    return Visit(plain.turn, plain.keys, plain.changes, float(over[0]), float(over[-1]))


def idle(position: Position, player: Side, keys: tuple[Key, ...], edge: float) -> Visit:
    """Return the visit of a hand that touches nothing."""
    return timed(Visit(Turn(player, "legal", 0, (), position, position), keys, (), 0, 0), edge)


class Scene:
    """A random table that is filmed: its board, seeds, hands, light and camera."""

    def __init__(self, start: Position, rng: np.random.Generator, filming: Filming = PLAIN) -> None:
        board = start.board
        self.rng, self.lamp, self.filming = rng, Lamp.chosen(rng), filming
        self.where = lattice(board, bool(rng.random() < (0.2 if board.rows == 4 else 0.45)), rng,
                             WIDE if filming.wide else CANVAS)
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
        self.camera = Camera(self.where.canvas, self.where.wood, self.where.radius, filming, rng)
        if filming.beside:
            for side in Side:
                self.change(-1 - side, start.captured[side])

    def change(self, pit: int, by: int) -> None:
        """Drop seeds into a pit or take them off; `pit` -1 - side is that side's heap."""
        self._stirred = True
        if pit < 0:
            self.heaps.beside(self.canvas, self.light, self.where.at(*self.where.heap(Side(-1 - pit))), by)
            return
        self.heaps.change(pit, by)
        self.heaps.draw(self.canvas, self.bare, self.light, pit)

    def frame(self, t: float, hands: Sequence[Laid]) -> NDArray[np.uint8]:
        """Return the picture at time `t`."""
        if not hands:
            stirred, self._stirred = self._stirred, False
            return self.camera.takes(self.canvas, t, as_before=not stirred)
        picture = self.canvas.copy()
        rows, cols = self.where.board.rows, self.where.board.cols
        for side, col, row, pose, moves in hands:
            tip = self.where.at(col, row)
            way = 1 if side is Side.SOUTH else -1
            far = self.where.at(0.75 * col + 0.25 * (cols - 1) / 2 + 0.5 * way, rows - 1 + 6.0 if way > 0 else -6.0)
            blur = (moves[0] * self.where.pitch, moves[1] * self.where.pitch)
            self.hands[side].lay(picture, tip, far, 0.25 * self.where.pitch, pose, blur)
        return self.camera.takes(picture, t)


def start_of(number: int) -> tuple[Rules, Position, str, np.random.Generator]:
    """Return rules, starting position, pace, and random generator of the clip of that number."""
    return begun(np.random.default_rng((SEED, number)), number)


def begun(rng: np.random.Generator, number: int) -> tuple[Rules, Position, str, np.random.Generator]:
    """Return the same from the given random generator."""
    game, name, size = GAMES[int(rng.integers(len(GAMES)))]
    rules = ruleset(game, name)
    position = rules.setup(board=Board.parse(size))
    for _ in range(int(rng.integers(0, 7))):
        turn = next_turn(rules, position, rng, 0.0)
        if turn is None or rules.over(turn.after) is not None:
            break
        position = turn.after
    return rules, position, ("normal", "fast")[number % 2], rng


def visits(rules: Rules, position: Position, pace: str, moves: int, scene: Scene,
           rng: np.random.Generator) -> list[Visit]:
    """Return the hands' visits in order of time: the moves, and hands that touch nothing. Also sets when the camera is
    bumped and its light jumps."""
    out: list[Visit] = []
    filming, edge = scene.filming, scene.edge
    t, played, odd = float(rng.uniform(1.5, 2.5)), 0, 1 + int(moves > 2)
    if filming.busy:
        out.append(there_at_first(position, edge, rng))
    while played < moves and rules.over(position) is None:
        turn = next_turn(rules, position, rng)
        if turn is None:
            break
        out += hands_of(rules, turn, pace, t, scene, rng)
        if filming.leans:
            out.sort(key=lambda v: v.keys[-1].t)
        t, position, played = out[-1].keys[-1].t + float(rng.uniform(*PACES[pace].pause)), turn.after, played + 1
        if filming.eager and rng.random() < 0.5:
            t = out[-1].keys[-1].t - filming.eager
        if played == odd:
            t = goes_wrong(scene.camera, filming, t)
        if played == odd + 1 and filming.points:
            out.append(pointing(position, t + 1.2, edge, rng, fiddles=filming.fiddles))
            t = out[-1].keys[-1].t + 1.0
    return out


def there_at_first(position: Position, edge: float, rng: np.random.Generator) -> Visit:
    """Return a hand that is on the board when the recording begins, and leaves."""
    board = position.board
    col, row = float(rng.uniform(0, board.cols - 1)), float(rng.uniform(0, board.rows - 1))
    gone = float(rng.uniform(0.3, 1.2))
    keys = (Key(-1.0, col, row, "open"), Key(gone, col + 0.2, row, "open"),
            Key(gone + 0.5, col, board.rows - 1 + edge + 3.0, "open"))
    return idle(position, Side.SOUTH, keys, edge)


def hands_of(rules: Rules, turn: Turn, pace: str, began: float, scene: Scene, rng: np.random.Generator) -> list[Visit]:
    """Return the hand that plays a turn, and the other side's leaning fingers, if any."""
    filming, edge = scene.filming, scene.edge
    heap = scene.where.heap(turn.player) if filming.beside else None
    if filming.tries and turn.kind == "legal" and rng.random() < filming.tries:
        turn = tried(turn, rules, rng)
    played = visit(turn, PACES[pace], began, edge, rng, rests=rests_of(turn, filming, pace, rng), heap=heap)
    return [played, leaning(turn.before, turn.player.other, played, edge, rng)] if filming.leans else [played]


def goes_wrong(camera: Camera, filming: Filming, t: float) -> float:
    """Schedule, from time `t` on and one after the other, that the lens hunts, a shadow crosses, the camera is bumped
    and the light jumps. Return when play goes on."""
    if filming.focus:
        camera.hunts = t + 0.3
        t += 1.5
    if filming.shade:
        camera.shaded = t - 0.5
    if filming.bump != (0.0, 0.0, 0.0):
        camera.bumped, t = t + 0.8, t + 4.5
    if filming.jump != 1:
        camera.jumps, t = t, t + 1.5
    return t


def rests_of(turn: Turn, filming: Filming, pace: str, rng: np.random.Generator) -> list[Rest]:
    """Return where the hand rests in a turn or leaves the board: anywhere, between two laps, and with a capture."""
    rests = []
    if len(turn.acts) > 4 and filming.rests and rng.random() < filming.rests:
        seconds = float(rng.uniform(*((0.8, 2.5) if pace == "normal" else (0.4, 1.0))))
        gone = bool(rng.random() < 0.4)
        rests.append(Rest(int(rng.integers(2, len(turn.acts))), min(seconds, 0.9) if gone else seconds, gone))
    laps = [k for k in range(2, len(turn.acts)) if turn.acts[k].kind == "lift" and turn.acts[k - 1].kind == "drop"]
    if laps and filming.laps and rng.random() < filming.laps:
        seconds = float(rng.uniform(*((0.3, 2.2) if pace == "normal" else (0.1, 0.7))))
        rests.append(Rest(int(rng.choice(laps)), seconds, True))
    if filming.carries:
        rests += [Rest(k, float(rng.uniform(0.0, 0.6)), True) for k in range(1, len(turn.acts))
                  if turn.acts[k].kind == turn.acts[k - 1].kind == "take"]
    return rests


def leaning(position: Position, side: Side, move: Visit, edge: float, rng: np.random.Generator) -> Visit:
    """Return the fingers of the side not moving, on the wood's edge from before a move until after it."""
    col, last = float(rng.uniform(0, position.board.cols - 1)), position.board.rows - 1
    row, away = ((last + 0.8 * edge, last + edge + 3.0) if side is Side.SOUTH else (-0.8 * edge, -edge - 3.0))
    came, gone = move.keys[0].t - float(rng.uniform(0, 0.4)), move.keys[-1].t + float(rng.uniform(0, 0.2))
    keys = (Key(came - 0.4, col, away, "open"), Key(came, col, row, "open"), Key(gone, col + 0.1, row, "open"),
            Key(gone + 0.4, col, away, "open"))
    return idle(position, side, keys, edge)


def pointing(position: Position, t: float, edge: float, rng: np.random.Generator, *, fiddles: bool = False) -> Visit:
    """Return a hand that points at a pit and leaves. fiddles: it picks up a seed there and drops it again."""
    side, board = Side(int(rng.integers(2))), position.board
    col, row = float(rng.uniform(0, board.cols - 1)), float(rng.uniform(0, board.rows - 1))
    full = [p for p, n in enumerate(position.counts) if n]
    if fiddles and full:
        pit = int(rng.choice(full))
        row, col = board.place(pit)
    away = board.rows - 1 + edge + 3.0 if side is Side.SOUTH else -edge - 3.0
    keys = (Key(t, col, away, "open"), Key(t + 0.5, col, row, "open"), Key(t + 1.1, col + 0.1, row, "open"),
            Key(t + 1.6, col, away, "open"))
    done = idle(position, side, keys, edge)
    return replace(done, changes=((t + 0.6, pit, -1), (t + 1.0, pit, 1))) if fiddles and full else done


def filming_of(number: int) -> Filming:
    """Return how the clip of that number is filmed."""
    filming = Filming.chosen(np.random.default_rng((SEED, number, 1))) if number >= ODD else PLAIN
    filming = filming.odder(np.random.default_rng((SEED, number, 2))) if number >= ODDER else filming
    return filming.stranger(np.random.default_rng((SEED, number, 3))) if number >= STRANGE else filming


def make(number: int, stem: Path, moves: int = 5) -> dict[str, Any]:
    """Write `stem`.mp4 and `stem`.truth.json for the clip of that number; return the truth."""
    rules, start, pace, rng = start_of(number)
    filming = filming_of(number)
    scene = Scene(start, rng, filming)
    done = visits(rules, start, pace, moves, scene, rng)
    filmed(stem, done, scene.change, scene.frame, filming.fps, filming.size, each=1 + filming.twice, after=2.5)
    return told(stem, rules, start, pace, done, scene.camera.south, filming.told)


def filmed(stem: Path, done: list[Visit], change: Callable[[int, int], None],
           frame: Callable[[float, list[Laid]], NDArray[np.uint8]], fps: float, size: tuple[int, int], *,
           each: int = 1, after: float = 2.0) -> None:
    """Write `stem`.mp4. change: changes a pit by a number of seeds; frame: returns the picture of size (width, height)
    at a time with these hands; each: how often every picture comes; after: seconds filmed after the last hand has left.
    """
    todo = sorted(one for v in done for one in v.changes)
    film = cv2.VideoWriter(str(stem.with_suffix(".mp4")), cv2.VideoWriter.fourcc(*"mp4v"), fps * each, size)
    try:
        for k in range(math.ceil((done[-1].keys[-1].t + after) * fps)):
            t = k / fps
            while todo and todo[0][0] <= t:
                change(*todo.pop(0)[1:])
            picture = frame(t, hands_at(done, t, 0.25 / fps))
            for _ in range(each):
                film.write(picture)
    finally:
        film.release()


def told(stem: Path, rules: Rules, start: Position, pace: str, done: list[Visit], south: str, how: str
         ) -> dict[str, Any]:
    """Write `stem`.truth.json and return it: what was played, in the form that `inkeek watch` is compared with."""
    name = start.board.name
    truth: dict[str, Any] = {
        "game": rules.game, "rules": rules.name, "board": str(start.board), "start": str(start), "south": south,
        "pace": pace, "filming": how, "moves": [
            {"player": v.turn.player.letter, "move": name(v.turn.pit), "kind": v.turn.kind, "fault": v.turn.fault,
             "at": None if v.turn.at is None else name(v.turn.at), "t_in": round(v.t_in, 3), "t_out": round(v.t_out, 3),
             "position": str(v.turn.after)} for v in done if v.turn.acts]}
    stem.with_suffix(".truth.json").write_text(json.dumps(truth, indent=1))
    return truth


def hands_at(done: list[Visit], t: float, shutter: float) -> list[Laid]:
    """Return the hands over the table at a time, as `Scene.frame` takes them. shutter: its opening time, seconds."""
    out: list[Laid] = []
    for v in done:
        now, then = v.at(t), v.at(t - shutter)
        if now is not None:
            before = now if then is None else then
            out.append((v.turn.player, *now, (now[0] - before[0], now[1] - before[1])))
    return out


def command(make: Callable[[int, Path, int], dict[str, Any]], moves: int) -> click.Command:
    """Return the command that writes clips to a folder. moves: default number per clip."""
    @click.command()
    @click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
    @click.option("--clips", default=10, show_default=True)
    @click.option("--first", default=0, show_default=True, help="number of the first clip")
    @click.option("--moves", default=moves, show_default=True, help="of each clip")
    def main(folder: Path, clips: int, first: int, moves: int) -> None:
        """Write clips to FOLDER."""
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(first, first + clips):
            truth = make(number, folder / f"clip_{number:04d}", moves)
            click.echo(f"{number}: {truth['game']} {truth['board']}, {truth['pace']}, {len(truth['moves'])} moves; "
                       f"{truth['filming']}, south {truth['south']}")

    return main


if __name__ == "__main__":
    command(make, 5)()

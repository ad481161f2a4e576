"""Play with overlapping hands at the level of readings: the table's verdicts on games without pictures.

    python -m tests.bench.staged [--gap SECONDS] [--pace fast] [--games 40] [--cheats 0.0]

Hands sow step by step; each covers the pits between its player's edge and the pit that it is at. A pit is read as the
product's own eye was measured to read (`tests.bench.readings`), one heap per stay. `--gap`: seconds between one hand's
leaving and the next hand's coming; at -0.75 the next hand comes three quarters of a second earlier. `--cheats`: share
of the moves that are faulty (`tests.bench.othermoves`). As always, the table decides when to count.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from device.cli.watch.recorded_game import RecordedGame
from device.evidence.reading_log import Header
from device.eyes.pipeline import InlineRunner
from device.table.orders import game_started
from engine.board import Board, Side
from engine.position import Position
from engine.referee.observation import COUNTS
from engine.rules import Rules, ruleset
from tests.bench.othermaking import GAMES, PACES, Pace
from tests.bench.othermoves import Turn, next_turn
from tests.bench.readings import Library, library
from tests.bench.table import print_rows
from tests.bench.watching import Watched, tally
from vision.reading import BoardView, Reading
from vision.seeds.knowledge.changes import even_odds_grey
from vision.seeds.knowledge.earlier_looks import EarlierLooks

FPS = 30
STEADY = 3
"""Looks at one stay after which the eye reads it like a quiet board."""
OPENING = 12
"""Most legal moves before the game begins."""
CAME_OVER, RESTED_S = 0.3, 5.0
"""Most share of the gap by which a hand comes before the last touch of the one before; seconds of rest at the end."""
PARTS, EMPTY_GREY, SEEDS_GREY, NOISE_GREY = 4, 120.0, 35.0, 1.5
"""Parts of a pit in each direction whose mean grey is given; the grey of an empty pit; by how much shifted seeds change
a part, and the camera's noise, both standard deviations."""
SHADE = 0.9
"""The share of its pits that counts as a hand's share of the board."""


@dataclass(frozen=True)
class Visit:
    """One hand's turn. t_in, t_out: seconds, when it comes over the wood and when it is away; times: of its acts."""

    turn: Turn
    t_in: float
    times: tuple[float, ...]
    t_out: float

    def over(self, board: Board, t: float) -> set[int]:
        """Return the pits that the hand and its arm cover at time `t`."""
        if not self.t_in <= t <= self.t_out:
            return set()
        k = min(int(np.searchsorted(self.times, t)), len(self.times) - 1)
        row, col = board.place(self.turn.acts[k].pit)
        south, first, last = self.turn.player is Side.SOUTH, self.times[0], self.times[-1]
        near = min(1.0, (t - self.t_in) / (first - self.t_in), (self.t_out - t) / (self.t_out - last))
        edge = board.rows if south else -1
        tip = edge + (row - edge) * max(0.0, near)
        rows = [r for r in range(board.rows) if (r >= tip - 0.5 if south else r <= tip + 0.5)]
        beside = col + (1 if int(t * 7) % 2 else -1)
        cols = {col} | ({beside} & set(range(board.cols)) if near > SHADE else set())
        return {board.at(r, c) for r in rows for c in cols}


@dataclass
class Pits:
    """The pits' contents, and the eye's readings of them."""

    rng: random.Random
    counts: NDArray[np.int64]
    kept: Library = field(default_factory=library)

    def __post_init__(self) -> None:
        """Lay heaps of one table."""
        self._heaps = self.kept.heaps(self.rng.choice(self.kept.tables))
        self._now = [self._heap(int(n)) for n in self.counts]
        self._looks = np.zeros(len(self.counts), np.int64)
        self._draws = np.random.default_rng(self.rng.randrange(1 << 30))
        self._grey = np.full((len(self.counts), PARTS, PARTS), EMPTY_GREY)
        for pit in np.flatnonzero(self.counts):
            self._lie(int(pit))
        self._read = np.zeros((len(self.counts), COUNTS), np.float32)
        self.earlier = EarlierLooks(self._grey.astype(np.float32))

    def _heap(self, seeds: int) -> tuple[int, int]:
        like = min(self._heaps, key=lambda n: (abs(n - seeds), n))
        return self.rng.choice(self._heaps[like]), seeds - like

    def change(self, pit: int, by: int) -> None:
        """Add or remove seeds, which touches the pit."""
        self.counts[pit] += by
        self._now[pit] = self._heap(int(self.counts[pit]))
        self._lie(pit)
        self._looks[pit] = 0

    def _lie(self, pit: int) -> None:
        """Let the pit's seeds lie at random."""
        lies = self._draws.normal(0, SEEDS_GREY, (PARTS, PARTS)) if self.counts[pit] else 0.0
        self._grey[pit] = EMPTY_GREY + lies

    @property
    def stays(self) -> NDArray[np.int64]:
        """int64[pits], the numbers of the pits' stays at the newest look."""
        return self.earlier.number.copy()

    def look(self, seen: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return float32[pits, 26]: the mean over each stay's looks; after enough looks, read like a quiet board."""
        cells = np.asarray(self._grey + self._draws.normal(0, NOISE_GREY, self._grey.shape), np.float32)
        self.earlier.take(np.flatnonzero(seen), cells[seen], even_odds_grey(NOISE_GREY, SEEDS_GREY * 2))
        self.earlier.last(seen)
        for pit in np.flatnonzero(seen):
            at, more = self._now[pit]
            looks = int(self._looks[pit])
            one = self.kept.quiet[at] if looks >= STEADY else self.kept.looks[at, looks % self.kept.looks.shape[1]]
            row = np.full(COUNTS, one.min(), np.float32)
            row[max(0, more):COUNTS - max(0, -more)] = one[max(0, -more):COUNTS - max(0, more)]
            self._read[pit] = row if looks in (0, STEADY) else self._read[pit] + (row - self._read[pit]) / (looks + 1)
            self._looks[pit] += 1
        return self._read.copy()


def visits(rules: Rules, position: Position, rng: np.random.Generator, pace: Pace, gap: float, moves: int,
           cheats: float) -> Iterator[Visit]:
    """Yield turns one after the other; each hand comes `gap` seconds after the last one has gone."""
    t = 2.0
    for _ in range(moves):
        turn = None if rules.over(position) is not None else next_turn(rules, position, rng, cheats)
        if turn is None:
            return
        each = [(pace.lift if act.change < 0 else pace.drop) * rng.uniform(0.6, 1.4) for act in turn.acts]
        times = tuple((t + pace.reach + np.cumsum(each)).tolist())
        yield Visit(turn, t, times, times[-1] + pace.reach)
        t = max(times[-1] + pace.reach + gap * rng.uniform(0.8, 1.2), times[-1] + CAME_OVER * min(0.0, gap))
        position = turn.after


@dataclass(frozen=True)
class Staged:
    """A game to watch. start: the board before; done: what the hands do; rng: draws the readings."""

    rules: Rules
    start: Position
    done: list[Visit]
    rng: random.Random

    @classmethod
    def draw(cls, seed: int, pace: Pace, gap: float, moves: int = 4, cheats: float = 0.0) -> Staged:
        """Return the game of that number."""
        rng, draws = random.Random(seed), np.random.default_rng(seed)
        game, rulesname, size = GAMES[seed % len(GAMES)]
        rules = ruleset(game, rulesname)
        start = _opened(rules, rules.setup(board=Board.parse(size)), rng)
        done = [] if rules.arranges(start) else list(visits(rules, start, draws, pace, gap, moves, cheats))
        return cls(rules, start, done, rng)

    def watched(self, hears: Callable[[dict[str, Any]], None] | None = None) -> list[dict[str, Any]]:
        """Return the table's events for the game. hears: called with each at once."""
        events: list[dict[str, Any]] = []

        def emit(event: dict[str, Any]) -> None:
            events.append(event)
            if hears is not None:
                hears(event)

        header = Header("staged", game_started(self.rules, self.start, "table"), as_it_lies_at_start=False,
                        start_is_sure=True)
        _watch(RecordedGame(header, emit, InlineRunner()), self.done, Pits(self.rng, np.array(self.start.counts)),
               self.start.board)
        return events


def staged(seed: int, pace: Pace, gap: float, moves: int = 4, cheats: float = 0.0
           ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return what happened in a game, in the form of a clip's truth, and the table's events for it."""
    game = Staged.draw(seed, pace, gap, moves, cheats)
    done, name = game.done, game.start.board.name
    events = game.watched()
    truth = [{"player": v.turn.player.letter, "move": name(v.turn.pit), "kind": v.turn.kind, "fault": v.turn.fault,
              "at": None if v.turn.at is None else name(v.turn.at), "t_in": v.t_in, "t_out": v.t_out} for v in done]
    return truth, [e for e in events if e["event"] == "verdict"]


def _opened(rules: Rules, position: Position, rng: random.Random) -> Position:
    """Return the position after some random legal moves: at least one if the game begins with a race."""
    for _ in range(rng.randrange(1 if rules.races else 0, OPENING)):
        moves = rules.moves(position).moves
        if rules.over(position) is not None or not moves:
            return position
        position = rng.choice(moves).position
    return position


def _watch(game: RecordedGame, done: list[Visit], pits: Pits, board: Board) -> None:
    """Give a table the readings of some turns, frame by frame."""
    if not done:
        return
    shape = (board.rows, board.cols)
    view = BoardView(*shape, np.zeros((*shape, 2)), np.full(shape, 30.0), np.eye(3), 0.4, (1280, 720))
    acts = sorted((t, act.pit, act.change) for v in done for t, act in zip(v.times, v.turn.acts, strict=True))
    for frame in range(int((done[-1].t_out + RESTED_S) * FPS)):
        t = frame / FPS
        while acts and acts[0][0] <= t:
            pits.change(*acts.pop(0)[1:])
        under: list[set[int]] = [set(), set()]
        for v in done:
            under[v.turn.player] |= v.over(board, t)
        seen = np.array([pit not in under[0] | under[1] for pit in range(board.pits)])
        game.now = t
        game.reading(_reading(game, pits, t, seen, under), view)
        game.table.counts_to_teach()
        game.frame_done()
    game.table.finish()


def _reading(game: RecordedGame, pits: Pits, t: float, seen: NDArray[np.bool_], under: list[set[int]]) -> Reading:
    """Return one frame's reading. The pits are counted only if the table wants it."""
    now, n = round(t * 1e9), len(seen)
    south, north = (SHADE * len(side) / n for side in under)
    motion = 0.05 * bool(under[0] or under[1])
    if not game.table.wants_count(now):
        return Reading(now, np.zeros((n, COUNTS), np.float32), np.zeros(n, np.bool_), (south, north), motion=motion,
                       counted=False)
    return Reading(now, pits.look(seen), seen, (south, north), motion=motion, looks=1, stays=pits.stays,
                   earlier=pits.earlier.earlier.copy(), changed=pits.earlier.changed.copy())


@click.command()
@click.option("--gap", default=-0.75, show_default=True, help="Seconds from one hand's going to the next one's coming.")
@click.option("--pace", type=click.Choice(list(PACES)), default="fast", show_default=True)
@click.option("--games", default=40, show_default=True)
@click.option("--moves", default=4, show_default=True, help="Of each game.")
@click.option("--cheats", default=0.0, show_default=True, help="Share of the moves that are faulty.")
def main(gap: float, pace: str, games: int, moves: int, cheats: float) -> None:
    """Let a table follow games with overlapping hands."""
    every = Watched()
    for seed in range(games):
        truth, said = staged(seed, PACES[pace], gap, moves, cheats)
        one = Watched(length=truth[-1]["t_out"] if truth else 0.0)
        tally(truth, said, one.n, one.delays)
        every.add(one)
    print_rows(every.rows(f"{games} staged games, {pace}, gap {gap:g} s, {cheats:.0%} faulty"))


if __name__ == "__main__":
    main()

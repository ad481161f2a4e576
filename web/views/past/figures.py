"""What a game comes to in figures: seeds captured, time a turn, laps a move, the longest relay; and several games."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import mean, median

from web.readmodel.items import Item
from web.readmodel.ledger import Played

MOVES = ("legal", "illegal", "not-sure")
"""Verdicts on a move that somebody made in his turn."""

KEPT = 256
"""Games whose figures are kept, so that a summary need not read their events again."""


@dataclass(frozen=True)
class MoveFigures:
    """A move that stands. number: of its verdict; laps: sown in it, 0 where its way is not known; gained: seeds that it
    captured; captured: South's and North's seeds after it; seconds: since the move before, None for the first."""

    number: int
    player: str
    move: str
    laps: int
    gained: int
    captured: tuple[int, int]
    seconds: float | None


@dataclass(frozen=True)
class Figures:
    """A game's moves, oldest first, and what they come to; or those of several games."""

    turns: tuple[MoveFigures, ...]

    def of(self, side: str) -> Figures:
        """One side's moves alone."""
        return Figures(tuple(turn for turn in self.turns if turn.player == side))

    @property
    def seconds(self) -> list[float]:
        """Of every turn whose length is known."""
        return [turn.seconds for turn in self.turns if turn.seconds is not None]

    @property
    def laps(self) -> list[int]:
        """Of every move whose way is known."""
        return [turn.laps for turn in self.turns if turn.laps]

    @property
    def median_seconds(self) -> float | None:
        """Half the turns took less."""
        return median(self.seconds) if self.seconds else None

    @property
    def mean_laps(self) -> float | None:
        """Laps a move."""
        return mean(self.laps) if self.laps else None

    @property
    def longest(self) -> MoveFigures | None:
        """The move of most laps, the first of several."""
        return max((turn for turn in self.turns if turn.laps), key=lambda turn: turn.laps, default=None)

    @property
    def richest(self) -> MoveFigures | None:
        """The move that captured most, the first of several."""
        return max((turn for turn in self.turns if turn.gained), key=lambda turn: turn.gained, default=None)

    @property
    def slowest(self) -> MoveFigures | None:
        """The turn that took longest."""
        timed = [turn for turn in self.turns if turn.seconds is not None]
        return max(timed, key=lambda turn: turn.seconds or 0.0, default=None)


def figures(found: Sequence[Item]) -> Figures:
    """Of a game's feed items: what stands of it."""
    turns: list[MoveFigures] = []
    last: Item | None = None
    for item in found:
        if item["kind"] != "verdict" or item["gone"] is not None:
            continue
        if item["verdict"] in MOVES and item["player"] and item["position"]:
            south, north = item["position"]["captured"]
            turns.append(MoveFigures(item["number"], item["player"], item["move"],
                                     max((step["lap"] for step in item["steps"]), default=0), item["captured"],
                                     (south, north), _seconds(last, item)))
        last = item
    return Figures(tuple(turns))


def _seconds(last: Item | None, item: Item) -> float | None:
    """From the hand's leaving after the move before to its leaving after this one; by the verdicts' times where hands
    were not timed, or the table was started anew between. None where that is not known."""
    if last is None:
        return None
    between: float = item["hands"][1] - last["hands"][1]
    if last["hands"][1] > 0 and between > 0:
        return between
    try:
        passed = (datetime.fromisoformat(item["at"]) - datetime.fromisoformat(last["at"])).total_seconds()
    except ValueError:
        return None
    return passed if passed >= 0 else None  # else the clock was set back


class Kept:
    """The figures of games, made again only where something was added to a game."""

    def __init__(self) -> None:
        """None yet."""
        self._made: OrderedDict[tuple[str, int, int], Figures] = OrderedDict()

    def of(self, journal: str, game: Played, read: Callable[[], Sequence[Item]]) -> Figures:
        """The game's. journal: names it; read: gives the game's feed items."""
        key = (journal, game.number, game.last)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = figures(read())
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
        return made


def together(each: Sequence[Figures]) -> Figures:
    """Of several games together."""
    return Figures(tuple(turn for one in each for turn in one.turns))

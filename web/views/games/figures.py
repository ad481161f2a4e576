"""A game in figures: seeds captured, time per turn, laps per move, longest relay; and the same for several games."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import mean, median

from device.journal.projection.games import PlayedGame
from web.readmodel.feed import Item, VerdictItem

MOVES = ("legal", "illegal", "not-sure")
"""Verdicts on a move that somebody made in turn."""

KEPT = 256
"""Games whose figures are cached, so that a summary need not read their events again."""


@dataclass(frozen=True)
class MoveFigures:
    """A standing move. number: of its verdict; laps: number of laps, 0 if its steps are unknown; gained: seeds that it
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
    """The moves of one or several games, oldest first, and their totals."""

    turns: tuple[MoveFigures, ...]

    def of(self, side: str) -> Figures:
        """Return one side's moves only."""
        return Figures(tuple(turn for turn in self.turns if turn.player == side))

    @property
    def seconds(self) -> list[float]:
        """The length of every turn for which it is known."""
        return [turn.seconds for turn in self.turns if turn.seconds is not None]

    @property
    def laps(self) -> list[int]:
        """The laps of every move whose steps are known."""
        return [turn.laps for turn in self.turns if turn.laps]

    @property
    def median_seconds(self) -> float | None:
        """The median length of a turn; None if unknown."""
        return median(self.seconds) if self.seconds else None

    @property
    def mean_laps(self) -> float | None:
        """Mean laps per move; None if unknown."""
        return mean(self.laps) if self.laps else None

    @property
    def longest(self) -> MoveFigures | None:
        """The move with the most laps, the first of several; None if no move had more than one."""
        return max((turn for turn in self.turns if turn.laps > 1), key=lambda turn: turn.laps, default=None)

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
    """Return the figures of a game's feed items, without moves that no longer stand."""
    turns: list[MoveFigures] = []
    last: VerdictItem | None = None
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


def _seconds(last: VerdictItem | None, item: VerdictItem) -> float | None:
    """Return the seconds from the hand's leaving after the previous move to its leaving after this one; from the
    verdicts' times if the hands were not timed or the table restarted in between. None if unknown."""
    if last is None:
        return None
    between: float = item["hands"][1] - last["hands"][1]
    if last["hands"][1] > 0 and between > 0:
        return between
    try:
        passed = (datetime.fromisoformat(item["at"]) - datetime.fromisoformat(last["at"])).total_seconds()
    except ValueError:
        return None
    return passed if passed >= 0 else None  # negative if the clock was set back


class FiguresCache:
    """Caches the figures of games; computed again only if a game has new events."""

    def __init__(self) -> None:
        """Start empty."""
        self._made: OrderedDict[tuple[str, int, int], Figures] = OrderedDict()

    def of(self, journal: str, game: PlayedGame, read: Callable[[], Sequence[Item]]) -> Figures:
        """Return the game's figures. journal: identifies its journal; read: returns the game's feed items."""
        key = (journal, game.number, game.last)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = figures(read())
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
        return made


def together(each: Sequence[Figures]) -> Figures:
    """Return the figures of several games together."""
    return Figures(tuple(turn for one in each for turn in one.turns))

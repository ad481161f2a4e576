"""What people do wrong with their hands, as edits of one lap: faults of the hand inside it, and faults of judgement at
its end.

An edit says what is done instead of what is due; `faults` plays it, and what follows it by the rules. Every edit has
the fault that people are told, and a weight: how likely it is beside other places for the same fault in the same move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.board import Board, Direction
from engine.games.base import Rules
from engine.judge.parameters import EDIT_WEIGHTS
from engine.judge.verdict import Fault
from engine.sowing import Decision, Sowing


@dataclass(frozen=True, slots=True)
class Lap:
    """A legal lap. before, after: the board then; start: the pit in which the turn began; pit: the one that this lap
    begins from; ways: the directions that it might have gone."""

    before: Sowing
    start: int
    pit: int
    direction: Direction
    ways: tuple[Direction, ...]
    choices: str
    after: Sowing
    decision: Decision

    @property
    def number(self) -> int:
        """From 1."""
        return self.after.laps

    def ended(self) -> Sowing:
        """A copy of the board at its end, before what it captures is taken up to be sown on."""
        if not self.after.hand:
            return self.after.copy()
        s = self.before.copy()
        s.sow(self.pit, self.direction)
        return s


@dataclass(frozen=True, slots=True)
class Edit:
    """A fault about to be played; what was due instead is not done.

    Of the hand: `drops` are the pits that it dropped into, in order; `left` seeds stayed in the pit lifted; `also` is
    a second pit lifted together with it; `direction` is the way it went where it should have gone the other, and with
    `holds` the laps that follow go that way, too.

    Of judgement: the seeds of `take` are captured, all but `left` of its last pit's; or those of `resow` are captured,
    all but `left` of its last pit's, and sown on from `begin`, or from where the lap began; or the pit of the last seed
    is lifted (`lift`); or the move just stops.
    """

    fault: Fault
    weight: float
    drops: tuple[int, ...] = ()
    left: int = 0
    also: int | None = None
    direction: Direction | None = None
    holds: bool = False
    take: tuple[int, ...] = ()
    resow: tuple[int, ...] = ()
    begin: int | None = None
    lift: bool = False


# ---- of the hand, inside a lap
# ------------------------------------------------------------------------------------------------------------


def of_hand(lap: Lap) -> Iterator[Edit]:
    """What the hand may do wrong while it lifts and sows."""
    seeds = lap.before.hand or lap.before.counts[lap.pit]
    path = tuple(lap.before.path(lap.pit, lap.direction, seeds + EDIT_WEIGHTS.sleights[-1][0]))
    yield from _miscounted(lap.number, path, seeds)
    yield from _misplaced(lap.before.board, lap.number, path[:seeds])
    if not lap.before.hand:
        yield from _left_in_pit(lap, path, seeds)
        if lap.number == 1:
            yield from _two_pits(lap, seeds)
    for n, weight in EDIT_WEIGHTS.sleights:
        if n < seeds:
            yield Edit(Fault("palmed", lap.pit, lap.number, n), EDIT_WEIGHTS.in_hand * weight, path[: seeds - n])
        yield Edit(Fault("smuggled", lap.pit, lap.number, n), EDIT_WEIGHTS.in_hand * weight, path[: seeds + n])
    if len(lap.ways) == 1:
        yield from _turned(lap, seeds)


def _miscounted(lap: int, path: tuple[int, ...], seeds: int) -> Iterator[Edit]:
    """Pits passed by, and pits that get more than one seed."""
    for j in range(seeds):
        yield Edit(Fault("skip", path[j], lap, 1), 1.0, path[:j] + path[j + 1 : seeds + 1])
        yield Edit(Fault("skip", path[j], lap, 2), 0.1, path[:j] + path[j + 2 : seeds + 2])
        for more, weight in ((1, 1.0), (2, 0.2), (3, 0.05)):
            if j + more < seeds:
                drops = path[: j + 1] + (path[j],) * more + path[j + 1 : seeds - more]
                yield Edit(Fault("double", path[j], lap, more), weight, drops)


def _misplaced(board: Board, lap: int, path: tuple[int, ...]) -> Iterator[Edit]:
    """One seed that falls into a pit beside the one that was next, while the hand goes on as it should."""
    for j, due in enumerate(path):
        for pit, weight in beside(board, due).items():
            yield Edit(Fault("wrong-pit", pit, lap, 1), weight, (*path[:j], pit, *path[j + 1 :]))


@lru_cache(maxsize=512)
def beside(board: Board, pit: int) -> dict[int, float]:
    """The pits around this one on the board, each with its weight: 1 in its row or column, `ASLANT` at a corner."""
    row, col = board.place(pit)
    around = [(r, c) for r in range(row - 1, row + 2) for c in range(col - 1, col + 2) if (r, c) != (row, col)]
    return {board.at(r, c): EDIT_WEIGHTS.over_a_corner if r != row and c != col else 1.0
            for r, c in around if 0 <= r < board.rows and 0 <= c < board.cols}


def _left_in_pit(lap: Lap, path: tuple[int, ...], seeds: int) -> Iterator[Edit]:
    for left in range(1, seeds):
        yield Edit(
            Fault("left-seed", lap.pit, lap.number, left), EDIT_WEIGHTS.each_seed_left**left, path[: seeds - left], left
        )


def _two_pits(lap: Lap, seeds: int) -> Iterator[Edit]:
    """A second pit of the player's lifted together with the one that the move begins from, and sown with it."""
    s = lap.before
    near = beside(s.board, lap.pit)
    for pit in s.board.own(s.player):
        if pit != lap.pit and s.counts[pit] and s.bulls[pit] is None:
            drops = tuple(s.path(lap.pit, lap.direction, seeds + s.counts[pit]))
            weight = 1.0 if pit in near else EDIT_WEIGHTS.pits_apart
            yield Edit(Fault("two-pits", pit, 1, s.counts[pit]), weight, drops, also=pit)


def _turned(lap: Lap, seeds: int) -> Iterator[Edit]:
    """The lap sown the other way round, and it alone or all that follow it, too."""
    back = Direction.CW if lap.direction is Direction.CCW else Direction.CCW
    way = tuple(lap.before.path(lap.pit, back, seeds))
    yield Edit(Fault("wrong-way", lap.pit, lap.number, 1), 0.5, way, direction=back)
    yield Edit(Fault("wrong-way", lap.pit, lap.number, 0), 0.5, way, direction=back, holds=True)


# ---- of judgement, at the end of a lap
# ------------------------------------------------------------------------------------------------------------


def of_judgement(rules: Rules, lap: Lap) -> Iterator[Edit]:
    """What may be done wrong when the last seed lies."""
    s, number, last = lap.after, lap.number, lap.after.last
    match lap.decision.ends:
        case None if s.hand:
            yield from _won_seeds(lap)
        case None:
            # Four seeds that make no bull here, as in a first move, look like one.
            code = "bull-missed" if rules.has_bulls and s.counts[last] == 4 else "stopped-short"
            yield Edit(Fault(code, last, number), 1.0)
            yield from _sown_on(rules, s, number)
        case "bull":
            yield Edit(Fault("bull-missed", last, number), 1.0, lift=True)
        case "in-bull":
            yield Edit(Fault("bull-lifted", last, number), 1.0, lift=True)
        case "sleeps":
            yield Edit(Fault("ran-on", last, number), 1.0, lift=True)
            yield from _false_captures(s, number)
            yield from _sown_on(rules, s, number)
        case "capture":
            yield Edit(Fault("ran-on", last, number), 0.3, lift=True)
            yield from _short_captures(s, number, lap.decision.pits)
            yield from _beyond(s, number, lap.decision.pits)


def opponents(s: Sowing) -> list[int]:
    """The opponent's pits that hold seeds."""
    return [p for p in s.board.own(s.player.other) if s.counts[p]]


def _took(s: Sowing, pit: int, lap: int) -> Fault:
    return Fault("false-capture" if s.bulls[pit] is None else "bull-lifted", pit, lap, s.counts[pit])


def _false_captures(s: Sowing, lap: int) -> Iterator[Edit]:
    """After an end with no capture: the facing pit or another of the opponent's, with the last seed or without."""
    facing, own = s.board.facing(s.last), s.board.owner(s.last) is s.player
    for pit in opponents(s):
        if pit != s.last:
            near = 1.0 if pit == facing else 0.2 if abs(pit - facing) == 1 else 0.02
            yield Edit(_took(s, pit, lap), near if own else near / 4, take=(s.last, pit))
            yield Edit(_took(s, pit, lap), max(EDIT_WEIGHTS.capture_anywhere, near / 4), take=(pit,))


def _beyond(s: Sowing, lap: int, due: tuple[int, ...]) -> Iterator[Edit]:
    """More than the string gives, or the wrong pit in place of the facing one."""
    facing = due[1]
    for pit in opponents(s):
        if pit not in due:
            near = 1.0 if abs(pit - due[-1]) == 1 else 0.1
            yield Edit(_took(s, pit, lap), near, take=(*due, pit))
            wrong = 0.5 if abs(pit - facing) == 1 else 0.05
            yield Edit(_took(s, pit, lap), wrong, take=(s.last, pit))


def _partly(worth: int) -> Iterator[tuple[int, float]]:
    """How many seeds may be left of so many that had to be taken, each number with its weight."""
    return ((left, EDIT_WEIGHTS.each_seed_left**left) for left in range(1, worth))


def _short_captures(s: Sowing, lap: int, due: tuple[int, ...]) -> Iterator[Edit]:
    """Less than was due: nothing, one pit left, the string cut short, or some seeds left in one of the pits."""
    worth = [s.counts[p] for p in due]
    yield Edit(Fault("short-capture", due[1], lap, sum(worth)), 1.0)
    for i, pit in enumerate(due):
        rest = (*due[:i], *due[i + 1 :])
        yield Edit(Fault("short-capture", pit, lap, worth[i]), 1.0, take=rest)
        if 2 <= i < len(due) - 1:
            yield Edit(Fault("short-capture", pit, lap, sum(worth[i:])), 1.0, take=due[:i])
        for left, weight in _partly(worth[i]):
            yield Edit(Fault("short-capture", pit, lap, left), weight, left=left, take=(*rest, pit))


def _won_seeds(lap: Lap) -> Iterator[Edit]:
    """Of seeds that are won and sown on: not taken, and the move stops or relays; taken in part; kept; or sown on from
    where they do not begin, such as the pit that captured or the one where the turn began."""
    due, s, number = lap.decision.pits, lap.ended(), lap.number
    worth = sum(s.counts[p] for p in due)
    for lift in (False, True):
        yield Edit(Fault("short-capture", due[0], number, worth), 1.0, lift=lift)
    for pit in due:
        rest = tuple(p for p in due if p != pit)
        yield Edit(Fault("short-capture", pit, number, s.counts[pit]), 0.5, resow=rest)
        for left, weight in _partly(s.counts[pit]):
            yield Edit(Fault("short-capture", pit, number, left), weight, left=left, resow=(*rest, pit))
    yield Edit(Fault("kept", due[0], number, worth), 1.0, take=due)
    for pit in sorted({s.last, lap.start} - {s.origin}):
        yield Edit(Fault("wrong-pit", pit, number, worth), EDIT_WEIGHTS.resown_wrongly, resow=due, begin=pit)


def _sown_on(rules: Rules, s: Sowing, lap: int) -> Iterator[Edit]:
    """Seeds captured across from the last one, and sown on, that the rules do not give."""
    pits = tuple(p for p in rules.across(s.last) if s.counts[p])
    if pits:
        yield Edit(Fault("false-capture", pits[0], lap, sum(s.counts[p] for p in pits)), 1.0, resow=pits)

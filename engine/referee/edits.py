"""What people do wrong with their hands, as edits of one lap: faults of the hand inside it, and faults of judgement at
its end.

An edit says what is done instead of what is due; `engine.referee.faults` plays it, and what follows it by the rules.
Every edit has the fault that people are told, and a weight: how likely it is beside other places for the same fault in
the same move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.board import Board, Direction
from engine.games.base import Rules
from engine.referee.parameters import BEAM, EDIT_WEIGHTS
from engine.referee.verdict import Fault
from engine.sowing import Decision, Sowing

PAST_THE_END = ("ran-on", "false-capture", "bull-lifted")
"""Faults of judgement by which more is done than a move that has ended gives."""


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


@dataclass(frozen=True, slots=True)
class Lap:
    """A lap. before, after: the board then; start: the pit in which the turn began; pit: the one that this lap
    begins from; ways: the directions that it might have gone; spoiled: what the hand did wrong in it."""

    before: Sowing
    start: int
    pit: int
    direction: Direction
    ways: tuple[Direction, ...]
    choices: str
    after: Sowing
    decision: Decision
    spoiled: Edit | None = None

    @property
    def number(self) -> int:
        """From 1."""
        return self.after.laps

    def ended(self) -> Sowing:
        """A copy of the board at its end, before what it captures is taken up to be sown on."""
        if not self.after.hand:
            return self.after.copy()
        if self.spoiled is not None:
            return self.sown_with(self.spoiled)
        s = self.before.copy()
        s.sow(self.pit, self.direction)
        return s

    def sown_with(self, edit: Edit) -> Sowing:
        """A copy of the board after this lap as the hand spoils it."""
        s = self.before.copy()
        if edit.holds and edit.direction is not None:
            s.held = edit.direction
        s.drop(self.pit, edit.direction or self.direction, list(edit.drops), edit.left, edit.also)
        return s


# ---- of the hand, inside a lap
# ------------------------------------------------------------------------------------------------------------


def hand_edits(lap: Lap) -> Iterator[Edit]:
    """What the hand may do wrong while it lifts and sows."""
    seeds = lap.before.hand or lap.before.counts[lap.pit]
    path = tuple(lap.before.path(lap.pit, lap.direction, seeds + BEAM.strays))
    yield from _miscounted(lap.number, path, seeds)
    yield from _wrong_pits(lap.before.board, lap.number, path[:seeds])
    if not lap.before.hand:
        yield from _left_in_pit(lap, path, seeds)
        if lap.number == 1:
            yield from _two_pits(lap, seeds)
    for n, weight in few():
        if n < seeds:
            yield Edit(Fault("palmed", lap.pit, lap.number, n), EDIT_WEIGHTS.oftener * weight, path[: seeds - n])
        yield Edit(Fault("smuggled", lap.pit, lap.number, n), EDIT_WEIGHTS.oftener * weight, path[: seeds + n])
    if len(lap.ways) == 1:
        yield from _wrong_ways(lap, seeds)


def few(below: int = BEAM.strays + 1) -> Iterator[tuple[int, float]]:
    """How many seeds or pits a slip concerns, fewer than `below`, each number with its weight."""
    return ((n, EDIT_WEIGHTS.each_further ** (n - 1)) for n in range(1, below))


def _miscounted(lap: int, path: tuple[int, ...], seeds: int) -> Iterator[Edit]:
    """Pits passed by, and pits that get more than one seed."""
    for j in range(seeds):
        for n, weight in few():
            yield Edit(Fault("skip", path[j], lap, n), weight, path[:j] + path[j + n : seeds + n])
            if j + n < seeds:
                drops = path[: j + 1] + (path[j],) * n + path[j + 1 : seeds - n]
                yield Edit(Fault("double", path[j], lap, n), weight, drops)


def _wrong_pits(board: Board, lap: int, path: tuple[int, ...]) -> Iterator[Edit]:
    """One seed that falls into a pit beside the one that was next, while the hand goes on as it should."""
    for j, due in enumerate(path):
        for pit, weight in neighbours(board, due).items():
            yield Edit(Fault("wrong-pit", pit, lap, 1), weight, (*path[:j], pit, *path[j + 1 :]))


@lru_cache(maxsize=512)
def neighbours(board: Board, pit: int) -> dict[int, float]:
    """The pits around this one on the board, each with its weight: 1 in its row or column, less over a corner."""
    row, col = board.place(pit)
    around = [(r, c) for r in range(row - 1, row + 2) for c in range(col - 1, col + 2) if (r, c) != (row, col)]
    return {board.at(r, c): EDIT_WEIGHTS.seldomer if r != row and c != col else 1.0
            for r, c in around if 0 <= r < board.rows and 0 <= c < board.cols}


def _left_in_pit(lap: Lap, path: tuple[int, ...], seeds: int) -> Iterator[Edit]:
    for left, weight in few(seeds):
        yield Edit(Fault("left-seed", lap.pit, lap.number, left), weight, path[: seeds - left], left)


def _two_pits(lap: Lap, seeds: int) -> Iterator[Edit]:
    """A second pit of the player's lifted together with the one that the move begins from, and sown with it."""
    s = lap.before
    near = neighbours(s.board, lap.pit)
    for pit in s.board.own(s.player):
        if pit != lap.pit and s.counts[pit] and s.bulls[pit] is None:
            drops = tuple(s.path(lap.pit, lap.direction, seeds + s.counts[pit]))
            weight = 1.0 if pit in near else EDIT_WEIGHTS.seldomer
            yield Edit(Fault("two-pits", pit, 1, s.counts[pit]), weight, drops, also=pit)


def _wrong_ways(lap: Lap, seeds: int) -> Iterator[Edit]:
    """The lap sown the other way round, and it alone or all that follow it, too."""
    back = Direction.CW if lap.direction is Direction.CCW else Direction.CCW
    way = tuple(lap.before.path(lap.pit, back, seeds))
    yield Edit(Fault("wrong-way", lap.pit, lap.number, 1), EDIT_WEIGHTS.seldomer, way, direction=back)
    yield Edit(Fault("wrong-way", lap.pit, lap.number, 0), EDIT_WEIGHTS.seldomer, way, direction=back, holds=True)


# ---- of judgement, at the end of a lap
# ------------------------------------------------------------------------------------------------------------


def judgement_edits(rules: Rules, lap: Lap) -> Iterator[Edit]:
    """What may be done wrong when the last seed lies."""
    s, number, last = lap.after, lap.number, lap.after.last
    match lap.decision.ends:
        case None if s.hand:
            yield from _won_seeds_mishandled(lap)
        case None:
            # Seeds that make no bull here, as in a first move, look like one.
            code = "bull-missed" if rules.bulls_at and s.counts[last] == rules.bulls_at else "stopped-short"
            yield Edit(Fault(code, last, number), 1.0)
            yield from _false_resowing(rules, s, number)
        case "bull":
            yield Edit(Fault("bull-missed", last, number), 1.0, lift=True)
            if lap.decision.laid_from is not None:  # nothing is laid, or all is captured
                yield Edit(Fault("bull-missed", last, number), 1.0)
                yield Edit(Fault("bull-missed", last, number), 1.0, take=(last, lap.decision.laid_from))
        case "in-bull":
            yield Edit(Fault("bull-lifted", last, number), 1.0, lift=True)
        case "sleeps":
            yield Edit(Fault("ran-on", last, number), 1.0, lift=True)
            yield from _false_captures(rules, s, number)
            yield from _false_resowing(rules, s, number)
        case "capture":
            yield Edit(Fault("ran-on", last, number), EDIT_WEIGHTS.seldomer, lift=True)
            yield from _short_captures(s, number, lap.decision.pits)
            yield from _long_captures(rules, s, number, lap.decision.pits)


def opponents_pits(s: Sowing) -> list[int]:
    """The opponent's pits that hold seeds."""
    return [p for p in s.board.own(s.player.other) if s.counts[p]]


def _capture_fault(s: Sowing, pit: int, lap: int) -> Fault:
    return Fault("false-capture" if s.bulls[pit] is None else "bull-lifted", pit, lap, s.counts[pit])


def _false_captures(rules: Rules, s: Sowing, lap: int) -> Iterator[Edit]:
    """After an end with no capture: the pit that it would be about or another of the opponent's, with the last seed or
    without; or all the pits that it would be about."""
    claimed, weights = rules.claims(s), EDIT_WEIGHTS
    near = next(iter(claimed), None)
    in_reach = near is not None and s.board.owner(near) is not s.player
    for pit in opponents_pits(s):
        if pit == s.last and pit not in claimed:
            continue
        beside = near is not None and abs(pit - near) == 1
        weight = 1.0 if pit == near else weights.seldomer if beside else weights.anywhere
        undue = weight * weights.seldomer
        if pit != s.last:
            yield Edit(_capture_fault(s, pit, lap), weight if in_reach else undue, take=(s.last, pit))
        yield Edit(_capture_fault(s, pit, lap), weight if pit == s.last else max(weights.anywhere, undue),
                   take=(pit,))
    if len(claimed) > 1:
        yield Edit(Fault("false-capture", claimed[0], lap, sum(s.counts[p] for p in claimed)), 1.0, take=claimed)


def _long_captures(rules: Rules, s: Sowing, lap: int, due: tuple[int, ...]) -> Iterator[Edit]:
    """More than is due, or the wrong pit in place of the right one: with the seed that captures where that is due,
    too, and without it where it stays; or that seed as well where it has to stay."""
    near, weights, own = rules.claims(s)[0], EDIT_WEIGHTS, s.board.owner(s.last) is s.player
    with_it = (s.last,) if s.last in due and own else ()
    for pit in opponents_pits(s):
        if pit in due:
            continue
        beyond = 1.0 if abs(pit - due[-1]) == 1 else weights.seldomer
        instead = 1.0 if abs(pit - near) == 1 else weights.anywhere
        yield Edit(_capture_fault(s, pit, lap), beyond, take=(*due, pit))
        yield Edit(_capture_fault(s, pit, lap), instead, take=(*with_it, pit))
    if s.last not in due and own:
        yield Edit(_capture_fault(s, s.last, lap), 1.0, take=(*due, s.last))


def _short_captures(s: Sowing, lap: int, due: tuple[int, ...]) -> Iterator[Edit]:
    """Less than was due: nothing, one pit left, the string cut short, or some seeds left in one of the pits."""
    worth, partly = [s.counts[p] for p in due], EDIT_WEIGHTS.seldomer
    across = [p for p in due if s.board.owner(p) is not s.player]
    yield Edit(Fault("short-capture", (across or due)[0], lap, sum(worth)), 1.0)
    # The string is cut short behind the seed that captures, where that is due, and the first pit across.
    shortest = 1 + (len(across) < len(due))
    for i, pit in enumerate(due):
        rest = (*due[:i], *due[i + 1 :])
        if rest:  # else nothing is taken, as above
            yield Edit(Fault("short-capture", pit, lap, worth[i]), 1.0, take=rest)
        if shortest <= i < len(due) - 1:
            yield Edit(Fault("short-capture", pit, lap, sum(worth[i:])), 1.0, take=due[:i])
        for left, weight in few(worth[i]):
            yield Edit(Fault("short-capture", pit, lap, left), partly * weight, left=left, take=(*rest, pit))


def _won_seeds_mishandled(lap: Lap) -> Iterator[Edit]:
    """Of seeds that are won and sown on: not taken, and the move stops or relays; taken in part; kept; or sown on from
    where they do not begin, such as the pit that captured or the one where the turn began."""
    due, s, number = lap.decision.pits, lap.ended(), lap.number
    worth, partly = sum(s.counts[p] for p in due), EDIT_WEIGHTS.seldomer
    for lift in (False, True):
        yield Edit(Fault("short-capture", due[0], number, worth), 1.0, lift=lift)
    for pit in due:
        rest = tuple(p for p in due if p != pit)
        yield Edit(Fault("short-capture", pit, number, s.counts[pit]), partly, resow=rest)
        for left, weight in few(s.counts[pit]):
            yield Edit(Fault("short-capture", pit, number, left), partly * weight, left=left, resow=(*rest, pit))
    yield Edit(Fault("kept", due[0], number, worth), 1.0, take=due)
    for pit in sorted({s.last, lap.start} - {s.origin}):
        yield Edit(Fault("wrong-pit", pit, number, worth), EDIT_WEIGHTS.oftener, resow=due, begin=pit)


def _false_resowing(rules: Rules, s: Sowing, lap: int) -> Iterator[Edit]:
    """Seeds captured across from the last one, and sown on, that the rules do not give."""
    pits = tuple(p for p in rules.across(s.last) if s.counts[p])
    if pits:
        yield Edit(Fault("false-capture", pits[0], lap, sum(s.counts[p] for p in pits)), 1.0, resow=pits)

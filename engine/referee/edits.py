"""Mistakes of the players as edits of one lap: slips of the hand inside it, and wrong decisions at its end.

An edit says what is done instead of what is due; `engine.referee.faults` plays it, and then continues by the rules.
Every edit has the fault that people are told, and a weight: its likelihood relative to other places for the same fault
in the same move.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.board import Board, Direction
from engine.games.base import Rules
from engine.referee.parameters import BEAM, SHARES
from engine.sowing import Decision, Sowing
from engine.verdict import Fault

PAST_THE_END = ("ran-on", "false-capture", "bull-lifted")
"""Wrong decisions that continue a move which has ended."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A fault about to be played, in place of what was due.

    Slips of the hand: `drops` are the pits that it dropped into, in order; `left` seeds stayed in the lifted pit;
    `also` is a second pit lifted with it; `direction` is the wrong direction taken, and with `holds` later laps keep
    it. Wrong decisions: the seeds of `take` are captured, except `left` of its last pit's; or those of `resow` are
    captured, except `left` of its last pit's, and sown on from `begin` or from where the lap began; or the pit of the
    last seed is lifted (`lift`); or the move just stops.
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
    """A lap. before, after: the board before and after it; start: the pit in which the turn began; pit: the one that
    this lap begins from; forced: whether no other direction was allowed."""

    before: Sowing
    start: int
    pit: int
    direction: Direction
    forced: bool
    choices: str
    after: Sowing
    decision: Decision

    @property
    def number(self) -> int:
        """The number of the lap in its move, from 1."""
        return self.after.laps

    def ended(self) -> Sowing:
        """Return a copy of the board at its end, before captured seeds are taken up to be sown on."""
        if not self.after.hand:
            return self.after.copy()
        s = self.before.copy()
        s.sow(self.pit, self.direction)
        return s

    def sown_with(self, edit: Edit) -> Sowing:
        """Return a copy of the board after this lap with a slip of the hand."""
        s = self.before.copy()
        if edit.holds and edit.direction is not None:
            s.held = edit.direction
        s.drop(self.pit, edit.direction or self.direction, list(edit.drops), edit.left, edit.also)
        return s


# ---- slips of the hand, inside a lap
# ------------------------------------------------------------------------------------------------------------


def hand_edits(lap: Lap) -> Iterator[Edit]:
    """Yield the possible slips of the hand while it lifts and sows."""
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
            yield Edit(Fault("palmed", lap.pit, lap.number, n), weight / SHARES.seldomer, path[: seeds - n])
        yield Edit(Fault("smuggled", lap.pit, lap.number, n), weight / SHARES.seldomer, path[: seeds + n])
    if lap.forced:
        yield from _wrong_ways(lap, seeds)


def few(below: int = BEAM.strays + 1) -> Iterator[tuple[int, float]]:
    """Yield how many seeds or pits, fewer than `below`, a slip may concern, each number with its weight."""
    return ((n, SHARES.seldomer ** (n - 1)) for n in range(1, below))


def _miscounted(lap: int, path: tuple[int, ...], seeds: int) -> Iterator[Edit]:
    """Yield skipped pits, and pits that get more than one seed."""
    for j in range(seeds):
        for n, weight in few():
            yield Edit(Fault("skip", path[j], lap, n), weight, path[:j] + path[j + n : seeds + n])
            if j + n < seeds:
                drops = path[: j + 1] + (path[j],) * n + path[j + 1 : seeds - n]
                yield Edit(Fault("double", path[j], lap, n), weight, drops)


def _wrong_pits(board: Board, lap: int, path: tuple[int, ...]) -> Iterator[Edit]:
    """Yield single seeds that fall into a pit beside the due one, while the hand continues as it should."""
    for j, due in enumerate(path):
        for pit, weight in neighbours(board, due).items():
            yield Edit(Fault("wrong-pit", pit, lap, 1), weight, (*path[:j], pit, *path[j + 1 :]))


@lru_cache(maxsize=512)
def neighbours(board: Board, pit: int) -> dict[int, float]:
    """The pits around this one on the board with their weights: 1 in its row or column, less across a corner."""
    row, col = board.place(pit)
    around = [(r, c) for r in range(row - 1, row + 2) for c in range(col - 1, col + 2) if (r, c) != (row, col)]
    return {board.at(r, c): SHARES.seldomer if r != row and c != col else 1.0
            for r, c in around if 0 <= r < board.rows and 0 <= c < board.cols}


def _left_in_pit(lap: Lap, path: tuple[int, ...], seeds: int) -> Iterator[Edit]:
    for left, weight in few(seeds):
        yield Edit(Fault("left-seed", lap.pit, lap.number, left), weight, path[: seeds - left], left)


def _two_pits(lap: Lap, seeds: int) -> Iterator[Edit]:
    """Yield a second pit of the player, lifted together with the one where the move begins, and sown with it."""
    s = lap.before
    near = neighbours(s.board, lap.pit)
    for pit in s.board.own(s.player):
        if pit != lap.pit and s.counts[pit] and s.bulls[pit] is None:
            drops = tuple(s.path(lap.pit, lap.direction, seeds + s.counts[pit]))
            weight = 1.0 if pit in near else SHARES.seldomer
            yield Edit(Fault("two-pits", pit, 1, s.counts[pit]), weight, drops, also=pit)


def _wrong_ways(lap: Lap, seeds: int) -> Iterator[Edit]:
    """Yield the lap sown in the other direction, alone or with all laps after it."""
    back = Direction.CW if lap.direction is Direction.CCW else Direction.CCW
    way = tuple(lap.before.path(lap.pit, back, seeds))
    yield Edit(Fault("wrong-way", lap.pit, lap.number, 1), SHARES.seldomer, way, direction=back)
    yield Edit(Fault("wrong-way", lap.pit, lap.number, 0), SHARES.seldomer, way, direction=back, holds=True)


# ---- wrong decisions, at the end of a lap
# ------------------------------------------------------------------------------------------------------------


def judgement_edits(rules: Rules, lap: Lap) -> Iterator[Edit]:
    """Yield the possible wrong decisions after the last seed."""
    s, number, last = lap.after, lap.number, lap.after.last
    match lap.decision.ends:
        case None if s.hand:
            yield from _won_seeds_mishandled(lap)
        case None:
            # The count looks like a bull even where it makes none, as in a first move.
            code = "bull-missed" if rules.bulls_at and s.counts[last] == rules.bulls_at else "stopped-short"
            yield Edit(Fault(code, last, number), 1.0)
            yield from _false_resowing(rules, s, number)
        case "bull":
            yield Edit(Fault("bull-missed", last, number), 1.0, lift=True)
            if lap.decision.laid_from is not None:  # the player lays no seed, or captures all
                yield Edit(Fault("bull-missed", last, number), 1.0)
                yield Edit(Fault("bull-missed", last, number), 1.0, take=(last, lap.decision.laid_from))
        case "in-bull":
            yield Edit(Fault("bull-lifted", last, number), 1.0, lift=True)
        case "sleeps":
            yield Edit(Fault("ran-on", last, number), 1.0, lift=True)
            yield from _false_captures(rules, s, number)
            yield from _false_resowing(rules, s, number)
        case "capture":
            yield Edit(Fault("ran-on", last, number), SHARES.seldomer, lift=True)
            yield from _short_captures(s, number, lap.decision.pits)
            yield from _long_captures(rules, s, number, lap.decision.pits)


def opponents_pits(s: Sowing) -> list[int]:
    """The opponent's pits that hold seeds."""
    return [p for p in s.board.own(s.player.other) if s.counts[p]]


def _capture_fault(s: Sowing, pit: int, lap: int) -> Fault:
    return Fault("false-capture" if s.bulls[pit] is None else "bull-lifted", pit, lap, s.counts[pit])


def _false_captures(rules: Rules, s: Sowing, lap: int) -> Iterator[Edit]:
    """Yield captures after an end without one: of the pit it would concern, or of another of the opponent's, with or
    without the last seed; or of all the pits it would concern."""
    claimed = rules.claims(s)
    near = next(iter(claimed), None)
    in_reach = near is not None and s.board.owner(near) is not s.player
    for pit in opponents_pits(s):
        if pit == s.last and pit not in claimed:
            continue
        away = 2 if near is None else min(2, abs(pit - near))
        if pit != s.last:
            yield Edit(_capture_fault(s, pit, lap), SHARES.seldomer ** (away + (not in_reach)), take=(s.last, pit))
        yield Edit(_capture_fault(s, pit, lap), SHARES.seldomer ** (away + (pit != s.last)), take=(pit,))
    if len(claimed) > 1:
        yield Edit(Fault("false-capture", claimed[0], lap, sum(s.counts[p] for p in claimed)), 1.0, take=claimed)


def _long_captures(rules: Rules, s: Sowing, lap: int, due: tuple[int, ...]) -> Iterator[Edit]:
    """Yield captures of more than is due, or of the wrong pit instead of the right one: with the capturing seed if that
    is due, and without it if it stays; or of that seed as well if it has to stay."""
    near, own = rules.claims(s)[0], s.board.owner(s.last) is s.player
    with_it = (s.last,) if s.last in due and own else ()
    for pit in opponents_pits(s):
        if pit in due:
            continue
        beyond = 1.0 if abs(pit - due[-1]) == 1 else SHARES.seldomer
        instead = 1.0 if abs(pit - near) == 1 else SHARES.seldomer ** 2
        yield Edit(_capture_fault(s, pit, lap), beyond, take=(*due, pit))
        yield Edit(_capture_fault(s, pit, lap), instead, take=(*with_it, pit))
    if s.last not in due and own:
        yield Edit(_capture_fault(s, s.last, lap), 1.0, take=(*due, s.last))


def _short_captures(s: Sowing, lap: int, due: tuple[int, ...]) -> Iterator[Edit]:
    """Yield captures of less than was due: nothing, one pit left, the string cut short, or seeds left in one pit."""
    worth, partly = [s.counts[p] for p in due], SHARES.seldomer
    across = [p for p in due if s.board.owner(p) is not s.player]
    yield Edit(Fault("short-capture", (across or due)[0], lap, sum(worth)), 1.0)
    # The string is cut short after the first pit across and, if it is due, the capturing seed.
    shortest = 1 + (len(across) < len(due))
    for i, pit in enumerate(due):
        rest = (*due[:i], *due[i + 1 :])
        if rest:  # else nothing is captured, the case above
            yield Edit(Fault("short-capture", pit, lap, worth[i]), 1.0, take=rest)
        if shortest <= i < len(due) - 1:
            yield Edit(Fault("short-capture", pit, lap, sum(worth[i:])), 1.0, take=due[:i])
        for left, weight in few(worth[i]):
            yield Edit(Fault("short-capture", pit, lap, left), partly * weight, left=left, take=(*rest, pit))


def _won_seeds_mishandled(lap: Lap) -> Iterator[Edit]:
    """Yield wrong treatments of captured seeds that must be sown on: not captured, and the move stops or relays;
    captured in part; kept; or sown on from the wrong pit, such as the capturing one or the one where the turn began."""
    due, s, number = lap.decision.pits, lap.ended(), lap.number
    worth, partly = sum(s.counts[p] for p in due), SHARES.seldomer
    for lift in (False, True):
        yield Edit(Fault("short-capture", due[0], number, worth), 1.0, lift=lift)
    for pit in due:
        rest = tuple(p for p in due if p != pit)
        yield Edit(Fault("short-capture", pit, number, s.counts[pit]), partly, resow=rest)
        for left, weight in few(s.counts[pit]):
            yield Edit(Fault("short-capture", pit, number, left), partly * weight, left=left, resow=(*rest, pit))
    yield Edit(Fault("kept", due[0], number, worth), 1.0, take=due)
    for pit in sorted({s.last, lap.start} - {s.origin}):
        yield Edit(Fault("wrong-pit", pit, number, worth), SHARES.seldomer ** -2, resow=due, begin=pit)


def _false_resowing(rules: Rules, s: Sowing, lap: int) -> Iterator[Edit]:
    """Yield seeds captured across from the last one and sown on, against the rules."""
    pits = tuple(p for p in rules.across(s.last) if s.counts[p])
    if pits:
        yield Edit(Fault("false-capture", pits[0], lap, sum(s.counts[p] for p in pits)), 1.0, resow=pits)

"""A fault is an edit of a trace: every way to spoil one move once, each played on by the rules from the board then
made.

The legal laps of a start pit are walked one by one. Into each lap a fault of the hand can be put (a pit skipped, a
seed too many), and after each a fault of judgement (stopped short, ran on, took too much or too little). What follows
a fault is legal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from engine.board import Direction, Side
from engine.games import laps
from engine.games.base import Rules
from engine.judge.verdict import Fault
from engine.position import Position
from engine.sowing import Decision, Sowing
from engine.trace import End

DEEPEST = 80
"""Faults are looked for in the first so many laps of a move, and the play after them is followed for as many."""

FINISH = 160
"""How many laps all the choices after one fault may take together."""


@dataclass(slots=True)
class Work:
    """How many laps may still be sown in search of faults; a count and no clock, so that verdicts repeat."""

    left: int

    @property
    def done(self) -> bool:
        """Whether the allowance is used up: the search was cut short."""
        return self.left <= 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A board that one faulty move leads to. weight: how likely beside other places for the same fault in this move.
    sowing: the move as it was played; stray: seeds that came into a pit (n > 0) or vanished from it when all was done,
    (pit, n), which `done` holds and `sowing` does not yet: most such boards are looked at once and forgotten."""

    pit: int
    choices: str
    fault: Fault
    weight: float
    sowing: Sowing
    stray: tuple[int, int] | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """The board that it leaves."""
        if self.stray is None:
            return tuple(self.sowing.counts)
        (pit, n), counts = self.stray, self.sowing.counts
        return (*counts[:pit], counts[pit] + n, *counts[pit + 1 :])

    @property
    def done(self) -> Sowing:
        """The move with everything that happened in it."""
        return self.sowing if self.stray is None else _strayed(self.sowing, *self.stray)


@dataclass(frozen=True, slots=True)
class Lap:
    """A legal lap. before, after: the board then; ways: the directions that it might have gone."""

    before: Sowing
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


@dataclass(frozen=True, slots=True)
class Edit:
    """A fault about to be played. For one of the hand, `drops` is what it did; for one of judgement, `take` is captured
    (with `left` seeds left of the last), `resow` is captured and sown on from where the lap began, or the pit of the
    last seed is lifted (`lift`), or the move just stops. What was due instead is not done."""

    fault: Fault
    weight: float
    drops: tuple[int, ...] = ()
    left: int = 0
    direction: Direction | None = None
    holds: bool = False
    take: tuple[int, ...] = ()
    resow: tuple[int, ...] = ()
    lift: bool = False


Waiting = tuple[laps.Pending, tuple[Direction, ...]]
"""A lap about to be sown, and the ways it might go."""


def walk(rules: Rules, sowing: Sowing, pit: int) -> Iterator[Lap]:
    """The legal laps of a start pit, each state with a choice once. What is yielded must not be changed."""
    openings = rules.openings(sowing, pit)
    yield from _walked(rules, deque((pending, openings) for pending in laps.opening(rules, sowing, pit)))


def _walked(rules: Rules, queue: deque[Waiting]) -> Iterator[Lap]:
    """The legal laps that follow."""
    visited = set()
    while queue:
        (before, choices, at, direction), ways = queue.popleft()
        after = before.copy()
        decision = laps.lap(rules, after, at, direction)
        yield Lap(before, at, direction, ways, choices, after, decision)
        if decision.ends is not None or after.laps >= DEEPEST:
            continue
        ways = rules.directions(after)
        if len(ways) > 1:
            if after.state() in visited:
                continue
            visited.add(after.state())
        queue.extend((pending, ways) for pending in laps.onward(rules, after, choices))


def faulty(
    rules: Rules, before: Position, player: Side, pit: int, work: Work, *,
    traced: bool = False, only: Fault | None = None,
) -> Iterator[Outcome]:
    """Every board to which a move of `player` from `pit` with one fault leads.

    only: that fault alone; traced: with steps.
    """
    for lap in walk(rules, rules.begin(before, player, traced=traced), pit):
        work.left -= 1
        if work.done:
            return
        for edit in _edits(rules, lap) if only is None or only.lap == lap.number else ():
            if work.done:
                return
            if only is None or edit.fault == only:
                for choices, sowing in _play(rules, lap, edit, work):
                    yield Outcome(pit, choices, edit.fault, edit.weight, sowing)
        if lap.decision.ends is not None:
            yield from _sleight(lap, pit, work, only)


def again(
    rules: Rules, before: Position, player: Side, first: Outcome, work: Work, *, traced: bool = False,
    only: Fault | None = None,
) -> Iterator[Outcome]:
    """Every board to which the move of an `Outcome` of `faulty` leads with a second fault after its first.

    The fault that is named in an outcome is the second. only: that fault alone; traced: with steps. Seeds that vanish
    or come from nowhere twice in one move are left out: misread pits look like that.
    """
    sleight = first.fault.code in SLEIGHT
    for lap in walk(rules, rules.begin(before, player, traced=traced), first.pit):
        work.left -= 1
        if work.done or lap.number > first.fault.lap:
            return
        for edit in _edits(rules, lap) if first.fault.lap == lap.number else ():
            if edit.fault != first.fault or not first.choices.startswith(lap.choices):
                continue
            for later in _after(rules, lap, edit):
                work.left -= 1
                # What is left of a spoiled lap itself is only how it is ended.
                same = later.number == lap.number
                for second in (*(() if same else _hand(later)), *_judgement(rules, later)):
                    if work.done:
                        return
                    if only not in (None, second.fault) or (sleight and second.fault.code in SLEIGHT):
                        continue
                    for choices, sowing in _play(rules, later, second, work):
                        yield Outcome(first.pit, choices, second.fault, second.weight, sowing)
                if later.decision.ends is not None and not sleight:
                    yield from _sleight(later, first.pit, work, only)


ANYWHERE = 0.02
"""Weight of a capture from whichever pit of the opponent's, beside 1 for the facing one with the last seed: seeds are
palmed anywhere, too, and this is what taking all of them is called."""

SLEIGHT = ("palmed", "smuggled")
"""Faults by which the number of seeds changes and nothing else need."""


def _after(rules: Rules, lap: Lap, edit: Edit) -> Iterator[Lap]:
    """The laps of a move from a fault on, the spoiled one first where something can still be done at its end."""
    if edit.drops:
        s = _spoiled(lap, edit)
        decision = rules.decide(s)
        done = s.copy()
        if decision.ends is None:
            done.go_on(decision)
        yield Lap(lap.before, lap.pit, edit.direction or lap.direction, lap.ways, lap.choices, done, decision)
        if decision.ends is not None:
            return
        s.go_on(decision)
        ways = rules.directions(s)
        yield from _walked(rules, deque((pending, ways) for pending in laps.onward(rules, s, lap.choices)))
        return
    s = _before_capture(lap)
    if edit.resow:
        s.go_on(Decision(None, edit.resow))
        ways = rules.directions(s)
        yield from _walked(rules, deque((pending, ways) for pending in laps.onward(rules, s, lap.choices)))
    elif edit.lift:
        yield from _walked(rules, deque([((s, lap.choices, s.last, s.held), (s.held,))]))


def wrong_start(
    rules: Rules, before: Position, player: Side, pit: int, work: Work, *, traced: bool = False
) -> Iterator[Outcome]:
    """A move from a pit that is not the player's to lift: the opponent's, a bull, or a lone seed where two are due."""
    code = "bull-lifted" if before.bulls[pit] is not None else "lone-seed"
    if before.board.owner(pit) is not player and code != "bull-lifted":
        code = "wrong-side"
    reached = laps.resume(
        rules, deque([(rules.begin(before, player, traced=traced), "", pit, rules.first_direction)]), FINISH, DEEPEST
    )
    for end in reached.ends:
        work.left -= end.sowing.laps
        yield Outcome(pit, end.choices, Fault(code, pit, 1), 1.0, end.sowing)


def _edits(rules: Rules, lap: Lap) -> tuple[Edit, ...]:
    """Every fault of a lap; none once the move has won the game, for there the game is over."""
    if rules.won(lap.before):
        return ()
    return (*_hand(lap), *(() if rules.won(lap.after) else _judgement(rules, lap)))


# ---- faults of the hand, inside a lap
# -------------------------------------------------------------------------------------


def _hand(lap: Lap) -> Iterator[Edit]:
    seeds, number = lap.before.hand or lap.before.counts[lap.pit], lap.number
    path = tuple(lap.before.path(lap.pit, lap.direction, seeds + 2))
    for j in range(seeds):
        yield Edit(Fault("skip", path[j], number, 1), 1.0, path[:j] + path[j + 1 : seeds + 1])
        yield Edit(Fault("skip", path[j], number, 2), 0.1, path[:j] + path[j + 2 : seeds + 2])
        for more, weight in ((1, 1.0), (2, 0.2), (3, 0.05)):
            if j + more < seeds:
                drops = path[: j + 1] + (path[j],) * more + path[j + 1 : seeds - more]
                yield Edit(Fault("double", path[j], number, more), weight, drops)
    for left in range(1, 0 if lap.before.hand else seeds):
        yield Edit(Fault("left-seed", lap.pit, number, left), 0.5**left, path[: seeds - left], left)
    if seeds > 1:
        yield Edit(Fault("palmed", lap.pit, number, 1), 1.0, path[: seeds - 1])
    yield Edit(Fault("smuggled", lap.pit, number, 1), 1.0, path[: seeds + 1])
    if len(lap.ways) == 1:
        back = Direction.CW if lap.direction is Direction.CCW else Direction.CCW
        way = tuple(lap.before.path(lap.pit, back, seeds))
        yield Edit(Fault("wrong-way", lap.pit, number, 1), 0.5, way, direction=back)
        yield Edit(Fault("wrong-way", lap.pit, number, 0), 0.5, way, direction=back, holds=True)


# ---- faults of judgement, after a lap
# -------------------------------------------------------------------------------------


def _judgement(rules: Rules, lap: Lap) -> Iterator[Edit]:
    s, number = lap.after, lap.number
    last = s.last
    match lap.decision.ends:
        case None if s.hand:
            yield from _left_lying(lap)
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


def _theirs(s: Sowing) -> list[int]:
    return [p for p in s.board.own(s.player.other) if s.counts[p]]


def _took(s: Sowing, pit: int, lap: int) -> Fault:
    return Fault("false-capture" if s.bulls[pit] is None else "bull-lifted", pit, lap, s.counts[pit])


def _false_captures(s: Sowing, lap: int) -> Iterator[Edit]:
    """After an end with no capture: the facing pit or another of the opponent's, with the last seed or without."""
    facing, own = s.board.facing(s.last), s.board.owner(s.last) is s.player
    for pit in _theirs(s):
        if pit != s.last:
            near = 1.0 if pit == facing else 0.2 if abs(pit - facing) == 1 else 0.02
            yield Edit(_took(s, pit, lap), near if own else near / 4, take=(s.last, pit))
            yield Edit(_took(s, pit, lap), max(ANYWHERE, near / 4), take=(pit,))


def _beyond(s: Sowing, lap: int, due: tuple[int, ...]) -> Iterator[Edit]:
    """More than the string gives, or the wrong pit in place of the facing one."""
    facing = due[1]
    for pit in _theirs(s):
        if pit not in due:
            near = 1.0 if abs(pit - due[-1]) == 1 else 0.1
            yield Edit(_took(s, pit, lap), near, take=(*due, pit))
            wrong = 0.5 if abs(pit - facing) == 1 else 0.05
            yield Edit(_took(s, pit, lap), wrong, take=(s.last, pit))


def _short_captures(s: Sowing, lap: int, due: tuple[int, ...]) -> Iterator[Edit]:
    """Less than was due: nothing, one pit left, the string cut short, or a few seeds left in the facing pit."""
    worth = [s.counts[p] for p in due]
    yield Edit(Fault("short-capture", due[1], lap, sum(worth)), 1.0)
    for i, pit in enumerate(due):
        yield Edit(Fault("short-capture", pit, lap, worth[i]), 1.0, take=due[:i] + due[i + 1 :])
        if 2 <= i < len(due) - 1:
            yield Edit(Fault("short-capture", pit, lap, sum(worth[i:])), 1.0, take=due[:i])
        if i:
            for left in range(1, min(3, worth[i])):
                yield Edit(Fault("short-capture", pit, lap, left), 0.3, left=left, take=(*due[:i], *due[i + 1 :], pit))


def _left_lying(lap: Lap) -> Iterator[Edit]:
    """Less than was due of what is sown on: nothing, and the move stops or relays, or one of the pits."""
    due, s = lap.decision.pits, _before_capture(lap)
    for lift in (False, True):
        yield Edit(Fault("short-capture", due[0], lap.number, sum(s.counts[p] for p in due)), 1.0, lift=lift)
    for pit in due:
        rest = tuple(p for p in due if p != pit)
        yield Edit(Fault("short-capture", pit, lap.number, s.counts[pit]), 0.5, resow=rest)


def _sown_on(rules: Rules, s: Sowing, lap: int) -> Iterator[Edit]:
    """Seeds captured across from the last one, and sown on, that the rules do not give."""
    pits = tuple(p for p in rules.across(s.last) if s.counts[p])
    if pits:
        yield Edit(Fault("false-capture", pits[0], lap, sum(s.counts[p] for p in pits)), 1.0, resow=pits)


def _before_capture(lap: Lap) -> Sowing:
    """The board at the end of a lap, before what it captures is taken up to be sown on."""
    if not lap.after.hand:
        return lap.after.copy()
    s = lap.before.copy()
    s.sow(lap.pit, lap.direction)
    return s


def _sleight(lap: Lap, start: int, work: Work, only: Fault | None) -> Iterator[Outcome]:
    """Seeds that vanish from a pit, or come into one, when all is done. They count as a lap a pit. All seeds of a pit
    of the opponent's have no other name than that of a false capture, where there is one."""
    if only is not None and only.code not in SLEIGHT:
        return
    work.left -= 1 if only is not None else lap.after.board.pits
    done = lap.after.copy()
    done.end(lap.decision)
    taken = set(_theirs(lap.after)) - {lap.after.last} if lap.decision.ends in ("sleeps", "capture") else set()
    for pit, seeds in enumerate(done.counts):
        if only is not None and only.pit != pit:
            continue
        gone = {1: 1.0, 2: 0.5, 3: 0.2, seeds: 0.5}
        for n, weight in gone.items():
            fault = Fault("palmed", pit, 0, n)
            if 0 < n <= seeds and only in (None, fault) and not (n == seeds and pit in taken):
                yield Outcome(start, lap.choices, fault, weight, done, (pit, -n))
        for n, weight in ((1, 1.0), (2, 0.5), (3, 0.2)):
            fault = Fault("smuggled", pit, 0, n)
            if only in (None, fault):
                yield Outcome(start, lap.choices, fault, weight, done, (pit, n))


def _strayed(done: Sowing, pit: int, n: int) -> Sowing:
    """A copy after which that happened as well."""
    s = done.copy()
    end = s.steps.pop() if s.steps else None
    s.stray(pit, n)
    if s.steps is not None and end is not None:
        s.steps.append(end)
    return s


# ---- playing an edit
# ------------------------------------------------------------------------------------------------------


def _spoiled(lap: Lap, edit: Edit) -> Sowing:
    """A lap as the hand spoils it."""
    s = lap.before.copy()
    if edit.holds and edit.direction is not None:
        s.held = edit.direction
    s.drop(lap.pit, edit.direction or lap.direction, list(edit.drops), edit.left)
    return s


def _play(rules: Rules, lap: Lap, edit: Edit, work: Work) -> Iterator[tuple[str, Sowing]]:
    """The boards that follow an edit when play goes on by the rules: (choices, board)."""
    if edit.drops:
        s = _spoiled(lap, edit)
        decision = rules.decide(s)
        if decision.ends is not None:
            s.end(decision)
            work.left -= 1
            yield lap.choices, s
            return
        s.go_on(decision)
        queue = deque(laps.onward(rules, s, lap.choices))
    else:
        s = _before_capture(lap)
        if edit.resow:
            s.go_on(Decision(None, edit.resow))
            queue = deque(laps.onward(rules, s, lap.choices))
        elif edit.lift:
            queue = deque([(s, lap.choices, s.last, s.held)])
        else:
            if edit.take:
                s.take(edit.take, edit.left)
            if s.steps is not None:
                s.steps.append(End("capture" if edit.take else "sleeps"))
            work.left -= 1
            yield lap.choices, s
            return
    reached = laps.resume(rules, queue, FINISH, lap.number + DEEPEST)
    work.left -= 1 + sum(end.sowing.laps - lap.number for end in reached.ends)
    for end in reached.ends:
        yield end.choices, end.sowing

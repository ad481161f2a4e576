"""A fault is an edit of a trace: every way to spoil one move once, each played on by the rules from the board then
made.

The legal laps of a start pit are walked one by one, and each is played as every edit of it says (`edits`). What follows
a fault is legal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.board import Direction, Side
from engine.games import laps
from engine.games.base import Rules
from engine.judge.edits import Edit, Lap, of_hand, of_judgement, opponents
from engine.judge.parameters import EDIT_WEIGHTS, EFFORT
from engine.judge.verdict import Fault
from engine.position import Position
from engine.sowing import Sowing
from engine.trace import End


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


Waiting = tuple[laps.Pending, tuple[Direction, ...]]
"""A lap about to be sown, and the ways it might go."""


def walk(rules: Rules, sowing: Sowing, pit: int) -> Iterator[Lap]:
    """The legal laps of a start pit, each state with a choice once. What is yielded must not be changed."""
    openings = rules.openings(sowing, pit)
    yield from _walked(rules, pit, deque((pending, openings) for pending in laps.opening(rules, sowing, pit)))


def _walked(rules: Rules, start: int, queue: deque[Waiting]) -> Iterator[Lap]:
    """The legal laps that follow, of a turn that began in the pit `start`."""
    visited = set()
    while queue:
        (before, choices, at, direction), ways = queue.popleft()
        after = before.copy()
        decision = laps.lap(rules, after, at, direction)
        yield Lap(before, start, at, direction, ways, choices, after, decision)
        if decision.ends is not None or after.laps >= EFFORT.deepest_lap:
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
                for second in (*(() if same else of_hand(later)), *of_judgement(rules, later)):
                    if work.done:
                        return
                    if only not in (None, second.fault) or (sleight and second.fault.code in SLEIGHT):
                        continue
                    for choices, sowing in _play(rules, later, second, work):
                        yield Outcome(first.pit, choices, second.fault, second.weight, sowing)
                if later.decision.ends is not None and not sleight:
                    yield from _sleight(later, first.pit, work, only)


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
        yield replace(lap, direction=edit.direction or lap.direction, after=done, decision=decision)
        if decision.ends is not None:
            return
        s.go_on(decision)
        ways = rules.directions(s)
        yield from _walked(rules, lap.start, deque((pending, ways) for pending in laps.onward(rules, s, lap.choices)))
        return
    s = lap.ended()
    if edit.resow:
        s.take_up(edit.resow, edit.left, edit.begin)
        ways = rules.directions(s)
        yield from _walked(rules, lap.start, deque((pending, ways) for pending in laps.onward(rules, s, lap.choices)))
    elif edit.lift:
        yield from _walked(rules, lap.start, deque([((s, lap.choices, s.last, s.held), (s.held,))]))


def wrong_start(
    rules: Rules, before: Position, player: Side, pit: int, work: Work, *, traced: bool = False
) -> Iterator[Outcome]:
    """A move from a pit that is not the player's to lift: the opponent's, a bull, or one that the rules bar."""
    if before.bulls[pit] is not None:
        code = "bull-lifted"
    else:
        code = rules.barred_start if before.board.owner(pit) is player else "wrong-side"
    if not code:
        return
    reached = laps.resume(
        rules,
        deque([(rules.begin(before, player, traced=traced), "", pit, rules.first_direction)]),
        EFFORT.choice_laps,
        EFFORT.deepest_lap,
    )
    for end in reached.ends:
        work.left -= end.sowing.laps
        yield Outcome(pit, end.choices, Fault(code, pit, 1), 1.0, end.sowing)


def _edits(rules: Rules, lap: Lap) -> tuple[Edit, ...]:
    """Every fault of a lap; none once the move has won the game, for there the game is over."""
    if rules.won(lap.before):
        return ()
    return (*of_hand(lap), *(() if rules.won(lap.after) else of_judgement(rules, lap)))


def _sleight(lap: Lap, start: int, work: Work, only: Fault | None) -> Iterator[Outcome]:
    """Seeds that vanish from a pit, or come into one, when all is done. They count as a lap a pit. All seeds of a pit
    of the opponent's have no other name than that of a false capture, where there is one."""
    if only is not None and only.code not in SLEIGHT:
        return
    work.left -= 1 if only is not None else lap.after.board.pits
    done = lap.after.copy()
    done.end(lap.decision)
    taken = set(opponents(lap.after)) - {lap.after.last} if lap.decision.ends in ("sleeps", "capture") else set()
    for pit, seeds in enumerate(done.counts):
        if only is not None and only.pit != pit:
            continue
        gone = dict(EDIT_WEIGHTS.sleights) | {seeds: 0.5}
        for n, weight in gone.items():
            fault = Fault("palmed", pit, 0, n)
            if 0 < n <= seeds and only in (None, fault) and not (n == seeds and pit in taken):
                yield Outcome(start, lap.choices, fault, weight, done, (pit, -n))
        for n, weight in EDIT_WEIGHTS.sleights:
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
    s.drop(lap.pit, edit.direction or lap.direction, list(edit.drops), edit.left, edit.also)
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
        s = lap.ended()
        if edit.resow:
            s.take_up(edit.resow, edit.left, edit.begin)
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
    reached = laps.resume(rules, queue, EFFORT.choice_laps, lap.number + EFFORT.deepest_lap)
    work.left -= 1 + sum(end.sowing.laps - lap.number for end in reached.ends)
    for end in reached.ends:
        yield end.choices, end.sowing

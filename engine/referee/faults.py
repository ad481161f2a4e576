"""Faults as edits of a trace: every way to spoil one move once, each continued by the rules from the resulting board.

The legal laps of a start pit are walked one by one, and each is replayed with each of its edits
(`engine.referee.edits`). Play after a fault is legal.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from engine.board import Side
from engine.games import laps
from engine.games.base import Rules
from engine.position import Position
from engine.referee.edits import Edit, Lap, few, hand_edits, judgement_edits, opponents_pits
from engine.referee.parameters import BEAM, SHARES
from engine.sowing import Sowing
from engine.trace import End
from engine.verdict import Fault


@dataclass(slots=True)
class Work:
    """How many laps may still be sown in search of faults; a count and no clock, so that verdicts repeat."""

    left: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """A board that one faulty move leads to. weight: likelihood relative to other places for the same fault in this
    move. sowing: the move as played, but without `stray`. ends_it: the fault is how the move ends, so every board in
    its middle is a legal move's, too. stray: (pit, n), seeds that came into a pit (n > 0) or vanished from it at the
    end. `final_sowing`, with them, is made on request, since most outcomes are looked at once and dropped."""

    pit: int
    choices: str
    fault: Fault
    weight: float
    sowing: Sowing
    ends_it: bool = False
    stray: tuple[int, int] | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts of the resulting board."""
        if self.stray is None:
            return tuple(self.sowing.counts)
        (pit, n), counts = self.stray, self.sowing.counts
        return (*counts[:pit], counts[pit] + n, *counts[pit + 1 :])

    @property
    def final_sowing(self) -> Sowing:
        """The move including its stray seeds."""
        return self.sowing if self.stray is None else _with_stray(self.sowing, *self.stray)


def legal_laps(rules: Rules, sowing: Sowing, pit: int) -> Iterator[Lap]:
    """Yield the legal laps of a start pit, each state with a choice once. Do not change what is yielded."""
    queue, visited = deque([laps.opening(rules, sowing, pit)]), set[object]()
    while queue:
        pending = queue.popleft()
        for before, choices, at, direction in pending:
            after = before.copy()
            decision = laps.lap(rules, after, at, direction)
            yield Lap(before, pit, at, direction, len(pending) == 1, choices, after, decision)
            if decision.ends is not None or after.laps >= BEAM.deepest_lap:
                continue
            onward = laps.onward(rules, after, choices)
            if len(onward) > 1:
                if after.state() in visited:
                    continue
                visited.add(after.state())
            queue.append(onward)


def one_fault_outcomes(
    rules: Rules, before: Position, player: Side, pit: int, work: Work, *,
    traced: bool = False, only: Fault | None = None,
) -> Iterator[Outcome]:
    """Yield every board that a move of `player` from `pit` with one fault leads to.

    only: yield that fault alone; traced: with steps.
    """
    for lap in legal_laps(rules, rules.begin(before, player, traced=traced), pit):
        work.left -= 1
        if work.left <= 0:
            return
        for edit in _edits(rules, lap, only):
            if work.left <= 0:
                return
            yield from _outcomes(rules, lap, edit, pit, work)
        if lap.decision.ends is not None:
            yield from _strays_at_end(rules, lap, pit, work, only)


def wrong_start_outcomes(
    rules: Rules, before: Position, player: Side, pit: int, work: Work, *, traced: bool = False
) -> Iterator[Outcome]:
    """Yield moves from a pit that the player must not lift: the opponent's, a bull, or one that the rules bar."""
    if before.bulls[pit] is not None:
        fault = Fault("bull-lifted", pit, 1)
    elif before.board.owner(pit) is not player:
        fault = Fault("wrong-side", pit, 1)
    elif rules.barred_start:
        fault = Fault(rules.barred_start, pit, 1, instead=tuple(rules.starts(before, player)))
    else:
        return
    reached = laps.resume(
        rules,
        deque([(rules.begin(before, player, traced=traced), "", pit, rules.first_direction)]),
        BEAM.deepest_lap,
        BEAM.deepest_lap,
    )
    for end in reached.ends:
        work.left -= end.sowing.laps
        yield Outcome(pit, end.choices, fault, 1.0, end.sowing)


def _edits(rules: Rules, lap: Lap, only: Fault | None) -> list[Edit]:
    """Return every fault of a lap, or only `only`; none once the move has won, because the game is over then."""
    if (only is not None and only.lap != lap.number) or rules.won(lap.before):
        return []
    found = [*hand_edits(lap), *(() if rules.won(lap.after) else judgement_edits(rules, lap))]
    return found if only is None else [edit for edit in found if edit.fault == only]


# ---- seeds that vanish or appear after the move
# ------------------------------------------------------------------------------------------------------

STRAY_CODES = ("palmed", "smuggled")
"""Faults that change the number of seeds and may leave all else legal."""


def _strays_at_end(rules: Rules, lap: Lap, start: int, work: Work, only: Fault | None) -> Iterator[Outcome]:
    """Yield seeds that vanish from a pit, or come into one, after the move. Each pit counts as a lap of work."""
    if only is not None and only.code not in STRAY_CODES:
        return
    every = range(lap.after.board.pits)
    work.left -= 1 if only is not None else len(every)
    done = lap.after.copy()
    done.end(lap.decision)
    named_captures = _captured_if_emptied(rules, lap)
    for pit in every if only is None or only.pit is None else (only.pit,):
        for n, weight in _strays(done.counts[pit], pit in named_captures):
            fault = Fault("palmed" if n < 0 else "smuggled", pit, 0, abs(n))
            if only in (None, fault):
                yield Outcome(start, lap.choices, fault, weight, done, stray=(pit, n))


def _captured_if_emptied(rules: Rules, lap: Lap) -> set[int]:
    """The pits that, if emptied completely, are called a false capture: the opponent's, and that of a capturing seed
    that stays."""
    opponents, last = set(opponents_pits(lap.after)), {lap.after.last}
    match lap.decision.ends:
        case "sleeps":
            return opponents - (last - set(rules.claims(lap.after)))
        case "capture":
            return opponents | last
        case _:
            return set()


def _strays(seeds: int, partly: bool) -> Iterator[tuple[int, float]]:
    """Yield how many seeds may come into a pit with `seeds` seeds (above 0) or vanish from it (below), each number with
    its weight. partly: not all of them may vanish."""
    for n, weight in (dict(few()) | {seeds: SHARES.seldomer}).items():
        if 0 < n <= seeds and not (n == seeds and partly):
            yield -n, weight
    yield from few()


def _with_stray(done: Sowing, pit: int, n: int) -> Sowing:
    """Return a copy in which n more seeds came into the pit (n > 0) or vanished from it (n < 0)."""
    s = done.copy()
    end = s.steps.pop() if s.steps else None
    s.stray(pit, n)
    if s.steps is not None and end is not None:
        s.steps.append(end)
    return s


# ---- playing an edit
# ------------------------------------------------------------------------------------------------------


def _played(rules: Rules, lap: Lap, edit: Edit) -> tuple[Sowing, list[laps.Pending]]:
    """Play an edit; return the move, and the laps that may follow: none if the move has ended."""
    if edit.drops:
        s = lap.sown_with(edit)
        decision = rules.decide(s)
        if decision.ends is not None:
            s.end(decision)
            return s, []
        s.go_on(decision)
        return s, laps.onward(rules, s, lap.choices)
    s = lap.ended()
    if edit.resow:
        s.take_up(edit.resow, edit.left, edit.begin)
        return s, laps.onward(rules, s, lap.choices)
    if edit.lift:
        return s, [(s, lap.choices, s.last, s.held)]
    if edit.take:
        s.take(edit.take, edit.left)
    if s.steps is not None:
        s.steps.append(End("capture" if edit.take else "sleeps"))
    return s, []


def _outcomes(rules: Rules, lap: Lap, edit: Edit, start: int, work: Work) -> Iterator[Outcome]:
    """Yield the boards reached from an edit when play continues by the rules."""
    sowing, pending = _played(rules, lap, edit)
    if not pending:
        work.left -= 1
        yield Outcome(start, lap.choices, edit.fault, edit.weight, sowing, not edit.drops)
        return
    reached = laps.resume(rules, deque(pending), BEAM.deepest_lap, lap.number + BEAM.deepest_lap)
    work.left -= 1 + sum(end.sowing.laps - lap.number for end in reached.ends)
    for end in reached.ends:
        yield Outcome(start, end.choices, edit.fault, edit.weight, end.sowing)

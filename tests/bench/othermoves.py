"""Turns for clips of another making: legal ones from the rules, and faulty ones, sown here lap by lap.

It shares nothing with `device.sim`, and the referee has no part in it either.
"""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from engine.board import Direction, Side
from engine.position import Position
from engine.rules import Rules
from engine.sowing import Decision, Sowing
from engine.trace import Capture, Drop, Lift

CODES = ("skip", "double", "left-seed", "stopped-short", "ran-on", "short-capture", "palmed", "smuggled", "wrong-side",
         "out-of-turn", "wrong-way")
"""The faults of engine/faults.md that are made here."""
MAX_LAPS, LONGEST = 40, 34
"""Most laps and drops of a turn, where there is a choice."""


class Act(NamedTuple):
    """What the hand does: lifts n seeds to sow them, drops n, takes n off the board, or adds n."""

    kind: Literal["lift", "drop", "take", "add"]
    pit: int
    n: int = 1

    @property
    def change(self) -> int:
        """The change in the pit's count."""
        return self.n if self.kind in ("drop", "add") else -self.n


@dataclass(frozen=True, slots=True)
class Turn:
    """One visit of a hand. kind: legal or illegal. pit: where it begins. fault, at: the fault and its pit, None for
    none. after: the true position afterwards."""

    player: Side
    kind: str
    pit: int
    acts: tuple[Act, ...]
    before: Position
    after: Position
    fault: str | None = None
    at: int | None = None

    @property
    def drops(self) -> int:
        """How many seeds are dropped one by one."""
        return sum(a.kind == "drop" for a in self.acts)


def next_turn(rules: Rules, position: Position, rng: np.random.Generator, cheats: float = 0.3) -> Turn | None:
    """Return a random turn, with a fault in a share `cheats`; None if nobody can move."""
    if rng.random() < cheats:
        for _ in range(40):
            turn = _faulty(rules, position, str(rng.choice(CODES)), rng)
            if turn is not None:
                return turn
    turns = [t for m in rules.moves(position).moves if m.laps <= MAX_LAPS
             for t in [_legal(position, m.trace, m.pit, m.position)]]
    short = [t for t in turns if t.drops <= LONGEST]
    if short:
        return short[int(rng.integers(len(short)))]
    return min(turns, key=lambda t: t.drops) if turns else None


def _legal(before: Position, trace: tuple[object, ...], pit: int, after: Position) -> Turn:
    counts, acts = list(before.counts), []
    for step in trace:
        new: list[Act] = []
        if isinstance(step, Lift):
            new = [Act("lift", step.pit, step.n)]
        elif isinstance(step, Drop):
            new = [Act("drop", step.pit)]
        elif isinstance(step, Capture):
            kind: Literal["lift", "take"] = "take" if step.sown_from is None else "lift"
            new = [Act(kind, p, counts[p]) for p in reversed(step.pits) if counts[p]]
        for act in new:
            counts[act.pit] += act.change
        acts += new
    return Turn(before.to_move, "legal", pit, tuple(acts), before, after)


def _faulty(rules: Rules, position: Position, code: str, rng: np.random.Generator) -> Turn | None:
    """Return a turn with that fault whose board no legal move leaves; None if this attempt found none."""
    mover = position.to_move
    player = mover.other if code == "out-of-turn" else mover
    pits = rules.starts(position, mover.other if code in ("wrong-side", "out-of-turn") else mover)
    if not pits:
        return None
    turn = _Sower(rules, position, player, code, rng).turn(int(rng.choice(pits)))
    if turn is None or turn.at is None or turn.drops > LONGEST:
        return None
    fair = {m.position.counts for m in rules.moves(position).moves} | {position.counts}
    return None if turn.after.counts in fair else turn


def tried(turn: Turn, rules: Rules, rng: np.random.Generator) -> Turn:
    """Return the same turn, preceded by the first lap of another move that is taken back pit by pit."""
    before = turn.before
    pits = [p for p in rules.starts(before, turn.player) if p != turn.pit and before.counts[p] > 1]
    if not pits:
        return turn
    pit = int(rng.choice(pits))
    path = rules.begin(before, turn.player).path(pit, Direction.CCW, before.counts[pit])
    if pit in path:
        return turn
    there = [Act("lift", pit, len(path)), *(Act("drop", p) for p in path)]
    back = [*(Act("lift", p) for p in reversed(path)), Act("drop", pit, len(path))]
    return replace(turn, acts=(*there, *back, *turn.acts))


class _Sower:
    """Sows a turn with one fault in it, and by the rules from there on."""

    def __init__(self, rules: Rules, position: Position, player: Side, code: str, rng: np.random.Generator) -> None:
        self.rules, self.before, self.player, self.code, self.rng = rules, position, player, code, rng
        self.sowing: Sowing = rules.begin(position, player)
        self.lap_of = int(rng.integers(1, 4))
        self.acts: list[Act] = []
        self.at: int | None = None

    def turn(self, start: int) -> Turn | None:
        """Return the turn from `start`; its `at` is None if the fault found no place. None if the turn does not end."""
        s, rules = self.sowing, self.rules
        direction, pit = self._way(rules.openings(s, start)), start
        if self.code in ("wrong-side", "out-of-turn"):
            self.at = start
        while s.laps < MAX_LAPS:
            self._lap(pit, direction)
            decision = self._decided(rules.decide(s))
            if decision.ends is not None:
                return self._ended(start, decision)
            if decision.pits:
                self._take_up("lift", decision.pits)
                s.go_on(decision)
            direction, pit = self._way(rules.directions(s)), s.next
        return None

    def _ended(self, start: int, decision: Decision) -> Turn:
        """Return the finished turn from `start`."""
        if decision.ends == "capture":
            self._take_up("take", decision.pits[::-1])
            decision = decision if decision.pits else Decision("sleeps")
        self.sowing.end(decision)
        after = self.sowing.position(self.before)
        after = replace(after.with_counts(after.counts), to_move=self.player.other)
        after = self._slight(after)
        return Turn(self.player, "illegal", start, tuple(self.acts), self.before, after, self.code, self.at)

    def _take_up(self, kind: Literal["lift", "take"], pits: tuple[int, ...]) -> None:
        """Empty these pits one by one, into the hand or off the board."""
        counts = self.sowing.counts
        self.acts += [Act(kind, p, counts[p]) for p in pits if counts[p]]

    def _way(self, ways: tuple[Direction, ...]) -> Direction:
        direction = ways[int(self.rng.integers(len(ways)))]
        if len(ways) > 1:
            self.sowing.held = self.rules.holds(self.sowing, direction)
        return direction

    def _lap(self, pit: int, direction: Direction) -> None:
        s, code, left = self.sowing, self.code, 0
        due = self.at is None and s.laps + 1 == self.lap_of
        if due and code == "wrong-way":
            direction, self.at = Direction.CW if direction is Direction.CCW else Direction.CCW, pit
        if due and code == "left-seed" and not s.hand and s.counts[pit] > 1:
            left, self.at = 1, pit
        seeds = s.hand or s.counts[pit] - left
        if not s.hand:
            self.acts.append(Act("lift", pit, seeds))
        drops = s.path(pit, direction, seeds + 1)
        if due and code == "skip":
            self.at = drops.pop(int(self.rng.integers(seeds)))
        elif due and code == "double" and seeds > 2:
            k = int(self.rng.integers(seeds - 1))
            self.at = drops[k]
            drops.insert(k, drops[k])
        drops = drops[:seeds]
        self.acts += [Act("drop", p) for p in drops]
        s.drop(pit, direction, drops, left)

    def _decided(self, due: Decision) -> Decision:
        s = self.sowing
        if self.at is not None:
            return due
        if self.code == "stopped-short" and due.ends is None and not due.pits and s.laps == self.lap_of and not (
                self.rules.has_bulls and s.counts[s.last] == 4):
            self.at = s.last
            return Decision("sleeps")
        if self.code == "ran-on" and due.ends == "sleeps":
            self.at = s.last
            return Decision(None)
        if self.code == "short-capture" and due.ends == "capture" and len(due.pits) > 1:
            self.at = int(self.rng.choice(due.pits))
            return Decision("capture", tuple(p for p in due.pits if p != self.at))
        return due

    def _slight(self, after: Position) -> Position:
        """Return the board with a seed or two removed or added at the end of an otherwise legal move."""
        if self.code not in ("palmed", "smuggled"):
            return after
        n, take = int(self.rng.integers(1, 3)), self.code == "palmed"
        pits = [p for p in range(after.board.pits) if after.bulls[p] is None and (not take or after.counts[p] >= n)]
        if not pits:
            return after
        self.at = int(self.rng.choice(pits))
        act = Act("take" if take else "add", self.at, n)
        self.acts.append(act)
        counts = list(after.counts)
        counts[self.at] += act.change
        return after.with_counts(tuple(counts))

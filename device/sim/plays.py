"""What a player does with his hand in one turn, by the rules or not.

A play is a list of acts, each a thing that a camera could see: seeds lifted, dropped, taken away, brought. Legal
plays come from the engine's traces; faulty ones are sown here, act by act, with one slip in them, and go on by the
rules from the board as it then stands. The judge has no part in it: it is held against these plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from engine.board import Direction, Side
from engine.position import Position
from engine.rules import Move, Rules
from engine.sowing import Decision, Sowing
from engine.trace import Capture, Drop, Lift

ActKind = Literal["lift", "drop", "take", "add", "rest", "store"]

CODES = (
    "skip", "double", "left-seed", "stopped-short", "ran-on", "false-capture", "short-capture", "palmed", "smuggled",
    "wrong-side", "bull-lifted", "bull-missed", "wrong-way", "out-of-turn", "double-move", "tampered",
)  # fmt: skip
"""The faults of rules.md that players of two rows can commit."""

MAX_LAPS = 80


class Act(NamedTuple):
    """lift: n seeds of `pit` into the hand to be sown; drop: n of them into it; take: n out of it and off the
    board; add: n from outside into it; rest: the hand stays over it for n tenths of a second; store: n captured seeds
    are laid down beyond the board's end, at the player's right."""

    kind: ActKind
    pit: int
    n: int = 1

    @property
    def change(self) -> int:
        """By how much the pit's count changes."""
        if self.kind in ("rest", "store"):
            return 0
        return self.n if self.kind in ("drop", "add") else -self.n


@dataclass(frozen=True, slots=True)
class Play:
    """One visit of a hand. kind: legal, illegal, tampered, withdrawn, laid. pit: where the move began, or None.

    fault, at, lap, n: what was wrong, at which pit, in which lap, by how many seeds; None, None, 0, 0 where nothing
    was. after: the position then, as it lies.
    """

    player: Side
    kind: str
    pit: int | None
    acts: tuple[Act, ...]
    before: Position
    after: Position
    fault: str | None = None
    at: int | None = None
    lap: int = 0
    n: int = 0

    @property
    def sown(self) -> int:
        """Seeds dropped: what takes the time."""
        return sum(a.kind == "drop" for a in self.acts)


class Slip(NamedTuple):
    """One fault to be committed. lap: in which (from 1); drop: at which of its drops (from 0); n: how many seeds."""

    code: str
    lap: int = 1
    drop: int = 0
    n: int = 1


def legal(move: Move) -> Play:
    """A legal move as it is played."""
    counts, acts = list(move.before.counts), []
    for step in move.trace:
        match step:
            case Lift(pit, n):
                acts.append(Act("lift", pit, n))
            case Drop(pit):
                acts.append(Act("drop", pit))
            case Capture(pits, _):
                # First what is won across, then the capturing seed.
                acts += [Act("take", p, counts[p]) for p in sorted(pits, key=lambda p: p == pits[0]) if counts[p]]
        for act in acts[-1:] if isinstance(step, Lift | Drop) else ():
            counts[act.pit] += act.change
    return Play(move.before.to_move, "legal", move.pit, tuple(acts), move.before, move.position)


class _Turn:
    """A turn being played with a slip in it."""

    def __init__(
        self, rules: Rules, position: Position, player: Side, slip: Slip | None, rng: np.random.Generator
    ) -> None:
        self.rules, self.position, self.slip, self.rng = rules, position, slip, rng
        self.sowing: Sowing = rules.begin(position, player)
        self.acts: list[Act] = []
        self.at: int | None = None
        self.in_lap = 0
        self.n = slip.n if slip is not None else 0

    def due(self, *codes: str) -> bool:
        """Whether one of these slips is to be committed in the lap now being sown."""
        return self.slip is not None and self.slip.code in codes and self.slip.lap == self.sowing.laps + 1

    def slipped(self, pit: int) -> None:
        self.at, self.in_lap = pit, self.sowing.laps + 1

    def lap(self, pit: int, direction: Direction) -> None:
        """Lift and sow once, with the slip if it is due here."""
        s, slip = self.sowing, self.slip
        left_behind = 0
        if self.due("left-seed") and slip is not None and s.counts[pit] > slip.n and not s.hand:
            left_behind = slip.n
            self.slipped(pit)
        if self.due("wrong-way"):
            direction = Direction.CW if direction is Direction.CCW else Direction.CCW
            self.slipped(pit)
        seeds = s.counts[pit] - left_behind
        if s.hand:  # captured seeds, in the hand already
            seeds = s.hand
        else:
            self.acts.append(Act("lift", pit, seeds))
        drops: list[int] = []
        step, at, number = s.board.step(direction), pit, 0
        while len(drops) < seeds:
            at = step[at]
            if at == pit and s.skip_origin:
                continue
            here = slip is not None and number == slip.drop and self.at is None
            number += 1
            n = 1
            if here and self.due("skip"):
                self.slipped(at)
                continue
            if here and self.due("double") and len(drops) + 1 < seeds:
                self.slipped(at)
                n = 2
            self.acts.append(Act("drop", at, n))
            drops += [at] * n
        s.drop(pit, direction, drops, left_behind)

    def decide(self) -> Decision:
        """What the lap's last seed brings, or what this player makes of it. `laps` counts the lap already."""
        s = self.sowing
        due = self.rules.decide(s)
        slip = self.slip
        if slip is None or slip.lap != s.laps or self.at is not None:
            return due
        match slip.code, due.ends:
            case "stopped-short", None if not (self.rules.has_bulls and s.counts[s.last] == 4):
                # A stop on four seeds would be a pit taken for a bull, another fault.
                self.at, self.in_lap = s.last, s.laps
                return Decision("sleeps")
            case ("ran-on", "sleeps") | ("bull-missed", "bull") | ("bull-lifted", "in-bull"):
                self.at, self.in_lap = s.last, s.laps
                return Decision(None)
            case "short-capture", "capture":
                left = int(self.rng.choice(due.pits))
                self.at, self.in_lap, self.n = left, s.laps, s.counts[left]
                kept = tuple(p for p in due.pits if p != left)
                return Decision("capture", kept)
            case "false-capture", "sleeps" | "capture":
                return self._take_too_much(due)
        return due

    def _take_too_much(self, due: Decision) -> Decision:
        """Capture a pit that the rules do not give: the next across, or, where captures are forfeited, the one that
        faces."""
        s = self.sowing
        if s.board.owner(s.last) is not s.player:
            return due
        facing = s.board.facing(s.last)
        if due.ends == "sleeps" and s.counts[facing] and s.bulls[facing] is None:
            self.at, self.in_lap, self.n = facing, s.laps, s.counts[facing]
            return Decision("capture", (s.last, facing))
        across = [p for p in s.board.own(s.player.other) if p not in due.pits and s.counts[p] and s.bulls[p] is None]
        if not across:
            return due
        near = min(across, key=lambda p: abs(p - facing))
        self.at, self.in_lap, self.n = near, s.laps, s.counts[near]
        return Decision("capture", (*(due.pits or (s.last,)), near))

    def play(self, pit: int) -> bool:
        """Sow from `pit` to the end. False where it does not end."""
        s = self.sowing
        ways = self.rules.openings(s, pit)
        direction = self._chosen(ways)
        while s.laps < MAX_LAPS:
            self.lap(pit, direction)
            decision = self.decide()
            if decision.ends is not None:
                self._end(decision)
                return True
            if decision.pits:  # in four rows they are sown from where the lap began
                self.acts += [Act("lift", p, s.counts[p]) for p in decision.pits if s.counts[p]]
                s.go_on(decision)
            direction = self._chosen(self.rules.directions(s))
            pit = s.next
        return False

    def _chosen(self, ways: tuple[Direction, ...]) -> Direction:
        """One of the directions that the rules leave open, by lot."""
        if len(ways) == 1:
            return ways[0]
        direction = ways[int(self.rng.integers(len(ways)))]
        self.sowing.held = self.rules.holds(self.sowing, direction)
        return direction

    def _end(self, decision: Decision) -> None:
        s = self.sowing
        if decision.ends == "capture":
            takes = sorted(decision.pits, key=lambda p: p == s.last)
            self.acts += [Act("take", p, s.counts[p]) for p in takes if s.counts[p]]
            if not decision.pits:
                decision = Decision("sleeps")
        s.end(decision)


def sown(
    rules: Rules, position: Position, pit: int, player: Side, slip: Slip | None, rng: np.random.Generator
) -> Play | None:
    """The turn of `player` from `pit` with `slip` in it; None where the slip found no place or the sowing no end."""
    if not position.counts[pit]:
        return None
    turn = _Turn(rules, position, player, slip, rng)
    if not turn.play(pit):
        return None
    after = turn.sowing.position(position)
    # A pit's bull goes with its last seed.
    after = replace(after.with_counts(after.counts), to_move=player.other)
    if slip is None:
        return Play(player, "legal", pit, tuple(turn.acts), position, after)
    if turn.at is None:
        return None
    return Play(player, "illegal", pit, tuple(turn.acts), position, after, slip.code, turn.at, turn.in_lap, turn.n)


def cheat(
    rules: Rules, position: Position, code: str, rng: np.random.Generator, longest: int = 60, tries: int = 60
) -> Play | None:
    """A turn with the fault `code` that leaves a board no legal move would have left; None where none was found.

    longest: most drops. Raises ValueError for a code that is none of CODES.
    """
    if code not in CODES:
        raise ValueError(f"{code!r} is no fault that two-row players commit: {', '.join(CODES)}")
    mover = position.to_move
    honest = {m.position.counts for m in rules.moves(position).moves} | {position.counts}
    for _ in range(tries):
        play = _tried(rules, position, mover, code, rng)
        if play is not None and play.sown <= longest and play.after.counts not in honest:
            return play
    return None


def _tried(rules: Rules, position: Position, mover: Side, code: str, rng: np.random.Generator) -> Play | None:
    if code == "tampered":
        return _tampered(position, mover, rng)
    if code == "out-of-turn":
        play = _start(rules, position, mover.other, None, rng)
        return play and replace(play, kind="illegal", fault=code, at=play.pit, lap=1, n=0)
    if code == "double-move":
        return _twice(rules, position, mover, rng)
    if code in ("palmed", "smuggled"):
        play = _start(rules, position, mover, None, rng)
        return play and _slight(play, code, rng)
    if code == "wrong-side":
        pits = rules.starts(position, mover.other)
        play = sown(rules, position, int(rng.choice(pits)), mover, None, rng) if pits else None
        return play and replace(play, kind="illegal", fault=code, at=play.pit, lap=1, n=0)
    if code == "bull-lifted" and rng.random() < 0.5:
        pits = [p for p in position.board.own(mover) if position.bulls[p] is not None]
        play = sown(rules, position, int(rng.choice(pits)), mover, None, rng) if pits else None
        return play and replace(play, kind="illegal", fault=code, at=play.pit, lap=1, n=0)
    slip = Slip(
        code, int(rng.integers(1, 7)), int(rng.integers(0, 8)), 2 if code == "left-seed" and rng.random() < 0.3 else 1
    )
    if code in ("ran-on", "bull-missed", "bull-lifted", "false-capture", "short-capture"):
        return _at_the_end(rules, position, mover, code, rng)
    return _start(rules, position, mover, slip, rng)


def _start(rules: Rules, position: Position, player: Side, slip: Slip | None, rng: np.random.Generator) -> Play | None:
    pits = rules.starts(position, player)
    return sown(rules, position, int(rng.choice(pits)), player, slip, rng) if pits else None


def _twice(rules: Rules, position: Position, mover: Side, rng: np.random.Generator) -> Play | None:
    """Two moves on end in one visit. One in a visit of its own, after which it was the other's turn, is a move out of
    turn, whoever made the one before."""
    first = _start(rules, position, mover, None, rng)
    second = first and _start(rules, replace(first.after, to_move=mover), mover, None, rng)
    if first is None or second is None:
        return None
    return replace(second, kind="illegal", pit=first.pit, acts=(*first.acts, *second.acts), before=position,
                   fault="double-move", at=second.pit)


def _at_the_end(rules: Rules, position: Position, mover: Side, code: str, rng: np.random.Generator) -> Play | None:
    """A slip in the last lap of what would have been a legal move: which lap that is must be known first."""
    seed = int(rng.integers(1 << 30))
    play = _start(rules, position, mover, None, np.random.default_rng(seed))
    if play is None or play.pit is None:
        return None
    laps = sum(a.kind == "lift" for a in play.acts)
    again = np.random.default_rng(seed)
    return _start(rules, position, mover, Slip(code, laps), again)


def _slight(play: Play, code: str, rng: np.random.Generator) -> Play | None:
    """After an honest move the hand takes a seed or two along, or leaves some behind."""
    board, counts = play.after.board, list(play.after.counts)
    n = int(rng.integers(1, 3))
    side = play.player.other if code == "palmed" else play.player
    pits = [p for p in board.own(side) if play.after.bulls[p] is None and (code == "smuggled" or counts[p] >= n)]
    if not pits:
        return None
    pit = int(rng.choice(pits))
    act = Act("take" if code == "palmed" else "add", pit, n)
    counts[pit] += act.change
    after = play.after.with_counts(tuple(counts))
    return replace(play, kind="illegal", acts=(*play.acts, act), after=after, fault=code, at=pit, n=n)


def _tampered(position: Position, mover: Side, rng: np.random.Generator) -> Play | None:
    """Seeds shifted from one pit to another, outside any move."""
    board, counts = position.board, list(position.counts)
    pits = [p for p in range(board.pits) if counts[p] and position.bulls[p] is None]
    if not pits:
        return None
    source = int(rng.choice(pits))
    target = int(rng.choice([p for p in range(board.pits) if p != source and position.bulls[p] is None]))
    n = int(rng.integers(1, min(3, counts[source]) + 1))
    counts[source] -= n
    counts[target] += n
    player = Side(int(rng.integers(2))) if rng.random() < 0.5 else mover
    acts = (Act("lift", source, n), Act("drop", target, n))
    return Play(player, "tampered", None, acts, position, position.with_counts(tuple(counts)), "tampered", source, 0, n)


def laying(
    position: Position, counts: Sequence[int], player: Side, kind: str, pits: Sequence[int] | None = None
) -> Play:
    """The acts that bring a board holding `counts` to `position`: what is too much is taken off, what is missing
    laid."""
    chosen = range(position.board.pits) if pits is None else pits
    wrong = [(p, position.counts[p] - counts[p]) for p in chosen if position.counts[p] != counts[p]]
    acts = [Act("take", p, -d) for p, d in wrong if d < 0] + [Act("add", p, d) for p, d in wrong if d > 0]
    return Play(player, kind, None, tuple(acts), position, position)

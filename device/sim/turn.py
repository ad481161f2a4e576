"""Sow one turn seed by seed, by the rules or with one edit: a fault is an edit of a trace.

`SimulatedTurn` moves the seeds itself. It asks the rules what follows a lap's last seed and which ways a lap may go.
After the edit, play goes on by the rules from the board that this left. Nothing here knows the referee.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from device.sim.plays import Act
from engine.board import Direction, Side
from engine.position import Position
from engine.rules import Rules
from engine.sowing import SLEEPS, Decision, Sowing

MAX_LAPS = 80
"""Most laps of a turn; a longer turn is of no use here."""
AT_LAST_SEED = ("stopped-short", "ran-on", "capture-none", "capture")
"""Edits of what follows a lap's last seed; the others concern the drops, or how a capture is carried out."""


class TurnEdit(NamedTuple):
    """One operation at one step. kind: a name that `SimulatedTurn` carries out. lap: from 1; drop: its drop in the lap,
    from 0. n: number of seeds or pits, by kind. pits, by kind: where a stray seed falls, which pits are captured
    or left, or where captured seeds are sown from."""

    kind: str
    lap: int = 1
    drop: int = 0
    n: int = 1
    pits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SownLap:
    """A lap that was sown. pit: where it began; lifted: seeds in the hand at its beginning; resown: they were captured,
    not lifted; path: the pits of its drops; forced: the rules left no choice of direction; direction: the one taken;
    due: what follows its last seed by the rules; claims: the pits that a capture by it would concern; counts: the board
    after the last drop; won: the game was won already.
    """

    pit: int
    lifted: int
    resown: bool
    path: tuple[int, ...]
    forced: bool
    direction: Direction
    due: Decision
    claims: tuple[int, ...]
    counts: tuple[int, ...]
    won: bool


@dataclass(slots=True)
class SimulatedTurn:
    """A turn of `player`, with `edit` in it unless that is None. rng: for choices that the rules leave open.

    acts: what the hand did, in order. laps: the laps sown. at: the pit of the edit, None until it has happened; lap:
    its lap; n: how many seeds it moved.
    """

    rules: Rules
    position: Position
    player: Side
    edit: TurnEdit | None
    rng: np.random.Generator
    acts: list[Act] = field(default_factory=list)
    laps: list[SownLap] = field(default_factory=list)
    at: int | None = None
    lap: int = 0
    n: int = 0
    sowing: Sowing = field(init=False)
    start: int = -1
    _begin: int = -1
    """The pit of the next lap."""

    def __post_init__(self) -> None:
        """Begin the sowing."""
        self.sowing = self.rules.begin(self.position, self.player)

    def play(self, pit: int, *, more: tuple[int, ...] = (), way: Direction | None = None) -> bool:
        """Sow from `pit` to the end; False if the turn does not end within `MAX_LAPS`. more: pits lifted together with
        it. way: the first lap's direction, None to choose it at random.
        """
        self.start = self._begin = pit
        ways = self.rules.openings(self.sowing, pit)
        taken = self._lift_more(more)
        while len(self.laps) < MAX_LAPS:
            decision = self._sow(ways if way is None or self.laps else (way,), taken)
            taken = 0
            if decision.ends is not None:
                self._end(decision)
                return True
            ways = self.rules.directions(self.sowing)
        return False

    def after(self) -> Position:
        """The position after the turn; the other side is to move."""
        return self.sowing.position(self.position)

    # ---- a lap --------------------------------------------------------------------------------------------------

    def _due(self, *kinds: str) -> TurnEdit | None:
        """The edit, if it is of one of these kinds, still to be made, and meant for the lap being sown; else None."""
        e = self.edit
        return e if e is not None and self.at is None and e.kind in kinds and e.lap == len(self.laps) + 1 else None

    def _done(self, pit: int, n: int = 0) -> None:
        self.at, self.lap, self.n = pit, len(self.laps) + 1, n

    def _lift_more(self, pits: tuple[int, ...]) -> int:
        """Lift other pits' seeds into the same hand; return how many."""
        taken, s = 0, self.sowing
        for pit in pits:
            taken += s.counts[pit]
            self.acts.append(Act("lift", pit, s.counts[pit]))
            s.counts[pit], s.bulls[pit] = 0, None
        return taken

    def _chosen(self, ways: tuple[Direction, ...]) -> Direction:
        """A random one of the allowed directions; the wrong way if the edit says so."""
        s = self.sowing
        if self._due("wrong-way"):
            self._done(self._begin)
            return Direction.CW if ways[0] is Direction.CCW else Direction.CCW
        if len(ways) == 1:
            return ways[0]
        direction = ways[int(self.rng.integers(len(ways)))]
        s.held = self.rules.holds(s, direction)
        return direction

    def _sow(self, ways: tuple[Direction, ...], more: int) -> Decision:
        """Sow one lap, and decide what follows. more: further seeds in the hand."""
        s, pit = self.sowing, self._begin
        direction = self._chosen(ways)
        won = self.rules.decided(s) is not None
        resown, left, lifted = bool(s.hand), 0, s.hand
        if not resown:
            edit = self._due("left-seed")
            left = edit.n if edit is not None else 0
            lifted = s.counts[pit] - left
            self.acts.append(Act("lift", pit, lifted))
            if edit is not None:
                self._done(pit, left)
        path = self._drops(pit, direction, lifted + more)
        s.drop(pit, direction, path, left)
        # Ask the rules about this lap, which counts as sown.
        due, claims = self.rules.decide(s), self.rules.claims(s)
        decision = self._made_of(due)
        self.laps.append(SownLap(pit, lifted + more, resown, tuple(path), len(ways) == 1, direction, due, claims,
                                 tuple(s.counts), won))
        if decision.ends is None and decision.pits and self._due_after("kept"):
            self._keep(decision.pits)
            return SLEEPS
        if decision.ends is None:
            self._go_on(decision)
        return decision

    def _drops(self, pit: int, direction: Direction, hand: int) -> list[int]:
        """Drop the hand's seeds; return the pits in the order of the drops. A pit that gets two seeds is listed
        twice."""
        s, e = self.sowing, self.edit
        step, at, path, number = s.board.step(direction), pit, [], 0
        while hand > 0:
            at = step[at]
            if at == pit and s.skip_origin:
                continue
            n, to = 1, at
            if e is not None and number == e.drop and self._due("skip", "double", "palmed", "smuggled", "wrong-pit"):
                hand, n, to, at = self._strayed(e, pit, at, step, hand)
                if hand <= 0:
                    break
            self.acts.append(Act("drop", to, n))
            path += [to] * n
            hand, number = hand - n, number + 1
        return path

    def _strayed(self, e: TurnEdit, pit: int, at: int, step: tuple[int, ...], hand: int) -> tuple[int, int, int, int]:
        """Make the edit at the drop due at `at`; return the seeds in the hand then, how many are dropped, into which
        pit, and where the hand goes on from."""
        self._done(e.pits[0] if e.kind == "wrong-pit" else pit if e.kind in ("palmed", "smuggled") else at, e.n)
        match e.kind:
            case "skip":
                for _ in range(e.n):
                    at = step[at]
                return hand, 1, at, at
            case "double":
                return hand, min(hand, e.n + 1), at, at
            case "palmed":
                return hand - e.n, 1, at, at
            case "smuggled":
                return hand + e.n, 1, at, at
            case _:
                return hand, 1, e.pits[0], at

    # ---- what the last seed brings ------------------------------------------------------------------------------

    def _made_of(self, due: Decision) -> Decision:
        """What follows the last seed: by the rules, or by the edit."""
        s, e = self.sowing, self._due(*AT_LAST_SEED)
        if e is None:
            return due
        match e.kind:
            case "stopped-short":
                self._done(s.last)
                return SLEEPS
            case "ran-on":
                self._done(s.last)
                return Decision(None)
            case "capture-none":
                self._taken_wrongly(self._across(due.pits))
                return SLEEPS if due.ends else Decision(None)
            case "capture":
                wrong = [p for p in (*e.pits, *due.pits) if (p in e.pits) != (p in due.pits)]
                self._taken_wrongly(self._across(wrong))
                return Decision("capture" if e.n else None, e.pits)
            case _:
                return due

    def _across(self, pits: Sequence[int]) -> Sequence[int]:
        """The opponent's pits among these; all of them if none is the opponent's."""
        return [p for p in pits if self.sowing.board.owner(p) is not self.player] or pits

    def _taken_wrongly(self, pits: Sequence[int]) -> None:
        """Note the edit: the seeds of these pits are captured, or left, against the rules."""
        self._done(pits[0], sum(self.sowing.counts[p] for p in pits))

    def _go_on(self, decision: Decision) -> None:
        """Prepare the next lap: a relay, or captured seeds to be sown on."""
        s = self.sowing
        if not decision.pits:
            self._begin = s.next
            return
        left = self._left(decision)
        for p in decision.pits:
            n = s.counts[p] - left.get(p, 0)
            if n:
                self.acts.append(Act("lift", p, n))
                s.counts[p] -= n
                s.hand += n
        s.captured += s.hand
        s.taken |= frozenset(decision.pits)
        self._begin = s.next
        edit = self._due_after("resown")
        if edit is not None:
            self._begin = edit.pits[0]
            self.at, self.lap, self.n = self._begin, len(self.laps), s.hand

    def _due_after(self, kind: str) -> TurnEdit | None:
        """The edit, if it is of this kind, still to be made, and meant for what follows the last lap; else None."""
        e = self.edit
        return e if e is not None and self.at is None and e.kind == kind and e.lap == len(self.laps) else None

    def _left(self, decision: Decision) -> dict[int, int]:
        """The seeds that the edit leaves in captured pits, as {pit: seeds}; empty if it leaves none."""
        edit = self._due_after("capture-part")
        if edit is None or edit.pits[0] not in decision.pits:
            return {}
        self.at, self.lap, self.n = edit.pits[0], len(self.laps), edit.n
        return {edit.pits[0]: edit.n}

    def _keep(self, pits: tuple[int, ...]) -> None:
        """Take captured seeds off the board instead of sowing them on."""
        s = self.sowing
        for p in pits:
            self.acts.append(Act("take", p, s.counts[p]))
            self.n += s.counts[p]
            s.counts[p] = 0
        self.at, self.lap = pits[0], len(self.laps)

    def _end(self, decision: Decision) -> None:
        s = self.sowing
        if decision.ends != "capture":
            if decision.laid_from is not None:
                self.acts += [Act("lift", decision.laid_from, 1), Act("drop", s.last)]
            s.end(decision)
            return
        left = self._left(decision)
        # First the seeds won across, then the capturing seed.
        for p in sorted(decision.pits, key=lambda p: p == s.last):
            n = s.counts[p] - left.get(p, 0)
            if n:
                self.acts.append(Act("take", p, n))
                s.counts[p] -= n
                s.captured += n
            if not s.counts[p]:
                s.bulls[p] = None
        s.end(SLEEPS)

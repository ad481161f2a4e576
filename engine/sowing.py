"""The sowing that all games share: a move under way, lap by lap.

A `Sowing` holds the board in the middle of a move and can lift and sow; the game decides what a lap's last seed means
(`Rules.decide`). Rings come from the board, so the sowing does not depend on the number of rows.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import Board, Direction, Side
from engine.position import Position
from engine.trace import Capture, Choose, Drop, End, Lay, Lift, MakeBull, Step, Stray


@dataclass(frozen=True, slots=True)
class Decision:
    """What the last seed of a lap causes.

    ends: None if the move continues, else the reason for its end: sleeps, capture, bull, in-bull, win. pits: those
    captured, or those that became bulls. Captured pits are in the order of capture; the pit of the last seed comes
    first, and only if that seed is captured, too. If a move continues after a capture, the captured seeds are sown on
    from the pit where the lap began; else it relays. laid_from: a pit from which one seed is laid into that of the last
    seed before both become bulls.
    """

    ends: str | None
    pits: tuple[int, ...] = ()
    laid_from: int | None = None


RELAY = Decision(None)
SLEEPS = Decision("sleeps")
IN_BULL = Decision("in-bull")
WIN = Decision("win")


class Sowing:
    """A move under way. Its public attributes are its state; `copy` branches it.

    counts, bulls: as in `Position`, but lists that the sowing changes. player: who moves. first: whether it is his
    first move of the game. captured: seeds captured in this move. laps: laps sown. After a lap: `origin` the pit
    lifted, `seeds` the number sown, `direction` the lap's, `last` the pit of the last seed, `previous` that of the one
    before (None in a lap of one seed). held: the direction of laps without a choice. steps: the trace so far, or None
    if none is kept. hand: captured seeds that are to be sown on. resown: captured seeds sown on so far. taken: the pits
    they came from. turn: number of moves that the player made earlier in this game. caps: moves that captured before
    this one, South's and North's. won: the move won the game, whatever the next player could do.
    """

    __slots__ = ("board", "bulls", "caps", "captured", "counts", "direction", "first", "hand", "held", "laps", "last",
                 "origin", "player", "previous", "resown", "seeds", "skip_origin", "steps", "taken", "turn", "won")

    def __init__(self, position: Position, player: Side | None = None, *, skip_origin: bool = False,
                 traced: bool = False) -> None:
        """Begin a move of `player` (None: whose turn it is). skip_origin: a lap skips the pit it began in; traced: keep
        its steps."""
        self.board: Board = position.board
        self.counts = list(position.counts)
        self.bulls = list(position.bulls)
        self.player = position.to_move if player is None else player
        # The side that is not to move has made as many moves as the other, or one more.
        self.turn = (position.ply + (self.player is not position.to_move)) // 2
        self.first = self.turn == 0
        self.skip_origin = skip_origin
        self.captured = self.laps = self.seeds = self.hand = self.resown = 0
        self.taken: frozenset[int] = frozenset()
        self.caps = position.caps
        self.won = False
        self.origin = self.last = -1
        self.previous: int | None = None
        self.direction = self.held = Direction.CCW
        self.steps: list[Step] | None = [] if traced else None

    def copy(self) -> Sowing:
        """Return an independent branch of the move."""
        new = Sowing.__new__(Sowing)
        new.board, new.player, new.first, new.skip_origin = self.board, self.player, self.first, self.skip_origin
        new.counts, new.bulls, new.captured, new.laps = self.counts[:], self.bulls[:], self.captured, self.laps
        new.origin, new.seeds, new.last, new.previous = self.origin, self.seeds, self.last, self.previous
        new.direction, new.held, new.turn = self.direction, self.held, self.turn
        new.hand, new.resown, new.taken, new.won = self.hand, self.resown, self.taken, self.won
        new.caps = self.caps
        new.steps = None if self.steps is None else self.steps[:]
        return new

    @property
    def next(self) -> int:
        """The pit where the next lap begins: where this lap began if captured seeds are sown on, else its last pit."""
        return self.origin if self.hand else self.last

    def state(self) -> tuple[tuple[int, ...], int, Direction, int, frozenset[int]]:
        """All that determines the rest of the move: the counts, the next pit, the held direction, the seeds in the
        hand, the pits captured from."""
        return tuple(self.counts), self.next, self.held, self.hand, self.taken

    def sow(self, pit: int, direction: Direction) -> None:
        """Sow one lap: lift all of `pit`, or take the captured seeds in the hand, and drop one seed a pit from the next
        pit on."""
        counts, step = self.counts, self.board.step(direction)
        if self.skip_origin or self.steps is not None:
            self.drop(pit, direction, self.path(pit, direction, self.hand or counts[pit]))
            return
        if self.hand:
            seeds = self._resow()
        else:
            seeds = counts[pit]
            counts[pit] = 0
            self.bulls[pit] = None
        at = before = pit
        for _ in range(seeds):
            before = at
            at = step[at]
            counts[at] += 1
        self.laps += 1
        self.origin, self.seeds, self.direction = pit, seeds, direction
        self.last, self.previous = at, before if seeds > 1 else None

    def drop(self, pit: int, direction: Direction, drops: list[int], left: int = 0, also: int | None = None) -> None:
        """Sow one lap as the hand did, rightly or wrongly: lift all of `pit` but `left` seeds, and all of `also`, and
        drop one into each of `drops`. Captured seeds are in the hand already.

        If drops has fewer pits than seeds were lifted, the rest vanished; if more, seeds came into the hand. It is not
        empty.
        """
        counts = self.counts
        begun: list[Step] = []
        if self.hand:
            lifted = self._resow()
        else:
            lifted = counts[pit] - left
            begun.append(Lift(pit, lifted))
            counts[pit] = left
            if not left:
                self.bulls[pit] = None
        if also is not None:
            begun.append(Lift(also, counts[also]))
            lifted, counts[also] = lifted + counts[also], 0
        for at in drops:
            counts[at] += 1
        if self.steps is not None:
            stray = [Stray(None, len(drops) - lifted)] if len(drops) != lifted else []
            self.steps += [*begun, *stray, *map(Drop, drops)]
        self.laps += 1
        self.origin, self.seeds, self.direction = pit, len(drops), direction
        self.last, self.previous = drops[-1], drops[-2] if len(drops) > 1 else None

    def path(self, pit: int, direction: Direction, seeds: int) -> list[int]:
        """Return the pits that a lap of `seeds` seeds from `pit` drops into, in order."""
        step, at = self.board.step(direction), pit
        path: list[int] = []
        while len(path) < seeds:
            at = step[at]
            if at != pit or not self.skip_origin:
                path.append(at)
        return path

    def _resow(self) -> int:
        """Take the captured seeds out of the hand to sow them; return their number."""
        seeds, self.hand = self.hand, 0
        self.resown += seeds
        return seeds

    def choose(self, direction: Direction) -> None:
        """Note that the player had the choice and took `direction`."""
        if self.steps is not None:
            self.steps.append(Choose(direction))

    def take(self, pits: tuple[int, ...], left: int = 0) -> None:
        """Capture all seeds of `pits`, except `left` of the last pit's."""
        won = -left
        for p in pits:
            won += self.counts[p]
            self.counts[p] = 0
            self.bulls[p] = None
        self.counts[pits[-1]] = left
        self.captured += won
        if self.steps is not None:
            self.steps.append(Capture(pits, won))

    def go_on(self, decision: Decision) -> None:
        """Apply a decision by which the move continues: take up captured seeds, to be sown from where the lap began."""
        if decision.pits:
            self.take_up(decision.pits)

    def take_up(self, pits: tuple[int, ...], left: int = 0, begin: int | None = None) -> None:
        """Capture all seeds of `pits`, except `left` of the last pit's, into the hand, to be sown on from `begin` or
        from where the lap began."""
        self.origin = self.origin if begin is None else begin
        self.hand = sum(self.counts[p] for p in pits) - left
        self.captured += self.hand
        self.taken |= frozenset(pits)
        for p in pits:
            self.counts[p] = 0
        self.counts[pits[-1]] = left
        if self.steps is not None:
            self.steps.append(Capture(pits, self.hand, self.origin))

    def lay(self, source: int) -> None:
        """Lay one seed of `source` into the pit of the last seed."""
        self.counts[source] -= 1
        self.counts[self.last] += 1
        if self.steps is not None:
            self.steps.append(Lay(source, self.last))

    def stray(self, pit: int, n: int) -> None:
        """Let n seeds appear in `pit` (n > 0) or vanish from it (n < 0)."""
        self.counts[pit] += n
        if not self.counts[pit]:
            self.bulls[pit] = None
        if self.steps is not None:
            self.steps.append(Stray(pit, n))

    def end(self, decision: Decision) -> None:
        """Apply a decision that ends the move."""
        if decision.ends is None:
            raise ValueError("a relay is no end")
        self.won = decision.ends == "win"
        if decision.ends == "capture":
            self.take(decision.pits)
        elif decision.ends == "bull":
            if decision.laid_from is not None:
                self.lay(decision.laid_from)
            for p in decision.pits:
                self.bulls[p] = self.player
            if self.steps is not None:
                self.steps.append(MakeBull(decision.pits))
        if self.steps is not None:
            self.steps.append(End(decision.ends))

    def position(self, before: Position) -> Position:
        """Return the position after this move, which began on `before`."""
        south, north = before.captured
        won = self.captured - self.resown
        captured = (south + won, north) if self.player is Side.SOUTH else (south, north + won)
        south, north = before.caps
        if self.taken:
            south, north = south + (self.player is Side.SOUTH), north + (self.player is Side.NORTH)
        return Position(before.board, tuple(self.counts), tuple(self.bulls), self.player.other, captured,
                        before.ply + 1, (south, north), self.player if self.won else None)

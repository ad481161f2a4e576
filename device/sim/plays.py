"""What a player's hand does in one visit to the board, by the rules or not.

A visit is a list of acts that a camera could see: seeds lifted, dropped, taken away, added. Legal visits come from the
engine's traces, faulty ones from `device.sim.fouls`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from engine.board import Side
from engine.position import Position
from engine.rules import Move
from engine.trace import Capture, Drop, Lay, Lift

ActKind = Literal["lift", "drop", "take", "add", "rest", "store"]

class Act(NamedTuple):
    """One act of a hand at `pit`. lift: take n seeds into the hand to sow them; drop: drop n of them; take: take n off
    the board; add: add n from outside; rest: stay over the pit for n tenths of a second; store: lay n captured seeds
    beyond the board's end, at the player's right."""

    kind: ActKind
    pit: int
    n: int = 1

    @property
    def change(self) -> int:
        """The change of the pit's count."""
        if self.kind in ("rest", "store"):
            return 0
        return self.n if self.kind in ("drop", "add") else -self.n


@dataclass(frozen=True, slots=True)
class HandVisit:
    """One visit of a hand. kind: legal, illegal, tampered, withdrawn, laid. pit: where the move began, or None.

    fault, at, lap, n: the fault's code, pit, lap and number of seeds; None, None, 0, 0 without a fault. after: the
    position that the visit leaves.
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
        """The number of drops, which take up most of a visit's time."""
        return sum(a.kind == "drop" for a in self.acts)


def legal(move: Move) -> HandVisit:
    """The visit that plays a legal move."""
    counts, acts = list(move.before.counts), []
    for step in move.trace:
        match step:
            case Lift(pit, n):
                acts.append(Act("lift", pit, n))
            case Drop(pit):
                acts.append(Act("drop", pit))
            case Lay(source, pit, n):
                acts += [Act("lift", source, n), Act("drop", pit, n)]
                counts[source], counts[pit] = counts[source] - n, counts[pit] + n
            case Capture(pits, _):
                # First the seeds won across, then the capturing seed.
                acts += [Act("take", p, counts[p]) for p in sorted(pits, key=lambda p: p == pits[0]) if counts[p]]
        for act in acts[-1:] if isinstance(step, Lift | Drop) else ():
            counts[act.pit] += act.change
    return HandVisit(move.before.to_move, "legal", move.pit, tuple(acts), move.before, move.position)


def laying(
    position: Position, counts: Sequence[int], player: Side, kind: str, pits: Sequence[int] | None = None
) -> HandVisit:
    """The visit that changes a board holding `counts` to `position`: it takes surplus seeds off and adds missing ones.
    pits: only these, all if None."""
    chosen = range(position.board.pits) if pits is None else pits
    wrong = [(p, position.counts[p] - counts[p]) for p in chosen if position.counts[p] != counts[p]]
    acts = [Act("take", p, -d) for p, d in wrong if d < 0] + [Act("add", p, d) for p, d in wrong if d > 0]
    return HandVisit(player, kind, None, tuple(acts), position, position)

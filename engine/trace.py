"""A move as a trace: every lifting, every drop, every choice, up to its end.

The same trace changes the position (`apply`), words the explanation (`engine.explain`) and draws the move. A trace
need not be legal: a judge's explanation of a faulty move is a trace too, with `Stray` for seeds that came or went.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.board import Direction, Side
from engine.position import Position


class TraceError(ValueError):
    """A trace that cannot have happened on the board it is applied to."""


@dataclass(frozen=True, slots=True)
class Lift:
    """n seeds of `pit` go into the hand; a lap begins. n is all of them, unless a fault left some."""

    pit: int
    n: int


@dataclass(frozen=True, slots=True)
class Drop:
    """One seed from the hand into `pit`."""

    pit: int


@dataclass(frozen=True, slots=True)
class Choose:
    """The player had the choice and took this direction for what follows."""

    direction: Direction


@dataclass(frozen=True, slots=True)
class Capture:
    """n seeds of `pits` leave the board for the mover: all, or the last pit keeps the rest.

    sown_from: where they are sown on instead, the pit that their lap begins from, without being lifted itself.
    """

    pits: tuple[int, ...]
    n: int
    sown_from: int | None = None


@dataclass(frozen=True, slots=True)
class MakeBull:
    """`pits` become the mover's bulls."""

    pits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stray:
    """n seeds came (n > 0) or went (n < 0) outside the rules, in `pit`, or in the hand where pit is None."""

    pit: int | None
    n: int


@dataclass(frozen=True, slots=True)
class End:
    """The move ended. reason: sleeps, capture, bull, in-bull, win (what is in the hand then need not be sown); or, of
    seeds laid and not sown, rearranged where it was a turn, arranged where it was none."""

    reason: str


ARRANGED, REARRANGED = End("arranged"), End("rearranged")
"""Seeds were lifted and laid elsewhere: before the first move, so that nobody's turn passes; or as a turn."""


Step = Lift | Drop | Choose | Capture | MakeBull | Stray | End
Trace = tuple[Step, ...]


def laps(trace: Iterable[Step]) -> int:
    """How many laps a trace sows; none where the seeds lifted were laid elsewhere.

    Two pits lifted on end are sown as one lap, and captured seeds that stay in the hand are none.
    """
    steps = tuple(trace)
    if ARRANGED in steps or REARRANGED in steps:
        return 0
    resown = sum(isinstance(s, Capture) and s.sown_from is not None and not isinstance(after, End | Capture)
                 for s, after in pairwise(steps))
    together = sum(isinstance(s, Lift) and isinstance(after, Lift) for s, after in pairwise(steps))
    return resown - together + sum(isinstance(s, Lift) for s in steps)


def apply(position: Position, trace: Iterable[Step], player: Side | None = None) -> Position:
    """The position after a trace. player: who made it, where it is not the one to move.

    Raises TraceError where a step asks for seeds that are not there. A bull that loses all its seeds is none any more.
    """
    mover = position.to_move if player is None else player
    counts, bulls, captured, hand, ends = list(position.counts), list(position.bulls), list(position.captured), 0, 0
    caps, resown, won, turn = list(position.caps), False, position.won, True
    name = position.board.name
    for step in trace:
        match step:
            case Lift(pit, n):
                if not 0 < n <= counts[pit]:
                    raise TraceError(f"{n} seeds lifted from {name(pit)}, which holds {counts[pit]}")
                counts[pit] -= n
                hand += n
            case Drop(pit):
                if not hand:
                    raise TraceError(f"a seed dropped into {name(pit)} from an empty hand")
                counts[pit] += 1
                hand -= 1
            case Capture(pits, n, sown_from):
                rest = sum(counts[p] for p in pits) - n
                if not 0 <= rest <= counts[pits[-1]]:
                    raise TraceError(f"{n} seeds captured, the pits hold {rest + n}")
                for p in pits:
                    counts[p] = 0
                counts[pits[-1]] = rest
                if sown_from is None:
                    captured[mover] += n
                else:
                    hand += n
                    resown = True
            case MakeBull(pits):
                for p in pits:
                    bulls[p] = mover
            case Stray(None, n):
                hand += n
            case Stray(int(pit), n):
                counts[pit] += n
                if counts[pit] < 0:
                    raise TraceError(f"{-n} seeds gone from {name(pit)}, which held {counts[pit] - n}")
            case End(reason):
                ends += 1
                turn = turn and step != ARRANGED
                won = mover if reason == "win" else won
                caps[mover] += resown
                resown = False
                if reason == "win":
                    captured[mover] += hand
                elif hand:
                    raise TraceError(f"the move ended with {hand} seeds in the hand")
    return replace(
        position, counts=tuple(counts), bulls=tuple(b if n else None for b, n in zip(bulls, counts, strict=True)),
        to_move=mover.other if turn else position.to_move, captured=(captured[0], captured[1]),
        ply=position.ply + max(1, ends) * turn,
        caps=(caps[0], caps[1]), won=won,
    )

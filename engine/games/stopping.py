"""Where a player may stop once his move has won the game: the seeds in his hand need not be sown
(engine/games/omweso.md, "Ends").

The named move is the one sown to its end. At the winning capture, and at any later drop, the player may also stop, and
leave the captured seeds where they lie or keep them in his hand: none of these is a fault.
"""

from collections.abc import Iterator
from dataclasses import replace

from engine.games.base import Move
from engine.trace import Capture, Drop, End, Lift, Trace, apply

MOST_STEPS = 400
"""Most steps after the capture that are examined: the game is over, and nobody sows on for minutes."""

WON = End("win")


def stops(move: Move, at: int) -> tuple[Move, ...]:
    """Return the moves of the same name that stop earlier and leave another board, the one that takes nothing up first.
    at: index in its trace of the capture that wins the game."""
    player, found = move.before.board.owner(move.pit), {move.position.counts: move}
    for steps, counts in _stopped(move, at):
        if counts not in found:
            held = [0, 0]
            held[player] = move.before.total - sum(counts)  # the seeds that are not on the board are in his hand
            position = replace(move.position, counts=counts, captured=(held[0], held[1]))
            found[counts] = replace(move, position=position, laid=(*steps, WON))
    return tuple(list(found.values())[1:])


def _stopped(move: Move, at: int) -> Iterator[tuple[Trace, tuple[int, ...]]]:
    """Yield the steps up to each stop, and the counts left along the ring."""
    trace, capture = move.trace, move.trace[at]
    assert isinstance(capture, Capture), f"step {at} of {move.name} is {capture}"
    lay = apply(move.before, trace[:at], move.before.board.owner(move.pit)).counts
    # He takes up nothing of the capture, or one of its pits alone.
    for taken in ((), *((p,) for p in capture.pits)):
        up = (Capture((p,), lay[p], capture.sown_from) for p in taken)
        yield (*trace[:at], *up), tuple(0 if p in taken else n for p, n in enumerate(lay))
    counts = list(lay)
    for end, step in enumerate(trace[at : at + MOST_STEPS], at + 1):
        match step:
            case Lift(pit, n):
                counts[pit] -= n
            case Drop(pit):
                counts[pit] += 1
            case Capture(pits):
                for pit in pits:
                    counts[pit] = 0
            case _:
                continue
        yield trace[:end], tuple(counts)

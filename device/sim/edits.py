"""The edits that put a fault into a legal turn. `engine/faults.md` lists the faults.

Every function here is a `Places`, or makes one.
"""

from collections.abc import Callable, Iterator

import numpy as np

from device.sim.turn import SimulatedTurn, SownLap, TurnEdit

Rng = np.random.Generator
Places = Callable[[SimulatedTurn, SownLap, int, Rng], Iterator[TurnEdit]]
"""Takes a legal turn, one of its laps and the lap's number from 1; yields the edits possible in that lap."""


def left_seed(n: int) -> Places:
    """Edits that leave n seeds in the lifted pit."""

    def places(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
        del turn, rng
        if not lap.resown and lap.lifted > n:
            yield TurnEdit("left-seed", number, 0, n)

    return places


def palmed(n: int) -> Places:
    """Edits that keep n seeds in the hand."""

    def places(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
        del turn, rng
        for drop in range(len(lap.path) - n + 1):
            if drop or lap.lifted > n:
                yield TurnEdit("palmed", number, drop, n)

    return places


def at_drops(kind: str, n: int, spare: int = 0) -> Places:
    """Edits of this kind at every drop after which at least `spare` seeds are still in the hand."""

    def places(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
        del turn, rng
        for drop in range(len(lap.path) - spare):
            yield TurnEdit(kind, number, drop, n)

    return places


def wrong_pit(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
    """Edits that drop one seed into a pit next to the due one."""
    board = turn.position.board
    for drop, due in enumerate(lap.path):
        row, col = board.place(due)
        near = [p for p in range(board.pits) if p != due
                and max(abs(board.place(p)[0] - row), abs(board.place(p)[1] - col)) == 1]
        yield TurnEdit("wrong-pit", number, drop, 1, (int(rng.choice(near)),))


def wrong_way(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
    """Edits that sow a lap the wrong way."""
    del turn, rng
    if lap.forced:
        yield TurnEdit("wrong-way", number)


def stopped(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
    """Edits that stop a turn although a relay is due."""
    del rng
    if lap.due.ends is None and not lap.due.pits and not _bullish(turn, lap):
        yield TurnEdit("stopped-short", number)


def imagined(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
    """Edits that stop a turn because the player takes a pit for a bull."""
    del rng
    if lap.due.ends is None and _bullish(turn, lap):
        yield TurnEdit("stopped-short", number)


def _bullish(turn: SimulatedTurn, lap: SownLap) -> bool:
    """Whether the last pit might be taken for a bull: its count is within one seed of a bull's."""
    return turn.rules.bulls_at > 0 and abs(lap.counts[lap.path[-1]] - turn.rules.bulls_at) < 2


def ran_on(ends: str) -> Places:
    """Edits that go on with a turn although it ends in this way (`Decision.ends`)."""

    def places(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
        del turn, rng
        if lap.due.ends == ends:
            yield TurnEdit("ran-on", number)

    return places


# ---- at a capture
# ----------------------------------------------------------------------------------------------------------


def _captures(lap: SownLap) -> bool:
    return bool(lap.due.pits) and lap.due.ends in (None, "capture")


def partly(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
    """Edits that leave some seeds of a captured pit; all of them only if other pits are still captured."""
    del turn, rng
    if _captures(lap):
        for pit in lap.due.pits:
            for n in range(1, lap.counts[pit] + (len(lap.due.pits) > 1)):
                yield TurnEdit("capture-part", number, 0, n, (pit,))


def not_taken(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
    """Edits that capture nothing: in two rows the player sleeps, in four he relays instead."""
    del turn, rng
    if _captures(lap):
        yield TurnEdit("capture-none", number)


def string_short(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
    """Edits that end a string of captures one or more pits too early."""
    del turn, rng
    if lap.due.ends == "capture":
        for upto in range(2, len(lap.due.pits)):
            yield TurnEdit("capture", number, 0, 1, lap.due.pits[:upto])


def string_long(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
    """Edits that extend a string of captures by a pit that the rules no longer give."""
    del rng
    if lap.due.ends == "capture" and turn.rules.has_bulls:
        board = turn.position.board
        more = board.facing(lap.path[-1]) - (len(lap.due.pits) - 1)
        free = more >= 0 and board.owner(more) is turn.player.other and turn.sowing.bulls[more] is None
        if free and lap.counts[more]:
            yield TurnEdit("capture", number, 0, 1, (*lap.due.pits, more))


def without_right(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
    """Edits that capture without right. In two rows: after a capture, or when none is due, the pit that a capture would
    concern, or one beside it. In four: a column with an empty pit, or one that faces a pit that was empty."""
    del rng
    board, last, counts = turn.position.board, lap.path[-1], lap.counts
    across, near = turn.rules.across(last), next(iter(lap.claims), None)
    if across:
        if board.owner(last) is turn.player and not lap.due.pits and any(counts[p] for p in across):
            yield TurnEdit("capture", number, 0, 0, tuple(p for p in across if counts[p]))
        return
    if near is None or board.owner(near) is turn.player or lap.due.ends not in ("sleeps", "capture"):
        return
    taken = lap.due.pits or ((last,) if board.owner(last) is turn.player else ())
    for pit in (near - 1, near, near + 1):
        if 0 <= pit < board.pits and board.owner(pit) is turn.player.other and counts[pit] \
                and turn.sowing.bulls[pit] is None and pit not in lap.due.pits:
            yield TurnEdit("capture", number, 0, 1, (*taken, pit))


def from_bull(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
    """Edits that capture the facing bull."""
    del rng
    board, last = turn.position.board, lap.path[-1]
    facing = board.facing(last)
    if lap.due.ends == "sleeps" and board.owner(last) is turn.player and turn.sowing.bulls[facing] is not None:
        yield TurnEdit("capture", number, 0, 1, (last, facing))


def resown(from_start: bool) -> Places:
    """Edits that sow captured seeds from the turn's first pit, or from the capturing one."""

    def places(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
        del rng
        pit = turn.start if from_start else lap.path[-1]
        if lap.due.ends is None and lap.due.pits and pit != lap.pit:
            yield TurnEdit("resown", number, 0, 1, (pit,))

    return places


def kept(turn: SimulatedTurn, lap: SownLap, number: int, rng: Rng) -> Iterator[TurnEdit]:
    """Edits that keep captured seeds which must be sown on."""
    del turn, rng
    if lap.due.ends is None and lap.due.pits:
        yield TurnEdit("kept", number)

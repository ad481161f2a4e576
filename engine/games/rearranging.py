"""Rearranging in Enkeshui: two pits are lifted and laid anywhere in their owner's row (engine/games/enkeshui.md,
"Rearranging").

Written `bd=3,1,0,2,0,0,4,4`: the letters of the two lifted pits, then the whole row afterwards, from its owner's left.
`setup`: before the game's first move, once for each side, without passing the turn. `special`: as a turn, which counts
as a move. Our choices: both pits hold seeds; seeds may be laid onto bulls; something has to change, so that no turn can
be passed this way; laying makes no bull.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations

from engine.board import Board, Side
from engine.games.base import Move, MoveError, Rearranging, Rules
from engine.messages import any_of
from engine.position import Position
from engine.trace import ARRANGED, REARRANGED, Drop, Lift, Step, Trace

LIFTED = 2
"""Number of pits that may be lifted."""


def rearrange(rules: Rules, position: Position, name: str) -> Move:
    """Return the rearrangement of that name. Raises MoveError."""
    board = position.board
    pits, row = _read(board, name)
    side = board.owner(pits[0])
    _entitled(rules, position, side, name)
    for pit in pits:
        if board.owner(pit) is not side:
            raise MoveError(f"move {name[:80]}: pits {board.name(pits[0])} and {board.name(pit)} are not in one row")
        if position.bulls[pit] is not None:
            raise MoveError(f"move {name[:80]}: pit {board.name(pit)} is a bull and stays as it is")
        if not position.counts[pit]:
            raise MoveError(f"move {name[:80]}: pit {board.name(pit)} holds no seeds to lay elsewhere")
    own = board.own(side)
    before = position.counts[own.start:own.stop]
    if sum(row) != sum(before):
        raise MoveError(f"move {name[:80]}: the row adds up to {sum(row)} seeds, {sum(before)} lie in it")
    less = next((p for p, n in zip(own, row, strict=True) if p not in pits and n < position.counts[p]), None)
    if less is not None:
        raise MoveError(f"move {name[:80]}: pit {board.name(less)} would hold {row[less - own.start]} of its "
                        f"{position.counts[less]} seeds, and it was not lifted")
    if tuple(row) == before:
        raise MoveError(f"move {name[:80]}: nothing changes")
    turn = rules.rearranging is Rearranging.SPECIAL
    after = replace(
        position.with_counts(position.counts[:own.start] + tuple(row) + position.counts[own.stop:]),
        to_move=side.other if turn else position.to_move, ply=position.ply + turn,
    )
    letters = "".join(sorted(map(board.name, pits)))
    written = f"{letters}={','.join(map(str, row))}"
    end = REARRANGED if turn else ARRANGED
    return Move(written, min(pits), "", after, 0, 0, end.reason, position, rules, (*_trace(position, pits, row), end))


def rearrangements(rules: Rules, before: Position, counts: Sequence[int]) -> list[str]:
    """Return the names of all rearrangements that lead from a position to these counts, along the ring.

    There are several if only the choice of lifted pits differs, which the board does not show.
    """
    board = before.board
    changed = [p for p, (n, was) in enumerate(zip(counts, before.counts, strict=False)) if n != was]
    if len(counts) != board.pits or not changed:
        return []
    own = board.own(board.owner(changed[0]))
    if any(p not in own for p in changed):
        return []
    row = ",".join(str(counts[p]) for p in own)
    found = []
    for one, other in combinations(own, LIFTED):
        with suppress(MoveError):
            found.append(rearrange(rules, before, f"{board.name(one)}{board.name(other)}={row}").name)
    return found


def relaid(rules: Rules, first: Position, counts: Sequence[int], side: Side) -> bool:
    """Whether one rearrangement of a side's row in `first`, in any number of visits by the hand, leads to its part of
    these counts, along the ring: at most two of its pits are lifted in all, or none."""
    own = first.board.own(side)
    row = tuple(counts[own.start:own.stop])
    mixed = first.counts[:own.start] + row + first.counts[own.stop:]
    return mixed == first.counts or bool(rearrangements(rules, first, mixed))


def _read(board: Board, name: str) -> tuple[list[int], list[int]]:
    letters, _, cells = name.partition("=")
    try:
        pits = [board.pit(letter) for letter in letters]
    except ValueError as e:
        raise MoveError(f"move {name[:80]!r}: {e}") from None
    if len(set(pits)) != LIFTED or len(pits) != LIFTED:
        raise MoveError(f"move {name[:80]!r}: two pits are lifted and named before the =, not {letters[:20]!r}")
    words = cells.split(",")
    if len(words) != board.half:
        raise MoveError(f"move {name[:80]!r}: {len(words)} counts after the =, and a row has {board.half} pits")
    for at, word in enumerate(words, 1):
        if not (word.isascii() and word.isdigit() and len(word) <= 3):
            raise MoveError(f"move {name[:80]!r}: count {at} after the = is {word[:20]!r}: a whole number from 0")
    return pits, [int(word) for word in words]


def _entitled(rules: Rules, position: Position, side: Side, name: str) -> None:
    """Raise MoveError unless that side may rearrange now, as far as the position tells."""
    when = rules.rearranging
    if when is Rearranging.NEVER:
        raise MoveError(f"move {name[:80]}: these rules have no rearranging (rearrange is never, not "
                        f"{any_of(('setup', 'special'))})")
    if when is Rearranging.SETUP and position.ply:
        raise MoveError(f"move {name[:80]}: rearranging is allowed before the first move only, and "
                        f"{position.ply} {'was' if position.ply == 1 else 'were'} made")
    if when is Rearranging.SPECIAL and side is not position.to_move:
        raise MoveError(f"move {name[:80]}: {side.title} rearranges, and {position.to_move.title} is to move")


def _trace(before: Position, pits: Sequence[int], row: Sequence[int]) -> Trace:
    lifted: list[Step] = [Lift(p, before.counts[p]) for p in sorted(pits)]
    own = before.board.own(before.board.owner(pits[0]))
    left = {p: 0 if p in pits else before.counts[p] for p in own}
    return (*lifted, *(Drop(p) for p, n in zip(own, row, strict=True) for _ in range(n - left[p])))

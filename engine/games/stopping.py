"""Where a player may stop whose move has won the game: what he still holds need not be sown (rules.md, "Omweso", "Ends").

The move itself ends with the capture that wins, the captured seeds in the player's hand. He may as well leave them
where they lay, or sow them on, with all that follows, and stop at any drop: none of it is a fault.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.board import Direction
from engine.games import laps
from engine.position import Position
from engine.sowing import Decision, Sowing
from engine.trace import Capture, Drop, End, Lift, Trace, apply

if TYPE_CHECKING:
    from engine.games.base import Move, Rules

MOST_LAPS = 200
"""Laps after the capture that are followed in all: what a person sows in three minutes."""

WON = End("win")

Stopped = tuple[Trace, tuple[int, ...]]
"""All steps up to where he stops, and the counts then, along the ring."""


def stops(rules: Rules, move: Move) -> tuple[Move, ...]:
    """The moves of the same name that leave another board, the one that leaves the captured seeds first. move: ends
    with a capture that won the game."""
    before, player = move.before, move.before.board.owner(move.pit)
    sowing = rules.begin(before, player, traced=True)
    laps.follow(rules, sowing, move.pit, move.choices)
    found: dict[tuple[int, ...], Move] = {move.position.counts: move}
    for steps, counts in _boards(rules, before, sowing):
        held, captured = before.total - sum(counts) - sum(before.captured), list(before.captured)
        captured[player] += held
        position: Position = replace(move.position, counts=counts, captured=(captured[0], captured[1]))
        found.setdefault(counts, replace(move, position=position, laid=(*steps, WON)))
    return tuple(list(found.values())[1:])


def _boards(rules: Rules, before: Position, sowing: Sowing) -> Iterator[Stopped]:
    """sowing: a traced move that has just ended with the capture that wins."""
    steps = sowing.steps or []
    steps.pop()
    capture = steps[-1]
    assert isinstance(capture, Capture), f"a move that ends with {capture}"
    yield from _left_lying(before, tuple(steps[:-1]), sowing.counts, capture)
    queue, left = deque([sowing]), MOST_LAPS
    while queue and left > 0:
        held = queue.popleft()
        ways = rules.directions(held)
        for way in ways:
            left -= 1
            on = held.copy()
            if len(ways) > 1:
                on.choose(way)
                on.held = rules.holds(on, way)
            yield from _mid_lap(on, way)
            on.sow(on.next, way)
            yield tuple(on.steps or ()), tuple(on.counts)
            decision = rules.decide(on)
            if decision.ends is None or decision.pits:
                on.go_on(Decision(None, decision.pits))
                queue.append(on)


def _left_lying(before: Position, steps: Trace, counts: list[int], capture: Capture) -> Iterator[Stopped]:
    """Nothing of the capture was taken up, or one of its pits alone. steps: up to the capture; counts: after it."""
    lay = apply(before, steps).counts
    for taken in ((), *((p,) for p in capture.pits)):
        left = list(counts)
        for pit in capture.pits:
            left[pit] = 0 if pit in taken else lay[pit]
        up = tuple(Capture((p,), lay[p], capture.sown_from) for p in taken)
        yield (*steps, *up), tuple(left)


def _mid_lap(sowing: Sowing, way: Direction) -> Iterator[Stopped]:
    """The seeds of the lap about to be sown are in the hand, and none, one or more of them dropped, but not the last."""
    pit, counts, steps = sowing.next, list(sowing.counts), list(sowing.steps or ())
    seeds = sowing.hand or counts[pit]
    if not sowing.hand:
        counts[pit] = 0
        steps.append(Lift(pit, seeds))
    yield tuple(steps), tuple(counts)
    for at in sowing.path(pit, way, seeds)[:-1]:
        counts[at] += 1
        steps.append(Drop(at))
        yield tuple(steps), tuple(counts)

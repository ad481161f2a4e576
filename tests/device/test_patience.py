"""How long is waited for pits that may yet be seen."""

from __future__ import annotations

from device.states import State
from tests.device.players import Played, verdicts


def delay(played: Played) -> float:
    """Seconds from when the last hand had left to the last verdict."""
    said = verdicts(played)[-1]
    return said.t - said.hands_out


def test_a_pit_that_was_never_seen_delays_no_verdict() -> None:
    played = Played()
    played.start()
    rules, position = played.game.playing
    pits = position.board.pits
    move = rules.moves(position).moves[0]
    touched = {p for p in range(pits) if move.position.counts[p] != position.counts[p]}
    dark = next(p for p in reversed(range(pits)) if p not in touched)
    others = [p for p in range(pits) if p != dark]
    played.frames(4.0, seen=others)
    assert played.at(State.WATCHING)
    played.frames(1.0, (0.08, 0.0), seen=others)
    played.counts = list(move.position.counts)
    played.frames(0.2, (0.08, 0.0), seen=others)
    played.frames(3.0, seen=others)
    assert verdicts(played) and delay(played) < 0.5
    played.frames(1.0, (0.0, 0.08), seen=others)
    hers = rules.moves(move.position).moves[0]
    played.counts = list(hers.position.counts)
    played.frames(3.0, seen=[p for p in others if p != hers.pit])
    assert delay(played) > 1.5, "one that was seen before is waited for"

"""How long is waited for a hand that may go on, and for pits that may yet be seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.desk import Pace
from device.judging import AtOnce, Question, Verdict
from device.states import State
from device.verdicts import unsure
from engine.board import Side
from engine.judge.verdict import Explanation
from engine.trace import Drop, Lift
from tests.device.players import Played, begun, simple_judge, stopped_short, verdicts

PACE = Pace()


def delay(played: Played) -> float:
    """Seconds from when the last hand had left to the last verdict."""
    said = verdicts(played)[-1]
    return said.t - said.hands_out


def told(acts: int, doubted: bool) -> AtOnce:
    """A judge to whom every legal move is one of so many seeds, and every other one stopped short, if not in doubt."""
    def weigh(question: Question) -> Verdict:
        verdict = stopped_short(simple_judge(question))
        if verdict.kind == "legal":
            return replace(verdict, trace=(Lift(3, acts), *[Drop(4)] * (acts - 1)))
        if not doubted:
            return verdict
        guess = Explanation("illegal", 0.7, verdict.player, "a", verdict.faults, None)
        return replace(unsure(verdict), best=(guess,), pits=(3,))
    return AtOnce(weigh)


@pytest.mark.parametrize(("acts", "doubted", "least", "most"), [
    (12, True, 0.7, 0.95), (4, True, 1.1, 1.4), (2, True, 1.5, 1.8), (1, True, 1.5, 1.8), (12, False, 1.5, 1.8)])
def test_of_a_hand_that_may_go_on_people_are_asked_in_its_own_time_and_nobody_is_accused(
        acts: int, doubted: bool, least: float, most: float) -> None:
    """So many seeds took 1.7 seconds; of fewer than three nothing is known."""
    played = begun(told(acts, doubted))
    played.play()
    played.play()
    counts = list(played.game.playing[1].counts)
    counts[3] += 1
    played.move(counts, Side.SOUTH, pause=3.0)
    assert verdicts(played)[-1].kind == ("not-sure" if doubted else "illegal")
    assert least < delay(played) < most


def test_no_hand_is_waited_for_longer_than_the_slowest_nor_less_than_any_accusation() -> None:
    assert PACE.pause(None) == PACE.pause(9.0) == PACE.pause_s and PACE.pause(0.01) == PACE.accuse_s


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

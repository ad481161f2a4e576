"""What people order in a game: what it does to a move that is still being judged, and to those judged before."""

from dataclasses import replace

import pytest

from device.journal.events import NewGame, Told, VerdictGiven
from device.journal.game import JudgedMove, PositionChange
from device.table.recount import judged_on
from device.table.verdict_events import verdict_event
from engine.position import Position
from engine.referee.decide import weighed
from engine.referee.observation import Observation
from engine.rules import ruleset
from tests.device.played_table import MIDDLE, Later, Played, verdicts


@pytest.mark.parametrize(("left", "said"), [(False, ["legal"]), (True, [])])
def test_what_is_found_of_a_game_that_people_left_is_not_said(left: bool, said: list[str]) -> None:
    work = Later()
    work.go_on()
    table = Played(work=work)
    table.start(line=MIDDLE)
    table.frames(1.0)
    table.play("b", pause=0.05)
    work.goes_on = False
    table.frames(2.0)
    table.frames(0.6, (0.0, 0.08))
    if left:
        assert table.order(NewGame(game="enkeshui", rules="", board="", position=MIDDLE))
        table.counts = list(Position.parse(MIDDLE).counts)
        table.frames(1.5)
    work.go_on()
    table.frames(1.0)
    assert [verdict.kind for verdict in verdicts(table)] == said


@pytest.mark.parametrize("captured", [(0, 0), (1, 0)])
def test_a_move_that_is_judged_again_may_lay_back_the_one_before(captured: tuple[int, int]) -> None:
    """People count the captured seeds after South's move, which South then takes back. captured: those before the move;
    where they are not as they were, it is judged again, too."""
    rules, before = ruleset("enkeshui"), Position.parse(MIDDLE)
    after = rules.play(before, "b").position
    counted = PositionChange(2, replace(after, captured=(1, 0)), "", Told(key="set.captured"))

    def judged(number: int, start: Position, end: Position, *history: Position) -> JudgedMove:
        found, = weighed(rules, start, Observation.of_counts(end.counts), history)
        body = verdict_event(rules, found.verdict(rules), counts=list(end.counts), hands_in=0.0, hands_out=0.0, t=0.0)
        return JudgedMove(number, body, start, found.after)

    told = judged_on(rules, (judged(1, before, after), counted, judged(3, after, before, before)),
                     replace(before, captured=captured), [])
    assert [body.kind for body in told if isinstance(body, VerdictGiven)] == ["legal", "withdrawn"]

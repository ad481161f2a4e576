"""The table's states: what readings and orders lead to, with no picture anywhere."""

import pytest

from device.journal.events import (
    GameOver,
    GameStarted,
    PositionSet,
)
from device.journal.states import State
from engine.board import Side
from tests.device.played_table import Later, Played, begun, cheat, doubted, verdicts
from vision.reading import BoardView, Lesson, Reading


def test_a_legal_move_is_said_soon_after_the_hands_leave() -> None:
    played = begun()
    _, position = played.game.playing
    played.play()
    (verdict,) = verdicts(played)
    assert verdict.kind == "legal" and verdict.player == "S"
    assert verdict.before == str(position)
    assert verdict.t - verdict.hands_out < 0.5
    assert 1.0 < verdict.hands_out - verdict.hands_in < 2.0
    assert played.game.playing[1].to_move is Side.NORTH and played.at(State.WATCHING)
    assert verdict.steps[0].kind == "lift" and verdict.steps[-1].kind == "end"


def test_a_whole_game_is_followed_to_its_end() -> None:
    played = Played()
    played.start("endodoi")
    played.frames(1)
    for _ in range(300):
        if played.game.over:
            break
        played.play(pause=0.6)
    (over,) = played.said(GameOver)
    assert "-" in over.result
    assert {v.kind for v in verdicts(played)} == {"legal"}
    assert played.at(State.OVER)


def test_what_the_pits_hold_is_told_when_it_becomes_known(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Lesson | None] = []
    played = Played()
    played.start()
    take = played.table.reading

    def reading(of: Reading, view: BoardView | None) -> None:
        take(of, view)
        told.append(played.table.counts_to_teach())
        assert told[-1] is None or not sum(of.hands), "of another picture it would be wrong"
        assert played.table.counts_to_teach() is None, "it is said once"

    monkeypatch.setattr(played.table, "reading", reading)
    played.frames(1)
    before = played.game.playing[1].counts
    played.play()
    assert [t.counts for t in told if t] == [before, played.game.playing[1].counts]


def test_an_accusation_waits_longer_than_a_legal_move() -> None:
    played = begun()
    cheat(played, pause=0.45)
    assert not verdicts(played)
    played.frames(0.8)
    (verdict,) = verdicts(played)
    assert verdict.kind == "illegal"
    assert verdict.faults[0].code == "double" and verdict.faults[0].pit == "d"


def test_a_hand_that_is_not_recognised_is_given_time_before_anybody_is_accused() -> None:
    played = begun()
    played.frames(2)
    counts = list(played.counts)
    counts[2] += 1
    played.frames(1, trouble={"motion": 0.1})
    played.counts = counts
    played.frames(2.2)
    assert not verdicts(played)
    played.frames(0.5, trouble={"motion": 0.1})
    played.frames(4)
    assert [v.kind for v in verdicts(played)] == ["not-sure"], "whose hand it was nobody saw"


def test_the_players_own_hand_coming_back_goes_on_with_the_move() -> None:
    played = begun()
    rules, position = played.game.playing
    move = rules.moves(position).moves[0]
    emptied = list(position.counts)
    emptied[move.pit] = 0  # the seeds are in his hand, and the hand is out of the picture
    played.move(emptied, Side.SOUTH, pause=0.5)
    played.move(move.position.counts, Side.SOUTH)
    assert [(v.kind, v.move) for v in verdicts(played)] == [("legal", move.name)]


def test_the_opponents_hand_ends_a_move_that_was_not_said_yet() -> None:
    played = begun()
    cheat(played, pause=0.5)
    played.frames(0.4, hands=(0.0, 0.08))
    assert [v.kind for v in verdicts(played)] == ["illegal"]
    assert played.at(State.HANDS_IN)


def test_hands_that_change_nothing_are_no_move() -> None:
    played = begun()
    played.move(played.counts, Side.NORTH)
    assert not verdicts(played) and played.at(State.WATCHING)


def test_after_an_illegal_move_the_board_is_taken_as_it_lies() -> None:
    played = begun()
    counts = cheat(played)
    assert played.game.playing[1].counts == counts and played.game.playing[1].to_move is Side.NORTH
    played.play()
    assert [v.kind for v in verdicts(played)] == ["illegal", "legal"]


def test_a_change_with_no_hand_seen_is_weighed_once_it_stays() -> None:
    played = begun()
    rules, position = played.game.playing
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(0.5)
    assert not verdicts(played)
    played.frames(3)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_a_covered_pit_is_waited_for() -> None:
    played = begun()
    rules, position = played.game.playing
    target = rules.moves(position).moves[0].position.counts
    played.frames(1, hands=(0.1, 0.0))
    played.counts = list(target)
    played.frames(1.0, seen=range(3, len(target)))
    assert not verdicts(played)
    played.frames(1.0)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_a_lamp_that_flickers_does_not_hold_a_move_up_for_ever() -> None:
    played = begun()
    rules, position = played.game.playing
    played.frames(1, hands=(0.1, 0.0))
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(5, trouble={"motion": 0.5})
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_something_that_moves_and_is_not_known_for_a_hand_holds_the_judgement_up() -> None:
    played = begun()
    rules, position = played.game.playing
    emptied = list(position.counts)
    emptied[rules.moves(position).moves[0].pit] = 0
    played.move(emptied, Side.SOUTH, pause=0.2)
    played.frames(1.0, trouble={"motion": 0.08})
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(1.0)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_a_hand_that_is_not_recognised_for_long_is_waited_for_but_not_for_ever() -> None:
    played = begun()
    rules, position = played.game.playing
    played.frames(1, hands=(0.1, 0.0))
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(2.5, trouble={"motion": 0.1})
    assert not verdicts(played)
    played.frames(5, trouble={"motion": 0.1})
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_few_frames_are_counted_while_nothing_happens() -> None:
    played = begun()
    before = played.counted
    played.frames(20)
    assert played.counted - before <= 45
    before = played.counted
    played.frames(10, hands=(0.1, 0.0))
    assert 60 <= played.counted - before <= 90


def test_the_next_hands_may_come_while_the_judge_is_weighing() -> None:
    work = Later()
    played = Played(work=work)
    played.start()
    played.frames(1)
    rules, position = played.game.playing
    first = rules.moves(position).moves[0]
    played.move(first.position.counts, Side.SOUTH, pause=0.5)
    assert played.at(State.JUDGING)
    played.frames(1.0, hands=(0.0, 0.08))
    work.go_on()
    played.frames(0.2, hands=(0.0, 0.08))
    assert played.at(State.HANDS_IN)
    second = rules.moves(first.position).moves[0]
    played.counts = list(second.position.counts)
    played.frames(1.0)
    one, two = verdicts(played)
    assert (one.move, two.move) == (first.name, second.name)
    assert two.hands_out - two.hands_in > 1.0, "the hands came in while the first move was weighed"


def test_not_sure_is_said_late_and_answered_once_the_board_reads_plainly() -> None:
    played = begun()
    target = doubted(played, pause=0.5)
    assert not verdicts(played)
    played.frames(2.5)
    (asked,) = verdicts(played)
    assert asked.kind == "not-sure" and asked.pits == ["d", "e"] and not played.game.synced
    played.doubt = {}
    played.frames(4.0)
    answer = verdicts(played)[-1]
    assert (answer.kind, answer.move) == ("legal", "b")
    assert answer.instead_of == next(e.number for e in played.events if e.body is asked)
    now = played.game.playing[1]
    assert played.game.synced and now.counts == target and now.to_move is Side.NORTH and now.total == 48
    played.play()
    assert [v.kind for v in verdicts(played)] == ["not-sure", "legal", "legal"]


def test_a_board_that_is_cleared_after_a_doubt_is_no_position_and_ends_no_game() -> None:
    played = begun()
    setup = played.game.playing[0].setup()
    target = doubted(played, pause=3.0)
    assert [v.kind for v in verdicts(played)] == ["not-sure"]
    played.doubt = {}
    played.move([0] * len(target), Side.NORTH, pause=6.0)
    assert not played.said(PositionSet) and not played.said(GameOver)
    played.move(setup.counts, Side.NORTH, pause=4.0)
    assert played.at(State.WATCHING) and len(played.said(GameStarted)) == 2, "the next game is laid"


def test_more_frames_may_make_sure() -> None:
    played = begun()
    doubted(played, pause=0.4)
    played.doubt = {}
    played.frames(1.6)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_a_hand_that_is_never_recognised_makes_a_move_all_the_same() -> None:
    """Something moves, and when it is still again the board is judged."""
    played = begun()
    rules, position = played.game.playing
    played.frames(1.0, trouble={"motion": 0.1})
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(0.2, trouble={"motion": 0.1})
    played.frames(1.2)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_in_fast_play_what_was_read_between_two_hands_has_to_do() -> None:
    """A pit is still covered when the opponent reaches in: his move is his own all the same."""
    played = begun()
    rules, position = played.game.playing
    first = rules.play(position, "b").position
    second = rules.moves(first).moves[0].position
    open_pits = [p for p in range(position.board.pits) if first.counts[p] == position.counts[p]][1:]
    shown = [p for p in range(position.board.pits) if p != open_pits[0]]
    played.frames(1.0, (0.08, 0.0))
    played.counts = list(first.counts)
    played.frames(0.2, (0.08, 0.0))
    played.frames(0.6, seen=shown)
    played.move(second.counts, first.to_move, seconds=1.0)
    assert [v.player for v in verdicts(played)] == ["S", "N"]
    assert [v.kind for v in verdicts(played)] == ["legal", "legal"]


def test_a_glance_between_two_hands_shows_that_a_move_was_legal() -> None:
    """Two frames: too few to say so, were the next hand not there."""
    played = begun()
    rules, position = played.game.playing
    first = rules.moves(position).moves[0].position
    played.move(first.counts, Side.SOUTH, pause=0.14)
    played.move(rules.moves(first).moves[0].position.counts, Side.NORTH, seconds=1.0)
    said = verdicts(played)
    assert [(v.kind, v.player) for v in said] == [("legal", "S"), ("legal", "N")]
    assert said[0].t - said[0].hands_out < 0.3


def test_a_glance_between_two_hands_accuses_nobody() -> None:
    counts = list(begun().game.playing[1].counts)
    counts[3] += 1
    counts[12] -= 1
    played = begun()
    played.move(counts, Side.SOUTH, pause=0.14)
    played.frames(0.5, (0.0, 0.08))
    assert not verdicts(played) and played.at(State.HANDS_IN)


def test_a_legal_move_is_said_after_three_frames() -> None:
    played = begun()
    played.play(pause=1.0)
    (verdict,) = verdicts(played)
    assert verdict.t - verdict.hands_out < 0.21

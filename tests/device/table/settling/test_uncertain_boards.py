"""Where no verdict says how the board lies: the boards that the next move is judged from, and how carefully."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from device.journal.events import Event, Explained, VerdictGiven
from device.journal.game import Game
from device.journal.states import State
from device.table.orders import game_started
from device.table.parameters import DOUBT
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window, likeliest_board
from device.table.settling.hand_readings import HandReadings
from device.table.settling.judge_worker import Judge, JudgeAtOnce, Question
from device.table.settling.pit_baseline import PitBaseline
from device.table.settling.uncertain_boards import hardly_explained, possible_boards
from engine.board import Side
from engine.judge.verdict import Explanation, Fault, Verdict
from engine.position import Position
from engine.rules import ruleset
from tests.device.played_table import Played, begun, likelihoods, verdicts
from tests.device.told_stays import in_stays
from vision.reading import Reading

RULES = ruleset("endodoi")
BEFORE = RULES.setup(board=RULES.boards[0])
MOVE = RULES.moves(BEFORE).moves[0].position


def unsure(*best: tuple[Position, float]) -> Game:
    """A game whose last verdict was "not sure", among these positions."""
    game = Game()
    game.fold(Event.spoken(1, game_started(RULES, BEFORE, "test")))
    told = [Explained(kind="legal", p=p, position=str(lies)) for lies, p in best]
    game.fold(Event.spoken(2, VerdictGiven(kind="not-sure", player="S", before=str(BEFORE), position=str(BEFORE),
                                           sentence="Look.", best=told)))
    return game


def quiet(counts: tuple[int, ...], doubt: dict[int, int] | None = None, seen: bool = True) -> Window:
    window = Window(len(counts))
    for k in range(3):
        window.add(Reading(k, likelihoods(counts, doubt), np.full(len(counts), seen)))
    return window


def test_what_is_read_is_one_of_the_boards_beside_what_the_verdict_explains() -> None:
    lies = (MOVE.counts[0] + 1, MOVE.counts[1] - 1, *MOVE.counts[2:])
    found = possible_boards(unsure((MOVE, 0.7)), quiet(lies))
    assert [(p.counts, round(odds, 1)) for p, odds in found] == [(MOVE.counts, 0.7), (lies, 0.3)]
    assert sum(odds for _, odds in found) == pytest.approx(1)


def test_of_one_board_that_leaves_it_open_whose_turn_it_is_both_are_kept() -> None:
    """A fault and, much less likely, a legal move with its answer."""
    answered = replace(MOVE, to_move=MOVE.to_move.other, ply=MOVE.ply + 1)
    for told in ((MOVE, 0.9), (answered, 0.1)), ((answered, 0.1), (MOVE, 0.9)):
        found = possible_boards(unsure(*told), quiet(MOVE.counts))
        assert [(p, round(odds, 1)) for p, odds in found] == [(MOVE, 0.9), (answered, 0.1)]
    found = possible_boards(unsure((MOVE, 0.5), (MOVE, 0.4)), quiet(MOVE.counts))
    assert [(p, round(odds, 1)) for p, odds in found] == [(MOVE, 1.0)]


def test_a_pit_in_doubt_makes_a_board_of_each_count() -> None:
    found = possible_boards(unsure(), quiet(MOVE.counts, {2: MOVE.counts[2] + 1}))
    assert found[0][0].counts == MOVE.counts, "seeds do not multiply"
    assert all(p.total <= BEFORE.total for p, _ in found)


def test_where_nearly_all_is_doubtful_or_hidden_nothing_is_taken_from_it() -> None:
    game = unsure((MOVE, 0.1))
    fog = {pit: max(0, n - 1) for pit, n in enumerate(MOVE.counts)}
    assert [p for p, _ in possible_boards(game, quiet(MOVE.counts, fog))] == [MOVE]
    assert possible_boards(game, quiet(MOVE.counts, seen=False)) == game.doubts
    doubtful = quiet(MOVE.counts, {3: MOVE.counts[3] - 1, 5: MOVE.counts[5] - 1})
    assert len(possible_boards(unsure(), doubtful)) <= DOUBT.most_boards


def test_what_hardly_anything_speaks_for_is_not_sure_since_nothing_else_is_known() -> None:
    """A board that was explained with odds of one in ten, and what else lies there is not to be read."""
    fog = quiet(MOVE.counts, {pit: max(0, n - 1) for pit, n in enumerate(MOVE.counts)})
    for odds, hardly in ((0.1, True), (0.6, False)):
        game = unsure((MOVE, odds))
        assert hardly_explained(game, possible_boards(game, fog)) is hardly
        assert hardly_explained(game, ()) is hardly
    game = unsure((MOVE, 0.1))
    read = quiet((MOVE.counts[0] + 1, MOVE.counts[1] - 1, *MOVE.counts[2:]))
    assert not hardly_explained(game, possible_boards(game, read))


@pytest.mark.parametrize(("odds", "said"), [(0.1, "not-sure"), (0.9, "illegal")])
def test_nobody_is_accused_from_a_board_that_hardly_anything_speaks_for(odds: float, said: str) -> None:
    def judge(question: Question) -> Verdict:
        mover = question.before.to_move
        if question.doubts:
            before = question.doubts[0][0]
            lies = before.with_counts(tuple(question.evidence.loglik.argmax(axis=1).tolist()))
            return Verdict("illegal", before, lies, mover.other, "a", faults=(Fault("double", 3),), confidence=0.999)
        rules, before = question.rules, question.before
        told = Explanation("illegal", odds, mover, "a", (Fault("double", 3),), rules.moves(before).moves[1].position)
        return Verdict("not-sure", before, before, mover, best=(told,), pits=(3,))

    played = begun(JudgeAtOnce(judge))
    first = played.game.playing[0].moves(played.game.playing[1]).moves[0].position
    played.doubt = {pit: max(0, n - 1) for pit, n in enumerate(first.counts)}
    played.move(first.counts, Side.SOUTH, pause=1.1)
    odd = [n + (pit == 5) - (pit == 6) for pit, n in enumerate(first.counts)]
    played.move(odd, Side.NORTH, pause=3.0)
    assert [v.kind for v in verdicts(played)] == ["not-sure", said]


def test_a_seed_too_many_that_is_clearly_read_was_smuggled() -> None:
    more = (BEFORE.counts[0] + 1, *BEFORE.counts[1:])
    found = possible_boards(unsure((MOVE, 0.0001)), quiet(more))
    assert [(p.counts, p.captured, round(odds, 2)) for p, odds in found] == [(more, (0, 0), 1.0)]
    assert likeliest_board(quiet(more), BEFORE.total) == more
    assert likeliest_board(quiet(more, {0: BEFORE.counts[0]}), BEFORE.total) == BEFORE.counts, "seeds hardly multiply"
    assert likeliest_board(quiet((more[0] + 2, *more[1:])), BEFORE.total) is None


def lost(played: Played, judge: Judge) -> Position:
    """South has moved, nobody is sure how, and one pit reads with doubt; the position after it. From now on `judge`
    is asked."""
    played.ask_from_now_on(judge)
    rules, position = played.game.playing
    first = rules.moves(position).moves[0].position
    played.doubt = {5: first.counts[5] - 1}
    played.move(first.counts, Side.SOUTH, pause=1.1)
    assert [v.kind for v in verdicts(played)] == ["not-sure"] and not played.game.synced
    return replace(first, to_move=Side.NORTH)


def answering(question: Question) -> Verdict:
    """Not sure of the first move; then the legal move that leads to what is read, but for c maybe, from any of the
    boards that may lie there; else a fault."""
    mover = question.before.to_move
    if not question.doubts:
        guess = Explanation("illegal", 0.9, mover, "a", (Fault("double", 3),), None)
        return Verdict("not-sure", question.before, question.before, mover, best=(guess,), pits=(3,))
    read = tuple(question.evidence.loglik.argmax(axis=1).tolist())
    for before, _ in question.doubts:
        for move in question.rules.moves(before).moves:
            if {p for p, n in enumerate(move.position.counts) if n != read[p]} <= {2}:
                return Verdict("legal", before, move.position, before.to_move, move.name, confidence=0.999)
    before = question.doubts[0][0]
    return Verdict("illegal", before, before.with_counts(read), before.to_move, "a", faults=(Fault("double", 3),),
                   confidence=0.999)


def test_nobody_is_accused_from_a_board_that_was_only_read() -> None:
    played = begun()
    first = lost(played, JudgeAtOnce(answering))
    odd = list(first.counts)
    odd[3], odd[12] = odd[3] + 3, odd[12] - 3
    played.move(odd, Side.NORTH, pause=2.5)
    assert [v.kind for v in verdicts(played)] == ["not-sure", "not-sure"]


@pytest.mark.parametrize(("again", "said"), [(False, "illegal"), (True, "not-sure")])
def test_nobody_is_accused_after_a_second_doubt_on_end(again: bool, said: str) -> None:
    play = begun().table._play
    knowledge, move = play._knowledge, Disturbance(0.0, 1.0, Window(MOVE.board.pits), HandReadings())
    play._context.game, knowledge.uncertain = unsure((MOVE, 0.7)), again  # as a doubt before it leaves it
    after = MOVE.with_counts((MOVE.counts[0] + 1, *MOVE.counts[1:]))
    verdict = Verdict("illegal", MOVE, after, Side.NORTH, "a", faults=(Fault("double", 3),), confidence=0.999)
    assert knowledge.careful(verdict, move).kind == said


@pytest.mark.parametrize("fits", [True, False])
def test_a_legal_move_makes_an_uncertain_board_known_only_where_no_pit_reads_otherwise(fits: bool) -> None:
    played = begun()
    rules, position = played.game.playing
    move = rules.moves(position).moves[0]
    played.ask_from_now_on(JudgeAtOnce(lambda _: Verdict(
        "legal", position, move.position, Side.SOUTH, move.name, move.trace, confidence=0.999)))
    played.table._play._knowledge.uncertain = True
    read = list(move.position.counts)
    pit = max(p for p, n in enumerate(read) if n)
    read[pit] -= not fits
    played.move(read, Side.SOUTH, pause=0.4)
    assert [v.kind for v in verdicts(played)] == ["legal"]
    assert played.table._play._knowledge.uncertain is not fits


def test_what_nobody_touched_holds_what_it_held_whatever_is_read() -> None:
    game, lies = unsure(), [*MOVE.counts]
    still = np.zeros(len(lies), np.int64)
    shaded = still + (np.arange(len(lies)) < 4)  # by a hand that is about to come
    read = [n + 1 if k < 2 else n for k, n in enumerate(lies)]
    for known, found in ((MOVE.counts, lies), ([-1] * len(lies), read)):
        window = Window(len(lies), baseline=PitBaseline.of(still, known))
        window.add(in_stays(Reading(0, likelihoods(tuple(read)), np.ones(len(lies), np.bool_)), shaded))
        (best, _), *_ = possible_boards(game, window)
        assert [*best.counts] == found


def test_a_move_made_from_a_board_that_was_only_read_is_known() -> None:
    played = begun()
    first = lost(played, JudgeAtOnce(answering))
    second = played.game.playing[0].moves(first).moves[0]
    played.doubt = {}
    played.move(second.position.counts, Side.NORTH, pause=1.0)
    assert [(v.kind, v.move) for v in verdicts(played)][1:] == [("legal", second.name)]


@pytest.mark.parametrize(("other", "said"), [("unchanged", 1), ("tampered", 2)])
def test_a_hand_that_points_after_a_doubt_is_nobodys_move(other: str, said: int) -> None:
    def judge(question: Question) -> Verdict:
        if not question.doubts:
            return answering(question)
        one, two = (Explanation(kind, p, position=question.before) for kind, p in (("unchanged", 0.6), (other, 0.36)))
        return Verdict("not-sure", question.before, question.before, best=(one, two), pits=(5,))

    played = begun()
    first = lost(played, JudgeAtOnce(judge))
    played.move(first.counts, Side.SOUTH, pause=2.5)
    assert len(verdicts(played)) == said


def test_where_only_a_count_is_in_doubt_people_are_asked_at_once() -> None:
    def asks(*faults: Fault) -> float:
        def judge(question: Question) -> Verdict:
            guess = Explanation("illegal", 0.6, question.before.to_move, "a", faults, None)
            return Verdict("not-sure", question.before, question.before, question.before.to_move, best=(guess,),
                           pits=(3,))
        played = begun(JudgeAtOnce(judge))
        rules, position = played.game.playing
        played.move(rules.moves(position).moves[0].position.counts, Side.SOUTH, pause=3.0)
        (verdict,) = verdicts(played)
        return verdict.t - verdict.hands_out

    assert asks(Fault("double", 3)) < 1.0 < 1.5 < asks(Fault("stopped-short", 3))


def test_what_lies_still_where_a_hand_was_is_no_hand_come_back() -> None:
    played = begun()
    rules, position = played.game.playing
    played.frames(1.5, (0.1, 0.0))
    played.counts = list(rules.moves(position).moves[0].position.counts)
    played.frames(0.2, (0.1, 0.0))
    played.frames(0.07)
    assert played.at(State.SETTLING)
    played.frames(0.07, (0.1, 0.0), trouble={"motion": 0.002})
    assert played.at(State.SETTLING)
    played.frames(0.4, (0.1, 0.0), trouble={"motion": 0.002})
    assert played.at(State.HANDS_IN), "it stays"

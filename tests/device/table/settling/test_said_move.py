"""A move that was spoken of too early, and the same hand going on with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from device.journal.events import VerdictKind
from device.table.play import Play
from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window
from device.table.settling.hand_readings import HandReadings
from device.table.settling.judge_worker import JudgeAtOnce, Question, Verdict
from device.table.settling.pit_baseline import PitBaseline
from device.table.settling.said_move import SaidMove
from engine.board import Side
from engine.judge import search
from engine.judge.faults import Work
from engine.judge.parameters import EFFORT
from engine.judge.verdict import Explanation, Fault
from engine.position import Position
from engine.rules import ruleset
from tests.device.played_table import Played, begun, simple_judge, stopped_short, verdicts
from tests.device.told_stays import in_stays
from vision.reading import COUNTS, Reading

Cells = NDArray[np.float32]


def short(question: Question) -> Verdict:
    """A board on which few pits lie otherwise is that of a move that stopped short."""
    verdict = simple_judge(question)
    few = sum(a != b for a, b in zip(question.before.counts, verdict.position.counts, strict=True)) < 4
    return stopped_short(verdict) if few else verdict


def stopped() -> tuple[Played, Position, Position]:
    """South was said to have stopped short; the position before, and the one that the whole move leaves."""
    played = begun(JudgeAtOnce(short))
    rules, before = played.game.playing
    move = rules.moves(before).moves[0]
    half = list(before.counts)
    half[move.pit] = 0
    played.move(half, Side.SOUTH, pause=5.0)
    assert [v.kind for v in verdicts(played)] == ["illegal"]
    return played, before, move.position


def test_the_same_hand_going_on_makes_one_legal_move_of_it() -> None:
    played, before, after = stopped()
    first = next(e.number for e in played.events if e.body is verdicts(played)[0])
    played.move(after.counts, Side.SOUTH)
    said = verdicts(played)[-1]
    assert (said.kind, said.answers, said.before, said.hands_in) == (
        "legal", first, str(before), verdicts(played)[0].hands_in)
    assert played.game.position == after and played.game.history == [before]
    assert [m.number for m in played.game.moves] == [played.events[-1].number]
    played.play()
    assert [v.kind for v in verdicts(played)] == ["illegal", "legal", "legal"]


def again(counts: tuple[int, ...] | list[int]) -> list[int]:
    """One seed further on, and still not at an end."""
    at = next(p for p in range(2, len(counts)) if counts[p] and counts[p - 1])
    return [n + (p == at - 1) - (p == at) for p, n in enumerate(counts)]


@pytest.mark.parametrize(("misfit", "goes_on"), [(0.0, True), (10.0, False)])
def test_how_badly_the_board_was_read_in_between_speaks_for_neither_account(misfit: float, goes_on: bool) -> None:
    before = ruleset("enkeshui").setup()
    said, as_one, alone = (Verdict("legal", before, before, evidence=nats) for nats in (-14.0, -8.0, -2.0))
    move = Disturbance(0.0, 0.0, Window(16), HandReadings())
    last = SaidMove(1, replace(said, misfit=misfit), move, before, ())
    assert last.goes_on(as_one, alone) is goes_on


@pytest.mark.parametrize(("else_nats", "goes_on"), [(0.0, True), (5.0, False)])
def test_something_else_does_not_say_that_two_visits_were_one_move(else_nats: float, goes_on: bool) -> None:
    before = ruleset("enkeshui").setup()
    said, as_one, alone = (Verdict("not-sure", before, before, evidence=nats) for nats in (-14.0, -8.0, -2.0))
    last = SaidMove(1, said, Disturbance(0.0, 0.0, Window(16), HandReadings()), before, ())
    assert last.goes_on(replace(as_one, else_nats=else_nats), alone) is goes_on


def test_a_hand_that_goes_on_and_rests_again_made_no_second_move() -> None:
    played, before, after = stopped()
    first = next(e.number for e in played.events if e.body is verdicts(played)[0])
    further = again(played.counts)
    played.move(further, Side.SOUTH, pause=2.0)
    assert len(verdicts(played)) == 1, "it may yet go on"
    played.move(after.counts, Side.SOUTH)
    assert [(v.kind, v.answers) for v in verdicts(played)[1:]] == [("legal", first)]
    assert played.game.position == after and played.game.history == [before]


def test_a_move_that_is_left_undone_twice_is_one_fault() -> None:
    played, before, _ = stopped()
    first = next(e.number for e in played.events if e.body is verdicts(played)[0])
    further = again(played.counts)
    played.move(further, Side.SOUTH, pause=5.0)
    assert [(v.kind, v.before, v.answers) for v in verdicts(played)] == [
        ("illegal", str(before), 0), ("illegal", str(before), first)]
    assert played.game.position is not None and played.game.position.counts == tuple(further)
    assert played.game.history == [before] and len(played.game.moves) == 1
    played.play()
    assert verdicts(played)[-1].kind == "legal" and not verdicts(played)[-1].answers


def test_the_other_sides_hand_makes_a_move_of_its_own() -> None:
    played, before, after = stopped()
    played.move(after.counts, Side.NORTH, pause=5.0)
    assert verdicts(played)[-1].answers == 0 and verdicts(played)[-1].before != str(before)


@pytest.mark.parametrize(("evidence", "one"), [(-19.0, True), (-21.0, False)])
def test_one_move_or_two_whichever_is_likelier_is_told(evidence: float, one: bool) -> None:
    """The fault that was said has -12 nats, that of the later visit by itself -12, and a hand seldom goes on."""
    def weigh(question: Question) -> Verdict:
        verdict = short(question)
        both = question.before == before and "stopped-short" not in {f.code for f in verdict.faults}
        return replace(verdict, evidence=evidence) if both else verdict

    played, before, after = stopped()
    played.ask_from_now_on(JudgeAtOnce(weigh))
    counts = list(after.counts)
    counts[0], counts[1] = counts[0] + 1, counts[1] + 1
    played.move(counts, Side.SOUTH, pause=5.0)
    said = verdicts(played)[-1]
    assert (said.answers == number_of(played, 0), said.before == str(before)) == (one, one)


def test_a_fault_that_the_same_hand_puts_right_is_taken_back() -> None:
    played = begun()
    rules, before = played.game.playing
    counts = list(before.counts)
    counts[0] += 1
    played.move(counts, Side.SOUTH, pause=2.5)
    assert [f.code for f in verdicts(played)[0].faults] == ["double"]
    played.move(rules.moves(before).moves[0].position.counts, Side.SOUTH)
    assert [(v.kind, v.answers) for v in verdicts(played)[1:]] == [("legal", number_of(played, 0))]


def doubting(question: Question) -> Verdict:
    """Not sure of any board that is no legal move's."""
    verdict = simple_judge(question)
    if verdict.kind != "illegal":
        return verdict
    fault = (Fault("palmed", 3, 0, 1),)
    guess = Explanation("illegal", 0.7, verdict.player, "a", fault, question.before)
    return replace(verdict, kind="not-sure", position=question.before, move=None, faults=(), best=(guess,), pits=(3,))


def test_what_was_not_sure_is_once_the_hand_has_gone_on() -> None:
    played = begun(JudgeAtOnce(doubting))
    rules, before = played.game.playing
    move = rules.moves(before).moves[0]
    half = list(before.counts)
    half[move.pit] = 0
    played.move(half, Side.SOUTH, pause=1.7)
    assert [v.kind for v in verdicts(played)] == ["not-sure"]
    played.move(move.position.counts, Side.SOUTH)
    assert [(v.kind, bool(v.answers)) for v in verdicts(played)] == [("not-sure", False), ("legal", True)]
    assert played.game.position == move.position and played.game.synced


def test_a_ruling_ends_what_might_have_gone_on() -> None:
    played, before, after = stopped()
    play: Play = played.table._play
    play.reset()
    played.move(after.counts, Side.SOUTH)
    assert all(v.before != str(before) for v in verdicts(played)[1:])


def test_seeds_that_are_missing_are_waited_for_before_it_is_called_tampering() -> None:
    """With a hand about: they may be in it."""
    def tampered(question: Question) -> Verdict:
        verdict = simple_judge(question)
        if verdict.kind != "illegal":
            return verdict
        lies = question.before.with_counts(verdict.position.counts)
        return replace(verdict, kind="tampered", player=None, move=None, position=lies,
                       faults=(Fault("tampered", 3, 0, 1),))

    for laid, said in ((1, 1), (0, 0)):
        played = begun(JudgeAtOnce(tampered))
        counts = list(played.counts)
        one, other = [p for p, n in enumerate(counts) if n][:2]
        counts[one], counts[other] = counts[one] - 1, counts[other] + laid
        played.move(counts, Side.SOUTH, pause=1.2)
        assert len(verdicts(played)) == said


def test_what_looks_otherwise_since_the_first_part_is_held_against_the_board_before_it() -> None:
    """A pit that was sown into before the pause, and lies still since, has changed all the same."""
    def looking(kept: PitBaseline, now: tuple[int, ...]) -> Disturbance:
        window = Window(3, touched=True, baseline=kept)
        window.add(in_stays(Reading(0, np.zeros((3, COUNTS), np.float32), np.ones(3, bool)), now))
        return Disturbance(0.0, 1.0, window, HandReadings(), south=0.1)

    empty, sown, more, counts = (0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)
    first = looking(PitBaseline.of(np.array(empty), counts), sown)
    later = looking(PitBaseline.of(np.array(sown), counts), more)
    both, alone = first.with_(later).evidence.touched, later.evidence.touched
    assert both is not None and np.sign(both).tolist() == [1, 1, -1]
    assert alone is not None and np.sign(alone).tolist() == [-1, 1, -1]


def number_of(played: Played, k: int) -> int:
    """Of the event that holds the k-th verdict."""
    return next(e.number for e in played.events if e.body is verdicts(played)[k])


@pytest.mark.parametrize("by", [1, -2])
def test_seeds_that_come_or_go_after_a_legal_move_are_no_part_of_it(by: int) -> None:
    played = begun(JudgeAtOnce())
    played.play()
    board, after = played.game.playing[1].board, list(played.counts)
    pit = max(range(len(after)), key=after.__getitem__)
    after[pit] += by
    played.move(after, Side.SOUTH, pause=3.0)
    said = verdicts(played)[-1]
    assert [v.kind for v in verdicts(played)] == ["legal", "tampered"]
    assert [(f.code, f.pit, f.n) for f in said.faults] == [("tampered", board.name(pit), abs(by))]
    assert (said.before, said.answers) == (verdicts(played)[0].position, 0)
    assert played.game.playing[1].counts == tuple(after) and played.game.playing[1].to_move is Side.NORTH
    played.play()
    assert verdicts(played)[-1].kind == "legal"


def test_all_of_an_opponents_pit_that_is_taken_after_a_legal_move_is_tampered_with() -> None:
    played = begun(JudgeAtOnce())
    played.play()
    board, after = played.game.playing[1].board, list(played.counts)
    pit = max(board.own(Side.NORTH), key=after.__getitem__)
    taken, after[pit] = after[pit], 0
    played.move(after, Side.SOUTH, pause=3.0)
    said = verdicts(played)[-1]
    assert [v.kind for v in verdicts(played)] == ["legal", "tampered"]
    assert [(f.code, f.pit, f.n) for f in said.faults] == [("tampered", board.name(pit), taken)]


def test_a_move_that_was_at_its_end_and_is_gone_on_with_after_a_rest_ran_on() -> None:
    """Its last seed fell into a pit of the opponent's, who else may seem to have lifted it, with a hand that was not
    there."""
    played = begun(JudgeAtOnce())
    rules, before = played.game.playing
    runs = next(
        c
        for c in search.faulty_moves(rules, before, Work(EFFORT.fault_laps))
        if c.fault
        and c.fault.code == "ran-on"
        and c.fault.pit is not None
        and before.board.owner(c.fault.pit) is Side.NORTH
    )
    assert runs.move is not None
    legal = rules.play(before, runs.move)
    played.move(legal.position.counts, Side.SOUTH, pause=1.0)
    played.move(runs.counts, Side.SOUTH, pause=3.0)
    said = verdicts(played)[-1]
    assert [(v.kind, v.player, v.move) for v in verdicts(played)] == [
        ("legal", "S", runs.move), ("illegal", "S", runs.move)]
    assert ([f.code for f in said.faults], said.answers) == (["ran-on"], number_of(played, 0))


def test_where_it_was_not_known_how_the_board_lay_nobody_is_accused_of_seeds_that_come() -> None:
    played = begun(JudgeAtOnce())
    played.play()
    play: Play = played.table._play
    play._knowledge.uncertain = True
    after = list(played.counts)
    after[max(range(len(after)), key=after.__getitem__)] += 1
    played.move(after, Side.SOUTH, pause=3.0)
    assert [v.kind for v in verdicts(played)] == ["legal", "not-sure"]


def test_seeds_that_come_by_the_other_sides_hand_are_not_the_movers_doing() -> None:
    played = begun(JudgeAtOnce())
    played.play()
    after = list(played.counts)
    after[max(range(len(after)), key=after.__getitem__)] += 1
    played.move(after, Side.NORTH, pause=5.0)
    assert [(v.kind, bool(v.answers)) for v in verdicts(played)] in (
        [("legal", False), ("tampered", False)], [("legal", False), ("not-sure", False)])


def lying(before: Position, **counts: int) -> list[int]:
    """Its seeds, pit by pit, but for those that are named."""
    named = {before.board.pit(name): n for name, n in counts.items()}
    return [named.get(pit, n) for pit, n in enumerate(before.counts)]


def by_laps(kind: VerdictKind) -> tuple[Played, Position, list[int], list[int]]:
    """South has just moved; the board then, that after the first lap of one more move of his, of which the judge says
    `kind`, and that after the whole of it. The lap of one seed looks like a seed that was nudged, and what follows like
    a move of the other side's."""
    start = "0,3,0,4n,4,1,5n,0,1,5s,0,1/1,1,0,2,5s,1,2,0,5s,1,1,1 S 0-4 ply=6"
    moves = ruleset("enkeshui", "wikipedia").moves(Position.parse(start)).moves
    before = next(move.position for move in moves if move.name == "b")
    lap, end = lying(before, l=0, A=2), lying(before, l=0, A=0, B=1, C=6)

    def judge(question: Question) -> Verdict:
        counts = question.evidence.loglik.argmax(axis=1).tolist()
        verdict = simple_judge(question)
        if counts == lap:
            return replace(verdict, kind=kind, player=None, move=None, position=before.with_counts(tuple(lap)))
        if question.before == before and counts == end:
            turn = Fault("out-of-turn", before.board.pit("l"), 0, 0)
            return replace(verdict, kind="illegal", player=Side.SOUTH, move="l", faults=(turn,))
        return verdict

    played = begun(JudgeAtOnce(judge), start, "wikipedia")
    played.move(before.counts, Side.SOUTH)
    assert [v.kind for v in verdicts(played)] == ["legal"]
    return played, before, lap, end


def test_a_move_out_of_turn_that_rests_between_its_laps_is_one_once_it_has_gone_on() -> None:
    played, before, lap, end = by_laps("tampered")
    played.move(lap, Side.SOUTH, pause=4.5)
    assert [v.kind for v in verdicts(played)] == ["legal", "tampered"]
    played.move(end, Side.SOUTH, pause=3.0)
    said = verdicts(played)[-1]
    assert [v.kind for v in verdicts(played)] == ["legal", "tampered", "illegal"]
    assert (said.player, said.move, [f.code for f in said.faults]) == ("S", "l", ["out-of-turn"])
    assert said.answers == number_of(played, 1) and said.before == str(before)


@pytest.mark.parametrize("kind", ["tampered", "not-sure"])
def test_a_move_out_of_turn_that_rests_between_its_laps_is_waited_for(kind: VerdictKind) -> None:
    played, _, lap, end = by_laps(kind)
    played.move(lap, Side.SOUTH, pause=3.0)
    played.move(end, Side.SOUTH, pause=3.0)
    assert [(v.kind, v.move) for v in verdicts(played)] == [("legal", "b"), ("illegal", "l")]


@pytest.mark.parametrize(("likeliest", "says"), [("else", ["not-sure", "illegal"]), ("legal", ["not-sure"] * 2)])
def test_a_fault_before_a_rest_is_named_once_the_hand_has_gone_on(likeliest: str, says: list[str]) -> None:
    """Of the middle of a faulty move nobody can say what it is; but where it might have been some legal move that was
    misread, the hand may as well have made another one after it."""
    before = begun().game.position
    assert before is not None
    middle, end = again(before.counts), again(again(before.counts))
    elsewhere = before.with_counts(tuple(middle))

    def judge(question: Question) -> Verdict:
        counts = question.evidence.loglik.argmax(axis=1).tolist()
        verdict = simple_judge(question)
        if counts == middle:
            return Verdict("not-sure", before, before, best=(Explanation(likeliest, 0.98, None, None, (), elsewhere),),
                           pits=(0,), evidence=-12.0 if likeliest == "else" else -3.0)
        known = question.before == before and not question.doubts
        return verdict if known else replace(verdict, kind="not-sure", player=None)

    played = begun(JudgeAtOnce(judge))
    played.move(middle, Side.SOUTH, pause=0.1)
    while not verdicts(played):
        played.frames(0.1)
    assert [v.kind for v in verdicts(played)] == says[:1]
    played.move(end, Side.SOUTH, pause=4.5)
    said = verdicts(played)
    assert [v.kind for v in said] == says
    if says[1] == "illegal":
        assert (said[1].player, said[1].before, said[1].answers) == ("S", str(before), number_of(played, 0))


def test_at_the_end_of_a_recording_an_accusation_that_was_not_said_yet_is_a_doubt() -> None:
    """Something has stirred since: what lies there now nobody has read."""
    played = begun()
    counts = list(played.counts)
    counts[0] += 1
    played.move(counts, Side.SOUTH, pause=0.6)
    assert not verdicts(played)
    played.frames(0.1, trouble={"motion": 0.5})
    played.table.finish()
    assert [v.kind for v in verdicts(played)] == ["not-sure"]

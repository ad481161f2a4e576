"""A hand that comes back at once: it may go on with its move, or make a second one that it has no right to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from device.table.settling.disturbance import Disturbance
from device.table.settling.evidence_window import Window
from device.table.settling.hand_readings import HandReadings
from device.table.settling.judge_worker import JudgeAtOnce, Question, Verdict
from device.table.settling.pit_baseline import PitBaseline
from device.table.settling.said_move import held_back
from engine.board import Side
from engine.judge.verdict import Explanation, Fault
from engine.position import Position
from engine.rules import ruleset
from tests.device.played_table import Played, begun, likelihoods, simple_judge, verdicts
from tests.device.told_stays import in_stays
from vision.reading import COUNTS, Reading

GLANCE = 0.15
"""Seconds between two visits that are too short to look well."""
MOMENT = 0.6
"""Seconds between two visits that are too short for an accusation."""
TWICE = Fault("double-move", 2, 0, 0)


def ends(position: Position) -> tuple[Position, Position]:
    """What two legal moves leave."""
    rules = ruleset("enkeshui")
    one, other = (m.position for m in rules.moves(position).moves[:2])
    return one, other


def test_a_move_that_a_glance_shows_at_its_end_is_said_although_the_same_hand_comes_back() -> None:
    played = begun()
    _, before = played.game.playing
    first, _ = ends(before)
    second = list(first.counts)
    second[0] += 1
    played.move(first.counts, Side.SOUTH, pause=GLANCE)
    played.move(second, Side.SOUTH, pause=2.5)
    said = verdicts(played)
    assert (said[0].kind, said[0].position, said[1].before) == ("legal", str(first), str(first))
    assert said[0].hands_out < said[1].hands_in


def test_a_hand_that_comes_back_in_the_middle_of_its_move_goes_on_with_it() -> None:
    played = begun()
    _, before = played.game.playing
    first, _ = ends(before)
    middle = list(first.counts)
    middle[0] += 1
    middle[1] -= 1
    played.move(middle, Side.SOUTH, pause=GLANCE)
    played.move(first.counts, Side.SOUTH, pause=2.5)
    assert [(v.kind, v.before, v.position) for v in verdicts(played)] == [("legal", str(before), str(first))]


def shown(counts: tuple[int, ...] | list[int]) -> Window:
    window = Window(len(counts), touched=True)
    window.add(Reading(0, likelihoods(counts), np.ones(len(counts), bool)))
    return window


@pytest.mark.parametrize("pause", [GLANCE, 1.5])
def test_a_legal_move_that_was_no_more_than_the_first_laps_of_another_is_taken_back(pause: float) -> None:
    played = begun()
    _, before = played.game.playing
    first, whole = ends(before)
    played.move(first.counts, Side.SOUTH, pause=pause)
    played.move(whole.counts, Side.SOUTH, pause=2.5)
    said = verdicts(played)
    number = next(e.number for e in played.events if e.body is said[0])
    assert [(v.kind, v.before, v.position, v.answers) for v in said] == [
        ("legal", str(before), str(first), 0), ("legal", str(before), str(whole), number)]
    assert played.game.position == whole and played.game.history == [before]


def test_the_other_sides_answer_takes_no_legal_move_back() -> None:
    played = begun()
    _, before = played.game.playing
    first, whole = ends(before)
    played.move(first.counts, Side.SOUTH)
    played.move(whole.counts, Side.NORTH, pause=2.5)
    assert verdicts(played)[1].before == str(first) and not verdicts(played)[1].answers


def accusing(question: Question) -> Verdict:
    """Of a board that no legal move leaves: that a seed vanished from it; from there on, that a move was out of turn;
    and of both together that one side moved twice, though not surely."""
    verdict = simple_judge(question)
    if verdict.kind != "illegal":
        return verdict
    moved = sum(a != b for a, b in zip(question.before.counts, verdict.position.counts, strict=True))
    if question.before.to_move is Side.NORTH:
        return replace(verdict, faults=(Fault("out-of-turn", 2, 0, 0),))
    if moved < 3:
        return replace(verdict, faults=(Fault("palmed", 5, 0, 1),))
    best = (Explanation("illegal", 0.99, verdict.player, "a", (TWICE,), verdict.position),)
    return replace(verdict, kind="not-sure", position=question.before, move=None, faults=(), best=best, pits=(3,))


def slighted(played: Played) -> tuple[list[int], list[int]]:
    """A board with a seed too few, and then one that a second move leaves from it."""
    counts = list(played.counts)
    full = [p for p, n in enumerate(counts) if n > 2]
    first, second = list(counts), list(counts)
    first[full[0]] -= 1
    second[full[0]] -= 1
    for pit in full[1:4]:
        second[pit] -= 1
    return first, second


def test_what_the_same_hand_mends_accuses_nobody() -> None:
    played = begun(JudgeAtOnce(accusing))
    first, _ = slighted(played)
    whole, _ = ends(played.game.playing[1])
    played.move(first, Side.SOUTH, pause=MOMENT)
    played.move(whole.counts, Side.SOUTH, pause=2.5)
    assert [v.kind for v in verdicts(played)] == ["legal"]


def test_one_fault_in_two_visits_stays_one() -> None:
    """As before: nothing says that there were two moves."""
    def palmed(question: Question) -> Verdict:
        verdict = simple_judge(question)
        return verdict if verdict.kind != "illegal" else replace(verdict, faults=(Fault("palmed", 5, 0, 1),))

    played = begun(JudgeAtOnce(palmed))
    first, second = slighted(played)
    played.move(first, Side.SOUTH, pause=MOMENT)
    played.move(second, Side.SOUTH, pause=2.5)
    assert [v.hands_in < 3.0 for v in verdicts(played)] == [True]
    played.play()
    assert [v.kind for v in verdicts(played)] == ["illegal", "legal"]


@pytest.mark.parametrize(("pause", "twice"), [(GLANCE, True), (1.5, False)])
def test_a_hand_that_comes_back_after_a_legal_move_and_does_wrong_is_accused(pause: float, twice: bool) -> None:
    played = begun()
    _, before = played.game.playing
    first, _ = ends(before)
    second = list(first.counts)
    second[0] += 1

    def weigh(question: Question) -> Verdict:
        verdict = simple_judge(question)
        both = twice and question.before == before and verdict.kind == "illegal"
        return replace(verdict, faults=(TWICE,)) if both else verdict

    played = begun(JudgeAtOnce(weigh))
    played.move(first.counts, Side.SOUTH, pause=pause)
    played.move(second, Side.SOUTH, pause=2.5)
    assert [v.kind for v in verdicts(played)] == ["legal", "illegal"]


def test_two_visits_looks_are_held_against_the_board_before_the_first() -> None:
    def looking(kept: PitBaseline, stays: tuple[int, ...]) -> Disturbance:
        window = Window(3, touched=True, baseline=kept)
        window.add(in_stays(Reading(0, np.zeros((3, COUNTS), np.float32), np.ones(3, bool)), stays))
        return Disturbance(0.0, 1.0, window, HandReadings(), south=0.1)

    empty, sown = (PitBaseline.of(np.array(stays), (1, 1, 1)) for stays in ((0, 0, 0), (1, 0, 0)))
    first, later = looking(empty, (1, 0, 0)), looking(sown, (0, 0, 0))
    assert told(first) == [True, False, False] and told(later) == [True, False, False]
    assert told(first.with_(later)) == [False, False, False], "the seed was laid back"
    assert told(later) == [True, False, False], "what was joined is not changed"


def told(move: Disturbance) -> list[bool]:
    touched = move.evidence.touched
    assert touched is not None
    return [bool(odds > 0) for odds in touched]


def test_what_lay_before_a_move_that_is_taken_back_twice_is_no_history_of_it() -> None:
    asked: list[Question] = []

    def weigh(question: Question) -> Verdict:
        asked.append(question)
        return simple_judge(question)

    played = begun(JudgeAtOnce(weigh))
    rules, before = played.game.playing
    for move in rules.moves(before).moves[:3]:
        played.move(move.position.counts, Side.SOUTH)
    assert [bool(v.answers) for v in verdicts(played)] == [False, True, True]
    assert all(before not in q.history for q in asked if q.before == before)


def test_what_was_about_to_be_said_is_forgotten_once_the_board_is_laid_back() -> None:
    played = begun(JudgeAtOnce(accusing))
    first, _ = slighted(played)
    before = list(played.counts)
    played.move(first, Side.SOUTH, pause=MOMENT)
    played.move(before, Side.SOUTH)
    began = played.t
    played.play()
    assert [(v.kind, v.hands_in > began) for v in verdicts(played)] == [("legal", True)]


# ---- a hand that comes back before the verdict was said ----------------------------------------------------------

LAID = "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"
"""South is to move."""


def wrong_ways(played: Played) -> tuple[list[int], list[int]]:
    """South's c sown to the left, against the rules, and then a move of South's out of turn from there; the boards."""
    rules, before = played.game.playing
    first = list(before.counts)
    first[2], first[1] = 0, first[1] + first[2]
    lies = before.with_counts(tuple(first))
    second = max(rules.moves(lies, Side.SOUTH).moves, key=lambda move: len(move.trace))
    return first, list(second.position.counts)


@pytest.mark.parametrize("pause", [MOMENT, 2.5])
def test_two_faults_of_one_hand_are_two_however_soon_it_comes_back(pause: float) -> None:
    played = begun(JudgeAtOnce(), LAID)
    first, second = wrong_ways(played)
    played.move(first, Side.SOUTH, pause=pause)
    played.move(second, Side.SOUTH, pause=3.0)
    said = verdicts(played)
    assert [(v.kind, v.player, [f.code for f in v.faults]) for v in said] == [
        ("illegal", "S", ["wrong-way"]), ("illegal", "S", ["out-of-turn"])]
    assert said[0].hands_out < said[1].hands_in and not said[1].answers


def test_what_was_held_back_is_said_before_the_other_sides_move_as_well() -> None:
    """South errs twice, and North answers at once."""
    played = begun(JudgeAtOnce(), LAID)
    first, second = wrong_ways(played)
    played.move(first, Side.SOUTH, pause=MOMENT)
    played.move(second, Side.SOUTH, pause=0.3)
    rules, before = played.game.playing
    lies = replace(before.with_counts(tuple(second)), to_move=Side.NORTH)
    answer = max(rules.moves(lies).moves, key=lambda move: len(move.trace))
    played.move(answer.position.counts, Side.NORTH, pause=3.0)
    assert [(v.kind, v.player) for v in verdicts(played)] == [("illegal", "S"), ("illegal", "S"), ("legal", "N")]


def test_a_fault_that_is_mended_before_it_was_said_is_none() -> None:
    """The hand has laid a seed too far, and takes it back at once."""
    played = begun(JudgeAtOnce(), LAID)
    rules, before = played.game.playing
    move = rules.play(before, "g")
    wrong = list(move.position.counts)
    pit = next(p for p, n in enumerate(wrong) if n and p != move.pit)
    wrong[pit], wrong[(pit + 2) % len(wrong)] = wrong[pit] - 1, wrong[(pit + 2) % len(wrong)] + 1
    played.move(wrong, Side.SOUTH, pause=MOMENT)
    assert not verdicts(played)
    played.move(move.position.counts, Side.SOUTH, pause=3.0)
    assert [(v.kind, v.move) for v in verdicts(played)] == [("legal", "g")]


class Slow(JudgeAtOnce):
    """A judge who has never answered yet, unless he is waited for."""

    def answer(self, wait: bool = False) -> Verdict | None:
        return super().answer() if wait else None


@pytest.mark.parametrize("judge", [JudgeAtOnce, Slow])
def test_what_is_held_back_when_the_recording_ends_is_said(judge: type[JudgeAtOnce]) -> None:
    played = begun(JudgeAtOnce(), LAID)
    first, second = wrong_ways(played)
    played.move(first, Side.SOUTH, pause=MOMENT)
    played.move(second, Side.SOUTH, pause=0.15)
    played.ask_from_now_on(judge())
    played.table.finish()
    assert [(v.kind, v.player) for v in verdicts(played)] == [("illegal", "S"), ("illegal", "S")]


@pytest.mark.parametrize(("code", "mid_move", "said"), [
    ("wrong-way", False, True), ("wrong-way", True, False), ("stopped-short", False, False), ("", False, False)])
def test_what_may_be_the_middle_of_a_move_or_says_nothing_of_the_board_is_not_held_back(
        code: str, mid_move: bool, said: bool) -> None:
    """A doubt names no board by itself: only those of its explanations."""
    before = Position.parse(LAID)
    move = Disturbance(0.0, 1.0, Window(16), HandReadings(), south=0.1, mid_move=mid_move)
    verdict = Verdict("illegal", before, before, Side.SOUTH, "c", faults=(Fault(code, 2),))
    doubt = replace(verdict, kind="not-sure", faults=())
    assert (held_back(verdict if code else doubt, move, ()) is not None) is said
    assert held_back(None, move, ()) is None
    explained = held_back(replace(doubt, others=((before, 0.3), (before, 0.0))), move, ())
    assert mid_move or (explained is not None and explained.leaves == ((before, 0.3),))

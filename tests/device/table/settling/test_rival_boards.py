"""What a verdict did not rule out is kept in mind: before anybody is accused, the boards beside the known one are asked
about as well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from device.journal.events import PositionSet
from device.table.settling.judge_worker import Evidence, JudgeAtOnce, Question, Verdict
from engine.board import Side
from engine.position import Position
from engine.rules import ruleset
from tests.device.played_table import Played, begun, likelihoods, simple_judge, verdicts

RULES = ruleset("enkeshui")
KNOWN = Position.parse("4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 N 19-0 ply=8")
RIVAL = Position.parse("4,2,0,1,1,0,2,0/0,3,1,0,6,0,7,1 N 20-0 ply=8")
"""One seed less in E, from which North plays."""


def asked(lies: Position, **fields: tuple[tuple[Position, float], ...]) -> Question:
    """What came about that North's hand left this board, clearly read."""
    loglik = likelihoods(lies.counts).astype(np.float64)
    return Question(RULES, KNOWN, Evidence(loglik, np.ones(len(loglik), bool), 5, (0.0, 0.1)), (), **fields)


def from_e(before: Position) -> Position:
    return RULES.play(before, "E").position


def test_a_fault_that_is_a_legal_move_from_a_board_that_may_have_lain_there_is_none() -> None:
    assert asked(from_e(RIVAL)).weigh().accuses
    verdict = asked(from_e(RIVAL), rivals=((RIVAL, 0.05),)).weigh()
    assert (verdict.kind, verdict.move, verdict.before) == ("legal", "E", RIVAL)


def test_a_legal_move_from_the_known_board_needs_no_other() -> None:
    verdict = asked(from_e(KNOWN), rivals=((RIVAL, 0.9),)).weigh()
    assert (verdict.kind, verdict.move, verdict.before) == ("legal", "E", KNOWN)


class Asked(JudgeAtOnce):
    """A judge who keeps what he was asked."""

    def __init__(self, weigh: Callable[[Question], Verdict]) -> None:
        super().__init__(weigh)
        self.asked: list[Question] = []

    def ask(self, question: Question) -> None:
        self.asked.append(question)
        super().ask(question)


def as_shown(judge: Asked) -> Question:
    """The last that was asked about the picture as it is shown: about a turned one there are no rivals."""
    return [question for question in judge.asked if question.rivals][-1]


def beside(question: Question, pit: int = 12) -> Position:
    """What was read, with a seed more in a pit."""
    counts = question.evidence.loglik.argmax(axis=1).tolist()
    counts[pit] += 1
    return question.before.with_counts(tuple(counts))


def in_doubt(question: Question) -> Verdict:
    """Every verdict leaves open that a seed more lies in a pit, another one each time, or, hardly likely, in one more.
    """
    others = (beside(question, 12 + len(question.history)), 0.02), (beside(question, 0), 0.0001)
    return replace(simple_judge(question), others=others)


def test_what_a_legal_move_left_open_is_asked_about_with_the_next_one() -> None:
    judge = Asked(in_doubt)
    played = begun(judge)
    played.play()
    left = beside(judge.asked[-1])
    played.play()
    assert not judge.asked[0].rivals and [(p.counts, odds) for p, odds in judge.asked[-1].rivals] == [
        (left.counts, 0.02)]


def test_what_a_hand_that_seemed_to_touch_nothing_may_have_done_is_kept_in_mind() -> None:
    """Beside what was in doubt before it."""
    judge = Asked(in_doubt)
    played = begun(judge)
    played.play()
    before = beside(judge.asked[-1])
    played.doubt = {12: played.counts[12] + 1}  # hard to read from now on, so that nobody can tell
    played.move(played.counts, Side.SOUTH)
    assert len(verdicts(played)) == 1, "nothing happened"
    since = beside(as_shown(judge), 13)
    played.doubt = {}
    played.counts[14] += 1
    played.move(played.counts, Side.NORTH, pause=3.0)
    assert [p.counts for p, _ in as_shown(judge).rivals] == [before.counts, since.counts]


def test_a_board_that_people_set_has_no_rivals() -> None:
    judge = Asked(in_doubt)
    played = begun(judge)
    played.play()
    played.table._play.reset()
    played.play()
    assert not judge.asked[-1].rivals


def heap_read_low() -> tuple[Played, Position]:
    """South has made a legal move; a seed more than was read lies in a pit from which North will sow."""
    played = begun(JudgeAtOnce(), "4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8")
    played.play("b")
    _, lies = played.game.playing
    return played, lies


def test_nobody_is_accused_of_what_was_misread_before() -> None:
    played, lies = heap_read_low()
    rules, _ = played.game.playing
    pit = max(rules.starts(lies), key=lambda p: lies.counts[p])
    more = lies.with_counts(tuple(n + (p == pit) for p, n in enumerate(lies.counts)))
    played.table._play._knowledge.rivals = ((more, 0.01),)
    move = next(m for m in rules.moves(more).moves if m.pit == pit)
    played.move(move.position.counts, Side.NORTH, pause=3.0)
    assert [(v.kind, v.player) for v in verdicts(played)] == [("legal", "S"), ("legal", "N")]
    assert [p.position for p in played.said(PositionSet)] == [str(more)]
    assert "later moves" in played.said(PositionSet)[0].why


def test_rivals_that_are_likelier_together_than_can_be_leave_the_known_board_its_odds() -> None:
    """They come from several verdicts, each of which speaks for itself."""
    verdict = asked(from_e(RIVAL), rivals=((RIVAL, 0.7), (KNOWN.with_counts(from_e(KNOWN).counts), 0.6))).weigh()
    assert (verdict.kind, verdict.before) == ("legal", RIVAL)


def test_what_the_verdict_on_such_a_hand_says_lies_there_is_a_rival_and_the_known_board_is_none() -> None:
    played = begun(Asked(in_doubt))
    knowledge, before = played.table._play._knowledge, played.game.playing[1]
    other = before.with_counts((before.counts[0] + 1, *before.counts[1:]))
    knowledge.touched_nothing(Verdict("tampered", before, other, others=((before, 0.3),)))
    assert knowledge.rivals == ((other, 0.7),)

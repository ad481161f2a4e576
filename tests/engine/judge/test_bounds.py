"""How sure the judge has to be before it accuses anybody, and of what."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest

from engine.board import Side
from engine.judge import COUNTS, Evidence, Fault, search
from engine.judge.decision import Case, doubts
from engine.judge.faults import Work
from engine.judge.likelihood import BoardLikelihood
from engine.judge.parameters import BOUNDS, EFFORT, TIMELINE
from engine.judge.search import Hypothesis
from engine.judge.weighing import Scored
from engine.position import Position
from engine.rules import ruleset

BEFORE, RULES = Position.parse("4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8"), ruleset("enkeshui")
LEGAL = search.legal_moves(RULES, BEFORE)[0]


def off(a: Hypothesis, b: Hypothesis) -> int:
    """Seeds by which two boards differ."""
    return sum(abs(m - n) for m, n in zip(a.counts, b.counts, strict=True))


def faulty() -> list[Hypothesis]:
    """Moves of the legal one's pit with a fault, the nearest to it first."""
    assert LEGAL.move is not None
    listed = search.faulty_moves(RULES, BEFORE, Work(EFFORT.fault_laps))
    same_pit = (h for h in listed if (h.move or "")[:1] == LEGAL.move[:1])
    return sorted((h for h in same_pit if off(h, LEGAL)), key=lambda h: off(h, LEGAL))


def plain(counts: tuple[int, ...]) -> BoardLikelihood:
    """Read as clearly as can be."""
    loglik = np.full((len(counts), COUNTS), -16.0)
    loglik[np.arange(len(counts)), counts] = 0.0
    return BoardLikelihood(Evidence(loglik, np.ones(len(counts), bool), 9, (0.3, 0.01)))


def accuses(top: Hypothesis, share: float, *others: tuple[Hypothesis, float], timeline_nats: float = 0.0,
            likelihood: BoardLikelihood | None = None) -> bool:
    """Whether the top candidate is said aloud. share: its posterior, and so with the others; the rest is legal. fit:
    what was read, the very board of it unless told."""
    likelihood = likelihood or plain(top.counts)
    rest = 1 - share - sum(p for _, p in others)
    scored = [Scored(top, log(share), 0.0, timeline_nats=timeline_nats), *(Scored(c, log(p), -9.0) for c, p in others),
              Scored(LEGAL, log(rest), -20.0)]
    return not doubts(Case(likelihood, sorted(scored, key=lambda s: -s.log_p), scored[0], share))


def test_an_accusation_has_to_be_nineteen_times_as_likely_as_all_the_rest() -> None:
    far = faulty()[-1]
    assert accuses(far, 0.955)
    assert not accuses(far, 0.945)


@pytest.mark.parametrize(("share", "said"), [(0.82, True), (0.78, False)])
def test_of_two_faulty_boards_one_has_to_be_much_the_likelier(share: float, said: bool) -> None:
    near, far = faulty()[0], faulty()[-1]
    assert accuses(far, share, (near, 0.99 - share)) == said


def test_one_seed_in_one_pit_accuses_only_where_more_was_seen_than_the_board() -> None:
    """Whatever the odds: a picture of one pit is never so sharp."""
    one, more = (next(c for c in faulty() if (off(c, LEGAL) == 1) == alone) for alone in (True, False))
    pit = next(p for p, (a, b) in enumerate(zip(one.counts, LEGAL.counts, strict=True)) if a != b)
    assert one.counts[pit] < 4
    assert accuses(more, 0.9999)
    assert not accuses(one, 0.9999)
    assert not accuses(one, 0.9999, timeline_nats=BOUNDS.one_seed_nats - 0.1)
    assert accuses(one, 0.9999, timeline_nats=BOUNDS.one_seed_nats + 0.1)
    many = replace(one, counts=tuple(n + 3 * (p == pit) for p, n in enumerate(LEGAL.counts)))
    assert accuses(many, 0.9999)


def test_what_the_drops_say_against_an_accusation_counts_twice() -> None:
    """Marks in pits that were never seen empty pass for seeds, in two of them alike; what was dropped tells."""
    more = next(c for c in faulty() if off(c, LEGAL) == 2)
    gain = float((plain(more.counts).per_pit(more.counts) - plain(more.counts).per_pit(LEGAL.counts)).sum())
    least = (gain - BOUNDS.accused_nats) / BOUNDS.timeline_against_times
    assert 1.0 < least < TIMELINE.most_nats
    assert accuses(more, 0.9999, timeline_nats=0.1 - least)
    assert not accuses(more, 0.9999, timeline_nats=-0.1 - least)


def says_legal(
    likelihood: BoardLikelihood, legal: tuple[float, float], fault: Hypothesis, other: tuple[float, float]
) -> bool:
    """Whether the legal move is said aloud, at 199 to 1, beside a fault: how the board fits each, and what the drops
    say of it."""
    scored = [Scored(LEGAL, log(0.995), legal[0], timeline_nats=legal[1]),
              Scored(fault, log(0.005), other[0], timeline_nats=other[1])]
    return not doubts(Case(likelihood, scored, scored[0], 0.995))


def test_no_legal_move_is_said_where_board_and_drops_both_speak_for_a_fault() -> None:
    """However much likelier it is that people play fairly. Either of them alone may err."""
    fault, likelihood, half = faulty()[-1], plain(LEGAL.counts), BOUNDS.fault_better_nats / 2 + 0.1
    assert not says_legal(likelihood, (-half, -half), fault, (0.0, 0.0))
    assert says_legal(likelihood, (0.2 - half, -half), fault, (0.0, -0.1))
    assert says_legal(likelihood, (-2 * half, 0.0), fault, (0.0, 0.0))
    assert says_legal(likelihood, (0.0, -2 * half), fault, (0.0, 0.0))


def near_miss() -> Hypothesis:
    """A fault that leaves no pit plainly otherwise than the legal move: a seed more or fewer where others lie, too."""
    return next(c for c in faulty() if c.counts != LEGAL.counts and all(
        a == b or (abs(a - b) == 1 and a and b) for a, b in zip(c.counts, LEGAL.counts, strict=True)))


def test_a_pit_plainly_misread_denies_no_legal_move_where_the_drops_speak_against_what_it_shows() -> None:
    fault = near_miss()
    likelihood = plain(fault.counts)
    assert likelihood.denying_pits(LEGAL.counts, plainly=True)
    assert says_legal(likelihood, (-8.0, 0.0), fault, (0.0, -6.0))
    assert not says_legal(likelihood, (-8.0, 0.0), fault, (0.0, -0.5))
    assert not says_legal(likelihood, (-8.0, 0.0), fault, (0.0, -TIMELINE.most_nats)), "nobody laid it against them"
    elsewhere = next(p for p, (a, b) in enumerate(zip(fault.counts, LEGAL.counts, strict=True)) if a == b)
    both = plain(tuple(n + 5 * (p == elsewhere) for p, n in enumerate(fault.counts)))
    assert not says_legal(both, (-8.0, 0.0), fault, (0.0, -6.0)), "no fault explains the other pit"


@pytest.mark.parametrize("more", [2, -2, "all", "some"])
def test_no_legal_move_is_said_where_a_pit_is_plainly_empty_or_not_or_two_off(more: int | str) -> None:
    """Whatever the drops say: two seeds are not overlooked."""
    fault = near_miss()
    pit = next(p for p, n in enumerate(LEGAL.counts) if (not n if more == "some" else n > 2))
    lies = {"all": 0, "some": 1}.get(str(more), LEGAL.counts[pit] + (more if isinstance(more, int) else 0))
    counts = (*LEGAL.counts[:pit], lies, *LEGAL.counts[pit + 1 :])
    fault = replace(fault, counts=counts)
    likelihood = plain(counts)
    assert likelihood.pits_plainly_off(LEGAL.counts) == [pit] and not likelihood.pits_plainly_off(counts)
    assert not says_legal(likelihood, (-8.0, 0.0), fault, (0.0, -6.0))
    legal_board = replace(fault, counts=LEGAL.counts)
    assert not accuses(legal_board, 0.9999, likelihood=likelihood), "nor is anybody accused on such a board"


def test_nobody_is_a_thief_where_all_the_seeds_lie_there() -> None:
    """By a palming another pit would be misread: one seed fewer was made of it than lies there."""
    pit, other = [p for p, n in enumerate(LEGAL.counts) if n > 1][:2]
    theft = replace(faulty()[-1], fault=Fault("palmed", pit, 0, 1),
                    counts=tuple(n - (p == pit) for p, n in enumerate(LEGAL.counts)), first_outcome=None)
    read = tuple(n - (p == pit) + (p == other) for p, n in enumerate(LEGAL.counts))
    assert not accuses(theft, 0.9999, timeline_nats=12.0, likelihood=plain(read))
    missing = plain(theft.counts)
    assert accuses(replace(theft, fault=Fault("skip", pit, 1, 1)), 0.9999, timeline_nats=12.0, likelihood=missing)
    assert accuses(theft, 0.9999, timeline_nats=12.0, likelihood=missing), "where it is missing, it is said"


def test_two_faults_are_found_on_the_very_board_that_was_read_alone() -> None:
    far = next(c for c in reversed(faulty()) if off(c, LEGAL) > 4 and c.outcome is not None)
    two = replace(far, first_outcome=far.outcome)
    pit = next(p for p, n in enumerate(far.counts) if n > 2 and n == LEGAL.counts[p])
    read = tuple(n + (p == pit) for p, n in enumerate(far.counts))
    assert accuses(two, 0.9999) and accuses(far, 0.9999, likelihood=plain(read))
    assert not accuses(two, 0.9999, likelihood=plain(read))


def test_a_pit_misread_beside_them_keeps_nobody_from_being_accused_by_many_others() -> None:
    """Of one pit alone it does: where one is misread another may be."""
    far = faulty()[-1]
    pits = [p for p, (a, b) in enumerate(zip(far.counts, LEGAL.counts, strict=True)) if a != b and a and b]
    same = next(p for p, (a, b) in enumerate(zip(far.counts, LEGAL.counts, strict=True)) if a == b and a)

    def said(top: Hypothesis, misread: int, timeline_nats: float = 0.0, honest: Hypothesis = LEGAL) -> bool:
        likelihood = plain(tuple(n + (p == misread) for p, n in enumerate(top.counts)))
        assert likelihood.denying_pits(top.counts) == [misread]
        scored = [Scored(top, log(0.999), 0.0, timeline_nats=timeline_nats), Scored(honest, log(0.001), -20.0)]
        return not doubts(Case(likelihood, scored, scored[0], 0.999))

    assert said(far, same) and said(far, pits[0])
    for more in (1, 3):
        counts = tuple(n + more * (p == pits[0]) for p, n in enumerate(LEGAL.counts))
        assert not said(replace(far, counts=counts), same, timeline_nats=12.0)
    one = replace(far, counts=tuple(n + (p == pits[0]) for p, n in enumerate(LEGAL.counts)))
    assert not said(one, same, timeline_nats=12.0, honest=replace(LEGAL, player=Side.NORTH)), "nor by drops and hands"


def test_a_board_that_several_pits_deny_accuses_nobody() -> None:
    """In a clip three seeds had been shifted before a legal move: of what came of both no one fault tells all, and one
    that told the most was near."""
    far = next(c for c in reversed(faulty()) if off(c, LEGAL) > 4
               and sum(a == b and a > 0 for a, b in zip(c.counts, LEGAL.counts, strict=True)) > 2)
    same = [p for p, (a, b) in enumerate(zip(far.counts, LEGAL.counts, strict=True)) if a == b and a]

    def said(*misread: int) -> bool:
        likelihood = plain(tuple(n + (p in misread) for p, n in enumerate(far.counts)))
        scored = [Scored(far, log(0.999), 0.0), Scored(LEGAL, log(0.001), -20.0)]
        return not doubts(Case(likelihood, scored, scored[0], 0.999))

    assert said(same[0]) and said(same[1])
    assert not said(same[0], same[1])

"""Every reason for which the judge is not sure is found, and found beside the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log

import numpy as np
import pytest

from engine.board import Side
from engine.judge import COUNTS, Evidence, Fault, search
from engine.judge.decision import ACCUSATION_REASONS, HARMLESS_REASONS, Case, doubts
from engine.judge.faults import Work
from engine.judge.likelihood import BoardLikelihood
from engine.judge.search import Hypothesis
from engine.judge.verdict import NO_DOUBT, Doubt
from engine.judge.weighing import Scored
from engine.position import Position
from engine.rules import ruleset

RULES, BEFORE = ruleset("enkeshui"), Position.parse("4,2,0,2,1,0,2,0/0,3,1,0,6,0,7,1 S 19-0 ply=8")
LEGAL = search.legal_moves(RULES, BEFORE)[0]
ANSWERED = search.answered_moves(RULES, [LEGAL])[0]
FAULTY = max((c for c in search.faulty_moves(RULES, BEFORE, Work(60_000)) if c.outcome is not None
              and (c.move or "")[:1] == (LEGAL.move or "")[:1] and c.player is Side.SOUTH),
             key=lambda c: sum(abs(a - b) for a, b in zip(c.counts, LEGAL.counts, strict=True)))


def read_as(counts: tuple[int, ...], hands: tuple[float, float] = (0.3, 0.01)) -> BoardLikelihood:
    """Every pit read as clearly as can be."""
    loglik = np.full((len(counts), COUNTS), -16.0)
    loglik[np.arange(len(counts)), counts] = 0.0
    return BoardLikelihood(Evidence(loglik, np.ones(len(counts), bool), 9, hands))


def with_more(counts: tuple[int, ...], pits: list[int], n: int = 1) -> tuple[int, ...]:
    """The board with so many seeds more in each of these pits."""
    return tuple(c + n * (p in pits) for p, c in enumerate(counts))


def case(
    top: Hypothesis = FAULTY, share: float = 0.999, rest: tuple[Scored, ...] | None = None,
    likelihood: BoardLikelihood | None = None, value: float = 0.0,
) -> Case:
    """A case whose top has this posterior. rest: the other explanations, a legal move unless said; value: how well its
    board fits, nats."""
    rival = Scored(LEGAL if top.accuses else FAULTY, log(max(1e-9, 1 - share)), -20.0)
    scored = [Scored(top, log(share), value), *(rest if rest is not None else (rival,))]
    return Case(likelihood or read_as(top.counts), scored, scored[0], share)


HELD = [p for p, (a, b) in enumerate(zip(FAULTY.counts, LEGAL.counts, strict=True)) if a == b and a > 2]
FULL = [p for p, n in enumerate(FAULTY.counts) if n > 1][:2]
NEAR = replace(FAULTY, counts=with_more(LEGAL.counts, HELD[:1]))
LAID = Hypothesis("rearranged", 0.0, FAULTY.counts, Side.SOUTH, position=replace(BEFORE, ply=0))
TURN = Hypothesis("rearranged", 0.0, BEFORE.counts, Side.SOUTH, position=replace(BEFORE, ply=9))
THEFT = replace(FAULTY, fault=Fault("palmed", HELD[0], 0, 1))

CASES: dict[tuple[Doubt, bool], Callable[[], Case]] = {
    (Doubt.IMPROBABLE, False): lambda: case(LEGAL, 0.98),
    (Doubt.DENIED, False): lambda: case(LEGAL, likelihood=read_as(with_more(LEGAL.counts, HELD[:1]))),
    (Doubt.PLAINLY_OFF, False): lambda: case(LEGAL, likelihood=read_as(with_more(LEGAL.counts, HELD[:1], 2))),
    (Doubt.FAULT_FITS_BETTER, False): lambda: case(
        LEGAL, rest=(Scored(FAULTY, log(0.001), 0.0, timeline_nats=0.0),), value=-2.0),
    (Doubt.LEGALLY_ANSWERED, True): lambda: case(
        rest=(Scored(replace(ANSWERED, counts=FAULTY.counts), -7.0, 0.0),),
        likelihood=read_as(FAULTY.counts, (0.3, 0.3))),
    (Doubt.LAID_OUT, True): lambda: case(rest=(Scored(LAID, -7.0, 0.0),)),
    (Doubt.PLAINLY_OFF, True): lambda: case(likelihood=read_as(with_more(FAULTY.counts, HELD[:1], 2))),
    (Doubt.NOT_AS_READ, True): lambda: case(
        replace(FAULTY, first_outcome=FAULTY.outcome), likelihood=read_as(with_more(FAULTY.counts, HELD[:1]))),
    (Doubt.NOTHING_MISSING, True): lambda: case(THEFT, likelihood=read_as(with_more(FAULTY.counts, HELD[:1]))),
    (Doubt.HAND_ABSENT, True): lambda: case(likelihood=read_as(FAULTY.counts, (0.01, 0.5))),
    (Doubt.REARRANGED, True): lambda: case(rest=(Scored(TURN, log(0.001), -20.0), Scored(LEGAL, log(0.001), -20.0))),
    (Doubt.DENIED, True): lambda: case(likelihood=read_as(with_more(FAULTY.counts, FULL))),
    (Doubt.IMPROBABLE, True): lambda: case(share=0.94),
    (Doubt.BOARD_IMPROBABLE, True): lambda: case(
        share=0.79, rest=(Scored(NEAR, log(0.2), 0.0), Scored(LEGAL, log(0.01), -20.0))),
    (Doubt.FITS_HARDLY_BETTER, True): lambda: case(likelihood=BoardLikelihood(Evidence(
        np.zeros((len(BEFORE.counts), COUNTS)), np.ones(len(BEFORE.counts), bool)))),
    (Doubt.ONE_SEED, True): lambda: case(NEAR),
}


def made(flag: Doubt, accuses: bool) -> Case:
    """The case in which this is a reason."""
    one = CASES[flag, accuses]()
    if flag is not Doubt.FAULT_FITS_BETTER:
        return one
    top = replace(one.top, timeline_nats=-2.0)
    return replace(one, top=top, scored=[top, *one.scored[1:]])


def test_who_is_plainly_right_or_wrong_is_told_so() -> None:
    assert doubts(case()) == doubts(case(LEGAL)) == NO_DOUBT


@pytest.mark.parametrize(("flag", "accuses"), list(CASES))
def test_a_reason_is_found_by_its_own_predicate_alone(
    flag: Doubt, accuses: bool, monkeypatch: pytest.MonkeyPatch,
) -> None:
    reasons = ACCUSATION_REASONS if accuses else HARMLESS_REASONS
    found = doubts(made(flag, accuses))
    assert flag in found
    monkeypatch.delitem(reasons, flag)
    assert doubts(made(flag, accuses)) == found & ~flag


TABLES_OWN = {Doubt.BEFORE_UNSURE, Doubt.HANDS_STILL_THERE, Doubt.STIRRED, Doubt.BEGUN_UNSEEN,
              Doubt.TURNED, Doubt.UNWATCHED}
"""For which the table makes a doubt of what the judge says."""


def test_every_reason_has_its_case() -> None:
    assert set(CASES) == {(f, True) for f in ACCUSATION_REASONS} | {(f, False) for f in HARMLESS_REASONS}
    assert set(Doubt) == {f for f, _ in CASES} | {Doubt.HIDDEN, Doubt.ORIGIN} | TABLES_OWN


def test_all_reasons_are_found_at_once() -> None:
    both = case(share=0.9, likelihood=read_as(with_more(FAULTY.counts, FULL), (0.01, 0.5)))
    assert Doubt.DENIED | Doubt.HAND_ABSENT | Doubt.IMPROBABLE in doubts(both)
